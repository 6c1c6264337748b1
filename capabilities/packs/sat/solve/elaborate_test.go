package solve_test

import (
	"context"
	"errors"
	"math/rand/v2"
	"strconv"
	"strings"
	"testing"

	"github.com/crillab/gophersat/solver"
	"github.com/jacobian-ledger/jacobian/capabilities/checkers/lrat"
	"github.com/jacobian-ledger/jacobian/capabilities/packs/sat/solve"
	"github.com/jacobian-ledger/jacobian/capabilities/values"
)

// certificate is what gophersat learns while it refutes f.
func certificate(t *testing.T, f values.CNF) (clauses [][]int, unsat bool) {
	t.Helper()
	s := solver.New(solver.ParseSliceNb(f.Clauses, f.Variables))
	s.Certified, s.CertChan = true, make(chan string)
	lines := make(chan []string)
	go func() {
		var all []string
		for l := range s.CertChan {
			all = append(all, l)
		}
		lines <- all
	}()
	unsat = s.Solve() == solver.Unsat
	close(s.CertChan)
	for _, line := range <-lines {
		var c []int
		for _, w := range strings.Fields(line) {
			n, err := strconv.Atoi(w)
			if err != nil {
				t.Fatal(err)
			}
			if n != 0 {
				c = append(c, n)
			}
		}
		clauses = append(clauses, c)
	}
	return clauses, unsat
}

// The certificates of another solver become LRAT that the checker accepts, without one clause refused.
func TestElaborate_Gophersat(t *testing.T) {
	rng := rand.New(rand.NewPCG(41, 42))
	formulas := []values.CNF{pigeons(4), pigeons(5), pigeons(6)}
	for range 25 {
		formulas = append(formulas, random(rng, 60, 300, 3), colouring(rng, 25, 70, 3), random(rng, 30, 60, 2))
	}
	refuted := 0
	for _, f := range formulas {
		clauses, unsat := certificate(t, f)
		if !unsat {
			continue
		}
		refuted++
		proof, err := solve.Elaborate(t.Context(), f, append(clauses, nil))
		if err != nil {
			t.Fatalf("%.300s: %v", f.DIMACS(), err)
		}
		if _, err := lrat.Check(f, proof); err != nil {
			t.Fatalf("%.300s: %v", f.DIMACS(), err)
		}
	}
	if refuted < 50 {
		t.Errorf("only %d formulas were refuted", refuted)
	}
}

func TestElaborate(t *testing.T) {
	square := values.CNF{Variables: 2, Clauses: [][]int{{1, 2}, {-1, 2}, {1, -2}, {-1, -2}}}
	for _, x := range []struct {
		name    string
		f       values.CNF
		clauses [][]int
		want    string // "" if an error
		refused int    // clause, or -1 for ErrNotRefuted
	}{
		{"C-3", square, [][]int{{2}, {}}, "5 2 0 1 2 0\n5 d 1 2 0\n6 1 0 5 3 0\n6 d 3 0\n7 0 6 5 4 0\n", 0},
		{"repeated literal and tautology", square, [][]int{{1, -1}, {2, 2}, {}}, "5 2 0 1 2 0\n5 d 1 2 0\n6 1 0 5 3 0\n6 d 3 0\n7 0 6 5 4 0\n", 0},
		{"C-12 without a proof", values.CNF{Variables: 1, Clauses: [][]int{{1}, {-1}}}, nil, "3 0 1 2 0\n", 0},
		{"C-14", values.CNF{Variables: 2, Clauses: [][]int{{1, 2}, {}}}, nil, "3 0 2 0\n", 0},
		{"not implied", values.CNF{Variables: 2, Clauses: [][]int{{1, 2}}}, [][]int{{1, 2}, {1}}, "", 1},
		{"unknown variable", square, [][]int{{3}}, "", 0},
		{"zero", square, [][]int{{0}}, "", 0},
		{"empty clause too early", square, [][]int{{}}, "", 0},
		{"no empty clause", values.CNF{Variables: 2, Clauses: [][]int{{1, 2}, {1, -2}}}, [][]int{{1}}, "", -1},
		{"implied by a unit", values.CNF{Variables: 2, Clauses: [][]int{{1}}}, [][]int{{1}}, "", -1},
	} {
		t.Run(x.name, func(t *testing.T) {
			proof, err := solve.Elaborate(t.Context(), x.f, x.clauses)
			var n *solve.NotImpliedError
			switch {
			case x.want != "":
				if err != nil || string(proof) != x.want {
					t.Errorf("%q, %v, want %q", proof, err, x.want)
				}
				if _, err := lrat.Check(x.f, proof); err != nil {
					t.Error(err)
				}
			case x.refused < 0:
				if !errors.Is(err, solve.ErrNotRefuted) {
					t.Errorf("%q, %v", proof, err)
				}
			case !errors.As(err, &n) || n.Clause != x.refused:
				t.Errorf("%q, %v, want clause %d refused", proof, err, x.refused)
			}
		})
	}
}

func TestElaborate_ContextEnds(t *testing.T) {
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if _, err := solve.Elaborate(ctx, pigeons(3), [][]int{{1}}); !errors.Is(err, context.Canceled) {
		t.Errorf("error %v", err)
	}
}
