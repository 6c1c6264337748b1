package jetstream_test

import (
	"bytes"
	"errors"
	"fmt"
	"io/fs"
	"math/rand/v2"
	"os"
	"path/filepath"
	"sync"
	"testing"

	"github.com/jacobian-ledger/jacobian/embed/natsd"
	"github.com/jacobian-ledger/jacobian/events/digest"
	"github.com/jacobian-ledger/jacobian/ledger"
	"github.com/jacobian-ledger/jacobian/ledger/artifact"
	"github.com/jacobian-ledger/jacobian/ledger/artifact/jetstream"
	ledgerstream "github.com/jacobian-ledger/jacobian/ledger/jetstream"
	"github.com/nats-io/nats.go"
	natsstream "github.com/nats-io/nats.go/jetstream"
)

// start starts a server on the directory and opens the artifacts of tenant t.
func start(t testing.TB, dir string, limits artifact.Config) (s *artifact.Store, nc *nats.Conn, stop func()) {
	t.Helper()
	server, err := natsd.Start(natsd.Options{StoreDir: dir})
	if err != nil {
		t.Fatal(err)
	}
	if nc, err = server.Conn(); err != nil {
		t.Fatal(err)
	}
	stop = sync.OnceFunc(func() { nc.Close(); server.Stop() })
	t.Cleanup(stop)
	limits.Backend, err = jetstream.Open(t.Context(), ledgerstream.Config{Conn: nc, Tenant: "t"})
	if err != nil {
		t.Fatal(err)
	}
	if s, err = artifact.New(limits); err != nil {
		t.Fatal(err)
	}
	return s, nc, stop
}

func content(size int) []byte {
	b := make([]byte, size)
	_, _ = rand.NewChaCha8([32]byte{byte(size), byte(size >> 8)}).Read(b)
	return b
}

func TestPut_IsReadBackAndIdempotent(t *testing.T) {
	dir := t.TempDir()
	s, _, stop := start(t, dir, artifact.Config{})
	const chunk = 512 << 10
	sizes := []int{0, 1, 1000, chunk - 1, chunk, chunk + 1, 3*chunk + 7, artifact.DefaultMaxBytes}
	check := func() {
		t.Helper()
		for _, size := range sizes {
			c := content(size)
			d := digest.Of(c)
			if got, err := s.Get(t.Context(), d); err != nil || !bytes.Equal(got, c) {
				t.Errorf("%d bytes: read %d bytes, %v", size, len(got), err)
			}
			if n, err := s.Size(t.Context(), d); err != nil || n != int64(size) {
				t.Errorf("%d bytes: Size = %d, %v", size, n, err)
			}
		}
	}
	for range 2 {
		for _, size := range sizes {
			d, err := s.Put(t.Context(), content(size))
			if err != nil || len(d) != 1 || d[0] != digest.Of(content(size)) {
				t.Fatalf("%d bytes: %v, %v", size, d, err)
			}
		}
		check()
	}
	// Known and unknown, twice in one call.
	mixed := [][]byte{content(1), []byte("new"), content(chunk + 1), []byte("new"), content(1)}
	for range 2 {
		if d, err := s.Put(t.Context(), mixed...); err != nil || len(d) != 5 || d[1] != d[3] {
			t.Fatal(d, err)
		}
	}
	if d, err := s.Put(t.Context()); err != nil || len(d) != 0 {
		t.Error(d, err)
	}
	stop()
	s, nc, _ := start(t, dir, artifact.Config{})
	check()
	js, err := natsstream.New(nc)
	if err != nil {
		t.Fatal(err)
	}
	stream, err := js.Stream(t.Context(), "JACART_t")
	if err != nil {
		t.Fatal(err)
	}
	if got, want := stream.CachedInfo().State.Msgs, uint64(1+1+1+1+1+2+4+20+1); got != want {
		t.Errorf("expected %d messages, found %d", want, got)
	}
}

func TestPut_ByManyAtOnceIsOneArtifact(t *testing.T) {
	s, _, _ := start(t, t.TempDir(), artifact.Config{})
	var wg sync.WaitGroup
	for w := range 8 {
		wg.Go(func() {
			own := fmt.Appendf(nil, "of %d", w)
			d, err := s.Put(t.Context(), []byte("shared"), own)
			if err != nil {
				t.Error(err)
				return
			}
			if got, err := s.Get(t.Context(), d[1]); err != nil || !bytes.Equal(got, own) {
				t.Errorf("%q, %v", got, err)
			}
		})
	}
	wg.Wait()
}

func TestGet_WhatIsNotThere(t *testing.T) {
	s, _, _ := start(t, t.TempDir(), artifact.Config{})
	d := digest.Of([]byte("never stored"))
	if _, err := s.Get(t.Context(), d); !errors.Is(err, artifact.ErrNotFound) {
		t.Errorf("Get: %v", err)
	}
	if has, err := s.Has(t.Context(), d); has || err != nil {
		t.Errorf("Has: %t, %v", has, err)
	}
}

func TestPut_Limits(t *testing.T) {
	s, _, _ := start(t, t.TempDir(), artifact.Config{MaxBytes: 1000, MaxTenant: 3000})
	refused := func(limit string, contents ...[]byte) {
		t.Helper()
		_, err := s.Put(t.Context(), contents...)
		var e *artifact.LimitError
		if !errors.As(err, &e) || e.Limit != limit || !errors.Is(err, artifact.ErrLimit) || e.Found <= e.Max {
			t.Errorf("expected limit %q, found %v", limit, err)
		}
	}
	refused("artifact", content(1001))
	refused("artifact", content(5), content(1001))
	refused("count", make([][]byte, artifact.MaxPut+1)...)
	refused("tenant", content(996), content(997), content(998), content(999))
	if _, err := s.Put(t.Context(), content(1000), content(900)); err != nil {
		t.Fatal(err)
	}
	refused("tenant", content(999))
	if _, err := s.Put(t.Context(), content(900), content(1000), content(900)); err != nil {
		t.Errorf("what is there needs no room: %v", err)
	}
	if has, err := s.Has(t.Context(), digest.Of(content(5))); has || err != nil {
		t.Errorf("a refused Put stored something: %v", err)
	}
}

// TestGet_OtherBytesUnderTheDigest writes past the store, as an attacker with the connection could.
func TestGet_OtherBytesUnderTheDigest(t *testing.T) {
	s, nc, _ := start(t, t.TempDir(), artifact.Config{})
	js, err := natsstream.New(nc)
	if err != nil {
		t.Fatal(err)
	}
	good, evil := []byte("good"), []byte("evil")
	for _, c := range []struct {
		name, subject string
		publish       []byte
	}{
		{"other bytes", "4.0", evil},
		{"fewer bytes than the subject says", "5.0", good},
		{"the right bytes under another size", "5.0", good},
		{"no size", "many.0", good},
		{"a negative size", "-4.0", good},
		{"a missing chunk", "600000.0", good},
	} {
		d := digest.Of([]byte(c.name))
		if c.name == "the right bytes under another size" {
			d = digest.Of(good)
		}
		if _, err := js.Publish(t.Context(), "jacobian-artifact.t."+d.Hex()+"."+c.subject, c.publish); err != nil {
			t.Fatal(err)
		}
		got, err := s.Get(t.Context(), d)
		var corrupt *artifact.CorruptError
		if !errors.As(err, &corrupt) || corrupt.Want != d || !errors.Is(err, artifact.ErrCorrupt) {
			t.Errorf("%s: read %q, %v", c.name, got, err)
		}
	}
}

// TestGet_FlippedByteOnDisk flips one byte of the payload in the server's file.
func TestGet_FlippedByteOnDisk(t *testing.T) {
	dir := t.TempDir()
	s, _, stop := start(t, dir, artifact.Config{})
	c := bytes.Repeat([]byte("certificate "), 100)
	d, err := s.Put(t.Context(), c)
	if err != nil {
		t.Fatal(err)
	}
	stop()
	flipped := 0
	err = filepath.WalkDir(dir, func(path string, e fs.DirEntry, err error) error {
		if err != nil || filepath.Ext(path) != ".blk" {
			return err
		}
		b, err := os.ReadFile(path)
		if err != nil {
			return err
		}
		if i := bytes.Index(b, c); i >= 0 {
			b[i+500] ^= 1
			flipped++
			return os.WriteFile(path, b, 0o600)
		}
		return nil
	})
	if err != nil || flipped != 1 {
		t.Fatalf("flipped %d bytes, %v", flipped, err)
	}
	s, _, _ = start(t, dir, artifact.Config{})
	got, err := s.Get(t.Context(), d[0])
	// Whether it is damaged or gone is up to the server, which may cut a damaged file.
	if !errors.Is(err, artifact.ErrCorrupt) && !errors.Is(err, artifact.ErrNotFound) {
		t.Errorf("read %d bytes, %v", len(got), err)
	}
	t.Log(err)
}

func TestOpen_RefusesAChangedStream(t *testing.T) {
	_, nc, _ := start(t, t.TempDir(), artifact.Config{})
	js, err := natsstream.New(nc)
	if err != nil {
		t.Fatal(err)
	}
	stream, err := js.Stream(t.Context(), "JACART_t")
	if err != nil {
		t.Fatal(err)
	}
	config := stream.CachedInfo().Config
	config.MaxBytes = 1 << 20
	if _, err := js.UpdateStream(t.Context(), config); err != nil {
		t.Fatal(err)
	}
	if _, err := jetstream.Open(t.Context(), ledgerstream.Config{Conn: nc, Tenant: "t"}); !errors.Is(err, ledger.ErrReadOnly) {
		t.Errorf("found %v", err)
	}
}
