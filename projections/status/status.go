// Package status is the read model of what verification records are worth today.
//
// A record never changes; its state follows from the operator log. The rule is
// authority.State.IsVerified, the same pure function that the service and the auditor use: this
// projection keeps the operator events and the records, and asks it.
//
// Tables: record (record id → JSON [Stored]), operator (8 bytes, sequence → stored bytes of the event),
// by_checker (checker id, NUL, record id → nothing).
package status

import (
	"encoding/binary"
	"encoding/json"
	"fmt"
	"sync"

	"github.com/jacobian-ledger/jacobian/events"
	"github.com/jacobian-ledger/jacobian/events/authority"
	"github.com/jacobian-ledger/jacobian/projections"
)

const name = "status"

// State is what a record is worth.
type State string

// The states. Only an active record makes VERIFIED.
const (
	Active   State = "active"   // it counts
	Disputed State = "disputed" // its checker was revoked as unsound
	Invalid  State = "invalid"  // it never counted, or not on what the operator log says
)

// Projection folds records and operator events.
type Projection struct{}

var _ projections.Projection = Projection{}

// Name is "status".
func (Projection) Name() string { return name }

// SchemaVersion is 1.
func (Projection) SchemaVersion() int { return 1 }

// Consumes lists the records of the tenant log and everything in the operator log: authority is
// measured in positions of that log, so none may be missing.
func (Projection) Consumes() map[projections.Log][]events.Kind {
	return map[projections.Log][]events.Kind{
		projections.Tenant:   {events.KindVerificationRecorded},
		projections.Operator: events.Kinds(),
	}
}

// Stored is a record and where it is.
type Stored struct {
	Seq      uint64        `json:"seq"`
	Episode  string        `json:"episode"`
	Recorded string        `json:"recorded"`
	Record   events.Record `json:"record"`
}

// Apply keeps a record or an operator event.
func (Projection) Apply(tx projections.Tx, log projections.Log, e *events.Stored) error {
	if log == projections.Operator {
		tx.Put("operator", string(binary.BigEndian.AppendUint64(nil, e.Seq)), e.Bytes)
		return nil
	}
	ev, ok := e.Event.(*events.VerificationRecorded)
	if !ok {
		return nil
	}
	id := ev.Record.RecordID
	if tx.Get("record", id) != nil {
		return fmt.Errorf("record %s is there already", id)
	}
	b, err := json.Marshal(Stored{e.Seq, e.Envelope.Episode, e.Envelope.RecordedTime, ev.Record})
	if err != nil {
		return err
	}
	tx.Put("record", id, b)
	tx.Put("by_checker", ev.Record.Checker.CheckerID+"\x00"+id, []byte{})
	return nil
}

// Verdict is a record's state today, and why it is not active.
type Verdict struct {
	State   State
	Reasons []string
}

// Reader judges records.
type Reader struct {
	store *projections.Store

	mu       sync.Mutex // guards what is below
	operator authority.State
	verdicts map[string]Verdict // by record id, at the size of operator
}

// NewReader reads from a store that has the projection.
func NewReader(s *projections.Store) *Reader {
	return &Reader{store: s, verdicts: map[string]Verdict{}}
}

// maxVerdicts bounds the verdicts that are remembered.
const maxVerdicts = 4096

// Record returns a record and its state today; ok is false if there is none.
func (r *Reader) Record(id string) (rec Stored, verdict Verdict, ok bool, err error) {
	r.mu.Lock()
	defer r.mu.Unlock()
	err = r.store.View(name, func(v projections.View) error {
		b := v.Get("record", id)
		if b == nil {
			return nil
		}
		ok = true
		if err := json.Unmarshal(b, &rec); err != nil {
			return err
		}
		return r.advance(v)
	})
	if err != nil || !ok {
		return rec, verdict, false, wrap(err)
	}
	return rec, r.judge(&rec.Record), true, nil
}

// advance folds the operator events that are new since the last question.
func (r *Reader) advance(v projections.View) error {
	from := string(binary.BigEndian.AppendUint64(nil, r.operator.Size()+1))
	for k, b := range v.Scan("operator", "", from) {
		env, ev, err := events.Decode(b)
		if err != nil {
			return err
		}
		e := events.Stored{Seq: binary.BigEndian.Uint64([]byte(k)), Bytes: b, Envelope: env, Event: ev}
		if err := r.operator.Apply(&e); err != nil {
			return err
		}
		clear(r.verdicts)
	}
	return nil
}

func (r *Reader) judge(rec *events.Record) Verdict {
	if v, ok := r.verdicts[rec.RecordID]; ok {
		return v
	}
	v := Verdict{State: Active}
	if ok, reasons := r.operator.IsVerified(rec); !ok {
		v = Verdict{Invalid, reasons}
	} else if r.operator.Now(rec.Checker) == authority.Revoked {
		v = Verdict{Disputed, []string{fmt.Sprintf("checker %s@%d has been revoked", rec.Checker.CheckerID, rec.Checker.Version)}}
	}
	if len(r.verdicts) >= maxVerdicts {
		clear(r.verdicts)
	}
	r.verdicts[rec.RecordID] = v
	return v
}

// ByChecker lists the records of a checker, in order of their ids.
func (r *Reader) ByChecker(checker string) (ids []string, err error) {
	prefix := checker + "\x00"
	err = r.store.View(name, func(v projections.View) error {
		for k := range v.Scan("by_checker", prefix, "") {
			ids = append(ids, k[len(prefix):])
		}
		return nil
	})
	return ids, wrap(err)
}

// Standing is what the operator has said last of a checker.
func (r *Reader) Standing(c events.CheckerIdentity) (authority.Standing, error) {
	r.mu.Lock()
	defer r.mu.Unlock()
	err := r.store.View(name, r.advance)
	return r.operator.Now(c), wrap(err)
}

func wrap(err error) error {
	if err != nil {
		return fmt.Errorf("status: %w", err)
	}
	return nil
}
