package mcpd_test

import (
	"bytes"
	"encoding/json"
	"flag"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/jacobian-ledger/jacobian/embed/mcpd"
	"github.com/jacobian-ledger/jacobian/events"
)

var update = flag.Bool("update", false, "rewrite the transcripts")

// A transcript is a conversation in one revision of the protocol: lines that begin with "> " are the
// client's, those with "< " are what the server wrote before the next one. The client waits for each
// answer. What a line pins is said in a comment before it.
func TestTranscripts(t *testing.T) {
	files, err := filepath.Glob("testdata/*.transcript")
	if err != nil || len(files) == 0 {
		t.Fatalf("no transcripts: %v", err)
	}
	for _, file := range files {
		t.Run(strings.TrimSuffix(filepath.Base(file), ".transcript"), func(t *testing.T) {
			want, err := os.ReadFile(file)
			if err != nil {
				t.Fatal(err)
			}
			got := replay(t, string(want))
			if *update {
				if err := os.WriteFile(file, []byte(got), 0o644); err != nil {
					t.Fatal(err)
				}
				return
			}
			if d := cmp.Diff(string(want), got); d != "" {
				t.Errorf("transcript differs (-want +got), or run with -update:\n%s", d)
			}
		})
	}
}

func replay(t *testing.T, script string) string {
	t.Helper()
	c := serve(t, newNode(), mcpd.Options{})
	var b strings.Builder
	for line := range strings.Lines(script) {
		if strings.HasPrefix(line, "< ") {
			continue
		}
		b.WriteString(line)
		said, ok := strings.CutPrefix(strings.TrimSuffix(line, "\n"), "> ")
		if !ok {
			continue
		}
		c.send(said)
		var sent struct{ ID json.RawMessage }
		if json.Unmarshal([]byte(said), &sent) == nil && len(sent.ID) == 0 {
			continue // a notification has no answer
		}
		for {
			m, ok := c.next()
			if !ok {
				t.Fatalf("the server ended after %s", said)
			}
			b.WriteString("< " + m.line + "\n")
			if m.Method == "" {
				break
			}
		}
	}
	c.end()
	return b.String()
}

// The instructions and the tool list are in every context of every agent.
func TestSurface_Sizes(t *testing.T) {
	for _, o := range []mcpd.Options{{}, {Underscore: true}} {
		c := serve(t, newNode(), o)
		c.send(`{"jsonrpc":"2.0","id":1,"method":"initialize","params":{"protocolVersion":"2025-11-25","capabilities":{},"clientInfo":{"name":"test","version":"1"}}}`)
		var init struct {
			Result struct{ Instructions string }
		}
		if err := json.Unmarshal([]byte(c.answer("1").line), &init); err != nil {
			t.Fatal(err)
		}
		if n := len(init.Result.Instructions); n == 0 || n > 1200 {
			t.Errorf("instructions have %d bytes, want 1 to 1200", n)
		}
		c.send(`{"jsonrpc":"2.0","id":2,"method":"tools/list"}`)
		line := c.answer("2").line
		if len(line) > 3<<10 {
			t.Errorf("the tool list has %d bytes, want at most %d", len(line), 3<<10)
		}
		want := []string{"math.find", "math.run"}
		if o.Underscore {
			want = []string{"math_find", "math_run"}
		}
		var list struct {
			Result struct{ Tools []struct{ Name string } }
		}
		if err := json.Unmarshal([]byte(line), &list); err != nil {
			t.Fatal(err)
		}
		var names []string
		for _, tool := range list.Result.Tools {
			names = append(names, tool.Name)
		}
		if d := cmp.Diff(want, names); d != "" {
			t.Errorf("tools: %s", d)
		}
		c.end()
	}
}

func TestTools_BothSpellings(t *testing.T) {
	for _, o := range []mcpd.Options{{}, {Underscore: true}} {
		c := serve(t, newNode(), o)
		for _, name := range []string{"math.find", "math_find"} {
			c.send(`{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"` + name + `","arguments":{"query":"gcd"}}}`)
			if m := c.answer("1"); m.Error != nil || m.Result.IsError {
				t.Errorf("underscore %v, %s: %s", o.Underscore, name, m.line)
			}
		}
		c.end()
	}
}

// The schemas of the tools are closed and name exactly what the strict decoder takes, so that no host is
// told to send what is refused.
func TestTools_SchemasAreWhatIsDecoded(t *testing.T) {
	c := serve(t, newNode(), mcpd.Options{})
	c.send(`{"jsonrpc":"2.0","id":1,"method":"tools/list"}`)
	var list struct {
		Result struct {
			Tools []struct {
				Name        string
				InputSchema struct {
					AdditionalProperties *bool
					Properties           map[string]struct{ Type string }
				}
			}
		}
	}
	if err := json.Unmarshal([]byte(c.answer("1").line), &list); err != nil {
		t.Fatal(err)
	}
	samples := map[string]string{"string": `"x"`, "integer": "1", "boolean": "true", "object": "{}"}
	for _, tool := range list.Result.Tools {
		if p := tool.InputSchema.AdditionalProperties; p == nil || *p {
			t.Errorf("%s: the schema is open", tool.Name)
		}
		for name, p := range tool.InputSchema.Properties {
			args := map[string]json.RawMessage{name: json.RawMessage(samples[p.Type])}
			if tool.Name == "math.run" {
				for _, required := range [][2]string{{"capability_id", `"test.ok"`}, {"input", `{}`}} {
					if _, ok := args[required[0]]; !ok {
						args[required[0]] = json.RawMessage(required[1])
					}
				}
			}
			b, err := json.Marshal(args)
			if err != nil {
				t.Fatal(err)
			}
			c.send(`{"jsonrpc":"2.0","id":2,"method":"tools/call","params":{"name":"` + tool.Name + `","arguments":` + string(b) + `}}`)
			if m := c.answer("2"); strings.Contains(m.line, "unknown member") && strings.Contains(m.line, `"path":"/`+name+`"`) {
				t.Errorf("%s: %s is in the schema and refused: %s", tool.Name, name, m.line)
			}
		}
	}
	c.end()
}

// The arguments reach the node exactly as they came: no integer is rounded, no text changed.
func TestRun_ArgumentsExact(t *testing.T) {
	for _, c := range []struct{ name, input, want string }{
		{"an integer within 2^53", `{"a":9007199254740991}`, `{"a":9007199254740991}`},
		{"a long integer as text", `{"a":"123456789012345678901234567890"}`, `{"a":"123456789012345678901234567890"}`},
		{"text in several scripts", `{"a":"Grötzsch \u00e9 \ud83d\ude00 <&>"}`, `{"a":"Grötzsch é 😀 <&>"}`},
	} {
		t.Run(c.name, func(t *testing.T) {
			cl := serve(t, newNode(), mcpd.Options{})
			cl.send(`{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"math.run","arguments":{"capability_id":"test.ok","input":` + c.input + `}}}`)
			m := cl.answer("1")
			req := <-cl.node.requests
			var got, want any
			for _, x := range []struct {
				text []byte
				v    *any
			}{{req.Input, &got}, {[]byte(c.want), &want}} {
				d := json.NewDecoder(bytes.NewReader(x.text))
				d.UseNumber()
				if err := d.Decode(x.v); err != nil {
					t.Fatal(err)
				}
			}
			if d := cmp.Diff(want, got); d != "" {
				t.Errorf("the node got another input: %s\n%s", d, m.line)
			}
			cl.end()
		})
	}
	t.Run("an integer beyond 2^53 is refused, not rounded", func(t *testing.T) {
		cl := serve(t, newNode(), mcpd.Options{})
		cl.send(`{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"math.run","arguments":{"capability_id":"test.ok","input":{"a":9007199254740993}}}}`)
		if m := cl.answer("1"); !m.Result.IsError || !strings.Contains(m.line, `decimal string`) || len(cl.node.requests) > 0 {
			t.Errorf("got %s", m.line)
		}
		cl.end()
	})
}

// The structured content is the whole result; the text is not a second copy of it.
func TestRun_Texts(t *testing.T) {
	for _, c := range []struct {
		name, capability, more string
		isError                bool
		want                   []string
	}{
		{"computed", "test.ok", "", false, []string{"DONE · COMPUTED", "COMPLETED", "seq 42", `output: {"a":"1"}`}},
		{"verified", "test.verified", `,"mode":"VERIFY","claim":{"text":"not\u202e 3-colourable"}`, false, []string{"FALSE · VERIFIED record://" + record, "claim: not⟨U+202E⟩ 3-colourable"}},
		{"refused", "test.refuse", "", true, []string{"ERROR LIMIT_EXCEEDED at /input/order: expected at most 5 vertices, found 9. Next: use a smaller graph."}},
		{"running", "test.running", "", false, []string{"RUNNING " + episode, "episode://" + episode}},
		{"large", "test.large", "", false, []string{"bytes more in the structured content"}},
	} {
		t.Run(c.name, func(t *testing.T) {
			cl := serve(t, newNode(), mcpd.Options{})
			cl.send(`{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"math.run","arguments":{"capability_id":"` + c.capability + `","input":{"a":"1"}` + c.more + `}}}`)
			m := cl.answer("1")
			if len(m.Result.Content) != 1 || m.Result.IsError != c.isError {
				t.Fatalf("got %s", m.line)
			}
			text := m.Result.Content[0].Text
			for _, w := range c.want {
				if !strings.Contains(text, w) {
					t.Errorf("the text lacks %q:\n%s", w, text)
				}
			}
			var res events.Result
			if err := json.Unmarshal(m.Result.StructuredContent, &res); err != nil || res.CapabilityID != c.capability {
				t.Errorf("structured content %s: %v", m.Result.StructuredContent, err)
			}
			if len(text) > 5<<10 || len(text) >= len(m.Result.StructuredContent) {
				t.Errorf("the text has %d bytes, the structured content %d", len(text), len(m.Result.StructuredContent))
			}
			cl.end()
		})
	}
}

// Hosts give up after about 60 s: unless told otherwise a call waits 25 s.
func TestRun_Wait(t *testing.T) {
	for _, c := range []struct {
		name, more string
		want       int64
	}{{"by default", "", 25_000}, {"as asked", `,"wait_ms":1`, 1}, {"not at all", `,"wait_ms":0`, 0}} {
		t.Run(c.name, func(t *testing.T) {
			cl := serve(t, newNode(), mcpd.Options{})
			cl.send(`{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"math.run","arguments":{"capability_id":"test.ok","input":{}` + c.more + `}}}`)
			cl.answer("1")
			if req := <-cl.node.requests; req.WaitMS == nil || *req.WaitMS != c.want {
				t.Errorf("wait_ms %v, want %d", req.WaitMS, c.want)
			}
			cl.end()
		})
	}
}

func TestTools_BadArguments(t *testing.T) {
	for _, c := range []struct{ name, tool, arguments, path string }{
		{"an unknown member", "math.find", `{"zzz":1}`, "/zzz"},
		{"a member twice", "math.find", `{"query":"a","query":"b"}`, "/query"},
		{"the wrong type", "math.find", `{"limit":"five"}`, "/limit"},
		{"no operation", "math.run", `{"input":{}}`, "/capability_id"},
		{"no input", "math.run", `{"capability_id":"test.ok"}`, "/input"},
		{"an unknown member of the claim", "math.run", `{"capability_id":"test.ok","input":{},"claim":{"text":"x","proof":"y"}}`, "/claim/proof"},
		{"a broken budget", "math.run", `{"capability_id":"test.ok","input":{},"budget":{"wall_ms":1.5}}`, "/budget/wall_ms"},
		{"not an object", "math.run", `[]`, ""},
	} {
		t.Run(c.name, func(t *testing.T) {
			cl := serve(t, newNode(), mcpd.Options{})
			cl.send(`{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"` + c.tool + `","arguments":` + c.arguments + `}}`)
			m := cl.answer("1")
			var s struct{ Diagnostics []events.Diagnostic }
			if err := json.Unmarshal(m.Result.StructuredContent, &s); err != nil || !m.Result.IsError || len(s.Diagnostics) != 1 {
				t.Fatalf("got %s", m.line)
			}
			if d := s.Diagnostics[0]; d.Code != events.CodeInvalidRequest || d.Path != c.path || d.Hint == "" {
				t.Errorf("diagnostic %+v, want path %q", d, c.path)
			}
			if len(cl.node.requests) > 0 {
				t.Error("the node was asked all the same")
			}
			cl.end()
		})
	}
}
