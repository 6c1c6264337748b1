package jetstream_test

import (
	"path/filepath"
	"testing"

	"github.com/jacobian-ledger/jacobian/embed/natsd"
	"github.com/jacobian-ledger/jacobian/ledger"
	"github.com/jacobian-ledger/jacobian/ledger/jetstream"
	"github.com/jacobian-ledger/jacobian/ledger/ledgertest"
	"github.com/nats-io/nats.go"
)

// server starts a server on a directory; it ends with the test.
func server(t testing.TB, dir string) *nats.Conn {
	t.Helper()
	s, err := natsd.Start(natsd.Options{StoreDir: filepath.Join(dir, "jetstream")})
	if err != nil {
		t.Fatal(err)
	}
	nc, err := s.Conn()
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { nc.Close(); s.Stop() })
	return nc
}

// create makes a log on a fresh server.
func create(t testing.TB) (*jetstream.Store, *nats.Conn) {
	t.Helper()
	nc := server(t, t.TempDir())
	s, err := jetstream.Create(t.Context(), jetstream.Config{Conn: nc, Tenant: ledgertest.Tenant})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(s.Close)
	return s, nc
}

func TestStore_Conforms(t *testing.T) {
	ledgertest.TestStore(t, func(t *testing.T) ledger.Store { s, _ := create(t); return s })
}
