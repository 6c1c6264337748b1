// Package graphpath decides whether a simple graph is bipartite and whether it has a Hamiltonian path.
//
// The claims have semantics graph.walks/1, with arguments {"graph": graph}.
//
// Predicate graph.bipartite: format graph.two_coloring, with the candidate {"bipartite": true, "sides":
// [0,1,…], "odd_cycle": []}, a side for each vertex such that every edge joins different sides; format
// graph.odd_cycle, with the candidate {"bipartite": false, "sides": [], "odd_cycle": [v1,…]}, a cycle of
// odd length at least 3 whose vertices are distinct. Both have an empty certificate.
//
// Predicate graph.hamiltonian_path: format graph.hamiltonian_path, with the candidate {"hamiltonian": true,
// "path": [v1,…]}, every vertex once and each joined to the next; format graph.hamiltonian_path.subsets,
// with the candidate {"hamiltonian": false, "path": []}: the checker itself decides, for every set of
// vertices and each of its members, whether a path through exactly the set ends there (Bellman, Held and
// Karp 1962), for at most 22 vertices. Certificates are empty.
package graphpath

import (
	"context"
	"fmt"
	"math/bits"

	"github.com/jacobian-ledger/jacobian/capabilities/checkers"
	"github.com/jacobian-ledger/jacobian/capabilities/values"
	"github.com/jacobian-ledger/jacobian/events"
)

// What the checker decides.
const (
	Semantics            = "graph.walks/1"
	PredicateBipartite   = "graph.bipartite"
	PredicateHamiltonian = "graph.hamiltonian_path"
	FormatSides          = "graph.two_coloring"
	FormatOddCycle       = "graph.odd_cycle"
	FormatPath           = "graph.hamiltonian_path"
	FormatSubsets        = "graph.hamiltonian_path.subsets"
)

// MaxSubsetOrder is the most vertices for which the checker goes through all subsets.
const MaxSubsetOrder = 22

type args struct {
	Graph values.Graph `json:"graph"`
}

type bipartite struct {
	Bipartite bool  `json:"bipartite"`
	Sides     []int `json:"sides"`
	OddCycle  []int `json:"odd_cycle"`
}

type hamiltonian struct {
	Hamiltonian bool  `json:"hamiltonian"`
	Path        []int `json:"path"`
}

// Checker returns the checker graph.walks.
func Checker() checkers.Checker {
	return checkers.Checker{
		ID: "graph.walks", Version: 1, Class: "go-graph-walks",
		Semantics: []string{Semantics}, Predicates: []string{PredicateBipartite, PredicateHamiltonian},
		Formats: []string{FormatSides, FormatOddCycle, FormatPath, FormatSubsets}, Check: check,
	}
}

func check(ctx context.Context, ev checkers.Evidence) (checkers.Verdict, error) {
	var a args
	if ev.Claim.Semantics != Semantics {
		return checkers.Reject("expected semantics %s", Semantics), nil
	}
	if err := checkers.DecodeArgs(ev.Claim, &a); err != nil {
		return checkers.Reject("claim: %v", err), nil
	}
	if len(ev.Certificate) != 0 {
		return checkers.Reject("expected an empty certificate, found %d bytes", len(ev.Certificate)), nil
	}
	switch ev.Claim.Predicate {
	case PredicateBipartite:
		return checkBipartite(a.Graph, ev), nil
	case PredicateHamiltonian:
		return checkHamiltonian(ctx, a.Graph, ev)
	}
	return checkers.Reject("unknown predicate %.60q", ev.Claim.Predicate), nil
}

func checkBipartite(g values.Graph, ev checkers.Evidence) checkers.Verdict {
	var c bipartite
	if err := ev.DecodeCandidate(&c); err != nil {
		return checkers.Reject("candidate: %v", err)
	}
	switch {
	case ev.Format == FormatSides && c.Bipartite && len(c.OddCycle) == 0:
		if len(c.Sides) != g.Order {
			return checkers.Reject("expected %d sides, found %d", g.Order, len(c.Sides))
		}
		for v, s := range c.Sides {
			if s != 0 && s != 1 {
				return checkers.Reject("vertex %d is on side %d", v, s)
			}
		}
		for _, e := range g.Edges {
			if c.Sides[e[0]] == c.Sides[e[1]] {
				return checkers.Reject("both ends of edge [%d,%d] are on one side", e[0], e[1])
			}
		}
		return checkers.Accept(events.True, "looked at the sides of every edge", fmt.Sprintf("all %d edges", len(g.Edges)))
	case ev.Format == FormatOddCycle && !c.Bipartite && len(c.Sides) == 0:
		n := len(c.OddCycle)
		if n < 3 || n%2 == 0 {
			return checkers.Reject("a cycle of odd length has 3, 5, … vertices, not %d", n)
		}
		if err := distinctWalk(g, c.OddCycle); err != nil {
			return checkers.Reject("%v", err)
		}
		if !g.Adjacent(c.OddCycle[0], c.OddCycle[n-1]) {
			return checkers.Reject("the last vertex of the cycle is not joined to the first")
		}
		return checkers.Accept(events.False, "followed an odd cycle", fmt.Sprintf("a cycle of length %d has no two-colouring", n))
	}
	return checkers.Reject("format %q does not fit the candidate", ev.Format)
}

// distinctWalk requires distinct vertices, each joined to the next.
func distinctWalk(g values.Graph, walk []int) error {
	seen := make([]bool, g.Order)
	for i, v := range walk {
		if v < 0 || v >= g.Order || seen[v] {
			return fmt.Errorf("vertex %d is out of range or comes twice", v)
		}
		seen[v] = true
		if i > 0 && !g.Adjacent(walk[i-1], v) {
			return fmt.Errorf("vertices %d and %d are not joined", walk[i-1], v)
		}
	}
	return nil
}

func checkHamiltonian(ctx context.Context, g values.Graph, ev checkers.Evidence) (checkers.Verdict, error) {
	var c hamiltonian
	if err := ev.DecodeCandidate(&c); err != nil {
		return checkers.Reject("candidate: %v", err), nil
	}
	switch {
	case ev.Format == FormatPath && c.Hamiltonian:
		if len(c.Path) != g.Order || g.Order == 0 {
			return checkers.Reject("expected a path of all %d vertices, at least one, found %d", g.Order, len(c.Path)), nil
		}
		if err := distinctWalk(g, c.Path); err != nil {
			return checkers.Reject("%v", err), nil
		}
		return checkers.Accept(events.True, "followed the path", fmt.Sprintf("all %d vertices", g.Order)), nil
	case ev.Format == FormatSubsets && !c.Hamiltonian && len(c.Path) == 0:
		if g.Order > MaxSubsetOrder {
			return checkers.Reject("going through all sets is limited to %d vertices, the graph has %d", MaxSubsetOrder, g.Order), nil
		}
		found, err := throughSubsets(ctx, g)
		if err != nil {
			return checkers.Verdict{}, err
		}
		if found {
			return checkers.Reject("there is a Hamiltonian path"), nil
		}
		return checkers.Accept(events.False, "went through all sets of vertices (Held and Karp)", fmt.Sprintf("all 2^%d sets", g.Order)), nil
	}
	return checkers.Reject("format %q does not fit the candidate", ev.Format), nil
}

// throughSubsets computes, for each set of vertices, the members at which a path through the set ends.
func throughSubsets(ctx context.Context, g values.Graph) (bool, error) {
	if g.Order == 0 {
		return false, nil
	}
	near := make([]uint32, g.Order)
	for _, e := range g.Edges {
		near[e[0]] |= 1 << e[1]
		near[e[1]] |= 1 << e[0]
	}
	ends := make([]uint32, 1<<g.Order)
	for set := uint32(1); set < 1<<g.Order; set++ {
		if set%65536 == 0 && ctx.Err() != nil {
			return false, ctx.Err()
		}
		if set&(set-1) == 0 {
			ends[set] = set
			continue
		}
		for rest := set; rest != 0; rest &= rest - 1 {
			v := bits.TrailingZeros32(rest)
			if ends[set&^(1<<v)]&near[v] != 0 {
				ends[set] |= 1 << v
			}
		}
	}
	return ends[1<<g.Order-1] != 0, nil
}
