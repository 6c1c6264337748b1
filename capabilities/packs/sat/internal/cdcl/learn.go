package cdcl

import "slices"

// Learn adds a clause that is not from the formula, if unit propagation from its negation reaches a
// conflict; the hints go to the log. It reports whether it does. A tautology is left out. The clause must
// have variables of the formula only. After the empty clause, or after propagation alone has refuted
// the formula, everything may be learnt and nothing is logged: see [Solver.Refuted].
func (s *Solver) Learn(clause []int) (bool, error) {
	if s.settle(); s.head < 0 || s.err != nil {
		return true, s.err
	}
	k, tautology := s.load(clause, 0)
	if tautology {
		return true, nil
	}
	s.learnt = append(s.learnt[:0], k.lits...)
	hints, ok := s.replay()
	if !ok {
		return false, nil
	}
	lits := make([]int32, len(k.lits))
	for i, l := range k.lits {
		lits[i] = l.int()
	}
	k.id = s.emit(lits, hints)
	s.insert(k)
	return true, s.err
}

// Refuted reports whether the log holds the empty clause.
func (s *Solver) Refuted() bool {
	s.settle()
	return s.head < 0 && s.err == nil
}

// settle propagates at level 0.
func (s *Solver) settle() {
	if s.head < 0 {
		return
	}
	if confl := s.propagate(); confl != nil {
		s.refute(confl)
	}
}

// replay assumes the negation of s.learnt and returns the hints of the conflict.
func (s *Solver) replay() ([]int32, bool) {
	for _, l := range s.learnt {
		if s.value[l] == isT { // at level 0: its unit clause is the conflict
			return []int32{s.unitID[l.v()]}, true
		}
	}
	s.limits = append(s.limits, int32(len(s.trail)))
	defer s.cancel(0)
	for _, l := range s.learnt {
		if s.value[l] == unset {
			s.enqueue(l.not(), nil)
		}
	}
	confl := s.propagate()
	if confl == nil {
		return nil, false
	}
	hints := s.hints(confl)
	for _, v := range s.touched {
		s.seen[v] = 0
	}
	s.touched = s.touched[:0]
	return hints, true
}

// insert takes a learnt clause into account at level 0.
func (s *Solver) insert(k *clause) {
	slices.SortStableFunc(k.lits, func(a, b lit) int { return int(s.value[b]) - int(s.value[a]) }) // true, unset, false
	switch {
	case len(k.lits) == 0:
		s.done()
	case s.value[k.lits[0]] == isF:
		s.refute(k)
	case len(k.lits) == 1 && s.value[k.lits[0]] == unset:
		s.unitID[k.lits[0].v()] = k.id
		s.enqueue(k.lits[0], nil)
	case len(k.lits) > 1:
		s.attach(k)
		if s.value[k.lits[0]] == unset && s.value[k.lits[1]] == isF {
			s.enqueue(k.lits[0], k)
		}
	}
}
