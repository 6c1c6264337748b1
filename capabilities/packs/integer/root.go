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

const rootDigits = 10_000 // of a number whose root is taken, so that it takes well under a second

func checkRoot(n values.Int) error { return checkDigits("n", rootDigits, n, "") }

// RootOutput is the floor of a root with what is left over.
type RootOutput struct {
	Root      values.Int `json:"root" doc:"the largest r with r^k <= n"`
	Remainder values.Int `json:"remainder" doc:"n - r^k, never negative"`
	Exact     bool       `json:"exact" doc:"whether the remainder is 0"`
}

func rootOutput(n, r *big.Int, k int) RootOutput {
	rest := new(big.Int).Exp(r, big.NewInt(int64(k)), nil)
	rest.Sub(n, rest)
	return RootOutput{values.NewInt(r), values.NewInt(rest), rest.Sign() == 0}
}

var _ = capabilities.Define(pack, capabilities.Definition[NumberInput, RootOutput]{
	ID:          "integer.compute.floor_square_root",
	Title:       "integer square root",
	Description: "The largest integer r with r^2 <= n, for n >= 0, and the remainder n - r^2. Newton's iteration on integers.",
	Source:      "Zimmermann, Karatsuba square root, INRIA 3805 (1999); OEIS A000196",
	Tags:        []string{"roots", "arithmetic"},
	Needs:       []string{"integer square root", "floor of the square root", "largest integer whose square is at most n", "square root of a large integer"},
	Aliases:     []string{"isqrt", "sqrt", "floor sqrt"},
	InputKinds:  []string{"integer"},
	Limits:      []events.Limit{digitsLimit("n", rootDigits, "")},
	Claimed:     capabilities.Computed,
	Preflight: func(in NumberInput) error {
		if err := checkLeast("n", 0, in.N); err != nil {
			return err
		}
		return checkRoot(in.N)
	},
	Examples: []capabilities.Example{
		{Name: "not exact", Input: `{"n":"10"}`, Output: `{"exact":false,"remainder":"1","root":"3"}`},
		{Name: "exact", Input: `{"n":"1000006000009"}`, Output: `{"exact":true,"remainder":"0","root":"1000003"}`},
		{Name: "zero", Input: `{"n":"0"}`, Output: `{"exact":true,"remainder":"0","root":"0"}`},
	},
	Run: capabilities.Func(func(_ context.Context, in NumberInput) (RootOutput, error) {
		n := in.N.Big()
		return rootOutput(n, new(big.Int).Sqrt(n), 2), nil
	}),
})

// NthRootInput asks for the k-th root of n.
type NthRootInput struct {
	N values.Int `json:"n" doc:"the integer; negative only for odd k"`
	K int        `json:"k" doc:"the degree of the root, at least 1"`
}

var _ = capabilities.Define(pack, capabilities.Definition[NthRootInput, RootOutput]{
	ID:          "integer.compute.nth_root",
	Title:       "integer k-th root",
	Description: "The largest integer r with r^k <= n, and the remainder n - r^k, for k >= 1 and n >= 0, or n < 0 with k odd. Newton's iteration on integers.",
	Source:      "Cohen, A Course in Computational Algebraic Number Theory, 1.7.1",
	Tags:        []string{"roots", "arithmetic"},
	Needs:       []string{"integer cube root", "k-th root of an integer", "is a number a perfect power", "largest integer whose k-th power is at most n"},
	Aliases:     []string{"iroot", "cbrt", "nth root", "cube root"},
	InputKinds:  []string{"integer"},
	Limits:      []events.Limit{digitsLimit("n", rootDigits, "")},
	Claimed:     capabilities.Computed,
	Preflight: func(in NthRootInput) error {
		if in.K < 1 {
			return capabilities.Invalid("/k", "an integer of at least 1", strconv.Itoa(in.K), "the first root is n itself")
		}
		if in.N.Sign() < 0 && in.K%2 == 0 {
			return capabilities.NotApplicable("/n", "a non-negative integer for even k", brief(in.N), "negative integers have no real roots of even degree")
		}
		return checkRoot(in.N)
	},
	Examples: []capabilities.Example{
		{Name: "cube root", Input: `{"k":3,"n":"30"}`, Output: `{"exact":false,"remainder":"3","root":"3"}`},
		{Name: "negative", Input: `{"k":3,"n":"-30"}`, Output: `{"exact":false,"remainder":"34","root":"-4"}`},
		{Name: "exact", Input: `{"k":5,"n":"-243"}`, Output: `{"exact":true,"remainder":"0","root":"-3"}`},
	},
	Run: capabilities.Func(func(_ context.Context, in NthRootInput) (RootOutput, error) {
		n := in.N.Big()
		r, exact := factor.Root(new(big.Int).Abs(n), in.K)
		if n.Sign() < 0 { // the floor is away from zero
			r.Neg(r)
			if !exact {
				r.Sub(r, big.NewInt(1))
			}
		}
		return rootOutput(n, r, in.K), nil
	}),
})

// SquareOutput gives the root of a square.
type SquareOutput struct {
	Square bool       `json:"square" doc:"whether n = r^2"`
	Root   values.Int `json:"root,omitzero" doc:"the non-negative r, if n is a square"`
}

var _ = capabilities.Define(pack, capabilities.Definition[NumberInput, SquareOutput]{
	ID:          "integer.decide.square",
	Title:       "is an integer a perfect square",
	Description: "Whether n = r^2 for an integer r >= 0, which is then returned. 0 is a square, negative integers are not.",
	Source:      "OEIS A000290",
	Tags:        []string{"roots"},
	Needs:       []string{"is a number a perfect square", "test for a square number", "does an integer have an integer square root", "square of which integer"},
	Aliases:     []string{"issquare", "is_square", "square number"},
	InputKinds:  []string{"integer"},
	Limits:      []events.Limit{digitsLimit("n", rootDigits, "")},
	Claimed:     capabilities.Computed,
	Preflight:   func(in NumberInput) error { return checkRoot(in.N) },
	Examples: []capabilities.Example{
		{Name: "square", Input: `{"n":"144"}`, Output: `{"root":"12","square":true}`},
		{Name: "not", Input: `{"n":"145"}`, Output: `{"square":false}`},
		{Name: "zero", Input: `{"n":"0"}`, Output: `{"root":"0","square":true}`},
		{Name: "negative", Input: `{"n":"-4"}`, Output: `{"square":false}`},
	},
	Run: capabilities.Decision(func(_ context.Context, in NumberInput) (SquareOutput, bool, error) {
		if in.N.Sign() < 0 {
			return SquareOutput{}, false, nil
		}
		n := in.N.Big()
		r := new(big.Int).Sqrt(n)
		if new(big.Int).Mul(r, r).Cmp(n) != 0 {
			return SquareOutput{}, false, nil
		}
		return SquareOutput{true, values.NewInt(r)}, true, nil
	}),
})
