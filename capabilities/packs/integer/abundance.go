package integer

import (
	"math/big"

	"github.com/jacobian-ledger/jacobian/capabilities"
	"github.com/jacobian-ledger/jacobian/capabilities/packs/integer/factor"
	"github.com/jacobian-ledger/jacobian/capabilities/values"
)

// PerfectOutput compares n with the sum of its proper divisors.
type PerfectOutput struct {
	Perfect    bool       `json:"perfect" doc:"whether the aliquot sum equals n"`
	AliquotSum values.Int `json:"aliquot_sum" doc:"sum of the proper divisors"`
}

var _ = capabilities.Define(pack, capabilities.Definition[NumberInput, PerfectOutput]{
	ID:          "integer.decide.perfect",
	Title:       "is a number perfect",
	Description: "Whether n >= 1 is the sum of its proper divisors, that is sigma(n) = 2n.",
	Source:      "Euclid, Elements VII, definition 22; OEIS A000396",
	Tags:        []string{"divisors"},
	Needs:       []string{"is a number perfect", "test for a perfect number", "does a number equal the sum of its proper divisors", "perfect numbers"},
	Aliases:     []string{"perfect number"},
	InputKinds:  []string{"integer"},
	Limits:      factorLimits(),
	Claimed:     capabilities.Computed,
	Heavy:       true,
	Preflight:   factorablePositive,
	Examples: []capabilities.Example{
		{Name: "perfect", Input: `{"n":"28"}`, Output: `{"aliquot_sum":"28","perfect":true}`},
		{Name: "not", Input: `{"n":"27"}`, Output: `{"aliquot_sum":"13","perfect":false}`},
	},
	Run: decideByFactors(func(n *big.Int, powers []factor.PrimePower) (PerfectOutput, bool) {
		s := aliquotSum(n, powers)
		ok := s.Cmp(n) == 0
		return PerfectOutput{ok, values.NewInt(s)}, ok
	}),
})

// AbundantOutput compares n with the sum of its proper divisors.
type AbundantOutput struct {
	Abundant   bool       `json:"abundant" doc:"whether the aliquot sum is above n"`
	AliquotSum values.Int `json:"aliquot_sum" doc:"sum of the proper divisors"`
}

var _ = capabilities.Define(pack, capabilities.Definition[NumberInput, AbundantOutput]{
	ID:          "integer.decide.abundant",
	Title:       "is a number abundant",
	Description: "Whether the proper divisors of n >= 1 sum to more than n, that is sigma(n) > 2n.",
	Source:      "Nicomachus, Introduction to Arithmetic; OEIS A005101",
	Tags:        []string{"divisors"},
	Needs:       []string{"is a number abundant", "test for an abundant number", "is the sum of the proper divisors larger than the number", "excessive numbers"},
	Aliases:     []string{"abundant number", "excessive number"},
	InputKinds:  []string{"integer"},
	Limits:      factorLimits(),
	Claimed:     capabilities.Computed,
	Heavy:       true,
	Preflight:   factorablePositive,
	Examples: []capabilities.Example{
		{Name: "abundant", Input: `{"n":"12"}`, Output: `{"abundant":true,"aliquot_sum":"16"}`},
		{Name: "perfect is not", Input: `{"n":"6"}`, Output: `{"abundant":false,"aliquot_sum":"6"}`},
	},
	Run: decideByFactors(func(n *big.Int, powers []factor.PrimePower) (AbundantOutput, bool) {
		s := aliquotSum(n, powers)
		ok := s.Cmp(n) > 0
		return AbundantOutput{ok, values.NewInt(s)}, ok
	}),
})

// DeficientOutput compares n with the sum of its proper divisors.
type DeficientOutput struct {
	Deficient  bool       `json:"deficient" doc:"whether the aliquot sum is below n"`
	AliquotSum values.Int `json:"aliquot_sum" doc:"sum of the proper divisors"`
}

var _ = capabilities.Define(pack, capabilities.Definition[NumberInput, DeficientOutput]{
	ID:          "integer.decide.deficient",
	Title:       "is a number deficient",
	Description: "Whether the proper divisors of n >= 1 sum to less than n, that is sigma(n) < 2n.",
	Source:      "Nicomachus, Introduction to Arithmetic; OEIS A005100",
	Tags:        []string{"divisors"},
	Needs:       []string{"is a number deficient", "test for a deficient number", "is the sum of the proper divisors smaller than the number", "defective numbers"},
	Aliases:     []string{"deficient number", "defective number"},
	InputKinds:  []string{"integer"},
	Limits:      factorLimits(),
	Claimed:     capabilities.Computed,
	Heavy:       true,
	Preflight:   factorablePositive,
	Examples: []capabilities.Example{
		{Name: "deficient", Input: `{"n":"10"}`, Output: `{"aliquot_sum":"8","deficient":true}`},
		{Name: "not", Input: `{"n":"12"}`, Output: `{"aliquot_sum":"16","deficient":false}`},
	},
	Run: decideByFactors(func(n *big.Int, powers []factor.PrimePower) (DeficientOutput, bool) {
		s := aliquotSum(n, powers)
		ok := s.Cmp(n) < 0
		return DeficientOutput{ok, values.NewInt(s)}, ok
	}),
})
