package drat

import (
	"context"
	"errors"
	"fmt"

	"github.com/jacobian-ledger/jacobian/capabilities/checkers"
	"github.com/jacobian-ledger/jacobian/capabilities/values"
	"github.com/jacobian-ledger/jacobian/events"
)

// What [Checker] decides: the claim {"cnf": formula} of the predicate, to be false, for the candidate
// {"satisfiable": false, "model": []}. The format says how the proof is written and what its deletions
// mean, so that a record of an accepted proof names both.
const (
	Semantics           = "sat/1"
	Predicate           = "sat.satisfiable"
	FormatText          = "drat"
	FormatBinary        = "drat-binary"
	FormatTextRelaxed   = "drat-unit-deletions-ignored"
	FormatBinaryRelaxed = "drat-binary-unit-deletions-ignored"
)

// Format is the name of a reading.
func (o Options) Format() string {
	switch {
	case o.Deletion == UnitDeletionsIgnored && o.Binary:
		return FormatBinaryRelaxed
	case o.Deletion == UnitDeletionsIgnored:
		return FormatTextRelaxed
	case o.Binary:
		return FormatBinary
	}
	return FormatText
}

// OptionsOf is the reading that a format names.
func OptionsOf(format string) (Options, bool) {
	for _, o := range []Options{{false, Strict}, {true, Strict}, {false, UnitDeletionsIgnored}, {true, UnitDeletionsIgnored}} {
		if o.Format() == format {
			return o, true
		}
	}
	return Options{}, false
}

type args struct {
	CNF values.CNF `json:"cnf"`
}

type candidate struct {
	Satisfiable bool  `json:"satisfiable"`
	Model       []int `json:"model"`
}

// Checker returns the checker sat.drat.
func Checker() checkers.Checker {
	return checkers.Checker{
		ID: "sat.drat", Version: 1, Class: "go-drat",
		Semantics: []string{Semantics}, Predicates: []string{Predicate},
		Formats: []string{FormatText, FormatBinary, FormatTextRelaxed, FormatBinaryRelaxed},
		Check:   decide,
	}
}

func decide(ctx context.Context, ev checkers.Evidence) (checkers.Verdict, error) {
	o, ok := OptionsOf(ev.Format)
	if ev.Claim.Semantics != Semantics || ev.Claim.Predicate != Predicate || !ok {
		return checkers.Reject("expected predicate %s of %s with a format of DRAT", Predicate, Semantics), nil
	}
	var a args
	if err := checkers.DecodeArgs(ev.Claim, &a); err != nil {
		return checkers.Reject("claim: %v", err), nil
	}
	var c candidate
	if err := ev.DecodeCandidate(&c); err != nil {
		return checkers.Reject("candidate: %v", err), nil
	}
	if c.Satisfiable || len(c.Model) != 0 {
		return checkers.Reject("a refutation cannot show that a formula is satisfiable"), nil
	}
	stats, err := Check(ctx, a.CNF, ev.Certificate, o)
	var r *Rejection
	switch {
	case errors.As(err, &r):
		return checkers.Reject("%v", r), nil
	case err != nil:
		return checkers.Verdict{}, err
	}
	method := "replayed the DRAT proof forwards, every deletion as written"
	if stats.Deletion == UnitDeletionsIgnored {
		method = "replayed the DRAT proof forwards, deletions of unit and of absent clauses ignored"
	}
	coverage := fmt.Sprintf("%d clauses of the formula, %d added (%d by RAT), %d deleted, %d deletions ignored",
		len(a.CNF.Clauses), stats.Added, stats.RAT, stats.Deleted, stats.IgnoredDeletions)
	if stats.Trailing > 0 {
		coverage += fmt.Sprintf("; %d bytes after the empty clause not read", stats.Trailing)
	}
	return checkers.Accept(events.False, method, coverage), nil
}
