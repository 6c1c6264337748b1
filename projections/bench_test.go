package projections_test

import (
	"testing"
	"time"

	"github.com/jacobian-ledger/jacobian/ledger"
	"github.com/jacobian-ledger/jacobian/ledger/memory"
	"github.com/jacobian-ledger/jacobian/projections"
	"github.com/jacobian-ledger/jacobian/projections/episodes"
	"github.com/jacobian-ledger/jacobian/projections/projectiontest"
	"github.com/jacobian-ledger/jacobian/projections/standard"
)

func BenchmarkCatchUp(b *testing.B) {
	story := projectiontest.NewStory(b)
	story.Many(5000)
	n := len(story.Tenant.Events())
	for _, bc := range []struct {
		name string
		open func() projectiontest.Closer
	}{
		{"store", func() projectiontest.Closer { return openStore(b, b.TempDir(), standard.All()...) }},
		{"episodes", func() projectiontest.Closer { return episodes.New(b.TempDir()) }},
	} {
		b.Run(bc.name, func(b *testing.B) {
			for b.Loop() {
				s := bc.open()
				r, err := projections.NewRunner(projectiontest.Sources(story.Logs()), s)
				if err != nil {
					b.Fatal(err)
				}
				if err := r.CatchUp(b.Context()); err != nil {
					b.Fatal(err)
				}
				if err := s.Close(); err != nil {
					b.Fatal(err)
				}
			}
			b.ReportMetric(float64(n)*float64(b.N)/b.Elapsed().Seconds(), "events/s")
		})
	}
}

func BenchmarkOpen_NothingToDo(b *testing.B) {
	story := projectiontest.NewStory(b)
	story.Many(5000)
	dir := b.TempDir()
	s := openStore(b, dir, standard.All()...)
	r, _ := projections.NewRunner(projectiontest.Sources(story.Logs()), s)
	if err := r.CatchUp(b.Context()); err != nil {
		b.Fatal(err)
	}
	_ = s.Close()
	for b.Loop() {
		s := openStore(b, dir, standard.All()...)
		r, err := projections.NewRunner(projectiontest.Sources(story.Logs()), s)
		if err != nil {
			b.Fatal(err)
		}
		if err := r.CatchUp(b.Context()); err != nil {
			b.Fatal(err)
		}
		_ = s.Close()
	}
}

// BenchmarkCatchUp_Decoding also decodes every event strictly, from a log in memory.
func BenchmarkCatchUp_Decoding(b *testing.B) {
	story := projectiontest.NewStory(b)
	story.Many(5000)
	log, err := ledger.New(ledger.Config{Store: memory.New(), Tenant: "local", Source: "test", Producer: "test 1", Clock: time.Now})
	if err != nil {
		b.Fatal(err)
	}
	var drafts []ledger.Draft
	for _, e := range story.Tenant.Events() {
		drafts = append(drafts, ledger.Draft{Event: e.Event, Subject: e.Envelope.Subject, Episode: e.Envelope.Episode, Actor: e.Envelope.Actor})
	}
	n := len(drafts)
	for len(drafts) > 0 {
		k := min(len(drafts), ledger.MaxBatch)
		if _, err := log.Append(b.Context(), drafts[:k]...); err != nil {
			b.Fatal(err)
		}
		drafts = drafts[k:]
	}
	sources := map[projections.Log]projections.Source{projections.Tenant: log, projections.Operator: story.Operator}
	for b.Loop() {
		s := openStore(b, b.TempDir(), standard.All()...)
		r, err := projections.NewRunner(sources, s)
		if err != nil {
			b.Fatal(err)
		}
		if err := r.CatchUp(b.Context()); err != nil {
			b.Fatal(err)
		}
		_ = s.Close()
	}
	b.ReportMetric(float64(n)*float64(b.N)/b.Elapsed().Seconds(), "events/s")
}
