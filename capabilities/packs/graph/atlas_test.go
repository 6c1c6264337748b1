package graph_test

import (
	"encoding/json"
	"fmt"
	"math/big"
	"math/rand/v2"
	"testing"

	"github.com/jacobian-ledger/jacobian/capabilities/captest"
	"github.com/jacobian-ledger/jacobian/capabilities/checkers"
	"github.com/jacobian-ledger/jacobian/capabilities/checkers/graphcoloring"
	"github.com/jacobian-ledger/jacobian/capabilities/packs/graph"
	"github.com/jacobian-ledger/jacobian/capabilities/values"
	"github.com/jacobian-ledger/jacobian/events"
)

func atlas(t *testing.T, input string) (out graph.AtlasOutput) {
	t.Helper()
	if err := json.Unmarshal([]byte(captest.Output(t, graph.Pack(), "graph.search.atlas", input)), &out); err != nil {
		t.Fatal(err)
	}
	return out
}

// TestAtlas_Counts compares with OEIS: all graphs A000088, connected A001349, trees A000055, bipartite A033995.
func TestAtlas_Counts(t *testing.T) {
	for filter, want := range map[string][]int{
		``:                                 {1, 1, 2, 4, 11, 34, 156, 1044},
		`,"connected":true`:                {0, 1, 1, 2, 6, 21, 112, 853},
		`,"connected":true,"acyclic":true`: {0, 1, 1, 1, 2, 3, 6, 11},
		`,"bipartite":true`:                {1, 1, 2, 3, 7, 13, 35, 88},
		`,"triangles":0`:                   {1, 1, 2, 3, 7, 14, 38, 107}, // A006785
	} {
		for n, w := range want {
			if out := atlas(t, fmt.Sprintf(`{"min_order":%d,"max_order":%d%s}`, n, n, filter)); out.Total != w {
				t.Errorf("order %d%s: %d, want %d", n, filter, out.Total, w)
			}
		}
	}
}

// TestAtlas_Distinct pages through everything once, and looks at all pairs of order 5.
func TestAtlas_Distinct(t *testing.T) {
	seen := map[string]bool{}
	for offset := 0; ; offset += 200 {
		out := atlas(t, fmt.Sprintf(`{"limit":200,"offset":%d}`, offset))
		for _, g := range out.Graphs {
			if seen[g] {
				t.Errorf("%s comes twice", g)
			}
			seen[g] = true
		}
		if out.Further == 0 {
			break
		}
	}
	if len(seen) != 1253 {
		t.Errorf("%d graphs, want 1253", len(seen))
	}
	five := atlas(t, `{"min_order":5,"max_order":5,"limit":200}`).Graphs
	for i, a := range five {
		for _, b := range five[:i] {
			ga, _ := values.ParseGraph6(a)
			gb, _ := values.ParseGraph6(b)
			if isomorphic(ga, gb) {
				t.Errorf("%s and %s are isomorphic", a, b)
			}
		}
	}
}

func TestChromaticNumber_AgainstBruteForce(t *testing.T) {
	r := rand.New(rand.NewPCG(11, 12))
	for range 60 {
		g := random(r, r.IntN(8), 20+r.IntN(70))
		ev, done := evidence(t, "graph.invariant.chromatic_number.compute", graph.Input{Graph: g})
		var out graph.ChromaticOutput
		if err := json.Unmarshal(done.Output, &out); err != nil {
			t.Fatal(err)
		}
		want := 0
		for !colorable(g, want) {
			want++
		}
		if out.ChromaticNumber != want {
			t.Fatalf("%v: %d, want %d", g, out.ChromaticNumber, want)
		}
		sound(t, r, graphcoloring.Checker(), ev, events.True, func(bad checkers.Evidence) bool {
			var c graph.ChromaticOutput
			return json.Unmarshal(bad.Candidate, &c) == nil && c.ChromaticNumber == want
		})
	}
	for _, forged := range []string{`{"chromatic_number":-1,"coloring":[]}`, `{"chromatic_number":1,"coloring":[]}`} {
		v, err := graphcoloring.Checker().Check(t.Context(), checkers.Evidence{
			Claim:     events.Claim{Semantics: "graph.coloring/1", Predicate: "graph.chromatic_number", Args: json.RawMessage(`{"graph":{"edges":[],"order":0}}`)},
			Candidate: json.RawMessage(forged), Format: "graph.chromatic_number", Certificate: []byte("clique\n"),
		})
		if err != nil || v.Accepted {
			t.Errorf("the null graph: %s: %+v, %v", forged, v, err)
		}
	}
}

// TestSpanningTree_AgainstBruteForce tries every set of edges that leaves as many components.
func TestSpanningTree_AgainstBruteForce(t *testing.T) {
	r := rand.New(rand.NewPCG(13, 14))
	for range 80 {
		g := random(r, 1+r.IntN(5), 60)
		in := graph.SpanningInput{Order: g.Order, Edges: []graph.WeightedEdge{}}
		for _, e := range g.Edges {
			in.Edges = append(in.Edges, graph.WeightedEdge{U: e[1], V: e[0], Weight: values.RatOf(int64(r.IntN(7)-3), int64(1+r.IntN(3)))})
		}
		b, _ := json.Marshal(in)
		var out graph.SpanningOutput
		if err := unmarshalAny([]byte(captest.Output(t, graph.Pack(), "graph.spanning_tree.minimum.compute", string(b))), &out); err != nil {
			t.Fatal(err)
		}
		full := components(g.Order, g.Edges)
		var best *big.Rat
		for set := range 1 << len(g.Edges) {
			var edges [][2]int
			sum := new(big.Rat)
			for i, e := range g.Edges {
				if set>>i&1 == 1 {
					edges = append(edges, e)
					sum.Add(sum, in.Edges[i].Weight.Big())
				}
			}
			if len(edges) == g.Order-full && components(g.Order, edges) == full && (best == nil || sum.Cmp(best) < 0) {
				best = sum
			}
		}
		if out.Trees != full || out.Weight.Big().Cmp(best) != 0 {
			t.Fatalf("%s: %v in %d trees, want %v in %d", b, out.Weight, out.Trees, best, full)
		}
	}
}

func components(order int, edges [][2]int) int {
	label := make([]int, order)
	for v := range label {
		label[v] = v
	}
	n := order
	for _, e := range edges {
		if a, b := label[e[0]], label[e[1]]; a != b {
			n--
			for v := range label {
				if label[v] == a {
					label[v] = b
				}
			}
		}
	}
	return n
}

// TestDistances_FloydWarshall compares with another algorithm.
func TestDistances_FloydWarshall(t *testing.T) {
	r := rand.New(rand.NewPCG(15, 16))
	const far = 1 << 20
	for range 60 {
		g := random(r, r.IntN(9), 30)
		d := make([][]int, g.Order)
		for u := range d {
			d[u] = make([]int, g.Order)
			for v := range d[u] {
				switch {
				case u == v:
				case g.Adjacent(u, v):
					d[u][v] = 1
				default:
					d[u][v] = far
				}
			}
		}
		for k := range d {
			for u := range d {
				for v := range d {
					d[u][v] = min(d[u][v], d[u][k]+d[k][v])
				}
			}
		}
		for u := range d {
			for v := range d {
				if d[u][v] >= far {
					d[u][v] = -1
				}
			}
		}
		in, _ := json.Marshal(graph.Input{Graph: g})
		want, _ := json.Marshal(graph.DistanceOutput{Distances: d})
		if got := captest.Output(t, graph.Pack(), "graph.distance_matrix.compute", string(in)); got != string(want) {
			t.Fatalf("%s: %s, want %s", in, got, want)
		}
	}
}
