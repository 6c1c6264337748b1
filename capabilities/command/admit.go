package command

import (
	"context"
	"encoding/json"
	"fmt"
	"slices"
	"strings"

	"github.com/jacobian-ledger/jacobian/capabilities"
	"github.com/jacobian-ledger/jacobian/events"
	"github.com/jacobian-ledger/jacobian/events/digest"
	"github.com/jacobian-ledger/jacobian/events/jcs"
)

// admitted is a request that may run: resolved, normalised, within its limits.
type admitted struct {
	req        events.Request // normalised: mode and budget set, input canonical
	cap        *capabilities.Capability
	descriptor events.Descriptor
	call       *capabilities.Call
	digest     digest.Digest // identity of the mathematical request, the memo key
	refs       []string      // what the input was resolved from
	tainted    []string      // HEURISTIC episodes among what it rests on
}

// shareable reports whether another caller with the same request may have this run's answer.
func (a *admitted) shareable() bool {
	return !a.cap.Effects && a.req.Record == "" && (a.req.UseMemo == nil || *a.req.UseMemo)
}

func (h *Handler) admit(ctx context.Context, req events.Request) (*admitted, *capabilities.Error) {
	if err := req.Validate(); err != nil {
		return nil, capabilities.AsError(err)
	}
	c := h.cfg.Registry.Get(req.CapabilityID)
	if c == nil {
		near := strings.Join(h.cfg.Registry.Nearest(req.CapabilityID, 3), ", ")
		return nil, &capabilities.Error{
			Code: events.CodeUnknownCapability, Path: "/capability_id", Message: "no operation " + req.CapabilityID + "; nearest: " + near,
			Expected: "an id of the catalog, such as " + near, Actual: req.CapabilityID, Hint: "search with math.find",
		}
	}
	a := &admitted{req: req, cap: c, descriptor: c.Descriptor()}
	if v := req.CapabilityVersion; v != 0 && v != c.Version {
		return nil, invalid("/capability_version", fmt.Sprint(c.Version), fmt.Sprint(v), "leave it out, or read the new contract with math.find")
	}
	if p := a.descriptor.Provider; p.Availability != "AVAILABLE" {
		return nil, &capabilities.Error{Code: events.CodeProviderUnavailable, Message: c.ID + " needs " + p.Name + ": " + p.Diagnostic, Expected: p.Name, Actual: p.Availability, Hint: p.InstallHint}
	}
	if refusal := a.setMode(); refusal != nil {
		return nil, refusal
	}
	if refusal := a.setBudget(h.cfg.Defaults); refusal != nil {
		return nil, refusal
	}
	if refusal := h.admitInput(ctx, a); refusal != nil {
		return nil, refusal
	}
	if refusal := a.checkClaim(); refusal != nil {
		return nil, refusal
	}
	a.digest = requestDigest(h.cfg.Tenant, a)
	return a, nil
}

func invalid(path, expected, actual, hint string) *capabilities.Error {
	return capabilities.AsError(capabilities.Invalid(path, expected, actual, hint))
}

func (a *admitted) setMode() *capabilities.Error {
	if a.req.Mode == "" {
		a.req.Mode = a.cap.Modes[0]
	}
	if slices.Contains(a.cap.Modes, a.req.Mode) {
		return nil
	}
	var modes []string
	for _, m := range a.cap.Modes {
		modes = append(modes, string(m))
	}
	hint := "leave mode out"
	if a.req.Mode == events.Verify {
		hint = "this operation has no checker; look for one that has with math.find and mode VERIFY"
	}
	return &capabilities.Error{
		Code: events.CodeUnsupportedMode, Path: "/mode", Message: fmt.Sprintf("%s has no mode %s", a.cap.ID, a.req.Mode),
		Expected: strings.Join(modes, " or "), Actual: string(a.req.Mode), Hint: hint,
	}
}

// setBudget fills in defaults. A budget is a bound of this run and not of the mathematics: it is not
// part of the request's digest.
func (a *admitted) setBudget(defaults events.Budget) *capabilities.Error {
	b := events.Budget{}
	if a.req.Budget != nil {
		b = *a.req.Budget
		if err := b.Validate(); err != nil {
			return capabilities.AsError(jcs.In("budget", err))
		}
	}
	for _, f := range []struct{ set, standard *int64 }{{&b.WallMS, &defaults.WallMS}, {&b.CPUMS, &defaults.CPUMS}, {&b.MemoryBytes, &defaults.MemoryBytes}, {&b.OutputBytes, &defaults.OutputBytes}} {
		if *f.set == 0 {
			*f.set = *f.standard
		}
	}
	if a.req.Budget == nil || a.req.Budget.CPUMS == 0 {
		b.CPUMS = max(b.CPUMS, 4*b.WallMS) // a longer wall without a word on the processor means both
	}
	a.req.Budget = &b
	return nil
}

func (h *Handler) admitInput(ctx context.Context, a *admitted) *capabilities.Error {
	if len(a.req.Input) == 0 {
		return invalid("/input", "an object", "nothing", "send {} for no input; the contract is in math.find")
	}
	v, err := jcs.Parse(a.req.Input)
	if err != nil {
		return capabilities.AsError(jcs.In("input", err))
	}
	v, err = h.resolve(ctx, a, v)
	if err != nil {
		return under("/input", err)
	}
	if a.call, err = a.cap.Admit(v); err != nil {
		e := under("/input", err)
		if e.Code == events.CodeInvalidRequest && e.Hint == "" {
			e.Hint = fmt.Sprintf(`read the contract: math.find {"capability_id":%q,"view":"CONTRACT"}`, a.cap.ID)
		}
		return e
	}
	a.req.Input = a.call.Input
	return nil
}

// under puts the path of an input error below the request's member.
func under(prefix string, err error) *capabilities.Error {
	e := *capabilities.AsError(err)
	e.Path = prefix + e.Path
	return &e
}

// checkClaim refuses a formal claim other than the one that this request decides.
func (a *admitted) checkClaim() *capabilities.Error {
	if a.req.Claim == nil || a.req.Claim.Formal == nil {
		return nil
	}
	asked := a.req.Claim.Formal
	if a.call.Claim == nil {
		return invalid("/claim/formal", "no formal claim: "+a.cap.ID+" decides none", asked.Predicate, "leave it out, or use an operation with mode VERIFY")
	}
	if asked.Digest() == a.call.Claim.Digest() {
		return nil
	}
	return invalid("/claim/formal", clip(string(jcs.MustMarshal(a.call.Claim)), 400), clip(string(jcs.MustMarshal(asked)), 400),
		"this input decides another claim: correct the input or the claim")
}

func clip(s string, n int) string {
	if len(s) <= n {
		return s
	}
	return strings.ToValidUTF8(s[:n], "") + "…"
}

// requestDigest is the memo key: operation, contract version, provider, tenant, mode and canonical
// input. Nothing of this one run enters it, so one mathematical request has one digest.
func requestDigest(tenant string, a *admitted) digest.Digest {
	return digest.Object(a.call.Input, "request", a.cap.ID, fmt.Sprint(a.cap.Version), a.descriptor.Provider.Digest.String(), tenant, string(a.req.Mode))
}

// resolve replaces every {"$ref": URI} in the input by the value it names, and records what it used.
func (h *Handler) resolve(ctx context.Context, a *admitted, v jcs.Value) (jcs.Value, error) {
	switch v.Kind() {
	case jcs.Array:
		items := make([]jcs.Value, len(v.Items()))
		for i, it := range v.Items() {
			r, err := h.resolve(ctx, a, it)
			if err != nil {
				return v, jcs.At(i, err)
			}
			items[i] = r
		}
		return jcs.NewArray(items...), nil
	case jcs.Object:
		if ref, ok := v.Get("$ref"); ok {
			if len(v.Members()) != 1 || ref.Kind() != jcs.String {
				return v, jcs.In("$ref", jcs.Fail(`{"$ref": "artifact://…"} and nothing beside it`, v.Brief(), "remove the other members"))
			}
			got, err := h.fetch(ctx, a, ref.Text())
			if err != nil {
				return v, jcs.In("$ref", err)
			}
			return got, nil
		}
		members := make([]jcs.Member, len(v.Members()))
		for i, m := range v.Members() {
			r, err := h.resolve(ctx, a, m.Value)
			if err != nil {
				return v, jcs.In(m.Name, err)
			}
			members[i] = jcs.Member{Name: m.Name, Value: r}
		}
		return jcs.NewObject(members...), nil
	}
	return v, nil
}

func (h *Handler) fetch(ctx context.Context, a *admitted, uri string) (jcs.Value, error) {
	if rest, ok := strings.CutPrefix(uri, "episode://"); ok {
		return h.fetchEpisode(ctx, a, uri, rest)
	}
	d, err := events.ParseArtifactURI(uri)
	if err != nil {
		return jcs.Value{}, jcs.Fail("artifact://sha256/… or episode://ID#/output/…", fmt.Sprintf("%.100q", uri), "copy the address from a result")
	}
	b, err := h.cfg.Artifacts.Get(ctx, d)
	if err != nil {
		return jcs.Value{}, jcs.Fail("an artifact of this tenant", err.Error(), "store it first with artifact.put")
	}
	v, err := jcs.Parse(b)
	if err != nil {
		return jcs.Value{}, jcs.Fail("an artifact with a JSON value", "other bytes", "only JSON artifacts can stand for a value")
	}
	a.refs = append(a.refs, uri)
	if seq, ok, err := h.cfg.History.Producer(ctx, d); err == nil && ok {
		if res, err := h.load(ctx, seq); err == nil {
			a.restOn(&res)
		}
	}
	return v, nil
}

func (h *Handler) fetchEpisode(ctx context.Context, a *admitted, uri, rest string) (jcs.Value, error) {
	id, pointer, _ := strings.Cut(rest, "#")
	if err := events.CheckEpisode(id); err != nil {
		return jcs.Value{}, jcs.Fail("episode://ID#/output/…", fmt.Sprintf("%.100q", uri), "copy the id from a result")
	}
	seq, finished, known, err := h.cfg.History.Terminal(ctx, id)
	switch {
	case err != nil:
		return jcs.Value{}, err
	case !known:
		return jcs.Value{}, jcs.Fail("an episode of this tenant", id, "find it with memory.search")
	case !finished:
		return jcs.Value{}, jcs.Fail("an episode that has ended", id+" is running", "wait for it first")
	}
	res, err := h.load(ctx, seq)
	if err != nil {
		return jcs.Value{}, err
	}
	if res.Execution.Status != events.StatusCompleted {
		return jcs.Value{}, jcs.Fail("an episode that COMPLETED", string(res.Execution.Status), "it has no output to use")
	}
	out, err := h.output(ctx, &res)
	if err != nil {
		return jcs.Value{}, err
	}
	root, err := jcs.Parse(append(append([]byte(`{"output":`), out...), '}'))
	if err != nil {
		return jcs.Value{}, err
	}
	v, err := root.Pointer(pointer)
	if err != nil {
		return jcs.Value{}, err
	}
	a.refs = append(a.refs, uri)
	a.restOn(&res)
	return v, nil
}

// output is the result's output, fetched if it was stored by reference.
func (h *Handler) output(ctx context.Context, res *events.Result) (json.RawMessage, error) {
	var ref struct {
		Ref string `json:"ref"`
	}
	if jcs.Decode(res.Output, &ref) != nil || ref.Ref == "" {
		return res.Output, nil
	}
	d, err := events.ParseArtifactURI(ref.Ref)
	if err != nil {
		return nil, err
	}
	return h.cfg.Artifacts.Get(ctx, d)
}

// restOn notes the taint of an earlier result that the input came from.
func (a *admitted) restOn(res *events.Result) {
	add := func(e string) {
		if !slices.Contains(a.tainted, e) {
			a.tainted = append(a.tainted, e)
		}
	}
	if res.Assurance.Level == events.Heuristic {
		add(res.Episode)
	}
	for _, e := range res.Assurance.TaintedBy {
		add(e)
	}
}
