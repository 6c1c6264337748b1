package engine_test

import (
	"context"
	"fmt"
	"os"
	"strings"
	"testing"
	"time"

	"github.com/jacobian-ledger/jacobian/capabilities/engine"
)

// slack is how late an end may come: the promise is 250 ms, the rest is for a loaded machine.
const slack = 5 * time.Second

func sh(script string, limits engine.Limits) engine.Spec {
	return engine.Spec{Path: "/bin/sh", Args: []string{"-c", script}, Env: []string{"PATH=/usr/bin:/bin"}, Limits: limits}
}

// leftovers lists the processes whose command line holds marker.
func leftovers(t *testing.T, marker string) []string {
	t.Helper()
	entries, err := os.ReadDir("/proc")
	if err != nil {
		t.Fatal(err)
	}
	var out []string
	for _, e := range entries {
		b, _ := os.ReadFile("/proc/" + e.Name() + "/cmdline")
		if strings.Contains(string(b), marker) && e.Name() != fmt.Sprint(os.Getpid()) {
			out = append(out, e.Name()+" "+strings.ReplaceAll(string(b), "\x00", " "))
		}
	}
	return out
}

func waitGone(t *testing.T, marker string) {
	t.Helper()
	for end := time.Now().Add(slack); time.Now().Before(end); time.Sleep(5 * time.Millisecond) {
		if len(leftovers(t, marker)) == 0 {
			return
		}
	}
	t.Errorf("processes left: %v", leftovers(t, marker))
}

func TestRun_HostileEngines(t *testing.T) {
	for _, tc := range []struct {
		name, script string
		limits       engine.Limits
		end          engine.End
	}{
		{"hangs", "sleep 1234501", engine.Limits{Wall: 100 * time.Millisecond}, engine.TimedOut},
		{"ignores SIGTERM", "trap '' TERM; while :; do sleep 1234502; done", engine.Limits{Wall: 100 * time.Millisecond}, engine.TimedOut},
		{"forks", "sleep 1234503 & sleep 1234503 & sleep 1234503", engine.Limits{Wall: 150 * time.Millisecond}, engine.TimedOut},
		{"leaves its group", "setsid sleep 1234504 & sleep 1234504", engine.Limits{Wall: 300 * time.Millisecond}, engine.TimedOut},
		{"floods", "while :; do echo yyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyy; done", engine.Limits{Wall: 20 * time.Second, Output: 1 << 16}, engine.OutputExceeded},
		{"leaves a child behind", "sleep 1234505 >/dev/null 2>&1 & exit 0", engine.Limits{Wall: 20 * time.Second}, engine.Exited},
	} {
		t.Run(tc.name, func(t *testing.T) {
			began := time.Now()
			out, err := engine.Run(t.Context(), sh(tc.script, tc.limits))
			if err != nil {
				t.Fatal(err)
			}
			if out.End != tc.end {
				t.Errorf("ended %s, want %s", out.End, tc.end)
			}
			if late := time.Since(began) - tc.limits.Wall; late > slack {
				t.Errorf("ended %v past its limit", late)
			}
			if f := strings.Fields(tc.script); strings.Contains(tc.script, "12345") {
				for _, w := range f {
					if strings.HasPrefix(w, "12345") {
						waitGone(t, strings.TrimSuffix(w, ";"))
					}
				}
			}
		})
	}
}

func TestRun_Memory(t *testing.T) {
	out, err := engine.Run(t.Context(), engine.Spec{
		Path: "/usr/bin/tail", Args: []string{"/dev/zero"}, Limits: engine.Limits{Memory: 64 << 20, Wall: 30 * time.Second},
	})
	if err != nil {
		t.Fatal(err)
	}
	if out.End != engine.MemoryExceeded {
		t.Errorf("ended %s, want %s", out.End, engine.MemoryExceeded)
	}
}

func TestRun_Cancel(t *testing.T) {
	ctx, cancel := context.WithCancel(t.Context())
	spec := sh("echo ready; sleep 1234506", engine.Limits{Wall: time.Minute})
	spec.Line = func([]byte) { cancel() }
	out, err := engine.Run(ctx, spec)
	if err != nil {
		t.Fatal(err)
	}
	if out.End != engine.Cancelled {
		t.Errorf("ended %s, want %s", out.End, engine.Cancelled)
	}
	waitGone(t, "1234506")
}

func TestRun_CleanEnvironmentAndData(t *testing.T) {
	t.Setenv("SECRET", "leak")
	spec := sh("cat; env", engine.Limits{Wall: 20 * time.Second})
	spec.Stdin = []byte("in\n")
	out, err := engine.Run(t.Context(), spec)
	if err != nil {
		t.Fatal(err)
	}
	if s := string(out.Stdout); !strings.HasPrefix(s, "in\n") || strings.Contains(s, "SECRET") || out.ExitCode != 0 {
		t.Errorf("exit %d, output %q", out.ExitCode, s)
	}
}

func TestRun_Refuses(t *testing.T) {
	if _, err := engine.Run(t.Context(), engine.Spec{Path: "sh"}); err == nil {
		t.Error("a relative path was accepted")
	}
	if _, err := engine.Run(t.Context(), engine.Spec{Path: "/no/such/engine"}); err == nil {
		t.Error("a missing program was accepted")
	}
}
