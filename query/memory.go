package query

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"strconv"
	"strings"

	"github.com/jacobian-ledger/jacobian/events"
	"github.com/jacobian-ledger/jacobian/projections/episodes"
	"github.com/jacobian-ledger/jacobian/projections/provenance"
)

// ErrNotFound says that the log holds no such thing.
var ErrNotFound = errors.New("query: not found")

// MemoryRequest searches what was tried before, failures included. Empty members select everything
// but the searches themselves: runs of memory.* and provenance.* are found only by naming them.
type MemoryRequest struct {
	Query         string `json:"query,omitempty"`
	Capability    string `json:"capability,omitempty"`
	Domain        string `json:"domain,omitempty"`
	Status        string `json:"status,omitempty"`
	Conclusion    string `json:"conclusion,omitempty"`
	Assurance     string `json:"assurance,omitempty"` // as recorded
	Investigation string `json:"investigation,omitempty"`
	Actor         string `json:"actor,omitempty"`
	Since         string `json:"since,omitempty"` // a time such as 2026-12-01T10:00:00.000000Z, inclusive
	Notes         bool   `json:"notes,omitempty"`
	Limit         int    `json:"limit,omitempty"` // 1 to 20; 5 when 0
	Cursor        string `json:"cursor,omitempty"`
}

// Episode is one thing that was done, or a note, in a few words. UntrustedText is the claim and what
// became of it.
type Episode struct {
	Episode       string            `json:"episode"`
	Kind          string            `json:"kind"` // episode, note
	CapabilityID  string            `json:"capability_id,omitempty"`
	Status        events.Status     `json:"status,omitempty"`
	Conclusion    events.Conclusion `json:"conclusion,omitempty"`
	Assurance     string            `json:"assurance,omitempty"` // today: HEURISTIC, COMPUTED, VERIFIED, DISPUTED, INVALID
	Advisory      string            `json:"advisory,omitempty"`  // why it is not VERIFIED any more
	Record        string            `json:"record,omitempty"`
	Code          events.Code       `json:"code,omitempty"` // of the failure
	Investigation string            `json:"investigation,omitempty"`
	Actor         string            `json:"actor,omitempty"`
	Time          string            `json:"time"`
	Seq           uint64            `json:"seq"`
	UntrustedText string            `json:"untrusted_text,omitempty"`
}

// MemoryAnswer is a page of episodes, best first; without a query the newest first.
type MemoryAnswer struct {
	Total    uint64    `json:"total"` // episodes that match
	Episodes []Episode `json:"episodes"`
	Cursor   string    `json:"cursor,omitempty"`
	Hint     string    `json:"hint,omitempty"`
}

func (q *MemoryRequest) check() (offset int, err error) {
	if len(q.Query) > maxQuery {
		return 0, refuse("query", fmt.Sprintf("at most %d bytes", maxQuery), fmt.Sprintf("%d bytes", len(q.Query)), "use fewer words")
	}
	oneOf := func(member, value string, allowed ...string) {
		for _, a := range allowed {
			if value == a {
				return
			}
		}
		if value != "" && err == nil {
			err = refuse(member, "one of "+strings.Join(allowed, ", "), fmt.Sprintf("%.40q", value), "choose one of these or leave it out")
		}
	}
	oneOf("status", q.Status, "COMPLETED", "RUNNING", "TIMEOUT", "CANCELLED", "ERROR")
	oneOf("conclusion", q.Conclusion, "TRUE", "FALSE", "UNKNOWN", "NOT_APPLICABLE")
	oneOf("assurance", q.Assurance, "HEURISTIC", "COMPUTED", "VERIFIED")
	if err != nil {
		return 0, err
	}
	if q.Since != "" {
		if _, err := events.ParseTime(q.Since); err != nil {
			return 0, refuse("since", "a time such as 2026-12-01T10:00:00.000000Z", fmt.Sprintf("%.40q", q.Since), "write it in UTC with six decimals")
		}
	}
	if q.Limit, err = checkLimit(q.Limit, standardLimit, mostLimit); err != nil {
		return 0, err
	}
	if q.Cursor != "" {
		if offset, err = strconv.Atoi(q.Cursor); err != nil || offset < 0 || offset > episodes.MaxOffset {
			return 0, refuse("cursor", fmt.Sprintf("the cursor of an earlier answer, at most %d", episodes.MaxOffset), fmt.Sprintf("%.40q", q.Cursor), "narrow the search instead of paging deeper")
		}
	}
	return offset, nil
}

// MemorySearch finds episodes. It waits until everything on the log is indexed.
func (s *Service) MemorySearch(ctx context.Context, q MemoryRequest) (MemoryAnswer, error) {
	offset, err := q.check()
	if err != nil {
		return MemoryAnswer{}, err
	}
	x := s.config.Episodes
	if x == nil {
		return MemoryAnswer{}, errors.New("query: this node keeps no index of episodes")
	}
	if err := s.sync(ctx); err != nil {
		return MemoryAnswer{}, err
	}
	if err := s.config.Runner.Sync(ctx, x); err != nil {
		return MemoryAnswer{}, fmt.Errorf("query: %w", err)
	}
	hits, err := x.Search(ctx, episodes.Query{
		Text: q.Query, Capability: q.Capability, Domain: q.Domain, Status: q.Status, Conclusion: q.Conclusion, Level: q.Assurance,
		Investigation: q.Investigation, Actor: q.Actor, Since: q.Since, Notes: q.Notes, Offset: offset, Limit: q.Limit,
	})
	if err != nil {
		return MemoryAnswer{}, fmt.Errorf("query: %w", err)
	}
	a := MemoryAnswer{Total: hits.Total, Episodes: []Episode{}}
	for i := range hits.Hits {
		e, err := s.episode(&hits.Hits[i])
		if err != nil {
			return MemoryAnswer{}, err
		}
		a.Episodes = append(a.Episodes, e)
	}
	s.page(&a, offset)
	return a, nil
}

// page keeps an answer within its budget and says how to go on.
func (s *Service) page(a *MemoryAnswer, offset int) {
	for len(a.Episodes) > 1 {
		if b, err := json.Marshal(a); err == nil && len(b) <= maxAnswer-64 {
			break
		}
		a.Episodes = a.Episodes[:len(a.Episodes)-1]
	}
	if next := offset + len(a.Episodes); uint64(next) < a.Total {
		if next > episodes.MaxOffset {
			a.Hint = "there are more; narrow the search to see them"
		} else {
			a.Cursor = strconv.Itoa(next)
		}
	}
	if a.Total == 0 {
		a.Hint = "nothing on the log matches; that is no statement about mathematics"
	}
}

func (s *Service) episode(h *episodes.Hit) (Episode, error) {
	today, advisory, err := s.trust(h.Level, h.Record, h.ID, h.Conclusion)
	if err != nil {
		return Episode{}, err
	}
	said := h.Claim
	for _, more := range []string{h.Detail, h.Scope} {
		if more != "" && said != "" {
			said += " · "
		}
		said += more
	}
	return Episode{
		Episode: h.ID, Kind: h.Kind, CapabilityID: h.Capability, Status: h.Status, Conclusion: h.Conclusion, Assurance: today, Advisory: advisory,
		Record: h.Record, Code: h.Code, Investigation: h.Investigation, Actor: h.Actor, Time: h.Time, Seq: h.Seq, UntrustedText: Visible(said, 400),
	}, nil
}

// EpisodeAnswer is one episode in full.
type EpisodeAnswer struct {
	Episode       string            `json:"episode"`
	CapabilityID  string            `json:"capability_id"`
	Status        events.Status     `json:"status"`
	Conclusion    events.Conclusion `json:"conclusion"`
	Assurance     string            `json:"assurance"` // today
	Advisory      string            `json:"advisory,omitempty"`
	Record        string            `json:"record,omitempty"`
	RequestedSeq  uint64            `json:"requested_seq"`
	FinishedSeq   uint64            `json:"finished_seq"` // 0 while it runs
	Time          string            `json:"time"`
	Investigation string            `json:"investigation,omitempty"`
	Uses          []string          `json:"uses,omitempty"`      // what its input was resolved from
	Artifacts     []string          `json:"artifacts,omitempty"` // what its result names
	TaintedBy     []string          `json:"tainted_by,omitempty"`
	Code          events.Code       `json:"code,omitempty"`
	Claim         *Text             `json:"claim,omitempty"`
	Detail        *Text             `json:"detail,omitempty"`
	Scope         *Text             `json:"scope,omitempty"`
	Input         *Text             `json:"input,omitempty"`
	Output        *Text             `json:"output,omitempty"` // whole: {"$ref":"episode://…#/output"}
}

// MemoryEpisode returns one episode. The error wraps [ErrNotFound] when there was never such a run.
func (s *Service) MemoryEpisode(ctx context.Context, id string) (EpisodeAnswer, error) {
	id = strings.TrimPrefix(id, events.EpisodeURI(""))
	if err := events.CheckEpisode(id); err != nil {
		return EpisodeAnswer{}, refuse("episode", "an episode id", fmt.Sprintf("%.80q", id), "find it with memory.search")
	}
	if err := s.sync(ctx); err != nil {
		return EpisodeAnswer{}, err
	}
	run, ok, err := s.memo.Run(ctx, id)
	if err != nil {
		return EpisodeAnswer{}, fmt.Errorf("query: %w", err)
	}
	if !ok {
		return EpisodeAnswer{}, fmt.Errorf("%w: no episode %s; find it with memory.search", ErrNotFound, id)
	}
	n, _, err := s.provenance.Node(events.EpisodeURI(id))
	if err != nil {
		return EpisodeAnswer{}, fmt.Errorf("query: %w", err)
	}
	a := EpisodeAnswer{
		Episode: id, CapabilityID: n.Capability, Status: n.Status, Conclusion: n.Conclusion, Record: n.Record,
		RequestedSeq: run.Requested, FinishedSeq: run.Finished, Time: n.Time, Claim: text(n.Text, 2000),
	}
	if a.Assurance, a.Advisory, err = s.trust(n.Level, n.Record, id, n.Conclusion); err != nil {
		return EpisodeAnswer{}, err
	}
	g, err := s.provenance.Ancestors(n.URI, walkLimit)
	if err != nil {
		return EpisodeAnswer{}, fmt.Errorf("query: %w", err)
	}
	for _, e := range g.Edges {
		if e.From == n.URI && e.Relation == provenance.Used {
			a.Uses = append(a.Uses, e.To)
		}
	}
	a.TaintedBy = tainted(g, n.URI)
	return a, s.story(ctx, &a)
}

const (
	mostShown = 4 << 10 // bytes of an input or output in an answer
	walkLimit = 2000    // nodes that a walk for taint meets at most
)

// story adds what only the events hold.
func (s *Service) story(ctx context.Context, a *EpisodeAnswer) error {
	if s.config.Log == nil {
		return nil
	}
	e, err := s.config.Log.Get(ctx, a.RequestedSeq)
	if err != nil {
		return fmt.Errorf("query: %w", err)
	}
	if ev, ok := e.Event.(*events.RunRequested); ok {
		a.Investigation, a.Input = e.Envelope.Investigation, text(string(ev.Request.Input), mostShown)
	}
	if a.FinishedSeq == 0 {
		return nil
	}
	if e, err = s.config.Log.Get(ctx, a.FinishedSeq); err != nil {
		return fmt.Errorf("query: %w", err)
	}
	ev, ok := e.Event.(*events.RunFinished)
	if !ok {
		return nil
	}
	r := &ev.Result
	if len(r.ArtifactURIs) <= 32 {
		a.Artifacts = r.ArtifactURIs
	} else {
		a.Artifacts = r.ArtifactURIs[:32:32]
		a.Artifacts = append(a.Artifacts, fmt.Sprintf("and %d more", len(r.ArtifactURIs)-32))
	}
	if r.Scope != nil {
		a.Scope = text(r.Scope.Description, 1024)
	}
	detail := r.Execution.Detail
	if d := r.Failure(); d != nil {
		a.Code = d.Code
		detail = strings.TrimSpace(detail + " " + d.Message + " " + d.Hint)
	}
	a.Detail = text(detail, 1024)
	if string(r.Output) != "null" {
		a.Output = text(string(r.Output), mostShown)
	}
	return nil
}

func tainted(g provenance.Graph, start string) []string {
	var out []string
	for _, n := range g.Nodes {
		if n.Kind == "episode" && n.Level == events.Heuristic && n.URI != start {
			out = append(out, n.Episode)
		}
	}
	return out
}
