package graph_test

import (
	"encoding/json"
	"math/bits"
	"math/rand/v2"
	"testing"

	"github.com/jacobian-ledger/jacobian/capabilities"
	"github.com/jacobian-ledger/jacobian/capabilities/checkers"
	"github.com/jacobian-ledger/jacobian/capabilities/checkers/graphclique"
	"github.com/jacobian-ledger/jacobian/capabilities/checkers/graphpath"
	"github.com/jacobian-ledger/jacobian/capabilities/packs/graph"
	"github.com/jacobian-ledger/jacobian/capabilities/values"
	"github.com/jacobian-ledger/jacobian/events"
)

// traceable decides by trying every order of the vertices.
func traceable(g values.Graph) bool {
	var try func(last int, used uint) bool
	try = func(last int, used uint) bool {
		if bits.OnesCount(used) == g.Order {
			return true
		}
		for v := range g.Order {
			if used>>v&1 == 0 && (last < 0 || g.Adjacent(last, v)) && try(v, used|1<<v) {
				return true
			}
		}
		return false
	}
	return g.Order > 0 && try(-1, 0)
}

func TestBipartiteAndHamiltonian_AgainstBruteForce(t *testing.T) {
	r := rand.New(rand.NewPCG(7, 8))
	always := func(checkers.Evidence) bool { return true }
	for range 120 {
		g := random(r, r.IntN(8), 10+r.IntN(60))
		ev, done := evidence(t, "graph.bipartite.decide", graph.Input{Graph: g})
		truth := capabilities.Truth(colorable(g, 2))
		if done.Conclusion != truth {
			t.Fatalf("%v: bipartite %s, want %s", g, done.Conclusion, truth)
		}
		sound(t, r, graphpath.Checker(), ev, truth, always)

		ev, done = evidence(t, "graph.hamiltonian_path.decide", graph.Input{Graph: g})
		truth = capabilities.Truth(traceable(g))
		if done.Conclusion != truth {
			t.Fatalf("%v: Hamiltonian %s, want %s", g, done.Conclusion, truth)
		}
		sound(t, r, graphpath.Checker(), ev, truth, always)
	}
}

// TestHamiltonian_Unbalanced is worked example 48: K(6,8) minus 12 edges has no Hamiltonian path, as its
// sides differ by two.
func TestHamiltonian_Unbalanced(t *testing.T) {
	var edges [][2]int
	for u := range 6 {
		for v := range 8 {
			if 8*u+v >= 12 {
				edges = append(edges, [2]int{u, 6 + v})
			}
		}
	}
	g, err := values.NewGraph(14, edges)
	if err != nil {
		t.Fatal(err)
	}
	ev, done := evidence(t, "graph.hamiltonian_path.decide", graph.Input{Graph: g})
	if v, err := graphpath.Checker().Check(t.Context(), ev); err != nil || !v.Accepted || v.Conclusion != events.False || done.Conclusion != events.False {
		t.Errorf("%s, %+v, %v", done.Conclusion, v, err)
	}
}

// largestSet tries every set of vertices.
func largestSet(g values.Graph, joined bool) int {
	best := 0
	for set := range uint(1) << g.Order {
		ok := true
		for u := range g.Order {
			for v := range u {
				if set>>u&1 == 1 && set>>v&1 == 1 && g.Adjacent(u, v) != joined {
					ok = false
				}
			}
		}
		if ok {
			best = max(best, bits.OnesCount(set))
		}
	}
	return best
}

func TestCliques_AgainstBruteForce(t *testing.T) {
	r := rand.New(rand.NewPCG(9, 10))
	for range 80 {
		g := random(r, r.IntN(9), 20+r.IntN(70))
		for id, joined := range map[string]bool{"graph.invariant.clique_number.compute": true, "graph.invariant.independence_number.compute": false} {
			ev, done := evidence(t, id, graph.Input{Graph: g})
			var out graph.SetOutput
			if err := json.Unmarshal(done.Output, &out); err != nil {
				t.Fatal(err)
			}
			want := largestSet(g, joined)
			if out.Size != want {
				t.Fatalf("%s %v: %d, want %d", id, g, out.Size, want)
			}
			sound(t, r, graphclique.Checker(), ev, events.True, func(bad checkers.Evidence) bool {
				var c graph.SetOutput
				return json.Unmarshal(bad.Candidate, &c) == nil && c.Size == want
			})
		}
	}
}
