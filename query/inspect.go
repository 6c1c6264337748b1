package query

import (
	"encoding/json"
	"fmt"
	"slices"
	"strings"

	"github.com/jacobian-ledger/jacobian/events"
	"github.com/jacobian-ledger/jacobian/events/jcs"
)

// Operation is one operation, as much of it as was asked for. Trimmed says what was left out to keep the
// answer short, and FULL or capability://catalog has it.
type Operation struct {
	CapabilityID  string               `json:"capability_id"`
	Version       int                  `json:"version"`
	Title         string               `json:"title"`
	Description   string               `json:"description,omitempty"`
	Source        string               `json:"source,omitempty"`
	Kind          string               `json:"kind"`
	Modes         []events.Mode        `json:"modes"`
	Ceiling       events.Level         `json:"ceiling"`
	Input         json.RawMessage      `json:"input_schema,omitempty"`
	Output        json.RawMessage      `json:"output_schema,omitempty"`
	Limits        []events.Limit       `json:"limits,omitempty"`
	Certificates  *events.Certificates `json:"certificates,omitempty"`
	Examples      []events.Example     `json:"examples,omitempty"`
	Provider      *events.Provider     `json:"provider,omitempty"`
	Deterministic *bool                `json:"deterministic,omitempty"`
	ReadOnly      *bool                `json:"read_only,omitempty"`
	Tags          []string             `json:"tags,omitempty"`
	Needs         []string             `json:"needs,omitempty"`
	Aliases       []string             `json:"aliases,omitempty"`
	InputKinds    []string             `json:"accepted_input_kinds,omitempty"`
	Accepts       []string             `json:"accepted_artifact_types,omitempty"`
	Produces      []string             `json:"produced_artifact_types,omitempty"`
	Unavailable   string               `json:"unavailable,omitempty"`
	Trimmed       []string             `json:"trimmed,omitempty"`
}

func (r *ranker) inspect(q FindRequest, a FindAnswer) FindAnswer {
	doc, ok := r.byID[q.CapabilityID]
	if !ok {
		a.Outcome, a.Nearest = UnknownCapability, r.nearest(q.CapabilityID, 3)
		a.Hint = "there is no such operation; ask with query in words"
		if reason, was := r.catalog.Retired[q.CapabilityID]; was {
			a.Hint = "this operation was retired: " + Visible(reason, 200)
		}
		return a
	}
	d := &r.catalog.Descriptors[doc]
	a.Outcome = Inspected
	if q.View == "" || q.View == Summary {
		a.Matches = []Card{r.cards[doc]}
		a.Hint = `its input schema: view CONTRACT`
		return a
	}
	budget := maxContract
	a.Operation = contract(d)
	if q.View == Full {
		budget = maxAnswer
		full(a.Operation, d)
	}
	trim(&a, budget)
	return a
}

func contract(d *events.Descriptor) *Operation {
	o := &Operation{
		CapabilityID: d.CapabilityID, Version: d.Version, Title: d.Title, Description: d.Description, Kind: d.Kind, Modes: d.Modes, Ceiling: d.AssuranceCeiling,
		Input: d.InputSchema, Output: d.OutputSchema, Limits: d.Limits, Certificates: d.Certificates, Examples: d.Examples,
	}
	if d.Provider.Availability == "UNAVAILABLE" {
		o.Unavailable = strings.TrimSpace(d.Provider.Diagnostic + " " + d.Provider.InstallHint)
	}
	return o
}

func full(o *Operation, d *events.Descriptor) {
	o.Source, o.Provider, o.Deterministic, o.ReadOnly = d.Source, &d.Provider, &d.Deterministic, &d.ReadOnly
	o.Tags, o.Needs, o.Aliases = d.Tags, d.Needs, d.Aliases
	o.InputKinds, o.Accepts, o.Produces = d.AcceptedInputKinds, d.AcceptedArtifactTypes, d.ProducedArtifactTypes
}

// trim cuts an inspection to its budget, the least needed first, and says what it cut. The input schema
// keeps every member and rule; only its explanations may go.
func trim(a *FindAnswer, budget int) {
	o := a.Operation
	steps := []struct {
		name string
		cut  func()
	}{
		{"examples but the first", func() { o.Examples = o.Examples[:min(1, len(o.Examples))] }},
		{"explanations in output_schema", func() { o.Output = bare(o.Output) }},
		{"output of the example", func() {
			if len(o.Examples) > 0 {
				e := o.Examples[0]
				e.Output = json.RawMessage(`null`)
				o.Examples = []events.Example{e}
			}
		}},
		{"output_schema", func() { o.Output = nil }},
		{"needs, aliases", func() { o.Needs, o.Aliases = nil, nil }},
		{"explanations in input_schema", func() { o.Input = bare(o.Input) }},
		{"examples", func() { o.Examples = nil }},
		{"notes of limits", func() {
			o.Limits = slices.Clone(o.Limits)
			for i := range o.Limits {
				o.Limits[i].Note = ""
			}
		}},
		{"input_schema: read it in capability://catalog", func() { o.Input = nil }},
	}
	for _, s := range steps {
		if size(a) <= budget {
			return
		}
		before := size(a)
		s.cut()
		if size(a) < before {
			o.Trimmed = append(o.Trimmed, s.name)
		}
	}
}

// bare takes the explanations out of a JSON schema.
func bare(schema json.RawMessage) json.RawMessage {
	v, err := jcs.Parse(schema)
	if err != nil {
		return schema
	}
	return bareValue(v).Append(nil)
}

func bareValue(v jcs.Value) jcs.Value {
	switch v.Kind() {
	case jcs.Object:
		var out []jcs.Member
		for _, m := range v.Members() {
			if m.Value.Kind() == jcs.String && (m.Name == "description" || m.Name == "title" || m.Name == "$comment") {
				continue
			}
			switch m.Name {
			case "enum", "const", "default", "examples":
			default:
				m.Value = bareValue(m.Value)
			}
			out = append(out, m)
		}
		return jcs.NewObject(out...)
	case jcs.Array:
		var out []jcs.Value
		for _, x := range v.Items() {
			out = append(out, bareValue(x))
		}
		return jcs.NewArray(out...)
	}
	return v
}

// nearest lists the ids that are most like one that does not exist.
func (r *ranker) nearest(id string, n int) []string {
	var ids []string
	for i := range r.catalog.Descriptors {
		if d := &r.catalog.Descriptors[i]; d.DiscoveryVisible {
			ids = append(ids, d.CapabilityID)
		}
	}
	return events.Nearest(fmt.Sprintf("%.128s", id), ids, n)
}
