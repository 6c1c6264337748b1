package jetstream_test

import (
	"bytes"
	"fmt"
	"os"
	"path/filepath"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/jacobian-ledger/jacobian/events"
	"github.com/jacobian-ledger/jacobian/ledger"
	"github.com/jacobian-ledger/jacobian/ledger/ledgertest"
	"github.com/nats-io/nats.go/jetstream"
)

// rawSync measures the floor under every durable append: a write of size bytes and a sync, on the
// disk where tests keep their directories.
func rawSync(b *testing.B, size int) time.Duration {
	b.Helper()
	f, err := os.Create(filepath.Join(b.TempDir(), "raw"))
	if err != nil {
		b.Fatal(err)
	}
	defer func() { _ = f.Close() }()
	const rounds = 200
	block := bytes.Repeat([]byte{1}, size)
	begin := time.Now()
	for range rounds {
		if _, err := f.Write(block); err != nil {
			b.Fatal(err)
		}
		if err := f.Sync(); err != nil {
			b.Fatal(err)
		}
	}
	return time.Since(begin) / rounds
}

func open(b *testing.B) *ledger.Log {
	s, _ := create(b)
	return ledgertest.Log(b, s)
}

// note is an event of about one KiB.
func note() ledger.Draft { return ledgertest.Note(string(bytes.Repeat([]byte("k"), 512))) }

// BenchmarkAppend_Single is one writer, one event at a time. x_raw is the ratio to a raw write and
// sync of 1 KiB.
func BenchmarkAppend_Single(b *testing.B) {
	l, raw := open(b), rawSync(b, 1024)
	for b.Loop() {
		if _, err := l.Append(b.Context(), note()); err != nil {
			b.Fatal(err)
		}
	}
	b.ReportMetric(float64(b.Elapsed())/float64(b.N)/float64(raw), "x_raw")
}

// BenchmarkAppend_Batch is one writer that appends n events at once, as the end of a run does.
func BenchmarkAppend_Batch(b *testing.B) {
	for _, n := range []int{2, 8, 64, 500} {
		b.Run(fmt.Sprint(n), func(b *testing.B) {
			l, raw := open(b), rawSync(b, n*1024)
			drafts := make([]ledger.Draft, n)
			for i := range drafts {
				drafts[i] = note()
			}
			for b.Loop() {
				if _, err := l.Append(b.Context(), drafts...); err != nil {
					b.Fatal(err)
				}
			}
			b.ReportMetric(float64(b.Elapsed())/float64(b.N)/float64(raw), "x_raw")
			b.ReportMetric(float64(b.N*n)/b.Elapsed().Seconds(), "events/s")
		})
	}
}

// BenchmarkAppend_Writers is 64 writers, each one event at a time. x_group is the ratio to a raw group
// commit: one write and sync of 64 KiB for every 64 events.
func BenchmarkAppend_Writers(b *testing.B) {
	const writers = 64
	l, raw := open(b), rawSync(b, writers*1024)
	var left atomic.Int64
	left.Store(int64(b.N))
	b.ResetTimer()
	var wg sync.WaitGroup
	for range writers {
		wg.Go(func() {
			for left.Add(-1) >= 0 {
				if _, err := l.Append(b.Context(), note()); err != nil {
					b.Error(err)
					return
				}
			}
		})
	}
	wg.Wait()
	b.ReportMetric(float64(b.Elapsed())/float64(b.N)/(float64(raw)/writers), "x_group")
	b.ReportMetric(float64(b.N)/b.Elapsed().Seconds(), "events/s")
}

// BenchmarkRead reads a log of 20,000 events with strict decoding. x_consumer is the ratio to the time
// in which a plain ordered consumer receives the same messages without decoding.
func BenchmarkRead(b *testing.B) {
	const n = 20_000
	s, nc := create(b)
	l := ledgertest.Log(b, s)
	drafts := make([]ledger.Draft, ledger.MaxBatch)
	for i := range drafts {
		drafts[i] = note()
	}
	for range n / len(drafts) {
		if _, err := l.Append(b.Context(), drafts...); err != nil {
			b.Fatal(err)
		}
	}
	read := func(b *testing.B, raw bool) {
		count := 0
		if raw {
			for range s.Read(b.Context(), 1, n, ledger.Filter{}) {
				count++
			}
		} else {
			for _, err := range l.Read(b.Context(), 1) {
				if err != nil {
					b.Fatal(err)
				}
				count++
			}
		}
		if count != n {
			b.Fatalf("read %d events", count)
		}
	}
	js, err := jetstream.New(nc)
	if err != nil {
		b.Fatal(err)
	}
	consume := func(b *testing.B) {
		c, err := js.OrderedConsumer(b.Context(), "JAC_"+ledgertest.Tenant, jetstream.OrderedConsumerConfig{DeliverPolicy: jetstream.DeliverAllPolicy})
		if err != nil {
			b.Fatal(err)
		}
		messages, err := c.Messages()
		if err != nil {
			b.Fatal(err)
		}
		for range n {
			if _, err := messages.Next(); err != nil {
				b.Fatal(err)
			}
		}
		messages.Stop()
	}
	for _, c := range []struct {
		name string
		run  func(*testing.B)
	}{
		{"decoded", func(b *testing.B) { read(b, false) }},
		{"bytes", func(b *testing.B) { read(b, true) }},
		{"ordered-consumer", consume},
	} {
		b.Run(c.name, func(b *testing.B) {
			begin := time.Now()
			consume(b)
			raw := time.Since(begin)
			for b.Loop() {
				c.run(b)
			}
			b.ReportMetric(float64(b.N*n)/b.Elapsed().Seconds(), "events/s")
			b.ReportMetric(float64(b.Elapsed())/float64(b.N)/float64(raw), "x_consumer")
		})
	}
	b.Run("decode-alone", func(b *testing.B) {
		stored, err := l.Get(b.Context(), 1)
		if err != nil {
			b.Fatal(err)
		}
		for b.Loop() {
			if _, _, err := events.Decode(stored.Bytes); err != nil {
				b.Fatal(err)
			}
		}
	})
}
