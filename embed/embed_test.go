package embed_test

import (
	"encoding/json"
	"os"
	"testing"

	"github.com/jacobian-ledger/jacobian/embed"
	"github.com/jacobian-ledger/jacobian/events"
)

func TestMain(m *testing.M) {
	embed.ChildMain()
	if dir := os.Getenv(victimEnv); dir != "" {
		victim(dir)
	}
	if dir := os.Getenv(agentEnv); dir != "" {
		agent(dir)
	}
	os.Exit(m.Run())
}

// open opens a ledger that is closed, and must close well, at the end of the test.
func open(t *testing.T, dir string) *embed.Node {
	t.Helper()
	n, err := embed.Open(t.Context(), embed.Options{Dir: dir})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := n.Close(); err != nil {
			t.Error(err)
		}
	})
	return n
}

func request(id, input string) events.Request {
	return events.Request{CapabilityID: id, Input: json.RawMessage(input)}
}

func verify(id, input, claim string) events.Request {
	req := request(id, input)
	req.Mode, req.Claim = events.Verify, &events.ClaimText{Text: claim}
	return req
}

// run asks and expects the run to end with a status.
func run(t *testing.T, n *embed.Node, req events.Request, want events.Status) events.Result {
	t.Helper()
	res := n.Run(t.Context(), req, embed.RunOptions{Actor: "test"})
	if res.Execution.Status != want {
		t.Fatalf("%s ended %s, want %s: %+v", req.CapabilityID, res.Execution.Status, want, res.Diagnostics)
	}
	if err := res.Validate(); err != nil {
		t.Fatalf("the result contradicts itself: %v", err)
	}
	return res
}

// kinds lists the types of the events from a sequence on.
func kinds(t *testing.T, n *embed.Node, from uint64) []events.Kind {
	t.Helper()
	var out []events.Kind
	for e, err := range n.ReadLog(t.Context(), from) {
		if err != nil {
			t.Fatal(err)
		}
		out = append(out, e.Envelope.Type)
	}
	return out
}

// head is the newest sequence of the log.
func head(t *testing.T, n *embed.Node) uint64 {
	t.Helper()
	var seq uint64
	for e, err := range n.ReadLog(t.Context(), 1) {
		if err != nil {
			t.Fatal(err)
		}
		seq = e.Seq
	}
	return seq
}
