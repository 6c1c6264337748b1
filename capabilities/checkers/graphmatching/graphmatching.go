// Package graphmatching decides that a matching of a simple graph is a largest one.
//
// The claim has semantics graph.matching/1 and predicate graph.maximum_matching, with arguments
// {"graph": graph}. The candidate is {"size": m, "matching": [[u,v],…], "barrier": [s1,…], "odd_components": o}.
// The format graph.tutte_berge has an empty certificate: the candidate carries its own. By the
// Tutte–Berge formula no matching has more than (n + |S| − odd(G−S))/2 edges, for any set S of vertices,
// where odd(G−S) is the number of components of odd order that are left without S; so a matching that
// meets the bound for the barrier S is a largest one.
//
// Source: Berge, C. R. Acad. Sci. Paris 247 (1958); Tutte, J. London Math. Soc. 22 (1947).
package graphmatching

import (
	"context"
	"fmt"

	"github.com/jacobian-ledger/jacobian/capabilities/checkers"
	"github.com/jacobian-ledger/jacobian/capabilities/values"
	"github.com/jacobian-ledger/jacobian/events"
)

// What the checker decides.
const (
	Semantics = "graph.matching/1"
	Predicate = "graph.maximum_matching"
	Format    = "graph.tutte_berge"
)

type args struct {
	Graph values.Graph `json:"graph"`
}

type candidate struct {
	Size          int     `json:"size"`
	Matching      [][]int `json:"matching"`
	Barrier       []int   `json:"barrier"` // S in the Tutte–Berge formula
	OddComponents int     `json:"odd_components"`
}

// Checker returns the checker graph.matching.
func Checker() checkers.Checker {
	return checkers.Checker{
		ID: "graph.matching", Version: 1, Class: "go-tutte-berge",
		Semantics: []string{Semantics}, Predicates: []string{Predicate}, Formats: []string{Format},
		Check: check,
	}
}

func check(_ context.Context, ev checkers.Evidence) (checkers.Verdict, error) {
	if ev.Claim.Semantics != Semantics || ev.Claim.Predicate != Predicate || ev.Format != Format {
		return checkers.Reject("expected predicate %s of %s with format %s", Predicate, Semantics, Format), nil
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
	if err := checkMatching(a.Graph, c); err != nil {
		return checkers.Reject("%v", err), nil
	}
	odd, err := oddComponents(a.Graph, c.Barrier)
	if err != nil {
		return checkers.Reject("%v", err), nil
	}
	n, s := a.Graph.Order, len(c.Barrier)
	switch {
	case odd != c.OddComponents:
		return checkers.Reject("without the barrier there are %d odd components, not %d", odd, c.OddComponents), nil
	case 2*c.Size != n+s-odd:
		return checkers.Reject("the barrier bounds matchings by (%d+%d-%d)/2, the matching has %d edges", n, s, odd, c.Size), nil
	}
	return checkers.Accept(events.True, "looked at the matching and counted the odd components without the barrier",
		fmt.Sprintf("Tutte–Berge bound met: (%d + %d − %d)/2 = %d", n, s, odd, c.Size)), nil
}

func checkMatching(g values.Graph, c candidate) error {
	if c.Size != len(c.Matching) {
		return fmt.Errorf("size is %d, the matching has %d edges", c.Size, len(c.Matching))
	}
	covered := make([]bool, g.Order)
	for _, e := range c.Matching {
		if len(e) != 2 || e[0] < 0 || e[1] < 0 || e[0] >= g.Order || e[1] >= g.Order || !g.Adjacent(e[0], e[1]) {
			return fmt.Errorf("%v is not an edge of the graph", e)
		}
		if e[0] == e[1] || covered[e[0]] || covered[e[1]] {
			return fmt.Errorf("edge %v meets another edge of the matching", e)
		}
		covered[e[0]], covered[e[1]] = true, true
	}
	return nil
}

// oddComponents counts the components of odd order of the graph without the barrier.
func oddComponents(g values.Graph, barrier []int) (int, error) {
	seen := make([]bool, g.Order)
	for _, v := range barrier {
		if v < 0 || v >= g.Order || seen[v] {
			return 0, fmt.Errorf("the barrier is not a set of vertices: %d", v)
		}
		seen[v] = true
	}
	near := g.Neighbours()
	odd := 0
	for v := range g.Order {
		if seen[v] {
			continue
		}
		seen[v] = true
		size := 0
		for stack := []int{v}; len(stack) > 0; {
			u := stack[len(stack)-1]
			stack = stack[:len(stack)-1]
			size++
			for _, w := range near[u] {
				if !seen[w] {
					seen[w] = true
					stack = append(stack, w)
				}
			}
		}
		odd += size % 2
	}
	return odd, nil
}
