package integer

import (
	"context"
	"errors"
	"fmt"
	"math/big"

	"github.com/jacobian-ledger/jacobian/capabilities"
	"github.com/jacobian-ledger/jacobian/capabilities/packs/integer/factor"
	"github.com/jacobian-ledger/jacobian/capabilities/values"
	"github.com/jacobian-ledger/jacobian/events"
	"github.com/jacobian-ledger/jacobian/events/jcs"
)

// proofCurves is how many elliptic curves the search for a primality proof may spend on a number of up to
// 512 bits.
const proofCurves = 100

// proofEffort bounds the search for a proof that n is prime, so that a number whose predecessor does not
// factor is answered in seconds: curves cost more the longer n is.
func proofEffort(env *capabilities.Env, n *big.Int) *factor.Effort {
	e := &factor.Effort{Curves: proofCurves, Report: env.Covered}
	switch bits := n.BitLen(); {
	case bits > 2048:
		e.Curves = 1
	case bits > 1024:
		e.Curves = 5
	case bits > 512:
		e.Curves = 25
	}
	return e
}

// The statuses of a primality decision.
const (
	StatusPrime         = "PRIME"
	StatusComposite     = "COMPOSITE"
	StatusBelowTwo      = "BELOW_TWO"
	StatusProbablePrime = "PROBABLE_PRIME"
)

// PrimeOutput says what n is.
type PrimeOutput struct {
	Status string     `json:"status" enum:"PRIME,COMPOSITE,BELOW_TWO,PROBABLE_PRIME" doc:"PROBABLE_PRIME passed the tests but no proof was found"`
	Factor values.Int `json:"factor,omitzero" doc:"a proper divisor of a composite, where one was found"`
}

var _ = capabilities.Define(pack, capabilities.Definition[NumberInput, PrimeOutput]{
	ID:          "integer.decide.prime",
	Title:       "is an integer prime",
	Description: "Whether n is prime: at least 2 and without divisors but 1 and n. A prime comes with a Pratt certificate, a composite with a proper divisor or a base at which it fails the strong test. Where n-1 resists factoring the answer is PROBABLE_PRIME, conclusion UNKNOWN.",
	Source:      "V. Pratt, Every prime has a succinct certificate, SIAM J. Comput. 4 (1975); Baillie and Wagstaff 1980; OEIS A000040",
	Tags:        []string{"number theory", "primes", "primality"},
	Needs: []string{
		"is this number prime", "test whether an integer is prime", "prove that a number is prime", "primality certificate",
		"is a number composite", "primality test of a large integer", "is 97 a prime number",
	},
	Aliases:    []string{"isprime", "is_prime", "primality", "pratt", "miller-rabin", "bpsw", "prime test"},
	InputKinds: []string{"integer"},
	Limits: []events.Limit{
		digitsLimit("n", primalityDigit, "larger numbers are refused"),
		{Name: "proof_curves", Value: fmt.Sprint(proofCurves), Note: "elliptic curves spent on factoring for a proof, fewer above 512 bits; then PROBABLE_PRIME"},
	},
	Examples: []capabilities.Example{
		{Name: "prime", Input: `{"n":"97"}`, Output: `{"status":"PRIME"}`},
		{Name: "composite", Input: `{"n":"91"}`, Output: `{"factor":"7","status":"COMPOSITE"}`},
		{Name: "negative", Input: `{"n":"-7"}`, Output: `{"status":"BELOW_TWO"}`},
		{Name: "Mersenne", Input: `{"n":"618970019642690137449562111"}`, Output: `{"status":"PRIME"}`},
	},
	Claimed:   capabilities.Computed,
	Heavy:     true,
	Preflight: func(in NumberInput) error { return checkDigits("n", primalityDigit, in.N, "") },
	Claim: func(in NumberInput) events.Claim {
		return capabilities.NewClaim("integer.primality/1", "integer.prime", in)
	},
	Emits:     []string{"pratt", "compositeness"},
	CheckedBy: []string{"integer.pratt"},
	Run:       decidePrime,
})

func decidePrime(ctx context.Context, env *capabilities.Env, in NumberInput) (capabilities.Outcome[PrimeOutput], error) {
	n := in.N.Big()
	if n.Cmp(big.NewInt(2)) < 0 {
		return notPrime(StatusBelowTwo, nil, `{"below_two":true}`), nil
	}
	d, err := smallDivisor(ctx, n)
	if err != nil {
		return capabilities.Outcome[PrimeOutput]{}, err
	}
	if d != nil {
		return notPrime(StatusComposite, d, fmt.Sprintf(`{"factor":"%s"}`, d)), nil
	}
	if !factor.Probable(n) {
		return composite(ctx, n)
	}
	proof, e := &factor.Proof{}, proofEffort(env, n)
	err = proof.Prove(ctx, n, e)
	var liar *factor.CompositeError
	switch {
	case err == nil:
		return capabilities.Outcome[PrimeOutput]{
			Output: PrimeOutput{Status: StatusPrime}, Conclusion: events.True,
			Evidence: &capabilities.Evidence{Format: "pratt", Data: proof.Certificate()},
		}, nil
	case errors.Is(err, factor.ErrEffort), errors.As(err, &liar) && liar.N.Cmp(n) != 0:
		return probable(n, e), nil
	case errors.As(err, &liar): // a composite that passes all tests: none is known, but then this is the proof
		return notPrime(StatusComposite, nil, string(witness(liar.Base))), nil
	}
	return capabilities.Outcome[PrimeOutput]{Scope: e.Scope()}, err
}

// probable is the answer where no proof was found. Below 2^64 the tests themselves decide, but the
// proof never fails there.
func probable(n *big.Int, e *factor.Effort) capabilities.Outcome[PrimeOutput] {
	level := capabilities.Heuristic
	return capabilities.Outcome[PrimeOutput]{
		Output: PrimeOutput{Status: StatusProbablePrime}, Conclusion: events.Unknown, Claimed: &level, Scope: e.Scope(),
		Notes:       []string{fmt.Sprintf("a number of %d bits that passes the Baillie-PSW test; no composite is known to pass it, but that is no proof: n-1 was not factored within the effort in scope", n.BitLen())},
		Obligations: []string{"a proof that n is prime"},
	}
}

func notPrime(status string, d *big.Int, certificate string) capabilities.Outcome[PrimeOutput] {
	out := PrimeOutput{Status: status}
	if d != nil {
		out.Factor = values.NewInt(d)
	}
	return capabilities.Outcome[PrimeOutput]{
		Output: out, Conclusion: events.False,
		Evidence: &capabilities.Evidence{Format: "compositeness", Data: []byte(certificate)},
	}
}

func witness(base *big.Int) []byte {
	return jcs.NewObject(jcs.Member{Name: "witness", Value: jcs.NewString(base.String())}).Append(nil)
}

// smallDivisor is the least prime divisor of n ≥ 2 to the trial bound and below n, or nil.
func smallDivisor(ctx context.Context, n *big.Int) (*big.Int, error) {
	d, r := new(big.Int), new(big.Int)
	for i, p := range factor.SmallPrimes() {
		if i%4096 == 0 && ctx.Err() != nil {
			return nil, ctx.Err()
		}
		d.SetUint64(uint64(p))
		if n.IsUint64() && uint64(p)*uint64(p) > n.Uint64() {
			return nil, nil
		}
		if r.Rem(n, d).Sign() == 0 {
			return d, nil
		}
	}
	return nil, nil
}

// composite gives the evidence for an odd composite n without small divisors: a divisor if n is below
// 2^64, where rho is quick, otherwise the least base at which it fails the strong test.
func composite(ctx context.Context, n *big.Int) (capabilities.Outcome[PrimeOutput], error) {
	if n.IsUint64() {
		powers, err := factor.Integer(ctx, n, &factor.Effort{})
		if err != nil {
			return capabilities.Outcome[PrimeOutput]{}, err
		}
		d := powers[0].Prime
		return notPrime(StatusComposite, d, fmt.Sprintf(`{"factor":"%s"}`, d)), nil
	}
	a, err := strongWitness(ctx, n)
	if err != nil {
		return capabilities.Outcome[PrimeOutput]{}, err
	}
	return notPrime(StatusComposite, nil, string(witness(a))), nil
}

// strongWitness is the least base from 2 at which the odd composite n fails the strong test. At least
// three quarters of all bases do (Rabin 1980), and the least is below 2 ln² n under the Riemann
// hypothesis for Dirichlet characters (Bach 1990).
func strongWitness(ctx context.Context, n *big.Int) (*big.Int, error) {
	less := new(big.Int).Sub(n, big.NewInt(1))
	s := less.TrailingZeroBits()
	odd := new(big.Int).Rsh(less, s)
	one, x := big.NewInt(1), new(big.Int)
	for a := big.NewInt(2); a.Cmp(less) < 0; a.Add(a, one) {
		if ctx.Err() != nil {
			return nil, ctx.Err()
		}
		x.Exp(a, odd, n)
		passes := x.Cmp(one) == 0
		for range s {
			if passes = passes || x.Cmp(less) == 0; passes {
				break
			}
			x.Mod(x.Mul(x, x), n)
		}
		if !passes {
			return a, nil
		}
	}
	return nil, fmt.Errorf("integer: %s passes the strong test at every base", brief(values.NewInt(n)))
}
