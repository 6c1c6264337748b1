package sat

import (
	"context"

	"github.com/jacobian-ledger/jacobian/capabilities"
)

// Refutation is a decision with the size of the proof.
type Refutation struct {
	Decision
	ProofBytes int `json:"proof_bytes,omitempty" doc:"size of the LRAT proof, which is the certificate of the result; absent if satisfiable"`
}

var _ = capabilities.Define(pack, capabilities.Definition[CNFInput, Decision]{
	ID:          "sat.model.find",
	Title:       "decide whether a propositional formula is satisfiable, with a model",
	Description: "Finds an assignment that makes every clause of a formula in conjunctive normal form true, or shows by an LRAT refutation that there is none. Conflict-driven clause learning, without randomness: equal formulas give equal answers. Exponential in the worst case.",
	Source:      source,
	Kind:        capabilities.KindCertified,
	Tags:        []string{"satisfiability", "boolean", "logic"},
	Needs: []string{
		"is this propositional formula satisfiable", "find a satisfying assignment of a CNF", "solve a boolean satisfiability problem",
		"SAT solver", "decide whether boolean constraints can be met at once",
	},
	Aliases:    []string{"SAT", "satisfying assignment", "boolean satisfiability"},
	InputKinds: []string{"cnf"},
	Claimed:    capabilities.Heuristic, // until a checker has decided
	Heavy:      true,
	Claim:      claimOf,
	Emits:      []string{formatAssignment, formatLRAT},
	CheckedBy:  []string{"sat.model", "sat.lrat"},
	Examples: []capabilities.Example{
		{Name: "forced", Input: `{"cnf":{"variables":3,"clauses":[[1,2],[-1,3],[-2,3],[-1]]}}`, Output: `{"satisfiable":true,"model":[-1,2,3]}`},
		{Name: "all four clauses", Input: `{"cnf":{"variables":2,"clauses":[[1,2],[-1,2],[1,-2],[-1,-2]]}}`, Output: `{"satisfiable":false,"model":[]}`},
		{Name: "empty formula", Input: `{"cnf":{"variables":0,"clauses":[]}}`, Output: `{"satisfiable":true,"model":[]}`},
	},
	Run: func(ctx context.Context, env *capabilities.Env, in CNFInput) (capabilities.Outcome[Decision], error) {
		r, out, err := run[Decision](ctx, env, in.CNF)
		if err != nil {
			return out, err
		}
		out.Output = Decision{r.Satisfiable, literals(r.Model)}
		out.Conclusion = capabilities.Truth(r.Satisfiable)
		out.Evidence = &capabilities.Evidence{Format: formatAssignment}
		if !r.Satisfiable {
			out.Evidence = &capabilities.Evidence{Format: formatLRAT, Data: r.LRAT}
		}
		return out, nil
	},
})

var _ = capabilities.Define(pack, capabilities.Definition[CNFInput, Refutation]{
	ID:          "sat.unsat_proof.find",
	Title:       "refute a propositional formula, with an LRAT proof",
	Description: "Shows that no assignment makes every clause of a formula in conjunctive normal form true, by a refutation in LRAT trimmed to what the empty clause rests on; or gives a model. The proof is the certificate of the result. Exponential in the worst case.",
	Source:      "Cruz-Filipe, Heule, Hunt, Kaufmann and Schneider-Kamp, Efficient Certified RAT Verification, CADE 2017",
	Kind:        capabilities.KindCertified,
	Tags:        []string{"satisfiability", "proof", "logic"},
	Needs: []string{
		"prove that a CNF is unsatisfiable", "refutation of a propositional formula", "LRAT or DRAT proof of unsatisfiability",
		"certificate that no assignment satisfies the clauses", "show that boolean constraints contradict each other", "show that a graph cannot be coloured, from its clauses",
	},
	Aliases:    []string{"UNSAT", "unsatisfiability proof", "LRAT"},
	InputKinds: []string{"cnf"},
	Claimed:    capabilities.Heuristic, // until a checker has decided
	Heavy:      true,
	Claim:      claimOf,
	Emits:      []string{formatLRAT, formatAssignment},
	CheckedBy:  []string{"sat.lrat", "sat.model"},
	Examples: []capabilities.Example{
		{Name: "opposite units", Input: `{"cnf":{"variables":3,"clauses":[[1],[-1],[2,3]]}}`, Output: `{"satisfiable":false,"model":[],"proof_bytes":10}`},
		{Name: "three pigeons, two holes", Input: `{"cnf":{"variables":6,"clauses":[[1,2],[3,4],[5,6],[-1,-3],[-1,-5],[-3,-5],[-2,-4],[-2,-6],[-4,-6]]}}`, Output: ``},
		{Name: "satisfiable after all", Input: `{"cnf":{"variables":1,"clauses":[[1,1]]}}`, Output: `{"satisfiable":true,"model":[1]}`},
	},
	Run: func(ctx context.Context, env *capabilities.Env, in CNFInput) (capabilities.Outcome[Refutation], error) {
		r, out, err := run[Refutation](ctx, env, in.CNF)
		if err != nil {
			return out, err
		}
		out.Output = Refutation{Decision{r.Satisfiable, literals(r.Model)}, len(r.LRAT)}
		out.Conclusion = capabilities.Truth(r.Satisfiable)
		out.Evidence = &capabilities.Evidence{Format: formatAssignment}
		if !r.Satisfiable {
			out.Evidence = &capabilities.Evidence{Format: formatLRAT, Data: r.LRAT}
		}
		return out, nil
	},
})
