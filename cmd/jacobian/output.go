package main

import (
	"encoding/json"
	"fmt"
	"io"
	"log/slog"
	"math"
	"os"
	"strings"
	"time"

	jacobian "github.com/jacobian-ledger/jacobian/embed"
	"github.com/jacobian-ledger/jacobian/events"
	"github.com/jacobian-ledger/jacobian/query"
)

// printJSON writes one JSON value and a newline.
func (a *app) printJSON(v any) error {
	enc := json.NewEncoder(a.out)
	enc.SetEscapeHTML(false)
	return enc.Encode(v)
}

func (a *app) logger() *slog.Logger {
	level := slog.LevelWarn
	if a.quiet {
		level = slog.LevelError
	}
	return slog.New(slog.NewTextHandler(a.err, &slog.HandlerOptions{Level: level}))
}

// The colours of a terminal.
const (
	green  = "32"
	red    = "31"
	yellow = "33"
	faint  = "2"
)

// paint colours s if w is a terminal and colours are wanted.
func (a *app) paint(w io.Writer, colour, s string) string {
	f, ok := w.(*os.File)
	if !ok || a.noColor || os.Getenv("NO_COLOR") != "" {
		return s
	}
	if info, err := f.Stat(); err != nil || info.Mode()&os.ModeCharDevice == 0 {
		return s
	}
	return "\x1b[" + colour + "m" + s + "\x1b[0m"
}

// progress tells on standard error what a run is doing.
func (a *app) progress(episode string, p jacobian.Progress) {
	if a.quiet {
		return
	}
	message := p.Message
	if p.Stage == "requested" {
		message = episode + "  " + message
	}
	fmt.Fprintf(a.err, "%s %-11s %s\n", a.paint(a.err, faint, "●"), p.Stage, visible(message))
}

// printResult tells a result to a person.
func (a *app) printResult(r *events.Result) {
	w := a.out
	line := func(name, format string, args ...any) {
		fmt.Fprintf(w, "  %-11s %s\n", name, visible(fmt.Sprintf(format, args...)))
	}
	switch r.Execution.Status {
	case events.StatusCompleted:
		mark := a.paint(w, green, "✓")
		if r.Conclusion == events.Unknown {
			mark = a.paint(w, yellow, "?")
		}
		head := string(r.Conclusion)
		if r.Conclusion == events.NotApplicable {
			head = "done"
		}
		fmt.Fprintln(w, strings.TrimRight(fmt.Sprintf("%s %-11s %s  %s", mark, head, r.Assurance.Level, r.Assurance.RecordURI), " "))
	case events.StatusRunning:
		fmt.Fprintf(w, "● RUNNING     %s; pick it up with: jacobian wait %s\n", r.Episode, r.Episode)
		return
	case events.StatusTimeout:
		fmt.Fprintf(w, "%s TIMEOUT     UNKNOWN\n", a.paint(w, yellow, "…"))
	default:
		code := string(r.Execution.Status)
		if f := r.Failure(); f != nil {
			code = string(f.Code)
		}
		fmt.Fprintf(w, "%s %s\n", a.paint(w, red, "✗"), code)
	}
	if r.Memo != nil {
		line("memo", "of %s, %s ago", r.Memo.Origin, ago(r.Memo.AgeMS))
	}
	if r.ClaimText != "" {
		line("claim", "%q", r.ClaimText)
	}
	if s := string(r.Output); s != "null" {
		line("output", "%s", s)
	}
	a.printRest(r, line)
}

// visible shows a whole text with nothing in it that could act on a terminal: outputs and messages
// repeat what somebody wrote.
func visible(s string) string { return query.Visible(s, math.MaxInt) }

func (a *app) printRest(r *events.Result, line func(name, format string, args ...any)) {
	if r.Assurance.Checker != "" {
		line("checked by", "%s: %s", r.Assurance.Checker, r.Assurance.Basis)
	}
	if c := r.Certificate; c != nil && c.ArtifactURI != "" {
		line("certificate", "%s  %s", c.Format, c.ArtifactURI)
	}
	if r.Scope != nil {
		line("covered", "%s", r.Scope.Description)
	}
	if t := r.Assurance.TaintedBy; len(t) > 0 {
		line("tainted by", "%s", strings.Join(t, ", "))
	}
	for _, o := range r.Obligations {
		line("owed", "%s", o.Text)
	}
	for i := range r.Diagnostics {
		d := &r.Diagnostics[i]
		if d.IsError() {
			at := ""
			if d.Path != "" {
				at = "at " + d.Path + ": "
			}
			line("", "%s%s", at, d.Message)
			if d.Hint != "" {
				line("next", "%s", d.Hint)
			}
		} else {
			line("note", "%s", d.Message)
		}
	}
	if r.Log.Seq > 0 {
		line("log", "%s, event %d, %d ms", r.Episode, r.Log.Seq, r.Execution.Usage.WallMS)
	}
}

func ago(ms int64) string {
	d := time.Duration(ms) * time.Millisecond
	switch {
	case d < time.Minute:
		return d.Round(100 * time.Millisecond).String()
	case d < 48*time.Hour:
		return d.Round(time.Minute).String()
	}
	return fmt.Sprintf("%d days", int(d.Hours()/24))
}
