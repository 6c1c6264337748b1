package sat_test

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/jacobian-ledger/jacobian/capabilities"
	"github.com/jacobian-ledger/jacobian/capabilities/captest"
	"github.com/jacobian-ledger/jacobian/capabilities/packs/sat"
	"github.com/jacobian-ledger/jacobian/capabilities/packs/sat/solve"
	"github.com/jacobian-ledger/jacobian/capabilities/values"
	"github.com/jacobian-ledger/jacobian/events"
	"github.com/jacobian-ledger/jacobian/events/jcs"
	"pgregory.net/rapid"
)

func input(f values.CNF) string { return string(jcs.MustMarshal(map[string]values.CNF{"cnf": f})) }

func output[T any](t *testing.T, id, in string) T {
	t.Helper()
	var out T
	if err := json.Unmarshal([]byte(captest.Output(t, sat.Pack(), id, in)), &out); err != nil {
		t.Fatal(err)
	}
	return out
}

// drawn is a formula of up to eight variables, with repeated literals, tautologies and empty clauses.
func drawn(rt *rapid.T) values.CNF {
	n := rapid.IntRange(1, 8).Draw(rt, "variables")
	lit := rapid.Custom(func(rt *rapid.T) int {
		return rapid.IntRange(1, n).Draw(rt, "v") * rapid.SampledFrom([]int{1, -1}).Draw(rt, "sign")
	})
	least := rapid.SampledFrom([]int{1, 1, 1, 1, 1, 1, 0}).Draw(rt, "least")
	return values.CNF{Variables: n, Clauses: rapid.SliceOfN(rapid.SliceOfN(lit, least, 4), 0, 30).Draw(rt, "clauses")}
}

func TestModelCount_AgreesWithEnumeration(t *testing.T) {
	rapid.Check(t, func(rt *rapid.T) {
		f := drawn(rt)
		want := fmt.Sprintf(`{"count":"%d"}`, len(models(f)))
		if got := captest.Output(t, sat.Pack(), "sat.model.count", input(f)); got != want {
			rt.Fatalf("%s: %s, want %s", f.DIMACS(), got, want)
		}
	})
}

// A path of implications x1 → x2 → ... → xn has n + 1 models; a row of independent clauses 3^n.
func TestModelCount_Large(t *testing.T) {
	path, row := values.CNF{Variables: 60}, values.CNF{Variables: 200}
	for v := 1; v < 60; v++ {
		path.Clauses = append(path.Clauses, []int{-v, v + 1})
	}
	for v := 1; v < 200; v += 2 {
		row.Clauses = append(row.Clauses, []int{v, v + 1})
	}
	if got := captest.Output(t, sat.Pack(), "sat.model.count", input(path)); got != `{"count":"61"}` {
		t.Error("path", got)
	}
	if got := captest.Output(t, sat.Pack(), "sat.model.count", input(row)); got != `{"count":"515377520732011331036461129765621272702107522001"}` { // 3^100
		t.Error("row", got)
	}
}

// Paths of n clauses (x or y) over n+1 variables have Fibonacci numbers of models (OEIS A000045).
func TestModelCount_Paths(t *testing.T) {
	a, b := 2, 3 // n = 0, 1
	f := values.CNF{Variables: 1}
	for n := range 60 {
		if got, want := captest.Output(t, sat.Pack(), "sat.model.count", input(f)), fmt.Sprintf(`{"count":"%d"}`, a); got != want {
			t.Fatalf("%d clauses: %s, want %s", n, got, want)
		}
		a, b = b, a+b
		f.Variables++
		f.Clauses = append(f.Clauses, []int{f.Variables - 1, f.Variables})
	}
}

func TestBackbone_AgreesWithEnumeration(t *testing.T) {
	rapid.Check(t, func(rt *rapid.T) {
		f := drawn(rt)
		all := models(f)
		if len(all) == 0 {
			if e := captest.Refusal(t, sat.Pack(), "sat.backbone.compute", input(f)); e.Code != events.CodeNotApplicable {
				rt.Fatal(e)
			}
			return
		}
		want := []int{}
		for v := 1; v <= f.Variables; v++ {
			ones := 0
			for _, m := range all {
				if m[v-1] {
					ones++
				}
			}
			if ones == len(all) {
				want = append(want, v)
			} else if ones == 0 {
				want = append(want, -v)
			}
		}
		if got := output[sat.BackboneOutput](t, "sat.backbone.compute", input(f)); !slices.Equal(got.Backbone, want) {
			rt.Fatalf("%s: %v, want %v", f.DIMACS(), got.Backbone, want)
		}
	})
}

func TestMUS_IsMinimalAndUnsatisfiable(t *testing.T) {
	found := 0
	rapid.Check(t, func(rt *rapid.T) {
		f := drawn(rt)
		if len(models(f)) > 0 {
			if e := captest.Refusal(t, sat.Pack(), "sat.mus.find", input(f)); e.Code != events.CodeNotApplicable {
				rt.Fatal(e)
			}
			return
		}
		found++
		got := output[sat.MUSOutput](t, "sat.mus.find", input(f))
		if len(models(got.CNF)) > 0 || !slices.IsSorted(got.Clauses) || len(got.Clauses) != len(got.CNF.Clauses) {
			rt.Fatalf("%s: %+v", f.DIMACS(), got)
		}
		for i, k := range got.Clauses {
			if !slices.Equal(f.Clauses[k-1], got.CNF.Clauses[i]) {
				rt.Fatalf("clause %d is not %v", k, got.CNF.Clauses[i])
			}
			less := values.CNF{Variables: f.Variables, Clauses: slices.Delete(slices.Clone(got.CNF.Clauses), i, i+1)}
			if len(models(less)) == 0 {
				rt.Fatalf("%s: clause %d of %v is not needed", f.DIMACS(), k, got.Clauses)
			}
		}
	})
	if found == 0 {
		t.Error("no unsatisfiable formula was drawn")
	}
}

// On larger formulas the first refutation rests on more than a minimal subset, which is then cut down.
func TestMUS_Larger(t *testing.T) {
	rng := rand.New(rand.NewPCG(31, 32))
	for found := 0; found < 8; {
		f := random(rng, 25, 140, 3)
		if r, err := solve.Solve(t.Context(), f); err != nil || r.Satisfiable {
			continue
		}
		found++
		got := output[sat.MUSOutput](t, "sat.mus.find", input(f)).CNF
		if r, err := solve.Solve(t.Context(), got); err != nil || r.Satisfiable {
			t.Fatalf("%v, %v", got, err)
		}
		for i := range got.Clauses {
			less := values.CNF{Variables: f.Variables, Clauses: slices.Delete(slices.Clone(got.Clauses), i, i+1)}
			if r, err := solve.Solve(t.Context(), less); err != nil || !r.Satisfiable {
				t.Fatalf("clause %d of %v is not needed, %v", i, got.Clauses, err)
			}
		}
	}
}

// Every assignment of the counted literals extends to a model of the encoding if and only if it meets
// the bound.
func TestCardinality_AgreesWithCounting(t *testing.T) {
	rng := rand.New(rand.NewPCG(7, 7))
	for n := range 6 {
		for bound := range n + 1 {
			for _, relation := range []string{"AT_MOST", "AT_LEAST", "EXACTLY"} {
				lits := make([]int, n)
				for i, v := range rng.Perm(6)[:n] {
					if lits[i] = v + 1; rng.IntN(2) == 0 {
						lits[i] = -lits[i]
					}
				}
				in := string(jcs.MustMarshal(sat.CardinalityInput{Literals: lits, Relation: relation, Bound: bound, Variables: 6}))
				out := output[sat.CardinalityOutput](t, "sat.cardinality.encode", in)
				if out.CNF.Variables != 6+out.Auxiliary {
					t.Fatalf("%s: %+v", in, out)
				}
				if k := bound; relation == "AT_MOST" && 0 < k && k < n && n > 1 {
					if want := 2*n*k + n - 3*k - 1; len(out.CNF.Clauses) != want || out.Auxiliary != (n-1)*k {
						t.Errorf("%s: %d clauses, want %d", in, len(out.CNF.Clauses), want)
					}
				}
				checkBound(t, in, lits, relation, bound, out)
			}
		}
	}
}

func checkBound(t *testing.T, in string, lits []int, relation string, bound int, out sat.CardinalityOutput) {
	t.Helper()
	for m := range 64 {
		f := values.CNF{Variables: out.CNF.Variables, Clauses: slices.Clone(out.CNF.Clauses)}
		for v := range 6 {
			f.Clauses = append(f.Clauses, []int{(v + 1) * (2*(m>>v&1) - 1)})
		}
		k := 0
		for _, l := range lits {
			if (l > 0) == (m>>(max(l, -l)-1)&1 == 1) {
				k++
			}
		}
		want := map[string]bool{"AT_MOST": k <= bound, "AT_LEAST": k >= bound, "EXACTLY": k == bound}[relation]
		if got, err := solve.Solve(t.Context(), f); err != nil || got.Satisfiable != want {
			t.Fatalf("%s: assignment %06b counts %d: satisfiable %v, %v", in, m, k, got.Satisfiable, err)
		}
	}
}

// The counts of a random formula do not change under what must not matter, and add up.
func TestStatistics(t *testing.T) {
	rapid.Check(t, func(rt *rapid.T) {
		f := drawn(rt)
		got := output[sat.Statistics](t, "sat.cnf.statistics", input(f))
		g := values.CNF{Variables: f.Variables, Clauses: slices.Clone(f.Clauses)}
		slices.Reverse(g.Clauses)
		for i, c := range g.Clauses {
			g.Clauses[i] = slices.Clone(c)
			slices.Reverse(g.Clauses[i])
		}
		if d := cmp.Diff(got, output[sat.Statistics](t, "sat.cnf.statistics", input(g))); d != "" {
			rt.Fatal(d)
		}
		clauses, literals := 0, 0
		for _, l := range got.Lengths {
			clauses, literals = clauses+l.Clauses, literals+l.Length*l.Clauses
		}
		distinct := map[string]bool{}
		for _, c := range f.Clauses {
			distinct[fmt.Sprint(slices.Compact(slices.Sorted(slices.Values(c))))] = true
		}
		if clauses != got.Clauses || literals != got.Literals || got.Duplicates != len(f.Clauses)-len(distinct) {
			rt.Fatalf("%s: %+v", f.DIMACS(), got)
		}
	})
}

// Rows of known answers, from DIMACS text to the decision.
func TestKnownAnswers_FromText(t *testing.T) {
	for name, x := range map[string]struct {
		text, want, count string
	}{
		"C-9 comment like a header": {"c p cnf 1 1\np cnf 0 0\n", `{"model":[],"satisfiable":true}`, "1"},
		"C-12 opposite units":       {"p cnf 1 2\n1 0\n-1 0\n", unsat, "0"},
		"C-14 empty clause":         {"p cnf 2 2\n1 2 0\n0\n", unsat, "0"},
		"C-15 tautology":            {"p cnf 1 1\n1 -1 0\n", "", "2"},
		"C-16 repeated literal":     {"p cnf 1 1\n1 1 0\n", `{"model":[1],"satisfiable":true}`, "1"},
		"C-18 SATLIB trailer":       {"p cnf 1 1\n1 0\n%\n0\n", `{"model":[1],"satisfiable":true}`, "1"},
		"C-20 blank line":           {"p cnf 1 1\n1 0\n\n", `{"model":[1],"satisfiable":true}`, "1"},
		"C-22 long comment":         {"c " + strings.Repeat("y", 1020) + " -1 0\np cnf 1 1\n1 0\n", `{"model":[1],"satisfiable":true}`, "1"},
	} {
		t.Run(name, func(t *testing.T) {
			c := captest.Find(t, sat.Pack(), "sat.cnf.materialize")
			_, done, err := captest.Call(t, c, string(jcs.MustMarshal(map[string]string{"dimacs": x.text})))
			if err != nil || len(done.Staged) != 2 {
				t.Fatal(err, len(done.Staged))
			}
			in := `{"cnf":` + string(done.Staged[0].Data) + `}`
			if got := captest.Output(t, sat.Pack(), "sat.model.find", in); x.want != "" && got != x.want {
				t.Errorf("%s, want %s", got, x.want)
			}
			if got := captest.Output(t, sat.Pack(), "sat.model.count", in); got != `{"count":"`+x.count+`"}` {
				t.Errorf("count %s, want %s", got, x.count)
			}
			if f, _, err := values.ParseDIMACS(done.Staged[1].Data); err != nil || string(jcs.MustMarshal(f)) != string(done.Staged[0].Data) {
				t.Errorf("the two artifacts differ: %v", err)
			}
		})
	}
}

func TestRefusals(t *testing.T) {
	for _, x := range []struct{ name, id, in, path string }{
		{"bad line", "sat.cnf.materialize", `{"dimacs":"p cnf 1 1\n2 0\n"}`, "/dimacs"},
		{"neither", "sat.cnf.materialize", `{}`, "/dimacs"},
		{"both", "sat.cnf.materialize", `{"dimacs":"p cnf 0 0\n","cnf":{"variables":0,"clauses":[]}}`, "/dimacs"},
		{"literal out of range", "sat.model.find", `{"cnf":{"variables":1,"clauses":[[2]]}}`, "/cnf/clauses/0/0"},
		{"zero in a clause", "sat.cnf.statistics", `{"cnf":{"variables":1,"clauses":[[1,0]]}}`, "/cnf/clauses/0/1"},
		{"text as a formula", "sat.model.find", `{"cnf":"p cnf 1 1\n1 0\n"}`, "/cnf"},
		{"counting too many variables", "sat.model.count", `{"cnf":{"variables":100001,"clauses":[]}}`, "/cnf/variables"},
		{"bound too large", "sat.cardinality.encode", `{"literals":[1],"relation":"AT_MOST","bound":2,"variables":1}`, "/bound"},
		{"negative bound", "sat.cardinality.encode", `{"literals":[1],"relation":"AT_MOST","bound":-1,"variables":1}`, "/bound"},
		{"variable twice", "sat.cardinality.encode", `{"literals":[1,-1],"relation":"AT_MOST","bound":1,"variables":1}`, "/literals/1"},
		{"unknown variable", "sat.cardinality.encode", `{"literals":[3],"relation":"AT_MOST","bound":1,"variables":1}`, "/literals/0"},
		{"unknown relation", "sat.cardinality.encode", `{"literals":[1],"relation":"AT","bound":1,"variables":1}`, "/relation"},
		{"unknown format", "sat.unsat_proof.verify", `{"cnf":{"variables":0,"clauses":[]},"format":"rup","proof":"0"}`, "/format"},
		{"unknown deletions", "sat.drat.verify", `{"cnf":{"variables":0,"clauses":[]},"proof":"0","deletions":"strict"}`, "/deletions"},
	} {
		t.Run(x.name, func(t *testing.T) {
			if e := captest.Refusal(t, sat.Pack(), x.id, x.in); e.Path != x.path || e.Expected == "" || e.Actual == "" {
				t.Errorf("%+v, want path %s", e, x.path)
			}
		})
	}
}

func TestVerify_ProofSpellings(t *testing.T) {
	c := captest.Find(t, sat.Pack(), "sat.drat.verify")
	for in, path := range map[string]string{
		`{"cnf":{"variables":1,"clauses":[[1],[-1]]},"proof_base64":"YQA=","deletions":"STRICT"}`:             "",
		`{"cnf":{"variables":1,"clauses":[[1],[-1]]},"proof_base64":"YQA","deletions":"STRICT"}`:              "/proof_base64",
		`{"cnf":{"variables":1,"clauses":[[1],[-1]]},"proof":"0","proof_base64":"YQA=","deletions":"STRICT"}`: "/proof_base64",
	} {
		call, _, err := captest.Call(t, c, in)
		if err != nil {
			t.Fatal(err)
		}
		sub, err := call.Submit()
		if path != "" {
			if err == nil || !strings.Contains(err.Error(), path) {
				t.Errorf("%s: %v", in, err)
			}
			continue
		}
		if err != nil || sub.Format != "drat-binary" || string(sub.Certificate) != "a\x00" {
			t.Errorf("%s: %+v, %v", in, sub, err)
		}
	}
}

// A search that is stopped says what it did, and decides nothing.
func TestCancelled(t *testing.T) {
	f := values.CNF{Variables: 110}
	for p := range 11 { // eleven pigeons, ten holes
		var c []int
		for h := range 10 {
			c = append(c, 10*p+h+1)
			for q := range p {
				f.Clauses = append(f.Clauses, []int{-(10*p + h + 1), -(10*q + h + 1)})
			}
		}
		f.Clauses = append(f.Clauses, c)
	}
	for _, id := range []string{"sat.model.find", "sat.unsat_proof.find", "sat.mus.find", "sat.backbone.compute", "sat.model.count"} {
		v, err := jcs.Parse([]byte(input(f)))
		if err != nil {
			t.Fatal(err)
		}
		call, err := captest.Find(t, sat.Pack(), id).Admit(v)
		if err != nil {
			t.Fatal(err)
		}
		ctx, cancel := context.WithCancel(t.Context())
		env := captest.Env()
		env.Report = func(capabilities.Progress) { cancel() }
		if id == "sat.model.count" {
			cancel()
		}
		done, err := call.Run(ctx, env)
		if !errors.Is(err, context.Canceled) || done.Scope == nil || done.Conclusion == events.True || done.Conclusion == events.False {
			t.Errorf("%s: %+v, %v", id, done, err)
		}
	}
}
