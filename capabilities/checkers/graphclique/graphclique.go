// Package graphclique decides the size of a largest clique or independent set of a simple graph.
//
// The claims have semantics graph.cliques/1 and predicate graph.clique_number or graph.independence_number,
// with arguments {"graph": graph}. The candidate is {"size": s, "vertices": [v1,…,vs]}. The format
// graph.clique.search has an empty certificate: the checker looks at every pair of the candidate's
// vertices, and then shows that no larger set exists by its own search, which leaves a branch when a
// greedy colouring of what is left has too few colours (Tomita and Seki 2003), in at most 20 million
// steps; where that does not end it rejects.
package graphclique

import (
	"context"
	"fmt"

	"github.com/jacobian-ledger/jacobian/capabilities/checkers"
	"github.com/jacobian-ledger/jacobian/capabilities/values"
	"github.com/jacobian-ledger/jacobian/events"
)

// What the checker decides.
const (
	Semantics            = "graph.cliques/1"
	PredicateClique      = "graph.clique_number"
	PredicateIndependent = "graph.independence_number"
	Format               = "graph.clique.search"
)

const maxSteps = 20_000_000

type args struct {
	Graph values.Graph `json:"graph"`
}

type candidate struct {
	Size     int   `json:"size"`
	Vertices []int `json:"vertices"`
}

// Checker returns the checker graph.cliques.
func Checker() checkers.Checker {
	return checkers.Checker{
		ID: "graph.cliques", Version: 1, Class: "go-clique-coloring-bound",
		Semantics: []string{Semantics}, Predicates: []string{PredicateClique, PredicateIndependent}, Formats: []string{Format}, Check: check,
	}
}

func check(ctx context.Context, ev checkers.Evidence) (checkers.Verdict, error) {
	if ev.Claim.Semantics != Semantics || ev.Format != Format || ev.Claim.Predicate != PredicateClique && ev.Claim.Predicate != PredicateIndependent {
		return checkers.Reject("expected a predicate of %s with format %s", Semantics, Format), nil
	}
	var a args
	if err := checkers.DecodeArgs(ev.Claim, &a); err != nil {
		return checkers.Reject("claim: %v", err), nil
	}
	var c candidate
	if err := ev.DecodeCandidate(&c); err != nil {
		return checkers.Reject("candidate: %v", err), nil
	}
	if len(ev.Certificate) != 0 {
		return checkers.Reject("expected an empty certificate, found %d bytes", len(ev.Certificate)), nil
	}
	joined := matrix(a.Graph, ev.Claim.Predicate == PredicateIndependent)
	if err := checkSet(joined, c); err != nil {
		return checkers.Reject("%v", err), nil
	}
	s := &search{ctx: ctx, joined: joined, want: c.Size + 1, left: maxSteps}
	all := make([]int, a.Graph.Order)
	for v := range all {
		all[v] = v
	}
	larger := s.grow(all, 0)
	switch {
	case ctx.Err() != nil:
		return checkers.Verdict{}, ctx.Err()
	case s.left < 0:
		return checkers.Reject("the search for a larger set did not end in %d steps", maxSteps), nil
	case larger:
		return checkers.Reject("there is a set of %d", c.Size+1), nil
	}
	return checkers.Accept(events.True, "looked at every pair of the set and searched for a larger one", fmt.Sprintf("no set of %d among all %d vertices", c.Size+1, a.Graph.Order)), nil
}

// matrix is the adjacency matrix, of the complement if that is asked.
func matrix(g values.Graph, complement bool) [][]bool {
	m := make([][]bool, g.Order)
	for v := range m {
		m[v] = make([]bool, g.Order)
		for u := range m[v] {
			m[v][u] = complement && u != v
		}
	}
	for _, e := range g.Edges {
		m[e[0]][e[1]], m[e[1]][e[0]] = !complement, !complement
	}
	return m
}

func checkSet(joined [][]bool, c candidate) error {
	if c.Size != len(c.Vertices) {
		return fmt.Errorf("size is %d, there are %d vertices", c.Size, len(c.Vertices))
	}
	for i, v := range c.Vertices {
		if v < 0 || v >= len(joined) {
			return fmt.Errorf("%d is not a vertex", v)
		}
		for _, u := range c.Vertices[:i] {
			if u == v || !joined[u][v] {
				return fmt.Errorf("vertices %d and %d do not belong together", u, v)
			}
		}
	}
	return nil
}

type search struct {
	ctx    context.Context
	joined [][]bool
	want   int
	left   int
}

// grow reports whether a clique of the wanted size has size vertices already and the rest in from.
func (s *search) grow(from []int, size int) bool {
	if size >= s.want {
		return true
	}
	order, colours := s.colour(from)
	for i := len(order) - 1; i >= 0; i-- {
		if s.left--; s.left < 0 || s.left%4096 == 0 && s.ctx.Err() != nil {
			return false
		}
		if size+colours[i] < s.want {
			return false // vertices up to here need only so many colours: no clique among them has more
		}
		var next []int
		for _, u := range order[:i] {
			if s.joined[order[i]][u] {
				next = append(next, u)
			}
		}
		if s.grow(next, size+1) {
			return true
		}
	}
	return false
}

// colour lists the vertices by the classes of a greedy colouring, with the number of each one's class:
// the vertices up to a position are coloured with that many colours.
func (s *search) colour(from []int) (order, colours []int) {
	rest := from
	for class := 1; len(rest) > 0; class++ {
		var in, out []int
		for _, v := range rest {
			free := true
			for _, u := range in {
				if s.joined[u][v] {
					free = false
					break
				}
			}
			if free {
				in = append(in, v)
			} else {
				out = append(out, v)
			}
		}
		for _, v := range in {
			order, colours = append(order, v), append(colours, class)
		}
		rest = out
	}
	return order, colours
}
