package jetstream_test

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"os"
	"os/exec"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/jacobian-ledger/jacobian/embed/natsd"
	"github.com/jacobian-ledger/jacobian/events"
	"github.com/jacobian-ledger/jacobian/ledger"
	"github.com/jacobian-ledger/jacobian/ledger/jetstream"
	"github.com/jacobian-ledger/jacobian/ledger/ledgertest"
)

// TestMain lets this binary be the process that is killed.
func TestMain(m *testing.M) {
	if dir := os.Getenv("LEDGER_CRASH_DIR"); dir != "" {
		fmt.Println("error", appendForEver(dir))
		os.Exit(1)
	}
	os.Exit(m.Run())
}

// appendForEver appends from several goroutines and prints a line "ack <seq> <digest>" for each event
// once its append has returned.
func appendForEver(dir string) error {
	server, err := natsd.Start(natsd.Options{StoreDir: dir})
	if err != nil {
		return err
	}
	nc, err := server.Conn()
	if err != nil {
		return err
	}
	store, err := openOrCreate(context.Background(), jetstream.Config{Conn: nc, Tenant: ledgertest.Tenant})
	if err != nil {
		return err
	}
	l, err := ledger.New(ledger.Config{Store: store, Tenant: ledgertest.Tenant, Source: "crash", Producer: "crash/1", Clock: time.Now})
	if err != nil {
		return err
	}
	failed := make(chan error)
	for w := range 4 {
		go func() {
			for i := 0; ; i++ {
				stored, err := l.Append(context.Background(), crashDrafts(w, i)...)
				if err != nil {
					failed <- err
					return
				}
				for _, e := range stored {
					_, _ = os.Stdout.WriteString(fmt.Sprintf("ack %d %s\n", e.Seq, e.Digest()))
				}
			}
		}()
	}
	return <-failed
}

// crashDrafts is a single note, a terminal event, or a batch whose members say which batch and how
// large it is.
func crashDrafts(w, i int) []ledger.Draft {
	switch (w + i) % 3 {
	case 0:
		return []ledger.Draft{ledgertest.Note("alone")}
	case 1:
		return []ledger.Draft{ledgertest.Finished(events.NewEpisode(time.Now()))}
	}
	batch, n := events.NewNonce(), 2+i%4
	drafts := make([]ledger.Draft, n)
	for j := range drafts {
		drafts[j] = ledgertest.Note(fmt.Sprintf("batch %s %d %d", batch, j, n))
	}
	return drafts
}

func openOrCreate(ctx context.Context, c jetstream.Config) (*jetstream.Store, error) {
	s, err := jetstream.Open(ctx, c)
	if errors.Is(err, ledger.ErrNotFound) {
		return jetstream.Create(ctx, c)
	}
	return s, err
}

// TestCrash_KillNine kills a writing process again and again, after a random number of
// acknowledgements, and reads the log each time.
func TestCrash_KillNine(t *testing.T) {
	t.Parallel()
	rounds := 50
	if testing.Short() {
		rounds = 10
	}
	seed := uint64(time.Now().UnixNano())
	t.Logf("seed %d", seed)
	random := rand.New(rand.NewPCG(seed, 0))
	dir := t.TempDir()
	acked := map[uint64]string{}
	for round := range rounds {
		runAndKill(t, dir, 1+random.IntN(40), acked)
		if t.Failed() {
			t.Fatalf("round %d", round)
		}
		readAfterCrash(t, dir, acked)
		if t.Failed() {
			t.Fatalf("round %d", round)
		}
	}
	t.Logf("%d kills, %d acknowledged events", rounds, len(acked))
}

// runAndKill runs the writer, kills it after that many acknowledgements, and collects every
// acknowledgement that it made.
func runAndKill(t *testing.T, dir string, after int, acked map[uint64]string) {
	t.Helper()
	c := exec.Command(os.Args[0])
	c.Env = append(os.Environ(), "LEDGER_CRASH_DIR="+dir)
	out, err := c.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := c.Start(); err != nil {
		t.Fatal(err)
	}
	var kill sync.Once
	lines := bufio.NewScanner(out)
	for n := 0; lines.Scan(); {
		var seq uint64
		var digest string
		if _, err := fmt.Sscanf(lines.Text(), "ack %d %s", &seq, &digest); err != nil {
			t.Errorf("the writer says %q", lines.Text())
			break
		}
		if _, double := acked[seq]; double {
			t.Errorf("sequence %d was acknowledged twice", seq)
		}
		acked[seq] = digest
		if n++; n >= after {
			kill.Do(func() { _ = c.Process.Kill() })
		}
	}
	kill.Do(func() { _ = c.Process.Kill() })
	_ = c.Wait() // killed
}

// readAfterCrash checks that every acknowledged event is there with the same bytes, that none is
// there twice, that batches are whole and that episodes ended once.
func readAfterCrash(t *testing.T, dir string, acked map[uint64]string) {
	t.Helper()
	server, err := natsd.Start(natsd.Options{StoreDir: dir})
	if err != nil {
		t.Fatal(err)
	}
	defer server.Stop()
	nc, err := server.Conn()
	if err != nil {
		t.Fatal(err)
	}
	defer nc.Close()
	store, err := jetstream.Open(t.Context(), jetstream.Config{Conn: nc, Tenant: ledgertest.Tenant})
	if err != nil {
		t.Fatal(err)
	}
	defer store.Close()
	ids, ended := map[string]bool{}, map[string]bool{}
	var batch string
	var due int
	found := 0
	for _, e := range ledgertest.Collect(t, ledgertest.Log(t, store).Read(t.Context(), 1)) {
		if want, ok := acked[e.Seq]; ok {
			found++
			if want != e.Digest().String() {
				t.Errorf("sequence %d changed after its acknowledgement: %s", e.Seq, e.Bytes)
			}
		}
		if ids[e.Envelope.ID] || e.Envelope.Type == events.KindRunFinished && ended[e.Envelope.Episode] {
			t.Errorf("sequence %d is there twice: %s", e.Seq, e.Bytes)
		}
		ids[e.Envelope.ID], ended[e.Envelope.Episode] = true, true
		id, i, n := "", 0, 0
		if note, ok := e.Event.(*events.NoteWritten); ok && strings.HasPrefix(note.Text, "batch ") {
			if _, err := fmt.Sscanf(note.Text, "batch %s %d %d", &id, &i, &n); err != nil {
				t.Fatal(err)
			}
		}
		if due > 0 && id != batch || due == 0 && i != 0 {
			t.Errorf("sequence %d: a batch is not whole: %d events of %q are missing", e.Seq, due, batch)
		}
		batch, due = id, max(n-i-1, 0)
	}
	if due > 0 {
		t.Errorf("the last batch lacks %d events", due)
	}
	if found != len(acked) {
		t.Errorf("%d of %d acknowledged events are there", found, len(acked))
	}
}
