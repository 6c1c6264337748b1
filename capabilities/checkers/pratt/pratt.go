// Package pratt decides claims of the semantics integer.primality/1: "n is prime", predicate
// integer.prime, arguments {"n": integer}.
//
// Two certificate formats are read, both canonical JSON.
//
// Format "pratt" proves that n is prime: {"steps": [{"prime", "witness", "factors": [{"prime",
// "exponent"}]}]}. A step proves that its prime p is prime if the primes of its factors are: their powers
// multiply to p − 1, the witness a satisfies a^(p−1) = 1 modulo p, and a^((p−1)/q) ≠ 1 modulo p for each
// prime q of the factors. Then a has order p − 1, so the group of residues prime to p has at least
// p − 1 elements, and p is prime. Each q is proved by an earlier step or is below 1,000,000 and is then
// decided here by trial division. The last step is for n. Source: V. Pratt, Every prime has a succinct
// certificate, SIAM Journal on Computing 4 (1975) 214–220.
//
// Format "compositeness" proves that n is not prime, by exactly one member of {"factor", "witness",
// "below_two"}: a divisor d with 1 < d < n; or a base a with 2 ≤ a ≤ n − 2 for which n = 2^s·m + 1 fails
// the strong test, that is a^m ≠ 1 and a^(2^r·m) ≠ −1 for 0 ≤ r < s, which no odd prime does
// (M. Rabin, Journal of Number Theory 12 (1980), theorem 1); or "below_two": true for n < 2.
//
// The candidate is the output of the deciding operation: {"status": "PRIME", "COMPOSITE" or "BELOW_TWO",
// "factor": a proper divisor, optional}.
package pratt

import (
	"context"
	"fmt"
	"math/big"

	"github.com/jacobian-ledger/jacobian/capabilities/checkers"
	"github.com/jacobian-ledger/jacobian/capabilities/values"
	"github.com/jacobian-ledger/jacobian/events"
	"github.com/jacobian-ledger/jacobian/events/jcs"
)

const (
	// Semantics, Predicate and the formats are those that the checker decides.
	Semantics           = "integer.primality/1"
	Predicate           = "integer.prime"
	FormatPratt         = "pratt"
	FormatCompositeness = "compositeness"

	assumed  = 1_000_000 // below it primality is decided by trial division
	maxBits  = 16_384    // of n and of any number of a step
	maxSteps = 4_096
)

// Step is one line of a Pratt certificate.
type Step struct {
	Prime   values.Int `json:"prime"`
	Witness values.Int `json:"witness"`
	Factors []Power    `json:"factors"`
}

// Power is a prime with its exponent.
type Power struct {
	Prime    values.Int `json:"prime"`
	Exponent int        `json:"exponent"`
}

type proof struct {
	Steps []Step `json:"steps"`
}

type refutation struct {
	Factor   *values.Int `json:"factor,omitempty"`
	Witness  *values.Int `json:"witness,omitempty"`
	BelowTwo bool        `json:"below_two,omitempty"`
}

type args struct {
	N values.Int `json:"n"`
}

type candidate struct {
	Status string      `json:"status"`
	Factor *values.Int `json:"factor,omitempty"`
}

// Checker returns the checker integer.pratt.
func Checker() checkers.Checker {
	return checkers.Checker{
		ID: "integer.pratt", Version: 1, Class: "go-bignum", Semantics: []string{Semantics},
		Predicates: []string{Predicate}, Formats: []string{FormatPratt, FormatCompositeness}, Check: check,
	}
}

func check(ctx context.Context, ev checkers.Evidence) (checkers.Verdict, error) {
	var in args
	var out candidate
	switch {
	case ev.Claim.Semantics != Semantics || ev.Claim.Predicate != Predicate:
		return checkers.Reject("expected a claim %s of %s, found %q of %q", Predicate, Semantics, ev.Claim.Predicate, ev.Claim.Semantics), nil
	case checkers.DecodeArgs(ev.Claim, &in) != nil:
		return checkers.Reject("claim: %v", checkers.DecodeArgs(ev.Claim, &in)), nil
	case ev.DecodeCandidate(&out) != nil:
		return checkers.Reject("candidate: %v", ev.DecodeCandidate(&out)), nil
	case in.N.BitLen() > maxBits:
		return checkers.Reject("n has %d bits, at most %d are read", in.N.BitLen(), maxBits), nil
	}
	n := in.N.Big()
	if ev.Format == FormatPratt {
		return checkPrime(ctx, n, out, ev.Certificate)
	}
	return checkNotPrime(n, out, ev.Certificate), nil
}

func checkPrime(ctx context.Context, n *big.Int, out candidate, data []byte) (checkers.Verdict, error) {
	var p proof
	if err := jcs.Decode(data, &p); err != nil {
		return checkers.Reject("certificate: %v", err), nil
	}
	if out.Status != "PRIME" || out.Factor != nil {
		return checkers.Reject("the candidate is status %q with a factor: %v; a proof of primality needs PRIME without one", out.Status, out.Factor != nil), nil
	}
	if k := len(p.Steps); k == 0 || p.Steps[k-1].Prime.Big().Cmp(n) != 0 {
		return checkers.Reject("the last step must be for n"), nil
	}
	if _, err := Replay(ctx, p.Steps); err != nil {
		if ctx.Err() != nil {
			return checkers.Verdict{}, ctx.Err()
		}
		return checkers.Reject("%v", err), nil
	}
	return checkers.Accept(events.True, "Pratt certificate replayed", fmt.Sprintf("primality of n by %d steps; smaller primes by trial division", len(p.Steps))), nil
}

// Proved is the set of primes that replayed steps establish.
type Proved struct{ primes map[string]bool }

// Prime reports whether p is established: by a step, or below 1,000,000 by trial division.
func (s *Proved) Prime(p *big.Int) bool {
	if p.IsInt64() && p.Int64() < assumed {
		return byTrial(p.Int64())
	}
	return s.primes[p.String()]
}

func byTrial(n int64) bool {
	if n < 2 {
		return false
	}
	for d := int64(2); d*d <= n; d++ {
		if n%d == 0 {
			return false
		}
	}
	return true
}

// Replay checks each step with what the earlier ones established. The error says which step fails;
// ctx.Err() comes back as it is. Each step costs one modular power for each of its primes.
func Replay(ctx context.Context, steps []Step) (*Proved, error) {
	if len(steps) > maxSteps {
		return nil, fmt.Errorf("%d steps, at most %d are read", len(steps), maxSteps)
	}
	s := &Proved{primes: map[string]bool{}}
	for i, st := range steps {
		if err := s.replay(ctx, st); err != nil {
			if ctx.Err() != nil {
				return nil, ctx.Err()
			}
			return nil, fmt.Errorf("step %d: %w", i, err)
		}
		s.primes[st.Prime.String()] = true
	}
	return s, nil
}

var one = big.NewInt(1)

func (s *Proved) replay(ctx context.Context, st Step) error {
	p, a := st.Prime.Big(), st.Witness.Big()
	if p.Cmp(one) <= 0 || p.BitLen() > maxBits {
		return fmt.Errorf("expected a number from 2 of at most %d bits", maxBits)
	}
	if a.Sign() <= 0 || a.Cmp(p) >= 0 {
		return fmt.Errorf("the witness is not between 1 and p − 1")
	}
	less := new(big.Int).Sub(p, one)
	if err := product(less, st.Factors); err != nil {
		return err
	}
	if new(big.Int).Exp(a, less, p).Cmp(one) != 0 {
		return fmt.Errorf("witness^(p−1) is not 1 modulo p = %s: p is composite", st.Prime)
	}
	for _, f := range st.Factors {
		if ctx.Err() != nil {
			return ctx.Err()
		}
		q := f.Prime.Big()
		if !s.Prime(q) {
			return fmt.Errorf("the factor %s of p − 1 is not proved prime by an earlier step", f.Prime)
		}
		if new(big.Int).Exp(a, new(big.Int).Quo(less, q), p).Cmp(one) == 0 {
			return fmt.Errorf("witness^((p−1)/%s) is 1 modulo p = %s: its order is less than p − 1", f.Prime, st.Prime)
		}
	}
	return nil
}

// Product checks that the powers multiply to n ≥ 1, with primes strictly ascending from 2 and exponents
// from 1. It does not decide whether the bases are prime.
func Product(n *big.Int, powers []Power) error { return product(n, powers) }

func product(n *big.Int, powers []Power) error {
	rest, last, r := new(big.Int).Set(n), big.NewInt(1), new(big.Int)
	for _, f := range powers {
		q := f.Prime.Big()
		if q.Cmp(last) <= 0 {
			return fmt.Errorf("the factor %s does not ascend from 2", f.Prime)
		}
		last = q
		if f.Exponent < 1 || f.Exponent > n.BitLen() {
			return fmt.Errorf("exponent %d of %s", f.Exponent, f.Prime)
		}
		for range f.Exponent {
			if rest.QuoRem(rest, q, r); r.Sign() != 0 {
				return fmt.Errorf("%s^%d does not divide %s", f.Prime, f.Exponent, n)
			}
		}
	}
	if rest.Cmp(one) != 0 {
		return fmt.Errorf("the factors leave %s of %s", rest, n)
	}
	return nil
}

func checkNotPrime(n *big.Int, out candidate, data []byte) checkers.Verdict {
	var c refutation
	if err := jcs.Decode(data, &c); err != nil {
		return checkers.Reject("certificate: %v", err)
	}
	if members := btoi(c.Factor != nil) + btoi(c.Witness != nil) + btoi(c.BelowTwo); members != 1 {
		return checkers.Reject("certificate: expected exactly one of factor, witness, below_two; found %d", members)
	}
	if c.BelowTwo {
		if out.Status != "BELOW_TWO" || out.Factor != nil || n.Cmp(big.NewInt(2)) >= 0 {
			return checkers.Reject("below_two needs n < 2 and status BELOW_TWO")
		}
		return checkers.Accept(events.False, "compared with 2", "primes are the integers from 2 on without proper divisors")
	}
	if out.Status != "COMPOSITE" || n.Cmp(big.NewInt(4)) < 0 {
		return checkers.Reject("a proof of compositeness needs n of at least 4 and status COMPOSITE, found %q", out.Status)
	}
	if out.Factor != nil && !divides(out.Factor.Big(), n) {
		return checkers.Reject("the candidate's factor %s is not a proper divisor of n", out.Factor)
	}
	if c.Factor != nil {
		if !divides(c.Factor.Big(), n) {
			return checkers.Reject("%s is not a proper divisor of n", c.Factor)
		}
		return checkers.Accept(events.False, "divided n by a proper divisor", "compositeness of n")
	}
	if err := failsStrongTest(n, c.Witness.Big()); err != nil {
		return checkers.Reject("%v", err)
	}
	return checkers.Accept(events.False, "strong test failed at the given base", "compositeness of n")
}

func btoi(b bool) int {
	if b {
		return 1
	}
	return 0
}

func divides(d, n *big.Int) bool {
	return d.Cmp(one) > 0 && d.Cmp(n) < 0 && new(big.Int).Rem(n, d).Sign() == 0
}

// failsStrongTest returns nil if base a shows that n ≥ 4 is composite.
func failsStrongTest(n, a *big.Int) error {
	less := new(big.Int).Sub(n, one)
	if n.Bit(0) == 0 || a.Cmp(one) <= 0 || a.Cmp(less) >= 0 {
		return fmt.Errorf("a witness needs an odd n and 2 ≤ a ≤ n − 2")
	}
	s := less.TrailingZeroBits()
	x := new(big.Int).Exp(a, new(big.Int).Rsh(less, s), n)
	if x.Cmp(one) == 0 || x.Cmp(less) == 0 {
		return fmt.Errorf("n passes the strong test at base %s", a)
	}
	for range s - 1 {
		x.Mul(x, x)
		x.Mod(x, n)
		if x.Cmp(less) == 0 {
			return fmt.Errorf("n passes the strong test at base %s", a)
		}
	}
	return nil
}
