// Package projectiontest tests that a projection is a pure function of the log, and makes logs to test
// with.
package projectiontest

import (
	"context"
	"fmt"
	"iter"
	"sync"
	"testing"
	"time"

	"github.com/jacobian-ledger/jacobian/events"
	"github.com/jacobian-ledger/jacobian/projections"
)

// Log is a log in memory, whose events are encoded and decoded like stored ones. Its clock moves by one
// second an event, so that nothing depends on when a test runs.
type Log struct {
	t      testing.TB
	tenant string

	mu     sync.Mutex // guards what is below
	stored []events.Stored
	grew   chan struct{}
	fail   error
}

var _ projections.Source = (*Log)(nil)

// NewLog returns an empty log.
func NewLog(t testing.TB, tenant string) *Log {
	return &Log{t: t, tenant: tenant, grew: make(chan struct{})}
}

var epoch = time.Date(2026, 1, 2, 3, 4, 5, 0, time.UTC)

// Now is the time of the next event.
func (l *Log) Now() time.Time {
	l.mu.Lock()
	defer l.mu.Unlock()
	return epoch.Add(time.Duration(len(l.stored)) * time.Second)
}

// Append stores an event; env gives subject, episode, investigation and actor.
func (l *Log) Append(env events.Envelope, ev events.Event) events.Stored {
	l.t.Helper()
	now := l.Now()
	env.ID, env.Nonce = events.NewID(now), events.NewNonce()
	env.Source, env.Tenant, env.Producer = "test", l.tenant, "test 1"
	env.Time, env.RecordedTime = events.FormatTime(now), events.FormatTime(now)
	b, err := events.Encode(env, ev)
	if err != nil {
		l.t.Fatalf("encode %s: %v", ev.Kind(), err)
	}
	env, ev, err = events.Decode(b)
	if err != nil {
		l.t.Fatalf("decode %s: %v", ev.Kind(), err)
	}
	l.mu.Lock()
	defer l.mu.Unlock()
	e := events.Stored{Seq: uint64(len(l.stored) + 1), Bytes: b, Envelope: env, Event: ev}
	l.stored = append(l.stored, e)
	close(l.grew)
	l.grew = make(chan struct{})
	return e
}

// FailAtEnd makes every read end with an error after the events that are there.
func (l *Log) FailAtEnd(err error) {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.fail = err
	close(l.grew)
	l.grew = make(chan struct{})
}

// Events returns everything stored.
func (l *Log) Events() []events.Stored {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.stored[:len(l.stored):len(l.stored)]
}

// Read yields what is stored from a sequence on.
func (l *Log) Read(ctx context.Context, from uint64) iter.Seq2[events.Stored, error] {
	return func(yield func(events.Stored, error) bool) {
		all := l.Events()
		for i := max(from, 1) - 1; i < uint64(len(all)); i++ {
			if !yield(all[i], ctx.Err()) || ctx.Err() != nil {
				return
			}
		}
		l.mu.Lock()
		err := l.fail
		l.mu.Unlock()
		if err != nil {
			yield(events.Stored{}, err)
		}
	}
}

// Get reads one event.
func (l *Log) Get(_ context.Context, seq uint64) (events.Stored, error) {
	all := l.Events()
	if seq == 0 || seq > uint64(len(all)) {
		return events.Stored{}, fmt.Errorf("no event %d", seq)
	}
	return all[seq-1], nil
}

// Last is the number of events.
func (l *Log) Last(context.Context) (uint64, error) { return uint64(len(l.Events())), nil }

// WaitFor returns when the log has that many events, or fails.
func (l *Log) WaitFor(ctx context.Context, seq uint64) error {
	for {
		l.mu.Lock()
		n, grew, fail := uint64(len(l.stored)), l.grew, l.fail
		l.mu.Unlock()
		if n >= seq || fail != nil {
			return nil
		}
		select {
		case <-grew:
		case <-ctx.Done():
			return fmt.Errorf("wait for %d: %w", seq, ctx.Err())
		}
	}
}
