package sat

import (
	"context"
	"fmt"
	"math/big"
	"slices"
	"strconv"

	"github.com/jacobian-ledger/jacobian/capabilities"
	"github.com/jacobian-ledger/jacobian/capabilities/values"
	"github.com/jacobian-ledger/jacobian/events"
)

// CountOutput is the number of models.
type CountOutput struct {
	Count values.Int `json:"count" doc:"number of assignments of all declared variables that make every clause true"`
}

const (
	countVariables = 100_000
	countLiterals  = 200_000
	countMemo      = 1 << 26 // bytes of the formulas remembered
)

var _ = capabilities.Define(pack, capabilities.Definition[CNFInput, CountOutput]{
	ID:          "sat.model.count",
	Title:       "exact number of satisfying assignments",
	Description: "Counts the assignments of all declared variables that make every clause true, exactly, by splitting on variables, with unit propagation, independent components counted apart, and a memory of components. Exponential in the worst case, meant for small or loosely connected formulas.",
	Source:      "Sang, Bacchus, Beame, Kautz and Pitassi, Combining Component Caching and Clause Learning for Effective Model Counting, SAT 2004; the problem #SAT: L. Valiant 1979",
	Tags:        []string{"satisfiability", "counting", "boolean"},
	Needs:       []string{"count satisfying assignments", "number of models of a CNF", "how many solutions does a boolean formula have", "model counting"},
	Aliases:     []string{"#SAT", "model counting"},
	InputKinds:  []string{"cnf"},
	Claimed:     capabilities.Computed,
	Heavy:       true,
	Limits: []events.Limit{
		{Name: "variables", Value: strconv.Itoa(countVariables)}, {Name: "literals", Value: strconv.Itoa(countLiterals)},
	},
	Examples: []capabilities.Example{
		{Name: "opposite units", Input: `{"cnf":{"variables":1,"clauses":[[1],[-1]]}}`, Output: `{"count":"0"}`},
		{Name: "one clause", Input: `{"cnf":{"variables":3,"clauses":[[1,2]]}}`, Output: `{"count":"6"}`},
		{Name: "free variables", Input: `{"cnf":{"variables":70,"clauses":[]}}`, Output: `{"count":"1180591620717411303424"}`},
	},
	Preflight: func(in CNFInput) error {
		if in.CNF.Variables > countVariables {
			return capabilities.Exceeds("/cnf/variables", "variables", fmt.Sprint(countVariables), fmt.Sprint(in.CNF.Variables), "count the models of parts without common variables apart")
		}
		if n := in.CNF.Literals(); n > countLiterals {
			return capabilities.Exceeds("/cnf/clauses", "literals", fmt.Sprint(countLiterals), fmt.Sprint(n), "count the models of parts without common variables apart")
		}
		return nil
	},
	Run: func(ctx context.Context, _ *capabilities.Env, in CNFInput) (capabilities.Outcome[CountOutput], error) {
		n, err := countModels(ctx, in.CNF)
		if err != nil {
			return capabilities.Outcome[CountOutput]{
				Scope: &events.Scope{Description: "the count was given up; no bound is known", Parameters: []events.Param{}},
			}, err
		}
		return capabilities.Outcome[CountOutput]{Output: CountOutput{values.NewInt(n)}}, nil
	},
})

type modelCounter struct {
	ctx    context.Context
	steps  int
	known  map[string]*big.Int
	memory int
}

func countModels(ctx context.Context, f values.CNF) (*big.Int, error) {
	var clauses [][]int
	for _, c := range f.Clauses {
		if set, tautology := normal(c); !tautology {
			clauses = append(clauses, set)
		}
	}
	m := &modelCounter{ctx: ctx, known: map[string]*big.Int{}}
	return m.count(clauses, f.Variables)
}

// count is the number of assignments of the given number of variables, of which those that occur in the
// clauses are some, that make the clauses true. Clauses are sets without tautologies.
func (m *modelCounter) count(clauses [][]int, variables int) (*big.Int, error) {
	if m.steps++; m.steps&255 == 0 && m.ctx.Err() != nil {
		return nil, m.ctx.Err()
	}
	for {
		k := slices.IndexFunc(clauses, func(c []int) bool { return len(c) < 2 })
		if k < 0 {
			break
		}
		if len(clauses[k]) == 0 {
			return new(big.Int), nil
		}
		clauses, variables = given(clauses, clauses[k][0]), variables-1
	}
	product := big.NewInt(1)
	for _, part := range components(clauses) {
		variables -= part.variables
		n, err := m.component(part)
		if err != nil || n.Sign() == 0 {
			return n, err
		}
		product.Mul(product, n)
	}
	return product.Lsh(product, uint(variables)), nil
}

// component counts a connected formula without units, over exactly its variables.
func (m *modelCounter) component(p component) (*big.Int, error) {
	key := make([]byte, 0, 16*len(p.clauses))
	for _, c := range p.clauses {
		for _, l := range c {
			key = append(strconv.AppendInt(key, int64(l), 36), ' ')
		}
		key = append(key, ';')
	}
	if n, ok := m.known[string(key)]; ok {
		return n, nil
	}
	yes, err := m.count(given(p.clauses, p.branch), p.variables-1)
	if err != nil {
		return nil, err
	}
	no, err := m.count(given(p.clauses, -p.branch), p.variables-1)
	if err != nil {
		return nil, err
	}
	n := new(big.Int).Add(yes, no)
	if m.memory += len(key) + 64; m.memory < countMemo {
		m.known[string(key)] = n
	}
	return n, nil
}

// given simplifies clauses by a literal that is true.
func given(clauses [][]int, l int) [][]int {
	out := make([][]int, 0, len(clauses))
	for _, c := range clauses {
		if slices.Contains(c, l) {
			continue
		}
		if k := slices.Index(c, -l); k >= 0 {
			c = slices.Concat(c[:k], c[k+1:])
		}
		out = append(out, c)
	}
	return out
}

type component struct {
	clauses   [][]int
	variables int
	branch    int // the variable that occurs most, the smallest of them
}

// components splits clauses by shared variables, in the order of their first clauses.
func components(clauses [][]int) []component {
	parent := map[int]int{}
	find := func(v int) int {
		for parent[v] != v {
			parent[v] = parent[parent[v]]
			v = parent[v]
		}
		return v
	}
	occurs := map[int]int{}
	for _, c := range clauses {
		for _, l := range c {
			v := max(l, -l)
			if occurs[v]++; occurs[v] == 1 {
				parent[v] = v
			}
			parent[find(v)] = find(max(c[0], -c[0]))
		}
	}
	index := map[int]int{}
	var out []component
	for _, c := range clauses {
		root := find(max(c[0], -c[0]))
		k, ok := index[root]
		if !ok {
			k = len(out)
			index[root] = k
			out = append(out, component{})
		}
		out[k].clauses = append(out[k].clauses, c)
	}
	for v, n := range occurs {
		p := &out[index[find(v)]]
		p.variables++
		if best := occurs[p.branch]; n > best || n == best && v < p.branch {
			p.branch = v
		}
	}
	return out
}
