package embed

import (
	"sync"

	"github.com/jacobian-ledger/jacobian/events"
	"github.com/jacobian-ledger/jacobian/events/authority"
)

// operator is the operator log's state, shared by everything in the node that asks for authority.
type operator struct {
	mu    sync.RWMutex
	state authority.State
}

func (o *operator) apply(e *events.Stored) error {
	o.mu.Lock()
	defer o.mu.Unlock()
	return o.state.Apply(e)
}

// IsVerified is authority.State.IsVerified.
func (o *operator) IsVerified(r *events.Record) (bool, []string) {
	o.mu.RLock()
	defer o.mu.RUnlock()
	return o.state.IsVerified(r)
}

// Now is authority.State.Now.
func (o *operator) Now(id events.CheckerIdentity) authority.Standing {
	o.mu.RLock()
	defer o.mu.RUnlock()
	return o.state.Now(id)
}

// Withdrawn is authority.State.Withdrawn.
func (o *operator) Withdrawn(checkerID string, version int) bool {
	o.mu.RLock()
	defer o.mu.RUnlock()
	return o.state.Withdrawn(checkerID, version)
}

// Size is authority.State.Size.
func (o *operator) Size() uint64 {
	o.mu.RLock()
	defer o.mu.RUnlock()
	return o.state.Size()
}

// RunnerKey is a public key that may sign decisions today.
func (o *operator) RunnerKey(id string) ([]byte, bool) {
	o.mu.RLock()
	defer o.mu.RUnlock()
	return o.state.Key(id, o.state.Size())
}

// knows reports whether the operator log has added that runner key.
func (o *operator) knows(id string) bool {
	_, ok := o.RunnerKey(id)
	return ok
}
