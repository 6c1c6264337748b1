package graph

import (
	"context"

	"github.com/jacobian-ledger/jacobian/capabilities"
	"github.com/jacobian-ledger/jacobian/capabilities/values"
	"github.com/jacobian-ledger/jacobian/events"
)

const matchingOrder = 500

// MatchingOutput is a largest matching with the barrier that shows that there is no larger one.
type MatchingOutput struct {
	Size          int     `json:"size" doc:"number of edges of a largest matching"`
	Matching      [][]int `json:"matching" doc:"its edges"`
	Barrier       []int   `json:"barrier" doc:"S in the Tutte-Berge formula size = (order + |S| - odd components without S) / 2"`
	OddComponents int     `json:"odd_components" doc:"components of odd order without the barrier"`
}

var _ = capabilities.Define(pack, capabilities.Definition[Input, MatchingOutput]{
	ID:          "graph.invariant.maximum_matching.compute",
	Title:       "largest matching of a graph, with a Tutte–Berge barrier",
	Description: "A set of edges without common ends that is as large as possible, and a barrier S with 2·size = order + |S| − odd(G−S), which shows that no matching is larger. Edmonds' blossom algorithm, O(order³); the barrier is A(G) of the Gallai–Edmonds decomposition.",
	Source:      "Edmonds, Canad. J. Math. 17 (1965); Berge 1958; Lovász and Plummer, Matching Theory",
	Tags:        []string{"matching", "optimum"},
	Needs: []string{
		"maximum matching of a graph", "largest set of disjoint edges", "does this graph have a perfect matching", "matching number with a proof", "Tutte-Berge barrier of a graph",
	},
	Aliases:    []string{"matching", "perfect matching", "blossom", "tutte-berge", "matching number"},
	InputKinds: []string{"graph"},
	Limits:     orderLimit(matchingOrder),
	Claimed:    capabilities.Computed,
	Heavy:      true,
	Preflight:  atMost(matchingOrder),
	Claim: func(in Input) events.Claim {
		return capabilities.NewClaim("graph.matching/1", "graph.maximum_matching", in)
	},
	Emits:     []string{"graph.tutte_berge"},
	CheckedBy: []string{"graph.matching"},
	Examples: []capabilities.Example{
		{Name: "triangle with a tail", Input: `{"graph":{"order":4,"edges":[[0,1],[0,2],[1,2],[2,3]]}}`, Output: `{"size":2,"matching":[[0,1],[2,3]],"barrier":[],"odd_components":0}`},
		{Name: "star", Input: `{"graph":{"order":4,"edges":[[0,1],[0,2],[0,3]]}}`, Output: `{"size":1,"matching":[[0,1]],"barrier":[0],"odd_components":3}`},
	},
	Run: func(ctx context.Context, _ *capabilities.Env, in Input) (capabilities.Outcome[MatchingOutput], error) {
		out, err := maximumMatching(ctx, in.Graph)
		return capabilities.Outcome[MatchingOutput]{Output: out, Evidence: &capabilities.Evidence{Format: "graph.tutte_berge"}}, err
	},
})

func maximumMatching(ctx context.Context, g values.Graph) (MatchingOutput, error) {
	b := &blossoms{near: g.Neighbours(), mate: make([]int, g.Order)}
	for v := range b.mate {
		b.mate[v] = -1
	}
	out := MatchingOutput{Matching: [][]int{}, Barrier: []int{}}
	for v := range g.Order {
		if ctx.Err() != nil {
			return out, ctx.Err()
		}
		if b.mate[v] < 0 {
			b.augment(v, -1)
		}
	}
	for v, u := range b.mate {
		if v < u {
			out.Matching = append(out.Matching, []int{v, u})
		}
	}
	out.Size = len(out.Matching)
	// D: the vertices that some largest matching misses. A matched v is one if, without v, its mate can
	// be matched otherwise. The barrier is what D touches outside itself.
	missed := make([]bool, g.Order)
	for v := range g.Order {
		if ctx.Err() != nil {
			return out, ctx.Err()
		}
		if u := b.mate[v]; u < 0 {
			missed[v] = true
		} else {
			trial := &blossoms{near: b.near, mate: append([]int(nil), b.mate...)}
			trial.mate[v], trial.mate[u] = -1, -1
			missed[v] = trial.augment(u, v)
		}
	}
	in := make([]bool, g.Order)
	for v := range g.Order {
		for _, u := range b.near[v] {
			if missed[u] && !missed[v] {
				in[v] = true
			}
		}
		if in[v] {
			out.Barrier = append(out.Barrier, v)
		}
	}
	out.OddComponents = g.Order + len(out.Barrier) - 2*out.Size
	return out, nil
}

// blossoms is the state of Edmonds' algorithm.
type blossoms struct {
	near [][]int
	mate []int // -1: not matched

	parent, base []int
	inTree       []bool
}

// augment looks for an augmenting path from the unmatched vertex root that avoids one vertex, and uses it.
func (b *blossoms) augment(root, avoid int) bool {
	n := len(b.near)
	b.parent, b.base, b.inTree = make([]int, n), make([]int, n), make([]bool, n)
	for v := range n {
		b.parent[v], b.base[v] = -1, v
	}
	b.inTree[root] = true
	queue := []int{root}
	for len(queue) > 0 {
		v := queue[0]
		queue = queue[1:]
		for _, to := range b.near[v] {
			if to == avoid || b.base[v] == b.base[to] || b.mate[v] == to {
				continue
			}
			switch {
			case to == root || b.mate[to] >= 0 && b.parent[b.mate[to]] >= 0:
				queue = append(queue, b.contract(v, to)...)
			case b.parent[to] < 0:
				b.parent[to] = v
				if b.mate[to] < 0 {
					b.flip(to)
					return true
				}
				b.inTree[b.mate[to]] = true
				queue = append(queue, b.mate[to])
			}
		}
	}
	return false
}

// flip swaps matched and unmatched edges on the path from v back to the root.
func (b *blossoms) flip(v int) {
	for v >= 0 {
		p := b.parent[v]
		next := b.mate[p]
		b.mate[v], b.mate[p] = p, v
		v = next
	}
}

// contract shrinks the blossom that the edge between the even vertices v and u closes, and returns the
// vertices that became even.
func (b *blossoms) contract(v, u int) (even []int) {
	root := b.common(v, u)
	inside := make([]bool, len(b.base))
	b.mark(v, root, u, inside)
	b.mark(u, root, v, inside)
	for w := range b.base {
		if inside[b.base[w]] {
			b.base[w] = root
			if !b.inTree[w] {
				b.inTree[w] = true
				even = append(even, w)
			}
		}
	}
	return even
}

// common is the base of the nearest common ancestor of two even vertices.
func (b *blossoms) common(v, u int) int {
	seen := make([]bool, len(b.base))
	for {
		v = b.base[v]
		seen[v] = true
		if b.mate[v] < 0 {
			break
		}
		v = b.parent[b.mate[v]]
	}
	for {
		u = b.base[u]
		if seen[u] {
			return u
		}
		u = b.parent[b.mate[u]]
	}
}

// mark records the blossom's vertices on the path from v to its root, and links them through child.
func (b *blossoms) mark(v, root, child int, inside []bool) {
	for b.base[v] != root {
		inside[b.base[v]], inside[b.base[b.mate[v]]] = true, true
		b.parent[v] = child
		child = b.mate[v]
		v = b.parent[b.mate[v]]
	}
}
