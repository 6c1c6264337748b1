package integer

import (
	"context"

	"github.com/jacobian-ledger/jacobian/capabilities"
	"github.com/jacobian-ledger/jacobian/capabilities/packs/integer/factor"
	"github.com/jacobian-ledger/jacobian/capabilities/values"
	"github.com/jacobian-ledger/jacobian/events"
)

// PrimePower is a prime with its exponent in a factorization.
type PrimePower struct {
	Prime    values.Int `json:"prime" doc:"the prime, at least 2"`
	Exponent int        `json:"exponent" doc:"how often it divides, at least 1"`
}

// FactorizationOutput is sign · Π prime^exponent = n.
type FactorizationOutput struct {
	Sign    int          `json:"sign" doc:"1 or -1"`
	Factors []PrimePower `json:"factors" doc:"the distinct primes in ascending order; none for 1 and -1"`
}

func primePowers(powers []factor.PrimePower) []PrimePower {
	out := make([]PrimePower, 0, len(powers))
	for _, p := range powers {
		out = append(out, PrimePower{values.NewInt(p.Prime), p.Exponent})
	}
	return out
}

var _ = capabilities.Define(pack, capabilities.Definition[NumberInput, FactorizationOutput]{
	ID:          "integer.compute.prime_factorization",
	Title:       "factor an integer into primes",
	Description: "The prime factorization of a nonzero integer: its sign and its primes, ascending, with exponents. Trial division to 1000000, Pollard rho, elliptic curves; each prime comes with a Pratt certificate. A hard composite runs until the budget ends, and the scope says what was tried.",
	Source:      "Euclid, Elements VII.31; Brent 1980 (rho), Lenstra 1987 and Montgomery 1987 (elliptic curves), Pratt 1975; OEIS A027746",
	Tags:        []string{"number theory", "factorization", "primes"},
	Needs: []string{
		"factor an integer into primes", "prime factorization of a number", "factor this semiprime", "factor 91", "which primes divide a number",
		"split a composite number into its prime factors", "find the two prime factors of a product", "elliptic curve factoring",
	},
	Aliases:    []string{"factor", "factorize", "factorise", "factorint", "ifactor", "ecm", "pollard rho", "integer factoring"},
	InputKinds: []string{"integer"},
	Limits:     factorLimits(),
	Examples: []capabilities.Example{
		{Name: "a semiprime", Input: `{"n":"91"}`, Output: `{"factors":[{"exponent":1,"prime":"7"},{"exponent":1,"prime":"13"}],"sign":1}`},
		{Name: "negative", Input: `{"n":"-12"}`, Output: `{"factors":[{"exponent":2,"prime":"2"},{"exponent":1,"prime":"3"}],"sign":-1}`},
		{Name: "unit", Input: `{"n":"1"}`, Output: `{"factors":[],"sign":1}`},
		{Name: "larger primes", Input: `{"n":"2007193456621"}`, Output: `{"factors":[{"exponent":1,"prime":"1001797"},{"exponent":1,"prime":"2003593"}],"sign":1}`},
	},
	Claimed:   capabilities.Computed,
	Heavy:     true,
	Preflight: factorable,
	Claim: func(in NumberInput) events.Claim {
		return capabilities.NewClaim("integer.factorization/1", "integer.prime_factorization", in)
	},
	Emits:     []string{"factorization"},
	CheckedBy: []string{"integer.factorization"},
	Run: func(ctx context.Context, env *capabilities.Env, in NumberInput) (capabilities.Outcome[FactorizationOutput], error) {
		powers, proof, scope, err := factored(ctx, env, in.N)
		if err != nil {
			return capabilities.Outcome[FactorizationOutput]{Scope: scope}, err
		}
		return capabilities.Outcome[FactorizationOutput]{
			Output:   FactorizationOutput{in.N.Sign(), primePowers(powers)},
			Evidence: &capabilities.Evidence{Format: "factorization", Data: proof.Certificate()},
		}, nil
	},
})
