package graph

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"sync"

	"github.com/jacobian-ledger/jacobian/capabilities"
	"github.com/jacobian-ledger/jacobian/capabilities/values"
	"github.com/jacobian-ledger/jacobian/events"
)

// atlasOrder is the order up to which every graph is known: 1, 1, 2, 4, 11, 34, 156 and 1044 graphs of
// order 0 to 7, 1,253 in all (OEIS A000088).
const atlasOrder = 7

// AtlasInput selects graphs of the atlas. A filter that is left out selects all.
type AtlasInput struct {
	MinOrder  int   `json:"min_order,omitempty" doc:"least number of vertices"`
	MaxOrder  *int  `json:"max_order,omitempty" doc:"greatest number of vertices, at most 7"`
	Size      *int  `json:"size,omitempty" doc:"number of edges"`
	Connected *bool `json:"connected,omitempty"`
	Bipartite *bool `json:"bipartite,omitempty"`
	Acyclic   *bool `json:"acyclic,omitempty"`
	Regular   *bool `json:"regular,omitempty"`
	Triangles *int  `json:"triangles,omitempty" doc:"exact number of triangles"`
	Girth     *int  `json:"girth,omitempty" doc:"-1 for forests"`
	Offset    int   `json:"offset,omitempty" doc:"skip so many matches"`
	Limit     int   `json:"limit,omitempty" doc:"1 to 200, default 20"`
}

const (
	atlasPage    = 20
	atlasPageMax = 200
)

// Validate refuses filters out of range.
func (in *AtlasInput) Validate() error {
	if in.MaxOrder != nil && (*in.MaxOrder < 0 || *in.MaxOrder > atlasOrder) {
		return capabilities.Invalid("/max_order", fmt.Sprintf("0 to %d", atlasOrder), fmt.Sprint(*in.MaxOrder), "the atlas ends at order 7")
	}
	if in.MinOrder < 0 || in.MinOrder > atlasOrder {
		return capabilities.Invalid("/min_order", fmt.Sprintf("0 to %d", atlasOrder), fmt.Sprint(in.MinOrder), "the atlas ends at order 7")
	}
	if in.Limit < 0 || in.Limit > atlasPageMax {
		return capabilities.Invalid("/limit", fmt.Sprintf("1 to %d", atlasPageMax), fmt.Sprint(in.Limit), "page with offset")
	}
	if in.Offset < 0 {
		return capabilities.Invalid("/offset", "at least 0", fmt.Sprint(in.Offset), "")
	}
	return nil
}

// AtlasOutput is a page of the graphs that match.
type AtlasOutput struct {
	Total   int      `json:"total" doc:"how many graphs match"`
	Graphs  []string `json:"graphs" doc:"the page, in graph6, by order, then size, then canonical form"`
	Further int      `json:"further" doc:"how many match beyond the page"`
}

var _ = capabilities.Define(pack, capabilities.Definition[AtlasInput, AtlasOutput]{
	ID:          "graph.search.atlas",
	Title:       "search all graphs with at most 7 vertices",
	Description: "Every simple graph of order 0 to 7 up to isomorphism, 1,253 in all, filtered by plain properties, in a fixed order, a page at a time. The answer is complete for its filter.",
	Source:      "OEIS A000088; Read and Wilson, An Atlas of Graphs, 1998",
	Kind:        capabilities.KindSearch,
	Tags:        []string{"enumeration", "atlas", "counterexample"},
	Needs: []string{
		"list all small graphs with a property", "all graphs on 6 vertices up to isomorphism", "find a small graph that is connected and triangle-free", "search the atlas of graphs for a counterexample",
		"how many graphs of order 7 are bipartite",
	},
	Aliases:    []string{"atlas", "small graphs", "enumerate graphs"},
	InputKinds: []string{"graph"},
	Limits:     []events.Limit{{Name: "order", Value: fmt.Sprint(atlasOrder), Note: "vertices; the atlas ends there"}, {Name: "limit", Value: fmt.Sprint(atlasPageMax), Note: "graphs a page"}},
	Claimed:    capabilities.Computed,
	Examples: []capabilities.Example{
		{Name: "order 3", Input: `{"min_order":3,"max_order":3}`, Output: `{"total":4,"graphs":["B?","B_","Bo","Bw"],"further":0}`},
		{Name: "trees of order 5", Input: `{"min_order":5,"max_order":5,"connected":true,"acyclic":true}`},
	},
	Run: func(ctx context.Context, _ *capabilities.Env, in AtlasInput) (capabilities.Outcome[AtlasOutput], error) {
		out := AtlasOutput{Graphs: []string{}}
		limit := in.Limit
		if limit == 0 {
			limit = atlasPage
		}
		for _, e := range atlas() {
			if ctx.Err() != nil {
				return capabilities.Outcome[AtlasOutput]{}, ctx.Err()
			}
			if !in.selects(&e.properties) {
				continue
			}
			if out.Total >= in.Offset && len(out.Graphs) < limit {
				out.Graphs = append(out.Graphs, e.graph6)
			}
			out.Total++
		}
		out.Further = max(0, out.Total-in.Offset-len(out.Graphs))
		return capabilities.Outcome[AtlasOutput]{
			Output: out, Completeness: events.CompletenessComplete, Basis: "every graph of the atlas was looked at",
			Scope: &events.Scope{Description: "all 1,253 simple graphs of order 0 to 7 up to isomorphism", Parameters: []events.Param{{Name: "max_order", Value: fmt.Sprint(atlasOrder)}}},
		}, nil
	},
})

func (in *AtlasInput) selects(p *Properties) bool {
	return p.Order >= in.MinOrder && (in.MaxOrder == nil || p.Order <= *in.MaxOrder) && is(in.Size, p.Size) && is(in.Connected, p.Connected) &&
		is(in.Bipartite, p.Bipartite) && is(in.Acyclic, p.Acyclic) && is(in.Regular, p.Regular) && is(in.Triangles, p.Triangles) && is(in.Girth, p.Girth)
}

func is[T comparable](want *T, have T) bool { return want == nil || *want == have }

type atlasEntry struct {
	graph6     string
	properties Properties
}

// atlas makes all graphs, once: those of order n come from those of order n−1 by a new vertex with every
// set of neighbours, one of each canonical form.
var atlas = sync.OnceValue(func() []atlasEntry {
	var all []atlasEntry
	level := map[string]values.Graph{"": {}}
	for n := 0; ; n++ {
		var here []atlasEntry
		for _, g := range level {
			p, err := properties(context.Background(), g)
			if err != nil {
				panic(err) // only a context ends it
			}
			here = append(here, atlasEntry{g.Graph6(), p})
		}
		slices.SortFunc(here, func(a, b atlasEntry) int {
			if c := a.properties.Size - b.properties.Size; c != 0 {
				return c
			}
			return strings.Compare(a.graph6, b.graph6)
		})
		all = append(all, here...)
		if n == atlasOrder {
			return all
		}
		next := map[string]values.Graph{}
		for _, g := range level {
			for set := range 1 << n {
				edges := slices.Clone(g.Edges)
				for v := range n {
					if set>>v&1 == 1 {
						edges = append(edges, [2]int{v, n})
					}
				}
				c := canonical(built(n+1, edges))
				next[c.Graph6()] = c
			}
		}
		level = next
	}
})

// canonical is the relabelling with the greatest graph6 text among those that list the vertices by the
// classes of the stable colouring: equal for isomorphic graphs, since the classes are. For small graphs.
func canonical(g values.Graph) values.Graph {
	colour := stable(g.Neighbours())
	order := make([]int, g.Order)
	for v := range order {
		order[v] = v
	}
	slices.SortStableFunc(order, func(a, b int) int { return colour[a] - colour[b] })
	best, bestText := values.Graph{}, ""
	var try func(i int)
	try = func(i int) {
		if i == len(order) {
			h := relabelled(g, order)
			if text := h.Graph6(); text > bestText {
				best, bestText = h, text
			}
			return
		}
		for j := i; j < len(order) && colour[order[j]] == colour[order[i]]; j++ {
			order[i], order[j] = order[j], order[i]
			try(i + 1)
			order[i], order[j] = order[j], order[i]
		}
	}
	try(0)
	return best
}

// relabelled gives the i-th vertex of the order the number i.
func relabelled(g values.Graph, order []int) values.Graph {
	to := make([]int, g.Order)
	for i, v := range order {
		to[v] = i
	}
	edges := make([][2]int, len(g.Edges))
	for i, e := range g.Edges {
		edges[i] = [2]int{to[e[0]], to[e[1]]}
	}
	return built(g.Order, edges)
}
