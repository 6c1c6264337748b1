package graph

import (
	"context"
	"fmt"
	"slices"
	"strings"

	"github.com/jacobian-ledger/jacobian/capabilities"
	"github.com/jacobian-ledger/jacobian/capabilities/packs/sat/solve"
	"github.com/jacobian-ledger/jacobian/capabilities/values"
	"github.com/jacobian-ledger/jacobian/events"
)

// coloringOrder and coloringVariables bound the colouring formula.
const (
	coloringOrder     = 2000
	coloringVariables = 200_000
)

// ColoringInput asks about colourings of a graph with k colours.
type ColoringInput struct {
	Graph values.Graph `json:"graph" doc:"the graph: order and edges, or graph6"`
	K     int          `json:"k" doc:"number of colours, at least 0"`
}

// Validate refuses a negative number of colours.
func (in *ColoringInput) Validate() error {
	if in.K < 0 {
		return capabilities.Invalid("/k", "a number of colours, at least 0", fmt.Sprint(in.K), "ask for 1 or more")
	}
	return nil
}

func (in *ColoringInput) preflight() error {
	if err := checkOrder(in.Graph, coloringOrder); err != nil {
		return err
	}
	if n := in.Graph.Order; n > 0 && in.K > coloringVariables/n {
		return capabilities.Exceeds("/k", "variables", fmt.Sprint(coloringVariables), fmt.Sprintf("%d times %d", n, in.K), "use fewer colours or a smaller graph")
	}
	return nil
}

// ColoringOutput is a proper colouring, or that there is none.
type ColoringOutput struct {
	Colorable bool  `json:"colorable" doc:"whether a proper colouring exists"`
	Coloring  []int `json:"coloring" doc:"colour 0 to k-1 of each vertex; empty if there is none"`
}

var _ = capabilities.Define(pack, capabilities.Definition[ColoringInput, ColoringOutput]{
	ID:          "graph.k_coloring.decide",
	Title:       "decide whether a graph is k-colourable",
	Description: "Whether the vertices can be given k colours so that the ends of every edge differ. TRUE comes with a colouring; FALSE with an LRAT refutation of the colouring formula, which the checker makes anew from the graph.",
	Source:      "direct encoding: Prestwich, SAT 2003; LRAT: Cruz-Filipe et al., CADE 2017",
	Tags:        []string{"coloring", "chromatic", "satisfiability"},
	Needs: []string{
		"is this graph 3-colourable", "show that a graph cannot be coloured with 3 colours", "find a proper colouring of a graph with k colours",
		"prove that a graph is not k-colorable", "colour the vertices so that neighbours differ", "graph colouring with a proof",
	},
	Aliases:    []string{"colorable", "colourable", "k-coloring", "vertex colouring", "3-coloring", "chromatic"},
	InputKinds: []string{"graph"},
	Limits: []events.Limit{
		{Name: "order", Value: fmt.Sprint(coloringOrder), Note: "vertices"},
		{Name: "variables", Value: fmt.Sprint(coloringVariables), Note: "order times k"},
	},
	Claimed:   capabilities.Heuristic, // a solver said so, until a checker has decided
	Heavy:     true,
	Emits:     []string{"graph.coloring", "graph.coloring.lrat"},
	CheckedBy: []string{"graph.coloring"},
	Claim: func(in ColoringInput) events.Claim {
		return capabilities.NewClaim("graph.coloring/1", "graph.k_colorable", in)
	},
	Preflight: func(in ColoringInput) error { return in.preflight() },
	Examples: []capabilities.Example{
		{Name: "triangle, 2 colours", Input: `{"graph":{"order":3,"edges":[[0,1],[0,2],[1,2]]},"k":2}`, Output: `{"colorable":false,"coloring":[]}`},
		{Name: "path, 2 colours", Input: `{"graph":{"order":3,"edges":[[0,1],[1,2]]},"k":2}`, Output: `{"colorable":true,"coloring":[1,0,1]}`},
		{Name: "no vertices, no colours", Input: `{"graph":{"order":0,"edges":[]},"k":0}`, Output: `{"colorable":true,"coloring":[]}`},
	},
	Run: decideColoring,
})

func decideColoring(ctx context.Context, env *capabilities.Env, in ColoringInput) (capabilities.Outcome[ColoringOutput], error) {
	clique := greedyClique(in.Graph)
	if len(clique) > in.K {
		return notColorable(clique, nil), nil
	}
	f := colouringFormula(in.Graph, in.K, clique)
	env.Report(capabilities.Progress{Stage: "solving", Message: fmt.Sprintf("%d variables, %d clauses", f.Variables, len(f.Clauses))})
	r, err := solve.Solve(ctx, f)
	if err != nil {
		return capabilities.Outcome[ColoringOutput]{Scope: &events.Scope{
			Description: "search for a colouring stopped before the end",
			Parameters:  []events.Param{{Name: "conflicts", Value: fmt.Sprint(r.Stats.Conflicts)}, {Name: "decisions", Value: fmt.Sprint(r.Stats.Decisions)}},
		}}, err
	}
	env.Report(capabilities.Progress{Stage: "solved", Message: fmt.Sprintf("satisfiable %v after %d conflicts", r.Satisfiable, r.Stats.Conflicts)})
	if !r.Satisfiable {
		return notColorable(clique, r.LRAT), nil
	}
	out := ColoringOutput{Colorable: true, Coloring: make([]int, in.Graph.Order)}
	for v := range out.Coloring {
		out.Coloring[v] = slices.Index(r.Model[v*in.K:(v+1)*in.K], true)
	}
	return capabilities.Outcome[ColoringOutput]{Output: out, Conclusion: events.True, Evidence: &capabilities.Evidence{Format: "graph.coloring"}}, nil
}

func notColorable(clique []int, proof []byte) capabilities.Outcome[ColoringOutput] {
	var b strings.Builder
	b.WriteString("clique")
	for _, v := range clique {
		fmt.Fprintf(&b, " %d", v)
	}
	b.WriteByte('\n')
	b.Write(proof)
	return capabilities.Outcome[ColoringOutput]{
		Output: ColoringOutput{Coloring: []int{}}, Conclusion: events.False,
		Evidence: &capabilities.Evidence{Format: "graph.coloring.lrat", Data: []byte(b.String())},
	}
}

// greedyClique is a clique that cannot be extended, grown from the vertices of highest degree. Fixing
// its colours keeps a solver from trying the same colouring under other names.
func greedyClique(g values.Graph) []int {
	near := g.Neighbours()
	order := make([]int, g.Order)
	for v := range order {
		order[v] = v
	}
	slices.SortStableFunc(order, func(a, b int) int { return len(near[b]) - len(near[a]) })
	var clique []int
	for _, v := range order {
		if !slices.ContainsFunc(clique, func(u int) bool { return !g.Adjacent(u, v) }) {
			clique = append(clique, v)
		}
	}
	return clique
}

// colouringFormula is the direct encoding: variable v·k+c+1 says that vertex v has colour c.
func colouringFormula(g values.Graph, k int, clique []int) values.CNF {
	f := values.CNF{Variables: g.Order * k, Clauses: make([][]int, 0, g.Order+k*len(g.Edges)+len(clique))}
	for v := range g.Order {
		clause := make([]int, 0, k)
		for c := 1; c <= k; c++ {
			clause = append(clause, v*k+c)
		}
		f.Clauses = append(f.Clauses, clause)
	}
	for _, e := range g.Edges {
		for c := 1; c <= k; c++ {
			f.Clauses = append(f.Clauses, []int{-(e[0]*k + c), -(e[1]*k + c)})
		}
	}
	for i, v := range clique {
		f.Clauses = append(f.Clauses, []int{v*k + i + 1})
	}
	return f
}

// EncodingOutput is the colouring formula.
type EncodingOutput struct {
	CNF values.CNF `json:"cnf" doc:"variable v*k+c+1 says that vertex v has colour c"`
}

var _ = capabilities.Define(pack, capabilities.Definition[ColoringInput, EncodingOutput]{
	ID:          "graph.coloring.encode_k_cnf",
	Title:       "encode k-colourability of a graph as a CNF formula",
	Description: "The direct encoding: variable v*k+c+1 says that vertex v has colour c; a clause for each vertex asks for a colour, and for each edge and colour a clause forbids it at both ends. The formula is satisfiable if and only if the graph is k-colourable.",
	Source:      "Prestwich, Local search on SAT-encoded colouring problems, SAT 2003",
	Tags:        []string{"coloring", "encoding", "satisfiability"},
	Needs: []string{
		"encode graph colouring as SAT", "CNF formula for k-colouring", "turn a colouring problem into clauses", "reduce graph colouring to satisfiability",
	},
	Aliases:    []string{"coloring to sat", "colouring encoding"},
	InputKinds: []string{"graph"},
	Limits: []events.Limit{
		{Name: "order", Value: fmt.Sprint(coloringOrder), Note: "vertices"},
		{Name: "variables", Value: fmt.Sprint(coloringVariables), Note: "order times k"},
	},
	Claimed:   capabilities.Computed,
	Preflight: func(in ColoringInput) error { return in.preflight() },
	Examples: []capabilities.Example{
		{Name: "one edge, one colour", Input: `{"graph":{"order":2,"edges":[[0,1]]},"k":1}`, Output: `{"cnf":{"clauses":[[1],[2],[-1,-2]],"variables":2}}`},
	},
	Run: capabilities.Func(func(_ context.Context, in ColoringInput) (EncodingOutput, error) {
		return EncodingOutput{colouringFormula(in.Graph, in.K, nil)}, nil
	}),
})
