package command

import (
	"context"
	"encoding/json"
	"fmt"
	"slices"
	"time"

	"github.com/jacobian-ledger/jacobian/capabilities"
	"github.com/jacobian-ledger/jacobian/events"
	"github.com/jacobian-ledger/jacobian/events/digest"
)

// recordWithin bounds how long the end of a run may take to become durable. It does not depend on the
// run's own context, which may have ended: an end is recorded even so.
const recordWithin = 30 * time.Second

// request appends run.requested; after it the run exists, whatever happens to this process.
func (h *Handler) request(ctx context.Context, r *run) error {
	a := r.admitted
	stored := a.req
	refs := slices.Clone(a.refs)
	if len(stored.Input) > inlineInput {
		blob := capabilities.Staged{Data: stored.Input, Ref: events.ArtifactRef{
			Digest: digest.Of(stored.Input), Size: int64(len(stored.Input)), MediaType: "application/json", Schema: "input/1", Parents: []string{}, Summary: "input of " + a.cap.ID,
		}}
		if err := h.cfg.Artifacts.Put(ctx, blob); err != nil {
			return err
		}
		uri := blob.Ref.URI()
		stored.Input = json.RawMessage(fmt.Sprintf(`{"ref":%q}`, uri))
		refs = append(refs, uri)
	}
	if refs == nil {
		refs = []string{}
	}
	deadline := r.began.Add(time.Duration(a.req.Budget.WallMS)*time.Millisecond + recordWithin)
	es, err := h.cfg.Log.Append(ctx, Fact{
		Event: &events.RunRequested{
			Request: stored, RequestDigest: a.digest, CapabilityVersion: a.cap.Version, ProviderDigest: a.descriptor.Provider.Digest,
			Refs: refs, Deadline: events.FormatTime(deadline),
		},
		Subject: a.cap.ID, Investigation: a.req.Investigation, Episode: r.episode, Actor: r.actor,
	})
	if err != nil {
		return err
	}
	r.request = es[0]
	return nil
}

// commit stores the artifacts, then appends in one atomic batch what names them, the record and the
// terminal event. If we crash before the batch, unnamed bytes remain and the run is closed as
// interrupted at the next start; after it, everything is there.
func (h *Handler) commit(r *run, res events.Result, rec *events.Record, staged []capabilities.Staged) events.Result {
	ctx, cancel := context.WithTimeout(context.WithoutCancel(r.ctx), recordWithin)
	defer cancel()
	staged = append(staged, h.spillOutput(&res)...)
	for _, s := range staged {
		if uri := s.Ref.URI(); !slices.Contains(res.ArtifactURIs, uri) {
			res.ArtifactURIs = append(res.ArtifactURIs, uri)
		}
	}
	if err := res.Validate(); err != nil {
		rec, staged = nil, nil
		h.invalidate(&res, err)
	}
	if len(staged) > 0 {
		if err := h.cfg.Artifacts.Put(ctx, staged...); err != nil {
			rec, staged = nil, nil
			h.fail(&res, "STORE", &capabilities.Error{Code: events.CodeStorageError, Message: err.Error(), Hint: "free space or raise the quota, then ask again"})
			res.ArtifactURIs = []string{}
		}
	}
	stored, err := h.cfg.Log.Append(ctx, h.facts(r, &res, rec, staged)...)
	if err != nil { // an event that does not fit: the end is recorded without what broke it
		h.invalidate(&res, err)
		stored, err = h.cfg.Log.Append(ctx, h.facts(r, &res, nil, nil)...)
	}
	if err != nil {
		h.fail(&res, "STORE", &capabilities.Error{Code: events.CodeStorageError, Message: "the end of this run could not be stored: " + err.Error(), Hint: "run jacobian doctor; at the next start the run is closed as interrupted"})
		return res
	}
	res.Log.Seq = int64(stored[len(stored)-1].Seq)
	return res
}

func (h *Handler) invalidate(res *events.Result, err error) {
	h.fail(res, "VALIDATE", &capabilities.Error{Code: events.CodeResultInvalid, Message: clip(err.Error(), 800), Hint: "report this with the episode id"})
	res.ArtifactURIs, res.Scope, res.Obligations = []string{}, nil, []events.Obligation{}
}

func (h *Handler) facts(r *run, res *events.Result, rec *events.Record, staged []capabilities.Staged) []Fact {
	fact := func(ev events.Event, subject string) Fact {
		f := Fact{Event: ev, Subject: subject, Investigation: r.admitted.req.Investigation, Episode: r.episode, Actor: r.actor}
		if r.request.Seq > 0 {
			f.Causes = []events.Cause{r.request.Cause()}
		}
		return f
	}
	var out []Fact
	var named []digest.Digest
	for i := range staged {
		if d := staged[i].Ref.Digest; !slices.Contains(named, d) {
			named = append(named, d)
			out = append(out, fact(&events.ArtifactStored{Artifact: staged[i].Ref}, staged[i].Ref.URI()))
		}
	}
	if rec != nil {
		out = append(out, fact(&events.VerificationRecorded{Record: *rec}, rec.Checker.CheckerID))
	}
	return append(out, fact(&events.RunFinished{Result: *res}, res.CapabilityID))
}

// spillOutput moves a long output to an artifact and leaves its address.
func (h *Handler) spillOutput(res *events.Result) []capabilities.Staged {
	if len(res.Output) <= inlineOutput {
		return nil
	}
	s := capabilities.Staged{Data: res.Output, Ref: events.ArtifactRef{
		Digest: digest.Of(res.Output), Size: int64(len(res.Output)), MediaType: "application/json", Schema: "output/1", Parents: []string{}, Summary: "output of " + res.CapabilityID,
	}}
	res.Output = json.RawMessage(fmt.Sprintf(`{"ref":%q}`, s.Ref.URI()))
	res.Diagnostics = append(res.Diagnostics, note(fmt.Sprintf("the output has %d bytes and is stored as %s; read a slice with artifact.get, or pass it on as a $ref", s.Ref.Size, s.Ref.URI())))
	return []capabilities.Staged{s}
}
