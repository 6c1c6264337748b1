package modular

import (
	"context"
	"math/big"

	"github.com/jacobian-ledger/jacobian/capabilities/checkers"
	"github.com/jacobian-ledger/jacobian/capabilities/values"
	"github.com/jacobian-ledger/jacobian/events"
)

type congruence struct {
	Residue values.Int `json:"residue"`
	Modulus values.Int `json:"modulus"`
}

func checkCongruences(ctx context.Context, ev checkers.Evidence) (checkers.Verdict, error) {
	var args struct {
		Congruences []congruence `json:"congruences"`
	}
	var out struct {
		Solvable bool        `json:"solvable"`
		Residue  *values.Int `json:"residue,omitempty"`
		Modulus  *values.Int `json:"modulus,omitempty"`
		Conflict []int       `json:"conflict,omitempty"`
	}
	if err := decode(&ev, &args, &out, &struct{}{}); err != nil {
		return checkers.Reject("%v", err), nil
	}
	list := args.Congruences
	for _, c := range list {
		if err := modulus(c.Modulus, c.Residue); err != nil {
			return checkers.Reject("claim: %v", err), nil
		}
	}
	if !out.Solvable {
		if out.Residue != nil || out.Modulus != nil || len(out.Conflict) != 2 {
			return checkers.Reject("candidate: an unsolvable system needs two conflicting congruences and no residue"), nil
		}
		i, j := out.Conflict[0], out.Conflict[1]
		if i < 0 || j <= i || j >= len(list) {
			return checkers.Reject("candidate: no congruences %d and %d", i, j), nil
		}
		g := new(big.Int).GCD(nil, nil, list[i].Modulus.Big(), list[j].Modulus.Big())
		if d := new(big.Int).Sub(list[i].Residue.Big(), list[j].Residue.Big()); mod(d, g).Sign() == 0 {
			return checkers.Reject("congruences %d and %d agree", i, j), nil
		}
		return checkers.Accept(events.False, "two congruences differ modulo the gcd of their moduli", "no integer satisfies both"), nil
	}
	if out.Residue == nil || out.Modulus == nil || out.Conflict != nil {
		return checkers.Reject("candidate: a solvable system needs residue and modulus and no conflict"), nil
	}
	x, lcm := out.Residue.Big(), big.NewInt(1)
	for i, c := range list {
		if ctx.Err() != nil {
			return checkers.Verdict{}, ctx.Err()
		}
		m := c.Modulus.Big()
		if mod(new(big.Int).Sub(x, c.Residue.Big()), m).Sign() != 0 {
			return checkers.Reject("congruence %d does not hold", i), nil
		}
		lcm.Mul(lcm, m.Quo(m, new(big.Int).GCD(nil, nil, lcm, m)))
	}
	if lcm.Cmp(out.Modulus.Big()) != 0 || x.Sign() < 0 || x.Cmp(lcm) >= 0 {
		return checkers.Reject("the modulus is not the least common multiple %s, or the residue is not below it", lcm), nil
	}
	return checkers.Accept(events.True, "each congruence evaluated; least common multiple of the moduli", "all solutions: one class modulo the least common multiple"), nil
}

func checkLinear(_ context.Context, ev checkers.Evidence) (checkers.Verdict, error) {
	var args struct {
		A       values.Int `json:"a"`
		B       values.Int `json:"b"`
		Modulus values.Int `json:"modulus"`
	}
	var out struct {
		Solvable bool        `json:"solvable"`
		GCD      values.Int  `json:"gcd"`
		Residue  *values.Int `json:"residue,omitempty"`
		Modulus  *values.Int `json:"modulus,omitempty"`
	}
	if err := decode(&ev, &args, &out, &struct{}{}); err != nil {
		return checkers.Reject("%v", err), nil
	}
	if err := modulus(args.Modulus, args.A, args.B); err != nil {
		return checkers.Reject("claim: %v", err), nil
	}
	a, b, m := args.A.Big(), args.B.Big(), args.Modulus.Big()
	g := new(big.Int).GCD(nil, nil, new(big.Int).Abs(a), m)
	if g.Cmp(out.GCD.Big()) != 0 || out.Solvable != (out.Residue != nil) || out.Solvable != (out.Modulus != nil) {
		return checkers.Reject("candidate: gcd(a, m) is %s; residue and modulus are given if and only if it is solvable", g), nil
	}
	if !out.Solvable {
		if mod(b, g).Sign() == 0 {
			return checkers.Reject("gcd(a, m) = %s divides b", g), nil
		}
		return checkers.Accept(events.False, "gcd(a, m) does not divide b", "no residue solves it"), nil
	}
	x, m1 := out.Residue.Big(), out.Modulus.Big()
	d := new(big.Int).Mul(a, x)
	if mod(d.Sub(d, b), m).Sign() != 0 {
		return checkers.Reject("a·x is not b modulo m"), nil
	}
	if new(big.Int).Mul(m1, g).Cmp(m) != 0 || x.Sign() < 0 || x.Cmp(m1) >= 0 {
		return checkers.Reject("the solutions are a class modulo m/gcd(a, m), with its least residue"), nil
	}
	return checkers.Accept(events.True, "the solution evaluated; gcd(a, m)", "all solutions: one class modulo m/gcd(a, m)"), nil
}
