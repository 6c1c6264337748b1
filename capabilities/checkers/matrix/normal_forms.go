package matrix

import (
	"errors"
	"fmt"
	"math/big"

	"github.com/jacobian-ledger/jacobian/capabilities/checkers"
	"github.com/jacobian-ledger/jacobian/capabilities/values"
	"github.com/jacobian-ledger/jacobian/events"
)

func hermite(ev checkers.Evidence) (events.Conclusion, string, error) {
	var a intArgs
	var c struct {
		Hermite   values.IntMatrix `json:"hermite"`
		Transform values.IntMatrix `json:"transform"`
		Inverse   values.IntMatrix `json:"inverse"`
	}
	if err := read(ev, &a, &c, nil); err != nil {
		return "", "", err
	}
	n := a.Matrix.Rows
	if err := unimodular(c.Transform, c.Inverse, n); err != nil {
		return "", "", err
	}
	if c.Hermite.Rows != n || c.Hermite.Cols != a.Matrix.Cols || !equalInt(productInt(c.Transform.Big(), a.Matrix.Big(), a.Matrix.Cols), c.Hermite.Big()) {
		return "", "", errors.New("the transform does not give the form")
	}
	return events.True, "multiplied out a unimodular row transform", checkHermite(c.Hermite.Big())
}

// checkHermite requires positive pivots in strictly increasing columns, entries above a pivot from 0 up to
// below it, and zero rows last.
func checkHermite(h [][]*big.Int) error {
	last := -1
	for i, row := range h {
		first := 0
		for first < len(row) && row[first].Sign() == 0 {
			first++
		}
		if first == len(row) {
			last = len(row)
			continue
		}
		if first <= last || row[first].Sign() < 0 {
			return fmt.Errorf("row %d has no positive pivot to the right of the one above", i)
		}
		last = first
		for k := range i {
			if h[k][first].Sign() < 0 || h[k][first].Cmp(row[first]) >= 0 {
				return fmt.Errorf("the entry above the pivot of row %d is not reduced", i)
			}
		}
	}
	return nil
}

func smith(ev checkers.Evidence) (events.Conclusion, string, error) {
	var a intArgs
	var c struct {
		Smith        values.IntMatrix `json:"smith"`
		Left         values.IntMatrix `json:"left"`
		LeftInverse  values.IntMatrix `json:"left_inverse"`
		Right        values.IntMatrix `json:"right"`
		RightInverse values.IntMatrix `json:"right_inverse"`
		Factors      []values.Int     `json:"invariant_factors"`
	}
	if err := read(ev, &a, &c, nil); err != nil {
		return "", "", err
	}
	rows, cols := a.Matrix.Rows, a.Matrix.Cols
	if err := errors.Join(unimodular(c.Left, c.LeftInverse, rows), unimodular(c.Right, c.RightInverse, cols)); err != nil {
		return "", "", err
	}
	d := c.Smith.Big()
	if c.Smith.Rows != rows || c.Smith.Cols != cols || !equalInt(productInt(productInt(c.Left.Big(), a.Matrix.Big(), cols), c.Right.Big(), cols), d) {
		return "", "", errors.New("the transforms do not give the form")
	}
	var factors []*big.Int
	for i := range rows {
		for j := range cols {
			if i != j && d[i][j].Sign() != 0 {
				return "", "", errors.New("the form is not diagonal")
			}
		}
		if i < cols && d[i][i].Sign() != 0 {
			if len(factors) != i {
				return "", "", errors.New("a factor stands after a zero")
			}
			factors = append(factors, d[i][i])
		}
	}
	if len(factors) != len(c.Factors) {
		return "", "", fmt.Errorf("there are %d invariant factors, not %d", len(factors), len(c.Factors))
	}
	for i, f := range factors {
		if f.Sign() < 0 || f.Cmp(c.Factors[i].Big()) != 0 {
			return "", "", fmt.Errorf("invariant factor %d is negative or another", i)
		}
		if i > 0 && new(big.Int).Rem(f, factors[i-1]).Sign() != 0 {
			return "", "", fmt.Errorf("invariant factor %d does not divide the next", i-1)
		}
	}
	return events.True, "multiplied out unimodular transforms on both sides", nil
}

// unimodular requires that two integer matrices are inverse to each other: then each has determinant ±1.
func unimodular(u, inverse values.IntMatrix, n int) error {
	if u.Rows != n || u.Cols != n || inverse.Rows != n || inverse.Cols != n {
		return fmt.Errorf("expected transforms of order %d", n)
	}
	for i, row := range productInt(u.Big(), inverse.Big(), n) {
		for j, x := range row {
			if i != j && x.Sign() != 0 || i == j && x.Cmp(big.NewInt(1)) != 0 {
				return errors.New("a transform has not that inverse")
			}
		}
	}
	return nil
}
