package rational

import (
	"context"
	"math/big"
	"strconv"

	"github.com/jacobian-ledger/jacobian/capabilities"
	"github.com/jacobian-ledger/jacobian/capabilities/values"
	"github.com/jacobian-ledger/jacobian/events"
)

// continuedDigits bounds numerator and denominator: the expansion has up to about five terms a digit, and
// its convergents together are quadratic in the digits.
const continuedDigits = 500

// ContinuedFractionOutput is x = q0 + 1/(q1 + 1/(q2 + ...)).
type ContinuedFractionOutput struct {
	PartialQuotients []values.Int `json:"partial_quotients" doc:"q0 any integer, the others at least 1, the last at least 2 unless it is q0"`
	Convergents      []values.Rat `json:"convergents" doc:"the values of the first 1, 2, ... quotients; the last is x"`
}

var _ = capabilities.Define(pack, capabilities.Definition[NumberInput, ContinuedFractionOutput]{
	ID:          "rational.compute.continued_fraction",
	Title:       "continued fraction of a rational number",
	Description: "The finite simple continued fraction [q0; q1, ..., qn] of x by Euclid's algorithm, the one of the two forms whose last quotient is at least 2 for n >= 1, with all convergents.",
	Source:      "Hardy and Wright, An Introduction to the Theory of Numbers, chapter 10",
	Tags:        []string{"continued fractions", "approximation"},
	Needs:       []string{"continued fraction expansion of a rational number", "partial quotients of a fraction", "convergents of a fraction", "best rational approximations of a number"},
	Aliases:     []string{"cf", "contfrac", "convergents"},
	InputKinds:  []string{"rational"},
	Limits:      []events.Limit{{Name: "x_digits", Value: strconv.Itoa(continuedDigits), Note: "of numerator and denominator each"}},
	Claimed:     capabilities.Computed,
	Preflight: func(in NumberInput) error {
		for _, v := range []values.Int{in.X.Num(), in.X.Den()} {
			if d := len(new(big.Int).Abs(v.Big()).String()); d > continuedDigits {
				return capabilities.Exceeds("/x", "x_digits", strconv.Itoa(continuedDigits), strconv.Itoa(d), "round the number to a fraction with fewer digits")
			}
		}
		return nil
	},
	Examples: []capabilities.Example{
		{Name: "positive", Input: `{"x":"415/93"}`, Output: `{"convergents":[{"den":"1","num":"4"},{"den":"2","num":"9"},{"den":"13","num":"58"},{"den":"93","num":"415"}],"partial_quotients":["4","2","6","7"]}`},
		{Name: "negative", Input: `{"x":"-1/2"}`, Output: `{"convergents":[{"den":"1","num":"-1"},{"den":"2","num":"-1"}],"partial_quotients":["-1","2"]}`},
		{Name: "integer", Input: `{"x":"3"}`, Output: `{"convergents":[{"den":"1","num":"3"}],"partial_quotients":["3"]}`},
	},
	Run: capabilities.Func(func(_ context.Context, in NumberInput) (ContinuedFractionOutput, error) {
		return continuedFraction(in.X.Num().Big(), in.X.Den().Big()), nil
	}),
})

func continuedFraction(p, q *big.Int) ContinuedFractionOutput {
	out := ContinuedFractionOutput{[]values.Int{}, []values.Rat{}}
	h, h0 := big.NewInt(1), big.NewInt(0) // numerators of the last two convergents
	k, k0 := big.NewInt(0), big.NewInt(1) // and their denominators
	for q.Sign() != 0 {
		a, r := new(big.Int), new(big.Int)
		a.DivMod(p, q, r)
		h, h0 = new(big.Int).Add(new(big.Int).Mul(a, h), h0), h
		k, k0 = new(big.Int).Add(new(big.Int).Mul(a, k), k0), k
		out.PartialQuotients = append(out.PartialQuotients, values.NewInt(a))
		out.Convergents = append(out.Convergents, values.NewRat(new(big.Rat).SetFrac(h, k)))
		p, q = q, r
	}
	return out
}
