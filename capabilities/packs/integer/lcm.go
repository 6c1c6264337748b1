package integer

import (
	"context"
	"math/big"

	"github.com/jacobian-ledger/jacobian/capabilities"
	"github.com/jacobian-ledger/jacobian/capabilities/values"
)

// LCMOutput is never negative; lcm(0, b) is 0.
type LCMOutput struct {
	LCM values.Int `json:"lcm" doc:"least common multiple"`
}

func absGCD(a, b values.Int) *big.Int {
	x, y := a.Big(), b.Big()
	return new(big.Int).GCD(nil, nil, x.Abs(x), y.Abs(y))
}

var _ = capabilities.Define(pack, capabilities.Definition[PairInput, LCMOutput]{
	ID:          "integer.compute.lcm",
	Title:       "least common multiple of two integers",
	Description: "The non-negative generator of the intersection of the ideals (a) and (b) of the integers: |ab|/gcd(a, b), and 0 if a or b is 0.",
	Source:      "Euclid, Elements VII.34; OEIS A003990",
	Tags:        []string{"divisibility", "lcm"},
	Needs:       []string{"least common multiple of two integers", "smallest number that both numbers divide", "lowest common denominator", "when do two periods coincide"},
	Aliases:     []string{"lcm", "lowest common multiple"},
	InputKinds:  []string{"integer"},
	Claimed:     capabilities.Computed,
	Examples: []capabilities.Example{
		{Name: "small", Input: `{"a":"12","b":"18"}`, Output: `{"lcm":"36"}`},
		{Name: "negative", Input: `{"a":"-4","b":"6"}`, Output: `{"lcm":"12"}`},
		{Name: "zero", Input: `{"a":"0","b":"5"}`, Output: `{"lcm":"0"}`},
	},
	Run: capabilities.Func(func(_ context.Context, in PairInput) (LCMOutput, error) {
		g := absGCD(in.A, in.B)
		if g.Sign() == 0 {
			return LCMOutput{}, nil
		}
		l := g.Quo(in.A.Big(), g)
		l.Mul(l, in.B.Big())
		return LCMOutput{values.NewInt(l.Abs(l))}, nil
	}),
})

// ExtendedGCDOutput is g = gcd(a, b) = a·x + b·y.
type ExtendedGCDOutput struct {
	GCD values.Int `json:"gcd" doc:"greatest common divisor, never negative"`
	X   values.Int `json:"x" doc:"cofactor of a, the least non-negative one if b is not 0"`
	Y   values.Int `json:"y" doc:"cofactor of b"`
}

var _ = capabilities.Define(pack, capabilities.Definition[PairInput, ExtendedGCDOutput]{
	ID:          "integer.compute.extended_gcd",
	Title:       "Bezout coefficients of two integers",
	Description: "g = gcd(a, b) with x, y such that a·x + b·y = g. Among all such pairs the one with 0 <= x < |b|/g; for b = 0 it is x = sign(a), y = 0; for a = b = 0 all are 0. Extended Euclid.",
	Source:      "Bachet 1624, Bezout 1779; Knuth, The Art of Computer Programming 2, 4.5.2 algorithm X",
	Tags:        []string{"divisibility", "gcd", "diophantine equations"},
	Needs:       []string{"Bezout coefficients", "extended Euclidean algorithm", "write the gcd as an integer combination", "solve ax + by = gcd(a,b)"},
	Aliases:     []string{"egcd", "xgcd", "gcdext", "bezout"},
	InputKinds:  []string{"integer"},
	Claimed:     capabilities.Computed,
	Examples: []capabilities.Example{
		{Name: "small", Input: `{"a":"240","b":"46"}`, Output: `{"gcd":"2","x":"14","y":"-73"}`},
		{Name: "b is zero", Input: `{"a":"-5","b":"0"}`, Output: `{"gcd":"5","x":"-1","y":"0"}`},
		{Name: "both zero", Input: `{"a":"0","b":"0"}`, Output: `{"gcd":"0","x":"0","y":"0"}`},
	},
	Run: capabilities.Func(func(_ context.Context, in PairInput) (ExtendedGCDOutput, error) {
		return extendedGCD(in.A.Big(), in.B.Big()), nil
	}),
})

func extendedGCD(a, b *big.Int) ExtendedGCDOutput {
	if b.Sign() == 0 {
		return ExtendedGCDOutput{GCD: values.NewInt(new(big.Int).Abs(a)), X: values.IntOf(int64(a.Sign()))}
	}
	x, y := new(big.Int), new(big.Int)
	g := new(big.Int).GCD(x, y, a, b)
	x.Mod(x, new(big.Int).Quo(b, g)) // Mod is never negative, whatever the sign of b
	y.Sub(g, y.Mul(a, x))
	y.Quo(y, b)
	return ExtendedGCDOutput{values.NewInt(g), values.NewInt(x), values.NewInt(y)}
}

// CoprimeOutput also gives the common divisor.
type CoprimeOutput struct {
	Coprime bool       `json:"coprime" doc:"whether the greatest common divisor is 1"`
	GCD     values.Int `json:"gcd" doc:"greatest common divisor"`
}

var _ = capabilities.Define(pack, capabilities.Definition[PairInput, CoprimeOutput]{
	ID:          "integer.decide.coprime",
	Title:       "are two integers coprime",
	Description: "Whether gcd(a, b) = 1, that is whether no prime divides both. 0 is coprime to 1 and -1 only.",
	Source:      "Euclid, Elements VII.1; OEIS A054521",
	Tags:        []string{"divisibility", "gcd"},
	Needs:       []string{"are two numbers coprime", "relatively prime", "do two integers share a factor", "no common prime factor"},
	Aliases:     []string{"coprime", "relatively prime", "mutually prime"},
	InputKinds:  []string{"integer"},
	Claimed:     capabilities.Computed,
	Examples: []capabilities.Example{
		{Name: "coprime", Input: `{"a":"14","b":"15"}`, Output: `{"coprime":true,"gcd":"1"}`},
		{Name: "not coprime", Input: `{"a":"-14","b":"21"}`, Output: `{"coprime":false,"gcd":"7"}`},
	},
	Run: capabilities.Decision(func(_ context.Context, in PairInput) (CoprimeOutput, bool, error) {
		g := absGCD(in.A, in.B)
		ok := g.Cmp(big.NewInt(1)) == 0
		return CoprimeOutput{ok, values.NewInt(g)}, ok, nil
	}),
})

// DividesInput asks whether d divides n.
type DividesInput struct {
	D values.Int `json:"d" doc:"the divisor"`
	N values.Int `json:"n" doc:"the dividend"`
}

// DividesOutput gives the remainder too, from 0 to |d|−1; for d = 0 it is n.
type DividesOutput struct {
	Divides   bool       `json:"divides" doc:"whether n is a multiple of d"`
	Remainder values.Int `json:"remainder" doc:"n modulo |d|; n itself for d = 0"`
}

var _ = capabilities.Define(pack, capabilities.Definition[DividesInput, DividesOutput]{
	ID:          "integer.decide.divides",
	Title:       "does one integer divide another",
	Description: "Whether n = d·k for an integer k. Every integer divides 0; 0 divides only 0. The remainder is the least non-negative one.",
	Source:      "Euclid, Elements VII, definition 3",
	Tags:        []string{"divisibility"},
	Needs:       []string{"does d divide n", "is a number a multiple of another", "is n divisible by d", "remainder of a division of integers"},
	Aliases:     []string{"divides", "divisible", "multiple of", "d|n"},
	InputKinds:  []string{"integer"},
	Claimed:     capabilities.Computed,
	Examples: []capabilities.Example{
		{Name: "divides", Input: `{"d":"-7","n":"91"}`, Output: `{"divides":true,"remainder":"0"}`},
		{Name: "does not", Input: `{"d":"7","n":"-90"}`, Output: `{"divides":false,"remainder":"1"}`},
		{Name: "zero by zero", Input: `{"d":"0","n":"0"}`, Output: `{"divides":true,"remainder":"0"}`},
	},
	Run: capabilities.Decision(func(_ context.Context, in DividesInput) (DividesOutput, bool, error) {
		r := in.N.Big()
		if in.D.Sign() != 0 {
			r.Mod(r, in.D.Big())
		}
		ok := r.Sign() == 0
		return DividesOutput{ok, values.NewInt(r)}, ok, nil
	}),
})
