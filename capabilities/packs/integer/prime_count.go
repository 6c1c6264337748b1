package integer

import (
	"context"
	"fmt"
	"math"
	"math/big"
	"strconv"

	"github.com/jacobian-ledger/jacobian/capabilities"
	"github.com/jacobian-ledger/jacobian/capabilities/packs/integer/factor"
	"github.com/jacobian-ledger/jacobian/capabilities/values"
	"github.com/jacobian-ledger/jacobian/events"
)

const (
	primeCountMost = 1_000_000_000_000 // x of π(x): memory is two tables of √x words
	nthPrimeMost   = 10_000_000_000    // n of the n-th prime
	primorialMost  = 7_000             // primes multiplied
)

// PrimeCountOutput is π(n).
type PrimeCountOutput struct {
	PrimeCount values.Int `json:"prime_count" doc:"number of primes up to n"`
}

var _ = capabilities.Define(pack, capabilities.Definition[NumberInput, PrimeCountOutput]{
	ID:          "integer.compute.prime_count",
	Title:       "number of primes up to n",
	Description: "pi(n): how many primes are at most n; 0 for n < 2. A sieve on the values floor(n/i), O(n^(3/4)) steps and O(n^(1/2)) memory, without listing the primes.",
	Source:      "Legendre 1808; the dynamic programme known as Lucy_Hedgehog's; OEIS A000720",
	Tags:        []string{"primes", "counting"},
	Needs:       []string{"how many primes up to n", "prime counting function", "number of primes below a bound", "pi of x"},
	Aliases:     []string{"pi", "primepi", "prime counting"},
	InputKinds:  []string{"integer"},
	Limits:      []events.Limit{{Name: "n", Value: strconv.Itoa(primeCountMost)}},
	Claimed:     capabilities.Computed,
	Heavy:       true,
	Preflight: func(in NumberInput) error {
		return checkMost("n", primeCountMost, in.N)
	},
	Examples: []capabilities.Example{
		{Name: "hundred", Input: `{"n":"100"}`, Output: `{"prime_count":"25"}`},
		{Name: "ten million", Input: `{"n":"10000000"}`, Output: `{"prime_count":"664579"}`},
		{Name: "negative", Input: `{"n":"-3"}`, Output: `{"prime_count":"0"}`},
	},
	Run: capabilities.Func(func(ctx context.Context, in NumberInput) (PrimeCountOutput, error) {
		n, _ := in.N.Int64()
		if in.N.Sign() < 0 {
			n = 0
		}
		count, err := primeCount(ctx, n)
		return PrimeCountOutput{values.IntOf(count)}, err
	}),
})

func checkMost(member string, most int64, v values.Int) error {
	if v.Cmp(values.IntOf(most)) > 0 {
		return capabilities.Exceeds("/"+member, member, strconv.FormatInt(most, 10), brief(v), "use a smaller number")
	}
	return nil
}

// primeCount is π(n) for 0 ≤ n ≤ primeCountMost. With S(v, p) the number of 2..v left by sieving with
// the primes to p, S(v, p) = S(v, p−1) − (S(v/p, p−1) − π(p−1)) while p² ≤ v; only the values floor(n/i)
// occur. low[v] holds S(v), high[i] holds S(n/i).
func primeCount(ctx context.Context, n int64) (int64, error) {
	if n < 2 {
		return 0, nil
	}
	root := int64(math.Sqrt(float64(n))) // a guess; made exact below
	for root*root > n {
		root--
	}
	for (root+1)*(root+1) <= n {
		root++
	}
	low, high := make([]int64, root+1), make([]int64, root+1)
	for v := int64(1); v <= root; v++ {
		low[v], high[v] = v-1, n/v-1
	}
	for p := int64(2); p <= root; p++ {
		if low[p] == low[p-1] {
			continue // not prime
		}
		if ctx.Err() != nil {
			return 0, ctx.Err()
		}
		before, square := low[p-1], p*p
		for i := int64(1); i <= root && n/i >= square; i++ {
			if d := i * p; d <= root {
				high[i] -= high[d] - before
			} else {
				high[i] -= low[n/d] - before
			}
		}
		for v := root; v >= square; v-- {
			low[v] -= low[v/p] - before
		}
	}
	return high[1], nil
}

// IndexInput is a position counted from 1.
type IndexInput struct {
	N values.Int `json:"n" doc:"the position, counted from 1"`
}

// PrimeValueOutput is one prime.
type PrimeValueOutput struct {
	Prime values.Int `json:"prime" doc:"the prime"`
}

var _ = capabilities.Define(pack, capabilities.Definition[IndexInput, PrimeValueOutput]{
	ID:          "integer.compute.nth_prime",
	Title:       "the n-th prime",
	Description: "The n-th prime in ascending order, n >= 1; the first is 2. Counts the primes to an estimate, then sieves from there to the n-th.",
	Source:      "M. Cipolla 1902 (the estimate); OEIS A000040",
	Tags:        []string{"primes"},
	Needs:       []string{"the n-th prime number", "prime at a position", "what is the 1000th prime", "inverse of the prime counting function"},
	Aliases:     []string{"prime(n)", "nth prime", "ithprime"},
	InputKinds:  []string{"integer"},
	Limits:      []events.Limit{{Name: "n", Value: strconv.Itoa(nthPrimeMost)}},
	Claimed:     capabilities.Computed,
	Heavy:       true,
	Preflight: func(in IndexInput) error {
		if err := checkLeast("n", 1, in.N); err != nil {
			return err
		}
		return checkMost("n", nthPrimeMost, in.N)
	},
	Examples: []capabilities.Example{
		{Name: "first", Input: `{"n":"1"}`, Output: `{"prime":"2"}`},
		{Name: "thousandth", Input: `{"n":"1000"}`, Output: `{"prime":"7919"}`},
	},
	Run: capabilities.Func(func(ctx context.Context, in IndexInput) (PrimeValueOutput, error) {
		n, _ := in.N.Int64()
		p, err := nthPrime(ctx, n)
		return PrimeValueOutput{values.IntOf(p)}, err
	}),
})

// nthPrime counts to an estimate of the n-th prime, which need not be good for the answer to be right,
// and sieves windows upwards or downwards until the count is reached.
func nthPrime(ctx context.Context, n int64) (int64, error) {
	x := int64(20)
	if n > 8 {
		f := float64(n)
		l, ll := math.Log(f), math.Log(math.Log(f))
		x = int64(f * (l + ll - 1 + (ll-2)/l - (ll*ll-6*ll+11)/(2*l*l)))
	}
	count, err := primeCount(ctx, x)
	if err != nil {
		return 0, err
	}
	const window = 1 << 17
	for count < n { // the answer is above x
		list, err := segment(ctx, x+1, x+window)
		if err != nil {
			return 0, err
		}
		if rest := n - count; rest <= int64(len(list)) {
			return list[rest-1], nil
		}
		count, x = count+int64(len(list)), x+window
	}
	for { // the answer is at most x
		from := max(x-window+1, 2)
		list, err := segment(ctx, from, x)
		if err != nil {
			return 0, err
		}
		if before := count - int64(len(list)); before < n {
			return list[n-before-1], nil
		}
		count, x = count-int64(len(list)), from-1
	}
}

// segment lists the primes from a ≥ 2 to b, by striking out multiples of the primes to √b.
func segment(ctx context.Context, a, b int64) ([]int64, error) {
	if ctx.Err() != nil {
		return nil, ctx.Err()
	}
	if b > factor.TrialBound*factor.TrialBound {
		return nil, fmt.Errorf("integer: %d is beyond the sieve", b)
	}
	struck := make([]bool, b-a+1)
	for _, q := range factor.SmallPrimes() {
		p := int64(q)
		if p*p > b {
			break
		}
		for m := max(p*p, (a+p-1)/p*p); m <= b; m += p {
			struck[m-a] = true
		}
	}
	var list []int64
	for i, s := range struck {
		if !s {
			list = append(list, a+int64(i))
		}
	}
	return list, nil
}

// PrimorialInput says how many primes to multiply.
type PrimorialInput struct {
	N int `json:"n" doc:"how many primes, from 0"`
}

// PrimorialOutput is p_n# = Π p_i.
type PrimorialOutput struct {
	Primorial values.Int `json:"primorial" doc:"product of the first n primes; 1 for n = 0"`
}

var _ = capabilities.Define(pack, capabilities.Definition[PrimorialInput, PrimorialOutput]{
	ID:          "integer.compute.primorial",
	Title:       "product of the first n primes",
	Description: "p_n# = 2·3·5·...·p_n, the product of the first n primes; 1 for n = 0.",
	Source:      "H. Dubner, Factorial and primorial primes, J. Recreational Math. 19 (1987); OEIS A002110",
	Tags:        []string{"primes", "products"},
	Needs:       []string{"product of the first n primes", "primorial", "multiply the primes up to the n-th", "Euclid number minus one"},
	Aliases:     []string{"primorial", "p#"},
	InputKinds:  []string{"integer"},
	Limits:      []events.Limit{{Name: "n", Value: strconv.Itoa(primorialMost), Note: "the product has then about 30,000 digits"}},
	Claimed:     capabilities.Computed,
	Preflight: func(in PrimorialInput) error {
		if in.N < 0 {
			return capabilities.Invalid("/n", "an integer of at least 0", strconv.Itoa(in.N), "n counts primes")
		}
		if in.N > primorialMost {
			return capabilities.Exceeds("/n", "n", strconv.Itoa(primorialMost), strconv.Itoa(in.N), "use fewer primes")
		}
		return nil
	},
	Examples: []capabilities.Example{
		{Name: "five", Input: `{"n":5}`, Output: `{"primorial":"2310"}`},
		{Name: "none", Input: `{"n":0}`, Output: `{"primorial":"1"}`},
	},
	Run: capabilities.Func(func(_ context.Context, in PrimorialInput) (PrimorialOutput, error) {
		return PrimorialOutput{values.NewInt(product(factor.SmallPrimes()[:in.N]))}, nil
	}),
})

// product multiplies by halves, so that the factors have like sizes.
func product(list []uint32) *big.Int {
	switch len(list) {
	case 0:
		return big.NewInt(1)
	case 1:
		return big.NewInt(int64(list[0]))
	}
	half := len(list) / 2
	x := product(list[:half])
	return x.Mul(x, product(list[half:]))
}
