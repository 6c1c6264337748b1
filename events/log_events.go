package events

import (
	"errors"

	"github.com/jacobian-ledger/jacobian/events/digest"
	"github.com/jacobian-ledger/jacobian/events/jcs"
)

// LogOpened says that a process became the owner of the log.
type LogOpened struct {
	Program string `json:"program"` // name and version
	Reason  string `json:"reason"`  // "created", "opened"
}

// InvestigationOpened begins a set of episodes that belong together.
type InvestigationOpened struct {
	Title string `json:"title"`
}

// NoteWritten is an agent's own bounded summary of what it intends or found.
type NoteWritten struct {
	Stage string `json:"stage"` // PLAN, BEFORE, AFTER, FINAL
	Text  string `json:"text"`
}

// RunRequested is durable before any work of its run begins.
type RunRequested struct {
	Request           Request       `json:"request"`        // normalised; large inputs are by reference
	RequestDigest     digest.Digest `json:"request_digest"` // the memo key, see RequestKey
	CapabilityVersion int           `json:"capability_version"`
	ProviderDigest    digest.Digest `json:"provider_digest"`
	Refs              []string      `json:"refs"`     // artifact and episode URIs that the input was resolved from
	Deadline          string        `json:"deadline"` // past it without a terminal event the run is an orphan
}

// RunFinished is the one terminal event of a run.
type RunFinished struct {
	Result Result `json:"result"`
}

// RunReused says that a request was answered from the log, without running anything.
type RunReused struct {
	RequestDigest digest.Digest `json:"request_digest"`
	Origin        string        `json:"origin"` // episode that answered
	Reason        string        `json:"reason"` // MEMO, IDEMPOTENT, RECORD
}

// RunCancelRequested says that somebody asked a run to stop.
type RunCancelRequested struct {
	Reason string `json:"reason"`
}

// ArtifactStored names bytes that were put into the artifact store before this event.
type ArtifactStored struct {
	Artifact ArtifactRef `json:"artifact"`
}

// VerificationRecorded is an accepted decision of a checker. Rejections make none.
type VerificationRecorded struct {
	Record Record `json:"record"`
}

// CapabilityRegistered adds a descriptor to the catalog, or a new version of one.
type CapabilityRegistered struct {
	CapabilityID   string        `json:"capability_id"`
	Version        int           `json:"capability_version"`
	ProviderDigest digest.Digest `json:"provider_digest"`
	Descriptor     string        `json:"descriptor"` // the whole Descriptor in canonical JSON; text, since JSON Schema has names outside the event profile
}

// Decoded reads the descriptor.
func (e *CapabilityRegistered) Decoded() (Descriptor, error) {
	var d Descriptor
	err := jcs.Decode([]byte(e.Descriptor), &d)
	return d, err
}

// CapabilityRetired takes a capability out of the catalog; its episodes stay.
type CapabilityRetired struct {
	CapabilityID string `json:"capability_id"`
	Reason       string `json:"reason"`
}

// TenantCreated adds a tenant and its log.
type TenantCreated struct {
	Name string `json:"name"`
}

// KeyAdded makes an Ed25519 public key known under a purpose.
type KeyAdded struct {
	KeyID     string `json:"key_id"`
	Purpose   string `json:"purpose"`    // RUNNER: signs checker decisions
	PublicKey string `json:"public_key"` // base64, 32 bytes
}

// CheckerIdentity is a program that decides, pinned by the digest of its executable.
type CheckerIdentity struct {
	CheckerID         string        `json:"checker_id"`
	Version           int           `json:"checker_version"`
	Binary            digest.Digest `json:"binary"`
	IndependenceClass string        `json:"independence_class"` // checkers of one class may share a fault
}

// CheckerRegistered makes a checker known. It may not decide before it is authorised.
type CheckerRegistered struct {
	Checker    CheckerIdentity `json:"checker"`
	Formats    []string        `json:"formats"`
	Predicates []string        `json:"predicates"`
}

// CheckerAuthorised lets a checker's decisions count from this position of the operator log on.
type CheckerAuthorised struct {
	Checker CheckerIdentity `json:"checker"`
	Reason  string          `json:"reason"`
}

// CheckerSuspended stops new decisions; records made before still count.
type CheckerSuspended struct {
	Checker CheckerIdentity `json:"checker"`
	Reason  string          `json:"reason"`
}

// CheckerRevoked withdraws a checker as unsound: records made by it are disputed.
type CheckerRevoked struct {
	Checker CheckerIdentity `json:"checker"`
	Reason  string          `json:"reason"`
}

func (*LogOpened) Kind() Kind            { return KindLogOpened }
func (*InvestigationOpened) Kind() Kind  { return KindInvestigationOpened }
func (*NoteWritten) Kind() Kind          { return KindNoteWritten }
func (*RunRequested) Kind() Kind         { return KindRunRequested }
func (*RunFinished) Kind() Kind          { return KindRunFinished }
func (*RunReused) Kind() Kind            { return KindRunReused }
func (*RunCancelRequested) Kind() Kind   { return KindRunCancelRequested }
func (*ArtifactStored) Kind() Kind       { return KindArtifactStored }
func (*VerificationRecorded) Kind() Kind { return KindVerificationRecorded }
func (*CapabilityRegistered) Kind() Kind { return KindCapabilityRegistered }
func (*CapabilityRetired) Kind() Kind    { return KindCapabilityRetired }
func (*TenantCreated) Kind() Kind        { return KindTenantCreated }
func (*KeyAdded) Kind() Kind             { return KindKeyAdded }
func (*CheckerRegistered) Kind() Kind    { return KindCheckerRegistered }
func (*CheckerAuthorised) Kind() Kind    { return KindCheckerAuthorised }
func (*CheckerSuspended) Kind() Kind     { return KindCheckerSuspended }
func (*CheckerRevoked) Kind() Kind       { return KindCheckerRevoked }

func (*LogOpened) event()            {}
func (*InvestigationOpened) event()  {}
func (*NoteWritten) event()          {}
func (*RunRequested) event()         {}
func (*RunFinished) event()          {}
func (*RunReused) event()            {}
func (*RunCancelRequested) event()   {}
func (*ArtifactStored) event()       {}
func (*VerificationRecorded) event() {}
func (*CapabilityRegistered) event() {}
func (*CapabilityRetired) event()    {}
func (*TenantCreated) event()        {}
func (*KeyAdded) event()             {}
func (*CheckerRegistered) event()    {}
func (*CheckerAuthorised) event()    {}
func (*CheckerSuspended) event()     {}
func (*CheckerRevoked) event()       {}

var errEmpty = errors.New("a required text is empty")

func need(texts ...string) error {
	for _, t := range texts {
		if t == "" {
			return errEmpty
		}
	}
	return nil
}

// Validate refuses an empty reason or program.
func (e *LogOpened) Validate() error { return need(e.Program, e.Reason) }

// Validate refuses an overlong title.
func (e *InvestigationOpened) Validate() error { return maxText("title", e.Title, 512) }

// Validate refuses an unknown stage and an overlong text.
func (e *NoteWritten) Validate() error {
	if err := oneOf("stage", e.Stage, "PLAN", "BEFORE", "AFTER", "FINAL"); err != nil {
		return err
	}
	return maxText("text", e.Text, 8192)
}

// Validate refuses a malformed deadline; the request has validated itself.
func (e *RunRequested) Validate() error {
	if _, err := ParseTime(e.Deadline); err != nil {
		return jcs.In("deadline", err)
	}
	return nil
}

// Validate refuses a result that is not terminal.
func (e *RunFinished) Validate() error {
	if e.Result.Execution.Status == StatusRunning {
		return jcs.In("result", jcs.In("execution", jcs.In("status", jcs.Fail("a terminal status", string(StatusRunning), ""))))
	}
	return nil
}

// Validate refuses a malformed origin and an unknown reason.
func (e *RunReused) Validate() error {
	if err := CheckEpisode(e.Origin); err != nil {
		return jcs.In("origin", err)
	}
	return oneOf("reason", e.Reason, "MEMO", "IDEMPOTENT", "RECORD")
}

// Validate refuses an overlong reason.
func (e *RunCancelRequested) Validate() error { return maxText("reason", e.Reason, 1024) }

// Validate accepts: the reference has validated itself.
func (e *ArtifactStored) Validate() error { return nil }

// Validate accepts: the record has validated itself.
func (e *VerificationRecorded) Validate() error { return nil }

// Validate refuses a descriptor that does not decode or is for another capability.
func (e *CapabilityRegistered) Validate() error {
	d, err := e.Decoded()
	if err != nil {
		return jcs.In("descriptor", err)
	}
	if d.CapabilityID != e.CapabilityID || d.Version != e.Version {
		return jcs.In("descriptor", jcs.Fail("the descriptor of "+e.CapabilityID, d.CapabilityID, ""))
	}
	return nil
}

// Validate refuses an empty id.
func (e *CapabilityRetired) Validate() error { return need(e.CapabilityID) }

// Validate refuses a malformed tenant name.
func (e *TenantCreated) Validate() error { return CheckTenant(e.Name) }

// Validate refuses an unknown purpose.
func (e *KeyAdded) Validate() error { return oneOf("purpose", e.Purpose, "RUNNER") }

// Validate refuses an empty identity.
func (e *CheckerRegistered) Validate() error { return need(e.Checker.CheckerID) }

// Validate refuses an empty identity.
func (e *CheckerAuthorised) Validate() error { return need(e.Checker.CheckerID) }

// Validate refuses an empty identity or reason.
func (e *CheckerSuspended) Validate() error { return need(e.Checker.CheckerID, e.Reason) }

// Validate refuses an empty identity or reason.
func (e *CheckerRevoked) Validate() error { return need(e.Checker.CheckerID, e.Reason) }
