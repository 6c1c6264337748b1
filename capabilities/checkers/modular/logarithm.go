package modular

import (
	"context"
	"math/big"

	"github.com/jacobian-ledger/jacobian/capabilities/checkers"
	"github.com/jacobian-ledger/jacobian/capabilities/checkers/pratt"
	"github.com/jacobian-ledger/jacobian/capabilities/values"
	"github.com/jacobian-ledger/jacobian/events"
)

// enumerated is the largest period whose powers are all tried, to refute a logarithm.
const enumerated = 1 << 20

func checkLogarithm(ctx context.Context, ev checkers.Evidence) (checkers.Verdict, error) {
	var args struct {
		Base    values.Int `json:"base"`
		Target  values.Int `json:"target"`
		Modulus values.Int `json:"modulus"`
	}
	var out struct {
		Exists    bool        `json:"exists"`
		Logarithm *values.Int `json:"logarithm,omitempty"`
	}
	var cert struct {
		Order   values.Int    `json:"order"`
		Factors []pratt.Power `json:"factors"`
		Steps   []pratt.Step  `json:"steps"`
	}
	if err := decode(&ev, &args, &out, &cert); err != nil {
		return checkers.Reject("%v", err), nil
	}
	if err := modulus(args.Modulus, args.Base, args.Target); err != nil {
		return checkers.Reject("claim: %v", err), nil
	}
	if out.Exists != (out.Logarithm != nil) {
		return checkers.Reject("candidate: a logarithm is given if and only if it exists"), nil
	}
	p := newPowers(args.Base.Big(), args.Modulus.Big())
	p.period = cert.Order.Big()
	err := replayOrder(ctx, p.base, p.m2, p.period, cert.Factors, cert.Steps)
	if ctx.Err() != nil {
		return checkers.Verdict{}, ctx.Err()
	}
	if err != nil {
		return checkers.Reject("order of the base modulo the part prime to it: %v", err), nil
	}
	target := mod(args.Target.Big(), p.m)
	if out.Exists {
		return p.accept(out.Logarithm.Big(), target), nil
	}
	return p.refute(ctx, target)
}

// powers describes the sequence base^x modulo m: distinct below tail + period, then periodic.
type powers struct {
	base, m, m1, m2 *big.Int
	tail            int64 // t
	period          *big.Int
}

func newPowers(base, m *big.Int) *powers {
	p := &powers{base: base, m: m, m1: big.NewInt(1), m2: new(big.Int).Set(m)}
	for {
		g := new(big.Int).GCD(nil, nil, new(big.Int).Abs(base), p.m2)
		if g.Cmp(one) == 0 {
			break
		}
		p.m1.Mul(p.m1, g)
		p.m2.Quo(p.m2, g)
	}
	// Every prime of m1 divides the base, so that the tail is at most log2(m1).
	for x := mod(one, p.m1); x.Sign() != 0; p.tail++ {
		x = mod(x.Mul(x, base), p.m1)
	}
	return p
}

func (p *powers) accept(x, target *big.Int) checkers.Verdict {
	end := new(big.Int).Add(p.period, big.NewInt(p.tail))
	switch {
	case x.Sign() < 0 || x.Cmp(end) >= 0:
		return checkers.Reject("the logarithm %s is not from 0 to %s − 1, where the powers are distinct", x, end)
	case power(p.base, x, p.m).Cmp(target) != 0:
		return checkers.Reject("base^%s is not the target", x)
	}
	return checkers.Accept(events.True, "power at the logarithm; order of the base", "existence, and that no smaller logarithm exists")
}

func (p *powers) refute(ctx context.Context, target *big.Int) (checkers.Verdict, error) {
	x := mod(one, p.m)
	for i := range p.tail {
		if x.Cmp(target) == 0 {
			return checkers.Reject("base^%d is the target", i), nil
		}
		x = mod(x.Mul(x, p.base), p.m)
	}
	const coverage = "no exponent from 0 on gives the target"
	unit := mod(one, p.m2)
	switch {
	case mod(target, p.m1).Sign() != 0:
		return checkers.Accept(events.False, "powers before the period; residue of the target modulo the part that divides powers of the base", coverage), nil
	case new(big.Int).GCD(nil, nil, target, p.m2).Cmp(one) != 0:
		return checkers.Accept(events.False, "powers before the period; the target is no unit where the base is one", coverage), nil
	case power(target, p.period, p.m2).Cmp(unit) != 0:
		return checkers.Accept(events.False, "powers before the period; order of the target does not divide that of the base", coverage), nil
	case p.period.Cmp(big.NewInt(enumerated)) > 0:
		return checkers.Reject("the period %s is above %d and no simpler reason refutes the target", p.period, enumerated), nil
	}
	want := mod(target, p.m2)
	x = unit
	for i := range p.period.Int64() {
		if i%4096 == 0 && ctx.Err() != nil {
			return checkers.Verdict{}, ctx.Err()
		}
		if x.Cmp(want) == 0 {
			return checkers.Reject("the target is a power of the base"), nil
		}
		x.Mod(x.Mul(x, p.base), p.m2)
	}
	return checkers.Accept(events.False, "every power of the base tried", coverage), nil
}
