package graph

import (
	"context"
	"fmt"

	"github.com/jacobian-ledger/jacobian/capabilities"
	"github.com/jacobian-ledger/jacobian/capabilities/values"
)

// Constructed is a graph in its normal form.
type Constructed struct {
	Graph  values.Graph `json:"graph" doc:"order and edges, smaller end first, sorted"`
	Graph6 string       `json:"graph6" doc:"the same graph in graph6"`
	Order  int          `json:"order" doc:"number of vertices"`
	Size   int          `json:"size" doc:"number of edges"`
}

func constructed(g values.Graph) Constructed {
	return Constructed{g, g.Graph6(), g.Order, len(g.Edges)}
}

const constructOrder = 1000

var _ = capabilities.Define(pack, capabilities.Definition[Input, Constructed]{
	ID:          "graph.construct.explicit",
	Title:       "make a graph from its edges or from graph6",
	Description: "Reads a simple undirected graph from order and edges or from graph6 and returns it in normal form and in graph6. Loops, repeated edges and vertices out of range are refused by position.",
	Source:      "graph6: McKay, nauty, formats.txt",
	Tags:        []string{"construction", "format"},
	Needs:       []string{"make a graph from a list of edges", "read a graph6 string", "convert a graph to graph6", "normal form of a labelled graph"},
	Aliases:     []string{"graph6", "edge list", "parse graph"},
	InputKinds:  []string{"graph"},
	Limits:      orderLimit(constructOrder),
	Claimed:     capabilities.Computed,
	Preflight:   atMost(constructOrder),
	Examples: []capabilities.Example{
		{Name: "edges in any order", Input: `{"graph":{"order":3,"edges":[[2,1],[0,1]]}}`, Output: `{"graph":{"edges":[[0,1],[1,2]],"order":3},"graph6":"Bg","order":3,"size":2}`},
		{Name: "graph6", Input: `{"graph":{"graph6":"Bw"}}`, Output: `{"graph":{"edges":[[0,1],[0,2],[1,2]],"order":3},"graph6":"Bw","order":3,"size":3}`},
	},
	Run: capabilities.Func(func(_ context.Context, in Input) (Constructed, error) { return constructed(in.Graph), nil }),
})

// FamilyInput names a graph of a family.
type FamilyInput struct {
	Family string `json:"family" enum:"empty,complete,cycle,path,star,wheel,complete_bipartite,hypercube,petersen,groetzsch,mycielski" doc:"name of the family"`
	N      int    `json:"n,omitempty" doc:"first parameter: order of empty, complete, cycle, path; leaves of star; rim of wheel; first side of complete_bipartite; dimension of hypercube; chromatic number of mycielski"`
	M      int    `json:"m,omitempty" doc:"second side of complete_bipartite"`
}

type maker struct {
	least, most int // of n; 0, 0 for a single graph
	make        func(n, m int) values.Graph
}

// families are the graphs that can be asked for by name.
var families = map[string]maker{
	"empty":              {0, constructOrder, func(n, _ int) values.Graph { return built(n, nil) }},
	"complete":           {0, 200, func(n, _ int) values.Graph { return built(n, pairs(n)) }},
	"cycle":              {3, constructOrder, func(n, _ int) values.Graph { return built(n, append(walk(n), [2]int{n - 1, 0})) }},
	"path":               {1, constructOrder, func(n, _ int) values.Graph { return built(n, walk(n)) }},
	"star":               {0, constructOrder - 1, func(n, _ int) values.Graph { return built(n+1, spokes(n)) }},
	"wheel":              {3, constructOrder - 1, wheel},
	"complete_bipartite": {0, 200, bipartite},
	"hypercube":          {0, 9, hypercube},
	"petersen":           {0, 0, petersen},
	"groetzsch":          {0, 0, func(_, _ int) values.Graph { return mycielski(4) }},
	"mycielski":          {2, 9, func(n, _ int) values.Graph { return mycielski(n) }},
}

// Validate refuses parameters that the family does not have, or out of its range.
func (in *FamilyInput) Validate() error {
	f, ok := families[in.Family]
	if !ok {
		return capabilities.Invalid("/family", "a family of the contract, such as complete, cycle or petersen", fmt.Sprintf("%.40q", in.Family), "see the enumeration in the contract")
	}
	if in.N < f.least || in.N > f.most {
		return capabilities.Invalid("/n", fmt.Sprintf("%d to %d for %s", f.least, f.most, in.Family), fmt.Sprint(in.N), "choose n in range")
	}
	if in.Family != "complete_bipartite" && in.M != 0 || in.M < 0 || in.M > 200 {
		return capabilities.Invalid("/m", "0 to 200, and only for complete_bipartite", fmt.Sprint(in.M), "leave m out")
	}
	return nil
}

var _ = capabilities.Define(pack, capabilities.Definition[FamilyInput, Constructed]{
	ID:          "graph.construct.family",
	Title:       "make a well-known graph: complete, cycle, Petersen, Grötzsch, …",
	Description: "A graph of a named family with its usual labelling. mycielski with n is the triangle-free graph of chromatic number n that Mycielski's construction gives from a single edge (n=2); groetzsch is n=4, with 11 vertices and 20 edges.",
	Source:      "Mycielski, Colloq. Math. 3 (1955); Petersen 1898; Grötzsch 1959",
	Tags:        []string{"construction", "family"},
	Needs: []string{
		"construct the Petersen graph", "make a complete graph", "give me the cycle on n vertices", "Grötzsch graph", "a named graph such as hypercube, wheel or star",
		"triangle-free graph with large chromatic number",
	},
	Aliases:    []string{"petersen", "groetzsch", "grötzsch", "mycielski", "hypercube", "complete graph", "K_n", "C_n", "wheel", "star", "path graph"},
	InputKinds: []string{"integer"},
	Limits:     orderLimit(constructOrder),
	Claimed:    capabilities.Computed,
	Examples: []capabilities.Example{
		{Name: "5-cycle", Input: `{"family":"cycle","n":5}`, Output: `{"graph":{"edges":[[0,1],[0,4],[1,2],[2,3],[3,4]],"order":5},"graph6":"Dhc","order":5,"size":5}`},
		{Name: "Grötzsch", Input: `{"family":"groetzsch"}`, Output: ``},
	},
	Run: capabilities.Func(func(_ context.Context, in FamilyInput) (Constructed, error) {
		return constructed(families[in.Family].make(in.N, in.M)), nil
	}),
})

// built is a graph whose edges are right by construction.
func built(order int, edges [][2]int) values.Graph {
	g, err := values.NewGraph(order, edges)
	if err != nil {
		panic("graph: " + err.Error())
	}
	return g
}

func pairs(n int) (out [][2]int) {
	for v := range n {
		for u := range v {
			out = append(out, [2]int{u, v})
		}
	}
	return out
}

func walk(n int) (out [][2]int) {
	for v := 1; v < n; v++ {
		out = append(out, [2]int{v - 1, v})
	}
	return out
}

// spokes joins the hub 0 to each of 1 to n.
func spokes(n int) (out [][2]int) {
	for v := 1; v <= n; v++ {
		out = append(out, [2]int{0, v})
	}
	return out
}

func wheel(n, _ int) values.Graph {
	edges := spokes(n)
	for v := 1; v <= n; v++ {
		edges = append(edges, [2]int{v, v%n + 1})
	}
	return built(n+1, edges)
}

func bipartite(n, m int) values.Graph {
	var edges [][2]int
	for u := range n {
		for v := range m {
			edges = append(edges, [2]int{u, n + v})
		}
	}
	return built(n+m, edges)
}

// hypercube joins the n-bit words that differ in one bit.
func hypercube(n, _ int) values.Graph {
	var edges [][2]int
	for v := range 1 << n {
		for b := range n {
			if u := v ^ 1<<b; u > v {
				edges = append(edges, [2]int{v, u})
			}
		}
	}
	return built(1<<n, edges)
}

// petersen is the outer cycle 0 to 4, the inner pentagram 5 to 9, and the spokes between.
func petersen(_, _ int) values.Graph {
	var edges [][2]int
	for v := range 5 {
		edges = append(edges, [2]int{v, (v + 1) % 5}, [2]int{5 + v, 5 + (v+2)%5}, [2]int{v, 5 + v})
	}
	return built(10, edges)
}

// mycielski applies Mycielski's construction to the edge until the chromatic number is chi: each vertex v
// of order n gets a twin n+v that is joined to the neighbours of v, and a last vertex 2n joins the twins.
func mycielski(chi int) values.Graph {
	g := built(2, walk(2))
	for range chi - 2 {
		n := g.Order
		edges := append([][2]int(nil), g.Edges...)
		for _, e := range g.Edges {
			edges = append(edges, [2]int{e[0], n + e[1]}, [2]int{e[1], n + e[0]})
		}
		for v := range n {
			edges = append(edges, [2]int{n + v, 2 * n})
		}
		g = built(2*n+1, edges)
	}
	return g
}
