package mcpd

import (
	"bufio"
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"sync"
	"time"

	"github.com/mark3labs/mcp-go/mcp"
)

// maxLine is the longest message that is read.
const maxLine = 10 << 20

// call is one request under way, as its handler sees it.
type call struct {
	arguments json.RawMessage // of a tool, exactly as they came
	progress  any             // token, nil if none was given
	notify    func(method string, params any)
	code      int // of the error to answer with instead of the library's; 0 for that one
}

type callKey struct{}

func callOf(ctx context.Context) *call {
	c, _ := ctx.Value(callKey{}).(*call)
	return c
}

// frame is what the transport itself needs to know of a message.
type frame struct {
	ID     json.RawMessage `json:"id"`
	Method string          `json:"method"`
	Params struct {
		Name      string          `json:"name"`
		Arguments json.RawMessage `json:"arguments"`
		RequestID json.RawMessage `json:"requestId"`
		Meta      struct {
			ProgressToken any `json:"progressToken"`
		} `json:"_meta"`
	} `json:"params"`
}

// stdio is one client on standard input and output. Calls run concurrently; whatever is written is
// written whole and at once, so what a call says before its answer is read before its answer.
type stdio struct {
	server *Server

	out   sync.Mutex // guards w and wrote
	w     *bufio.Writer
	wrote error

	mu       sync.Mutex // guards inflight
	inflight map[string]context.CancelFunc
	calls    sync.WaitGroup
}

// ServeStdio serves one client until input ends or ctx does. When input ends, calls under way are
// answered: those that go on past the grace are cancelled, which is their answer.
func (s *Server) ServeStdio(ctx context.Context, in io.Reader, out io.Writer) error {
	t := &stdio{server: s, w: bufio.NewWriter(out), inflight: map[string]context.CancelFunc{}}
	session := newSession(t)
	if err := s.mcp.RegisterSession(ctx, session); err != nil {
		return fmt.Errorf("mcpd: %w", err)
	}
	defer s.mcp.UnregisterSession(ctx, session.SessionID())
	ctx, cancel := context.WithCancel(ctx)
	defer cancel()
	forwarded := make(chan struct{})
	go func() { defer close(forwarded); session.forward(ctx) }()

	err := t.readAll(s.mcp.WithContext(ctx, session), in)
	done := make(chan struct{})
	go func() { t.calls.Wait(); close(done) }()
	select {
	case <-done:
	case <-ctx.Done():
		<-done // their contexts have ended too
	case <-time.After(s.opt.Grace):
		cancel()
		<-done
	}
	cancel()
	<-forwarded
	t.out.Lock()
	defer t.out.Unlock()
	return errors.Join(err, t.wrote)
}

// readAll takes messages, a line each, until input ends or ctx does.
func (t *stdio) readAll(ctx context.Context, in io.Reader) error {
	type read struct {
		line []byte
		err  error
	}
	lines := make(chan read)
	go func() { // a blocked Read cannot be interrupted: it ends with the process
		defer close(lines)
		r := bufio.NewReaderSize(in, 64<<10)
		for {
			line, err := readLine(r)
			select {
			case lines <- read{line, err}:
			case <-ctx.Done():
				return
			}
			if err != nil && !errors.Is(err, errLineTooLong) {
				return
			}
		}
	}()
	for {
		select {
		case <-ctx.Done():
			return nil
		case l, ok := <-lines:
			switch {
			case !ok:
				return nil
			case errors.Is(l.err, errLineTooLong):
				t.writeError(nil, mcp.INVALID_REQUEST, fmt.Sprintf("expected a message of at most %d bytes; store large values with artifact.put and pass a $ref", maxLine))
			case len(bytes.TrimSpace(l.line)) > 0:
				t.take(ctx, l.line)
			}
			if l.err != nil && !errors.Is(l.err, errLineTooLong) {
				if errors.Is(l.err, io.EOF) {
					return nil
				}
				return fmt.Errorf("mcpd: read: %w", l.err)
			}
		}
	}
}

var errLineTooLong = errors.New("mcpd: line too long")

// readLine reads one line; a longer one than maxLine is skipped to its end.
func readLine(r *bufio.Reader) ([]byte, error) {
	var line []byte
	tooLong := false
	for {
		part, err := r.ReadSlice('\n')
		if tooLong = tooLong || len(line)+len(part) > maxLine; !tooLong {
			line = append(line, part...)
		}
		switch {
		case errors.Is(err, bufio.ErrBufferFull):
			continue
		case tooLong && err == nil:
			return nil, errLineTooLong
		}
		return line, err
	}
}

// take answers one message: requests each on a goroutine of their own, the rest at once.
func (t *stdio) take(ctx context.Context, line []byte) {
	var f frame
	if err := json.Unmarshal(line, &f); err != nil {
		if !json.Valid(line) {
			t.writeError(nil, mcp.PARSE_ERROR, "expected one JSON value a line")
			return
		}
		t.writeError(nil, mcp.INVALID_REQUEST, "expected one JSON-RPC message object; batches are not part of this protocol")
		return
	}
	isRequest := len(f.ID) > 0 && string(f.ID) != "null" && f.Method != ""
	if !isRequest {
		if f.Method == "notifications/cancelled" {
			t.cancel(f.Params.RequestID)
			return
		}
		t.server.mcp.HandleMessage(ctx, line)
		return
	}
	if other, ok := spelled[f.Params.Name]; ok && f.Method == "tools/call" && t.server.mcp.GetTool(f.Params.Name) == nil {
		line = renamed(line, other)
	}
	c := &call{arguments: f.Params.Arguments, progress: f.Params.Meta.ProgressToken, notify: t.notify}
	ctx, cancel := context.WithCancel(context.WithValue(ctx, callKey{}, c))
	id := string(f.ID)
	t.mu.Lock()
	t.inflight[id] = cancel
	t.mu.Unlock()
	t.calls.Go(func() {
		defer func() {
			t.mu.Lock()
			delete(t.inflight, id)
			t.mu.Unlock()
			cancel()
		}()
		t.answer(ctx, c, line, f.ID)
	})
}

// cancel ends the context of a call that the client gave up. By the protocol it gets no answer.
func (t *stdio) cancel(id json.RawMessage) {
	t.mu.Lock()
	cancel := t.inflight[string(id)]
	delete(t.inflight, string(id))
	t.mu.Unlock()
	if cancel != nil {
		cancel()
	}
}

func (t *stdio) answer(ctx context.Context, c *call, line []byte, id json.RawMessage) {
	defer func() {
		if p := recover(); p != nil {
			t.writeError(id, mcp.INTERNAL_ERROR, fmt.Sprintf("internal error: %v", p))
		}
	}()
	res := t.server.mcp.HandleMessage(ctx, line)
	t.mu.Lock()
	_, wanted := t.inflight[string(id)]
	t.mu.Unlock()
	if res == nil || !wanted {
		return
	}
	if e, ok := res.(mcp.JSONRPCError); ok && c.code != 0 {
		e.Error.Code = c.code
		res = e
	}
	t.write(res)
}

// renamed is a tools/call message with another spelling of the tool's name.
func renamed(line []byte, name string) []byte {
	var message, params map[string]json.RawMessage
	if json.Unmarshal(line, &message) != nil || json.Unmarshal(message["params"], &params) != nil {
		return line
	}
	params["name"], _ = json.Marshal(name)
	message["params"], _ = json.Marshal(params)
	out, err := json.Marshal(message)
	if err != nil {
		return line
	}
	return out
}

func (t *stdio) notify(method string, params any) {
	t.write(map[string]any{"jsonrpc": mcp.JSONRPC_VERSION, "method": method, "params": params})
}

func (t *stdio) writeError(id json.RawMessage, code int, message string) {
	if id == nil {
		id = json.RawMessage("null")
	}
	t.write(map[string]any{"jsonrpc": mcp.JSONRPC_VERSION, "id": id, "error": map[string]any{"code": code, "message": message}})
}

// write writes one message and flushes it. The first failure stays: nobody reads any more.
func (t *stdio) write(message any) {
	t.out.Lock()
	defer t.out.Unlock()
	if t.wrote != nil {
		return
	}
	enc := json.NewEncoder(t.w) // ends with a newline
	enc.SetEscapeHTML(false)
	err := enc.Encode(message)
	if err == nil {
		err = t.w.Flush()
	}
	if err != nil {
		t.wrote = fmt.Errorf("mcpd: write: %w", err)
	}
}

// session is the client as the library knows it. What the library itself wants to say, such as that a
// list has changed, comes through its channel.
type session struct {
	transport   *stdio
	queue       chan mcp.JSONRPCNotification
	mu          sync.Mutex
	initialized bool
}

func newSession(t *stdio) *session {
	return &session{transport: t, queue: make(chan mcp.JSONRPCNotification, 256)}
}

func (s *session) forward(ctx context.Context) {
	for {
		select {
		case n := <-s.queue:
			s.transport.write(n)
		case <-ctx.Done():
			return
		}
	}
}

// Initialize notes that the client has initialized.
func (s *session) Initialize() {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.initialized = true
}

// Initialized reports whether it has.
func (s *session) Initialized() bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.initialized
}

// NotificationChannel takes what the library wants to say.
func (s *session) NotificationChannel() chan<- mcp.JSONRPCNotification { return s.queue }

// SessionID is constant: there is one client.
func (s *session) SessionID() string { return "stdio" }
