package values_test

import (
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/jacobian-ledger/jacobian/capabilities/values"
	"github.com/jacobian-ledger/jacobian/events/jcs"
)

// TestGraph6 is C-87: orders at the border of the two forms, and what must be refused.
func TestGraph6(t *testing.T) {
	for text, order := range map[string]int{"?": 0, "@": 1, "A?": 2, "A_": 2, "Bw": 3} {
		g, err := values.ParseGraph6(text)
		if err != nil || g.Order != order || g.Graph6() != text {
			t.Errorf("%q: order %d, %q, %v", text, g.Order, g.Graph6(), err)
		}
	}
	for order, prefix := range map[int]string{62: "}", 63: "~??~", 64: "~?@?"} {
		g, err := values.NewGraph(order, nil)
		if err != nil || !strings.HasPrefix(g.Graph6(), prefix) {
			t.Errorf("order %d begins %q, want %q, %v", order, g.Graph6()[:4], prefix, err)
		}
		if back, err := values.ParseGraph6(g.Graph6()); err != nil || back.Order != order {
			t.Errorf("order %d came back as %d, %v", order, back.Order, err)
		}
	}
	for _, bad := range []string{"", "D?", "D?_?", "B\x3e", "~", "~?", "~??", "~~", "~???", "~~?????@", "Bx", ">>graph6<<Bw", "Bw\n", "~???" + strings.Repeat("?", 10)} {
		if g, err := values.ParseGraph6(bad); err == nil {
			t.Errorf("%q was read as a graph of order %d", bad, g.Order)
		}
	}
}

func TestGraph6_RoundTrip(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 1))
	for range 200 {
		n := r.IntN(80)
		var edges [][2]int
		for v := range n {
			for u := range v {
				if r.IntN(3) == 0 {
					edges = append(edges, [2]int{v, u})
				}
			}
		}
		g, err := values.NewGraph(n, edges)
		if err != nil {
			t.Fatal(err)
		}
		back, err := values.ParseGraph6(g.Graph6())
		if err != nil || string(jcs.MustMarshal(back)) != string(jcs.MustMarshal(g)) {
			t.Fatalf("order %d: %v", n, err)
		}
	}
}

// TestGraph_Refusals: loops, repeated edges (C-78) and bad ends are named by their place.
func TestGraph_Refusals(t *testing.T) {
	for text, path := range map[string]string{
		`{"order":2,"edges":[[0,1],[1,0]]}`:            "/edges/1",
		`{"order":3,"edges":[[0,1],[2,2]]}`:            "/edges/1",
		`{"order":2,"edges":[[0,2]]}`:                  "/edges/0/1",
		`{"order":2,"edges":[[0,-1]]}`:                 "/edges/0/1",
		`{"order":2,"edges":[[0]]}`:                    "/edges/0",
		`{"order":-1,"edges":[]}`:                      "/order",
		`{"order":100000,"edges":[]}`:                  "/order",
		`{"order":2}`:                                  "/edges",
		`{"order":2,"edges":[],"loops":true}`:          "/loops",
		`{"graph6":"B"}`:                               "/graph6",
		`{"graph6":"Bw","order":3}`:                    "/graph6",
		`{"order":2,"edges":[["__import__('os')",1]]}`: "/edges/0/0",
		`[[0,1]]`: "",
	} {
		var g values.Graph
		err := jcs.Decode([]byte(text), &g)
		if e, ok := err.(*jcs.Error); !ok || e.Path != path || e.Expected == "" || e.Found == "" {
			t.Errorf("%s: %v, want a refusal at %q", text, err, path)
		}
	}
}

func FuzzParseGraph6(f *testing.F) {
	for _, s := range []string{"?", "Bw", "D?_", "~??~", "KhCKM?_EGK?L"} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, s string) {
		if g, err := values.ParseGraph6(s); err == nil && g.Graph6() != s {
			t.Errorf("%q was read and is written %q", s, g.Graph6())
		}
	})
}
