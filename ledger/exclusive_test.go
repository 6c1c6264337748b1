package ledger_test

import (
	"context"
	"errors"
	"strings"
	"testing"

	"github.com/jacobian-ledger/jacobian/ledger"
	"github.com/jacobian-ledger/jacobian/ledger/ledgertest"
	"github.com/jacobian-ledger/jacobian/ledger/memory"
)

func exclusive(t *testing.T, s ledger.Store) *ledger.Exclusive {
	t.Helper()
	x, err := ledger.NewExclusive(t.Context(), s)
	if err != nil {
		t.Fatal(err)
	}
	return x
}

func TestExclusive_Conforms(t *testing.T) {
	ledgertest.TestStore(t, func(t *testing.T) ledger.Store { return exclusive(t, memory.New()) })
}

// lossy stores and then says that it cannot tell.
type lossy struct{ ledger.Store }

func (l lossy) Append(ctx context.Context, entries []ledger.Entry) (uint64, error) {
	if _, err := l.Store.Append(ctx, entries); err != nil {
		return 0, err
	}
	return 0, ledger.ErrOutcomeUnknown
}

// TestExclusive_UnknownOutcome asks the store again after an append of which nobody knows.
func TestExclusive_UnknownOutcome(t *testing.T) {
	x := exclusive(t, lossy{memory.New()})
	l := ledgertest.Log(t, x)
	stored, err := l.Append(t.Context(), ledgertest.Note("one")) // found by reading the tail, or unknown
	if err != nil && !errors.Is(err, ledger.ErrOutcomeUnknown) {
		t.Fatal(err)
	}
	last, err := l.Last(t.Context())
	if err != nil || last != 1 {
		t.Fatalf("last %d, %v; appended %v", last, err, stored)
	}
	if e, err := l.Get(t.Context(), 1); err != nil || !strings.Contains(string(e.Bytes), "one") {
		t.Fatalf("event 1: %s, %v", e.Bytes, err)
	}
}

// TestExclusive_ReadsAcrossTheWindow reads from before, across and within what memory holds.
func TestExclusive_ReadsAcrossTheWindow(t *testing.T) {
	const total = 1200
	l := ledgertest.Log(t, exclusive(t, memory.New()))
	for i := range total {
		text := "note"
		if i%100 == 7 {
			text = strings.Repeat("x", 8000) // the longest note
		}
		if _, err := l.Append(t.Context(), ledgertest.Note(text)); err != nil {
			t.Fatal(err)
		}
	}
	for _, from := range []uint64{1, 600, 689, 690, 1199, 1200} {
		next := from
		for e, err := range l.Read(t.Context(), from) {
			if err != nil {
				t.Fatal(err)
			}
			if e.Seq != next {
				t.Fatalf("from %d: found %d, want %d", from, e.Seq, next)
			}
			next++
		}
		if next != total+1 {
			t.Errorf("from %d: ended before %d", from, next)
		}
	}
}
