// Package events is the persisted vocabulary of Jacobian: every event, id and value that is ever
// written to a log, and nothing that does anything with them.
//
// A stored event is the canonical JSON (package jcs) of an [Envelope], written once by its producer.
// Those bytes are the truth: they are hashed as they stand, and never re-serialised to be verified.
// [Encode] makes them and [Decode] reads them, strictly: unknown members, unknown types and versions,
// non-canonical bytes and out-of-profile values are errors.
//
// Events are facts in the past tense. To add one, add its type, its row in the table of kinds and its
// golden fixture; to change one, add a version and an upcaster. Stored bytes are never changed.
package events

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"time"

	"github.com/jacobian-ledger/jacobian/events/digest"
	"github.com/jacobian-ledger/jacobian/events/jcs"
	"github.com/oklog/ulid/v2"
)

// MaxEvent is the longest stored event. Anything larger is an artifact that an event refers to.
const MaxEvent = 32 << 10

// SpecVersion is the version of the envelope.
const SpecVersion = "1"

// ErrUnknownKind is returned for a type or version that this program does not know. Whoever reads a
// log must stop there: a newer program wrote it, and guessing would lose meaning.
var ErrUnknownKind = errors.New("events: unknown event type or version")

// Envelope is what surrounds every event.
type Envelope struct {
	SpecVersion   string          `json:"specversion"`
	ID            string          `json:"id"`            // ULID chosen by the producer; the message id of the store
	Nonce         string          `json:"nonce"`         // 128 bit in hexadecimal: a low-entropy event cannot be guessed from its hash
	Source        string          `json:"source"`        // the process that wrote it
	Tenant        string          `json:"tenant"`        // whose log it is in; "operator" for the operator log
	Type          Kind            `json:"type"`          // what happened
	Version       int             `json:"version"`       // of the data's schema
	Subject       string          `json:"subject"`       // the capability, checker or artifact that it is about; may be ""
	Time          string          `json:"time"`          // when it happened
	RecordedTime  string          `json:"recorded_time"` // when it was written
	Producer      string          `json:"producer"`      // program and version
	Causes        []Cause         `json:"causes"`        // the events that caused it
	Investigation string          `json:"investigation"` // may be ""
	Episode       string          `json:"episode"`       // may be ""
	Actor         string          `json:"actor"`         // the principal that asked
	Data          json.RawMessage `json:"data"`          // the event itself
}

// Cause names an earlier event and the digest of its stored bytes, which makes a causal graph inside
// the ordered log without a previous-hash that every writer would contend for.
type Cause struct {
	ID     string        `json:"id"`
	Digest digest.Digest `json:"digest"`
}

// Event is one of this package's event types; the set is closed.
//
//sumtype:decl
type Event interface {
	// Kind is the persisted type name.
	Kind() Kind
	// Validate refuses an event that breaks a rule beyond its shape.
	Validate() error
	event()
}

// Stored is an event as a log holds it.
type Stored struct {
	Seq      uint64 // position in its log, from 1
	Bytes    []byte // the truth
	Envelope Envelope
	Event    Event
}

// Digest is the content digest by which other events refer to this one as their cause.
func (s *Stored) Digest() digest.Digest { return digest.Of(s.Bytes) }

// Cause refers to this event.
func (s *Stored) Cause() Cause { return Cause{s.Envelope.ID, s.Digest()} }

// RecordedAt is the envelope's recorded time.
func (s *Stored) RecordedAt() time.Time {
	t, _ := ParseTime(s.Envelope.RecordedTime) // Decode has checked it
	return t
}

// Encode completes env with ev's kind, version and data and returns the bytes to store.
func Encode(env Envelope, ev Event) ([]byte, error) {
	b, _, err := Seal(env, ev)
	return b, err
}

// Seal is [Encode], and returns the envelope as a reader of the bytes will see it.
func Seal(env Envelope, ev Event) ([]byte, Envelope, error) {
	fail := func(err error) ([]byte, Envelope, error) {
		return nil, Envelope{}, fmt.Errorf("events: encode %s: %w", ev.Kind(), err)
	}
	row, ok := kinds[ev.Kind()]
	if !ok {
		return fail(ErrUnknownKind)
	}
	if err := ev.Validate(); err != nil {
		return fail(err)
	}
	data, err := jcs.ValueOf(ev)
	if err != nil {
		return fail(err)
	}
	env.SpecVersion, env.Type, env.Version, env.Data = SpecVersion, ev.Kind(), row.version, json.RawMessage("null")
	if env.Causes == nil {
		env.Causes = []Cause{}
	}
	v, err := jcs.ValueOf(env)
	if err != nil {
		return fail(err)
	}
	v = v.With("data", data)
	b := v.Append(make([]byte, 0, 2048))
	if len(b) > MaxEvent {
		return fail(tooLong(len(b)))
	}
	// One rule for what may be written and what may be read.
	if env, _, err = decode(v); err != nil {
		return fail(err)
	}
	return b, env, nil
}

func tooLong(n int) error {
	return fmt.Errorf("expected at most %d bytes, found %d: store the large part as an artifact", MaxEvent, n)
}

// Decode reads stored bytes strictly.
func Decode(b []byte) (Envelope, Event, error) {
	if len(b) > MaxEvent {
		return Envelope{}, nil, fmt.Errorf("events: %w", tooLong(len(b)))
	}
	v, err := jcs.Parse(b)
	if err != nil {
		return Envelope{}, nil, fmt.Errorf("events: %w", err)
	}
	if !bytes.Equal(v.Append(make([]byte, 0, len(b))), b) {
		return Envelope{}, nil, errors.New("events: expected canonical JSON (RFC 8785), found another spelling")
	}
	env, ev, err := decode(v)
	if err != nil {
		err = fmt.Errorf("events: %w", err)
	}
	return env, ev, err
}

func decode(v jcs.Value) (Envelope, Event, error) {
	var env Envelope
	if err := jcs.CheckNames(v); err != nil {
		return env, nil, err
	}
	if err := v.Decode(&env); err != nil {
		return env, nil, fmt.Errorf("envelope: %w", err)
	}
	if err := env.check(); err != nil {
		return env, nil, fmt.Errorf("envelope: %w", err)
	}
	row, ok := kinds[env.Type]
	if !ok || env.Version != row.version {
		return env, nil, fmt.Errorf("%w: %.60q version %d; a newer jacobian wrote it", ErrUnknownKind, env.Type, env.Version)
	}
	ev := row.fresh()
	data, _ := v.Get("data")
	if err := data.Decode(ev); err != nil {
		return env, nil, fmt.Errorf("%s: %w", env.Type, err)
	}
	return env, ev, nil
}

func (e *Envelope) check() error {
	if e.SpecVersion != SpecVersion {
		return jcs.In("specversion", jcs.Fail(SpecVersion, e.SpecVersion, "a newer jacobian wrote it"))
	}
	if _, err := ulid.ParseStrict(e.ID); err != nil || len(e.ID) != 26 {
		return jcs.In("id", jcs.Fail("a ULID", e.ID, ""))
	}
	if len(e.Nonce) != 32 {
		return jcs.In("nonce", jcs.Fail("32 hexadecimal digits", e.Nonce, ""))
	}
	if err := CheckTenant(e.Tenant); err != nil {
		return jcs.In("tenant", err)
	}
	for _, t := range []struct{ name, value string }{{"time", e.Time}, {"recorded_time", e.RecordedTime}} {
		if _, err := ParseTime(t.value); err != nil {
			return jcs.In(t.name, err)
		}
	}
	if e.Investigation != "" {
		if err := CheckInvestigation(e.Investigation); err != nil {
			return jcs.In("investigation", err)
		}
	}
	if e.Episode != "" {
		if err := CheckEpisode(e.Episode); err != nil {
			return jcs.In("episode", err)
		}
	}
	return nil
}
