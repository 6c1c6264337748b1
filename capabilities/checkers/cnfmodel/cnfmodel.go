// Package cnfmodel decides that a formula in conjunctive normal form is satisfiable, by looking at the
// assignment that is offered.
//
// The claim has semantics sat/1 and predicate sat.satisfiable, with arguments {"cnf": formula}. The
// format sat.assignment has an empty certificate: the candidate {"satisfiable": true, "model": [1,-2,3]}
// is its own witness. The model is a list of literals that are to be true, each variable at most once,
// in any order. It may leave variables out: every clause must contain a literal of the list, so every
// completion is a model. Time and memory are linear.
package cnfmodel

import (
	"context"
	"fmt"

	"github.com/jacobian-ledger/jacobian/capabilities/checkers"
	"github.com/jacobian-ledger/jacobian/capabilities/values"
	"github.com/jacobian-ledger/jacobian/events"
)

// What the checker decides.
const (
	Semantics = "sat/1"
	Predicate = "sat.satisfiable"
	Format    = "sat.assignment"
)

type args struct {
	CNF values.CNF `json:"cnf"`
}

type candidate struct {
	Satisfiable bool  `json:"satisfiable"`
	Model       []int `json:"model"`
}

// Checker returns the checker sat.model.
func Checker() checkers.Checker {
	return checkers.Checker{
		ID: "sat.model", Version: 1, Class: "go-cnf-evaluation",
		Semantics: []string{Semantics}, Predicates: []string{Predicate}, Formats: []string{Format},
		Check: check,
	}
}

func check(_ context.Context, ev checkers.Evidence) (checkers.Verdict, error) {
	if ev.Claim.Semantics != Semantics || ev.Claim.Predicate != Predicate || ev.Format != Format {
		return checkers.Reject("expected predicate %s of %s with format %s", Predicate, Semantics, Format), nil
	}
	var a args
	if err := checkers.DecodeArgs(ev.Claim, &a); err != nil {
		return checkers.Reject("claim: %v", err), nil
	}
	var c candidate
	if err := ev.DecodeCandidate(&c); err != nil {
		return checkers.Reject("candidate: %v", err), nil
	}
	switch {
	case !c.Satisfiable:
		return checkers.Reject("an assignment cannot show that a formula is unsatisfiable"), nil
	case len(ev.Certificate) != 0:
		return checkers.Reject("the candidate is its own witness: expected an empty certificate, found %d bytes", len(ev.Certificate)), nil
	}
	if err := Evaluate(a.CNF, c.Model); err != nil {
		return checkers.Reject("%v", err), nil
	}
	return checkers.Accept(events.True, "evaluated every clause under the assignment", fmt.Sprintf("all %d clauses", len(a.CNF.Clauses))), nil
}

// Evaluate returns nil if the literals in model are consistent and every clause of f contains one of
// them. The error names the first clause, from 1, that does not, or the literal that is wrong.
func Evaluate(f values.CNF, model []int) error {
	if len(model) > f.Variables {
		return fmt.Errorf("model: expected at most %d literals, found %d", f.Variables, len(model))
	}
	value := make([]int8, f.Variables+1)
	for i, l := range model {
		v, sign := l, int8(1)
		if l < 0 {
			v, sign = -l, -1
		}
		if v < 1 || v > f.Variables {
			return fmt.Errorf("model: literal %d at position %d is not ±1 to ±%d", l, i, f.Variables)
		}
		if value[v] != 0 {
			return fmt.Errorf("model: variable %d is given twice", v)
		}
		value[v] = sign
	}
	for i, c := range f.Clauses {
		holds := false
		for _, l := range c {
			holds = holds || l > 0 && value[l] == 1 || l < 0 && value[-l] == -1
		}
		if !holds {
			return fmt.Errorf("clause %d %v has no true literal", i+1, c)
		}
	}
	return nil
}
