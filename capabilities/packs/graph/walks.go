package graph

import (
	"context"
	"slices"

	"github.com/jacobian-ledger/jacobian/capabilities"
	"github.com/jacobian-ledger/jacobian/capabilities/values"
	"github.com/jacobian-ledger/jacobian/events"
)

const (
	bipartiteOrder   = 1000
	hamiltonianOrder = 22
)

// BipartiteOutput is a two-colouring or an odd cycle.
type BipartiteOutput struct {
	Bipartite bool  `json:"bipartite"`
	Sides     []int `json:"sides" doc:"side 0 or 1 of each vertex; empty if there are no two sides"`
	OddCycle  []int `json:"odd_cycle" doc:"the vertices of a cycle of odd length; empty if bipartite"`
}

var _ = capabilities.Define(pack, capabilities.Definition[Input, BipartiteOutput]{
	ID:          "graph.bipartite.decide",
	Title:       "decide whether a graph is bipartite",
	Description: "Whether the vertices can be put on two sides so that every edge joins different sides. TRUE comes with the sides, FALSE with a cycle of odd length. Breadth-first search, linear.",
	Source:      "König 1916; Diestel, Graph Theory, proposition 1.6.1",
	Tags:        []string{"bipartite", "coloring", "cycle"},
	Needs:       []string{"is this graph bipartite", "split the vertices into two sides", "find an odd cycle in a graph", "is the graph 2-colourable"},
	Aliases:     []string{"bipartite", "odd cycle", "two-colouring", "2-colorable"},
	InputKinds:  []string{"graph"},
	Limits:      orderLimit(bipartiteOrder),
	Claimed:     capabilities.Computed,
	Preflight:   atMost(bipartiteOrder),
	Claim:       func(in Input) events.Claim { return capabilities.NewClaim("graph.walks/1", "graph.bipartite", in) },
	Emits:       []string{"graph.two_coloring", "graph.odd_cycle"},
	CheckedBy:   []string{"graph.walks"},
	Examples: []capabilities.Example{
		{Name: "square", Input: `{"graph":{"order":4,"edges":[[0,1],[1,2],[2,3],[0,3]]}}`, Output: `{"bipartite":true,"sides":[0,1,0,1],"odd_cycle":[]}`},
		{Name: "triangle with three isolated vertices", Input: `{"graph":{"order":6,"edges":[[0,1],[0,2],[1,2]]}}`, Output: `{"bipartite":false,"sides":[],"odd_cycle":[1,0,2]}`},
	},
	Run: func(_ context.Context, _ *capabilities.Env, in Input) (capabilities.Outcome[BipartiteOutput], error) {
		sides, cycle := twoSides(in.Graph)
		if cycle != nil {
			return capabilities.Outcome[BipartiteOutput]{
				Output: BipartiteOutput{false, []int{}, cycle}, Conclusion: events.False, Evidence: &capabilities.Evidence{Format: "graph.odd_cycle"},
			}, nil
		}
		return capabilities.Outcome[BipartiteOutput]{
			Output: BipartiteOutput{true, sides, []int{}}, Conclusion: events.True, Evidence: &capabilities.Evidence{Format: "graph.two_coloring"},
		}, nil
	},
})

// twoSides colours by breadth-first search, or returns the odd cycle that an edge within a layer closes
// with the tree paths of its ends.
func twoSides(g values.Graph) (sides, cycle []int) {
	near := g.Neighbours()
	sides = make([]int, g.Order)
	parent := make([]int, g.Order)
	for v := range sides {
		sides[v] = -1
	}
	for root := range g.Order {
		if sides[root] >= 0 {
			continue
		}
		sides[root], parent[root] = 0, -1
		for queue := []int{root}; len(queue) > 0; queue = queue[1:] {
			v := queue[0]
			for _, u := range near[v] {
				if sides[u] < 0 {
					sides[u], parent[u] = 1-sides[v], v
					queue = append(queue, u)
				} else if sides[u] == sides[v] {
					return nil, closed(parent, v, u)
				}
			}
		}
	}
	return sides, nil
}

// closed is the cycle through the edge between v and u and the tree above them.
func closed(parent []int, v, u int) []int {
	up := func(x int) (path []int) {
		for ; x >= 0; x = parent[x] {
			path = append(path, x)
		}
		return path
	}
	a, b := up(v), up(u)
	for len(a) > 1 && len(b) > 1 && a[len(a)-2] == b[len(b)-2] {
		a, b = a[:len(a)-1], b[:len(b)-1]
	}
	b = b[:len(b)-1] // the meeting point is in a
	slices.Reverse(b)
	return append(a, b...)
}

// HamiltonianOutput is a path through every vertex, or that there is none.
type HamiltonianOutput struct {
	Hamiltonian bool  `json:"hamiltonian"`
	Path        []int `json:"path" doc:"every vertex once, each joined to the next; empty if there is none"`
}

var _ = capabilities.Define(pack, capabilities.Definition[Input, HamiltonianOutput]{
	ID:          "graph.hamiltonian_path.decide",
	Title:       "decide whether a graph has a Hamiltonian path",
	Description: "Whether a path visits every vertex exactly once. TRUE comes with the path; FALSE from a complete backtracking search, which the checker repeats by dynamic programming over all sets of vertices. The null graph has none.",
	Source:      "Bellman 1962; Held and Karp, J. SIAM 10 (1962), for the checker",
	Tags:        []string{"path", "hamiltonian"},
	Needs:       []string{"does this graph have a Hamiltonian path", "find a path that visits every vertex once", "is the graph traceable", "prove that there is no Hamiltonian path"},
	Aliases:     []string{"hamiltonian", "traceable", "hamilton path"},
	InputKinds:  []string{"graph"},
	Limits:      orderLimit(hamiltonianOrder),
	Claimed:     capabilities.Computed,
	Heavy:       true,
	Preflight:   atMost(hamiltonianOrder),
	Claim: func(in Input) events.Claim {
		return capabilities.NewClaim("graph.walks/1", "graph.hamiltonian_path", in)
	},
	Emits:     []string{"graph.hamiltonian_path", "graph.hamiltonian_path.subsets"},
	CheckedBy: []string{"graph.walks"},
	Examples: []capabilities.Example{
		{Name: "path", Input: `{"graph":{"order":3,"edges":[[0,1],[0,2]]}}`, Output: `{"hamiltonian":true,"path":[1,0,2]}`},
		{Name: "star", Input: `{"graph":{"order":4,"edges":[[0,1],[0,2],[0,3]]}}`, Output: `{"hamiltonian":false,"path":[]}`},
	},
	Run: func(ctx context.Context, _ *capabilities.Env, in Input) (capabilities.Outcome[HamiltonianOutput], error) {
		w := &walker{ctx: ctx, near: in.Graph.Neighbours(), on: make([]bool, in.Graph.Order)}
		for v := range in.Graph.Order {
			if w.walk(v); len(w.path) == in.Graph.Order || w.err != nil {
				break
			}
		}
		switch {
		case w.err != nil:
			return capabilities.Outcome[HamiltonianOutput]{}, w.err
		case len(w.path) == 0:
			return capabilities.Outcome[HamiltonianOutput]{
				Output: HamiltonianOutput{false, []int{}}, Conclusion: events.False, Evidence: &capabilities.Evidence{Format: "graph.hamiltonian_path.subsets"},
			}, nil
		}
		return capabilities.Outcome[HamiltonianOutput]{
			Output: HamiltonianOutput{true, w.path}, Conclusion: events.True, Evidence: &capabilities.Evidence{Format: "graph.hamiltonian_path"},
		}, nil
	},
})

// walker extends a path until it has every vertex, and steps back where it cannot.
type walker struct {
	ctx   context.Context
	near  [][]int
	on    []bool
	path  []int
	steps int
	err   error
}

func (w *walker) walk(v int) bool {
	if w.steps++; w.steps%4096 == 0 && w.ctx.Err() != nil {
		w.err = w.ctx.Err()
		return false
	}
	w.on[v] = true
	w.path = append(w.path, v)
	if len(w.path) == len(w.near) {
		return true
	}
	for _, u := range w.near[v] {
		if !w.on[u] && w.walk(u) {
			return true
		}
		if w.err != nil {
			return false
		}
	}
	w.on[v] = false
	w.path = w.path[:len(w.path)-1]
	return false
}
