package embed

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"

	"github.com/jacobian-ledger/jacobian/events/digest"
	"github.com/jacobian-ledger/jacobian/projections"
	"github.com/jacobian-ledger/jacobian/projections/catalog"
	"github.com/jacobian-ledger/jacobian/projections/episodes"
	"github.com/jacobian-ledger/jacobian/projections/memo"
	"github.com/jacobian-ledger/jacobian/projections/standard"
	"github.com/jacobian-ledger/jacobian/query"
)

// reads is the read side of a node: the stores of its projections and what follows the logs for them.
// The search index has a runner of its own, so that its pace delays nobody.
type reads struct {
	store   *projections.Store
	index   *episodes.Index
	runner  *projections.Runner
	catalog *catalog.Reader
	query   *query.Service
	history *history

	stop    context.CancelFunc
	stopped chan error
}

func (n *Node) sources() map[projections.Log]projections.Source {
	return map[projections.Log]projections.Source{projections.Tenant: n.log, projections.Operator: n.operatorLog}
}

// openReads opens the read models and begins to follow the logs.
func (n *Node) openReads() (*reads, error) {
	dir := filepath.Join(n.dir.Projections(), n.tenant)
	store, err := projections.OpenStore(dir, standard.All()...)
	if err != nil {
		return nil, err
	}
	r := &reads{store: store, index: episodes.New(dir), stopped: make(chan error, 1)}
	if r.runner, err = projections.NewRunner(n.sources(), r.store, r.index); err != nil {
		return nil, errors.Join(err, store.Close())
	}
	r.catalog = catalog.NewReader(store)
	r.history = newHistory(memo.NewReader(store, r.runner), func() (uint64, error) { return store.Position(projections.Tenant) })
	r.query = query.New(query.Config{Store: store, Runner: r.runner, Episodes: r.index, Log: n.log})
	ctx, stop := context.WithCancel(context.Background())
	r.stop = stop
	go func() {
		err := r.runner.Run(ctx)
		if err != nil {
			n.logger.Error("a projection stopped following the log; its queries fail until the next start", "error", err)
		}
		r.stopped <- err
	}()
	return r, nil
}

func (r *reads) close() error {
	r.stop()
	<-r.stopped // its error was logged when it happened
	return errors.Join(r.index.Close(), r.store.Close())
}

// registered is the provider digest of each operation in the catalog on the log.
func (r *reads) registered(ctx context.Context) (map[string]digest.Digest, error) {
	if err := r.runner.Sync(ctx, r.store); err != nil {
		return nil, err
	}
	c, err := r.catalog.Catalog()
	if err != nil {
		return nil, err
	}
	out := make(map[string]digest.Digest, len(c.Descriptors))
	for i := range c.Descriptors {
		out[c.Descriptors[i].CapabilityID] = c.Descriptors[i].Provider.Digest
	}
	return out, nil
}

// compareProjections rebuilds every read model in a temporary directory and compares it with the live one.
func (n *Node) compareProjections(ctx context.Context) (out []ProjectionReport, err error) {
	dir, err := os.MkdirTemp(n.dir.Projections(), "replay-")
	if err != nil {
		return nil, fmt.Errorf("a place to rebuild in: %w", err)
	}
	defer func() { err = errors.Join(err, os.RemoveAll(dir)) }()
	store, err := projections.OpenStore(dir, standard.All()...)
	if err != nil {
		return nil, err
	}
	defer func() { err = errors.Join(err, store.Close()) }()
	index := episodes.New(dir)
	defer func() { err = errors.Join(err, index.Close()) }()
	for _, pair := range []struct{ live, fresh projections.Sink }{{n.reads.store, store}, {n.reads.index, index}} {
		compared, err := n.reads.runner.Compare(ctx, pair.live, pair.fresh)
		if err != nil {
			return nil, err
		}
		for _, c := range compared {
			out = append(out, ProjectionReport{Name: c.Name, Live: c.Live, Rebuilt: c.Rebuilt, Poison: int64(c.Poison)})
		}
	}
	return out, nil
}
