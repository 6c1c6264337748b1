// Package memo is the read model by which a request finds what the log already holds: the last
// completed run of the same mathematical request, what an idempotency key is bound to, how an episode
// ended, which event holds a record, who produced an artifact, and which runs have no end yet.
//
// It is an index of positions, never an answer: whoever finds a position reads the event there.
//
// Tables, values in JSON unless said otherwise: run (episode → [Run]), request (32 bytes of the request
// digest → 8 bytes, sequence of the last COMPLETED terminal event), key (idempotency key → [Binding]),
// open (8 bytes, sequence of the request → episode), record (record id → 8 bytes, sequence), artifact
// (32 bytes of the digest → episode that first stored it).
//
// Memory does not grow with the log; one look-up is one or two descents of a B+ tree.
package memo

import (
	"encoding/binary"
	"encoding/json"
	"fmt"

	"github.com/jacobian-ledger/jacobian/events"
	"github.com/jacobian-ledger/jacobian/events/digest"
	"github.com/jacobian-ledger/jacobian/projections"
)

const name = "memo"

// Projection folds runs.
type Projection struct{}

var _ projections.Projection = Projection{}

// Name is "memo".
func (Projection) Name() string { return name }

// SchemaVersion is 1.
func (Projection) SchemaVersion() int { return 1 }

// Consumes lists the events of runs, artifacts and records.
func (Projection) Consumes() map[projections.Log][]events.Kind {
	return map[projections.Log][]events.Kind{projections.Tenant: {
		events.KindRunRequested, events.KindRunFinished, events.KindArtifactStored, events.KindVerificationRecorded,
	}}
}

// Run is where an episode begins and ends.
type Run struct {
	Requested uint64        `json:"requested"`
	Finished  uint64        `json:"finished"` // 0: not yet
	Request   digest.Digest `json:"request"`
}

// Binding is what an idempotency key stands for.
type Binding struct {
	Request digest.Digest `json:"request"`
	Episode string        `json:"episode"`
}

// Apply folds one event.
func (Projection) Apply(tx projections.Tx, _ projections.Log, e *events.Stored) error {
	switch ev := e.Event.(type) {
	case *events.RunRequested:
		return requested(tx, e, ev)
	case *events.RunFinished:
		return finished(tx, e, ev)
	case *events.ArtifactStored:
		key := string(ev.Artifact.Digest[:])
		if e.Envelope.Episode != "" && tx.Get("artifact", key) == nil {
			tx.Put("artifact", key, []byte(e.Envelope.Episode))
		}
	case *events.VerificationRecorded:
		if tx.Get("record", ev.Record.RecordID) != nil {
			return fmt.Errorf("record %s is there already", ev.Record.RecordID)
		}
		tx.Put("record", ev.Record.RecordID, seq(e.Seq))
	}
	return nil
}

func requested(tx projections.Tx, e *events.Stored, ev *events.RunRequested) error {
	episode := e.Envelope.Episode
	if episode == "" || tx.Get("run", episode) != nil {
		return fmt.Errorf("expected the first request of an episode, found another of %q", episode)
	}
	put(tx, "run", episode, Run{Requested: e.Seq, Request: ev.RequestDigest})
	tx.Put("open", string(seq(e.Seq)), []byte(episode))
	if key := ev.Request.IdempotencyKey; key != "" && tx.Get("key", key) == nil {
		put(tx, "key", key, Binding{ev.RequestDigest, episode})
	}
	return nil
}

func finished(tx projections.Tx, e *events.Stored, ev *events.RunFinished) error {
	var run Run
	b := tx.Get("run", e.Envelope.Episode)
	if b == nil {
		return fmt.Errorf("the end of %q has no request", e.Envelope.Episode)
	}
	if err := json.Unmarshal(b, &run); err != nil {
		return err
	}
	if run.Finished != 0 {
		return fmt.Errorf("%s has ended already, at %d", e.Envelope.Episode, run.Finished)
	}
	run.Finished = e.Seq
	put(tx, "run", e.Envelope.Episode, run)
	tx.Delete("open", string(seq(run.Requested)))
	if ev.Result.Execution.Status == events.StatusCompleted {
		tx.Put("request", string(run.Request[:]), seq(e.Seq))
	}
	return nil
}

func put[T Run | Binding](tx projections.Tx, table, key string, v T) {
	b, err := json.Marshal(v)
	if err != nil {
		panic("memo: " + err.Error()) // digests, integers and strings always encode
	}
	tx.Put(table, key, b)
}

func seq(n uint64) []byte { return binary.BigEndian.AppendUint64(nil, n) }

func number(b []byte) (uint64, bool) {
	if len(b) != 8 {
		return 0, false
	}
	return binary.BigEndian.Uint64(b), true
}
