// Package matrix decides answers about matrices of exact rationals and integers, by multiplying out what is
// offered. The claims have semantics matrix/1; the arguments name the matrix itself, so that a record about
// one matrix cannot be taken for another.
//
// Formats, by predicate (candidates are the outputs of the operations, certificates are JSON):
//
//   - matrix.inverse {matrix}, format matrix.product, no certificate: A·B = I.
//   - matrix.determinant {matrix}, format matrix.recompute, no certificate: computed anew by the recursion of
//     Faddeev and LeVerrier, to order 40.
//   - matrix.characteristic_polynomial {matrix}, format matrix.evaluate, no certificate: the polynomial is monic
//     of degree n and agrees with det(x·I − A), by elimination, at x = 0, …, n.
//   - matrix.rank {matrix} and matrix.nullspace {matrix}, format matrix.rank: {"rows","cols","basis","free"}: the
//     square submatrix of these rows and columns is not singular, so the rank is at least their number; the
//     basis vectors are mapped to zero and are the unit vectors at the free columns, so it is at most that.
//   - matrix.rref {matrix}, format matrix.row_transform: {"transform","inverse"} with T·T⁻¹ = I and T·A = R, and R
//     is in reduced row echelon form.
//   - matrix.hermite {matrix}, format matrix.unimodular, no certificate: the candidate has U, U⁻¹ and H with
//     U·U⁻¹ = I and U·A = H over the integers, and H is in row Hermite normal form.
//   - matrix.smith {matrix}, format matrix.unimodular, no certificate: the candidate has U, U⁻¹, V, V⁻¹ and D with
//     U·A·V = D, D diagonal with entries that are not negative and divide each the next.
//   - linear.solvable {matrix, rhs}, format linear.solution: the candidate's x has A·x = b; where it says that x
//     is the only solution the certificate {"rows","cols"} names a non-singular submatrix with all columns,
//     where it says that there are others the candidate's kernel vector is not zero and is mapped to zero.
//     Format linear.inconsistency: the candidate's y has y·A = 0 and y·b = 1.
//
// Sources: Faddeev and LeVerrier (1840, 1949); Newman, Integral Matrices, for the normal forms.
package matrix

import (
	"context"
	"errors"
	"fmt"
	"math/big"
	"slices"

	"github.com/jacobian-ledger/jacobian/capabilities/checkers"
	"github.com/jacobian-ledger/jacobian/capabilities/values"
	"github.com/jacobian-ledger/jacobian/events"
	"github.com/jacobian-ledger/jacobian/events/jcs"
)

// Semantics of the claims.
const Semantics = "matrix/1"

// MaxOrder bounds what is computed anew.
const MaxOrder = 40

// Checker returns the checker matrix.exact.
func Checker() checkers.Checker {
	c := checkers.Checker{ID: "matrix.exact", Version: 1, Class: "go-matrix-products", Semantics: []string{Semantics}, Check: check}
	for _, r := range rules {
		if !slices.Contains(c.Predicates, r.predicate) {
			c.Predicates = append(c.Predicates, r.predicate)
		}
		if !slices.Contains(c.Formats, r.format) {
			c.Formats = append(c.Formats, r.format)
		}
	}
	return c
}

type rule struct {
	predicate, format string
	decide            func(ev checkers.Evidence) (events.Conclusion, string, error)
}

var rules = []rule{
	{"matrix.inverse", "matrix.product", inverse},
	{"matrix.determinant", "matrix.recompute", determinant},
	{"matrix.characteristic_polynomial", "matrix.evaluate", characteristic},
	{"matrix.rank", "matrix.rank", rank},
	{"matrix.nullspace", "matrix.rank", nullspace},
	{"matrix.rref", "matrix.row_transform", rref},
	{"matrix.hermite", "matrix.unimodular", hermite},
	{"matrix.smith", "matrix.unimodular", smith},
	{"linear.solvable", "linear.solution", solution},
	{"linear.solvable", "linear.inconsistency", inconsistency},
}

func check(_ context.Context, ev checkers.Evidence) (checkers.Verdict, error) {
	if ev.Claim.Semantics != Semantics {
		return checkers.Reject("expected semantics %s", Semantics), nil
	}
	for _, r := range rules {
		if r.predicate != ev.Claim.Predicate || r.format != ev.Format {
			continue
		}
		conclusion, method, err := r.decide(ev)
		if err != nil {
			return checkers.Reject("%v", err), nil
		}
		return checkers.Accept(conclusion, method, "the whole matrix"), nil
	}
	return checkers.Reject("no rule for predicate %.60q with format %.60q", ev.Claim.Predicate, ev.Format), nil
}

type matrixArgs struct {
	Matrix values.Matrix `json:"matrix"`
}

type intArgs struct {
	Matrix values.IntMatrix `json:"matrix"`
}

// read decodes the claim's arguments, the candidate and, if it is wanted, the certificate.
func read(ev checkers.Evidence, args, candidate, certificate any) error {
	if err := checkers.DecodeArgs(ev.Claim, args); err != nil {
		return fmt.Errorf("claim: %w", err)
	}
	if err := ev.DecodeCandidate(candidate); err != nil {
		return fmt.Errorf("candidate: %w", err)
	}
	if certificate == nil {
		if len(ev.Certificate) != 0 {
			return fmt.Errorf("expected an empty certificate, found %d bytes", len(ev.Certificate))
		}
		return nil
	}
	if err := jcs.Decode(ev.Certificate, certificate); err != nil {
		return fmt.Errorf("certificate: %w", err)
	}
	return nil
}

func inverse(ev checkers.Evidence) (events.Conclusion, string, error) {
	var a matrixArgs
	var c struct {
		Inverse values.Matrix `json:"inverse"`
	}
	if err := read(ev, &a, &c, nil); err != nil {
		return "", "", err
	}
	n := a.Matrix.Rows
	if a.Matrix.Cols != n || c.Inverse.Rows != n || c.Inverse.Cols != n {
		return "", "", errors.New("the matrices are not square of one order")
	}
	if !isIdentity(product(a.Matrix.Big(), c.Inverse.Big(), n)) {
		return "", "", errors.New("the product is not the identity")
	}
	return events.True, "multiplied the matrix by the inverse", nil
}

func determinant(ev checkers.Evidence) (events.Conclusion, string, error) {
	var a matrixArgs
	var c struct {
		Determinant values.Rat `json:"determinant"`
	}
	if err := read(ev, &a, &c, nil); err != nil {
		return "", "", err
	}
	if a.Matrix.Rows != a.Matrix.Cols || a.Matrix.Rows > MaxOrder {
		return "", "", fmt.Errorf("expected a square matrix of order at most %d", MaxOrder)
	}
	if det := faddeev(a.Matrix.Big()); det.Cmp(c.Determinant.Big()) != 0 {
		return "", "", fmt.Errorf("the determinant is %s", det.RatString())
	}
	return events.True, "computed the determinant anew (Faddeev-LeVerrier)", nil
}

// faddeev is the determinant by the recursion M(k) = A·M(k−1) + c(n−k+1)·I, c(n−k) = −tr(A·M(k))/k, which
// divides by nothing but 1 to n; det A = (−1)ⁿ·c(0).
func faddeev(a [][]*big.Rat) *big.Rat {
	n := len(a)
	m := make([][]*big.Rat, n)
	for i := range m {
		m[i] = make([]*big.Rat, n)
		for j := range m[i] {
			m[i][j] = new(big.Rat)
		}
	}
	c := big.NewRat(1, 1)
	for k := 1; k <= n; k++ {
		m = product(a, m, n)
		for i := range m {
			m[i][i].Add(m[i][i], c)
		}
		trace := new(big.Rat)
		for i, row := range product(a, m, n) {
			trace.Add(trace, row[i])
		}
		c = new(big.Rat).Mul(trace, big.NewRat(-1, int64(k)))
	}
	if n%2 == 1 {
		c.Neg(c)
	}
	return c
}

func characteristic(ev checkers.Evidence) (events.Conclusion, string, error) {
	var a matrixArgs
	var c struct {
		Coefficients []values.Rat `json:"coefficients"` // from x^n down
	}
	if err := read(ev, &a, &c, nil); err != nil {
		return "", "", err
	}
	n := a.Matrix.Rows
	if a.Matrix.Cols != n || n > MaxOrder || len(c.Coefficients) != n+1 || c.Coefficients[0].Cmp(values.RatOf(1, 1)) != 0 {
		return "", "", fmt.Errorf("expected a square matrix of order at most %d and a monic polynomial of its degree", MaxOrder)
	}
	for x := range n + 1 {
		at := big.NewRat(int64(x), 1)
		p := new(big.Rat)
		for _, k := range c.Coefficients {
			p.Add(p.Mul(p, at), k.Big())
		}
		shifted := a.Matrix.Big()
		for i, row := range shifted {
			for j, y := range row {
				y.Neg(y)
				if i == j {
					y.Add(y, at)
				}
			}
		}
		if eliminate(shifted).Cmp(p) != 0 {
			return "", "", fmt.Errorf("it differs from det(x·I − A) at x = %d", x)
		}
	}
	return events.True, "evaluated det(x·I − A) by elimination at n+1 points", nil
}

// eliminate is the determinant by elimination; it changes its argument.
func eliminate(m [][]*big.Rat) *big.Rat {
	det := big.NewRat(1, 1)
	for k := range m {
		p := k
		for p < len(m) && m[p][k].Sign() == 0 {
			p++
		}
		if p == len(m) {
			return new(big.Rat)
		}
		if p != k {
			m[p], m[k] = m[k], m[p]
			det.Neg(det)
		}
		det.Mul(det, m[k][k])
		for i := k + 1; i < len(m); i++ {
			f := new(big.Rat).Quo(m[i][k], m[k][k])
			for j := k; j < len(m); j++ {
				m[i][j].Sub(m[i][j], new(big.Rat).Mul(f, m[k][j]))
			}
		}
	}
	return det
}

// minor is the certificate of a rank.
type minor struct {
	Rows  []int         `json:"rows"`
	Cols  []int         `json:"cols"`
	Basis values.Matrix `json:"basis"` // vectors as rows, mapped to zero
	Free  []int         `json:"free"`  // columns at which the basis is the identity
}

func rank(ev checkers.Evidence) (events.Conclusion, string, error) {
	var a matrixArgs
	var c struct {
		Rank int `json:"rank"`
	}
	var m minor
	if err := read(ev, &a, &c, &m); err != nil {
		return "", "", err
	}
	return events.True, "a non-singular submatrix from below, independent null vectors from above", checkRank(a.Matrix, c.Rank, m)
}

func nullspace(ev checkers.Evidence) (events.Conclusion, string, error) {
	var a matrixArgs
	var c struct {
		Basis   [][]values.Rat `json:"basis"`
		Nullity int            `json:"nullity"`
	}
	var m minor
	if err := read(ev, &a, &c, &m); err != nil {
		return "", "", err
	}
	if c.Nullity != len(c.Basis) || len(c.Basis) != m.Basis.Rows {
		return "", "", errors.New("the basis is not the certificate's")
	}
	for i, row := range c.Basis {
		if len(row) != m.Basis.Cols {
			return "", "", errors.New("the basis is not the certificate's")
		}
		for j, x := range row {
			if x.Cmp(m.Basis.Entries[i][j]) != 0 {
				return "", "", errors.New("the basis is not the certificate's")
			}
		}
	}
	return events.True, "the vectors are mapped to zero and independent, and a non-singular submatrix leaves room for no more", checkRank(a.Matrix, a.Matrix.Cols-c.Nullity, m)
}

func checkRank(a values.Matrix, r int, m minor) error {
	if err := checkMinor(a, r, m.Rows, m.Cols); err != nil {
		return err
	}
	if m.Basis.Rows != a.Cols-r || m.Basis.Cols != a.Cols || len(m.Free) != a.Cols-r {
		return fmt.Errorf("expected %d null vectors with as many free columns", a.Cols-r)
	}
	if err := distinct(m.Free, a.Cols); err != nil {
		return err
	}
	for i := range m.Basis.Rows {
		for j, f := range m.Free {
			want := values.RatOf(0, 1)
			if i == j {
				want = values.RatOf(1, 1)
			}
			if m.Basis.Entries[i][f].Cmp(want) != 0 {
				return errors.New("the null vectors are not the unit vectors at the free columns")
			}
		}
		for _, row := range a.Entries {
			sum := new(big.Rat)
			for j, x := range row {
				sum.Add(sum, new(big.Rat).Mul(x.Big(), m.Basis.Entries[i][j].Big()))
			}
			if sum.Sign() != 0 {
				return fmt.Errorf("vector %d of the basis is not mapped to zero", i)
			}
		}
	}
	return nil
}

// checkMinor requires a non-singular submatrix of order r.
func checkMinor(a values.Matrix, r int, rows, cols []int) error {
	if r < 0 || len(rows) != r || len(cols) != r {
		return fmt.Errorf("expected %d rows and columns", r)
	}
	if err := errors.Join(distinct(rows, a.Rows), distinct(cols, a.Cols)); err != nil {
		return err
	}
	sub := make([][]*big.Rat, r)
	for i, x := range rows {
		for _, y := range cols {
			sub[i] = append(sub[i], a.Entries[x][y].Big())
		}
	}
	if eliminate(sub).Sign() == 0 {
		return errors.New("the submatrix is singular")
	}
	return nil
}

func distinct(list []int, below int) error {
	seen := map[int]bool{}
	for _, x := range list {
		if x < 0 || x >= below || seen[x] {
			return fmt.Errorf("index %d is out of range or comes twice", x)
		}
		seen[x] = true
	}
	return nil
}

func rref(ev checkers.Evidence) (events.Conclusion, string, error) {
	var a matrixArgs
	var c struct {
		RREF   values.Matrix `json:"rref"`
		Pivots []int         `json:"pivots"`
	}
	var t struct {
		Transform values.Matrix `json:"transform"`
		Inverse   values.Matrix `json:"inverse"`
	}
	if err := read(ev, &a, &c, &t); err != nil {
		return "", "", err
	}
	n := a.Matrix.Rows
	if c.RREF.Rows != n || c.RREF.Cols != a.Matrix.Cols || t.Transform.Rows != n || t.Transform.Cols != n || t.Inverse.Rows != n || t.Inverse.Cols != n {
		return "", "", errors.New("the shapes do not fit")
	}
	if !isIdentity(product(t.Transform.Big(), t.Inverse.Big(), n)) {
		return "", "", errors.New("the transform has not that inverse")
	}
	if !equal(product(t.Transform.Big(), a.Matrix.Big(), a.Matrix.Cols), c.RREF.Big()) {
		return "", "", errors.New("the transform does not give the form")
	}
	return events.True, "multiplied out an invertible row transform", checkRREF(c.RREF, c.Pivots)
}

// checkRREF requires pivots 1, alone in their columns, in strictly increasing columns, with zeros before
// them and zero rows last.
func checkRREF(m values.Matrix, pivots []int) error {
	for i, row := range m.Entries {
		first := 0
		for first < m.Cols && row[first].Sign() == 0 {
			first++
		}
		if i >= len(pivots) {
			if first != m.Cols {
				return fmt.Errorf("row %d has no pivot and is not zero", i)
			}
			continue
		}
		if first != pivots[i] || i > 0 && pivots[i] <= pivots[i-1] || first == m.Cols || row[first].Cmp(values.RatOf(1, 1)) != 0 {
			return fmt.Errorf("row %d has its pivot elsewhere", i)
		}
		for k := range m.Entries {
			if k != i && m.Entries[k][first].Sign() != 0 {
				return fmt.Errorf("column %d has more than its pivot", first)
			}
		}
	}
	if len(pivots) > m.Rows {
		return errors.New("there are more pivots than rows")
	}
	return nil
}

func product(a, b [][]*big.Rat, cols int) [][]*big.Rat {
	out := make([][]*big.Rat, len(a))
	for i, row := range a {
		out[i] = make([]*big.Rat, cols)
		for j := range out[i] {
			out[i][j] = new(big.Rat)
			for k, x := range row {
				if x.Sign() != 0 {
					out[i][j].Add(out[i][j], new(big.Rat).Mul(x, b[k][j]))
				}
			}
		}
	}
	return out
}

func productInt(a, b [][]*big.Int, cols int) [][]*big.Int {
	out := make([][]*big.Int, len(a))
	for i, row := range a {
		out[i] = make([]*big.Int, cols)
		for j := range out[i] {
			out[i][j] = new(big.Int)
			for k, x := range row {
				out[i][j].Add(out[i][j], new(big.Int).Mul(x, b[k][j]))
			}
		}
	}
	return out
}

func isIdentity(m [][]*big.Rat) bool {
	for i, row := range m {
		for j, x := range row {
			if i == j && x.Cmp(big.NewRat(1, 1)) != 0 || i != j && x.Sign() != 0 {
				return false
			}
		}
	}
	return true
}

func equal(a, b [][]*big.Rat) bool {
	for i := range a {
		for j := range a[i] {
			if a[i][j].Cmp(b[i][j]) != 0 {
				return false
			}
		}
	}
	return true
}

func equalInt(a, b [][]*big.Int) bool {
	for i := range a {
		for j := range a[i] {
			if a[i][j].Cmp(b[i][j]) != 0 {
				return false
			}
		}
	}
	return true
}
