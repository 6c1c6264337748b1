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
type point struct{ x, z residue }

func (p *point) set(q *point) {
	copy(p.x, q.x)
	copy(p.z, q.z)
}

// curve is b y² = x³ + a x² + x modulo n, with scratch space.
type curve struct {
	*field
	a24              residue // (a + 2)/4
	s, d, u, v, w    residue
	ladder0, ladder1 *point
}

func newCurve(n *big.Int) *curve {
	c := &curve{field: newField(n)}
	c.a24, c.s, c.d, c.u, c.v, c.w = c.zero(), c.zero(), c.zero(), c.zero(), c.zero(), c.zero()
	c.ladder0, c.ladder1 = c.newPoint(), c.newPoint()
	return c
}

func (c *curve) newPoint() *point { return &point{c.zero(), c.zero()} }

func (c *curve) double(r, p *point) {
	c.add(c.s, p.x, p.z)
	c.mul(c.s, c.s, c.s)
	c.sub(c.d, p.x, p.z)
	c.mul(c.d, c.d, c.d)
	c.sub(c.u, c.s, c.d)
	c.mul(r.x, c.s, c.d)
	c.mul(c.v, c.a24, c.u)
	c.add(c.v, c.v, c.d)
	c.mul(r.z, c.u, c.v)
}

// sum sets r = p + q, given diff = p − q. r may be any of the three.
func (c *curve) sum(r, p, q, diff *point) {
	c.sub(c.u, p.x, p.z)
	c.add(c.s, q.x, q.z)
	c.mul(c.u, c.u, c.s)
	c.add(c.v, p.x, p.z)
	c.sub(c.s, q.x, q.z)
	c.mul(c.v, c.v, c.s)
	c.add(c.s, c.u, c.v)
	c.mul(c.s, c.s, c.s)
	c.sub(c.d, c.u, c.v)
	c.mul(c.d, c.d, c.d)
	c.mul(c.w, c.s, diff.z)
	c.mul(r.z, c.d, diff.x)
	copy(r.x, c.w)
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
			c.sum(r0, r0, r1, p)
			c.double(r1, r1)
		} else {
			c.sum(r1, r0, r1, p)
			c.double(r0, r0)
		}
	}
	p.set(r0)
}

// suyama chooses the curve and point of parameter sigma, whose order is a multiple of 12 (Montgomery
// 1987, 10.3.1). If the curve is undefined modulo a factor of n, it returns that factor.
func (c *curve) suyama(sigma int64, p *point) *big.Int {
	n := c.modulus
	times := func(x, y *big.Int) *big.Int { z := new(big.Int).Mul(x, y); return z.Mod(z, n) }
	s := big.NewInt(sigma)
	u := new(big.Int).Sub(times(s, s), big.NewInt(5))
	v := new(big.Int).Lsh(s, 2)
	x, z := times(u, times(u, u)), times(v, times(v, v))
	w := new(big.Int).Sub(v, u)
	num := times(times(w, times(w, w)), new(big.Int).Add(new(big.Int).Mul(u, big.NewInt(3)), v)) // (v−u)³(3u+v)
	den := times(new(big.Int).Lsh(x, 4), v)                                                      // 16u³v
	inverse := new(big.Int)
	if inverse.ModInverse(den, n) == nil {
		return new(big.Int).GCD(nil, nil, den, n)
	}
	c.set(c.a24, times(num, inverse))
	c.set(p.x, x)
	c.set(p.z, z)
	return nil
}

// proper is g = gcd(x, n) if 1 < g < n, else nil.
func (c *curve) proper(x *big.Int) *big.Int {
	g := new(big.Int).GCD(nil, nil, x, c.modulus)
	if g.Cmp(one) > 0 && g.Cmp(c.modulus) < 0 {
		return g
	}
	return nil
}

// ecmCurve runs both stages on one curve; nil if it shows no proper divisor.
func ecmCurve(ctx context.Context, n *big.Int, sigma int64, b1 int, primes []uint32) (*big.Int, error) {
	c := newCurve(n)
	p := c.newPoint()
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
	if g := c.proper(c.value(p.z)); g != nil {
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
		r := c.newPoint()
		r.set(p)
		c.multiply(r, uint64(k)*giant)
		return r
	}
	step, here, before := at(1), at(m), c.newPoint()
	if m > 1 {
		before = at(m - 1)
	}
	acc, product, next := c.zero(), c.zero(), c.newPoint()
	c.set(acc, one)
	c.mul(product, here.x, here.z)
	a, b := c.zero(), c.zero()
	for i, q := range primes {
		if i%1024 == 0 && ctx.Err() != nil {
			return nil, ctx.Err()
		}
		for int(q) > m*giant+giant/2 {
			if m == 1 {
				c.double(next, here) // here = step: the formula for sums does not hold
			} else {
				c.sum(next, here, step, before)
			}
			before, here, next = here, next, before
			m++
			c.mul(product, here.x, here.z)
		}
		j := int(q) - m*giant // prime to giant, as q > 11
		if j < 0 {
			j = -j
		}
		c.sub(a, here.x, small[j].x)
		c.add(b, here.z, small[j].z)
		c.mul(a, a, b)
		c.sub(a, a, product)
		c.add(a, a, smallProduct[j])
		c.mul(acc, acc, a)
	}
	return c.proper(c.value(acc)), nil
}

// babySteps computes j·p and X·Z of it for the j < giant/2 that are prime to giant.
func (c *curve) babySteps(p *point) ([]*point, []residue) {
	all := make([]*point, giant/2+1)
	products := make([]residue, len(all))
	twice := c.newPoint()
	c.double(twice, p)
	all[1] = p
	for j := 3; j < len(all); j += 2 {
		all[j] = c.newPoint()
		diff := p // 3p = 2p + p with difference p
		if j > 3 {
			diff = all[j-4]
		}
		c.sum(all[j], all[j-2], twice, diff)
	}
	for j := range all {
		if all[j] == nil || j%3 == 0 || j%5 == 0 || j%7 == 0 || j%11 == 0 {
			all[j] = nil
			continue
		}
		products[j] = c.zero()
		c.mul(products[j], all[j].x, all[j].z)
	}
	return all, products
}
