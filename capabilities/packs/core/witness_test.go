package core_test

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/jacobian-ledger/jacobian/capabilities/captest"
	"github.com/jacobian-ledger/jacobian/capabilities/checkers"
	"github.com/jacobian-ledger/jacobian/capabilities/checkers/refdomains"
	"github.com/jacobian-ledger/jacobian/capabilities/packs/core"
	"github.com/jacobian-ledger/jacobian/events"
	"github.com/jacobian-ledger/jacobian/events/jcs"
)

func find(t *testing.T, input string) (core.FindOutput, events.Conclusion) {
	t.Helper()
	_, done, err := captest.Call(t, captest.Find(t, core.Pack(), "witness.find"), input)
	if err != nil {
		t.Fatalf("%s: %v", input, err)
	}
	var out core.FindOutput
	if err := json.Unmarshal(done.Output, &out); err != nil {
		t.Fatal(err)
	}
	return out, done.Conclusion
}

// decide has a witness looked at by the checker.
func decide(t *testing.T, domain, instance, witness string) checkers.Verdict {
	t.Helper()
	call, _, err := captest.Call(t, captest.Find(t, core.Pack(), "witness.verify"), fmt.Sprintf(`{"domain":%q,"instance":%s,"witness":%s}`, domain, instance, witness))
	if err != nil {
		t.Fatal(err)
	}
	sub, err := call.Submit()
	if err != nil {
		t.Fatal(err)
	}
	v, err := refdomains.Checker().Check(t.Context(), checkers.Evidence{Claim: sub.Claim, Candidate: sub.Candidate, Format: sub.Format, Certificate: sub.Certificate})
	if err != nil {
		t.Fatal(err)
	}
	return v
}

// TestWitness_ErdosStraus is worked example 25: every n from 2 to 1000 has a decomposition, each of which
// the checker accepts, and accepts for no other n.
func TestWitness_ErdosStraus(t *testing.T) {
	for n := 2; n <= 1000; n++ {
		out, c := find(t, fmt.Sprintf(`{"domain":"erdos-straus","instance":{"n":"%d"}}`, n))
		if c != events.True {
			t.Fatalf("n = %d: %s", n, c)
		}
		if v := decide(t, "erdos-straus", fmt.Sprintf(`{"n":"%d"}`, n), string(out.Witness)); !v.Accepted {
			t.Fatalf("n = %d: %s: %s", n, out.Witness, v.Reason)
		}
		if v := decide(t, "erdos-straus", fmt.Sprintf(`{"n":"%d"}`, n+1), string(out.Witness)); v.Accepted {
			t.Fatalf("the witness of %d was accepted for %d", n, n+1)
		}
	}
}

// TestWitness_SignMatrices is worked example 56: of the 512 sign matrices of order 3, 192 have the
// greatest determinant ±4, and none has ±5.
func TestWitness_SignMatrices(t *testing.T) {
	const instance = `{"order":3,"entries":["-1","1"],"determinant":"4"}`
	var candidates []json.RawMessage
	for bits := range 512 {
		var m [3][3]string
		for k := range 9 {
			m[k/3][k%3] = map[int]string{0: "-1", 1: "1"}[bits>>k&1]
		}
		b, _ := json.Marshal(m)
		candidates = append(candidates, b)
	}
	list, _ := json.Marshal(candidates)
	var out core.BatchOutput
	if err := json.Unmarshal([]byte(captest.Output(t, core.Pack(), "evaluate.batch", `{"domain":"integer-matrices","instance":`+instance+`,"candidates":`+string(list)+`}`)), &out); err != nil {
		t.Fatal(err)
	}
	if out.Witnesses != 192 {
		t.Errorf("%d witnesses, want 192", out.Witnesses)
	}
	for i, c := range candidates {
		if v := decide(t, "integer-matrices", instance, string(c)); v.Accepted != out.Results[i].Witness {
			t.Fatalf("%s: the checker says %v, the evaluator %v", c, v.Accepted, out.Results[i].Witness)
		}
	}
	none, c := find(t, `{"domain":"integer-matrices","instance":{"order":3,"entries":["-1","1"],"determinant":"5"}}`)
	if c != events.False || none.Examined != 512 || !none.Exhausted {
		t.Errorf("determinant 5: %s after %d", c, none.Examined)
	}
}

// TestWitness_Propositional is worked example 5, and a limit that ends a search without a conclusion.
func TestWitness_Propositional(t *testing.T) {
	const formula = `{"variables":4,"clauses":[[1,2],[-1,3],[-2,3],[-3,4],[-4,1]]}`
	out, c := find(t, `{"domain":"propositional","instance":`+formula+`}`)
	if c != events.True || !decide(t, "propositional", formula, string(out.Witness)).Accepted || !decide(t, "propositional", formula, `[true,false,true,true]`).Accepted {
		t.Errorf("%s %s", c, out.Witness)
	}
	if v := decide(t, "propositional", formula, `[false,false,true,true]`); v.Accepted {
		t.Error("an assignment that violates a clause was accepted")
	}
	if out, c := find(t, `{"domain":"propositional","instance":`+formula+`,"limit":3}`); c != events.Unknown || out.Exhausted || out.Examined != 3 {
		t.Errorf("with a limit: %s %+v", c, out)
	}
}

// TestWitness_Paths finds the paths of the path-closure scenario (worked example 40).
func TestWitness_Paths(t *testing.T) {
	const g = `{"order":6,"edges":[[0,1],[0,2],[1,3],[2,3],[3,4],[3,5]]}` // s a b x t1 t2
	for _, tc := range []struct {
		instance string
		want     events.Conclusion
	}{
		{`{"graph":` + g + `,"from":0,"to":5,"length":3}`, events.True},
		{`{"graph":` + g + `,"from":0,"to":5,"length":4}`, events.False},
		{`{"graph":` + g + `,"from":0,"to":0,"length":0}`, events.True},
	} {
		out, c := find(t, `{"domain":"graph-paths","instance":`+tc.instance+`}`)
		if c != tc.want {
			t.Errorf("%s: %s, want %s", tc.instance, c, tc.want)
		}
		if c == events.True && !decide(t, "graph-paths", tc.instance, string(out.Witness)).Accepted {
			t.Errorf("%s: the checker rejects %s", tc.instance, out.Witness)
		}
	}
	for _, bad := range []string{`[0,1,3,4]`, `[0,1,0,5]`, `[0,3,5]`, `[]`, `[0,1,3,5,5]`, `[0,1,3,99]`, `[0,-1,3,5]`} {
		if v := decide(t, "graph-paths", `{"graph":`+g+`,"from":0,"to":5,"length":3}`, bad); v.Accepted {
			t.Errorf("%s was accepted", bad)
		}
	}
}

func TestDomains_Refusals(t *testing.T) {
	for input, path := range map[string]string{
		`{"domain":"astrology","instance":{}}`:                                                                  "/domain",
		`{"domain":"erdos-straus","instance":{"n":"1"}}`:                                                        "/instance/n",
		`{"domain":"erdos-straus","instance":{"n":5,"m":1}}`:                                                    "/instance/m",
		`{"domain":"propositional","instance":{"variables":63,"clauses":[]}}`:                                   "/instance/variables",
		`{"domain":"integer-matrices","instance":{"order":7,"entries":["1"],"determinant":"1"}}`:                "/instance/order",
		`{"domain":"graph-paths","instance":{"graph":{"order":1,"edges":[]},"from":1,"to":0,"length":0}}`:       "/instance/from",
		`{"domain":"integer-matrices","instance":{"order":1,"entries":["__import__('os')"],"determinant":"1"}}`: "/instance/entries/0",
	} {
		if e := captest.Refusal(t, core.Pack(), "claim.validate", input); e.Path != path || e.Expected == "" || e.Actual == "" {
			t.Errorf("%s: %+v", input, e)
		}
	}
}

// TestWitness_PathsEndWithTheContext: a walk that meets no candidate for long still ends.
func TestWitness_PathsEndWithTheContext(t *testing.T) {
	var edges []string
	for v := range 20 {
		for u := range v {
			edges = append(edges, fmt.Sprintf("[%d,%d]", u, v))
		}
	}
	input := `{"domain":"graph-paths","instance":{"graph":{"order":40,"edges":[` + strings.Join(edges, ",") + `]},"from":0,"to":1,"length":25},"limit":10}`
	v, err := jcs.Parse([]byte(input))
	if err != nil {
		t.Fatal(err)
	}
	call, err := captest.Find(t, core.Pack(), "witness.find").Admit(v)
	if err != nil {
		t.Fatal(err)
	}
	ctx, cancel := context.WithTimeout(t.Context(), 50*time.Millisecond)
	defer cancel()
	done, err := call.Run(ctx, captest.Env())
	if !errors.Is(err, context.DeadlineExceeded) || done.Scope == nil {
		t.Errorf("scope %+v, %v", done.Scope, err)
	}
}
