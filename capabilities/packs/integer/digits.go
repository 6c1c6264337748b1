package integer

import (
	"context"
	"math/big"
	"slices"
	"strconv"

	"github.com/jacobian-ledger/jacobian/capabilities"
	"github.com/jacobian-ledger/jacobian/capabilities/values"
	"github.com/jacobian-ledger/jacobian/events"
)

// DigitSumOutput is the sum of the decimal digits of |n|.
type DigitSumOutput struct {
	DigitSum values.Int `json:"digit_sum" doc:"sum of the decimal digits of |n|"`
}

func decimal(n values.Int) string { return new(big.Int).Abs(n.Big()).String() }

var _ = capabilities.Define(pack, capabilities.Definition[NumberInput, DigitSumOutput]{
	ID:          "integer.compute.decimal_digit_sum",
	Title:       "sum of the decimal digits of an integer",
	Description: "The sum of the digits of |n| in base 10; congruent to |n| modulo 9.",
	Source:      "OEIS A007953",
	Tags:        []string{"digits"},
	Needs:       []string{"sum of the digits of a number", "add up the decimal digits", "digit sum of a large integer", "cross sum of a number"},
	Aliases:     []string{"digit sum", "digital sum", "crossfoot"},
	InputKinds:  []string{"integer"},
	Claimed:     capabilities.Computed,
	Examples: []capabilities.Example{
		{Name: "small", Input: `{"n":"2023"}`, Output: `{"digit_sum":"7"}`},
		{Name: "negative", Input: `{"n":"-99"}`, Output: `{"digit_sum":"18"}`},
	},
	Run: capabilities.Func(func(_ context.Context, in NumberInput) (DigitSumOutput, error) {
		sum := int64(0)
		for _, c := range decimal(in.N) {
			sum += int64(c - '0')
		}
		return DigitSumOutput{values.IntOf(sum)}, nil
	}),
})

// DigitCountOutput is the length of |n| in base 10.
type DigitCountOutput struct {
	DigitCount int `json:"digit_count" doc:"number of decimal digits of |n|; 1 for 0"`
}

var _ = capabilities.Define(pack, capabilities.Definition[NumberInput, DigitCountOutput]{
	ID:          "integer.compute.decimal_digit_count",
	Title:       "number of decimal digits of an integer",
	Description: "How many digits |n| has in base 10 without leading zeros; 0 has one.",
	Source:      "OEIS A055642",
	Tags:        []string{"digits"},
	Needs:       []string{"how many digits has a number", "count the decimal digits of an integer", "length of a number in base ten", "number of digits of a large integer"},
	Aliases:     []string{"digit count", "number length"},
	InputKinds:  []string{"integer"},
	Claimed:     capabilities.Computed,
	Examples: []capabilities.Example{
		{Name: "small", Input: `{"n":"-2023"}`, Output: `{"digit_count":4}`},
		{Name: "zero", Input: `{"n":"0"}`, Output: `{"digit_count":1}`},
	},
	Run: capabilities.Func(func(_ context.Context, in NumberInput) (DigitCountOutput, error) {
		return DigitCountOutput{len(decimal(in.N))}, nil
	}),
})

const (
	baseMost   = 1_000_000
	baseDigits = 10_000 // decimal digits of a number to be written in a base
)

// BaseDigitsInput asks for the digits of n in a base.
type BaseDigitsInput struct {
	N    values.Int `json:"n" doc:"the integer"`
	Base int        `json:"base" doc:"from 2 to 1000000"`
}

// BaseDigitsOutput is n = sign · Σ digit·base^position.
type BaseDigitsOutput struct {
	Sign   int   `json:"sign" doc:"-1, 0 or 1"`
	Digits []int `json:"digits" doc:"most significant first, each from 0 to base - 1; [0] for 0"`
}

var _ = capabilities.Define(pack, capabilities.Definition[BaseDigitsInput, BaseDigitsOutput]{
	ID:          "integer.transform.base_digits",
	Title:       "digits of an integer in a base",
	Description: "The positional digits of |n| in a base from 2 to 1000000, most significant first, and the sign of n.",
	Source:      "Knuth, The Art of Computer Programming 2, 4.1 and 4.4",
	Tags:        []string{"digits", "bases"},
	Needs:       []string{"write a number in another base", "convert an integer to binary", "digits of a number in base b", "hexadecimal digits", "radix conversion"},
	Aliases:     []string{"base conversion", "radix", "binary", "to base"},
	InputKinds:  []string{"integer"},
	Limits:      []events.Limit{digitsLimit("n", baseDigits, ""), {Name: "base", Value: strconv.Itoa(baseMost)}},
	Claimed:     capabilities.Computed,
	Preflight: func(in BaseDigitsInput) error {
		if in.Base < 2 {
			return capabilities.Invalid("/base", "an integer from 2 to 1000000", strconv.Itoa(in.Base), "the usual bases are 2, 10 and 16")
		}
		if in.Base > baseMost {
			return capabilities.Exceeds("/base", "base", strconv.Itoa(baseMost), strconv.Itoa(in.Base), "use a smaller base")
		}
		return checkDigits("n", baseDigits, in.N, "")
	},
	Examples: []capabilities.Example{
		{Name: "binary", Input: `{"base":2,"n":"10"}`, Output: `{"digits":[1,0,1,0],"sign":1}`},
		{Name: "negative", Input: `{"base":16,"n":"-255"}`, Output: `{"digits":[15,15],"sign":-1}`},
		{Name: "zero", Input: `{"base":7,"n":"0"}`, Output: `{"digits":[0],"sign":0}`},
	},
	Run: capabilities.Func(func(_ context.Context, in BaseDigitsInput) (BaseDigitsOutput, error) {
		n, base, r := new(big.Int).Abs(in.N.Big()), big.NewInt(int64(in.Base)), new(big.Int)
		digits := []int{}
		for n.Sign() > 0 {
			n.QuoRem(n, base, r)
			digits = append(digits, int(r.Int64()))
		}
		if len(digits) == 0 {
			digits = append(digits, 0)
		}
		slices.Reverse(digits)
		return BaseDigitsOutput{in.N.Sign(), digits}, nil
	}),
})
