package projections_test

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"testing"

	"github.com/jacobian-ledger/jacobian/events"
	"github.com/jacobian-ledger/jacobian/ledger"
	"github.com/jacobian-ledger/jacobian/projections"
	"github.com/jacobian-ledger/jacobian/projections/episodes"
	"github.com/jacobian-ledger/jacobian/projections/projectiontest"
	"github.com/jacobian-ledger/jacobian/projections/standard"
)

var _ projections.Source = (*ledger.Log)(nil)

func openStore(t testing.TB, dir string, ps ...projections.Projection) *projections.Store {
	t.Helper()
	s, err := projections.OpenStore(dir, ps...)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = s.Close() })
	return s
}

func TestStandardProjections_AreDeterministic(t *testing.T) {
	story, _ := projectiontest.Example(t)
	projectiontest.Test(t, story.Logs(), func(t *testing.T, dir string) projectiontest.Closer {
		return openStore(t, dir, standard.All()...)
	})
}

func TestEpisodes_AreDeterministic(t *testing.T) {
	story, _ := projectiontest.Example(t)
	projectiontest.Test(t, story.Logs(), func(t *testing.T, dir string) projectiontest.Closer {
		return episodes.New(dir)
	})
}

// counter counts runs, and cannot fold those of one capability.
type counter struct {
	version int
	poison  string
}

func (counter) Name() string         { return "counter" }
func (c counter) SchemaVersion() int { return c.version }
func (counter) Consumes() map[projections.Log][]events.Kind {
	return map[projections.Log][]events.Kind{projections.Tenant: {events.KindRunRequested}}
}

func (c counter) Apply(tx projections.Tx, _ projections.Log, e *events.Stored) error {
	tx.Put("count", "n", fmt.Appendf(nil, "%s|", tx.Get("count", "n")))
	if e.Envelope.Subject == c.poison {
		if e.Envelope.Episode != "" {
			tx.Delete("count", "n")
			panic("cannot fold this")
		}
	}
	return nil
}

func counted(t *testing.T, s *projections.Store) (n int) {
	t.Helper()
	err := s.View("counter", func(v projections.View) error {
		n = len(v.Get("count", "n"))
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	return n
}

func catchUp(t testing.TB, l *projectiontest.Log, s projections.Sink) error {
	t.Helper()
	r, err := projections.NewRunner(map[projections.Log]projections.Source{projections.Tenant: l}, s)
	if err != nil {
		t.Fatal(err)
	}
	return r.CatchUp(t.Context())
}

func TestStore_PoisonIsSetAsideWithoutItsWrites(t *testing.T) {
	story := projectiontest.NewStory(t)
	for _, c := range []string{"a.b.c", "x.y.z", "a.b.c"} {
		story.Run(projectiontest.Run{Capability: c})
	}
	s := openStore(t, t.TempDir(), counter{version: 1, poison: "x.y.z"})
	if err := catchUp(t, story.Tenant, s); err != nil {
		t.Fatal(err)
	}
	if n := counted(t, s); n != 2 {
		t.Errorf("expected 2 runs counted, found %d", n)
	}
	aside, err := s.Aside()
	if err != nil || len(aside) != 1 || aside[0].Seq != 3 || aside[0].Projection != "counter" || aside[0].Reason == "" {
		t.Errorf("expected event 3 set aside with a reason, found %+v, %v", aside, err)
	}
}

func TestStore_AnotherSchemaVersionIsRebuilt(t *testing.T) {
	story := projectiontest.NewStory(t)
	story.Many(3)
	dir := t.TempDir()
	s := openStore(t, dir, counter{version: 1})
	if err := catchUp(t, story.Tenant, s); err != nil {
		t.Fatal(err)
	}
	_ = s.Close()
	s = openStore(t, dir, counter{version: 2})
	if at, err := s.Position(projections.Tenant); at != 0 || err != nil || counted(t, s) != 0 {
		t.Errorf("expected an empty projection, found position %d, %v", at, err)
	}
	if err := catchUp(t, story.Tenant, s); err != nil || counted(t, s) != 3 {
		t.Errorf("expected 3 runs again, found %d, %v", counted(t, s), err)
	}
}

func TestStore_FileOfAnotherBootOrDamagedIsRebuilt(t *testing.T) {
	for _, tc := range []struct {
		name string
		harm func(dir string) error
		kept bool
	}{
		{"closed cleanly", func(string) error { return nil }, true},
		{"written during another boot", func(dir string) error {
			return os.WriteFile(filepath.Join(dir, "projections.state"), []byte("boot 0000\n"), 0o600)
		}, false},
		{"marker missing", func(dir string) error { return os.Remove(filepath.Join(dir, "projections.state")) }, false},
		{"file cut", func(dir string) error { return os.Truncate(filepath.Join(dir, "projections.db"), 5000) }, false},
		{"file overwritten", func(dir string) error {
			return os.WriteFile(filepath.Join(dir, "projections.db"), make([]byte, 1<<16), 0o600)
		}, false},
	} {
		t.Run(tc.name, func(t *testing.T) {
			story := projectiontest.NewStory(t)
			story.Many(3)
			dir := t.TempDir()
			s := openStore(t, dir, counter{version: 1})
			if err := catchUp(t, story.Tenant, s); err != nil {
				t.Fatal(err)
			}
			if err := s.Close(); err != nil {
				t.Fatal(err)
			}
			if err := tc.harm(dir); err != nil {
				t.Fatal(err)
			}
			s = openStore(t, dir, counter{version: 1})
			if at, _ := s.Position(projections.Tenant); (at != 0) != tc.kept {
				t.Errorf("expected kept %v, found position %d", tc.kept, at)
			}
			if err := catchUp(t, story.Tenant, s); err != nil || counted(t, s) != 3 {
				t.Errorf("expected 3 runs, found %d, %v", counted(t, s), err)
			}
		})
	}
}

func TestRunner_FollowsAndWaits(t *testing.T) {
	story := projectiontest.NewStory(t)
	story.Many(1)
	s := openStore(t, t.TempDir(), standard.All()...)
	r, err := projections.NewRunner(projectiontest.Sources(story.Logs()), s)
	if err != nil {
		t.Fatal(err)
	}
	ctx, cancel := context.WithCancel(t.Context())
	done := make(chan error, 1)
	go func() { done <- r.Run(ctx) }()
	for range 5 {
		story.Many(1)
		if err := r.Sync(t.Context(), s); err != nil {
			t.Fatal(err)
		}
		last, _ := story.Tenant.Last(ctx)
		if at, err := s.Position(projections.Tenant); err != nil || at < last {
			t.Errorf("expected position %d after waiting, found %d, %v", last, at, err)
		}
	}
	fresh := openStore(t, t.TempDir(), standard.All()...)
	got, err := r.Compare(ctx, s, fresh)
	if err != nil || len(got) != 4 {
		t.Fatalf("compare: %v, %v", got, err)
	}
	for _, c := range got {
		if !c.Equal() || c.Poison != 0 {
			t.Errorf("%s: expected equal digests and no poison, found %+v", c.Name, c)
		}
	}
	cancel()
	if err := <-done; err != nil {
		t.Errorf("expected no error at the end, found %v", err)
	}
}

func TestRunner_UnknownKindStopsWithItsReason(t *testing.T) {
	story := projectiontest.NewStory(t)
	story.Many(2)
	story.Tenant.FailAtEnd(fmt.Errorf("at 5: %w", events.ErrUnknownKind))
	s := openStore(t, t.TempDir(), counter{version: 1})
	r, err := projections.NewRunner(map[projections.Log]projections.Source{projections.Tenant: story.Tenant}, s)
	if err != nil {
		t.Fatal(err)
	}
	if err := r.Run(t.Context()); !errors.Is(err, events.ErrUnknownKind) {
		t.Errorf("expected the run to end with ErrUnknownKind, found %v", err)
	}
	if err := r.WaitFor(t.Context(), projections.Tenant, 5); !errors.Is(err, projections.ErrStopped) || !errors.Is(err, events.ErrUnknownKind) {
		t.Errorf("expected ErrStopped with its reason, found %v", err)
	}
	if err := r.WaitFor(t.Context(), projections.Tenant, 4); err != nil || counted(t, s) != 2 {
		t.Errorf("expected what came before to be folded, found %d, %v", counted(t, s), err)
	}
}

func TestCompare_ShowsATamperedProjection(t *testing.T) {
	story := projectiontest.NewStory(t)
	story.Many(2)
	live := openStore(t, t.TempDir(), counter{version: 1, poison: "integer.compute.gcd"}) // folds differently
	r, err := projections.NewRunner(projectiontest.Sources(story.Logs()), live)
	if err != nil {
		t.Fatal(err)
	}
	if err := r.CatchUp(t.Context()); err != nil {
		t.Fatal(err)
	}
	got, err := r.Compare(t.Context(), live, openStore(t, t.TempDir(), counter{version: 1}))
	if err != nil || len(got) != 1 || got[0].Equal() || got[0].Poison != 2 {
		t.Errorf("expected a difference and 2 poison events, found %+v, %v", got, err)
	}
}
