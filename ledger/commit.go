package ledger

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"sync"
	"time"
)

// commitTimeout bounds one attempt to store a batch. It is far beyond the time of a disk that works.
const commitTimeout = 30 * time.Second

// commits is the commit buffer. At most one goroutine commits at a time; it starts when an append
// finds the buffer idle and ends when the buffer is empty.
type commits struct {
	store  Store
	ctx    context.Context // of commits; a caller that leaves does not abort others
	cancel context.CancelFunc

	mu      sync.Mutex
	waiting []*group
	busy    bool
	closed  bool
	idle    sync.Cond // busy became false

	// Only the committing goroutine uses these.
	known bool   // floor is set
	floor uint64 // what is not yet acknowledged can only be above this sequence
}

// group is the entries of one append.
type group struct {
	entries []Entry
	last    uint64
	err     error
	done    chan struct{}
}

func (c *commits) start(s Store) {
	c.store = s
	c.ctx, c.cancel = context.WithCancel(context.Background())
	c.idle.L = &c.mu
}

func (c *commits) stop() {
	c.mu.Lock()
	c.closed = true
	for c.busy {
		c.idle.Wait()
	}
	c.mu.Unlock()
	c.cancel()
}

// do commits the entries, alone or with those of others.
func (c *commits) do(ctx context.Context, entries []Entry) (uint64, error) {
	if err := ctx.Err(); err != nil {
		return 0, err // nothing was sent
	}
	g := &group{entries: entries, done: make(chan struct{})}
	c.mu.Lock()
	if c.closed {
		c.mu.Unlock()
		return 0, ErrClosed
	}
	c.waiting = append(c.waiting, g)
	if !c.busy {
		c.busy = true
		go c.drain()
	}
	c.mu.Unlock()
	select {
	case <-g.done:
		return g.last, g.err
	case <-ctx.Done():
		if c.withdraw(g) {
			return 0, ctx.Err()
		}
		return 0, fmt.Errorf("%w: %w before the acknowledgement", ErrOutcomeUnknown, ctx.Err())
	}
}

// withdraw takes a group back that no commit has begun for.
func (c *commits) withdraw(g *group) bool {
	c.mu.Lock()
	defer c.mu.Unlock()
	for i, w := range c.waiting {
		if w == g {
			c.waiting = append(c.waiting[:i], c.waiting[i+1:]...)
			return true
		}
	}
	return false
}

func (c *commits) drain() {
	for {
		batch := c.take()
		if batch == nil {
			return
		}
		c.commit(batch)
		for _, g := range batch {
			close(g.done)
		}
	}
}

// take removes what may be committed together: as many groups as fit, of which no two end the same
// episode, so that the second is refused for what it is. It returns nil when the buffer is empty.
func (c *commits) take() []*group {
	c.mu.Lock()
	defer c.mu.Unlock()
	size, ends := 0, map[string]bool{}
	n := 0
	for ; n < len(c.waiting); n++ {
		g := c.waiting[n]
		if size+len(g.entries) > MaxBatch || endsOneOf(g.entries, ends) {
			break
		}
		size += len(g.entries)
	}
	if n == 0 {
		c.busy = false
		c.idle.Broadcast()
		return nil
	}
	batch := c.waiting[:n:n]
	c.waiting = append([]*group(nil), c.waiting[n:]...)
	return batch
}

// endsOneOf reports whether the entries end an episode of the set, and adds those that they end.
func endsOneOf(entries []Entry, ends map[string]bool) bool {
	for i := range entries {
		if ends[entries[i].Once()] {
			return true
		}
	}
	for i := range entries {
		if once := entries[i].Once(); once != "" {
			ends[once] = true
		}
	}
	return false
}

// mergeFrom is how many single events must wait before one batch is sooner done than each alone.
// JetStream stages a batch in files of its own: measured, a batch costs as much as seven single events
// (BenchmarkAppend_Single, BenchmarkAppend_Batch), on fast disks and slow, since both count syncs.
const mergeFrom = 8

// worthwhile reports whether the groups should be one batch.
func worthwhile(batch []*group) bool {
	if len(batch) >= mergeFrom {
		return true
	}
	for _, g := range batch {
		if len(g.entries) > 1 { // pays for a batch anyway
			return len(batch) > 1
		}
	}
	return false
}

// commit stores the groups as one batch if that is sooner done. If the store refuses it, each is
// tried alone.
func (c *commits) commit(batch []*group) {
	if worthwhile(batch) {
		var all []Entry
		for _, g := range batch {
			all = append(all, g.entries...)
		}
		last, err := c.attempt(all)
		if err == nil || errors.Is(err, ErrOutcomeUnknown) {
			for i := len(batch) - 1; i >= 0; i-- {
				batch[i].last, batch[i].err = last, err
				last -= uint64(len(batch[i].entries))
			}
			return
		}
	}
	for _, g := range batch {
		g.last, g.err = c.attempt(g.entries)
	}
}

// attempt stores the entries. When the store cannot tell whether it did, it reads what became of
// them, and sends them once more if they are not there. The store knows their ids, so that they are
// not stored twice, but it may then answer with a conflict: of the entries with themselves.
func (c *commits) attempt(entries []Entry) (uint64, error) {
	if !c.known {
		last, err := c.last()
		if err != nil {
			return 0, err
		}
		c.floor, c.known = last, true
	}
	last, err := c.send(entries)
	if errors.Is(err, ErrOutcomeUnknown) {
		last, err = c.resolve(entries, err)
	}
	if err == nil {
		c.floor = max(c.floor, last)
	}
	return last, err
}

func (c *commits) resolve(entries []Entry, unknown error) (uint64, error) {
	found, err := c.find(entries)
	if found > 0 {
		return found, nil
	}
	if err != nil {
		return 0, fmt.Errorf("%w; looking for it: %w", unknown, err)
	}
	last, again := c.send(entries)
	if again == nil {
		return last, nil
	}
	if found, err = c.find(entries); found > 0 {
		return found, nil
	}
	if err == nil && errors.Is(again, ErrConflict) {
		return 0, again // the store has decided, and the first attempt is not there
	}
	return 0, fmt.Errorf("%w; again: %w", unknown, again)
}

func (c *commits) send(entries []Entry) (uint64, error) {
	ctx, cancel := context.WithTimeout(c.ctx, commitTimeout)
	defer cancel()
	return c.store.Append(ctx, entries)
}

func (c *commits) last() (uint64, error) {
	ctx, cancel := context.WithTimeout(c.ctx, commitTimeout)
	defer cancel()
	return c.store.Last(ctx)
}

// find returns the sequence of the last entry if the entries are stored above the floor, else 0.
// The store is atomic, so that all are there or none.
func (c *commits) find(entries []Entry) (uint64, error) {
	last, err := c.last()
	if err != nil || last <= c.floor {
		return 0, err
	}
	ctx, cancel := context.WithTimeout(c.ctx, commitTimeout)
	defer cancel()
	want := entries[len(entries)-1].Bytes // unique: it holds the id and a nonce
	for raw, err := range c.store.Read(ctx, c.floor+1, last, Filter{}) {
		if err != nil {
			return 0, err
		}
		if bytes.Equal(raw.Bytes, want) {
			return raw.Seq, nil
		}
	}
	return 0, nil
}
