package main

import (
	"bytes"
	"context"
	"encoding/json"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	jacobian "github.com/jacobian-ledger/jacobian/embed"
	"github.com/jacobian-ledger/jacobian/events"
)

// This program is the tests, the workers of runs that tests start, and, under its own name, jacobian.
func TestMain(m *testing.M) {
	jacobian.ChildMain()
	if filepath.Base(os.Args[0]) == "jacobian" {
		main()
	}
	os.Exit(m.Run())
}

// A run that is interrupted is stopped, and its end is on the log.
func TestRun_Interrupted(t *testing.T) {
	dir := t.TempDir()
	ctx, interrupt := context.WithCancel(t.Context())
	defer interrupt()
	var out bytes.Buffer
	errw := &trigger{word: "requested", fire: interrupt}
	// RSA-100 takes far longer than anybody waits here, so only the interrupt can end it.
	code := run(ctx, []string{"run", "--dir", dir, "integer.compute.prime_factorization", "n=" + rsa100, "--json"}, nil, &out, errw)
	if code != exitCancelled {
		t.Fatalf("exit code %d, want %d\n%s%s", code, exitCancelled, &out, &errw.Buffer)
	}
	var res events.Result
	if err := json.Unmarshal(out.Bytes(), &res); err != nil {
		t.Fatal(err)
	}
	if res.Execution.Status != events.StatusCancelled || res.Conclusion != events.Unknown {
		t.Errorf("got %s %s, want CANCELLED UNKNOWN", res.Execution.Status, res.Conclusion)
	}
	out.Reset()
	if code := run(t.Context(), []string{"--dir", dir, "log", "tail", "--json"}, nil, &out, errw); code != exitDone {
		t.Fatalf("log tail: exit code %d", code)
	}
	var kinds []string
	for line := range strings.Lines(out.String()) {
		var e struct{ Event events.Envelope }
		if err := json.Unmarshal([]byte(line), &e); err != nil {
			t.Fatal(err)
		}
		if e.Event.Episode == res.Episode {
			kinds = append(kinds, string(e.Event.Type))
		}
	}
	if want := []string{"run.requested", "run.cancel_requested", "run.finished"}; !cmp.Equal(kinds, want) {
		t.Errorf("events of the episode: %s", cmp.Diff(want, kinds))
	}
}

// rsa100 is the first number of the RSA Factoring Challenge, a product of two 50-digit primes.
const rsa100 = "1522605027922533360535618378132637429718068114961380688657908494580122963258952897654000350692006139"

// trigger fires when a word is written to it.
type trigger struct {
	bytes.Buffer
	word string
	fire func()
}

func (w *trigger) Write(b []byte) (int, error) {
	if bytes.Contains(b, []byte(w.word)) {
		w.fire()
	}
	return w.Buffer.Write(b)
}

// A ledger has one owner; a second process is refused and told who it is.
func TestRun_LedgerInUse(t *testing.T) {
	dir := t.TempDir()
	n, err := jacobian.Open(t.Context(), jacobian.Options{Dir: dir})
	if err != nil {
		t.Fatal(err)
	}
	defer n.Close()
	var out, errw bytes.Buffer
	code := run(t.Context(), []string{"catalog", "--dir", dir}, nil, &out, &errw)
	if code != exitRefused || out.Len() > 0 || !strings.Contains(errw.String(), "process") {
		t.Errorf("exit code %d, want %d and the owner's name\nstdout: %s\nstderr: %s", code, exitRefused, &out, &errw)
	}
}

func TestWordValue(t *testing.T) {
	for _, c := range []struct{ name, word, kind, want string }{
		{"an exact number is text", "123", "string", `"123"`},
		{"a number beyond 2^53 is text", "9007199254740993", "", `"9007199254740993"`},
		{"a counter is an integer", "3", "integer", `3`},
		{"a counter that is no integer is left to the operation", "3.5", "integer", `"3.5"`},
		{"a truth value", "true", "boolean", `true`},
		{"the word true where text is wanted", "true", "string", `"true"`},
		{"a list", "[1,2]", "string", `[1,2]`},
		{"an object", `{"num":"1","den":"2"}`, "", `{"num":"1","den":"2"}`},
		{"quoted text", `"5"`, "integer", `"5"`},
		{"empty text", "", "string", `""`},
		{"text with quotes", `a"b`, "string", `"a\"b"`},
	} {
		t.Run(c.name, func(t *testing.T) {
			got, err := wordValue(c.word, c.kind)
			if err != nil || string(got) != c.want {
				t.Errorf("wordValue(%q, %q) = %s, %v; want %s", c.word, c.kind, got, err, c.want)
			}
		})
	}
}

func TestParseBytes(t *testing.T) {
	for _, c := range []struct {
		word string
		want int64 // 0: refused
	}{
		{"1GiB", 1 << 30},
		{"512MiB", 512 << 20},
		{"64 KiB", 64 << 10},
		{"2GB", 2e9},
		{"10B", 10},
		{"1", 0},
		{"GiB", 0},
		{"-1GiB", 0},
		{"0B", 0},
		{"1.5GiB", 0},
		{"99999999999GiB", 0},
	} {
		got, err := parseBytes(c.word)
		if got != c.want || (err != nil) != (c.want == 0) {
			t.Errorf("parseBytes(%q) = %d, %v; want %d", c.word, got, err, c.want)
		}
	}
}
