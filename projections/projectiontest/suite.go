package projectiontest

import (
	"maps"
	"path/filepath"
	"runtime"
	"testing"

	"github.com/jacobian-ledger/jacobian/events"
	"github.com/jacobian-ledger/jacobian/projections"
)

// Closer is a sink that holds files.
type Closer interface {
	projections.Sink
	Close() error
}

// Test folds the logs into sinks that open makes in fresh directories, and fails unless the digests are
// equal for the whole log at once, for a restart after every event, for prefixes delivered again, and
// for one and two processors.
func Test(t *testing.T, logs map[projections.Log]*Log, open func(t *testing.T, dir string) Closer) {
	want := digests(t, whole(t, logs, open(t, t.TempDir())))
	check := func(t *testing.T, got map[string]string) {
		t.Helper()
		if !maps.Equal(got, want) {
			t.Errorf("digests differ from the fold at once:\n got %v\nwant %v", got, want)
		}
	}
	t.Run("restart after every event", func(t *testing.T) {
		dir := filepath.Join(t.TempDir(), "p")
		for log, l := range logs {
			for _, e := range l.Events() {
				s := open(t, dir)
				fold(t, s, log, []events.Stored{e})
				shut(t, s)
			}
		}
		check(t, digests(t, open(t, dir)))
	})
	t.Run("prefix delivered again", func(t *testing.T) {
		s := open(t, t.TempDir())
		for log, l := range logs {
			all := l.Events()
			for k := 1; k <= len(all); k += 7 {
				fold(t, s, log, all[:k])
			}
			fold(t, s, log, all)
		}
		check(t, digests(t, s))
	})
	for _, procs := range []int{1, 2} {
		t.Run("processors", func(t *testing.T) {
			defer runtime.GOMAXPROCS(runtime.GOMAXPROCS(procs))
			check(t, digests(t, whole(t, logs, open(t, t.TempDir()))))
		})
	}
}

func whole(t *testing.T, logs map[projections.Log]*Log, s Closer) Closer {
	t.Helper()
	r, err := projections.NewRunner(Sources(logs), s)
	if err != nil {
		t.Fatal(err)
	}
	if err := r.CatchUp(t.Context()); err != nil {
		t.Fatal(err)
	}
	return s
}

// Sources gives the logs to a runner.
func Sources(logs map[projections.Log]*Log) map[projections.Log]projections.Source {
	out := map[projections.Log]projections.Source{}
	for log, l := range logs {
		out[log] = l
	}
	return out
}

func fold(t *testing.T, s projections.Sink, log projections.Log, batch []events.Stored) {
	t.Helper()
	for _, reads := range s.Reads() {
		if reads == log {
			if err := s.Fold(log, batch, batch[len(batch)-1].Seq); err != nil {
				t.Fatal(err)
			}
		}
	}
}

func digests(t *testing.T, s Closer) map[string]string {
	t.Helper()
	d, err := s.Digests(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	if n, err := s.Poison(); err != nil || n != 0 {
		t.Errorf("%d poison events, %v", n, err)
	}
	shut(t, s)
	return d
}

func shut(t *testing.T, s Closer) {
	t.Helper()
	if err := s.Close(); err != nil {
		t.Fatal(err)
	}
}
