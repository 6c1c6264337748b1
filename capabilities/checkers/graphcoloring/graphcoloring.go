// Package graphcoloring decides whether a simple graph has a proper colouring with k colours.
//
// The claim has semantics graph.coloring/1 and predicate graph.k_colorable, with arguments
// {"graph": graph, "k": number}. Two formats:
//
// graph.coloring has an empty certificate: the candidate {"colorable": true, "coloring": [0,1,…]} is its
// own witness, one colour 0 to k−1 for each vertex, and the ends of every edge differ.
//
// graph.coloring.lrat shows that there is no colouring. Its first line is "clique v1 v2 … vm", m may be
// 0; what follows is an LRAT refutation, in text, of the formula that [Encode] gives for the graph, k
// and that clique. The checker makes the formula itself. The vertices of a clique get different
// colours in every colouring, and colours can be renamed, so a colouring exists if and only if one
// exists that gives vi the colour i−1; with more than k vertices the clique is the whole proof.
//
// Predicate graph.chromatic_number, with arguments {"graph": graph} and the candidate {"chromatic_number": c,
// "coloring": […]}: the format graph.chromatic_number is a certificate of the format graph.coloring.lrat for
// k = c−1, empty if c is 0. The checker looks at the colouring with c colours and replays the refutation.
//
// Source of the encoding: the direct encoding of colouring, Prestwich, "Local search on SAT-encoded
// colouring problems", SAT 2003; clique symmetry breaking as in Van Gelder, DAM 156 (2008).
package graphcoloring

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"strconv"
	"strings"

	"github.com/jacobian-ledger/jacobian/capabilities/checkers"
	"github.com/jacobian-ledger/jacobian/capabilities/checkers/lrat"
	"github.com/jacobian-ledger/jacobian/capabilities/values"
	"github.com/jacobian-ledger/jacobian/events"
)

// What the checker decides.
const (
	Semantics          = "graph.coloring/1"
	Predicate          = "graph.k_colorable"
	PredicateChromatic = "graph.chromatic_number"
	FormatColoring     = "graph.coloring"
	FormatLRAT         = "graph.coloring.lrat"
	FormatChromatic    = "graph.chromatic_number"
)

// maxVariables bounds the formula that the checker is willing to make.
const maxVariables = 2_000_000

type args struct {
	Graph values.Graph `json:"graph"`
	K     int          `json:"k"`
}

type candidate struct {
	Colorable bool  `json:"colorable"`
	Coloring  []int `json:"coloring"`
}

// Checker returns the checker graph.coloring.
func Checker() checkers.Checker {
	return checkers.Checker{
		ID: "graph.coloring", Version: 1, Class: "go-graph-coloring",
		Semantics: []string{Semantics}, Predicates: []string{Predicate, PredicateChromatic}, Formats: []string{FormatColoring, FormatLRAT, FormatChromatic},
		Check: check,
	}
}

func check(ctx context.Context, ev checkers.Evidence) (checkers.Verdict, error) {
	if ev.Claim.Semantics == Semantics && ev.Claim.Predicate == PredicateChromatic && ev.Format == FormatChromatic {
		return checkChromatic(ctx, ev)
	}
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
	case a.K < 0:
		return checkers.Reject("claim: k is %d", a.K), nil
	case ev.Format == FormatColoring && c.Colorable:
		return checkColoring(a, c, ev.Certificate), nil
	case ev.Format == FormatLRAT && !c.Colorable && len(c.Coloring) == 0:
		return checkRefutation(ctx, a, ev.Certificate)
	}
	return checkers.Reject("format %q does not fit a candidate with colorable %v", ev.Format, c.Colorable), nil
}

func checkChromatic(ctx context.Context, ev checkers.Evidence) (checkers.Verdict, error) {
	var a struct {
		Graph values.Graph `json:"graph"`
	}
	if err := checkers.DecodeArgs(ev.Claim, &a); err != nil {
		return checkers.Reject("claim: %v", err), nil
	}
	var c struct {
		ChromaticNumber int   `json:"chromatic_number"`
		Coloring        []int `json:"coloring"`
	}
	if err := ev.DecodeCandidate(&c); err != nil {
		return checkers.Reject("candidate: %v", err), nil
	}
	if c.ChromaticNumber < 0 {
		return checkers.Reject("the chromatic number is %d", c.ChromaticNumber), nil
	}
	above := checkColoring(args{a.Graph, c.ChromaticNumber}, candidate{true, c.Coloring}, nil)
	switch {
	case !above.Accepted:
		return above, nil
	case c.ChromaticNumber == 0 && len(ev.Certificate) == 0: // only the graph without vertices passed
		return checkers.Accept(events.True, above.Method, "no colours for no vertices"), nil
	case c.ChromaticNumber == 0:
		return checkers.Reject("expected an empty certificate, found %d bytes", len(ev.Certificate)), nil
	}
	below, err := checkRefutation(ctx, args{a.Graph, c.ChromaticNumber - 1}, ev.Certificate)
	if err != nil || !below.Accepted {
		return below, err
	}
	return checkers.Accept(events.True, above.Method+"; "+below.Method, fmt.Sprintf("%d colours are enough and %d are not: %s", c.ChromaticNumber, c.ChromaticNumber-1, below.Coverage)), nil
}

func checkColoring(a args, c candidate, certificate []byte) checkers.Verdict {
	if len(certificate) != 0 {
		return checkers.Reject("the candidate is its own witness: expected an empty certificate, found %d bytes", len(certificate))
	}
	if len(c.Coloring) != a.Graph.Order {
		return checkers.Reject("expected %d colours, one for each vertex, found %d", a.Graph.Order, len(c.Coloring))
	}
	for v, x := range c.Coloring {
		if x < 0 || x >= a.K {
			return checkers.Reject("vertex %d has colour %d, expected 0 to %d", v, x, a.K-1)
		}
	}
	for _, e := range a.Graph.Edges {
		if c.Coloring[e[0]] == c.Coloring[e[1]] {
			return checkers.Reject("the ends of edge [%d,%d] have the same colour", e[0], e[1])
		}
	}
	return checkers.Accept(events.True, "looked at every edge under the colouring", fmt.Sprintf("all %d vertices and %d edges", a.Graph.Order, len(a.Graph.Edges)))
}

func checkRefutation(ctx context.Context, a args, certificate []byte) (checkers.Verdict, error) {
	first, proof, _ := bytes.Cut(certificate, []byte("\n"))
	clique, err := parseClique(string(first), a.Graph)
	if err != nil {
		return checkers.Reject("certificate: %v", err), nil
	}
	if len(clique) > a.K {
		return checkers.Accept(events.False, "looked at every pair of a clique", fmt.Sprintf("a clique of %d vertices needs more than %d colours", len(clique), a.K)), nil
	}
	if n := a.Graph.Order; n > 0 && a.K > maxVariables/n {
		return checkers.Reject("the formula would have %d times %d variables, at most %d", n, a.K, maxVariables), nil
	}
	stats, err := lrat.CheckContext(ctx, Encode(a.Graph, a.K, clique), proof)
	var r *lrat.Rejection
	switch {
	case errors.As(err, &r):
		return checkers.Reject("%v", r), nil
	case err != nil:
		return checkers.Verdict{}, err
	}
	return checkers.Accept(events.False, "made the colouring formula from the graph and replayed its LRAT refutation",
		fmt.Sprintf("every colouring; %d steps, up to renaming of the colours of a clique of %d", stats.Added, len(clique))), nil
}

// parseClique reads the first line and checks that its vertices are distinct and pairwise joined.
func parseClique(line string, g values.Graph) ([]int, error) {
	words := strings.Split(line, " ")
	if words[0] != "clique" {
		return nil, errors.New("expected a first line that begins with the word clique")
	}
	var clique []int
	for _, w := range words[1:] {
		v, err := strconv.Atoi(w)
		if err != nil || v < 0 || v >= g.Order {
			return nil, fmt.Errorf("expected a vertex 0 to %d in the clique, found %.20q", g.Order-1, w)
		}
		for _, u := range clique {
			if !g.Adjacent(u, v) {
				return nil, fmt.Errorf("vertices %d and %d of the clique are not joined", u, v)
			}
		}
		clique = append(clique, v)
	}
	return clique, nil
}

// Encode is the formula that says that the graph has a colouring with k colours in which the i-th
// vertex of the clique has colour i. Variable v·k+c+1 says that vertex v has colour c. For each vertex
// in order a clause asks for a colour; for each edge in order and each colour a clause forbids it at
// both ends; for each vertex of the clique in order a unit clause gives its colour.
func Encode(g values.Graph, k int, clique []int) values.CNF {
	f := values.CNF{Variables: g.Order * k}
	x := func(v, c int) int { return v*k + c + 1 }
	for v := range g.Order {
		some := make([]int, k)
		for c := range k {
			some[c] = x(v, c)
		}
		f.Clauses = append(f.Clauses, some)
	}
	for _, e := range g.Edges {
		for c := range k {
			f.Clauses = append(f.Clauses, []int{-x(e[0], c), -x(e[1], c)})
		}
	}
	for c, v := range clique {
		f.Clauses = append(f.Clauses, []int{x(v, c)})
	}
	return f
}
