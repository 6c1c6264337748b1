// Package querytest measures how well a catalog is found: it runs questions in natural language against
// descriptors and reports how often the right operation comes first and among the first five.
package querytest

import (
	"encoding/json"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/jacobian-ledger/jacobian/events"
	"github.com/jacobian-ledger/jacobian/projections"
	"github.com/jacobian-ledger/jacobian/projections/episodes"
	"github.com/jacobian-ledger/jacobian/projections/projectiontest"
	"github.com/jacobian-ledger/jacobian/projections/standard"
	"github.com/jacobian-ledger/jacobian/query"
)

// Question is a need in words, and the operations that meet it. None means that nothing does.
type Question struct {
	Text string
	Want []string
}

// Service returns a query service over the logs of a story, folded, with an open index of episodes.
// within is how long a find waits for episodes; 0 is the standard.
func Service(t testing.TB, story *projectiontest.Story, within time.Duration) *query.Service {
	t.Helper()
	dir := t.TempDir()
	store, err := projections.OpenStore(dir, standard.All()...)
	if err != nil {
		t.Fatal(err)
	}
	index := episodes.New(dir)
	t.Cleanup(func() {
		if err := index.Close(); err != nil {
			t.Error(err)
		}
		if err := store.Close(); err != nil {
			t.Error(err)
		}
	})
	runner, err := projections.NewRunner(projectiontest.Sources(story.Logs()), store, index)
	if err != nil {
		t.Fatal(err)
	}
	if err := runner.CatchUp(t.Context()); err != nil {
		t.Fatal(err)
	}
	return query.New(query.Config{Store: store, Runner: runner, Episodes: index, Log: story.Tenant, EpisodesWithin: within})
}

// Catalog returns a service over a catalog of these descriptors and nothing else.
func Catalog(t testing.TB, descriptors []events.Descriptor) *query.Service {
	t.Helper()
	story := projectiontest.NewStory(t)
	for _, d := range descriptors {
		story.Register(d)
	}
	return Service(t, story, 0)
}

// Test asks every question and fails when fewer than the shares at1 and at5 find a wanted operation
// first or among the first five, when a question that nothing meets finds something, or when an answer
// is longer than 1,200 bytes. It logs every miss.
func Test(t *testing.T, descriptors []events.Descriptor, questions []Question, at1, at5 float64) {
	t.Helper()
	s := Catalog(t, descriptors)
	first, five, n := 0, 0, 0
	for _, q := range questions {
		a, err := s.Find(t.Context(), query.FindRequest{Query: q.Text})
		if err != nil {
			t.Fatalf("%q: %v", q.Text, err)
		}
		if b, err := json.Marshal(a); err != nil || len(b) > 1200 {
			t.Errorf("%q: expected an answer of at most 1200 bytes, found %d, %v", q.Text, len(b), err)
		}
		var ids []string
		for _, m := range a.Matches {
			ids = append(ids, m.CapabilityID)
		}
		if len(q.Want) == 0 {
			if a.Outcome != query.NoMatch || len(a.Matches) > 0 {
				t.Errorf("%q: expected NO_MATCH, found %s %v", q.Text, a.Outcome, ids)
			}
			continue
		}
		n++
		at := slices.IndexFunc(ids, func(id string) bool { return slices.Contains(q.Want, id) })
		if at == 0 {
			first++
		} else {
			t.Logf("%q: expected %s first, found %v", q.Text, strings.Join(q.Want, " or "), ids)
		}
		if at >= 0 && at < 5 {
			five++
		}
	}
	if n == 0 {
		return
	}
	r1, r5 := float64(first)/float64(n), float64(five)/float64(n)
	t.Logf("%d questions over %d operations: recall@1 %.3f, recall@5 %.3f", n, len(descriptors), r1, r5)
	if r1 < at1 || r5 < at5 {
		t.Errorf("expected recall@1 %.2f and recall@5 %.2f at least", at1, at5)
	}
}
