package command

import (
	"encoding/json"

	"github.com/jacobian-ledger/jacobian/capabilities"
	"github.com/jacobian-ledger/jacobian/events"
)

func claimText(req *events.Request) string {
	if req.Claim == nil {
		return ""
	}
	return req.Claim.Text
}

func note(text string) events.Diagnostic {
	return events.Diagnostic{Code: events.CodeNote, Stage: "RUN", Message: clip(text, 1000)}
}

func diagnostic(stage string, e *capabilities.Error) events.Diagnostic {
	return events.Diagnostic{
		Code: e.Code, Stage: stage, Message: clip(e.Message, 1000), Path: clip(e.Path, 500), Expected: clip(e.Expected, 500), Actual: clip(e.Actual, 500), Hint: clip(e.Hint, 500),
	}
}

// blank is a completed result about which nothing has been said yet.
func (h *Handler) blank(r *run) events.Result {
	a := r.admitted
	res := empty(&a.req)
	res.CapabilityVersion, res.Provider, res.ProviderDigest = a.cap.Version, a.descriptor.Provider.Name+" "+a.descriptor.Provider.Version, a.descriptor.Provider.Digest.String()
	res.Episode = r.episode
	res.Execution.Status = events.StatusCompleted
	if c := a.call.Claim; c != nil {
		res.Claim = &events.ClaimRef{Semantics: c.Semantics, Predicate: c.Predicate, Digest: c.Digest()}
	}
	if a.tainted != nil {
		res.Assurance.TaintedBy = a.tainted
	}
	return res
}

func empty(req *events.Request) events.Result {
	return events.Result{
		ResultVersion: events.ResultVersion, CapabilityID: req.CapabilityID, Mode: req.Mode, Investigation: req.Investigation, ClaimText: claimText(req),
		Output: json.RawMessage("null"), Completeness: events.Completeness{Status: events.CompletenessUnknown},
		Relationships: []events.Relationship{}, Obligations: []events.Obligation{}, Diagnostics: []events.Diagnostic{}, ArtifactURIs: []string{},
		Assurance: events.Assurance{Level: events.Heuristic, Basis: "did not complete", TaintedBy: []string{}}, Conclusion: events.Unknown,
	}
}

// stages maps a refusal before the run to the stage that made it.
var stages = map[events.Code]string{
	events.CodeUnknownCapability: "RESOLVE", events.CodeProviderUnavailable: "PROVIDER", events.CodeUnsupportedMode: "MODE", events.CodeInvalidRequest: "DECODE",
	events.CodeLimitExceeded: "LIMITS", events.CodeRecordMismatch: "RECORD", events.CodeStorageError: "STORE", events.CodePolicyDenied: "POLICY", events.CodeNotApplicable: "LIMITS",
}

// refused is the answer to a request that never became a run: nothing was written, nothing was done.
func (h *Handler) refused(req events.Request, e *capabilities.Error) events.Result {
	res := empty(&req)
	if res.Mode == "" {
		res.Mode = events.Explore
	}
	res.Execution.Status = events.StatusError
	stage := stages[e.Code]
	if stage == "" {
		stage = "DECODE"
	}
	res.Diagnostics = append(res.Diagnostics, diagnostic(stage, e))
	return res
}

// failure is the answer to a run whose request could not be stored.
func (h *Handler) failure(r *run, stage string, e *capabilities.Error) events.Result {
	res := h.blank(r)
	h.fail(&res, stage, e)
	return res
}

// running is the answer to a caller whose patience ended before the run.
func (h *Handler) running(r *run) events.Result {
	res := h.blank(r)
	res.Execution.Status = events.StatusRunning
	res.Execution.Usage.WallMS = h.cfg.Clock().Sub(r.began).Milliseconds()
	res.Execution.Detail = "still running; wait for " + r.episode + " or read " + events.EpisodeURI(r.episode)
	return res
}
