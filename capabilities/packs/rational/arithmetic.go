package rational

import (
	"context"
	"math/big"

	"github.com/jacobian-ledger/jacobian/capabilities"
	"github.com/jacobian-ledger/jacobian/capabilities/values"
)

const field = "van der Waerden, Algebra I, 3.3 (the field of fractions)"

// SumOutput is a + b.
type SumOutput struct {
	Sum values.Rat `json:"sum" doc:"a + b in lowest terms"`
}

var _ = capabilities.Define(pack, capabilities.Definition[PairInput, SumOutput]{
	ID:          "rational.compute.sum",
	Title:       "sum of two rational numbers",
	Description: "a + b, exact and in lowest terms.",
	Source:      field,
	Tags:        []string{"arithmetic", "fractions"},
	Needs:       []string{"add two fractions", "sum of rational numbers", "exact addition without rounding", "a plus b as a fraction"},
	Aliases:     []string{"add", "plus", "+"},
	InputKinds:  []string{"rational"},
	Claimed:     capabilities.Computed,
	Examples: []capabilities.Example{
		{Name: "fractions", Input: `{"a":"1/2","b":"1/3"}`, Output: `{"sum":{"den":"6","num":"5"}}`},
		{Name: "to an integer", Input: `{"a":"1/2","b":{"den":"2","num":"1"}}`, Output: `{"sum":{"den":"1","num":"1"}}`},
	},
	Run: capabilities.Func(func(_ context.Context, in PairInput) (SumOutput, error) {
		return SumOutput{rat(new(big.Rat).Add(in.A.Big(), in.B.Big()))}, nil
	}),
})

// DifferenceOutput is a − b.
type DifferenceOutput struct {
	Difference values.Rat `json:"difference" doc:"a - b in lowest terms"`
}

var _ = capabilities.Define(pack, capabilities.Definition[PairInput, DifferenceOutput]{
	ID:          "rational.compute.difference",
	Title:       "difference of two rational numbers",
	Description: "a - b, exact and in lowest terms.",
	Source:      field,
	Tags:        []string{"arithmetic", "fractions"},
	Needs:       []string{"subtract two fractions", "difference of rational numbers", "exact subtraction", "a minus b as a fraction"},
	Aliases:     []string{"subtract", "minus", "-"},
	InputKinds:  []string{"rational"},
	Claimed:     capabilities.Computed,
	Examples:    []capabilities.Example{{Name: "fractions", Input: `{"a":"1/2","b":"2/3"}`, Output: `{"difference":{"den":"6","num":"-1"}}`}},
	Run: capabilities.Func(func(_ context.Context, in PairInput) (DifferenceOutput, error) {
		return DifferenceOutput{rat(new(big.Rat).Sub(in.A.Big(), in.B.Big()))}, nil
	}),
})

// ProductOutput is a · b.
type ProductOutput struct {
	Product values.Rat `json:"product" doc:"a times b in lowest terms"`
}

var _ = capabilities.Define(pack, capabilities.Definition[PairInput, ProductOutput]{
	ID:          "rational.compute.product",
	Title:       "product of two rational numbers",
	Description: "a·b, exact and in lowest terms.",
	Source:      field,
	Tags:        []string{"arithmetic", "fractions"},
	Needs:       []string{"multiply two fractions", "product of rational numbers", "exact multiplication", "a times b as a fraction"},
	Aliases:     []string{"multiply", "times", "*"},
	InputKinds:  []string{"rational"},
	Claimed:     capabilities.Computed,
	Examples:    []capabilities.Example{{Name: "fractions", Input: `{"a":"-2/3","b":"3/4"}`, Output: `{"product":{"den":"2","num":"-1"}}`}},
	Run: capabilities.Func(func(_ context.Context, in PairInput) (ProductOutput, error) {
		return ProductOutput{rat(new(big.Rat).Mul(in.A.Big(), in.B.Big()))}, nil
	}),
})

// QuotientOutput is a / b.
type QuotientOutput struct {
	Quotient values.Rat `json:"quotient" doc:"a divided by b in lowest terms"`
}

func checkNonzero(member string, x values.Rat) error {
	if x.Sign() == 0 {
		return capabilities.NotApplicable("/"+member, "a nonzero rational number", "0", "0 has no reciprocal")
	}
	return nil
}

var _ = capabilities.Define(pack, capabilities.Definition[PairInput, QuotientOutput]{
	ID:          "rational.compute.quotient",
	Title:       "quotient of two rational numbers",
	Description: "a/b for b other than 0, exact and in lowest terms.",
	Source:      field,
	Tags:        []string{"arithmetic", "fractions"},
	Needs:       []string{"divide two fractions", "quotient of rational numbers", "exact division", "reduce a fraction to lowest terms"},
	Aliases:     []string{"divide", "over", "/"},
	InputKinds:  []string{"rational"},
	Claimed:     capabilities.Computed,
	Preflight:   func(in PairInput) error { return checkNonzero("b", in.B) },
	Examples:    []capabilities.Example{{Name: "fractions", Input: `{"a":"1/2","b":"-3/4"}`, Output: `{"quotient":{"den":"3","num":"-2"}}`}},
	Run: capabilities.Func(func(_ context.Context, in PairInput) (QuotientOutput, error) {
		return QuotientOutput{rat(new(big.Rat).Quo(in.A.Big(), in.B.Big()))}, nil
	}),
})

// ReciprocalOutput is 1/x.
type ReciprocalOutput struct {
	Reciprocal values.Rat `json:"reciprocal" doc:"1/x in lowest terms"`
}

var _ = capabilities.Define(pack, capabilities.Definition[NumberInput, ReciprocalOutput]{
	ID:          "rational.compute.reciprocal",
	Title:       "reciprocal of a rational number",
	Description: "1/x for x other than 0.",
	Source:      field,
	Tags:        []string{"arithmetic", "fractions"},
	Needs:       []string{"reciprocal of a fraction", "multiplicative inverse of a rational", "one divided by a number", "invert a fraction"},
	Aliases:     []string{"inverse", "1/x"},
	InputKinds:  []string{"rational"},
	Claimed:     capabilities.Computed,
	Preflight:   func(in NumberInput) error { return checkNonzero("x", in.X) },
	Examples:    []capabilities.Example{{Name: "negative", Input: `{"x":"-2/3"}`, Output: `{"reciprocal":{"den":"2","num":"-3"}}`}},
	Run: capabilities.Func(func(_ context.Context, in NumberInput) (ReciprocalOutput, error) {
		return ReciprocalOutput{rat(new(big.Rat).Inv(in.X.Big()))}, nil
	}),
})

// NegationOutput is −x.
type NegationOutput struct {
	Negation values.Rat `json:"negation" doc:"minus x"`
}

var _ = capabilities.Define(pack, capabilities.Definition[NumberInput, NegationOutput]{
	ID:          "rational.compute.negation",
	Title:       "negation of a rational number",
	Description: "-x, the additive inverse.",
	Source:      field,
	Tags:        []string{"arithmetic", "fractions"},
	Needs:       []string{"negate a fraction", "additive inverse of a rational", "minus a number", "change the sign of a fraction"},
	Aliases:     []string{"neg", "opposite", "-x"},
	InputKinds:  []string{"rational"},
	Claimed:     capabilities.Computed,
	Examples:    []capabilities.Example{{Name: "fraction", Input: `{"x":"2/3"}`, Output: `{"negation":{"den":"3","num":"-2"}}`}},
	Run: capabilities.Func(func(_ context.Context, in NumberInput) (NegationOutput, error) {
		return NegationOutput{rat(new(big.Rat).Neg(in.X.Big()))}, nil
	}),
})

// MediantOutput is the mediant.
type MediantOutput struct {
	Mediant values.Rat `json:"mediant" doc:"(p + r)/(q + s) in lowest terms"`
}

var _ = capabilities.Define(pack, capabilities.Definition[PairInput, MediantOutput]{
	ID:          "rational.compute.mediant",
	Title:       "mediant of two fractions",
	Description: "(p + r)/(q + s) for a = p/q and b = r/s in lowest terms; it lies between a and b. The mediant depends on the form of its fractions, which is why they are reduced first.",
	Source:      "Hardy and Wright, An Introduction to the Theory of Numbers, 3.1 (Farey series)",
	Tags:        []string{"fractions", "farey"},
	Needs:       []string{"mediant of two fractions", "Farey sequence insertion", "Stern-Brocot tree child", "fraction between two fractions with least denominator"},
	Aliases:     []string{"mediant", "farey", "freshman sum"},
	InputKinds:  []string{"rational"},
	Claimed:     capabilities.Computed,
	Examples: []capabilities.Example{
		{Name: "Farey neighbours", Input: `{"a":"1/2","b":"2/3"}`, Output: `{"mediant":{"den":"5","num":"3"}}`},
		{Name: "reduced first", Input: `{"a":"2/4","b":"1/3"}`, Output: `{"mediant":{"den":"5","num":"2"}}`},
	},
	Run: capabilities.Func(func(_ context.Context, in PairInput) (MediantOutput, error) {
		num := new(big.Int).Add(in.A.Num().Big(), in.B.Num().Big())
		den := new(big.Int).Add(in.A.Den().Big(), in.B.Den().Big())
		return MediantOutput{rat(new(big.Rat).SetFrac(num, den))}, nil
	}),
})
