package main

import (
	"errors"
	"os"
	"path/filepath"
	"regexp"
	"strconv"
	"testing"

	"github.com/rogpeppe/go-internal/testscript"
)

// TestScripts runs the examples of docs/cli.md on the program itself, each on a ledger of its own.
func TestScripts(t *testing.T) {
	bin := install(t)
	testscript.Run(t, testscript.Params{
		Dir:                 "testdata/script",
		RequireExplicitExec: true,
		RequireUniqueNames:  true,
		Setup: func(e *testscript.Env) error {
			e.Setenv("JACOBIAN_DIR", filepath.Join(e.WorkDir, "ledger"))
			e.Setenv("PATH", bin+string(filepath.ListSeparator)+e.Getenv("PATH"))
			return nil
		},
		Cmds: map[string]func(*testscript.TestScript, bool, []string){"exits": exits, "keep": keep},
	})
}

// install puts this program into a directory under its own name. A link would do, but the demonstration
// starts the program that it is, by the path that the system has for it.
func install(t *testing.T) (dir string) {
	t.Helper()
	self, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	program, err := os.ReadFile(self)
	if err != nil {
		t.Fatal(err)
	}
	dir = t.TempDir()
	if err := os.WriteFile(filepath.Join(dir, "jacobian"), program, 0o700); err != nil {
		t.Fatal(err)
	}
	return dir
}

// exits runs a program and checks its exit code: exits CODE PROGRAM ARGUMENT...
func exits(ts *testscript.TestScript, neg bool, args []string) {
	if neg || len(args) < 2 {
		ts.Fatalf("usage: exits CODE PROGRAM ARGUMENT...")
	}
	want, err := strconv.Atoi(args[0])
	ts.Check(err)
	got := 0
	if err := ts.Exec(args[1], args[2:]...); err != nil {
		var code interface{ ExitCode() int }
		if !errors.As(err, &code) {
			ts.Fatalf("%v", err)
		}
		got = code.ExitCode()
	}
	if got != want {
		ts.Fatalf("exit code %d, want %d\n%s%s", got, want, ts.ReadFile("stdout"), ts.ReadFile("stderr"))
	}
}

// keep puts what a pattern's group matches in the last output into a variable: keep NAME PATTERN
func keep(ts *testscript.TestScript, neg bool, args []string) {
	if neg || len(args) != 2 {
		ts.Fatalf("usage: keep NAME PATTERN")
	}
	m := regexp.MustCompile(args[1]).FindStringSubmatch(ts.ReadFile("stdout"))
	if len(m) != 2 {
		ts.Fatalf("nothing matches %q in\n%s", args[1], ts.ReadFile("stdout"))
	}
	ts.Setenv(args[0], m[1])
}
