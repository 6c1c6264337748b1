package events

import (
	"encoding/json"
	"slices"

	"github.com/jacobian-ledger/jacobian/events/digest"
	"github.com/jacobian-ledger/jacobian/events/jcs"
)

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
