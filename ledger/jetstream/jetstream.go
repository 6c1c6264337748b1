// Package jetstream keeps a log in a NATS JetStream stream: one stream a tenant, in which a message's
// stream sequence is the event's sequence and its payload the event's bytes. It takes a connection
// and does not care whether the server is embedded.
//
// # Invariants
//
// The stream is file-backed, replies after it has synced (the server must run with SyncAlways), and
// neither deletes, purges, expires nor rolls up. Its configuration is compared when it is opened and
// again whenever the server announces a change; a difference stops appends.
//
// What a reader sees is durable: reads are direct gets, which the server isolates from a batch that is
// being committed. A consumer may be told of a message of a batch before it is synced, so consumers
// only wake readers here.
//
// The subjects are described at [Subject]. An event's headers carry nothing that matters: its id is
// also in its bytes.
//
// Source: NATS ADR-50 (atomic batch publishing), ADR-31 (direct get).
package jetstream

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"strconv"
	"sync"
	"sync/atomic"

	"github.com/jacobian-ledger/jacobian/events"
	"github.com/jacobian-ledger/jacobian/ledger"
	"github.com/nats-io/nats.go"
	"github.com/nats-io/nats.go/jetstream"
)

// Store is the log of one tenant.
type Store struct {
	config Config
	js     jetstream.JetStream
	stream string

	head   atomic.Uint64 // a durable sequence; never beyond the last
	mu     sync.Mutex
	grew   chan struct{} // closed and replaced when head moves or failed is set
	failed error         // why appends or waits are over
	watch  func()        // stops the watcher; nil before somebody waits
	closed bool
	wg     sync.WaitGroup
	alarm  *nats.Subscription
}

var _ ledger.Store = (*Store)(nil)

func newStore(c Config) (*Store, error) {
	if err := c.complete(); err != nil {
		return nil, err
	}
	js, err := jetstream.New(c.Conn, jetstream.WithDefaultTimeout(c.AckTimeout))
	if err != nil {
		return nil, err
	}
	return &Store{config: c, js: js, stream: StreamName(c.Tenant), grew: make(chan struct{})}, nil
}

// open subscribes to changes of the stream and then checks it, so that none falls in between.
func (s *Store) open(ctx context.Context) error {
	alarm, err := s.config.Conn.Subscribe("$JS.EVENT.ADVISORY.STREAM.*."+s.stream, func(m *nats.Msg) {
		var advisory struct {
			Action string `json:"action"`
		}
		if json.Unmarshal(m.Data, &advisory) != nil || advisory.Action != "modify" && advisory.Action != "delete" {
			return
		}
		ctx, cancel := context.WithTimeout(context.Background(), s.config.AckTimeout)
		defer cancel()
		if err := s.check(ctx); err != nil {
			s.fail(fmt.Errorf("%w: %w", ledger.ErrReadOnly, err))
		}
	})
	if err != nil {
		return fmt.Errorf("watch the configuration: %w", err)
	}
	s.alarm = alarm
	err = s.check(ctx)
	if err == nil {
		_, err = s.Last(ctx)
	}
	if err != nil {
		_ = alarm.Unsubscribe()
	}
	return err
}

// Close ends waits and refuses appends. It leaves the connection open.
func (s *Store) Close() {
	s.mu.Lock()
	s.closed = true
	stop := s.watch
	s.mu.Unlock()
	s.fail(ledger.ErrClosed)
	_ = s.alarm.Unsubscribe()
	if stop != nil {
		stop()
	}
	s.wg.Wait()
}

// fail stops appends and ends waits; the first reason stays.
func (s *Store) fail(err error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.failed == nil {
		s.failed = err
		close(s.grew)
		s.grew = make(chan struct{})
	}
}

func (s *Store) failure() error {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.failed
}

// advance records that the sequence is durable and wakes those who wait for it.
func (s *Store) advance(seq uint64) {
	for {
		old := s.head.Load()
		if seq <= old {
			return
		}
		if s.head.CompareAndSwap(old, seq) {
			break
		}
	}
	s.mu.Lock()
	close(s.grew)
	s.grew = make(chan struct{})
	s.mu.Unlock()
}

// Append publishes one entry as a message, several as one atomic batch.
func (s *Store) Append(ctx context.Context, entries []ledger.Entry) (uint64, error) {
	if len(entries) == 0 || len(entries) > ledger.MaxBatch {
		return 0, fmt.Errorf("jetstream: expected 1 to %d entries, found %d", ledger.MaxBatch, len(entries))
	}
	if err := s.failure(); err != nil {
		return 0, err
	}
	// The server compares with what is stored, not with the rest of a batch, when the subject of an
	// expectation is a pattern.
	ended := map[string]bool{}
	messages := make([]*nats.Msg, len(entries))
	for i := range entries {
		if once := entries[i].Once(); once != "" {
			if ended[once] {
				return 0, fmt.Errorf("%w: two terminal events of %s in one batch", ledger.ErrConflict, once)
			}
			ended[once] = true
		}
		messages[i] = s.message(&entries[i])
	}
	last, err := s.publish(ctx, messages)
	if err != nil {
		return 0, err
	}
	s.advance(last)
	return last, nil
}

func (s *Store) message(e *ledger.Entry) *nats.Msg {
	m := nats.NewMsg(Subject(&e.Envelope))
	m.Data = e.Bytes
	m.Header[jetstream.MsgIDHeader] = []string{e.Envelope.ID}
	m.Header[jetstream.ExpectedStreamHeader] = []string{s.stream}
	if once := e.Once(); once != "" {
		m.Header[jetstream.ExpectedLastSubjSeqHeader] = []string{"0"}
		m.Header[jetstream.ExpectedLastSubjSeqSubjHeader] = []string{terminal(s.config.Tenant, once)}
	}
	return m
}

// publish sends the messages and waits for the acknowledgement of the last.
func (s *Store) publish(ctx context.Context, messages []*nats.Msg) (uint64, error) {
	ctx, cancel := context.WithTimeout(ctx, s.config.AckTimeout)
	defer cancel()
	n := len(messages)
	if n > 1 {
		batch := []string{events.NewNonce()}
		for i, m := range messages {
			m.Header["Nats-Batch-Id"] = batch
			m.Header["Nats-Batch-Sequence"] = []string{strconv.Itoa(i + 1)}
		}
		messages[n-1].Header["Nats-Batch-Commit"] = []string{"1"}
		for _, m := range messages[:n-1] {
			// If we crash here the server abandons the batch after its timeout or restart.
			if err := s.config.Conn.PublishMsg(m); err != nil {
				return 0, fmt.Errorf("jetstream: publish: %w", err)
			}
		}
	}
	answer, err := s.config.Conn.RequestMsgWithContext(ctx, messages[n-1])
	switch {
	case errors.Is(err, nats.ErrNoResponders):
		return 0, fmt.Errorf("%w: stream %s does not answer", ledger.ErrNotFound, s.stream)
	case err != nil:
		// If we crash here the message is stored or not; the reader of the log sees which.
		return 0, fmt.Errorf("%w: publish to %s: %w", ledger.ErrOutcomeUnknown, s.stream, err)
	}
	return s.acknowledged(answer.Data, n)
}

// The server's error codes that tell outcomes apart, from errors.json of nats-server.
const (
	codeStoreFailed        = 10077
	codeWrongLastSequence  = 10071 // one replica
	codeWrongLastSequence2 = 10164 // replicated, or within a batch
	codeDuplicateInFlight  = 10158
	codeDuplicateInBatch   = 10201
)

func (s *Store) acknowledged(data []byte, n int) (uint64, error) {
	var ack struct {
		Stream string              `json:"stream"`
		Seq    uint64              `json:"seq"`
		Count  int                 `json:"count"`
		Error  *jetstream.APIError `json:"error"`
	}
	if err := json.Unmarshal(data, &ack); err != nil {
		return 0, fmt.Errorf("%w: acknowledgement %.80q: %w", ledger.ErrOutcomeUnknown, data, err)
	}
	if ack.Error == nil {
		if ack.Stream != s.stream || ack.Seq == 0 || n > 1 && ack.Count != n {
			return 0, fmt.Errorf("%w: acknowledgement %.80q for %d messages", ledger.ErrOutcomeUnknown, data, n)
		}
		return ack.Seq, nil
	}
	switch ack.Error.ErrorCode {
	case codeWrongLastSequence, codeWrongLastSequence2:
		return 0, fmt.Errorf("%w: the episode has its terminal event (%s)", ledger.ErrConflict, ack.Error.Description)
	case codeDuplicateInFlight, codeDuplicateInBatch: // sent before
		return 0, fmt.Errorf("%w: %w", ledger.ErrOutcomeUnknown, ack.Error)
	case codeStoreFailed:
		// A failed write or sync leaves the file in an unknown state: nothing may be written after it.
		err := fmt.Errorf("%w: the store failed: %w", ledger.ErrReadOnly, ack.Error)
		s.fail(err)
		return 0, fmt.Errorf("%w: %w", ledger.ErrOutcomeUnknown, err)
	}
	return 0, fmt.Errorf("jetstream: publish to %s: %w", s.stream, ack.Error)
}
