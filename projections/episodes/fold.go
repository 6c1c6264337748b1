package episodes

import (
	"encoding/json"
	"fmt"
	"strings"

	"github.com/blevesearch/bleve/v2"

	"github.com/jacobian-ledger/jacobian/events"
	"github.com/jacobian-ledger/jacobian/projections/terms"
)

// The most terms that one field of one document may bring into the index, so that a flood of unique
// words costs little.
const (
	maxClaimTerms = 256
	maxRestTerms  = 512
	maxInput      = 2 << 10 // bytes of an input that are searched
)

type document struct {
	Claim         string `json:"claim"`
	ID            string `json:"id"`
	Rest          string `json:"rest"`
	Kind          string `json:"kind"`
	Capability    string `json:"capability"`
	Domain        string `json:"domain"`
	Status        string `json:"status"`
	Conclusion    string `json:"conclusion"`
	Level         string `json:"level"`
	Investigation string `json:"investigation"`
	Actor         string `json:"actor"`
	Time          string `json:"time"`
	Hit           string `json:"hit"`
}

// BleveType makes every document of one type.
func (document) BleveType() string { return "_default" }

// folding is one batch on its way into the index.
type folding struct {
	index bleve.Index
	batch *bleve.Batch
	asked map[string][]byte // episode → searched part of its input, for runs requested in this batch
}

func askedKey(episode string) []byte { return []byte("asked/" + episode) }

func (f *folding) event(e *events.Stored) error {
	switch ev := e.Event.(type) {
	case *events.RunRequested:
		input := clip(string(ev.Request.Input), maxInput)
		f.asked[e.Envelope.Episode] = []byte(input)
		f.batch.SetInternal(askedKey(e.Envelope.Episode), []byte(input))
		claim := ""
		if ev.Request.Claim != nil {
			claim = ev.Request.Claim.Text
		}
		h := hitOf(e, "episode", e.Envelope.Episode)
		h.Capability, h.Status, h.Conclusion, h.Claim = ev.Request.CapabilityID, events.StatusRunning, events.Unknown, claim
		return f.put(h, input)
	case *events.RunFinished:
		input, ok := f.asked[e.Envelope.Episode]
		if !ok {
			var err error
			if input, err = f.index.GetInternal(askedKey(e.Envelope.Episode)); err != nil {
				return err
			}
		}
		f.batch.DeleteInternal(askedKey(e.Envelope.Episode))
		return f.finished(e, &ev.Result, string(input))
	case *events.NoteWritten:
		h := hitOf(e, "note", fmt.Sprintf("note_%012d", e.Seq))
		h.Claim, h.Detail = ev.Text, ev.Stage
		return f.put(h, ev.Stage)
	}
	return nil
}

func (f *folding) finished(e *events.Stored, r *events.Result, input string) error {
	h := hitOf(e, "episode", e.Envelope.Episode)
	h.Capability, h.Status, h.Conclusion, h.Level, h.Record = r.CapabilityID, r.Execution.Status, r.Conclusion, r.Assurance.Level, r.Assurance.RecordURI
	h.Claim, h.Detail = r.ClaimText, r.Execution.Detail
	rest := []string{input, string(r.Execution.Status), string(r.Conclusion), r.Execution.Detail, clip(string(r.Output), maxInput)}
	if r.Scope != nil {
		h.Scope = r.Scope.Description
		rest = append(rest, r.Scope.Description)
		for _, p := range r.Scope.Parameters {
			rest = append(rest, p.Name, p.Value)
		}
	}
	for i := range r.Diagnostics {
		rest = append(rest, string(r.Diagnostics[i].Code), r.Diagnostics[i].Message)
	}
	if d := r.Failure(); d != nil {
		h.Code = d.Code
		if h.Detail == "" {
			h.Detail = d.Message
		}
	}
	if r.Claim != nil {
		rest = append(rest, r.Claim.Predicate, r.Claim.Semantics)
	}
	if r.Certificate != nil {
		rest = append(rest, r.Certificate.Format)
	}
	return f.put(h, rest...)
}

func hitOf(e *events.Stored, kind, id string) Hit {
	return Hit{ID: id, Kind: kind, Seq: e.Seq, Time: e.Envelope.RecordedTime, Investigation: e.Envelope.Investigation, Actor: e.Envelope.Actor}
}

func (f *folding) put(h Hit, rest ...string) error {
	if h.ID == "" {
		return fmt.Errorf("event %d has no episode", h.Seq)
	}
	h.Claim, h.Detail, h.Scope = clip(h.Claim, 2000), clip(h.Detail, 1024), clip(h.Scope, 1024)
	b, err := json.Marshal(h)
	if err != nil {
		return err
	}
	domain := ""
	if h.Capability != "" {
		domain = events.DomainOf(h.Capability)
	}
	join := func(text string, limit int) string { return strings.Join(terms.Split(text, limit), " ") }
	return f.batch.Index(h.ID, document{
		Claim: join(h.Claim, maxClaimTerms), ID: join(h.Capability, 32), Rest: join(strings.Join(rest, " "), maxRestTerms),
		Kind: h.Kind, Capability: h.Capability, Domain: domain, Status: string(h.Status), Conclusion: string(h.Conclusion), Level: string(h.Level),
		Investigation: h.Investigation, Actor: h.Actor, Time: h.Time, Hit: string(b),
	})
}

// clip cuts a text at a character so that it has at most n bytes.
func clip(s string, n int) string {
	if len(s) <= n {
		return s
	}
	for n > 0 && s[n]&0xC0 == 0x80 {
		n--
	}
	return s[:n]
}
