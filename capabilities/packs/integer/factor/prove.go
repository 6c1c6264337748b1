package factor

import (
	"context"
	"fmt"
	"math/big"

	"github.com/jacobian-ledger/jacobian/events/jcs"
)

// Assumed is the bound below which a checker decides primality itself, so that no step is needed.
const Assumed = 1_000_000

// Step proves that P is prime, given that the primes of P−1 are: Witness has order P−1 modulo P.
type Step struct {
	P, Witness *big.Int
	Factors    []PrimePower // of P−1
}

// CompositeError says that a number that passed the probable prime tests is composite: a to the power
// of n−1 is not 1 modulo n. No such number is known.
type CompositeError struct{ N, Base *big.Int }

func (e *CompositeError) Error() string {
	return fmt.Sprintf("factor: %s is composite by Fermat with base %s", e.N, e.Base)
}

// Proof is a list of steps in which every prime of a step at or above [Assumed] has an earlier step.
type Proof struct {
	Steps []Step
	done  map[string]bool
}

// Prove extends the proof by steps for the prime p and, recursively, for the primes of p−1
// (V. Pratt, Every prime has a succinct certificate, SIAM J. Comput. 4, 1975). It needs the
// factorization of p−1 and returns the errors of [Integer] if that fails.
func (f *Proof) Prove(ctx context.Context, p *big.Int, e *Effort) error {
	if f.done[p.String()] {
		return nil
	}
	less := new(big.Int).Sub(p, one)
	factors, err := Integer(ctx, less, e)
	if err != nil {
		return err
	}
	for _, q := range factors {
		if q.Prime.Cmp(big.NewInt(Assumed)) >= 0 {
			if err := f.Prove(ctx, q.Prime, e); err != nil {
				return err
			}
		}
	}
	a, err := generator(ctx, p, less, factors)
	if err != nil {
		return err
	}
	if f.done == nil {
		f.done = map[string]bool{}
	}
	f.done[p.String()] = true
	f.Steps = append(f.Steps, Step{p, a, factors})
	return nil
}

// generator finds the smallest generator of the multiplicative group modulo p.
func generator(ctx context.Context, p, less *big.Int, factors []PrimePower) (*big.Int, error) {
	r, k := new(big.Int), new(big.Int)
	for a := big.NewInt(1); ; a.Add(a, one) {
		if ctx.Err() != nil {
			return nil, ctx.Err()
		}
		if r.Exp(a, less, p).Cmp(one) != 0 && p.Cmp(two) > 0 {
			return nil, &CompositeError{p, new(big.Int).Set(a)}
		}
		ok := true
		for _, q := range factors {
			if r.Exp(a, k.Quo(less, q.Prime), p).Cmp(one) == 0 {
				ok = false
				break
			}
		}
		if ok {
			return a, nil
		}
	}
}

// Proved factors n completely and proves every prime at or above [Assumed].
func Proved(ctx context.Context, n *big.Int, e *Effort) ([]PrimePower, *Proof, error) {
	factors, err := Integer(ctx, n, e)
	if err != nil {
		return nil, nil, err
	}
	proof := &Proof{}
	for _, q := range factors {
		if q.Prime.Cmp(big.NewInt(Assumed)) >= 0 {
			if err := proof.Prove(ctx, q.Prime, e); err != nil {
				return nil, nil, err
			}
		}
	}
	return factors, proof, nil
}

// Value is the proof as canonical JSON, the member "steps" of the certificate formats pratt and
// factorization.
func (f *Proof) Value() jcs.Value {
	steps := make([]jcs.Value, 0, len(f.Steps))
	for _, s := range f.Steps {
		steps = append(steps, jcs.NewObject(
			jcs.Member{Name: "factors", Value: PowersValue(s.Factors)},
			jcs.Member{Name: "prime", Value: jcs.NewString(s.P.String())},
			jcs.Member{Name: "witness", Value: jcs.NewString(s.Witness.String())},
		))
	}
	return jcs.NewArray(steps...)
}

// PowersValue is a list of {"exponent","prime"}.
func PowersValue(powers []PrimePower) jcs.Value {
	out := make([]jcs.Value, 0, len(powers))
	for _, q := range powers {
		out = append(out, jcs.NewObject(
			jcs.Member{Name: "exponent", Value: jcs.NewInteger(int64(q.Exponent))},
			jcs.Member{Name: "prime", Value: jcs.NewString(q.Prime.String())},
		))
	}
	return jcs.NewArray(out...)
}

// Certificate is the canonical object {"steps": ...}.
func (f *Proof) Certificate() []byte {
	return jcs.NewObject(jcs.Member{Name: "steps", Value: f.Value()}).Append(nil)
}
