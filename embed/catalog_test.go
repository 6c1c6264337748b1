package embed_test

import (
	"encoding/json"
	"testing"

	"github.com/jacobian-ledger/jacobian/embed"
	"github.com/jacobian-ledger/jacobian/events"
	"github.com/jacobian-ledger/jacobian/query"
	"github.com/jacobian-ledger/jacobian/query/querytest"
)

// TestFind_RealCatalog asks the shipped catalog what people ask. The questions were written beside the
// operations' phrases, not from them.
func TestFind_RealCatalog(t *testing.T) {
	n := open(t, t.TempDir())
	all, err := n.Catalog(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	if len(all) < 60 {
		t.Errorf("%d operations, expected at least 60", len(all))
	}
	one := func(text string, want ...string) querytest.Question {
		return querytest.Question{Text: text, Want: want}
	}
	querytest.Test(t, all, []querytest.Question{
		one("show that this graph cannot be coloured with 3 colours", "graph.k_coloring.decide"),
		one("is this graph 3-colourable", "graph.k_coloring.decide"),
		one("greatest common divisor", "integer.compute.gcd"),
		one("least common multiple of two numbers", "integer.compute.lcm"),
		one("factor a large number into primes", "integer.compute.prime_factorization"),
		one("prove that 2^89-1 is prime", "integer.decide.prime"),
		one("what is the inverse of 3 modulo 7", "modular.compute.inverse"),
		one("chinese remainder theorem", "modular.solve.chinese_remainder"),
		one("discrete logarithm modulo a prime", "modular.compute.discrete_logarithm"),
		one("find a satisfying assignment of a CNF", "sat.model.find"),
		one("check an LRAT proof", "sat.lrat.verify", "sat.unsat_proof.verify"),
		one("check a DRAT refutation", "sat.drat.verify", "sat.unsat_proof.verify"),
		one("how many models does this formula have", "sat.model.count"),
		one("minimal unsatisfiable subset of clauses", "sat.mus.find"),
		one("are these two graphs isomorphic", "graph.isomorphism.decide"),
		one("maximum matching with proof of optimality", "graph.invariant.maximum_matching.compute"),
		one("largest clique", "graph.invariant.clique_number.compute"),
		one("maximum independent set", "graph.invariant.independence_number.compute"),
		one("path visiting every vertex exactly once", "graph.hamiltonian_path.decide"),
		one("all graphs with 6 vertices that are triangle-free", "graph.search.atlas"),
		one("minimum spanning tree", "graph.spanning_tree.minimum.compute"),
		one("all-pairs distances in a graph", "graph.distance_matrix.compute"),
		one("how many colours does a graph need at least", "graph.invariant.chromatic_number.compute"),
		one("give me the Petersen graph", "graph.construct.family"),
		one("number of divisors", "integer.compute.divisor_count"),
		one("Euler's totient function", "integer.compute.euler_totient"),
		one("continued fraction of a rational number", "rational.compute.continued_fraction"),
		one("add two fractions", "rational.compute.sum"),
		one("is this number a perfect square", "integer.decide.square"),
		one("next prime after a number", "integer.compute.next_prime"),
		one("digits of a number in base 7", "integer.transform.base_digits"),
		one("quuxonium frobnicator"),
		one("independently verify this natural-language proof trace"),
		one("best pizza in Naples"),
	}, 0.85, 0.94)
}

// TestFind_Budgets: a default answer stays within 1.2 KB and a contract within 4 KB, over the whole
// catalog.
func TestFind_Budgets(t *testing.T) {
	n := open(t, t.TempDir())
	all, err := n.Catalog(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	size := func(q query.FindRequest) int {
		a, err := n.Find(t.Context(), q)
		if err != nil {
			t.Fatal(err)
		}
		b, err := json.Marshal(a)
		if err != nil {
			t.Fatal(err)
		}
		return len(b)
	}
	for _, d := range all {
		if s := size(query.FindRequest{Query: d.Title}); s > 1200 {
			t.Errorf("a search for %q answers %d bytes", d.Title, s)
		}
		if s := size(query.FindRequest{CapabilityID: d.CapabilityID, View: query.Contract}); s > 4<<10 {
			t.Errorf("the contract of %s has %d bytes", d.CapabilityID, s)
		}
	}
}

// TestCatalog_ExamplesRun runs every example of every operation through the whole service, and those
// that can be verified in mode VERIFY too: the checker must accept what the operation says.
func TestCatalog_ExamplesRun(t *testing.T) {
	n := open(t, t.TempDir())
	all, err := n.Catalog(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	for i, d := range all {
		if testing.Short() && i%10 != 0 {
			continue // with the race detector each process takes a second to start
		}
		for _, x := range d.Examples {
			res := n.Run(t.Context(), events.Request{CapabilityID: d.CapabilityID, Mode: x.Mode, Input: x.Input}, embed.RunOptions{})
			if res.Execution.Status != events.StatusCompleted {
				if d.Kind == "SERVICE" {
					continue // refers to what is not on this ledger
				}
				t.Errorf("%s %s: %s %+v", d.CapabilityID, x.Name, res.Execution.Status, res.Failure())
				continue
			}
			if len(d.Modes) < 2 {
				continue
			}
			res = n.Run(t.Context(), events.Request{CapabilityID: d.CapabilityID, Mode: events.Verify, Input: x.Input}, embed.RunOptions{})
			if res.Execution.Status != events.StatusCompleted || res.Assurance.Level != events.Verified && res.Conclusion != events.Unknown {
				t.Errorf("%s %s in VERIFY: %s %s %+v", d.CapabilityID, x.Name, res.Execution.Status, res.Assurance.Level, res.Diagnostics)
			}
		}
	}
	rep, err := n.Replay(t.Context())
	if err != nil || !rep.Clean() {
		t.Errorf("replay: %+v, %v", rep, err)
	}
}
