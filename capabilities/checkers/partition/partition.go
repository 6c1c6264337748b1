// Package partition decides whether classes are an exact disjoint cover of a finite universe.
//
// The claim has semantics sets.partition/1 and predicate sets.partition, with arguments {"universe": [words],
// "classes": [[words], …]}. The format sets.partition.replay has an empty certificate: the candidate
// {"partition": bool, "missing": [], "overlapping": [], "foreign": []} names, each once and sorted by
// bytes, what no class has, what more than one place has, and what the universe has not; all three are
// empty if and only if it is a partition. The checker counts anew. Linear up to sorting.
package partition

import (
	"context"
	"fmt"
	"slices"

	"github.com/jacobian-ledger/jacobian/capabilities/checkers"
	"github.com/jacobian-ledger/jacobian/events"
)

// What the checker decides.
const (
	Semantics = "sets.partition/1"
	Predicate = "sets.partition"
	Format    = "sets.partition.replay"
)

type args struct {
	Universe []string   `json:"universe"`
	Classes  [][]string `json:"classes"`
}

type candidate struct {
	Partition   bool     `json:"partition"`
	Missing     []string `json:"missing"`
	Overlapping []string `json:"overlapping"`
	Foreign     []string `json:"foreign"`
}

// Checker returns the checker sets.partition.
func Checker() checkers.Checker {
	return checkers.Checker{
		ID: "sets.partition", Version: 1, Class: "go-sets",
		Semantics: []string{Semantics}, Predicates: []string{Predicate}, Formats: []string{Format}, Check: check,
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
	var all []string
	for i, class := range a.Classes {
		if len(class) == 0 {
			return checkers.Reject("claim: class %d is empty", i), nil
		}
		all = append(all, class...)
	}
	slices.Sort(all)
	universe := slices.Sorted(slices.Values(a.Universe))
	if len(slices.Compact(slices.Clone(universe))) != len(universe) {
		return checkers.Reject("claim: the universe names an element twice"), nil
	}
	var want candidate
	for _, x := range universe {
		if _, ok := slices.BinarySearch(all, x); !ok {
			want.Missing = append(want.Missing, x)
		}
	}
	for i, x := range all {
		if i > 0 && all[i-1] == x && !slices.Contains(want.Overlapping, x) {
			want.Overlapping = append(want.Overlapping, x)
		}
		if _, ok := slices.BinarySearch(universe, x); !ok && !slices.Contains(want.Foreign, x) {
			want.Foreign = append(want.Foreign, x)
		}
	}
	for _, cmp := range []struct {
		name        string
		found, want []string
	}{{"missing", c.Missing, want.Missing}, {"overlapping", c.Overlapping, want.Overlapping}, {"foreign", c.Foreign, want.Foreign}} {
		if !slices.Equal(cmp.found, cmp.want) {
			return checkers.Reject("%s is %v, counted %v", cmp.name, cmp.found, cmp.want), nil
		}
	}
	exact := len(want.Missing)+len(want.Overlapping)+len(want.Foreign) == 0
	if c.Partition != exact {
		return checkers.Reject("partition is %v, counted %v", c.Partition, exact), nil
	}
	conclusion := events.False
	if exact {
		conclusion = events.True
	}
	return checkers.Accept(conclusion, "counted every element anew", fmt.Sprintf("%d elements, %d classes", len(universe), len(a.Classes))), nil
}
