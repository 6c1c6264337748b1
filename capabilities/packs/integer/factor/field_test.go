package factor

import (
	"math/big"
	"math/rand/v2"
	"slices"
	"testing"
)

// TestField_AgreesWithBigInt compares the arithmetic of residues with math/big, at sizes and values where
// carries run through.
func TestField_AgreesWithBigInt(t *testing.T) {
	const seed = 4
	r := rand.New(rand.NewPCG(seed, seed))
	random := func(below *big.Int) *big.Int {
		switch r.IntN(5) {
		case 0:
			return big.NewInt(0)
		case 1:
			return new(big.Int).Sub(below, one)
		case 2:
			return new(big.Int).Rsh(below, uint(1+r.IntN(below.BitLen())))
		}
		x := new(big.Int)
		for x.BitLen() < below.BitLen()+64 {
			x.Lsh(x, 64).Or(x, new(big.Int).SetUint64(r.Uint64()))
		}
		return x.Mod(x, below)
	}
	for _, words := range []uint{1, 2, 3, 6, 9} {
		top := new(big.Int).Lsh(one, 64*words)
		moduli := []*big.Int{new(big.Int).Sub(top, one), new(big.Int).Add(new(big.Int).Rsh(top, 1), one), new(big.Int).Sub(top, big.NewInt(59)), big.NewInt(3)}
		for range 20 {
			n := random(top)
			moduli = append(moduli, n.SetBit(n, 0, 1))
		}
		for _, n := range moduli {
			if n.Cmp(one) == 0 {
				continue
			}
			f := newField(n)
			for range 50 {
				x, y := random(n), random(n)
				a, b, z, want := f.zero(), f.zero(), f.zero(), f.zero()
				f.set(a, x)
				f.set(b, y)
				for name, op := range map[string]struct {
					got  func(z, x, y residue)
					want func(x, y *big.Int) *big.Int
				}{
					"add": {f.add, func(x, y *big.Int) *big.Int { return new(big.Int).Add(x, y) }},
					"sub": {f.sub, func(x, y *big.Int) *big.Int { return new(big.Int).Sub(x, y) }},
					"mul": {f.mul, func(x, y *big.Int) *big.Int { return new(big.Int).Mul(x, y) }},
				} {
					op.got(z, a, b)
					f.set(want, op.want(x, y))
					if !slices.Equal(z, want) {
						t.Fatalf("%s of %s and %s modulo %s, seed %d", name, x, y, n, seed)
					}
					alias := append(residue{}, a...)
					if op.got(alias, alias, b); !slices.Equal(alias, want) {
						t.Fatalf("%s in place of %s and %s modulo %s, seed %d", name, x, y, n, seed)
					}
				}
			}
		}
	}
}
