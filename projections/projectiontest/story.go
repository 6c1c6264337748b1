package projectiontest

import (
	"crypto/ed25519"
	"encoding/base64"
	"encoding/json"
	"fmt"
	"testing"

	"github.com/jacobian-ledger/jacobian/events"
	"github.com/jacobian-ledger/jacobian/events/authority"
	"github.com/jacobian-ledger/jacobian/events/digest"
	"github.com/jacobian-ledger/jacobian/events/jcs"
	"github.com/jacobian-ledger/jacobian/projections"
)

// Story is a pair of logs that is being told.
type Story struct {
	t        testing.TB
	Tenant   *Log
	Operator *Log
	Checker  events.CheckerIdentity
	key      ed25519.PrivateKey
}

// NewStory begins with a runner key and an authorised checker in the operator log.
func NewStory(t testing.TB) *Story {
	s := &Story{t: t, Tenant: NewLog(t, "local"), Operator: NewLog(t, "operator")}
	s.key = ed25519.NewKeyFromSeed(make([]byte, ed25519.SeedSize))
	pub := s.key.Public().(ed25519.PublicKey)
	s.Checker = events.CheckerIdentity{CheckerID: "sat.lrat", Version: 1, Binary: digest.Of([]byte("binary")), IndependenceClass: "go-lrat"}
	s.Operator.Append(events.Envelope{}, &events.KeyAdded{KeyID: authority.KeyID(pub), Purpose: "RUNNER", PublicKey: base64.StdEncoding.EncodeToString(pub)})
	s.Operator.Append(events.Envelope{}, &events.CheckerRegistered{Checker: s.Checker, Formats: []string{"lrat"}, Predicates: []string{"sat.satisfiable"}})
	s.Operator.Append(events.Envelope{}, &events.CheckerAuthorised{Checker: s.Checker, Reason: "bundled"})
	return s
}

// Logs are the two logs by name.
func (s *Story) Logs() map[projections.Log]*Log {
	return map[projections.Log]*Log{projections.Tenant: s.Tenant, projections.Operator: s.Operator}
}

// Run is one run of a story. Zero fields take plain values.
type Run struct {
	Capability    string
	Claim         string
	Input         string
	Refs          []string
	Key           string
	Investigation string
	Status        events.Status
	Conclusion    events.Conclusion
	Level         events.Level // VERIFIED also makes a record
	Detail        string
	Code          events.Code
	Artifacts     []string // contents stored by the run
	Unfinished    bool
	Borrow        string // id of another run's record to name instead of one of its own
}

// Told is what a run left.
type Told struct {
	Episode   string
	Request   digest.Digest
	Requested uint64
	Finished  uint64
	Record    string   // id
	Artifacts []string // URIs
}

// Run tells one run.
func (s *Story) Run(r Run) Told {
	s.t.Helper()
	if r.Input == "" {
		r.Input = `{"n":"6"}`
	}
	if r.Status == "" {
		r.Status = events.StatusCompleted
	}
	if r.Conclusion == "" {
		r.Conclusion = events.Unknown
	}
	if r.Level == "" {
		r.Level = events.Computed
	}
	if r.Refs == nil {
		r.Refs = []string{}
	}
	told := Told{Episode: events.NewEpisode(s.Tenant.Now()), Request: digest.Of([]byte(r.Capability + r.Input))}
	env := events.Envelope{Subject: r.Capability, Episode: told.Episode, Investigation: r.Investigation, Actor: "agent"}
	req := events.Request{CapabilityID: r.Capability, Mode: events.Explore, Input: json.RawMessage(r.Input), IdempotencyKey: r.Key, Investigation: r.Investigation}
	if r.Claim != "" {
		req.Claim = &events.ClaimText{Text: r.Claim}
	}
	told.Requested = s.Tenant.Append(env, &events.RunRequested{
		Request: req, RequestDigest: told.Request, CapabilityVersion: 1, Refs: r.Refs, Deadline: events.FormatTime(s.Tenant.Now()),
	}).Seq
	if r.Unfinished {
		return told
	}
	for _, content := range r.Artifacts {
		ref := events.ArtifactRef{Digest: digest.Of([]byte(content)), Size: int64(len(content)), MediaType: "text/plain", Schema: "test/1", Parents: []string{}, Summary: content}
		s.Tenant.Append(env, &events.ArtifactStored{Artifact: ref})
		told.Artifacts = append(told.Artifacts, ref.URI())
	}
	res := s.result(r, told)
	if r.Level == events.Verified {
		if told.Record = r.Borrow; r.Borrow == "" {
			told.Record = s.record(env, r)
		}
		res.Mode, res.Assurance.RecordURI = events.Verify, events.RecordURI(told.Record)
	}
	told.Finished = s.Tenant.Append(env, &events.RunFinished{Result: res}).Seq
	return told
}

func (s *Story) result(r Run, told Told) events.Result {
	res := events.Result{
		ResultVersion: events.ResultVersion, CapabilityID: r.Capability, CapabilityVersion: 1, Mode: events.Explore, Provider: "test", Episode: told.Episode,
		Investigation: r.Investigation, Execution: events.Execution{Status: r.Status, Detail: r.Detail}, ClaimText: r.Claim, Output: json.RawMessage(`null`),
		Completeness: events.Completeness{Status: events.CompletenessNotApplicable}, Relationships: []events.Relationship{}, Obligations: []events.Obligation{},
		Assurance:  events.Assurance{Level: r.Level, Basis: "test", TaintedBy: []string{}},
		Conclusion: r.Conclusion, Diagnostics: []events.Diagnostic{}, ArtifactURIs: append([]string{}, told.Artifacts...),
	}
	if r.Code != "" {
		res.Diagnostics = append(res.Diagnostics, events.Diagnostic{Code: r.Code, Stage: "RUN", Message: r.Detail})
	}
	return res
}

func (s *Story) record(env events.Envelope, r Run) string {
	uri := func(what string) string { return events.ArtifactURI(digest.Of([]byte(what + r.Input))) }
	size, _ := s.Operator.Last(s.t.Context())
	d := authority.Decision{
		Accepted: true, Conclusion: r.Conclusion, Method: "replay", Tenant: "local", Episode: env.Episode,
		Claim: events.ClaimRef{Semantics: "sat/1", Predicate: "sat.satisfiable", Digest: digest.Of([]byte(r.Input))}, ClaimText: r.Claim,
		Candidate: digest.Of([]byte("candidate" + r.Input)), SemanticsDigest: digest.Of([]byte("semantics" + r.Input)), Scope: "all", CertificateFormat: "lrat",
		CertificateDigest: digest.Of([]byte("certificate" + r.Input)), Checker: s.Checker, OperatorLogSize: int64(size),
	}
	signed, err := authority.Sign(d, s.key)
	if err != nil {
		s.t.Fatal(err)
	}
	rec := events.Record{
		RecordID: events.NewRecord(s.Tenant.Now()), Tenant: "local", Claim: d.Claim, ClaimText: r.Claim, ClaimURI: uri("claim"), Candidate: d.Candidate,
		CandidateURI: uri("candidate"), SemanticsURI: uri("semantics"), Scope: d.Scope, CertificateFormat: "lrat", CertificateURI: uri("certificate"),
		Checker: s.Checker, Conclusion: r.Conclusion, Method: d.Method, OperatorLogSize: d.OperatorLogSize, Statement: signed,
	}
	s.Tenant.Append(env, &events.VerificationRecorded{Record: rec})
	return rec.RecordID
}

// Register adds a descriptor to the catalog.
func (s *Story) Register(d events.Descriptor) {
	s.t.Helper()
	b, err := jcs.Marshal(d)
	if err != nil {
		s.t.Fatal(err)
	}
	s.Tenant.Append(events.Envelope{Subject: d.CapabilityID}, &events.CapabilityRegistered{CapabilityID: d.CapabilityID, Version: d.Version, Descriptor: string(b)})
}

// Revoke withdraws the checker.
func (s *Story) Revoke() {
	s.Operator.Append(events.Envelope{}, &events.CheckerRevoked{Checker: s.Checker, Reason: "unsound"})
}

// Example tells a short investigation in which everything happens once: a graph is made, found not
// 3-colourable, and used; a factorisation times out; a heuristic search is built upon; a run is left
// without an end; an operation is registered, replaced and retired.
func Example(t testing.TB) (*Story, map[string]Told) {
	s, told := NewStory(t), map[string]Told{}
	s.Register(Descriptor("graph.k_coloring.decide", "Decide k-colourability"))
	s.Register(Descriptor("graph.old.decide", "Old"))
	s.Tenant.Append(events.Envelope{Subject: "graph.old.decide"}, &events.CapabilityRetired{CapabilityID: "graph.old.decide", Reason: "replaced"})
	told["graph"] = s.Run(Run{Capability: "graph.construct.family", Input: `{"family":"groetzsch"}`, Artifacts: []string{"J?AKagjXfo?"}, Investigation: "inv_demo"})
	told["refuted"] = s.Run(Run{
		Capability: "graph.k_coloring.decide", Claim: "The Grötzsch graph is not 3-colourable", Input: `{"k":"3"}`, Refs: told["graph"].Artifacts,
		Conclusion: events.False, Level: events.Verified, Artifacts: []string{"certificate" + `{"k":"3"}`}, Investigation: "inv_demo", Key: "key-1",
	})
	told["timeout"] = s.Run(Run{
		Capability: "integer.compute.prime_factorization", Claim: "factors of RSA-100, a semiprime of 100 digits", Input: `{"n":"1522605027922533360535618378132637429718068114961380688657908494580122963258952897654000350692006139"}`,
		Status: events.StatusTimeout, Code: events.CodeBudgetExceeded, Detail: "no factor found; trial division to 10^6, rho, ECM 12 curves",
	})
	told["guess"] = s.Run(Run{Capability: "sequence.compute.linear_recurrence_guess", Input: `{"terms":["1","1","2"]}`, Level: events.Heuristic, Artifacts: []string{"guess"}})
	told["built"] = s.Run(Run{Capability: "combinatorics.recurrence.linear.evaluate", Input: `{"n":"10"}`, Refs: told["guess"].Artifacts})
	told["direct"] = s.Run(Run{Capability: "sequence.compute.sum", Input: `{"terms":["1"]}`, Refs: []string{events.EpisodeURI(told["built"].Episode) + "#/output/value"}})
	told["open"] = s.Run(Run{Capability: "integer.compute.gcd", Input: `{"a":"1"}`, Unfinished: true})
	told["search"] = s.Run(Run{Capability: "memory.search", Input: `{"query":"Grötzsch graph colouring"}`, Claim: "Grötzsch graph colouring"})
	s.Tenant.Append(events.Envelope{Investigation: "inv_demo", Actor: "agent"}, &events.NoteWritten{Stage: "PLAN", Text: "try circulant graphs next"})
	return s, told
}

// Descriptor makes a small valid descriptor.
func Descriptor(id, title string) events.Descriptor {
	return events.Descriptor{
		CapabilityID: id, Version: 1, Title: title, Description: title + ".", Kind: "COMPUTED", Provider: events.Provider{Name: "go", Version: "1", Features: []string{}, Availability: "AVAILABLE"},
		Modes: []events.Mode{events.Explore}, InputSchema: json.RawMessage(`{"type":"object"}`), OutputSchema: json.RawMessage(`{"type":"object"}`),
		Tags: []string{}, Needs: []string{}, Aliases: []string{}, AcceptedInputKinds: []string{}, AcceptedArtifactTypes: []string{}, ProducedArtifactTypes: []string{},
		DiscoveryVisible: true, Examples: []events.Example{}, Limits: []events.Limit{}, AssuranceCeiling: events.Computed,
	}
}

// Many tells n runs of distinct requests, for measuring.
func (s *Story) Many(n int) {
	for i := range n {
		s.Run(Run{Capability: "integer.compute.gcd", Claim: fmt.Sprintf("gcd of %d and 12", i), Input: fmt.Sprintf(`{"a":"%d","b":"12"}`, i)})
	}
}
