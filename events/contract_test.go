package events_test

import (
	"encoding/json"
	"strings"
	"testing"
	"time"

	"github.com/jacobian-ledger/jacobian/events"
)

func result() events.Result {
	return events.Result{
		ResultVersion: 1, CapabilityID: "integer.compute.gcd", Mode: events.Verify, Execution: events.Execution{Status: events.StatusCompleted}, Output: json.RawMessage("null"),
		Conclusion: events.True, Assurance: events.Assurance{Level: events.Verified, RecordURI: "record://rec_1"},
	}
}

// TestResult_MayNotContradictItself changes a good result in one way at a time.
func TestResult_MayNotContradictItself(t *testing.T) {
	good := result()
	if err := good.Validate(); err != nil {
		t.Fatal(err)
	}
	for name, change := range map[string]func(*events.Result){
		"VERIFIED in EXPLORE":            func(r *events.Result) { r.Mode = events.Explore },
		"VERIFIED without a record":      func(r *events.Result) { r.Assurance.RecordURI = "" },
		"VERIFIED after a time-out":      func(r *events.Result) { r.Execution.Status, r.Conclusion = events.StatusTimeout, events.Unknown },
		"a record below VERIFIED":        func(r *events.Result) { r.Assurance.Level = events.Computed },
		"an unknown level":               func(r *events.Result) { r.Assurance.Level = "PROVED" },
		"an unknown conclusion":          func(r *events.Result) { r.Conclusion = "MAYBE" },
		"an unknown status":              func(r *events.Result) { r.Execution.Status = "DONE" },
		"an error in a completed result": func(r *events.Result) { r.Diagnostics = []events.Diagnostic{{Code: events.CodeAdapterFailed}} },
		"COMPLETE without a scope": func(r *events.Result) {
			r.Completeness = events.Completeness{Status: events.CompletenessComplete, Basis: "x"}
		},
		"VERIFIED relation elsewhere": func(r *events.Result) {
			r.Relationships = []events.Relationship{{Status: "VERIFIED", RecordURI: "record://rec_2"}}
		},
		"DISCHARGED obligation elsewhere":  func(r *events.Result) { r.Obligations = []events.Obligation{{Status: "DISCHARGED"}} },
		"a certificate that is not listed": func(r *events.Result) { r.Certificate = &events.Certificate{ArtifactURI: "artifact://sha256/00"} },
	} {
		r := result()
		change(&r)
		if err := r.Validate(); err == nil {
			t.Errorf("%s was accepted", name)
		}
	}
	for _, status := range []events.Status{events.StatusTimeout, events.StatusCancelled, events.StatusError} {
		r := result()
		r.Execution.Status, r.Assurance = status, events.Assurance{Level: events.Heuristic}
		if err := r.Validate(); err == nil {
			t.Errorf("%s may conclude TRUE", status)
		}
	}
}

func TestIDs(t *testing.T) {
	now := time.Date(2026, 12, 1, 10, 0, 0, 123_000_000, time.UTC)
	ep := events.NewEpisode(now)
	if err := events.CheckEpisode(ep); err != nil {
		t.Error(err)
	}
	if at, err := events.TimeOf(ep); err != nil || !at.Equal(now) {
		t.Errorf("made at %v, %v", at, err)
	}
	for _, bad := range []string{"", "ep_", ep[3:], strings.ToLower(ep), ep + "0", "rec_" + ep[3:], "ep_" + strings.Repeat("I", 26), "ep_../../../../../../../../.."} {
		if events.CheckEpisode(bad) == nil {
			t.Errorf("%q is an episode", bad)
		}
	}
	for id, ok := range map[string]bool{"integer.compute.gcd": true, "graph.k_coloring.decide": true, "a.b": true, "gcd": false, "Integer.gcd": false, "integer..gcd": false, "integer.gcd.": false, "integer gcd": false, "intеger.gcd": false, strings.Repeat("a", 127) + ".b": false} {
		if err := events.CheckCapabilityID(id); (err == nil) != ok {
			t.Errorf("%q: %v", id, err)
		}
	}
	for name, ok := range map[string]bool{"inv_demo": true, "inv_": false, "inv_a.b": false, "inv_a b": false, "demo": false, "inv_" + strings.Repeat("a", 65): false} {
		if err := events.CheckInvestigation(name); (err == nil) != ok {
			t.Errorf("%q: %v", name, err)
		}
	}
	if got := events.Nearest("integer.compute.gdc", []string{"graph.k_core.compute", "integer.compute.gcd", "integer.compute.lcm"}, 2); got[0] != "integer.compute.gcd" || len(got) != 2 {
		t.Errorf("nearest %v", got)
	}
}
