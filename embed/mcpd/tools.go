package mcpd

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"strings"

	"github.com/jacobian-ledger/jacobian/events"
	"github.com/jacobian-ledger/jacobian/events/jcs"
	"github.com/jacobian-ledger/jacobian/query"
	"github.com/mark3labs/mcp-go/mcp"
)

const findSchema = `{"type":"object","additionalProperties":false,"properties":{` +
	`"query":{"type":"string","description":"what you need, in a few words"},` +
	`"capability_id":{"type":"string","description":"inspect this operation"},` +
	`"view":{"type":"string","enum":["SUMMARY","CONTRACT","FULL"],"description":"with capability_id"},` +
	`"domain":{"type":"string","description":"first word of the id, such as graph"},` +
	`"tag":{"type":"string"},"mode":{"type":"string","enum":["EXPLORE","VERIFY"]},"input_kind":{"type":"string"},"artifact_type":{"type":"string"},` +
	`"limit":{"type":"integer","description":"1 to 20, default 5"},"cursor":{"type":"string"}}}`

const runSchema = `{"type":"object","additionalProperties":false,"required":["capability_id","input"],"properties":{` +
	`"capability_id":{"type":"string","description":"from math.find"},` +
	`"input":{"type":"object","description":"as its CONTRACT says; integers as decimal strings; any value may be {\"$ref\":\"artifact://… or episode://ID#/output/…\"}"},` +
	`"mode":{"type":"string","enum":["EXPLORE","VERIFY"],"description":"VERIFY has the evidence checked"},` +
	`"claim":{"type":"object","description":"{text, formal?}: what you assert, kept with the result"},` +
	`"record":{"type":"string","description":"an existing record to rest on; refused unless for this very claim"},` +
	`"budget":{"type":"object","description":"{wall_ms, cpu_ms, memory_bytes, output_bytes}"},` +
	`"wait_ms":{"type":"integer","description":"then the answer is RUNNING; default 25000"},` +
	`"use_memo":{"type":"boolean","description":"false: run again"},` +
	`"idempotency_key":{"type":"string"},"investigation":{"type":"string","description":"inv_ and a name"},` +
	`"capability_version":{"type":"integer"},"request_version":{"type":"integer"}}}`

func (s *Server) addTools() {
	yes, no := true, false
	find := mcp.NewToolWithRawSchema("math.find", "Find an exact mathematical operation by what you need, inspect its contract, or browse; mentions earlier episodes that match.", json.RawMessage(findSchema))
	find.Annotations = mcp.ToolAnnotation{Title: "Find operations", ReadOnlyHint: &yes, DestructiveHint: &no, IdempotentHint: &yes, OpenWorldHint: &no}
	run := mcp.NewToolWithRawSchema("math.run", "Run one operation within a budget and get its exact, typed result with assurance, scope and record; the same question again is answered from the log.", json.RawMessage(runSchema))
	run.Annotations = mcp.ToolAnnotation{Title: "Run an operation", ReadOnlyHint: &no, DestructiveHint: &no, IdempotentHint: &no, OpenWorldHint: &no}
	if s.opt.Underscore {
		find.Name, run.Name = spelled[find.Name], spelled[run.Name]
	}
	s.mcp.AddTool(find, s.find)
	s.mcp.AddTool(run, s.run)
}

// spelled maps each spelling of a tool to the other; both are accepted on call.
var spelled = map[string]string{"math.find": "math_find", "math.run": "math_run", "math_find": "math.find", "math_run": "math.run"}

// arguments are the bytes that the caller sent, or an empty object.
func arguments(ctx context.Context, r mcp.CallToolRequest) (json.RawMessage, error) {
	if c := callOf(ctx); c != nil {
		if len(c.arguments) == 0 || string(c.arguments) == "null" {
			return json.RawMessage("{}"), nil
		}
		return c.arguments, nil
	}
	return nil, errors.New("mcpd: a tool was called outside our transport")
}

// refusal is a tool error with the diagnostic as structured content and one actionable sentence.
func refusal(err error) *mcp.CallToolResult {
	d := events.Diagnostic{Code: events.CodeInvalidRequest, Stage: "DECODE", Message: err.Error(), Hint: "correct the argument and call again"}
	var e *jcs.Error
	if errors.As(err, &e) {
		d.Path, d.Expected, d.Actual = e.Path, e.Expected, e.Found
		if e.Hint != "" {
			d.Hint = e.Hint
		}
	} else {
		d.Code, d.Stage, d.Hint = events.CodeStorageError, "STORE", "run jacobian doctor"
	}
	res := mcp.NewToolResultStructured(map[string]any{"diagnostics": []events.Diagnostic{d}}, sentence(&d))
	res.IsError = true
	return res
}

func sentence(d *events.Diagnostic) string {
	s := "ERROR " + string(d.Code)
	if at := "at " + d.Path; d.Path != "" && !strings.HasPrefix(d.Message, at+":") {
		s += " " + at
	}
	s += ": " + d.Message
	if d.Hint != "" && !strings.Contains(d.Message, d.Hint) {
		s += ". Next: " + d.Hint
	}
	return s + "."
}

func (s *Server) find(ctx context.Context, r mcp.CallToolRequest) (*mcp.CallToolResult, error) {
	raw, err := arguments(ctx, r)
	if err != nil {
		return nil, err
	}
	var q query.FindRequest
	if err := jcs.Decode(raw, &q); err != nil {
		return refusal(err), nil
	}
	a, err := s.node.Find(ctx, q)
	if err != nil {
		return refusal(err), nil
	}
	return mcp.NewToolResultStructured(a, findText(&a)), nil
}

// findText is what a host that shows only text needs: the cards in lines, or the operation whole.
func findText(a *query.FindAnswer) string {
	var b strings.Builder
	for i := range a.Matches {
		m := &a.Matches[i]
		fmt.Fprintf(&b, "%s — %s [%s", m.CapabilityID, m.Title, m.Ceiling)
		if m.Fit == query.Weak {
			b.WriteString(", weak fit")
		}
		b.WriteString("]")
		if len(m.Example) > 0 {
			fmt.Fprintf(&b, " e.g. %s", m.Example)
		} else if m.Input != "" {
			fmt.Fprintf(&b, " input: %s", m.Input)
		}
		if m.Unavailable != "" {
			fmt.Fprintf(&b, " UNAVAILABLE: %s", m.Unavailable)
		}
		b.WriteByte('\n')
	}
	if a.Operation != nil {
		op, err := json.Marshal(a.Operation)
		if err == nil {
			b.Write(append(op, '\n'))
		}
	}
	for _, e := range a.Episodes {
		fmt.Fprintf(&b, "earlier: %s %s %s %s %s: %s\n", e.Episode, e.CapabilityID, e.Status, e.Conclusion, e.Assurance, e.UntrustedText)
	}
	if len(a.Nearest) > 0 {
		fmt.Fprintf(&b, "nearest: %s\n", strings.Join(a.Nearest, ", "))
	}
	if len(a.Domains) > 0 {
		fmt.Fprintf(&b, "%s. domains: %s\n", a.Outcome, strings.Join(a.Domains, ", "))
	}
	if a.More > 0 {
		fmt.Fprintf(&b, "%d more, cursor %s\n", a.More, a.Cursor)
	}
	if a.Hint != "" {
		b.WriteString(a.Hint + "\n")
	}
	return strings.TrimRight(b.String(), "\n")
}

func (s *Server) run(ctx context.Context, r mcp.CallToolRequest) (*mcp.CallToolResult, error) {
	raw, err := arguments(ctx, r)
	if err != nil {
		return nil, err
	}
	var req events.Request
	if err := jcs.Decode(raw, &req); err != nil {
		return refusal(err), nil
	}
	if req.WaitMS == nil {
		ms := s.opt.Wait.Milliseconds()
		req.WaitMS = &ms
	}
	c, steps := callOf(ctx), 0
	res := s.node.Run(ctx, req, func(episode, stage, message string) {
		if c == nil || len(c.progress) == 0 || string(c.progress) == "null" {
			return
		}
		steps++
		c.notify("notifications/progress", map[string]any{"progressToken": c.progress, "progress": steps, "message": episode + " " + stage + " " + message})
	})
	out := mcp.NewToolResultStructured(res, runText(&res))
	out.IsError = res.Execution.Status == events.StatusError
	return out, nil
}

// shownOutput is how much of an output the text shows; the structured content has all of it.
const shownOutput = 4 << 10

// runText is a result in a few lines, not a second copy of it.
func runText(r *events.Result) string {
	var b strings.Builder
	switch r.Execution.Status {
	case events.StatusError:
		if d := r.Failure(); d != nil {
			b.WriteString(sentence(d))
		}
		if r.Episode != "" {
			fmt.Fprintf(&b, " Episode %s.", r.Episode)
		}
		return b.String()
	case events.StatusRunning:
		fmt.Fprintf(&b, "RUNNING %s · UNKNOWN so far. The run goes on; read episode://%s later, or call math.run again with the same arguments to wait for it.", r.Episode, r.Episode)
		return b.String()
	case events.StatusCompleted:
		conclusion := string(r.Conclusion)
		if r.Conclusion == events.NotApplicable {
			conclusion = "DONE"
		}
		fmt.Fprintf(&b, "%s · %s", conclusion, r.Assurance.Level)
		if r.Assurance.RecordURI != "" {
			b.WriteString(" " + r.Assurance.RecordURI)
		}
	default:
		fmt.Fprintf(&b, "UNKNOWN · %s", r.Execution.Status)
	}
	fmt.Fprintf(&b, " · %s %d ms · %s seq %d", r.Execution.Status, r.Execution.Usage.WallMS, r.Episode, r.Log.Seq)
	if r.Memo != nil {
		fmt.Fprintf(&b, " · memo of %s", r.Memo.Origin)
	}
	if r.ClaimText != "" {
		fmt.Fprintf(&b, "\nclaim: %s", query.Visible(r.ClaimText, 500))
	}
	if out := string(r.Output); out != "null" {
		if len(out) > shownOutput {
			out = strings.ToValidUTF8(out[:shownOutput], "") + fmt.Sprintf("… (%d bytes more in the structured content)", len(r.Output)-shownOutput)
		}
		b.WriteString("\noutput: " + out)
	}
	if r.Scope != nil {
		fmt.Fprintf(&b, "\ncovered: %s", r.Scope.Description)
	}
	if t := r.Assurance.TaintedBy; len(t) > 0 {
		fmt.Fprintf(&b, "\nrests on HEURISTIC: %s", strings.Join(t, ", "))
	}
	for i := range r.Diagnostics {
		if d := &r.Diagnostics[i]; d.IsError() {
			b.WriteString("\n" + sentence(d))
		} else {
			b.WriteString("\nnote: " + d.Message)
		}
	}
	return b.String()
}
