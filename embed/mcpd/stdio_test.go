package mcpd_test

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"strings"
	"testing"
	"time"

	"github.com/jacobian-ledger/jacobian/embed/mcpd"
)

// Hosts lost 733 of 900 progress notifications of the library's own transport, or got them after the
// answer. Of ours they get every one, in order, before the answer, with many calls at once.
func TestServeStdio_ProgressBeforeItsAnswer(t *testing.T) {
	const calls = 300
	n := newNode()
	n.steps = 3
	c := serve(t, n, mcpd.Options{})
	go func() {
		for id := range calls {
			c.send(callRun(id, "test.ok", fmt.Sprintf(`,"_meta":{"progressToken":"p%d"}`, id)))
		}
	}()
	seen := map[string]int{}
	for answered := 0; answered < calls; {
		m, ok := c.next()
		if !ok {
			t.Fatalf("the server ended after %d answers", answered)
		}
		if m.Method == "notifications/progress" {
			token := string(m.Params.ProgressToken)
			seen[token]++
			if m.Params.Progress != seen[token] || !strings.HasPrefix(m.Params.Message, episode) {
				t.Fatalf("%s: progress %d %q is the %d-th", token, m.Params.Progress, m.Params.Message, seen[token])
			}
			continue
		}
		answered++
		if token := `"p` + string(m.ID) + `"`; seen[token] != n.steps {
			t.Fatalf("%s: answered after %d of %d notifications", token, seen[token], n.steps)
		}
	}
	c.end()
}

func TestServeStdio_NoTokenNoProgress(t *testing.T) {
	for _, meta := range []string{"", `,"_meta":{}`, `,"_meta":{"progressToken":null}`} {
		c := serve(t, newNode(), mcpd.Options{})
		c.send(callRun(1, "test.ok", meta))
		if m, _ := c.next(); string(m.ID) != "1" {
			t.Errorf("%s: first message %s", meta, m.line)
		}
		c.end()
	}
}

// A call that the client gives up is stopped and gets no answer; the others go on.
func TestServeStdio_Cancel(t *testing.T) {
	c := serve(t, newNode(), mcpd.Options{})
	c.send(callRun(1, "test.hold", ""))
	<-c.node.began
	c.send(`{"jsonrpc":"2.0","method":"notifications/cancelled","params":{"requestId":1,"reason":"enough"}}`)
	if err := <-c.node.ended; !errors.Is(err, context.Canceled) {
		t.Errorf("the run ended with %v, want %v", err, context.Canceled)
	}
	c.send(`{"jsonrpc":"2.0","method":"notifications/cancelled","params":{"requestId":99}}`)
	c.send(callRun(2, "test.ok", ""))
	if m, _ := c.next(); string(m.ID) != "2" {
		t.Errorf("got %s, want only the answer to 2", m.line)
	}
	c.end()
}

// Answers in flight are written when input ends.
func TestServeStdio_InputEnds(t *testing.T) {
	t.Run("a call that ends in time is answered", func(t *testing.T) {
		c := serve(t, newNode(), mcpd.Options{})
		c.send(callRun(1, "test.hold", ""))
		<-c.node.began
		c.in.Close()
		close(c.node.hold)
		if m := c.answer("1"); !strings.Contains(m.line, `"status":"COMPLETED"`) {
			t.Errorf("got %s", m.line)
		}
		c.end()
	})
	t.Run("a call that does not is cancelled and answered", func(t *testing.T) {
		c := serve(t, newNode(), mcpd.Options{Grace: time.Nanosecond})
		c.send(callRun(1, "test.hold", ""))
		<-c.node.began
		c.in.Close()
		if m := c.answer("1"); !strings.Contains(m.line, `"status":"CANCELLED"`) {
			t.Errorf("got %s", m.line)
		}
		c.end()
	})
	t.Run("the process is asked to end", func(t *testing.T) {
		c := serve(t, newNode(), mcpd.Options{})
		c.send(callRun(1, "test.hold", ""))
		<-c.node.began
		c.cancel()
		if m := c.answer("1"); !strings.Contains(m.line, `"status":"CANCELLED"`) {
			t.Errorf("got %s", m.line)
		}
		c.end()
	})
	t.Run("a listener does not make the server wait", func(t *testing.T) {
		c := serve(t, newNode(), mcpd.Options{Grace: time.Hour})
		c.send(`{"jsonrpc":"2.0","id":"l","method":"subscriptions/listen","params":{"notifications":{},` + modern + `}}`)
		m, _ := c.next()
		if m.Method != "notifications/subscriptions/acknowledged" {
			t.Errorf("first message %s, want the acknowledgement", m.line)
		}
		c.in.Close()
		c.answer(`"l"`)
		c.end()
	})
	t.Run("the last line has no end", func(t *testing.T) {
		c := serve(t, newNode(), mcpd.Options{})
		go func() {
			_, _ = c.in.Write([]byte(`{"jsonrpc":"2.0","id":7,"method":"ping"}`))
			c.in.Close()
		}()
		c.answer("7")
		c.end()
	})
}

const modern = `"_meta":{"io.modelcontextprotocol/protocolVersion":"2026-07-28","io.modelcontextprotocol/clientInfo":{"name":"test","version":"1"},"io.modelcontextprotocol/clientCapabilities":{}}`

// The client does not read any more: what runs is stopped, and the server says why it ended.
func TestServeStdio_OutputBroken(t *testing.T) {
	n := newNode()
	in, w := io.Pipe()
	defer w.Close()
	served := make(chan error, 1)
	go func() { served <- mcpd.New(n, mcpd.Options{Grace: time.Hour}).ServeStdio(t.Context(), in, broken{}) }()
	fmt.Fprintln(w, callRun(1, "test.hold", ""))
	<-n.began
	fmt.Fprintln(w, callRun(2, "test.ok", "")) // its answer cannot be written
	if err := <-n.ended; !errors.Is(err, context.Canceled) {
		t.Errorf("the run ended with %v, want %v", err, context.Canceled)
	}
	if err := <-served; !errors.Is(err, errBroken) {
		t.Errorf("ServeStdio: %v, want %v", err, errBroken)
	}
}

var errBroken = errors.New("nobody reads")

type broken struct{}

func (broken) Write([]byte) (int, error) { return 0, errBroken }

// What is not a request gets the right error, and the next message is answered.
func TestServeStdio_Malformed(t *testing.T) {
	for _, c := range []struct {
		name, line, id string
		code           int
	}{
		{"cut off", `{"jsonrpc":"2.0","id":1,"method":`, "null", -32700},
		{"text", `hello`, "null", -32700},
		{"two messages on a line", `{"jsonrpc":"2.0","id":1,"method":"ping"} {}`, "null", -32700},
		{"a string", `"hello"`, "null", -32600},
		{"a batch", `[{"jsonrpc":"2.0","id":1,"method":"ping"}]`, "null", -32600},
		{"an empty batch", `[]`, "null", -32600},
		{"id null", `{"jsonrpc":"2.0","id":null,"method":"ping"}`, "null", -32600},
		{"id an object", `{"jsonrpc":"2.0","id":{},"method":"ping"}`, "null", -32600},
		{"no version", `{"id":1,"method":"ping"}`, "1", -32600},
		{"unknown method", `{"jsonrpc":"2.0","id":1,"method":"nope"}`, "1", -32601},
		{"parameters by position", `{"jsonrpc":"2.0","id":1,"method":"tools/call","params":["math.run"]}`, "1", -32602},
		{"parameters null", `{"jsonrpc":"2.0","id":1,"method":"tools/call","params":null}`, "1", -32602},
		{"name a number", `{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":5}}`, "1", -32602},
		{"unknown tool", `{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"math.solve"}}`, "1", -32602},
		{"no tool", `{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{}}`, "1", -32602},
		{"too long", `{"jsonrpc":"2.0","id":1,"method":"ping","params":{"x":"` + strings.Repeat("x", 10<<20) + `"}}`, "null", -32600},
	} {
		t.Run(c.name, func(t *testing.T) {
			cl := serve(t, newNode(), mcpd.Options{})
			go func() {
				cl.send(c.line)
				cl.send("")
				cl.send(`{"jsonrpc":"2.0","id":"next","method":"ping"}`)
			}()
			m, _ := cl.next()
			next, _ := cl.next()
			if m.Error == nil { // requests are answered in any order
				m, next = next, m
			}
			if m.Error == nil || m.Error.Code != c.code || string(m.ID) != c.id {
				t.Errorf("got %s, want error %d to id %s", m.line, c.code, c.id)
			}
			if string(next.ID) != `"next"` || next.Error != nil {
				t.Errorf("then got %s, want the answer to next", next.line)
			}
			cl.end()
		})
	}
}

func TestServeStdio_Ignored(t *testing.T) {
	c := serve(t, newNode(), mcpd.Options{})
	for _, line := range []string{
		`{"jsonrpc":"2.0","method":"notifications/initialized"}`,
		`{"jsonrpc":"2.0","method":"notifications/nobody_knows","params":{"x":1}}`,
		`{"jsonrpc":"2.0","method":"notifications/cancelled","params":7}`,
		`{"jsonrpc":"2.0","id":5,"result":{}}`,
		"  \t", "",
	} {
		c.send(line)
	}
	c.send(`{"jsonrpc":"2.0","id":1,"method":"ping"}`)
	if m, _ := c.next(); string(m.ID) != "1" {
		t.Errorf("got %s, want only the answer to 1", m.line)
	}
	c.end()
}

func TestServeStdio_IDInUse(t *testing.T) {
	c := serve(t, newNode(), mcpd.Options{})
	c.send(callRun(1, "test.hold", ""))
	<-c.node.began
	c.send(callRun(1, "test.ok", ""))
	if m, _ := c.next(); m.Error == nil || m.Error.Code != -32600 {
		t.Errorf("got %s, want error -32600", m.line)
	}
	close(c.node.hold)
	if m := c.answer("1"); m.Error != nil {
		t.Errorf("the first call got %s", m.line)
	}
	c.send(callRun(1, "test.ok", "")) // it is free again
	if m := c.answer("1"); m.Error != nil {
		t.Errorf("got %s", m.line)
	}
	c.end()
}

// Revision 2025-03-26 has batches; the answers come together.
func TestServeStdio_Batch(t *testing.T) {
	c := serve(t, newNode(), mcpd.Options{})
	c.send(`{"jsonrpc":"2.0","id":0,"method":"initialize","params":{"protocolVersion":"2025-03-26","capabilities":{},"clientInfo":{"name":"test","version":"1"}}}`)
	c.answer("0")
	c.send(`[{"jsonrpc":"2.0","id":1,"method":"ping"},{"jsonrpc":"2.0","method":"notifications/initialized"},7,` + callRun(2, "test.ok", "") + `]`)
	line, err := c.out.ReadString('\n')
	var answers []message
	if err == nil {
		err = json.Unmarshal([]byte(line), &answers)
	}
	if err != nil || len(answers) != 3 {
		t.Errorf("got %s (%v), want three answers", line, err)
	}
	c.send(`[{"jsonrpc":"2.0","method":"notifications/initialized"}]`) // nothing to answer
	c.send(`{"jsonrpc":"2.0","id":3,"method":"ping"}`)
	if m, _ := c.next(); string(m.ID) != "3" {
		t.Errorf("got %s, want only the answer to 3", m.line)
	}
	c.end()
}

func TestServeStdio_Panic(t *testing.T) {
	c := serve(t, newNode(), mcpd.Options{})
	c.send(callRun(1, "test.panic", ""))
	if m := c.answer("1"); m.Error == nil && !m.Result.IsError {
		t.Errorf("got %s, want an error", m.line)
	}
	c.send(callRun(2, "test.ok", ""))
	c.answer("2")
	c.end()
}

func BenchmarkServeStdio_Find(b *testing.B) {
	n := newNode()
	var in strings.Builder
	for id := range b.N {
		fmt.Fprintf(&in, `{"jsonrpc":"2.0","id":%d,"method":"tools/call","params":{"name":"math.find","arguments":{"query":"gcd"}}}`+"\n", id)
	}
	out := &counter{}
	b.ResetTimer()
	if err := mcpd.New(n, mcpd.Options{}).ServeStdio(b.Context(), strings.NewReader(in.String()), out); err != nil {
		b.Fatal(err)
	}
	if out.lines != b.N {
		b.Fatalf("%d answers to %d calls", out.lines, b.N)
	}
}

type counter struct{ lines int }

func (c *counter) Write(p []byte) (int, error) {
	c.lines += strings.Count(string(p), "\n")
	return len(p), nil
}
