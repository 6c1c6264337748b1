// Package capabilities is the contract that the author of an operation sees.
//
// An operation is one observable mathematical outcome with a typed request and result: a
// [Definition] given to [Define] in the file that implements it. A [Pack] holds the operations of a
// domain. Code of an operation sees typed Go values, a context and an [Env]; it never sees stores,
// events, protocols or authority, and cannot claim VERIFIED: [Claimed] has no such value.
package capabilities

import (
	"context"
	"encoding/json"
	"fmt"
	"reflect"
	"slices"
	"strings"
	"sync"

	"github.com/jacobian-ledger/jacobian/capabilities/schema"
	"github.com/jacobian-ledger/jacobian/events"
	"github.com/jacobian-ledger/jacobian/events/digest"
	"github.com/jacobian-ledger/jacobian/events/jcs"
)

// Kind is how an operation behaves, see docs/contract.md.
type Kind string

// The kinds of operation.
const (
	KindComputed     Kind = "COMPUTED"     // exact function of its input
	KindCertified    Kind = "CERTIFIED"    // also returns a certificate that a checker replays
	KindSearch       Kind = "SEARCH"       // bounded search: witness, incomplete or not applicable
	KindMaterialize  Kind = "MATERIALIZE"  // stores a typed object
	KindVerification Kind = "VERIFICATION" // has evidence from elsewhere decided
	KindService      Kind = "SERVICE"      // reads or writes the ledger itself
)

// Example is one call with its exact answer, both in JSON. The pack's test runs it; an empty Output is
// allowed only where the answer may rightly differ between runs, and then the test checks its schema.
type Example struct {
	Name   string
	Mode   events.Mode // EXPLORE if empty
	Input  string
	Output string
}

// Definition declares an operation. In and Out are structs with json tags; their schemas are derived.
type Definition[In, Out any] struct {
	ID          string
	Version     int    // of the contract and of the implementation's meaning; 0 means 1
	Title       string // at most 128 bytes
	Description string // at most 512 bytes: the definition, shapes, units
	Source      string // paper, standard, OEIS id of the definition
	Kind        Kind   // COMPUTED if empty, or CERTIFIED if Claim is set
	Tags        []string
	Needs       []string // phrases in which somebody would ask for it; at least two
	Aliases     []string // other names of the same thing
	InputKinds  []string // what it works on, such as "integer", "graph"
	Limits      []events.Limit
	Examples    []Example

	// Claimed is what the output deserves without a checker.
	Claimed Claimed
	// Heavy operations may run long or use much memory: they run in a process of their own, which
	// is killed at the end of its budget. Others must be bounded by Preflight to well under a second.
	Heavy bool
	// Effects marks operations whose answer depends on the ledger or that write to it: never memoised.
	Effects bool
	// Preflight refuses inputs beyond the limits, before any work.
	Preflight func(In) error
	// Claim is the formal claim that this request is about, from the input alone. With it the
	// operation has mode VERIFY: the checker that handles the claim's predicate and the evidence's
	// format is given the claim, the output as candidate, and the evidence.
	Claim func(In) events.Claim
	// Emits are the certificate formats of the evidence, and CheckedBy the checkers that decide them.
	Emits     []string
	CheckedBy []string
	// Produces are the artifact schemas that it stores, Accepts those that it reads.
	Produces, Accepts []string

	// Run computes. It returns soon after ctx ends, with ctx.Err() and what it covered.
	Run func(ctx context.Context, env *Env, in In) (Outcome[Out], error)
	// Submit replaces Run in a VERIFICATION operation: it turns the input into what a checker decides.
	Submit func(in In) (Submission, error)
}

// Func adapts a plain exact function to [Definition.Run].
func Func[In, Out any](f func(context.Context, In) (Out, error)) func(context.Context, *Env, In) (Outcome[Out], error) {
	return func(ctx context.Context, _ *Env, in In) (Outcome[Out], error) {
		out, err := f(ctx, in)
		return Outcome[Out]{Output: out}, err
	}
}

// Decision adapts a decision: f returns the output and the truth of the claim.
func Decision[In, Out any](f func(context.Context, In) (Out, bool, error)) func(context.Context, *Env, In) (Outcome[Out], error) {
	return func(ctx context.Context, _ *Env, in In) (Outcome[Out], error) {
		out, truth, err := f(ctx, in)
		return Outcome[Out]{Output: out, Conclusion: Truth(truth)}, err
	}
}

// Truth is TRUE or FALSE.
func Truth(b bool) events.Conclusion {
	if b {
		return events.True
	}
	return events.False
}

// Submission is evidence from a caller, to be decided.
type Submission struct {
	Claim       events.Claim
	Candidate   json.RawMessage // canonical
	Format      string
	Certificate []byte
	Scope       string
}

// VerdictOutput is the output of every VERIFICATION operation.
type VerdictOutput struct {
	Accepted bool   `json:"accepted" doc:"whether the checker accepted the evidence"`
	Method   string `json:"method" doc:"what was replayed"`
	Coverage string `json:"coverage" doc:"how far it reaches"`
	Reason   string `json:"reason" doc:"why it was rejected; a rejection does not prove the opposite"`
}

// NewClaim builds a formal claim; args is encoded canonically.
func NewClaim(semantics, predicate string, args any) events.Claim {
	return events.Claim{Semantics: semantics, Predicate: predicate, Args: jcs.MustMarshal(args)}
}

// Capability is a defined operation with its types erased.
type Capability struct {
	ID      string
	Version int
	Kind    Kind
	Heavy   bool
	Effects bool
	Modes   []events.Mode

	describe func() events.Descriptor
	admit    func(jcs.Value) (*Call, error)
}

// Descriptor is the public contract. The provider's digest is the identity of what runs.
func (c *Capability) Descriptor() events.Descriptor { return c.describe() }

// Admit decodes an input strictly, normalises it by its type and applies the limits. The input's
// digest is over [Call.Input], so that one mathematical request has one digest.
func (c *Capability) Admit(input jcs.Value) (*Call, error) { return c.admit(input) }

// Call is an admitted input, ready to run.
type Call struct {
	Input  []byte        // canonical
	Claim  *events.Claim // nil if the operation decides none
	Run    func(context.Context, *Env) (Done, error)
	Submit func() (Submission, error) // nil unless a VERIFICATION
}

// Done is an [Outcome] with its type erased; it crosses the border of the worker process.
type Done struct {
	Output       json.RawMessage     `json:"output"`
	Conclusion   events.Conclusion   `json:"conclusion"`
	Evidence     *Evidence           `json:"evidence"`
	Scope        *events.Scope       `json:"scope"`
	Completeness events.Completeness `json:"completeness"`
	Basis        string              `json:"basis"`
	Partial      bool                `json:"partial"`
	Level        events.Level        `json:"level"`
	Obligations  []string            `json:"obligations"`
	Notes        []string            `json:"notes"`
	Staged       []Staged            `json:"staged"`
}

// Pack is the operations of one domain.
type Pack struct {
	domain   string
	provider events.Provider
	caps     map[string]*Capability
}

// NewPack returns an empty pack whose operations run in Go, in this program.
func NewPack(domain string) *Pack {
	return &Pack{domain: domain, provider: goProvider(), caps: map[string]*Capability{}}
}

// All lists the operations by id.
func (p *Pack) All() []*Capability {
	out := make([]*Capability, 0, len(p.caps))
	for _, c := range p.caps {
		out = append(out, c)
	}
	slices.SortFunc(out, func(a, b *Capability) int { return strings.Compare(a.ID, b.ID) })
	return out
}

// Define adds an operation to the pack. A malformed definition panics, which the pack's test meets
// first: it is a mistake of the program, not of its user.
func Define[In, Out any](p *Pack, d Definition[In, Out]) *Capability {
	d = completed(d)
	if err := d.check(p); err != nil {
		panic(fmt.Sprintf("capabilities: %s: %v", d.ID, err))
	}
	c := &Capability{
		ID: d.ID, Version: d.Version, Kind: d.Kind, Heavy: d.Heavy, Effects: d.Effects, Modes: d.modes(),
		describe: sync.OnceValue(func() events.Descriptor { return d.descriptor(p.provider) }),
		admit:    d.admit,
	}
	p.caps[d.ID] = c
	return c
}

func completed[In, Out any](d Definition[In, Out]) Definition[In, Out] {
	if d.Version == 0 {
		d.Version = 1
	}
	if d.Kind == "" {
		d.Kind = KindComputed
		if d.Claim != nil {
			d.Kind = KindCertified
		}
	}
	return d
}

func (d *Definition[In, Out]) modes() []events.Mode {
	switch {
	case d.Kind == KindVerification:
		return []events.Mode{events.Verify}
	case d.Claim != nil:
		return []events.Mode{events.Explore, events.Verify}
	}
	return []events.Mode{events.Explore}
}

func (d *Definition[In, Out]) check(p *Pack) error {
	if err := events.CheckCapabilityID(d.ID); err != nil {
		return err
	}
	switch {
	case p.caps[d.ID] != nil:
		return fmt.Errorf("defined twice")
	case d.Title == "" || len(d.Title) > 128:
		return fmt.Errorf("title must have 1 to 128 bytes, has %d", len(d.Title))
	case d.Description == "" || len(d.Description) > 512:
		return fmt.Errorf("description must have 1 to 512 bytes, has %d", len(d.Description))
	case len(d.Needs) < 2:
		return fmt.Errorf("needs at least two phrases, has %d", len(d.Needs))
	case len(d.Examples) == 0:
		return fmt.Errorf("needs an example")
	case (d.Kind == KindVerification) != (d.Submit != nil), (d.Submit == nil) == (d.Run == nil):
		return fmt.Errorf("needs Run, or Submit if a VERIFICATION")
	case d.Claim != nil && (len(d.Emits) == 0 || len(d.CheckedBy) == 0):
		return fmt.Errorf("a claim needs certificate formats and checkers")
	case reflect.TypeFor[In]().Kind() != reflect.Struct || reflect.TypeFor[Out]().Kind() != reflect.Struct:
		return fmt.Errorf("input and output must be structs")
	}
	return nil
}

func (d *Definition[In, Out]) descriptor(provider events.Provider) events.Descriptor {
	out := events.Descriptor{
		CapabilityID: d.ID, Version: d.Version, Title: d.Title, Description: d.Description, Source: d.Source,
		Kind: string(d.Kind), Provider: provider, Modes: d.modes(),
		InputSchema: schema.For[In](), OutputSchema: schema.For[Out](),
		ReadOnly: d.Kind != KindMaterialize, Deterministic: !d.Effects,
		Tags: list(d.Tags), Needs: list(d.Needs), Aliases: list(d.Aliases), AcceptedInputKinds: list(d.InputKinds),
		AcceptedArtifactTypes: list(d.Accepts), ProducedArtifactTypes: list(d.Produces),
		DiscoveryVisible: true, Limits: d.Limits, AssuranceCeiling: d.Claimed.Level(),
	}
	if out.Limits == nil {
		out.Limits = []events.Limit{}
	}
	if d.Claim != nil || d.Submit != nil {
		out.AssuranceCeiling = events.Verified
		out.Certificates = &events.Certificates{Emits: list(d.Emits), CheckedBy: list(d.CheckedBy)}
	}
	for _, x := range d.Examples {
		mode := x.Mode
		if mode == "" {
			mode = d.modes()[0]
		}
		in, err := jcs.Canonicalize([]byte(x.Input))
		if err != nil {
			panic(fmt.Sprintf("capabilities: %s: example %s: input: %v", d.ID, x.Name, err))
		}
		answer := []byte("null")
		if x.Output != "" {
			if answer, err = jcs.Canonicalize([]byte(x.Output)); err != nil {
				panic(fmt.Sprintf("capabilities: %s: example %s: output: %v", d.ID, x.Name, err))
			}
		}
		out.Examples = append(out.Examples, events.Example{Name: x.Name, Mode: mode, Input: in, Output: answer})
	}
	// What runs is identified by the program's dependencies and the contract: a memo made by
	// another implementation must not answer for this one.
	out.Provider.Digest = digest.Object(jcs.MustMarshal(out), "provider", out.Provider.Digest.String())
	return out
}

func list(s []string) []string {
	if s == nil {
		return []string{}
	}
	return s
}

func (d *Definition[In, Out]) admit(v jcs.Value) (*Call, error) {
	var in In
	if err := v.Decode(&in); err != nil {
		return nil, err
	}
	if d.Preflight != nil {
		if err := d.Preflight(in); err != nil {
			return nil, err
		}
	}
	canonical, err := jcs.Marshal(in)
	if err != nil {
		return nil, err
	}
	call := &Call{Input: canonical}
	if d.Submit != nil {
		call.Submit = func() (Submission, error) { return d.Submit(in) }
		return call, nil
	}
	if d.Claim != nil {
		claim := d.Claim(in)
		call.Claim = &claim
	}
	call.Run = func(ctx context.Context, env *Env) (Done, error) {
		out, err := d.Run(ctx, env, in)
		done, encErr := out.erase(d.Claimed, env.staged)
		if err == nil {
			err = encErr
		}
		return done, err
	}
	return call, nil
}

func (o *Outcome[Out]) erase(claimed Claimed, staged []Staged) (Done, error) {
	if o.Claimed != nil {
		claimed = *o.Claimed
	}
	done := Done{
		Conclusion: o.Conclusion, Evidence: o.Evidence, Scope: o.Scope, Basis: o.Basis, Partial: o.Partial,
		Completeness: events.Completeness{Status: o.Completeness, Basis: o.Basis},
		Level:        claimed.Level(), Obligations: o.Obligations, Notes: o.Notes, Staged: staged,
	}
	if done.Conclusion == "" {
		done.Conclusion = events.NotApplicable
	}
	if done.Completeness.Status == "" {
		done.Completeness = events.Completeness{Status: events.CompletenessNotApplicable}
	}
	var err error
	done.Output, err = jcs.Marshal(o.Output)
	return done, err
}
