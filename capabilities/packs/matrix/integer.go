package matrix

import (
	"context"
	"fmt"
	"math/big"

	"github.com/jacobian-ledger/jacobian/capabilities"
	"github.com/jacobian-ledger/jacobian/capabilities/values"
	"github.com/jacobian-ledger/jacobian/events"
)

// normalOrder and normalBits bound the integer normal forms, whose transforms grow.
const (
	normalOrder = 24
	normalBits  = 20_000
)

// IntInput asks about one integer matrix.
type IntInput struct {
	Matrix values.IntMatrix `json:"matrix" doc:"rows of integers; {rows, cols, entries} for an empty one"`
}

func normalLimits() []events.Limit {
	return []events.Limit{{Name: "order", Value: fmt.Sprint(normalOrder), Note: "rows and columns each"}, {Name: "bits", Value: fmt.Sprint(normalBits), Note: "of all entries together"}}
}

func preflightNormal(in IntInput) error {
	if in.Matrix.Rows > normalOrder || in.Matrix.Cols > normalOrder {
		return capabilities.Exceeds("/matrix", "order", fmt.Sprint(normalOrder), fmt.Sprintf("%d by %d", in.Matrix.Rows, in.Matrix.Cols), "use a smaller matrix")
	}
	bits := 0
	for _, row := range in.Matrix.Entries {
		for _, x := range row {
			bits += x.BitLen()
		}
	}
	if bits > normalBits {
		return capabilities.Exceeds("/matrix", "bits", fmt.Sprint(normalBits), fmt.Sprint(bits), "use smaller entries")
	}
	return nil
}

// HermiteOutput is the row Hermite normal form with its transform.
type HermiteOutput struct {
	Hermite   values.IntMatrix `json:"hermite" doc:"H = U·A: positive pivots, entries above a pivot from 0 up to below it, zero rows last"`
	Transform values.IntMatrix `json:"transform" doc:"U, unimodular"`
	Inverse   values.IntMatrix `json:"inverse" doc:"of U"`
}

var _ = capabilities.Define(pack, capabilities.Definition[IntInput, HermiteOutput]{
	ID:          "matrix.normal_form.hermite.compute",
	Title:       "Hermite normal form of an integer matrix, with its transform",
	Description: "The row Hermite normal form H = U·A of an integer matrix with a unimodular U and its inverse: pivots positive, in strictly increasing columns, entries above a pivot reduced modulo it. H is unique. The checker multiplies out.",
	Source:      "Hermite 1851; Cohen, A Course in Computational Algebraic Number Theory, section 2.4",
	Tags:        []string{"normal form", "integer", "lattice"},
	Needs:       []string{"Hermite normal form", "basis of the lattice spanned by the rows", "row reduce an integer matrix over the integers", "do two integer matrices span the same lattice"},
	Aliases:     []string{"hnf", "hermite"}, InputKinds: []string{"integer_matrix"}, Limits: normalLimits(),
	Claimed: capabilities.Computed, Heavy: true, Preflight: preflightNormal,
	Claim: func(in IntInput) events.Claim { return capabilities.NewClaim("matrix/1", "matrix.hermite", in) },
	Emits: []string{"matrix.unimodular"}, CheckedBy: []string{"matrix.exact"},
	Examples: []capabilities.Example{
		{Name: "2 by 2", Input: `{"matrix":[[2,4],[1,1]]}`, Output: `{"hermite":{"rows":2,"cols":2,"entries":[["1","1"],["0","2"]]},"transform":{"rows":2,"cols":2,"entries":[["0","1"],["1","-2"]]},"inverse":{"rows":2,"cols":2,"entries":[["2","1"],["1","0"]]}}`},
	},
	Run: func(ctx context.Context, _ *capabilities.Env, in IntInput) (capabilities.Outcome[HermiteOutput], error) {
		n := in.Matrix.Rows
		r := newReducer(in.Matrix.Big(), n)
		if err := r.hermite(ctx, in.Matrix.Cols); err != nil {
			return capabilities.Outcome[HermiteOutput]{}, err
		}
		return capabilities.Outcome[HermiteOutput]{
			Output:   HermiteOutput{values.IntMatrixOf(r.a, in.Matrix.Cols), values.IntMatrixOf(r.u, n), values.IntMatrixOf(r.inverse, n)},
			Evidence: &capabilities.Evidence{Format: "matrix.unimodular"},
		}, nil
	},
})

// reducer applies unimodular row operations to a and u, and undoes them on the right of inverse, so that
// u·(the original) = a and u·inverse = I at all times.
type reducer struct {
	a, u, inverse [][]*big.Int
}

func newReducer(a [][]*big.Int, n int) *reducer { return &reducer{a, identityInt(n), identityInt(n)} }

func identityInt(n int) [][]*big.Int {
	m := make([][]*big.Int, n)
	for i := range m {
		m[i] = make([]*big.Int, n)
		for j := range m[i] {
			m[i][j] = new(big.Int)
		}
		m[i][i].SetInt64(1)
	}
	return m
}

// add adds q times row k to row i.
func (r *reducer) add(i, k int, q *big.Int) {
	for _, m := range [][][]*big.Int{r.a, r.u} {
		for j, x := range m[k] {
			m[i][j].Add(m[i][j], new(big.Int).Mul(q, x))
		}
	}
	for _, row := range r.inverse { // column k loses q times column i
		row[k].Sub(row[k], new(big.Int).Mul(q, row[i]))
	}
}

func (r *reducer) swap(i, k int) {
	for _, m := range [][][]*big.Int{r.a, r.u} {
		m[i], m[k] = m[k], m[i]
	}
	for _, row := range r.inverse {
		row[i], row[k] = row[k], row[i]
	}
}

func (r *reducer) negate(i int) {
	for _, m := range [][][]*big.Int{r.a, r.u} {
		for _, x := range m[i] {
			x.Neg(x)
		}
	}
	for _, row := range r.inverse {
		row[i].Neg(row[i])
	}
}

// hermite brings the rows to Hermite normal form: Euclid's algorithm down each column.
func (r *reducer) hermite(ctx context.Context, cols int) error {
	row := 0
	for col := 0; col < cols && row < len(r.a); col++ {
		if err := r.gather(ctx, row, col); err != nil {
			return err
		}
		if r.a[row][col].Sign() == 0 {
			continue
		}
		if r.a[row][col].Sign() < 0 {
			r.negate(row)
		}
		for i := range row {
			q := new(big.Int)
			q.Div(r.a[i][col], r.a[row][col]) // Euclidean: the remainder is not negative
			r.add(i, row, q.Neg(q))
		}
		row++
	}
	return nil
}

// gather leaves the column zero below the row.
func (r *reducer) gather(ctx context.Context, row, col int) error {
	for {
		if err := ctx.Err(); err != nil {
			return err
		}
		least := -1
		done := true
		for i := row; i < len(r.a); i++ {
			if r.a[i][col].Sign() != 0 && (least < 0 || r.a[i][col].CmpAbs(r.a[least][col]) < 0) {
				least = i
			}
		}
		if least < 0 {
			return nil
		}
		if least != row {
			r.swap(least, row)
		}
		for i := row + 1; i < len(r.a); i++ {
			if r.a[i][col].Sign() != 0 {
				q := new(big.Int).Quo(r.a[i][col], r.a[row][col])
				r.add(i, row, q.Neg(q))
				done = done && r.a[i][col].Sign() == 0
			}
		}
		if done {
			return nil
		}
	}
}

// SmithOutput is the Smith normal form with its transforms.
type SmithOutput struct {
	Smith        values.IntMatrix `json:"smith" doc:"D = U·A·V, diagonal"`
	Factors      []values.Int     `json:"invariant_factors" doc:"the non-zero diagonal entries, positive, each dividing the next"`
	Left         values.IntMatrix `json:"left" doc:"U, unimodular"`
	LeftInverse  values.IntMatrix `json:"left_inverse"`
	Right        values.IntMatrix `json:"right" doc:"V, unimodular"`
	RightInverse values.IntMatrix `json:"right_inverse"`
}

var _ = capabilities.Define(pack, capabilities.Definition[IntInput, SmithOutput]{
	ID:          "matrix.normal_form.smith.compute",
	Title:       "Smith normal form of an integer matrix, with its transforms",
	Description: "The diagonal D = U·A·V of an integer matrix with unimodular U and V and their inverses; the diagonal entries are not negative and each divides the next. D is unique. The checker multiplies out.",
	Source:      "Smith 1861; Newman, Integral Matrices, chapter 2",
	Tags:        []string{"normal form", "integer", "invariant factors"},
	Needs:       []string{"Smith normal form", "invariant factors of an integer matrix", "structure of a finitely generated abelian group", "elementary divisors", "solve linear equations over the integers"},
	Aliases:     []string{"snf", "smith", "invariant factors"}, InputKinds: []string{"integer_matrix"}, Limits: normalLimits(),
	Claimed: capabilities.Computed, Heavy: true, Preflight: preflightNormal,
	Claim: func(in IntInput) events.Claim { return capabilities.NewClaim("matrix/1", "matrix.smith", in) },
	Emits: []string{"matrix.unimodular"}, CheckedBy: []string{"matrix.exact"},
	Examples: []capabilities.Example{
		{Name: "2 by 2", Input: `{"matrix":[[2,0],[0,3]]}`},
		{Name: "zero", Input: `{"matrix":[[0]]}`, Output: `{"smith":{"rows":1,"cols":1,"entries":[["0"]]},"invariant_factors":[],"left":{"rows":1,"cols":1,"entries":[["1"]]},"left_inverse":{"rows":1,"cols":1,"entries":[["1"]]},"right":{"rows":1,"cols":1,"entries":[["1"]]},"right_inverse":{"rows":1,"cols":1,"entries":[["1"]]}}`},
	},
	Run: func(ctx context.Context, _ *capabilities.Env, in IntInput) (capabilities.Outcome[SmithOutput], error) {
		return smith(ctx, in.Matrix)
	},
})

func smith(ctx context.Context, m values.IntMatrix) (capabilities.Outcome[SmithOutput], error) {
	left := newReducer(m.Big(), m.Rows)
	right := newReducer(nil, m.Cols) // works on the transpose: its rows are columns
	limit := min(m.Rows, m.Cols)
	for t := 0; t < limit; {
		if err := clear(ctx, left, right, t, m); err != nil {
			return capabilities.Outcome[SmithOutput]{}, err
		}
		p := left.a[t][t]
		if p.Sign() == 0 {
			break // nothing but zeros is left
		}
		if bad := indivisible(left.a, t); bad >= 0 {
			left.add(t, bad, big.NewInt(1)) // brings an entry that p does not divide into its row
			continue
		}
		if p.Sign() < 0 {
			left.negate(t)
		}
		t++
	}
	out := SmithOutput{
		Smith: values.IntMatrixOf(left.a, m.Cols), Factors: []values.Int{}, Left: values.IntMatrixOf(left.u, m.Rows), LeftInverse: values.IntMatrixOf(left.inverse, m.Rows),
		Right: values.IntMatrixOf(transpose(right.u, m.Cols), m.Cols), RightInverse: values.IntMatrixOf(transpose(right.inverse, m.Cols), m.Cols),
	}
	for t := range limit {
		if x := left.a[t][t]; x.Sign() != 0 {
			out.Factors = append(out.Factors, values.NewInt(x))
		}
	}
	return capabilities.Outcome[SmithOutput]{Output: out, Evidence: &capabilities.Evidence{Format: "matrix.unimodular"}}, nil
}

// clear brings a least non-zero entry of what is left to (t, t) and makes the rest of its row and column
// zero.
func clear(ctx context.Context, left, right *reducer, t int, m values.IntMatrix) error {
	i, j := leastEntry(left.a, t)
	if i < 0 {
		return nil
	}
	if i != t {
		left.swap(i, t)
	}
	columns(left, right, m, func() {
		if j != t {
			right.swap(j, t)
		}
	})
	for {
		if err := left.gather(ctx, t, t); err != nil {
			return err
		}
		if rowClear(left.a[t], t) {
			return nil
		}
		var err error
		columns(left, right, m, func() { err = right.gather(ctx, t, t) })
		if err != nil {
			return err
		}
		if columnClear(left.a, t) {
			return nil
		}
	}
}

// columns lets the right reducer work on the columns: on the rows of the transpose.
func columns(left, right *reducer, m values.IntMatrix, f func()) {
	right.a = transpose(left.a, m.Cols)
	f()
	left.a = transpose(right.a, m.Rows)
}

func transpose(a [][]*big.Int, cols int) [][]*big.Int {
	out := make([][]*big.Int, cols)
	for j := range out {
		out[j] = make([]*big.Int, len(a))
		for i := range a {
			out[j][i] = a[i][j]
		}
	}
	return out
}

func leastEntry(a [][]*big.Int, t int) (int, int) {
	bi, bj := -1, -1
	for i := t; i < len(a); i++ {
		for j := t; j < len(a[i]); j++ {
			if a[i][j].Sign() != 0 && (bi < 0 || a[i][j].CmpAbs(a[bi][bj]) < 0) {
				bi, bj = i, j
			}
		}
	}
	return bi, bj
}

func rowClear(row []*big.Int, t int) bool {
	for j := t + 1; j < len(row); j++ {
		if row[j].Sign() != 0 {
			return false
		}
	}
	return true
}

func columnClear(a [][]*big.Int, t int) bool {
	for i := t + 1; i < len(a); i++ {
		if a[i][t].Sign() != 0 {
			return false
		}
	}
	return true
}

// indivisible is a row below t with an entry that a[t][t] does not divide, or −1.
func indivisible(a [][]*big.Int, t int) int {
	for i := t + 1; i < len(a); i++ {
		for j := t + 1; j < len(a[i]); j++ {
			if new(big.Int).Rem(a[i][j], a[t][t]).Sign() != 0 {
				return i
			}
		}
	}
	return -1
}
