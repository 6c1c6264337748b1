package command

import (
	"slices"

	"github.com/jacobian-ledger/jacobian/capabilities"
	"github.com/jacobian-ledger/jacobian/events"
)

// Registry is every operation that this program can run.
type Registry struct {
	byID map[string]*capabilities.Capability
	ids  []string
}

// NewRegistry collects packs; two operations with one id are a mistake of the program and panic.
func NewRegistry(packs ...*capabilities.Pack) *Registry {
	r := &Registry{byID: map[string]*capabilities.Capability{}}
	for _, p := range packs {
		for _, c := range p.All() {
			if r.byID[c.ID] != nil {
				panic("command: two packs define " + c.ID)
			}
			r.byID[c.ID] = c
			r.ids = append(r.ids, c.ID)
		}
	}
	slices.Sort(r.ids)
	return r
}

// Get returns the operation, or nil.
func (r *Registry) Get(id string) *capabilities.Capability { return r.byID[id] }

// All lists the operations by id.
func (r *Registry) All() []*capabilities.Capability {
	out := make([]*capabilities.Capability, len(r.ids))
	for i, id := range r.ids {
		out[i] = r.byID[id]
	}
	return out
}

// Nearest lists the n ids most like id.
func (r *Registry) Nearest(id string, n int) []string { return events.Nearest(id, r.ids, n) }
