package sat

import (
	"context"
	"errors"
	"fmt"
	"slices"

	"github.com/jacobian-ledger/jacobian/capabilities"
	"github.com/jacobian-ledger/jacobian/capabilities/values"
	"github.com/jacobian-ledger/jacobian/events"
	"github.com/jacobian-ledger/jacobian/events/jcs"
)

// FormulaInput is a formula in one of two spellings.
type FormulaInput struct {
	DIMACS string     `json:"dimacs,omitempty" doc:"text in the DIMACS CNF format; exactly one of dimacs and cnf is given"`
	CNF    values.CNF `json:"cnf,omitzero" doc:"formula as {variables, clauses}"`
}

// Validate refuses none and both.
func (in *FormulaInput) Validate() error {
	hasCNF := in.CNF.Clauses != nil
	if (in.DIMACS != "") == hasCNF {
		found := "both"
		if !hasCNF {
			found = "neither"
		}
		return jcs.In("dimacs", jcs.Fail("exactly one of dimacs and cnf", found, `a formula without clauses is {"variables":0,"clauses":[]}`))
	}
	return nil
}

func (in *FormulaInput) formula() (values.CNF, []string, error) {
	if in.DIMACS == "" {
		return in.CNF, nil, nil
	}
	f, notes, err := values.ParseDIMACS([]byte(in.DIMACS))
	var d *values.DIMACSError
	if errors.As(err, &d) {
		err = capabilities.Invalid("/dimacs", d.Expected, fmt.Sprintf("%s in line %d", d.Found, d.Line), "docs/formats/dimacs.md says what is read")
	}
	return f, notes, err
}

// Materialized says where the formula is.
type Materialized struct {
	URI       string   `json:"uri" doc:"artifact with the formula as {variables, clauses}; pass it as {\"$ref\": uri} where a cnf is asked for"`
	DIMACSURI string   `json:"dimacs_uri" doc:"artifact with the same formula as DIMACS text"`
	Variables int      `json:"variables" doc:"number of variables"`
	Clauses   int      `json:"clauses" doc:"number of clauses"`
	Remarks   []string `json:"remarks" doc:"what the reader of the text noticed, such as repeated literals"`
}

var _ = capabilities.Define(pack, capabilities.Definition[FormulaInput, Materialized]{
	ID:          "sat.cnf.materialize",
	Title:       "store a propositional formula, read from DIMACS",
	Description: "Reads a formula in conjunctive normal form from DIMACS text, strictly, or from its JSON form, and stores it in both, clauses in the order given. Comments are never read, repeated literals are remarked, counts in the header bind.",
	Source:      "Satisfiability: Suggested Format, DIMACS 1993",
	Kind:        capabilities.KindMaterialize,
	Tags:        []string{"satisfiability", "boolean", "format"},
	Needs: []string{
		"read a DIMACS CNF file", "store a CNF formula", "convert DIMACS to JSON clauses", "write a formula as DIMACS for a SAT solver",
	},
	Aliases:    []string{"DIMACS", "CNF file"},
	InputKinds: []string{"cnf", "text"},
	Produces:   []string{"sat.cnf/1", "sat.dimacs/1"},
	Claimed:    capabilities.Computed,
	Examples: []capabilities.Example{
		{Name: "text", Input: `{"dimacs":"c p cnf 1 1\np cnf 2 2\n1 -2 0\n2 2 0\n"}`},
		{Name: "clauses", Input: `{"cnf":{"variables":2,"clauses":[[1,-2],[2]]}}`},
	},
	Run: func(_ context.Context, env *capabilities.Env, in FormulaInput) (capabilities.Outcome[Materialized], error) {
		f, remarks, err := in.formula()
		if err != nil {
			return capabilities.Outcome[Materialized]{}, err
		}
		data, err := jcs.Marshal(f)
		if err != nil {
			return capabilities.Outcome[Materialized]{}, capabilities.Exceeds("/dimacs", "size of the JSON form", fmt.Sprintf("%d bytes", jcs.MaxBytes), "more", "use a smaller formula")
		}
		summary := fmt.Sprintf("propositional formula, %d clauses over %d variables", len(f.Clauses), f.Variables)
		value := env.Stage(data, events.ArtifactRef{MediaType: "application/json", Schema: "sat.cnf/1", Semantics: semantics, Summary: summary})
		text := env.Stage(f.DIMACS(), events.ArtifactRef{MediaType: "text/plain", Schema: "sat.dimacs/1", Semantics: semantics, Parents: []string{value.URI()}, Summary: summary})
		if remarks == nil {
			remarks = []string{}
		}
		return capabilities.Outcome[Materialized]{
			Output: Materialized{value.URI(), text.URI(), f.Variables, len(f.Clauses), remarks},
		}, nil
	},
})

// Length counts the clauses of one length.
type Length struct {
	Length  int `json:"length" doc:"number of different literals"`
	Clauses int `json:"clauses" doc:"how many clauses have it"`
}

// Statistics describes a formula. Literals and clauses count as sets: a repeated literal counts once.
type Statistics struct {
	Variables    int      `json:"variables" doc:"declared variables"`
	Used         int      `json:"used_variables" doc:"variables that occur"`
	Clauses      int      `json:"clauses" doc:"clauses, repeated ones included"`
	Literals     int      `json:"literals" doc:"literals of all clauses, a repeated one in a clause counted once"`
	Lengths      []Length `json:"lengths" doc:"clauses by length, shortest first"`
	Horn         int      `json:"horn_clauses" doc:"clauses with at most one positive literal"`
	Tautologies  int      `json:"tautologies" doc:"clauses with a variable and its negation"`
	Repeated     int      `json:"repeated_literals" doc:"clauses that repeat a literal"`
	Duplicates   int      `json:"duplicate_clauses" doc:"clauses that are equal, as sets, to an earlier one"`
	PureLiterals int      `json:"pure_literals" doc:"variables that occur with one sign only"`
}

var _ = capabilities.Define(pack, capabilities.Definition[CNFInput, Statistics]{
	ID:          "sat.cnf.statistics",
	Title:       "counts of variables, clauses and lengths of a formula",
	Description: "Counts variables, used variables, clauses, literals, clause lengths, Horn clauses, tautologies, repeated literals, repeated clauses and pure literals of a formula in conjunctive normal form. Nothing is decided. Linear but for sorting.",
	Source:      "Biere, Heule, van Maaren and Walsh, Handbook of Satisfiability, 2021",
	Tags:        []string{"satisfiability", "boolean", "statistics"},
	Needs:       []string{"how large is this CNF formula", "count clauses and variables", "clause length histogram", "does a formula have duplicate clauses or pure literals"},
	Aliases:     []string{"CNF statistics"},
	InputKinds:  []string{"cnf"},
	Claimed:     capabilities.Computed,
	Examples: []capabilities.Example{{
		Name:   "all counts",
		Input:  `{"cnf":{"variables":5,"clauses":[[1,2,2],[-1],[2,1],[3,-3],[]]}}`,
		Output: `{"variables":5,"used_variables":3,"clauses":5,"literals":7,"lengths":[{"length":0,"clauses":1},{"length":1,"clauses":1},{"length":2,"clauses":3}],"horn_clauses":3,"tautologies":1,"repeated_literals":1,"duplicate_clauses":1,"pure_literals":1}`,
	}},
	Run: capabilities.Func(func(_ context.Context, in CNFInput) (Statistics, error) { return statistics(in.CNF), nil }),
})

func statistics(f values.CNF) Statistics {
	s := Statistics{Variables: f.Variables, Clauses: len(f.Clauses), Lengths: []Length{}}
	signs := make([]uint8, f.MaxVariable()+1)
	lengths := map[int]int{}
	sets := make([][]int, 0, len(f.Clauses))
	for _, c := range f.Clauses {
		set, tautology := normal(c)
		if len(set) < len(c) {
			s.Repeated++
		}
		if tautology {
			s.Tautologies++
		}
		positive := 0
		for _, l := range set {
			if l > 0 {
				positive++
				signs[l] |= 1
			} else {
				signs[-l] |= 2
			}
		}
		if positive <= 1 {
			s.Horn++
		}
		lengths[len(set)]++
		s.Literals += len(set)
		sets = append(sets, set)
	}
	for _, b := range signs {
		if b != 0 {
			s.Used++
		}
		if b == 1 || b == 2 {
			s.PureLiterals++
		}
	}
	for n, k := range lengths {
		s.Lengths = append(s.Lengths, Length{n, k})
	}
	slices.SortFunc(s.Lengths, func(a, b Length) int { return a.Length - b.Length })
	slices.SortFunc(sets, slices.Compare[[]int])
	for i := 1; i < len(sets); i++ {
		if slices.Equal(sets[i-1], sets[i]) {
			s.Duplicates++
		}
	}
	return s
}

// normal is the sorted set of the literals of a clause; tautology says that it has v and -v.
func normal(c []int) (set []int, tautology bool) {
	set = slices.Compact(slices.Sorted(slices.Values(c)))
	if set == nil {
		return []int{}, false
	}
	for _, l := range set {
		if l > 0 {
			break
		}
		if _, found := slices.BinarySearch(set, -l); found {
			return set, true
		}
	}
	return set, false
}
