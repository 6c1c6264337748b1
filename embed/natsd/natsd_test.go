package natsd_test

import (
	"log/slog"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/jacobian-ledger/jacobian/embed/natsd"
	"github.com/nats-io/nats.go/jetstream"
)

func TestStart_KeepsStreamsAcrossRestarts(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "jetstream")
	var logged strings.Builder
	options := natsd.Options{StoreDir: dir, Logger: slog.New(slog.NewTextHandler(&logged, nil))}
	for round := range uint64(3) {
		begin := time.Now()
		s, err := natsd.Start(options)
		if err != nil {
			t.Fatal(err)
		}
		t.Logf("started in %v", time.Since(begin))
		nc, err := s.Conn()
		if err != nil {
			t.Fatal(err)
		}
		js, err := jetstream.New(nc)
		if err != nil {
			t.Fatal(err)
		}
		stream, err := js.CreateOrUpdateStream(t.Context(), jetstream.StreamConfig{Name: "S", Subjects: []string{"s"}})
		if err != nil {
			t.Fatal(err)
		}
		if got := stream.CachedInfo().State.Msgs; got != round {
			t.Errorf("round %d: found %d messages", round, got)
		}
		if _, err := js.Publish(t.Context(), "s", []byte("x")); err != nil {
			t.Fatal(err)
		}
		nc.Close()
		s.Stop()
	}
	if strings.Contains(logged.String(), "level=ERROR") {
		t.Errorf("the server complains:\n%s", &logged)
	}
}

func TestStart_RefusesNoDirectory(t *testing.T) {
	if _, err := natsd.Start(natsd.Options{}); err == nil || !strings.Contains(err.Error(), "store directory") {
		t.Errorf("expected an error about the store directory, found %v", err)
	}
}

func TestStart_FailsWhereTheDirectoryCannotBe(t *testing.T) {
	if _, err := natsd.Start(natsd.Options{StoreDir: "/dev/null/jetstream"}); err == nil {
		t.Error("started on a path below a file")
	}
}

func TestConn_FailsAfterStop(t *testing.T) {
	s, err := natsd.Start(natsd.Options{StoreDir: t.TempDir()})
	if err != nil {
		t.Fatal(err)
	}
	s.Stop()
	if nc, err := s.Conn(); err == nil {
		nc.Close()
		t.Error("connected to a stopped server")
	}
}
