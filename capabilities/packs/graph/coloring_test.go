package graph_test

import (
	"context"
	"encoding/json"
	"fmt"
	"math/rand/v2"
	"testing"

	"github.com/jacobian-ledger/jacobian/capabilities"
	"github.com/jacobian-ledger/jacobian/capabilities/captest"
	"github.com/jacobian-ledger/jacobian/capabilities/checkers"
	"github.com/jacobian-ledger/jacobian/capabilities/checkers/graphcoloring"
	"github.com/jacobian-ledger/jacobian/capabilities/packs/graph"
	"github.com/jacobian-ledger/jacobian/capabilities/values"
	"github.com/jacobian-ledger/jacobian/events"
)

// colorable decides by trying every colouring.
func colorable(g values.Graph, k int) bool {
	colour := make([]int, g.Order)
	var try func(v int) bool
	try = func(v int) bool {
		if v == g.Order {
			return true
		}
		for c := range k {
			ok := true
			for _, e := range g.Edges {
				if e[1] == v && colour[e[0]] == c {
					ok = false
				}
			}
			if colour[v] = c; ok && try(v+1) {
				return true
			}
		}
		return false
	}
	return try(0)
}

func random(r *rand.Rand, order int, percent int) values.Graph {
	var edges [][2]int
	for v := range order {
		for u := range v {
			if r.IntN(100) < percent {
				edges = append(edges, [2]int{u, v})
			}
		}
	}
	g, err := values.NewGraph(order, edges)
	if err != nil {
		panic(err)
	}
	return g
}

// TestKColoring_AgainstBruteForce also has every answer decided, and mutates the evidence 100 ways: none
// may be accepted for a conclusion that brute force does not share.
func TestKColoring_AgainstBruteForce(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 2))
	op := captest.Find(t, graph.Pack(), "graph.k_coloring.decide")
	k := graphcoloring.Checker()
	for range 60 {
		g, colours := random(r, 1+r.IntN(7), 30+r.IntN(60)), r.IntN(5)
		in, _ := json.Marshal(graph.ColoringInput{Graph: g, K: colours})
		call, done, err := captest.Call(t, op, string(in))
		if err != nil {
			t.Fatal(err)
		}
		truth := capabilities.Truth(colorable(g, colours))
		if done.Conclusion != truth {
			t.Fatalf("%s: %s, want %s", in, done.Conclusion, truth)
		}
		ev := checkers.Evidence{Claim: *call.Claim, Candidate: done.Output, Format: done.Evidence.Format, Certificate: done.Evidence.Data}
		if v, err := k.Check(context.Background(), ev); err != nil || !v.Accepted || v.Conclusion != truth {
			t.Fatalf("%s: %+v, %v", in, v, err)
		}
		for i := range 100 {
			bad := mutated(r, ev, i)
			v, err := k.Check(context.Background(), bad)
			if err != nil {
				t.Fatal(err)
			}
			if v.Accepted && v.Conclusion != truth {
				t.Fatalf("%s: accepted %s for %s with %q", in, v.Conclusion, bad.Candidate, bad.Certificate)
			}
		}
	}
}

// mutated changes one byte of the certificate or of the candidate, or swaps the format.
func mutated(r *rand.Rand, ev checkers.Evidence, i int) checkers.Evidence {
	flip := func(b []byte) []byte {
		b = append([]byte(nil), b...)
		if len(b) > 0 {
			b[r.IntN(len(b))] = "0123456789 -\ncliqueTF"[r.IntN(21)]
		}
		return b
	}
	switch i % 4 {
	case 0:
		ev.Candidate = flip(ev.Candidate)
	case 1:
		ev.Format = map[string]string{"graph.coloring": "graph.coloring.lrat", "graph.coloring.lrat": "graph.coloring"}[ev.Format]
	case 2:
		if n := len(ev.Certificate); n > 0 {
			ev.Certificate = ev.Certificate[:r.IntN(n)]
		}
	default:
		ev.Certificate = flip(ev.Certificate)
	}
	return ev
}

// TestKColoring_Groetzsch: triangle-free, and yet not 3-colourable; 4 colours are enough.
func TestKColoring_Groetzsch(t *testing.T) {
	g := family(t, `{"family":"groetzsch"}`)
	op := captest.Find(t, graph.Pack(), "graph.k_coloring.decide")
	for colours, want := range map[int]events.Conclusion{3: events.False, 4: events.True} {
		_, done, err := captest.Call(t, op, fmt.Sprintf(`{"graph":%s,"k":%d}`, g, colours))
		if err != nil || done.Conclusion != want {
			t.Errorf("%d colours: %s, %v", colours, done.Conclusion, err)
		}
	}
}

// TestChecker_Refuses: evidence for another graph, another k, a clique that is none.
func TestChecker_Refuses(t *testing.T) {
	triangle := `{"graph":{"order":3,"edges":[[0,1],[0,2],[1,2]]},"k":2}`
	path := `{"graph":{"order":3,"edges":[[0,1],[1,2]]},"k":2}`
	for name, tc := range map[string]struct{ args, candidate, format, certificate string }{
		"a clique of another graph":   {path, `{"colorable":false,"coloring":[]}`, "graph.coloring.lrat", "clique 0 1 2\n"},
		"a vertex twice":              {path, `{"colorable":false,"coloring":[]}`, "graph.coloring.lrat", "clique 0 0 0\n"},
		"a vertex that is not there":  {triangle, `{"colorable":false,"coloring":[]}`, "graph.coloring.lrat", "clique 0 1 3\n"},
		"no proof":                    {triangle, `{"colorable":false,"coloring":[]}`, "graph.coloring.lrat", "clique\n"},
		"a colouring that is none":    {triangle, `{"colorable":true,"coloring":[0,1,0]}`, "graph.coloring", ""},
		"a colour too many":           {triangle, `{"colorable":true,"coloring":[0,1,2]}`, "graph.coloring", ""},
		"a negative colour":           {path, `{"colorable":true,"coloring":[0,-1,0]}`, "graph.coloring", ""},
		"a colour short":              {path, `{"colorable":true,"coloring":[0,1]}`, "graph.coloring", ""},
		"a certificate that is extra": {path, `{"colorable":true,"coloring":[0,1,0]}`, "graph.coloring", "x"},
		"both at once":                {triangle, `{"colorable":true,"coloring":[]}`, "graph.coloring.lrat", "clique 0 1 2\n"},
		"an unknown member":           {path, `{"colorable":true,"coloring":[0,1,0],"verified":true}`, "graph.coloring", ""},
	} {
		v, err := graphcoloring.Checker().Check(t.Context(), checkers.Evidence{
			Claim:     events.Claim{Semantics: "graph.coloring/1", Predicate: "graph.k_colorable", Args: json.RawMessage(tc.args)},
			Candidate: json.RawMessage(tc.candidate), Format: tc.format, Certificate: []byte(tc.certificate),
		})
		if err != nil || v.Accepted || v.Reason == "" {
			t.Errorf("%s: %+v, %v", name, v, err)
		}
	}
}
