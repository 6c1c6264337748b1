package graph

import (
	"context"
	"fmt"
	"slices"

	"github.com/jacobian-ledger/jacobian/capabilities"
	"github.com/jacobian-ledger/jacobian/capabilities/values"
	"github.com/jacobian-ledger/jacobian/events"
)

const isomorphismOrder = 200

// PairInput asks about two graphs.
type PairInput struct {
	First  values.Graph `json:"first" doc:"a graph"`
	Second values.Graph `json:"second" doc:"another graph"`
}

// IsomorphismOutput is an isomorphism, or that there is none.
type IsomorphismOutput struct {
	Isomorphic  bool  `json:"isomorphic"`
	Permutation []int `json:"permutation" doc:"image in the second graph of each vertex of the first; empty if there is none"`
}

var _ = capabilities.Define(pack, capabilities.Definition[PairInput, IsomorphismOutput]{
	ID:          "graph.isomorphism.decide",
	Title:       "decide whether two graphs are isomorphic",
	Description: "Whether a one-to-one map of the vertices takes edges to edges and non-edges to non-edges. TRUE comes with the permutation; FALSE with an invariant that differs, or with a search that the checker repeats by another algorithm. Colour refinement and backtracking.",
	Source:      "McKay and Piperno, Practical graph isomorphism II, J. Symb. Comput. 60 (2014), for refinement",
	Tags:        []string{"isomorphism", "permutation"},
	Needs: []string{
		"are these two graphs isomorphic", "find an isomorphism between two graphs", "are two graphs the same up to relabelling", "prove that two graphs are not isomorphic",
	},
	Aliases:    []string{"isomorphic", "graph isomorphism", "relabelling"},
	InputKinds: []string{"graph"},
	Limits:     orderLimit(isomorphismOrder),
	Claimed:    capabilities.Computed,
	Heavy:      true,
	Preflight: func(in PairInput) error {
		for name, g := range map[string]values.Graph{"first": in.First, "second": in.Second} {
			if g.Order > isomorphismOrder {
				return capabilities.Exceeds("/"+name+"/order", "order", fmt.Sprint(isomorphismOrder), fmt.Sprint(g.Order), "use smaller graphs")
			}
		}
		return nil
	},
	Claim: func(in PairInput) events.Claim {
		return capabilities.NewClaim("graph.isomorphism/1", "graph.isomorphic", in)
	},
	Emits:     []string{"graph.isomorphism", "graph.nonisomorphism"},
	CheckedBy: []string{"graph.isomorphism"},
	Examples: []capabilities.Example{
		{Name: "two paths", Input: `{"first":{"order":3,"edges":[[0,1],[1,2]]},"second":{"order":3,"edges":[[0,1],[0,2]]}}`, Output: `{"isomorphic":true,"permutation":[1,0,2]}`},
		{Name: "6-cycle and two triangles", Input: `{"first":{"order":6,"edges":[[0,1],[1,2],[2,3],[3,4],[4,5],[0,5]]},"second":{"order":6,"edges":[[0,1],[1,2],[0,2],[3,4],[4,5],[3,5]]}}`, Output: `{"isomorphic":false,"permutation":[]}`},
	},
	Run: func(ctx context.Context, _ *capabilities.Env, in PairInput) (capabilities.Outcome[IsomorphismOutput], error) {
		p, err := isomorphism(ctx, in.First, in.Second)
		if err != nil {
			return capabilities.Outcome[IsomorphismOutput]{}, err
		}
		if p != nil {
			return capabilities.Outcome[IsomorphismOutput]{
				Output: IsomorphismOutput{true, p}, Conclusion: events.True, Evidence: &capabilities.Evidence{Format: "graph.isomorphism"},
			}, nil
		}
		return capabilities.Outcome[IsomorphismOutput]{
			Output: IsomorphismOutput{false, []int{}}, Conclusion: events.False,
			Evidence: &capabilities.Evidence{Format: "graph.nonisomorphism", Data: []byte(difference(in.First, in.Second))},
		}, nil
	},
})

// difference names the simplest reason for which two graphs are not isomorphic.
func difference(a, b values.Graph) string {
	switch {
	case a.Order != b.Order:
		return "order"
	case len(a.Edges) != len(b.Edges):
		return "size"
	case !slices.Equal(sortedDegrees(a), sortedDegrees(b)):
		return "degrees"
	case !slices.EqualFunc(distanceRows(a), distanceRows(b), slices.Equal[[]int]):
		return "distances"
	}
	return "search"
}

func sortedDegrees(g values.Graph) []int {
	var out []int
	for _, n := range g.Neighbours() {
		out = append(out, len(n))
	}
	slices.Sort(out)
	return out
}

func distanceRows(g values.Graph) [][]int {
	near := g.Neighbours()
	var out [][]int
	for v := range g.Order {
		row := slices.Clone(breadthFirst(near, v).dist)
		slices.Sort(row)
		out = append(out, row)
	}
	slices.SortFunc(out, slices.Compare[[]int])
	return out
}

// isomorphism maps the first graph to the second, or returns nil if that cannot be done. The vertices
// of both graphs are coloured together until the colours are stable; vertices of the first are then
// mapped one after the other, rarest colour first, to vertices of their colour.
func isomorphism(ctx context.Context, a, b values.Graph) ([]int, error) {
	n := a.Order
	if n != b.Order || len(a.Edges) != len(b.Edges) {
		return nil, nil
	}
	both := append(a.Neighbours(), shifted(b.Neighbours(), n)...)
	colour := stable(both)
	count := map[int]int{}
	for v, c := range colour {
		if v < n {
			count[c]++
		} else {
			count[c]--
		}
	}
	for _, k := range count {
		if k != 0 {
			return nil, nil
		}
	}
	m := &mapper{ctx: ctx, a: a, b: b, colour: colour, to: make([]int, n), used: make([]bool, n), order: mappingOrder(a, colour[:n])}
	for v := range m.to {
		m.to[v] = -1
	}
	found, err := m.extend(0)
	if err != nil || !found {
		return nil, err
	}
	return m.to, nil
}

func shifted(near [][]int, by int) [][]int {
	for _, list := range near {
		for i := range list {
			list[i] += by
		}
	}
	return near
}

// stable refines a colouring, which begins with one colour, by the colours of the neighbours, until no
// colour splits any more (1-dimensional Weisfeiler–Leman).
func stable(near [][]int) []int {
	colour := make([]int, len(near))
	for classes := 1; ; {
		signature := make([]string, len(near))
		for v := range near {
			around := make([]int, 0, len(near[v]))
			for _, u := range near[v] {
				around = append(around, colour[u])
			}
			slices.Sort(around)
			signature[v] = fmt.Sprint(colour[v], around)
		}
		names := slices.Clone(signature)
		slices.Sort(names)
		names = slices.Compact(names)
		for v := range near {
			colour[v], _ = slices.BinarySearch(names, signature[v])
		}
		if len(names) == classes || len(near) == 0 {
			return colour
		}
		classes = len(names)
	}
}

// mappingOrder lists the vertices so that each, where it can, is joined to an earlier one, and begins
// with the rarest colour: a wrong choice is then found soon.
func mappingOrder(g values.Graph, colour []int) []int {
	size := map[int]int{}
	for _, c := range colour {
		size[c]++
	}
	near, placed := g.Neighbours(), make([]bool, g.Order)
	joined := make([]int, g.Order)
	var order []int
	for range g.Order {
		best := -1
		for v := range g.Order {
			if placed[v] {
				continue
			}
			if best < 0 || joined[v] > joined[best] || joined[v] == joined[best] && size[colour[v]] < size[colour[best]] {
				best = v
			}
		}
		placed[best] = true
		order = append(order, best)
		for _, u := range near[best] {
			joined[u]++
		}
	}
	return order
}

type mapper struct {
	ctx    context.Context
	a, b   values.Graph
	colour []int // of the vertices of a, then of b
	order  []int
	to     []int
	used   []bool
	steps  int
}

func (m *mapper) extend(i int) (bool, error) {
	if i == len(m.order) {
		return true, nil
	}
	v := m.order[i]
	for w := range m.used {
		if m.steps++; m.steps%4096 == 0 && m.ctx.Err() != nil {
			return false, m.ctx.Err()
		}
		if m.used[w] || m.colour[v] != m.colour[len(m.to)+w] || !m.fits(v, w, m.order[:i]) {
			continue
		}
		m.to[v], m.used[w] = w, true
		if found, err := m.extend(i + 1); found || err != nil {
			return found, err
		}
		m.to[v], m.used[w] = -1, false
	}
	return false, nil
}

func (m *mapper) fits(v, w int, placed []int) bool {
	for _, u := range placed {
		if m.a.Adjacent(v, u) != m.b.Adjacent(w, m.to[u]) {
			return false
		}
	}
	return true
}
