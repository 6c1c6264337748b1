package graph_test

import (
	"encoding/json"
	"fmt"
	"math/rand/v2"
	"testing"

	"github.com/jacobian-ledger/jacobian/capabilities"
	"github.com/jacobian-ledger/jacobian/capabilities/captest"
	"github.com/jacobian-ledger/jacobian/capabilities/checkers"
	"github.com/jacobian-ledger/jacobian/capabilities/checkers/graphiso"
	"github.com/jacobian-ledger/jacobian/capabilities/checkers/graphmatching"
	"github.com/jacobian-ledger/jacobian/capabilities/packs/graph"
	"github.com/jacobian-ledger/jacobian/capabilities/values"
	"github.com/jacobian-ledger/jacobian/events"
)

// evidence runs an operation on an input and returns what its checker is given.
func evidence(t *testing.T, id string, input any) (checkers.Evidence, capabilities.Done) {
	t.Helper()
	in, err := json.Marshal(input)
	if err != nil {
		t.Fatal(err)
	}
	call, done, err := captest.Call(t, captest.Find(t, graph.Pack(), id), string(in))
	if err != nil {
		t.Fatalf("%s %s: %v", id, in, err)
	}
	return checkers.Evidence{Claim: *call.Claim, Candidate: done.Output, Format: done.Evidence.Format, Certificate: done.Evidence.Data}, done
}

// sound has a checker accept the evidence with the conclusion, and refuse what mutations make of it.
func sound(t *testing.T, r *rand.Rand, k checkers.Checker, ev checkers.Evidence, want events.Conclusion, holds func(checkers.Evidence) bool) {
	t.Helper()
	if v, err := k.Check(t.Context(), ev); err != nil || !v.Accepted || v.Conclusion != want {
		t.Fatalf("%s with %s %q: %+v, %v", ev.Claim.Args, ev.Candidate, ev.Certificate, v, err)
	}
	for i := range 100 {
		bad := mutated(r, ev, i)
		if v, err := k.Check(t.Context(), bad); err == nil && v.Accepted && (v.Conclusion != want || !holds(bad)) {
			t.Fatalf("%s: accepted %s %s with %q", ev.Claim.Args, v.Conclusion, bad.Candidate, bad.Certificate)
		}
	}
}

// largest is the size of a largest matching, by trying every one.
func largest(g values.Graph, from int, used uint) int {
	best := 0
	for i := from; i < len(g.Edges); i++ {
		e := g.Edges[i]
		if bits := uint(1)<<e[0] | uint(1)<<e[1]; used&bits == 0 {
			best = max(best, 1+largest(g, i+1, used|bits))
		}
	}
	return best
}

func TestMaximumMatching_AgainstBruteForce(t *testing.T) {
	r := rand.New(rand.NewPCG(3, 4))
	for range 150 {
		g := random(r, r.IntN(9), 15+r.IntN(50))
		ev, done := evidence(t, "graph.invariant.maximum_matching.compute", graph.Input{Graph: g})
		var out graph.MatchingOutput
		if err := json.Unmarshal(done.Output, &out); err != nil {
			t.Fatal(err)
		}
		if want := largest(g, 0, 0); out.Size != want {
			t.Fatalf("%v: %d, want %d", g, out.Size, want)
		}
		sound(t, r, graphmatching.Checker(), ev, events.True, func(bad checkers.Evidence) bool {
			var c graph.MatchingOutput
			return json.Unmarshal(bad.Candidate, &c) == nil && c.Size == out.Size
		})
	}
}

// TestMaximumMatching_Blossoms needs odd cycles to be contracted.
func TestMaximumMatching_Blossoms(t *testing.T) {
	for name, want := range map[string]int{`{"family":"petersen"}`: 5, `{"family":"groetzsch"}`: 5, `{"family":"cycle","n":9}`: 4, `{"family":"complete","n":7}`: 3, `{"family":"star","n":3}`: 1} {
		var g values.Graph
		if err := unmarshal(family(t, name), &g); err != nil {
			t.Fatal(err)
		}
		ev, done := evidence(t, "graph.invariant.maximum_matching.compute", graph.Input{Graph: g})
		var out graph.MatchingOutput
		if err := json.Unmarshal(done.Output, &out); err != nil || out.Size != want {
			t.Errorf("%s: %d, want %d (%v)", name, out.Size, want, err)
		}
		if v, err := graphmatching.Checker().Check(t.Context(), ev); err != nil || !v.Accepted {
			t.Errorf("%s: %+v, %v", name, v, err)
		}
	}
}

// isomorphic decides by trying every permutation.
func isomorphic(a, b values.Graph) bool {
	if a.Order != b.Order || len(a.Edges) != len(b.Edges) {
		return false
	}
	p := make([]int, a.Order)
	used := make([]bool, a.Order)
	var try func(v int) bool
	try = func(v int) bool {
		if v == a.Order {
			for _, e := range a.Edges {
				if !b.Adjacent(p[e[0]], p[e[1]]) {
					return false
				}
			}
			return true
		}
		for w := range p {
			if !used[w] {
				p[v], used[w] = w, true
				if try(v + 1) {
					return true
				}
				used[w] = false
			}
		}
		return false
	}
	return try(0)
}

func TestIsomorphism_AgainstBruteForce(t *testing.T) {
	r := rand.New(rand.NewPCG(5, 6))
	for i := range 120 {
		n := r.IntN(7)
		a := random(r, n, 50)
		b := random(r, n, 50)
		if i%2 == 0 { // a relabelled copy
			p := r.Perm(n)
			var edges [][2]int
			for _, e := range a.Edges {
				edges = append(edges, [2]int{p[e[0]], p[e[1]]})
			}
			var err error
			if b, err = values.NewGraph(n, edges); err != nil {
				t.Fatal(err)
			}
		}
		ev, done := evidence(t, "graph.isomorphism.decide", graph.PairInput{First: a, Second: b})
		truth := capabilities.Truth(isomorphic(a, b))
		if done.Conclusion != truth {
			t.Fatalf("%v %v: %s, want %s", a, b, done.Conclusion, truth)
		}
		sound(t, r, graphiso.Checker(), ev, truth, func(checkers.Evidence) bool { return true })
	}
}

func TestIsomorphism_KnownAnswers(t *testing.T) {
	for name, tc := range map[string]struct {
		first, second string
		want          events.Conclusion
	}{
		"C-77":                                   {`{"order":6,"edges":[[0,1],[0,3],[0,4],[1,2],[1,3],[2,5]]}`, `{"order":6,"edges":[[1,3],[0,3],[3,5],[1,2],[0,1],[2,4]]}`, events.True},
		"C-82":                                   {`{"order":6,"edges":[[0,1],[1,2],[2,3],[3,4],[4,5],[0,5]]}`, `{"order":6,"edges":[[0,1],[1,2],[0,2],[3,4],[4,5],[3,5]]}`, events.False},
		"two strongly regular graphs (16,6,2,2)": {rook, shrikhande, events.False},
	} {
		ev, done := evidence(t, "graph.isomorphism.decide", json.RawMessage(fmt.Sprintf(`{"first":%s,"second":%s}`, tc.first, tc.second)))
		if done.Conclusion != tc.want {
			t.Errorf("%s: %s, want %s", name, done.Conclusion, tc.want)
		}
		if v, err := graphiso.Checker().Check(t.Context(), ev); err != nil || !v.Accepted || v.Conclusion != tc.want {
			t.Errorf("%s: %+v, %v", name, v, err)
		}
	}
}

// The 4x4 rook's graph and the Shrikhande graph: same parameters, same distances, not isomorphic.
var rook, shrikhande = torus([][2]int{{0, 1}, {0, 2}, {0, 3}, {1, 0}, {2, 0}, {3, 0}}), torus([][2]int{{0, 1}, {0, 3}, {1, 0}, {3, 0}, {1, 1}, {3, 3}})

// torus is the Cayley graph of Z4 x Z4 with the given steps.
func torus(steps [][2]int) string {
	var edges [][2]int
	for v := range 16 {
		for _, s := range steps {
			u := (v/4+s[0])%4*4 + (v%4+s[1])%4
			if v < u {
				edges = append(edges, [2]int{v, u})
			}
		}
	}
	g, err := values.NewGraph(16, edges)
	if err != nil {
		panic(err)
	}
	b, _ := json.Marshal(g)
	return string(b)
}
