package ledgertest

import (
	"bytes"
	"context"
	"errors"
	"iter"
	"testing"

	"github.com/jacobian-ledger/jacobian/events"
	"github.com/jacobian-ledger/jacobian/ledger"
)

// Collect reads all, and fails the test at an error.
func Collect(t testing.TB, read iter.Seq2[events.Stored, error]) []events.Stored {
	t.Helper()
	var out []events.Stored
	for e, err := range read {
		if err != nil {
			t.Fatal(err)
		}
		out = append(out, e)
	}
	return out
}

// Same compares events by sequence and bytes.
func Same(t testing.TB, got, want []events.Stored) {
	t.Helper()
	if len(got) != len(want) {
		t.Fatalf("expected %d events, found %d", len(want), len(got))
	}
	for i := range got {
		if got[i].Seq != want[i].Seq || !bytes.Equal(got[i].Bytes, want[i].Bytes) {
			t.Fatalf("event %d: expected %d %s, found %d %s", i, want[i].Seq, want[i].Bytes, got[i].Seq, got[i].Bytes)
		}
	}
}

func testFilter(t *testing.T, s ledger.Store) {
	l := Log(t, s)
	var all []events.Stored
	for i := range 60 {
		d := Note("x")
		if i%3 == 0 {
			d = Finished(Episode(i))
		}
		d.Investigation = []string{"", "inv_a", "inv_b"}[i%5%3]
		d.Episode = []string{d.Episode, Episode(i)}[i%2]
		if i%4 == 1 {
			d.Subject = []string{"graph.coloring.decide", "graph.coloring-two.decide", "integer_x.y", "not a capability", "-"}[i/4%5]
		}
		stored, err := l.Append(t.Context(), d)
		if err != nil {
			t.Fatal(err)
		}
		all = append(all, stored...)
	}
	for name, f := range map[string]ledger.Filter{
		"all":            {},
		"kind":           {Kinds: []events.Kind{events.KindRunFinished}},
		"kinds":          {Kinds: []events.Kind{events.KindRunFinished, events.KindNoteWritten}},
		"no such kind":   {Kinds: []events.Kind{events.KindTenantCreated}},
		"domain":         {Domain: "graph"},
		"domain of none": {Domain: "-"},
		"capability":     {Capability: "graph.coloring.decide"},
		"investigation":  {Investigation: "inv_a"},
		"episode":        {Episode: Episode(33)},
		"other episode":  {Episode: Episode(99)},
		"together":       {Domain: "graph", Investigation: "inv_b", Kinds: []events.Kind{events.KindNoteWritten}},
		"all of one":     {Episode: Episode(9), Domain: "integer", Kinds: []events.Kind{events.KindRunFinished}},
	} {
		for _, from := range []uint64{1, 30, 61} {
			var want []events.Stored
			for _, e := range all[from-1:] {
				if f.Match(&e.Envelope) {
					want = append(want, e)
				}
			}
			t.Run(name, func(t *testing.T) {
				Same(t, Collect(t, l.ReadMatching(t.Context(), from, f)), want)
				var live []events.Stored
				if len(want) > 0 {
					for e, err := range l.Subscribe(t.Context(), from, f) {
						if err != nil {
							t.Fatal(err)
						}
						if live = append(live, e); len(live) == len(want) {
							break
						}
					}
				}
				Same(t, live, want)
			})
		}
	}
}

// entries are events as a log would hand them to its store.
func entries(t *testing.T, drafts ...ledger.Draft) []ledger.Entry {
	t.Helper()
	c := new(capture)
	for _, d := range drafts { // one by one: a log refuses what a store must refuse too
		l, err := ledger.New(ledger.Config{Store: c, Tenant: Tenant, Source: "ledgertest", Producer: "ledgertest/1", Clock: Fixed})
		if err == nil {
			_, err = l.Append(t.Context(), d)
		}
		if err != nil {
			t.Fatal(err)
		}
		l.Close()
	}
	return c.entries
}

// capture keeps what is appended, and nothing else of a store.
type capture struct {
	ledger.Store
	entries []ledger.Entry
}

func (c *capture) Append(_ context.Context, e []ledger.Entry) (uint64, error) {
	c.entries = append(c.entries, e...)
	return uint64(len(c.entries)), nil
}

func (c *capture) Last(context.Context) (uint64, error) { return uint64(len(c.entries)), nil }

// testStoreRules goes past the log, which would refuse most of this itself.
func testStoreRules(t *testing.T, s ledger.Store) {
	other := Finished(Episode(1))
	other.Investigation = "inv_other" // the same episode under another subject
	all := entries(t, Finished(Episode(1)), other, Note("a"), Finished(Episode(2)), Note("b"))
	first, second, note := all[0], all[1], all[2]
	for name, batch := range map[string][]ledger.Entry{
		"two terminal events of an episode": {first, note, second},
		"adjacent":                          {first, second},
	} {
		if _, err := s.Append(t.Context(), batch); !errors.Is(err, ledger.ErrConflict) {
			t.Errorf("%s: %v", name, err)
		}
	}
	if last, err := s.Append(t.Context(), []ledger.Entry{first, all[3], note, all[4]}); last != 4 || err != nil {
		t.Fatal(last, err)
	}
	if _, err := s.Append(t.Context(), []ledger.Entry{second}); !errors.Is(err, ledger.ErrConflict) {
		t.Errorf("a second terminal event: %v", err)
	}
	// The same id again is not stored again, whatever the answer.
	_, _ = s.Append(t.Context(), []ledger.Entry{note})
	_, _ = s.Append(t.Context(), []ledger.Entry{note, all[4]})
	if last, err := s.Last(t.Context()); last != 4 || err != nil {
		t.Errorf("the newest sequence is %d, %v", last, err)
	}
	for _, f := range []ledger.Filter{{}, {Episode: Episode(1)}, {Domain: "integer"}} {
		for raw, err := range s.Read(t.Context(), 1, 1, f) {
			if err != nil || raw.Seq != 1 {
				t.Errorf("read of 1 with %+v: found %d, %v", f, raw.Seq, err)
			}
		}
		for raw, err := range s.Read(t.Context(), 2, 3, f) {
			if err != nil || raw.Seq < 2 || raw.Seq > 3 {
				t.Errorf("read of 2 and 3 with %+v: found %d, %v", f, raw.Seq, err)
			}
		}
	}
	if _, err := s.Wait(t.Context(), 4); err != nil {
		t.Error(err)
	}
}
