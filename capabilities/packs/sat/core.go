package sat

import (
	"context"
	"fmt"
	"slices"
	"strconv"

	"github.com/jacobian-ledger/jacobian/capabilities"
	"github.com/jacobian-ledger/jacobian/capabilities/packs/sat/solve"
	"github.com/jacobian-ledger/jacobian/capabilities/values"
	"github.com/jacobian-ledger/jacobian/events"
)

// MUSOutput is a minimal unsatisfiable subset.
type MUSOutput struct {
	Clauses []int      `json:"clauses" doc:"numbers of the clauses of the subset, from 1, in order"`
	CNF     values.CNF `json:"cnf" doc:"the subset as a formula over the same variables"`
}

// BackboneOutput is the literals common to all models.
type BackboneOutput struct {
	Backbone []int `json:"backbone" doc:"literals that are true in every model, by variable"`
}

const satisfiabilityCalls = 20_000

var _ = capabilities.Define(pack, capabilities.Definition[CNFInput, MUSOutput]{
	ID:          "sat.mus.find",
	Title:       "minimal unsatisfiable subset of clauses",
	Description: "Finds clauses that contradict each other such that without any one of them the others are satisfiable. One such subset among possibly many, not the smallest: clauses are tried for deletion in order, and each refutation cuts the rest down to what it rests on.",
	Source:      "J. Marques-Silva, Minimal Unsatisfiability: Models, Algorithms and Applications, ISMVL 2010",
	Tags:        []string{"satisfiability", "core", "explanation"},
	Needs: []string{
		"minimal unsatisfiable core", "which clauses contradict each other", "why is this formula unsatisfiable", "smallest set of conflicting constraints",
	},
	Aliases:    []string{"MUS", "unsat core", "minimal core"},
	InputKinds: []string{"cnf"},
	Claimed:    capabilities.Computed,
	Heavy:      true,
	Limits:     []events.Limit{{Name: "clauses of the first core", Value: strconv.Itoa(satisfiabilityCalls)}},
	Examples: []capabilities.Example{
		{Name: "example 4", Input: `{"cnf":{"variables":3,"clauses":[[1],[-1],[2,3]]}}`, Output: `{"clauses":[1,2],"cnf":{"variables":3,"clauses":[[1],[-1]]}}`},
	},
	Run: func(ctx context.Context, env *capabilities.Env, in CNFInput) (capabilities.Outcome[MUSOutput], error) {
		r, out, err := run[MUSOutput](ctx, env, in.CNF)
		if err != nil {
			return out, err
		}
		if r.Satisfiable {
			return out, capabilities.NotApplicable("/cnf", "an unsatisfiable formula", "a satisfiable one", "sat.model.find gives a model")
		}
		if len(r.Core) > satisfiabilityCalls {
			return out, capabilities.Exceeds("/cnf/clauses", "clauses of the first core", fmt.Sprint(satisfiabilityCalls), fmt.Sprint(len(r.Core)), "use a smaller formula")
		}
		core, err := minimal(ctx, env, in.CNF, r.Core)
		if err != nil {
			out.Scope = &events.Scope{Description: "no minimal subset was reached in time", Parameters: []events.Param{}}
			return out, err
		}
		out.Output = MUSOutput{[]int{}, part(in.CNF, core)}
		for _, i := range core {
			out.Output.Clauses = append(out.Output.Clauses, i+1)
		}
		return out, nil
	},
})

func part(f values.CNF, clauses []int) values.CNF {
	g := values.CNF{Variables: f.Variables, Clauses: make([][]int, len(clauses))}
	for i, k := range clauses {
		g.Clauses[i] = f.Clauses[k]
	}
	return g
}

// minimal reduces an unsatisfiable set of clause numbers. Those before position done are needed.
func minimal(ctx context.Context, env *capabilities.Env, f values.CNF, core []int) ([]int, error) {
	for done := 0; done < len(core); {
		env.Report(capabilities.Progress{Stage: "minimising", Message: fmt.Sprintf("%d of %d clauses are needed", done, len(core))})
		rest := slices.Concat(core[:done], core[done+1:])
		r, err := solve.Solve(ctx, part(f, rest))
		if err != nil {
			return nil, err
		}
		if r.Satisfiable {
			done++
			continue
		}
		// Every needed clause is needed in each unsatisfiable subset, so they are in the new core, and
		// as the core is in order they are still in front.
		next := make([]int, len(r.Core))
		for i, k := range r.Core {
			next[i] = rest[k]
		}
		core = next
	}
	return core, nil
}

var _ = capabilities.Define(pack, capabilities.Definition[CNFInput, BackboneOutput]{
	ID:          "sat.backbone.compute",
	Title:       "literals that are true in every model",
	Description: "The backbone of a satisfiable formula: the literals that every satisfying assignment makes true, each shown by a refutation of the formula with its negation. One satisfiability call for each candidate, and each model found removes candidates.",
	Source:      "Janota, Lynce and Marques-Silva, Algorithms for computing backbones of propositional formulae, AI Communications 28 (2015)",
	Tags:        []string{"satisfiability", "backbone", "boolean"},
	Needs:       []string{"which variables are forced", "backbone of a CNF", "literals implied by a formula", "values common to all solutions"},
	Aliases:     []string{"backbone", "frozen variables", "implied literals"},
	InputKinds:  []string{"cnf"},
	Claimed:     capabilities.Computed,
	Heavy:       true,
	Limits:      []events.Limit{{Name: "variables that occur", Value: strconv.Itoa(satisfiabilityCalls)}},
	Examples: []capabilities.Example{
		{Name: "one forced", Input: `{"cnf":{"variables":3,"clauses":[[1,2],[1,-2],[-1,3,2]]}}`, Output: `{"backbone":[1]}`},
		{Name: "none", Input: `{"cnf":{"variables":2,"clauses":[[1,2]]}}`, Output: `{"backbone":[]}`},
	},
	Preflight: func(in CNFInput) error {
		if n := in.CNF.MaxVariable(); n > satisfiabilityCalls {
			return capabilities.Exceeds("/cnf/variables", "variables that occur", fmt.Sprint(satisfiabilityCalls), fmt.Sprint(n), "ask for the literals of interest with sat.model.find")
		}
		return nil
	},
	Run: func(ctx context.Context, env *capabilities.Env, in CNFInput) (capabilities.Outcome[BackboneOutput], error) {
		r, out, err := run[BackboneOutput](ctx, env, in.CNF)
		if err != nil {
			return out, err
		}
		if !r.Satisfiable {
			return out, capabilities.NotApplicable("/cnf", "a satisfiable formula", "an unsatisfiable one", "sat.mus.find gives the clauses that contradict each other")
		}
		out.Output.Backbone, err = backbone(ctx, env, in.CNF, r.Model)
		if err != nil {
			out.Scope = &events.Scope{Description: "not every candidate was decided", Parameters: []events.Param{}}
		}
		return out, err
	},
})

func backbone(ctx context.Context, env *capabilities.Env, f values.CNF, model []bool) ([]int, error) {
	candidates := literals(model)[:f.MaxVariable()]
	found := []int{}
	g := values.CNF{Variables: f.Variables, Clauses: append(slices.Clone(f.Clauses), nil)}
	for _, l := range candidates {
		v := max(l, -l) - 1
		if l == 0 || model[v] != (l > 0) {
			continue // another model differs
		}
		env.Report(capabilities.Progress{Stage: "solving", Message: fmt.Sprintf("literal %d, %d found", l, len(found))})
		g.Clauses[len(f.Clauses)] = []int{-l}
		r, err := solve.Solve(ctx, g)
		if err != nil {
			return []int{}, err
		}
		if !r.Satisfiable {
			found = append(found, l)
			continue
		}
		for i, b := range r.Model[:len(candidates)] {
			if b != (candidates[i] > 0) {
				candidates[i] = 0
			}
		}
	}
	return found, nil
}
