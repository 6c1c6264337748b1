package episodes

import (
	"context"
	"fmt"
	"slices"

	"github.com/blevesearch/bleve/v2"
	"github.com/blevesearch/bleve/v2/search/query"

	"github.com/jacobian-ledger/jacobian/projections/terms"
)

// Query asks the index. Empty fields select everything.
type Query struct {
	Text          string
	Capability    string
	Domain        string
	Status        string
	Conclusion    string
	Level         string
	Investigation string
	Actor         string
	Since         string // recorded time, inclusive, in the form of events.FormatTime
	Notes         bool   // notes too
	Housekeeping  bool   // memory and provenance operations too
	All           bool   // every document, whatever kind; for digests
	Offset        int
	Limit         int
}

// MaxOffset bounds how deep a search may page.
const MaxOffset = 1000

// maxQueryTerms bounds the work of one question.
const maxQueryTerms = 24

// Hits is a page of answers, best first; without text the newest first.
type Hits struct {
	Total uint64
	Hits  []Hit
}

// Search answers a query. It waits for nothing: whoever must see their own writes waits for the index's
// position first.
func (x *Index) Search(ctx context.Context, q Query) (Hits, error) {
	var out Hits
	idx, err := x.open()
	if err != nil {
		return out, err
	}
	req := bleve.NewSearchRequestOptions(question(q), q.Limit, min(q.Offset, MaxOffset), false)
	req.Fields = []string{"hit"}
	if q.Text == "" {
		req.SortBy([]string{"-time", "_id"})
	} else {
		req.SortBy([]string{"-_score", "-time", "_id"})
	}
	res, err := idx.SearchInContext(ctx, req)
	if err != nil {
		return out, fmt.Errorf("episodes: search: %w", err)
	}
	out.Total = res.Total
	for _, m := range res.Hits {
		s, _ := m.Fields["hit"].(string)
		h, err := decodeHit(s)
		if err != nil {
			return out, fmt.Errorf("episodes: document %s: %w", m.ID, err)
		}
		out.Hits = append(out.Hits, h)
	}
	return out, nil
}

// question translates a query.
func question(q Query) query.Query {
	b := bleve.NewBooleanQuery()
	must := func(field, value string) {
		if value != "" {
			t := bleve.NewTermQuery(value)
			t.SetField(field)
			b.AddMust(t)
		}
	}
	must("capability", q.Capability)
	must("domain", q.Domain)
	must("status", q.Status)
	must("conclusion", q.Conclusion)
	must("level", q.Level)
	must("investigation", q.Investigation)
	must("actor", q.Actor)
	if q.Since != "" {
		yes := true
		r := bleve.NewTermRangeInclusiveQuery(q.Since, "", &yes, nil)
		r.SetField("time")
		b.AddMust(r)
	}
	if text := textQuery(q.Text); text != nil {
		b.AddMust(text)
	} else {
		b.AddMust(bleve.NewMatchAllQuery())
	}
	not := func(field, value string) {
		t := bleve.NewTermQuery(value)
		t.SetField(field)
		b.AddMustNot(t)
	}
	if !q.Notes && !q.All {
		not("kind", "note")
	}
	if !q.Housekeeping && !q.All && q.Capability == "" && q.Domain == "" {
		not("domain", "memory")
		not("domain", "provenance")
	}
	return b
}

// textQuery asks for half of the terms, rounded up, so that a stray word does no harm and a
// single common one does not match everything.
func textQuery(text string) query.Query {
	if text == "" {
		return nil
	}
	words := terms.Split(text, maxQueryTerms)
	slices.Sort(words)
	words = slices.Compact(words)
	if len(words) == 0 {
		return bleve.NewMatchNoneQuery()
	}
	var each []query.Query
	for _, w := range words {
		var fields []query.Query
		for _, f := range []struct {
			name  string
			boost float64
		}{{"claim", 2}, {"id", 1.5}, {"rest", 1}} {
			t := bleve.NewTermQuery(w)
			t.SetField(f.name)
			t.SetBoost(f.boost)
			fields = append(fields, t)
		}
		each = append(each, bleve.NewDisjunctionQuery(fields...))
	}
	d := bleve.NewDisjunctionQuery(each...)
	d.SetMin(float64((len(each) + 1) / 2))
	return d
}

// each shows every document that matches, by id.
func (x *Index) each(ctx context.Context, q query.Query, f func(id, hit string)) error {
	idx, err := x.open()
	if err != nil {
		return err
	}
	var after []string
	for {
		req := bleve.NewSearchRequestOptions(q, 1000, 0, false)
		req.Fields = []string{"hit"}
		req.SortBy([]string{"_id"})
		if after != nil {
			req.SetSearchAfter(after)
		}
		res, err := idx.SearchInContext(ctx, req)
		if err != nil {
			return fmt.Errorf("episodes: read all: %w", err)
		}
		for _, m := range res.Hits {
			s, _ := m.Fields["hit"].(string)
			f(m.ID, s)
			after = []string{m.ID}
		}
		if len(res.Hits) < 1000 {
			return nil
		}
	}
}
