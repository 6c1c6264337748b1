package graph_test

import (
	"fmt"
	"os/exec"
	"strings"
	"testing"

	"github.com/jacobian-ledger/jacobian/capabilities/values"
)

// TestAtlas_Geng compares the atlas with nauty's generator: as many graphs of every order, connected or
// not, and to order 5 each isomorphic to exactly one.
func TestAtlas_Geng(t *testing.T) {
	geng, err := exec.LookPath("nauty-geng")
	if err != nil {
		if geng, err = exec.LookPath("geng"); err != nil {
			t.Skip("SKIP: nauty is not installed (scripts/setup installs it): no second opinion on the atlas")
		}
	}
	list := func(args ...string) []string {
		t.Helper()
		out, err := exec.Command(geng, append([]string{"-q"}, args...)...).Output()
		if err != nil {
			t.Fatal(err)
		}
		return strings.Fields(string(out))
	}
	for n := 1; n <= 7; n++ {
		if ours, theirs := atlas(t, fmt.Sprintf(`{"min_order":%d,"max_order":%d}`, n, n)).Total, len(list(fmt.Sprint(n))); ours != theirs {
			t.Errorf("order %d: %d, nauty has %d", n, ours, theirs)
		}
		if ours, theirs := atlas(t, fmt.Sprintf(`{"min_order":%d,"max_order":%d,"connected":true}`, n, n)).Total, len(list("-c", fmt.Sprint(n))); ours != theirs {
			t.Errorf("connected, order %d: %d, nauty has %d", n, ours, theirs)
		}
	}
	ours := atlas(t, `{"min_order":5,"max_order":5,"limit":200}`).Graphs
	for _, text := range list("5") {
		g, err := values.ParseGraph6(text)
		if err != nil {
			t.Fatal(err)
		}
		same := 0
		for _, o := range ours {
			h, err := values.ParseGraph6(o)
			if err != nil {
				t.Fatal(err)
			}
			if isomorphic(g, h) {
				same++
			}
		}
		if same != 1 {
			t.Errorf("%s is isomorphic to %d graphs of the atlas", text, same)
		}
	}
}
