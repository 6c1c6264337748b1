package jetstream

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"iter"
	"strconv"

	"github.com/jacobian-ledger/jacobian/ledger"
	"github.com/nats-io/nats.go"
	"github.com/nats-io/nats.go/jetstream"
)

// A batched direct get asks for that many messages and about that many bytes.
const (
	pageMessages = 512
	pageBytes    = 4 << 20
)

// get is the request of a direct get, ADR-31.
type get struct {
	Seq      uint64 `json:"seq,omitempty"`
	NextFor  string `json:"next_by_subj,omitempty"`
	LastFor  string `json:"last_by_subj,omitempty"`
	Batch    int    `json:"batch,omitempty"`
	MaxBytes int    `json:"max_bytes,omitempty"`
}

// reader has one inbox for the pages of one read.
type reader struct {
	store *Store
	inbox *nats.Subscription
}

func (s *Store) reader() (*reader, error) {
	inbox, err := s.config.Conn.SubscribeSync(s.config.Conn.NewRespInbox())
	if err != nil {
		return nil, err
	}
	// A page is bounded by the request, so the inbox need not be.
	if err := inbox.SetPendingLimits(-1, -1); err != nil {
		return nil, err
	}
	return &reader{s, inbox}, nil
}

func (r *reader) ask(g get) error {
	b, err := json.Marshal(g)
	if err != nil {
		return err
	}
	return r.store.config.Conn.PublishRequest("$JS.API.DIRECT.GET."+r.store.stream, r.inbox.Subject, b)
}

// message is one answer: a stored message, or what ended the page.
type message struct {
	ledger.Raw
	subject string
	status  string // "" for a message, "204" at the end of a page, "404" if there is none
}

func (r *reader) next(ctx context.Context) (message, error) {
	m, err := r.inbox.NextMsgWithContext(ctx)
	if err != nil {
		return message{}, err
	}
	if status := m.Header.Get("Status"); status != "" && len(m.Data) == 0 {
		if status == "204" || status == "404" {
			return message{status: status}, nil
		}
		return message{}, fmt.Errorf("stream %s answers %s %s", r.store.stream, status, m.Header.Get("Description"))
	}
	seq, err := strconv.ParseUint(m.Header.Get(jetstream.SequenceHeader), 10, 64)
	if err != nil {
		return message{}, fmt.Errorf("sequence of a message of stream %s: %w", r.store.stream, err)
	}
	return message{Raw: ledger.Raw{Seq: seq, Bytes: m.Data}, subject: m.Header.Get(jetstream.SubjectHeader)}, nil
}

// Read yields messages by batched direct gets. The server narrows a read of one episode; for any
// other filter it would count all matching subjects for each page, so subjects are compared here.
func (s *Store) Read(ctx context.Context, from, to uint64, f ledger.Filter) iter.Seq2[ledger.Raw, error] {
	return func(yield func(ledger.Raw, error) bool) {
		if err := s.read(ctx, from, to, &f, func(raw ledger.Raw) bool { return yield(raw, nil) }); err != nil {
			yield(ledger.Raw{}, err)
		}
	}
}

func (s *Store) read(ctx context.Context, from, to uint64, f *ledger.Filter, yield func(ledger.Raw) bool) error {
	if from > to {
		return nil
	}
	r, err := s.reader()
	if err != nil {
		return err
	}
	defer func() { _ = r.inbox.Unsubscribe() }()
	g := get{Seq: from, MaxBytes: pageBytes}
	if f.Episode != "" {
		g.NextFor = Pattern(s.config.Tenant, "", ledger.Filter{Episode: f.Episode})
	}
	if err := r.askPage(&g, to); err != nil {
		return err
	}
	for {
		page, err := r.collect(ctx, g.Batch)
		if err != nil {
			return err
		}
		if len(page) == 0 {
			if g.NextFor != "" {
				return nil
			}
			return fmt.Errorf("%w: sequences %d to %d of stream %s", ledger.ErrNotFound, g.Seq, to, s.stream)
		}
		at := g.Seq
		// Ask for the next page first: the server reads it while this one is decoded.
		if g.Seq = page[len(page)-1].Seq + 1; g.Seq <= to {
			if err := r.askPage(&g, to); err != nil {
				return err
			}
		}
		for _, m := range page {
			if m.Seq > to {
				return nil
			}
			if g.NextFor == "" && m.Seq != at {
				return fmt.Errorf("%w: sequences %d to %d of stream %s", ledger.ErrNotFound, at, m.Seq-1, s.stream)
			}
			at = m.Seq + 1
			if (f.IsZero() || passes(f, m.subject)) && !yield(m.Raw) {
				return nil
			}
		}
		if g.Seq > to {
			return nil
		}
	}
}

// askPage asks for the messages from g.Seq on, as many as a page holds.
func (r *reader) askPage(g *get, to uint64) error {
	g.Batch = int(min(to-g.Seq+1, pageMessages))
	return r.ask(*g)
}

// collect receives one page. The timeout is on the server alone: the page is in memory, some four
// megabytes, before its reader sees it.
func (r *reader) collect(ctx context.Context, atMost int) ([]message, error) {
	ctx, cancel := context.WithTimeout(ctx, r.store.config.AckTimeout)
	defer cancel()
	page := make([]message, 0, atMost)
	for {
		m, err := r.next(ctx)
		if err != nil {
			return nil, err
		}
		if m.status != "" {
			return page, nil
		}
		page = append(page, m)
	}
}

// Last asks the server, so that it also sees what other processes wrote.
func (s *Store) Last(ctx context.Context) (uint64, error) {
	ctx, cancel := context.WithTimeout(ctx, s.config.AckTimeout)
	defer cancel()
	r, err := s.reader()
	if err != nil {
		return 0, fmt.Errorf("jetstream: last: %w", err)
	}
	defer func() { _ = r.inbox.Unsubscribe() }()
	for tries := 0; ; tries++ {
		if err := r.ask(get{LastFor: ">"}); err != nil {
			return 0, fmt.Errorf("jetstream: last: %w", err)
		}
		m, err := r.next(ctx)
		if err != nil {
			return 0, fmt.Errorf("jetstream: last: %w", err)
		}
		if m.status == "" {
			s.advance(m.Seq)
			return m.Seq, nil
		}
		// There was none, or the last is damaged. If the stream now has one, it came meanwhile or
		// cannot be read: asking again tells.
		stream, err := s.js.Stream(ctx, s.stream)
		if err != nil {
			return 0, fmt.Errorf("jetstream: last: %w", err)
		}
		last := stream.CachedInfo().State.LastSeq
		if last == 0 {
			return 0, nil
		}
		if tries > 0 {
			return 0, fmt.Errorf("%w: event %d of stream %s cannot be read", ledger.ErrCorrupt, last, s.stream)
		}
	}
}

// Wait returns when the sequence is durable. The first call that has to wait starts one watcher,
// which also sees what other processes write.
func (s *Store) Wait(ctx context.Context, seq uint64) (uint64, error) {
	for {
		s.mu.Lock()
		grew, failed := s.grew, s.failed
		s.mu.Unlock()
		if head := s.head.Load(); head >= seq {
			return head, nil
		}
		if failed != nil {
			return 0, failed
		}
		if err := s.startWatcher(); err != nil {
			return 0, err
		}
		select {
		case <-grew:
		case <-ctx.Done():
			return 0, ctx.Err()
		}
	}
}

func (s *Store) startWatcher() error {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.watch != nil || s.closed {
		return nil
	}
	ctx, cancel := context.WithCancel(context.Background())
	consumer, err := s.js.OrderedConsumer(ctx, s.stream, jetstream.OrderedConsumerConfig{
		DeliverPolicy: jetstream.DeliverLastPolicy, HeadersOnly: true,
	})
	if err != nil {
		cancel()
		return s.watchFailed(err)
	}
	messages, err := consumer.Messages()
	if err != nil {
		cancel()
		return s.watchFailed(err)
	}
	s.watch = func() { messages.Stop(); cancel() }
	s.wg.Go(func() {
		if err := s.follow(ctx, messages); !errors.Is(err, jetstream.ErrMsgIteratorClosed) {
			s.fail(s.watchFailed(err))
		}
	})
	return nil
}

// watchFailed says why a watch ended: if the stream is not what it must be, that is the reason, whether
// or not the server's announcement of the change has come yet.
func (s *Store) watchFailed(err error) error {
	ctx, cancel := context.WithTimeout(context.Background(), s.config.AckTimeout)
	defer cancel()
	if drift := s.check(ctx); drift != nil {
		err = fmt.Errorf("%w: %w", ledger.ErrReadOnly, drift)
	}
	return fmt.Errorf("jetstream: watch %s: %w", s.stream, err)
}

// follow moves the head for each message that it is told of, after asking what is durable. It returns
// only with an error.
func (s *Store) follow(ctx context.Context, messages jetstream.MessagesContext) error {
	for {
		m, err := messages.Next()
		if err != nil {
			return err
		}
		meta, err := m.Metadata()
		if err != nil {
			return err
		}
		if meta.Sequence.Stream <= s.head.Load() {
			continue
		}
		if _, err := s.Last(ctx); err != nil {
			return err
		}
	}
}
