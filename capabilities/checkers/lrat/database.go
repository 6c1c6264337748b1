package lrat

import (
	"maps"
	"slices"
)

// database holds the clauses present, by id. Ids of a proof may have gaps; up to a bound that is
// proportional to the size of the input they index an array, beyond it a map, so that a large id costs
// no memory.
type database struct {
	arena  []uint32 // length, literals, length, literals...; place 0 is unused
	dense  []uint32 // place in the arena by id, 0 = absent
	sparse map[int64]uint32
	limit  int64 // ids below it are dense

	// byLiteral lists the ids of clauses with a literal, also of removed ones. It is made at the first
	// RAT step: most proofs have none.
	byLiteral map[uint32][]int64
}

func (d *database) init(clauses, proof int) {
	d.arena = make([]uint32, 1, 1+8*clauses)
	d.limit = int64(clauses + proof + 1)
	d.dense = make([]uint32, clauses+1)
}

func (d *database) place(id int64) uint32 {
	if id < int64(len(d.dense)) {
		if id < 0 {
			return 0
		}
		return d.dense[id]
	}
	return d.sparse[id]
}

func (d *database) set(id int64, place uint32) {
	if id >= d.limit {
		if d.sparse == nil {
			d.sparse = map[int64]uint32{}
		}
		d.sparse[id] = place
		return
	}
	for int64(len(d.dense)) <= id {
		d.dense = append(d.dense, 0)
	}
	d.dense[id] = place
}

func (d *database) get(id int64) ([]uint32, bool) {
	p := d.place(id)
	if p == 0 {
		return nil, false
	}
	n := d.arena[p]
	return d.arena[p+1 : p+1+n], true
}

// add stores a clause under an id that is absent.
func (d *database) add(id int64, lits []uint32) {
	d.set(id, uint32(len(d.arena)))
	d.arena = append(append(d.arena, uint32(len(lits))), lits...)
	if d.byLiteral != nil {
		d.index(id, lits)
	}
}

func (d *database) remove(id int64) bool {
	if d.place(id) == 0 {
		return false
	}
	if id < int64(len(d.dense)) {
		d.dense[id] = 0
	} else {
		delete(d.sparse, id)
	}
	return true
}

func (d *database) index(id int64, lits []uint32) {
	for _, l := range lits {
		d.byLiteral[l] = append(d.byLiteral[l], id)
	}
}

// maybeContains reports whether some clause present contains the literal.
func (d *database) maybeContains(l uint32) bool {
	found := false
	_ = d.each(l, func(int64) error { found = true; return nil })
	return found
}

// each calls f for every clause present that contains the literal, until f fails.
func (d *database) each(l uint32, f func(id int64) error) error {
	if d.byLiteral == nil {
		d.byLiteral = map[uint32][]int64{}
		for id := range d.dense {
			if lits, ok := d.get(int64(id)); ok {
				d.index(int64(id), lits)
			}
		}
		for _, id := range slices.Sorted(maps.Keys(d.sparse)) {
			lits, _ := d.get(id)
			d.index(id, lits)
		}
	}
	live := d.byLiteral[l][:0]
	var err error
	for _, id := range d.byLiteral[l] {
		if d.place(id) == 0 {
			continue
		}
		live = append(live, id)
		if err == nil {
			err = f(id)
		}
	}
	d.byLiteral[l] = live
	return err
}
