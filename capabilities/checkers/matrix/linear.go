package matrix

import (
	"errors"
	"fmt"
	"math/big"

	"github.com/jacobian-ledger/jacobian/capabilities/checkers"
	"github.com/jacobian-ledger/jacobian/capabilities/values"
	"github.com/jacobian-ledger/jacobian/events"
)

type systemArgs struct {
	Matrix values.Matrix `json:"matrix"`
	RHS    []values.Rat  `json:"rhs"`
}

type systemCandidate struct {
	Status        string       `json:"status"`
	Solution      []values.Rat `json:"solution"`
	Kernel        []values.Rat `json:"kernel"`
	Inconsistency []values.Rat `json:"inconsistency"`
}

func solution(ev checkers.Evidence) (events.Conclusion, string, error) {
	var a systemArgs
	var c systemCandidate
	var m struct {
		Rows []int `json:"rows"`
		Cols []int `json:"cols"`
	}
	if err := read(ev, &a, &c, &m); err != nil {
		return "", "", err
	}
	if len(a.RHS) != a.Matrix.Rows || len(c.Solution) != a.Matrix.Cols || len(c.Inconsistency) != 0 {
		return "", "", errors.New("the shapes do not fit")
	}
	for i, x := range apply(a.Matrix, c.Solution) {
		if x.Cmp(a.RHS[i].Big()) != 0 {
			return "", "", fmt.Errorf("equation %d does not hold", i)
		}
	}
	switch c.Status {
	case "UNIQUE":
		if len(c.Kernel) != 0 {
			return "", "", errors.New("a unique solution has no kernel vector")
		}
		return events.True, "put the solution into every equation; a non-singular submatrix with all columns leaves no other", checkMinor(a.Matrix, a.Matrix.Cols, m.Rows, m.Cols)
	case "NON_UNIQUE":
		if len(c.Kernel) != a.Matrix.Cols {
			return "", "", errors.New("expected a kernel vector")
		}
		zero := true
		for _, x := range c.Kernel {
			zero = zero && x.Sign() == 0
		}
		for _, x := range apply(a.Matrix, c.Kernel) {
			zero = zero || x.Sign() != 0
		}
		if zero {
			return "", "", errors.New("the kernel vector is zero or is not mapped to zero")
		}
		return events.True, "put the solution into every equation, and the kernel vector into the matrix", nil
	}
	return "", "", fmt.Errorf("status %.20q is not that of a solution", c.Status)
}

func inconsistency(ev checkers.Evidence) (events.Conclusion, string, error) {
	var a systemArgs
	var c systemCandidate
	if err := read(ev, &a, &c, nil); err != nil {
		return "", "", err
	}
	y := c.Inconsistency
	if c.Status != "INCONSISTENT" || len(c.Solution)+len(c.Kernel) != 0 || len(a.RHS) != a.Matrix.Rows || len(y) != a.Matrix.Rows {
		return "", "", errors.New("the shapes do not fit")
	}
	dot := new(big.Rat)
	for i, b := range a.RHS {
		dot.Add(dot, new(big.Rat).Mul(y[i].Big(), b.Big()))
	}
	for j := range a.Matrix.Cols {
		sum := new(big.Rat)
		for i := range a.Matrix.Rows {
			sum.Add(sum, new(big.Rat).Mul(y[i].Big(), a.Matrix.Entries[i][j].Big()))
		}
		if sum.Sign() != 0 {
			return "", "", fmt.Errorf("y·A is not zero at column %d", j)
		}
	}
	if dot.Cmp(big.NewRat(1, 1)) != 0 {
		return "", "", errors.New("y·b is not 1")
	}
	return events.False, "a combination of the equations says 0 = 1", nil
}

func apply(a values.Matrix, x []values.Rat) []*big.Rat {
	out := make([]*big.Rat, a.Rows)
	for i, row := range a.Entries {
		out[i] = new(big.Rat)
		for j, e := range row {
			out[i].Add(out[i], new(big.Rat).Mul(e.Big(), x[j].Big()))
		}
	}
	return out
}
