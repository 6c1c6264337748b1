package drat

import (
	"fmt"
	"slices"
	"strings"
)

type entry struct {
	at, n      uint32 // literals in the arena
	gone, taut bool
}

// database holds all clauses ever present. A tautology is kept for deletions alone: it is never unit,
// and its resolvents are always true.
type database struct {
	arena   []uint32
	clauses []entry
	byHash  map[uint64][]int32 // clauses present by the hash of their set of literals
}

// naming gives variables small numbers in order of appearance, so that memory follows what is read and
// not the size of the numbers in it. A literal v is stored as 2n and -v as 2n+1, with n from 1.
type naming struct {
	dense  []uint32 // by variable below limit, 0 = not yet named
	sparse map[int]uint32
	limit  int
	names  []int // variable by its number
}

func (m *naming) encode(l int) uint32 {
	v, sign := l, uint32(0)
	if l < 0 {
		v, sign = -l, 1
	}
	if v >= m.limit {
		if m.sparse == nil {
			m.sparse = map[int]uint32{}
		}
		if m.sparse[v] == 0 {
			m.sparse[v] = m.fresh(v)
		}
		return 2*m.sparse[v] + sign
	}
	if v >= len(m.dense) {
		m.dense = append(m.dense, make([]uint32, v+1-len(m.dense))...)
	}
	if m.dense[v] == 0 {
		m.dense[v] = m.fresh(v)
	}
	return 2*m.dense[v] + sign
}

func (m *naming) fresh(v int) uint32 {
	m.names = append(m.names, v)
	return uint32(len(m.names))
}

// text writes a clause for a message.
func (m *naming) text(lits []uint32) string {
	var b strings.Builder
	for i, l := range lits {
		if i == 12 {
			fmt.Fprintf(&b, "... (%d literals) ", len(lits))
			break
		}
		if l&1 == 1 {
			b.WriteByte('-')
		}
		fmt.Fprintf(&b, "%d ", m.names[l>>1-1])
	}
	return b.String() + "0"
}

// hash does not depend on the order of the literals.
func hash(lits []uint32) uint64 {
	h := uint64(len(lits))
	for _, l := range lits {
		x := (uint64(l) + 1) * 0x9e3779b97f4a7c15
		x ^= x >> 29
		x *= 0xbf58476d1ce4e5b9
		h += x ^ x>>32
	}
	return h
}

func (d *database) lits(i int) []uint32 {
	e := &d.clauses[i]
	return d.arena[e.at : e.at+e.n]
}

func (d *database) add(lits []uint32, taut bool) int {
	if d.byHash == nil {
		d.byHash = map[uint64][]int32{}
	}
	i := len(d.clauses)
	d.clauses = append(d.clauses, entry{uint32(len(d.arena)), uint32(len(lits)), false, taut})
	d.arena = append(d.arena, lits...)
	h := hash(lits)
	d.byHash[h] = append(d.byHash[h], int32(i))
	return i
}

// find returns the clause added last among those present with that set of literals.
func (d *database) find(lits []uint32) (int, bool) {
	var want []uint32
	bucket := d.byHash[hash(lits)]
	for k := len(bucket) - 1; k >= 0; k-- {
		have := d.lits(int(bucket[k]))
		if len(have) != len(lits) {
			continue
		}
		if want == nil {
			want = slices.Sorted(slices.Values(lits))
		}
		if slices.Equal(slices.Sorted(slices.Values(have)), want) {
			return int(bucket[k]), true
		}
	}
	return 0, false
}

func (d *database) remove(i int) {
	h := hash(d.lits(i))
	bucket := d.byHash[h]
	k := len(bucket) - 1
	for bucket[k] != int32(i) {
		k--
	}
	if bucket = slices.Delete(bucket, k, k+1); len(bucket) == 0 {
		delete(d.byHash, h)
	} else {
		d.byHash[h] = bucket
	}
	d.clauses[i].gone = true
}

// candidate reports whether clause i is present, not a tautology, and contains l.
func (d *database) candidate(i int, l uint32) bool {
	e := &d.clauses[i]
	return !e.gone && !e.taut && slices.Contains(d.lits(i), l)
}
