package integer

import (
	"context"
	"math/big"

	"github.com/jacobian-ledger/jacobian/capabilities"
	"github.com/jacobian-ledger/jacobian/capabilities/values"
)

// AbsoluteValueOutput is |n|.
type AbsoluteValueOutput struct {
	AbsoluteValue values.Int `json:"absolute_value" doc:"n without its sign"`
}

var _ = capabilities.Define(pack, capabilities.Definition[NumberInput, AbsoluteValueOutput]{
	ID:          "integer.compute.absolute_value",
	Title:       "absolute value of an integer",
	Description: "|n| = n if n >= 0, otherwise -n.",
	Source:      "OEIS A001477",
	Tags:        []string{"arithmetic"},
	Needs:       []string{"absolute value of an integer", "magnitude of a number", "remove the sign of a number", "distance of an integer from zero"},
	Aliases:     []string{"abs", "modulus of a number", "|n|"},
	InputKinds:  []string{"integer"},
	Claimed:     capabilities.Computed,
	Examples: []capabilities.Example{
		{Name: "negative", Input: `{"n":"-7108510333361982070"}`, Output: `{"absolute_value":"7108510333361982070"}`},
		{Name: "zero", Input: `{"n":"0"}`, Output: `{"absolute_value":"0"}`},
	},
	Run: capabilities.Func(func(_ context.Context, in NumberInput) (AbsoluteValueOutput, error) {
		return AbsoluteValueOutput{values.NewInt(new(big.Int).Abs(in.N.Big()))}, nil
	}),
})

// SignOutput is −1, 0 or 1.
type SignOutput struct {
	Sign int `json:"sign" doc:"-1, 0 or 1"`
}

var _ = capabilities.Define(pack, capabilities.Definition[NumberInput, SignOutput]{
	ID:          "integer.compute.sign",
	Title:       "sign of an integer",
	Description: "1 if n > 0, 0 if n = 0, -1 if n < 0.",
	Source:      "OEIS A057427",
	Tags:        []string{"arithmetic"},
	Needs:       []string{"sign of an integer", "is a number positive or negative", "signum function", "is an integer zero"},
	Aliases:     []string{"sgn", "signum"},
	InputKinds:  []string{"integer"},
	Claimed:     capabilities.Computed,
	Examples: []capabilities.Example{
		{Name: "negative", Input: `{"n":"-12"}`, Output: `{"sign":-1}`},
		{Name: "zero", Input: `{"n":"0"}`, Output: `{"sign":0}`},
		{Name: "positive", Input: `{"n":"9007199254740993"}`, Output: `{"sign":1}`},
	},
	Run: capabilities.Func(func(_ context.Context, in NumberInput) (SignOutput, error) {
		return SignOutput{in.N.Sign()}, nil
	}),
})

// EvenOutput is the parity.
type EvenOutput struct {
	Even bool `json:"even" doc:"whether 2 divides n"`
}

var _ = capabilities.Define(pack, capabilities.Definition[NumberInput, EvenOutput]{
	ID:          "integer.decide.even",
	Title:       "is an integer even",
	Description: "Whether n = 2k for an integer k; 0 is even.",
	Source:      "Euclid, Elements VII, definition 6; OEIS A005843",
	Tags:        []string{"parity"},
	Needs:       []string{"is a number even", "parity of an integer", "is n divisible by two", "does 2 divide n"},
	Aliases:     []string{"even", "parity", "iseven"},
	InputKinds:  []string{"integer"},
	Claimed:     capabilities.Computed,
	Examples: []capabilities.Example{
		{Name: "even", Input: `{"n":"-4"}`, Output: `{"even":true}`},
		{Name: "odd", Input: `{"n":"7"}`, Output: `{"even":false}`},
	},
	Run: capabilities.Decision(func(_ context.Context, in NumberInput) (EvenOutput, bool, error) {
		ok := in.N.Big().Bit(0) == 0
		return EvenOutput{ok}, ok, nil
	}),
})

// OddOutput is the parity.
type OddOutput struct {
	Odd bool `json:"odd" doc:"whether n = 2k + 1"`
}

var _ = capabilities.Define(pack, capabilities.Definition[NumberInput, OddOutput]{
	ID:          "integer.decide.odd",
	Title:       "is an integer odd",
	Description: "Whether n = 2k + 1 for an integer k.",
	Source:      "Euclid, Elements VII, definition 7; OEIS A005408",
	Tags:        []string{"parity"},
	Needs:       []string{"is a number odd", "parity of an integer", "is n not divisible by two", "odd integer test"},
	Aliases:     []string{"odd", "parity", "isodd"},
	InputKinds:  []string{"integer"},
	Claimed:     capabilities.Computed,
	Examples: []capabilities.Example{
		{Name: "odd", Input: `{"n":"-7"}`, Output: `{"odd":true}`},
		{Name: "even", Input: `{"n":"0"}`, Output: `{"odd":false}`},
	},
	Run: capabilities.Decision(func(_ context.Context, in NumberInput) (OddOutput, bool, error) {
		ok := in.N.Big().Bit(0) == 1
		return OddOutput{ok}, ok, nil
	}),
})
