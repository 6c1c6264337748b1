package cnfmodel_test

import (
	"fmt"
	"testing"

	"github.com/jacobian-ledger/jacobian/capabilities/checkers"
	"github.com/jacobian-ledger/jacobian/capabilities/checkers/cnfmodel"
	"github.com/jacobian-ledger/jacobian/events"
)

func TestChecker(t *testing.T) {
	for _, x := range []struct {
		name, args, candidate, certificate string
		want                               bool
	}{
		{"example 5", `{"cnf":{"variables":4,"clauses":[[1,2],[-1,3],[-2,3],[-3,4],[-4,1]]}}`, `{"satisfiable":true,"model":[1,-2,3,4]}`, "", true},
		{"example 5, three variables", `{"cnf":{"variables":3,"clauses":[[1,2],[-1,3],[-2,3]]}}`, `{"satisfiable":true,"model":[1,-2,3]}`, "", true},
		{"partial", `{"cnf":{"variables":3,"clauses":[[1,2],[3,-2,1]]}}`, `{"satisfiable":true,"model":[1]}`, "", true},
		{"C-9 empty formula", `{"cnf":{"variables":0,"clauses":[]}}`, `{"satisfiable":true,"model":[]}`, "", true},
		{"C-14 empty clause", `{"cnf":{"variables":2,"clauses":[[1,2],[]]}}`, `{"satisfiable":true,"model":[1,2]}`, "", false},
		{"C-15 tautology", `{"cnf":{"variables":1,"clauses":[[1,-1]]}}`, `{"satisfiable":true,"model":[-1]}`, "", true},
		{"tautology without the variable", `{"cnf":{"variables":1,"clauses":[[1,-1]]}}`, `{"satisfiable":true,"model":[]}`, "", false},
		{"C-16 repeated literal", `{"cnf":{"variables":1,"clauses":[[1,1]]}}`, `{"satisfiable":true,"model":[1]}`, "", true},
		{"C-12 opposite units", `{"cnf":{"variables":1,"clauses":[[1],[-1]]}}`, `{"satisfiable":true,"model":[1]}`, "", false},
		{"both signs", `{"cnf":{"variables":2,"clauses":[[1],[-1]]}}`, `{"satisfiable":true,"model":[1,-1]}`, "", false},
		{"twice", `{"cnf":{"variables":2,"clauses":[[1]]}}`, `{"satisfiable":true,"model":[1,1]}`, "", false},
		{"zero", `{"cnf":{"variables":1,"clauses":[[1]]}}`, `{"satisfiable":true,"model":[0]}`, "", false},
		{"out of range", `{"cnf":{"variables":1,"clauses":[[1]]}}`, `{"satisfiable":true,"model":[2]}`, "", false},
		{"falsifies", `{"cnf":{"variables":1,"clauses":[[1]]}}`, `{"satisfiable":true,"model":[-1]}`, "", false},
		{"says unsatisfiable", `{"cnf":{"variables":1,"clauses":[[1]]}}`, `{"satisfiable":false,"model":[1]}`, "", false},
		{"certificate", `{"cnf":{"variables":1,"clauses":[[1]]}}`, `{"satisfiable":true,"model":[1]}`, "x", false},
		{"unknown member", `{"cnf":{"variables":1,"clauses":[[1]]}}`, `{"satisfiable":true,"model":[1],"x":1}`, "", false},
		{"float literal", `{"cnf":{"variables":1,"clauses":[[1]]}}`, `{"satisfiable":true,"model":[1.0]}`, "", false},
		{"member twice", `{"cnf":{"variables":1,"clauses":[[1]]}}`, `{"satisfiable":false,"satisfiable":true,"model":[1]}`, "", false},
		{"literal beyond variables", `{"cnf":{"variables":1,"clauses":[[2]]}}`, `{"satisfiable":true,"model":[1]}`, "", false},
		{"no arguments", `{}`, `{"satisfiable":true,"model":[1]}`, "", false},
	} {
		t.Run(x.name, func(t *testing.T) {
			k := cnfmodel.Checker()
			v, err := k.Check(t.Context(), checkers.Evidence{
				Claim:     events.Claim{Semantics: cnfmodel.Semantics, Predicate: cnfmodel.Predicate, Args: []byte(x.args)},
				Candidate: []byte(x.candidate), Format: cnfmodel.Format, Certificate: []byte(x.certificate),
			})
			if err != nil || v.Accepted != x.want || v.Accepted != (v.Conclusion == events.True) || v.Accepted != (v.Reason == "") {
				t.Errorf("verdict %+v, %v, want %v", v, err, x.want)
			}
		})
	}
}

// All models of all formulas of two clauses over two variables, against the definition.
func TestEvaluate_IsTheDefinition(t *testing.T) {
	lits := []int{1, -1, 2, -2}
	for m := range 4 {
		model := []int{1 - 2*(m&1), 2 - 4*(m>>1)}
		for k := range 256 {
			f := fmt.Sprintf(`{"cnf":{"variables":2,"clauses":[[%d,%d],[%d,%d]]}}`, lits[k&3], lits[k>>2&3], lits[k>>4&3], lits[k>>6])
			holds := func(a, b int) bool {
				return a == model[0] || a == model[1] || b == model[0] || b == model[1]
			}
			want := holds(lits[k&3], lits[k>>2&3]) && holds(lits[k>>4&3], lits[k>>6])
			c := cnfmodel.Checker()
			v, err := c.Check(t.Context(), checkers.Evidence{
				Claim:     events.Claim{Semantics: cnfmodel.Semantics, Predicate: cnfmodel.Predicate, Args: []byte(f)},
				Candidate: fmt.Appendf(nil, `{"satisfiable":true,"model":[%d,%d]}`, model[0], model[1]), Format: cnfmodel.Format,
			})
			if err != nil || v.Accepted != want {
				t.Fatalf("%s under %v: %+v, %v", f, model, v, err)
			}
		}
	}
}
