package embed

import (
	"context"
	"errors"
	"fmt"

	"github.com/jacobian-ledger/jacobian/capabilities"
	"github.com/jacobian-ledger/jacobian/capabilities/packs/memory"
	"github.com/jacobian-ledger/jacobian/query"
)

// ledgerReader lets the memory operations ask the node's read side.
type ledgerReader struct{ n *Node }

var _ memory.Reader = ledgerReader{}

// refused turns a query's error into an operation's refusal.
func refused(path string, err error) error {
	if errors.Is(err, query.ErrNotFound) {
		return capabilities.NotApplicable(path, "something that this ledger holds", err.Error(), "find it with memory.search")
	}
	return err
}

// Search finds episodes.
func (r ledgerReader) Search(ctx context.Context, in memory.SearchInput) (memory.SearchOutput, error) {
	a, err := r.n.MemorySearch(ctx, query.MemoryRequest{
		Query: in.Query, Capability: in.Capability, Domain: in.Domain, Status: in.Status, Conclusion: in.Conclusion, Assurance: in.Assurance,
		Investigation: in.Investigation, Since: in.Since, Limit: in.Limit, Cursor: in.Cursor,
	})
	if err != nil {
		return memory.SearchOutput{}, err
	}
	out := memory.SearchOutput{Total: int(a.Total), Episodes: []memory.Episode{}, Cursor: a.Cursor, Hint: a.Hint}
	for _, e := range a.Episodes {
		out.Episodes = append(out.Episodes, memory.Episode{
			Episode: e.Episode, CapabilityID: e.CapabilityID, Status: string(e.Status), Conclusion: string(e.Conclusion), Assurance: e.Assurance,
			Advisory: e.Advisory, Record: e.Record, Time: e.Time, UntrustedText: e.UntrustedText,
		})
	}
	return out, nil
}

// Episode is one run's story.
func (r ledgerReader) Episode(ctx context.Context, id string) (memory.EpisodeOutput, error) {
	e, err := r.n.Episode(ctx, id)
	if err != nil {
		return memory.EpisodeOutput{}, refused("/episode", err)
	}
	text := func(t *query.Text) memory.Text {
		if t == nil {
			return memory.Text{}
		}
		return memory.Text{UntrustedText: t.UntrustedText}
	}
	return memory.EpisodeOutput{
		Episode: e.Episode, CapabilityID: e.CapabilityID, Status: string(e.Status), Conclusion: string(e.Conclusion), Assurance: e.Assurance, Advisory: e.Advisory,
		Record: e.Record, Code: string(e.Code), Time: e.Time, Requested: int(e.RequestedSeq), Finished: int(e.FinishedSeq),
		Uses: orEmpty(e.Uses), Artifacts: orEmpty(e.Artifacts), TaintedBy: orEmpty(e.TaintedBy),
		Claim: text(e.Claim), Detail: text(e.Detail), Scope: text(e.Scope), Input: text(e.Input), Output: text(e.Output),
	}, nil
}

func orEmpty(s []string) []string {
	if s == nil {
		return []string{}
	}
	return s
}

// Walk follows the provenance graph, up or down.
func (r ledgerReader) Walk(ctx context.Context, uri string, limit int, down bool) (memory.WalkOutput, error) {
	walk := r.n.Ancestors
	if down {
		walk = r.n.Descendants
	}
	w, err := walk(ctx, uri, limit)
	if err != nil {
		return memory.WalkOutput{}, refused("/uri", err)
	}
	out := memory.WalkOutput{Things: []memory.Thing{}, Steps: []memory.Step{}, More: w.More}
	for i := range w.Things {
		out.Things = append(out.Things, thing(&w.Things[i]))
	}
	for _, s := range w.Steps {
		out.Steps = append(out.Steps, memory.Step{From: s.From, Relation: string(s.Relation), To: s.To})
	}
	return out, nil
}

func thing(t *query.Thing) memory.Thing {
	return memory.Thing{URI: t.URI, Kind: t.Kind, CapabilityID: t.CapabilityID, Assurance: t.Assurance, Conclusion: string(t.Conclusion), UntrustedText: t.UntrustedText}
}

// Explain says what a thing rests on.
func (r ledgerReader) Explain(ctx context.Context, uri string) (memory.ExplainOutput, error) {
	e, err := r.n.Explain(ctx, uri)
	if err != nil {
		return memory.ExplainOutput{}, refused("/uri", err)
	}
	out := memory.ExplainOutput{Thing: thing(&e.Thing), Parts: []memory.Part{}, Checker: e.Checker, TaintedBy: orEmpty(e.TaintedBy), Text: e.Text()}
	for i := range e.Parts {
		out.Parts = append(out.Parts, memory.Part{Role: e.Parts[i].Role, Thing: thing(&e.Parts[i].Thing)})
	}
	return out, nil
}

// Record is a record and what it is worth today.
func (r ledgerReader) Record(ctx context.Context, id string) (memory.RecordOutput, error) {
	a, err := r.n.Record(ctx, id)
	if err != nil {
		return memory.RecordOutput{}, refused("/record", err)
	}
	out := memory.RecordOutput{
		Record: a.RecordID, State: string(a.State), Assurance: a.Assurance, Reasons: orEmpty(a.Reasons), Conclusion: string(a.Conclusion),
		Predicate: a.Claim.Predicate, Semantics: a.Claim.Semantics, ClaimDigest: a.Claim.Digest.String(), ClaimURI: a.ClaimURI, Candidate: a.Candidate,
		Certificate: a.Certificate, Format: a.Format, Checker: fmt.Sprintf("%s@%d", a.Checker.CheckerID, a.Checker.Version), Episode: a.Episode,
	}
	if a.ClaimText != nil {
		out.ClaimText.UntrustedText = a.ClaimText.UntrustedText
	}
	return out, nil
}
