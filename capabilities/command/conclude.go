package command

import (
	"context"
	"encoding/json"
	"fmt"
	"unicode/utf8"

	"github.com/jacobian-ledger/jacobian/capabilities"
	"github.com/jacobian-ledger/jacobian/events"
	"github.com/jacobian-ledger/jacobian/events/digest"
	"github.com/jacobian-ledger/jacobian/events/jcs"
)

const (
	// inlineOutput is the longest output that is kept in the event itself.
	inlineOutput = 12 << 10
	// inlineCertificate is the longest certificate that is shown in the result itself.
	inlineCertificate = 2 << 10
	// inlineInput is the longest input that is kept in the request's event.
	inlineInput = 12 << 10
)

// conclude turns the end of the adapter into a result, has its evidence decided in mode VERIFY, and
// appends the run's one terminal event together with everything that it names.
func (h *Handler) conclude(r *run, out outcome) events.Result {
	res := h.blank(r)
	res.Execution.Usage, res.Execution.Detail = out.usage, out.detail
	var staged []capabilities.Staged
	var rec *events.Record
	switch {
	case out.status != events.StatusCompleted:
		h.unfinished(r, &res, out)
	case out.submission != nil:
		rec, staged = h.judgeSubmission(r, &res, out.submission)
	default:
		rec, staged = h.judge(r, &res, out.done)
	}
	res.Execution.Usage.OutputBytes = int64(len(res.Output))
	res.Execution.Usage.WallMS = h.cfg.Clock().Sub(r.began).Milliseconds()
	return h.commit(r, res, rec, staged)
}

// unfinished is a run that did not complete: it concludes nothing, and says what it covered.
func (h *Handler) unfinished(r *run, res *events.Result, out outcome) {
	res.Execution.Status = out.status
	if out.done != nil && out.done.Scope != nil {
		res.Scope = out.done.Scope
		res.Completeness = events.Completeness{Status: events.CompletenessPartial, Basis: "stopped before the end"}
		if out.done.Partial && len(out.done.Output) <= inlineOutput {
			res.Output = out.done.Output
		}
	}
	switch out.status {
	case events.StatusTimeout:
		h.diagnose(res, "RUN", &capabilities.Error{
			Code: events.CodeBudgetExceeded, Path: "/budget/wall_ms", Message: "the time was over before an answer", Expected: fmt.Sprintf("at most %d ms", r.admitted.req.Budget.WallMS),
			Actual: "more", Hint: "raise budget.wall_ms; scope says what was covered",
		})
	case events.StatusCancelled:
		cause := context.Cause(r.ctx)
		e := &capabilities.Error{Code: events.CodeCancelled, Message: fmt.Sprint(cause), Hint: "ask again to run it again"}
		if cause == errClosing {
			e.Code = events.CodeInterrupted
		}
		h.diagnose(res, "RUN", e)
	case events.StatusError:
		h.diagnose(res, "RUN", out.failure)
	}
}

// judge validates a completed outcome and, in mode VERIFY, has its evidence decided.
func (h *Handler) judge(r *run, res *events.Result, done *capabilities.Done) (*events.Record, []capabilities.Staged) {
	a := r.admitted
	if max := a.req.Budget.OutputBytes; int64(len(done.Output)) > max {
		h.fail(res, "VALIDATE", &capabilities.Error{
			Code: events.CodeLimitExceeded, Path: "/budget/output_bytes", Message: "the output is larger than its budget", Expected: fmt.Sprintf("at most %d bytes", max),
			Actual: fmt.Sprintf("%d bytes", len(done.Output)), Hint: "raise budget.output_bytes",
		})
		return nil, nil
	}
	if err := jcs.CheckCanonical(done.Output); err != nil {
		h.fail(res, "VALIDATE", &capabilities.Error{Code: events.CodeResultInvalid, Message: err.Error(), Hint: "report this with the episode id"})
		return nil, nil
	}
	res.Output, res.Conclusion, res.Scope, res.Completeness = done.Output, done.Conclusion, done.Scope, done.Completeness
	res.Assurance.Level, res.Assurance.Basis = done.Level, done.Basis
	if res.Assurance.Basis == "" {
		res.Assurance.Basis = map[events.Level]string{events.Computed: "exact computation, tested against an independent way", events.Heuristic: "not checked"}[done.Level]
	}
	for _, text := range done.Notes {
		res.Diagnostics = append(res.Diagnostics, note(text))
	}
	for i, text := range done.Obligations {
		res.Obligations = append(res.Obligations, events.Obligation{ObligationURI: fmt.Sprintf("%s#/obligations/%d", events.EpisodeURI(r.episode), i), Text: text, Status: "OPEN"})
	}
	staged := done.Staged
	if done.Evidence != nil {
		if a.req.Mode == events.Verify {
			sub := &capabilities.Submission{Claim: *a.call.Claim, Candidate: done.Output, Format: done.Evidence.Format, Certificate: done.Evidence.Data, Scope: scopeText(done.Scope)}
			rec, more := h.verify(r, res, sub, done.Conclusion)
			return rec, append(staged, more...)
		}
		staged = append(staged, h.certificate(res, done.Evidence.Format, done.Evidence.Data, a)...)
	} else if a.req.Mode == events.Verify {
		res.Conclusion = conclusionWithout(res.Conclusion)
		res.Diagnostics = append(res.Diagnostics, note("the operation found no evidence to check: nothing is verified"))
	}
	return nil, staged
}

// conclusionWithout is what may be concluded in mode VERIFY without an accepted decision: nothing.
func conclusionWithout(c events.Conclusion) events.Conclusion {
	if c == events.NotApplicable {
		return c
	}
	return events.Unknown
}

func scopeText(s *events.Scope) string {
	if s == nil {
		return "the whole claim"
	}
	return clip(string(jcs.MustMarshal(s)), 2000)
}

// judgeSubmission has evidence from a caller decided.
func (h *Handler) judgeSubmission(r *run, res *events.Result, sub *capabilities.Submission) (*events.Record, []capabilities.Staged) {
	if sub.Scope == "" {
		sub.Scope = "the whole claim"
	}
	res.Claim = &events.ClaimRef{Semantics: sub.Claim.Semantics, Predicate: sub.Claim.Predicate, Digest: sub.Claim.Digest()}
	return h.verify(r, res, sub, "")
}

// verify completes res by what the checker decides. producer is what the operation itself concluded.
func (h *Handler) verify(r *run, res *events.Result, sub *capabilities.Submission, producer events.Conclusion) (*events.Record, []capabilities.Staged) {
	dec := h.promote(r.ctx, r, sub)
	if v := dec.verdict; v != nil && r.admitted.call.Submit != nil {
		res.Output = jcs.MustMarshal(capabilities.VerdictOutput{Accepted: v.Accepted, Method: v.Method, Coverage: v.Coverage, Reason: v.Reason})
	}
	switch {
	case r.ctx.Err() != nil:
		res.Execution.Status = events.StatusCancelled
		h.unfinished(r, res, outcome{status: events.StatusCancelled})
		h.clear(res)
		return nil, nil
	case dec.timedOut:
		h.unfinished(r, res, outcome{status: events.StatusTimeout})
		h.clear(res)
		return nil, nil
	case dec.failure != nil:
		h.fail(res, "CHECK", dec.failure)
		return nil, nil
	case dec.record == nil:
		res.Conclusion = events.Unknown
		res.Assurance.Level = events.Heuristic
		res.Assurance.Basis = "the checker rejected the evidence, which proves nothing about the claim"
		res.Diagnostics = append(res.Diagnostics, note("rejected by "+checkerName(dec.verdict.Checker)+": "+dec.verdict.Reason))
		return nil, h.certificate(res, sub.Format, sub.Certificate, r.admitted)
	}
	rec := dec.record
	if (producer == events.True || producer == events.False) && producer != rec.Conclusion {
		h.fail(res, "CHECK", &capabilities.Error{
			Code: events.CodeResultInvalid, Message: "the operation and the checker conclude opposite things", Expected: string(rec.Conclusion), Actual: string(producer), Hint: "report this with the episode id",
		})
		return nil, nil
	}
	res.Conclusion = rec.Conclusion
	tainted := res.Assurance.TaintedBy
	res.Assurance = events.Assurance{
		Level: events.Verified, Basis: rec.Method, RecordURI: rec.URI(), Checker: checkerName(rec.Checker), IndependentCheckers: 1, TaintedBy: tainted,
	}
	res.Certificate = &events.Certificate{Format: rec.CertificateFormat, ArtifactURI: rec.CertificateURI, Inline: inlineText(sub.Certificate), CheckedBy: rec.Checker.CheckerID}
	return rec, dec.artifacts
}

// clear takes back what a run that did not complete may not say.
func (h *Handler) clear(res *events.Result) {
	res.Conclusion, res.Output, res.Certificate = events.Unknown, json.RawMessage("null"), nil
	res.Assurance.Level, res.Assurance.Basis = events.Heuristic, "did not complete"
}

// fail makes the result an ERROR with the reason.
func (h *Handler) fail(res *events.Result, stage string, e *capabilities.Error) {
	res.Execution.Status = events.StatusError
	h.clear(res)
	res.Completeness = events.Completeness{Status: events.CompletenessUnknown}
	res.Diagnostics = []events.Diagnostic{diagnostic(stage, e)}
}

func (h *Handler) diagnose(res *events.Result, stage string, e *capabilities.Error) {
	res.Diagnostics = append(res.Diagnostics, diagnostic(stage, e))
}

// certificate puts unchecked evidence into the result: inline if it is short, else as an artifact.
func (h *Handler) certificate(res *events.Result, format string, data []byte, a *admitted) []capabilities.Staged {
	c := &events.Certificate{Format: format, Inline: inlineText(data)}
	if d := a.descriptor.Certificates; d != nil && len(d.CheckedBy) > 0 {
		c.CheckedBy = d.CheckedBy[0]
	}
	res.Certificate = c
	if len(data) == 0 || c.Inline != "" {
		return nil
	}
	s := capabilities.Staged{Data: data, Ref: events.ArtifactRef{
		Digest: digest.Of(data), Size: int64(len(data)), MediaType: "application/octet-stream", Schema: format, Parents: []string{}, Summary: "certificate of format " + format,
	}}
	c.ArtifactURI = s.Ref.URI()
	return []capabilities.Staged{s}
}

func inlineText(b []byte) string {
	if len(b) > inlineCertificate || !utf8.Valid(b) {
		return ""
	}
	return string(b)
}
