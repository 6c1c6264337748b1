package memo_test

import (
	"fmt"
	"slices"
	"testing"

	"github.com/jacobian-ledger/jacobian/events"
	"github.com/jacobian-ledger/jacobian/events/digest"
	"github.com/jacobian-ledger/jacobian/projections"
	"github.com/jacobian-ledger/jacobian/projections/memo"
	"github.com/jacobian-ledger/jacobian/projections/projectiontest"
)

func reader(t testing.TB, s *projectiontest.Story) (*memo.Reader, *projections.Store) {
	t.Helper()
	store, err := projections.OpenStore(t.TempDir(), memo.Projection{})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = store.Close() })
	r, err := projections.NewRunner(projectiontest.Sources(s.Logs()), store)
	if err != nil {
		t.Fatal(err)
	}
	if err := r.CatchUp(t.Context()); err != nil {
		t.Fatal(err)
	}
	return memo.NewReader(store, r), store
}

func TestReader_FindsWhatTheLogHolds(t *testing.T) {
	s, told := projectiontest.Example(t)
	again := s.Run(projectiontest.Run{Capability: "graph.k_coloring.decide", Input: `{"k":"3"}`, Key: "key-1", Conclusion: events.False})
	r, _ := reader(t, s)
	ctx := t.Context()
	if at, ok, err := r.Reusable(ctx, told["refuted"].Request); !ok || at != again.Finished || err != nil {
		t.Errorf("expected the latest completed run at %d, found %d %v %v", again.Finished, at, ok, err)
	}
	for _, name := range []string{"timeout", "open"} {
		if at, ok, err := r.Reusable(ctx, told[name].Request); ok || err != nil {
			t.Errorf("%s: expected nothing to reuse, found %d, %v", name, at, err)
		}
	}
	if d, ep, ok, err := r.ByKey(ctx, "key-1"); !ok || ep != told["refuted"].Episode || d != told["refuted"].Request || err != nil {
		t.Errorf("expected the key's first binding, found %s %s %v %v", d, ep, ok, err)
	}
	if at, finished, known, err := r.Terminal(ctx, told["open"].Episode); at != 0 || finished || !known || err != nil {
		t.Errorf("expected a known run without an end, found %d %v %v %v", at, finished, known, err)
	}
	if _, _, known, err := r.Terminal(ctx, "ep_none"); known || err != nil {
		t.Errorf("expected an unknown run, found %v %v", known, err)
	}
	if open, err := r.Open(ctx); err != nil || !slices.Equal(open, []uint64{told["open"].Requested}) {
		t.Errorf("expected one open run at %d, found %v, %v", told["open"].Requested, open, err)
	}
	if at, ok, err := r.Record(ctx, told["refuted"].Record); !ok || at != told["refuted"].Finished-1 || err != nil {
		t.Errorf("expected the record before the end of its run, found %d %v %v", at, ok, err)
	}
	d, err := events.ParseArtifactURI(told["graph"].Artifacts[0])
	if err != nil {
		t.Fatal(err)
	}
	if at, ok, err := r.Producer(ctx, d); !ok || at != told["graph"].Finished || err != nil {
		t.Errorf("expected the producer's end at %d, found %d %v %v", told["graph"].Finished, at, ok, err)
	}
	if _, ok, err := r.Producer(ctx, digest.Of([]byte("nothing"))); ok || err != nil {
		t.Errorf("expected no producer, found %v %v", ok, err)
	}
}

func TestApply_ASecondEndIsPoison(t *testing.T) {
	s := projectiontest.NewStory(t)
	told := s.Run(projectiontest.Run{Capability: "integer.compute.gcd"})
	end := s.Tenant.Events()[told.Finished-1]
	s.Tenant.Append(events.Envelope{Episode: told.Episode, Subject: "integer.compute.gcd"}, end.Event)
	s.Tenant.Append(events.Envelope{Episode: events.NewEpisode(s.Tenant.Now()), Subject: "integer.compute.gcd"}, end.Event)
	r, store := reader(t, s)
	if n, err := store.Poison(); n != 2 || err != nil {
		t.Errorf("expected a second end and an end without request set aside, found %d, %v", n, err)
	}
	if at, _, _, err := r.Terminal(t.Context(), told.Episode); at != told.Finished || err != nil {
		t.Errorf("expected the first end to stand, found %d, %v", at, err)
	}
}

func BenchmarkReusable(b *testing.B) {
	for _, n := range []int{1e3, 1e5} {
		b.Run(fmt.Sprint(n), func(b *testing.B) {
			s := projectiontest.NewStory(b)
			var keys []digest.Digest
			r, err := filled(b, s, n, &keys)
			if err != nil {
				b.Fatal(err)
			}
			for i := 0; b.Loop(); i++ {
				if _, ok, err := r.Reusable(b.Context(), keys[i*7919%n]); !ok || err != nil {
					b.Fatal(ok, err)
				}
			}
		})
	}
}

// filled folds n runs made from two events, without encoding each.
func filled(b *testing.B, s *projectiontest.Story, n int, keys *[]digest.Digest) (*memo.Reader, error) {
	told := s.Run(projectiontest.Run{Capability: "integer.compute.gcd"})
	first, last := s.Tenant.Events()[told.Requested-1], s.Tenant.Events()[told.Finished-1]
	store, err := projections.OpenStore(b.TempDir(), memo.Projection{})
	if err != nil {
		return nil, err
	}
	b.Cleanup(func() { _ = store.Close() })
	var batch []events.Stored
	for i := range n {
		episode := fmt.Sprintf("ep_%08d", i)
		req := *first.Event.(*events.RunRequested)
		req.RequestDigest = digest.Of([]byte(episode))
		*keys = append(*keys, req.RequestDigest)
		a, z := first, last
		a.Envelope.Episode, z.Envelope.Episode, a.Event = episode, episode, &req
		a.Seq, z.Seq = uint64(2*i+1), uint64(2*i+2)
		if batch = append(batch, a, z); len(batch) >= 2000 || i == n-1 {
			if err := store.Fold(projections.Tenant, batch, z.Seq); err != nil {
				return nil, err
			}
			batch = batch[:0]
		}
	}
	r, err := projections.NewRunner(projectiontest.Sources(s.Logs()), store)
	if err != nil {
		return nil, err
	}
	return memo.NewReader(store, r), r.CatchUp(b.Context())
}
