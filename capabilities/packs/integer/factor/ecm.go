package factor

import (
	"context"
	"math"
	"math/big"
)

// ecmLevels are the stage 1 bounds with the expected number of curves for factors of 15, 20, 25, 30,
// 35 and 40 digits (Zimmermann and Dodson 2006, table 1); the last level has no end.
var ecmLevels = []level{{2_000, 25}, {11_000, 90}, {50_000, 300}, {250_000, 700}, {1_000_000, 1_800}, {3_000_000, math.MaxInt}}

const (
	stage2Ratio = 100        // B2 = 100 B1 ...
	stage2Most  = 50_000_000 // ... but no more than this, for memory
	giant       = 2310       // giant step of stage 2, 2·3·5·7·11
)

// ecm finds a proper divisor of n by elliptic curves; curves count up from σ = 6.
func ecm(ctx context.Context, n *big.Int, e *Effort) (*big.Int, error) {
	sigma := int64(6)
	for _, l := range ecmLevels {
		b2 := min(l.b1*stage2Ratio, stage2Most)
		primes := Primes(b2)
		for range l.curves {
			if e.spent() {
				return nil, ErrEffort
			}
			d, err := ecmCurve(ctx, n, sigma, l.b1, primes)
			if err != nil {
				return nil, err
			}
			sigma++
			e.curve(l.b1)
			if d != nil {
				return d, nil
			}
		}
	}
	return nil, ErrEffort
}

// point is a point of a Montgomery curve by its x coordinate X/Z.
type point struct{ x, z *big.Int }

func newPoint() *point { return &point{new(big.Int), new(big.Int)} }

func (p *point) set(q *point) {
	p.x.Set(q.x)
	p.z.Set(q.z)
}

// curve is b y² = x³ + a x² + x modulo n, with scratch space.
type curve struct {
	n, a24           *big.Int // a24 = (a + 2)/4
	q, t             *big.Int
	s, d, u, v, w    *big.Int
	ladder0, ladder1 *point
}

func newCurve(n *big.Int) *curve {
	i := func() *big.Int { return new(big.Int) }
	return &curve{n: n, a24: i(), q: i(), t: i(), s: i(), d: i(), u: i(), v: i(), w: i(), ladder0: newPoint(), ladder1: newPoint()}
}

// mul sets z = x·y mod n; signs are kept small rather than normalised.
func (c *curve) mul(z, x, y *big.Int) {
	c.t.Mul(x, y)
	c.q.QuoRem(c.t, c.n, z)
}

func (c *curve) double(r, p *point) {
	c.s.Add(p.x, p.z)
	c.mul(c.s, c.s, c.s)
	c.d.Sub(p.x, p.z)
	c.mul(c.d, c.d, c.d)
	c.u.Sub(c.s, c.d)
	c.mul(r.x, c.s, c.d)
	c.mul(c.v, c.a24, c.u)
	c.v.Add(c.v, c.d)
	c.mul(r.z, c.u, c.v)
}

// add sets r = p + q, given diff = p − q. r may be any of the three.
func (c *curve) add(r, p, q, diff *point) {
	c.u.Sub(p.x, p.z)
	c.s.Add(q.x, q.z)
	c.mul(c.u, c.u, c.s)
	c.v.Add(p.x, p.z)
	c.s.Sub(q.x, q.z)
	c.mul(c.v, c.v, c.s)
	c.s.Add(c.u, c.v)
	c.mul(c.s, c.s, c.s)
	c.d.Sub(c.u, c.v)
	c.mul(c.d, c.d, c.d)
	c.mul(c.w, c.s, diff.z)
	c.mul(r.z, c.d, diff.x)
	r.x.Set(c.w)
}

// multiply sets p = k·p by Montgomery's ladder, for k ≥ 1.
func (c *curve) multiply(p *point, k uint64) {
	if k == 1 {
		return
	}
	r0, r1 := c.ladder0, c.ladder1
	r0.set(p)
	c.double(r1, p)
	top := 63
	for k>>top == 0 {
		top--
	}
	for i := top - 1; i >= 0; i-- {
		if k>>i&1 == 1 {
			c.add(r0, r0, r1, p)
			c.double(r1, r1)
		} else {
			c.add(r1, r0, r1, p)
			c.double(r0, r0)
		}
	}
	p.set(r0)
}

// suyama chooses the curve and point of parameter sigma, whose order is a multiple of 12 (Montgomery
// 1987, 10.3.1). If the curve is undefined modulo a factor of n, it returns that factor.
func (c *curve) suyama(sigma int64, p *point) *big.Int {
	s := big.NewInt(sigma)
	u := new(big.Int).Mul(s, s)
	u.Sub(u, big.NewInt(5))
	v := new(big.Int).Lsh(s, 2)
	c.mul(p.x, u, u)
	c.mul(p.x, p.x, u)
	c.mul(p.z, v, v)
	c.mul(p.z, p.z, v)
	num := new(big.Int).Sub(v, u)
	c.mul(c.w, num, num)
	c.mul(num, c.w, num)
	c.w.Mul(u, big.NewInt(3))
	c.w.Add(c.w, v)
	c.mul(num, num, c.w)
	den := new(big.Int)
	c.mul(den, p.x, v)
	den.Lsh(den, 4)
	den.Mod(den, c.n)
	inverse := new(big.Int)
	if inverse.ModInverse(den, c.n) == nil {
		return new(big.Int).GCD(nil, nil, den, c.n)
	}
	c.mul(c.a24, num, inverse)
	return nil
}

// proper is g = gcd(x, n) if 1 < g < n, else nil.
func (c *curve) proper(x *big.Int) *big.Int {
	g := new(big.Int).GCD(nil, nil, new(big.Int).Abs(x), c.n)
	if g.Cmp(one) > 0 && g.Cmp(c.n) < 0 {
		return g
	}
	return nil
}

// ecmCurve runs both stages on one curve; nil if it shows no proper divisor.
func ecmCurve(ctx context.Context, n *big.Int, sigma int64, b1 int, primes []uint32) (*big.Int, error) {
	c, p := newCurve(n), newPoint()
	if g := c.suyama(sigma, p); g != nil {
		return c.proper(g), nil
	}
	i := 0
	for ; i < len(primes) && int(primes[i]) <= b1; i++ {
		if i%32 == 0 && ctx.Err() != nil {
			return nil, ctx.Err()
		}
		q := uint64(primes[i])
		power := q
		for power*q <= uint64(b1) {
			power *= q
		}
		c.multiply(p, power)
	}
	if g := c.proper(p.z); g != nil {
		return g, nil
	}
	return c.stage2(ctx, p, primes[i:])
}

// stage2 finds a factor whose group order has one more prime q, to B2. It writes q = m·giant ± j and
// multiplies up X_m Z_j − X_j Z_m, which vanishes where (m·giant ± j)·p is neutral.
func (c *curve) stage2(ctx context.Context, p *point, primes []uint32) (*big.Int, error) {
	if len(primes) == 0 {
		return nil, nil
	}
	small, smallProduct := c.babySteps(p)
	m := max(1, (int(primes[0])+giant/2)/giant)
	at := func(k int) *point {
		r := newPoint()
		r.set(p)
		c.multiply(r, uint64(k)*giant)
		return r
	}
	step, here, before := at(1), at(m), newPoint()
	if m > 1 {
		before = at(m - 1)
	}
	acc, product, next := big.NewInt(1), new(big.Int), newPoint()
	c.mul(product, here.x, here.z)
	a, b := new(big.Int), new(big.Int)
	for i, q := range primes {
		if i%1024 == 0 && ctx.Err() != nil {
			return nil, ctx.Err()
		}
		for int(q) > m*giant+giant/2 {
			if m == 1 {
				c.double(next, here) // here = step: the formula for sums does not hold
			} else {
				c.add(next, here, step, before)
			}
			before, here, next = here, next, before
			m++
			c.mul(product, here.x, here.z)
		}
		j := int(q) - m*giant // prime to giant, as q > 11
		if j < 0 {
			j = -j
		}
		a.Sub(here.x, small[j].x)
		b.Add(here.z, small[j].z)
		c.mul(a, a, b)
		a.Sub(a, product)
		a.Add(a, smallProduct[j])
		c.mul(acc, acc, a)
	}
	return c.proper(acc), nil
}

// babySteps computes j·p and X·Z of it for the j < giant/2 that are prime to giant.
func (c *curve) babySteps(p *point) ([]*point, []*big.Int) {
	all := make([]*point, giant/2+1)
	products := make([]*big.Int, len(all))
	twice := newPoint()
	c.double(twice, p)
	all[1] = p
	for j := 3; j < len(all); j += 2 {
		all[j] = newPoint()
		diff := p // 3p = 2p + p with difference p
		if j > 3 {
			diff = all[j-4]
		}
		c.add(all[j], all[j-2], twice, diff)
	}
	for j := range all {
		if all[j] == nil || j%3 == 0 || j%5 == 0 || j%7 == 0 || j%11 == 0 {
			all[j] = nil
			continue
		}
		products[j] = new(big.Int)
		c.mul(products[j], all[j].x, all[j].z)
	}
	return all, products
}
