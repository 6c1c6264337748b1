package sat_test

import (
	"errors"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"testing"

	"github.com/jacobian-ledger/jacobian/capabilities/checkers/drat"
	"github.com/jacobian-ledger/jacobian/capabilities/packs/sat/solve"
	"github.com/jacobian-ledger/jacobian/capabilities/values"
)

// TestAgainstCadical: another solver agrees on every formula, and our DRAT checker accepts its proofs.
func TestAgainstCadical(t *testing.T) {
	cadical, err := exec.LookPath("cadical")
	if err != nil {
		t.Skip("SKIP: cadical is not installed (scripts/setup installs it): no second opinion on satisfiability")
	}
	r := rand.New(rand.NewPCG(31, 32))
	refuted := 0
	for range 40 {
		f := values.CNF{Variables: 40}
		for range 170 + r.IntN(30) { // about the threshold
			var clause []int
			for _, v := range r.Perm(40)[:3] {
				clause = append(clause, (v+1)*(1-2*r.IntN(2)))
			}
			f.Clauses = append(f.Clauses, clause)
		}
		ours, err := solve.Solve(t.Context(), f)
		if err != nil {
			t.Fatal(err)
		}
		dir := t.TempDir()
		cnf, proof := filepath.Join(dir, "f.cnf"), filepath.Join(dir, "f.drat")
		if err := os.WriteFile(cnf, []byte(f.DIMACS()), 0o600); err != nil {
			t.Fatal(err)
		}
		err = exec.Command(cadical, "-q", "--no-binary", cnf, proof).Run()
		var exit *exec.ExitError
		if !errors.As(err, &exit) || exit.ExitCode() != 10 && exit.ExitCode() != 20 {
			t.Fatalf("cadical: %v", err)
		}
		if theirs := exit.ExitCode() == 10; theirs != ours.Satisfiable {
			t.Fatalf("satisfiable %v, cadical says %v: %s", ours.Satisfiable, theirs, f.DIMACS())
		}
		if ours.Satisfiable {
			continue
		}
		refuted++
		b, err := os.ReadFile(proof)
		if err != nil {
			t.Fatal(err)
		}
		if _, err := drat.Check(t.Context(), f, b, drat.Options{Deletion: drat.UnitDeletionsIgnored}); err != nil {
			t.Errorf("a proof of cadical is rejected: %v", err)
		}
	}
	if refuted == 0 {
		t.Error("no formula was unsatisfiable")
	}
}
