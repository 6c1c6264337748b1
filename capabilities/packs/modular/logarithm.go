package modular

import (
	"context"
	"crypto/sha256"
	"math/big"
	"strconv"

	"github.com/jacobian-ledger/jacobian/capabilities"
	"github.com/jacobian-ledger/jacobian/capabilities/packs/integer/factor"
	"github.com/jacobian-ledger/jacobian/capabilities/values"
	"github.com/jacobian-ledger/jacobian/events"
	"github.com/jacobian-ledger/jacobian/events/jcs"
)

// logPrimeMost bounds the largest prime of the order of the base: a table of its square root is kept.
const logPrimeMost = 1_000_000_000_000

// LogarithmInput asks for x with base^x ≡ target (mod m).
type LogarithmInput struct {
	Base    values.Int `json:"base" doc:"any integer"`
	Target  values.Int `json:"target" doc:"any integer"`
	Modulus values.Int `json:"modulus" doc:"at least 1"`
}

// LogarithmOutput is the least exponent, if there is one.
type LogarithmOutput struct {
	Exists    bool       `json:"exists" doc:"whether the target is a power of the base, the zeroth power included"`
	Logarithm values.Int `json:"logarithm,omitzero" doc:"the least x >= 0 with base^x = target modulo m"`
}

var _ = capabilities.Define(pack, capabilities.Definition[LogarithmInput, LogarithmOutput]{
	ID:          "modular.compute.discrete_logarithm",
	Title:       "discrete logarithm modulo an integer",
	Description: "The least x >= 0 with base^x = target modulo m >= 1, or that none exists; base and m need not be coprime. Pohlig-Hellman over the factored order of the base, baby and giant steps in each prime. The conclusion is whether x exists.",
	Source:      "Pohlig and Hellman, IEEE Trans. Inf. Theory 24 (1978); Shanks 1971",
	Tags:        []string{"modular arithmetic", "groups", "cryptography"},
	Needs:       []string{"discrete logarithm", "solve b^x = t mod m", "exponent of a power modulo m", "index of a residue to a base", "Pohlig-Hellman"},
	Aliases:     []string{"znlog", "dlog", "discrete log", "baby step giant step"},
	InputKinds:  []string{"integer", "residue"},
	Limits: []events.Limit{
		digitsLimit("base", plainDigits, ""), digitsLimit("target", plainDigits, ""), digitsLimit("modulus", groupDigits, "the modulus is factored: hard ones may end in TIMEOUT"),
		{Name: "order_prime", Value: strconv.Itoa(logPrimeMost), Note: "largest prime factor of the order of the base"},
	},
	Claimed: capabilities.Computed,
	Heavy:   true,
	Preflight: func(in LogarithmInput) error {
		if err := checkModulus("/modulus", in.Modulus); err != nil {
			return err
		}
		if err := checkDigits(plainDigits, named{"/base", in.Base}, named{"/target", in.Target}); err != nil {
			return err
		}
		return checkDigits(groupDigits, named{"/modulus", in.Modulus})
	},
	Claim: func(in LogarithmInput) events.Claim {
		return capabilities.NewClaim("modular.logarithm/1", "modular.logarithm_exists", in)
	},
	Emits:     []string{"discrete_logarithm"},
	CheckedBy: []string{"modular.arithmetic"},
	Examples: []capabilities.Example{
		{Name: "prime modulus", Input: `{"base":"3","modulus":"7","target":"6"}`, Output: `{"exists":true,"logarithm":"3"}`},
		{Name: "C-47, not coprime", Input: `{"base":"2","modulus":"6","target":"4"}`, Output: `{"exists":true,"logarithm":"2"}`},
		{Name: "none", Input: `{"base":"2","modulus":"7","target":"3"}`, Output: `{"exists":false}`},
	},
	Run: func(ctx context.Context, env *capabilities.Env, in LogarithmInput) (capabilities.Outcome[LogarithmOutput], error) {
		e := &factor.Effort{Report: env.Covered}
		l, err := newLogarithm(ctx, in.Base.Big(), in.Target.Big(), in.Modulus.Big(), e)
		if err != nil {
			return capabilities.Outcome[LogarithmOutput]{Scope: e.Scope()}, err
		}
		x, err := l.solve(ctx)
		if err != nil {
			return capabilities.Outcome[LogarithmOutput]{Scope: e.Scope()}, err
		}
		out := capabilities.Outcome[LogarithmOutput]{Conclusion: capabilities.Truth(x != nil)}
		if x != nil {
			out.Output = LogarithmOutput{true, values.NewInt(x)}
		} else if !l.refutable() {
			out.Notes = []string{"no certificate: the order of the base is above 2^20 and no simple reason excludes the target; the search was exhaustive"}
			return out, nil
		}
		members := append(l.order.members(), jcs.Member{Name: "order", Value: jcs.NewString(l.order.value.String())})
		out.Evidence = &capabilities.Evidence{Format: "discrete_logarithm", Data: jcs.NewObject(members...).Append(nil)}
		return out, nil
	},
})

// logarithm is one problem: m = m1·m2 with m2 prime to the base, and every prime of m1 in it. The powers of
// the base are 0 modulo m1 from the tail on, and periodic modulo m2 from the start.
type logarithm struct {
	base, target, m, m1, m2 *big.Int
	tail                    int
	order                   *order // of the base modulo m2
}

func newLogarithm(ctx context.Context, base, target, m *big.Int, e *factor.Effort) (*logarithm, error) {
	l := &logarithm{base: mod(base, m), target: mod(target, m), m: m, m1: big.NewInt(1), m2: new(big.Int).Set(m)}
	g := new(big.Int)
	for g.GCD(nil, nil, l.base, l.m2).Cmp(one) > 0 {
		l.m1.Mul(l.m1, g)
		l.m2.Quo(l.m2, g)
	}
	for x := mod(one, l.m1); x.Sign() != 0; l.tail++ {
		x.Mod(x.Mul(x, l.base), l.m1)
	}
	var err error
	if l.order, err = orderOf(ctx, l.base, l.m2, e); err != nil {
		return nil, err
	}
	for _, q := range l.order.powers {
		if q.Prime.Cmp(big.NewInt(logPrimeMost)) > 0 {
			return nil, capabilities.Exceeds("/modulus", "order_prime", strconv.Itoa(logPrimeMost), brief(values.NewInt(q.Prime)), "the order of the base has a large prime factor: this logarithm is out of reach here")
		}
	}
	return l, nil
}

// refutable says whether the checker can confirm that there is no logarithm.
func (l *logarithm) refutable() bool {
	t := mod(l.target, l.m2)
	return mod(l.target, l.m1).Sign() != 0 || new(big.Int).GCD(nil, nil, t, l.m2).Cmp(one) != 0 ||
		new(big.Int).Exp(t, l.order.value, l.m2).Cmp(mod(one, l.m2)) != 0 || l.order.value.BitLen() <= 20
}

// solve returns the least logarithm, or nil if there is none.
func (l *logarithm) solve(ctx context.Context) (*big.Int, error) {
	x := mod(one, l.m)
	for i := range l.tail {
		if x.Cmp(l.target) == 0 {
			return big.NewInt(int64(i)), nil
		}
		x.Mod(x.Mul(x, l.base), l.m)
	}
	if mod(l.target, l.m1).Sign() != 0 {
		return nil, nil
	}
	y, err := l.inGroup(ctx)
	if y == nil || err != nil {
		return nil, err
	}
	tail := big.NewInt(int64(l.tail)) // the least x ≥ tail with x ≡ y modulo the period
	y.Sub(y, tail)
	return y.Add(mod(y, l.order.value), tail), nil
}

// inGroup is the logarithm modulo m2, from 0 to order − 1, by Pohlig and Hellman; nil if there is none.
func (l *logarithm) inGroup(ctx context.Context) (*big.Int, error) {
	m, n := l.m2, l.order.value
	base, target := mod(l.base, m), mod(l.target, m)
	if new(big.Int).GCD(nil, nil, target, m).Cmp(one) != 0 {
		return nil, nil
	}
	x, modulus := big.NewInt(0), big.NewInt(1)
	for _, q := range l.order.powers {
		size := new(big.Int).Exp(q.Prime, big.NewInt(int64(q.Exponent)), nil)
		rest := new(big.Int).Quo(n, size)
		g := new(big.Int).Exp(base, rest, m) // of order q^e
		h := new(big.Int).Exp(target, rest, m)
		d, err := primePowerLog(ctx, g, h, m, q)
		if d == nil || err != nil {
			return nil, err
		}
		step := solveLinear(modulus, new(big.Int).Sub(d, x), size)
		x.Add(x, new(big.Int).Mul(modulus, step.Residue.Big()))
		modulus.Mul(modulus, size)
	}
	if mod(new(big.Int).Exp(base, x, m), m).Cmp(target) != 0 {
		return nil, nil // the target is in no power of the base, although its parts are
	}
	return x, nil
}

// primePowerLog is the logarithm of h to g of order q^e, digit by digit in base q; nil if there is none.
func primePowerLog(ctx context.Context, g, h, m *big.Int, q factor.PrimePower) (*big.Int, error) {
	x, place := big.NewInt(0), big.NewInt(1)
	power := func(b *big.Int, k int) *big.Int {
		return new(big.Int).Exp(b, new(big.Int).Exp(q.Prime, big.NewInt(int64(k)), nil), m)
	}
	inverse := new(big.Int).ModInverse(g, m)
	table, err := newSteps(ctx, power(g, q.Exponent-1), m, q.Prime.Int64())
	if err != nil {
		return nil, err
	}
	for k := range q.Exponent {
		// h·g^(−x) has order dividing q^(e−k) if h is a power of g.
		r := new(big.Int).Exp(inverse, x, m)
		r.Mod(r.Mul(r, h), m)
		d, err := table.find(ctx, power(r, q.Exponent-1-k))
		if d < 0 || err != nil {
			return nil, err
		}
		x.Add(x, new(big.Int).Mul(place, big.NewInt(d)))
		place.Mul(place, q.Prime)
	}
	return x, nil
}

// steps is Shanks' table for an element of prime order: its first powers, by a digest of the residue, since
// different residues may well agree in their low bits.
type steps struct {
	g, giant, m *big.Int
	size, count int64
	baby        map[key]int64
}

type key [16]byte

func keyOf(x *big.Int) key {
	sum := sha256.Sum256(x.Bytes())
	return key(sum[:16])
}

func newSteps(ctx context.Context, g, m *big.Int, order int64) (*steps, error) {
	size := new(big.Int).Sqrt(big.NewInt(order)).Int64() + 1
	s := &steps{g: g, m: m, size: size, count: order/size + 1, baby: make(map[key]int64, size)}
	x := mod(one, m)
	for i := range size {
		if i%4096 == 0 && ctx.Err() != nil {
			return nil, ctx.Err()
		}
		k := keyOf(x)
		if _, ok := s.baby[k]; !ok { // small orders wrap around: the least exponent stays
			s.baby[k] = i
		}
		x.Mod(x.Mul(x, g), m)
	}
	s.giant = new(big.Int).ModInverse(x, m)
	return s, nil
}

// find returns d with g^d = h, or −1.
func (s *steps) find(ctx context.Context, h *big.Int) (int64, error) {
	x := new(big.Int).Set(h)
	for i := range s.count {
		if i%4096 == 0 && ctx.Err() != nil {
			return 0, ctx.Err()
		}
		if j, ok := s.baby[keyOf(x)]; ok {
			d := i*s.size + j
			if mod(new(big.Int).Exp(s.g, big.NewInt(d), s.m), s.m).Cmp(mod(h, s.m)) == 0 {
				return d, nil
			}
		}
		x.Mod(x.Mul(x, s.giant), s.m)
	}
	return -1, nil
}
