package solve

import (
	"context"
	"errors"
	"fmt"

	"github.com/jacobian-ledger/jacobian/capabilities/packs/sat/internal/cdcl"
	"github.com/jacobian-ledger/jacobian/capabilities/packs/sat/internal/lratlog"
	"github.com/jacobian-ledger/jacobian/capabilities/values"
)

// NotImpliedError says which clause, from 0, does not follow by unit propagation.
type NotImpliedError struct{ Clause int }

func (e *NotImpliedError) Error() string {
	return fmt.Sprintf("sat: clause %d of the proof does not follow by unit propagation", e.Clause)
}

// ErrNotRefuted says that the clauses of a proof follow, but do not refute the formula.
var ErrNotRefuted = errors.New("sat: the proof does not reach the empty clause")

// Elaborate turns the clauses that another solver learnt, in their order, into an LRAT refutation of f.
// It finds the hints by unit propagation and drops what the empty clause does not rest on; it stops as
// soon as propagation refutes the formula. Clauses must be RUP: one that is not (also a RAT clause) is a
// [*NotImpliedError]. Deletions are to be left out, as a clause that is kept never harms RUP.
func Elaborate(ctx context.Context, f values.CNF, clauses [][]int) ([]byte, error) {
	if err := f.Validate(); err != nil {
		return nil, err
	}
	log := lratlog.New(len(f.Clauses), MaxProofNumbers)
	n := f.MaxVariable()
	s := cdcl.New(n, f.Clauses, log)
	for i, c := range clauses {
		if i&63 == 0 && ctx.Err() != nil {
			return nil, ctx.Err()
		}
		if s.Refuted() {
			break
		}
		for _, l := range c {
			if v := max(l, -l); v < 1 || v > n {
				return nil, &NotImpliedError{i}
			}
		}
		ok, err := s.Learn(c)
		switch {
		case errors.Is(err, lratlog.ErrTooLarge):
			return nil, ErrProofTooLarge
		case err != nil:
			return nil, err
		case !ok:
			return nil, &NotImpliedError{i}
		}
	}
	if !s.Refuted() {
		return nil, ErrNotRefuted
	}
	return log.Text(), nil
}
