package ledgertest

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"strings"
	"sync"
	"testing"

	"github.com/jacobian-ledger/jacobian/events"
	"github.com/jacobian-ledger/jacobian/ledger"
)

// TestStore runs the conformance suite. open returns an empty store for [Tenant] and sees to its end.
func TestStore(t *testing.T, open func(t *testing.T) ledger.Store) {
	for _, c := range []struct {
		name string
		test func(*testing.T, ledger.Store)
	}{
		{"empty log", testEmpty},
		{"what was appended is read back byte for byte", testRoundTrip},
		{"a batch is adjacent and all or nothing", testAtomic},
		{"a terminal event is stored once under racing writers", testTerminalOnce},
		{"a refused append does not harm those batched with it", testSharedBatch},
		{"concurrent appends are gap-free and whole", testConcurrent},
		{"a subscriber from the middle sees each event once", testSubscribe},
		{"filters select the same live, stored and by the model", testFilter},
		{"bounds and closed logs are refused", testRefusals},
		{"the store itself keeps the rules of a batch", testStoreRules},
		{"waiting and subscribing end with the context", testCancel},
	} {
		t.Run(c.name, func(t *testing.T) { c.test(t, open(t)) })
	}
}

func testEmpty(t *testing.T, s ledger.Store) {
	l := Log(t, s)
	if last, err := l.Last(t.Context()); last != 0 || err != nil {
		t.Errorf("Last = %d, %v", last, err)
	}
	for e, err := range l.Read(t.Context(), 1) {
		t.Errorf("read %v, %v", e, err)
	}
	for _, seq := range []uint64{0, 1, 1 << 40} {
		if _, err := l.Get(t.Context(), seq); !errors.Is(err, ledger.ErrNotFound) {
			t.Errorf("Get(%d): %v", seq, err)
		}
	}
}

func testRoundTrip(t *testing.T, s ledger.Store) {
	l := Log(t, s)
	cause := events.Cause{ID: events.NewID(Fixed())}
	var want []events.Stored
	for _, d := range []ledger.Draft{
		Note("first"),
		{Event: &events.InvestigationOpened{Title: "π ≠ 22/7 \u2028 \"quoted\""}, Investigation: "inv_A-b_9", Actor: "a", Causes: []events.Cause{cause}},
		Finished(Episode(1)),
		{Event: &events.NoteWritten{Stage: "FINAL", Text: strings.Repeat("x", 8192)}, Subject: "anything at all > *.", Actor: ""},
	} {
		stored, err := l.Append(t.Context(), d)
		if err != nil {
			t.Fatal(err)
		}
		want = append(want, stored...)
	}
	for i, e := range want {
		if e.Seq != uint64(i+1) || e.Envelope.Tenant != Tenant || e.Envelope.Source != "ledgertest" || e.Envelope.Producer != "ledgertest/1" {
			t.Errorf("event %d: %+v", i, e.Envelope)
		}
		got, err := l.Get(t.Context(), e.Seq)
		if err != nil || !bytes.Equal(got.Bytes, e.Bytes) || got.Envelope.ID != e.Envelope.ID {
			t.Errorf("Get(%d) = %s, %v; appended %s", e.Seq, got.Bytes, err, e.Bytes)
		}
	}
	for from := range uint64(6) {
		Same(t, Collect(t, l.Read(t.Context(), from)), want[min(max(from, 1)-1, 4):])
	}
}

func testAtomic(t *testing.T, s ledger.Store) {
	l := Log(t, s)
	batch, err := l.Append(t.Context(), Note("a"), Finished(Episode(1)), Note("b"))
	if err != nil {
		t.Fatal(err)
	}
	for _, refused := range [][]ledger.Draft{
		{Note("c"), Finished(Episode(1)), Note("d")},
		{Note("c"), Finished(Episode(2)), Finished(Episode(1))},
		{Finished(Episode(1))},
		{Finished(Episode(3)), Note("c"), Finished(Episode(3))},
	} {
		if _, err := l.Append(t.Context(), refused...); !errors.Is(err, ledger.ErrConflict) {
			t.Errorf("expected a conflict, found %v", err)
		}
	}
	Same(t, Collect(t, l.Read(t.Context(), 1)), batch)
	big := make([]ledger.Draft, ledger.MaxBatch)
	for i := range big {
		big[i] = Note(fmt.Sprint(i))
	}
	more, err := l.Append(t.Context(), big...)
	if err != nil {
		t.Fatal(err)
	}
	Same(t, Collect(t, l.Read(t.Context(), 1)), append(batch, more...))
}

func testTerminalOnce(t *testing.T, s ledger.Store) {
	const writers, episodes = 16, 4
	logs := []*ledger.Log{Log(t, s), Log(t, s)} // two commit buffers, as two processes have
	var wins [episodes]int
	var mu sync.Mutex
	var wg sync.WaitGroup
	for w := range writers {
		wg.Go(func() {
			for n := range episodes {
				drafts := []ledger.Draft{Finished(Episode(n))}
				if w%4 == 0 {
					drafts = append(drafts, Note("with it"))
				}
				if w%8 == 3 {
					drafts[0].Investigation = "inv_other" // another NATS subject, the same episode
				}
				_, err := logs[w%2].Append(t.Context(), drafts...)
				mu.Lock()
				if err == nil {
					wins[n]++
				} else if !errors.Is(err, ledger.ErrConflict) {
					t.Errorf("writer %d: %v", w, err)
				}
				mu.Unlock()
			}
		})
	}
	wg.Wait()
	stored := map[string]int{}
	for _, e := range Collect(t, logs[0].Read(t.Context(), 1)) {
		if e.Envelope.Type == events.KindRunFinished {
			stored[e.Envelope.Episode]++
		}
	}
	for n, w := range wins {
		if w != 1 || stored[Episode(n)] != 1 {
			t.Errorf("episode %d: acknowledged %d times, stored %d times", n, w, stored[Episode(n)])
		}
	}
}

// testSharedBatch has many appends wait together, some of which must be refused.
func testSharedBatch(t *testing.T, s ledger.Store) {
	l := Log(t, s)
	if _, err := l.Append(t.Context(), Finished(Episode(0))); err != nil {
		t.Fatal(err)
	}
	var wg sync.WaitGroup
	for w := range 24 {
		wg.Go(func() {
			d := Note(fmt.Sprint(w))
			if w%3 == 0 {
				d = Finished(Episode(0))
			}
			_, err := l.Append(t.Context(), d)
			if (w%3 == 0) != errors.Is(err, ledger.ErrConflict) || w%3 != 0 && err != nil {
				t.Errorf("writer %d: %v", w, err)
			}
		})
	}
	wg.Wait()
	if got := len(Collect(t, l.Read(t.Context(), 1))); got != 1+16 {
		t.Errorf("expected 17 events, found %d", got)
	}
}

func testConcurrent(t *testing.T, s ledger.Store) {
	l := Log(t, s)
	const writers, each = 16, 12
	var mu sync.Mutex
	acked := map[uint64]events.Stored{}
	var wg sync.WaitGroup
	for w := range writers {
		wg.Go(func() {
			for i := range each {
				drafts := make([]ledger.Draft, 1+(w+i)%3)
				for j := range drafts {
					drafts[j] = Note(fmt.Sprintf("%d/%d/%d", w, i, j))
				}
				stored, err := l.Append(t.Context(), drafts...)
				if err != nil {
					t.Error(err)
					return
				}
				mu.Lock()
				for j, e := range stored {
					if _, double := acked[e.Seq]; double || e.Seq != stored[0].Seq+uint64(j) {
						t.Errorf("sequence %d was given twice or is not adjacent", e.Seq)
					}
					acked[e.Seq] = e
				}
				mu.Unlock()
			}
		})
	}
	wg.Wait()
	all := Collect(t, l.Read(t.Context(), 1))
	if len(all) != len(acked) {
		t.Fatalf("acknowledged %d events, read %d", len(acked), len(all))
	}
	for _, e := range all {
		if !bytes.Equal(e.Bytes, acked[e.Seq].Bytes) {
			t.Errorf("sequence %d: read %s, acknowledged %s", e.Seq, e.Bytes, acked[e.Seq].Bytes)
		}
	}
}

func testSubscribe(t *testing.T, s ledger.Store) {
	l := Log(t, s)
	const before, from, total = 50, 21, 250
	for i := range before {
		if _, err := l.Append(t.Context(), Note(fmt.Sprint(i))); err != nil {
			t.Fatal(err)
		}
	}
	other := Log(t, s)
	var wg sync.WaitGroup
	for range 3 { // three subscribers, and writers on two logs meanwhile
		wg.Go(func() {
			next := uint64(from)
			for e, err := range l.Subscribe(t.Context(), from, ledger.Filter{}) {
				if err != nil || e.Seq != next {
					t.Errorf("expected sequence %d, found %d, %v", next, e.Seq, err)
					return
				}
				if next++; next > total {
					return
				}
			}
		})
	}
	for w := range 4 {
		wg.Go(func() {
			for i := range (total - before) / 4 {
				if _, err := []*ledger.Log{l, other}[w%2].Append(t.Context(), Note(fmt.Sprint(w, i))); err != nil {
					t.Error(err)
				}
			}
		})
	}
	wg.Wait()
}

func testRefusals(t *testing.T, s ledger.Store) {
	l := Log(t, s)
	noEpisode := Finished("")
	for name, drafts := range map[string][]ledger.Draft{
		"no event":                       {},
		"a nil event":                    {{}},
		"more than a batch":              make([]ledger.Draft, ledger.MaxBatch+1),
		"a terminal event of no episode": {noEpisode},
		"an invalid event":               {{Event: &events.NoteWritten{Stage: "NEVER", Text: "x"}}},
		"one invalid event of two":       {Note("x"), {Event: &events.NoteWritten{Stage: "NEVER", Text: "x"}}},
		"a malformed episode":            {{Event: &events.NoteWritten{Stage: "PLAN", Text: "x"}, Episode: "ep_>"}},
		"an event beyond the size limit": {{Event: &events.NoteWritten{Stage: "PLAN", Text: "x"}, Subject: strings.Repeat("s", events.MaxEvent)}},
		"text that is not UTF-8":         {{Event: &events.NoteWritten{Stage: "PLAN", Text: "\xff"}}},
	} {
		if _, err := l.Append(t.Context(), drafts...); err == nil || errors.Is(err, ledger.ErrOutcomeUnknown) {
			t.Errorf("%s: %v", name, err)
		}
	}
	if last, err := l.Last(t.Context()); last != 0 || err != nil {
		t.Errorf("something was stored: %d, %v", last, err)
	}
	l.Close()
	if _, err := l.Append(t.Context(), Note("late")); !errors.Is(err, ledger.ErrClosed) {
		t.Errorf("append after Close: %v", err)
	}
}

func testCancel(t *testing.T, s ledger.Store) {
	l := Log(t, s)
	gone, cancel := context.WithCancel(t.Context())
	cancel()
	if _, err := l.Append(gone, Note("x")); !errors.Is(err, context.Canceled) {
		t.Errorf("append: %v", err)
	}
	if err := l.WaitFor(gone, 1); !errors.Is(err, context.Canceled) {
		t.Errorf("wait: %v", err)
	}
	var last error
	for _, last = range l.Subscribe(gone, 1, ledger.Filter{}) {
	}
	if !errors.Is(last, context.Canceled) {
		t.Errorf("subscribe: %v", last)
	}
	stored, err := l.Append(t.Context(), Note("x"))
	if err != nil {
		t.Fatal(err)
	}
	if err := l.WaitFor(t.Context(), stored[0].Seq); err != nil {
		t.Errorf("wait for what is there: %v", err)
	}
}
