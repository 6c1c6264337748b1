package cdcl

import (
	"cmp"
	"slices"
)

// Marks of a variable during the analysis of one conflict.
const (
	inClause  byte = 1 << iota // seen on the way, or in the learnt clause
	redundant                  // follows from the others of the learnt clause
	needed                     // does not
	hinted                     // its reason is among the hints
)

func (s *Solver) mark(v int32, m byte) {
	if s.seen[v] == 0 {
		s.touched = append(s.touched, v)
	}
	s.seen[v] |= m
}

// resolve learns the first-UIP clause of a conflict, jumps back and asserts it. It returns the number
// of levels in the clause.
func (s *Solver) resolve(confl *clause) int32 {
	s.firstUIP(confl)
	s.minimise()
	back := s.arrange()
	hints := s.hints(confl)
	lits := make([]int32, len(s.learnt))
	for i, l := range s.learnt {
		lits[i] = l.int()
	}
	lbd := s.levels(s.learnt)
	for _, v := range s.touched {
		s.seen[v] = 0
	}
	s.touched = s.touched[:0]

	id := s.emit(lits, hints)
	s.Stats.Learnt++
	s.cancel(back)
	if len(s.learnt) == 1 {
		s.unitID[s.learnt[0].v()] = id
		s.enqueue(s.learnt[0], nil)
	} else {
		c := &clause{lits: slices.Clone(s.learnt), id: id, lbd: lbd}
		s.learnts = append(s.learnts, c)
		s.attach(c)
		s.enqueue(c.lits[0], c)
	}
	s.bump /= 0.95
	if s.bump > 1e100 {
		s.rescale()
	}
	return lbd
}

// firstUIP resolves backwards along the trail until one literal of the current level is left. The
// result, asserting literal first, is s.learnt; literals of level 0 are left out.
func (s *Solver) firstUIP(confl *clause) {
	s.learnt = append(s.learnt[:0], 0)
	open, at := 0, len(s.trail)-1
	for c := confl; ; {
		if c.lbd > 2 {
			c.lbd = min(c.lbd, s.levels(c.lits))
		}
		for _, q := range c.lits {
			v := q.v()
			if s.seen[v] != 0 || s.level[v] == 0 || s.value[q] == isT {
				continue
			}
			s.mark(v, inClause)
			s.raise(v)
			if s.level[v] == s.decisions() {
				open++
			} else {
				s.learnt = append(s.learnt, q)
			}
		}
		for s.seen[s.trail[at].v()] == 0 {
			at--
		}
		p := s.trail[at]
		at--
		if open--; open == 0 {
			s.learnt[0] = p.not()
			return
		}
		c = s.reason[p.v()]
	}
}

// minimise removes literals that the rest of the clause implies.
func (s *Solver) minimise() {
	keep := s.learnt[:1]
	for _, l := range s.learnt[1:] {
		if s.reason[l.v()] == nil || !s.implied(l.v(), 0) {
			keep = append(keep, l)
		}
	}
	s.learnt = keep
}

// implied reports whether every literal of the reason of v is in the learnt clause, of level 0, or
// implied itself. Marks make each variable cost once; deep chains are given up.
func (s *Solver) implied(v int32, depth int) bool {
	const deepest = 500
	if s.seen[v]&redundant != 0 {
		return true
	}
	if s.seen[v]&needed != 0 || depth > deepest {
		return false
	}
	for _, q := range s.reason[v].lits {
		u := q.v()
		if u == v || s.level[u] == 0 || s.seen[u]&inClause != 0 && s.level[u] < s.decisions() {
			continue
		}
		if s.reason[u] == nil || s.level[u] == s.decisions() || !s.implied(u, depth+1) {
			s.mark(v, needed)
			return false
		}
	}
	s.mark(v, redundant)
	return true
}

// arrange puts a literal of the highest remaining level second, and returns that level.
func (s *Solver) arrange() int32 {
	if len(s.learnt) == 1 {
		return 0
	}
	best := 1
	for i, l := range s.learnt[1:] {
		if s.level[l.v()] > s.level[s.learnt[best].v()] {
			best = i + 1
		}
	}
	s.learnt[1], s.learnt[best] = s.learnt[best], s.learnt[1]
	return s.level[s.learnt[1].v()]
}

// hints lists the clauses from which the learnt clause follows by unit propagation, in the order in
// which they become unit; the conflict is the last. They are found afresh from the conflict, so that
// they are right whatever minimisation did: a literal that is not in the clause is either of level 0,
// with a unit clause of its own, or propagated by its reason from literals earlier on the trail.
func (s *Solver) hints(confl *clause) []int32 {
	for _, v := range s.touched {
		s.seen[v] = 0
	}
	for _, l := range s.learnt {
		s.mark(l.v(), inClause)
	}
	var hints []int32
	var order []int32 // variables with a reason
	visit := func(c *clause) {
		for _, q := range c.lits {
			u := q.v()
			if s.seen[u] != 0 {
				continue
			}
			s.mark(u, hinted)
			if s.level[u] == 0 {
				hints = append(hints, s.unitID[u])
			} else {
				order = append(order, u)
			}
		}
	}
	visit(confl)
	for i := 0; i < len(order); i++ {
		visit(s.reason[order[i]])
	}
	slices.SortFunc(order, func(a, b int32) int { return cmp.Compare(s.where[a], s.where[b]) })
	for _, u := range order {
		hints = append(hints, s.reason[u].id)
	}
	return append(hints, confl.id)
}

// levels is the number of decision levels among the literals.
func (s *Solver) levels(lits []lit) int32 {
	s.stamped++
	n := int32(0)
	for _, l := range lits {
		if v := s.level[l.v()]; v > 0 && s.stamp[v] != s.stamped {
			s.stamp[v] = s.stamped
			n++
		}
	}
	return n
}

func (s *Solver) raise(v int32) {
	s.activity[v] += s.bump
	s.heap.up(v)
}

func (s *Solver) rescale() {
	for v := range s.activity {
		s.activity[v] *= 1e-100
	}
	s.bump *= 1e-100
}

// reduce forgets the worse half of the learnt clauses: those with many levels, then the long ones.
func (s *Solver) reduce() {
	slices.SortStableFunc(s.learnts, func(a, b *clause) int {
		return cmp.Or(cmp.Compare(a.lbd, b.lbd), cmp.Compare(len(a.lits), len(b.lits)))
	})
	keep := s.learnts[:len(s.learnts)/2]
	for _, c := range s.learnts[len(s.learnts)/2:] {
		if locked := s.reason[c.lits[0].v()] == c; locked || c.lbd <= 2 {
			keep = append(keep, c)
			continue
		}
		c.deleted = true
	}
	clear(s.learnts[len(keep):])
	s.learnts = keep
	for l, ws := range s.watches {
		live := ws[:0]
		for _, w := range ws {
			if !w.c.deleted {
				live = append(live, w)
			}
		}
		clear(ws[len(live):])
		s.watches[l] = live
	}
}
