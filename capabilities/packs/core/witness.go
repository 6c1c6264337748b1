package core

import (
	"context"
	"encoding/json"
	"fmt"

	"github.com/jacobian-ledger/jacobian/capabilities"
	"github.com/jacobian-ledger/jacobian/events"
	"github.com/jacobian-ledger/jacobian/events/jcs"
)

const referenceSource = "docs/contract.md, reference domains; Erdős and Straus 1948 for 4/n = 1/x + 1/y + 1/z"

// ValidateOutput is the formal claim that an instance makes.
type ValidateOutput struct {
	Semantics string `json:"semantics"`
	Predicate string `json:"predicate"`
	Instance  Object `json:"instance" doc:"in normal form: the arguments of the claim"`
	Digest    string `json:"claim_digest" doc:"two claims are the same if their digests are"`
}

var _ = capabilities.Define(pack, capabilities.Definition[DomainInput, ValidateOutput]{
	ID: "claim.validate", Claimed: capabilities.Computed,
	Title:       "is this a claim of a reference domain, and which",
	Description: "Reads an instance of a reference domain strictly and returns the formal claim that it makes: predicate, normalised arguments and digest. The claim is that a witness exists.",
	Source:      referenceSource, Tags: []string{"claim", "reference"},
	Needs:      []string{"check that a claim is well formed", "formalise a claim", "what exactly does this claim say", "digest of a claim"},
	Aliases:    []string{"formal claim", "well-formed"},
	InputKinds: []string{"claim"},
	Examples: []capabilities.Example{
		{Name: "Erdős–Straus", Input: `{"domain":"erdos-straus","instance":{"n":5}}`, Output: `{"semantics":"reference/1","predicate":"erdos_straus.decomposition","instance":{"n":"5"},"claim_digest":"sha256:b4e7181912a7c8b3f4cebb6f8e82ed0a8ca362c57ecc9a865aed32ecf2eb8337"}`},
	},
	Run: capabilities.Func(func(_ context.Context, in DomainInput) (ValidateOutput, error) {
		c := in.claim()
		return ValidateOutput{c.Semantics, c.Predicate, Object(c.Args), c.Digest().String()}, nil
	}),
})

func (in *DomainInput) claim() events.Claim {
	return events.Claim{Semantics: "reference/1", Predicate: domains[in.Domain].predicate, Args: json.RawMessage(in.Instance)}
}

// BatchInput is candidates to look at.
type BatchInput struct {
	DomainInput
	Candidates []json.RawMessage `json:"candidates" doc:"propositional: truth values; integer-matrices: rows; erdos-straus: {x, y, z}; graph-paths: vertices"`
}

// Validate refuses what the domain refuses.
func (in *BatchInput) Validate() error { return in.DomainInput.Validate() }

// maxBatch bounds the candidates, and maxBatchWork the candidates times the bytes of the instance.
const (
	maxBatch     = 10_000
	maxBatchWork = 50_000_000
)

// Judged is what became of one candidate.
type Judged struct {
	Witness bool   `json:"witness" doc:"whether it is one"`
	Reason  string `json:"reason" doc:"why it is malformed; empty for a well-formed candidate"`
}

// BatchOutput judges every candidate, in order.
type BatchOutput struct {
	Results   []Judged `json:"results"`
	Witnesses int      `json:"witnesses" doc:"how many are"`
}

var _ = capabilities.Define(pack, capabilities.Definition[BatchInput, BatchOutput]{
	ID: "evaluate.batch", Claimed: capabilities.Computed,
	Title:       "evaluate many candidates for one question",
	Description: "Says of each candidate whether it is a witness for an instance of a reference domain, exactly. A malformed candidate is reported by its place and does not stop the others.",
	Source:      referenceSource, Tags: []string{"evaluation", "reference"},
	Needs:      []string{"evaluate candidates", "which of these are solutions", "test many guesses at once", "check a list of assignments against a formula"},
	Aliases:    []string{"batch", "test candidates"},
	InputKinds: []string{"candidates"},
	Limits: []events.Limit{
		{Name: "candidates", Value: fmt.Sprint(maxBatch), Note: "in one call"},
		{Name: "work", Value: fmt.Sprint(maxBatchWork), Note: "candidates times bytes of the instance"},
	},
	Preflight: func(in BatchInput) error {
		if n := len(in.Candidates); n > maxBatch {
			return capabilities.Exceeds("/candidates", "candidates", fmt.Sprint(maxBatch), fmt.Sprint(n), "send them in several calls")
		}
		if work := len(in.Candidates) * len(in.Instance); work > maxBatchWork {
			return capabilities.Exceeds("/candidates", "work", fmt.Sprint(maxBatchWork), fmt.Sprint(work), "send them in several calls")
		}
		return nil
	},
	Examples: []capabilities.Example{
		{
			Name: "4/5", Input: `{"domain":"erdos-straus","instance":{"n":"5"},"candidates":[{"x":"2","y":"4","z":"20"},{"x":"2","y":"4","z":"21"},{"x":"2"}]}`,
			Output: `{"results":[{"witness":true,"reason":""},{"witness":false,"reason":""},{"witness":false,"reason":"at /y: expected the member \"y\", found nothing; add it"}],"witnesses":1}`,
		},
	},
	Run: capabilities.Func(func(ctx context.Context, in BatchInput) (BatchOutput, error) {
		out := BatchOutput{Results: []Judged{}}
		q, err := in.open()
		if err != nil {
			return out, err
		}
		for i, c := range in.Candidates {
			if err := cancelled(ctx, i); err != nil {
				return out, err
			}
			ok, err := q.holds(c)
			j := Judged{Witness: ok}
			if err != nil {
				j.Reason = err.Error()
			}
			if ok {
				out.Witnesses++
			}
			out.Results = append(out.Results, j)
		}
		return out, nil
	}),
})

// FindInput is a bounded search.
type FindInput struct {
	DomainInput
	Limit int `json:"limit,omitempty" doc:"candidates to look at, 1 to 100000000; 1000000 if left out"`
}

// Validate refuses what the domain refuses, and a limit out of range.
func (in *FindInput) Validate() error {
	if in.Limit < 0 || in.Limit > 100_000_000 {
		return capabilities.Invalid("/limit", "1 to 100000000", fmt.Sprint(in.Limit), "raise the budget instead of the limit")
	}
	return in.DomainInput.Validate()
}

// FindOutput is a witness, or how far the search came.
type FindOutput struct {
	Found     bool            `json:"found"`
	Witness   json.RawMessage `json:"witness" doc:"null if none was found"`
	Examined  int             `json:"examined" doc:"candidates looked at"`
	Exhausted bool            `json:"exhausted" doc:"there are no others: nothing found then means that there is none"`
}

var _ = capabilities.Define(pack, capabilities.Definition[FindInput, FindOutput]{
	ID: "witness.find", Kind: capabilities.KindSearch, Claimed: capabilities.Computed, Heavy: true,
	Title:       "search for a witness within a limit",
	Description: "Looks at the candidates of an instance of a reference domain in a fixed order, at most as many as the limit says. TRUE comes with the witness; FALSE only after every candidate was looked at; otherwise UNKNOWN, with how many were, and an open obligation.",
	Source:      referenceSource, Tags: []string{"search", "witness", "reference"},
	Needs:      []string{"find a witness", "bounded search for a solution", "find a counterexample in a finite domain", "is there an Erdős–Straus decomposition", "a sign matrix of given determinant"},
	Aliases:    []string{"search", "brute force", "exhaustive search"},
	InputKinds: []string{"claim"},
	Limits:     []events.Limit{{Name: "limit", Value: "100000000", Note: "candidates"}},
	Examples: []capabilities.Example{
		{Name: "4/5", Input: `{"domain":"erdos-straus","instance":{"n":"5"}}`, Output: `{"found":true,"witness":{"x":"2","y":"4","z":"20"},"examined":1,"exhausted":false}`},
		{Name: "no model", Input: `{"domain":"propositional","instance":{"variables":1,"clauses":[[1],[-1]]}}`, Output: `{"found":false,"witness":null,"examined":2,"exhausted":true}`},
		{Name: "a limit", Input: `{"domain":"integer-matrices","instance":{"order":3,"entries":["-1","1"],"determinant":"4"},"limit":5}`, Output: `{"found":false,"witness":null,"examined":5,"exhausted":false}`},
	},
	Run: findWitness,
})

func findWitness(ctx context.Context, env *capabilities.Env, in FindInput) (capabilities.Outcome[FindOutput], error) {
	limit := in.Limit
	if limit == 0 {
		limit = 1_000_000
	}
	out := FindOutput{Witness: json.RawMessage("null"), Exhausted: true}
	scope := func() *events.Scope {
		return &events.Scope{
			Description: fmt.Sprintf("the first %d candidates of %s in the order of the domain", out.Examined, in.Domain),
			Parameters:  []events.Param{{Name: "examined", Value: fmt.Sprint(out.Examined)}, {Name: "limit", Value: fmt.Sprint(limit)}},
		}
	}
	q, err := in.open()
	if err != nil {
		return capabilities.Outcome[FindOutput]{}, err
	}
	var ended error
	q.each(ctx, func(candidate any) bool {
		if out.Examined == limit {
			out.Exhausted = false
			return false
		}
		if ended = cancelled(ctx, out.Examined); ended != nil {
			return false
		}
		if out.Examined%1_000_000 == 999_999 {
			env.Covered(*scope())
		}
		out.Examined++
		c := raw(candidate)
		ok, err := q.holds(c)
		if err != nil {
			ended = err
			return false
		}
		if ok {
			out.Found, out.Witness, out.Exhausted = true, c, false
		}
		return !ok
	})
	if ended == nil {
		ended = ctx.Err()
	}
	if ended != nil && !out.Found {
		return capabilities.Outcome[FindOutput]{Scope: scope()}, ended
	}
	res := capabilities.Outcome[FindOutput]{Output: out, Scope: scope()}
	switch {
	case out.Found:
		res.Conclusion = events.True
	case out.Exhausted && q.complete:
		res.Conclusion, res.Completeness, res.Basis = events.False, events.CompletenessComplete, "every candidate was looked at"
	default:
		level := capabilities.Heuristic
		res.Conclusion, res.Completeness, res.Claimed = events.Unknown, events.CompletenessPartial, &level
		res.Obligations = []string{fmt.Sprintf("look at the candidates after the first %d", out.Examined)}
	}
	return res, nil
}

// WitnessInput is a witness for a claim.
type WitnessInput struct {
	DomainInput
	Witness json.RawMessage `json:"witness" doc:"in the shape of the domain's candidates"`
}

// Validate refuses what the domain refuses.
func (in *WitnessInput) Validate() error { return in.DomainInput.Validate() }

var _ = capabilities.Define(pack, capabilities.Definition[WitnessInput, capabilities.VerdictOutput]{
	ID: "witness.verify", Kind: capabilities.KindVerification,
	Title:       "have a witness checked by an independent program",
	Description: "Gives the claim of an instance and a witness to the checker reference.witness. Accepted, it makes a record that a witness exists for exactly this instance; rejected, it says nothing about others.",
	Source:      referenceSource, Tags: []string{"verification", "witness", "reference"},
	Needs:      []string{"verify a witness", "check a solution independently", "get a record for a solution that was found", "replay a witness"},
	Aliases:    []string{"check witness", "check solution"},
	InputKinds: []string{"witness"},
	Emits:      []string{"reference.witness"}, CheckedBy: []string{"reference.witness"},
	Examples: []capabilities.Example{
		{Name: "4/5", Input: `{"domain":"erdos-straus","instance":{"n":"5"},"witness":{"x":"2","y":"4","z":"20"}}`, Output: `{"accepted":true,"method":"evaluated the witness","coverage":"the witness shows that one exists","reason":""}`},
		{Name: "wrong", Input: `{"domain":"erdos-straus","instance":{"n":"5"},"witness":{"x":"2","y":"4","z":"21"}}`, Output: `{"accepted":false,"method":"","coverage":"","reason":"1/x + 1/y + 1/z is not 4/n"}`},
	},
	Submit: func(in WitnessInput) (capabilities.Submission, error) {
		v, err := jcs.Parse(in.Witness)
		if err != nil {
			return capabilities.Submission{}, jcs.In("witness", err)
		}
		candidate := jcs.NewObject(jcs.Member{Name: "witness", Value: v})
		return capabilities.Submission{Claim: in.claim(), Candidate: candidate.Append(nil), Format: "reference.witness"}, nil
	},
})
