// Package refdomains decides that a witness exists for a claim of one of the reference domains, by looking
// at the witness that is offered.
//
// The claims have semantics reference/1; the arguments are the instance and the candidate is {"witness": w}.
// The format reference.witness has an empty certificate.
//
//   - propositional.satisfied {"variables","clauses"}: w is a list of truth values, one for each variable,
//     that makes a literal of every clause true.
//   - integer_matrices.determinant {"order","entries","determinant"}: w is a square matrix of that order with
//     entries from the list whose determinant has the given absolute value; expanded by minors.
//   - erdos_straus.decomposition {"n"}: w is {"x","y","z"}, positive, with 4/n = 1/x + 1/y + 1/z.
//   - graph_paths.path {"graph","from","to","length"}: w lists the vertices of a simple path from one to the
//     other with that many edges.
package refdomains

import (
	"context"
	"errors"
	"fmt"
	"math/big"

	"github.com/jacobian-ledger/jacobian/capabilities/checkers"
	"github.com/jacobian-ledger/jacobian/capabilities/values"
	"github.com/jacobian-ledger/jacobian/events"
)

// What the checker decides.
const (
	Semantics     = "reference/1"
	Propositional = "propositional.satisfied"
	Matrices      = "integer_matrices.determinant"
	ErdosStraus   = "erdos_straus.decomposition"
	Paths         = "graph_paths.path"
	Format        = "reference.witness"
)

// maxMinors bounds the order of a determinant that is expanded by minors.
const maxMinors = 8

// Checker returns the checker reference.witness.
func Checker() checkers.Checker {
	return checkers.Checker{
		ID: "reference.witness", Version: 1, Class: "go-reference-domains",
		Semantics: []string{Semantics}, Predicates: []string{Propositional, Matrices, ErdosStraus, Paths}, Formats: []string{Format}, Check: check,
	}
}

func check(_ context.Context, ev checkers.Evidence) (checkers.Verdict, error) {
	if ev.Claim.Semantics != Semantics || ev.Format != Format {
		return checkers.Reject("expected semantics %s with format %s", Semantics, Format), nil
	}
	if len(ev.Certificate) != 0 {
		return checkers.Reject("expected an empty certificate, found %d bytes", len(ev.Certificate)), nil
	}
	look, ok := map[string]func(checkers.Evidence) error{Propositional: propositional, Matrices: matrices, ErdosStraus: erdosStraus, Paths: paths}[ev.Claim.Predicate]
	if !ok {
		return checkers.Reject("unknown predicate %.60q", ev.Claim.Predicate), nil
	}
	if err := look(ev); err != nil {
		return checkers.Reject("%v", err), nil
	}
	return checkers.Accept(events.True, "evaluated the witness", "the witness shows that one exists"), nil
}

// read decodes the instance and the witness.
func read(ev checkers.Evidence, instance, candidate any) error {
	if err := checkers.DecodeArgs(ev.Claim, instance); err != nil {
		return fmt.Errorf("claim: %w", err)
	}
	if err := ev.DecodeCandidate(candidate); err != nil {
		return fmt.Errorf("candidate: %w", err)
	}
	return nil
}

func propositional(ev checkers.Evidence) error {
	var f values.CNF
	var c struct {
		Witness []bool `json:"witness"`
	}
	if err := read(ev, &f, &c); err != nil {
		return err
	}
	if len(c.Witness) != f.Variables {
		return fmt.Errorf("expected %d truth values, found %d", f.Variables, len(c.Witness))
	}
	for i, clause := range f.Clauses {
		holds := false
		for _, l := range clause {
			v := max(l, -l)
			holds = holds || v <= len(c.Witness) && v > 0 && c.Witness[v-1] == (l > 0)
		}
		if !holds {
			return fmt.Errorf("clause %d is not satisfied", i+1)
		}
	}
	return nil
}

func matrices(ev checkers.Evidence) error {
	var in struct {
		Order       int          `json:"order"`
		Entries     []values.Int `json:"entries"`
		Determinant values.Int   `json:"determinant"`
	}
	var c struct {
		Witness [][]values.Int `json:"witness"`
	}
	if err := read(ev, &in, &c); err != nil {
		return err
	}
	if in.Order < 0 || in.Order > maxMinors || len(c.Witness) != in.Order {
		return fmt.Errorf("expected a square matrix of order %d, at most %d", in.Order, maxMinors)
	}
	rows := make([][]*big.Int, in.Order)
	for i, row := range c.Witness {
		if len(row) != in.Order {
			return fmt.Errorf("row %d has %d entries", i, len(row))
		}
		for _, x := range row {
			allowed := false
			for _, e := range in.Entries {
				allowed = allowed || e.Cmp(x) == 0
			}
			if !allowed {
				return fmt.Errorf("entry %s of row %d is not allowed", x, i)
			}
			rows[i] = append(rows[i], x.Big())
		}
	}
	want := in.Determinant.Big()
	if det := minors(rows); det.CmpAbs(want) != 0 {
		return fmt.Errorf("the determinant is %s, not ±%s", det, want.Abs(want))
	}
	return nil
}

// minors expands a determinant by its first row.
func minors(m [][]*big.Int) *big.Int {
	if len(m) == 0 {
		return big.NewInt(1)
	}
	sum := new(big.Int)
	for j, x := range m[0] {
		var rest [][]*big.Int
		for _, row := range m[1:] {
			rest = append(rest, append(append([]*big.Int(nil), row[:j]...), row[j+1:]...))
		}
		term := new(big.Int).Mul(x, minors(rest))
		if j%2 == 1 {
			term.Neg(term)
		}
		sum.Add(sum, term)
	}
	return sum
}

func erdosStraus(ev checkers.Evidence) error {
	var in struct {
		N values.Int `json:"n"`
	}
	var c struct {
		Witness struct {
			X values.Int `json:"x"`
			Y values.Int `json:"y"`
			Z values.Int `json:"z"`
		} `json:"witness"`
	}
	if err := read(ev, &in, &c); err != nil {
		return err
	}
	n, x, y, z := in.N.Big(), c.Witness.X.Big(), c.Witness.Y.Big(), c.Witness.Z.Big()
	if n.Sign() <= 0 || x.Sign() <= 0 || y.Sign() <= 0 || z.Sign() <= 0 {
		return errors.New("n, x, y and z must be positive")
	}
	// 4xyz = n(xy + yz + zx), cross-multiplied so that nothing is divided.
	mul := func(f ...*big.Int) *big.Int {
		p := big.NewInt(1)
		for _, x := range f {
			p.Mul(p, x)
		}
		return p
	}
	right := new(big.Int).Add(mul(x, y), mul(y, z))
	right.Add(right, mul(z, x))
	if mul(big.NewInt(4), x, y, z).Cmp(mul(n, right)) != 0 {
		return errors.New("1/x + 1/y + 1/z is not 4/n")
	}
	return nil
}

func paths(ev checkers.Evidence) error {
	var in struct {
		Graph  values.Graph `json:"graph"`
		From   int          `json:"from"`
		To     int          `json:"to"`
		Length int          `json:"length"`
	}
	var c struct {
		Witness []int `json:"witness"`
	}
	if err := read(ev, &in, &c); err != nil {
		return err
	}
	w := c.Witness
	if in.Length < 0 || len(w) != in.Length+1 || w[0] != in.From || w[len(w)-1] != in.To {
		return fmt.Errorf("expected a path of %d edges from %d to %d", in.Length, in.From, in.To)
	}
	seen := map[int]bool{}
	for i, v := range w {
		if v < 0 || v >= in.Graph.Order || seen[v] {
			return fmt.Errorf("vertex %d is out of range or comes twice", v)
		}
		seen[v] = true
		if i > 0 && !in.Graph.Adjacent(w[i-1], v) {
			return fmt.Errorf("vertices %d and %d are not joined", w[i-1], v)
		}
	}
	return nil
}
