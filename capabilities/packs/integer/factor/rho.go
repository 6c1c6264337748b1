package factor

import (
	"context"
	"math/big"
	"math/bits"
)

const (
	// rhoSteps bounds rho above 64 bits: it finds factors to about ten digits; curves do better then.
	rhoSteps = 1 << 16
	rhoBatch = 128 // differences multiplied before one gcd
)

func mulMod64(a, b, n uint64) uint64 {
	hi, lo := bits.Mul64(a, b)
	_, r := bits.Div64(hi, lo, n)
	return r
}

func gcd64(a, b uint64) uint64 {
	for b != 0 {
		a, b = b, a%b
	}
	return a
}

// rho64 finds a proper divisor of a composite n that is not a perfect power. It tries the maps
// x² + c for c = 1, 2, ... until one succeeds; the expected steps are about the fourth root of n.
func rho64(ctx context.Context, n uint64, e *Effort) (*big.Int, error) {
	for c := uint64(1); ; c++ {
		d, err := rho64Map(ctx, n, c, e)
		if err != nil {
			return nil, err
		}
		if d > 1 && d < n {
			return new(big.Int).SetUint64(d), nil
		}
	}
}

func rho64Map(ctx context.Context, n, c uint64, e *Effort) (uint64, error) {
	step := func(x uint64) uint64 {
		s, carry := bits.Add64(mulMod64(x, x, n), c, 0)
		if carry != 0 || s >= n {
			s -= n
		}
		return s
	}
	diff := func(a, b uint64) uint64 {
		if a > b {
			return a - b
		}
		return b - a
	}
	y, g, product := uint64(2), uint64(1), uint64(1)
	var x, saved uint64
	for r := 1; g == 1; r *= 2 {
		x = y
		for range r {
			y = step(y)
		}
		for k := 0; k < r && g == 1; k += rhoBatch {
			if ctx.Err() != nil {
				return 0, ctx.Err()
			}
			saved = y
			batch := min(rhoBatch, r-k)
			for range batch {
				y = step(y)
				product = mulMod64(product, diff(x, y), n)
			}
			e.rho += batch
			g = gcd64(product, n)
		}
		e.rho += r
	}
	if g == n { // all factors fell into one batch: go through it one by one
		for g = 1; g == 1; {
			saved = step(saved)
			g = gcd64(diff(x, saved), n)
		}
	}
	return g, nil
}

// rho looks for a divisor of n within a number of steps; nil if there was none.
func rho(ctx context.Context, n *big.Int, steps int, e *Effort) (*big.Int, error) {
	y, x, saved := big.NewInt(2), new(big.Int), new(big.Int)
	product, t, q := big.NewInt(1), new(big.Int), new(big.Int)
	g := new(big.Int)
	step := func(v *big.Int) {
		t.Mul(v, v)
		t.Add(t, one)
		q.QuoRem(t, n, v)
	}
	done := 0
	for r := 1; done < steps; r *= 2 {
		x.Set(y)
		for k := 0; k < r; k += rhoBatch {
			if ctx.Err() != nil {
				return nil, ctx.Err()
			}
			saved.Set(y)
			batch := min(rhoBatch, r-k)
			for range batch {
				step(y)
				t.Sub(x, y)
				t.Mul(t, product)
				q.QuoRem(t, n, product)
			}
			product.Abs(product)
			done += batch
			e.rho += batch
			if g.GCD(nil, nil, product, n).Cmp(one) > 0 {
				e.report()
				return rhoBacktrack(g, x, saved, n, step), nil
			}
		}
	}
	e.report()
	return nil, nil
}

// rhoBacktrack goes through a batch whose product shares the factor g with n; nil if the map is used up.
func rhoBacktrack(g, x, saved, n *big.Int, step func(*big.Int)) *big.Int {
	if g.Cmp(n) < 0 {
		return g
	}
	d := new(big.Int)
	for range rhoBatch + 1 {
		step(saved)
		d.Sub(x, saved)
		if g.GCD(nil, nil, d.Abs(d), n).Cmp(one) > 0 {
			if g.Cmp(n) < 0 {
				return g
			}
			return nil
		}
	}
	return nil
}
