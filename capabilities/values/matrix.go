package values

import (
	"encoding/json"
	"fmt"
	"math/big"

	"github.com/jacobian-ledger/jacobian/events/jcs"
)

// Matrix is a matrix of exact rationals with explicit numbers of rows and columns, so that 0×3 and 3×0 differ.
// The wire form is {"rows":2,"cols":2,"entries":[[…],[…]]}; a non-empty array of equally long, non-empty rows
// is read too. The zero value is the 0×0 matrix.
type Matrix struct {
	Rows, Cols int
	Entries    [][]Rat // Rows slices of Cols entries
}

// NewMatrix returns a matrix of zeros.
func NewMatrix(rows, cols int) Matrix {
	m := Matrix{rows, cols, make([][]Rat, rows)}
	for i := range m.Entries {
		m.Entries[i] = make([]Rat, cols)
	}
	return m
}

// MarshalJSON writes the wire form.
func (m Matrix) MarshalJSON() ([]byte, error) {
	entries := m.Entries
	if entries == nil {
		entries = [][]Rat{}
	}
	return json.Marshal(struct {
		Rows    int     `json:"rows"`
		Cols    int     `json:"cols"`
		Entries [][]Rat `json:"entries"`
	}{m.Rows, m.Cols, entries})
}

// UnmarshalJCS reads the wire form or an array of rows.
func (m *Matrix) UnmarshalJCS(v jcs.Value) error {
	rows, cols, entries, err := readRows[Rat](v)
	if err != nil {
		return err
	}
	*m = Matrix{rows, cols, entries}
	return nil
}

// SchemaJSON is the JSON Schema of the wire form and of an array of rows.
func (Matrix) SchemaJSON() string { return matrixSchema("rational", Rat{}.SchemaJSON()) }

// Big returns the entries as rationals that the caller may change.
func (m Matrix) Big() [][]*big.Rat {
	out := make([][]*big.Rat, m.Rows)
	for i := range out {
		out[i] = make([]*big.Rat, m.Cols)
		for j := range out[i] {
			out[i][j] = m.Entries[i][j].Big()
		}
	}
	return out
}

// MatrixOf copies rationals into a matrix with that many columns.
func MatrixOf(rows [][]*big.Rat, cols int) Matrix {
	m := NewMatrix(len(rows), cols)
	for i, row := range rows {
		for j, x := range row {
			m.Entries[i][j] = NewRat(x)
		}
	}
	return m
}

// IntMatrix is a matrix of integers, with the wire form of [Matrix].
type IntMatrix struct {
	Rows, Cols int
	Entries    [][]Int
}

// MarshalJSON writes the wire form.
func (m IntMatrix) MarshalJSON() ([]byte, error) {
	entries := m.Entries
	if entries == nil {
		entries = [][]Int{}
	}
	return json.Marshal(struct {
		Rows    int     `json:"rows"`
		Cols    int     `json:"cols"`
		Entries [][]Int `json:"entries"`
	}{m.Rows, m.Cols, entries})
}

// UnmarshalJCS reads the wire form or an array of rows.
func (m *IntMatrix) UnmarshalJCS(v jcs.Value) error {
	rows, cols, entries, err := readRows[Int](v)
	if err != nil {
		return err
	}
	*m = IntMatrix{rows, cols, entries}
	return nil
}

// SchemaJSON is the JSON Schema of the wire form and of an array of rows.
func (IntMatrix) SchemaJSON() string { return matrixSchema("integer", Int{}.SchemaJSON()) }

// Big returns the entries as integers that the caller may change.
func (m IntMatrix) Big() [][]*big.Int {
	out := make([][]*big.Int, m.Rows)
	for i := range out {
		out[i] = make([]*big.Int, m.Cols)
		for j := range out[i] {
			out[i][j] = m.Entries[i][j].Big()
		}
	}
	return out
}

// IntMatrixOf copies integers into a matrix with that many columns.
func IntMatrixOf(rows [][]*big.Int, cols int) IntMatrix {
	m := IntMatrix{len(rows), cols, make([][]Int, len(rows))}
	for i, row := range rows {
		m.Entries[i] = make([]Int, cols)
		for j, x := range row {
			m.Entries[i][j] = NewInt(x)
		}
	}
	return m
}

func readRows[T Rat | Int](v jcs.Value) (rows, cols int, entries [][]T, err error) {
	switch v.Kind() {
	case jcs.Array:
		if err := v.Decode(&entries); err != nil {
			return 0, 0, nil, err
		}
		if len(entries) == 0 || len(entries[0]) == 0 {
			return 0, 0, nil, jcs.Fail("rows with entries", "an empty array", `write an empty matrix as {"rows":0,"cols":3,"entries":[]}`)
		}
		rows, cols = len(entries), len(entries[0])
	case jcs.Object:
		var w struct {
			Rows    int   `json:"rows"`
			Cols    int   `json:"cols"`
			Entries [][]T `json:"entries"`
		}
		if err := v.Decode(&w); err != nil {
			return 0, 0, nil, err
		}
		if w.Rows < 0 || w.Cols < 0 || w.Cols > 1<<20 {
			return 0, 0, nil, jcs.In("rows", jcs.Fail("numbers of rows and columns from 0", fmt.Sprintf("%d and %d", w.Rows, w.Cols), ""))
		}
		if len(w.Entries) != w.Rows {
			return 0, 0, nil, jcs.In("entries", jcs.Fail(fmt.Sprintf("%d rows", w.Rows), fmt.Sprintf("%d", len(w.Entries)), "make rows and entries agree"))
		}
		rows, cols, entries = w.Rows, w.Cols, w.Entries
	default:
		return 0, 0, nil, jcs.Fail(`a matrix such as [["1","2"],["3","4"]] or {"rows","cols","entries"}`, v.Brief(), "")
	}
	for i, row := range entries {
		if len(row) != cols {
			err := jcs.At(i, jcs.Fail(fmt.Sprintf("%d entries, as in the other rows", cols), fmt.Sprintf("%d", len(row)), "make all rows equally long"))
			if v.Kind() == jcs.Object {
				err = jcs.In("entries", err)
			}
			return 0, 0, nil, err
		}
	}
	return rows, cols, entries, nil
}

func matrixSchema(what, entry string) string {
	rows := `{"type":"array","items":{"type":"array","items":` + entry + `}}`
	return `{"description":"` + what + ` matrix","anyOf":[{"type":"object","properties":{"rows":{"type":"integer","minimum":0},"cols":{"type":"integer","minimum":0},"entries":` + rows + `},"required":["rows","cols","entries"],"additionalProperties":false},` + rows + `]}`
}
