package integer

import (
	"math/big"

	"github.com/jacobian-ledger/jacobian/capabilities"
	"github.com/jacobian-ledger/jacobian/capabilities/packs/integer/factor"
	"github.com/jacobian-ledger/jacobian/capabilities/values"
)

// RadicalOutput is Π p over the primes of n.
type RadicalOutput struct {
	Radical values.Int `json:"radical" doc:"product of the distinct primes"`
}

var _ = capabilities.Define(pack, capabilities.Definition[NumberInput, RadicalOutput]{
	ID:          "integer.compute.radical",
	Title:       "radical of an integer",
	Description: "rad(n): the product of the distinct primes that divide a nonzero integer, its largest squarefree divisor; rad(1) = 1.",
	Source:      "Masser and Oesterle 1985 (the abc conjecture); OEIS A007947",
	Tags:        []string{"arithmetic functions", "squarefree"},
	Needs:       []string{"radical of an integer", "product of the distinct prime factors", "squarefree kernel of a number", "largest squarefree divisor", "abc conjecture quality"},
	Aliases:     []string{"rad", "squarefree kernel", "core"},
	InputKinds:  []string{"integer"},
	Limits:      factorLimits(),
	Claimed:     capabilities.Computed,
	Heavy:       true,
	Preflight:   factorable,
	Examples: []capabilities.Example{
		{Name: "small", Input: `{"n":"72"}`, Output: `{"radical":"6"}`},
		{Name: "unit", Input: `{"n":"-1"}`, Output: `{"radical":"1"}`},
	},
	Run: byFactors(func(_ *big.Int, powers []factor.PrimePower) (RadicalOutput, error) {
		r := big.NewInt(1)
		for _, p := range powers {
			r.Mul(r, p.Prime)
		}
		return RadicalOutput{values.NewInt(r)}, nil
	}),
})

// EulerTotientOutput is φ(n).
type EulerTotientOutput struct {
	Totient values.Int `json:"totient" doc:"how many of 1..n are coprime to n"`
}

var _ = capabilities.Define(pack, capabilities.Definition[NumberInput, EulerTotientOutput]{
	ID:          "integer.compute.euler_totient",
	Title:       "Euler's totient function",
	Description: "phi(n): how many of the integers 1 to n are coprime to n, for n >= 1; the product of p^(e-1)·(p-1) over its prime powers.",
	Source:      "Euler 1763; OEIS A000010",
	Tags:        []string{"arithmetic functions"},
	Needs:       []string{"Euler totient of a number", "how many integers are coprime to n", "phi function", "order of the group of units modulo n"},
	Aliases:     []string{"phi", "totient", "eulerphi"},
	InputKinds:  []string{"integer"},
	Limits:      factorLimits(),
	Claimed:     capabilities.Computed,
	Heavy:       true,
	Preflight:   factorablePositive,
	Examples: []capabilities.Example{
		{Name: "small", Input: `{"n":"36"}`, Output: `{"totient":"12"}`},
		{Name: "one", Input: `{"n":"1"}`, Output: `{"totient":"1"}`},
	},
	Run: byFactors(func(_ *big.Int, powers []factor.PrimePower) (EulerTotientOutput, error) {
		phi := big.NewInt(1)
		for _, p := range powers {
			phi.Mul(phi, unitGroupOrder(p))
		}
		return EulerTotientOutput{values.NewInt(phi)}, nil
	}),
})

// unitGroupOrder is φ(p^e) = p^(e−1)(p−1).
func unitGroupOrder(p factor.PrimePower) *big.Int {
	x := new(big.Int).Exp(p.Prime, big.NewInt(int64(p.Exponent)-1), nil)
	return x.Mul(x, new(big.Int).Sub(p.Prime, big.NewInt(1)))
}

// CarmichaelOutput is λ(n).
type CarmichaelOutput struct {
	Carmichael values.Int `json:"carmichael" doc:"exponent of the group of units modulo n"`
}

var _ = capabilities.Define(pack, capabilities.Definition[NumberInput, CarmichaelOutput]{
	ID:          "integer.compute.carmichael",
	Title:       "Carmichael function",
	Description: "lambda(n), n >= 1: the least k >= 1 with a^k = 1 modulo n for every a coprime to n; the lcm of phi(p^e) over the prime powers of n, halved at 2^e for e >= 3.",
	Source:      "R. Carmichael, Bull. Amer. Math. Soc. 16 (1910); OEIS A002322",
	Tags:        []string{"arithmetic functions", "modular arithmetic"},
	Needs:       []string{"Carmichael function of n", "exponent of the multiplicative group modulo n", "universal exponent modulo n", "reduced totient"},
	Aliases:     []string{"lambda", "reduced totient", "universal exponent", "znstar exponent"},
	InputKinds:  []string{"integer"},
	Limits:      factorLimits(),
	Claimed:     capabilities.Computed,
	Heavy:       true,
	Preflight:   factorablePositive,
	Examples: []capabilities.Example{
		{Name: "power of two", Input: `{"n":"16"}`, Output: `{"carmichael":"4"}`},
		{Name: "Carmichael number", Input: `{"n":"561"}`, Output: `{"carmichael":"80"}`},
		{Name: "one", Input: `{"n":"1"}`, Output: `{"carmichael":"1"}`},
	},
	Run: byFactors(func(_ *big.Int, powers []factor.PrimePower) (CarmichaelOutput, error) {
		lambda := big.NewInt(1)
		for _, p := range powers {
			x := unitGroupOrder(p)
			if p.Prime.Cmp(big.NewInt(2)) == 0 && p.Exponent >= 3 {
				x.Rsh(x, 1)
			}
			g := new(big.Int).GCD(nil, nil, lambda, x)
			lambda.Mul(lambda, x.Quo(x, g))
		}
		return CarmichaelOutput{values.NewInt(lambda)}, nil
	}),
})

// MobiusOutput is μ(n).
type MobiusOutput struct {
	Mobius int `json:"mobius" doc:"-1, 0 or 1"`
}

var _ = capabilities.Define(pack, capabilities.Definition[NumberInput, MobiusOutput]{
	ID:          "integer.compute.mobius",
	Title:       "Moebius function",
	Description: "mu(n), n >= 1: 0 if a square of a prime divides n, otherwise 1 or -1 as the number of its primes is even or odd.",
	Source:      "A. F. Moebius 1832; OEIS A008683",
	Tags:        []string{"arithmetic functions", "squarefree"},
	Needs:       []string{"Moebius function of a number", "mobius mu of n", "inversion coefficient of a divisor sum", "parity of the number of prime factors of a squarefree number"},
	Aliases:     []string{"mu", "moebius", "möbius"},
	InputKinds:  []string{"integer"},
	Limits:      factorLimits(),
	Claimed:     capabilities.Computed,
	Heavy:       true,
	Preflight:   factorablePositive,
	Examples: []capabilities.Example{
		{Name: "three primes", Input: `{"n":"30"}`, Output: `{"mobius":-1}`},
		{Name: "not squarefree", Input: `{"n":"12"}`, Output: `{"mobius":0}`},
		{Name: "one", Input: `{"n":"1"}`, Output: `{"mobius":1}`},
	},
	Run: byFactors(func(_ *big.Int, powers []factor.PrimePower) (MobiusOutput, error) {
		mu := 1
		for _, p := range powers {
			if p.Exponent > 1 {
				return MobiusOutput{0}, nil
			}
			mu = -mu
		}
		return MobiusOutput{mu}, nil
	}),
})

// SquarefreeOutput names a violating prime.
type SquarefreeOutput struct {
	Squarefree     bool       `json:"squarefree" doc:"whether no square of a prime divides n"`
	ViolatingPrime values.Int `json:"violating_prime,omitzero" doc:"the least prime whose square divides n"`
}

var _ = capabilities.Define(pack, capabilities.Definition[NumberInput, SquarefreeOutput]{
	ID:          "integer.decide.squarefree",
	Title:       "is an integer squarefree",
	Description: "Whether no square of a prime divides the nonzero integer n; otherwise the least prime whose square does. 1 and -1 are squarefree.",
	Source:      "OEIS A005117",
	Tags:        []string{"squarefree", "divisibility"},
	Needs:       []string{"is a number squarefree", "does a square divide an integer", "has a number a repeated prime factor", "test for squarefree integers"},
	Aliases:     []string{"squarefree", "square-free", "issquarefree"},
	InputKinds:  []string{"integer"},
	Limits:      factorLimits(),
	Claimed:     capabilities.Computed,
	Heavy:       true,
	Preflight:   factorable,
	Examples: []capabilities.Example{
		{Name: "squarefree", Input: `{"n":"-30"}`, Output: `{"squarefree":true}`},
		{Name: "not", Input: `{"n":"45"}`, Output: `{"squarefree":false,"violating_prime":"3"}`},
	},
	Run: decideByFactors(func(_ *big.Int, powers []factor.PrimePower) (SquarefreeOutput, bool) {
		for _, p := range powers {
			if p.Exponent > 1 {
				return SquarefreeOutput{false, values.NewInt(p.Prime)}, false
			}
		}
		return SquarefreeOutput{Squarefree: true}, true
	}),
})

// PowerfulOutput names a violating prime.
type PowerfulOutput struct {
	Powerful       bool       `json:"powerful" doc:"whether the square of every prime of n divides n"`
	ViolatingPrime values.Int `json:"violating_prime,omitzero" doc:"the least prime that divides n once only"`
}

var _ = capabilities.Define(pack, capabilities.Definition[NumberInput, PowerfulOutput]{
	ID:          "integer.decide.powerful",
	Title:       "is a number powerful",
	Description: "Whether p^2 divides n >= 1 for every prime p that divides n; otherwise the least prime that divides it once only. 1 is powerful.",
	Source:      "S. Golomb, Powerful numbers, Amer. Math. Monthly 77 (1970); OEIS A001694",
	Tags:        []string{"divisibility"},
	Needs:       []string{"is a number powerful", "squareful number test", "does every prime factor occur at least twice", "2-full numbers"},
	Aliases:     []string{"powerful number", "squareful", "2-full"},
	InputKinds:  []string{"integer"},
	Limits:      factorLimits(),
	Claimed:     capabilities.Computed,
	Heavy:       true,
	Preflight:   factorablePositive,
	Examples: []capabilities.Example{
		{Name: "powerful", Input: `{"n":"72"}`, Output: `{"powerful":true}`},
		{Name: "not", Input: `{"n":"12"}`, Output: `{"powerful":false,"violating_prime":"3"}`},
	},
	Run: decideByFactors(func(_ *big.Int, powers []factor.PrimePower) (PowerfulOutput, bool) {
		for _, p := range powers {
			if p.Exponent == 1 {
				return PowerfulOutput{false, values.NewInt(p.Prime)}, false
			}
		}
		return PowerfulOutput{Powerful: true}, true
	}),
})
