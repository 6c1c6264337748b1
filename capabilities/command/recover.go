package command

import (
	"context"
	"fmt"

	"github.com/jacobian-ledger/jacobian/capabilities"
	"github.com/jacobian-ledger/jacobian/events"
)

// Recover closes the runs that a crash left without an end: each gets an ERROR terminal event that
// says so, never silence. upTo is the head of the log when this process opened it; later requests are
// this process's own. It returns how many runs it closed.
func (h *Handler) Recover(ctx context.Context, upTo uint64) (int, error) {
	open, err := h.cfg.History.Open(ctx)
	if err != nil {
		return 0, fmt.Errorf("command: find interrupted runs: %w", err)
	}
	closed := 0
	for _, seq := range open {
		if seq > upTo {
			continue
		}
		e, err := h.cfg.Log.Get(ctx, seq)
		if err != nil {
			return closed, fmt.Errorf("command: read interrupted run %d: %w", seq, err)
		}
		req, ok := e.Event.(*events.RunRequested)
		if !ok {
			return closed, fmt.Errorf("command: event %d is %s, not a request", seq, e.Envelope.Type)
		}
		res := empty(&req.Request)
		res.CapabilityVersion, res.ProviderDigest, res.Episode = req.CapabilityVersion, req.ProviderDigest.String(), e.Envelope.Episode
		res.Execution.Status = events.StatusError
		res.Diagnostics = append(res.Diagnostics, diagnostic("RUN", &capabilities.Error{
			Code: events.CodeInterrupted, Message: "the process that ran this ended before the run did", Hint: "ask again to run it again",
		}))
		if _, err := h.cfg.Log.Append(ctx, Fact{
			Event: &events.RunFinished{Result: res}, Subject: res.CapabilityID, Investigation: e.Envelope.Investigation, Episode: e.Envelope.Episode,
			Actor: "jacobian", Causes: []events.Cause{e.Cause()},
		}); err != nil {
			return closed, fmt.Errorf("command: close interrupted run %s: %w", e.Envelope.Episode, err)
		}
		closed++
	}
	return closed, nil
}
