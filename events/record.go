package events

import (
	"fmt"

	"github.com/jacobian-ledger/jacobian/events/digest"
	"github.com/jacobian-ledger/jacobian/events/jcs"
)

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
