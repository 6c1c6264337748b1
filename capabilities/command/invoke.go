package command

import (
	"context"
	"errors"
	"fmt"
	"runtime/debug"
	"syscall"
	"time"

	"github.com/jacobian-ledger/jacobian/capabilities"
	"github.com/jacobian-ledger/jacobian/capabilities/engine"
	"github.com/jacobian-ledger/jacobian/capabilities/runner"
	"github.com/jacobian-ledger/jacobian/events"
	"github.com/jacobian-ledger/jacobian/events/digest"
)

// outcome is how the adapter ended, before anything is judged.
type outcome struct {
	status  events.Status // "" while undecided
	done    *capabilities.Done
	failure *capabilities.Error
	usage   events.Usage
	detail  string
	// submission is set instead of done by a VERIFICATION operation.
	submission *capabilities.Submission
}

// execute runs an admitted, requested run to its recorded end.
func (h *Handler) execute(r *run) {
	out := h.invoke(r)
	res := h.conclude(r, out)
	h.finish(r, res)
}

func (h *Handler) invoke(r *run) outcome {
	a := r.admitted
	switch {
	case a.call.Submit != nil:
		sub, err := a.call.Submit()
		if err != nil {
			return outcome{status: events.StatusError, failure: under("/input", err)}
		}
		return outcome{status: events.StatusCompleted, submission: &sub}
	case a.cap.Heavy:
		return h.invokeWorker(r)
	}
	return h.invokeHere(r)
}

// invokeWorker runs the operation in a process that can be killed.
func (h *Handler) invokeWorker(r *run) outcome {
	a := r.admitted
	w, err := runner.Run(r.ctx, h.cfg.Self, a.cap.ID, a.call.Input, *a.req.Budget, r.report)
	if err != nil {
		return outcome{status: events.StatusError, failure: capabilities.AsError(err), usage: w.Usage}
	}
	out := outcome{done: w.Done, usage: w.Usage, failure: w.Failure}
	if out.done == nil && w.Covered != nil {
		out.done = &capabilities.Done{Scope: w.Covered}
	}
	switch {
	case w.End == engine.Cancelled:
		out.status, out.detail = events.StatusCancelled, "the worker was killed"
	case w.End == engine.TimedOut:
		out.status, out.detail = events.StatusTimeout, fmt.Sprintf("the worker was killed after %d ms", w.Usage.WallMS)
	case w.Ended:
		out.status, out.detail = events.StatusTimeout, fmt.Sprintf("the worker stopped after %d ms", w.Usage.WallMS)
	case w.End != engine.Exited:
		out.status = events.StatusError
		out.failure = budgetExceeded(w.End, a.req.Budget)
	case w.Failure != nil:
		out.status, out.failure = events.StatusError, under("/input", w.Failure)
	default:
		out.status = events.StatusCompleted
	}
	return out
}

func budgetExceeded(end engine.End, b *events.Budget) *capabilities.Error {
	e := &capabilities.Error{Code: events.CodeBudgetExceeded, Hint: "raise the budget, or ask for less"}
	switch end {
	case engine.MemoryExceeded:
		e.Path, e.Expected = "/budget/memory_bytes", fmt.Sprintf("at most %d bytes", b.MemoryBytes)
	case engine.CPUExceeded:
		e.Path, e.Expected = "/budget/cpu_ms", fmt.Sprintf("at most %d ms", b.CPUMS)
	default:
		e.Path, e.Expected = "/budget/output_bytes", fmt.Sprintf("at most %d bytes", b.OutputBytes)
	}
	e.Actual = "more"
	e.Message = "the worker was killed: it went past " + e.Path[1:]
	return e
}

// invokeHere runs a small operation in this process. Its limits were checked before; it still gets a
// deadline, and a panic in it is its failure and not ours.
func (h *Handler) invokeHere(r *run) (out outcome) {
	a := r.admitted
	ctx, cancel := context.WithTimeout(r.ctx, time.Duration(a.req.Budget.WallMS)*time.Millisecond)
	defer cancel()
	env := &capabilities.Env{
		Report:  r.report,
		Covered: func(s events.Scope) { out.done = &capabilities.Done{Scope: &s} },
		Open:    func(ctx context.Context, d digest.Digest) ([]byte, error) { return h.cfg.Artifacts.Get(ctx, d) },
	}
	cpu := processCPU()
	defer func() {
		if p := recover(); p != nil {
			out.status = events.StatusError
			out.failure = &capabilities.Error{Code: events.CodeAdapterFailed, Message: fmt.Sprintf("the operation failed: %v at %s", p, firstFrame(debug.Stack())), Hint: "report this with the episode id"}
		}
		out.usage.WallMS = h.cfg.Clock().Sub(r.began).Milliseconds()
		out.usage.CPUMS = min(processCPU()-cpu, out.usage.WallMS+1)
	}()
	done, err := a.call.Run(ctx, env)
	switch {
	case err == nil:
		return outcome{status: events.StatusCompleted, done: &done}
	case errors.Is(err, context.Canceled):
		return outcome{status: events.StatusCancelled, done: &done}
	case errors.Is(err, context.DeadlineExceeded):
		return outcome{status: events.StatusTimeout, done: &done}
	}
	return outcome{status: events.StatusError, failure: under("/input", err)}
}

func firstFrame(stack []byte) string { return clip(string(stack), 600) }

// processCPU is the processor time of this process in milliseconds: an upper bound of what one small
// operation among others used.
func processCPU() int64 {
	var ru syscall.Rusage
	if syscall.Getrusage(syscall.RUSAGE_SELF, &ru) != nil {
		return 0
	}
	return (ru.Utime.Nano() + ru.Stime.Nano()) / 1e6
}
