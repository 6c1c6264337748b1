package drat_test

import (
	"context"
	"errors"
	"strings"
	"testing"

	"github.com/jacobian-ledger/jacobian/capabilities/checkers"
	"github.com/jacobian-ledger/jacobian/capabilities/checkers/drat"
	"github.com/jacobian-ledger/jacobian/capabilities/values"
	"github.com/jacobian-ledger/jacobian/events"
	"pgregory.net/rapid"
)

func cnf(n int, clauses ...[]int) values.CNF { return values.CNF{Variables: n, Clauses: clauses} }

func square() values.CNF { return cnf(2, []int{1, 2}, []int{-1, 2}, []int{1, -2}, []int{-1, -2}) }

// encode writes a text proof in binary.
func encode(t testing.TB, text string) string {
	t.Helper()
	var b strings.Builder
	open := false
	for _, w := range strings.Fields(text) {
		if w == "d" {
			b.WriteByte('d')
			open = true
			continue
		}
		if !open {
			b.WriteByte('a')
			open = true
		}
		n := 0
		for _, d := range strings.TrimPrefix(w, "-") {
			n = 10*n + int(d-'0')
		}
		if n *= 2; w[0] == '-' {
			n++
		}
		for ; n >= 128; n >>= 7 {
			b.WriteByte(byte(n) | 128)
		}
		b.WriteByte(byte(n))
		open = w != "0"
	}
	return b.String()
}

func TestCheck(t *testing.T) {
	units := cnf(2, []int{1}, []int{-1, 2}, []int{-1, -2})
	for _, x := range []struct {
		name    string
		f       values.CNF
		proof   string
		strict  drat.Reason // "" accepts
		relaxed drat.Reason
	}{
		{"C-3 as RUP", square(), "2 0\n0\n", "", ""},
		{"C-1 satisfiable", cnf(2, []int{1, 2}, []int{-1, 2}, []int{1, -2}, []int{-1, 2}), "2 0\n0\n", drat.NotImplied, drat.NotImplied},
		{"C-2 satisfiable unit", cnf(1, []int{1}), "0\n", drat.NotImplied, drat.NotImplied},
		{"C-6 no refutation", cnf(2, []int{1}, []int{2, -1}), "2 0\n", drat.NotRefuted, drat.NotRefuted},
		{"C-9 empty formula, empty proof", cnf(0), "", drat.NotRefuted, drat.NotRefuted},
		{"C-9 empty formula, empty clause", cnf(0), "0", drat.NotImplied, drat.NotImplied},
		{"C-11 unit deleted", units, "d 1 0\n0\n", drat.NotImplied, ""},
		{"C-11 unit kept", units, "0\n", "", ""},
		{"C-12 opposite units", cnf(1, []int{1}, []int{-1}), "0\n", "", ""},
		{"C-14 empty clause", cnf(2, []int{1, 2}, nil), "0\n", "", ""},
		{"C-14 empty clause deleted", cnf(2, []int{1, 2}, nil), "d 0\n0\n", drat.NotImplied, ""},
		{"C-15 tautology", cnf(1, []int{1, -1}), "0\n", drat.NotImplied, drat.NotImplied},
		{"C-15 tautology deleted", cnf(1, []int{1, -1}, []int{1}, []int{-1}), "d -1 1 0\n0\n", "", ""},
		{"C-16 repeated literals", cnf(1, []int{1, 1}, []int{-1, -1}), "0\n", "", ""},
		{"C-16 deleted without repetition", cnf(1, []int{1, 1}), "d 1 0\n-1 0\n", drat.NotRefuted, drat.NotImplied},
		{"empty clause not stated", cnf(1, []int{1}, []int{-1}), "", drat.NotRefuted, drat.NotRefuted},
		{"RAT definition", square(), "3 -1 -2 0\n-3 1 0\n-3 2 0\n-3 0\n-1 0\n0\n", "", ""},
		{"RAT on the first literal only", square(), "3 -1 -2 0\n1 -3 0\n0\n", drat.NotImplied, drat.NotImplied},
		{"RAT against satisfiability", cnf(2, []int{1, 2}), "-1 0\n-2 0\n0\n", drat.NotImplied, drat.NotImplied},
		{"RAT, resolvent always true", cnf(3, []int{1, 2}, []int{-1, 3}), "1 -3 0\n", drat.NotRefuted, drat.NotRefuted},
		{"neither RUP nor RAT", cnf(3, []int{1, 2}, []int{-1, 3}), "1 -2 0\n", drat.NotImplied, drat.NotImplied},
		{"RAT by propagation", cnf(6, []int{-1, 3}, []int{3, 5, 6}, []int{3, 5, -6}), "1 5 0\n", drat.NotRefuted, drat.NotRefuted},
		{"RAT on the second literal", cnf(6, []int{-1, 3}, []int{-5, 2}, []int{3, 5, 6}, []int{3, 5, -6}), "5 1 0\n", drat.NotImplied, drat.NotImplied},
		{"RAT by a deleted clause", cnf(6, []int{-1, 3}, []int{3, 5, 6}, []int{3, 5, -6}), "d 6 5 3 0\n1 5 0\n", drat.NotImplied, drat.NotImplied},
		{"RAT, second candidate fails", cnf(6, []int{-1, 3}, []int{-1, 4}, []int{3, 5, 6}, []int{3, 5, -6}), "1 5 0\n", drat.NotImplied, drat.NotImplied},
		{"RAT, failing candidate deleted", cnf(6, []int{-1, 3}, []int{-1, 4}, []int{3, 5, 6}, []int{3, 5, -6}), "d 4 -1 0\n1 5 0\n", drat.NotRefuted, drat.NotRefuted},
		{"RAT, candidate a tautology", cnf(6, []int{-1, 3, -3}, []int{1, 2}), "1 5 0\n", drat.NotRefuted, drat.NotRefuted},
		{"reason of a unit deleted", cnf(3, []int{1}, []int{-1, 2}, []int{-2, 3}, []int{-3}), "d -1 2 0\n0\n", drat.NotImplied, ""},
		{"clause deleted that no unit rests on", cnf(3, []int{1}, []int{1, 2}, []int{-1, 3}), "d 2 1 0\n3 0\n0\n", drat.NotImplied, drat.NotImplied},
		{"one of two copies deleted", cnf(1, []int{1}, []int{1}, []int{-1}), "d 1 0\n0\n", "", ""},
		{"deletion in another order", square(), "2 0\nd 2 1 0\n0\n", "", ""},
		{"deleted too early", square(), "d 1 2 0\n2 0\n0\n", drat.NotImplied, drat.NotImplied},
		{"deletion of an absent clause", square(), "d 1 2 3 0\n2 0\n0\n", drat.DeleteMissing, ""},
		{"C-14 another clause deleted", cnf(2, []int{1, 2}, nil, []int{2}), "d 2 0\n0\n", "", ""},
		{"far variable, both signs", cnf(10_000_000, []int{9999999, 1}, []int{-9999999, 1}, []int{-1}), "0\n", "", ""},
		{"far variable, one sign", cnf(10_000_000, []int{9999999, 1}, []int{9999999, 1}, []int{-1}), "0\n", drat.NotImplied, drat.NotImplied},
		{"watched clause after deleted ones", cnf(4, []int{1, 2}, []int{1, 3}, []int{1, 4}, []int{-4}, []int{-1, 4}), "d 1 2 0\nd 1 3 0\n0\n", "", ""},
		{"clauses that move their watch", cnf(5, []int{1, 2, 3}, []int{1, 2, 4}, []int{1, 5}, []int{-5, 2}, []int{-2, 1}), "1 0\n-1 0\n0\n", drat.NotImplied, drat.NotImplied},
		{"clauses that move their watch, refuted", cnf(5, []int{1, 2, 3}, []int{1, 2, 4}, []int{1, 5}, []int{-5, 2}, []int{-2, 1}, []int{-1}), "0\n", "", ""},
		{"tabs and CRLF", square(), "2\t0\r\n0\r\n", "", ""},
		{"form feed", square(), "2\f0\n0\n", drat.Syntax, drat.Syntax},
		{"comment without newline", square(), "2 0\nc 0", drat.NotRefuted, drat.NotRefuted},
		{"d alone", square(), "d", drat.Syntax, drat.Syntax},
		{"d in a word", square(), "d1 0\n", drat.Syntax, drat.Syntax},
		{"comment", square(), "c 0\n2 0\nc -1 0\n0\n", "", ""},
		{"comment in a clause", square(), "2\nc 0\n0\n", drat.Syntax, drat.Syntax},
		{"word", square(), "2 x 0\n", drat.Syntax, drat.Syntax},
		{"verdict", square(), "s VERIFIED\n", drat.Syntax, drat.Syntax},
		{"cut", square(), "2", drat.Syntax, drat.Syntax},
		{"leading zero", square(), "02 0\n", drat.Syntax, drat.Syntax},
		{"minus zero", square(), "2 -0\n", drat.Syntax, drat.Syntax},
		{"too large", square(), "10000001 0\n", drat.LiteralRange, drat.LiteralRange},
		{"11 digits", square(), "10000000001 0\n", drat.Syntax, drat.Syntax},
	} {
		for option, want := range map[drat.Deletion]drat.Reason{drat.Strict: x.strict, drat.UnitDeletionsIgnored: x.relaxed} {
			t.Run(x.name+" "+string(option), func(t *testing.T) {
				stats, err := drat.Check(t.Context(), x.f, []byte(x.proof), drat.Options{Deletion: option})
				checkReason(t, err, want)
				if err == nil && stats.Deletion != option {
					t.Errorf("the meaning of deletion is recorded as %q", stats.Deletion)
				}
				if want != drat.Syntax && want != drat.LiteralRange && !strings.Contains(x.proof, "c") {
					_, err := drat.Check(t.Context(), x.f, []byte(encode(t, x.proof)), drat.Options{Deletion: option, Binary: true})
					checkReason(t, err, want)
				}
			})
		}
	}
}

func checkReason(t *testing.T, err error, want drat.Reason) {
	t.Helper()
	var r *drat.Rejection
	switch {
	case want == "" && err != nil:
		t.Error(err)
	case want != "" && (!errors.As(err, &r) || r.Reason != want):
		t.Errorf("error %v, want %s", err, want)
	}
}

func TestCheck_Binary(t *testing.T) {
	for name, x := range map[string]struct {
		proof string
		want  drat.Reason
	}{
		"C-3":               {"a\x04\x00a\x00", ""},
		"text read as such": {"2 0\n0\n", drat.Syntax},
		"no step letter":    {"\x04\x00", drat.Syntax},
		"minus zero":        {"a\x04\x01\x00", drat.Syntax},
		"longer than due":   {"a\x84\x00\x00a\x00", drat.Syntax},
		"six groups":        {"a\x84\x80\x80\x80\x80\x01\x00", drat.Syntax},
		"cut in a group":    {"a\x84", drat.Syntax},
		"cut in a clause":   {"a\x04", drat.Syntax},
		"too large":         {"a\xff\xff\xff\xff\x07\x00", drat.LiteralRange},
	} {
		t.Run(name, func(t *testing.T) {
			_, err := drat.Check(t.Context(), square(), []byte(x.proof), drat.Options{Binary: true})
			checkReason(t, err, x.want)
		})
	}
}

func TestCheck_RefusesOptionsAndFormula(t *testing.T) {
	var r *drat.Rejection
	if _, err := drat.Check(t.Context(), square(), nil, drat.Options{Deletion: "MAYBE"}); err == nil || errors.As(err, &r) {
		t.Errorf("unknown deletion: %v", err)
	}
	if _, err := drat.Check(t.Context(), cnf(1, []int{3}), nil, drat.Options{}); err == nil || errors.As(err, &r) {
		t.Errorf("malformed formula: %v", err)
	}
}

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

// Random small formulas with random steps: additions in any order, deletions of present clauses, and
// RAT steps by chance. Whatever is accepted must be about an unsatisfiable formula, under both meanings.
func TestCheck_Soundness(t *testing.T) {
	accepted := 0
	rapid.Check(t, func(rt *rapid.T) {
		n := rapid.IntRange(1, 4).Draw(rt, "variables")
		lit := rapid.Custom(func(rt *rapid.T) int {
			l := rapid.IntRange(1, n+1).Draw(rt, "v")
			if rapid.Bool().Draw(rt, "negated") {
				return -l
			}
			return l
		})
		f := cnf(n+1, rapid.SliceOfN(rapid.SliceOfN(lit, 1, 3), 3, 14).Draw(rt, "clauses")...)
		var b strings.Builder
		have := append([][]int{}, f.Clauses...)
		for range rapid.IntRange(0, 8).Draw(rt, "steps") {
			c := rapid.SliceOfN(lit, 1, 2).Draw(rt, "clause")
			if rapid.IntRange(0, 3).Draw(rt, "delete") == 0 {
				c = have[rapid.IntRange(0, len(have)-1).Draw(rt, "which")]
				b.WriteString("d ")
			} else {
				have = append(have, c)
			}
			d := cnf(0, c).DIMACS()
			b.Write(d[strings.IndexByte(string(d), '\n')+1:])
		}
		b.WriteString("0\n")
		for _, o := range []drat.Deletion{drat.Strict, drat.UnitDeletionsIgnored} {
			if _, err := drat.Check(context.Background(), f, []byte(b.String()), drat.Options{Deletion: o}); err == nil {
				accepted++
				if satisfiable(f) {
					rt.Fatalf("accepted under %s for a satisfiable formula:\n%s\n%s", o, f.DIMACS(), b.String())
				}
			}
		}
	})
	if accepted == 0 {
		t.Error("no random proof was accepted: the property tests nothing")
	}
}

func TestCheck_Stats(t *testing.T) {
	proof := "d 1 2 3 0\n9999999 0\nd 9999999 0\n3 4 0\nd 4 3 0\n2 0\nd 1 2 0\n0\nrest"
	got, err := drat.Check(t.Context(), square(), []byte(proof), drat.Options{Deletion: drat.UnitDeletionsIgnored})
	want := drat.Stats{Added: 4, RAT: 2, Deleted: 1, IgnoredDeletions: 3, Trailing: 4, Deletion: drat.UnitDeletionsIgnored}
	if err != nil || got != want {
		t.Errorf("%+v, %v, want %+v", got, err, want)
	}
}

func TestCheck_ContextEnds(t *testing.T) {
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if _, err := drat.Check(ctx, square(), []byte(strings.Repeat("1 -1 0\n", 100)), drat.Options{}); !errors.Is(err, context.Canceled) {
		t.Errorf("error %v", err)
	}
}

// A rejection names the clause in the variables of the proof.
func TestCheck_RejectionDetail(t *testing.T) {
	_, err := drat.Check(t.Context(), cnf(9, []int{7, 9}), []byte("8 0\n-7 0\n"), drat.Options{})
	var r *drat.Rejection
	if !errors.As(err, &r) || r.Step != 2 || r.Offset != 8 || !strings.HasPrefix(r.Detail, "-7 0; the resolvent with 7 9 0") {
		t.Errorf("%v", err)
	}
}

func TestChecker(t *testing.T) {
	k := drat.Checker()
	for format, proof := range map[string]string{
		drat.FormatText: "2 0\n0\n", drat.FormatBinary: "a\x04\x00a\x00", drat.FormatTextRelaxed: "d 9 0 2 0 0 x", drat.FormatBinaryRelaxed: "d\x12\x00a\x04\x00a\x00",
	} {
		if !k.Handles(drat.Predicate, format) {
			t.Errorf("%s is not handled", format)
		}
		for _, x := range []struct {
			semantics, args, candidate string
			want                       events.Conclusion
		}{
			{"sat/1", `{"cnf":{"variables":2,"clauses":[[1,2],[-1,2],[1,-2],[-1,-2]]}}`, `{"model":[],"satisfiable":false}`, events.False},
			{"sat/2", `{"cnf":{"variables":2,"clauses":[[1,2],[-1,2],[1,-2],[-1,-2]]}}`, `{"model":[],"satisfiable":false}`, events.Unknown},
			{"sat/1", `{"cnf":{"variables":2,"clauses":[[1,2],[-1,2],[1,-2]]}}`, `{"model":[],"satisfiable":false}`, events.Unknown},
			{"sat/1", `{"cnf":{"variables":1,"clauses":[[1,2],[-1,2],[1,-2],[-1,-2]]}}`, `{"model":[],"satisfiable":false}`, events.Unknown},
			{"sat/1", `{"cnf":{"variables":2,"clauses":[[1,2],[-1,2],[1,-2],[-1,-2]]}}`, `{"model":[],"satisfiable":true}`, events.Unknown},
			{"sat/1", `{"cnf":{"variables":2,"clauses":[[1,2],[-1,2],[1,-2],[-1,-2]]}}`, `{"model":[2],"satisfiable":false}`, events.Unknown},
		} {
			v, err := k.Check(t.Context(), checkers.Evidence{
				Claim: events.Claim{Semantics: x.semantics, Predicate: drat.Predicate, Args: []byte(x.args)}, Candidate: []byte(x.candidate),
				Format: format, Certificate: []byte(proof),
			})
			if err != nil || v.Conclusion != x.want || v.Accepted != (x.want == events.False) {
				t.Errorf("%s %s %s: %+v, %v", format, x.args, x.candidate, v, err)
			}
		}
	}
}

func FuzzCheck(f *testing.F) {
	f.Add(uint16(0), "2 0\n0\n", false)
	f.Add(uint16(1), "3 -1 -2 0\n-3 1 0\n-3 2 0\n-3 0\n-1 0\n0\n", false)
	f.Add(uint16(2), "a\x04\x00a\x00", true)
	f.Fuzz(func(t *testing.T, seed uint16, proof string, binary bool) {
		g := cnf(3)
		for i := range 4 {
			a, b := int(seed>>(4*i)&3), int(seed>>(4*i+2)&3)
			lits := []int{1, -1, 2, -3}
			g.Clauses = append(g.Clauses, []int{lits[a], lits[3-b] * (1 - 2*(i&1))})
		}
		for _, o := range []drat.Deletion{drat.Strict, drat.UnitDeletionsIgnored} {
			if _, err := drat.Check(t.Context(), g, []byte(proof), drat.Options{Binary: binary, Deletion: o}); err == nil && satisfiable(g) {
				t.Fatalf("%v is satisfiable, but this was accepted:\n%s", g.Clauses, proof)
			}
		}
	})
}
