package integer

import (
	"context"
	"errors"
	"math/big"

	"github.com/jacobian-ledger/jacobian/capabilities"
	"github.com/jacobian-ledger/jacobian/capabilities/packs/integer/factor"
	"github.com/jacobian-ledger/jacobian/capabilities/values"
	"github.com/jacobian-ledger/jacobian/events"
)

// NeighbourOutput is the nearest prime on one side. Every number between is proved composite by a strong
// test; the prime itself is proved by a Pratt certificate where n−1 could be factored.
type NeighbourOutput struct {
	Prime  values.Int `json:"prime" doc:"the nearest prime"`
	Proved bool       `json:"proved" doc:"false if it only passed the probable prime tests"`
}

func neighbourLimits() []events.Limit {
	return []events.Limit{digitsLimit("n", neighbourDigit, "larger numbers are refused")}
}

var _ = capabilities.Define(pack, capabilities.Definition[NumberInput, NeighbourOutput]{
	ID:          "integer.compute.next_prime",
	Title:       "next prime after an integer",
	Description: "The least prime above n. Exact, and proved where its predecessor factors within the effort; otherwise a probable prime, marked HEURISTIC.",
	Source:      "OEIS A151800",
	Tags:        []string{"primes"},
	Needs:       []string{"next prime after a number", "smallest prime larger than n", "find a prime near a number", "a large prime above a bound"},
	Aliases:     []string{"nextprime", "next prime"},
	InputKinds:  []string{"integer"},
	Limits:      neighbourLimits(),
	Claimed:     capabilities.Computed,
	Heavy:       true,
	Preflight:   func(in NumberInput) error { return checkDigits("n", neighbourDigit, in.N, "") },
	Examples: []capabilities.Example{
		{Name: "small", Input: `{"n":"13"}`, Output: `{"prime":"17","proved":true}`},
		{Name: "negative", Input: `{"n":"-5"}`, Output: `{"prime":"2","proved":true}`},
		{Name: "large", Input: `{"n":"100000000000000000000000000000"}`, Output: `{"prime":"100000000000000000000000000319","proved":true}`},
	},
	Run: func(ctx context.Context, env *capabilities.Env, in NumberInput) (capabilities.Outcome[NeighbourOutput], error) {
		n := in.N.Big()
		if n.Cmp(big.NewInt(1)) < 0 {
			n.SetInt64(1)
		}
		return neighbour(ctx, env, n, 1)
	},
})

var _ = capabilities.Define(pack, capabilities.Definition[NumberInput, NeighbourOutput]{
	ID:          "integer.compute.previous_prime",
	Title:       "previous prime before an integer",
	Description: "The greatest prime below n, for n >= 3. Exact, and proved where its predecessor factors within the effort; otherwise a probable prime, marked HEURISTIC.",
	Source:      "OEIS A151799",
	Tags:        []string{"primes"},
	Needs:       []string{"previous prime before a number", "largest prime smaller than n", "greatest prime below a bound", "prime just under a power of two"},
	Aliases:     []string{"prevprime", "precprime", "previous prime"},
	InputKinds:  []string{"integer"},
	Limits:      neighbourLimits(),
	Claimed:     capabilities.Computed,
	Heavy:       true,
	Preflight: func(in NumberInput) error {
		if in.N.Cmp(values.IntOf(3)) < 0 {
			return capabilities.NotApplicable("/n", "an integer of at least 3", brief(in.N), "there is no prime below 2")
		}
		return checkDigits("n", neighbourDigit, in.N, "")
	},
	Examples: []capabilities.Example{
		{Name: "small", Input: `{"n":"13"}`, Output: `{"prime":"11","proved":true}`},
		{Name: "least", Input: `{"n":"3"}`, Output: `{"prime":"2","proved":true}`},
		{Name: "64 bits", Input: `{"n":"18446744073709551616"}`, Output: `{"prime":"18446744073709551557","proved":true}`},
	},
	Run: func(ctx context.Context, env *capabilities.Env, in NumberInput) (capabilities.Outcome[NeighbourOutput], error) {
		return neighbour(ctx, env, in.N.Big(), -1)
	},
})

// neighbour goes from n in steps of ±1 to the first probable prime and tries to prove it. A number that
// fails the tests is surely composite, so that nothing is skipped.
func neighbour(ctx context.Context, env *capabilities.Env, n *big.Int, step int64) (capabilities.Outcome[NeighbourOutput], error) {
	by := big.NewInt(step)
	for n.Add(n, by); !maybePrime(n); n.Add(n, by) {
		if ctx.Err() != nil {
			return capabilities.Outcome[NeighbourOutput]{}, ctx.Err()
		}
	}
	e := proofEffort(env, n)
	err := new(factor.Proof).Prove(ctx, n, e)
	var liar *factor.CompositeError
	switch {
	case err == nil:
		return capabilities.Outcome[NeighbourOutput]{Output: NeighbourOutput{values.NewInt(n), true}}, nil
	case errors.Is(err, factor.ErrEffort):
		level := capabilities.Heuristic
		return capabilities.Outcome[NeighbourOutput]{
			Output: NeighbourOutput{values.NewInt(n), false}, Claimed: &level, Scope: e.Scope(),
			Notes:       []string{"the answer passes the Baillie-PSW test but is not proved prime: its predecessor was not factored within the effort in scope"},
			Obligations: []string{"a proof that the answer is prime"},
		}, nil
	case errors.As(err, &liar) && liar.N.Cmp(n) == 0: // passes all tests and is composite: go on
		return neighbour(ctx, env, n, step)
	}
	return capabilities.Outcome[NeighbourOutput]{Scope: e.Scope()}, err
}

// maybePrime is the probable prime test behind divisions by small primes, which settle most numbers.
func maybePrime(n *big.Int) bool {
	if n.Cmp(big.NewInt(2)) < 0 {
		return false
	}
	d, r := new(big.Int), new(big.Int)
	for _, p := range factor.SmallPrimes()[:500] {
		d.SetUint64(uint64(p))
		if r.Rem(n, d).Sign() == 0 {
			return n.Cmp(d) == 0
		}
	}
	return factor.Probable(n)
}
