// Package lrat decides whether an LRAT proof refutes a formula in conjunctive normal form.
//
// # Format
//
// Text of decimal integers separated by white space (Cruz-Filipe, Heule, Hunt, Kaufmann and
// Schneider-Kamp, Efficient Certified RAT Verification, CADE 2017). Clause i of the formula, from 1, has
// id i. A step is one of
//
//	id literal... 0 hint... 0     adds a clause
//	id d clause... 0              deletes clauses
//
// # What is accepted
//
// A clause is added when assuming its negation and taking the hints strictly in their order makes each
// hint a unit clause, whose literal is then assigned, and the last one false. A hint that is satisfied,
// has two or more unassigned literals, was deleted or never existed, or follows a false one, rejects the
// proof. Without a conflict the clause may still be added by the rule RAT on its first literal p: then
// come, for every clause present that contains -p and for no other, exactly one group of the negated id
// and hints that in the same strict way reach a conflict from the negation of its other literals; the
// group has no hints if one of these is already true. Ids of added clauses grow strictly from beyond the
// formula; the id of a deletion is not smaller than the last one. A tautology is added without hints.
// The proof is accepted at the first empty clause that is added, which needs a conflict like any other:
// text after it is not read, and an empty clause of the formula does not replace it.
//
// # Costs
//
// Memory is linear in formula and proof. Time is linear for RUP steps, as every hint that is looked at to
// its end has its literals falsified once a step; a RAT step costs a look at every group. Nothing is
// shared with producers of proofs.
package lrat

import (
	"context"
	"fmt"

	"github.com/jacobian-ledger/jacobian/capabilities/values"
)

// Reason is why a proof is rejected.
type Reason string

// The reasons.
const (
	Syntax        Reason = "the text is malformed"
	IDNotFresh    Reason = "an id is not larger than all before it"
	LiteralRange  Reason = "a literal is out of range"
	HintMissing   Reason = "a hint names a clause that is not there"
	HintSatisfied Reason = "a hint is satisfied instead of unit"
	HintNotUnit   Reason = "a hint has more than one unassigned literal"
	HintExtra     Reason = "hints follow a conflict or a tautology"
	NoConflict    Reason = "the hints reach no conflict"
	RATCandidate  Reason = "a RAT group names a clause without the negated pivot, or names one twice"
	RATIncomplete Reason = "a clause with the negated pivot has no RAT group"
	DeleteMissing Reason = "a deletion names a clause that is not there"
	NotRefuted    Reason = "the proof ends without the empty clause"
)

// Rejection says which step fails, and why. Only a proof can be rejected: it says nothing about the
// formula.
type Rejection struct {
	Reason Reason
	Step   int    // from 1
	ID     int64  // the id at the start of the step, 0 if unread
	Offset int    // byte of the proof at which it was noticed
	Detail string // the id, literal or text concerned
}

func (r *Rejection) Error() string {
	s := fmt.Sprintf("step %d (id %d, byte %d): %s", r.Step, r.ID, r.Offset, r.Reason)
	if r.Detail != "" {
		s += ": " + r.Detail
	}
	return s
}

// Stats counts what an accepted proof contains.
type Stats struct {
	Added    int // clauses added, the empty one included
	RAT      int // of these by RAT
	Deleted  int
	Hints    int
	Trailing int // bytes after the empty clause and white space, not read
}

// MaxProofBytes is the longest proof that is read; with it no place in memory overflows 32 bits.
const MaxProofBytes = 1 << 31

// Check returns nil error if and only if proof refutes f. The error is a [*Rejection], or says that f
// itself is malformed.
func Check(f values.CNF, proof []byte) (Stats, error) {
	return CheckContext(context.Background(), f, proof)
}

// CheckContext is [Check] that gives up with ctx.Err() soon after ctx ends.
func CheckContext(ctx context.Context, f values.CNF, proof []byte) (Stats, error) {
	if err := f.Validate(); err != nil {
		return Stats{}, fmt.Errorf("formula: %w", err)
	}
	if len(proof) > MaxProofBytes {
		return Stats{}, fmt.Errorf("proof: at most %d bytes, this has %d", MaxProofBytes, len(proof))
	}
	c := newChecker(f, proof)
	if err := c.run(ctx); err != nil {
		return Stats{}, err
	}
	c.in.more()
	c.stats.Trailing = len(proof) - c.in.at
	return c.stats, nil
}

// checker is the state of one check. A literal v is stored as 2v and -v as 2v+1.
type checker struct {
	in    scanner
	stats Stats
	step  int
	id    int64 // of the step

	db     database
	value  []int8   // by literal: 1 true, -1 false, 0 unassigned
	trail  []uint32 // literals made true in this step
	lastID int64    // largest so far
	budget int      // literals until ctx is asked again

	lits  []uint32 // of the clause being added, repeated ones dropped
	pivot uint32
	taut  bool
	hints []int64
	done  map[int64]bool // RAT candidates that have had their group
}

func newChecker(f values.CNF, proof []byte) *checker {
	c := &checker{in: scanner{text: proof}, lastID: int64(len(f.Clauses))}
	c.grow(uint32(2*f.MaxVariable() + 1))
	c.db.init(len(f.Clauses), len(proof))
	for i, clause := range f.Clauses {
		c.begin()
		for _, l := range clause {
			c.literal(encode(int64(l)))
		}
		c.undo(0)
		c.db.add(int64(i+1), c.lits)
	}
	return c
}

func encode(l int64) uint32 {
	if l < 0 {
		return uint32(-2*l + 1)
	}
	return uint32(2 * l)
}

func decode(l uint32) int64 {
	if l&1 == 1 {
		return -int64(l >> 1)
	}
	return int64(l >> 1)
}

func (c *checker) grow(l uint32) {
	for uint32(len(c.value)) <= l|1 {
		c.value = append(c.value, 0, 0)
	}
}

func (c *checker) reject(why Reason, format string, args ...any) error {
	return &Rejection{Reason: why, Step: c.step, ID: c.id, Offset: c.in.at, Detail: fmt.Sprintf(format, args...)}
}

func (c *checker) run(ctx context.Context) error {
	for {
		c.id, c.step = 0, c.step+1
		if !c.in.more() {
			return c.reject(NotRefuted, "")
		}
		if c.budget -= 64; c.budget < 0 {
			if c.budget = 1 << 20; ctx.Err() != nil {
				return ctx.Err()
			}
		}
		id, ok := c.in.number()
		if !ok || id <= 0 {
			return c.reject(Syntax, "expected a positive id")
		}
		c.id = id
		if c.in.letter('d') {
			if err := c.deletion(); err != nil {
				return err
			}
			continue
		}
		if err := c.addition(ctx); err != nil {
			return err
		}
		if len(c.lits) == 0 {
			return nil
		}
	}
}

func (c *checker) deletion() error {
	if c.id < c.lastID {
		return c.reject(IDNotFresh, "a deletion after id %d", c.lastID)
	}
	for {
		id, ok := c.in.number()
		if !ok || id < 0 {
			return c.reject(Syntax, "expected a clause id or 0 in a deletion")
		}
		if id == 0 {
			return nil
		}
		if !c.db.remove(id) {
			return c.reject(DeleteMissing, "%d", id)
		}
		c.stats.Deleted++
	}
}

func (c *checker) addition(ctx context.Context) error {
	if c.id <= c.lastID {
		return c.reject(IDNotFresh, "the last one is %d", c.lastID)
	}
	c.begin()
	for first := true; ; first = false {
		l, ok := c.in.number()
		if !ok {
			return c.reject(Syntax, "expected a literal or 0")
		}
		if l == 0 {
			break
		}
		if l > values.MaxVariables || l < -values.MaxVariables {
			return c.reject(LiteralRange, "%d", l)
		}
		e := encode(l)
		if first {
			c.pivot = e
		}
		c.grow(e)
		c.literal(e)
	}
	if err := c.readHints(); err != nil {
		return err
	}
	err := c.justify(ctx)
	c.undo(0)
	if err != nil {
		return err
	}
	c.lastID = c.id
	c.stats.Added++
	c.stats.Hints += len(c.hints)
	c.db.add(c.id, c.lits)
	return nil
}

// begin and literal collect a clause without repetitions and assign its negation on the way.
func (c *checker) begin() { c.lits, c.taut, c.pivot = c.lits[:0], false, 0 }

func (c *checker) literal(l uint32) {
	switch c.value[l] {
	case 0:
		c.assign(l ^ 1)
		c.lits = append(c.lits, l)
	case 1: // its negation is in the clause
		c.taut = true
		c.lits = append(c.lits, l)
	}
}

func (c *checker) readHints() error {
	c.hints = c.hints[:0]
	for {
		h, ok := c.in.number()
		if !ok {
			return c.reject(Syntax, "expected a hint or 0")
		}
		if h == 0 {
			return nil
		}
		c.hints = append(c.hints, h)
	}
}

func (c *checker) assign(l uint32) {
	c.value[l], c.value[l^1] = 1, -1
	c.trail = append(c.trail, l)
}

func (c *checker) undo(to int) {
	for _, l := range c.trail[to:] {
		c.value[l], c.value[l^1] = 0, 0
	}
	c.trail = c.trail[:to]
}
