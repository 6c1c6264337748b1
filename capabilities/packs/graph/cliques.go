package graph

import (
	"context"
	"fmt"
	"slices"

	"github.com/jacobian-ledger/jacobian/capabilities"
	"github.com/jacobian-ledger/jacobian/capabilities/values"
	"github.com/jacobian-ledger/jacobian/events"
)

const cliqueOrder = 200

// SetOutput is a largest set of its kind.
type SetOutput struct {
	Size     int   `json:"size" doc:"how many vertices a largest one has"`
	Vertices []int `json:"vertices" doc:"one of that size"`
}

var _ = capabilities.Define(pack, capabilities.Definition[Input, SetOutput]{
	ID:          "graph.invariant.clique_number.compute",
	Title:       "clique number of a graph, with a largest clique",
	Description: "The most vertices that are pairwise joined, with such a set. Bron–Kerbosch with pivots; the checker shows that there is no larger one by a search with another bound. Exponential in the worst case.",
	Source:      "Bron and Kerbosch, CACM 16 (1973); Tomita et al. 2006",
	Tags:        []string{"clique", "optimum"},
	Needs:       []string{"largest clique in a graph", "clique number", "maximum complete subgraph", "how many vertices are pairwise adjacent"},
	Aliases:     []string{"clique", "omega", "maximum clique"},
	InputKinds:  []string{"graph"},
	Limits:      orderLimit(cliqueOrder),
	Claimed:     capabilities.Computed,
	Heavy:       true,
	Preflight:   atMost(cliqueOrder),
	Claim: func(in Input) events.Claim {
		return capabilities.NewClaim("graph.cliques/1", "graph.clique_number", in)
	},
	Emits:     []string{"graph.clique.search"},
	CheckedBy: []string{"graph.cliques"},
	Examples: []capabilities.Example{
		{Name: "triangle with a tail", Input: `{"graph":{"order":4,"edges":[[0,1],[0,2],[1,2],[2,3]]}}`, Output: `{"size":3,"vertices":[0,1,2]}`},
	},
	Run: func(ctx context.Context, _ *capabilities.Env, in Input) (capabilities.Outcome[SetOutput], error) {
		return largestClique(ctx, in.Graph)
	},
})

var _ = capabilities.Define(pack, capabilities.Definition[Input, SetOutput]{
	ID:          "graph.invariant.independence_number.compute",
	Title:       "independence number of a graph, with a largest independent set",
	Description: "The most vertices of which no two are joined, with such a set: a largest clique of the complement. The checker shows that there is no larger one by a search with another bound. Exponential in the worst case.",
	Source:      "Bron and Kerbosch, CACM 16 (1973)",
	Tags:        []string{"independent set", "optimum"},
	Needs:       []string{"largest independent set of a graph", "independence number", "stable set of maximum size", "most vertices without an edge between them"},
	Aliases:     []string{"independent set", "stable set", "alpha"},
	InputKinds:  []string{"graph"},
	Limits:      orderLimit(cliqueOrder),
	Claimed:     capabilities.Computed,
	Heavy:       true,
	Preflight:   atMost(cliqueOrder),
	Claim: func(in Input) events.Claim {
		return capabilities.NewClaim("graph.cliques/1", "graph.independence_number", in)
	},
	Emits:     []string{"graph.clique.search"},
	CheckedBy: []string{"graph.cliques"},
	Examples: []capabilities.Example{
		{Name: "star", Input: `{"graph":{"order":4,"edges":[[0,1],[0,2],[0,3]]}}`, Output: `{"size":3,"vertices":[1,2,3]}`},
	},
	Run: func(ctx context.Context, _ *capabilities.Env, in Input) (capabilities.Outcome[SetOutput], error) {
		return largestClique(ctx, complement(in.Graph))
	},
})

func complement(g values.Graph) values.Graph {
	var edges [][2]int
	for _, e := range pairs(g.Order) {
		if !g.Adjacent(e[0], e[1]) {
			edges = append(edges, e)
		}
	}
	return built(g.Order, edges)
}

func largestClique(ctx context.Context, g values.Graph) (capabilities.Outcome[SetOutput], error) {
	c := &cliques{ctx: ctx, joined: make([]map[int]bool, g.Order)}
	all := make([]int, g.Order)
	for v, near := range g.Neighbours() {
		all[v] = v
		c.joined[v] = map[int]bool{}
		for _, u := range near {
			c.joined[v][u] = true
		}
	}
	c.grow(nil, all, nil)
	out := capabilities.Outcome[SetOutput]{Output: SetOutput{len(c.best), []int{}}, Evidence: &capabilities.Evidence{Format: "graph.clique.search"}}
	out.Output.Vertices = append(out.Output.Vertices, c.best...)
	slices.Sort(out.Output.Vertices)
	if c.err != nil {
		out.Partial, out.Evidence = true, nil
		out.Scope = &events.Scope{Description: "search for a largest set stopped before the end; the set is the best so far", Parameters: []events.Param{{Name: "steps", Value: fmt.Sprint(c.steps)}}}
	}
	return out, c.err
}

// cliques lists maximal cliques (Bron–Kerbosch) and keeps a largest.
type cliques struct {
	ctx    context.Context
	joined []map[int]bool
	best   []int
	steps  int
	err    error
}

// grow extends the clique by what is left in maybe; done are the vertices whose cliques were listed.
func (c *cliques) grow(clique, maybe, done []int) {
	if c.steps++; c.steps%1024 == 0 && c.ctx.Err() != nil {
		c.err = c.ctx.Err()
	}
	if c.err != nil || len(clique)+len(maybe) <= len(c.best) {
		return
	}
	if len(maybe) == 0 {
		if len(done) == 0 {
			c.best = slices.Clone(clique)
		}
		return
	}
	pivot, most := -1, -1
	for _, list := range [][]int{maybe, done} {
		for _, v := range list {
			if n := len(c.among(maybe, v)); n > most {
				pivot, most = v, n
			}
		}
	}
	for _, v := range slices.Clone(maybe) {
		if c.joined[pivot][v] {
			continue
		}
		c.grow(append(slices.Clone(clique), v), c.among(maybe, v), c.among(done, v))
		maybe = slices.DeleteFunc(slices.Clone(maybe), func(u int) bool { return u == v })
		done = append(slices.Clone(done), v)
	}
}

// among lists the vertices that are joined to v.
func (c *cliques) among(list []int, v int) (out []int) {
	for _, u := range list {
		if c.joined[v][u] {
			out = append(out, u)
		}
	}
	return out
}
