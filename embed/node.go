package embed

import (
	"context"
	"errors"
	"fmt"
	"io"
	"iter"
	"log/slog"
	"os"
	"path/filepath"
	"sync"
	"time"

	"github.com/jacobian-ledger/jacobian/capabilities"
	"github.com/jacobian-ledger/jacobian/capabilities/checkers"
	"github.com/jacobian-ledger/jacobian/capabilities/command"
	"github.com/jacobian-ledger/jacobian/capabilities/packs/memory"
	"github.com/jacobian-ledger/jacobian/capabilities/runner"
	"github.com/jacobian-ledger/jacobian/capabilities/standard"
	"github.com/jacobian-ledger/jacobian/embed/natsd"
	"github.com/jacobian-ledger/jacobian/events"
	"github.com/jacobian-ledger/jacobian/events/digest"
	"github.com/jacobian-ledger/jacobian/ledger"
	"github.com/jacobian-ledger/jacobian/ledger/artifact"
	"github.com/jacobian-ledger/jacobian/ledger/datadir"
	"github.com/jacobian-ledger/jacobian/ledger/jetstream"
)

// DefaultTenant is whose log a local ledger keeps.
const DefaultTenant = "local"

// Options say which ledger to open.
type Options struct {
	Dir    string           // required; made if it is absent
	Tenant string           // DefaultTenant if empty
	Logger *slog.Logger     // warnings and errors; nil discards them
	Clock  func() time.Time // time.Now if nil
}

// Node is an open ledger with everything that runs on it. It owns its data directory until Close. Its
// methods may be called concurrently.
type Node struct {
	tenant string
	clock  func() time.Time
	logger *slog.Logger
	self   string
	binary digest.Digest

	dir         *datadir.Dir
	server      *natsd.Server
	conn        *natsd.Conn
	stores      []*jetstream.Store
	log         *ledger.Log
	operatorLog *ledger.Log
	artifacts   *artifact.Store
	operator    operator
	keyFile     string
	registry    *command.Registry
	checkers    []checkers.Checker
	handler     *command.Handler
	reads       *reads

	closing sync.Once
	closed  error
}

// ChildMain makes this process a worker or a checker if it was started as one. Programs that call
// [Open] call it first in main.
func ChildMain() {
	runner.ChildMain(func() runner.Catalog {
		reg := command.NewRegistry(standard.Packs()...)
		return runner.Catalog{Capability: reg.Get, Checkers: standard.Checkers()}
	})
}

// Open opens the ledger in o.Dir, or makes it, and closes what a crash left open. If another process
// owns the directory the error wraps [datadir.ErrLocked] and names it.
func Open(ctx context.Context, o Options) (*Node, error) {
	if o.Dir == "" {
		return nil, errors.New("jacobian: open: expected a data directory, found none")
	}
	if o.Tenant == "" {
		o.Tenant = DefaultTenant
	}
	if err := events.CheckTenant(o.Tenant); err != nil || o.Tenant == ledger.Operator {
		return nil, fmt.Errorf("jacobian: open: %q cannot be a tenant: %w", o.Tenant, errors.Join(err, errReserved(o.Tenant)))
	}
	n := &Node{tenant: o.Tenant, clock: o.Clock, logger: o.Logger}
	if n.clock == nil {
		n.clock = time.Now
	}
	if n.logger == nil {
		n.logger = slog.New(slog.DiscardHandler)
	}
	if err := n.open(ctx, o); err != nil {
		return nil, errors.Join(fmt.Errorf("jacobian: open %s: %w", o.Dir, err), n.Close())
	}
	return n, nil
}

func errReserved(tenant string) error {
	if tenant == ledger.Operator {
		return errors.New("it is the name of the operator log")
	}
	return nil
}

// open puts the parts together, lowest first. Whatever it has opened when it fails, Close closes.
func (n *Node) open(ctx context.Context, o Options) (err error) {
	if n.self, err = runner.Self(); err != nil {
		return err
	}
	if n.dir, err = datadir.Acquire(o.Dir, n.clock()); err != nil {
		return err
	}
	if n.server, err = natsd.Start(natsd.Options{StoreDir: n.dir.JetStream(), Logger: n.logger}); err != nil {
		return err
	}
	if n.conn, err = n.server.Conn(); err != nil {
		return err
	}
	if n.operatorLog, err = n.openLog(ctx, ledger.Operator); err != nil {
		return err
	}
	if n.log, err = n.openLog(ctx, n.tenant); err != nil {
		return err
	}
	if n.artifacts, err = n.openArtifacts(ctx); err != nil {
		return err
	}
	if n.binary, err = runner.BinaryDigest(n.self, n.dir.Path()); err != nil {
		return err
	}
	n.keyFile = filepath.Join(n.dir.Keys(), "runner.pem")
	n.checkers = standard.Checkers()
	if err := n.bootstrap(ctx); err != nil {
		return err
	}
	head, err := n.log.Last(ctx)
	if err != nil {
		return err
	}
	if n.reads, err = n.openReads(); err != nil {
		return err
	}
	n.registry = command.NewRegistry(n.packs()...)
	n.handler = command.New(command.Config{
		Tenant: n.tenant, Registry: n.registry, Checkers: n.checkers, Semantics: standard.Semantics,
		Log: writeLog{n.log, n.reads.history}, Artifacts: blobs{n.artifacts}, History: n.reads.history, Authority: &n.operator,
		Self: n.self, Binary: n.binary, KeyFile: n.keyFile, Clock: n.clock,
	})
	known, err := n.reads.registered(ctx)
	if err != nil {
		return err
	}
	if err := n.register(ctx, known); err != nil {
		return err
	}
	closed, err := n.handler.Recover(ctx, head)
	if err == nil && closed > 0 {
		n.logger.Warn("closed runs that a crash had left open", "runs", closed)
	}
	return err
}

// openLog opens a tenant's log, or makes it at the first start.
func (n *Node) openLog(ctx context.Context, tenant string) (*ledger.Log, error) {
	config := jetstream.Config{Conn: n.conn, Tenant: tenant}
	store, err := jetstream.Open(ctx, config)
	created := errors.Is(err, ledger.ErrNotFound)
	if created {
		store, err = jetstream.Create(ctx, config)
	}
	if err != nil {
		return nil, err
	}
	n.stores = append(n.stores, store)
	owned, err := ledger.NewExclusive(ctx, store) // the lock on the data directory makes us its only writer
	if err != nil {
		return nil, err
	}
	host, _ := os.Hostname()
	program := "jacobian " + capabilities.Version
	l, err := ledger.New(ledger.Config{
		Store: owned, Tenant: tenant, Source: fmt.Sprintf("%s/%d", host, os.Getpid()), Producer: program, Clock: n.clock,
	})
	if err == nil && created {
		_, err = l.Append(ctx, ledger.Draft{Event: &events.LogOpened{Program: program, Reason: "created"}, Actor: actorSystem})
	}
	return l, err
}

// Close cancels what still runs, waits until every end is recorded, and gives the directory up. It may
// be called more than once.
func (n *Node) Close() error {
	n.closing.Do(func() { // in the reverse order of open
		if n.handler != nil {
			n.handler.Close()
		}
		var errs []error
		if n.reads != nil {
			errs = append(errs, n.reads.close())
		}
		for _, l := range []*ledger.Log{n.log, n.operatorLog} {
			if l != nil {
				l.Close()
			}
		}
		for _, st := range n.stores {
			st.Close()
		}
		if n.conn != nil {
			n.conn.Close()
		}
		if n.server != nil {
			n.server.Stop()
		}
		if n.dir != nil {
			errs = append(errs, n.dir.Release())
		}
		n.closed = errors.Join(errs...)
	})
	return n.closed
}

// RunOptions say who asks for a run and who watches it.
type RunOptions = command.Options

// Run takes one request through its life. Every outcome is a result; see docs/contract.md.
func (n *Node) Run(ctx context.Context, req events.Request, o RunOptions) events.Result {
	return n.handler.Run(ctx, req, o)
}

// Wait picks up a run that was started anywhere: it waits for its end, at most d. ok is false if there
// is no such episode.
func (n *Node) Wait(ctx context.Context, episode string, d time.Duration) (res events.Result, ok bool, err error) {
	return n.handler.Wait(ctx, episode, d)
}

// Cancel stops a run of this process, kills its process tree and waits until its end is recorded. ok is
// false if no such run is under way here.
func (n *Node) Cancel(ctx context.Context, episode, reason string) (ok bool) {
	return n.handler.Cancel(ctx, episode, reason)
}

// ReadLog yields the events of the tenant's log from a sequence to the newest at the time of the call.
func (n *Node) ReadLog(ctx context.Context, from uint64) iter.Seq2[events.Stored, error] {
	return n.log.Read(ctx, from)
}

// Follow yields the events from a sequence on, then each new one when it is durable, until ctx ends.
func (n *Node) Follow(ctx context.Context, from uint64) iter.Seq2[events.Stored, error] {
	return n.log.Subscribe(ctx, from, ledger.Filter{})
}

// Artifact reads bytes by address; they have been hashed again on the way.
func (n *Node) Artifact(ctx context.Context, d digest.Digest) ([]byte, error) {
	return n.artifacts.Get(ctx, d)
}

var _ io.Closer = (*Node)(nil)

// writeLog is the ledger as the command handler sees it.
type writeLog struct {
	*ledger.Log
	history *history
}

func (l writeLog) Append(ctx context.Context, facts ...command.Fact) ([]events.Stored, error) {
	drafts := make([]ledger.Draft, len(facts))
	for i, f := range facts {
		drafts[i] = ledger.Draft(f)
	}
	stored, err := l.Log.Append(ctx, drafts...)
	l.history.appended(stored)
	return stored, err
}

// packs lists the operations of this node: those that ship, and those that read its ledger.
func (n *Node) packs() []*capabilities.Pack {
	return append(standard.Packs(), memory.Pack(ledgerReader{n}))
}

// Event reads one event of the tenant's log; the error wraps ledger.ErrNotFound if there is none.
func (n *Node) Event(ctx context.Context, seq uint64) (events.Stored, error) {
	return n.log.Get(ctx, seq)
}

// Progress is one thing that a run tells whoever waits for it.
type Progress = capabilities.Progress
