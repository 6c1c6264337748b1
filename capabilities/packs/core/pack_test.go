package core_test

import (
	"encoding/json"
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/jacobian-ledger/jacobian/capabilities"
	"github.com/jacobian-ledger/jacobian/capabilities/captest"
	"github.com/jacobian-ledger/jacobian/capabilities/checkers"
	"github.com/jacobian-ledger/jacobian/capabilities/checkers/cnfmodel"
	"github.com/jacobian-ledger/jacobian/capabilities/checkers/partition"
	"github.com/jacobian-ledger/jacobian/capabilities/checkers/refdomains"
	"github.com/jacobian-ledger/jacobian/capabilities/packs/core"
	"github.com/jacobian-ledger/jacobian/events"
)

func deciders() []checkers.Checker {
	return []checkers.Checker{partition.Checker(), cnfmodel.Checker(), refdomains.Checker()}
}

// TestPack runs the suite on what needs no ledger; artifact.get reads one and is tested in embed.
func TestPack(t *testing.T) {
	captest.TestPack(t, core.Pack(), deciders()...)
}

func TestPut_Refusals(t *testing.T) {
	for input, path := range map[string]string{
		`{}`:                           "",
		`{"text":"a","base64":"YQ=="}`: "",
		`{"base64":"not base64"}`:      "/base64",
		`{"base64":"YQ"}`:              "/base64",
		`{"text":"a","summary":"` + strings.Repeat("x", 1025) + `"}`: "/summary",
	} {
		if e := captest.Refusal(t, core.Pack(), "artifact.put", input); e.Path != path || e.Code != events.CodeInvalidRequest {
			t.Errorf("%.60s: %+v", input, e)
		}
	}
}

// TestPartition_AgainstCounting has random classes decided, and mutates every candidate: none may be
// accepted for the wrong conclusion.
func TestPartition_AgainstCounting(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 2))
	op := captest.Find(t, core.Pack(), "case.partition.finite")
	words := []string{"0", "1", "2", "3", "4"}
	for range 200 {
		in := core.PartitionInput{Universe: words[:1+r.IntN(4)], Classes: [][]string{}}
		times := map[string]int{}
		for range r.IntN(4) {
			var class []string
			for range 1 + r.IntN(3) {
				w := words[r.IntN(5)]
				class = append(class, w)
				times[w]++
			}
			in.Classes = append(in.Classes, class)
		}
		truth := len(times) == len(in.Universe)
		for _, w := range in.Universe {
			truth = truth && times[w] == 1
		}
		b, _ := json.Marshal(in)
		call, done, err := captest.Call(t, op, string(b))
		if err != nil {
			t.Fatal(err)
		}
		want := capabilities.Truth(truth)
		if done.Conclusion != want {
			t.Fatalf("%s: %s, want %s", b, done.Conclusion, want)
		}
		ev := checkers.Evidence{Claim: *call.Claim, Candidate: done.Output, Format: done.Evidence.Format}
		if v, err := partition.Checker().Check(t.Context(), ev); err != nil || !v.Accepted || v.Conclusion != want {
			t.Fatalf("%s: %+v, %v", b, v, err)
		}
		for range 50 {
			bad := ev
			bad.Candidate = append([]byte(nil), ev.Candidate...)
			bad.Candidate[r.IntN(len(bad.Candidate))] = "01234[]\",tf"[r.IntN(11)]
			if v, err := partition.Checker().Check(t.Context(), bad); err == nil && v.Accepted && v.Conclusion != want {
				t.Fatalf("%s: accepted %s", b, bad.Candidate)
			}
		}
	}
}
