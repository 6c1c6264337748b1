// Package factorization decides claims of the semantics integer.factorization/1: "the candidate is the
// factorization of n into primes", predicate integer.prime_factorization, arguments {"n": integer ≠ 0}.
//
// The candidate is {"sign": 1 or −1, "factors": [{"prime", "exponent"}]} with primes strictly ascending
// and exponents from 1; sign times the powers must multiply to n, and each prime must be prime, so that it
// is the only factorization. Certificate format "factorization": {"steps": [...]}, Pratt steps as in the
// package pratt, that prove each prime at or above 1,000,000; smaller ones are decided by trial division.
// Factors are few and are divided out of n one by one. Source: V. Pratt, Every prime has a succinct
// certificate, SIAM Journal on Computing 4 (1975).
package factorization

import (
	"context"
	"fmt"

	"github.com/jacobian-ledger/jacobian/capabilities/checkers"
	"github.com/jacobian-ledger/jacobian/capabilities/checkers/pratt"
	"github.com/jacobian-ledger/jacobian/capabilities/values"
	"github.com/jacobian-ledger/jacobian/events"
	"github.com/jacobian-ledger/jacobian/events/jcs"
)

// Semantics, Predicate and Format are those that the checker decides.
const (
	Semantics = "integer.factorization/1"
	Predicate = "integer.prime_factorization"
	Format    = "factorization"

	maxBits = 16_384
)

type args struct {
	N values.Int `json:"n"`
}

type candidate struct {
	Sign    int           `json:"sign"`
	Factors []pratt.Power `json:"factors"`
}

type certificate struct {
	Steps []pratt.Step `json:"steps"`
}

// Checker returns the checker integer.factorization.
func Checker() checkers.Checker {
	return checkers.Checker{
		ID: "integer.factorization", Version: 1, Class: "go-bignum", Semantics: []string{Semantics},
		Predicates: []string{Predicate}, Formats: []string{Format}, Check: check,
	}
}

func check(ctx context.Context, ev checkers.Evidence) (checkers.Verdict, error) {
	var in args
	var out candidate
	var cert certificate
	if ev.Claim.Semantics != Semantics || ev.Claim.Predicate != Predicate {
		return checkers.Reject("expected a claim %s of %s, found %q of %q", Predicate, Semantics, ev.Claim.Predicate, ev.Claim.Semantics), nil
	}
	if err := checkers.DecodeArgs(ev.Claim, &in); err != nil {
		return checkers.Reject("claim: %v", err), nil
	}
	if err := ev.DecodeCandidate(&out); err != nil {
		return checkers.Reject("candidate: %v", err), nil
	}
	if err := jcs.Decode(ev.Certificate, &cert); err != nil {
		return checkers.Reject("certificate: %v", err), nil
	}
	n := in.N.Big()
	switch {
	case n.BitLen() > maxBits:
		return checkers.Reject("n has %d bits, at most %d are read", n.BitLen(), maxBits), nil
	case n.Sign() == 0:
		return checkers.Reject("0 has no factorization"), nil
	case out.Sign != n.Sign():
		return checkers.Reject("sign %d, n has sign %d", out.Sign, n.Sign()), nil
	}
	if err := pratt.Product(n.Abs(n), out.Factors); err != nil {
		return checkers.Reject("candidate: %v", err), nil
	}
	proved, err := pratt.Replay(ctx, cert.Steps)
	if ctx.Err() != nil {
		return checkers.Verdict{}, ctx.Err()
	}
	if err != nil {
		return checkers.Reject("certificate: %v", err), nil
	}
	for _, f := range out.Factors {
		if !proved.Prime(f.Prime.Big()) {
			return checkers.Reject("the factor %s is not proved prime", f.Prime), nil
		}
	}
	return checkers.Accept(events.True, "factors multiplied; each proved prime by Pratt steps or trial division",
		fmt.Sprintf("the complete factorization of n, %d distinct primes", len(out.Factors))), nil
}
