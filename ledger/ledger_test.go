package ledger_test

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"iter"
	"testing"
	"time"

	"github.com/jacobian-ledger/jacobian/events"
	"github.com/jacobian-ledger/jacobian/ledger"
	"github.com/jacobian-ledger/jacobian/ledger/ledgertest"
	"github.com/jacobian-ledger/jacobian/ledger/memory"
)

func TestAppend_UnderFaults(t *testing.T) {
	const lost, stored, refused, broken = ledgertest.Lost, ledgertest.StoredUnknown, ledgertest.Refused, ledgertest.StoredThenBroken
	for _, c := range []struct {
		name  string
		plan  []ledgertest.Fault
		err   error // nil: acknowledged
		there int   // how often the event is in the log afterwards
		calls int
	}{
		{"works", nil, nil, 1, 1},
		{"refused", []ledgertest.Fault{refused}, ledgertest.ErrInjected, 0, 1},
		{"stored, but not told", []ledgertest.Fault{stored}, nil, 1, 1},
		{"lost, sent again", []ledgertest.Fault{lost}, nil, 1, 2},
		{"lost, then stored but not told", []ledgertest.Fault{lost, stored}, nil, 1, 2},
		{"lost twice", []ledgertest.Fault{lost, lost}, ledger.ErrOutcomeUnknown, 0, 2},
		{"lost, then refused", []ledgertest.Fault{lost, refused}, ledger.ErrOutcomeUnknown, 0, 2},
		{"stored, and unreadable", []ledgertest.Fault{broken}, ledger.ErrOutcomeUnknown, 1, 1},
	} {
		for name, drafts := range map[string][]ledger.Draft{
			"one":      {ledgertest.Note("x")},
			"terminal": {ledgertest.Finished(ledgertest.Episode(1))},
			"batch":    {ledgertest.Note("y"), ledgertest.Finished(ledgertest.Episode(1)), ledgertest.Note("z")},
		} {
			t.Run(c.name+"/"+name, func(t *testing.T) {
				model := memory.New()
				before := ledgertest.Log(t, model)
				if _, err := before.Append(t.Context(), ledgertest.Note("before")); err != nil {
					t.Fatal(err)
				}
				faulty := ledgertest.NewFaulty(model, c.plan...)
				got, err := ledgertest.Log(t, faulty).Append(t.Context(), drafts...)
				if !errors.Is(err, c.err) || (err == nil) != (c.err == nil) {
					t.Fatalf("expected error %v, found %v", c.err, err)
				}
				all := ledgertest.Collect(t, before.Read(t.Context(), 2))
				if len(all) != c.there*len(drafts) || faulty.Calls() != c.calls {
					t.Errorf("%d events after %d calls; expected %d after %d", len(all), faulty.Calls(), c.there*len(drafts), c.calls)
				}
				if err == nil {
					ledgertest.Same(t, all, got)
				}
			})
		}
	}
}

// late is a store in which a lost append arrives after the log has looked for it, so that the second
// attempt conflicts with the first: a server checks expectations before it recognises the id.
type late struct {
	*memory.Store
	arrive []ledger.Entry
	calls  int
}

func (s *late) Append(ctx context.Context, entries []ledger.Entry) (uint64, error) {
	if s.calls++; s.calls == 1 {
		s.arrive = entries
		return 0, ledger.ErrOutcomeUnknown
	}
	if s.arrive != nil {
		if _, err := s.Store.Append(ctx, s.arrive); err != nil {
			return 0, err
		}
		s.arrive = nil
	}
	return s.Store.Append(ctx, entries)
}

func TestAppend_ConflictWithItself(t *testing.T) {
	s := &late{Store: memory.New()}
	l := ledgertest.Log(t, s)
	stored, err := l.Append(t.Context(), ledgertest.Finished(ledgertest.Episode(1)))
	if err != nil {
		t.Fatalf("the event is stored, but the answer is %v", err)
	}
	ledgertest.Same(t, ledgertest.Collect(t, l.Read(t.Context(), 1)), stored)
	if _, err := l.Append(t.Context(), ledgertest.Finished(ledgertest.Episode(1))); !errors.Is(err, ledger.ErrConflict) {
		t.Errorf("a second terminal event: %v", err)
	}
}

// held is a store whose appends wait to be let go.
type held struct {
	*memory.Store
	entered, let chan struct{}
	sizes        []int
}

func (s *held) Append(ctx context.Context, entries []ledger.Entry) (uint64, error) {
	s.sizes = append(s.sizes, len(entries))
	s.entered <- struct{}{}
	<-s.let
	return s.Store.Append(ctx, entries)
}

func TestAppend_WhatWaitsIsOneBatch(t *testing.T) {
	s := &held{Store: memory.New(), entered: make(chan struct{}), let: make(chan struct{})}
	l := ledgertest.Log(t, s)
	done := make(chan error)
	ctx, cancel := context.WithCancel(t.Context())
	appendOne := func(ctx context.Context) {
		_, err := l.Append(ctx, ledgertest.Note("x"))
		done <- err
	}
	go appendOne(ctx)
	<-s.entered // the first is being committed
	cancel()    // its caller leaves
	if err := <-done; !errors.Is(err, ledger.ErrOutcomeUnknown) || !errors.Is(err, context.Canceled) {
		t.Errorf("who leaves during the commit is told %v", err)
	}
	// A second commits with nobody before it in the buffer, then what waits behind it goes together.
	const waiting = 7
	for range waiting {
		go appendOne(t.Context())
	}
	s.let <- struct{}{}
	for committed := 0; committed < waiting; {
		<-s.entered
		committed += s.sizes[len(s.sizes)-1]
		s.let <- struct{}{}
	}
	for range waiting {
		if err := <-done; err != nil {
			t.Error(err)
		}
	}
	if last, err := l.Last(t.Context()); last != 1+waiting || err != nil {
		t.Errorf("Last = %d, %v", last, err)
	}
}

// lying is a store that yields what it likes.
type lying struct {
	*memory.Store
	raws []ledger.Raw
}

func (s *lying) Last(context.Context) (uint64, error) { return 3, nil }

func (s *lying) Read(context.Context, uint64, uint64, ledger.Filter) iter.Seq2[ledger.Raw, error] {
	return func(yield func(ledger.Raw, error) bool) {
		for _, r := range s.raws {
			if !yield(r, nil) {
				return
			}
		}
	}
}

func TestRead_BelievesNoStore(t *testing.T) {
	source := ledgertest.Log(t, memory.New())
	good, err := source.Append(t.Context(), ledgertest.Note("1"), ledgertest.Note("2"), ledgertest.Note("3"))
	if err != nil {
		t.Fatal(err)
	}
	raw := func(seq uint64, b []byte) ledger.Raw { return ledger.Raw{Seq: seq, Bytes: b} }
	foreign, err := ledger.New(ledger.Config{Store: memory.New(), Tenant: "other", Source: "s", Producer: "p", Clock: ledgertest.Fixed})
	if err != nil {
		t.Fatal(err)
	}
	theirs, err := foreign.Append(t.Context(), ledgertest.Note("3"))
	if err != nil {
		t.Fatal(err)
	}
	one, two, three := raw(1, good[0].Bytes), raw(2, good[1].Bytes), raw(3, good[2].Bytes)
	for name, raws := range map[string][]ledger.Raw{
		"a hole":              {one, three},
		"a missing first":     {two, three},
		"a missing last":      {one, two},
		"nothing":             {},
		"one twice":           {one, one, two, three},
		"backwards":           {one, three, two},
		"more than asked for": {one, two, three, raw(4, good[2].Bytes)},
		"another tenant's":    {one, two, raw(3, theirs[0].Bytes)},
		"not an event":        {one, raw(2, []byte(`{}`)), three},
		"another spelling":    {one, two, raw(3, append(bytes.Clone(three.Bytes), '\n'))},
		"no bytes":            {one, two, raw(3, nil)},
	} {
		var last error
		n := 0
		for _, err := range ledgertest.Log(t, &lying{memory.New(), raws}).Read(t.Context(), 1) {
			last = err
			n++
		}
		if !errors.Is(last, ledger.ErrCorrupt) || n > 4 {
			t.Errorf("%s: after %d events, %v", name, n, last)
		}
	}
	if got := ledgertest.Collect(t, ledgertest.Log(t, &lying{memory.New(), []ledger.Raw{one, two, three}}).Read(t.Context(), 1)); len(got) != 3 {
		t.Errorf("read %d good events", len(got))
	}
}

func TestNew_RefusesWhatIsIncomplete(t *testing.T) {
	good := ledger.Config{Store: memory.New(), Tenant: "t", Source: "s", Producer: "p", Clock: time.Now}
	for name, spoil := range map[string]func(*ledger.Config){
		"store":    func(c *ledger.Config) { c.Store = nil },
		"tenant":   func(c *ledger.Config) { c.Tenant = "T>" },
		"source":   func(c *ledger.Config) { c.Source = "" },
		"producer": func(c *ledger.Config) { c.Producer = "" },
		"clock":    func(c *ledger.Config) { c.Clock = nil },
	} {
		c := good
		spoil(&c)
		if _, err := ledger.New(c); err == nil {
			t.Errorf("%s: accepted", name)
		}
	}
	if _, err := ledger.New(good); err != nil {
		t.Error(err)
	}
}

func ExampleLog() {
	l, err := ledger.New(ledger.Config{
		Store: memory.New(), Tenant: "local", Source: "example", Producer: "jacobian/1", Clock: time.Now,
	})
	if err != nil {
		fmt.Println(err)
		return
	}
	defer l.Close()
	ctx := context.Background()
	_, err = l.Append(ctx,
		ledger.Draft{Event: &events.InvestigationOpened{Title: "Ramsey numbers"}, Investigation: "inv_ramsey"},
		ledger.Draft{Event: &events.NoteWritten{Stage: "PLAN", Text: "R(3,3) first"}, Investigation: "inv_ramsey"})
	if err != nil {
		fmt.Println(err)
		return
	}
	for e, err := range l.ReadMatching(ctx, 1, ledger.Filter{Investigation: "inv_ramsey"}) {
		if err != nil {
			fmt.Println(err)
			return
		}
		fmt.Println(e.Seq, e.Envelope.Type)
	}
	// Output:
	// 1 investigation.opened
	// 2 note.written
}
