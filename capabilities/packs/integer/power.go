package integer

import (
	"context"
	"math/big"

	"github.com/jacobian-ledger/jacobian/capabilities"
	"github.com/jacobian-ledger/jacobian/capabilities/values"
	"github.com/jacobian-ledger/jacobian/events"
)

const powerDigits = 2_000 // of each number of a modular power

// PowerModInput asks for base^exponent modulo modulus.
type PowerModInput struct {
	Base     values.Int `json:"base" doc:"any integer"`
	Exponent values.Int `json:"exponent" doc:"negative only if the base is invertible"`
	Modulus  values.Int `json:"modulus" doc:"at least 1"`
}

// PowerModOutput is the least non-negative residue.
type PowerModOutput struct {
	Residue values.Int `json:"residue" doc:"from 0 to modulus - 1"`
}

var _ = capabilities.Define(pack, capabilities.Definition[PowerModInput, PowerModOutput]{
	ID:          "integer.compute.power_mod",
	Title:       "power of an integer modulo another",
	Description: "base^exponent modulo m >= 1 as the least non-negative residue, by repeated squaring. The zeroth power is 1 modulo m, so 0 for m = 1; a negative exponent is a power of the inverse of the base, which must exist.",
	Source:      "Knuth, The Art of Computer Programming 2, 4.6.3",
	Tags:        []string{"modular arithmetic", "powers"},
	Needs:       []string{"modular exponentiation", "power modulo m", "remainder of a huge power", "last digits of a power", "a^b mod m"},
	Aliases:     []string{"powmod", "modpow", "modexp", "pow mod"},
	InputKinds:  []string{"integer", "residue"},
	Limits: []events.Limit{
		digitsLimit("base", powerDigits, ""), digitsLimit("exponent", powerDigits, ""), digitsLimit("modulus", powerDigits, ""),
	},
	Claimed: capabilities.Computed,
	Preflight: func(in PowerModInput) error {
		if in.Modulus.Sign() <= 0 {
			return capabilities.Invalid("/modulus", "an integer of at least 1", brief(in.Modulus), "use the absolute value of the modulus")
		}
		const hint = "reduce the base modulo m, and the exponent modulo the Carmichael function of m if the base is coprime to m"
		if err := checkDigits("base", powerDigits, in.Base, hint); err != nil {
			return err
		}
		if err := checkDigits("exponent", powerDigits, in.Exponent, hint); err != nil {
			return err
		}
		return checkDigits("modulus", powerDigits, in.Modulus, hint)
	},
	Examples: []capabilities.Example{
		{Name: "C-50", Input: `{"base":"5","exponent":"999999","modulus":"7"}`, Output: `{"residue":"6"}`},
		{Name: "negative exponent", Input: `{"base":"3","exponent":"-1","modulus":"7"}`, Output: `{"residue":"5"}`},
		{Name: "modulus one", Input: `{"base":"2","exponent":"0","modulus":"1"}`, Output: `{"residue":"0"}`},
	},
	Run: capabilities.Func(func(_ context.Context, in PowerModInput) (PowerModOutput, error) {
		m := in.Modulus.Big()
		base, e := in.Base.Big(), in.Exponent.Big()
		base.Mod(base, m)
		if e.Sign() < 0 {
			if base.ModInverse(base, m) == nil {
				return PowerModOutput{}, capabilities.NotApplicable("/base", "a base coprime to the modulus for a negative exponent", brief(in.Base), "it has no inverse modulo m")
			}
			e.Neg(e)
		}
		r := base.Exp(base, e, m)
		return PowerModOutput{values.NewInt(r.Mod(r, m))}, nil
	}),
})

// ValuationInput asks how often a base divides n.
type ValuationInput struct {
	N    values.Int `json:"n" doc:"a nonzero integer"`
	Base values.Int `json:"base" doc:"at least 2; a prime for the p-adic valuation"`
}

// ValuationOutput is n = base^valuation · cofactor.
type ValuationOutput struct {
	Valuation int        `json:"valuation" doc:"the largest k such that base^k divides n"`
	Cofactor  values.Int `json:"cofactor" doc:"n / base^k"`
}

var _ = capabilities.Define(pack, capabilities.Definition[ValuationInput, ValuationOutput]{
	ID:          "integer.compute.valuation",
	Title:       "multiplicity of a base in an integer",
	Description: "The largest k such that base^k divides n, for n nonzero and base >= 2, and the cofactor n/base^k. For a prime base it is the p-adic valuation.",
	Source:      "K. Hensel 1897; OEIS A007814 for base 2",
	Tags:        []string{"divisibility", "p-adic"},
	Needs:       []string{"p-adic valuation of an integer", "how often does a prime divide a number", "highest power of p dividing n", "number of trailing zeros", "exponent of a prime in a number"},
	Aliases:     []string{"valuation", "padic order", "multiplicity", "v_p", "ord_p"},
	InputKinds:  []string{"integer"},
	Limits:      []events.Limit{digitsLimit("n", rootDigits, "")},
	Claimed:     capabilities.Computed,
	Preflight: func(in ValuationInput) error {
		if err := checkNonzero("n", in.N, "every power divides 0: its valuation is infinite"); err != nil {
			return err
		}
		if in.Base.Cmp(values.IntOf(2)) < 0 {
			return capabilities.Invalid("/base", "an integer of at least 2", brief(in.Base), "every power of 1 divides every integer")
		}
		return checkDigits("n", rootDigits, in.N, "")
	},
	Examples: []capabilities.Example{
		{Name: "prime", Input: `{"base":"2","n":"-48"}`, Output: `{"cofactor":"-3","valuation":4}`},
		{Name: "does not divide", Input: `{"base":"7","n":"48"}`, Output: `{"cofactor":"48","valuation":0}`},
	},
	Run: capabilities.Func(func(_ context.Context, in ValuationInput) (ValuationOutput, error) {
		n, k := removePower(in.N.Big(), in.Base.Big())
		return ValuationOutput{k, values.NewInt(n)}, nil
	}),
})

// removePower divides n by b as often as it goes. Squares of b are tried first and then removed in
// descending order, so that the divisions are few: O(log k) of them for multiplicity k.
func removePower(n, b *big.Int) (*big.Int, int) {
	powers := []*big.Int{b}
	q, r := new(big.Int), new(big.Int)
	for {
		last := powers[len(powers)-1]
		next := new(big.Int).Mul(last, last)
		if next.CmpAbs(n) > 0 {
			break
		}
		powers = append(powers, next)
	}
	k := 0
	for i := len(powers) - 1; i >= 0; i-- {
		// Larger powers were removed, so that at most one factor b^(2^i) remains above smaller ones.
		if q.QuoRem(n, powers[i], r); r.Sign() == 0 {
			n.Set(q)
			k += 1 << i
		}
	}
	return n, k
}
