package drat

// propagator holds the assignment: first what the clauses present imply by unit propagation, which
// stays (the settled part of the trail), then what a check assumes and concludes, which is undone.
//
// Invariant: between steps the settled part is closed under propagation, unless refuted. Each clause of
// two or more literals watches its first two; when a watched literal is false in a closed assignment,
// the clause has a true literal that became true no later than it.
type propagator struct {
	value   []int8    // by literal
	reason  []int32   // by variable: clause that implied it, or -1
	watches [][]int32 // clauses by watched literal
	trail   []uint32
	head    int
	settled int
	refuted bool // propagation of the clauses present reaches a conflict
}

func (p *propagator) grow(lits []uint32) {
	for _, l := range lits {
		for uint32(len(p.value)) <= l|1 {
			p.value = append(p.value, 0, 0)
			p.watches = append(p.watches, nil, nil)
			p.reason = append(p.reason, -1)
		}
	}
}

func (p *propagator) set(l uint32, reason int32) {
	p.value[l], p.value[l^1] = 1, -1
	p.reason[l>>1] = reason
	p.trail = append(p.trail, l)
}

func (p *propagator) undo(to int) {
	for _, l := range p.trail[to:] {
		p.value[l], p.value[l^1] = 0, 0
		p.reason[l>>1] = -1
	}
	p.trail = p.trail[:to]
	p.head = to
}

// assume makes the literals false, except one; it reports a conflict with what holds already.
func (p *propagator) assume(lits []uint32, except uint32) bool {
	for _, l := range lits {
		if l == except {
			continue
		}
		switch p.value[l] {
		case 1:
			return true
		case 0:
			p.set(l^1, -1)
		}
	}
	return false
}

// propagate closes the assignment and reports a conflict.
func (p *propagator) propagate(db *database) bool {
	for p.head < len(p.trail) {
		f := p.trail[p.head] ^ 1 // false now
		p.head++
		ws := p.watches[f]
		keep := 0
		for k, i := range ws {
			if db.clauses[i].gone {
				continue
			}
			c := db.lits(int(i))
			if c[0] == f {
				c[0], c[1] = c[1], f
			}
			if p.value[c[0]] != 1 && p.rewatch(c, i) {
				continue
			}
			ws[keep] = i
			keep++
			switch p.value[c[0]] {
			case -1:
				keep += copy(ws[keep:], ws[k+1:])
				p.watches[f] = ws[:keep]
				return true
			case 0:
				p.set(c[0], i)
			}
		}
		p.watches[f] = ws[:keep]
	}
	return false
}

// rewatch replaces the false literal c[1] by one that is not false.
func (p *propagator) rewatch(c []uint32, i int32) bool {
	for k := 2; k < len(c); k++ {
		if p.value[c[k]] != -1 {
			c[1], c[k] = c[k], c[1]
			p.watches[c[1]] = append(p.watches[c[1]], i)
			return true
		}
	}
	return false
}

// insert takes a new clause into account.
func (p *propagator) insert(db *database, i int) {
	c := db.lits(i)
	p.grow(c)
	// Literals that are not false go first, so that the two watched are such if there are two.
	free := 0
	for k, l := range c {
		if p.value[l] != -1 {
			c[free], c[k] = c[k], c[free]
			free++
		}
	}
	if len(c) > 1 {
		p.watches[c[0]] = append(p.watches[c[0]], int32(i))
		p.watches[c[1]] = append(p.watches[c[1]], int32(i))
	}
	switch {
	case p.refuted:
	case free == 0:
		p.refuted = true
	case free == 1 && p.value[c[0]] == 0:
		p.set(c[0], int32(i))
		p.settle(db)
	}
}

func (p *propagator) settle(db *database) {
	p.refuted = p.propagate(db)
	p.settled = len(p.trail)
}

// restart settles afresh after a clause that the assignment rested on has gone.
func (p *propagator) restart(db *database) {
	p.undo(0)
	p.settled, p.refuted = 0, false
	for i := range db.clauses {
		if db.clauses[i].gone || db.clauses[i].taut {
			continue
		}
		c := db.lits(i)
		switch {
		case len(c) == 0:
			p.refuted = true
			return
		case len(c) == 1 && p.value[c[0]] == -1:
			p.refuted = true
			p.settled = len(p.trail)
			return
		case len(c) == 1 && p.value[c[0]] == 0:
			p.set(c[0], int32(i))
		}
	}
	p.settle(db)
}

// isUnit reports whether one literal is true and the others are false.
func (p *propagator) isUnit(c []uint32) bool {
	yes := 0
	for _, l := range c {
		switch p.value[l] {
		case 1:
			yes++
		case 0:
			return false
		}
	}
	return yes == 1
}

// restsOn reports whether the settled assignment may depend on the clause.
func (p *propagator) restsOn(db *database, i int) bool {
	if p.refuted {
		return true
	}
	if db.clauses[i].taut {
		return false
	}
	for _, l := range db.lits(i) {
		if p.reason[l>>1] == int32(i) {
			return true
		}
	}
	return false
}
