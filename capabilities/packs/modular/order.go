package modular

import (
	"context"
	"fmt"
	"math/big"
	"slices"

	"github.com/jacobian-ledger/jacobian/capabilities"
	"github.com/jacobian-ledger/jacobian/capabilities/packs/integer/factor"
	"github.com/jacobian-ledger/jacobian/capabilities/values"
	"github.com/jacobian-ledger/jacobian/events"
	"github.com/jacobian-ledger/jacobian/events/jcs"
)

// OrderInput asks for the order of a residue.
type OrderInput struct {
	A       values.Int `json:"a" doc:"an integer coprime to the modulus"`
	Modulus values.Int `json:"modulus" doc:"at least 1"`
}

// OrderOutput is the order.
type OrderOutput struct {
	Order values.Int `json:"order" doc:"the least k >= 1 with a^k = 1 modulo m"`
}

var _ = capabilities.Define(pack, capabilities.Definition[OrderInput, OrderOutput]{
	ID:          "modular.compute.multiplicative_order",
	Title:       "multiplicative order of a residue",
	Description: "The least k >= 1 with a^k = 1 modulo m, for a coprime to m >= 1. Factors m and the Carmichael function of m, and strips primes; certified by the factored order.",
	Source:      "Cohen, A Course in Computational Algebraic Number Theory, algorithm 1.4.3; OEIS A002326 for base 2",
	Tags:        []string{"modular arithmetic", "groups"},
	Needs:       []string{"multiplicative order of a modulo m", "smallest exponent with a^k = 1 mod m", "order of an element of the group of units", "period of the decimal expansion of 1/n", "is g a primitive root"},
	Aliases:     []string{"znorder", "n_order", "order mod m", "ord"},
	InputKinds:  []string{"integer", "residue"},
	Limits:      []events.Limit{digitsLimit("a", plainDigits, ""), digitsLimit("modulus", groupDigits, "the modulus is factored: hard ones may end in TIMEOUT")},
	Claimed:     capabilities.Computed,
	Heavy:       true,
	Preflight: func(in OrderInput) error {
		if err := checkModulus("/modulus", in.Modulus); err != nil {
			return err
		}
		if err := checkDigits(plainDigits, named{"/a", in.A}); err != nil {
			return err
		}
		if err := checkDigits(groupDigits, named{"/modulus", in.Modulus}); err != nil {
			return err
		}
		if g := new(big.Int).GCD(nil, nil, new(big.Int).Abs(in.A.Big()), in.Modulus.Big()); g.Cmp(one) != 0 {
			return capabilities.NotApplicable("/a", "an integer coprime to the modulus", brief(in.A)+", with common divisor "+brief(values.NewInt(g)), "no power of it is 1")
		}
		return nil
	},
	Claim: func(in OrderInput) events.Claim {
		return capabilities.NewClaim("modular.order/1", "modular.multiplicative_order", in)
	},
	Emits:     []string{"multiplicative_order"},
	CheckedBy: []string{"modular.arithmetic"},
	Examples: []capabilities.Example{
		{Name: "ten modulo seven", Input: `{"a":"10","modulus":"7"}`, Output: `{"order":"6"}`},
		{Name: "composite modulus", Input: `{"a":"2","modulus":"341"}`, Output: `{"order":"10"}`},
		{Name: "modulus one", Input: `{"a":"0","modulus":"1"}`, Output: `{"order":"1"}`},
	},
	Run: func(ctx context.Context, env *capabilities.Env, in OrderInput) (capabilities.Outcome[OrderOutput], error) {
		e := &factor.Effort{Report: env.Covered}
		k, err := orderOf(ctx, in.A.Big(), in.Modulus.Big(), e)
		if err != nil {
			return capabilities.Outcome[OrderOutput]{Scope: e.Scope()}, err
		}
		return capabilities.Outcome[OrderOutput]{
			Output:   OrderOutput{values.NewInt(k.value)},
			Evidence: &capabilities.Evidence{Format: "multiplicative_order", Data: jcs.NewObject(k.members()...).Append(nil)},
		}, nil
	},
})

// order is the order of a residue with its factorization, each large prime proved.
type order struct {
	value  *big.Int
	powers []factor.PrimePower
	proof  *factor.Proof
}

func (k *order) members() []jcs.Member {
	return []jcs.Member{{Name: "factors", Value: factor.PowersValue(k.powers)}, {Name: "steps", Value: k.proof.Value()}}
}

// orderOf finds the order of a modulo m, coprime to it. It starts from the exponent λ(m) of the group of
// units, which the order divides, and strips primes as long as the power stays 1.
func orderOf(ctx context.Context, a, m *big.Int, e *factor.Effort) (*order, error) {
	moduli, err := factor.Integer(ctx, m, e)
	if err != nil {
		return nil, err
	}
	exponents, err := carmichael(ctx, moduli, e)
	if err != nil {
		return nil, err
	}
	k := &order{value: big.NewInt(1), proof: &factor.Proof{}}
	for _, q := range exponents {
		k.value.Mul(k.value, new(big.Int).Exp(q.Prime, big.NewInt(int64(q.Exponent)), nil))
	}
	unit := mod(one, m)
	if mod(new(big.Int).Exp(mod(a, m), k.value, m), m).Cmp(unit) != 0 {
		// Only if a factor of m above 2^64 passed the probable prime tests without being prime. With this
		// check the order is exact all the same: its own primes are proved.
		return nil, fmt.Errorf("modular: the exponent %s of the units modulo %s is wrong", k.value, m)
	}
	for _, q := range exponents {
		left := q.Exponent
		for ; left > 0; left-- {
			less := new(big.Int).Quo(k.value, q.Prime)
			if mod(new(big.Int).Exp(mod(a, m), less, m), m).Cmp(unit) != 0 {
				break
			}
			k.value = less
		}
		if left == 0 {
			continue
		}
		k.powers = append(k.powers, factor.PrimePower{Prime: q.Prime, Exponent: left})
		if q.Prime.Cmp(big.NewInt(factor.Assumed)) >= 0 {
			if err := k.proof.Prove(ctx, q.Prime, e); err != nil {
				return nil, err
			}
		}
	}
	return k, nil
}

// carmichael is the factorization of λ(m), given that of m: the lcm over the prime powers p^e of p^(e−1) and
// p − 1, halved for 2^e with e ≥ 3.
func carmichael(ctx context.Context, moduli []factor.PrimePower, e *factor.Effort) ([]factor.PrimePower, error) {
	var all []factor.PrimePower
	for _, p := range moduli {
		power := p.Exponent - 1
		if p.Prime.Cmp(big.NewInt(2)) == 0 && p.Exponent >= 3 {
			power--
		}
		if power > 0 {
			all = append(all, factor.PrimePower{Prime: p.Prime, Exponent: power})
		}
		less, err := factor.Integer(ctx, new(big.Int).Sub(p.Prime, one), e)
		if err != nil {
			return nil, err
		}
		all = append(all, less...)
	}
	slices.SortFunc(all, func(a, b factor.PrimePower) int { return a.Prime.Cmp(b.Prime) })
	out := []factor.PrimePower{}
	for _, p := range all {
		if k := len(out) - 1; k >= 0 && out[k].Prime.Cmp(p.Prime) == 0 {
			out[k].Exponent = max(out[k].Exponent, p.Exponent)
		} else {
			out = append(out, p)
		}
	}
	return out, nil
}
