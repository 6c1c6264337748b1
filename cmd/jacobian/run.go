package main

import (
	"bytes"
	"encoding/json"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"time"

	jacobian "github.com/jacobian-ledger/jacobian/embed"
	"github.com/jacobian-ledger/jacobian/events"
	"github.com/spf13/cobra"
)

type runFlags struct {
	input, mode, claim, memory, investigation, key, record string
	wall, wait                                             time.Duration
	noMemo                                                 bool
}

func (a *app) runCommand() *cobra.Command {
	var f runFlags
	c := &cobra.Command{
		Use:   "run ID [name=value ...]",
		Short: "Run one operation and print its result",
		Long: `Run takes the operation's input as name=value words, or whole with --input.

A value that begins with [, { or " is JSON. A value @file is read from the file: .json as JSON,
.g6 as a graph in graph6, .cnf as DIMACS text, anything else as text. Everything else is taken as the
operation's schema wants it: exact numbers as strings, counters as integers, true and false as booleans.

Ctrl-C cancels the run with every process below it, and still records the end.`,
		Example: `  jacobian run integer.compute.gcd a=12 b=18
  jacobian run integer.decide.prime n=97 --mode verify --claim "97 is prime"
  jacobian run integer.compute.prime_factorization n=1000000016000000063 --wall 2s --json`,
		Args: cobra.MinimumNArgs(1),
		RunE: func(cmd *cobra.Command, args []string) error {
			return a.with(cmd.Context(), func(n *jacobian.Node) error { return a.runOne(cmd, n, args[0], args[1:], &f) })
		},
	}
	fl := c.Flags()
	fl.StringVar(&f.input, "input", "", "whole input: JSON, @FILE, or - for standard input")
	fl.StringVar(&f.mode, "mode", "", "explore or verify; by default the operation's own")
	fl.StringVar(&f.claim, "claim", "", "what you claim, in your words; kept with the result")
	fl.StringVar(&f.record, "record", "", "rest on an existing record, refused unless it is for this very claim")
	fl.DurationVar(&f.wall, "wall", 0, "wall-clock budget, such as 2s")
	fl.StringVar(&f.memory, "memory", "", "memory budget, such as 1GiB")
	fl.DurationVar(&f.wait, "wait", 0, "say RUNNING on standard error after this long; the run goes on to its end here")
	fl.StringVar(&f.investigation, "investigation", "", "inv_ and a name, to keep episodes together")
	fl.BoolVar(&f.noMemo, "no-memo", false, "run even when the log has the answer")
	fl.StringVar(&f.key, "key", "", "idempotency key: the same key and request give the same episode")
	return c
}

func (a *app) runOne(cmd *cobra.Command, n *jacobian.Node, id string, words []string, f *runFlags) error {
	req, err := a.request(cmd, n, id, words, f)
	if err != nil {
		return err
	}
	progress := a.progress
	if f.wait > 0 {
		timer := time.AfterFunc(f.wait, func() {
			fmt.Fprintln(a.err, "● RUNNING     this process stays until the end; Ctrl-C cancels")
		})
		defer timer.Stop()
	}
	res := n.Run(cmd.Context(), req, jacobian.RunOptions{Actor: "cli", Progress: progress})
	if a.json {
		if err := a.printJSON(res); err != nil {
			return err
		}
	} else {
		a.printResult(&res)
	}
	if code := exitOf(res.Execution.Status); code != exitDone {
		return &exitError{code: code}
	}
	return nil
}

func (a *app) request(cmd *cobra.Command, n *jacobian.Node, id string, words []string, f *runFlags) (events.Request, error) {
	req := events.Request{CapabilityID: id, Mode: events.Mode(strings.ToUpper(f.mode)), Investigation: f.investigation, IdempotencyKey: f.key, Record: f.record}
	if f.claim != "" {
		req.Claim = &events.ClaimText{Text: f.claim}
	}
	if f.noMemo {
		req.UseMemo = new(bool)
	}
	for name, d := range map[string]time.Duration{"wall": f.wall, "wait": f.wait} {
		if cmd.Flags().Changed(name) && d < time.Millisecond {
			return req, usage("--%s: expected at least 1ms, found %s", name, d)
		}
	}
	if f.wall > 0 || f.memory != "" {
		bytes, err := parseBytes(f.memory)
		if err != nil {
			return req, usage("--memory: %v", err)
		}
		req.Budget = &events.Budget{WallMS: f.wall.Milliseconds(), MemoryBytes: bytes}
	}
	var err error
	switch {
	case f.input != "" && len(words) > 0:
		return req, usage("give the input either with --input or as name=value words, not both")
	case f.input != "":
		req.Input, err = a.wholeInput(f.input)
	default:
		req.Input, err = a.wordsInput(cmd, n, id, words)
	}
	return req, err
}

func (a *app) wholeInput(s string) (json.RawMessage, error) {
	switch {
	case s == "-":
		b, err := io.ReadAll(a.in)
		return bytes.TrimSpace(b), err
	case strings.HasPrefix(s, "@"):
		b, err := os.ReadFile(s[1:])
		if err != nil {
			return nil, usage("--input: %v", err)
		}
		return bytes.TrimSpace(b), nil
	}
	return json.RawMessage(s), nil
}

// wordsInput builds the input from name=value words by the types of the operation's schema. The
// operation itself decides what is right: a word that fits no type is passed on as text.
func (a *app) wordsInput(cmd *cobra.Command, n *jacobian.Node, id string, words []string) (json.RawMessage, error) {
	types := map[string]string{}
	descriptors, err := n.Catalog(cmd.Context())
	if err != nil {
		return nil, err
	}
	for i := range descriptors {
		if descriptors[i].CapabilityID == id {
			types = memberTypes(descriptors[i].InputSchema)
		}
	}
	var b bytes.Buffer
	b.WriteByte('{')
	for i, w := range words {
		name, value, ok := strings.Cut(w, "=")
		if !ok {
			return nil, usage("expected name=value, found %q; a whole JSON object goes with --input", w)
		}
		v, err := wordValue(value, types[name])
		if err != nil {
			return nil, usage("%s: %v", name, err)
		}
		if i > 0 {
			b.WriteByte(',')
		}
		key, _ := json.Marshal(name)
		fmt.Fprintf(&b, "%s:%s", key, v)
	}
	b.WriteByte('}')
	return b.Bytes(), nil
}

// memberTypes reads the type word of each member of an object schema.
func memberTypes(schema json.RawMessage) map[string]string {
	var s struct {
		Properties map[string]struct {
			Type json.RawMessage `json:"type"`
		} `json:"properties"`
	}
	out := map[string]string{}
	if json.Unmarshal(schema, &s) != nil {
		return out
	}
	for name, p := range s.Properties {
		var one string
		if json.Unmarshal(p.Type, &one) == nil {
			out[name] = one
		}
	}
	return out
}

func wordValue(s, kind string) (json.RawMessage, error) {
	quote := func(s string) json.RawMessage { b, _ := json.Marshal(s); return b }
	if file, ok := strings.CutPrefix(s, "@"); ok {
		b, err := os.ReadFile(file)
		if err != nil {
			return nil, err
		}
		text := strings.TrimSpace(string(b))
		switch filepath.Ext(file) {
		case ".json":
			return json.RawMessage(text), nil
		case ".g6", ".graph6":
			return json.RawMessage(`{"graph6":` + string(quote(text)) + `}`), nil
		}
		return quote(string(b)), nil
	}
	switch {
	case s != "" && strings.ContainsRune(`[{"`, rune(s[0])):
		return json.RawMessage(s), nil
	case kind == "boolean" && (s == "true" || s == "false"):
		return json.RawMessage(s), nil
	case kind == "integer":
		if _, err := strconv.ParseInt(s, 10, 64); err == nil {
			return json.RawMessage(s), nil
		}
	}
	return quote(s), nil
}

// parseBytes reads a size such as 512MiB or 1GB.
func parseBytes(s string) (int64, error) {
	if s == "" {
		return 0, nil
	}
	units := []struct {
		name string
		size int64
	}{{"KiB", 1 << 10}, {"MiB", 1 << 20}, {"GiB", 1 << 30}, {"kB", 1e3}, {"MB", 1e6}, {"GB", 1e9}, {"B", 1}}
	for _, u := range units {
		if num, ok := strings.CutSuffix(s, u.name); ok {
			n, err := strconv.ParseInt(strings.TrimSpace(num), 10, 32)
			if err != nil || n <= 0 {
				break
			}
			return n * u.size, nil
		}
	}
	return 0, fmt.Errorf("expected a size such as 512MiB or 1GiB, found %q", s)
}
