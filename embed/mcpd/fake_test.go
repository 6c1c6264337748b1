package mcpd_test

import (
	"bufio"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"strings"
	"testing"
	"time"

	"github.com/jacobian-ledger/jacobian/embed/mcpd"
	"github.com/jacobian-ledger/jacobian/events"
	"github.com/jacobian-ledger/jacobian/events/digest"
	"github.com/jacobian-ledger/jacobian/query"
)

// node is a ledger that answers at once, or when the test lets it. It checks what it is asked.
type node struct {
	hold     chan struct{} // runs of test.hold wait until it is closed or their context ends
	began    chan struct{} // and say here that they have begun
	ended    chan error    // and here how
	requests chan events.Request
	steps    int // of progress that each run reports
}

func newNode() *node {
	return &node{hold: make(chan struct{}), began: make(chan struct{}, 1000), ended: make(chan error, 1000), requests: make(chan events.Request, 1000), steps: 2}
}

var _ mcpd.Node = (*node)(nil)

const (
	episode  = "ep_01K00000000000000000000000"
	record   = "rec_01K00000000000000000000000"
	artifact = "9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08" // of "test"
)

func (n *node) Run(ctx context.Context, req events.Request, report func(episode, stage, message string)) events.Result {
	n.requests <- req
	res := events.Result{
		ResultVersion: 1, CapabilityID: req.CapabilityID, CapabilityVersion: 1, Mode: events.Explore, Episode: episode, Log: events.LogPosition{Seq: 42},
		Execution: events.Execution{Status: events.StatusCompleted}, Output: req.Input, Conclusion: events.NotApplicable,
		Assurance: events.Assurance{Level: events.Computed},
	}
	for i := range n.steps {
		report(episode, "working", fmt.Sprintf("step %d", i+1))
	}
	switch req.CapabilityID {
	case "test.refuse":
		res.Execution.Status, res.Conclusion, res.Output = events.StatusError, events.Unknown, json.RawMessage("null")
		res.Diagnostics = []events.Diagnostic{{Code: events.CodeLimitExceeded, Stage: "LIMITS", Message: "expected at most 5 vertices, found 9", Path: "/input/order", Hint: "use a smaller graph"}}
	case "test.running":
		res.Execution.Status, res.Conclusion, res.Output = events.StatusRunning, events.Unknown, json.RawMessage("null")
	case "test.verified":
		res.Mode, res.Conclusion = events.Verify, events.False
		res.Assurance = events.Assurance{Level: events.Verified, RecordURI: "record://" + record}
		res.ClaimText = req.Claim.Text
	case "test.large":
		res.Output = json.RawMessage(`{"digits":"` + strings.Repeat("7", 10_000) + `"}`)
	case "test.hold":
		n.began <- struct{}{}
		select {
		case <-n.hold:
			n.ended <- nil
		case <-ctx.Done():
			n.ended <- ctx.Err()
			res.Execution.Status, res.Conclusion, res.Output = events.StatusCancelled, events.Unknown, json.RawMessage("null")
		}
	case "test.panic":
		panic("a bug")
	}
	return res
}

func (n *node) Find(_ context.Context, q query.FindRequest) (query.FindAnswer, error) {
	switch q.Query {
	case "":
		return query.FindAnswer{Outcome: query.Inspected, Catalog: "sha256:0", Operation: &query.Operation{CapabilityID: q.CapabilityID, Version: 1}}, nil
	case "nothing":
		return query.FindAnswer{Outcome: query.NoMatch, Catalog: "sha256:0", Domains: []string{"graph", "integer"}, Hint: "try other words"}, nil
	}
	return query.FindAnswer{Outcome: query.Matches, Catalog: "sha256:0", Matches: []query.Card{
		{CapabilityID: "integer.compute.gcd", Title: "greatest common divisor", Fit: query.Strong, Ceiling: events.Computed, Example: json.RawMessage(`{"a":"12","b":"18"}`)},
	}}, nil
}

func (n *node) Catalog(context.Context) ([]events.Descriptor, error) {
	out := []events.Descriptor{}
	for _, id := range []string{"graph.compute.properties", "graph.k_coloring.decide", "integer.compute.gcd"} {
		out = append(out, events.Descriptor{CapabilityID: id, Version: 1})
	}
	return out, nil
}

func (n *node) Artifact(_ context.Context, d digest.Digest) ([]byte, error) {
	if d.String() != "sha256:"+artifact {
		return nil, fmt.Errorf("%w: no artifact %s", query.ErrNotFound, d)
	}
	return []byte("test"), nil
}

func known(id, want string) (json.RawMessage, error) {
	if id != want {
		return nil, fmt.Errorf("%w: %s", query.ErrNotFound, id)
	}
	return json.RawMessage(`{"id":"` + id + `"}`), nil
}

func (n *node) Record(_ context.Context, id string) (json.RawMessage, error) {
	return known(id, record)
}

func (n *node) Episode(_ context.Context, id string) (json.RawMessage, error) {
	return known(id, episode)
}

func (n *node) Investigation(_ context.Context, id string) (json.RawMessage, error) {
	return known(id, "inv_demo")
}

// client speaks to a server over pipes.
type client struct {
	t      *testing.T
	node   *node
	in     *io.PipeWriter
	out    *bufio.Reader
	served chan error
	cancel context.CancelFunc
}

func serve(t *testing.T, n *node, o mcpd.Options) *client {
	t.Helper()
	if o.Grace == 0 {
		o.Grace = time.Minute
	}
	o.Version = "0.0.0-test"
	inR, inW := io.Pipe()
	outR, outW := io.Pipe()
	ctx, cancel := context.WithCancel(t.Context())
	c := &client{t: t, node: n, in: inW, out: bufio.NewReaderSize(outR, 1<<20), served: make(chan error, 1), cancel: cancel}
	go func() {
		c.served <- mcpd.New(n, o).ServeStdio(ctx, inR, outW)
		outW.Close()
	}()
	t.Cleanup(func() { cancel(); inW.Close(); outR.Close() })
	return c
}

func (c *client) send(line string) {
	c.t.Helper()
	if _, err := io.WriteString(c.in, line+"\n"); err != nil {
		c.t.Fatalf("send: %v", err)
	}
}

// message is any message of the server.
type message struct {
	line   string
	ID     json.RawMessage `json:"id"`
	Method string          `json:"method"`
	Params struct {
		ProgressToken json.RawMessage `json:"progressToken"`
		Progress      int             `json:"progress"`
		Message       string          `json:"message"`
	} `json:"params"`
	Error *struct {
		Code    int    `json:"code"`
		Message string `json:"message"`
	} `json:"error"`
	Result struct {
		IsError bool `json:"isError"`
		Content []struct {
			Text string `json:"text"`
		} `json:"content"`
		StructuredContent json.RawMessage `json:"structuredContent"`
	} `json:"result"`
}

// next reads one message; ok is false when the server has ended.
func (c *client) next() (m message, ok bool) {
	c.t.Helper()
	line, err := c.out.ReadString('\n')
	if err != nil {
		return m, false
	}
	m.line = strings.TrimSuffix(line, "\n")
	if err := json.Unmarshal([]byte(line), &m); err != nil {
		c.t.Fatalf("the server wrote %q: %v", line, err)
	}
	return m, true
}

// answer reads up to the answer to an id.
func (c *client) answer(id string) message {
	c.t.Helper()
	for {
		m, ok := c.next()
		if !ok {
			c.t.Fatalf("no answer to %s", id)
		}
		if string(m.ID) == id {
			return m
		}
	}
}

// end closes input and expects the server to end well.
func (c *client) end() {
	c.t.Helper()
	c.in.Close()
	for {
		if _, ok := c.next(); !ok {
			break
		}
	}
	if err := <-c.served; err != nil {
		c.t.Errorf("ServeStdio: %v", err)
	}
}

func callRun(id int, capability, more string) string {
	return fmt.Sprintf(`{"jsonrpc":"2.0","id":%d,"method":"tools/call","params":{"name":"math.run","arguments":{"capability_id":%q,"input":{"a":"%d"}}%s}}`, id, capability, id, more)
}
