// Package captest is the suite that every pack of operations passes.
package captest

import (
	"bytes"
	"context"
	"errors"
	"strings"
	"testing"
	"time"

	"github.com/jacobian-ledger/jacobian/capabilities"
	"github.com/jacobian-ledger/jacobian/capabilities/checkers"
	"github.com/jacobian-ledger/jacobian/events"
	"github.com/jacobian-ledger/jacobian/events/digest"
	"github.com/jacobian-ledger/jacobian/events/jcs"
	"github.com/santhosh-tekuri/jsonschema/v6"
)

// TestPack checks every operation of the pack: its descriptor, that its examples give exactly their
// outputs, that inputs and outputs obey the published schemas, that unknown members and wrong types
// are refused with a path, that the same input gives the same output, that a cancelled call ends,
// and that the evidence of certified examples is accepted by one of the checkers for its own claim
// and by none for another claim.
func TestPack(t *testing.T, p *capabilities.Pack, deciders ...checkers.Checker) {
	t.Helper()
	for _, c := range p.All() {
		t.Run(c.ID, func(t *testing.T) { testCapability(t, c, deciders) })
	}
}

// Env returns an environment for calling an operation in a test. Its only artifact is the text "hello".
func Env() *capabilities.Env {
	return &capabilities.Env{
		Report: func(capabilities.Progress) {}, Covered: func(events.Scope) {},
		Open: func(_ context.Context, d digest.Digest) ([]byte, error) {
			if hello := []byte("hello"); d == digest.Of(hello) {
				return hello, nil
			}
			return nil, errors.New("no such artifact")
		},
	}
}

// Call admits input and runs it, with a generous deadline.
func Call(t *testing.T, c *capabilities.Capability, input string) (*capabilities.Call, capabilities.Done, error) {
	t.Helper()
	v, err := jcs.Parse([]byte(input))
	if err != nil {
		return nil, capabilities.Done{}, err
	}
	call, err := c.Admit(v)
	if err != nil || call.Run == nil {
		return call, capabilities.Done{}, err
	}
	ctx, cancel := context.WithTimeout(t.Context(), 2*time.Minute)
	defer cancel()
	done, err := call.Run(ctx, Env())
	return call, done, err
}

// Find returns the pack's operation with that id.
func Find(t *testing.T, p *capabilities.Pack, id string) *capabilities.Capability {
	t.Helper()
	for _, c := range p.All() {
		if c.ID == id {
			return c
		}
	}
	t.Fatalf("no operation %s in the pack", id)
	return nil
}

// Output runs the pack's operation and returns its canonical output; it fails the test on an error.
func Output(t *testing.T, p *capabilities.Pack, id, input string) string {
	t.Helper()
	_, done, err := Call(t, Find(t, p, id), input)
	if err != nil {
		t.Fatalf("%s %s: %v", id, input, err)
	}
	return string(done.Output)
}

// Refusal runs the pack's operation and returns the error; it fails the test if there is none.
func Refusal(t *testing.T, p *capabilities.Pack, id, input string) *capabilities.Error {
	t.Helper()
	_, done, err := Call(t, Find(t, p, id), input)
	if err == nil {
		t.Fatalf("%s %s: expected a refusal, got %s", id, input, done.Output)
	}
	return capabilities.AsError(err)
}

func testCapability(t *testing.T, c *capabilities.Capability, deciders []checkers.Checker) {
	d := c.Descriptor()
	in, out := compile(t, d.InputSchema), compile(t, d.OutputSchema)
	for _, x := range d.Examples {
		t.Run(x.Name, func(t *testing.T) {
			validate(t, in, x.Input, "the example's input")
			call, done, err := Call(t, c, string(x.Input))
			if err != nil {
				t.Fatal(err)
			}
			validate(t, in, call.Input, "the normalised input")
			if again, _, err := Call(t, c, string(call.Input)); err != nil || !bytes.Equal(again.Input, call.Input) {
				t.Fatalf("normalising twice changes the input: %s, %v", call.Input, err)
			}
			if call.Submit != nil {
				testSubmission(t, call, x, deciders)
				return
			}
			validate(t, out, done.Output, "the output")
			if string(x.Output) != "null" && !bytes.Equal(done.Output, x.Output) {
				t.Errorf("output\n  %s, the example says\n  %s", done.Output, x.Output)
			}
			if _, again, err := Call(t, c, string(x.Input)); !c.Effects && (err != nil || digest.Of(again.Output) != digest.Of(done.Output)) {
				t.Errorf("the same input gave another output:\n  %s\n  %s, %v", done.Output, again.Output, err)
			}
			if call.Claim != nil {
				testEvidence(t, call, done, deciders)
			}
			testCancelled(t, c, x.Input)
		})
	}
	testRefusals(t, c, d)
}

func compile(t *testing.T, raw []byte) *jsonschema.Schema {
	t.Helper()
	doc, err := jsonschema.UnmarshalJSON(bytes.NewReader(raw))
	if err != nil {
		t.Fatal(err)
	}
	comp := jsonschema.NewCompiler()
	comp.DefaultDraft(jsonschema.Draft2020)
	if err := comp.AddResource("schema.json", doc); err != nil {
		t.Fatal(err)
	}
	s, err := comp.Compile("schema.json")
	if err != nil {
		t.Fatal(err)
	}
	return s
}

func validate(t *testing.T, s *jsonschema.Schema, raw []byte, what string) {
	t.Helper()
	doc, err := jsonschema.UnmarshalJSON(bytes.NewReader(raw))
	if err != nil {
		t.Fatalf("%s: %v", what, err)
	}
	if err := s.Validate(doc); err != nil {
		t.Errorf("%s %s does not obey its schema: %v", what, raw, err)
	}
}

func decide(t *testing.T, deciders []checkers.Checker, ev checkers.Evidence) (checkers.Verdict, bool) {
	t.Helper()
	for _, k := range deciders {
		if k.Handles(ev.Claim.Predicate, ev.Format) {
			v, err := k.Check(t.Context(), ev)
			if err != nil {
				t.Fatalf("%s: %v", k.ID, err)
			}
			return v, true
		}
	}
	return checkers.Verdict{}, false
}

func testEvidence(t *testing.T, call *capabilities.Call, done capabilities.Done, deciders []checkers.Checker) {
	t.Helper()
	if done.Evidence == nil {
		t.Fatal("a certified operation returned no evidence")
	}
	ev := checkers.Evidence{Claim: *call.Claim, Candidate: done.Output, Format: done.Evidence.Format, Certificate: done.Evidence.Data}
	v, ok := decide(t, deciders, ev)
	if !ok {
		t.Fatalf("no checker handles %s with format %q", ev.Claim.Predicate, ev.Format)
	}
	want := done.Conclusion
	if want == events.NotApplicable {
		want = events.True // the candidate is the right answer
	}
	if !v.Accepted || v.Conclusion != want {
		t.Errorf("verdict %+v, want accepted with %s", v, want)
	}
	for name, bad := range map[string]checkers.Evidence{
		"empty claim":     {Claim: events.Claim{Semantics: ev.Claim.Semantics, Predicate: ev.Claim.Predicate, Args: []byte(`{}`)}, Candidate: ev.Candidate, Format: ev.Format, Certificate: ev.Certificate},
		"empty candidate": {Claim: ev.Claim, Candidate: []byte(`{}`), Format: ev.Format, Certificate: ev.Certificate},
		"not JSON":        {Claim: ev.Claim, Candidate: []byte(`{"`), Format: ev.Format, Certificate: ev.Certificate},
		"other semantics": {Claim: events.Claim{Semantics: "other/9", Predicate: ev.Claim.Predicate, Args: ev.Claim.Args}, Candidate: ev.Candidate, Format: ev.Format, Certificate: ev.Certificate},
	} {
		if v, _ := decide(t, deciders, bad); v.Accepted {
			t.Errorf("%s: accepted %+v", name, v)
		}
	}
}

func testSubmission(t *testing.T, call *capabilities.Call, x events.Example, deciders []checkers.Checker) {
	t.Helper()
	sub, err := call.Submit()
	if err != nil {
		t.Fatal(err)
	}
	v, ok := decide(t, deciders, checkers.Evidence{Claim: sub.Claim, Candidate: sub.Candidate, Format: sub.Format, Certificate: sub.Certificate})
	if !ok {
		t.Fatalf("no checker handles %s with format %q", sub.Claim.Predicate, sub.Format)
	}
	got := jcs.MustMarshal(capabilities.VerdictOutput{Accepted: v.Accepted, Method: v.Method, Coverage: v.Coverage, Reason: v.Reason})
	if string(x.Output) != "null" && !bytes.Equal(got, x.Output) {
		t.Errorf("output\n  %s, the example says\n  %s", got, x.Output)
	}
}

func testCancelled(t *testing.T, c *capabilities.Capability, input []byte) {
	t.Helper()
	v, _ := jcs.Parse(input)
	call, err := c.Admit(v)
	if err != nil {
		t.Fatal(err)
	}
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	ended := make(chan error, 1)
	go func() {
		_, err := call.Run(ctx, Env())
		ended <- err
	}()
	select {
	case err := <-ended: // a small example may well complete
		if err != nil && !errors.Is(err, context.Canceled) {
			t.Errorf("a cancelled call failed with %v", err)
		}
	case <-time.After(10 * time.Second):
		t.Error("a cancelled call does not end")
	}
}

func testRefusals(t *testing.T, c *capabilities.Capability, d events.Descriptor) {
	t.Helper()
	base, _ := jcs.Parse(d.Examples[0].Input)
	with := func(name string, v jcs.Value) jcs.Value {
		m := []jcs.Member{{Name: name, Value: v}}
		for _, x := range base.Members() {
			if x.Name != name {
				m = append(m, x)
			}
		}
		return jcs.NewObject(m...)
	}
	if _, err := c.Admit(with("zzz_unknown", jcs.NewString("1"))); err == nil || !strings.Contains(err.Error(), "zzz_unknown") {
		t.Errorf("an unknown member was not refused by name: %v", err)
	}
	schema, _ := jcs.Parse(d.InputSchema)
	for _, m := range base.Members() {
		if member, err := schema.Pointer("/properties/" + m.Name); err == nil && takesAnything(member) {
			continue
		}
		_, err := c.Admit(with(m.Name, jcs.NewArray(jcs.NewObject(jcs.Member{Name: "no_such", Value: jcs.Value{}}))))
		if err == nil {
			t.Errorf("member %s of a wrong type was accepted", m.Name)
			continue
		}
		if e := capabilities.AsError(err); !strings.HasPrefix(e.Path, "/"+m.Name) || e.Expected == "" || e.Actual == "" {
			t.Errorf("the refusal of a wrong %s names path %q, expected %q, found %q", m.Name, e.Path, e.Expected, e.Actual)
		}
	}
	if _, err := c.Admit(jcs.NewArray()); err == nil {
		t.Error("an array was accepted as input")
	}
}

// takesAnything reports whether a schema allows every JSON value, or arrays of every value.
func takesAnything(schema jcs.Value) bool {
	if items, ok := schema.Get("items"); ok {
		return takesAnything(items)
	}
	for _, m := range schema.Members() {
		if m.Name != "description" {
			return false
		}
	}
	return true
}
