package query

import (
	"context"
	"fmt"
	"strings"

	"github.com/jacobian-ledger/jacobian/events"
	"github.com/jacobian-ledger/jacobian/projections/provenance"
	"github.com/jacobian-ledger/jacobian/projections/status"
)

// Thing is a node of the provenance graph as an answer shows it.
type Thing struct {
	URI           string            `json:"uri"`
	Kind          string            `json:"kind"` // episode, artifact, record; "" if the log only names it
	CapabilityID  string            `json:"capability_id,omitempty"`
	Status        events.Status     `json:"status,omitempty"`
	Conclusion    events.Conclusion `json:"conclusion,omitempty"`
	Assurance     string            `json:"assurance,omitempty"` // today
	Advisory      string            `json:"advisory,omitempty"`
	Schema        string            `json:"schema,omitempty"`
	Episode       string            `json:"episode,omitempty"`
	Seq           uint64            `json:"seq,omitempty"`
	UntrustedText string            `json:"untrusted_text,omitempty"`
}

// Step is one edge: From came from To.
type Step struct {
	From     string              `json:"from"`
	Relation provenance.Relation `json:"relation"`
	To       string              `json:"to"`
}

// Walk is a part of the provenance graph, nearest first.
type Walk struct {
	URI    string  `json:"uri"`
	Things []Thing `json:"things"`
	Steps  []Step  `json:"steps"`
	More   bool    `json:"more,omitempty"` // there are further things beyond the limit
}

// Ancestors is what a thing rests on. The error wraps [ErrNotFound] when the log never named it.
func (s *Service) Ancestors(ctx context.Context, uri string, limit int) (Walk, error) {
	return s.walk(ctx, uri, limit, s.provenance.Ancestors)
}

// Descendants is what rests on a thing.
func (s *Service) Descendants(ctx context.Context, uri string, limit int) (Walk, error) {
	return s.walk(ctx, uri, limit, s.provenance.Descendants)
}

func (s *Service) walk(ctx context.Context, uri string, limit int, along func(string, int) (provenance.Graph, error)) (Walk, error) {
	limit, err := checkLimit(limit, 20, 100)
	if err != nil {
		return Walk{}, err
	}
	g, uri, err := s.graph(ctx, uri, limit, along)
	if err != nil {
		return Walk{}, err
	}
	w := Walk{URI: uri, More: g.More, Things: []Thing{}, Steps: []Step{}}
	for i := range g.Nodes {
		t, err := s.thing(&g.Nodes[i], 120)
		if err != nil {
			return Walk{}, err
		}
		w.Things = append(w.Things, t)
	}
	for _, e := range g.Edges {
		w.Steps = append(w.Steps, Step{e.From, e.Relation, e.To})
	}
	return w, nil
}

func (s *Service) graph(ctx context.Context, uri string, limit int, along func(string, int) (provenance.Graph, error)) (provenance.Graph, string, error) {
	node, ok := provenance.Canonical(uri)
	if !ok {
		return provenance.Graph{}, "", refuse("uri", "an artifact, episode or record address", fmt.Sprintf("%.100q", uri), "copy it from a result")
	}
	if err := s.sync(ctx); err != nil {
		return provenance.Graph{}, "", err
	}
	g, err := along(node, limit)
	if err != nil {
		return g, node, fmt.Errorf("query: %w", err)
	}
	if len(g.Nodes) == 0 {
		return g, node, fmt.Errorf("%w: the log never named %s", ErrNotFound, node)
	}
	return g, node, nil
}

func (s *Service) thing(n *provenance.Node, most int) (Thing, error) {
	t := Thing{
		URI: n.URI, Kind: n.Kind, CapabilityID: n.Capability, Status: n.Status, Conclusion: n.Conclusion,
		Schema: Visible(n.Schema, 80), Episode: n.Episode, Seq: n.Seq, UntrustedText: Visible(n.Text, most),
	}
	var err error
	switch n.Kind {
	case "episode":
		t.Assurance, t.Advisory, err = s.trust(n.Level, n.Record, n.Episode, n.Conclusion)
	case "record":
		t.Assurance, t.Advisory, err = s.trust(events.Verified, n.URI, n.Episode, n.Conclusion)
	}
	return t, err
}

// Part is what an explained thing rests on directly, and in which role.
type Part struct {
	Role string `json:"role"`
	Thing
	From string `json:"from,omitempty"` // the episode that made it
}

// Explanation says what a thing rests on.
type Explanation struct {
	Thing
	Parts     []Part   `json:"parts"`
	Checker   string   `json:"checker,omitempty"` // of a record: id@version, binary, standing, class
	TaintedBy []string `json:"tainted_by,omitempty"`
	More      bool     `json:"more,omitempty"` // the walk for taint ended at its limit
}

// ProvenanceExplain says what an artifact, episode or record rests on, directly and, for taint, through
// everything behind it.
func (s *Service) ProvenanceExplain(ctx context.Context, uri string) (Explanation, error) {
	g, node, err := s.graph(ctx, uri, walkLimit, s.provenance.Ancestors)
	if err != nil {
		return Explanation{}, err
	}
	ex := Explanation{Parts: []Part{}, TaintedBy: tainted(g, node), More: g.More}
	byURI, maker := map[string]*provenance.Node{}, map[string]string{}
	for i := range g.Nodes {
		byURI[g.Nodes[i].URI] = &g.Nodes[i]
	}
	for _, e := range g.Edges {
		if e.Relation == provenance.Generated {
			maker[e.From] = strings.TrimPrefix(e.To, events.EpisodeURI(""))
		}
	}
	self := byURI[node]
	if ex.Thing, err = s.thing(self, 400); err != nil {
		return Explanation{}, err
	}
	roles := map[string]string{}
	for role, to := range self.Roles {
		roles[to] = role
	}
	for _, e := range g.Edges {
		if e.From != node || byURI[e.To] == nil {
			continue
		}
		t, err := s.thing(byURI[e.To], 80)
		if err != nil {
			return Explanation{}, err
		}
		p := Part{Role: string(e.Relation), Thing: t}
		if role := roles[e.To]; role != "" {
			p.Role = role
		}
		if from := maker[e.To]; from != self.Episode {
			p.From = from
		}
		ex.Parts = append(ex.Parts, p)
	}
	if self.Kind == "record" {
		if ex.Checker, err = s.checker(self); err != nil {
			return Explanation{}, err
		}
	}
	return ex, nil
}

func (s *Service) checker(n *provenance.Node) (string, error) {
	rec, _, ok, err := s.status.Record(strings.TrimPrefix(n.URI, events.RecordURI("")))
	if err != nil || !ok {
		return "", err
	}
	c := rec.Record.Checker
	standing, err := s.status.Standing(c)
	if err != nil {
		return "", fmt.Errorf("query: %w", err)
	}
	if standing == "" {
		standing = "unknown"
	}
	return fmt.Sprintf("%s@%d  %.15s…  %s, decided at operator log %d, independence class %s", c.CheckerID, c.Version, c.Binary.String(), standing, rec.Record.OperatorLogSize, c.IndependenceClass), nil
}

// Text tells an explanation to a person.
func (e *Explanation) Text() string {
	var b strings.Builder
	words := []string{strings.TrimPrefix(strings.TrimPrefix(e.URI, events.RecordURI("")), events.EpisodeURI(""))}
	for _, w := range []string{e.Kind, e.Assurance, string(e.Conclusion)} {
		if w != "" {
			words = append(words, w)
		}
	}
	if e.Kind == "episode" {
		words = append(words, e.CapabilityID, string(e.Status))
	}
	if e.UntrustedText != "" {
		words = append(words, fmt.Sprintf("“%s”", e.UntrustedText))
	}
	b.WriteString(strings.Join(words, "  ") + "\n")
	var lines []string
	if e.Advisory != "" {
		lines = append(lines, "advisory     "+Visible(e.Advisory, 400))
	}
	for _, p := range e.Parts {
		line := fmt.Sprintf("%-12s %s", p.Role, p.URI)
		for _, w := range []string{p.CapabilityID, p.Assurance, string(p.Conclusion), p.UntrustedText} {
			if w != "" {
				line += "  " + w
			}
		}
		if p.From != "" {
			line += "  made in " + p.From
		}
		lines = append(lines, line)
	}
	if e.Checker != "" {
		lines = append(lines, fmt.Sprintf("%-12s %s", "checker", e.Checker))
	}
	for _, ep := range e.TaintedBy {
		lines = append(lines, fmt.Sprintf("%-12s %s, which is HEURISTIC", "tainted by", ep))
	}
	if e.More {
		lines = append(lines, "…            the graph goes on beyond what was walked")
	}
	for i, l := range lines {
		branch := "├─ "
		if i == len(lines)-1 {
			branch = "└─ "
		}
		b.WriteString(branch + l + "\n")
	}
	return b.String()
}

// RecordAnswer is a verification record and what it is worth today.
type RecordAnswer struct {
	RecordID    string                 `json:"record_id"`
	State       status.State           `json:"state"`
	Assurance   string                 `json:"assurance"` // VERIFIED while active
	Reasons     []string               `json:"reasons,omitempty"`
	Conclusion  events.Conclusion      `json:"conclusion"`
	Episode     string                 `json:"episode"`
	Seq         uint64                 `json:"seq"`
	Recorded    string                 `json:"recorded"`
	Claim       events.ClaimRef        `json:"claim"`
	ClaimText   *Text                  `json:"claim_text,omitempty"`
	ClaimURI    string                 `json:"claim_uri"`
	Candidate   string                 `json:"candidate_uri"`
	Semantics   string                 `json:"semantics_uri"`
	Certificate string                 `json:"certificate_uri"`
	Format      string                 `json:"certificate_format"`
	Scope       *Text                  `json:"scope,omitempty"`
	Method      *Text                  `json:"method,omitempty"`
	Coverage    *Text                  `json:"coverage,omitempty"`
	Checker     events.CheckerIdentity `json:"checker"`
	OperatorLog int64                  `json:"operator_log_size"`
	Statement   events.Signed          `json:"statement"`
}

// Record returns a record by id or address. The error wraps [ErrNotFound] if there is none.
func (s *Service) Record(ctx context.Context, id string) (RecordAnswer, error) {
	id, err := events.ParseRecordURI(id)
	if err != nil {
		return RecordAnswer{}, refuse("record", "a record id or record:// address", fmt.Sprintf("%.80q", id), "copy it from a result's record_uri")
	}
	if err := s.sync(ctx); err != nil {
		return RecordAnswer{}, err
	}
	rec, verdict, ok, err := s.status.Record(id)
	if err != nil {
		return RecordAnswer{}, fmt.Errorf("query: %w", err)
	}
	if !ok {
		return RecordAnswer{}, fmt.Errorf("%w: no record %s", ErrNotFound, id)
	}
	r := &rec.Record
	return RecordAnswer{
		RecordID: id, State: verdict.State, Assurance: assured(verdict), Reasons: verdict.Reasons, Conclusion: r.Conclusion,
		Episode: rec.Episode, Seq: rec.Seq, Recorded: rec.Recorded, Claim: r.Claim, ClaimText: text(r.ClaimText, 2000), ClaimURI: r.ClaimURI,
		Candidate: r.CandidateURI, Semantics: r.SemanticsURI, Certificate: r.CertificateURI, Format: r.CertificateFormat,
		Scope: text(r.Scope, 1024), Method: text(r.Method, 1024), Coverage: text(r.Coverage, 1024), Checker: r.Checker,
		OperatorLog: r.OperatorLogSize, Statement: r.Statement,
	}, nil
}

// Status is what a record is worth today.
func (s *Service) Status(ctx context.Context, id string) (status.State, error) {
	r, err := s.Record(ctx, id)
	return r.State, err
}
