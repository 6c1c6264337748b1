package lrat_test

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"testing"

	"github.com/jacobian-ledger/jacobian/capabilities/checkers/lrat"
	"github.com/jacobian-ledger/jacobian/capabilities/values"
)

func cnf(n int, clauses ...[]int) values.CNF { return values.CNF{Variables: n, Clauses: clauses} }

func square() values.CNF { return cnf(2, []int{1, 2}, []int{-1, 2}, []int{1, -2}, []int{-1, -2}) }

// extended has a refutation that needs RAT: 4 is defined as "1 and 2" by three clauses.
func extended() values.CNF {
	return cnf(2, []int{1, 2}, []int{-1, 2}, []int{1, -2}, []int{-1, -2})
}

const extendedProof = `5 3 -1 -2 0 0
6 -3 1 0 -5 0
7 -3 2 0 -5 0
8 -3 0 6 7 4 0
9 -1 0 2 4 0
10 0 9 1 3 0
`

func TestCheck(t *testing.T) {
	satisfiableSquare := cnf(2, []int{1, 2}, []int{-1, 2}, []int{1, -2}, []int{-1, 2})
	for _, x := range []struct {
		name  string
		f     values.CNF
		proof string
		want  lrat.Reason // "" accepts
	}{
		{"C-1 last hint satisfied", satisfiableSquare, "5 2 0 1 2 0\n6 0 5 3 4 0\n", lrat.HintSatisfied},
		{"C-2 empty clause out of nothing", cnf(1, []int{1}), "99999999 0 0\n", lrat.NoConflict},
		{"C-3", square(), "5 2 0 1 2 0\n6 0 5 3 4 0\n", ""},
		{"C-4 hints out of order", square(), "5 2 0 1 2 0\n6 0 4 3 5 0\n", lrat.HintNotUnit},
		{"C-4 last line missing", square(), "5 2 0 1 2 0\n", lrat.NotRefuted},
		{"C-4 own id as hint", square(), "5 0 5 0\n", lrat.HintMissing},
		{"C-4 deleted before use", square(), "5 2 0 1 2 0\n5 d 3 0\n6 0 5 3 4 0\n", lrat.HintMissing},
		{"C-4 wrong literal", square(), "5 -2 0 1 2 0\n6 0 5 3 4 0\n", lrat.HintSatisfied},
		{"C-4 just an empty clause", square(), "5 0 0\n", lrat.NoConflict},
		{"C-6 a derivation that is no refutation", cnf(2, []int{1}, []int{2, -1}), "3 2 0 1 2 0\n", lrat.NotRefuted},
		{"C-9 empty formula, empty proof", cnf(0), "", lrat.NotRefuted},
		{"C-9 empty formula, empty clause", cnf(0), "1 0 0\n", lrat.NoConflict},
		{"C-12 opposite units", cnf(1, []int{1}, []int{-1}), "3 0 1 2 0\n", ""},
		{"C-14 empty clause of the formula", cnf(2, []int{1, 2}, nil), "3 0 2 0", ""},
		{"C-14 not pointed at", cnf(2, []int{1, 2}, nil), "", lrat.NotRefuted},
		{"C-15 tautology", cnf(1, []int{1, -1}), "2 0 1 0\n", lrat.HintNotUnit},
		{"C-16 repeated literals are unit", cnf(1, []int{1, 1}, []int{-1, -1}), "3 0 1 2 0\n", ""},
		{"repeated literal in a lemma", square(), "5 2 2 0 1 2 0\n6 0 5 3 4 0\n", ""},
		{"one step", square(), "5 0 1 2 3 4 0\n", lrat.HintNotUnit},
		{"hints after the conflict", square(), "5 2 0 1 2 0\n6 0 5 3 4 1 0\n", lrat.HintExtra},
		{"a hint twice", square(), "5 2 0 1 1 2 0\n", lrat.HintSatisfied},
		{"id in use", square(), "4 2 0 1 2 0\n", lrat.IDNotFresh},
		{"id repeated", square(), "5 2 0 1 2 0\n5 0 5 3 4 0\n", lrat.IDNotFresh},
		{"gaps in ids", square(), "7 2 0 1 2 0\n900000000000000000 0 7 3 4 0\n", ""},
		{"gap at a lemma", square(), "900000000000000 2 0 1 2 0\n900000000000001 0 900000000000000 3 4 0\n", ""},
		{"deleted twice", square(), "5 2 0 1 2 0\n5 d 1 1 0\n6 0 5 3 4 0\n", lrat.DeleteMissing},
		{"deleted after use", square(), "5 2 0 1 2 0\n5 d 1 2 0\n6 0 5 3 4 0\n", ""},
		{"deletion of nothing", square(), "4 d 0\n5 2 0 1 2 0\n6 0 5 3 4 0\n", ""},
		{"deletion with an old id", square(), "5 2 0 1 2 0\n4 d 1 0\n6 0 5 3 4 0\n", lrat.IDNotFresh},
		{"tautology added", square(), "5 1 -1 0 0\n6 2 0 1 2 0\n7 0 6 3 4 0\n", ""},
		{"tautology with hints", square(), "5 1 -1 0 1 0\n", lrat.HintExtra},
		{"RAT by definition", extended(), extendedProof, ""},
		{"RAT group missing", extended(), strings.Replace(extendedProof, "7 -3 2 0 -5 0", "7 -3 2 0 0", 1), lrat.NoConflict},
		{"RAT incomplete", cnf(3, []int{3, 1}, []int{3, -1}, []int{1, 2}), "4 -3 1 0 -2 0", lrat.RATIncomplete},
		{"RAT group of another clause", extended(), strings.Replace(extendedProof, "7 -3 2 0 -5 0", "7 -3 2 0 -1 0", 1), lrat.RATCandidate},
		{"RAT group twice", extended(), strings.Replace(extendedProof, "7 -3 2 0 -5 0", "7 -3 2 0 -5 -5 0", 1), lrat.RATCandidate},
		{"RAT group without a conflict", cnf(2, []int{1, 2}), "2 -1 0 -1 0\n", lrat.NoConflict},
		{"RAT of a missing clause", cnf(2, []int{1, 2}), "2 -1 0 -9 0\n", lrat.HintMissing},
		{"RAT on another literal than the first", extended(), strings.Replace(extendedProof, "6 -3 1", "6 1 -3", 1), lrat.RATIncomplete},
		{"RAT group that assumes the candidate", cnf(6, []int{-1, 3}, []int{3, 5, 6}, []int{3, 5, -6}), "4 1 5 0 -1 2 3 0\n", lrat.NotRefuted},
		{"RAT group out of order", cnf(6, []int{-1, 3}, []int{3, 5, 6}, []int{3, 5, -6}, []int{3, 5}), "5 1 5 0 -1 4 2 0\n", lrat.HintExtra},
		{"RAT group with a hint that is not unit", cnf(6, []int{-1, 3}, []int{3, 4, 6}), "3 1 5 0 -1 2 0\n", lrat.HintNotUnit},
		{"RAT group keeps nothing of the one before", cnf(6, []int{-1, 3}, []int{-1, 4}, []int{3, 5, 6}, []int{3, 5, -6}), "5 1 5 0 -1 3 4 -2 3 4 0\n", lrat.HintNotUnit},
		{"RAT with hints before the groups", cnf(6, []int{-1, 3}, []int{5, 6}, []int{3, -6}), "4 1 5 0 2 -1 3 0\n", lrat.NotRefuted},
		{"RAT group of a deleted clause", cnf(6, []int{-1, 3}, []int{3, 5, 6}, []int{3, 5, -6}), "3 d 1 0\n4 1 5 0 -1 2 3 0\n", lrat.HintMissing},
		{"RAT after the last candidate is deleted", cnf(6, []int{-1, 3}, []int{3, 5}), "2 d 1 0\n3 1 5 0 0\n", lrat.NotRefuted},
		{"RAT candidate added later", cnf(6, []int{2, 4}), "2 -1 2 0 0\n3 1 0 0\n", lrat.NoConflict},
		{"RAT of the other sign after the first index", cnf(6, []int{2, 4}), "2 -1 2 0 0\n3 5 0 0\n4 -5 1 0 0\n", lrat.NoConflict},
		{"RAT with one candidate deleted and one left out", cnf(6, []int{-1, 3}, []int{-1, 4}), "3 5 6 0 0\n3 d 1 0\n4 1 5 0 0\n", lrat.NoConflict},
		{"RAT for the empty clause", cnf(1, []int{1}), "2 0 -1 0\n", lrat.NoConflict},
		{"new variable far away", square(), "5 10000000 0 0\n6 2 0 1 2 0\n7 0 6 3 4 0\n", ""},
		{"variable too large", square(), "5 10000001 0 0\n", lrat.LiteralRange},
		{"the negative of it", square(), "5 -10000000 0 0\n6 2 0 1 2 0\n7 0 6 3 4 0\n", ""},
		{"variable too large, negative", square(), "5 -10000001 0 0\n", lrat.LiteralRange},
		{"id zero", square(), "0 2 0 1 2 0\n", lrat.Syntax},
		{"deletion of a negative id", square(), "5 d -1 0\n", lrat.Syntax},
		{"deletion cut", square(), "5 d 1", lrat.Syntax},
		{"deletion of id beyond all", square(), "5 d 999999999999999999 0\n", lrat.DeleteMissing},
		{"far clause deleted before use", square(), "900000000000000 2 0 1 2 0\n900000000000000 d 900000000000000 0\n900000000000001 0 900000000000000 3 4 0\n", lrat.HintMissing},
		{"RAT candidate with a far id missing", cnf(6, []int{2, 4}), "900000000000000 -1 2 0 0\n900000000000001 1 0 0\n", lrat.NoConflict},
		{"step letter d in a word", square(), "5 d1 0\n", lrat.Syntax},
		{"negative id", square(), "-5 2 0 1 2 0\n", lrat.Syntax},
		{"word", square(), "5 2 0 1 x 0\n", lrat.Syntax},
		{"plus", square(), "5 +2 0 1 2 0\n", lrat.Syntax},
		{"leading zero", square(), "5 02 0 1 2 0\n", lrat.Syntax},
		{"minus zero", square(), "5 2 -0 1 2 0\n", lrat.Syntax},
		{"cut in the hints", square(), "5 2 0 1 2", lrat.Syntax},
		{"cut in the clause", square(), "5 2", lrat.Syntax},
		{"19 digits", square(), "5 2 0 1 1000000000000000002 0\n", lrat.Syntax},
		{"comment", square(), "c hello\n5 2 0 1 2 0\n", lrat.Syntax},
		{"binary", square(), "a\x0a\x04\x00", lrat.Syntax},
		{"verdict instead of a proof", square(), "s VERIFIED\n", lrat.Syntax},
		{"tabs and CRLF", square(), "5\t2 0\r\n1\t2 0\r\n6 0 5 3 4 0\r\n", ""},
		{"hints over lines", square(), "5\t2\t0 1 2\r\n0\r\n6 0 5 3 4 0\r\n", ""},
		{"form feed", square(), "5\f2 0 1 2 0\n6 0 5 3 4 0\n", lrat.Syntax},
		{"all on one line", square(), "5 2 0 1 2 0 6 0 5 3 4 0", ""},
	} {
		t.Run(x.name, func(t *testing.T) {
			_, err := lrat.Check(x.f, []byte(x.proof))
			var r *lrat.Rejection
			switch {
			case x.want == "" && err != nil:
				t.Error(err)
			case x.want != "" && (!errors.As(err, &r) || r.Reason != x.want):
				t.Errorf("error %v, want %s", err, x.want)
			}
		})
	}
}

func TestCheck_Stats(t *testing.T) {
	got, err := lrat.Check(extended(), []byte(strings.Replace(extendedProof, "9 -1 0", "8 d 5 6 0\n9 -1 0", 1)+"rest"))
	want := lrat.Stats{Added: 6, RAT: 3, Deleted: 2, Hints: 10, Trailing: 4}
	if err != nil || got != want {
		t.Errorf("%+v, %v, want %+v", got, err, want)
	}
}

func TestCheck_MalformedFormula(t *testing.T) {
	var r *lrat.Rejection
	if _, err := lrat.Check(cnf(1, []int{2}), []byte("2 0 1 0")); err == nil || errors.As(err, &r) {
		t.Errorf("error %v, want one about the formula", err)
	}
}

func TestCheck_ContextEnds(t *testing.T) {
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if _, err := lrat.CheckContext(ctx, square(), []byte("5 2 0 1 2 0\n")); !errors.Is(err, context.Canceled) {
		t.Errorf("error %v", err)
	}
}

// models lists whether f has one; extension variables of a proof do not matter for it.
func satisfiable(f values.CNF) bool {
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

// Without clause k the extended formula is satisfiable, and no proof may pass.
func TestCheck_EveryClauseMatters(t *testing.T) {
	for k := range 4 {
		f := extended()
		f.Clauses[k] = []int{1, 2, -1}
		if !satisfiable(f) {
			t.Fatal("expected a satisfiable formula")
		}
		if _, err := lrat.Check(f, []byte(extendedProof)); err == nil {
			t.Errorf("without clause %d the proof is still accepted", k+1)
		}
	}
}

func FuzzCheck(f *testing.F) {
	f.Add(uint16(0), "5 2 0 1 2 0\n6 0 5 3 4 0\n")
	f.Add(uint16(3), extendedProof)
	f.Add(uint16(77), "5 1 -1 0 0\n5 d 1 2 0\n900000000000000000 0 7 3 4 0\n")
	f.Fuzz(func(t *testing.T, seed uint16, proof string) {
		// The seed picks four binary or unit clauses over three variables.
		g := cnf(3)
		for i := range 4 {
			a, b := int(seed>>(4*i)&3), int(seed>>(4*i+2)&3)
			lits := []int{1, -1, 2, -3}
			g.Clauses = append(g.Clauses, []int{lits[a], lits[3-b] * (1 - 2*(i&1))})
		}
		if _, err := lrat.Check(g, []byte(proof)); err == nil && satisfiable(g) {
			t.Fatalf("%v is satisfiable, but this was accepted:\n%s", g.Clauses, proof)
		}
	})
}

// chain derives n units one after the other.
func chain(n int) (values.CNF, []byte) {
	f := cnf(n, []int{1})
	var b strings.Builder
	for v := 1; v < n; v++ {
		f.Clauses = append(f.Clauses, []int{-v, v + 1})
	}
	f.Clauses = append(f.Clauses, []int{-n})
	last := 1
	for v := 2; v <= n; v++ {
		fmt.Fprintf(&b, "%d %d 0 %d %d 0\n", n+v, v, last, v)
		last = n + v
	}
	fmt.Fprintf(&b, "%d 0 %d %d 0\n", 2*n+1, last, n+1)
	return f, []byte(b.String())
}

func BenchmarkCheck_Chain(b *testing.B) {
	f, proof := chain(200_000)
	b.SetBytes(int64(len(proof)))
	for b.Loop() {
		if _, err := lrat.Check(f, proof); err != nil {
			b.Fatal(err)
		}
	}
}
