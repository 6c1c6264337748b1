package jetstream_test

import (
	"errors"
	"strings"
	"testing"
	"time"

	"github.com/jacobian-ledger/jacobian/events"
	"github.com/jacobian-ledger/jacobian/ledger"
	"github.com/jacobian-ledger/jacobian/ledger/jetstream"
	"github.com/jacobian-ledger/jacobian/ledger/ledgertest"
	"github.com/nats-io/nats.go"
	natsstream "github.com/nats-io/nats.go/jetstream"
)

func stream(t *testing.T, nc *nats.Conn) (natsstream.JetStream, natsstream.Stream) {
	t.Helper()
	js, err := natsstream.New(nc)
	if err != nil {
		t.Fatal(err)
	}
	s, err := js.Stream(t.Context(), "JAC_"+ledgertest.Tenant)
	if err != nil {
		t.Fatal(err)
	}
	return js, s
}

func TestCreate_RefusesWhatExistsAndOpenWhatDoesNot(t *testing.T) {
	nc := server(t, t.TempDir())
	for _, tenant := range []string{ledgertest.Tenant, ledger.Operator} {
		c := jetstream.Config{Conn: nc, Tenant: tenant}
		if _, err := jetstream.Open(t.Context(), c); !errors.Is(err, ledger.ErrNotFound) {
			t.Errorf("Open of no log: %v", err)
		}
		s, err := jetstream.Create(t.Context(), c)
		if err != nil {
			t.Fatal(err)
		}
		s.Close()
		if _, err := jetstream.Create(t.Context(), c); !errors.Is(err, ledger.ErrExists) {
			t.Errorf("Create of what exists: %v", err)
		}
		if s, err = jetstream.Open(t.Context(), c); err != nil {
			t.Fatal(err)
		}
		s.Close()
	}
	if _, err := jetstream.Create(t.Context(), jetstream.Config{Conn: nc, Tenant: "Not.A>Tenant"}); err == nil {
		t.Error("a malformed tenant was accepted")
	}
	if _, err := jetstream.Open(t.Context(), jetstream.Config{Tenant: "t"}); err == nil {
		t.Error("no connection was accepted")
	}
}

func TestStream_RefusesDeletionAndPurge(t *testing.T) {
	s, nc := create(t)
	l := ledgertest.Log(t, s)
	stored, err := l.Append(t.Context(), ledgertest.Note("a"), ledgertest.Note("b"))
	if err != nil {
		t.Fatal(err)
	}
	_, st := stream(t, nc)
	for name, err := range map[string]error{
		"delete":             st.DeleteMsg(t.Context(), 1),
		"secure delete":      st.SecureDeleteMsg(t.Context(), 1),
		"purge":              st.Purge(t.Context()),
		"purge of a subject": st.Purge(t.Context(), natsstream.WithPurgeSubject("jacobian.>")),
	} {
		if err == nil {
			t.Errorf("%s was accepted", name)
		}
	}
	rollup := nats.NewMsg(jetstream.Subject(&stored[0].Envelope))
	rollup.Data = stored[0].Bytes
	rollup.Header.Set(natsstream.MsgRollup, natsstream.MsgRollupAll)
	js, _ := stream(t, nc)
	if _, err := js.PublishMsg(t.Context(), rollup); err == nil {
		t.Error("a rollup was accepted")
	}
	ledgertest.Same(t, ledgertest.Collect(t, l.Read(t.Context(), 1)), stored)
}

// TestStream_ChangedConfiguration changes every setting that a server lets one change, and checks that
// the open log stops and that it does not open again.
func TestStream_ChangedConfiguration(t *testing.T) {
	for name, change := range map[string]func(*natsstream.StreamConfig){
		"MaxAge":            func(c *natsstream.StreamConfig) { c.MaxAge = time.Hour },
		"MaxMsgs":           func(c *natsstream.StreamConfig) { c.MaxMsgs = 10 },
		"MaxBytes":          func(c *natsstream.StreamConfig) { c.MaxBytes = 1 << 20 },
		"MaxMsgsPerSubject": func(c *natsstream.StreamConfig) { c.MaxMsgsPerSubject = 1 },
		"MaxMsgSize":        func(c *natsstream.StreamConfig) { c.MaxMsgSize = 100 },
		"Duplicates":        func(c *natsstream.StreamConfig) { c.Duplicates = time.Second },
		"Discard":           func(c *natsstream.StreamConfig) { c.Discard = natsstream.DiscardOld },
		"NoAck":             func(c *natsstream.StreamConfig) { c.NoAck = true },
		"Subjects":          func(c *natsstream.StreamConfig) { c.Subjects = append(c.Subjects, "other.>") },
		"Sealed":            func(c *natsstream.StreamConfig) { c.Sealed = true },
	} {
		t.Run(name, func(t *testing.T) {
			s, nc := create(t)
			l := ledgertest.Log(t, s)
			if _, err := l.Append(t.Context(), ledgertest.Note("before")); err != nil {
				t.Fatal(err)
			}
			js, st := stream(t, nc)
			config := st.CachedInfo().Config
			change(&config)
			if _, err := js.UpdateStream(t.Context(), config); err != nil {
				t.Fatal(err)
			}
			// The alarm comes on its own; a wait for what will not come ends with it.
			if err := l.WaitFor(t.Context(), 99); !errors.Is(err, ledger.ErrReadOnly) || !strings.Contains(err.Error(), name) {
				t.Errorf("a wait ends with %v", err)
			}
			if _, err := l.Append(t.Context(), ledgertest.Note("after")); !errors.Is(err, ledger.ErrReadOnly) {
				t.Errorf("append: %v", err)
			}
			if _, err := jetstream.Open(t.Context(), jetstream.Config{Conn: nc, Tenant: ledgertest.Tenant}); !errors.Is(err, ledger.ErrReadOnly) || !strings.Contains(err.Error(), name) {
				t.Errorf("open: %v", err)
			}
			if got := len(ledgertest.Collect(t, l.Read(t.Context(), 1))); got != 1 {
				t.Errorf("reading still works, but found %d events", got)
			}
		})
	}
}

func TestStream_Deleted(t *testing.T) {
	s, nc := create(t)
	l := ledgertest.Log(t, s)
	js, _ := stream(t, nc)
	if err := js.DeleteStream(t.Context(), "JAC_"+ledgertest.Tenant); err != nil {
		t.Fatal(err)
	}
	if err := l.WaitFor(t.Context(), 1); !errors.Is(err, ledger.ErrReadOnly) {
		t.Errorf("wait: %v", err)
	}
	if _, err := l.Append(t.Context(), ledgertest.Note("x")); err == nil || errors.Is(err, ledger.ErrOutcomeUnknown) {
		t.Errorf("append: %v", err)
	}
}

func TestStore_SeesOtherWriters(t *testing.T) {
	a, nc := create(t)
	b, err := jetstream.Open(t.Context(), jetstream.Config{Conn: nc, Tenant: ledgertest.Tenant})
	if err != nil {
		t.Fatal(err)
	}
	defer b.Close()
	reader, writer := ledgertest.Log(t, a), ledgertest.Log(t, b)
	seen := make(chan uint64, 10)
	go func() {
		defer close(seen)
		for e, err := range reader.Subscribe(t.Context(), 1, ledger.Filter{}) {
			if err != nil {
				return
			}
			seen <- e.Seq
		}
	}()
	for want := uint64(1); want <= 6; want += 2 {
		if _, err := writer.Append(t.Context(), ledgertest.Note("x"), ledgertest.Note("y")); err != nil {
			t.Fatal(err)
		}
		for i := range uint64(2) {
			if got := <-seen; got != want+i {
				t.Fatalf("expected %d, found %d", want+i, got)
			}
		}
	}
	a.Close()
	if _, open := <-seen; open {
		t.Error("the subscription goes on after Close")
	}
	if _, err := reader.Append(t.Context(), ledgertest.Note("x")); !errors.Is(err, ledger.ErrClosed) {
		t.Errorf("append to a closed store: %v", err)
	}
}

// TestStore_ForeignBytes has somebody publish what is no event of ours, past the ledger.
func TestStore_ForeignBytes(t *testing.T) {
	s, nc := create(t)
	l := ledgertest.Log(t, s)
	if _, err := l.Append(t.Context(), ledgertest.Note("x")); err != nil {
		t.Fatal(err)
	}
	js, _ := stream(t, nc)
	if _, err := js.Publish(t.Context(), "jacobian."+ledgertest.Tenant+".anything", []byte(`{"a":1}`)); err != nil {
		t.Fatal(err)
	}
	for _, f := range []ledger.Filter{{}, {Domain: "graph"}} {
		var last error
		for _, err := range l.ReadMatching(t.Context(), 1, f) {
			last = err
		}
		if !errors.Is(last, ledger.ErrCorrupt) {
			t.Errorf("filter %+v: %v", f, last)
		}
	}
}

// TestStore_EpisodeReadStopsWhereAsked has the server narrow a read of one episode, in which the events
// beyond the range pass the filter too.
func TestStore_EpisodeReadStopsWhereAsked(t *testing.T) {
	s, _ := create(t)
	l := ledgertest.Log(t, s)
	for range 6 {
		d := ledgertest.Note("x")
		d.Episode = ledgertest.Episode(1)
		if _, err := l.Append(t.Context(), d, ledgertest.Note("between")); err != nil {
			t.Fatal(err)
		}
	}
	for to := uint64(1); to <= 12; to++ {
		var found []uint64
		for raw, err := range s.Read(t.Context(), 2, to, ledger.Filter{Episode: ledgertest.Episode(1)}) {
			if err != nil {
				t.Fatal(err)
			}
			found = append(found, raw.Seq)
		}
		for i, seq := range found {
			if seq != uint64(2*i+3) {
				t.Errorf("up to %d: found %v", to, found)
			}
		}
		if want := int(max(to, 1)-1) / 2; len(found) != want {
			t.Errorf("up to %d: found %v", to, found)
		}
	}
}

// TestStore_LostServer has the connection cut while the log is open.
func TestStore_LostServer(t *testing.T) {
	s, nc := create(t)
	l := ledgertest.Log(t, s)
	if _, err := l.Append(t.Context(), ledgertest.Note("x")); err != nil {
		t.Fatal(err)
	}
	nc.Close()
	if _, err := l.Append(t.Context(), ledgertest.Note("x")); err == nil {
		t.Error("append without a server succeeds")
	}
	if _, err := l.Get(t.Context(), 1); err == nil || errors.Is(err, ledger.ErrNotFound) {
		t.Errorf("get: %v", err)
	}
	if err := l.WaitFor(t.Context(), 5); err == nil {
		t.Error("wait without a server succeeds")
	}
}

func TestSubject_HasEightTokens(t *testing.T) {
	for _, c := range []struct {
		name string
		e    events.Envelope
		want string
	}{
		{"nothing known", events.Envelope{Tenant: "t", Type: events.KindLogOpened}, "jacobian.t.log.opened.-.-.-.-"},
		{
			"everything",
			events.Envelope{Tenant: "t", Type: events.KindRunFinished, Subject: "graph.coloring-list.decide_all", Episode: "ep_1", Investigation: "inv_a"},
			"jacobian.t.run.finished.ep_1.inv_a.graph.graph/coloring-list/decide_all",
		},
		{"a subject that is no capability", events.Envelope{Tenant: "t", Type: events.KindArtifactStored, Subject: "artifact://sha256/00"}, "jacobian.t.artifact.stored.-.-.-.-"},
		{"a domain that ends at a dash", events.Envelope{Tenant: "t", Type: events.KindRunRequested, Subject: "sat-x.solve"}, "jacobian.t.run.requested.-.-.sat.sat-x/solve"},
	} {
		if got := jetstream.Subject(&c.e); got != c.want {
			t.Errorf("%s: %s", c.name, got)
		}
	}
	for _, k := range events.Kinds() {
		if s := jetstream.Subject(&events.Envelope{Tenant: "t", Type: k}); strings.Count(s, ".") != 7 || strings.ContainsAny(s, " *>") {
			t.Errorf("kind %s: %s", k, s)
		}
	}
	if got := jetstream.Pattern("t", "", ledger.Filter{Capability: "graph.coloring.decide"}); got != "jacobian.t.*.*.*.*.*.graph/coloring/decide" {
		t.Error(got)
	}
	if got := jetstream.Pattern("t", events.KindRunFinished, ledger.Filter{Domain: "sat", Episode: "ep_1", Investigation: "inv_1"}); got != "jacobian.t.run.finished.ep_1.inv_1.sat.*" {
		t.Error(got)
	}
}

// TestPattern_ServesPlainSubscribers follows the log with an ordinary NATS subscription.
func TestPattern_ServesPlainSubscribers(t *testing.T) {
	s, nc := create(t)
	l := ledgertest.Log(t, s)
	sub, err := nc.SubscribeSync(jetstream.Pattern(ledgertest.Tenant, events.KindRunFinished, ledger.Filter{Domain: "integer"}))
	if err != nil {
		t.Fatal(err)
	}
	stored, err := l.Append(t.Context(), ledgertest.Note("x"), ledgertest.Finished(ledgertest.Episode(1)))
	if err != nil {
		t.Fatal(err)
	}
	m, err := sub.NextMsgWithContext(t.Context())
	if err != nil || string(m.Data) != string(stored[1].Bytes) {
		t.Errorf("received %s, %v", m.Data, err)
	}
}
