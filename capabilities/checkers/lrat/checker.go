package lrat

import (
	"context"
	"errors"
	"fmt"

	"github.com/jacobian-ledger/jacobian/capabilities/checkers"
	"github.com/jacobian-ledger/jacobian/capabilities/values"
	"github.com/jacobian-ledger/jacobian/events"
)

// What [Checker] decides: the claim {"cnf": formula} of the predicate, to be false, for the candidate
// {"satisfiable": false, "model": []}; its member proof_bytes, if present, is the length of the proof.
const (
	Semantics = "sat/1"
	Predicate = "sat.satisfiable"
	Format    = "lrat"
)

type args struct {
	CNF values.CNF `json:"cnf"`
}

type candidate struct {
	Satisfiable bool  `json:"satisfiable"`
	Model       []int `json:"model"`
	ProofBytes  int   `json:"proof_bytes,omitempty"`
}

// Checker returns the checker sat.lrat.
func Checker() checkers.Checker {
	return checkers.Checker{
		ID: "sat.lrat", Version: 1, Class: "go-lrat",
		Semantics: []string{Semantics}, Predicates: []string{Predicate}, Formats: []string{Format},
		Check: decide,
	}
}

func decide(ctx context.Context, ev checkers.Evidence) (checkers.Verdict, error) {
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
	case c.Satisfiable || len(c.Model) != 0:
		return checkers.Reject("a refutation cannot show that a formula is satisfiable"), nil
	case c.ProofBytes != 0 && c.ProofBytes != len(ev.Certificate):
		return checkers.Reject("proof_bytes is %d, the proof has %d", c.ProofBytes, len(ev.Certificate)), nil
	}
	stats, err := CheckContext(ctx, a.CNF, ev.Certificate)
	var r *Rejection
	switch {
	case errors.As(err, &r):
		return checkers.Reject("%v", r), nil
	case err != nil:
		return checkers.Verdict{}, err
	}
	coverage := fmt.Sprintf("%d clauses of the formula, %d added (%d by RAT), %d hints", len(a.CNF.Clauses), stats.Added, stats.RAT, stats.Hints)
	if stats.Trailing > 0 {
		coverage += fmt.Sprintf("; %d bytes after the empty clause not read", stats.Trailing)
	}
	return checkers.Accept(events.False, "replayed every step of the LRAT proof with its hints in strict order", coverage), nil
}
