package sat

import (
	"context"
	"fmt"

	"github.com/jacobian-ledger/jacobian/capabilities"
	"github.com/jacobian-ledger/jacobian/capabilities/values"
	"github.com/jacobian-ledger/jacobian/events/jcs"
)

// CardinalityInput bounds the number of true literals.
type CardinalityInput struct {
	Literals  []int  `json:"literals" doc:"literals to be counted, each variable once"`
	Relation  string `json:"relation" enum:"AT_MOST,AT_LEAST,EXACTLY" doc:"how many of them may be true"`
	Bound     int    `json:"bound" doc:"0 to the number of literals"`
	Variables int    `json:"variables" doc:"variables of the formula that this goes into; auxiliary variables follow it"`
}

// CardinalityOutput is the encoding.
type CardinalityOutput struct {
	CNF       values.CNF `json:"cnf" doc:"clauses whose models, without the auxiliary variables, are the assignments that meet the bound"`
	Auxiliary int        `json:"auxiliary" doc:"number of auxiliary variables; they are the last ones"`
}

// Validate refuses what has no meaning, with the path.
func (in *CardinalityInput) Validate() error {
	switch in.Relation {
	case "AT_MOST", "AT_LEAST", "EXACTLY":
	default:
		return jcs.In("relation", jcs.Fail("AT_MOST, AT_LEAST or EXACTLY", fmt.Sprintf("%.40q", in.Relation), ""))
	}
	if in.Variables < 0 || in.Variables > values.MaxVariables {
		return jcs.In("variables", jcs.Fail(fmt.Sprintf("0 to %d", values.MaxVariables), fmt.Sprint(in.Variables), ""))
	}
	if in.Bound < 0 || in.Bound > len(in.Literals) {
		return jcs.In("bound", jcs.Fail(fmt.Sprintf("0 to %d, the number of literals", len(in.Literals)), fmt.Sprint(in.Bound), "a bound outside is always or never met"))
	}
	seen := map[int]bool{}
	for i, l := range in.Literals {
		v := max(l, -l)
		switch {
		case v < 1 || v > in.Variables:
			return jcs.In("literals", jcs.At(i, jcs.Fail(fmt.Sprintf("a literal ±1 to ±%d", in.Variables), fmt.Sprint(l), `raise "variables" or correct the literal`)))
		case seen[v]:
			return jcs.In("literals", jcs.At(i, jcs.Fail("each variable once", fmt.Sprintf("variable %d again", v), "weights are not encoded here")))
		}
		seen[v] = true
	}
	return nil
}

const maxCounter = 100_000 // literals times bound, about a quarter of the clauses made

var _ = capabilities.Define(pack, capabilities.Definition[CardinalityInput, CardinalityOutput]{
	ID:          "sat.cardinality.encode",
	Title:       "clauses for: at most, at least or exactly k of these literals",
	Description: "Encodes a bound on the number of true literals by the sequential counter: 2nk + n - 3k - 1 clauses and (n - 1)k auxiliary variables for at most k of n. At least k is at most n - k of the negations; exactly k is both. An assignment of the variables extends to a model of the clauses if and only if it meets the bound.",
	Source:      "C. Sinz, Towards an optimal CNF encoding of Boolean cardinality constraints, CP 2005",
	Tags:        []string{"satisfiability", "encoding", "cardinality"},
	Needs:       []string{"encode an at most k constraint as clauses", "cardinality constraint to CNF", "exactly one of these variables", "at least k of n booleans"},
	Aliases:     []string{"at most k", "exactly one", "sequential counter"},
	InputKinds:  []string{"literals"},
	Claimed:     capabilities.Computed,
	Examples: []capabilities.Example{
		{
			Name: "at most one of three", Input: `{"literals":[1,2,3],"relation":"AT_MOST","bound":1,"variables":3}`,
			Output: `{"cnf":{"variables":5,"clauses":[[-1,4],[-2,5],[-4,5],[-2,-4],[-3,-5]]},"auxiliary":2}`,
		},
		{Name: "all of them", Input: `{"literals":[1,-2],"relation":"AT_LEAST","bound":2,"variables":2}`, Output: `{"cnf":{"variables":2,"clauses":[[1],[-2]]},"auxiliary":0}`},
	},
	Preflight: func(in CardinalityInput) error {
		n := len(in.Literals)
		if cost := n * max(1, in.Bound, n-in.Bound); cost > maxCounter {
			return capabilities.Exceeds("/literals", "literals times bound", fmt.Sprint(maxCounter), fmt.Sprint(cost), "split the literals into groups and bound the groups")
		}
		return nil
	},
	Run: capabilities.Func(func(_ context.Context, in CardinalityInput) (CardinalityOutput, error) {
		e := &counter{next: in.Variables + 1, clauses: [][]int{}}
		if in.Relation != "AT_LEAST" {
			e.atMost(in.Literals, in.Bound)
		}
		if in.Relation != "AT_MOST" {
			negated := make([]int, len(in.Literals))
			for i, l := range in.Literals {
				negated[i] = -l
			}
			e.atMost(negated, len(negated)-in.Bound)
		}
		if e.next-1 > values.MaxVariables {
			return CardinalityOutput{}, capabilities.Exceeds("/variables", "variables of the encoding", fmt.Sprint(values.MaxVariables), fmt.Sprint(e.next-1), "renumber the variables")
		}
		return CardinalityOutput{values.CNF{Variables: e.next - 1, Clauses: e.clauses}, e.next - 1 - in.Variables}, nil
	}),
})

type counter struct {
	next    int // next auxiliary variable
	clauses [][]int
}

func (e *counter) clause(lits ...int) { e.clauses = append(e.clauses, lits) }

// atMost adds Sinz's counter: s(i, j) is implied when at least j of the first i literals are true.
func (e *counter) atMost(x []int, k int) {
	n := len(x)
	switch {
	case k >= n:
		return
	case k == 0:
		for _, l := range x {
			e.clause(-l)
		}
		return
	}
	base := e.next
	e.next += (n - 1) * k
	s := func(i, j int) int { return base + (i-1)*k + j - 1 }
	e.clause(-x[0], s(1, 1))
	for j := 2; j <= k; j++ {
		e.clause(-s(1, j))
	}
	for i := 2; i < n; i++ {
		l := x[i-1]
		e.clause(-l, s(i, 1))
		e.clause(-s(i-1, 1), s(i, 1))
		for j := 2; j <= k; j++ {
			e.clause(-l, -s(i-1, j-1), s(i, j))
			e.clause(-s(i-1, j), s(i, j))
		}
		e.clause(-l, -s(i-1, k))
	}
	e.clause(-x[n-1], -s(n-1, k))
}
