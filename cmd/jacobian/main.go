// Command jacobian is the research ledger on the command line: find and run exact operations, have
// results checked, search what was done before, and serve agents over MCP.
//
// Answers go to standard output and everything else to standard error. Exit codes: 0 done, 1 findings,
// 2 usage, 3 refused or failed, 4 timed out, 5 cancelled.
package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"os/signal"
	"path/filepath"
	"strconv"
	"strings"
	"syscall"

	jacobian "github.com/jacobian-ledger/jacobian/embed"
	"github.com/jacobian-ledger/jacobian/events"
	"github.com/jacobian-ledger/jacobian/events/jcs"
	"github.com/spf13/cobra"
)

func main() {
	jacobian.ChildMain()
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	context.AfterFunc(ctx, stop) // the first interrupt ends runs in order, a second one ends the program
	code := run(ctx, os.Args[1:], os.Stdin, os.Stdout, os.Stderr)
	stop()
	os.Exit(code)
}

// The exit codes.
const (
	exitDone      = 0
	exitFindings  = 1
	exitUsage     = 2
	exitRefused   = 3
	exitTimeout   = 4
	exitCancelled = 5
)

// exitError ends the program with a code; its text, if any, goes to standard error.
type exitError struct {
	code int
	err  error
}

func (e *exitError) Error() string {
	if e.err == nil {
		return ""
	}
	return e.err.Error()
}

func (e *exitError) Unwrap() error { return e.err }

func usage(format string, args ...any) error {
	return &exitError{exitUsage, fmt.Errorf(format, args...)}
}

// exitOf maps how a run ended to an exit code.
func exitOf(s events.Status) int {
	switch s {
	case events.StatusCompleted, events.StatusRunning:
		return exitDone
	case events.StatusTimeout:
		return exitTimeout
	case events.StatusCancelled:
		return exitCancelled
	}
	return exitRefused
}

// app is what every command shares: the global flags and the streams.
type app struct {
	in       io.Reader
	out, err io.Writer

	dir, tenant          string
	json, quiet, noColor bool
}

func run(ctx context.Context, args []string, in io.Reader, out, errw io.Writer) int {
	a := &app{in: in, out: out, err: errw}
	root := a.root()
	root.SetArgs(args)
	root.SetIn(in)
	root.SetOut(out)
	root.SetErr(errw)
	err := root.ExecuteContext(ctx)
	if err == nil {
		return exitDone
	}
	var e *exitError
	if !errors.As(err, &e) {
		e = &exitError{exitRefused, err}
		if isUsage(err) {
			e.code = exitUsage
		}
	}
	if text := e.Error(); text != "" {
		fmt.Fprintln(errw, "jacobian: "+strings.TrimPrefix(text, "jacobian: "))
	}
	return e.code
}

func (a *app) root() *cobra.Command {
	root := &cobra.Command{
		Use:   "jacobian",
		Short: "A research ledger that computes",
		Long: `Jacobian finds small exact mathematical operations, runs them within budgets, has results
checked by independent programs, and keeps every step on a durable log.

Begin with:  jacobian demo
Then:        jacobian find "is this graph 3-colourable"
             jacobian run integer.decide.prime n=97 --mode verify
For agents:  jacobian mcp --help

Answers go to standard output and everything else to standard error. Exit codes: 0 done, 1 findings (nothing
found, not healthy, replay differs), 2 usage, 3 refused or failed, 4 timed out, 5 cancelled.`,
		SilenceErrors: true, SilenceUsage: true,
		CompletionOptions: cobra.CompletionOptions{HiddenDefaultCmd: false},
	}
	f := root.PersistentFlags()
	f.StringVar(&a.dir, "dir", defaultDir(), "data directory (or JACOBIAN_DIR)")
	f.Lookup("dir").DefValue = "$XDG_DATA_HOME/jacobian" // help is the same for everybody
	f.StringVar(&a.tenant, "tenant", jacobian.DefaultTenant, "whose log")
	f.BoolVar(&a.json, "json", false, "one JSON value on standard output, or JSON lines for streams")
	f.BoolVar(&a.quiet, "quiet", false, "no progress on standard error")
	f.BoolVar(&a.noColor, "no-color", false, "no colours (also NO_COLOR)")
	root.SetFlagErrorFunc(func(_ *cobra.Command, err error) error { return &exitError{exitUsage, err} })
	root.AddCommand(
		a.demo(), a.mcp(), a.find(), a.catalog(), a.runCommand(), a.wait(), a.cancel(), a.memory(), a.explain(),
		a.logs(), a.artifact(), a.record(), a.replay(), a.doctor(), a.version(),
	)
	return root
}

// group is a command that only holds others; without one of them it is a mistake of usage.
func group(use, short string, under ...*cobra.Command) *cobra.Command {
	c := &cobra.Command{
		Use:   use,
		Short: short,
		Args:  cobra.ArbitraryArgs,
		RunE: func(cmd *cobra.Command, args []string) error {
			names := make([]string, len(under))
			for i, u := range under {
				names[i] = u.Name()
			}
			found := "nothing"
			if len(args) > 0 {
				found = strconv.Quote(args[0])
			}
			return usage("%s: expected %s, found %s; see: %s --help", cmd.CommandPath(), strings.Join(names, " or "), found, cmd.CommandPath())
		},
	}
	c.AddCommand(under...)
	return c
}

// isUsage reports whether cobra refused the command line itself.
func isUsage(err error) bool {
	for _, start := range []string{"unknown command", "unknown flag", "accepts ", "requires ", "invalid argument", "flag needs"} {
		if strings.HasPrefix(err.Error(), start) {
			return true
		}
	}
	return false
}

func defaultDir() string {
	if d := os.Getenv("JACOBIAN_DIR"); d != "" {
		return d
	}
	base := os.Getenv("XDG_DATA_HOME")
	if base == "" {
		home, err := os.UserHomeDir()
		if err != nil {
			return "jacobian-data"
		}
		base = filepath.Join(home, ".local", "share")
	}
	return filepath.Join(base, "jacobian")
}

// options are those of the ledger that the global flags name.
func (a *app) options() jacobian.Options {
	return jacobian.Options{Dir: a.dir, Tenant: a.tenant, Logger: a.logger()}
}

// misuse gives an error about a member of the request the exit code of a mistake of usage, and leaves
// the others, such as those of storage, as they are.
func misuse(err error) error {
	var e *jcs.Error
	if errors.As(err, &e) {
		return &exitError{exitUsage, err}
	}
	return err
}

// with opens the ledger for the length of f.
func (a *app) with(ctx context.Context, f func(*jacobian.Node) error) error {
	n, err := jacobian.Open(ctx, a.options())
	if err != nil {
		return &exitError{exitRefused, err}
	}
	return errors.Join(f(n), n.Close())
}
