// Package cdcl decides propositional formulas by conflict-driven clause learning and derives the empty
// clause with hints for an unsatisfiable one.
//
// It is the plain algorithm: two watched literals (Moskewicz et al., Chaff, DAC 2001), first-UIP
// learning with recursive minimisation (Eén and Sörensson, An Extensible SAT-solver, SAT 2003; Sörensson
// and Biere, SAT 2009), variable activities, saved phases, restarts and clause deletion by the number of
// levels in a clause (Audemard and Simon, Predicting Learnt Clauses Quality, IJCAI 2009), with stretches
// of local search for models in between, see [walker]. There is no preprocessing and nothing random: equal formulas give equal answers, and every clause that is learnt
// follows by unit propagation from the clauses that the solver names as its hints, in that order
// (Cruz-Filipe et al., Efficient Certified RAT Verification, CADE 2017).
//
// Nothing here is trusted. The caller evaluates models and has refutations checked.
package cdcl

import (
	"context"
	"slices"

	"github.com/jacobian-ledger/jacobian/capabilities/packs/sat/internal/lratlog"
)

// lit is 2v for the variable v (from 0) and 2v+1 for its negation.
type lit int32

func litOf(n int) lit {
	if n < 0 {
		return lit(-2*n - 1)
	}
	return lit(2*n - 2)
}

func (l lit) not() lit { return l ^ 1 }
func (l lit) v() int32 { return int32(l >> 1) }
func (l lit) int() int32 { // signed, from 1
	if l&1 == 1 {
		return -int32(l>>1) - 1
	}
	return int32(l>>1) + 1
}

type clause struct {
	lits    []lit
	id      int32
	lbd     int32 // number of decision levels when learnt; 0 for clauses of the formula
	deleted bool
}

type watch struct {
	c     *clause
	other lit // some literal of c; when true, c need not be looked at
}

const (
	unset int8 = 0
	isT   int8 = 1
	isF   int8 = -1
)

// Solver holds one formula. Use it once.
type Solver struct {
	log     *lratlog.Log
	watches [][]watch // by the literal that became false
	learnts []*clause

	value  []int8 // by literal
	level  []int32
	reason []*clause
	where  []int32 // position in the trail
	unitID []int32 // id of the unit clause of a variable assigned at level 0
	trail  []lit
	limits []int32 // trail length at each decision
	head   int

	activity []float64
	bump     float64
	heap     heap
	phase    []bool

	formula [][]lit // for the local search
	walker  *walker

	seen    []byte // marks of analyze, by variable
	touched []int32
	learnt  []lit
	stamp   []int32 // by level
	stamped int32

	Stats Stats
	err   error // the log is full
}

// Stats counts work.
type Stats struct{ Conflicts, Decisions, Propagations, Restarts, Learnt int64 }

// New prepares a formula of variables 1..n; clause i gets id i+1 in the log. Clauses hold non-zero
// integers of absolute value at most n.
func New(n int, clauses [][]int, log *lratlog.Log) *Solver {
	s := &Solver{
		log: log, watches: make([][]watch, 2*n), value: make([]int8, 2*n), level: make([]int32, n), reason: make([]*clause, n),
		where: make([]int32, n), unitID: make([]int32, n), activity: make([]float64, n), bump: 1, phase: make([]bool, n),
		seen: make([]byte, n), stamp: make([]int32, n+1),
	}
	s.heap.init(s.activity)
	var units []*clause
	for i, c := range clauses {
		k, taut := s.load(c, int32(i+1))
		if !taut {
			s.formula = append(s.formula, slices.Clone(k.lits))
		}
		switch {
		case taut:
		case len(k.lits) == 0:
			s.emit(nil, []int32{k.id})
			s.done()
			return s
		case len(k.lits) == 1:
			units = append(units, k)
		default:
			s.attach(k)
		}
	}
	for _, u := range units {
		l := u.lits[0]
		switch s.value[l] {
		case isT:
		case isF:
			s.emit(nil, []int32{s.unitID[l.v()], u.id})
			s.done()
			return s
		default:
			s.unitID[l.v()] = u.id
			s.enqueue(l, nil)
		}
	}
	return s
}

// load drops repeated literals and recognises tautologies.
func (s *Solver) load(c []int, id int32) (*clause, bool) {
	k := &clause{id: id, lits: make([]lit, 0, len(c))}
	taut := false
	for _, n := range c {
		l := litOf(n)
		bit := byte(1) << (l & 1)
		if s.seen[l.v()]&bit == 0 {
			s.seen[l.v()] |= bit
			k.lits = append(k.lits, l)
		}
		taut = taut || s.seen[l.v()] == 3
	}
	for _, l := range k.lits {
		s.seen[l.v()] = 0
		s.activity[l.v()] += 1e-6 / float64(int(1)<<min(len(k.lits), 30)) // Jeroslow and Wang's first guess
	}
	return k, taut
}

func (s *Solver) done() { s.head = -1 }

func (s *Solver) emit(lits, hints []int32) int32 {
	id, err := s.log.Add(lits, hints)
	if err != nil {
		s.err = err
	}
	return id
}

func (s *Solver) attach(c *clause) {
	a, b := c.lits[0], c.lits[1]
	s.watches[a] = append(s.watches[a], watch{c, b})
	s.watches[b] = append(s.watches[b], watch{c, a})
}

func (s *Solver) decisions() int32 { return int32(len(s.limits)) }

// enqueue makes l true. At level 0 its unit clause gets a lemma of its own, so that later hints need
// one id for it however long its derivation was.
func (s *Solver) enqueue(l lit, from *clause) {
	v := l.v()
	s.value[l], s.value[l.not()] = isT, isF
	s.level[v], s.reason[v], s.where[v] = s.decisions(), from, int32(len(s.trail))
	s.trail = append(s.trail, l)
	if s.decisions() == 0 && from != nil {
		hints := make([]int32, 0, len(from.lits))
		for _, o := range from.lits {
			if o != l {
				hints = append(hints, s.unitID[o.v()])
			}
		}
		s.unitID[v] = s.emit([]int32{l.int()}, append(hints, from.id))
		s.reason[v] = nil
	}
}

// propagate returns a clause that became false, or nil.
func (s *Solver) propagate() *clause {
	for s.head < len(s.trail) {
		f := s.trail[s.head].not() // just became false
		s.head++
		s.Stats.Propagations++
		ws := s.watches[f]
		keep := ws[:0]
		for i := 0; i < len(ws); i++ {
			w := ws[i]
			if s.value[w.other] == isT {
				keep = append(keep, w)
				continue
			}
			c := w.c
			if c.deleted {
				continue
			}
			if c.lits[0] == f {
				c.lits[0], c.lits[1] = c.lits[1], f
			}
			first := c.lits[0]
			if s.value[first] == isT {
				keep = append(keep, watch{c, first})
				continue
			}
			if s.rewatch(c, first) {
				continue
			}
			keep = append(keep, watch{c, first})
			if s.value[first] == isF {
				keep = append(keep, ws[i+1:]...)
				s.watches[f] = keep
				return c
			}
			s.enqueue(first, c)
		}
		s.watches[f] = keep
	}
	return nil
}

// rewatch finds a literal that is not false to watch instead of c.lits[1].
func (s *Solver) rewatch(c *clause, first lit) bool {
	for k := 2; k < len(c.lits); k++ {
		if l := c.lits[k]; s.value[l] != isF {
			c.lits[1], c.lits[k] = l, c.lits[1]
			s.watches[l] = append(s.watches[l], watch{c, first})
			return true
		}
	}
	return false
}

func (s *Solver) cancel(level int32) {
	if s.decisions() <= level {
		return
	}
	to := s.limits[level]
	for i := len(s.trail) - 1; i >= int(to); i-- {
		l := s.trail[i]
		s.value[l], s.value[l.not()] = unset, unset
		s.phase[l.v()] = l&1 == 0
		s.reason[l.v()] = nil
		s.heap.push(l.v())
	}
	s.trail = s.trail[:to]
	s.limits = s.limits[:level]
	s.head = int(to)
}

// Solve decides. sat tells the outcome; model[v-1] is the value of variable v. If not sat, the log
// holds a derivation of the empty clause. The error is that of ctx or [lratlog.ErrTooLarge].
func (s *Solver) Solve(ctx context.Context) (sat bool, model []bool, err error) {
	if s.head < 0 {
		return false, nil, s.err
	}
	pace := newPace()
	if s.walk(20*int64(len(s.formula)) + 200_000) {
		return true, slices.Clone(s.phase), nil
	}
	for steps := 0; ; steps++ {
		if steps&255 == 0 && ctx.Err() != nil {
			return false, nil, ctx.Err()
		}
		confl := s.propagate()
		if s.err != nil {
			return false, nil, s.err
		}
		if confl != nil {
			s.Stats.Conflicts++
			if s.decisions() == 0 {
				s.refute(confl)
				return false, nil, s.err
			}
			pace.conflict(s.resolve(confl))
			continue
		}
		if pace.restart() {
			s.Stats.Restarts++
			s.cancel(0)
			if steps := pace.walk(); steps > 0 && s.walk(steps) {
				return true, slices.Clone(s.phase), nil
			}
		}
		if pace.reduce() {
			s.reduce()
		}
		v := s.pick()
		if v < 0 {
			return true, s.model(), nil
		}
		s.Stats.Decisions++
		s.limits = append(s.limits, int32(len(s.trail)))
		l := lit(2*v + 1)
		if s.phase[v] {
			l = l.not()
		}
		s.enqueue(l, nil)
	}
}

func (s *Solver) refute(confl *clause) {
	hints := make([]int32, 0, len(confl.lits)+1)
	for _, l := range confl.lits {
		hints = append(hints, s.unitID[l.v()])
	}
	s.emit(nil, append(hints, confl.id))
	s.done()
}

func (s *Solver) pick() int32 {
	for {
		v := s.heap.pop()
		if v < 0 || s.value[2*v] == unset {
			return v
		}
	}
}

func (s *Solver) model() []bool {
	m := make([]bool, len(s.level))
	for v := range m {
		m[v] = s.value[2*v] == isT
	}
	return m
}
