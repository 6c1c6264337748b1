package cdcl

// heap is a binary heap of variables, the most active first.
type heap struct {
	activity []float64
	items    []int32
	index    []int32 // position of a variable in items, or -1
}

func (h *heap) init(activity []float64) {
	h.activity = activity
	h.items = make([]int32, 0, len(activity))
	h.index = make([]int32, len(activity))
	for v := range h.index {
		h.index[v] = -1
	}
	for v := range h.index {
		h.push(int32(v))
	}
}

func (h *heap) push(v int32) {
	if h.index[v] >= 0 {
		return
	}
	h.index[v] = int32(len(h.items))
	h.items = append(h.items, v)
	h.up(v)
}

func (h *heap) before(a, b int32) bool {
	return h.activity[a] > h.activity[b] || h.activity[a] == h.activity[b] && a < b
}

// up restores the order after the activity of v grew.
func (h *heap) up(v int32) {
	i := h.index[v]
	if i < 0 {
		return
	}
	for i > 0 {
		parent := (i - 1) / 2
		if !h.before(v, h.items[parent]) {
			break
		}
		h.put(i, h.items[parent])
		i = parent
	}
	h.put(i, v)
}

func (h *heap) put(i, v int32) { h.items[i], h.index[v] = v, i }

// pop removes the most active variable, or returns -1.
func (h *heap) pop() int32 {
	if len(h.items) == 0 {
		return -1
	}
	top := h.items[0]
	h.index[top] = -1
	last := h.items[len(h.items)-1]
	h.items = h.items[:len(h.items)-1]
	if n := int32(len(h.items)); n > 0 {
		i := int32(0)
		for {
			child := 2*i + 1
			if child >= n {
				break
			}
			if child+1 < n && h.before(h.items[child+1], h.items[child]) {
				child++
			}
			if !h.before(h.items[child], last) {
				break
			}
			h.put(i, h.items[child])
			i = child
		}
		h.put(i, last)
	}
	return top
}

// pace says when to restart and when to forget. Restarts come when recent clauses have clearly more
// levels than those of the whole run, in the manner of Audemard and Simon with moving averages (Biere
// and Fröhlich, Evaluating CDCL Restart Schemes, 2015).
type pace struct {
	fast, slow       float64
	since, conflicts int64
	nextReduce, step int64
	nextWalk         int64
}

func newPace() *pace { return &pace{nextReduce: 2000, step: 2000, nextWalk: 2000} }

func (p *pace) conflict(lbd int32) {
	p.conflicts++
	p.since++
	x := float64(lbd)
	if p.conflicts == 1 {
		p.fast, p.slow = x, x
	}
	p.fast += (x - p.fast) / 32
	p.slow += (x - p.slow) / float64(min(p.conflicts, 4096))
}

// restart alternates between eager and calm stretches of growing length: eager ones refute, calm ones
// find models.
func (p *pace) restart() bool {
	wait, margin := int64(20), 1.15
	for n, k := int64(1000), 0; ; n, k = n*2, k+1 {
		if p.conflicts < n {
			if k&1 == 1 {
				wait, margin = 200, 1.2
			}
			break
		}
	}
	if p.since < wait || p.fast < margin*p.slow {
		return false
	}
	p.since = 0
	return true
}

// walk is how many steps of local search are due, 0 if none: each stretch is twice the one before and
// comes after twice as many conflicts, so that it takes a bounded share of the time.
func (p *pace) walk() int64 {
	if p.conflicts < p.nextWalk {
		return 0
	}
	p.nextWalk *= 2
	return p.conflicts * 500
}

func (p *pace) reduce() bool {
	if p.conflicts < p.nextReduce {
		return false
	}
	p.step += 300
	p.nextReduce = p.conflicts + p.step
	return true
}
