package jetstream_test

import (
	"encoding/binary"
	"fmt"
	"testing"

	"github.com/jacobian-ledger/jacobian/events/digest"
	"github.com/jacobian-ledger/jacobian/ledger/artifact"
	"github.com/nats-io/nats.go/jetstream"
)

// fresh returns n blobs of a size, that were never stored before.
func fresh(b *testing.B, n, size int, counter *uint64) [][]byte {
	b.Helper()
	out := make([][]byte, n)
	for i := range out {
		*counter++
		out[i] = make([]byte, size)
		binary.LittleEndian.PutUint64(out[i], *counter)
	}
	return out
}

// BenchmarkPut compares this store with the JetStream object store: n blobs at once, on the same server,
// which syncs every write.
func BenchmarkPut(b *testing.B) {
	var counter uint64
	for _, c := range []struct{ n, size int }{{1, 1 << 10}, {4, 1 << 10}, {1, 100 << 10}, {4, 100 << 10}, {16, 1 << 10}, {1, 4 << 20}} {
		name := fmt.Sprintf("%dx%dKiB", c.n, c.size>>10)
		b.Run("stream/"+name, func(b *testing.B) {
			s, _, _ := start(b, b.TempDir(), artifact.Config{MaxTenant: 1 << 40})
			for b.Loop() {
				if _, err := s.Put(b.Context(), fresh(b, c.n, c.size, &counter)...); err != nil {
					b.Fatal(err)
				}
			}
		})
		b.Run("object-store/"+name, func(b *testing.B) {
			_, nc, _ := start(b, b.TempDir(), artifact.Config{})
			js, err := jetstream.New(nc)
			if err != nil {
				b.Fatal(err)
			}
			objects, err := js.CreateObjectStore(b.Context(), jetstream.ObjectStoreConfig{Bucket: "b"})
			if err != nil {
				b.Fatal(err)
			}
			for b.Loop() {
				for _, x := range fresh(b, c.n, c.size, &counter) {
					if _, err := objects.PutBytes(b.Context(), digest.Of(x).Hex(), x); err != nil {
						b.Fatal(err)
					}
				}
			}
		})
	}
}

// BenchmarkGet reads and hashes one artifact.
func BenchmarkGet(b *testing.B) {
	for _, size := range []int{1 << 10, 100 << 10, 4 << 20} {
		b.Run(fmt.Sprintf("%dKiB", size>>10), func(b *testing.B) {
			var counter uint64
			s, _, _ := start(b, b.TempDir(), artifact.Config{})
			d, err := s.Put(b.Context(), fresh(b, 1, size, &counter)...)
			if err != nil {
				b.Fatal(err)
			}
			b.SetBytes(int64(size))
			for b.Loop() {
				if _, err := s.Get(b.Context(), d[0]); err != nil {
					b.Fatal(err)
				}
			}
		})
	}
}
