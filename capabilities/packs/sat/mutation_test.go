package sat_test

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/jacobian-ledger/jacobian/capabilities/checkers"
	"github.com/jacobian-ledger/jacobian/capabilities/checkers/cnfmodel"
	"github.com/jacobian-ledger/jacobian/capabilities/checkers/drat"
	"github.com/jacobian-ledger/jacobian/capabilities/checkers/lrat"
	"github.com/jacobian-ledger/jacobian/capabilities/packs/sat/solve"
	"github.com/jacobian-ledger/jacobian/capabilities/values"
	"github.com/jacobian-ledger/jacobian/events"
	"github.com/jacobian-ledger/jacobian/events/jcs"
)

func random(rng *rand.Rand, n, m, width int) values.CNF {
	f := values.CNF{Variables: n, Clauses: [][]int{}}
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

// models lists all satisfying assignments, by the definition.
func models(f values.CNF) [][]bool {
	var out [][]bool
	for m := range 1 << f.Variables {
		model := make([]bool, f.Variables)
		for v := range model {
			model[v] = m>>v&1 == 1
		}
		if ok, _ := f.Satisfied(model); ok {
			out = append(out, model)
		}
	}
	return out
}

// mutate changes a text in one of the ways in which files get damaged or forged.
func mutate(rng *rand.Rand, text string) string {
	lines := strings.Split(strings.TrimSuffix(text, "\n"), "\n")
	k := rng.IntN(len(lines))
	words := strings.Fields(lines[k])
	w := rng.IntN(len(words))
	switch rng.IntN(9) {
	case 0:
		return strings.Join(slices.Delete(lines, k, k+1), "\n") + "\n"
	case 1:
		return strings.Join(slices.Insert(lines, k, lines[rng.IntN(len(lines))]), "\n") + "\n"
	case 2:
		j := rng.IntN(len(lines))
		lines[k], lines[j] = lines[j], lines[k]
		return strings.Join(lines, "\n") + "\n"
	case 3:
		b := []byte(text)
		b[rng.IntN(len(b))] ^= 1 << rng.IntN(7)
		return string(b)
	case 4:
		words = slices.Delete(words, w, w+1)
	case 5:
		j := rng.IntN(len(words))
		words[w], words[j] = words[j], words[w]
	case 6:
		if n, err := strconv.Atoi(words[w]); err == nil {
			words[w] = strconv.Itoa(n + rng.IntN(5) - 2)
		}
	case 7:
		if n, err := strconv.Atoi(words[w]); err == nil {
			words[w] = strconv.Itoa(-n)
		}
	case 8:
		words = slices.Insert(words, w, strconv.Itoa(rng.IntN(20)-5))
	}
	lines[k] = strings.Join(words, " ")
	return strings.Join(lines, "\n") + "\n"
}

// clausal turns an LRAT text into DRAT: ids and hints are left out, deletions written out.
func clausal(f values.CNF, proof string) string {
	named := map[string]string{}
	for i, c := range f.Clauses {
		named[strconv.Itoa(i+1)] = strings.Trim(fmt.Sprint(c), "[]") + " 0\n"
	}
	var b strings.Builder
	words := strings.Fields(proof)
	for len(words) > 1 {
		id := words[0]
		if words[1] == "d" {
			for words = words[2:]; words[0] != "0"; words = words[1:] {
				b.WriteString("d " + named[words[0]])
			}
			words = words[1:]
			continue
		}
		end := slices.Index(words, "0")
		named[id] = strings.Join(words[1:end+1], " ") + "\n"
		b.WriteString(named[id])
		if end == 1 {
			break
		}
		words = words[end+1:]
		words = words[slices.Index(words, "0")+1:]
	}
	return b.String()
}

func accepts(t *testing.T, k checkers.Checker, f values.CNF, candidate, format string, certificate []byte) bool {
	t.Helper()
	v, err := k.Check(t.Context(), checkers.Evidence{
		Claim:     events.Claim{Semantics: "sat/1", Predicate: "sat.satisfiable", Args: jcs.MustMarshal(map[string]values.CNF{"cnf": f})},
		Candidate: []byte(candidate), Format: format, Certificate: certificate,
	})
	if err != nil {
		t.Fatal(err)
	}
	if v.Accepted == (v.Conclusion == events.Unknown) || v.Accepted && format != cnfmodel.Format && v.Conclusion != events.False {
		t.Fatalf("verdict %+v", v)
	}
	return v.Accepted
}

const unsat = `{"model":[],"satisfiable":false}`

// Refutations of random unsatisfiable formulas, damaged in 100 ways each: none may pass for a formula
// that is satisfiable because a clause was made always true, and what still passes for the formula
// itself must pass an independent replay without the hints.
func TestMutations_Refutations(t *testing.T) {
	rng := rand.New(rand.NewPCG(11, 12))
	formulas, still := 0, 0
	for formulas < 25 {
		f := random(rng, 6+rng.IntN(3), 40, 3)
		if len(models(f)) > 0 {
			continue
		}
		formulas++
		r, err := solve.Solve(t.Context(), f)
		if err != nil {
			t.Fatal(err)
		}
		proof := string(r.LRAT)
		d := clausal(f, proof)
		if !accepts(t, lrat.Checker(), f, unsat, lrat.Format, r.LRAT) || !accepts(t, drat.Checker(), f, unsat, drat.FormatText, []byte(d)) {
			t.Fatalf("%s\n%s\n%s", f.DIMACS(), proof, d)
		}
		weaker := weaken(f)
		for range 100 {
			m, md := mutate(rng, proof), mutate(rng, d)
			if weaker != nil {
				for _, k := range []struct {
					c      checkers.Checker
					format string
					proof  string
				}{{lrat.Checker(), lrat.Format, m}, {drat.Checker(), drat.FormatText, md}, {drat.Checker(), drat.FormatTextRelaxed, md}} {
					if accepts(t, k.c, *weaker, unsat, k.format, []byte(k.proof)) {
						t.Fatalf("%s accepted for the satisfiable\n%s\n%s", k.format, weaker.DIMACS(), k.proof)
					}
				}
			}
			if accepts(t, lrat.Checker(), f, unsat, lrat.Format, []byte(m)) && m != proof {
				still++
				if !accepts(t, drat.Checker(), f, unsat, drat.FormatText, []byte(clausal(f, m))) {
					t.Fatalf("LRAT accepted, DRAT rejects:\n%s\n%s\n%s", f.DIMACS(), m, clausal(f, m))
				}
			}
		}
	}
	t.Logf("%d mutants of 2500 are refutations still", still)
}

// weaken makes clauses always true, one by one, until the formula is satisfiable.
func weaken(f values.CNF) *values.CNF {
	g := values.CNF{Variables: f.Variables, Clauses: slices.Clone(f.Clauses)}
	for i := range g.Clauses {
		g.Clauses[i] = []int{1, -1}
		if len(models(g)) > 0 {
			return &g
		}
	}
	return nil
}

func TestMutations_Models(t *testing.T) {
	rng := rand.New(rand.NewPCG(21, 22))
	for range 30 {
		f := random(rng, 8, 25, 3)
		all := models(f)
		if len(all) == 0 {
			continue
		}
		r, err := solve.Solve(t.Context(), f)
		if err != nil {
			t.Fatal(err)
		}
		for range 100 {
			m := slices.Clone(r.Model)
			for range 1 + rng.IntN(2) {
				v := rng.IntN(len(m))
				m[v] = !m[v]
			}
			var lits []int
			for v, b := range m {
				lits = append(lits, (v+1)*map[bool]int{true: 1, false: -1}[b])
			}
			want := slices.ContainsFunc(all, func(x []bool) bool { return slices.Equal(x, m) })
			candidate := string(jcs.MustMarshal(map[string]any{"satisfiable": true, "model": lits}))
			if got := accepts(t, cnfmodel.Checker(), f, candidate, cnfmodel.Format, nil); got != want {
				t.Fatalf("%s under %v: accepted %v", f.DIMACS(), lits, got)
			}
		}
	}
}

// The evidence of one formula is no evidence about another claim, nor for another answer.
func TestCheckers_BindClaimAndCandidate(t *testing.T) {
	f := values.CNF{Variables: 1, Clauses: [][]int{{1}, {-1}}}
	proof := []byte("3 0 1 2 0\n")
	if !accepts(t, lrat.Checker(), f, unsat, lrat.Format, proof) {
		t.Fatal("the proof itself was rejected")
	}
	if !accepts(t, lrat.Checker(), f, `{"model":[],"proof_bytes":10,"satisfiable":false}`, lrat.Format, proof) {
		t.Error("the right size was rejected")
	}
	for name, candidate := range map[string]string{
		"says satisfiable": `{"model":[],"satisfiable":true}`, "has a model": `{"model":[1],"satisfiable":false}`,
		"wrong size": `{"model":[],"proof_bytes":11,"satisfiable":false}`, "more members": `{"model":[],"satisfiable":false,"verified":true}`,
		"no members": `{}`, "null": `null`, "two values": unsat + unsat,
	} {
		if accepts(t, lrat.Checker(), f, candidate, lrat.Format, proof) {
			t.Errorf("LRAT: %s: accepted", name)
		}
		if name != "wrong size" && accepts(t, drat.Checker(), f, candidate, drat.FormatText, []byte("0\n")) {
			t.Errorf("DRAT: %s: accepted", name)
		}
	}
	if accepts(t, lrat.Checker(), values.CNF{Variables: 1, Clauses: [][]int{{1}, {1}}}, unsat, lrat.Format, proof) {
		t.Error("accepted for another formula")
	}
	if accepts(t, lrat.Checker(), f, unsat, drat.FormatText, proof) || accepts(t, drat.Checker(), f, unsat, lrat.Format, []byte("0\n")) {
		t.Error("accepted under another format")
	}
}
