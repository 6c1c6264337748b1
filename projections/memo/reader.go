package memo

import (
	"context"
	"encoding/json"
	"fmt"

	"github.com/jacobian-ledger/jacobian/events/digest"
	"github.com/jacobian-ledger/jacobian/projections"
)

// Reader answers from the index. Before each answer it waits until the index has folded everything
// that the log held when it was asked, so a caller sees its own appends.
type Reader struct {
	store  *projections.Store
	runner *projections.Runner // nil: answers do not wait
}

// NewReader reads from a store that has the projection and that runner feeds.
func NewReader(s *projections.Store, r *projections.Runner) *Reader { return &Reader{s, r} }

// Lagging returns a reader that does not wait: it answers from what has been folded so far. It is for
// callers that know of every event since then themselves.
func (r *Reader) Lagging() *Reader { return &Reader{store: r.store} }

func (r *Reader) view(ctx context.Context, f func(projections.View) error) error {
	var err error
	if r.runner != nil {
		err = r.runner.Sync(ctx, r.store)
	}
	if err == nil {
		err = r.store.View(name, f)
	}
	if err != nil {
		return fmt.Errorf("memo: %w", err)
	}
	return nil
}

// Reusable is the terminal event of the latest completed run of a request.
func (r *Reader) Reusable(ctx context.Context, request digest.Digest) (at uint64, ok bool, err error) {
	err = r.view(ctx, func(v projections.View) error {
		at, ok = number(v.Get("request", string(request[:])))
		return nil
	})
	return at, ok, err
}

// ByKey is the request and the episode that an idempotency key is bound to.
func (r *Reader) ByKey(ctx context.Context, key string) (request digest.Digest, episode string, ok bool, err error) {
	var b Binding
	err = r.view(ctx, func(v projections.View) error {
		ok, err = load(v, "key", key, &b)
		return err
	})
	return b.Request, b.Episode, ok, err
}

// Terminal is the terminal event of an episode; known is false if there was never such a run.
func (r *Reader) Terminal(ctx context.Context, episode string) (at uint64, finished, known bool, err error) {
	run, known, err := r.Run(ctx, episode)
	return run.Finished, run.Finished != 0, known, err
}

// Run is where an episode begins and ends.
func (r *Reader) Run(ctx context.Context, episode string) (run Run, ok bool, err error) {
	err = r.view(ctx, func(v projections.View) error {
		ok, err = load(v, "run", episode, &run)
		return err
	})
	return run, ok, err
}

// Record is the event of a verification record.
func (r *Reader) Record(ctx context.Context, id string) (at uint64, ok bool, err error) {
	err = r.view(ctx, func(v projections.View) error {
		at, ok = number(v.Get("record", id))
		return nil
	})
	return at, ok, err
}

// Producer is the terminal event of the episode that first stored an artifact.
func (r *Reader) Producer(ctx context.Context, d digest.Digest) (at uint64, ok bool, err error) {
	err = r.view(ctx, func(v projections.View) error {
		episode := v.Get("artifact", string(d[:]))
		if episode == nil {
			return nil
		}
		var run Run
		if _, err := load(v, "run", string(episode), &run); err != nil {
			return err
		}
		at, ok = run.Finished, run.Finished != 0
		return nil
	})
	return at, ok, err
}

// Open lists the runs without a terminal event, by the sequence of their request, ascending.
func (r *Reader) Open(ctx context.Context) (at []uint64, err error) {
	err = r.view(ctx, func(v projections.View) error {
		for k := range v.Scan("open", "", "") {
			n, ok := number([]byte(k))
			if !ok {
				return fmt.Errorf("malformed key %q", k)
			}
			at = append(at, n)
		}
		return nil
	})
	return at, err
}

func load[T Run | Binding](v projections.View, table, key string, into *T) (bool, error) {
	b := v.Get(table, key)
	if b == nil {
		return false, nil
	}
	return true, json.Unmarshal(b, into)
}
