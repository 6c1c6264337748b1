package ledgertest

import (
	"bytes"
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
