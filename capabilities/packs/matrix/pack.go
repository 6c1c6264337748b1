// Package matrix holds the operations on matrices of exact rationals and integers.
package matrix

import (
	"fmt"
	"math/big"

	"github.com/jacobian-ledger/jacobian/capabilities"
	"github.com/jacobian-ledger/jacobian/capabilities/values"
	"github.com/jacobian-ledger/jacobian/events"
	"github.com/jacobian-ledger/jacobian/events/jcs"
)

var pack = capabilities.NewPack("matrix")

// Pack returns the operations of this domain.
func Pack() *capabilities.Pack { return pack }

// The bounds that keep an operation well under a second: rows and columns, and bits of numerators and
// denominators together.
const (
	maxOrder = 40
	maxBits  = 200_000
)

// Input asks about one rational matrix.
type Input struct {
	Matrix values.Matrix `json:"matrix" doc:"rows of exact rationals; {rows, cols, entries} for an empty one"`
}

func limits() []events.Limit {
	return []events.Limit{
		{Name: "order", Value: fmt.Sprint(maxOrder), Note: "rows and columns each"},
		{Name: "bits", Value: fmt.Sprint(maxBits), Note: "of all numerators and denominators together"},
	}
}

func checkSize(path string, m values.Matrix) error {
	if m.Rows > maxOrder || m.Cols > maxOrder {
		return capabilities.Exceeds(path, "order", fmt.Sprint(maxOrder), fmt.Sprintf("%d by %d", m.Rows, m.Cols), "use a smaller matrix")
	}
	bits := 0
	for _, row := range m.Entries {
		for _, x := range row {
			bits += x.Num().BitLen() + x.Den().BitLen()
		}
	}
	if bits > maxBits {
		return capabilities.Exceeds(path, "bits", fmt.Sprint(maxBits), fmt.Sprint(bits), "use smaller entries")
	}
	return nil
}

func preflight(in Input) error { return checkSize("/matrix", in.Matrix) }

func preflightSquare(in Input) error {
	if in.Matrix.Rows != in.Matrix.Cols {
		return capabilities.Invalid("/matrix", "as many rows as columns", fmt.Sprintf("%d by %d", in.Matrix.Rows, in.Matrix.Cols), "this is defined for square matrices")
	}
	return preflight(in)
}

func claim(predicate string) func(Input) events.Claim {
	return func(in Input) events.Claim { return capabilities.NewClaim("matrix/1", predicate, in) }
}

// echelon is the result of Gauss-Jordan elimination on rows.
type echelon struct {
	form      [][]*big.Rat // reduced row echelon form R
	transform [][]*big.Rat // T with T·A = R
	pivots    []int        // column of the pivot of each non-zero row
	det       *big.Rat     // product of the pivots with the sign of the swaps
	origin    []int        // original row that each row came from
}

// eliminate brings a matrix with that many columns to reduced row echelon form.
func eliminate(a [][]*big.Rat, cols int) echelon {
	n := len(a)
	e := echelon{form: a, transform: identity(n), det: big.NewRat(1, 1), origin: make([]int, n)}
	for i := range e.origin {
		e.origin[i] = i
	}
	row := 0
	for col := 0; col < cols && row < n; col++ {
		p := row
		for p < n && a[p][col].Sign() == 0 {
			p++
		}
		if p == n {
			continue
		}
		if p != row {
			for _, m := range [][][]*big.Rat{a, e.transform} {
				m[p], m[row] = m[row], m[p]
			}
			e.origin[p], e.origin[row] = e.origin[row], e.origin[p]
			e.det.Neg(e.det)
		}
		e.det.Mul(e.det, a[row][col])
		f := new(big.Rat).Inv(a[row][col])
		scale(a[row], f)
		scale(e.transform[row], f)
		for i := range n {
			if i != row && a[i][col].Sign() != 0 {
				f := new(big.Rat).Neg(a[i][col])
				addTo(a[i], a[row], f)
				addTo(e.transform[i], e.transform[row], f)
			}
		}
		e.pivots = append(e.pivots, col)
		row++
	}
	return e
}

func identity(n int) [][]*big.Rat {
	m := make([][]*big.Rat, n)
	for i := range m {
		m[i] = make([]*big.Rat, n)
		for j := range m[i] {
			m[i][j] = new(big.Rat)
		}
		m[i][i].SetInt64(1)
	}
	return m
}

func scale(row []*big.Rat, f *big.Rat) {
	for _, x := range row {
		x.Mul(x, f)
	}
}

// addTo adds f times another row.
func addTo(row, other []*big.Rat, f *big.Rat) {
	for j, x := range other {
		if x.Sign() != 0 {
			row[j].Add(row[j], new(big.Rat).Mul(f, x))
		}
	}
}

// nullBasis is a basis of the vectors that the matrix maps to zero: for each column without a pivot the
// vector that has 1 there and 0 at the other such columns.
func (e *echelon) nullBasis(cols int) (basis [][]*big.Rat, free []int) {
	at := map[int]int{}
	for i, p := range e.pivots {
		at[p] = i
	}
	for f := range cols {
		if _, pivot := at[f]; pivot {
			continue
		}
		v := make([]*big.Rat, cols)
		for j := range v {
			v[j] = new(big.Rat)
			if i, pivot := at[j]; pivot {
				v[j].Neg(e.form[i][f])
			}
		}
		v[f].SetInt64(1)
		basis, free = append(basis, v), append(free, f)
	}
	return basis, free
}

// rankCertificate is read by the checker matrix.exact, format matrix.rank.
type rankCertificate struct {
	Rows  []int         `json:"rows"`
	Cols  []int         `json:"cols"`
	Basis values.Matrix `json:"basis"`
	Free  []int         `json:"free"`
}

func (e *echelon) rankEvidence(cols int) *capabilities.Evidence {
	basis, free := e.nullBasis(cols)
	c := rankCertificate{Rows: []int{}, Cols: []int{}, Basis: values.MatrixOf(basis, cols), Free: []int{}}
	c.Free = append(c.Free, free...)
	for i, p := range e.pivots { // the pivot rows and columns make a non-singular submatrix
		c.Rows, c.Cols = append(c.Rows, e.origin[i]), append(c.Cols, p)
	}
	return &capabilities.Evidence{Format: "matrix.rank", Data: jcs.MustMarshal(c)}
}

func rats(row []*big.Rat) []values.Rat {
	out := []values.Rat{}
	for _, x := range row {
		out = append(out, values.NewRat(x))
	}
	return out
}

func multiply(a, b [][]*big.Rat, cols int) [][]*big.Rat {
	out := make([][]*big.Rat, len(a))
	for i, row := range a {
		out[i] = make([]*big.Rat, cols)
		for j := range out[i] {
			out[i][j] = new(big.Rat)
		}
		for k, x := range row {
			if x.Sign() != 0 {
				addTo(out[i], b[k], x)
			}
		}
	}
	return out
}
