package runner_test

import (
	"context"
	"encoding/json"
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/jacobian-ledger/jacobian/capabilities"
	"github.com/jacobian-ledger/jacobian/capabilities/checkers"
	"github.com/jacobian-ledger/jacobian/capabilities/engine"
	"github.com/jacobian-ledger/jacobian/capabilities/runner"
	"github.com/jacobian-ledger/jacobian/events"
	"github.com/jacobian-ledger/jacobian/events/authority"
	"github.com/jacobian-ledger/jacobian/events/digest"
)

type input struct {
	Do string `json:"do"`
}

type output struct {
	Done string `json:"done"`
}

var hostile = capabilities.NewPack("hostile")

var _ = capabilities.Define(hostile, capabilities.Definition[input, output]{
	ID: "hostile.operation.run", Title: "misbehaves", Description: "Misbehaves on request.", Heavy: true,
	Needs: []string{"misbehave", "behave badly"}, Examples: []capabilities.Example{{Name: "ok", Input: `{"do":"answer"}`, Output: `{"done":"yes"}`}},
	Run: func(ctx context.Context, env *capabilities.Env, in input) (capabilities.Outcome[output], error) {
		scope := events.Scope{Description: "some", Parameters: []events.Param{{Name: "steps", Value: "7"}}}
		switch in.Do {
		case "answer":
			env.Report(capabilities.Progress{Stage: "solving", Message: "hello"})
			return capabilities.Outcome[output]{Output: output{"yes"}}, nil
		case "refuse":
			return capabilities.Outcome[output]{}, capabilities.Invalid("/do", "something else", in.Do, "ask otherwise")
		case "listen":
			<-ctx.Done()
			return capabilities.Outcome[output]{Scope: &scope}, ctx.Err()
		case "hang":
			env.Covered(scope)
			time.Sleep(time.Hour)
		case "crash":
			panic("crashed")
		case "flood":
			for {
				env.Report(capabilities.Progress{Message: strings.Repeat("x", 10_000)})
			}
		case "allocate":
			var keep [][]byte
			for {
				b := make([]byte, 1<<24)
				for i := range b {
					b[i] = 1
				}
				if keep = append(keep, b); len(keep) > 1<<20 {
					return capabilities.Outcome[output]{}, nil
				}
			}
		}
		return capabilities.Outcome[output]{}, errors.New("unknown")
	},
})

var echo = checkers.Checker{
	ID: "test.echo", Version: 3, Class: "test", Semantics: []string{"test/1"}, Predicates: []string{"test.true"}, Formats: []string{"word"},
	Check: func(ctx context.Context, ev checkers.Evidence) (checkers.Verdict, error) {
		switch string(ev.Certificate) {
		case "yes":
			return checkers.Accept(events.True, "echo", "all"), nil
		case "slow":
			<-ctx.Done()
			return checkers.Verdict{}, ctx.Err()
		case "crash":
			panic("crashed")
		}
		return checkers.Reject("not yes"), nil
	},
}

func TestMain(m *testing.M) {
	runner.ChildMain(func() runner.Catalog {
		return runner.Catalog{
			Capability: func(id string) *capabilities.Capability {
				for _, c := range hostile.All() {
					if c.ID == id {
						return c
					}
				}
				return nil
			},
			Checkers: []checkers.Checker{echo},
		}
	})
	os.Exit(m.Run())
}

func self(t *testing.T) string {
	t.Helper()
	s, err := runner.Self()
	if err != nil {
		t.Fatal(err)
	}
	return s
}

func TestRun_Worker(t *testing.T) {
	for _, tc := range []struct {
		do      string
		budget  events.Budget
		end     engine.End
		code    events.Code
		ended   bool
		covered bool
		fails   bool
	}{
		{do: "answer", end: engine.Exited},
		{do: "refuse", end: engine.Exited, code: events.CodeInvalidRequest},
		{do: "listen", budget: events.Budget{WallMS: 1000}, ended: true, covered: true}, // it may be killed while it exits
		{do: "hang", budget: events.Budget{WallMS: 1500}, end: engine.TimedOut, covered: true},
		{do: "crash", fails: true},
		{do: "flood", budget: events.Budget{OutputBytes: 1000}, end: engine.OutputExceeded},
		{do: "allocate", budget: events.Budget{MemoryBytes: 200 << 20}, end: engine.MemoryExceeded},
	} {
		t.Run(tc.do, func(t *testing.T) {
			b := events.Budget{WallMS: 60_000, MemoryBytes: 1 << 30, OutputBytes: 1 << 20}
			for _, f := range []struct{ from, to *int64 }{{&tc.budget.WallMS, &b.WallMS}, {&tc.budget.MemoryBytes, &b.MemoryBytes}, {&tc.budget.OutputBytes, &b.OutputBytes}} {
				if *f.from != 0 {
					*f.to = *f.from
				}
			}
			w, err := runner.Run(t.Context(), self(t), "hostile.operation.run", []byte(`{"do":"`+tc.do+`"}`), b, func(capabilities.Progress) {})
			if tc.fails {
				if err == nil || !strings.Contains(err.Error(), "crashed") {
					t.Fatalf("want an error that shows the crash, got %v", err)
				}
				return
			}
			if err != nil {
				t.Fatal(err)
			}
			if tc.end != "" && w.End != tc.end || w.Ended != tc.ended {
				t.Errorf("end %s, ended %v; want %s, %v", w.End, w.Ended, tc.end, tc.ended)
			}
			if tc.code != "" && (w.Failure == nil || w.Failure.Code != tc.code) {
				t.Errorf("failure %v, want %s", w.Failure, tc.code)
			}
			covered := w.Covered != nil || w.Done != nil && w.Done.Scope != nil
			if covered != tc.covered {
				t.Errorf("covered %v, want %v", covered, tc.covered)
			}
		})
	}
}

func TestCheck_SignsWhatItSaw(t *testing.T) {
	keyFile := filepath.Join(t.TempDir(), "runner.pem")
	pub, err := runner.CreateKey(keyFile)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := runner.CreateKey(keyFile); err == nil {
		t.Error("an existing key was overwritten")
	}
	order := runner.CheckOrder{
		CheckerID: "test.echo", Tenant: "local", Claim: events.Claim{Semantics: "test/1", Predicate: "test.true", Args: json.RawMessage(`{}`)},
		Candidate: json.RawMessage(`{"a":"1"}`), Semantics: []byte("words"), Format: "word", Certificate: []byte("yes"), OperatorLogSize: 7, KeyFile: keyFile,
	}
	budget := events.Budget{WallMS: 30_000, MemoryBytes: 1 << 30}
	signed, _, err := runner.Check(t.Context(), self(t), order, budget)
	if err != nil {
		t.Fatal(err)
	}
	d, err := authority.Open(signed, pub)
	if err != nil {
		t.Fatal(err)
	}
	binary, err := runner.BinaryDigest(self(t), t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	if !d.Accepted || d.Claim.Digest != order.Claim.Digest() || d.Checker.Binary != binary || d.CertificateDigest != digest.Of([]byte("yes")) || d.OperatorLogSize != 7 {
		t.Errorf("decision %+v", d)
	}

	order.Certificate = []byte("no")
	signed, _, err = runner.Check(t.Context(), self(t), order, budget)
	if err != nil {
		t.Fatal(err)
	}
	if d, err := authority.Open(signed, pub); err != nil || d.Accepted || d.Reason == "" {
		t.Errorf("a rejection came as %+v, %v", d, err)
	}
	order.Format = "other"
	if signed, _, err = runner.Check(t.Context(), self(t), order, budget); err != nil {
		t.Fatal(err)
	}
	if d, _ := authority.Open(signed, pub); d.Accepted {
		t.Error("a format that the checker does not read was accepted")
	}
	order.Format, order.Certificate = "word", []byte("crash")
	if _, _, err := runner.Check(t.Context(), self(t), order, budget); err == nil {
		t.Error("a crashed checker gave a decision")
	}
	order.Certificate = []byte("slow")
	if _, _, err := runner.Check(t.Context(), self(t), order, events.Budget{WallMS: 100, MemoryBytes: 1 << 30}); !errors.Is(err, context.DeadlineExceeded) {
		t.Errorf("a slow checker ended with %v", err)
	}
	// A program that is not the runner cannot decide, whatever it prints and however it exits.
	order.Certificate = []byte("yes")
	for _, impostor := range []string{"/bin/true", "/bin/echo"} {
		if _, _, err := runner.Check(t.Context(), impostor, order, budget); err == nil {
			t.Errorf("%s decided", impostor)
		}
	}
}

func TestBinaryDigest_Cache(t *testing.T) {
	dir := t.TempDir()
	file := filepath.Join(dir, "program")
	if err := os.WriteFile(file, []byte("one"), 0o755); err != nil {
		t.Fatal(err)
	}
	for _, content := range []string{"one", "one", "two!"} {
		if content != "one" {
			if err := os.WriteFile(file, []byte(content), 0o755); err != nil {
				t.Fatal(err)
			}
		}
		d, err := runner.BinaryDigest(file, dir)
		if err != nil || d != digest.Of([]byte(content)) {
			t.Fatalf("%q: %s, %v", content, d, err)
		}
	}
}
