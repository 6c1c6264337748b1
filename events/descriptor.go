package events

import (
	"encoding/json"
	"strings"

	"github.com/jacobian-ledger/jacobian/events/digest"
)

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
