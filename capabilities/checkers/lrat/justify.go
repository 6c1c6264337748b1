package lrat

import "context"

// justify decides whether the clause may be added. The negation of the clause is assigned.
func (c *checker) justify(ctx context.Context) error {
	if c.taut {
		if len(c.hints) > 0 {
			return c.reject(HintExtra, "a clause with a variable and its negation needs none")
		}
		return nil
	}
	rest, conflict, err := c.follow(c.hints)
	if err != nil {
		return err
	}
	switch {
	case conflict && len(rest) > 0:
		return c.reject(HintExtra, "%d", rest[0])
	case conflict:
		return nil
	case c.pivot == 0:
		return c.reject(NoConflict, "the empty clause needs one")
	case len(rest) == 0 && !c.db.maybeContains(c.pivot^1):
		c.stats.RAT++ // no clause has the negated pivot
		return nil
	case len(rest) == 0:
		return c.reject(NoConflict, "")
	}
	c.stats.RAT++
	return c.rat(ctx, rest)
}

// follow takes positive hints in order until a conflict or a negative hint, and returns what it did not
// take.
func (c *checker) follow(hints []int64) (rest []int64, conflict bool, err error) {
	for i, h := range hints {
		if h < 0 {
			return hints[i:], false, nil
		}
		lits, ok := c.db.get(h)
		if !ok {
			return nil, false, c.reject(HintMissing, "%d", h)
		}
		unit, err := c.unit(h, lits)
		if err != nil {
			return nil, false, err
		}
		if unit == 0 {
			return hints[i+1:], true, nil
		}
		c.assign(unit)
	}
	return nil, false, nil
}

// unit returns the only unassigned literal of a clause whose others are false, or 0 if all are.
func (c *checker) unit(id int64, lits []uint32) (uint32, error) {
	c.budget -= len(lits)
	unit := uint32(0)
	for _, l := range lits {
		switch c.value[l] {
		case 1:
			return 0, c.reject(HintSatisfied, "hint %d by literal %d", id, decode(l))
		case 0:
			if unit != 0 {
				return 0, c.reject(HintNotUnit, "hint %d has %d and %d", id, decode(unit), decode(l))
			}
			unit = l
		}
	}
	return unit, nil
}

// rat checks one group for each clause with the negated pivot.
func (c *checker) rat(ctx context.Context, rest []int64) error {
	base := len(c.trail)
	if c.done == nil {
		c.done = map[int64]bool{}
	}
	clear(c.done)
	for len(rest) > 0 {
		if c.budget < 0 {
			if c.budget = 1 << 20; ctx.Err() != nil {
				return ctx.Err()
			}
		}
		id := -rest[0]
		end := 1
		for end < len(rest) && rest[end] > 0 {
			end++
		}
		if err := c.group(id, rest[1:end]); err != nil {
			return err
		}
		c.undo(base)
		c.done[id] = true
		rest = rest[end:]
	}
	return c.db.each(c.pivot^1, func(id int64) error {
		if !c.done[id] {
			return c.reject(RATIncomplete, "clause %d", id)
		}
		return nil
	})
}

// group checks the resolvent with the clause id.
func (c *checker) group(id int64, hints []int64) error {
	lits, ok := c.db.get(id)
	if !ok {
		return c.reject(HintMissing, "%d", -id)
	}
	if c.done[id] {
		return c.reject(RATCandidate, "%d twice", -id)
	}
	c.budget -= len(lits)
	found, blocked := false, false
	for _, l := range lits {
		switch {
		case l == c.pivot^1:
			found = true
		case c.value[l] == 1:
			blocked = true
		case c.value[l] == 0:
			c.assign(l ^ 1)
		}
	}
	if !found {
		return c.reject(RATCandidate, "%d", -id)
	}
	if blocked {
		if len(hints) > 0 {
			return c.reject(HintExtra, "the resolvent with %d is always true", id)
		}
		return nil
	}
	rest, conflict, err := c.follow(hints)
	switch {
	case err != nil:
		return err
	case !conflict:
		return c.reject(NoConflict, "in the group of %d", id)
	case len(rest) > 0:
		return c.reject(HintExtra, "%d", rest[0])
	}
	return nil
}
