package integer

import (
	"math/big"
	"slices"
	"strconv"

	"github.com/jacobian-ledger/jacobian/capabilities"
	"github.com/jacobian-ledger/jacobian/capabilities/packs/integer/factor"
	"github.com/jacobian-ledger/jacobian/capabilities/values"
	"github.com/jacobian-ledger/jacobian/events"
)

const divisorsMost = 10_000 // divisors listed in one answer

// DivisorsOutput lists positive divisors in ascending order.
type DivisorsOutput struct {
	Divisors []values.Int `json:"divisors" doc:"positive, ascending"`
}

// DivisorCount is τ(n) = Π (e+1).
func divisorCount(powers []factor.PrimePower) *big.Int {
	count := big.NewInt(1)
	for _, p := range powers {
		count.Mul(count, big.NewInt(int64(p.Exponent)+1))
	}
	return count
}

// divisorSum is σ(n) = Π (p^(e+1) − 1)/(p − 1), summed by Horner's rule.
func divisorSum(powers []factor.PrimePower) *big.Int {
	sum := big.NewInt(1)
	for _, p := range powers {
		s := big.NewInt(1)
		for range p.Exponent {
			s.Mul(s, p.Prime)
			s.Add(s, big.NewInt(1))
		}
		sum.Mul(sum, s)
	}
	return sum
}

func listDivisors(powers []factor.PrimePower) ([]*big.Int, error) {
	if count := divisorCount(powers); count.Cmp(big.NewInt(divisorsMost)) > 0 {
		return nil, capabilities.Exceeds("/n", "divisors", strconv.Itoa(divisorsMost), count.String(), "use integer.compute.divisor_count or divisor_sum")
	}
	list := []*big.Int{big.NewInt(1)}
	for _, p := range powers {
		size := len(list)
		for power, k := new(big.Int).Set(p.Prime), 0; k < p.Exponent; k++ {
			for _, d := range list[:size] {
				list = append(list, new(big.Int).Mul(d, power))
			}
			power.Mul(power, p.Prime)
		}
	}
	slices.SortFunc(list, (*big.Int).Cmp)
	return list, nil
}

func integers(list []*big.Int) []values.Int {
	out := make([]values.Int, 0, len(list))
	for _, x := range list {
		out = append(out, values.NewInt(x))
	}
	return out
}

func divisorLimits() []events.Limit {
	return append(factorLimits(), events.Limit{Name: "divisors", Value: strconv.Itoa(divisorsMost), Note: "numbers with more are refused after factoring"})
}

var _ = capabilities.Define(pack, capabilities.Definition[NumberInput, DivisorsOutput]{
	ID:          "integer.compute.divisors",
	Title:       "all divisors of an integer",
	Description: "The positive divisors of a nonzero integer in ascending order, from its factorization with proved primes.",
	Source:      "Euclid, Elements VII; OEIS A027750",
	Tags:        []string{"divisibility", "divisors"},
	Needs:       []string{"list all divisors of a number", "all factors of an integer", "which integers divide n", "enumerate the divisors"},
	Aliases:     []string{"divisors", "factors list", "all factors"},
	InputKinds:  []string{"integer"},
	Limits:      divisorLimits(),
	Claimed:     capabilities.Computed,
	Heavy:       true,
	Preflight:   factorable,
	Examples: []capabilities.Example{
		{Name: "small", Input: `{"n":"12"}`, Output: `{"divisors":["1","2","3","4","6","12"]}`},
		{Name: "negative", Input: `{"n":"-7"}`, Output: `{"divisors":["1","7"]}`},
		{Name: "one", Input: `{"n":"1"}`, Output: `{"divisors":["1"]}`},
	},
	Run: byFactors(func(_ *big.Int, powers []factor.PrimePower) (DivisorsOutput, error) {
		list, err := listDivisors(powers)
		return DivisorsOutput{integers(list)}, err
	}),
})

var _ = capabilities.Define(pack, capabilities.Definition[NumberInput, DivisorsOutput]{
	ID:          "integer.compute.proper_divisors",
	Title:       "proper divisors of an integer",
	Description: "The positive divisors of a nonzero integer other than its absolute value, in ascending order; 1 has none.",
	Source:      "Euclid, Elements VII, definition 22; OEIS A027751",
	Tags:        []string{"divisibility", "divisors"},
	Needs:       []string{"proper divisors of a number", "divisors of n other than n", "aliquot parts of an integer", "factors excluding the number itself"},
	Aliases:     []string{"proper divisors", "aliquot parts", "aliquot divisors"},
	InputKinds:  []string{"integer"},
	Limits:      divisorLimits(),
	Claimed:     capabilities.Computed,
	Heavy:       true,
	Preflight:   factorable,
	Examples: []capabilities.Example{
		{Name: "small", Input: `{"n":"12"}`, Output: `{"divisors":["1","2","3","4","6"]}`},
		{Name: "one", Input: `{"n":"1"}`, Output: `{"divisors":[]}`},
	},
	Run: byFactors(func(_ *big.Int, powers []factor.PrimePower) (DivisorsOutput, error) {
		list, err := listDivisors(powers)
		if err != nil {
			return DivisorsOutput{}, err
		}
		return DivisorsOutput{integers(list[:len(list)-1])}, nil
	}),
})

// DivisorCountOutput is τ(n).
type DivisorCountOutput struct {
	DivisorCount values.Int `json:"divisor_count" doc:"number of positive divisors"`
}

var _ = capabilities.Define(pack, capabilities.Definition[NumberInput, DivisorCountOutput]{
	ID:          "integer.compute.divisor_count",
	Title:       "number of divisors of an integer",
	Description: "tau(n) = product of (e + 1) over the prime powers p^e of a nonzero integer: how many positive divisors it has.",
	Source:      "Hardy and Wright, An Introduction to the Theory of Numbers, 16.7; OEIS A000005",
	Tags:        []string{"divisors", "arithmetic functions"},
	Needs:       []string{"how many divisors has a number", "number of divisors function", "count the factors of an integer", "tau of n"},
	Aliases:     []string{"tau", "sigma_0", "d(n)", "numdiv"},
	InputKinds:  []string{"integer"},
	Limits:      factorLimits(),
	Claimed:     capabilities.Computed,
	Heavy:       true,
	Preflight:   factorable,
	Examples: []capabilities.Example{
		{Name: "small", Input: `{"n":"12"}`, Output: `{"divisor_count":"6"}`},
		{Name: "C-52", Input: `{"n":"65214507758400"}`, Output: `{"divisor_count":"16128"}`},
	},
	Run: byFactors(func(_ *big.Int, powers []factor.PrimePower) (DivisorCountOutput, error) {
		return DivisorCountOutput{values.NewInt(divisorCount(powers))}, nil
	}),
})

// DivisorSumOutput is σ(n).
type DivisorSumOutput struct {
	DivisorSum values.Int `json:"divisor_sum" doc:"sum of the positive divisors"`
}

var _ = capabilities.Define(pack, capabilities.Definition[NumberInput, DivisorSumOutput]{
	ID:          "integer.compute.divisor_sum",
	Title:       "sum of the divisors of an integer",
	Description: "sigma(n): the sum of the positive divisors of a nonzero integer, n itself included.",
	Source:      "Hardy and Wright, An Introduction to the Theory of Numbers, 16.7; OEIS A000203",
	Tags:        []string{"divisors", "arithmetic functions"},
	Needs:       []string{"sum of the divisors of a number", "sigma function", "add all factors of an integer", "sum of divisors"},
	Aliases:     []string{"sigma", "sigma_1", "divisor function"},
	InputKinds:  []string{"integer"},
	Limits:      factorLimits(),
	Claimed:     capabilities.Computed,
	Heavy:       true,
	Preflight:   factorable,
	Examples: []capabilities.Example{
		{Name: "small", Input: `{"n":"12"}`, Output: `{"divisor_sum":"28"}`},
		{Name: "one", Input: `{"n":"1"}`, Output: `{"divisor_sum":"1"}`},
	},
	Run: byFactors(func(_ *big.Int, powers []factor.PrimePower) (DivisorSumOutput, error) {
		return DivisorSumOutput{values.NewInt(divisorSum(powers))}, nil
	}),
})

// AliquotSumOutput is s(n) = σ(n) − n.
type AliquotSumOutput struct {
	AliquotSum values.Int `json:"aliquot_sum" doc:"sum of the proper divisors"`
}

func aliquotSum(n *big.Int, powers []factor.PrimePower) *big.Int {
	s := divisorSum(powers)
	return s.Sub(s, n)
}

var _ = capabilities.Define(pack, capabilities.Definition[NumberInput, AliquotSumOutput]{
	ID:          "integer.compute.aliquot_sum",
	Title:       "sum of the proper divisors of an integer",
	Description: "s(n) = sigma(n) - n: the sum of the divisors of n >= 1 other than n; 0 for n = 1.",
	Source:      "OEIS A001065",
	Tags:        []string{"divisors", "arithmetic functions"},
	Needs:       []string{"sum of the proper divisors", "aliquot sum of a number", "next term of an aliquot sequence", "restricted divisor function", "amicable numbers"},
	Aliases:     []string{"aliquot sum", "s(n)"},
	InputKinds:  []string{"integer"},
	Limits:      factorLimits(),
	Claimed:     capabilities.Computed,
	Heavy:       true,
	Preflight:   factorablePositive,
	Examples: []capabilities.Example{
		{Name: "amicable", Input: `{"n":"220"}`, Output: `{"aliquot_sum":"284"}`},
		{Name: "one", Input: `{"n":"1"}`, Output: `{"aliquot_sum":"0"}`},
	},
	Run: byFactors(func(n *big.Int, powers []factor.PrimePower) (AliquotSumOutput, error) {
		return AliquotSumOutput{values.NewInt(aliquotSum(n, powers))}, nil
	}),
})
