// Package command is the write side: it takes a request through its life and leaves it on the log.
//
// One run goes through admit (pure), reuse (answer from the log if it can), request (durable before
// any work), invoke (in a budget), promote (a checker decides, in mode VERIFY), judge (pure) and
// record (exactly one terminal event). A failure at any step is an ERROR result that names the field,
// what was expected, what was found and what to do; it is never a conclusion.
//
// The handler never reads a read model for authority: whether a checker counts is folded from the
// operator log. It finds earlier answers by content through [History], which is an index of the log.
package command

import (
	"context"
	"errors"
	"sync"
	"time"

	"github.com/jacobian-ledger/jacobian/capabilities"
	"github.com/jacobian-ledger/jacobian/capabilities/checkers"
	"github.com/jacobian-ledger/jacobian/events"
	"github.com/jacobian-ledger/jacobian/events/authority"
	"github.com/jacobian-ledger/jacobian/events/digest"
)

// Fact is one event to append, with what its envelope says of it.
type Fact struct {
	Event         events.Event
	Subject       string
	Investigation string
	Episode       string
	Actor         string
	Causes        []events.Cause
}

// Log is the tenant's log. Append MUST be atomic over its facts and MUST return only when they are
// durable; a second terminal event of an episode MUST fail.
type Log interface {
	Append(ctx context.Context, facts ...Fact) ([]events.Stored, error)
	Get(ctx context.Context, seq uint64) (events.Stored, error)
}

// Artifacts holds bytes by digest. Put MUST be idempotent; Get MUST re-hash.
type Artifacts interface {
	Put(ctx context.Context, blobs ...capabilities.Staged) error
	Get(ctx context.Context, d digest.Digest) ([]byte, error)
}

// History finds what the log already holds. Every method MUST see all events that were appended
// before the call.
type History interface {
	// Reusable is the terminal event of the latest completed run of that request.
	Reusable(ctx context.Context, request digest.Digest) (seq uint64, ok bool, err error)
	// ByKey is the request and episode that an idempotency key is bound to.
	ByKey(ctx context.Context, key string) (request digest.Digest, episode string, ok bool, err error)
	// Terminal is the terminal event of an episode; known is false if there was never such a run.
	Terminal(ctx context.Context, episode string) (seq uint64, finished, known bool, err error)
	// Record is the event of a verification record.
	Record(ctx context.Context, id string) (seq uint64, ok bool, err error)
	// Producer is the terminal event of the episode that first stored an artifact.
	Producer(ctx context.Context, d digest.Digest) (seq uint64, ok bool, err error)
	// Open lists runs without a terminal event, by the sequence of their request.
	Open(ctx context.Context) ([]uint64, error)
}

// Authority is the operator log, folded. IsVerified and Now are those of authority.State.
type Authority interface {
	IsVerified(r *events.Record) (bool, []string)
	Now(id events.CheckerIdentity) authority.Standing
	Size() uint64
	RunnerKey(id string) ([]byte, bool)
}

// Config is what a handler stands on. Every field is required but Defaults.
type Config struct {
	Tenant    string
	Registry  *Registry
	Checkers  []checkers.Checker
	Semantics func(id string) ([]byte, bool) // the text of a semantics, stored as the record's first parent
	Log       Log
	Artifacts Artifacts
	History   History
	Authority Authority
	Self      string        // this program, for workers and checkers
	Binary    digest.Digest // of this program
	KeyFile   string        // of the runner
	Clock     func() time.Time
	Defaults  events.Budget
}

// DefaultBudget bounds a run that names no budget of its own.
var DefaultBudget = events.Budget{WallMS: 60_000, CPUMS: 240_000, MemoryBytes: 2 << 30, OutputBytes: 8 << 20}

// Handler runs requests. It is safe for concurrent use.
type Handler struct {
	cfg    Config
	ctx    context.Context // ends when the handler closes
	cancel context.CancelCauseFunc
	group  sync.WaitGroup

	mu       sync.Mutex
	runs     map[string]*run        // by episode
	inflight map[digest.Digest]*run // by request digest, the ones that may be shared
	keys     map[string]*run        // by idempotency key
	closed   bool
}

// New returns a handler; it does no I/O.
func New(cfg Config) *Handler {
	ctx, cancel := context.WithCancelCause(context.Background())
	if cfg.Defaults == (events.Budget{}) {
		cfg.Defaults = DefaultBudget
	}
	return &Handler{cfg: cfg, ctx: ctx, cancel: cancel, runs: map[string]*run{}, inflight: map[digest.Digest]*run{}, keys: map[string]*run{}}
}

// errClosing is the cause with which runs end when their process stops.
var errClosing = errors.New("the process is stopping")

// errAsked is the cause with which runs end when somebody cancels them.
var errAsked = errors.New("cancelled on request")

// Close cancels what still runs, waits until every end is recorded, and refuses new requests.
func (h *Handler) Close() {
	h.mu.Lock()
	h.closed = true
	h.mu.Unlock()
	h.cancel(errClosing)
	h.group.Wait()
}

// Options say who asks and who watches.
type Options struct {
	Actor string
	// Progress is told what happens, in order, from one goroutine at a time, and not after Run has
	// returned. The first call carries the episode.
	Progress func(episode string, p capabilities.Progress)
	// Detach keeps the run going when the caller's context ends; otherwise that cancels it.
	Detach bool
}

// run is one invocation in this process.
type run struct {
	episode  string
	admitted *admitted
	actor    string
	began    time.Time
	request  events.Stored
	ctx      context.Context
	cancel   context.CancelCauseFunc
	done     chan struct{} // closed when result is set

	mu       sync.Mutex
	watchers []func(capabilities.Progress)
	result   events.Result
}

func (r *run) report(p capabilities.Progress) {
	r.mu.Lock()
	defer r.mu.Unlock()
	for _, w := range r.watchers {
		w(p)
	}
}

// watch adds a watcher and returns how to remove it. After removal it is not called again.
func (r *run) watch(f func(capabilities.Progress)) func() {
	if f == nil {
		return func() {}
	}
	r.mu.Lock()
	defer r.mu.Unlock()
	i := len(r.watchers)
	r.watchers = append(r.watchers, f)
	return func() {
		r.mu.Lock()
		defer r.mu.Unlock()
		r.watchers[i] = func(capabilities.Progress) {}
	}
}

// Run takes one request through its life and answers it. Every outcome is a Result.
func (h *Handler) Run(ctx context.Context, req events.Request, opt Options) events.Result {
	a, refusal := h.admit(ctx, req)
	if refusal != nil {
		return h.refused(req, refusal)
	}
	if res, ok := h.reuse(ctx, a, opt); ok {
		return res
	}
	r, shared, refusal := h.begin(ctx, a, opt)
	if refusal != nil {
		return h.refused(req, refusal)
	}
	var watcher func(capabilities.Progress)
	if opt.Progress != nil {
		watcher = func(p capabilities.Progress) { opt.Progress(r.episode, p) }
		if shared {
			watcher(capabilities.Progress{Stage: "joined", Message: "the same request is running already"})
		}
	}
	unwatch := r.watch(watcher)
	defer unwatch()
	if !shared {
		r.report(capabilities.Progress{Stage: "requested", Message: a.cap.ID})
		h.group.Go(func() { h.execute(r) })
	}
	return h.await(ctx, r, req.WaitMS, !opt.Detach && !shared)
}

// begin makes the run durable before any work, or joins one that is already doing the same.
func (h *Handler) begin(ctx context.Context, a *admitted, opt Options) (r *run, shared bool, refusal *capabilities.Error) {
	h.mu.Lock()
	if h.closed {
		h.mu.Unlock()
		return nil, false, &capabilities.Error{Code: events.CodeInterrupted, Message: "this process is stopping", Hint: "ask again"}
	}
	if k := h.keys[a.req.IdempotencyKey]; a.req.IdempotencyKey != "" && k != nil {
		h.mu.Unlock()
		if k.admitted.digest != a.digest {
			return nil, false, keyConflict(a.req.IdempotencyKey, k.episode)
		}
		return k, true, nil
	}
	if twin := h.inflight[a.digest]; twin != nil && a.shareable() {
		h.mu.Unlock()
		return twin, true, nil
	}
	now := h.cfg.Clock()
	r = &run{episode: events.NewEpisode(now), admitted: a, actor: opt.Actor, began: now, done: make(chan struct{})}
	r.ctx, r.cancel = context.WithCancelCause(h.ctx)
	h.runs[r.episode] = r
	if a.shareable() {
		h.inflight[a.digest] = r
	}
	if a.req.IdempotencyKey != "" {
		h.keys[a.req.IdempotencyKey] = r
	}
	h.group.Add(1) // Close must not return between here and execute
	h.mu.Unlock()
	defer h.group.Done()

	if err := h.request(ctx, r); err != nil {
		e := &capabilities.Error{Code: events.CodeStorageError, Message: "the request could not be stored: " + err.Error(), Hint: "nothing was run; run jacobian doctor, then ask again"}
		h.finish(r, h.failure(r, "STORE", e))
		return nil, false, e
	}
	return r, false, nil
}

// await waits for the run's end, the caller's patience or the caller's context.
func (h *Handler) await(ctx context.Context, r *run, waitMS *int64, cancels bool) events.Result {
	var patience <-chan time.Time
	if waitMS != nil {
		t := time.NewTimer(time.Duration(*waitMS) * time.Millisecond)
		defer t.Stop()
		patience = t.C
	}
	select {
	case <-r.done:
	case <-patience:
		return h.running(r)
	case <-ctx.Done():
		if !cancels {
			return h.running(r)
		}
		h.cancelRun(r, "the caller cancelled")
		<-r.done
	}
	return r.result
}

// Wait picks up a run that was started anywhere: it waits for its end at most d and answers the
// result, or RUNNING. ok is false if there is no such episode.
func (h *Handler) Wait(ctx context.Context, episode string, d time.Duration) (res events.Result, ok bool, err error) {
	h.mu.Lock()
	r := h.runs[episode]
	h.mu.Unlock()
	if r != nil {
		ms := d.Milliseconds()
		return h.await(ctx, r, &ms, false), true, nil
	}
	seq, finished, known, err := h.cfg.History.Terminal(ctx, episode)
	if err != nil || !known || !finished {
		return events.Result{}, false, err
	}
	res, err = h.load(ctx, seq)
	return h.standing(ctx, res), err == nil, err
}

// Cancel stops a run of this process; its process tree is killed and its end recorded. ok is false if
// no such run is under way here.
func (h *Handler) Cancel(_ context.Context, episode, reason string) (ok bool) {
	h.mu.Lock()
	r := h.runs[episode]
	h.mu.Unlock()
	if r == nil {
		return false
	}
	h.cancelRun(r, reason)
	<-r.done
	return true
}

func (h *Handler) cancelRun(r *run, reason string) {
	select {
	case <-r.done:
		return
	default:
	}
	// The wish is recorded, but the run is stopped even where the log cannot take it.
	_, _ = h.cfg.Log.Append(h.ctx, Fact{
		Event: &events.RunCancelRequested{Reason: reason}, Subject: r.admitted.cap.ID, Episode: r.episode,
		Investigation: r.admitted.req.Investigation, Actor: r.actor, Causes: []events.Cause{r.request.Cause()},
	})
	r.cancel(errAsked)
}

func (h *Handler) finish(r *run, res events.Result) {
	h.mu.Lock()
	delete(h.runs, r.episode)
	if h.inflight[r.admitted.digest] == r {
		delete(h.inflight, r.admitted.digest)
	}
	if key := r.admitted.req.IdempotencyKey; h.keys[key] == r {
		delete(h.keys, key)
	}
	h.mu.Unlock()
	r.result = res
	close(r.done)
	r.cancel(nil)
}
