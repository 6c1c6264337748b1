// Package solve decides formulas in conjunctive normal form and gives the evidence for either answer.
//
// A model is evaluated on every clause before it is returned. An unsatisfiable answer comes with a
// refutation in LRAT, which any independent checker can replay; [Solve] never says "unsatisfiable"
// without one. Other packs encode their questions as a formula and call [Solve].
package solve

import (
	"context"
	"errors"
	"fmt"

	"github.com/jacobian-ledger/jacobian/capabilities/packs/sat/internal/cdcl"
	"github.com/jacobian-ledger/jacobian/capabilities/packs/sat/internal/lratlog"
	"github.com/jacobian-ledger/jacobian/capabilities/values"
)

// MaxProofNumbers bounds the literals and hints that are kept during a search, 4 bytes each.
const MaxProofNumbers = 64_000_000

// ErrProofTooLarge says that the search was given up because its refutation outgrew the bound: the
// formula was not decided.
var ErrProofTooLarge = errors.New("sat: the refutation outgrew the memory bound, the formula is undecided")

// Result is an answer with its evidence.
type Result struct {
	Satisfiable bool
	Model       []bool // Model[v-1] is the value of variable v; nil if unsatisfiable
	LRAT        []byte // text, ends with the empty clause; nil if satisfiable
	Core        []int  // clauses, from 0, that the refutation rests on; nil if satisfiable
	Stats       Stats
}

// Stats counts the work of a search.
type Stats struct {
	Conflicts    int64
	Decisions    int64
	Propagations int64
	Restarts     int64
	Learnt       int64
}

// Solve decides f. It returns soon after ctx ends, with the error of ctx and with the work done in
// Result.Stats; an error always means that the formula was not decided. Equal formulas give equal
// results. Time is exponential in the worst case.
func Solve(ctx context.Context, f values.CNF) (Result, error) {
	if err := f.Validate(); err != nil {
		return Result{}, err
	}
	log := lratlog.New(len(f.Clauses), MaxProofNumbers)
	s := cdcl.New(f.MaxVariable(), f.Clauses, log)
	sat, model, err := s.Solve(ctx)
	r := Result{Satisfiable: sat, Stats: Stats(s.Stats)}
	switch {
	case errors.Is(err, lratlog.ErrTooLarge):
		return r, ErrProofTooLarge
	case err != nil:
		return r, err
	case sat:
		r.Model = append(model, make([]bool, f.Variables-len(model))...)
		if ok, clause := f.Satisfied(r.Model); !ok {
			return Result{}, fmt.Errorf("sat: the search gave an assignment that falsifies clause %d", clause+1)
		}
		return r, nil
	}
	if r.LRAT = log.Text(); r.LRAT == nil {
		return Result{}, errors.New("sat: the search found no model and derived no empty clause")
	}
	r.Core = log.Core()
	return r, nil
}
