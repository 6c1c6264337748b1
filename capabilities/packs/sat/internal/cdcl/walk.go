package cdcl

import "math"

// walker is a local search for models: it flips a variable of a random false clause, preferring those
// whose flip makes few clauses false (Balint and Schöning, Choosing Probability Distributions for
// Stochastic Local Search and the Role of Make versus Break, SAT 2012). It finds models of large random
// formulas that clause learning does not, and its best assignment is where clause learning looks first.
// Its generator has a fixed seed, so that equal formulas give equal answers.
type walker struct {
	clauses [][]lit
	occurs  [][]int32 // clauses by literal
	value   []bool    // by variable
	trues   []int32   // true literals of a clause
	sole    []int32   // sum of the variables of the true literals of a clause: the variable if there is one
	breaks  []int32   // by variable: clauses in which it has the only true literal
	broken  []int32   // false clauses
	at      []int32   // position in broken, or -1
	weight  [64]float64
	state   uint64
}

func newWalker(variables int, clauses [][]lit) *walker {
	w := &walker{
		clauses: clauses, occurs: make([][]int32, 2*variables), value: make([]bool, variables),
		trues: make([]int32, len(clauses)), sole: make([]int32, len(clauses)), breaks: make([]int32, variables),
		at: make([]int32, len(clauses)), state: 0x9e3779b97f4a7c15,
	}
	for i, c := range clauses {
		for _, l := range c {
			w.occurs[l] = append(w.occurs[l], int32(i))
		}
	}
	// The constants are those of the paper: polynomial for clauses of three, exponential for longer ones.
	longer := 0
	for _, c := range clauses {
		if len(c) > 3 {
			longer++
		}
	}
	for b := range w.weight {
		if w.weight[b] = math.Pow(0.9+float64(b), -2.06); 2*longer > len(clauses) {
			w.weight[b] = math.Pow(2.85, -float64(b))
		}
	}
	return w
}

func (w *walker) random() uint64 { // xorshift, G. Marsaglia 2003
	w.state ^= w.state << 13
	w.state ^= w.state >> 7
	w.state ^= w.state << 17
	return w.state
}

func (w *walker) holds(l lit) bool { return w.value[l.v()] == (l&1 == 0) }

// start takes an assignment.
func (w *walker) start(phase []bool) {
	copy(w.value, phase)
	clear(w.breaks)
	w.broken = w.broken[:0]
	for i, c := range w.clauses {
		w.trues[i], w.sole[i], w.at[i] = 0, 0, -1
		for _, l := range c {
			if w.holds(l) {
				w.trues[i]++
				w.sole[i] += l.v()
			}
		}
		switch w.trues[i] {
		case 0:
			w.fail(int32(i))
		case 1:
			w.breaks[w.sole[i]]++
		}
	}
}

func (w *walker) fail(i int32) {
	w.at[i] = int32(len(w.broken))
	w.broken = append(w.broken, i)
}

func (w *walker) mend(i int32) {
	last := w.broken[len(w.broken)-1]
	w.broken[w.at[i]], w.at[last] = last, w.at[i]
	w.broken = w.broken[:len(w.broken)-1]
	w.at[i] = -1
}

func (w *walker) flip(v int32) int {
	yes := lit(2 * v)
	if w.value[v] {
		yes++
	}
	w.value[v] = !w.value[v]
	for _, i := range w.occurs[yes] {
		switch w.trues[i] {
		case 0:
			w.mend(i)
			w.breaks[v]++
		case 1:
			w.breaks[w.sole[i]]--
		}
		w.trues[i]++
		w.sole[i] += v
	}
	for _, i := range w.occurs[yes.not()] {
		w.trues[i]--
		w.sole[i] -= v
		switch w.trues[i] {
		case 0:
			w.fail(i)
			w.breaks[v]--
		case 1:
			w.breaks[w.sole[i]]++
		}
	}
	return len(w.occurs[yes]) + len(w.occurs[yes.not()])
}

// choose picks a variable of a clause.
func (w *walker) choose(c []lit) int32 {
	sum := 0.0
	for _, l := range c {
		sum += w.weight[min(w.breaks[l.v()], 63)]
	}
	r := sum * float64(w.random()>>11) / (1 << 53)
	for _, l := range c {
		if r -= w.weight[min(w.breaks[l.v()], 63)]; r < 0 {
			return l.v()
		}
	}
	return c[len(c)-1].v()
}

// walk searches from the saved phases for about that many steps and leaves the best assignment in them.
// It reports whether that is a model.
func (s *Solver) walk(steps int64) bool {
	if len(s.formula) == 0 {
		return false
	}
	if s.walker == nil {
		s.walker = newWalker(len(s.level), s.formula)
	}
	w := s.walker
	w.start(s.phase)
	best := len(w.broken)
	for steps > 0 && best > 0 {
		c := w.clauses[w.broken[w.random()%uint64(len(w.broken))]]
		steps -= int64(w.flip(w.choose(c)) + len(c))
		if len(w.broken) < best {
			best = len(w.broken)
			copy(s.phase, w.value)
		}
	}
	return best == 0
}
