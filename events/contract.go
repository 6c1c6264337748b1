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
