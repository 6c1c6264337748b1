package graph

import (
	"context"
	"fmt"
	"slices"

	"github.com/jacobian-ledger/jacobian/capabilities"
	"github.com/jacobian-ledger/jacobian/capabilities/values"
	"github.com/jacobian-ledger/jacobian/events"
)

const (
	distanceOrder = 300
	spanningOrder = 1000
)

// DistanceOutput is the matrix of distances.
type DistanceOutput struct {
	Distances [][]int `json:"distances" doc:"row u, column v: least number of edges between u and v, -1 if there is no path"`
}

var _ = capabilities.Define(pack, capabilities.Definition[Input, DistanceOutput]{
	ID:          "graph.distance_matrix.compute",
	Title:       "distances between all pairs of vertices",
	Description: "The matrix whose entry (u, v) is the least number of edges on a path from u to v, -1 where there is none. Breadth-first search from every vertex, O(order · size).",
	Source:      "Moore 1959; Diestel, Graph Theory, section 1.3",
	Tags:        []string{"distance", "path"},
	Needs:       []string{"all-pairs shortest paths in an unweighted graph", "distance matrix of a graph", "how far apart are two vertices", "eccentricities of the vertices"},
	Aliases:     []string{"shortest paths", "distance matrix", "bfs distances"},
	InputKinds:  []string{"graph"},
	Limits:      orderLimit(distanceOrder),
	Claimed:     capabilities.Computed,
	Preflight:   atMost(distanceOrder),
	Examples: []capabilities.Example{
		{Name: "path and a vertex apart", Input: `{"graph":{"order":4,"edges":[[0,1],[1,2]]}}`, Output: `{"distances":[[0,1,2,-1],[1,0,1,-1],[2,1,0,-1],[-1,-1,-1,0]]}`},
	},
	Run: capabilities.Func(func(ctx context.Context, in Input) (DistanceOutput, error) {
		near := in.Graph.Neighbours()
		out := DistanceOutput{Distances: make([][]int, in.Graph.Order)}
		for v := range out.Distances {
			if ctx.Err() != nil {
				return out, ctx.Err()
			}
			out.Distances[v] = breadthFirst(near, v).dist
		}
		return out, nil
	}),
})

// WeightedEdge is an edge with an exact weight.
type WeightedEdge struct {
	U      int        `json:"u" doc:"one end"`
	V      int        `json:"v" doc:"the other end"`
	Weight values.Rat `json:"weight" doc:"exact rational, may be negative"`
}

// SpanningInput is a graph with weights.
type SpanningInput struct {
	Order int            `json:"order" doc:"number of vertices"`
	Edges []WeightedEdge `json:"edges" doc:"edges with weights, each pair of ends at most once"`
}

// Validate refuses what is no simple graph.
func (in *SpanningInput) Validate() error {
	edges := make([][2]int, len(in.Edges))
	for i, e := range in.Edges {
		edges[i] = [2]int{e.U, e.V}
	}
	_, err := values.NewGraph(in.Order, edges)
	return err
}

// SpanningOutput is a spanning forest of least weight.
type SpanningOutput struct {
	Edges  [][]int    `json:"edges" doc:"edges of the forest, smaller end first, sorted"`
	Weight values.Rat `json:"weight" doc:"sum of their weights"`
	Trees  int        `json:"trees" doc:"number of trees: components of the graph"`
}

var _ = capabilities.Define(pack, capabilities.Definition[SpanningInput, SpanningOutput]{
	ID:          "graph.spanning_tree.minimum.compute",
	Title:       "minimum spanning tree, or forest, of a weighted graph",
	Description: "A spanning forest of least total weight with exact rational weights; a tree if the graph is connected. Kruskal's algorithm; among edges of equal weight the one that is smaller in lexicographic order is taken first, so the answer is unique.",
	Source:      "Kruskal, Proc. AMS 7 (1956)",
	Tags:        []string{"spanning tree", "optimum", "weighted"},
	Needs:       []string{"minimum spanning tree of a weighted graph", "cheapest way to connect all vertices", "Kruskal's algorithm", "least weight spanning forest"},
	Aliases:     []string{"mst", "kruskal", "spanning tree", "spanning forest"},
	InputKinds:  []string{"weighted_graph"},
	Limits:      orderLimit(spanningOrder),
	Claimed:     capabilities.Computed,
	Preflight: func(in SpanningInput) error {
		if in.Order > spanningOrder {
			return capabilities.Exceeds("/order", "order", fmt.Sprint(spanningOrder), fmt.Sprint(in.Order), "use a smaller graph")
		}
		return nil
	},
	Examples: []capabilities.Example{
		{
			Name: "triangle", Input: `{"order":3,"edges":[{"u":0,"v":1,"weight":"1"},{"u":1,"v":2,"weight":"1/2"},{"u":0,"v":2,"weight":"2"}]}`,
			Output: `{"edges":[[0,1],[1,2]],"weight":{"num":"3","den":"2"},"trees":1}`,
		},
	},
	Run: capabilities.Func(func(_ context.Context, in SpanningInput) (SpanningOutput, error) { return kruskal(in), nil }),
})

func kruskal(in SpanningInput) SpanningOutput {
	edges := slices.Clone(in.Edges)
	for i, e := range edges {
		edges[i].U, edges[i].V = min(e.U, e.V), max(e.U, e.V)
	}
	ends := func(e WeightedEdge) []int { return []int{e.U, e.V} }
	slices.SortFunc(edges, func(a, b WeightedEdge) int {
		if c := a.Weight.Cmp(b.Weight); c != 0 {
			return c
		}
		return slices.Compare(ends(a), ends(b))
	})
	root := make([]int, in.Order)
	for v := range root {
		root[v] = v
	}
	var find func(int) int
	find = func(v int) int {
		if root[v] != v {
			root[v] = find(root[v])
		}
		return root[v]
	}
	out := SpanningOutput{Edges: [][]int{}, Trees: in.Order}
	sum := out.Weight.Big()
	for _, e := range edges {
		if a, b := find(e.U), find(e.V); a != b {
			root[a] = b
			out.Trees--
			out.Edges = append(out.Edges, ends(e))
			sum.Add(sum, e.Weight.Big())
		}
	}
	slices.SortFunc(out.Edges, slices.Compare[[]int])
	out.Weight = values.NewRat(sum)
	return out
}

var _ = capabilities.Define(pack, capabilities.Definition[Input, Constructed]{
	ID:          "graph.complement.compute",
	Title:       "complement of a graph",
	Description: "The graph on the same vertices in which two are joined exactly where they were not.",
	Source:      "Diestel, Graph Theory, section 1.1",
	Tags:        []string{"construction", "complement"},
	Needs:       []string{"complement of a graph", "swap edges and non-edges", "the graph of pairs that are not adjacent", "invert a graph"},
	Aliases:     []string{"complement graph", "co-graph"},
	InputKinds:  []string{"graph"},
	Limits:      orderLimit(distanceOrder),
	Claimed:     capabilities.Computed,
	Preflight:   atMost(distanceOrder),
	Examples: []capabilities.Example{
		{Name: "path", Input: `{"graph":{"order":3,"edges":[[0,1],[1,2]]}}`, Output: `{"graph":{"edges":[[0,2]],"order":3},"graph6":"BO","order":3,"size":1}`},
	},
	Run: capabilities.Func(func(_ context.Context, in Input) (Constructed, error) { return constructed(complement(in.Graph)), nil }),
})

// ChromaticOutput is the chromatic number with a colouring.
type ChromaticOutput struct {
	ChromaticNumber int   `json:"chromatic_number" doc:"least number of colours of a proper colouring"`
	Coloring        []int `json:"coloring" doc:"a proper colouring with that many"`
}

var _ = capabilities.Define(pack, capabilities.Definition[Input, ChromaticOutput]{
	ID:          "graph.invariant.chromatic_number.compute",
	Title:       "chromatic number of a graph, both sides proved",
	Description: "The least number of colours with which the vertices can be coloured so that the ends of every edge differ. The colouring shows that it is enough, an LRAT refutation that one less is not. Exponential in the worst case.",
	Source:      "direct encoding: Prestwich, SAT 2003",
	Tags:        []string{"coloring", "chromatic", "optimum", "satisfiability"},
	Needs:       []string{"chromatic number of a graph", "least number of colours for a graph", "how many colours does this graph need", "optimal graph colouring"},
	Aliases:     []string{"chromatic number", "chi", "minimum colouring"},
	InputKinds:  []string{"graph"},
	Limits:      orderLimit(coloringOrder / 10),
	Claimed:     capabilities.Heuristic,
	Heavy:       true,
	Preflight:   atMost(coloringOrder / 10),
	Claim: func(in Input) events.Claim {
		return capabilities.NewClaim("graph.coloring/1", "graph.chromatic_number", in)
	},
	Emits:     []string{"graph.chromatic_number"},
	CheckedBy: []string{"graph.coloring"},
	Examples: []capabilities.Example{
		{Name: "5-cycle", Input: `{"graph":{"order":5,"edges":[[0,1],[1,2],[2,3],[3,4],[0,4]]}}`},
		{Name: "no vertices", Input: `{"graph":{"order":0,"edges":[]}}`, Output: `{"chromatic_number":0,"coloring":[]}`},
	},
	Run: func(ctx context.Context, env *capabilities.Env, in Input) (capabilities.Outcome[ChromaticOutput], error) {
		var refutation []byte // that one colour less is not enough
		for k := 0; ; k++ {
			out, err := decideColoring(ctx, env, ColoringInput{in.Graph, k})
			if err != nil {
				return capabilities.Outcome[ChromaticOutput]{Scope: &events.Scope{
					Description: fmt.Sprintf("at least %d colours are needed; the search for more ended", k),
					Parameters:  []events.Param{{Name: "lower_bound", Value: fmt.Sprint(k)}},
				}}, err
			}
			if out.Output.Colorable {
				return capabilities.Outcome[ChromaticOutput]{
					Output: ChromaticOutput{k, out.Output.Coloring}, Evidence: &capabilities.Evidence{Format: "graph.chromatic_number", Data: refutation},
				}, nil
			}
			refutation = out.Evidence.Data
		}
	},
})
