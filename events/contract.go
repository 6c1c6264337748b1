package events

import (
	"encoding/json"
	"fmt"
	"regexp"
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/jacobian-ledger/jacobian/events/digest"
	"github.com/jacobian-ledger/jacobian/events/jcs"
)

// Mode is how much evidence a request asks for.
type Mode string

// EXPLORE computes; VERIFY also has the evidence decided by an independent checker.
const (
	Explore Mode = "EXPLORE"
	Verify  Mode = "VERIFY"
)

// Status says how a run ended, or that it has not.
type Status string

// The statuses. RUNNING is only ever an answer, never stored.
const (
	StatusCompleted Status = "COMPLETED"
	StatusRunning   Status = "RUNNING"
	StatusTimeout   Status = "TIMEOUT"
	StatusCancelled Status = "CANCELLED"
	StatusError     Status = "ERROR"
)

// Conclusion is what a result says about its claim.
type Conclusion string

// UNKNOWN is the honest answer of everything that was not decided.
const (
	True          Conclusion = "TRUE"
	False         Conclusion = "FALSE"
	Unknown       Conclusion = "UNKNOWN"
	NotApplicable Conclusion = "NOT_APPLICABLE"
)

// Level says why a result may be believed.
type Level string

// HEURISTIC rests on an unchecked witness, model, sample or search; COMPUTED on a deterministic
// operation with a tested contract; VERIFIED on an authorised independent checker that accepted
// evidence bound to exactly this claim. Nothing else makes VERIFIED.
const (
	Heuristic Level = "HEURISTIC"
	Computed  Level = "COMPUTED"
	Verified  Level = "VERIFIED"
)

// Code is the closed set of reasons for which a run is refused or fails.
type Code string

// The codes; each answer with one names the field, what was expected, what was found and what to do.
const (
	CodeUnknownCapability   Code = "UNKNOWN_CAPABILITY"
	CodePolicyDenied        Code = "CAPABILITY_POLICY_DENIED"
	CodeUnsupportedMode     Code = "UNSUPPORTED_MODE"
	CodeInvalidRequest      Code = "INVALID_REQUEST"
	CodeLimitExceeded       Code = "LIMIT_EXCEEDED"
	CodeProviderUnavailable Code = "PROVIDER_UNAVAILABLE"
	CodeAdapterFailed       Code = "ADAPTER_FAILED"
	CodeResultInvalid       Code = "RESULT_INVALID"
	CodeBudgetExceeded      Code = "BUDGET_EXCEEDED"
	CodeCheckerUnavailable  Code = "CHECKER_UNAVAILABLE"
	CodeCheckerRejected     Code = "CHECKER_REJECTED"
	CodeRecordMismatch      Code = "RECORD_MISMATCH"
	CodeNotApplicable       Code = "NOT_APPLICABLE"
	CodeStorageError        Code = "STORAGE_ERROR"
	CodeTenantLimit         Code = "TENANT_LIMIT"
	CodePermissionDenied    Code = "PERMISSION_DENIED"
	CodeInterrupted         Code = "INTERRUPTED"
	CodeCancelled           Code = "CANCELLED"
	CodeNote                Code = "NOTE" // not an error: something that a reader should know
)

// Budget bounds a run. A zero field takes the default of the service.
type Budget struct {
	WallMS      int64 `json:"wall_ms,omitempty" doc:"wall-clock milliseconds"`
	CPUMS       int64 `json:"cpu_ms,omitempty" doc:"processor milliseconds"`
	MemoryBytes int64 `json:"memory_bytes,omitempty" doc:"resident memory in bytes"`
	OutputBytes int64 `json:"output_bytes,omitempty" doc:"size of the output in bytes"`
}

// Validate refuses negative numbers and times beyond a day.
func (b *Budget) Validate() error {
	const day = 24 * 3600 * 1000
	for _, f := range []struct {
		name      string
		value, to int64
	}{{"wall_ms", b.WallMS, day}, {"cpu_ms", b.CPUMS, 64 * day}, {"memory_bytes", b.MemoryBytes, 1 << 40}, {"output_bytes", b.OutputBytes, 1 << 30}} {
		if f.value < 0 || f.value > f.to {
			return jcs.In(f.name, jcs.Fail(fmt.Sprintf("0 (default) to %d", f.to), fmt.Sprint(f.value), "choose a value in range"))
		}
	}
	return nil
}

// ClaimText is what the caller says that it is after: its own words, and optionally the formal claim
// that it believes the operation decides, which is then compared.
type ClaimText struct {
	Text   string `json:"text" doc:"the claim in your words, at most 2000 bytes"`
	Formal *Claim `json:"formal,omitempty" doc:"the formal claim, refused unless it is the one that this request decides"`
}

// Validate refuses an overlong text.
func (c *ClaimText) Validate() error { return maxText("text", c.Text, 2000) }

// Claim is what is asserted, in a form that a checker can decide: a predicate whose words are defined
// by versioned semantics, and its arguments. Two claims are the same if their digests are.
type Claim struct {
	Semantics string          `json:"semantics"` // such as "graph.coloring/1"
	Predicate string          `json:"predicate"` // such as "graph.k_colorable"
	Args      json.RawMessage `json:"args"`      // canonical
}

// Digest identifies the claim.
func (c *Claim) Digest() digest.Digest { return digest.Object(jcs.MustMarshal(c), "claim") }

// Request asks for one run.
type Request struct {
	RequestVersion    int             `json:"request_version,omitempty"`
	CapabilityID      string          `json:"capability_id" doc:"operation id, from math.find"`
	CapabilityVersion int             `json:"capability_version,omitempty" doc:"refused unless it is the current version"`
	Mode              Mode            `json:"mode,omitempty" enum:"EXPLORE,VERIFY" doc:"EXPLORE computes (default); VERIFY also has the evidence checked"`
	Input             json.RawMessage `json:"input" doc:"the operation's input; any value may be {\"$ref\": artifact or episode URI}"`
	Claim             *ClaimText      `json:"claim,omitempty"`
	Budget            *Budget         `json:"budget,omitempty"`
	IdempotencyKey    string          `json:"idempotency_key,omitempty" doc:"the same key and request give the same episode"`
	Investigation     string          `json:"investigation,omitempty" doc:"inv_ and a name, to keep episodes together"`
	Record            string          `json:"record,omitempty" doc:"an existing record to rest on; refused unless it is for this very claim"`
	WaitMS            *int64          `json:"wait_ms,omitempty" doc:"how long to wait for the answer before it is RUNNING; the run goes on"`
	UseMemo           *bool           `json:"use_memo,omitempty" doc:"false runs it again even when the log has the answer"`
}

// RequestVersion is the version of [Request] that this program reads.
const RequestVersion = 1

var capabilityID = regexp.MustCompile(`^[a-z][a-z0-9]*(?:[._-][a-z0-9]+)+$`)

// CheckCapabilityID refuses malformed capability ids.
func CheckCapabilityID(s string) error {
	if len(s) < 3 || len(s) > 128 || !capabilityID.MatchString(s) {
		return jcs.Fail("a capability id such as graph.isomorphism.decide", fmt.Sprintf("%.80q", s), "look it up with math.find")
	}
	return nil
}

// Validate refuses unknown modes and malformed or overlong members.
func (r *Request) Validate() error {
	if r.RequestVersion != 0 && r.RequestVersion != RequestVersion {
		return jcs.In("request_version", jcs.Fail(fmt.Sprint(RequestVersion), fmt.Sprint(r.RequestVersion), "leave it out"))
	}
	if err := CheckCapabilityID(r.CapabilityID); err != nil {
		return jcs.In("capability_id", err)
	}
	if r.Mode != "" {
		if err := oneOf("mode", string(r.Mode), string(Explore), string(Verify)); err != nil {
			return err
		}
	}
	if r.Claim != nil {
		if err := r.Claim.Validate(); err != nil {
			return jcs.In("claim", err)
		}
	}
	if len(r.IdempotencyKey) > 128 {
		return jcs.In("idempotency_key", jcs.Fail("at most 128 bytes", fmt.Sprintf("%d bytes", len(r.IdempotencyKey)), "use a shorter key"))
	}
	if r.Investigation != "" {
		if err := CheckInvestigation(r.Investigation); err != nil {
			return jcs.In("investigation", jcs.Fail(`"inv_" and 1 to 64 characters of [A-Za-z0-9_-]`, fmt.Sprintf("%.80q", r.Investigation), "rename the investigation"))
		}
	}
	if r.Record != "" {
		if _, err := ParseRecordURI(r.Record); err != nil {
			return jcs.In("record", jcs.Fail("a record id or record:// address", fmt.Sprintf("%.80q", r.Record), "copy it from a result's record_uri"))
		}
	}
	if r.WaitMS != nil && (*r.WaitMS < 0 || *r.WaitMS > 600_000) {
		return jcs.In("wait_ms", jcs.Fail("0 to 600000", fmt.Sprint(*r.WaitMS), "wait again later for the same episode"))
	}
	return nil
}

// Usage is what a run consumed.
type Usage struct {
	WallMS          int64 `json:"wall_ms"`
	CPUMS           int64 `json:"cpu_ms"`
	PeakMemoryBytes int64 `json:"peak_memory_bytes"`
	OutputBytes     int64 `json:"output_bytes"`
}

// Execution says whether it ran.
type Execution struct {
	Status Status `json:"status"`
	Usage  Usage  `json:"usage"`
	Detail string `json:"detail"`
}

// Scope says how far a result reaches.
type Scope struct {
	Description string  `json:"description"`
	Parameters  []Param `json:"parameters"`
}

// Param is one named bound of a scope; numbers are decimal strings.
type Param struct {
	Name  string `json:"name"`
	Value string `json:"value"`
}

// Completeness says whether the scope was covered.
type Completeness struct {
	Status    string `json:"status"` // NOT_APPLICABLE, UNKNOWN, PARTIAL, COMPLETE
	Basis     string `json:"basis"`
	RecordURI string `json:"record_uri"`
}

// The completeness statuses.
const (
	CompletenessNotApplicable = "NOT_APPLICABLE"
	CompletenessUnknown       = "UNKNOWN"
	CompletenessPartial       = "PARTIAL"
	CompletenessComplete      = "COMPLETE"
)

// Relationship relates the things that a result speaks of.
type Relationship struct {
	RelationID     string   `json:"relation_id"`
	Sources        []string `json:"sources"`
	Targets        []string `json:"targets"`
	Status         string   `json:"status"` // PROPOSED, VERIFIED
	ObligationURIs []string `json:"obligation_uris"`
	RecordURI      string   `json:"record_uri"`
}

// Obligation is what is still owed.
type Obligation struct {
	ObligationURI string `json:"obligation_uri"`
	Text          string `json:"text"`
	Status        string `json:"status"` // OPEN, DISCHARGED
	RecordURI     string `json:"record_uri"`
}

// Assurance says why to believe a result.
type Assurance struct {
	Level               Level    `json:"level"`
	Basis               string   `json:"basis"`
	RecordURI           string   `json:"record_uri"`
	Checker             string   `json:"checker"`
	IndependentCheckers int      `json:"independent_checkers"`
	TaintedBy           []string `json:"tainted_by"` // episodes that are HEURISTIC and that this rests on
}

// Certificate is the evidence that a result carries.
type Certificate struct {
	Format      string `json:"format"`
	ArtifactURI string `json:"artifact_uri"`
	Inline      string `json:"inline"` // short ones; the same bytes as the artifact where both are given
	CheckedBy   string `json:"checked_by"`
}

// Diagnostic says what went wrong or what to know.
type Diagnostic struct {
	Code     Code   `json:"code"`
	Stage    string `json:"stage"` // RESOLVE, POLICY, MODE, DECODE, LIMITS, MEMO, RECORD, PROVIDER, RUN, VALIDATE, CHECK, STORE
	Message  string `json:"message"`
	Path     string `json:"path"` // JSON pointer into the request
	Expected string `json:"expected"`
	Actual   string `json:"actual"`
	Hint     string `json:"hint"`
}

// IsError reports whether the diagnostic is a failure and not a note.
func (d *Diagnostic) IsError() bool { return d.Code != CodeNote }

// LogPosition is where a result lives.
type LogPosition struct {
	Seq int64 `json:"seq"` // of the terminal event; 0 before there is one
}

// MemoOrigin says that a result was answered from the log.
type MemoOrigin struct {
	Origin string `json:"origin"` // episode
	AgeMS  int64  `json:"age_ms"`
}

// Result is the answer to a [Request].
type Result struct {
	ResultVersion     int             `json:"result_version"`
	CapabilityID      string          `json:"capability_id"`
	CapabilityVersion int             `json:"capability_version"`
	Mode              Mode            `json:"mode"`
	Provider          string          `json:"provider"`
	ProviderDigest    string          `json:"provider_digest"`
	Episode           string          `json:"episode"`
	Investigation     string          `json:"investigation"`
	Log               LogPosition     `json:"log"`
	Memo              *MemoOrigin     `json:"memo"`
	Execution         Execution       `json:"execution"`
	ClaimText         string          `json:"claim_text"`
	Claim             *ClaimRef       `json:"claim"`
	Output            json.RawMessage `json:"output"` // null, the operation's object, or {"$ref": artifact} when it is large
	Scope             *Scope          `json:"scope"`
	Completeness      Completeness    `json:"completeness"`
	Relationships     []Relationship  `json:"relationships"`
	Obligations       []Obligation    `json:"obligations"`
	Assurance         Assurance       `json:"assurance"`
	Conclusion        Conclusion      `json:"conclusion"`
	Certificate       *Certificate    `json:"certificate"`
	Diagnostics       []Diagnostic    `json:"diagnostics"`
	ArtifactURIs      []string        `json:"artifact_uris"`
}

// ClaimRef names the formal claim that a result is about.
type ClaimRef struct {
	Semantics string        `json:"semantics"`
	Predicate string        `json:"predicate"`
	Digest    digest.Digest `json:"digest"`
}

// ResultVersion is the version of [Result] that this program writes.
const ResultVersion = 1

// Validate refuses results that contradict themselves; the rules are in docs/contract.md.
func (r *Result) Validate() error {
	if err := oneOf("conclusion", string(r.Conclusion), string(True), string(False), string(Unknown), string(NotApplicable)); err != nil {
		return err
	}
	status := r.Execution.Status
	if err := oneOf("execution/status", string(status), string(StatusCompleted), string(StatusRunning), string(StatusTimeout), string(StatusCancelled), string(StatusError)); err != nil {
		return err
	}
	refuse := func(path, expected, found string) error {
		return &jcs.Error{Path: path, Expected: expected, Found: found}
	}
	for i := range r.Diagnostics {
		if status == StatusCompleted && r.Diagnostics[i].IsError() {
			return refuse("/diagnostics", "no error in a COMPLETED result", string(r.Diagnostics[i].Code))
		}
	}
	if status != StatusCompleted && r.Conclusion != Unknown {
		return refuse("/conclusion", "UNKNOWN unless COMPLETED", string(r.Conclusion))
	}
	switch r.Assurance.Level {
	case Verified:
		if status != StatusCompleted || r.Mode != Verify || r.Assurance.RecordURI == "" {
			return refuse("/assurance/level", "VERIFIED only in mode VERIFY, COMPLETED, with a record", string(r.Assurance.Level))
		}
	case Heuristic, Computed:
		if r.Assurance.RecordURI != "" {
			return refuse("/assurance/record_uri", "no record below VERIFIED", r.Assurance.RecordURI)
		}
	default:
		return refuse("/assurance/level", "HEURISTIC, COMPUTED or VERIFIED", string(r.Assurance.Level))
	}
	if r.Completeness.Status == CompletenessComplete && (r.Scope == nil || r.Completeness.Basis == "") {
		return refuse("/completeness", "a scope and a basis for COMPLETE", "none")
	}
	record := r.Assurance.RecordURI
	for _, x := range r.Relationships {
		if x.Status == "VERIFIED" && (record == "" || x.RecordURI != record) {
			return refuse("/relationships", "VERIFIED only with the result's record", x.RelationID)
		}
	}
	for _, x := range r.Obligations {
		if x.Status == "DISCHARGED" && (record == "" || x.RecordURI != record) {
			return refuse("/obligations", "DISCHARGED only with the result's record", x.ObligationURI)
		}
	}
	if c := r.Certificate; c != nil && c.ArtifactURI != "" && !slices.Contains(r.ArtifactURIs, c.ArtifactURI) {
		return refuse("/artifact_uris", "every artifact that the result names", "not "+c.ArtifactURI)
	}
	return nil
}

// Failure returns the first error diagnostic, or nil.
func (r *Result) Failure() *Diagnostic {
	for i := range r.Diagnostics {
		if r.Diagnostics[i].IsError() {
			return &r.Diagnostics[i]
		}
	}
	return nil
}

// ArtifactRef describes stored bytes.
type ArtifactRef struct {
	Digest    digest.Digest `json:"digest"` // plain SHA-256 of the bytes
	Size      int64         `json:"size"`
	MediaType string        `json:"media_type"`
	Schema    string        `json:"schema"`    // what the bytes are, such as "sat.cnf/1"; may be ""
	Semantics string        `json:"semantics"` // what they mean; may be ""
	Parents   []string      `json:"parents"`   // artifact URIs that they derive from
	Summary   string        `json:"summary"`
}

// URI is the artifact's address.
func (a *ArtifactRef) URI() string { return ArtifactURI(a.Digest) }

// MaxParents is the most parents that an artifact may name.
const MaxParents = 4096

// Validate refuses malformed parents and overlong summaries.
func (a *ArtifactRef) Validate() error {
	if len(a.Parents) > MaxParents {
		return jcs.In("parents", jcs.Fail(fmt.Sprintf("at most %d", MaxParents), fmt.Sprint(len(a.Parents)), ""))
	}
	for i, p := range a.Parents {
		if _, err := ParseArtifactURI(p); err != nil {
			return jcs.In("parents", jcs.At(i, err))
		}
	}
	return maxText("summary", a.Summary, 1024)
}

// Record is an accepted decision of an authorised checker, with everything that it is bound to. The
// signed statement is the truth; the other members repeat it for readers and must equal it.
type Record struct {
	RecordID          string          `json:"record_id"`
	Tenant            string          `json:"tenant"`
	Claim             ClaimRef        `json:"claim"`
	ClaimText         string          `json:"claim_text"` // as asked
	ClaimURI          string          `json:"claim_uri"`
	Candidate         digest.Digest   `json:"candidate"` // object digest of the answer that was offered
	CandidateURI      string          `json:"candidate_uri"`
	SemanticsURI      string          `json:"semantics_uri"` // first parent
	Scope             string          `json:"scope"`
	CertificateFormat string          `json:"certificate_format"`
	CertificateURI    string          `json:"certificate_uri"`
	Checker           CheckerIdentity `json:"checker"`
	Conclusion        Conclusion      `json:"conclusion"` // TRUE or FALSE
	Method            string          `json:"method"`
	Coverage          string          `json:"coverage"`
	OperatorLogSize   int64           `json:"operator_log_size"`
	Statement         Signed          `json:"statement"`
}

// URI is the record's address.
func (r *Record) URI() string { return RecordURI(r.RecordID) }

// Validate refuses a record that concludes nothing.
func (r *Record) Validate() error {
	if err := CheckRecord(r.RecordID); err != nil {
		return jcs.In("record_id", err)
	}
	return oneOf("conclusion", string(r.Conclusion), string(True), string(False))
}

// Signed is a DSSE envelope with one Ed25519 signature.
type Signed struct {
	PayloadType string `json:"payload_type"`
	Payload     string `json:"payload"` // base64
	KeyID       string `json:"key_id"`
	Signature   string `json:"signature"` // base64
}

// Descriptor is the public contract of a capability.
type Descriptor struct {
	CapabilityID          string          `json:"capability_id"`
	Version               int             `json:"version"`
	Title                 string          `json:"title"`
	Description           string          `json:"description"`
	Source                string          `json:"source"` // where the definition comes from
	Kind                  string          `json:"kind"`   // COMPUTED, CERTIFIED, SEARCH, MATERIALIZE, VERIFICATION, SERVICE
	Provider              Provider        `json:"provider"`
	Modes                 []Mode          `json:"modes"`
	InputSchema           json.RawMessage `json:"input_schema"`
	OutputSchema          json.RawMessage `json:"output_schema"`
	ReadOnly              bool            `json:"read_only"`
	Deterministic         bool            `json:"deterministic"`
	Tags                  []string        `json:"tags"`
	Needs                 []string        `json:"needs"`   // phrases in which somebody would ask for it
	Aliases               []string        `json:"aliases"` // other names of the same thing
	AcceptedInputKinds    []string        `json:"accepted_input_kinds"`
	AcceptedArtifactTypes []string        `json:"accepted_artifact_types"`
	ProducedArtifactTypes []string        `json:"produced_artifact_types"`
	DiscoveryVisible      bool            `json:"discovery_visible"`
	Examples              []Example       `json:"examples"`
	Limits                []Limit         `json:"limits"`
	Certificates          *Certificates   `json:"certificates"`
	AssuranceCeiling      Level           `json:"assurance_ceiling"`
}

// Provider is the engine or library behind a capability.
type Provider struct {
	Name         string        `json:"name"`
	Version      string        `json:"version"`
	Digest       digest.Digest `json:"digest"`
	DigestKind   string        `json:"digest_kind"`
	Platform     string        `json:"platform"`
	License      string        `json:"license"`
	Features     []string      `json:"features"`
	Availability string        `json:"availability"` // AVAILABLE, UNAVAILABLE
	Diagnostic   string        `json:"diagnostic"`
	InstallHint  string        `json:"install_hint"`
}

// Example is one call with its answer; the tests run every one.
type Example struct {
	Name   string          `json:"name"`
	Mode   Mode            `json:"mode"`
	Input  json.RawMessage `json:"input"`
	Output json.RawMessage `json:"output"`
}

// Limit is a bound that is enforced before any work.
type Limit struct {
	Name  string `json:"name"`
	Value string `json:"value"` // decimal
	Note  string `json:"note"`
}

// Certificates says what evidence a capability emits and who decides it.
type Certificates struct {
	Emits     []string `json:"emits"`
	CheckedBy []string `json:"checked_by"`
}

// Domain is the first word of the id.
func (d *Descriptor) Domain() string { return DomainOf(d.CapabilityID) }

// DomainOf is the first word of a capability id.
func DomainOf(id string) string {
	if i := strings.IndexAny(id, "._-"); i > 0 {
		return id[:i]
	}
	return id
}

func maxText(name, s string, limit int) error {
	if len(s) > limit {
		return jcs.In(name, jcs.Fail(fmt.Sprintf("at most %d bytes", limit), fmt.Sprintf("%d bytes", len(s)), "shorten it"))
	}
	if !utf8.ValidString(s) {
		return jcs.In(name, jcs.Fail("UTF-8 text", "other bytes", ""))
	}
	return nil
}

func oneOf(path, found string, allowed ...string) error {
	if slices.Contains(allowed, found) {
		return nil
	}
	return &jcs.Error{Path: "/" + path, Expected: "one of " + strings.Join(allowed, ", "), Found: fmt.Sprintf("%.60q", found), Hint: "choose one of these"}
}
