// Package graphiso decides whether two simple graphs are isomorphic.
//
// The claim has semantics graph.isomorphism/1 and predicate graph.isomorphic, with arguments
// {"first": graph, "second": graph}. Two formats:
//
// graph.isomorphism has an empty certificate: the candidate {"isomorphic": true, "permutation": [p0,…]} maps
// vertex v of the first graph to pv of the second, one to one, edges to edges and non-edges to non-edges.
//
// graph.nonisomorphism is one word that names why there is no isomorphism: order, size, degrees (the
// sorted degree lists differ), distances (the sorted lists of the vertices' sorted distance rows differ),
// or search: the checker then tries every one-to-one map itself by backtracking over vertices of equal
// degree, in at most 20 million steps, and rejects where that does not end.
package graphiso

import (
	"context"
	"fmt"
	"slices"

	"github.com/jacobian-ledger/jacobian/capabilities/checkers"
	"github.com/jacobian-ledger/jacobian/capabilities/values"
	"github.com/jacobian-ledger/jacobian/events"
)

// What the checker decides.
const (
	Semantics = "graph.isomorphism/1"
	Predicate = "graph.isomorphic"
	FormatYes = "graph.isomorphism"
	FormatNo  = "graph.nonisomorphism"
)

const maxSteps = 20_000_000

type args struct {
	First  values.Graph `json:"first"`
	Second values.Graph `json:"second"`
}

type candidate struct {
	Isomorphic  bool  `json:"isomorphic"`
	Permutation []int `json:"permutation"`
}

// Checker returns the checker graph.isomorphism.
func Checker() checkers.Checker {
	return checkers.Checker{
		ID: "graph.isomorphism", Version: 1, Class: "go-graph-isomorphism",
		Semantics: []string{Semantics}, Predicates: []string{Predicate}, Formats: []string{FormatYes, FormatNo},
		Check: check,
	}
}

func check(ctx context.Context, ev checkers.Evidence) (checkers.Verdict, error) {
	if ev.Claim.Semantics != Semantics || ev.Claim.Predicate != Predicate {
		return checkers.Reject("expected predicate %s of %s", Predicate, Semantics), nil
	}
	var a args
	if err := checkers.DecodeArgs(ev.Claim, &a); err != nil {
		return checkers.Reject("claim: %v", err), nil
	}
	var c candidate
	if err := ev.DecodeCandidate(&c); err != nil {
		return checkers.Reject("candidate: %v", err), nil
	}
	switch {
	case ev.Format == FormatYes && c.Isomorphic && len(ev.Certificate) == 0:
		return checkPermutation(a, c.Permutation), nil
	case ev.Format == FormatNo && !c.Isomorphic && len(c.Permutation) == 0:
		return checkDifference(ctx, a, string(ev.Certificate))
	}
	return checkers.Reject("format %q does not fit a candidate with isomorphic %v", ev.Format, c.Isomorphic), nil
}

func checkPermutation(a args, p []int) checkers.Verdict {
	n := a.First.Order
	if a.Second.Order != n || len(p) != n {
		return checkers.Reject("expected %d images of vertices, found %d for orders %d and %d", n, len(p), n, a.Second.Order)
	}
	hit := make([]bool, n)
	for v, w := range p {
		if w < 0 || w >= n || hit[w] {
			return checkers.Reject("the map is not one to one: vertex %d goes to %d", v, w)
		}
		hit[w] = true
	}
	// Equal numbers of edges and edges to edges make non-edges go to non-edges.
	if len(a.First.Edges) != len(a.Second.Edges) {
		return checkers.Reject("the graphs have %d and %d edges", len(a.First.Edges), len(a.Second.Edges))
	}
	for _, e := range a.First.Edges {
		if !a.Second.Adjacent(p[e[0]], p[e[1]]) {
			return checkers.Reject("edge [%d,%d] goes to the non-edge [%d,%d]", e[0], e[1], p[e[0]], p[e[1]])
		}
	}
	return checkers.Accept(events.True, "followed every edge through the permutation", fmt.Sprintf("all %d vertices and %d edges", n, len(a.First.Edges)))
}

func checkDifference(ctx context.Context, a args, why string) (checkers.Verdict, error) {
	differs := false
	switch why {
	case "order":
		differs = a.First.Order != a.Second.Order
	case "size":
		differs = len(a.First.Edges) != len(a.Second.Edges)
	case "degrees":
		differs = !slices.Equal(degrees(a.First), degrees(a.Second))
	case "distances":
		differs = slices.CompareFunc(distances(a.First), distances(a.Second), slices.Compare[[]int]) != 0
	case "search":
		if a.First.Order != a.Second.Order {
			return checkers.Reject("a search needs graphs of one order"), nil
		}
		s := newSearch(ctx, a)
		found, ended := s.extend(0)
		switch {
		case ctx.Err() != nil:
			return checkers.Verdict{}, ctx.Err()
		case !ended:
			return checkers.Reject("the search did not end in %d steps", maxSteps), nil
		}
		differs = !found
	default:
		return checkers.Reject("expected order, size, degrees, distances or search, found %.20q", why), nil
	}
	if !differs {
		return checkers.Reject("%s does not tell the graphs apart", why), nil
	}
	return checkers.Accept(events.False, "compared the graphs by "+why, "an isomorphism would keep it"), nil
}

func degrees(g values.Graph) []int {
	d := make([]int, g.Order)
	for _, e := range g.Edges {
		d[e[0]]++
		d[e[1]]++
	}
	slices.Sort(d)
	return d
}

// distances are the sorted rows of the distance matrix, unreachable as −1, in sorted order.
func distances(g values.Graph) [][]int {
	near := g.Neighbours()
	rows := make([][]int, g.Order)
	for v := range rows {
		row := make([]int, g.Order)
		for u := range row {
			row[u] = -1
		}
		row[v] = 0
		for queue := []int{v}; len(queue) > 0; queue = queue[1:] {
			for _, u := range near[queue[0]] {
				if row[u] < 0 {
					row[u] = row[queue[0]] + 1
					queue = append(queue, u)
				}
			}
		}
		slices.Sort(row)
		rows[v] = row
	}
	slices.SortFunc(rows, slices.Compare[[]int])
	return rows
}

// search tries every one-to-one map of the vertices that keeps degrees, adjacency and non-adjacency.
type search struct {
	ctx       context.Context
	a, b      [][]bool
	da, db    []int
	to        []int
	used      []bool
	stepsLeft int
}

func newSearch(ctx context.Context, a args) *search {
	s := &search{ctx: ctx, a: matrix(a.First), b: matrix(a.Second), stepsLeft: maxSteps, to: make([]int, a.First.Order), used: make([]bool, a.First.Order)}
	s.da, s.db = rowSums(s.a), rowSums(s.b)
	return s
}

func matrix(g values.Graph) [][]bool {
	m := make([][]bool, g.Order)
	for v := range m {
		m[v] = make([]bool, g.Order)
	}
	for _, e := range g.Edges {
		m[e[0]][e[1]], m[e[1]][e[0]] = true, true
	}
	return m
}

func rowSums(m [][]bool) []int {
	out := make([]int, len(m))
	for v, row := range m {
		for _, x := range row {
			if x {
				out[v]++
			}
		}
	}
	return out
}

func (s *search) extend(v int) (found, ended bool) {
	if v == len(s.to) {
		return true, true
	}
	for w := range s.to {
		if s.stepsLeft--; s.stepsLeft < 0 || s.stepsLeft%4096 == 0 && s.ctx.Err() != nil {
			return false, false
		}
		if s.used[w] || s.da[v] != s.db[w] || !s.fits(v, w) {
			continue
		}
		s.to[v], s.used[w] = w, true
		if found, ended = s.extend(v + 1); found || !ended {
			return found, ended
		}
		s.used[w] = false
	}
	return false, true
}

func (s *search) fits(v, w int) bool {
	for u := range v {
		if s.a[v][u] != s.b[w][s.to[u]] {
			return false
		}
	}
	return true
}
