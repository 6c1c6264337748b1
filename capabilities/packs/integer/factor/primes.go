package factor

import "sync"

// Primes lists the primes to n in ascending order, by the sieve of Eratosthenes on the odd numbers:
// n/2 bytes, O(n log log n).
func Primes(n int) []uint32 {
	if n < 2 {
		return nil
	}
	composite := make([]bool, (n+1)/2) // index i stands for 2i+1
	for i := 1; (2*i+1)*(2*i+1) <= n; i++ {
		if composite[i] {
			continue
		}
		for j := 2 * i * (i + 1); j < len(composite); j += 2*i + 1 {
			composite[j] = true
		}
	}
	out := []uint32{2}
	for i := 1; i < len(composite); i++ {
		if !composite[i] {
			out = append(out, uint32(2*i+1))
		}
	}
	return out
}

// SmallPrimes lists the primes to [TrialBound]; callers must not change it.
var SmallPrimes = sync.OnceValue(func() []uint32 { return Primes(TrialBound) })
