package authority_test

import (
	"crypto/ed25519"
	"encoding/base64"
	"strings"
	"testing"
	"time"

	"github.com/jacobian-ledger/jacobian/events"
	"github.com/jacobian-ledger/jacobian/events/authority"
	"github.com/jacobian-ledger/jacobian/events/digest"
)

var checker = events.CheckerIdentity{CheckerID: "sat.lrat", Version: 1, Binary: digest.Of([]byte("program")), IndependenceClass: "go-lrat"}

func runnerKey() ed25519.PrivateKey {
	return ed25519.NewKeyFromSeed([]byte(strings.Repeat("k", ed25519.SeedSize)))
}

func keyAdded(key ed25519.PrivateKey) events.Event {
	pub := key.Public().(ed25519.PublicKey)
	return &events.KeyAdded{KeyID: authority.KeyID(pub), Purpose: "RUNNER", PublicKey: base64.StdEncoding.EncodeToString(pub)}
}

func fold(t *testing.T, evs ...events.Event) *authority.State {
	t.Helper()
	var s authority.State
	for i, ev := range evs {
		if err := s.Apply(&events.Stored{Seq: uint64(i + 1), Event: ev}); err != nil {
			t.Fatal(err)
		}
	}
	return &s
}

func decision() authority.Decision {
	return authority.Decision{
		Accepted: true, Conclusion: events.False, Method: "LRAT replay", Coverage: "complete", Tenant: "local", Episode: events.NewEpisode(time.Unix(1, 0)),
		Claim:     events.ClaimRef{Semantics: "sat/1", Predicate: "sat.satisfiable", Digest: digest.Of([]byte("claim"))},
		ClaimText: "it is unsatisfiable", Candidate: digest.Of([]byte("candidate")), SemanticsDigest: digest.Of([]byte("semantics")), Scope: "all",
		CertificateFormat: "lrat", CertificateDigest: digest.Of([]byte("certificate")), Checker: checker, OperatorLogSize: 3,
	}
}

func record(t *testing.T, d authority.Decision, key ed25519.PrivateKey) *events.Record {
	t.Helper()
	signed, err := authority.Sign(d, key)
	if err != nil {
		t.Fatal(err)
	}
	return &events.Record{
		RecordID: events.NewRecord(time.Unix(1, 0)), Tenant: d.Tenant, Claim: d.Claim, ClaimText: d.ClaimText, ClaimURI: events.ArtifactURI(digest.Of([]byte("c"))),
		Candidate: d.Candidate, SemanticsURI: events.ArtifactURI(d.SemanticsDigest), Scope: d.Scope, CertificateFormat: d.CertificateFormat,
		CertificateURI: events.ArtifactURI(d.CertificateDigest), Checker: d.Checker, Conclusion: d.Conclusion, Method: d.Method, Coverage: d.Coverage,
		OperatorLogSize: d.OperatorLogSize, Statement: signed,
	}
}

func standard() []events.Event {
	return []events.Event{keyAdded(runnerKey()), &events.CheckerRegistered{Checker: checker}, &events.CheckerAuthorised{Checker: checker}}
}

func TestIsVerified_Accepts(t *testing.T) {
	s := fold(t, standard()...)
	if ok, why := s.IsVerified(record(t, decision(), runnerKey())); !ok {
		t.Fatalf("refused: %v", why)
	}
}

// TestIsVerified_Forgeries changes one thing at a time; each must be refused.
func TestIsVerified_Forgeries(t *testing.T) {
	other := digest.Of([]byte("other"))
	for name, change := range map[string]func(*events.Record){
		"tenant":             func(r *events.Record) { r.Tenant = "other" },
		"claim":              func(r *events.Record) { r.Claim.Digest = other },
		"predicate":          func(r *events.Record) { r.Claim.Predicate = "graph.k_colorable" },
		"semantics":          func(r *events.Record) { r.SemanticsURI = events.ArtifactURI(other) },
		"claim text":         func(r *events.Record) { r.ClaimText = "P = NP" },
		"candidate":          func(r *events.Record) { r.Candidate = other },
		"scope":              func(r *events.Record) { r.Scope = "everything" },
		"certificate":        func(r *events.Record) { r.CertificateURI = events.ArtifactURI(other) },
		"certificate format": func(r *events.Record) { r.CertificateFormat = "drat" },
		"checker":            func(r *events.Record) { r.Checker.Version = 2 },
		"checker program":    func(r *events.Record) { r.Checker.Binary = other },
		"conclusion":         func(r *events.Record) { r.Conclusion = events.True },
		"method":             func(r *events.Record) { r.Method = "proof by authority" },
		"coverage":           func(r *events.Record) { r.Coverage = "more" },
		"log size smaller":   func(r *events.Record) { r.OperatorLogSize = 2 },
		"log size beyond":    func(r *events.Record) { r.OperatorLogSize = 99 },
		"log size negative":  func(r *events.Record) { r.OperatorLogSize = -1 },
		"payload type":       func(r *events.Record) { r.Statement.PayloadType = "text/plain" },
		"signature":          func(r *events.Record) { r.Statement.Signature = base64.StdEncoding.EncodeToString(make([]byte, 64)) },
		"key":                func(r *events.Record) { r.Statement.KeyID = "0000000000000000" },
		"payload":            func(r *events.Record) { r.Statement.Payload = base64.StdEncoding.EncodeToString([]byte(`{}`)) },
	} {
		t.Run(name, func(t *testing.T) {
			r := record(t, decision(), runnerKey())
			change(r)
			if ok, _ := fold(t, standard()...).IsVerified(r); ok {
				t.Fatal("accepted")
			}
		})
	}
}

func TestIsVerified_Authority(t *testing.T) {
	stranger := ed25519.NewKeyFromSeed([]byte(strings.Repeat("x", ed25519.SeedSize)))
	rejected, undecided := decision(), decision()
	rejected.Accepted = false
	undecided.Conclusion = events.Unknown
	early := decision()
	early.OperatorLogSize = 2 // the checker was registered but not authorised then
	late := decision()
	late.OperatorLogSize = 4
	for name, tc := range map[string]struct {
		state *authority.State
		rec   *events.Record
		want  bool
	}{
		"signed by a stranger":             {fold(t, standard()...), record(t, decision(), stranger), false},
		"a rejection":                      {fold(t, standard()...), record(t, rejected, runnerKey()), false},
		"an undecided verdict":             {fold(t, standard()...), record(t, undecided, runnerKey()), false},
		"before authorisation":             {fold(t, standard()...), record(t, early, runnerKey()), false},
		"after suspension":                 {fold(t, append(standard(), &events.CheckerSuspended{Checker: checker, Reason: "x"})...), record(t, late, runnerKey()), false},
		"after revocation":                 {fold(t, append(standard(), &events.CheckerRevoked{Checker: checker, Reason: "x"})...), record(t, late, runnerKey()), false},
		"made before a later suspension":   {fold(t, append(standard(), &events.CheckerSuspended{Checker: checker, Reason: "x"})...), record(t, decision(), runnerKey()), true},
		"key added after the named size":   {fold(t, &events.CheckerAuthorised{Checker: checker}, &events.TenantCreated{Name: "local"}, &events.TenantCreated{Name: "b"}, keyAdded(runnerKey())), record(t, decision(), runnerKey()), false},
		"an empty operator log":            {fold(t), record(t, decision(), runnerKey()), false},
		"another program of the same name": {fold(t, keyAdded(runnerKey()), &events.CheckerAuthorised{Checker: events.CheckerIdentity{CheckerID: "sat.lrat", Version: 1}}, &events.TenantCreated{Name: "b"}), record(t, decision(), runnerKey()), false},
	} {
		if ok, why := tc.state.IsVerified(tc.rec); ok != tc.want {
			t.Errorf("%s: %v, want %v (%v)", name, ok, tc.want, why)
		}
	}
}

func TestApply_RefusesGapsAndBadKeys(t *testing.T) {
	var s authority.State
	if err := s.Apply(&events.Stored{Seq: 2, Event: &events.TenantCreated{Name: "a"}}); err == nil {
		t.Error("a gap was accepted")
	}
	if err := s.Apply(&events.Stored{Seq: 1, Event: &events.KeyAdded{KeyID: "0", Purpose: "RUNNER", PublicKey: "AAAA"}}); err == nil {
		t.Error("a malformed key was accepted")
	}
}
