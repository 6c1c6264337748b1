package embed

import (
	"encoding/json"
	"strings"
	"testing"
	"time"

	"github.com/jacobian-ledger/jacobian/events"
	"github.com/jacobian-ledger/jacobian/events/digest"
)

// TestRevocation: after the operator revokes a checker, its records count no more, in any answer, and no
// answer falls back to less in silence.
func TestRevocation(t *testing.T) {
	n, err := Open(t.Context(), Options{Dir: t.TempDir()})
	if err != nil {
		t.Fatal(err)
	}
	defer n.Close()
	req := events.Request{CapabilityID: "integer.decide.prime", Mode: events.Verify, Input: json.RawMessage(`{"n":"97"}`), IdempotencyKey: "k"}
	first := n.Run(t.Context(), req, RunOptions{})
	if first.Assurance.Level != events.Verified {
		t.Fatalf("%+v", first.Diagnostics)
	}
	rec, err := n.Record(t.Context(), first.Assurance.RecordURI)
	if err != nil || rec.Assurance != "VERIFIED" {
		t.Fatalf("%+v, %v", rec, err)
	}
	if err := n.appendOperator(t.Context(), []events.Event{&events.CheckerRevoked{Checker: rec.Checker, Reason: "unsound"}}); err != nil {
		t.Fatal(err)
	}
	disputed := func(name string, res events.Result) {
		t.Helper()
		if res.Assurance.Level == events.Verified || res.Conclusion == events.True || !strings.Contains(res.Assurance.Basis, "DISPUTED") {
			t.Errorf("%s: %s %s %q", name, res.Conclusion, res.Assurance.Level, res.Assurance.Basis)
		}
		if err := res.Validate(); err != nil {
			t.Errorf("%s: %v", name, err)
		}
	}
	res, _, err := n.Wait(t.Context(), first.Episode, time.Second)
	if err != nil {
		t.Fatal(err)
	}
	disputed("read again", res)
	disputed("idempotent", n.Run(t.Context(), req, RunOptions{}))

	req.IdempotencyKey = ""
	if res := n.Run(t.Context(), req, RunOptions{}); res.Memo != nil || res.Failure() == nil || res.Failure().Code != events.CodeCheckerUnavailable {
		t.Errorf("asked again: memo %v, %+v", res.Memo, res.Failure())
	}
	req.Record = first.Assurance.RecordURI
	if res := n.Run(t.Context(), req, RunOptions{}); res.Failure() == nil || res.Failure().Code != events.CodeRecordMismatch {
		t.Errorf("offered: %+v", res.Failure())
	}
	if rec, err := n.Record(t.Context(), first.Assurance.RecordURI); err != nil || rec.Assurance == "VERIFIED" || len(rec.Reasons) == 0 {
		t.Errorf("inspected: %+v, %v", rec, err)
	}
	if e, err := n.Episode(t.Context(), first.Episode); err != nil || e.Assurance == "VERIFIED" || e.Advisory == "" {
		t.Errorf("remembered: %+v, %v", e, err)
	}

	// Another build of the same version is not authorised by being installed.
	n.binary = digest.Of([]byte("another build"))
	n.operator = operator{}
	if err := n.bootstrap(t.Context()); err != nil {
		t.Fatal(err)
	}
	rebuilt := rec.Checker
	rebuilt.Binary = n.binary
	if st := n.operator.Now(rebuilt); st != "registered" {
		t.Errorf("a new build of a revoked version is %q", st)
	}
}
