package embed

import (
	"context"
	"fmt"

	"github.com/jacobian-ledger/jacobian/events"
	"github.com/jacobian-ledger/jacobian/query"
)

// ErrNotFound is wrapped by answers about what the log does not hold.
var ErrNotFound = query.ErrNotFound

// Find answers which operations there are for a need, an id or a domain.
func (n *Node) Find(ctx context.Context, q query.FindRequest) (query.FindAnswer, error) {
	return n.reads.query.Find(ctx, q)
}

// Catalog is the descriptor of every operation on the log, by id.
func (n *Node) Catalog(ctx context.Context) ([]events.Descriptor, error) {
	if err := n.reads.runner.Sync(ctx, n.reads.store); err != nil {
		return nil, err
	}
	c, err := n.reads.catalog.Catalog()
	if err != nil {
		return nil, err
	}
	return c.Descriptors, nil
}

// MemorySearch finds what was done before, failures included.
func (n *Node) MemorySearch(ctx context.Context, q query.MemoryRequest) (query.MemoryAnswer, error) {
	return n.reads.query.MemorySearch(ctx, q)
}

// Episode is one run's story; the error wraps [ErrNotFound] if there is none.
func (n *Node) Episode(ctx context.Context, id string) (query.EpisodeAnswer, error) {
	return n.reads.query.MemoryEpisode(ctx, id)
}

// Explain says what an artifact, an episode or a record rests on; its Text method tells it to a person.
func (n *Node) Explain(ctx context.Context, uri string) (query.Explanation, error) {
	return n.reads.query.ProvenanceExplain(ctx, uri)
}

// Ancestors is what a thing rests on, nearest first.
func (n *Node) Ancestors(ctx context.Context, uri string, limit int) (query.Walk, error) {
	return n.reads.query.Ancestors(ctx, uri, limit)
}

// Descendants is what rests on a thing, nearest first.
func (n *Node) Descendants(ctx context.Context, uri string, limit int) (query.Walk, error) {
	return n.reads.query.Descendants(ctx, uri, limit)
}

// Record is a verification record and what it is worth today.
func (n *Node) Record(ctx context.Context, id string) (query.RecordAnswer, error) {
	return n.reads.query.Record(ctx, id)
}

// Investigation lists the episodes that belong together, newest first.
func (n *Node) Investigation(ctx context.Context, id string) (query.MemoryAnswer, error) {
	if err := events.CheckInvestigation(id); err != nil {
		return query.MemoryAnswer{}, err
	}
	a, err := n.reads.query.MemorySearch(ctx, query.MemoryRequest{Investigation: id, Limit: 20})
	if err == nil && a.Total == 0 {
		err = fmt.Errorf("%w: no investigation %s", ErrNotFound, id)
	}
	return a, err
}
