package modular

import (
	"context"
	"math/big"
	"strconv"

	"github.com/jacobian-ledger/jacobian/capabilities"
	"github.com/jacobian-ledger/jacobian/capabilities/values"
	"github.com/jacobian-ledger/jacobian/events"
)

// InverseInput asks for the inverse of a residue.
type InverseInput struct {
	A       values.Int `json:"a" doc:"the residue, any integer"`
	Modulus values.Int `json:"modulus" doc:"at least 1"`
}

// InverseOutput is the inverse.
type InverseOutput struct {
	Inverse values.Int `json:"inverse" doc:"from 0 to modulus - 1"`
}

var _ = capabilities.Define(pack, capabilities.Definition[InverseInput, InverseOutput]{
	ID:          "modular.compute.inverse",
	Title:       "inverse of a residue",
	Description: "The x with 0 <= x < m and a·x = 1 modulo m, for a coprime to m >= 1; 0 for m = 1. Extended Euclid.",
	Source:      "Gauss, Disquisitiones Arithmeticae, 26-31",
	Tags:        []string{"modular arithmetic"},
	Needs:       []string{"modular inverse", "inverse of a modulo m", "multiplicative inverse of a residue", "solve ax = 1 mod m"},
	Aliases:     []string{"modinv", "invmod", "reciprocal mod m"},
	InputKinds:  []string{"integer", "residue"},
	Limits:      []events.Limit{digitsLimit("a", plainDigits, ""), digitsLimit("modulus", plainDigits, "")},
	Claimed:     capabilities.Computed,
	Preflight: func(in InverseInput) error {
		if err := checkModulus("/modulus", in.Modulus); err != nil {
			return err
		}
		return checkDigits(plainDigits, named{"/a", in.A}, named{"/modulus", in.Modulus})
	},
	Examples: []capabilities.Example{
		{Name: "small", Input: `{"a":"3","modulus":"7"}`, Output: `{"inverse":"5"}`},
		{Name: "negative", Input: `{"a":"-3","modulus":"7"}`, Output: `{"inverse":"2"}`},
	},
	Run: capabilities.Func(func(_ context.Context, in InverseInput) (InverseOutput, error) {
		m := in.Modulus.Big()
		if m.Cmp(one) == 0 {
			return InverseOutput{}, nil
		}
		x := new(big.Int).ModInverse(in.A.Big(), m)
		if x == nil {
			g := new(big.Int).GCD(nil, nil, new(big.Int).Abs(in.A.Big()), m)
			return InverseOutput{}, capabilities.NotApplicable("/a", "an integer coprime to the modulus", brief(in.A)+", with common divisor "+brief(values.NewInt(g)), "use modular.solve.linear for all solutions of a·x = b")
		}
		return InverseOutput{values.NewInt(x)}, nil
	}),
})

// LinearInput is the congruence a·x ≡ b (mod m).
type LinearInput struct {
	A       values.Int `json:"a" doc:"coefficient"`
	B       values.Int `json:"b" doc:"right side"`
	Modulus values.Int `json:"modulus" doc:"at least 1"`
}

// LinearOutput is the class of all solutions.
type LinearOutput struct {
	Solvable bool       `json:"solvable" doc:"whether gcd(a, m) divides b"`
	GCD      values.Int `json:"gcd" doc:"gcd(a, m), the number of solutions modulo m if there are any"`
	Residue  values.Int `json:"residue,omitzero" doc:"the least non-negative solution"`
	Modulus  values.Int `json:"modulus,omitzero" doc:"m / gcd(a, m): the solutions are residue modulo this"`
}

func congruenceEvidence() *capabilities.Evidence {
	return &capabilities.Evidence{Format: "congruences", Data: []byte("{}")}
}

var _ = capabilities.Define(pack, capabilities.Definition[LinearInput, LinearOutput]{
	ID:          "modular.solve.linear",
	Title:       "solve a linear congruence",
	Description: "All x with a·x = b modulo m: none if g = gcd(a, m) does not divide b, otherwise one class modulo m/g. The conclusion is whether it is solvable.",
	Source:      "Gauss, Disquisitiones Arithmeticae, 29-31",
	Tags:        []string{"modular arithmetic", "congruences"},
	Needs:       []string{"solve a linear congruence", "solve ax = b mod m", "solutions of a linear equation modulo m", "division modulo a composite number"},
	Aliases:     []string{"linear congruence", "ax=b mod m"},
	InputKinds:  []string{"integer", "residue"},
	Limits:      []events.Limit{digitsLimit("a", plainDigits, ""), digitsLimit("b", plainDigits, ""), digitsLimit("modulus", plainDigits, "")},
	Claimed:     capabilities.Computed,
	Preflight: func(in LinearInput) error {
		if err := checkModulus("/modulus", in.Modulus); err != nil {
			return err
		}
		return checkDigits(plainDigits, named{"/a", in.A}, named{"/b", in.B}, named{"/modulus", in.Modulus})
	},
	Claim: func(in LinearInput) events.Claim {
		return capabilities.NewClaim("modular.congruences/1", "modular.linear_solvable", in)
	},
	Emits:     []string{"congruences"},
	CheckedBy: []string{"modular.arithmetic"},
	Examples: []capabilities.Example{
		{Name: "two solutions", Input: `{"a":"6","b":"4","modulus":"10"}`, Output: `{"gcd":"2","modulus":"5","residue":"4","solvable":true}`},
		{Name: "none", Input: `{"a":"6","b":"3","modulus":"10"}`, Output: `{"gcd":"2","solvable":false}`},
	},
	Run: func(_ context.Context, _ *capabilities.Env, in LinearInput) (capabilities.Outcome[LinearOutput], error) {
		out := solveLinear(in.A.Big(), in.B.Big(), in.Modulus.Big())
		return capabilities.Outcome[LinearOutput]{Output: out, Conclusion: capabilities.Truth(out.Solvable), Evidence: congruenceEvidence()}, nil
	},
})

func solveLinear(a, b, m *big.Int) LinearOutput {
	u := new(big.Int)
	g := new(big.Int).GCD(u, nil, mod(a, m), m) // u·a ≡ g
	out := LinearOutput{GCD: values.NewInt(g)}
	q, r := new(big.Int), new(big.Int)
	if q.DivMod(b, g, r); r.Sign() != 0 {
		return out
	}
	m1 := new(big.Int).Quo(m, g)
	out.Solvable, out.Residue, out.Modulus = true, values.NewInt(mod(u.Mul(u, q), m1)), values.NewInt(m1)
	return out
}

const (
	congruencesMost = 1_000  // in a system
	totalDigits     = 10_000 // of its numbers together
)

// Congruence is x ≡ residue (mod modulus).
type Congruence struct {
	Residue values.Int `json:"residue" doc:"any integer"`
	Modulus values.Int `json:"modulus" doc:"at least 1"`
}

// CongruencesInput is a system of simultaneous congruences.
type CongruencesInput struct {
	Congruences []Congruence `json:"congruences" doc:"moduli need not be coprime"`
}

// CongruencesOutput is the class of all solutions, or two congruences that exclude each other.
type CongruencesOutput struct {
	Solvable bool       `json:"solvable" doc:"whether some integer satisfies all"`
	Residue  values.Int `json:"residue,omitzero" doc:"the least non-negative solution"`
	Modulus  values.Int `json:"modulus,omitzero" doc:"least common multiple of the moduli: the solutions are residue modulo this"`
	Conflict []int      `json:"conflict,omitempty" doc:"the positions, from 0, of two congruences without a common solution"`
}

var _ = capabilities.Define(pack, capabilities.Definition[CongruencesInput, CongruencesOutput]{
	ID:          "modular.solve.chinese_remainder",
	Title:       "solve simultaneous congruences (Chinese remainder theorem)",
	Description: "All x with x = r_i modulo m_i for every i; the moduli need not be coprime. One class modulo the lcm of the moduli, or two congruences that contradict each other, which must exist if there is no solution. The conclusion is whether it is solvable.",
	Source:      "Sunzi Suanjing; Gauss, Disquisitiones Arithmeticae, 32-36; O. Ore, Amer. Math. Monthly 59 (1952) for moduli that are not coprime",
	Tags:        []string{"modular arithmetic", "congruences"},
	Needs:       []string{"Chinese remainder theorem", "solve simultaneous congruences", "combine residues modulo several numbers", "number with given remainders", "system of congruences with moduli that are not coprime"},
	Aliases:     []string{"crt", "chinese remainder", "chinrem"},
	InputKinds:  []string{"integer", "residue"},
	Limits: []events.Limit{
		{Name: "congruences", Value: strconv.Itoa(congruencesMost)}, digitsLimit("total", totalDigits, "moduli and residues together"),
	},
	Claimed:   capabilities.Computed,
	Preflight: checkCongruences,
	Claim: func(in CongruencesInput) events.Claim {
		return capabilities.NewClaim("modular.congruences/1", "modular.congruences_solvable", in)
	},
	Emits:     []string{"congruences"},
	CheckedBy: []string{"modular.arithmetic"},
	Examples: []capabilities.Example{
		{Name: "Sunzi", Input: `{"congruences":[{"modulus":"3","residue":"2"},{"modulus":"5","residue":"3"},{"modulus":"7","residue":"2"}]}`, Output: `{"modulus":"105","residue":"23","solvable":true}`},
		{Name: "not coprime", Input: `{"congruences":[{"modulus":"4","residue":"3"},{"modulus":"6","residue":"5"}]}`, Output: `{"modulus":"12","residue":"11","solvable":true}`},
		{Name: "contradiction", Input: `{"congruences":[{"modulus":"4","residue":"3"},{"modulus":"5","residue":"1"},{"modulus":"6","residue":"4"}]}`, Output: `{"conflict":[0,2],"solvable":false}`},
		{Name: "none", Input: `{"congruences":[]}`, Output: `{"modulus":"1","residue":"0","solvable":true}`},
	},
	Run: func(ctx context.Context, _ *capabilities.Env, in CongruencesInput) (capabilities.Outcome[CongruencesOutput], error) {
		out, err := solveCongruences(ctx, in.Congruences)
		return capabilities.Outcome[CongruencesOutput]{Output: out, Conclusion: capabilities.Truth(out.Solvable), Evidence: congruenceEvidence()}, err
	},
})

func checkCongruences(in CongruencesInput) error {
	if k := len(in.Congruences); k > congruencesMost {
		return capabilities.Exceeds("/congruences", "congruences", strconv.Itoa(congruencesMost), strconv.Itoa(k), "combine them in parts")
	}
	total := 0
	for i, c := range in.Congruences {
		path := "/congruences/" + strconv.Itoa(i)
		if err := checkModulus(path+"/modulus", c.Modulus); err != nil {
			return err
		}
		if total += len(c.Modulus.String()) + len(c.Residue.String()); total > totalDigits {
			return capabilities.Exceeds(path, "total_digits", strconv.Itoa(totalDigits), "more", "reduce residues modulo their moduli, or combine the congruences in parts")
		}
	}
	return nil
}

// solveCongruences joins one congruence after the other. Where that fails, some earlier one contradicts it:
// congruences that agree pairwise have a common solution.
func solveCongruences(ctx context.Context, list []Congruence) (CongruencesOutput, error) {
	x, m := big.NewInt(0), big.NewInt(1)
	for j, c := range list {
		if ctx.Err() != nil {
			return CongruencesOutput{}, ctx.Err()
		}
		r, n := c.Residue.Big(), c.Modulus.Big()
		// x + m·k ≡ r (mod n)
		step := solveLinear(m, new(big.Int).Sub(r, x), n)
		if !step.Solvable {
			return CongruencesOutput{Conflict: []int{conflicting(list[:j], c), j}}, nil
		}
		x.Add(x, new(big.Int).Mul(m, step.Residue.Big()))
		m.Mul(m, step.Modulus.Big())
		x.Mod(x, m)
	}
	return CongruencesOutput{Solvable: true, Residue: values.NewInt(x), Modulus: values.NewInt(m)}, nil
}

// conflicting finds the first congruence of the list that contradicts c.
func conflicting(list []Congruence, c Congruence) int {
	for i, d := range list {
		g := new(big.Int).GCD(nil, nil, d.Modulus.Big(), c.Modulus.Big())
		if mod(new(big.Int).Sub(d.Residue.Big(), c.Residue.Big()), g).Sign() != 0 {
			return i
		}
	}
	panic("modular: congruences that agree pairwise have a common solution")
}
