// Package authority decides, from the operator log alone, whether a verification record counts.
//
// Authority is measured in log position, not in time: a record counts if and only if its statement is
// signed by a runner key and its checker was authorised, both before the operator-log size that the
// record names, and neither was withdrawn before it. [State.IsVerified] is that rule as one pure
// function; the service, the projections and the auditor all use it.
package authority

import (
	"crypto/ed25519"
	"crypto/sha256"
	"encoding/base64"
	"encoding/hex"
	"encoding/json"
	"fmt"

	"github.com/jacobian-ledger/jacobian/events"
	"github.com/jacobian-ledger/jacobian/events/digest"
	"github.com/jacobian-ledger/jacobian/events/jcs"
)

// PayloadType is the DSSE payload type of a decision: an in-toto Statement, version 1.
const PayloadType = "application/vnd.in-toto+json"

// PredicateType names the decision in the in-toto Statement.
const PredicateType = "https://jacobian-ledger.github.io/decision/v1"

const statementType = "https://in-toto.io/Statement/v1"

// Decision is what a checker runner signs: everything that an accepted record is bound to.
type Decision struct {
	Accepted          bool                   `json:"accepted"`
	Conclusion        events.Conclusion      `json:"conclusion"`
	Method            string                 `json:"method"`
	Coverage          string                 `json:"coverage"`
	Reason            string                 `json:"reason"`
	Tenant            string                 `json:"tenant"`
	Episode           string                 `json:"episode"`
	Claim             events.ClaimRef        `json:"claim"`
	ClaimText         string                 `json:"claim_text"`
	Candidate         digest.Digest          `json:"candidate"`
	SemanticsDigest   digest.Digest          `json:"semantics_digest"` // of the semantics artifact
	Scope             string                 `json:"scope"`
	CertificateFormat string                 `json:"certificate_format"`
	CertificateDigest digest.Digest          `json:"certificate_digest"` // of the certificate artifact
	Checker           events.CheckerIdentity `json:"checker"`
	OperatorLogSize   int64                  `json:"operator_log_size"`
}

// CandidateDigest is the object digest of an answer under its claim's semantics.
func CandidateDigest(candidate []byte, semantics string) digest.Digest {
	return digest.Object(candidate, "candidate", semantics)
}

type statement struct {
	Type          string    `json:"_type"`
	Subject       []subject `json:"subject"`
	PredicateType string    `json:"predicateType"`
	Predicate     Decision  `json:"predicate"`
}

type subject struct {
	Name   string            `json:"name"`
	Digest map[string]string `json:"digest"`
}

func subjects(d *Decision) []subject {
	s := func(name string, x digest.Digest) subject {
		return subject{name, map[string]string{"sha256": x.Hex()}}
	}
	return []subject{s("claim", d.Claim.Digest), s("candidate", d.Candidate), s("certificate", d.CertificateDigest)}
}

// Sign makes the DSSE envelope of a decision.
func Sign(d Decision, key ed25519.PrivateKey) (events.Signed, error) {
	payload, err := jcs.Marshal(statement{statementType, subjects(&d), PredicateType, d})
	if err != nil {
		return events.Signed{}, fmt.Errorf("authority: encode decision: %w", err)
	}
	pub := key.Public().(ed25519.PublicKey)
	return events.Signed{
		PayloadType: PayloadType, Payload: base64.StdEncoding.EncodeToString(payload), KeyID: KeyID(pub),
		Signature: base64.StdEncoding.EncodeToString(ed25519.Sign(key, preAuth(payload))),
	}, nil
}

// KeyID names a public key: the first 16 hexadecimal digits of its SHA-256.
func KeyID(pub ed25519.PublicKey) string {
	h := sha256.Sum256(pub)
	return hex.EncodeToString(h[:8])
}

// preAuth is DSSE's pre-authentication encoding: it binds the payload's type, so that a signature
// cannot be used again under another type.
func preAuth(payload []byte) []byte {
	return fmt.Appendf(nil, "DSSEv1 %d %s %d %s", len(PayloadType), PayloadType, len(payload), payload)
}

// Open checks the signature under pub and decodes the decision strictly.
func Open(s events.Signed, pub ed25519.PublicKey) (Decision, error) {
	if s.PayloadType != PayloadType {
		return Decision{}, fmt.Errorf("authority: expected payload type %s, found %q", PayloadType, s.PayloadType)
	}
	payload, err := base64.StdEncoding.Strict().DecodeString(s.Payload)
	if err != nil {
		return Decision{}, fmt.Errorf("authority: payload: %w", err)
	}
	sig, err := base64.StdEncoding.Strict().DecodeString(s.Signature)
	if err != nil || len(pub) != ed25519.PublicKeySize || !ed25519.Verify(pub, preAuth(payload), sig) {
		return Decision{}, fmt.Errorf("authority: the signature by key %q does not hold", s.KeyID)
	}
	var st statement
	if err := jcs.CheckCanonical(payload); err != nil {
		return Decision{}, fmt.Errorf("authority: statement: %w", err)
	}
	if err := jcs.Decode(payload, &st); err != nil {
		return Decision{}, fmt.Errorf("authority: statement: %w", err)
	}
	want, _ := json.Marshal(subjects(&st.Predicate))
	if got, _ := json.Marshal(st.Subject); st.Type != statementType || st.PredicateType != PredicateType || string(got) != string(want) {
		return Decision{}, fmt.Errorf("authority: expected an in-toto decision whose subjects are its own digests")
	}
	return st.Predicate, nil
}

// Standing is what the operator has said last of a checker.
type Standing string

// The standings.
const (
	Registered Standing = "registered"
	Authorised Standing = "authorised"
	Suspended  Standing = "suspended"
	Revoked    Standing = "revoked"
)

type turn struct {
	seq      uint64
	standing Standing
}

// State is the operator log, folded. The zero value is the state of an empty log.
type State struct {
	size     uint64
	keys     map[string]addedKey
	checkers map[events.CheckerIdentity][]turn
}

type addedKey struct {
	seq uint64
	pub ed25519.PublicKey
}

// Size is the number of operator events folded.
func (s *State) Size() uint64 { return s.size }

// Apply folds the next operator event; sequences must come in order without a gap.
func (s *State) Apply(e *events.Stored) error {
	if e.Seq != s.size+1 {
		return fmt.Errorf("authority: expected operator event %d, found %d", s.size+1, e.Seq)
	}
	s.size = e.Seq
	if s.keys == nil {
		s.keys, s.checkers = map[string]addedKey{}, map[events.CheckerIdentity][]turn{}
	}
	set := func(id events.CheckerIdentity, st Standing) {
		s.checkers[id] = append(s.checkers[id], turn{e.Seq, st})
	}
	switch ev := e.Event.(type) {
	case *events.KeyAdded:
		pub, err := base64.StdEncoding.Strict().DecodeString(ev.PublicKey)
		if err != nil || len(pub) != ed25519.PublicKeySize || KeyID(pub) != ev.KeyID {
			return fmt.Errorf("authority: operator event %d adds a malformed key", e.Seq)
		}
		if _, known := s.keys[ev.KeyID]; !known {
			s.keys[ev.KeyID] = addedKey{e.Seq, pub}
		}
	case *events.CheckerRegistered:
		set(ev.Checker, Registered)
	case *events.CheckerAuthorised:
		set(ev.Checker, Authorised)
	case *events.CheckerSuspended:
		set(ev.Checker, Suspended)
	case *events.CheckerRevoked:
		set(ev.Checker, Revoked)
	}
	return nil
}

// Standing is what the operator had said last of the checker at a size of the operator log; "" if it
// was unknown then.
func (s *State) Standing(id events.CheckerIdentity, size uint64) Standing {
	var last Standing
	for _, t := range s.checkers[id] {
		if t.seq <= size {
			last = t.standing
		}
	}
	return last
}

// Now is the checker's standing today.
func (s *State) Now(id events.CheckerIdentity) Standing { return s.Standing(id, s.size) }

// Withdrawn reports whether this version of a checker was ever revoked or suspended, in any build, and not
// authorised again in that build since. A new build of a withdrawn version does not count by itself.
func (s *State) Withdrawn(checkerID string, version int) bool {
	for id, turns := range s.checkers {
		last := turns[len(turns)-1].standing
		if id.CheckerID == checkerID && id.Version == version && (last == Revoked || last == Suspended) {
			return true
		}
	}
	return false
}

// Key returns a runner key that was added at or before size.
func (s *State) Key(id string, size uint64) (ed25519.PublicKey, bool) {
	k, ok := s.keys[id]
	return k.pub, ok && k.seq <= size
}

// IsVerified reports whether the record counts, and if not, every reason why.
func (s *State) IsVerified(r *events.Record) (bool, []string) {
	var reasons []string
	no := func(format string, args ...any) { reasons = append(reasons, fmt.Sprintf(format, args...)) }
	if r.OperatorLogSize < 0 || uint64(r.OperatorLogSize) > s.size {
		no("it names operator log size %d, beyond the known %d", r.OperatorLogSize, s.size)
		return false, reasons
	}
	at := uint64(r.OperatorLogSize)
	pub, ok := s.Key(r.Statement.KeyID, at)
	if !ok {
		no("runner key %q was not known at operator log size %d", r.Statement.KeyID, at)
		return false, reasons
	}
	d, err := Open(r.Statement, pub)
	if err != nil {
		no("%v", err)
		return false, reasons
	}
	if st := s.Standing(r.Checker, at); st != Authorised {
		no("checker %s@%d was %q at operator log size %d, not authorised", r.Checker.CheckerID, r.Checker.Version, st, at)
	}
	if !d.Accepted || d.Conclusion != events.True && d.Conclusion != events.False {
		no("the signed decision does not accept")
	}
	for _, m := range mirror(r, &d) {
		if m.same {
			continue
		}
		no("its %s differs from the signed decision", m.name)
	}
	return len(reasons) == 0, reasons
}

type compared struct {
	name string
	same bool
}

// mirror compares the readable members of a record with what was signed.
func mirror(r *events.Record, d *Decision) []compared {
	return []compared{
		{"tenant", r.Tenant == d.Tenant},
		{"claim", r.Claim == d.Claim},
		{"claim text", r.ClaimText == d.ClaimText},
		{"claim artifact", r.ClaimURI != ""},
		{"candidate", r.Candidate == d.Candidate},
		{"semantics", r.SemanticsURI == events.ArtifactURI(d.SemanticsDigest)},
		{"scope", r.Scope == d.Scope},
		{"certificate format", r.CertificateFormat == d.CertificateFormat},
		{"certificate", r.CertificateURI == events.ArtifactURI(d.CertificateDigest)},
		{"checker", r.Checker == d.Checker},
		{"conclusion", r.Conclusion == d.Conclusion},
		{"method", r.Method == d.Method},
		{"coverage", r.Coverage == d.Coverage},
		{"operator log size", r.OperatorLogSize == d.OperatorLogSize},
	}
}
