// Package provenance is the read model of what rests on what: episodes, artifacts and records as nodes,
// and edges from each to what it came from.
//
//	used       episode → artifact or episode   its input was resolved from it
//	generated  artifact → episode              the episode that stored it first
//	derived    artifact → artifact             its parents
//	verifies   record → artifact               the claim
//	rests_on   record → artifact               semantics, candidate, certificate
//	rests_on   episode → record                what makes its result VERIFIED
//	mentions   episode → artifact              named in its result, and not stored by it
//
// Ancestors of a node are what its edges lead to; descendants are found along the same edges backwards.
// A record stored with the run that it verifies makes a loop with that run's episode through the
// candidate that the run generated, so every walk remembers where it has been.
//
// Tables: node (URI → JSON [Node]), out (URI, NUL, relation, NUL, URI → nothing), in (the same,
// reversed). URIs are those of package events, without fragment.
package provenance

import (
	"encoding/json"
	"errors"
	"fmt"
	"strings"

	"github.com/jacobian-ledger/jacobian/events"
	"github.com/jacobian-ledger/jacobian/projections"
)

const name = "provenance"

// Relation names an edge.
type Relation string

// The relations.
const (
	Used      Relation = "used"
	Generated Relation = "generated"
	Derived   Relation = "derived"
	Verifies  Relation = "verifies"
	RestsOn   Relation = "rests_on"
	Mentions  Relation = "mentions"
)

// Node is what is known of a URI. Text is as it was stored: untrusted.
type Node struct {
	URI        string            `json:"uri"`
	Kind       string            `json:"kind"` // episode, artifact, record; "" if it is only named
	Seq        uint64            `json:"seq"`  // of the event that made or ended it
	Time       string            `json:"time"`
	Episode    string            `json:"episode"`    // in which it was made
	Capability string            `json:"capability"` // of an episode; the checker of a record
	Status     events.Status     `json:"status"`     // of an episode
	Conclusion events.Conclusion `json:"conclusion"`
	Level      events.Level      `json:"level"` // of an episode, as recorded
	Schema     string            `json:"schema"`
	Format     string            `json:"format"` // of the certificate
	Size       int64             `json:"size"`
	Text       string            `json:"text"` // claim or summary
	Record     string            `json:"record"`
	Roles      map[string]string `json:"roles"` // of a record: claim, semantics, candidate, certificate → URI
}

// Projection folds runs, artifacts and records.
type Projection struct{}

var _ projections.Projection = Projection{}

// Name is "provenance".
func (Projection) Name() string { return name }

// SchemaVersion is 1.
func (Projection) SchemaVersion() int { return 1 }

// Consumes lists the events of runs, artifacts and records.
func (Projection) Consumes() map[projections.Log][]events.Kind {
	return map[projections.Log][]events.Kind{projections.Tenant: {
		events.KindRunRequested, events.KindRunFinished, events.KindArtifactStored, events.KindVerificationRecorded,
	}}
}

// Apply folds one event.
func (Projection) Apply(tx projections.Tx, _ projections.Log, e *events.Stored) error {
	f := fold{tx, e}
	switch ev := e.Event.(type) {
	case *events.RunRequested:
		return f.requested(ev)
	case *events.RunFinished:
		return f.finished(ev)
	case *events.ArtifactStored:
		return f.artifact(&ev.Artifact)
	case *events.VerificationRecorded:
		return f.record(&ev.Record)
	}
	return nil
}

type fold struct {
	tx projections.Tx
	e  *events.Stored
}

func (f *fold) episode() (string, error) {
	if f.e.Envelope.Episode == "" {
		return "", errors.New("expected an episode, found none")
	}
	return events.EpisodeURI(f.e.Envelope.Episode), nil
}

func (f *fold) requested(ev *events.RunRequested) error {
	uri, err := f.episode()
	if err != nil {
		return err
	}
	n := f.fresh(uri, "episode")
	n.Capability, n.Status, n.Conclusion = ev.Request.CapabilityID, events.StatusRunning, events.Unknown
	if ev.Request.Claim != nil {
		n.Text = ev.Request.Claim.Text
	}
	for _, ref := range ev.Refs {
		to, ok := Canonical(ref)
		if !ok {
			return fmt.Errorf("expected an artifact, episode or record address in refs, found %.100q", ref)
		}
		f.edge(uri, Used, to)
	}
	return f.put(n)
}

func (f *fold) finished(ev *events.RunFinished) error {
	uri, err := f.episode()
	if err != nil {
		return err
	}
	r := &ev.Result
	n := f.fresh(uri, "episode")
	n.Capability, n.Status, n.Conclusion, n.Level, n.Text, n.Record = r.CapabilityID, r.Execution.Status, r.Conclusion, r.Assurance.Level, r.ClaimText, r.Assurance.RecordURI
	if r.Certificate != nil {
		n.Format = r.Certificate.Format
	}
	if rec, ok := Canonical(r.Assurance.RecordURI); ok {
		f.edge(uri, RestsOn, rec)
	}
	for _, a := range r.ArtifactURIs {
		to, ok := Canonical(a)
		if !ok || f.tx.Get("out", edgeKey(to, Generated, uri)) != nil || f.tx.Get("out", edgeKey(uri, Used, to)) != nil || f.tx.Get("out", edgeKey(uri, RestsOn, to)) != nil {
			continue
		}
		f.edge(uri, Mentions, to)
	}
	return f.put(n)
}

func (f *fold) artifact(a *events.ArtifactRef) error {
	uri := a.URI()
	if known, ok := load(f.tx.Get("node", uri)); ok && known.Kind != "" {
		return nil // the first to store it made it
	}
	n := f.fresh(uri, "artifact")
	n.Schema, n.Size, n.Text = a.Schema, a.Size, a.Summary
	if ep := f.e.Envelope.Episode; ep != "" {
		f.edge(uri, Generated, events.EpisodeURI(ep))
	}
	for _, p := range a.Parents {
		if to, ok := Canonical(p); ok && to != uri {
			f.edge(uri, Derived, to)
		}
	}
	return f.put(n)
}

func (f *fold) record(r *events.Record) error {
	uri := r.URI()
	if f.tx.Get("node", uri) != nil {
		return fmt.Errorf("record %s is there already", r.RecordID)
	}
	n := f.fresh(uri, "record")
	n.Capability, n.Conclusion, n.Text, n.Format = fmt.Sprintf("%s@%d", r.Checker.CheckerID, r.Checker.Version), r.Conclusion, r.ClaimText, r.CertificateFormat
	n.Roles = map[string]string{}
	for _, to := range []struct {
		role     string
		relation Relation
		uri      string
	}{{"claim", Verifies, r.ClaimURI}, {"semantics", RestsOn, r.SemanticsURI}, {"candidate", RestsOn, r.CandidateURI}, {"certificate", RestsOn, r.CertificateURI}} {
		if c, ok := Canonical(to.uri); ok {
			f.edge(uri, to.relation, c)
			n.Roles[to.role] = c
		}
	}
	return f.put(n)
}

func (f *fold) fresh(uri, kind string) Node {
	return Node{URI: uri, Kind: kind, Seq: f.e.Seq, Time: f.e.Envelope.RecordedTime, Episode: f.e.Envelope.Episode}
}

func (f *fold) put(n Node) error {
	b, err := json.Marshal(n)
	if err != nil {
		return err
	}
	f.tx.Put("node", n.URI, b)
	return nil
}

func edgeKey(from string, r Relation, to string) string {
	return from + "\x00" + string(r) + "\x00" + to
}

func (f *fold) edge(from string, r Relation, to string) {
	if from == to {
		return
	}
	f.tx.Put("out", edgeKey(from, r, to), []byte{})
	f.tx.Put("in", edgeKey(to, r, from), []byte{})
}

// Canonical is the address of a node without its fragment; ok is false for what names no node. Bare
// episode and record ids are taken too.
func Canonical(uri string) (string, bool) {
	uri, _, _ = strings.Cut(uri, "#")
	if d, err := events.ParseArtifactURI(uri); err == nil {
		return events.ArtifactURI(d), true
	}
	if id, err := events.ParseRecordURI(uri); err == nil {
		return events.RecordURI(id), true
	}
	if id := strings.TrimPrefix(uri, events.EpisodeURI("")); events.CheckEpisode(id) == nil {
		return events.EpisodeURI(id), true
	}
	return "", false
}

func load(b []byte) (Node, bool) {
	var n Node
	if b == nil || json.Unmarshal(b, &n) != nil {
		return n, false
	}
	return n, true
}
