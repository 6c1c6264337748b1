// Package modular decides claims about residues, of three semantics.
//
// modular.order/1, predicate modular.multiplicative_order, arguments {"a", "modulus"}: "the candidate
// {"order"} is the least k ≥ 1 with a^k = 1 modulo m". Format "multiplicative_order": {"factors":
// [{"prime", "exponent"}], "steps"}, the factorization of the order with Pratt steps for its large primes.
// a^k = 1 and a^(k/q) ≠ 1 for each prime q of k, so that no proper divisor of k serves.
//
// modular.logarithm/1, predicate modular.logarithm_exists, arguments {"base", "target", "modulus"}: "some
// x ≥ 0 has base^x = target modulo m"; the candidate {"exists", "logarithm"} names the least. Format
// "discrete_logarithm": {"order", "factors", "steps"}, the order L of the base modulo m2, where m = m1·m2
// and m2 is the largest divisor prime to the base. The powers of the base repeat from exponent t on, the
// least with m1 | base^t, with period L, and are distinct before t + L. A logarithm below t + L is thus the
// least; none exists if no x < t serves and the target is not 0 modulo m1, or not a unit modulo m2, or
// target^L ≠ 1 modulo m2, or, for L ≤ 2^20, all L powers were tried.
//
// modular.congruences/1, predicates modular.congruences_solvable with arguments {"congruences":
// [{"residue", "modulus"}]} and modular.linear_solvable with {"a", "b", "modulus"}: the candidate is its own
// evidence, and the certificate of format "congruences" is {}.
//
// Sources: Cohen, A Course in Computational Algebraic Number Theory, 1.4; Pratt 1975 for the steps.
package modular

import (
	"context"
	"fmt"
	"math/big"
	"slices"

	"github.com/jacobian-ledger/jacobian/capabilities/checkers"
	"github.com/jacobian-ledger/jacobian/capabilities/checkers/pratt"
	"github.com/jacobian-ledger/jacobian/capabilities/values"
	"github.com/jacobian-ledger/jacobian/events"
	"github.com/jacobian-ledger/jacobian/events/jcs"
)

const maxBits = 16_384 // of every number

// question is what one predicate takes: its semantics, its certificate format, and who decides.
type question struct {
	semantics, predicate, format string
	check                        func(context.Context, checkers.Evidence) (checkers.Verdict, error)
}

func questions() []question {
	return []question{
		{"modular.order/1", "modular.multiplicative_order", "multiplicative_order", checkOrder},
		{"modular.logarithm/1", "modular.logarithm_exists", "discrete_logarithm", checkLogarithm},
		{"modular.congruences/1", "modular.congruences_solvable", "congruences", checkCongruences},
		{"modular.congruences/1", "modular.linear_solvable", "congruences", checkLinear},
	}
}

// Checker returns the checker modular.arithmetic.
func Checker() checkers.Checker {
	k := checkers.Checker{ID: "modular.arithmetic", Version: 1, Class: "go-bignum", Check: check}
	for _, q := range questions() {
		k.Semantics = appendNew(k.Semantics, q.semantics)
		k.Predicates = appendNew(k.Predicates, q.predicate)
		k.Formats = appendNew(k.Formats, q.format)
	}
	return k
}

func appendNew(list []string, s string) []string {
	if slices.Contains(list, s) {
		return list
	}
	return append(list, s)
}

func check(ctx context.Context, ev checkers.Evidence) (checkers.Verdict, error) {
	for _, q := range questions() {
		if q.predicate == ev.Claim.Predicate && q.semantics == ev.Claim.Semantics && q.format == ev.Format {
			return q.check(ctx, ev)
		}
	}
	return checkers.Reject("no claim %q of %q is decided with format %q", ev.Claim.Predicate, ev.Claim.Semantics, ev.Format), nil
}

// decode reads the three parts of the evidence strictly.
func decode(ev *checkers.Evidence, args, candidate, certificate any) error {
	if err := checkers.DecodeArgs(ev.Claim, args); err != nil {
		return fmt.Errorf("claim: %w", err)
	}
	if err := ev.DecodeCandidate(candidate); err != nil {
		return fmt.Errorf("candidate: %w", err)
	}
	if err := jcs.Decode(ev.Certificate, certificate); err != nil {
		return fmt.Errorf("certificate: %w", err)
	}
	return nil
}

// modulus refuses what is no modulus, and long numbers.
func modulus(m values.Int, others ...values.Int) error {
	if m.Sign() <= 0 {
		return fmt.Errorf("the modulus %s is not positive", m)
	}
	for _, x := range append(others, m) {
		if x.BitLen() > maxBits {
			return fmt.Errorf("a number of %d bits, at most %d are read", x.BitLen(), maxBits)
		}
	}
	return nil
}

var one = big.NewInt(1)

// mod is the least non-negative residue.
func mod(x, m *big.Int) *big.Int { return new(big.Int).Mod(x, m) }

// power is base^e modulo m for e ≥ 0, with residue 0 for m = 1.
func power(base, e, m *big.Int) *big.Int { return mod(new(big.Int).Exp(mod(base, m), e, m), m) }

// replayOrder checks that k is the order of a modulo m.
func replayOrder(ctx context.Context, a, m, k *big.Int, factors []pratt.Power, steps []pratt.Step) error {
	if k.Sign() <= 0 || k.BitLen() > maxBits {
		return fmt.Errorf("the order is not a positive number of at most %d bits", maxBits)
	}
	if err := pratt.Product(k, factors); err != nil {
		return fmt.Errorf("the factors of the order: %w", err)
	}
	proved, err := pratt.Replay(ctx, steps)
	if err != nil {
		return err
	}
	unit := mod(one, m)
	if power(a, k, m).Cmp(unit) != 0 {
		return fmt.Errorf("a^%s is not 1 modulo m", k)
	}
	for _, f := range factors {
		if ctx.Err() != nil {
			return ctx.Err()
		}
		q := f.Prime.Big()
		if !proved.Prime(q) {
			return fmt.Errorf("the factor %s of the order is not proved prime", q)
		}
		if power(a, new(big.Int).Quo(k, q), m).Cmp(unit) == 0 {
			return fmt.Errorf("the order divides %s / %s", k, q)
		}
	}
	return nil
}

func checkOrder(ctx context.Context, ev checkers.Evidence) (checkers.Verdict, error) {
	var args struct {
		A       values.Int `json:"a"`
		Modulus values.Int `json:"modulus"`
	}
	var out struct {
		Order values.Int `json:"order"`
	}
	var cert struct {
		Factors []pratt.Power `json:"factors"`
		Steps   []pratt.Step  `json:"steps"`
	}
	if err := decode(&ev, &args, &out, &cert); err != nil {
		return checkers.Reject("%v", err), nil
	}
	if err := modulus(args.Modulus, args.A); err != nil {
		return checkers.Reject("claim: %v", err), nil
	}
	err := replayOrder(ctx, args.A.Big(), args.Modulus.Big(), out.Order.Big(), cert.Factors, cert.Steps)
	if ctx.Err() != nil {
		return checkers.Verdict{}, ctx.Err()
	}
	if err != nil {
		return checkers.Reject("%v", err), nil
	}
	return checkers.Accept(events.True, "powers at the order and at its maximal proper divisors", "the order of a modulo m"), nil
}
