package command

import (
	"context"
	"fmt"
	"slices"

	"github.com/jacobian-ledger/jacobian/capabilities"
	"github.com/jacobian-ledger/jacobian/events"
	"github.com/jacobian-ledger/jacobian/events/authority"
	"github.com/jacobian-ledger/jacobian/events/digest"
)

// reuse answers a request from the log where it can: by an offered record, by its idempotency key, or
// because the same mathematical request has been answered before.
func (h *Handler) reuse(ctx context.Context, a *admitted, opt Options) (events.Result, bool) {
	if a.req.Record != "" {
		return h.reuseRecord(ctx, a, opt), true
	}
	if key := a.req.IdempotencyKey; key != "" {
		bound, episode, ok, err := h.cfg.History.ByKey(ctx, key)
		switch {
		case err != nil:
			return h.refused(a.req, storage(err)), true
		case ok && bound != a.digest:
			return h.refused(a.req, keyConflict(key, episode)), true
		case ok:
			return h.reuseKey(ctx, a, opt, episode)
		}
	}
	if !a.shareable() {
		return events.Result{}, false
	}
	seq, ok, err := h.cfg.History.Reusable(ctx, a.digest)
	if err != nil || !ok {
		return events.Result{}, false // an index that cannot answer costs a computation, not an answer
	}
	res, err := h.load(ctx, seq)
	if err != nil || h.disputed(ctx, &res) != "" {
		return events.Result{}, false // an answer whose record has lost its standing is computed anew
	}
	return h.answerFrom(ctx, a, opt, res, "MEMO"), true
}

func (h *Handler) reuseKey(ctx context.Context, a *admitted, opt Options, episode string) (events.Result, bool) {
	seq, finished, known, err := h.cfg.History.Terminal(ctx, episode)
	if err != nil {
		return h.refused(a.req, storage(err)), true
	}
	if !known || !finished {
		return events.Result{}, false // it is under way here: begin joins it
	}
	res, err := h.load(ctx, seq)
	if err != nil {
		return h.refused(a.req, storage(err)), true
	}
	return h.answerFrom(ctx, a, opt, h.standing(ctx, res), "IDEMPOTENT"), true
}

func keyConflict(key, episode string) *capabilities.Error {
	return invalid("/idempotency_key", "the request that this key is bound to (see "+episode+")", "another request", fmt.Sprintf("use a new key instead of %.60q", key))
}

func storage(err error) *capabilities.Error {
	return &capabilities.Error{Code: events.CodeStorageError, Message: err.Error(), Hint: "run jacobian doctor"}
}

// disputed says why a VERIFIED result does not count today, or "".
func (h *Handler) disputed(ctx context.Context, res *events.Result) string {
	if res.Assurance.Level != events.Verified {
		return ""
	}
	rec, err := h.record(ctx, res.Assurance.RecordURI)
	if err != nil {
		return "its record cannot be read: " + err.Error()
	}
	return h.counts(rec)
}

// standing takes VERIFIED back, aloud, from a result whose record does not count today.
func (h *Handler) standing(ctx context.Context, res events.Result) events.Result {
	why := h.disputed(ctx, &res)
	if why == "" {
		return res
	}
	advisory := "DISPUTED: " + res.Assurance.RecordURI + " does not count: " + why
	res.Conclusion = conclusionWithout(res.Conclusion)
	res.Assurance = events.Assurance{Level: events.Heuristic, Basis: advisory, TaintedBy: res.Assurance.TaintedBy}
	res.Diagnostics = append(slices.Clone(res.Diagnostics), note(advisory))
	return res
}

// counts says why a record does not count today, or "".
func (h *Handler) counts(rec *events.Record) string {
	if ok, reasons := h.cfg.Authority.IsVerified(rec); !ok {
		return reasons[0]
	}
	if h.cfg.Authority.Now(rec.Checker) == authority.Revoked {
		return "its checker " + checkerName(rec.Checker) + " has been revoked: the record is disputed"
	}
	return ""
}

func checkerName(c events.CheckerIdentity) string {
	return fmt.Sprintf("%s@%d", c.CheckerID, c.Version)
}

// answerFrom gives an earlier result as the answer to this request, and puts that on the log.
func (h *Handler) answerFrom(ctx context.Context, a *admitted, opt Options, res events.Result, reason string) events.Result {
	_, err := h.cfg.Log.Append(ctx, Fact{
		Event: &events.RunReused{RequestDigest: a.digest, Origin: res.Episode, Reason: reason}, Subject: a.cap.ID,
		Episode: res.Episode, Investigation: a.req.Investigation, Actor: opt.Actor,
	})
	if err != nil {
		return h.refused(a.req, storage(err))
	}
	res.Memo = &events.MemoOrigin{Origin: res.Episode, AgeMS: h.age(res.Episode)}
	if text := claimText(&a.req); text != "" && text != res.ClaimText {
		if res.ClaimText != "" {
			res.Diagnostics = append(slices.Clone(res.Diagnostics), note("the origin asked in other words: "+res.ClaimText+"; the formal claim is the same"))
		}
		res.ClaimText = text
	}
	res.Assurance.TaintedBy = slices.Clone(res.Assurance.TaintedBy)
	for _, e := range a.tainted {
		if !slices.Contains(res.Assurance.TaintedBy, e) {
			res.Assurance.TaintedBy = append(res.Assurance.TaintedBy, e)
		}
	}
	return res
}

func (h *Handler) age(episode string) int64 {
	t, err := events.TimeOf(episode)
	if err != nil {
		return 0
	}
	return max(0, h.cfg.Clock().Sub(t).Milliseconds())
}

// reuseRecord rests the answer on a record that the caller offers, if it is for this very claim.
func (h *Handler) reuseRecord(ctx context.Context, a *admitted, opt Options) events.Result {
	rec, err := h.record(ctx, a.req.Record)
	if err != nil {
		return h.refused(a.req, invalid("/record", "a verification record of this tenant", a.req.Record, "copy it from a result's record_uri"))
	}
	mismatch := func(path, expected, actual, message string) events.Result {
		return h.refused(a.req, &capabilities.Error{
			Code: events.CodeRecordMismatch, Path: path, Message: message, Expected: expected, Actual: actual,
			Hint: "the record says nothing about this request; run it without record to get one of its own",
		})
	}
	if a.call.Claim == nil || a.req.Mode != events.Verify {
		return mismatch("/record", "a request in mode VERIFY that decides a claim", a.cap.ID+" in mode "+string(a.req.Mode), "this request decides no claim that a record could be for")
	}
	if own := a.call.Claim.Digest(); rec.Claim.Digest != own {
		return mismatch("/input", "the claim of "+rec.RecordID+": "+rec.Claim.Predicate+" "+rec.Claim.Digest.String(), a.call.Claim.Predicate+" "+own.String(),
			fmt.Sprintf("%s was issued for claim %s; this request makes claim %s", rec.RecordID, short(rec.Claim.Digest), short(own)))
	}
	if why := h.counts(rec); why != "" {
		return mismatch("/record", "a record that counts today", why, rec.RecordID+" does not count: "+why)
	}
	seq, finished, _, err := h.cfg.History.Terminal(ctx, episodeOf(ctx, h, rec.RecordID))
	if err != nil || !finished {
		return h.refused(a.req, storage(fmt.Errorf("the run behind %s cannot be read: %w", rec.RecordID, err)))
	}
	res, err := h.load(ctx, seq)
	if err != nil {
		return h.refused(a.req, storage(err))
	}
	return h.answerFrom(ctx, a, opt, res, "RECORD")
}

func short(d digest.Digest) string { return "sha256:" + d.Hex()[:8] + "…" }

// record reads a verification record by id or address.
func (h *Handler) record(ctx context.Context, uri string) (*events.Record, error) {
	e, err := h.recordEvent(ctx, uri)
	if err != nil {
		return nil, err
	}
	return &e.Event.(*events.VerificationRecorded).Record, nil
}

func (h *Handler) recordEvent(ctx context.Context, uri string) (events.Stored, error) {
	id, err := events.ParseRecordURI(uri)
	if err != nil {
		return events.Stored{}, err
	}
	seq, ok, err := h.cfg.History.Record(ctx, id)
	if err != nil {
		return events.Stored{}, err
	}
	if !ok {
		return events.Stored{}, fmt.Errorf("no record %s", id)
	}
	e, err := h.cfg.Log.Get(ctx, seq)
	if err != nil {
		return events.Stored{}, err
	}
	if ev, ok := e.Event.(*events.VerificationRecorded); !ok || ev.Record.RecordID != id || ev.Record.Tenant != h.cfg.Tenant {
		return events.Stored{}, fmt.Errorf("no record %s", id)
	}
	return e, nil
}

func episodeOf(ctx context.Context, h *Handler, record string) string {
	e, err := h.recordEvent(ctx, record)
	if err != nil {
		return ""
	}
	return e.Envelope.Episode
}

// load reads the result of a terminal event and places it in the log.
func (h *Handler) load(ctx context.Context, seq uint64) (events.Result, error) {
	e, err := h.cfg.Log.Get(ctx, seq)
	if err != nil {
		return events.Result{}, err
	}
	f, ok := e.Event.(*events.RunFinished)
	if !ok {
		return events.Result{}, fmt.Errorf("command: event %d is %s, not the end of a run", seq, e.Envelope.Type)
	}
	res := f.Result
	res.Log.Seq = int64(seq)
	return res, nil
}
