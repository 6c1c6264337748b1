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
	progress  json.RawMessage // token, nil if none was given
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
	Params json.RawMessage `json:"params"`
}

// params is what it needs to know of a message's parameters.
type params struct {
	Name      string          `json:"name"`
	Arguments json.RawMessage `json:"arguments"`
	RequestID json.RawMessage `json:"requestId"`
	Meta      struct {
		ProgressToken json.RawMessage `json:"progressToken"`
	} `json:"_meta"`
}

// stdio is one client on standard input and output. Calls run concurrently; whatever is written is
// written whole and at once, so what a call says before its answer is read before its answer.
type stdio struct {
	server  *Server
	session *session

	stop context.CancelFunc // ends everything

	out   sync.Mutex // guards w and wrote
	w     *bufio.Writer
	wrote error

	mu       sync.Mutex // guards inflight
	inflight map[string]underway
	calls    sync.WaitGroup
}

// underway is a call that has no answer yet.
type underway struct {
	cancel context.CancelFunc // nil if the client gave it up: then it gets none
	method string
}

// ServeStdio serves one client until input ends or ctx does. When input ends, calls under way are
// answered: those that go on past the grace are cancelled, which is their answer.
func (s *Server) ServeStdio(ctx context.Context, in io.Reader, out io.Writer) error {
	t := &stdio{server: s, w: bufio.NewWriter(out), inflight: map[string]underway{}}
	t.session = newSession(t)
	if err := s.mcp.RegisterSession(ctx, t.session); err != nil {
		return fmt.Errorf("mcpd: %w", err)
	}
	defer s.mcp.UnregisterSession(ctx, t.session.SessionID())
	ctx, cancel := context.WithCancel(ctx)
	defer cancel()
	t.stop = cancel
	forwarded := make(chan struct{})
	go func() { defer close(forwarded); t.session.forward() }()

	err := t.readAll(s.mcp.WithContext(ctx, t.session), in)
	t.endListening()
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
	close(t.session.stop) // after the last answer, which may have waited for the queue before it
	<-forwarded
	t.out.Lock()
	defer t.out.Unlock()
	return errors.Join(err, t.wrote)
}

// endListening ends the calls that would last as long as the client listens: it does not any more.
func (t *stdio) endListening() {
	t.mu.Lock()
	defer t.mu.Unlock()
	for _, u := range t.inflight {
		if u.method == string(mcp.MethodSubscriptionsListen) {
			u.cancel()
		}
	}
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
				t.write(failure(nil, mcp.INVALID_REQUEST, fmt.Sprintf("expected a message of at most %d bytes; store large values with artifact.put and pass a $ref", maxLine)))
			case len(bytes.TrimSpace(l.line)) > 0:
				t.take(ctx, bytes.TrimSpace(l.line))
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

// take answers what one line holds: a message, or a batch of them.
func (t *stdio) take(ctx context.Context, line []byte) {
	switch {
	case !json.Valid(line):
		t.write(failure(nil, mcp.PARSE_ERROR, "expected one JSON value a line"))
	case line[0] == '[':
		t.batch(ctx, line)
	default:
		t.message(ctx, line, t.write, func() {})
	}
}

// batch answers the messages of a batch together. Only revision 2025-03-26 of the protocol has them,
// and no client may begin with one.
func (t *stdio) batch(ctx context.Context, line []byte) {
	var messages []json.RawMessage
	if err := json.Unmarshal(line, &messages); err != nil || len(messages) == 0 || t.session.protocol() != "2025-03-26" {
		t.write(failure(nil, mcp.INVALID_REQUEST, "expected one JSON-RPC message; only revision 2025-03-26 of the protocol has batches, and no empty ones"))
		return
	}
	var mu sync.Mutex
	var answers []any
	var group sync.WaitGroup
	for _, m := range messages {
		group.Add(1)
		t.message(ctx, bytes.TrimSpace(m), func(answer any) {
			mu.Lock()
			defer mu.Unlock()
			answers = append(answers, answer)
		}, group.Done)
	}
	t.calls.Go(func() {
		group.Wait()
		if len(answers) > 0 {
			t.write(answers)
		}
	})
}

// message takes one message. Requests are answered on a goroutine of their own, but for initialize,
// which what follows may depend on; done is called when there is nothing more to answer.
func (t *stdio) message(ctx context.Context, line []byte, answer func(any), done func()) {
	var f frame
	var p params
	if err := json.Unmarshal(line, &f); err != nil {
		answer(failure(nil, mcp.INVALID_REQUEST, "expected a JSON-RPC message object"))
		done()
		return
	}
	if len(f.ID) == 0 || f.Method == "" { // a notification or a response
		defer done()
		if f.Method == "notifications/cancelled" {
			if json.Unmarshal(f.Params, &p) == nil {
				t.cancel(p.RequestID)
			}
			return
		}
		t.server.mcp.HandleMessage(ctx, line)
		return
	}
	if first := f.ID[0]; first != '"' && first != '-' && (first < '0' || first > '9') {
		answer(failure(nil, mcp.INVALID_REQUEST, "id: expected a string or a number"))
		done()
		return
	}
	if len(f.Params) > 0 {
		if err := json.Unmarshal(f.Params, &p); err != nil || f.Params[0] != '{' {
			answer(failure(f.ID, mcp.INVALID_PARAMS, "params: expected an object as the method defines it"))
			done()
			return
		}
	}
	if other, ok := spelled[p.Name]; ok && f.Method == "tools/call" && t.server.mcp.GetTool(p.Name) == nil {
		line = renamed(line, other)
	}
	id := string(f.ID)
	c := &call{arguments: p.Arguments, progress: p.Meta.ProgressToken, notify: func(method string, params any) {
		if t.wanted(id) {
			t.write(map[string]any{"jsonrpc": mcp.JSONRPC_VERSION, "method": method, "params": params})
		}
	}}
	ctx, cancel := context.WithCancel(context.WithValue(ctx, callKey{}, c))
	if !t.begin(id, underway{cancel, f.Method}) {
		cancel()
		answer(failure(f.ID, mcp.INVALID_REQUEST, "id: another request with this id is not answered yet"))
		done()
		return
	}
	work := func() {
		defer done()
		defer cancel()
		t.answer(ctx, c, line, f.ID, answer)
	}
	if f.Method == string(mcp.MethodInitialize) {
		work()
		return
	}
	t.calls.Go(work)
}

// begin notes a call; it is false if one with its id is under way.
func (t *stdio) begin(id string, u underway) bool {
	t.mu.Lock()
	defer t.mu.Unlock()
	if _, taken := t.inflight[id]; taken {
		return false
	}
	t.inflight[id] = u
	return true
}

// wanted reports whether a call still has to be answered.
func (t *stdio) wanted(id string) bool {
	t.mu.Lock()
	defer t.mu.Unlock()
	return t.inflight[id].cancel != nil
}

// cancel ends the context of a call that the client gave up. By the protocol it gets no answer.
func (t *stdio) cancel(id json.RawMessage) {
	t.mu.Lock()
	u, ok := t.inflight[string(id)]
	if ok {
		t.inflight[string(id)] = underway{method: u.method} // until it has ended, its id is taken
	}
	t.mu.Unlock()
	if ok && u.cancel != nil {
		u.cancel()
	}
}

// answer gives a call its answer, unless the client gave it up. From then on its id is free again.
func (t *stdio) answer(ctx context.Context, c *call, line []byte, id json.RawMessage, answer func(any)) {
	res := t.handle(ctx, c, line, id)
	t.session.flush()
	t.mu.Lock()
	wanted := t.inflight[string(id)].cancel != nil
	delete(t.inflight, string(id))
	t.mu.Unlock()
	if res != nil && wanted {
		answer(res)
	}
}

// handle is what the library answers, with our code for what is not there.
func (t *stdio) handle(ctx context.Context, c *call, line []byte, id json.RawMessage) (res any) {
	defer func() {
		if p := recover(); p != nil {
			res = failure(id, mcp.INTERNAL_ERROR, fmt.Sprintf("internal error: %v", p))
		}
	}()
	m := t.server.mcp.HandleMessage(ctx, line)
	if e, ok := m.(mcp.JSONRPCError); ok && c.code != 0 {
		e.Error.Code = c.code
		return e
	}
	return m
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

// failure is an answer that says what is wrong; id is nil where it could not be read.
func failure(id json.RawMessage, code int, message string) any {
	if id == nil {
		id = json.RawMessage("null")
	}
	return map[string]any{"jsonrpc": mcp.JSONRPC_VERSION, "id": id, "error": map[string]any{"code": code, "message": message}}
}

// write writes one message and flushes it. The first failure stays, and ends what is under way: nobody
// reads any more.
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
		t.stop()
	}
}
