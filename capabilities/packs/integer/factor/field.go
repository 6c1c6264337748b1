package factor

import (
	"encoding/binary"
	"math/big"
	"math/bits"
)

// residue is x·R modulo n in little-endian words, reduced, where R = 2^(64·words) (P. Montgomery, Modular
// multiplication without trial division, Math. Comp. 44, 1985). Multiplications of residues need no division,
// which makes curves about three times as fast as with big.Int.
type residue []uint64

// field is the residues modulo an odd n; they form a field where n is prime.
type field struct {
	modulus *big.Int
	n       residue
	inverse uint64  // −1/n modulo 2^64
	t       residue // scratch: product in progress
}

func newField(n *big.Int) *field {
	words := (n.BitLen() + 63) / 64
	f := &field{modulus: n, n: make(residue, words), t: make(residue, words+2)}
	f.load(f.n, n)
	x := f.n[0] // correct to 3 bits; each step doubles them
	for range 5 {
		x *= 2 - f.n[0]*x
	}
	f.inverse = -x
	return f
}

func (f *field) zero() residue { return make(residue, len(f.n)) }

// load copies the words of 0 ≤ x < 2^(64·words).
func (f *field) load(z residue, x *big.Int) {
	b := x.FillBytes(make([]byte, 8*len(z)))
	for i := range z {
		z[i] = binary.BigEndian.Uint64(b[8*(len(z)-1-i):])
	}
}

// set makes z the residue of x.
func (f *field) set(z residue, x *big.Int) {
	y := new(big.Int).Lsh(x, uint(64*len(f.n)))
	f.load(z, y.Mod(y, f.modulus))
}

// value is x·R modulo n as an integer. R is prime to n, so that gcd(value, n) = gcd(x, n).
func (f *field) value(x residue) *big.Int {
	b := make([]byte, 8*len(x))
	for i, w := range x {
		binary.BigEndian.PutUint64(b[8*(len(x)-1-i):], w)
	}
	return new(big.Int).SetBytes(b)
}

// reduce sets z = t − n if t ≥ n, else t, where carry is the word of t above len(n).
func (f *field) reduce(z, t residue, carry uint64) {
	if carry == 0 {
		for i := len(f.n) - 1; i >= 0; i-- {
			if t[i] != f.n[i] {
				if t[i] < f.n[i] {
					copy(z, t)
					return
				}
				break
			}
		}
	}
	var borrow uint64
	for i, w := range f.n {
		z[i], borrow = bits.Sub64(t[i], w, borrow)
	}
}

func (f *field) add(z, x, y residue) {
	var carry uint64
	t := f.t[:len(f.n)]
	for i := range t {
		t[i], carry = bits.Add64(x[i], y[i], carry)
	}
	f.reduce(z, t, carry)
}

func (f *field) sub(z, x, y residue) {
	var borrow, carry uint64
	for i := range f.n {
		z[i], borrow = bits.Sub64(x[i], y[i], borrow)
	}
	if borrow != 0 {
		for i, w := range f.n {
			z[i], carry = bits.Add64(z[i], w, carry)
		}
	}
}

// mul sets z = x·y/R modulo n, word by word: add x[i]·y, add the multiple of n that clears the lowest word,
// shift. z may be x or y.
func (f *field) mul(z, x, y residue) {
	n, t := f.n, f.t
	k := len(n)
	x, y, t = x[:k], y[:k], t[:k+2]
	clear(t)
	for i := range k {
		var c, carry uint64
		for j := range k {
			hi, lo := bits.Mul64(x[i], y[j])
			lo, carry = bits.Add64(lo, t[j], 0)
			hi += carry
			t[j], carry = bits.Add64(lo, c, 0)
			c = hi + carry
		}
		t[k], t[k+1] = bits.Add64(t[k], c, 0)
		m := t[0] * f.inverse
		hi, lo := bits.Mul64(m, n[0])
		_, carry = bits.Add64(lo, t[0], 0)
		c = hi + carry
		for j := 1; j < k; j++ {
			hi, lo = bits.Mul64(m, n[j])
			lo, carry = bits.Add64(lo, t[j], 0)
			hi += carry
			t[j-1], carry = bits.Add64(lo, c, 0)
			c = hi + carry
		}
		t[k-1], carry = bits.Add64(t[k], c, 0)
		t[k] = t[k+1] + carry
	}
	f.reduce(z, t[:k], t[k])
}
