package artifact_test

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"testing"

	"github.com/jacobian-ledger/jacobian/events/digest"
	"github.com/jacobian-ledger/jacobian/ledger/artifact"
)

// backend is a map that can be told to fail.
type backend struct {
	blobs map[digest.Digest][]byte
	puts  int
	err   error
}

func (b *backend) Put(_ context.Context, blobs []artifact.Blob) error {
	b.puts += len(blobs)
	for _, x := range blobs {
		b.blobs[x.Digest] = x.Data
	}
	return b.err
}

func (b *backend) Get(_ context.Context, d digest.Digest) ([]byte, error) {
	if x, ok := b.blobs[d]; ok {
		return x, b.err
	}
	return nil, artifact.ErrNotFound
}

func (b *backend) Size(ctx context.Context, d digest.Digest) (int64, error) {
	x, err := b.Get(ctx, d)
	return int64(len(x)), err
}

func (b *backend) Used(context.Context) (int64, error) {
	var n int64
	for _, x := range b.blobs {
		n += int64(len(x))
	}
	return n, b.err
}

func newStore(t *testing.T, c artifact.Config) (*artifact.Store, *backend) {
	t.Helper()
	b := &backend{blobs: map[digest.Digest][]byte{}}
	c.Backend = b
	s, err := artifact.New(c)
	if err != nil {
		t.Fatal(err)
	}
	return s, b
}

func TestGet_HashesEveryTime(t *testing.T) {
	s, b := newStore(t, artifact.Config{})
	content := []byte(strings.Repeat("proof", 100))
	d, err := s.Put(t.Context(), content)
	if err != nil {
		t.Fatal(err)
	}
	for i := range content {
		for bit := range 8 {
			b.blobs[d[0]][i] ^= 1 << bit
			var corrupt *artifact.CorruptError
			if got, err := s.Get(t.Context(), d[0]); !errors.As(err, &corrupt) || corrupt.Want != d[0] || corrupt.Found != digest.Of(content) {
				t.Fatalf("byte %d, bit %d: read %d bytes, %v", i, bit, len(got), err)
			}
			b.blobs[d[0]][i] ^= 1 << bit
		}
	}
	if _, err := s.Get(t.Context(), d[0]); err != nil {
		t.Error(err)
	}
	b.blobs[d[0]] = nil
	if _, err := s.Get(t.Context(), d[0]); !errors.Is(err, artifact.ErrCorrupt) {
		t.Errorf("no bytes: %v", err)
	}
}

func TestPut_SendsEachOnce(t *testing.T) {
	s, b := newStore(t, artifact.Config{})
	x, y := []byte("x"), []byte("y")
	got, err := s.Put(t.Context(), x, y, x, x)
	if err != nil || b.puts != 2 || len(got) != 4 || got[0] != got[3] || got[1] != digest.Of(y) {
		t.Errorf("%v, %v after %d puts", got, err, b.puts)
	}
}

func TestStore_BackendFailures(t *testing.T) {
	s, b := newStore(t, artifact.Config{})
	d, err := s.Put(t.Context(), []byte("x"))
	if err != nil {
		t.Fatal(err)
	}
	b.err = errors.New("the disk is full")
	_, put := s.Put(t.Context(), []byte("y"))
	_, get := s.Get(t.Context(), d[0])
	_, has := s.Has(t.Context(), d[0])
	for name, err := range map[string]error{"put": put, "get": get, "has": has} {
		if !errors.Is(err, b.err) || errors.Is(err, artifact.ErrNotFound) || errors.Is(err, artifact.ErrCorrupt) {
			t.Errorf("%s: %v", name, err)
		}
	}
}

func TestNew_RefusesWhatIsIncomplete(t *testing.T) {
	if _, err := artifact.New(artifact.Config{}); err == nil {
		t.Error("no backend was accepted")
	}
	if _, err := artifact.New(artifact.Config{Backend: &backend{}, MaxBytes: -1}); err == nil {
		t.Error("a negative limit was accepted")
	}
}

func ExampleStore() {
	s, err := artifact.New(artifact.Config{Backend: &backend{blobs: map[digest.Digest][]byte{}}})
	if err != nil {
		fmt.Println(err)
		return
	}
	ctx := context.Background()
	d, err := s.Put(ctx, []byte("p cnf 1 1\n1 0\n"))
	if err != nil {
		fmt.Println(err)
		return
	}
	b, err := s.Get(ctx, d[0])
	fmt.Printf("%s\n%q %v\n", d[0], b, err)
	// Output:
	// sha256:6642f3ff4fae6f869a53f303bc768802cec0a16af731686c6bf03f342cf0489e
	// "p cnf 1 1\n1 0\n" <nil>
}
