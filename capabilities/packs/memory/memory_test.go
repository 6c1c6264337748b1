package memory_test

import (
	"context"
	"testing"

	"github.com/jacobian-ledger/jacobian/capabilities/captest"
	"github.com/jacobian-ledger/jacobian/capabilities/packs/memory"
)

// nothing is a reader of an empty ledger that answers in full.
type nothing struct{}

func (nothing) Search(context.Context, memory.SearchInput) (memory.SearchOutput, error) {
	return memory.SearchOutput{Episodes: []memory.Episode{}}, nil
}

func (nothing) Episode(context.Context, string) (memory.EpisodeOutput, error) {
	return memory.EpisodeOutput{Uses: []string{}, Artifacts: []string{}, TaintedBy: []string{}}, nil
}

func (nothing) Walk(context.Context, string, int, bool) (memory.WalkOutput, error) {
	return memory.WalkOutput{Things: []memory.Thing{}, Steps: []memory.Step{}}, nil
}

func (nothing) Explain(context.Context, string) (memory.ExplainOutput, error) {
	return memory.ExplainOutput{Parts: []memory.Part{}, TaintedBy: []string{}}, nil
}

func (nothing) Record(context.Context, string) (memory.RecordOutput, error) {
	return memory.RecordOutput{Reasons: []string{}}, nil
}

func TestPack(t *testing.T) { captest.TestPack(t, memory.Pack(nothing{})) }
