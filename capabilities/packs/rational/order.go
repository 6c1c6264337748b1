package rational

import (
	"context"
	"math/big"

	"github.com/jacobian-ledger/jacobian/capabilities"
	"github.com/jacobian-ledger/jacobian/capabilities/values"
)

// AbsoluteValueOutput is |x|.
type AbsoluteValueOutput struct {
	AbsoluteValue values.Rat `json:"absolute_value" doc:"x without its sign"`
}

var _ = capabilities.Define(pack, capabilities.Definition[NumberInput, AbsoluteValueOutput]{
	ID:          "rational.compute.absolute_value",
	Title:       "absolute value of a rational number",
	Description: "|x| = x if x >= 0, otherwise -x.",
	Source:      field,
	Tags:        []string{"arithmetic", "order"},
	Needs:       []string{"absolute value of a fraction", "magnitude of a rational number", "distance of a fraction from zero", "remove the sign of a fraction"},
	Aliases:     []string{"abs", "|x|"},
	InputKinds:  []string{"rational"},
	Claimed:     capabilities.Computed,
	Examples:    []capabilities.Example{{Name: "negative", Input: `{"x":"-2/3"}`, Output: `{"absolute_value":{"den":"3","num":"2"}}`}},
	Run: capabilities.Func(func(_ context.Context, in NumberInput) (AbsoluteValueOutput, error) {
		return AbsoluteValueOutput{rat(new(big.Rat).Abs(in.X.Big()))}, nil
	}),
})

// FloorOutput is the floor.
type FloorOutput struct {
	Floor values.Int `json:"floor" doc:"the greatest integer at most x"`
}

// floor is ⌊x⌋: Euclidean division is floor division, as denominators are positive.
func floor(x *big.Rat) *big.Int { return new(big.Int).Div(x.Num(), x.Denom()) }

var _ = capabilities.Define(pack, capabilities.Definition[NumberInput, FloorOutput]{
	ID:          "rational.compute.floor",
	Title:       "floor of a rational number",
	Description: "The greatest integer at most x; for negative x that is away from zero.",
	Source:      "K. Iverson, A Programming Language (1962)",
	Tags:        []string{"rounding", "order"},
	Needs:       []string{"floor of a fraction", "round a rational number down", "integer part of a fraction", "greatest integer function"},
	Aliases:     []string{"floor", "entier", "round down"},
	InputKinds:  []string{"rational"},
	Claimed:     capabilities.Computed,
	Examples: []capabilities.Example{
		{Name: "positive", Input: `{"x":"7/2"}`, Output: `{"floor":"3"}`},
		{Name: "negative", Input: `{"x":"-7/2"}`, Output: `{"floor":"-4"}`},
	},
	Run: capabilities.Func(func(_ context.Context, in NumberInput) (FloorOutput, error) {
		return FloorOutput{values.NewInt(floor(in.X.Big()))}, nil
	}),
})

// CeilingOutput is the ceiling.
type CeilingOutput struct {
	Ceiling values.Int `json:"ceiling" doc:"the least integer at least x"`
}

var _ = capabilities.Define(pack, capabilities.Definition[NumberInput, CeilingOutput]{
	ID:          "rational.compute.ceiling",
	Title:       "ceiling of a rational number",
	Description: "The least integer at least x; for negative x that is towards zero.",
	Source:      "K. Iverson, A Programming Language (1962)",
	Tags:        []string{"rounding", "order"},
	Needs:       []string{"ceiling of a fraction", "round a rational number up", "least integer not below a fraction", "division rounded up"},
	Aliases:     []string{"ceil", "round up"},
	InputKinds:  []string{"rational"},
	Claimed:     capabilities.Computed,
	Examples: []capabilities.Example{
		{Name: "positive", Input: `{"x":"7/2"}`, Output: `{"ceiling":"4"}`},
		{Name: "negative", Input: `{"x":"-7/2"}`, Output: `{"ceiling":"-3"}`},
	},
	Run: capabilities.Func(func(_ context.Context, in NumberInput) (CeilingOutput, error) {
		x := in.X.Big()
		c := floor(x.Neg(x))
		return CeilingOutput{values.NewInt(c.Neg(c))}, nil
	}),
})

// MinimumOutput is the smaller one.
type MinimumOutput struct {
	Minimum values.Rat `json:"minimum" doc:"the smaller of the two"`
}

var _ = capabilities.Define(pack, capabilities.Definition[PairInput, MinimumOutput]{
	ID:          "rational.compute.minimum",
	Title:       "smaller of two rational numbers",
	Description: "min(a, b) in the usual order of the rational numbers.",
	Source:      field,
	Tags:        []string{"order"},
	Needs:       []string{"minimum of two fractions", "smaller of two rational numbers", "which fraction is smaller", "least of two numbers"},
	Aliases:     []string{"min"},
	InputKinds:  []string{"rational"},
	Claimed:     capabilities.Computed,
	Examples:    []capabilities.Example{{Name: "fractions", Input: `{"a":"2/3","b":"3/5"}`, Output: `{"minimum":{"den":"5","num":"3"}}`}},
	Run: capabilities.Func(func(_ context.Context, in PairInput) (MinimumOutput, error) {
		if in.B.Cmp(in.A) < 0 {
			return MinimumOutput{in.B}, nil
		}
		return MinimumOutput{in.A}, nil
	}),
})

// MaximumOutput is the larger one.
type MaximumOutput struct {
	Maximum values.Rat `json:"maximum" doc:"the larger of the two"`
}

var _ = capabilities.Define(pack, capabilities.Definition[PairInput, MaximumOutput]{
	ID:          "rational.compute.maximum",
	Title:       "larger of two rational numbers",
	Description: "max(a, b) in the usual order of the rational numbers.",
	Source:      field,
	Tags:        []string{"order"},
	Needs:       []string{"maximum of two fractions", "larger of two rational numbers", "which fraction is larger", "greatest of two numbers"},
	Aliases:     []string{"max"},
	InputKinds:  []string{"rational"},
	Claimed:     capabilities.Computed,
	Examples:    []capabilities.Example{{Name: "fractions", Input: `{"a":"2/3","b":"3/5"}`, Output: `{"maximum":{"den":"3","num":"2"}}`}},
	Run: capabilities.Func(func(_ context.Context, in PairInput) (MaximumOutput, error) {
		if in.B.Cmp(in.A) > 0 {
			return MaximumOutput{in.B}, nil
		}
		return MaximumOutput{in.A}, nil
	}),
})

// EqualOutput compares.
type EqualOutput struct {
	Equal bool `json:"equal" doc:"whether a = b"`
}

var _ = capabilities.Define(pack, capabilities.Definition[PairInput, EqualOutput]{
	ID:          "rational.decide.equal",
	Title:       "are two rational numbers equal",
	Description: "Whether a = b as numbers, whatever the forms in which they are written.",
	Source:      field,
	Tags:        []string{"order"},
	Needs:       []string{"are two fractions equal", "compare rational numbers for equality", "is p/q the same as r/s", "check an identity of fractions"},
	Aliases:     []string{"equal", "=="},
	InputKinds:  []string{"rational"},
	Claimed:     capabilities.Computed,
	Examples: []capabilities.Example{
		{Name: "equal", Input: `{"a":"2/4","b":"1/2"}`, Output: `{"equal":true}`},
		{Name: "not", Input: `{"a":"1/3","b":"333333333/1000000000"}`, Output: `{"equal":false}`},
	},
	Run: capabilities.Decision(func(_ context.Context, in PairInput) (EqualOutput, bool, error) {
		ok := in.A.Cmp(in.B) == 0
		return EqualOutput{ok}, ok, nil
	}),
})

// LessThanOutput compares.
type LessThanOutput struct {
	LessThan bool `json:"less_than" doc:"whether a < b"`
}

var _ = capabilities.Define(pack, capabilities.Definition[PairInput, LessThanOutput]{
	ID:          "rational.decide.less_than",
	Title:       "is one rational number below another",
	Description: "Whether a < b in the usual order of the rational numbers, by comparing cross products.",
	Source:      field,
	Tags:        []string{"order"},
	Needs:       []string{"is a fraction smaller than another", "compare two rational numbers", "strict inequality of fractions", "order of two fractions"},
	Aliases:     []string{"less", "<"},
	InputKinds:  []string{"rational"},
	Claimed:     capabilities.Computed,
	Examples: []capabilities.Example{
		{Name: "less", Input: `{"a":"-1/2","b":"1/3"}`, Output: `{"less_than":true}`},
		{Name: "equal is not less", Input: `{"a":"1/2","b":"2/4"}`, Output: `{"less_than":false}`},
	},
	Run: capabilities.Decision(func(_ context.Context, in PairInput) (LessThanOutput, bool, error) {
		ok := in.A.Cmp(in.B) < 0
		return LessThanOutput{ok}, ok, nil
	}),
})
