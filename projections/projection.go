// Package projections derives what is asked for from what was recorded: read models folded from the
// log, each with the position up to which it has folded.
//
// # Invariants
//
// A projection is a pure function of the log. It sees events in order and writes to its own tables,
// with no clock, network, randomness or map order. Its checkpoint is stored in the same transaction as
// its data, so after a crash it goes on exactly where its data ends. Folding again from sequence 1
// gives the same logical digest: the digest of its sorted tables. Nothing in a projection is evidence;
// all of it can be thrown away and rebuilt.
//
// # Errors
//
// An event that a projection cannot fold is poison: none of its writes are kept, it is set aside,
// counted and shown, and the fold goes on. An event that the log cannot decode is not poison: a newer
// program may have written it, so the fold stops there and says so.
//
// # Storage
//
// [Store] keeps all projections but the search index in one bbolt file; docs/projections.md has the
// format. [Runner] feeds it, and every other [Sink], from the logs.
package projections

import (
	"context"
	"iter"
	"time"

	"github.com/jacobian-ledger/jacobian/events"
)

// Log says which of the two logs of a node an event is in.
type Log string

// The logs.
const (
	Tenant   Log = "tenant"
	Operator Log = "operator"
)

// Source is a log as a projection needs it; *ledger.Log is one.
type Source interface {
	// Read yields the events from a sequence up to the newest at the time of the call, in order, and
	// ends with the first error. It MUST NOT skip an event.
	Read(ctx context.Context, from uint64) iter.Seq2[events.Stored, error]
	// Last is the sequence of the newest event, 0 when there is none.
	Last(ctx context.Context) (uint64, error)
	// WaitFor returns when an event with that sequence is stored.
	WaitFor(ctx context.Context, seq uint64) error
}

// Projection is one read model in a [Store].
type Projection interface {
	// Name names its tables and its checkpoint; it is persisted.
	Name() string
	// SchemaVersion changes whenever the same log would give other tables. Stored tables of another
	// version are dropped and rebuilt.
	SchemaVersion() int
	// Consumes lists the kinds that it folds, by log. Others are not shown to it.
	Consumes() map[Log][]events.Kind
	// Apply folds one event. It MUST depend on nothing but tx and the event. When it returns an error
	// the event is poison and none of its writes are kept.
	Apply(tx Tx, log Log, e *events.Stored) error
}

// Tx is what a projection may do to its own tables while it folds an event.
type Tx interface {
	// Get returns the value of a key, nil if there is none. The caller MUST NOT change it.
	Get(table, key string) []byte
	// Put sets the value of a key. The value MUST NOT be changed afterwards.
	Put(table, key string, value []byte)
	// Delete removes a key.
	Delete(table, key string)
}

// View reads the tables of one projection at one moment.
type View interface {
	// Get returns a copy of the value of a key, nil if there is none.
	Get(table, key string) []byte
	// Scan yields the keys that begin with a prefix and their values, in order, from the first key
	// that is not less than from. Values are valid until the view ends.
	Scan(table, prefix, from string) iter.Seq2[string, []byte]
}

// Sink is storage that a [Runner] feeds: a [Store], or a search index.
type Sink interface {
	// Name is for messages and reports.
	Name() string
	// Reads lists the logs that it folds.
	Reads() []Log
	// Position is the sequence up to which everything of that log is folded.
	Position(log Log) (uint64, error)
	// Fold applies events, which follow each other in that log, and moves the position to upTo, all
	// or nothing. Events at or before the position MUST be ignored.
	Fold(log Log, batch []events.Stored, upTo uint64) error
	// Poison is the number of events that were set aside.
	Poison() (int, error)
	// Digests is the logical digest of each projection in the sink, by name.
	Digests(ctx context.Context) (map[string]string, error)
}

// Patient is a [Sink] for which a fold costs more than the events in it, such as a search index that
// writes a segment for each batch: it is fed when it has waited that long, or when somebody asks.
type Patient interface{ Patience() time.Duration }
