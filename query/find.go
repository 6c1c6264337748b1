package query

import (
	"context"
	"encoding/json"
	"fmt"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/jacobian-ledger/jacobian/events"
	"github.com/jacobian-ledger/jacobian/events/jcs"
	"github.com/jacobian-ledger/jacobian/projections"
	"github.com/jacobian-ledger/jacobian/projections/episodes"
)

// View is how much of an operation an inspection shows.
type View string

// The views.
const (
	Summary  View = "SUMMARY"
	Contract View = "CONTRACT"
	Full     View = "FULL"
)

// FindRequest asks for operations: by need (Query), by id (CapabilityID), or in order of their ids.
type FindRequest struct {
	Query        string      `json:"query,omitempty"`
	Domain       string      `json:"domain,omitempty"`
	Tag          string      `json:"tag,omitempty"`
	Mode         events.Mode `json:"mode,omitempty"`
	InputKind    string      `json:"input_kind,omitempty"`
	ArtifactType string      `json:"artifact_type,omitempty"`
	CapabilityID string      `json:"capability_id,omitempty"`
	View         View        `json:"view,omitempty"`
	Limit        int         `json:"limit,omitempty"` // 1 to 20; 5 when 0
	Cursor       string      `json:"cursor,omitempty"`

	AtLeast uint64 `json:"-"` // wait until the catalog has folded this sequence of the tenant log
}

// Outcome says what kind of answer it is.
type Outcome string

// The outcomes of a find.
const (
	Matches           Outcome = "MATCHES"            // operations that fit the question, best first
	Page              Outcome = "PAGE"               // operations in order of their ids
	Inspected         Outcome = "OPERATION"          // one operation
	NoMatch           Outcome = "NO_MATCH"           // nothing fits; the answer says where else to look
	UnknownDomain     Outcome = "UNKNOWN_DOMAIN"     // there is no such domain; the answer lists them
	UnknownCapability Outcome = "UNKNOWN_CAPABILITY" // there is no such id; the answer lists the nearest
)

// Fit says how well an operation fits a question.
type Fit string

// The fits.
const (
	Strong Fit = "STRONG"
	Weak   Fit = "WEAK"
)

// Card is an operation in a few words.
type Card struct {
	CapabilityID string          `json:"capability_id"`
	Title        string          `json:"title"`
	Fit          Fit             `json:"fit,omitempty"`
	Input        string          `json:"input,omitempty"` // names of its members; optional ones end in "?"
	Output       string          `json:"output,omitempty"`
	Ceiling      events.Level    `json:"ceiling"` // the most that its results can claim
	CheckedBy    []string        `json:"checked_by,omitempty"`
	Unavailable  string          `json:"unavailable,omitempty"` // why, and how to get it
	Example      json.RawMessage `json:"example,omitempty"`     // an input
}

// Earlier is an episode that may answer the question already.
type Earlier struct {
	Episode      string            `json:"episode"`
	CapabilityID string            `json:"capability_id"`
	Status       events.Status     `json:"status"`
	Conclusion   events.Conclusion `json:"conclusion"`
	Assurance    string            `json:"assurance"`
	Text
}

// FindAnswer answers a [FindRequest].
type FindAnswer struct {
	Outcome   Outcome    `json:"outcome"`
	Catalog   string     `json:"catalog"` // digest; while it is the same, so are the answers
	Matches   []Card     `json:"matches,omitempty"`
	Operation *Operation `json:"operation,omitempty"`
	Domains   []string   `json:"domains,omitempty"`
	Nearest   []string   `json:"nearest,omitempty"`
	Episodes  []Earlier  `json:"episodes,omitempty"`
	More      int        `json:"more,omitempty"`   // further operations
	Cursor    string     `json:"cursor,omitempty"` // for the next page
	Hint      string     `json:"hint,omitempty"`
}

// The most bytes that an answer may have as JSON.
const (
	maxCards    = 1200
	maxContract = 4 << 10
	maxAnswer   = 16 << 10
)

const (
	standardLimit = 5
	mostLimit     = 20
	maxQuery      = 512
)

func (q *FindRequest) check() error {
	if len(q.Query) > maxQuery {
		return refuse("query", fmt.Sprintf("at most %d bytes", maxQuery), fmt.Sprintf("%d bytes", len(q.Query)), "say in one sentence what you need")
	}
	if q.Mode != "" && q.Mode != events.Explore && q.Mode != events.Verify {
		return refuse("mode", "EXPLORE or VERIFY", strconv.Quote(string(q.Mode)), "leave it out to see both")
	}
	switch q.View {
	case "", Summary, Contract, Full:
	default:
		return refuse("view", "SUMMARY, CONTRACT or FULL", strconv.Quote(string(q.View)), "leave it out for SUMMARY")
	}
	if q.View != "" && q.View != Summary && q.CapabilityID == "" {
		return refuse("view", "capability_id with "+string(q.View), "no capability_id", "name the operation to inspect")
	}
	limit, err := checkLimit(q.Limit, standardLimit, mostLimit)
	q.Limit = limit
	return err
}

// Find answers which operations there are for a need. The error is for a malformed request, naming the
// member, and for a read model that cannot answer; that nothing fits is an answer.
func (s *Service) Find(ctx context.Context, q FindRequest) (FindAnswer, error) {
	explicit := q.Limit != 0
	if err := q.check(); err != nil {
		return FindAnswer{}, err
	}
	if q.AtLeast > 0 {
		if err := s.config.Runner.WaitForSink(ctx, s.config.Store, projections.Tenant, q.AtLeast); err != nil {
			return FindAnswer{}, fmt.Errorf("query: %w", err)
		}
	}
	r, err := s.rankerNow()
	if err != nil {
		return FindAnswer{}, err
	}
	a := FindAnswer{Catalog: r.catalog.Digest.String()[:23]}
	budget := maxCards
	if explicit {
		budget = min(maxAnswer, max(maxCards, 400*q.Limit))
	}
	switch {
	case q.CapabilityID != "":
		return r.inspect(q, a), nil
	case q.Domain != "" && !slices.Contains(r.domains, q.Domain):
		a.Outcome, a.Domains = UnknownDomain, r.domains
		a.Hint = fmt.Sprintf("there is no domain %s; choose one of domains, or leave it out", Visible(q.Domain, 40))
		return a, nil
	case strings.TrimSpace(q.Query) == "":
		return r.browse(q, a, budget)
	}
	patient := s.config.EpisodesWithin > 0
	if s.config.Episodes == nil || !patient && !s.config.Episodes.Ready() || q.Cursor != "" {
		return r.search(q, a, budget)
	}
	a, err = r.search(q, a, budget-episodeRoom)
	if err == nil {
		s.earlier(ctx, q, &a, budget)
	}
	return a, err
}

func (s *Service) rankerNow() (*ranker, error) {
	c, err := s.catalog.Catalog()
	if err != nil {
		return nil, fmt.Errorf("query: %w", err)
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.ranker == nil || s.ranker.catalog != c {
		s.ranker = newRanker(c)
	}
	return s.ranker, nil
}

// allowed reports whether an operation passes the filters.
func (q *FindRequest) allowed(d *events.Descriptor) bool {
	return d.DiscoveryVisible &&
		(q.Domain == "" || d.Domain() == q.Domain) &&
		(q.Tag == "" || slices.Contains(d.Tags, q.Tag)) &&
		(q.Mode == "" || slices.Contains(d.Modes, q.Mode)) &&
		(q.InputKind == "" || slices.Contains(d.AcceptedInputKinds, q.InputKind)) &&
		(q.ArtifactType == "" || slices.Contains(d.AcceptedArtifactTypes, q.ArtifactType) || slices.Contains(d.ProducedArtifactTypes, q.ArtifactType))
}

func (r *ranker) search(q FindRequest, a FindAnswer, budget int) (FindAnswer, error) {
	skip := 0
	if q.Cursor != "" {
		n, err := r.offset(q.Cursor)
		if err != nil {
			return a, err
		}
		skip = n
	}
	var fits []scored
	for _, m := range r.rank(q.Query, q.allowed) {
		if m.coverage >= weakFit && (len(fits) == 0 || m.score >= fits[0].score/5) {
			fits = append(fits, m)
		}
	}
	if len(fits) == 0 {
		a.Outcome, a.Domains = NoMatch, r.domains
		a.Hint = "no operation fits these words; try the mathematical name, a domain of the list without a query, or fewer filters"
		return a, nil
	}
	a.Outcome = Matches
	skip = min(skip, len(fits))
	page := fits[skip:]
	a.Matches = []Card{}
	for _, m := range page[:min(len(page), q.Limit)] {
		c := r.cards[m.doc]
		if c.Fit = Weak; m.coverage >= strongFit {
			c.Fit = Strong
		}
		a.Matches = append(a.Matches, c)
	}
	r.fit(&a, budget, len(page), func(shown int) string { return r.cursor(skip + shown) })
	return a, nil
}

func (r *ranker) cursor(offset int) string {
	return fmt.Sprintf("%d.%s", offset, r.catalog.Digest.Hex()[:8])
}

func (r *ranker) offset(cursor string) (int, error) {
	n, at, ok := strings.Cut(cursor, ".")
	i, err := strconv.Atoi(n)
	if !ok || err != nil || i < 0 {
		return 0, refuse("cursor", "the cursor of an earlier answer", fmt.Sprintf("%.40q", cursor), "leave it out to begin again")
	}
	if at != r.catalog.Digest.Hex()[:8] {
		return 0, refuse("cursor", "a cursor of this catalog", "one of another", "the catalog has changed since; leave it out to begin again")
	}
	return i, nil
}

func (r *ranker) browse(q FindRequest, a FindAnswer, budget int) (FindAnswer, error) {
	skip := 0
	if q.Cursor != "" {
		n, err := r.offset(q.Cursor)
		if err != nil {
			return a, err
		}
		skip = n
	}
	var docs []int
	for i := range r.catalog.Descriptors {
		if q.allowed(&r.catalog.Descriptors[i]) {
			docs = append(docs, i)
		}
	}
	if len(docs) == 0 {
		a.Outcome, a.Domains, a.Hint = NoMatch, r.domains, "no operation passes these filters; leave one out"
		return a, nil
	}
	a.Outcome = Page
	if q.Domain == "" && skip == 0 {
		a.Domains = r.domains
	}
	docs = docs[min(skip, len(docs)):]
	a.Matches = []Card{}
	for _, doc := range docs[:min(len(docs), q.Limit)] {
		a.Matches = append(a.Matches, r.cards[doc])
	}
	r.fit(&a, budget, len(docs), func(shown int) string { return r.cursor(skip + shown) })
	return a, nil
}

// fit cuts an answer to its budget: examples first, the last one first; then what goes in and comes out;
// then cards, which are counted. Domains that take up half of the room go before them.
func (r *ranker) fit(a *FindAnswer, budget, available int, cursor func(shown int) string) {
	settle := func() bool {
		a.More, a.Cursor = available-len(a.Matches), ""
		if a.More > 0 {
			a.Cursor = cursor(len(a.Matches))
		}
		return size(a) <= budget
	}
	if settle() {
		return
	}
	for i := len(a.Matches) - 1; i >= 0; i-- {
		if a.Matches[i].Example = nil; settle() {
			return
		}
	}
	for i := len(a.Matches) - 1; i > 0; i-- {
		a.Matches[i].Output, a.Matches[i].CheckedBy = "", nil
		if settle() {
			return
		}
	}
	if a.Outcome == Page && a.Domains != nil {
		if b, _ := json.Marshal(a.Domains); len(b) > budget/2 {
			a.Domains, a.Hint = nil, "domains are listed when you ask for an unknown one"
		}
	}
	for len(a.Matches) > 1 && !settle() {
		a.Matches = a.Matches[:len(a.Matches)-1]
	}
	settle()
}

func size(a *FindAnswer) int {
	b, err := json.Marshal(a)
	if err != nil {
		return maxAnswer + 1
	}
	return len(b)
}

// episodeRoom is what operations leave free for a line about an earlier episode.
const episodeRoom = 240

// The most of earlier episodes that an answer mentions, and how long it waits for them.
const (
	maxEarlier     = 3
	episodesWithin = 400 * time.Microsecond
)

// earlier adds episodes that may answer the question already, as far as the budget allows. An index that
// does not answer within the bound is not waited for: operations were asked for, episodes are an extra,
// and memory.search finds them whatever it takes.
func (s *Service) earlier(ctx context.Context, q FindRequest, a *FindAnswer, budget int) {
	if a.Outcome != Matches || !s.looking.TryLock() {
		return // no more than one search is under way, so that slow ones cannot pile up
	}
	within, patient := s.config.EpisodesWithin, s.config.EpisodesWithin > 0
	if !patient {
		within = episodesWithin
	}
	ctx, cancel := context.WithTimeout(ctx, within)
	found := make(chan []episodes.Hit, 1)
	go func() {
		defer s.looking.Unlock()
		defer cancel()
		if patient && s.config.Runner.Sync(ctx, s.config.Episodes) != nil {
			found <- nil
			return
		}
		hits, err := s.config.Episodes.Search(ctx, episodes.Query{Text: q.Query, Domain: q.Domain, Status: string(events.StatusCompleted), Limit: maxEarlier})
		if err != nil {
			hits.Hits = nil // as if there were none; memory.search reports such an error
		}
		found <- hits.Hits
	}()
	var hits []episodes.Hit
	select {
	case hits = <-found:
	case <-ctx.Done():
		return
	}
	for _, h := range hits {
		today, _, err := s.trust(h.Level, h.Record, h.ID, h.Conclusion)
		if err != nil {
			return
		}
		a.Episodes = append(a.Episodes, Earlier{h.ID, h.Capability, h.Status, h.Conclusion, today, Text{Visible(h.Claim, 80)}})
		if size(a) > budget {
			if a.Episodes = a.Episodes[:len(a.Episodes)-1]; len(a.Episodes) == 0 {
				a.Episodes = nil
			}
			return
		}
	}
}

func newCard(d *events.Descriptor) Card {
	c := Card{CapabilityID: d.CapabilityID, Title: d.Title, Input: members(d.InputSchema), Output: members(d.OutputSchema), Ceiling: d.AssuranceCeiling}
	if d.Certificates != nil {
		c.CheckedBy = d.Certificates.CheckedBy
	}
	if d.Provider.Availability == "UNAVAILABLE" {
		c.Unavailable = strings.TrimSpace(d.Provider.Diagnostic + " " + d.Provider.InstallHint)
	}
	for i := range d.Examples {
		if ex := d.Examples[i].Input; len(ex) <= 120 {
			c.Example = ex
			break
		}
	}
	return c
}

// members lists the names in an object schema, required ones first.
func members(schema json.RawMessage) string {
	v, err := jcs.Parse(schema)
	if err != nil {
		return ""
	}
	required := map[string]bool{}
	if req, ok := v.Get("required"); ok {
		for _, r := range req.Items() {
			required[r.Text()] = true
		}
	}
	var must, may []string
	if p, ok := v.Get("properties"); ok {
		for _, m := range p.Members() {
			if required[m.Name] {
				must = append(must, m.Name)
			} else {
				may = append(may, m.Name+"?")
			}
		}
	}
	out := strings.Join(append(must, may...), ", ")
	if len(out) > 80 {
		out = out[:strings.LastIndex(out[:80], ",")+1] + " …"
	}
	return out
}
