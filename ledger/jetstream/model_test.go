package jetstream_test

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"path/filepath"
	"testing"

	"github.com/jacobian-ledger/jacobian/embed/natsd"
	"github.com/jacobian-ledger/jacobian/ledger"
	"github.com/jacobian-ledger/jacobian/ledger/jetstream"
	"github.com/jacobian-ledger/jacobian/ledger/ledgertest"
	"github.com/jacobian-ledger/jacobian/ledger/memory"
	"github.com/nats-io/nats.go"
	"pgregory.net/rapid"
)

// node is a server and the store on it, which a model test may restart.
type node struct {
	t      *testing.T
	dir    string
	server *natsd.Server
	nc     *nats.Conn
	store  *jetstream.Store
}

func (n *node) start() {
	var err error
	if n.server, err = natsd.Start(natsd.Options{StoreDir: filepath.Join(n.dir, "jetstream")}); err == nil {
		n.nc, err = n.server.Conn()
	}
	if err != nil {
		n.t.Fatal(err)
	}
}

func (n *node) stop() {
	n.store.Close()
	n.nc.Close()
	n.server.Stop()
}

// TestStore_IsItsModel does the same random operations to the store and to the model, restarts the
// store at random, and compares every answer.
func TestStore_IsItsModel(t *testing.T) {
	t.Parallel()
	n := &node{t: t, dir: t.TempDir()}
	n.start()
	t.Cleanup(func() { n.nc.Close(); n.server.Stop() })
	tenants := 0
	rapid.Check(t, func(rt *rapid.T) {
		tenants++
		tenant := fmt.Sprintf("m%d", tenants)
		config := func() jetstream.Config { return jetstream.Config{Conn: n.nc, Tenant: tenant} }
		var err error
		if n.store, err = jetstream.Create(t.Context(), config()); err != nil {
			rt.Fatal(err)
		}
		defer func() { n.store.Close() }()
		model := memory.New()
		clock := ledgertest.Clock()
		// One log encodes for both: ids and nonces are random, so the bytes are shared.
		var last []ledger.Entry
		encode := func(drafts []ledger.Draft) ([]ledger.Entry, error) {
			capture := &captured{Store: memory.New(), to: &last}
			l, err := ledger.New(ledger.Config{Store: capture, Tenant: tenant, Source: "s", Producer: "p", Clock: clock})
			if err != nil {
				return nil, err
			}
			defer l.Close()
			_, err = l.Append(t.Context(), drafts...)
			return last, err
		}
		rt.Repeat(map[string]func(*rapid.T){
			"append": func(rt *rapid.T) {
				entries, err := encode(drawDrafts(rt))
				if err != nil {
					return // refused before any store sees it
				}
				wantLast, want := model.Append(t.Context(), entries)
				gotLast, got := n.store.Append(t.Context(), entries)
				if gotLast != wantLast || errors.Is(got, ledger.ErrConflict) != errors.Is(want, ledger.ErrConflict) || (got == nil) != (want == nil) {
					rt.Fatalf("append: store %d, %v; model %d, %v", gotLast, got, wantLast, want)
				}
			},
			"read": func(rt *rapid.T) {
				size, _ := model.Last(t.Context())
				from := rapid.Uint64Range(1, size+2).Draw(rt, "from")
				to := rapid.Uint64Range(from, size+2).Draw(rt, "to")
				compare(rt, read(n.store, from, to), read(model, from, to))
			},
			"last": func(rt *rapid.T) {
				want, _ := model.Last(t.Context())
				if got, err := n.store.Last(t.Context()); got != want || err != nil {
					rt.Fatalf("last: store %d, %v; model %d", got, err, want)
				}
			},
			"restart": func(rt *rapid.T) {
				if rapid.IntRange(0, 9).Draw(rt, "really") > 0 {
					return
				}
				n.stop()
				n.start()
				if n.store, err = jetstream.Open(t.Context(), config()); err != nil {
					rt.Fatal(err)
				}
			},
		})
	})
}

// captured keeps the entries of the last append.
type captured struct {
	*memory.Store
	to *[]ledger.Entry
}

func (c *captured) Append(_ context.Context, entries []ledger.Entry) (uint64, error) {
	*c.to = entries
	return uint64(len(entries)), nil
}

func drawDrafts(rt *rapid.T) []ledger.Draft {
	drafts := make([]ledger.Draft, rapid.IntRange(1, 4).Draw(rt, "events"))
	for i := range drafts {
		if rapid.Bool().Draw(rt, "terminal") {
			drafts[i] = ledgertest.Finished(ledgertest.Episode(rapid.IntRange(0, 5).Draw(rt, "episode")))
		} else {
			drafts[i] = ledgertest.Note(rapid.String().Draw(rt, "text"))
		}
	}
	return drafts
}

// answer is what a read of a store gave.
type answer struct {
	raws []ledger.Raw
	err  error
}

func read(s ledger.Store, from, to uint64) answer {
	var a answer
	for raw, err := range s.Read(context.Background(), from, to, ledger.Filter{}) {
		if a.err = err; err == nil {
			a.raws = append(a.raws, raw)
		}
	}
	return a
}

// compare allows a store to notice the end of the log before or after what precedes it.
func compare(rt *rapid.T, got, want answer) {
	if errors.Is(got.err, ledger.ErrNotFound) != errors.Is(want.err, ledger.ErrNotFound) || (got.err == nil) != (want.err == nil) {
		rt.Fatalf("read: store %v, model %v", got.err, want.err)
	}
	if len(got.raws) != len(want.raws) {
		rt.Fatalf("read: store %d events, model %d", len(got.raws), len(want.raws))
	}
	for i := range got.raws {
		if got.raws[i].Seq != want.raws[i].Seq || !bytes.Equal(got.raws[i].Bytes, want.raws[i].Bytes) {
			rt.Fatalf("read: event %d: store %d %s, model %d %s", i, got.raws[i].Seq, got.raws[i].Bytes, want.raws[i].Seq, want.raws[i].Bytes)
		}
	}
}
