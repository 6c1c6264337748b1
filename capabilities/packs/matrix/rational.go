package matrix

import (
	"context"
	"fmt"
	"math/big"

	"github.com/jacobian-ledger/jacobian/capabilities"
	"github.com/jacobian-ledger/jacobian/capabilities/values"
	"github.com/jacobian-ledger/jacobian/events"
	"github.com/jacobian-ledger/jacobian/events/jcs"
)

// DeterminantOutput is the determinant.
type DeterminantOutput struct {
	Determinant values.Rat `json:"determinant"`
}

var _ = capabilities.Define(pack, capabilities.Definition[Input, DeterminantOutput]{
	ID:          "matrix.determinant.compute",
	Title:       "determinant of a square matrix",
	Description: "The determinant of a square matrix of exact rationals; 1 for the 0 by 0 matrix. Elimination; the checker computes it anew by the recursion of Faddeev and LeVerrier.",
	Source:      "Leibniz 1693; Faddeev and LeVerrier for the checker",
	Tags:        []string{"determinant", "linear algebra"},
	Needs:       []string{"determinant of a matrix", "is this matrix singular", "exact determinant with fractions", "volume of the parallelepiped of the rows"},
	Aliases:     []string{"det", "determinant"}, InputKinds: []string{"matrix"}, Limits: limits(),
	Claimed: capabilities.Computed, Preflight: preflightSquare, Claim: claim("matrix.determinant"),
	Emits: []string{"matrix.recompute"}, CheckedBy: []string{"matrix.exact"},
	Examples: []capabilities.Example{
		{Name: "2 by 2", Input: `{"matrix":[[1,2],[3,4]]}`, Output: `{"determinant":{"num":"-2","den":"1"}}`},
		{Name: "empty", Input: `{"matrix":{"rows":0,"cols":0,"entries":[]}}`, Output: `{"determinant":{"num":"1","den":"1"}}`},
		{Name: "singular", Input: `{"matrix":[[2,4],[1,2]]}`, Output: `{"determinant":{"num":"0","den":"1"}}`},
	},
	Run: func(_ context.Context, _ *capabilities.Env, in Input) (capabilities.Outcome[DeterminantOutput], error) {
		e := eliminate(in.Matrix.Big(), in.Matrix.Cols)
		det := e.det
		if len(e.pivots) < in.Matrix.Rows {
			det = new(big.Rat)
		}
		return capabilities.Outcome[DeterminantOutput]{Output: DeterminantOutput{values.NewRat(det)}, Evidence: &capabilities.Evidence{Format: "matrix.recompute"}}, nil
	},
})

// RankOutput is the rank.
type RankOutput struct {
	Rank int `json:"rank"`
}

var _ = capabilities.Define(pack, capabilities.Definition[Input, RankOutput]{
	ID:          "matrix.rank.compute",
	Title:       "rank of a matrix",
	Description: "The number of linearly independent rows of a matrix of exact rationals. The certificate names a non-singular submatrix of that order and as many independent null vectors as leave room for no more.",
	Source:      "Frobenius 1879",
	Tags:        []string{"rank", "linear algebra"},
	Needs:       []string{"rank of a matrix", "how many rows are independent", "are these vectors linearly dependent", "dimension of the row space"},
	Aliases:     []string{"rank"}, InputKinds: []string{"matrix"}, Limits: limits(),
	Claimed: capabilities.Computed, Preflight: preflight, Claim: claim("matrix.rank"),
	Emits: []string{"matrix.rank"}, CheckedBy: []string{"matrix.exact"},
	Examples: []capabilities.Example{
		{Name: "dependent rows", Input: `{"matrix":[[1,2,3],[2,4,6]]}`, Output: `{"rank":1}`},
		{Name: "no rows, three columns", Input: `{"matrix":{"rows":0,"cols":3,"entries":[]}}`, Output: `{"rank":0}`},
	},
	Run: func(_ context.Context, _ *capabilities.Env, in Input) (capabilities.Outcome[RankOutput], error) {
		e := eliminate(in.Matrix.Big(), in.Matrix.Cols)
		return capabilities.Outcome[RankOutput]{Output: RankOutput{len(e.pivots)}, Evidence: e.rankEvidence(in.Matrix.Cols)}, nil
	},
})

// NullspaceOutput is a basis of the null space.
type NullspaceOutput struct {
	Basis   [][]values.Rat `json:"basis" doc:"vectors v with A·v = 0, one for each free column"`
	Nullity int            `json:"nullity" doc:"dimension of the null space"`
}

var _ = capabilities.Define(pack, capabilities.Definition[Input, NullspaceOutput]{
	ID:          "matrix.nullspace.compute",
	Title:       "basis of the null space of a matrix",
	Description: "A basis of the vectors v with A·v = 0, for a matrix of exact rationals: for each column without a pivot the vector with 1 there and 0 at the other such columns. The certificate shows that the dimension is right.",
	Source:      "Strang, Introduction to Linear Algebra, section 3.2",
	Tags:        []string{"kernel", "null space", "linear algebra"},
	Needs:       []string{"null space of a matrix", "kernel of a linear map", "all solutions of A x = 0", "linear relations between the columns"},
	Aliases:     []string{"kernel", "nullspace", "null space"}, InputKinds: []string{"matrix"}, Limits: limits(),
	Claimed: capabilities.Computed, Preflight: preflight, Claim: claim("matrix.nullspace"),
	Emits: []string{"matrix.rank"}, CheckedBy: []string{"matrix.exact"},
	Examples: []capabilities.Example{
		{Name: "two free columns", Input: `{"matrix":[[1,2,3],[2,4,6]]}`, Output: `{"basis":[[{"num":"-2","den":"1"},{"num":"1","den":"1"},{"num":"0","den":"1"}],[{"num":"-3","den":"1"},{"num":"0","den":"1"},{"num":"1","den":"1"}]],"nullity":2}`},
	},
	Run: func(_ context.Context, _ *capabilities.Env, in Input) (capabilities.Outcome[NullspaceOutput], error) {
		e := eliminate(in.Matrix.Big(), in.Matrix.Cols)
		out := NullspaceOutput{Basis: [][]values.Rat{}}
		basis, _ := e.nullBasis(in.Matrix.Cols)
		for _, v := range basis {
			out.Basis = append(out.Basis, rats(v))
		}
		out.Nullity = len(out.Basis)
		return capabilities.Outcome[NullspaceOutput]{Output: out, Evidence: e.rankEvidence(in.Matrix.Cols)}, nil
	},
})

// InverseOutput is the inverse.
type InverseOutput struct {
	Inverse values.Matrix `json:"inverse"`
}

var _ = capabilities.Define(pack, capabilities.Definition[Input, InverseOutput]{
	ID:          "matrix.inverse.compute",
	Title:       "inverse of a matrix",
	Description: "The matrix B with A·B = I, for a non-singular square matrix of exact rationals; a singular one is refused as not applicable. The checker multiplies.",
	Source:      "Gauss-Jordan elimination",
	Tags:        []string{"inverse", "linear algebra"},
	Needs:       []string{"inverse of a matrix", "invert a matrix exactly", "solve for A to the minus one", "is this matrix invertible"},
	Aliases:     []string{"invert", "inverse matrix"}, InputKinds: []string{"matrix"}, Limits: limits(),
	Claimed: capabilities.Computed, Preflight: preflightSquare, Claim: claim("matrix.inverse"),
	Emits: []string{"matrix.product"}, CheckedBy: []string{"matrix.exact"},
	Examples: []capabilities.Example{
		{Name: "2 by 2", Input: `{"matrix":[[1,2],[3,4]]}`, Output: `{"inverse":{"rows":2,"cols":2,"entries":[[{"num":"-2","den":"1"},{"num":"1","den":"1"}],[{"num":"3","den":"2"},{"num":"-1","den":"2"}]]}}`},
	},
	Run: func(_ context.Context, _ *capabilities.Env, in Input) (capabilities.Outcome[InverseOutput], error) {
		n := in.Matrix.Rows
		e := eliminate(in.Matrix.Big(), n)
		if len(e.pivots) < n {
			return capabilities.Outcome[InverseOutput]{}, capabilities.NotApplicable("/matrix", "a non-singular matrix", fmt.Sprintf("rank %d of %d", len(e.pivots), n), "look at its null space with matrix.nullspace.compute")
		}
		return capabilities.Outcome[InverseOutput]{Output: InverseOutput{values.MatrixOf(e.transform, n)}, Evidence: &capabilities.Evidence{Format: "matrix.product"}}, nil
	},
})

// RREFOutput is the reduced row echelon form.
type RREFOutput struct {
	RREF   values.Matrix `json:"rref"`
	Pivots []int         `json:"pivots" doc:"column of the pivot of each non-zero row"`
}

var _ = capabilities.Define(pack, capabilities.Definition[Input, RREFOutput]{
	ID:          "matrix.normal_form.rref.compute",
	Title:       "reduced row echelon form of a matrix",
	Description: "The reduced row echelon form of a matrix of exact rationals, which is unique, with its pivot columns. The certificate is the row transform with its inverse.",
	Source:      "Strang, Introduction to Linear Algebra, section 3.2",
	Tags:        []string{"normal form", "elimination", "linear algebra"},
	Needs:       []string{"row reduce a matrix", "reduced row echelon form", "Gaussian elimination", "pivot columns of a matrix"},
	Aliases:     []string{"rref", "row reduction", "gauss-jordan"}, InputKinds: []string{"matrix"}, Limits: limits(),
	Claimed: capabilities.Computed, Preflight: preflight, Claim: claim("matrix.rref"),
	Emits: []string{"matrix.row_transform"}, CheckedBy: []string{"matrix.exact"},
	Examples: []capabilities.Example{
		{Name: "two pivots", Input: `{"matrix":[[1,2,3],[2,4,7]]}`, Output: `{"rref":{"rows":2,"cols":3,"entries":[[{"num":"1","den":"1"},{"num":"2","den":"1"},{"num":"0","den":"1"}],[{"num":"0","den":"1"},{"num":"0","den":"1"},{"num":"1","den":"1"}]]},"pivots":[0,2]}`},
	},
	Run: func(_ context.Context, _ *capabilities.Env, in Input) (capabilities.Outcome[RREFOutput], error) {
		e := eliminate(in.Matrix.Big(), in.Matrix.Cols)
		n := in.Matrix.Rows
		t := values.MatrixOf(e.transform, n)
		back := eliminate(t.Big(), n) // T is invertible: its transform to the identity is the inverse
		certificate := struct {
			Transform values.Matrix `json:"transform"`
			Inverse   values.Matrix `json:"inverse"`
		}{t, values.MatrixOf(back.transform, n)}
		return capabilities.Outcome[RREFOutput]{
			Output:   RREFOutput{values.MatrixOf(e.form, in.Matrix.Cols), append([]int{}, e.pivots...)},
			Evidence: &capabilities.Evidence{Format: "matrix.row_transform", Data: jcs.MustMarshal(certificate)},
		}, nil
	},
})

// CharacteristicOutput is the characteristic polynomial.
type CharacteristicOutput struct {
	Coefficients []values.Rat `json:"coefficients" doc:"of det(x·I − A), from x^n down to the constant"`
}

var _ = capabilities.Define(pack, capabilities.Definition[Input, CharacteristicOutput]{
	ID:          "matrix.characteristic_polynomial.compute",
	Title:       "characteristic polynomial of a matrix",
	Description: "The coefficients of det(x·I − A) for a square matrix of exact rationals, from the leading 1 down; 1 for the 0 by 0 matrix. Recursion of Faddeev and LeVerrier; the checker evaluates the determinant at n+1 points.",
	Source:      "Faddeev and LeVerrier (1840, 1949)",
	Tags:        []string{"characteristic polynomial", "eigenvalues", "linear algebra"},
	Needs:       []string{"characteristic polynomial of a matrix", "polynomial whose roots are the eigenvalues", "det(xI - A)", "eigenvalue equation"},
	Aliases:     []string{"charpoly", "eigenvalues"}, InputKinds: []string{"matrix"}, Limits: limits(),
	Claimed: capabilities.Computed, Preflight: preflightSquare, Claim: claim("matrix.characteristic_polynomial"),
	Emits: []string{"matrix.evaluate"}, CheckedBy: []string{"matrix.exact"},
	Examples: []capabilities.Example{
		{Name: "2 by 2", Input: `{"matrix":[[1,2],[3,4]]}`, Output: `{"coefficients":[{"num":"1","den":"1"},{"num":"-5","den":"1"},{"num":"-2","den":"1"}]}`},
	},
	Run: func(_ context.Context, _ *capabilities.Env, in Input) (capabilities.Outcome[CharacteristicOutput], error) {
		a, n := in.Matrix.Big(), in.Matrix.Rows
		c := []*big.Rat{big.NewRat(1, 1)}
		m := values.NewMatrix(n, n).Big()
		for k := 1; k <= n; k++ {
			for i := range m {
				m[i][i].Add(m[i][i], c[k-1])
			}
			m = multiply(a, m, n)
			trace := new(big.Rat)
			for i := range m {
				trace.Add(trace, m[i][i])
			}
			c = append(c, trace.Mul(trace, big.NewRat(-1, int64(k))))
		}
		return capabilities.Outcome[CharacteristicOutput]{Output: CharacteristicOutput{rats(c)}, Evidence: &capabilities.Evidence{Format: "matrix.evaluate"}}, nil
	},
})

// TraceOutput is the trace.
type TraceOutput struct {
	Trace values.Rat `json:"trace"`
}

var _ = capabilities.Define(pack, capabilities.Definition[Input, TraceOutput]{
	ID:          "matrix.trace.compute",
	Title:       "trace of a square matrix",
	Description: "The sum of the diagonal entries of a square matrix of exact rationals.",
	Source:      "Strang, Introduction to Linear Algebra, section 6.1",
	Tags:        []string{"trace", "linear algebra"},
	Needs:       []string{"trace of a matrix", "sum of the diagonal entries", "sum of the eigenvalues", "diagonal sum"},
	Aliases:     []string{"tr"}, InputKinds: []string{"matrix"}, Limits: limits(), Claimed: capabilities.Computed, Preflight: preflightSquare,
	Examples: []capabilities.Example{{Name: "2 by 2", Input: `{"matrix":[[1,2],[3,4]]}`, Output: `{"trace":{"num":"5","den":"1"}}`}},
	Run: capabilities.Func(func(_ context.Context, in Input) (TraceOutput, error) {
		sum := new(big.Rat)
		for i, row := range in.Matrix.Entries {
			sum.Add(sum, row[i].Big())
		}
		return TraceOutput{values.NewRat(sum)}, nil
	}),
})

// ProductInput is two matrices.
type ProductInput struct {
	Left  values.Matrix `json:"left" doc:"a matrix"`
	Right values.Matrix `json:"right" doc:"a matrix with as many rows as left has columns"`
}

// ProductOutput is their product.
type ProductOutput struct {
	Product values.Matrix `json:"product"`
}

var _ = capabilities.Define(pack, capabilities.Definition[ProductInput, ProductOutput]{
	ID:          "matrix.multiply.compute",
	Title:       "product of two matrices",
	Description: "The product of two matrices of exact rationals; the left one has as many columns as the right one has rows.",
	Source:      "Binet 1812",
	Tags:        []string{"product", "linear algebra"},
	Needs:       []string{"multiply two matrices", "multiply an exact matrix by itself", "matrix product", "square of a matrix"},
	Aliases:     []string{"matmul", "product"}, InputKinds: []string{"matrix"}, Limits: limits(), Claimed: capabilities.Computed,
	Preflight: func(in ProductInput) error {
		if in.Left.Cols != in.Right.Rows {
			return capabilities.Invalid("/right", fmt.Sprintf("%d rows, as the left matrix has columns", in.Left.Cols), fmt.Sprint(in.Right.Rows), "check the order of the two")
		}
		if err := checkSize("/left", in.Left); err != nil {
			return err
		}
		return checkSize("/right", in.Right)
	},
	Examples: []capabilities.Example{{Name: "square", Input: `{"left":[[1,2],[3,4]],"right":[[1,2],[3,4]]}`, Output: `{"product":{"rows":2,"cols":2,"entries":[[{"num":"7","den":"1"},{"num":"10","den":"1"}],[{"num":"15","den":"1"},{"num":"22","den":"1"}]]}}`}},
	Run: capabilities.Func(func(_ context.Context, in ProductInput) (ProductOutput, error) {
		return ProductOutput{values.MatrixOf(multiply(in.Left.Big(), in.Right.Big(), in.Right.Cols), in.Right.Cols)}, nil
	}),
})

// SystemInput is a system of linear equations.
type SystemInput struct {
	Matrix values.Matrix `json:"matrix" doc:"A: a row for each equation"`
	RHS    []values.Rat  `json:"rhs" doc:"b: the right side of each"`
}

// SystemOutput is a solution, or a combination of the equations that says 0 = 1.
type SystemOutput struct {
	Status        string       `json:"status" enum:"UNIQUE,NON_UNIQUE,INCONSISTENT"`
	Solution      []values.Rat `json:"solution" doc:"x with A·x = b; empty if there is none"`
	Kernel        []values.Rat `json:"kernel" doc:"a non-zero vector with A·v = 0 if there are more solutions"`
	Inconsistency []values.Rat `json:"inconsistency" doc:"y with y·A = 0 and y·b = 1 if there is no solution"`
}

var _ = capabilities.Define(pack, capabilities.Definition[SystemInput, SystemOutput]{
	ID:          "matrix.rational_linear_system.solve.compute",
	Title:       "solve a system of linear equations exactly",
	Description: "Decides whether A·x = b has a rational solution. TRUE comes with one, and with the reason why it is the only one or a kernel vector; FALSE with y such that y·A = 0 and y·b = 1.",
	Source:      "Fredholm alternative; Gauss-Jordan elimination",
	Tags:        []string{"equations", "linear algebra"},
	Needs:       []string{"solve linear equations", "solve A x = b with fractions", "is this linear system solvable", "prove that linear equations are inconsistent"},
	Aliases:     []string{"linear solve", "simultaneous equations", "rouché-capelli"}, InputKinds: []string{"matrix", "vector"}, Limits: limits(),
	Claimed: capabilities.Computed,
	Preflight: func(in SystemInput) error {
		if len(in.RHS) != in.Matrix.Rows {
			return capabilities.Invalid("/rhs", fmt.Sprintf("%d numbers, one for each row", in.Matrix.Rows), fmt.Sprint(len(in.RHS)), "give a right side for each equation")
		}
		return checkSize("/matrix", in.Matrix)
	},
	Claim: func(in SystemInput) events.Claim { return capabilities.NewClaim("matrix/1", "linear.solvable", in) },
	Emits: []string{"linear.solution", "linear.inconsistency"}, CheckedBy: []string{"matrix.exact"},
	Examples: []capabilities.Example{
		{Name: "unique", Input: `{"matrix":[[2,3],[1,-2]],"rhs":[7,1]}`, Output: `{"status":"UNIQUE","solution":[{"num":"17","den":"7"},{"num":"5","den":"7"}],"kernel":[],"inconsistency":[]}`},
		{Name: "inconsistent", Input: `{"matrix":[[1,1],[1,1]],"rhs":[0,1]}`, Output: `{"status":"INCONSISTENT","solution":[],"kernel":[],"inconsistency":[{"num":"-1","den":"1"},{"num":"1","den":"1"}]}`},
		{Name: "many", Input: `{"matrix":[[1,1],[1,1]],"rhs":[1,1]}`, Output: `{"status":"NON_UNIQUE","solution":[{"num":"1","den":"1"},{"num":"0","den":"1"}],"kernel":[{"num":"-1","den":"1"},{"num":"1","den":"1"}],"inconsistency":[]}`},
	},
	Run: func(_ context.Context, _ *capabilities.Env, in SystemInput) (capabilities.Outcome[SystemOutput], error) {
		return solve(in), nil
	},
})

func solve(in SystemInput) capabilities.Outcome[SystemOutput] {
	e := eliminate(in.Matrix.Big(), in.Matrix.Cols)
	b := make([]*big.Rat, in.Matrix.Rows) // T·b
	for i, row := range e.transform {
		b[i] = new(big.Rat)
		for k, t := range row {
			b[i].Add(b[i], new(big.Rat).Mul(t, in.RHS[k].Big()))
		}
	}
	out := SystemOutput{Solution: []values.Rat{}, Kernel: []values.Rat{}, Inconsistency: []values.Rat{}}
	for i := len(e.pivots); i < len(b); i++ {
		if b[i].Sign() != 0 { // row i of T gives 0 = b[i]
			scale(e.transform[i], new(big.Rat).Inv(b[i]))
			out.Status, out.Inconsistency = "INCONSISTENT", rats(e.transform[i])
			return capabilities.Outcome[SystemOutput]{Output: out, Conclusion: events.False, Evidence: &capabilities.Evidence{Format: "linear.inconsistency"}}
		}
	}
	x := make([]*big.Rat, in.Matrix.Cols)
	for j := range x {
		x[j] = new(big.Rat)
	}
	for i, p := range e.pivots {
		x[p].Set(b[i])
	}
	out.Status, out.Solution = "UNIQUE", rats(x)
	minor := rankCertificate{Rows: []int{}, Cols: []int{}}
	if basis, _ := e.nullBasis(in.Matrix.Cols); len(basis) > 0 {
		out.Status, out.Kernel = "NON_UNIQUE", rats(basis[0])
	} else {
		for i, p := range e.pivots {
			minor.Rows, minor.Cols = append(minor.Rows, e.origin[i]), append(minor.Cols, p)
		}
	}
	certificate := struct {
		Rows []int `json:"rows"`
		Cols []int `json:"cols"`
	}{minor.Rows, minor.Cols}
	return capabilities.Outcome[SystemOutput]{Output: out, Conclusion: events.True, Evidence: &capabilities.Evidence{Format: "linear.solution", Data: jcs.MustMarshal(certificate)}}
}
