// Package ledger is the append-only log of one tenant: it completes envelopes, encodes events to
// their canonical bytes, commits them to a [Store], and reads them back strictly.
//
// # Invariants
//
// An event that [Log.Append] has acknowledged is durable and never changes. Sequences start at 1 and
// have no gaps. The events of one Append are adjacent and stored all or none. An episode has at most
// one terminal event (run.finished); the store itself refuses a second, whoever writes it. Nothing is
// ever skipped on reading: an event that does not decode is an error at its sequence.
//
// # Commit buffer
//
// A store that syncs every write takes hundreds of writes a second, however many goroutines write. An
// Append that finds the log idle is committed at once. Those that arrive while a commit is under way
// wait, and are committed together as one batch when it ends. Appends that are batched by chance do
// not share their fate: if the batch is refused, each is committed alone.
//
// # Unknown outcomes
//
// A commit that is not acknowledged in time may or may not be stored. The log then reads its own tail
// for the ids that it sent before it tries once more; if that does not tell, the caller gets
// [ErrOutcomeUnknown] and must read before it retries.
package ledger

import (
	"context"
	"errors"
	"fmt"
	"iter"
	"time"

	"github.com/jacobian-ledger/jacobian/events"
)

// Errors of a log and of its stores; match them with errors.Is.
var (
	// ErrConflict says that an expectation of the append did not hold: the episode has its terminal
	// event already. Nothing of the append was stored.
	ErrConflict = errors.New("ledger: conflict")
	// ErrOutcomeUnknown says that the append may or may not be stored. Read before you retry.
	ErrOutcomeUnknown = errors.New("ledger: outcome unknown")
	// ErrNotFound says that there is no such sequence, or no such log.
	ErrNotFound = errors.New("ledger: not found")
	// ErrExists says that a log to be created is there already.
	ErrExists = errors.New("ledger: log exists")
	// ErrReadOnly says that appends are stopped, for a reason that the message gives.
	ErrReadOnly = errors.New("ledger: read-only")
	// ErrCorrupt says that what the store returned is not what may be stored there.
	ErrCorrupt = errors.New("ledger: corrupt")
	// ErrClosed says that the log was closed.
	ErrClosed = errors.New("ledger: closed")
)

// MaxBatch is the most events that one Append may store atomically.
const MaxBatch = 1000

// Entry is one event on its way into a store.
type Entry struct {
	Envelope events.Envelope // as Bytes encode it
	Bytes    []byte          // what is stored
}

// Once is the episode whose only terminal event this is, or "". A store MUST refuse, with
// [ErrConflict], an entry whose Once it has stored before.
func (e *Entry) Once() string {
	if e.Envelope.Type == events.KindRunFinished {
		return e.Envelope.Episode
	}
	return ""
}

// Raw is a stored event before it is decoded.
type Raw struct {
	Seq   uint64
	Bytes []byte
}

// Store keeps the bytes of one log.
type Store interface {
	// Append stores all entries, adjacent and in order, or none, and returns the sequence of the
	// last when they are durable. It MUST return an error that wraps ErrConflict if an expectation
	// failed and nothing is stored, and ErrOutcomeUnknown if it cannot tell what is stored. An entry
	// whose id the store has seen lately MUST NOT be stored again. len(entries) is 1 to MaxBatch.
	Append(ctx context.Context, entries []Entry) (last uint64, err error)
	// Read yields what is stored from one sequence to another, both included, that may pass the
	// filter: it MUST yield what passes, and may yield more. It MUST NOT skip a damaged event, and
	// MUST yield an error wrapping ErrNotFound when a sequence up to `to` is absent.
	Read(ctx context.Context, from, to uint64, f Filter) iter.Seq2[Raw, error]
	// Last is the sequence of the newest durable event, 0 when there is none.
	Last(ctx context.Context) (uint64, error)
	// Wait returns when a durable event with the sequence exists, with the newest one's sequence.
	Wait(ctx context.Context, seq uint64) (last uint64, err error)
}

// Draft is an event to be appended, with what its envelope says that the log cannot know.
type Draft struct {
	Event         events.Event
	Subject       string
	Investigation string
	Episode       string
	Actor         string
	Causes        []events.Cause
}

// Config is what a log stands on. Every field is required.
type Config struct {
	Store    Store
	Tenant   string           // whose log it is
	Source   string           // the process that writes
	Producer string           // program and version
	Clock    func() time.Time // of envelopes and ids
}

// Operator is the tenant name of the operator log.
const Operator = "operator"

// Log is one tenant's append-only log. Its methods may be called concurrently.
type Log struct {
	config Config
	commit commits
}

// New returns the log in a store. It does no input or output.
func New(c Config) (*Log, error) {
	if c.Store == nil || c.Clock == nil || c.Source == "" || c.Producer == "" {
		return nil, errors.New("ledger: new: expected a store, a clock, a source and a producer")
	}
	if err := events.CheckTenant(c.Tenant); err != nil {
		return nil, fmt.Errorf("ledger: new: %w", err)
	}
	l := &Log{config: c}
	l.commit.start(c.Store)
	return l, nil
}

// Tenant is whose log it is.
func (l *Log) Tenant() string { return l.config.Tenant }

// Close refuses further appends and waits for those that are under way. The store stays open.
func (l *Log) Close() { l.commit.stop() }

// Append stores the drafts, adjacent, all or none, and returns them as stored once they are durable.
//
// It returns an error that wraps [ErrConflict] when an episode would get a second terminal event, and
// [ErrOutcomeUnknown] when it cannot tell whether they are stored, which includes that ctx ended first.
// Any other error means that nothing is stored.
func (l *Log) Append(ctx context.Context, drafts ...Draft) ([]events.Stored, error) {
	entries, err := l.encode(drafts)
	if err != nil {
		return nil, err
	}
	last, err := l.commit.do(ctx, entries)
	if err != nil {
		return nil, fmt.Errorf("ledger: append %s to %s: %w", kindsOf(entries), l.config.Tenant, err)
	}
	stored := make([]events.Stored, len(entries))
	for i, e := range entries {
		stored[i] = events.Stored{
			Seq: last - uint64(len(entries)-1-i), Bytes: e.Bytes, Envelope: e.Envelope, Event: drafts[i].Event,
		}
	}
	return stored, nil
}

// encode completes the envelopes and makes the bytes.
func (l *Log) encode(drafts []Draft) ([]Entry, error) {
	if len(drafts) == 0 || len(drafts) > MaxBatch {
		return nil, fmt.Errorf("ledger: append: expected 1 to %d events, found %d", MaxBatch, len(drafts))
	}
	entries := make([]Entry, len(drafts))
	ended := map[string]bool{}
	for i, d := range drafts {
		if d.Event == nil {
			return nil, fmt.Errorf("ledger: append: draft %d has no event", i)
		}
		e, err := l.entry(d)
		if err != nil {
			return nil, fmt.Errorf("ledger: append: draft %d: %w", i, err)
		}
		if d.Event.Kind() == events.KindRunFinished && d.Episode == "" {
			return nil, fmt.Errorf("ledger: append: draft %d: expected an episode on %s, found none", i, d.Event.Kind())
		}
		if once := e.Once(); once != "" {
			if ended[once] {
				return nil, fmt.Errorf("%w: two terminal events of %s in one append", ErrConflict, once)
			}
			ended[once] = true
		}
		entries[i] = e
	}
	return entries, nil
}

func (l *Log) entry(d Draft) (Entry, error) {
	now := l.config.Clock()
	bytes, env, err := events.Seal(events.Envelope{
		ID: events.NewID(now), Nonce: events.NewNonce(), Source: l.config.Source, Tenant: l.config.Tenant,
		Subject: d.Subject, Time: events.FormatTime(now), RecordedTime: events.FormatTime(now),
		Producer: l.config.Producer, Causes: d.Causes,
		Investigation: d.Investigation, Episode: d.Episode, Actor: d.Actor,
	}, d.Event)
	return Entry{Envelope: env, Bytes: bytes}, err
}

// Last is the sequence of the newest event, 0 when there is none.
func (l *Log) Last(ctx context.Context) (uint64, error) {
	last, err := l.config.Store.Last(ctx)
	if err != nil {
		return 0, fmt.Errorf("ledger: last of %s: %w", l.config.Tenant, err)
	}
	return last, nil
}

// WaitFor returns when an event with the sequence is stored.
func (l *Log) WaitFor(ctx context.Context, seq uint64) error {
	if _, err := l.config.Store.Wait(ctx, seq); err != nil {
		return fmt.Errorf("ledger: wait for %d of %s: %w", seq, l.config.Tenant, err)
	}
	return nil
}

// Get reads one event. The error wraps [ErrNotFound] when there is none with that sequence.
func (l *Log) Get(ctx context.Context, seq uint64) (events.Stored, error) {
	for s, err := range l.read(ctx, seq, seq, Filter{}) {
		return s, err
	}
	return events.Stored{}, fmt.Errorf("ledger: read %s: %w: sequence %d", l.config.Tenant, ErrNotFound, seq)
}

// Read yields the events from a sequence up to the newest at the time of the call, in order. It ends
// with the first error. A sequence of 0 means 1.
func (l *Log) Read(ctx context.Context, from uint64) iter.Seq2[events.Stored, error] {
	return l.ReadMatching(ctx, from, Filter{})
}

// ReadMatching is Read for the events that pass a filter. The store does the filtering, so events
// that do not pass cost little.
func (l *Log) ReadMatching(ctx context.Context, from uint64, f Filter) iter.Seq2[events.Stored, error] {
	return func(yield func(events.Stored, error) bool) {
		last, err := l.Last(ctx)
		if err != nil {
			yield(events.Stored{}, err)
			return
		}
		for s, err := range l.read(ctx, max(from, 1), last, f) {
			if !yield(s, err) || err != nil {
				return
			}
		}
	}
}

// Subscribe yields the events from a sequence on that pass the filter, first those that are stored,
// then each new one when it is durable, without gap or double, until ctx ends: the last pair then
// carries its error. The consumer sets the pace; a slow one delays nobody else.
func (l *Log) Subscribe(ctx context.Context, from uint64, f Filter) iter.Seq2[events.Stored, error] {
	return func(yield func(events.Stored, error) bool) {
		for next := max(from, 1); ; {
			last, err := l.config.Store.Wait(ctx, next)
			if err != nil {
				yield(events.Stored{}, fmt.Errorf("ledger: subscribe to %s at %d: %w", l.config.Tenant, next, err))
				return
			}
			for s, err := range l.read(ctx, next, last, f) {
				if !yield(s, err) || err != nil {
					return
				}
			}
			next = last + 1
		}
	}
}

// read decodes what the store yields and checks that it belongs here, in this order.
func (l *Log) read(ctx context.Context, from, to uint64, f Filter) iter.Seq2[events.Stored, error] {
	return func(yield func(events.Stored, error) bool) {
		if from > to || from == 0 {
			return
		}
		previous := from - 1
		for raw, err := range l.config.Store.Read(ctx, from, to, f) {
			if err != nil {
				yield(events.Stored{}, fmt.Errorf("ledger: read %s from %d: %w", l.config.Tenant, from, err))
				return
			}
			if raw.Seq <= previous || raw.Seq > to || f.IsZero() && raw.Seq != previous+1 {
				yield(events.Stored{}, fmt.Errorf("%w: %s: found sequence %d after %d", ErrCorrupt, l.config.Tenant, raw.Seq, previous))
				return
			}
			previous = raw.Seq
			env, ev, err := events.Decode(raw.Bytes)
			if err == nil && env.Tenant != l.config.Tenant {
				err = fmt.Errorf("found an event of tenant %.70q", env.Tenant)
			}
			if err != nil {
				yield(events.Stored{}, fmt.Errorf("%w: %s at %d: %w", ErrCorrupt, l.config.Tenant, raw.Seq, err))
				return
			}
			if f.Match(&env) && !yield(events.Stored{Seq: raw.Seq, Bytes: raw.Bytes, Envelope: env, Event: ev}, nil) {
				return
			}
		}
		if f.IsZero() && previous != to {
			yield(events.Stored{}, fmt.Errorf("%w: %s: expected events up to %d, found %d", ErrCorrupt, l.config.Tenant, to, previous))
		}
	}
}

func kindsOf(entries []Entry) string {
	out := string(entries[0].Envelope.Type)
	if len(entries) > 1 {
		out += fmt.Sprintf(" and %d more", len(entries)-1)
	}
	return out
}
