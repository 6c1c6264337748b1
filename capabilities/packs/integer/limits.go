package integer

import (
	"context"
	"math/big"
	"strconv"

	"github.com/jacobian-ledger/jacobian/capabilities"
	"github.com/jacobian-ledger/jacobian/capabilities/packs/integer/factor"
	"github.com/jacobian-ledger/jacobian/capabilities/values"
	"github.com/jacobian-ledger/jacobian/events"
)

const (
	factorDigits   = 1_000 // of a number to be factored: trial division, rho and curves run until the budget ends
	primalityDigit = 2_000 // of a number to be tested for primality
	neighbourDigit = 500   // of a number whose next prime is sought
)

// NumberInput is one integer.
type NumberInput struct {
	N values.Int `json:"n" doc:"the integer"`
}

// PairInput is two integers.
type PairInput struct {
	A values.Int `json:"a" doc:"first integer"`
	B values.Int `json:"b" doc:"second integer"`
}

// digitsLimit states a limit on decimal digits in a descriptor.
func digitsLimit(member string, most int, note string) events.Limit {
	return events.Limit{Name: member + "_digits", Value: strconv.Itoa(most), Note: note}
}

// checkDigits refuses an integer of more decimal digits.
func checkDigits(member string, most int, v values.Int, hint string) error {
	if v.BitLen() <= most*3 { // 2^3 < 10: cannot be longer
		return nil
	}
	s := v.String()
	if v.Sign() < 0 {
		s = s[1:]
	}
	if len(s) > most {
		return capabilities.Exceeds("/"+member, member+"_digits", strconv.Itoa(most), strconv.Itoa(len(s)), hint)
	}
	return nil
}

// brief shows a number in a message.
func brief(v values.Int) string {
	s := v.String()
	if len(s) > 40 {
		return s[:20] + "..." + s[len(s)-10:]
	}
	return s
}

// checkLeast refuses an integer below the least one at which the operation has a value.
func checkLeast(member string, least int64, v values.Int) error {
	if v.Cmp(values.IntOf(least)) < 0 {
		return capabilities.NotApplicable("/"+member, "an integer of at least "+strconv.FormatInt(least, 10), brief(v), "")
	}
	return nil
}

// checkNonzero refuses 0.
func checkNonzero(member string, v values.Int, why string) error {
	if v.Sign() == 0 {
		return capabilities.NotApplicable("/"+member, "a nonzero integer", "0", why)
	}
	return nil
}

// factored is the part of an operation that needs the complete factorization of n ≠ 0, each prime
// proved, so that what is computed from it is exact. If ctx ends it says what was covered.
func factored(ctx context.Context, env *capabilities.Env, n values.Int) ([]factor.PrimePower, *factor.Proof, *events.Scope, error) {
	e := &factor.Effort{Report: env.Covered}
	powers, proof, err := factor.Proved(ctx, n.Big(), e)
	return powers, proof, e.Scope(), err
}

// byFactors adapts a function of the factorization of |n| to an operation.
func byFactors[Out any](f func(n *big.Int, powers []factor.PrimePower) (Out, error)) func(context.Context, *capabilities.Env, NumberInput) (capabilities.Outcome[Out], error) {
	return func(ctx context.Context, env *capabilities.Env, in NumberInput) (capabilities.Outcome[Out], error) {
		powers, _, scope, err := factored(ctx, env, in.N)
		if err != nil {
			return capabilities.Outcome[Out]{Scope: scope}, err
		}
		out, err := f(in.N.Big(), powers)
		return capabilities.Outcome[Out]{Output: out}, err
	}
}

// decideByFactors is [byFactors] for a decision.
func decideByFactors[Out any](f func(n *big.Int, powers []factor.PrimePower) (Out, bool)) func(context.Context, *capabilities.Env, NumberInput) (capabilities.Outcome[Out], error) {
	return func(ctx context.Context, env *capabilities.Env, in NumberInput) (capabilities.Outcome[Out], error) {
		powers, _, scope, err := factored(ctx, env, in.N)
		if err != nil {
			return capabilities.Outcome[Out]{Scope: scope}, err
		}
		out, truth := f(in.N.Big(), powers)
		return capabilities.Outcome[Out]{Output: out, Conclusion: capabilities.Truth(truth)}, nil
	}
}

// factorLimits are the limits of every operation that factors its input.
func factorLimits() []events.Limit {
	return []events.Limit{digitsLimit("n", factorDigits, "larger numbers are refused; hard ones of about 50 digits and more may end in TIMEOUT")}
}

const factorHint = "divide out known factors first"

// factorable is the preflight of operations on the factorization of n ≠ 0.
func factorable(in NumberInput) error {
	if err := checkNonzero("n", in.N, "0 is divisible by every integer and has no factorization"); err != nil {
		return err
	}
	return checkDigits("n", factorDigits, in.N, factorHint)
}

// factorablePositive is the preflight of arithmetic functions, which are defined from 1.
func factorablePositive(in NumberInput) error {
	if err := checkLeast("n", 1, in.N); err != nil {
		return err
	}
	return checkDigits("n", factorDigits, in.N, factorHint)
}
