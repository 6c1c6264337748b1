package events_test

import (
	"bytes"
	"crypto/sha256"
	"encoding/json"
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/jacobian-ledger/jacobian/events"
	"github.com/jacobian-ledger/jacobian/events/digest"
)

// add writes fixtures that are missing, for a new kind or version. It never changes one that is there:
// what was once written must decode for ever.
var add = flag.Bool("add", false, "write golden fixtures that are missing")

const golden = "testdata/golden"

// samples is one event of every kind.
func samples() []events.Event {
	d := digest.Of([]byte("fixture"))
	checker := events.CheckerIdentity{CheckerID: "sat.lrat", Version: 1, Binary: d, IndependenceClass: "go-lrat"}
	episode := "ep_01K00000000000000000000000"
	claim := events.ClaimRef{Semantics: "sat/1", Predicate: "sat.satisfiable", Digest: d}
	wait := int64(1000)
	useMemo := true
	return []events.Event{
		&events.LogOpened{Program: "jacobian 0.1.0", Reason: "created"},
		&events.InvestigationOpened{Title: "Is the Grötzsch graph 3-colourable?"},
		&events.NoteWritten{Stage: "PLAN", Text: "line one\nline \"two\" \u2028"},
		&events.RunRequested{
			Request: events.Request{
				CapabilityID: "sat.unsat_proof.find", Mode: events.Verify, Input: json.RawMessage(`{"cnf":{"clauses":[[1],[-1]],"variables":1}}`),
				Claim: &events.ClaimText{Text: "unsatisfiable"}, Budget: &events.Budget{WallMS: 2000}, IdempotencyKey: "k", Investigation: "inv_demo", WaitMS: &wait, UseMemo: &useMemo,
			},
			RequestDigest: d, CapabilityVersion: 1, ProviderDigest: d, Refs: []string{events.EpisodeURI(episode) + "#/output/cnf"}, Deadline: "2026-12-01T10:00:02.000000Z",
		},
		&events.RunFinished{Result: events.Result{
			ResultVersion: 1, CapabilityID: "sat.unsat_proof.find", CapabilityVersion: 1, Mode: events.Verify, Provider: "jacobian 0.1.0", ProviderDigest: d.String(), Episode: episode,
			Execution: events.Execution{Status: events.StatusCompleted, Usage: events.Usage{WallMS: 41, CPUMS: 20, PeakMemoryBytes: 1 << 24, OutputBytes: 21}},
			ClaimText: "unsatisfiable", Claim: &claim, Output: json.RawMessage(`{"satisfiable":false}`),
			Scope:        &events.Scope{Description: "all assignments", Parameters: []events.Param{{Name: "variables", Value: "1"}}},
			Completeness: events.Completeness{Status: events.CompletenessComplete, Basis: "proof"}, Relationships: []events.Relationship{}, Obligations: []events.Obligation{},
			Assurance:  events.Assurance{Level: events.Verified, Basis: "LRAT", RecordURI: "record://rec_01K00000000000000000000000", Checker: "sat.lrat@1", IndependentCheckers: 1, TaintedBy: []string{}},
			Conclusion: events.False, Certificate: &events.Certificate{Format: "lrat", ArtifactURI: events.ArtifactURI(d), CheckedBy: "sat.lrat"},
			Diagnostics: []events.Diagnostic{{Code: events.CodeNote, Stage: "RUN", Message: "a note"}}, ArtifactURIs: []string{events.ArtifactURI(d)},
		}},
		&events.RunReused{RequestDigest: d, Origin: episode, Reason: "MEMO"},
		&events.RunCancelRequested{Reason: "no longer needed"},
		&events.ArtifactStored{Artifact: events.ArtifactRef{Digest: d, Size: 7, MediaType: "text/plain", Schema: "text/1", Parents: []string{events.ArtifactURI(d)}, Summary: "a fixture"}},
		&events.VerificationRecorded{Record: events.Record{
			RecordID: "rec_01K00000000000000000000000", Tenant: "local", Claim: claim, ClaimText: "unsatisfiable", ClaimURI: events.ArtifactURI(d), Candidate: d, CandidateURI: events.ArtifactURI(d),
			SemanticsURI: events.ArtifactURI(d), Scope: "the whole claim", CertificateFormat: "lrat", CertificateURI: events.ArtifactURI(d), Checker: checker, Conclusion: events.False,
			Method: "LRAT", Coverage: "all", OperatorLogSize: 3, Statement: events.Signed{PayloadType: "application/vnd.in-toto+json", Payload: "e30=", KeyID: "0011223344556677", Signature: "AA=="},
		}},
		&events.CapabilityRegistered{CapabilityID: "sat.lrat.verify", Version: 1, ProviderDigest: d, Descriptor: descriptor(d)},
		&events.CapabilityRetired{CapabilityID: "sat.lrat.verify", Reason: "not part of this program"},
		&events.TenantCreated{Name: "local"},
		&events.KeyAdded{KeyID: "0011223344556677", Purpose: "RUNNER", PublicKey: "AAAA"},
		&events.CheckerRegistered{Checker: checker, Formats: []string{"lrat"}, Predicates: []string{"sat.satisfiable"}},
		&events.CheckerAuthorised{Checker: checker, Reason: "bundled with this program"},
		&events.CheckerSuspended{Checker: checker, Reason: "under review"},
		&events.CheckerRevoked{Checker: checker, Reason: "unsound"},
	}
}

func descriptor(d digest.Digest) string {
	b, _ := json.Marshal(events.Descriptor{
		CapabilityID: "sat.lrat.verify", Version: 1, Title: "check", Description: "checks", Kind: "VERIFICATION", Provider: events.Provider{Name: "jacobian", Digest: d, Features: []string{}},
		Modes: []events.Mode{events.Verify}, InputSchema: json.RawMessage(`{"type":"object"}`), OutputSchema: json.RawMessage(`{"type":"object"}`), Tags: []string{}, Needs: []string{}, Aliases: []string{},
		AcceptedInputKinds: []string{}, AcceptedArtifactTypes: []string{}, ProducedArtifactTypes: []string{}, Examples: []events.Example{}, Limits: []events.Limit{}, AssuranceCeiling: events.Verified,
	})
	return string(b)
}

func fixture(ev events.Event) string {
	return filepath.Join(golden, string(ev.Kind()), "v1", "basic.json")
}

// TestGolden_DecodesForEver: every fixture decodes, encodes to the same bytes again, and is as it was when
// it was written; every kind has one.
func TestGolden_DecodesForEver(t *testing.T) {
	if *add {
		addMissing(t)
	}
	sums := map[string]string{}
	list, err := os.ReadFile(filepath.Join(golden, "golden.sum"))
	if err != nil {
		t.Fatal(err)
	}
	for _, line := range strings.Split(strings.TrimSpace(string(list)), "\n") {
		sum, path, ok := strings.Cut(line, "  ")
		if !ok {
			t.Fatalf("golden.sum: %q", line)
		}
		sums[path] = sum
	}
	var seen []events.Kind
	for path, sum := range sums {
		b, err := os.ReadFile(filepath.Join(golden, path))
		if err != nil {
			t.Fatal(err)
		}
		if fmt.Sprintf("%x", sha256.Sum256(b)) != sum {
			t.Errorf("%s was changed: fixtures are never changed", path)
		}
		b = bytes.TrimSuffix(b, []byte("\n"))
		env, ev, err := events.Decode(b)
		if err != nil {
			t.Errorf("%s: %v", path, err)
			continue
		}
		again, err := events.Encode(env, ev)
		if err != nil || !bytes.Equal(again, b) {
			t.Errorf("%s encodes to other bytes: %v\n%s", path, err, again)
		}
		seen = append(seen, ev.Kind())
	}
	for _, k := range events.Kinds() {
		if !slices.Contains(seen, k) {
			t.Errorf("%s has no fixture: go test ./events -add", k)
		}
	}
}

func addMissing(t *testing.T) {
	t.Helper()
	at := time.Date(2026, 12, 1, 10, 0, 0, 0, time.UTC)
	sum, err := os.OpenFile(filepath.Join(golden, "golden.sum"), os.O_APPEND|os.O_CREATE|os.O_WRONLY, 0o644)
	if err != nil {
		t.Fatal(err)
	}
	defer sum.Close()
	for _, ev := range samples() {
		path := fixture(ev)
		if _, err := os.Stat(path); err == nil {
			continue
		}
		tenant := "local"
		b, err := events.Encode(events.Envelope{
			ID: "01K00000000000000000000000", Nonce: strings.Repeat("0f", 16), Source: "host/1", Tenant: tenant, Subject: "sat.unsat_proof.find", Time: events.FormatTime(at),
			RecordedTime: events.FormatTime(at), Producer: "jacobian 0.1.0", Causes: []events.Cause{{ID: "01K00000000000000000000000", Digest: digest.Of([]byte("cause"))}},
			Investigation: "inv_demo", Episode: "ep_01K00000000000000000000000", Actor: "fixture",
		}, ev)
		if err != nil {
			t.Fatal(err)
		}
		if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(path, append(b, '\n'), 0o644); err != nil {
			t.Fatal(err)
		}
		rel, _ := filepath.Rel(golden, path)
		fmt.Fprintf(sum, "%x  %s\n", sha256.Sum256(append(b, '\n')), rel)
	}
}

// TestDecode_Strict changes a good event in one way at a time; each must be refused.
func TestDecode_Strict(t *testing.T) {
	good, err := os.ReadFile(fixture(&events.TenantCreated{}))
	if err != nil {
		t.Fatal(err)
	}
	good = bytes.TrimSuffix(good, []byte("\n"))
	if _, _, err := events.Decode(good); err != nil {
		t.Fatal(err)
	}
	for name, change := range map[string][2]string{
		"unknown type":             {`"type":"tenant.created"`, `"type":"tenant.deleted"`},
		"newer version":            {`"version":1`, `"version":2`},
		"other specversion":        {`"specversion":"1"`, `"specversion":"2"`},
		"space":                    {`"actor":`, `"actor": `},
		"escape":                   {`"name":"local"`, `"name":"l\u006fcal"`},
		"unknown member":           {`"actor":"fixture"`, `"actor":"fixture","admin":true`},
		"unknown member of data":   {`{"name":"local"}`, `{"admin":true,"name":"local"}`},
		"member in another case":   {`{"name":"local"}`, `{"Name":"local"}`},
		"missing member":           {`"actor":"fixture",`, ``},
		"members in another order": {`"actor":"fixture","causes"`, `"causes"`},
		"duplicate member":         {`{"name":"local"}`, `{"name":"local","name":"other"}`},
		"malformed id":             {`"id":"01K00000000000000000000000","investigation"`, `"id":"01K0000000000000000000000I","investigation"`},
		"malformed tenant":         {`"tenant":"local"`, `"tenant":"../x"`},
		"malformed time":           {`"time":"2026-12-01T10:00:00.000000Z"`, `"time":"2026-12-01T10:00:00Z"`},
		"impossible time":          {`"time":"2026-12-01T10:00:00.000000Z"`, `"time":"2026-13-01T10:00:00.000000Z"`},
		"wrong type":               {`"name":"local"`, `"name":7`},
	} {
		bad := strings.Replace(string(good), change[0], change[1], 1)
		if bad == string(good) {
			t.Errorf("%s: the fixture has no %s", name, change[0])
			continue
		}
		if _, _, err := events.Decode([]byte(bad)); err == nil {
			t.Errorf("%s was accepted: %s", name, bad)
		}
	}
	if _, _, err := events.Decode([]byte(`{"x":"` + strings.Repeat("x", events.MaxEvent) + `"}`)); err == nil {
		t.Error("an event beyond the limit was accepted")
	}
}

func FuzzDecode(f *testing.F) {
	for _, ev := range samples() {
		b, err := os.ReadFile(fixture(ev))
		if err != nil {
			f.Fatal(err)
		}
		f.Add(bytes.TrimSuffix(b, []byte("\n")))
	}
	f.Fuzz(func(t *testing.T, b []byte) {
		env, ev, err := events.Decode(b)
		if err != nil {
			return
		}
		if again, err := events.Encode(env, ev); err != nil || !bytes.Equal(again, b) {
			t.Errorf("decoded, but encodes to other bytes: %v\n%s\n%s", err, b, again)
		}
	})
}
