package values

import (
	"fmt"
	"slices"

	"github.com/jacobian-ledger/jacobian/events/jcs"
)

// MaxGraphOrder is the most vertices that are read; operations state smaller limits of their own.
const MaxGraphOrder = 10_000

// Graph is a finite simple undirected graph on the vertices 0 to Order−1: no loops, no multiple edges.
//
// The wire form is {"order":4,"edges":[[0,1],[1,2]]}, each edge written once with its smaller end first
// and the edges in lexicographic order; input may list them in any order and direction, and
// {"graph6":"..."} is read too. All spellings of one labelled graph have one canonical form.
type Graph struct {
	Order int
	Edges [][2]int // sorted, u < v
}

// NewGraph normalises edges. The error names the first edge that is a loop, repeated or out of range.
func NewGraph(order int, edges [][2]int) (Graph, error) {
	if order < 0 || order > MaxGraphOrder {
		return Graph{}, jcs.In("order", jcs.Fail(fmt.Sprintf("0 to %d vertices", MaxGraphOrder), fmt.Sprint(order), ""))
	}
	at := make([]int, len(edges)) // positions in the input, for the error
	out := make([][2]int, len(edges))
	for i, e := range edges {
		at[i] = i
		for j, v := range e {
			if v < 0 || v >= order {
				return Graph{}, jcs.In("edges", jcs.At(i, jcs.At(j, jcs.Fail(vertices(order), fmt.Sprint(v), "fix the edge or raise the order"))))
			}
		}
		if e[0] == e[1] {
			return Graph{}, jcs.In("edges", jcs.At(i, jcs.Fail("two different ends", fmt.Sprintf("the loop [%d,%d]", e[0], e[1]), "this graph type has no loops")))
		}
		out[i] = [2]int{min(e[0], e[1]), max(e[0], e[1])}
	}
	slices.SortStableFunc(at, func(a, b int) int { return slices.Compare(out[a][:], out[b][:]) })
	sorted := make([][2]int, len(edges))
	for i, k := range at {
		sorted[i] = out[k]
		if i > 0 && sorted[i] == sorted[i-1] {
			return Graph{}, jcs.In("edges", jcs.At(k, jcs.Fail("each edge once", fmt.Sprintf("[%d,%d] twice", sorted[i][0], sorted[i][1]), "this graph type has no multiple edges")))
		}
	}
	return Graph{order, sorted}, nil
}

func vertices(order int) string {
	if order == 0 {
		return "no vertices, since the order is 0"
	}
	return fmt.Sprintf("a vertex 0 to %d", order-1)
}

type graphWire struct {
	Order int     `json:"order"`
	Edges [][]int `json:"edges"`
}

// MarshalJSON writes the wire form.
func (g Graph) MarshalJSON() ([]byte, error) {
	b := append(make([]byte, 0, 32+8*len(g.Edges)), `{"edges":[`...)
	for i, e := range g.Edges {
		if i > 0 {
			b = append(b, ',')
		}
		b = fmt.Appendf(b, "[%d,%d]", e[0], e[1])
	}
	return fmt.Appendf(b, `],"order":%d}`, g.Order), nil
}

// UnmarshalJCS reads the wire form, or graph6.
func (g *Graph) UnmarshalJCS(v jcs.Value) error {
	if v.Kind() != jcs.Object {
		return jcs.Fail(`a graph such as {"order":3,"edges":[[0,1]]} or {"graph6":"Bw"}`, v.Brief(), "")
	}
	if text, ok := v.Get("graph6"); ok {
		if len(v.Members()) != 1 || text.Kind() != jcs.String {
			return jcs.In("graph6", jcs.Fail("graph6 text and nothing beside it", v.Brief(), "give either graph6, or order and edges"))
		}
		read, err := ParseGraph6(text.Text())
		if err != nil {
			return jcs.In("graph6", err)
		}
		*g = read
		return nil
	}
	var w graphWire
	if err := v.Decode(&w); err != nil {
		return err
	}
	edges := make([][2]int, len(w.Edges))
	for i, e := range w.Edges {
		if len(e) != 2 {
			return jcs.In("edges", jcs.At(i, jcs.Fail("two ends", fmt.Sprintf("%d numbers", len(e)), "write an edge as [u,v]")))
		}
		edges[i] = [2]int{e[0], e[1]}
	}
	read, err := NewGraph(w.Order, edges)
	*g = read
	return err
}

// SchemaJSON is the JSON Schema of the wire form and of graph6.
func (Graph) SchemaJSON() string {
	return `{"description":"simple undirected graph on vertices 0 to order-1","anyOf":[{"type":"object","properties":{"order":{"type":"integer","minimum":0},"edges":{"type":"array","items":{"type":"array","items":{"type":"integer","minimum":0},"minItems":2,"maxItems":2}}},"required":["order","edges"],"additionalProperties":false},{"type":"object","properties":{"graph6":{"type":"string"}},"required":["graph6"],"additionalProperties":false}]}`
}

// Adjacent reports whether u and v are joined, in time logarithmic in the edges.
func (g Graph) Adjacent(u, v int) bool {
	_, ok := slices.BinarySearchFunc(g.Edges, [2]int{min(u, v), max(u, v)}, func(a, b [2]int) int { return slices.Compare(a[:], b[:]) })
	return ok
}

// Neighbours lists the neighbours of every vertex, ascending.
func (g Graph) Neighbours() [][]int {
	out := make([][]int, g.Order)
	for _, e := range g.Edges {
		out[e[0]] = append(out[e[0]], e[1])
		out[e[1]] = append(out[e[1]], e[0])
	}
	for _, n := range out {
		slices.Sort(n)
	}
	return out
}
