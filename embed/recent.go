package embed

import (
	"context"
	"sync"

	"github.com/jacobian-ledger/jacobian/capabilities/command"
	"github.com/jacobian-ledger/jacobian/events"
	"github.com/jacobian-ledger/jacobian/events/digest"
	"github.com/jacobian-ledger/jacobian/projections/memo"
)

// recentRuns is how many unfolded ends of runs are remembered before the folded ones are forgotten.
const recentRuns = 512

// history is the command handler's index of the log. The memo projection follows the log at its own
// pace; what this process has appended since is remembered here, so that no run waits for a fold. An
// event is forgotten only when the projection has folded it, so each look-up sees every append: first
// here, then there.
type history struct {
	*memo.Reader // waits; for what is asked once at the start
	lagging      *memo.Reader
	folded       func() (uint64, error) // position of the projection

	mu       sync.RWMutex // guards what is below
	runs     map[string]memo.Run
	requests map[digest.Digest]uint64
	keys     map[string]memo.Binding
	records  map[string]uint64
	makers   map[digest.Digest]string // artifact → episode
	pending  []events.Stored          // what the maps hold, oldest first
}

var _ command.History = (*history)(nil)

func newHistory(r *memo.Reader, folded func() (uint64, error)) *history {
	h := &history{Reader: r, lagging: r.Lagging(), folded: folded}
	h.forget(nil)
	return h
}

// forget keeps only what is in kept.
func (h *history) forget(kept []events.Stored) {
	h.runs, h.requests, h.keys = map[string]memo.Run{}, map[digest.Digest]uint64{}, map[string]memo.Binding{}
	h.records, h.makers = map[string]uint64{}, map[digest.Digest]string{}
	h.pending = nil
	for i := range kept {
		h.remember(&kept[i])
	}
}

// appended remembers what was just appended.
func (h *history) appended(stored []events.Stored) {
	h.mu.Lock()
	defer h.mu.Unlock()
	for i := range stored {
		h.remember(&stored[i])
	}
	if len(h.pending) < recentRuns {
		return
	}
	at, err := h.folded()
	if err != nil {
		return // remembering too much costs memory, not answers
	}
	var kept []events.Stored
	for _, e := range h.pending {
		if e.Seq > at {
			kept = append(kept, e)
		}
	}
	h.forget(kept)
}

func (h *history) remember(e *events.Stored) {
	episode := e.Envelope.Episode
	switch ev := e.Event.(type) {
	case *events.RunRequested:
		h.runs[episode] = memo.Run{Requested: e.Seq, Request: ev.RequestDigest}
		if key := ev.Request.IdempotencyKey; key != "" {
			if _, bound := h.keys[key]; !bound {
				h.keys[key] = memo.Binding{Request: ev.RequestDigest, Episode: episode}
			}
		}
	case *events.RunFinished:
		run := h.runs[episode]
		run.Finished = e.Seq
		h.runs[episode] = run
		if ev.Result.Execution.Status == events.StatusCompleted && run.Requested != 0 {
			h.requests[run.Request] = e.Seq
		}
	case *events.VerificationRecorded:
		h.records[ev.Record.RecordID] = e.Seq
	case *events.ArtifactStored:
		if _, known := h.makers[ev.Artifact.Digest]; !known {
			h.makers[ev.Artifact.Digest] = episode
		}
	default:
		return
	}
	h.pending = append(h.pending, *e)
}

// look reads the maps.
func (h *history) look(f func()) {
	h.mu.RLock()
	defer h.mu.RUnlock()
	f()
}

// Reusable is the terminal event of the latest completed run of a request.
func (h *history) Reusable(ctx context.Context, request digest.Digest) (seq uint64, ok bool, err error) {
	h.look(func() { seq, ok = h.requests[request] })
	if ok {
		return seq, true, nil
	}
	return h.lagging.Reusable(ctx, request)
}

// ByKey is the request and the episode that a key is bound to; the earliest binding holds.
func (h *history) ByKey(ctx context.Context, key string) (digest.Digest, string, bool, error) {
	var b memo.Binding
	var here bool
	h.look(func() { b, here = h.keys[key] })
	if request, episode, ok, err := h.lagging.ByKey(ctx, key); ok || err != nil {
		return request, episode, ok, err
	}
	return b.Request, b.Episode, here, nil
}

// Terminal is the terminal event of an episode.
func (h *history) Terminal(ctx context.Context, episode string) (seq uint64, finished, known bool, err error) {
	var run memo.Run
	h.look(func() { run, known = h.runs[episode] })
	if known {
		return run.Finished, run.Finished != 0, true, nil
	}
	return h.lagging.Terminal(ctx, episode)
}

// Record is the event of a record.
func (h *history) Record(ctx context.Context, id string) (seq uint64, ok bool, err error) {
	h.look(func() { seq, ok = h.records[id] })
	if ok {
		return seq, true, nil
	}
	return h.lagging.Record(ctx, id)
}

// Producer is the terminal event of the episode that first stored an artifact.
func (h *history) Producer(ctx context.Context, d digest.Digest) (uint64, bool, error) {
	if seq, ok, err := h.lagging.Producer(ctx, d); ok || err != nil {
		return seq, ok, err
	}
	var episode string
	h.look(func() { episode = h.makers[d] })
	if episode == "" {
		return 0, false, nil
	}
	seq, finished, _, err := h.Terminal(ctx, episode)
	return seq, finished, err
}
