package values

import (
	"fmt"
	"slices"

	"github.com/jacobian-ledger/jacobian/events/jcs"
)

// The size of the largest formula that is read. What a formula costs in memory is proportional to its
// literals and to the largest variable that occurs, never to the declared number of variables alone.
const (
	MaxVariables = 10_000_000
	MaxLiterals  = 50_000_000
)

// CNF is a propositional formula in conjunctive normal form. A clause is a set of literals, written as
// non-zero integers: v is the variable v, and -v its negation, with 1 ≤ v ≤ Variables. Clauses are
// numbered from 1 in the order given, which is how proofs refer to them.
//
// The empty formula is true and the empty clause is false. A repeated literal counts once and a clause
// with both v and -v is always true: both are allowed and kept as they stand, because removing them
// would renumber what a proof refers to.
//
// The wire form is {"variables":3,"clauses":[[1,-2],[3]]}; literals are JSON integers, as they are
// names and not numbers to calculate with.
type CNF struct {
	Variables int
	Clauses   [][]int
}

type cnfWire struct {
	Clauses   [][]int `json:"clauses"`
	Variables int     `json:"variables"`
}

// MarshalJSON writes the wire form; nil slices become [].
func (f CNF) MarshalJSON() ([]byte, error) {
	b := append(make([]byte, 0, 32+8*f.Literals()), `{"clauses":[`...)
	for i, c := range f.Clauses {
		if i > 0 {
			b = append(b, ',')
		}
		b = append(b, '[')
		for j, l := range c {
			if j > 0 {
				b = append(b, ',')
			}
			b = fmt.Appendf(b, "%d", l)
		}
		b = append(b, ']')
	}
	return fmt.Appendf(b, `],"variables":%d}`, f.Variables), nil
}

// UnmarshalJCS reads the wire form strictly.
func (f *CNF) UnmarshalJCS(v jcs.Value) error {
	var w cnfWire
	if v.Kind() != jcs.Object {
		return jcs.Fail(`a formula such as {"variables":2,"clauses":[[1,-2],[2]]}`, v.Brief(), "DIMACS text is read by sat.cnf.materialize")
	}
	if err := v.Decode(&w); err != nil {
		return err
	}
	*f = CNF{w.Variables, w.Clauses}
	return f.Validate()
}

// SchemaJSON is the JSON Schema of the wire form.
func (CNF) SchemaJSON() string {
	return `{"type":"object","description":"formula in conjunctive normal form; literal v or -v for variable v from 1","properties":{"variables":{"type":"integer","minimum":0,"maximum":10000000},"clauses":{"type":"array","items":{"type":"array","items":{"type":"integer"}}}},"required":["variables","clauses"],"additionalProperties":false}`
}

// Validate refuses literals out of range, with the path of the first.
func (f *CNF) Validate() error {
	if f.Variables < 0 || f.Variables > MaxVariables {
		return jcs.In("variables", jcs.Fail(fmt.Sprintf("0 to %d variables", MaxVariables), fmt.Sprint(f.Variables), "renumber the variables from 1"))
	}
	total := 0
	for i, c := range f.Clauses {
		if total += len(c); total > MaxLiterals {
			return jcs.In("clauses", jcs.Fail(fmt.Sprintf("at most %d literals", MaxLiterals), "more", "split or simplify the formula"))
		}
		for j, l := range c {
			if l == 0 || l > f.Variables || l < -f.Variables {
				return jcs.In("clauses", jcs.At(i, jcs.At(j, jcs.Fail(fmt.Sprintf("a literal ±1 to ±%d", f.Variables), fmt.Sprint(l), `literals are non-zero and at most "variables"; there is no 0 at the end of a clause`))))
			}
		}
	}
	return nil
}

// Literals is the number of literals, repeated ones included.
func (f CNF) Literals() int {
	n := 0
	for _, c := range f.Clauses {
		n += len(c)
	}
	return n
}

// MaxVariable is the largest variable that occurs in a clause, 0 if none does.
func (f CNF) MaxVariable() int {
	most := 0
	for _, c := range f.Clauses {
		for _, l := range c {
			most = max(most, l, -l)
		}
	}
	return most
}

// Satisfied reports whether the assignment makes every clause true; model[v-1] is the value of v. If
// not, it returns the index of the first clause that is false, or -1 if the model has a wrong length.
func (f CNF) Satisfied(model []bool) (ok bool, clause int) {
	if len(model) != f.Variables {
		return false, -1
	}
	for i, c := range f.Clauses {
		if !slices.ContainsFunc(c, func(l int) bool { return l > 0 && model[l-1] || l < 0 && !model[-l-1] }) {
			return false, i
		}
	}
	return true, 0
}
