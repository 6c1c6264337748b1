package mcpd

import (
	"sync"

	"github.com/mark3labs/mcp-go/mcp"
)

// session is the client as the library knows it. What the library itself wants to say, such as that a
// subscription has begun, comes through its queue.
type session struct {
	transport *stdio
	queue     chan mcp.JSONRPCNotification
	stop      chan struct{} // closed when nothing is put into the queue any more

	mu          sync.Mutex // guards what follows
	initialized bool
	version     string
}

func newSession(t *stdio) *session {
	return &session{transport: t, queue: make(chan mcp.JSONRPCNotification, 256), stop: make(chan struct{})}
}

// barrier is the method of a notification that is never written: it marks a place in the queue.
const barrier = "barrier"

// forward writes what is in the queue, until it is stopped and empty.
func (s *session) forward() {
	say := func(n mcp.JSONRPCNotification) {
		if n.Method != barrier {
			s.transport.write(n)
		} else if passed, ok := n.Params.AdditionalFields[barrier].(chan struct{}); ok {
			close(passed)
		}
	}
	for {
		select {
		case n := <-s.queue:
			say(n)
		case <-s.stop:
			for len(s.queue) > 0 {
				say(<-s.queue)
			}
			return
		}
	}
}

// flush waits until everything in the queue is written: what the library said during a call comes
// before the call's answer.
func (s *session) flush() {
	passed := make(chan struct{})
	s.queue <- mcp.JSONRPCNotification{Notification: mcp.Notification{
		Method: barrier, Params: mcp.NotificationParams{AdditionalFields: map[string]any{barrier: passed}},
	}}
	<-passed
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

// SetProtocolVersion notes which revision of the protocol was agreed on.
func (s *session) SetProtocolVersion(version string) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.version = version
}

func (s *session) protocol() string {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.version
}

// NotificationChannel takes what the library wants to say.
func (s *session) NotificationChannel() chan<- mcp.JSONRPCNotification { return s.queue }

// SessionID is constant: there is one client.
func (s *session) SessionID() string { return "stdio" }
