package ledgertest

import (
	"context"
	"errors"
	"fmt"
	"sync"

	"github.com/jacobian-ledger/jacobian/ledger"
)

// Fault is what happens to one Append of a [Faulty] store.
type Fault int

// The faults. Each durable step fails in two ways: not persisted, and persisted.
const (
	Works            Fault = iota
	Lost                   // not stored, and the caller is not told
	StoredUnknown          // stored, and the caller is not told
	Refused                // not stored, and the caller is told
	StoredThenBroken       // stored, the caller is not told, and the store can no longer be read
)

// ErrInjected is the cause of every injected failure.
var ErrInjected = errors.New("ledgertest: injected failure")

// Faulty is a store whose Appends fail by a plan.
type Faulty struct {
	ledger.Store
	mu     sync.Mutex
	plan   []Fault // of the next Appends; afterwards all work
	broken bool
	calls  int
}

// NewFaulty wraps a store; the n-th Append meets the n-th fault of the plan.
func NewFaulty(s ledger.Store, plan ...Fault) *Faulty { return &Faulty{Store: s, plan: plan} }

// Calls is how many times Append was called.
func (f *Faulty) Calls() int {
	f.mu.Lock()
	defer f.mu.Unlock()
	return f.calls
}

func (f *Faulty) next() Fault {
	f.mu.Lock()
	defer f.mu.Unlock()
	f.calls++
	if len(f.plan) == 0 {
		return Works
	}
	fault := f.plan[0]
	f.plan = f.plan[1:]
	f.broken = f.broken || fault == StoredThenBroken
	return fault
}

// Append meets the next fault of the plan.
func (f *Faulty) Append(ctx context.Context, entries []ledger.Entry) (uint64, error) {
	switch f.next() {
	case Lost:
		return 0, fmt.Errorf("%w: %w", ledger.ErrOutcomeUnknown, ErrInjected)
	case Refused:
		return 0, ErrInjected
	case StoredUnknown, StoredThenBroken:
		if _, err := f.Store.Append(ctx, entries); err != nil {
			return 0, err
		}
		return 0, fmt.Errorf("%w: %w", ledger.ErrOutcomeUnknown, ErrInjected)
	}
	return f.Store.Append(ctx, entries)
}

// Last fails once the store is broken.
func (f *Faulty) Last(ctx context.Context) (uint64, error) {
	f.mu.Lock()
	broken := f.broken
	f.mu.Unlock()
	if broken {
		return 0, ErrInjected
	}
	return f.Store.Last(ctx)
}
