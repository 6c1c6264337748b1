// Package drat decides whether a DRAT proof refutes a formula in conjunctive normal form.
//
// # Format
//
// Text (Wetzler, Heule and Hunt, DRAT-trim, SAT 2014): a clause is its literals and a 0, separated by
// white space; with the word d before it it is a deletion. A line that starts with c where a step may
// start is a comment. Binary (the same program's documentation): a step is the byte 'a' or 'd', its
// literals and a zero byte; a literal v is the number 2v, and -v is 2v+1, in groups of seven bits, low
// groups first, with the high bit set on all but the last. Which of the two it is is never guessed.
//
// # What is accepted
//
// The proof is replayed forwards. A clause is added if assuming its negation leads to a conflict by unit
// propagation among the clauses present (RUP), or else if for its first literal p, as written, and every
// clause present that contains -p, assuming also the negation of the other literals of that clause does
// (RAT). The proof is accepted at the first empty clause in it, which must be RUP like any other; text
// after it is not read, and a proof without one is rejected even if propagation alone refutes the
// formula.
//
// Deletion is where programs differ, so it is part of the question, see [Deletion].
//
// A deletion names a clause by its set of literals and removes one copy. Nothing is shared with
// producers of proofs, nor with the LRAT checker, whose accepted proofs this one can replay.
package drat

import (
	"context"
	"fmt"

	"github.com/jacobian-ledger/jacobian/capabilities/values"
)

// Deletion says what a deletion in the proof means. Under either meaning only unsatisfiable formulas
// have accepted proofs.
type Deletion string

const (
	// Strict removes exactly what the proof says; naming a clause that is not there rejects it.
	Strict Deletion = "STRICT"
	// UnitDeletionsIgnored skips the deletion of a clause that is unit under the propagation of the
	// clauses present (one literal true, the others false), of any clause after propagation alone has
	// refuted them, and of one that is not there: what drat-trim does with the proofs that most solvers
	// write.
	UnitDeletionsIgnored Deletion = "UNIT_DELETIONS_IGNORED"
)

// Options is the reading of a proof. The zero value is text under [Strict].
type Options struct {
	Binary   bool
	Deletion Deletion // "" means Strict
}

// Reason is why a proof is rejected.
type Reason string

// The reasons.
const (
	Syntax        Reason = "the proof is malformed"
	LiteralRange  Reason = "a literal is out of range"
	NotImplied    Reason = "a clause is neither RUP nor RAT on its first literal"
	DeleteMissing Reason = "a deletion names a clause that is not there"
	NotRefuted    Reason = "the proof ends without the empty clause"
)

// Rejection says which step fails, and why. It says nothing about the formula.
type Rejection struct {
	Reason Reason
	Step   int // from 1
	Offset int // byte of the proof at which it was noticed
	Detail string
}

func (r *Rejection) Error() string {
	s := fmt.Sprintf("step %d (byte %d): %s", r.Step, r.Offset, r.Reason)
	if r.Detail != "" {
		s += ": " + r.Detail
	}
	return s
}

// Stats counts what an accepted proof contains.
type Stats struct {
	Added            int // clauses added, the empty one included
	RAT              int // of these by RAT
	Deleted          int
	IgnoredDeletions int // of units and of absent clauses, under UnitDeletionsIgnored
	Trailing         int // bytes after the empty clause (and white space), not read
	Deletion         Deletion
}

// MaxProofBytes is the longest proof that is read; with it no place in memory overflows 32 bits.
const MaxProofBytes = 1 << 30

// Check returns nil error if and only if the proof refutes f under the options. The error is a
// [*Rejection], or the error of ctx, or says that f or o is malformed. Time is that of unit propagation
// for each clause added; a RAT step also looks at every clause, and under [Strict] the deletion of a
// clause that propagation rests on propagates afresh. Memory is linear.
func Check(ctx context.Context, f values.CNF, proof []byte, o Options) (Stats, error) {
	if err := f.Validate(); err != nil {
		return Stats{}, fmt.Errorf("formula: %w", err)
	}
	if o.Deletion == "" {
		o.Deletion = Strict
	}
	if o.Deletion != Strict && o.Deletion != UnitDeletionsIgnored {
		return Stats{}, fmt.Errorf("deletion: expected %s or %s, found %.40q", Strict, UnitDeletionsIgnored, o.Deletion)
	}
	if len(proof) > MaxProofBytes {
		return Stats{}, fmt.Errorf("proof: at most %d bytes, this has %d", MaxProofBytes, len(proof))
	}
	c := &checker{ctx: ctx, in: reader{text: proof, binary: o.Binary}, stats: Stats{Deletion: o.Deletion}}
	c.vars.limit = 1024 + len(proof) + f.Literals()
	for _, clause := range f.Clauses {
		c.lits = c.lits[:0]
		for _, l := range clause {
			c.literal(c.vars.encode(l))
		}
		c.add()
	}
	if err := c.run(); err != nil {
		return Stats{}, err
	}
	if !o.Binary {
		c.in.skip()
	}
	c.stats.Trailing = len(proof) - c.in.at
	return c.stats, nil
}

type checker struct {
	ctx   context.Context
	in    reader
	stats Stats
	step  int
	vars  naming
	db    database
	prop  propagator
	lits  []uint32 // the clause of the step, first literal first, repeated ones dropped
	seen  []bool   // by literal, scratch of literal and forget
	taut  bool
}

// literal adds one to the clause of the step.
func (c *checker) literal(l uint32) {
	if len(c.lits) == 0 {
		c.taut = false
	}
	for uint32(len(c.seen)) <= l|1 {
		c.seen = append(c.seen, false, false)
	}
	if !c.seen[l] {
		c.seen[l] = true
		c.taut = c.taut || c.seen[l^1]
		c.lits = append(c.lits, l)
	}
}

func (c *checker) forget() {
	for _, l := range c.lits {
		c.seen[l] = false
	}
	if len(c.lits) == 0 {
		c.taut = false
	}
}

func (c *checker) reject(why Reason, format string, args ...any) error {
	return &Rejection{Reason: why, Step: c.step, Offset: c.in.at, Detail: fmt.Sprintf(format, args...)}
}

func (c *checker) run() error {
	for {
		c.step++
		if err := c.ctx.Err(); c.step&63 == 0 && err != nil {
			return err
		}
		kind, err := c.read()
		if err != nil {
			return err
		}
		c.forget()
		switch kind {
		case deletion:
			if err := c.remove(); err != nil {
				return err
			}
		case addition:
			if err := c.justify(); err != nil {
				return err
			}
			c.stats.Added++
			if len(c.lits) == 0 {
				return nil
			}
			c.insert()
		}
	}
}

// read puts the next step into c.lits.
func (c *checker) read() (stepKind, error) {
	kind, ok := c.in.step()
	switch {
	case kind == end:
		return end, c.reject(NotRefuted, "")
	case !ok:
		return end, c.reject(Syntax, "expected a step")
	}
	c.lits = c.lits[:0]
	for {
		l, ok := c.in.literal()
		switch {
		case !ok:
			return end, c.reject(Syntax, "expected a literal or 0")
		case l == 0:
			return kind, nil
		case l > values.MaxVariables || l < -values.MaxVariables:
			return end, c.reject(LiteralRange, "%d", l)
		}
		c.literal(c.vars.encode(l))
	}
}

func (c *checker) remove() error {
	i, ok := c.db.find(c.lits)
	switch {
	case !ok && c.stats.Deletion == Strict:
		return c.reject(DeleteMissing, "%s", c.vars.text(c.lits))
	case !ok:
		c.stats.IgnoredDeletions++
		return nil
	case c.stats.Deletion == UnitDeletionsIgnored && (c.prop.refuted || c.isUnit(i)):
		c.stats.IgnoredDeletions++
		return nil
	}
	c.stats.Deleted++
	rests := c.prop.restsOn(&c.db, i)
	c.db.remove(i)
	if rests {
		c.prop.restart(&c.db)
	}
	return nil
}

func (c *checker) isUnit(i int) bool { return !c.db.clauses[i].taut && c.prop.isUnit(c.db.lits(i)) }

// add is the insertion of a clause of the formula.
func (c *checker) add() {
	c.forget()
	c.insert()
}

func (c *checker) insert() {
	i := c.db.add(c.lits, c.taut)
	if !c.taut {
		c.prop.insert(&c.db, i)
	}
}

// justify decides whether the clause of the step may be added.
func (c *checker) justify() error {
	if c.taut || c.prop.refuted {
		return nil
	}
	c.prop.grow(c.lits)
	defer c.prop.undo(c.prop.settled)
	if c.prop.assume(c.lits, 0) || c.prop.propagate(&c.db) {
		return nil
	}
	if len(c.lits) == 0 {
		return c.reject(NotImplied, "propagation does not refute the clauses present")
	}
	c.stats.RAT++
	pivot := c.lits[0]
	base := len(c.prop.trail)
	for i := range c.db.clauses {
		if i&1023 == 0 && c.ctx.Err() != nil {
			return c.ctx.Err()
		}
		if !c.db.candidate(i, pivot^1) {
			continue
		}
		d := c.db.lits(i)
		if !c.prop.assume(d, pivot^1) && !c.prop.propagate(&c.db) {
			return c.reject(NotImplied, "%s; the resolvent with %s is not refuted by propagation", c.vars.text(c.lits), c.vars.text(c.db.lits(i)))
		}
		c.prop.undo(base)
	}
	return nil
}
