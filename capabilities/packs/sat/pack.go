// Package sat holds the operations on propositional formulas in conjunctive normal form.
//
// Satisfiability is decided by the solver of packs/sat/solve, which gives a model or an LRAT refutation;
// the checkers of checkers/cnfmodel, checkers/lrat and checkers/drat decide about either. The solver is
// our own because the pure-Go solver at hand, gophersat 1.4, was measured and found wanting: where it
// searches, its certificates are RUP (224 of 224), but where its simplification decides, they lack the
// empty clause (79 formulas); it cannot be interrupted; and on random 3-SAT with 2,000 variables it ends
// in a panic. It stays as an opponent in the tests, where solve.Elaborate turns its certificates to LRAT.
package sat

import (
	"context"
	"errors"
	"fmt"
	"strconv"

	"github.com/jacobian-ledger/jacobian/capabilities"
	"github.com/jacobian-ledger/jacobian/capabilities/packs/sat/solve"
	"github.com/jacobian-ledger/jacobian/capabilities/values"
	"github.com/jacobian-ledger/jacobian/events"
)

var pack = capabilities.NewPack("sat")

// Pack returns the operations of this domain.
func Pack() *capabilities.Pack { return pack }

const (
	semantics = "sat/1"
	predicate = "sat.satisfiable"

	formatAssignment = "sat.assignment"
	formatLRAT       = "lrat"

	source = "S. Cook, The complexity of theorem-proving procedures, STOC 1971; Biere, Heule, van Maaren and Walsh, Handbook of Satisfiability, 2021"
)

// CNFInput is one formula.
type CNFInput struct {
	CNF values.CNF `json:"cnf" doc:"formula in conjunctive normal form, as sat.cnf.materialize makes it from DIMACS"`
}

// Decision is the answer to whether a formula is satisfiable.
type Decision struct {
	Satisfiable bool  `json:"satisfiable" doc:"whether an assignment makes every clause true"`
	Model       []int `json:"model" doc:"one literal for each variable, in order: v if it is true, -v if false; empty if unsatisfiable"`
}

// claimOf is the claim that the formula is satisfiable.
func claimOf(in CNFInput) events.Claim { return satisfiable(in.CNF) }

func satisfiable(f values.CNF) events.Claim {
	return capabilities.NewClaim(semantics, predicate, CNFInput{f})
}

// literals writes a model as signed literals.
func literals(model []bool) []int {
	out := make([]int, len(model))
	for i, b := range model {
		if out[i] = i + 1; !b {
			out[i] = -i - 1
		}
	}
	return out
}

// effort is the scope of a search that ended early, or the note about one that did not.
func effort(s solve.Stats) *events.Scope {
	n := func(name string, v int64) events.Param {
		return events.Param{Name: name, Value: strconv.FormatInt(v, 10)}
	}
	return &events.Scope{
		Description: "clause learning was given up; nothing is known about the formula",
		Parameters:  []events.Param{n("conflicts", s.Conflicts), n("decisions", s.Decisions), n("propagations", s.Propagations)},
	}
}

// run solves, and turns the end of the budget into an outcome that says what was done.
func run[Out any](ctx context.Context, env *capabilities.Env, f values.CNF) (solve.Result, capabilities.Outcome[Out], error) {
	env.Report(capabilities.Progress{Stage: "solving", Message: fmt.Sprintf("%d variables, %d clauses", f.Variables, len(f.Clauses))})
	r, err := solve.Solve(ctx, f)
	var out capabilities.Outcome[Out]
	if err != nil {
		out.Scope, out.Conclusion = effort(r.Stats), events.Unknown
		if errors.Is(err, solve.ErrProofTooLarge) {
			err = &capabilities.Error{
				Code: events.CodeBudgetExceeded, Path: "/cnf", Message: err.Error(), Expected: "a refutation within the bound",
				Actual: fmt.Sprintf("undecided after %d conflicts", r.Stats.Conflicts), Hint: "split the formula on a variable and decide the parts",
			}
		}
		return r, out, err
	}
	out.Notes = []string{fmt.Sprintf("%d conflicts, %d decisions", r.Stats.Conflicts, r.Stats.Decisions)}
	return r, out, nil
}
