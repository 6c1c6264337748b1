package core

import (
	"context"
	"fmt"
	"slices"

	"github.com/jacobian-ledger/jacobian/capabilities"
	"github.com/jacobian-ledger/jacobian/events"
)

// PartitionInput is a finite universe and classes of its elements, which are words: write numbers as
// decimal strings.
type PartitionInput struct {
	Universe []string   `json:"universe" doc:"every element once"`
	Classes  [][]string `json:"classes" doc:"the cases; none empty"`
}

const maxElements = 20_000

// Validate refuses repeated elements of the universe and empty classes.
func (in *PartitionInput) Validate() error {
	seen := map[string]bool{}
	for i, x := range in.Universe {
		if seen[x] {
			return capabilities.Invalid(fmt.Sprintf("/universe/%d", i), "each element once", fmt.Sprintf("%.60q twice", x), "remove one")
		}
		seen[x] = true
	}
	for i, c := range in.Classes {
		if len(c) == 0 {
			return capabilities.Invalid(fmt.Sprintf("/classes/%d", i), "a class with elements", "an empty one", "remove it")
		}
	}
	return nil
}

// PartitionOutput says whether the classes cover the universe exactly, and if not, where they fail.
type PartitionOutput struct {
	Partition   bool     `json:"partition"`
	Missing     []string `json:"missing" doc:"elements in no class, sorted by bytes"`
	Overlapping []string `json:"overlapping" doc:"elements in more than one place"`
	Foreign     []string `json:"foreign" doc:"what the universe does not have"`
}

var _ = capabilities.Define(pack, capabilities.Definition[PartitionInput, PartitionOutput]{
	ID:          "case.partition.finite",
	Title:       "do the cases cover a finite universe exactly, without overlap",
	Description: "Whether every element of a finite universe is in exactly one class, and nothing else is in any. FALSE names what is missing, what is in two places and what does not belong. The checker counts anew.",
	Source:      "definition of a partition; Halmos, Naive Set Theory, section 7",
	Tags:        []string{"cases", "coverage", "sets"},
	Needs:       []string{"is this case distinction complete", "do the cases cover everything without overlap", "check a partition of a finite set", "residue classes as an exact cover", "is any case missing"},
	Aliases:     []string{"partition", "exact cover", "case split", "exhaustive cases"},
	InputKinds:  []string{"sets"},
	Limits:      []events.Limit{{Name: "elements", Value: fmt.Sprint(maxElements), Note: "in the universe and in all classes together"}},
	Claimed:     capabilities.Computed,
	Preflight: func(in PartitionInput) error {
		n := len(in.Universe)
		for _, c := range in.Classes {
			n += len(c)
		}
		if n > maxElements {
			return capabilities.Exceeds("/universe", "elements", fmt.Sprint(maxElements), fmt.Sprint(n), "split the universe")
		}
		return nil
	},
	Claim: func(in PartitionInput) events.Claim {
		return capabilities.NewClaim("sets.partition/1", "sets.partition", in)
	},
	Emits:     []string{"sets.partition.replay"},
	CheckedBy: []string{"sets.partition"},
	Examples: []capabilities.Example{
		{Name: "residues mod 3", Input: `{"universe":["0","1","2","3","4","5","6","7","8","9","10","11"],"classes":[["0","3","6","9"],["1","4","7","10"],["2","5","8","11"]]}`, Output: `{"partition":true,"missing":[],"overlapping":[],"foreign":[]}`},
		{Name: "one missing", Input: `{"universe":["0","1","2","3","4","5","6","7","8","9","10","11"],"classes":[["0","3","6","9"],["1","4","7","10"],["2","5","8"]]}`, Output: `{"partition":false,"missing":["11"],"overlapping":[],"foreign":[]}`},
		{Name: "one twice", Input: `{"universe":["0","1","4"],"classes":[["0","4"],["1","4"]]}`, Output: `{"partition":false,"missing":[],"overlapping":["4"],"foreign":[]}`},
	},
	Run: func(_ context.Context, _ *capabilities.Env, in PartitionInput) (capabilities.Outcome[PartitionOutput], error) {
		out := partition(in)
		return capabilities.Outcome[PartitionOutput]{Output: out, Conclusion: capabilities.Truth(out.Partition), Evidence: &capabilities.Evidence{Format: "sets.partition.replay"}}, nil
	},
})

func partition(in PartitionInput) PartitionOutput {
	out := PartitionOutput{Missing: []string{}, Overlapping: []string{}, Foreign: []string{}}
	count := map[string]int{}
	for _, x := range in.Universe {
		count[x] = 0
	}
	foreign := map[string]int{}
	for _, class := range in.Classes {
		for _, x := range class {
			if _, ok := count[x]; ok {
				count[x]++
			} else {
				foreign[x]++
			}
		}
	}
	for x, n := range count {
		switch {
		case n == 0:
			out.Missing = append(out.Missing, x)
		case n > 1:
			out.Overlapping = append(out.Overlapping, x)
		}
	}
	for x, n := range foreign {
		out.Foreign = append(out.Foreign, x)
		if n > 1 {
			out.Overlapping = append(out.Overlapping, x)
		}
	}
	for _, list := range [][]string{out.Missing, out.Overlapping, out.Foreign} {
		slices.Sort(list)
	}
	out.Partition = len(out.Missing)+len(out.Overlapping)+len(out.Foreign) == 0
	return out
}
