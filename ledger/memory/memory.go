// Package memory is the model of a ledger store: the shortest program that keeps the contract of
// [ledger.Store]. Property tests compare the real store with it. It keeps nothing across processes
// and is never a stand-in.
package memory

import (
	"context"
	"fmt"
	"iter"
	"slices"
	"sync"

	"github.com/jacobian-ledger/jacobian/ledger"
)

// Store holds one log.
type Store struct {
	mu    sync.Mutex
	log   [][]byte
	ids   map[string]bool
	ended map[string]bool
	grew  chan struct{} // closed and replaced at each append
}

var _ ledger.Store = (*Store)(nil)

// New returns an empty store.
func New() *Store {
	return &Store{ids: map[string]bool{}, ended: map[string]bool{}, grew: make(chan struct{})}
}

// Append stores all entries or none.
func (s *Store) Append(_ context.Context, entries []ledger.Entry) (uint64, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	ids, ended := map[string]bool{}, map[string]bool{}
	for _, e := range entries {
		if id := e.Envelope.ID; s.ids[id] || ids[id] {
			return 0, fmt.Errorf("%w: %s is stored already", ledger.ErrConflict, id)
		}
		if once := e.Once(); once != "" && (s.ended[once] || ended[once]) {
			return 0, fmt.Errorf("%w: %s has its terminal event", ledger.ErrConflict, once)
		}
		ids[e.Envelope.ID] = true
		ended[e.Once()] = true
	}
	for _, e := range entries {
		s.log = append(s.log, slices.Clone(e.Bytes))
		s.ids[e.Envelope.ID] = true
		if once := e.Once(); once != "" {
			s.ended[once] = true
		}
	}
	close(s.grew)
	s.grew = make(chan struct{})
	return uint64(len(s.log)), nil
}

// Read yields every event of the range, whatever the filter.
func (s *Store) Read(ctx context.Context, from, to uint64, _ ledger.Filter) iter.Seq2[ledger.Raw, error] {
	return func(yield func(ledger.Raw, error) bool) {
		for seq := from; seq <= to; seq++ {
			raw, err := s.at(seq)
			if ctx.Err() != nil {
				err = ctx.Err()
			}
			if !yield(raw, err) || err != nil {
				return
			}
		}
	}
}

func (s *Store) at(seq uint64) (ledger.Raw, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if seq == 0 || seq > uint64(len(s.log)) {
		return ledger.Raw{}, fmt.Errorf("%w: sequence %d", ledger.ErrNotFound, seq)
	}
	return ledger.Raw{Seq: seq, Bytes: slices.Clone(s.log[seq-1])}, nil
}

// Last is the number of events.
func (s *Store) Last(context.Context) (uint64, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	return uint64(len(s.log)), nil
}

// Wait returns when the log has that many events.
func (s *Store) Wait(ctx context.Context, seq uint64) (uint64, error) {
	for {
		s.mu.Lock()
		last, grew := uint64(len(s.log)), s.grew
		s.mu.Unlock()
		if last >= seq {
			return last, nil
		}
		select {
		case <-grew:
		case <-ctx.Done():
			return 0, ctx.Err()
		}
	}
}
