package embed_test

import (
	"bufio"
	"context"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"testing"
	"time"

	"github.com/jacobian-ledger/jacobian/embed"
	"github.com/jacobian-ledger/jacobian/events"
)

// fill opens a ledger and runs small operations until it holds at least want events.
func fill(b *testing.B, dir string, want int) *embed.Node {
	b.Helper()
	n, err := embed.Open(b.Context(), embed.Options{Dir: dir})
	if err != nil {
		b.Fatal(err)
	}
	for i := 0; 2*i < want; i++ {
		res := n.Run(b.Context(), request("integer.compute.gcd", fmt.Sprintf(`{"a":"%d","b":"18"}`, i)), embed.RunOptions{})
		if res.Execution.Status != events.StatusCompleted {
			b.Fatalf("%+v", res.Diagnostics)
		}
	}
	return n
}

// BenchmarkOpen is the time to open and close a ledger of 1,000 events, ready to answer.
func BenchmarkOpen(b *testing.B) {
	dir := b.TempDir()
	if err := fill(b, dir, 1000).Close(); err != nil {
		b.Fatal(err)
	}
	var opening time.Duration
	for b.Loop() {
		began := time.Now()
		n, err := embed.Open(b.Context(), embed.Options{Dir: dir})
		if err != nil {
			b.Fatal(err)
		}
		opening += time.Since(began)
		if err := n.Close(); err != nil {
			b.Fatal(err)
		}
	}
	b.ReportMetric(float64(opening.Milliseconds())/float64(b.N), "open-ms")
}

// rawSync is the median of one write and fdatasync of 1 KiB on the disk of dir.
func rawSync(b *testing.B, dir string, rounds int) time.Duration {
	b.Helper()
	f, err := os.Create(filepath.Join(dir, "raw"))
	if err != nil {
		b.Fatal(err)
	}
	defer f.Close()
	block := make([]byte, 1024)
	var all []time.Duration
	for range rounds {
		began := time.Now()
		if _, err := f.Write(block); err != nil {
			b.Fatal(err)
		}
		if err := fdatasync(f); err != nil {
			b.Fatal(err)
		}
		all = append(all, time.Since(began))
	}
	slices.Sort(all)
	return all[len(all)/2]
}

// BenchmarkRun is a trivial operation from request to recorded end, as a ratio to two raw
// write+fdatasync of 1 KiB measured around it on the same disk.
func BenchmarkRun(b *testing.B) {
	dir := b.TempDir()
	n := fill(b, dir, 10)
	defer n.Close()
	before := rawSync(b, dir, 200)
	var all []time.Duration
	for i := 0; b.Loop(); i++ {
		began := time.Now()
		res := n.Run(b.Context(), request("integer.compute.gcd", fmt.Sprintf(`{"a":"%d","b":"30"}`, 1_000_000+i)), embed.RunOptions{})
		if res.Execution.Status != events.StatusCompleted {
			b.Fatalf("%+v", res.Diagnostics)
		}
		all = append(all, time.Since(began))
	}
	raw := (before + rawSync(b, dir, 200)) / 2
	slices.Sort(all)
	b.ReportMetric(float64(all[len(all)/2])/float64(2*raw), "x-two-raw-syncs")
	b.ReportMetric(float64(raw.Microseconds()), "raw-us")
}

// BenchmarkMemo is the same question again: answered from the log with one append.
func BenchmarkMemo(b *testing.B) {
	n := fill(b, b.TempDir(), 10)
	defer n.Close()
	for b.Loop() {
		if res := n.Run(b.Context(), request("integer.compute.gcd", `{"a":"1","b":"18"}`), embed.RunOptions{}); res.Memo == nil {
			b.Fatal("no memo")
		}
	}
}

// agentEnv makes the test binary a server of agents on a ledger, as the command jacobian mcp is.
const agentEnv = "JACOBIAN_TEST_AGENT"

func agent(dir string) {
	n, err := embed.Open(context.Background(), embed.Options{Dir: dir})
	if err == nil {
		err = n.ServeStdio(context.Background(), os.Stdin, os.Stdout, embed.StdioOptions{})
	}
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
	if err := n.Close(); err != nil {
		os.Exit(1)
	}
	os.Exit(0)
}

const initialize = `{"jsonrpc":"2.0","id":1,"method":"initialize","params":{"protocolVersion":"2025-11-25","capabilities":{},"clientInfo":{"name":"bench","version":"1"}}}` + "\n"

// BenchmarkInitialize is the time from the start of a process to its answer to initialize, on a ledger
// of 1,000 events.
func BenchmarkInitialize(b *testing.B) {
	dir := b.TempDir()
	if err := fill(b, dir, 1000).Close(); err != nil {
		b.Fatal(err)
	}
	var all []time.Duration
	for b.Loop() {
		cmd := exec.Command(os.Args[0])
		cmd.Env = append(os.Environ(), agentEnv+"="+dir)
		in, err := cmd.StdinPipe()
		if err != nil {
			b.Fatal(err)
		}
		out, err := cmd.StdoutPipe()
		if err != nil {
			b.Fatal(err)
		}
		began := time.Now()
		if err := cmd.Start(); err != nil {
			b.Fatal(err)
		}
		if _, err := in.Write([]byte(initialize)); err != nil {
			b.Fatal(err)
		}
		if _, err := bufio.NewReader(out).ReadString('\n'); err != nil {
			b.Fatal(err)
		}
		all = append(all, time.Since(began))
		if err := in.Close(); err != nil {
			b.Fatal(err)
		}
		if err := cmd.Wait(); err != nil {
			b.Fatal(err)
		}
	}
	slices.Sort(all)
	b.ReportMetric(float64(all[len(all)/2].Microseconds())/1000, "p50-ms")
}

// BenchmarkReplay reads the whole log from its first event, strictly decoded.
func BenchmarkReplay(b *testing.B) {
	n := fill(b, b.TempDir(), 5000)
	defer n.Close()
	count := 0
	for b.Loop() {
		for _, err := range n.ReadLog(b.Context(), 1) {
			if err != nil {
				b.Fatal(err)
			}
			count++
		}
	}
	b.ReportMetric(float64(count)/b.Elapsed().Seconds(), "events/s")
}
