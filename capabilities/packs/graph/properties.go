package graph

import (
	"context"
	"slices"

	"github.com/jacobian-ledger/jacobian/capabilities"
	"github.com/jacobian-ledger/jacobian/capabilities/values"
)

const propertiesOrder = 500

// Properties are the plain facts of a graph. Girth, diameter and radius are -1 where they do not exist:
// the girth of a forest, the other two of a disconnected graph.
type Properties struct {
	Order          int        `json:"order"`
	Size           int        `json:"size"`
	DegreeSequence []int      `json:"degree_sequence" doc:"descending"`
	AverageDegree  values.Rat `json:"average_degree" doc:"2 size / order; 0 for the null graph"`
	Components     int        `json:"components" doc:"number of connected components"`
	Connected      bool       `json:"connected" doc:"exactly one component"`
	Regular        bool       `json:"regular"`
	Bipartite      bool       `json:"bipartite"`
	Acyclic        bool       `json:"acyclic"`
	Tree           bool       `json:"tree"`
	Eulerian       bool       `json:"eulerian" doc:"connected but for isolated vertices, every degree even"`
	Triangles      int        `json:"triangles" doc:"number of triangles"`
	Girth          int        `json:"girth" doc:"length of a shortest cycle; -1 for a forest"`
	Diameter       int        `json:"diameter" doc:"-1 if disconnected or without vertices"`
	Radius         int        `json:"radius" doc:"-1 if disconnected or without vertices"`
}

var _ = capabilities.Define(pack, capabilities.Definition[Input, Properties]{
	ID:          "graph.compute.properties",
	Title:       "basic properties of a graph",
	Description: "Order, size, degrees, components, whether the graph is connected, regular, bipartite, acyclic, a tree or Eulerian, its triangles, girth, diameter and radius. Breadth-first search from every vertex: O(order · size).",
	Source:      "Diestel, Graph Theory, chapter 1",
	Tags:        []string{"invariant", "degree", "distance"},
	Needs: []string{
		"basic facts about a graph", "is this graph connected", "is this graph triangle-free", "degree sequence of a graph", "girth, diameter and radius",
		"is this graph a tree", "is it regular or Eulerian", "number of triangles in a graph",
	},
	Aliases:    []string{"degrees", "girth", "diameter", "radius", "triangle-free", "connected", "eulerian"},
	InputKinds: []string{"graph"},
	Limits:     orderLimit(propertiesOrder),
	Claimed:    capabilities.Computed,
	Preflight:  atMost(propertiesOrder),
	Examples: []capabilities.Example{
		{
			Name: "triangle with a tail", Input: `{"graph":{"order":4,"edges":[[0,1],[0,2],[1,2],[2,3]]}}`,
			Output: `{"order":4,"size":4,"degree_sequence":[3,2,2,1],"average_degree":{"num":"2","den":"1"},"components":1,"connected":true,"regular":false,"bipartite":false,"acyclic":false,"tree":false,"eulerian":false,"triangles":1,"girth":3,"diameter":2,"radius":1}`,
		},
		{
			Name: "two isolated vertices", Input: `{"graph":{"order":2,"edges":[]}}`,
			Output: `{"order":2,"size":0,"degree_sequence":[0,0],"average_degree":{"num":"0","den":"1"},"components":2,"connected":false,"regular":true,"bipartite":true,"acyclic":true,"tree":false,"eulerian":true,"triangles":0,"girth":-1,"diameter":-1,"radius":-1}`,
		},
	},
	Run: capabilities.Func(func(ctx context.Context, in Input) (Properties, error) { return properties(ctx, in.Graph) }),
})

func properties(ctx context.Context, g values.Graph) (Properties, error) {
	near := g.Neighbours()
	p := Properties{Order: g.Order, Size: len(g.Edges), DegreeSequence: make([]int, g.Order), Girth: -1, Diameter: -1, Radius: -1, Bipartite: true, Eulerian: true}
	for v, n := range near {
		p.DegreeSequence[v] = len(n)
		p.Eulerian = p.Eulerian && len(n)%2 == 0
	}
	slices.SortFunc(p.DegreeSequence, func(a, b int) int { return b - a })
	if g.Order > 0 {
		p.AverageDegree = values.RatOf(int64(2*p.Size), int64(g.Order))
		p.Regular = p.DegreeSequence[0] == p.DegreeSequence[g.Order-1]
	} else {
		p.Regular = true
	}
	nontrivial := 0
	reached := make([]bool, g.Order)
	for v := range g.Order {
		if ctx.Err() != nil {
			return p, ctx.Err()
		}
		s := breadthFirst(near, v)
		if !reached[v] {
			p.Components++
			if len(s.order) > 1 {
				nontrivial++
			}
			for _, u := range s.order {
				reached[u] = true
			}
		}
		p.Bipartite = p.Bipartite && !s.odd
		if s.cycle > 0 && (p.Girth < 0 || s.cycle < p.Girth) {
			p.Girth = s.cycle
		}
		if len(s.order) == g.Order {
			p.Diameter = max(p.Diameter, s.depth)
			if p.Radius < 0 || s.depth < p.Radius {
				p.Radius = s.depth
			}
		}
	}
	p.Connected = p.Components == 1
	p.Acyclic = p.Size == g.Order-p.Components
	p.Tree = p.Connected && p.Acyclic
	p.Eulerian = p.Eulerian && nontrivial <= 1
	p.Triangles = triangles(g, near)
	return p, nil
}

type search struct {
	order []int // vertices reached, nearest first
	dist  []int // -1 where not reached
	depth int
	cycle int  // length of the shortest closed walk found that is a cycle through the root or longer; 0 if none
	odd   bool // an edge joins two vertices of one distance
}

// breadthFirst searches from root. The least cycle over all roots is the girth: an edge between
// vertices at distances a and b that is not a tree edge closes a walk of length a+b+1.
func breadthFirst(near [][]int, root int) search {
	s := search{dist: make([]int, len(near)), order: []int{root}}
	parent := make([]int, len(near))
	for v := range s.dist {
		s.dist[v], parent[v] = -1, -1
	}
	s.dist[root] = 0
	for i := 0; i < len(s.order); i++ {
		v := s.order[i]
		s.depth = s.dist[v]
		for _, u := range near[v] {
			switch {
			case s.dist[u] < 0:
				s.dist[u], parent[u] = s.dist[v]+1, v
				s.order = append(s.order, u)
			case u != parent[v]:
				if c := s.dist[u] + s.dist[v] + 1; s.cycle == 0 || c < s.cycle {
					s.cycle = c
				}
				s.odd = s.odd || s.dist[u] == s.dist[v]
			}
		}
	}
	return s
}

// triangles counts, for each edge, the common neighbours beyond its larger end.
func triangles(g values.Graph, near [][]int) int {
	count := 0
	for _, e := range g.Edges {
		for _, w := range near[e[1]] {
			if w > e[1] && g.Adjacent(e[0], w) {
				count++
			}
		}
	}
	return count
}
