package values_test

import (
	"errors"
	"fmt"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/jacobian-ledger/jacobian/capabilities/values"
	"github.com/jacobian-ledger/jacobian/events/jcs"
	"pgregory.net/rapid"
)

func TestParseDIMACS(t *testing.T) {
	for _, x := range []struct {
		name, text string
		want       values.CNF
		notes      int
	}{
		{"C-9 comment like a header", "c p cnf 1 1\np cnf 0 0\n", values.CNF{Clauses: [][]int{}}, 0},
		{"C-12", "p cnf 1 2\n1 0\n-1 0\n", values.CNF{Variables: 1, Clauses: [][]int{{1}, {-1}}}, 0},
		{"C-14 empty clause", "p cnf 2 2\n1 2 0\n0\n", values.CNF{Variables: 2, Clauses: [][]int{{1, 2}, {}}}, 0},
		{"C-15 tautology", "p cnf 1 1\n1 -1 0\n", values.CNF{Variables: 1, Clauses: [][]int{{1, -1}}}, 1},
		{"C-16 repeated literal", "p cnf 1 1\n1 1 0\n", values.CNF{Variables: 1, Clauses: [][]int{{1, 1}}}, 1},
		{"C-18 SATLIB trailer", "p cnf 1 1\n1 0\n%\n0\n\n", values.CNF{Variables: 1, Clauses: [][]int{{1}}}, 1},
		{"C-20 blank line at the end", "p cnf 1 1\n1 0\n\n", values.CNF{Variables: 1, Clauses: [][]int{{1}}}, 0},
		{"C-20 no newline at the end", "p cnf 1 1\n1 0", values.CNF{Variables: 1, Clauses: [][]int{{1}}}, 0},
		{"clause over lines", "p cnf 3 1\n1\n-2\tc\n", values.CNF{}, -1},
		{"clause over lines, comment between", "p cnf 3 2\n1\nc 7 0\n -2 3 0 2\r\n0\n", values.CNF{Variables: 3, Clauses: [][]int{{1, -2, 3}, {2}}}, 0},
		{"blanks before header and comment", "  c x\n \tp  cnf\t1  1 \r\n 1 0", values.CNF{Variables: 1, Clauses: [][]int{{1}}}, 0},
		{"comment without newline", "p cnf 0 0\nc", values.CNF{Clauses: [][]int{}}, 0},
		{"long clause with repetition and both signs", "p cnf 9 1\n1 2 3 4 5 6 7 8 9 1 -9 0\n", values.CNF{Variables: 9, Clauses: [][]int{{1, 2, 3, 4, 5, 6, 7, 8, 9, 1, -9}}}, 2},
	} {
		t.Run(x.name, func(t *testing.T) {
			got, notes, err := values.ParseDIMACS([]byte(x.text))
			if x.notes < 0 {
				if err == nil {
					t.Errorf("accepted as %v", got)
				}
				return
			}
			if err != nil {
				t.Fatal(err)
			}
			if d := cmp.Diff(x.want, got); d != "" || len(notes) != x.notes {
				t.Errorf("%s\nnotes %q, want %d", d, notes, x.notes)
			}
		})
	}
}

// C-22: however long the comment is, and wherever a buffer would end, nothing in it is a clause.
func TestParseDIMACS_CommentsAreNeverParsed(t *testing.T) {
	for n := 1018; n <= 1040; n++ {
		comment := "c " + strings.Repeat("x", n-2-5) + " -1 0"
		got, _, err := values.ParseDIMACS([]byte(comment + "\np cnf 1 1\n" + comment + "\n1 0\n" + comment))
		if err != nil || len(comment) != n {
			t.Fatal(n, len(comment), err)
		}
		if d := cmp.Diff(values.CNF{Variables: 1, Clauses: [][]int{{1}}}, got); d != "" {
			t.Errorf("length %d: %s", n, d)
		}
	}
}

func TestParseDIMACS_Errors(t *testing.T) {
	for _, x := range []struct {
		name, text string
		line       int
	}{
		{"empty", "", 1},
		{"no header", "1 0\n", 1},
		{"header in a comment only", "c p cnf 1 1\n1 0\n", 2},
		{"header of another format", "p wcnf 1 1\n1 0\n", 1},
		{"header cut", "p cnf 1\n1 0\n", 2},
		{"header without counts", "p cnf", 1},
		{"header not first in its line", "c\nx p cnf 1 1\n", 2},
		{"clause in the header line", "p cnf 1 1 1 0\n", 1},
		{"two headers", "p cnf 1 1\np cnf 1 1\n1 0\n", 2},
		{"negative count", "p cnf 1 -1\n", 1},
		{"too many variables", "p cnf 99999999 0\n", 1},
		{"variable out of range", "p cnf 1 1\n\n2 0\n", 3},
		{"negative out of range", "p cnf 1 1\n-2 0\n", 2},
		{"plus", "p cnf 1 1\n+1 0\n", 2},
		{"leading zero", "p cnf 1 1\n01 0\n", 2},
		{"minus zero", "p cnf 1 1\n1 -0\n", 2},
		{"fraction", "p cnf 1 1\n1.0 0\n", 2},
		{"exponent", "p cnf 1 1\n1e0 0\n", 2},
		{"word", "p cnf 1 1\nx 0\n", 2},
		{"huge", "p cnf 1 1\n18446744073709551617 0\n", 2},
		{"no end of the last clause", "p cnf 1 1\n1\n", 3},
		{"too few clauses", "p cnf 1 2\n1 0\n", 3},
		{"too many clauses", "p cnf 1 1\n1 0\n-1 0\n", 3},
		{"too many empty clauses", "p cnf 1 1\n1 0\n0\n", 3},
		{"C-18 percent too early", "p cnf 1 2\n1 0\n%\n0\n", 3},
		{"C-18 percent in a clause", "p cnf 1 1\n1 % 0\n", 2},
		{"C-18 something after percent", "p cnf 1 1\n1 0\n%\n-1 0\n", 4},
		{"text after the end", "p cnf 1 1\n1 0\ns UNSATISFIABLE\n", 3},
		{"comment sign inside a line", "p cnf 1 1\n1 0 c\n", 2},
		{"NUL", "p cnf 1 1\n1 0\n\x00", 3},
	} {
		t.Run(x.name, func(t *testing.T) {
			f, _, err := values.ParseDIMACS([]byte(x.text))
			var d *values.DIMACSError
			if !errors.As(err, &d) || d.Line != x.line || d.Expected == "" || d.Found == "" {
				t.Errorf("%v, %v, want an error in line %d", f, err, x.line)
			}
		})
	}
}

func TestCNF_Wire(t *testing.T) {
	var f values.CNF
	if err := jcs.Decode([]byte(`{"variables":3,"clauses":[[1,-2],[],[3]]}`), &f); err != nil {
		t.Fatal(err)
	}
	if got := string(jcs.MustMarshal(f)); got != `{"clauses":[[1,-2],[],[3]],"variables":3}` {
		t.Error(got)
	}
	if got := string(jcs.MustMarshal(values.CNF{Clauses: [][]int{nil}})); got != `{"clauses":[[]],"variables":0}` {
		t.Error(got)
	}
	for bad, path := range map[string]string{
		`{"variables":1,"clauses":[[2]]}`:                 "/clauses/0/0",
		`{"variables":1,"clauses":[[1],[1,0]]}`:           "/clauses/1/1",
		`{"variables":1,"clauses":[[-9007199254740991]]}`: "/clauses/0/0",
		`{"variables":-1,"clauses":[]}`:                   "/variables",
		`{"variables":10000001,"clauses":[]}`:             "/variables",
		`{"variables":1,"clauses":[1]}`:                   "/clauses/0",
		`{"variables":1,"clauses":[["1"]]}`:               "/clauses/0/0",
		`{"variables":1}`:                                 "/clauses",
		`{"clauses":[]}`:                                  "/variables",
		`{"variables":1,"clauses":[],"Clauses":[]}`:       "/Clauses",
		`"p cnf 1 0"`:                                     "",
	} {
		var e *jcs.Error
		if err := jcs.Decode([]byte(bad), &f); !errors.As(err, &e) || e.Path != path || e.Expected == "" || e.Found == "" {
			t.Errorf("%s: %v, want an error at %q", bad, err, path)
		}
	}
}

func cnfs(rt *rapid.T) values.CNF {
	n := rapid.IntRange(0, 9).Draw(rt, "variables")
	f := values.CNF{Variables: n, Clauses: [][]int{}}
	if n == 0 {
		return f
	}
	lit := rapid.Custom(func(rt *rapid.T) int {
		return rapid.IntRange(1, n).Draw(rt, "v") * rapid.SampledFrom([]int{1, -1}).Draw(rt, "sign")
	})
	f.Clauses = append(f.Clauses, rapid.SliceOfN(rapid.SliceOfN(lit, 0, 12), 0, 6).Draw(rt, "clauses")...)
	return f
}

func TestCNF_RoundTrips(t *testing.T) {
	rapid.Check(t, func(rt *rapid.T) {
		f := cnfs(rt)
		if g, _, err := values.ParseDIMACS(f.DIMACS()); err != nil || cmp.Diff(f, g) != "" {
			rt.Fatalf("DIMACS: %v, %v", err, cmp.Diff(f, g))
		}
		var g values.CNF
		if err := jcs.Decode(jcs.MustMarshal(f), &g); err != nil || cmp.Diff(f, g) != "" {
			rt.Fatalf("JSON: %v, %v", err, cmp.Diff(f, g))
		}
	})
}

func TestCNF_Satisfied(t *testing.T) {
	f := values.CNF{Variables: 2, Clauses: [][]int{{1, -2}, {2}}}
	for _, x := range []struct {
		model  []bool
		ok     bool
		clause int
	}{{[]bool{true, true}, true, 0}, {[]bool{false, true}, false, 0}, {[]bool{true, false}, false, 1}, {[]bool{true}, false, -1}, {nil, false, -1}} {
		if ok, clause := f.Satisfied(x.model); ok != x.ok || clause != x.clause {
			t.Errorf("%v: %v, %d", x.model, ok, clause)
		}
	}
}

func FuzzParseDIMACS(f *testing.F) {
	for _, s := range []string{"c p cnf 1 1\np cnf 0 0\n", "p cnf 2 2\n1 2 0\n0\n", "p cnf 1 1\n1 0\n%\n0\n", "p cnf 3 2\n1\nc 7 0\n -2 3 0 2\r\n0\n"} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, text string) {
		g, _, err := values.ParseDIMACS([]byte(text))
		if err != nil {
			return
		}
		if err := g.Validate(); err != nil {
			t.Fatalf("accepted an invalid formula: %v", err)
		}
		h, _, err := values.ParseDIMACS(g.DIMACS())
		if err != nil || cmp.Diff(g, h) != "" {
			t.Fatalf("%v\n%s", err, cmp.Diff(g, h))
		}
		// An independent reader: comment lines out, words as numbers.
		if strings.Contains(text, "%") {
			return
		}
		var words []string
		for _, line := range strings.Split(text, "\n") {
			if w := strings.Fields(line); len(w) > 0 && w[0][0] != 'c' {
				words = append(words, w...)
			}
		}
		got := strings.Join(strings.Fields(string(g.DIMACS())), " ")
		if want := strings.Join(words, " "); got != want {
			t.Fatalf("read %q as %q", want, got)
		}
	})
}

func ExampleParseDIMACS() {
	f, notes, err := values.ParseDIMACS([]byte("c two clauses\np cnf 2 2\n1 -2 0\n2 2 0\n"))
	fmt.Println(f.Clauses, notes, err)
	// Output: [[1 -2] [2 2]] [1 clauses repeat a literal, first in line 4; a repeated literal counts once] <nil>
}
