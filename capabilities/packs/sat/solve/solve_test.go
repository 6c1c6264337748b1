package solve_test

import (
	"context"
	"errors"
	"math/rand/v2"
	"testing"

	"github.com/crillab/gophersat/solver"
	"github.com/google/go-cmp/cmp"
	"github.com/jacobian-ledger/jacobian/capabilities/checkers/lrat"
	"github.com/jacobian-ledger/jacobian/capabilities/packs/sat/solve"
	"github.com/jacobian-ledger/jacobian/capabilities/values"
	"pgregory.net/rapid"
)

// decide solves f and has the evidence checked by the independent means.
func decide(t testing.TB, f values.CNF) solve.Result {
	t.Helper()
	r, err := solve.Solve(context.Background(), f)
	if err != nil {
		t.Fatalf("%.300s: %v", f.DIMACS(), err)
	}
	if r.Satisfiable {
		if ok, clause := f.Satisfied(r.Model); !ok || r.LRAT != nil {
			t.Fatalf("the model falsifies clause %d", clause+1)
		}
		return r
	}
	if _, err := lrat.Check(f, r.LRAT); err != nil {
		t.Fatalf("%.300s\n%.500s: %v", f.DIMACS(), r.LRAT, err)
	}
	return r
}

func random(rng *rand.Rand, n, m, width int) values.CNF {
	f := values.CNF{Variables: n}
	for range m {
		c := make([]int, width)
		for i := range c {
			if c[i] = rng.IntN(n) + 1; rng.IntN(2) == 0 {
				c[i] = -c[i]
			}
		}
		f.Clauses = append(f.Clauses, c)
	}
	return f
}

// pigeons puts n+1 pigeons into n holes: variable n*p+h+1 says that pigeon p sits in hole h.
func pigeons(n int) values.CNF {
	f := values.CNF{Variables: n * (n + 1)}
	at := func(p, h int) int { return n*p + h + 1 }
	for p := range n + 1 {
		var c []int
		for h := range n {
			c = append(c, at(p, h))
		}
		f.Clauses = append(f.Clauses, c)
	}
	for h := range n {
		for p := range n + 1 {
			for q := range p {
				f.Clauses = append(f.Clauses, []int{-at(p, h), -at(q, h)})
			}
		}
	}
	return f
}

// colouring asks for a colouring of a random graph.
func colouring(rng *rand.Rand, n, edges, k int) values.CNF {
	f := values.CNF{Variables: n * k}
	at := func(v, c int) int { return k*v + c + 1 }
	for v := range n {
		var c []int
		for i := range k {
			c = append(c, at(v, i))
		}
		f.Clauses = append(f.Clauses, c)
	}
	for range edges {
		u, v := rng.IntN(n), rng.IntN(n)
		for c := range k {
			if u != v {
				f.Clauses = append(f.Clauses, []int{-at(u, c), -at(v, c)})
			}
		}
	}
	return f
}

func TestSolve_KnownAnswers(t *testing.T) {
	for name, x := range map[string]struct {
		f    values.CNF
		want bool
	}{
		"C-1 satisfiable square":          {values.CNF{Variables: 2, Clauses: [][]int{{1, 2}, {-1, 2}, {1, -2}, {-1, 2}}}, true},
		"C-3 all four clauses":            {values.CNF{Variables: 2, Clauses: [][]int{{1, 2}, {-1, 2}, {1, -2}, {-1, -2}}}, false},
		"C-6 chain":                       {values.CNF{Variables: 2, Clauses: [][]int{{1}, {2, -1}}}, true},
		"C-9 empty formula":               {values.CNF{}, true},
		"C-11 unit and two binaries":      {values.CNF{Variables: 2, Clauses: [][]int{{1}, {-1, 2}, {-1, -2}}}, false},
		"C-12 opposite units":             {values.CNF{Variables: 1, Clauses: [][]int{{1}, {-1}}}, false},
		"C-14 empty clause":               {values.CNF{Variables: 2, Clauses: [][]int{{1, 2}, {}}}, false},
		"C-15 tautology":                  {values.CNF{Variables: 1, Clauses: [][]int{{1, -1}}}, true},
		"C-16 repeated literal":           {values.CNF{Variables: 1, Clauses: [][]int{{1, 1}}}, true},
		"C-16 repeated literals, opposed": {values.CNF{Variables: 1, Clauses: [][]int{{1, 1}, {-1, -1}}}, false},
		"example 4":                       {values.CNF{Variables: 3, Clauses: [][]int{{1}, {-1}, {2, 3}}}, false},
		"example 5, four variables":       {values.CNF{Variables: 4, Clauses: [][]int{{1, 2}, {-1, 3}, {-2, 3}, {-3, 4}, {-4, 1}}}, true},
		"example 6, 3 pigeons":            {pigeons(2), false},
		"7 pigeons":                       {pigeons(6), false},
		"unused variables":                {values.CNF{Variables: 9, Clauses: [][]int{{2}}}, true},
	} {
		t.Run(name, func(t *testing.T) {
			if r := decide(t, x.f); r.Satisfiable != x.want {
				t.Errorf("satisfiable %v, want %v", r.Satisfiable, x.want)
			}
		})
	}
}

// bruteForce tries all assignments.
func bruteForce(f values.CNF) bool {
	model := make([]bool, f.Variables)
	for m := range 1 << f.Variables {
		for v := range model {
			model[v] = m>>v&1 == 1
		}
		if ok, _ := f.Satisfied(model); ok {
			return true
		}
	}
	return false
}

func TestSolve_AgreesWithBruteForce(t *testing.T) {
	rapid.Check(t, func(rt *rapid.T) {
		n := rapid.IntRange(1, 12).Draw(rt, "variables")
		lit := rapid.Custom(func(rt *rapid.T) int {
			l := rapid.IntRange(1, n).Draw(rt, "v")
			if rapid.Bool().Draw(rt, "negated") {
				return -l
			}
			return l
		})
		f := values.CNF{Variables: n, Clauses: rapid.SliceOfN(rapid.SliceOfN(lit, 1, 4), 0, 5*n).Draw(rt, "clauses")}
		if r := decide(t, f); r.Satisfiable != bruteForce(f) {
			rt.Fatalf("%s: satisfiable %v", f.DIMACS(), r.Satisfiable)
		}
	})
}

func TestSolve_Families(t *testing.T) {
	rng := rand.New(rand.NewPCG(1, 2))
	unsat := 0
	for range 30 {
		if !decide(t, random(rng, 100, 440, 3)).Satisfiable {
			unsat++
		}
		decide(t, colouring(rng, 40, 95, 3))
		decide(t, random(rng, 500, 1700, 3))
	}
	if unsat == 0 || unsat == 30 {
		t.Errorf("%d of 30 formulas at the threshold are unsatisfiable, expected a mixture", unsat)
	}
}

// Local search finds the models of large formulas below the threshold.
func TestSolve_LargeSatisfiable(t *testing.T) {
	rng := rand.New(rand.NewPCG(8, 9))
	for _, f := range []values.CNF{random(rng, 2000, 7600, 3), random(rng, 5000, 18000, 3), random(rng, 3000, 22000, 4)} {
		if !decide(t, f).Satisfiable {
			t.Errorf("%d variables, %d clauses: expected a model", f.Variables, len(f.Clauses))
		}
	}
}

func TestSolve_IsDeterministic(t *testing.T) {
	rng := rand.New(rand.NewPCG(10, 11))
	for range 5 {
		f := random(rng, 120, 520, 3)
		if d := cmp.Diff(decide(t, f), decide(t, f)); d != "" {
			t.Fatal(d)
		}
	}
}

// The core is unsatisfiable by itself.
func TestSolve_Core(t *testing.T) {
	rng := rand.New(rand.NewPCG(12, 13))
	for range 20 {
		f := random(rng, 40, 220, 3)
		r := decide(t, f)
		if r.Satisfiable {
			continue
		}
		core := values.CNF{Variables: f.Variables}
		for _, k := range r.Core {
			core.Clauses = append(core.Clauses, f.Clauses[k])
		}
		if decide(t, core).Satisfiable {
			t.Fatalf("the core %v is satisfiable", r.Core)
		}
	}
}

// opponent asks gophersat, which may panic.
func opponent(f values.CNF) (satisfiable, answered bool) {
	defer func() { _ = recover() }()
	status := solver.New(solver.ParseSliceNb(f.Clauses, f.Variables)).Solve()
	return status == solver.Sat, status != solver.Indet
}

func TestSolve_AgreesWithGophersat(t *testing.T) {
	rng := rand.New(rand.NewPCG(14, 15))
	answers := 0
	for k := range 150 {
		f := []values.CNF{random(rng, 50, 215, 3), random(rng, 60, 70, 2), colouring(rng, 25, 57, 3)}[k%3]
		want, answered := opponent(f)
		if got := decide(t, f).Satisfiable; answered && got != want {
			t.Fatalf("%s: satisfiable %v, gophersat says %v", f.DIMACS(), got, want)
		}
		if answered {
			answers++
		}
	}
	if answers < 100 {
		t.Errorf("gophersat answered only %d of 150", answers)
	}
}

func TestSolve_ContextEnds(t *testing.T) {
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if _, err := solve.Solve(ctx, pigeons(12)); !errors.Is(err, context.Canceled) {
		t.Errorf("error %v, want that of the context", err)
	}
}

func TestSolve_InvalidFormula(t *testing.T) {
	if _, err := solve.Solve(t.Context(), values.CNF{Variables: 1, Clauses: [][]int{{2}}}); err == nil {
		t.Error("a literal out of range was accepted")
	}
}

func BenchmarkSolve_Pigeons8(b *testing.B) {
	for b.Loop() {
		decide(b, pigeons(8))
	}
}

func BenchmarkSolve_Random200(b *testing.B) {
	f := random(rand.New(rand.NewPCG(5, 6)), 200, 900, 3)
	for b.Loop() {
		decide(b, f)
	}
}
