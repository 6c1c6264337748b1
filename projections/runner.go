package projections

import (
	"context"
	"errors"
	"fmt"
	"sync"
	"time"

	"github.com/jacobian-ledger/jacobian/events"
)

// maxBatch is how many events one transaction folds at most: enough to amortise a commit, little
// enough that the writes of a batch stay small in memory.
const maxBatch = 2048

// ErrStopped says that a projection stopped following its log, for the reason that it wraps.
var ErrStopped = errors.New("projections: stopped")

// Runner feeds sinks from logs. Each sink has one goroutine a log, owned by [Runner.Run].
type Runner struct {
	sources map[Log]Source
	feeds   []*feed
}

// NewRunner connects sinks to the logs. It does no input or output.
func NewRunner(sources map[Log]Source, sinks ...Sink) (*Runner, error) {
	r := &Runner{sources: sources}
	for _, s := range sinks {
		for _, log := range s.Reads() {
			src, ok := sources[log]
			if !ok {
				return nil, fmt.Errorf("projections: %s reads the %s log, which was not given", s.Name(), log)
			}
			r.feeds = append(r.feeds, &feed{sink: s, log: log, source: src, moved: make(chan struct{}), asked: make(chan struct{}, 1)})
		}
	}
	return r, nil
}

// Run follows the logs until ctx ends, or until nothing is left to follow because every feed has
// stopped on an error. It waits for all its goroutines and returns the first error that is not ctx's.
func (r *Runner) Run(ctx context.Context) error {
	var wg sync.WaitGroup
	for _, f := range r.feeds {
		wg.Go(func() { f.follow(ctx) })
	}
	wg.Wait()
	for _, f := range r.feeds {
		if err := f.failure(); err != nil && !errors.Is(err, context.Canceled) {
			return err
		}
	}
	return nil
}

// CatchUp folds what the logs hold now and returns. It is for use instead of Run, not beside it.
func (r *Runner) CatchUp(ctx context.Context) error {
	for _, f := range r.feeds {
		if err := f.start(); err != nil {
			return err
		}
		last, err := f.source.Last(ctx)
		if err != nil {
			return err
		}
		if f.at() >= last {
			continue
		}
		if err := f.catchUp(ctx); err != nil {
			return err
		}
	}
	return nil
}

// WaitFor returns when every sink but those named has folded the log up to a sequence, or with
// [ErrStopped] when one of them never will.
func (r *Runner) WaitFor(ctx context.Context, log Log, seq uint64, except ...Sink) error {
next:
	for _, f := range r.feeds {
		for _, x := range except {
			if f.sink == x {
				continue next
			}
		}
		if f.log == log {
			if err := f.wait(ctx, seq); err != nil {
				return err
			}
		}
	}
	return nil
}

// WaitForSink is [Runner.WaitFor] for one sink.
func (r *Runner) WaitForSink(ctx context.Context, s Sink, log Log, seq uint64) error {
	for _, f := range r.feeds {
		if f.sink == s && f.log == log {
			return f.wait(ctx, seq)
		}
	}
	return nil
}

// Head is the newest sequence of a log.
func (r *Runner) Head(ctx context.Context, log Log) (uint64, error) {
	s, ok := r.sources[log]
	if !ok {
		return 0, nil
	}
	return s.Last(ctx)
}

// Sync returns when a sink has folded everything that its logs held when it was called.
func (r *Runner) Sync(ctx context.Context, s Sink) error {
	for _, log := range s.Reads() {
		last, err := r.Head(ctx, log)
		if err != nil {
			return err
		}
		if err := r.WaitForSink(ctx, s, log, last); err != nil {
			return err
		}
	}
	return nil
}

// feed is one sink following one log.
type feed struct {
	sink   Sink
	log    Log
	source Source
	asked  chan struct{} // somebody waits for this feed

	mu    sync.Mutex // guards what is below
	pos   uint64
	err   error
	moved chan struct{} // closed and replaced at each move
}

func (f *feed) at() uint64 {
	f.mu.Lock()
	defer f.mu.Unlock()
	return f.pos
}

func (f *feed) failure() error {
	f.mu.Lock()
	defer f.mu.Unlock()
	return f.err
}

func (f *feed) move(pos uint64, err error) {
	f.mu.Lock()
	defer f.mu.Unlock()
	f.pos, f.err = max(f.pos, pos), err
	close(f.moved)
	f.moved = make(chan struct{})
}

func (f *feed) wait(ctx context.Context, seq uint64) error {
	for {
		f.mu.Lock()
		pos, err, moved := f.pos, f.err, f.moved
		f.mu.Unlock()
		if pos >= seq {
			return nil
		}
		select {
		case f.asked <- struct{}{}:
		default:
		}
		if err != nil {
			return fmt.Errorf("%w: %s at %d of the %s log: %w", ErrStopped, f.sink.Name(), pos, f.log, err)
		}
		select {
		case <-moved:
		case <-ctx.Done():
			return fmt.Errorf("projections: wait for %d of the %s log, %s is at %d: %w", seq, f.log, f.sink.Name(), pos, ctx.Err())
		}
	}
}

func (f *feed) start() error {
	pos, err := f.sink.Position(f.log)
	if err != nil {
		return fmt.Errorf("projections: %s: %w", f.sink.Name(), err)
	}
	f.move(pos, nil)
	return nil
}

func (f *feed) follow(ctx context.Context) {
	err := f.start()
	for err == nil {
		if err = f.source.WaitFor(ctx, f.at()+1); err == nil {
			f.rest(ctx)
			err = f.catchUp(ctx)
		}
	}
	f.move(0, err)
}

// rest lets a patient sink gather events before it folds them, until somebody waits for it.
func (f *feed) rest(ctx context.Context) {
	p, ok := f.sink.(Patient)
	if !ok {
		return
	}
	t := time.NewTimer(p.Patience())
	defer t.Stop()
	select {
	case <-t.C:
	case <-f.asked:
	case <-ctx.Done():
	}
}

// catchUp folds, in batches, what the log holds now.
func (f *feed) catchUp(ctx context.Context) error {
	from := f.at() + 1
	var batch []events.Stored
	flush := func() error {
		if len(batch) == 0 {
			return nil
		}
		upTo := batch[len(batch)-1].Seq
		if err := f.sink.Fold(f.log, batch, upTo); err != nil {
			return fmt.Errorf("projections: %s: %w", f.sink.Name(), err)
		}
		f.move(upTo, nil)
		batch = batch[:0]
		return nil
	}
	for e, err := range f.source.Read(ctx, from) {
		if err != nil {
			if ferr := flush(); ferr != nil {
				return ferr
			}
			return err
		}
		if e.Seq != from {
			return fmt.Errorf("projections: %s: expected event %d of the %s log, found %d", f.sink.Name(), from, f.log, e.Seq)
		}
		from++
		if batch = append(batch, e); len(batch) == maxBatch {
			if err := flush(); err != nil {
				return err
			}
		}
	}
	return flush()
}
