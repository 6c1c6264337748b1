package projections

import (
	"context"
	"fmt"
	"slices"
)

// Comparison is a projection beside the same one rebuilt from sequence 1.
type Comparison struct {
	Name    string
	Live    string // logical digest
	Rebuilt string
	Poison  int // events that the live sink has set aside
}

// Equal reports whether the rebuilt projection is the live one.
func (c *Comparison) Equal() bool { return c.Live == c.Rebuilt }

// maxAttempts bounds how often Compare starts over because the log has grown meanwhile.
const maxAttempts = 100

// Compare fills fresh, an empty sink with the same projections as live, from sequence 1, and compares
// their logical digests at the same positions. The live sink may go on folding: what it adds is folded
// into the fresh one too, until both stand still together.
func (r *Runner) Compare(ctx context.Context, live, fresh Sink) ([]Comparison, error) {
	rebuild, err := NewRunner(r.sources, fresh)
	if err != nil {
		return nil, err
	}
	for range maxAttempts {
		if err := rebuild.CatchUp(ctx); err != nil {
			return nil, fmt.Errorf("projections: rebuild %s: %w", fresh.Name(), err)
		}
		if err := r.Sync(ctx, live); err != nil {
			return nil, err
		}
		before, err := positions(live)
		if err != nil {
			return nil, err
		}
		rebuilt, err := positions(fresh)
		if err != nil {
			return nil, err
		}
		if !slices.Equal(before, rebuilt) {
			continue
		}
		out, err := compare(ctx, live, fresh)
		if err != nil {
			return nil, err
		}
		if after, err := positions(live); err != nil || slices.Equal(before, after) {
			return out, err
		}
	}
	return nil, fmt.Errorf("projections: compare %s: the log did not stand still in %d attempts; try again when fewer runs are under way", live.Name(), maxAttempts)
}

func positions(s Sink) ([]uint64, error) {
	var out []uint64
	for _, log := range s.Reads() {
		at, err := s.Position(log)
		if err != nil {
			return nil, err
		}
		out = append(out, at)
	}
	return out, nil
}

func compare(ctx context.Context, live, fresh Sink) ([]Comparison, error) {
	a, err := live.Digests(ctx)
	if err != nil {
		return nil, err
	}
	b, err := fresh.Digests(ctx)
	if err != nil {
		return nil, err
	}
	poison, err := live.Poison()
	if err != nil {
		return nil, err
	}
	var names []string
	for name := range a {
		names = append(names, name)
	}
	slices.Sort(names)
	var out []Comparison
	for _, name := range names {
		out = append(out, Comparison{name, a[name], b[name], poison})
	}
	return out, nil
}
