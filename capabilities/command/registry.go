package command

import (
	"slices"
	"strings"

	"github.com/jacobian-ledger/jacobian/capabilities"
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

// Nearest lists the n ids most like id: by shared trigrams, then alphabetically.
func (r *Registry) Nearest(id string, n int) []string {
	type scored struct {
		id    string
		score float64
	}
	want := trigrams(id)
	all := make([]scored, 0, len(r.ids))
	for _, x := range r.ids {
		have := trigrams(x)
		common := 0
		for g := range want {
			if have[g] {
				common++
			}
		}
		all = append(all, scored{x, 2 * float64(common) / float64(len(want)+len(have))})
	}
	slices.SortStableFunc(all, func(a, b scored) int {
		switch {
		case a.score > b.score:
			return -1
		case a.score < b.score:
			return 1
		}
		return strings.Compare(a.id, b.id)
	})
	var out []string
	for _, s := range all[:min(n, len(all))] {
		out = append(out, s.id)
	}
	return out
}

func trigrams(s string) map[string]bool {
	s = "  " + strings.ToLower(s) + " "
	out := map[string]bool{}
	for i := 0; i+3 <= len(s); i++ {
		out[s[i:i+3]] = true
	}
	return out
}
