package ledger

import (
	"context"
	"errors"
	"iter"
	"sync"
)

// recentEvents and recentBytes bound what an [Exclusive] keeps in memory: at most 512 events of at most
// 16 KiB each. Anything else is read from the store.
const (
	recentEvents = 512
	recentBytes  = 16 << 10
)

// Exclusive is a store that only this process writes to, as the owner of a data directory. It knows the
// newest sequence without asking, wakes waiters itself, and serves the newest events from memory, so
// that what follows the log costs the store nothing. Every byte that it serves has been acknowledged
// as durable, and is decoded as strictly as if it came from the store.
type Exclusive struct {
	Store

	mu     sync.RWMutex // guards what is below
	last   uint64
	stale  bool // an append ended with an unknown outcome: ask the store for the last
	recent [recentEvents]Raw
	grew   chan struct{} // closed and replaced when last moves
}

var _ Store = (*Exclusive)(nil)

// NewExclusive wraps a store. It reads the newest sequence.
func NewExclusive(ctx context.Context, s Store) (*Exclusive, error) {
	last, err := s.Last(ctx)
	return &Exclusive{Store: s, last: last, grew: make(chan struct{})}, err
}

// Append appends to the store and remembers what it acknowledged.
func (x *Exclusive) Append(ctx context.Context, entries []Entry) (uint64, error) {
	last, err := x.Store.Append(ctx, entries)
	x.mu.Lock()
	defer x.mu.Unlock()
	if err != nil {
		x.stale = x.stale || !errors.Is(err, ErrConflict)
		return last, err
	}
	first := last - uint64(len(entries)) + 1
	for i := range entries {
		seq := first + uint64(i)
		slot := &x.recent[seq%recentEvents]
		if len(entries[i].Bytes) <= recentBytes {
			*slot = Raw{Seq: seq, Bytes: entries[i].Bytes}
		} else {
			*slot = Raw{}
		}
	}
	x.advance(last)
	return last, nil
}

// advance moves the newest sequence; the caller holds mu.
func (x *Exclusive) advance(last uint64) {
	if last > x.last {
		x.last = last
		close(x.grew)
		x.grew = make(chan struct{})
	}
}

// Last is the newest acknowledged sequence.
func (x *Exclusive) Last(ctx context.Context) (uint64, error) {
	x.mu.RLock()
	last, stale := x.last, x.stale
	x.mu.RUnlock()
	if !stale {
		return last, nil
	}
	last, err := x.Store.Last(ctx)
	if err != nil {
		return 0, err
	}
	x.mu.Lock()
	defer x.mu.Unlock()
	x.stale = false
	x.advance(last)
	return x.last, nil
}

// Wait returns when the sequence has been acknowledged.
func (x *Exclusive) Wait(ctx context.Context, seq uint64) (uint64, error) {
	for {
		x.mu.RLock()
		grew := x.grew
		x.mu.RUnlock()
		last, err := x.Last(ctx)
		if err != nil || last >= seq {
			return last, err
		}
		select {
		case <-grew:
		case <-ctx.Done():
			return 0, ctx.Err()
		}
	}
}

// Read serves from memory what is all there, and everything else from the store.
func (x *Exclusive) Read(ctx context.Context, from, to uint64, f Filter) iter.Seq2[Raw, error] {
	if kept := x.kept(from, to); kept != nil {
		return func(yield func(Raw, error) bool) {
			for _, r := range kept {
				if !yield(r, nil) {
					return
				}
			}
		}
	}
	return x.Store.Read(ctx, from, to, f)
}

// kept returns the events from one sequence to another if memory holds every one, else nil.
func (x *Exclusive) kept(from, to uint64) []Raw {
	if from == 0 || from > to || to-from >= recentEvents {
		return nil
	}
	x.mu.RLock()
	defer x.mu.RUnlock()
	out := make([]Raw, 0, to-from+1)
	for seq := from; seq <= to; seq++ {
		r := x.recent[seq%recentEvents]
		if r.Seq != seq {
			return nil
		}
		out = append(out, r)
	}
	return out
}
