package query_test

import (
	"fmt"
	"slices"
	"testing"
	"time"

	"github.com/jacobian-ledger/jacobian/projections/projectiontest"
	"github.com/jacobian-ledger/jacobian/query"
	"github.com/jacobian-ledger/jacobian/query/querytest"
)

func BenchmarkFind(b *testing.B) {
	var questions []string
	for _, r := range rows(b, "testdata/queries.txt") {
		questions = append(questions, r[0])
	}
	for _, n := range []int{0, 5000} {
		b.Run(fmt.Sprintf("episodes=%d", n), func(b *testing.B) {
			story := projectiontest.NewStory(b)
			for _, d := range fixture(b) {
				story.Register(d)
			}
			story.Many(n)
			s := querytest.Service(b, story, 0)
			var took []time.Duration
			for i := 0; b.Loop(); i++ {
				began := time.Now()
				if _, err := s.Find(b.Context(), query.FindRequest{Query: questions[i%len(questions)]}); err != nil {
					b.Fatal(err)
				}
				took = append(took, time.Since(began))
			}
			slices.Sort(took)
			b.ReportMetric(float64(took[len(took)*99/100].Nanoseconds()), "p99-ns")
		})
	}
}

func BenchmarkMemorySearch(b *testing.B) {
	story := projectiontest.NewStory(b)
	story.Many(5000)
	s := querytest.Service(b, story, 0)
	for b.Loop() {
		if _, err := s.MemorySearch(b.Context(), query.MemoryRequest{Query: "gcd of 4711 and 12"}); err != nil {
			b.Fatal(err)
		}
	}
}
