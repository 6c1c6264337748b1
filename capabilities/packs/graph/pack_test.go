package graph_test

import (
	"encoding/json"
	"testing"

	"github.com/jacobian-ledger/jacobian/capabilities/captest"
	"github.com/jacobian-ledger/jacobian/capabilities/checkers/graphclique"
	"github.com/jacobian-ledger/jacobian/capabilities/checkers/graphcoloring"
	"github.com/jacobian-ledger/jacobian/capabilities/checkers/graphiso"
	"github.com/jacobian-ledger/jacobian/capabilities/checkers/graphmatching"
	"github.com/jacobian-ledger/jacobian/capabilities/checkers/graphpath"
	"github.com/jacobian-ledger/jacobian/capabilities/packs/graph"
	"github.com/jacobian-ledger/jacobian/capabilities/values"
	"github.com/jacobian-ledger/jacobian/events/jcs"
)

func TestPack(t *testing.T) {
	captest.TestPack(t, graph.Pack(), graphcoloring.Checker(), graphiso.Checker(), graphmatching.Checker(), graphclique.Checker(), graphpath.Checker())
}

func unmarshal(b []byte, g *values.Graph) error { return jcs.Decode(b, g) }

func unmarshalAny(b []byte, into any) error { return jcs.Decode(b, into) }

// family is the wire form of a named graph.
func family(t *testing.T, input string) json.RawMessage {
	t.Helper()
	var out struct {
		Graph json.RawMessage `json:"graph"`
	}
	if err := json.Unmarshal([]byte(captest.Output(t, graph.Pack(), "graph.construct.family", input)), &out); err != nil {
		t.Fatal(err)
	}
	return out.Graph
}
