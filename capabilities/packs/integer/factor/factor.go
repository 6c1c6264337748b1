// Package factor splits integers into primes and proves the primes, for the operations on integers
// and residues that need a complete factorization.
//
// Stages: trial division by every prime to [TrialBound]; perfect powers; Pollard's rho in Brent's form;
// Lenstra's elliptic curves in Montgomery form with growing bounds. All choices are deterministic
// (parameters are counted up from fixed starts), so one input always takes one path. Whatever the
// search says is only a proposal: a prime factor counts once [Prove] has built its Pratt certificate,
// which independent checkers replay.
//
// Invariants: the factors of an answer multiply to the input; an answer is complete or absent; [Effort]
// counts only finished work. Sources: R. Brent, An improved Monte Carlo factorization algorithm, BIT 20
// (1980); P. Montgomery, Speeding the Pollard and elliptic curve methods, Math. Comp. 48 (1987);
// P. Zimmermann and B. Dodson, 20 years of ECM (2006), for the table of bounds.
package factor

import (
	"context"
	"errors"
	"fmt"
	"math/big"
	"slices"
	"strconv"

	"github.com/jacobian-ledger/jacobian/events"
)

// TrialBound is the largest trial divisor.
const TrialBound = 1_000_000

// ErrEffort says that the allowed effort was spent without a complete factorization.
var ErrEffort = errors.New("factor: the allowed effort is spent")

// PrimePower is one prime of a factorization with its exponent, at least 1.
type PrimePower struct {
	Prime    *big.Int
	Exponent int
}

// Effort counts the finished work of a search. The zero value is ready; Report, if set, is called as
// the counts grow. Curves, if positive, ends the search with [ErrEffort] after that many curves.
type Effort struct {
	Report func(events.Scope)
	Curves int

	trial, rho int
	curves     []level // curves finished at each bound, in the order of use
}

type level struct{ b1, curves int }

// Scope states what was covered, with exact counts.
func (e *Effort) Scope() *events.Scope {
	curves, b1 := 0, 0
	text := fmt.Sprintf("trial division by every prime to %d; %d steps of Pollard rho", e.trial, e.rho)
	for _, l := range e.curves {
		curves, b1 = curves+l.curves, max(b1, l.b1)
		text += fmt.Sprintf("; %d elliptic curves with B1 = %d", l.curves, l.b1)
	}
	return &events.Scope{
		Description: text,
		Parameters: []events.Param{
			{Name: "trial_division_bound", Value: strconv.Itoa(e.trial)},
			{Name: "rho_steps", Value: strconv.Itoa(e.rho)},
			{Name: "ecm_curves", Value: strconv.Itoa(curves)},
			{Name: "ecm_b1", Value: strconv.Itoa(b1)},
		},
	}
}

func (e *Effort) report() {
	if e.Report != nil {
		e.Report(*e.Scope())
	}
}

func (e *Effort) curve(b1 int) {
	if i := slices.IndexFunc(e.curves, func(l level) bool { return l.b1 == b1 }); i >= 0 {
		e.curves[i].curves++
	} else {
		e.curves = append(e.curves, level{b1, 1})
	}
	e.report()
}

func (e *Effort) spent() bool {
	if e.Curves <= 0 {
		return false
	}
	n := 0
	for _, l := range e.curves {
		n += l.curves
	}
	return n >= e.Curves
}

// Integer returns the prime powers of |n| in ascending order of the primes, for n ≠ 0; those of 1 are
// none. Primes below 2^64 are exact; larger ones passed the Baillie–PSW test and want [Prove]. It
// returns ctx.Err() or [ErrEffort] if it did not finish.
func Integer(ctx context.Context, n *big.Int, e *Effort) ([]PrimePower, error) {
	m := new(big.Int).Abs(n)
	if m.Sign() == 0 {
		return nil, errors.New("factor: zero has no factorization")
	}
	found, m, err := trial(ctx, m)
	if err != nil {
		return nil, err
	}
	if e.trial != TrialBound {
		e.trial = TrialBound
		e.report()
	}
	if err := split(ctx, m, 1, &found, e); err != nil {
		return nil, err
	}
	return collect(found), nil
}

// Small is [Integer] for |n| below 2^64, which always finishes quickly. It panics on 0.
func Small(n uint64) []PrimePower {
	f, err := Integer(context.Background(), new(big.Int).SetUint64(n), &Effort{})
	if err != nil {
		panic(err)
	}
	return f
}

// collect sorts and joins equal primes.
func collect(found []PrimePower) []PrimePower {
	slices.SortFunc(found, func(a, b PrimePower) int { return a.Prime.Cmp(b.Prime) })
	out := found[:0]
	for _, p := range found {
		if k := len(out) - 1; k >= 0 && out[k].Prime.Cmp(p.Prime) == 0 {
			out[k].Exponent += p.Exponent
		} else {
			out = append(out, p)
		}
	}
	return out
}

// trial removes every prime to TrialBound; it stops where the rest is 1 or cannot be composite.
func trial(ctx context.Context, m *big.Int) ([]PrimePower, *big.Int, error) {
	var found []PrimePower
	m = new(big.Int).Set(m)
	for i, p := range SmallPrimes() {
		if m.IsUint64() && uint64(p)*uint64(p) > m.Uint64() {
			break
		}
		if i%4096 == 0 && ctx.Err() != nil {
			return nil, nil, ctx.Err()
		}
		if e := divideOut(m, p); e > 0 {
			found = append(found, PrimePower{big.NewInt(int64(p)), e})
		}
	}
	return found, m, nil
}

// divideOut removes every factor p from m in place and returns how many there were.
func divideOut(m *big.Int, p uint32) int {
	e := 0
	d, q, r := big.NewInt(int64(p)), new(big.Int), new(big.Int)
	for {
		if q.QuoRem(m, d, r); r.Sign() != 0 {
			return e
		}
		m.Set(q)
		e++
	}
}

// split adds the primes of m^times, where m has no factor to TrialBound.
func split(ctx context.Context, m *big.Int, times int, found *[]PrimePower, e *Effort) error {
	if m.Cmp(one) == 0 {
		return nil
	}
	if Probable(m) {
		*found = append(*found, PrimePower{new(big.Int).Set(m), times})
		return nil
	}
	if r, k := perfectPower(m); k > 1 {
		return split(ctx, r, times*k, found, e)
	}
	d, err := divisor(ctx, m, e)
	if err != nil {
		return err
	}
	if err := split(ctx, d, times, found, e); err != nil {
		return err
	}
	return split(ctx, new(big.Int).Quo(m, d), times, found, e)
}

// divisor finds a proper divisor of a composite m that is not a perfect power.
func divisor(ctx context.Context, m *big.Int, e *Effort) (*big.Int, error) {
	if m.IsUint64() {
		return rho64(ctx, m.Uint64(), e)
	}
	d, err := rho(ctx, m, rhoSteps, e)
	if d != nil || err != nil {
		return d, err
	}
	return ecm(ctx, m, e)
}

// Probable reports whether m passes the Baillie–PSW test and three Miller–Rabin rounds; below 2^64
// that decides, and no composite above is known to pass.
func Probable(m *big.Int) bool { return m.Sign() > 0 && m.ProbablyPrime(3) }

var (
	one = big.NewInt(1)
	two = big.NewInt(2)
)

// perfectPower returns r and the largest k with r^k = m, for m with no factor to TrialBound.
func perfectPower(m *big.Int) (*big.Int, int) {
	for k := m.BitLen() / 19; k >= 2; k-- {
		if r, exact := Root(m, k); exact {
			return r, k
		}
	}
	return m, 1
}

// Root returns the floor of the k-th root of n ≥ 0, and whether it is exact. Newton's iteration on
// integers from above, which decreases until it is the floor.
func Root(n *big.Int, k int) (*big.Int, bool) {
	if n.Cmp(one) <= 0 || k == 1 {
		return new(big.Int).Set(n), true
	}
	if k >= n.BitLen() {
		return big.NewInt(1), false // 2^k > n
	}
	var r *big.Int
	if k == 2 {
		r = new(big.Int).Sqrt(n)
	} else {
		r = new(big.Int).Lsh(one, uint((n.BitLen()+k-1)/k)) // above the root
		kk, k1, next := big.NewInt(int64(k)), big.NewInt(int64(k-1)), new(big.Int)
		for {
			next.Exp(r, k1, nil)
			next.Quo(n, next)
			next.Add(next, new(big.Int).Mul(k1, r))
			next.Quo(next, kk)
			if next.Cmp(r) >= 0 {
				break
			}
			r.Set(next)
		}
	}
	return r, new(big.Int).Exp(r, big.NewInt(int64(k)), nil).Cmp(n) == 0
}
