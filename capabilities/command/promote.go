package command

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"

	"github.com/jacobian-ledger/jacobian/capabilities"
	"github.com/jacobian-ledger/jacobian/capabilities/checkers"
	"github.com/jacobian-ledger/jacobian/capabilities/runner"
	"github.com/jacobian-ledger/jacobian/events"
	"github.com/jacobian-ledger/jacobian/events/authority"
	"github.com/jacobian-ledger/jacobian/events/digest"
	"github.com/jacobian-ledger/jacobian/events/jcs"
)

// decided is what came of having evidence checked.
type decided struct {
	verdict   *authority.Decision
	record    *events.Record // only if accepted
	artifacts []capabilities.Staged
	failure   *capabilities.Error // the checker could not decide
	timedOut  bool
}

// promote has the evidence of a submission decided by an authorised checker in a process of its own.
// It is the only road to VERIFIED.
func (h *Handler) promote(ctx context.Context, r *run, sub *capabilities.Submission) decided {
	a := r.admitted
	k := h.checker(sub)
	if k == nil {
		return decided{failure: &capabilities.Error{
			Code: events.CodeCheckerUnavailable, Message: fmt.Sprintf("no checker decides %s with a certificate of format %q", sub.Claim.Predicate, sub.Format),
			Expected: "a format that a checker reads", Actual: sub.Format, Hint: "see checked_by in the contract",
		}}
	}
	id := events.CheckerIdentity{CheckerID: k.ID, Version: k.Version, Binary: h.cfg.Binary, IndependenceClass: k.Class}
	if st := h.cfg.Authority.Now(id); st != authority.Authorised {
		return decided{failure: &capabilities.Error{
			Code: events.CodeCheckerUnavailable, Message: fmt.Sprintf("checker %s is %s, not authorised", checkerName(id), orUnknown(string(st))),
			Expected: "an authorised checker", Actual: orUnknown(string(st)), Hint: "the operator authorises checkers: jacobian doctor",
		}}
	}
	semantics, ok := h.cfg.Semantics(sub.Claim.Semantics)
	if !ok {
		return decided{failure: &capabilities.Error{Code: events.CodeCheckerUnavailable, Message: "unknown semantics " + sub.Claim.Semantics, Expected: "a semantics of this program", Actual: sub.Claim.Semantics, Hint: "see docs/semantics"}}
	}
	r.report(capabilities.Progress{Stage: "checking", Message: checkerName(id)})
	size := int64(h.cfg.Authority.Size())
	signed, _, err := runner.Check(ctx, h.cfg.Self, runner.CheckOrder{
		CheckerID: k.ID, Tenant: h.cfg.Tenant, Episode: r.episode, Claim: sub.Claim, ClaimText: claimText(&a.req), Candidate: sub.Candidate,
		Semantics: semantics, Scope: sub.Scope, Format: sub.Format, Certificate: sub.Certificate, OperatorLogSize: size, KeyFile: h.cfg.KeyFile,
	}, *a.req.Budget)
	switch {
	case errors.Is(err, context.DeadlineExceeded):
		return decided{timedOut: true}
	case err != nil:
		return decided{failure: &capabilities.Error{Code: events.CodeCheckerUnavailable, Message: err.Error(), Hint: "run jacobian doctor"}}
	}
	return h.accept(r, sub, id, signed, semantics)
}

func orUnknown(s string) string {
	if s == "" {
		return "unknown"
	}
	return s
}

func (h *Handler) checker(sub *capabilities.Submission) *checkers.Checker {
	for i := range h.cfg.Checkers {
		if h.cfg.Checkers[i].Handles(sub.Claim.Predicate, sub.Format) {
			return &h.cfg.Checkers[i]
		}
	}
	return nil
}

// accept opens the signed decision, holds it against what was asked, and makes the record of an
// accepted one. A decision about anything else, or by any other program, makes none.
func (h *Handler) accept(r *run, sub *capabilities.Submission, id events.CheckerIdentity, signed events.Signed, semantics []byte) decided {
	broken := func(why string) decided {
		return decided{failure: &capabilities.Error{Code: events.CodeCheckerUnavailable, Message: "the checker's decision cannot be used: " + why, Hint: "run jacobian doctor: the program file may have been replaced"}}
	}
	pub, ok := h.cfg.Authority.RunnerKey(signed.KeyID)
	if !ok {
		return broken("it is signed by the unknown key " + signed.KeyID)
	}
	d, err := authority.Open(signed, pub)
	if err != nil {
		return broken(err.Error())
	}
	if d.Checker != id {
		return broken(fmt.Sprintf("it was made by %s with program %s, not by the authorised %s", checkerName(d.Checker), short(d.Checker.Binary), short(id.Binary)))
	}
	if d.Episode != r.episode {
		return broken("it is for episode " + d.Episode)
	}
	if !d.Accepted {
		return decided{verdict: &d}
	}
	claim := jcs.MustMarshal(sub.Claim)
	stage := func(data []byte, media, schema, summary string, parents ...string) capabilities.Staged {
		if parents == nil {
			parents = []string{}
		}
		return capabilities.Staged{Data: data, Ref: events.ArtifactRef{
			Digest: digest.Of(data), Size: int64(len(data)), MediaType: media, Schema: schema, Semantics: sub.Claim.Semantics, Parents: parents, Summary: summary,
		}}
	}
	sem := stage(semantics, "text/markdown", "semantics/1", "what the words of "+sub.Claim.Semantics+" mean")
	sem.Ref.Semantics = ""
	cl := stage(claim, "application/json", "claim/1", "claim "+sub.Claim.Predicate, sem.Ref.URI())
	cand := stage(sub.Candidate, "application/json", "candidate/1", "answer offered for "+sub.Claim.Predicate, sem.Ref.URI())
	cert := stage(sub.Certificate, "application/octet-stream", sub.Format, "certificate of format "+sub.Format, cl.Ref.URI())
	rec := events.Record{
		RecordID: events.NewRecord(h.cfg.Clock()), Tenant: h.cfg.Tenant, Claim: d.Claim, ClaimText: d.ClaimText, ClaimURI: cl.Ref.URI(),
		Candidate: d.Candidate, CandidateURI: cand.Ref.URI(), SemanticsURI: sem.Ref.URI(), Scope: d.Scope,
		CertificateFormat: d.CertificateFormat, CertificateURI: cert.Ref.URI(), Checker: d.Checker, Conclusion: d.Conclusion,
		Method: d.Method, Coverage: d.Coverage, OperatorLogSize: d.OperatorLogSize, Statement: signed,
	}
	if want := (events.ClaimRef{Semantics: sub.Claim.Semantics, Predicate: sub.Claim.Predicate, Digest: sub.Claim.Digest()}); rec.Claim != want ||
		rec.Candidate != authority.CandidateDigest(sub.Candidate, sub.Claim.Semantics) || rec.Tenant != d.Tenant || rec.ClaimText != claimText(&r.admitted.req) {
		return broken("it is about something else than what was submitted")
	}
	if ok, reasons := h.cfg.Authority.IsVerified(&rec); !ok {
		return broken(reasons[0])
	}
	return decided{verdict: &d, record: &rec, artifacts: []capabilities.Staged{sem, cl, cand, cert}}
}

// Recheck runs the checker of a stored record again on its stored evidence and reports whether it
// still decides the same. It makes no record.
func (h *Handler) Recheck(ctx context.Context, recordURI string) error {
	rec, err := h.record(ctx, recordURI)
	if err != nil {
		return err
	}
	if ok, reasons := h.cfg.Authority.IsVerified(rec); !ok {
		return fmt.Errorf("%s does not count: %s", rec.RecordID, reasons[0])
	}
	read := func(uri string) []byte {
		d, perr := events.ParseArtifactURI(uri)
		if err = errors.Join(err, perr); perr != nil {
			return nil
		}
		b, gerr := h.cfg.Artifacts.Get(ctx, d)
		err = errors.Join(err, gerr)
		return b
	}
	claimBytes, candidate, certificate, semantics := read(rec.ClaimURI), read(rec.CandidateURI), read(rec.CertificateURI), read(rec.SemanticsURI)
	if err != nil {
		return fmt.Errorf("%s: evidence: %w", rec.RecordID, err)
	}
	var claim events.Claim
	if err := jcs.Decode(claimBytes, &claim); err != nil {
		return fmt.Errorf("%s: claim: %w", rec.RecordID, err)
	}
	signed, _, err := runner.Check(ctx, h.cfg.Self, runner.CheckOrder{
		CheckerID: rec.Checker.CheckerID, Tenant: h.cfg.Tenant, Claim: claim, ClaimText: rec.ClaimText, Candidate: json.RawMessage(candidate),
		Semantics: semantics, Scope: rec.Scope, Format: rec.CertificateFormat, Certificate: certificate, OperatorLogSize: rec.OperatorLogSize, KeyFile: h.cfg.KeyFile,
	}, h.cfg.Defaults)
	if err != nil {
		return fmt.Errorf("%s: %w", rec.RecordID, err)
	}
	pub, ok := h.cfg.Authority.RunnerKey(signed.KeyID)
	if !ok {
		return fmt.Errorf("%s: the re-check is signed by an unknown key", rec.RecordID)
	}
	d, err := authority.Open(signed, pub)
	if err != nil {
		return fmt.Errorf("%s: %w", rec.RecordID, err)
	}
	if !d.Accepted || d.Conclusion != rec.Conclusion || d.Claim != rec.Claim || d.Candidate != rec.Candidate || events.ArtifactURI(d.CertificateDigest) != rec.CertificateURI {
		return fmt.Errorf("%s: the checker now decides otherwise: accepted %v, conclusion %s %s", rec.RecordID, d.Accepted, d.Conclusion, d.Reason)
	}
	return nil
}
