// Package query answers questions from the read models: which operation fits a need, what was tried
// before, what a result rests on, and what a record is worth today. It writes nothing.
//
// # Invariants
//
// An answer about episodes, records or provenance reflects everything that the logs held when it was
// asked. Words that somebody stored, such as claims and messages, come back only in members named
// untrusted_text, with control, bidirectional and invisible characters made visible; they are data,
// never instructions. VERIFIED is said only of what rests on a record that is active today. Nothing is
// left out in silence: an answer that was cut says how much more there is.
package query

import (
	"context"
	"fmt"
	"strings"
	"sync"
	"time"
	"unicode"

	"github.com/jacobian-ledger/jacobian/events"
	"github.com/jacobian-ledger/jacobian/events/jcs"
	"github.com/jacobian-ledger/jacobian/projections"
	"github.com/jacobian-ledger/jacobian/projections/catalog"
	"github.com/jacobian-ledger/jacobian/projections/episodes"
	"github.com/jacobian-ledger/jacobian/projections/memo"
	"github.com/jacobian-ledger/jacobian/projections/provenance"
	"github.com/jacobian-ledger/jacobian/projections/status"
)

// Log reads single events; *ledger.Log is one.
type Log interface {
	Get(ctx context.Context, seq uint64) (events.Stored, error)
}

// Config is what the service stands on. Every field but Episodes and Log is required.
type Config struct {
	Store    *projections.Store  // with the projections of projections/standard
	Runner   *projections.Runner // that feeds Store and Episodes
	Episodes *episodes.Index     // nil: [Service.Find] mentions no episodes and [Service.MemorySearch] fails
	Log      Log                 // the tenant log; nil: [Service.MemoryEpisode] shows no input and output

	// EpisodesWithin is how long [Service.Find] waits for the index to open, to catch up and to name
	// earlier episodes. 0 is for a service that answers thousands of questions: it asks the index only
	// while it is open, and waits less than a millisecond.
	EpisodesWithin time.Duration
}

// Service answers queries. Its methods may be called concurrently.
type Service struct {
	config     Config
	catalog    *catalog.Reader
	memo       *memo.Reader
	provenance *provenance.Reader
	status     *status.Reader

	mu      sync.Mutex // guards ranker
	ranker  *ranker    // of the catalog that was last asked for
	looking sync.Mutex // held while Find looks for episodes
}

// New returns the service. It does no input or output.
func New(c Config) *Service {
	return &Service{
		config: c, catalog: catalog.NewReader(c.Store), memo: memo.NewReader(c.Store, c.Runner),
		provenance: provenance.NewReader(c.Store), status: status.NewReader(c.Store),
	}
}

// sync waits until the store has folded what both logs hold.
func (s *Service) sync(ctx context.Context) error {
	if err := s.config.Runner.Sync(ctx, s.config.Store); err != nil {
		return fmt.Errorf("query: %w", err)
	}
	return nil
}

// Text is something that somebody stored.
type Text struct {
	UntrustedText string `json:"untrusted_text"`
}

func text(s string, most int) *Text {
	if s == "" {
		return nil
	}
	return &Text{Visible(s, most)}
}

// Visible returns a text in which every control, bidirectional, invisible and private character is
// written as ⟨U+XXXX⟩, so that it can neither hide nor rearrange anything where it is shown, and which
// is cut, with a mark that says so, after about most bytes.
func Visible(s string, most int) string {
	var b strings.Builder
	for i, r := range s {
		if b.Len() >= most {
			fmt.Fprintf(&b, "… (%d more bytes)", len(s)-i)
			break
		}
		if r != ' ' && (!unicode.IsPrint(r) || r >= 0xFE00 && r <= 0xFE0F || r >= 0xE0000 && r <= 0xE0FFF || r == 0x3164 || r == 0x115F || r == 0x1160 || r == 0x2800 || r == 0xFFA0) {
			fmt.Fprintf(&b, "⟨U+%04X⟩", r)
			continue
		}
		b.WriteRune(r)
	}
	return b.String()
}

// trust is what an episode's assurance is worth today. VERIFIED needs an active record that was issued
// in that very episode with that conclusion; a result that names another record is INVALID, whoever
// wrote it.
func (s *Service) trust(level events.Level, record, episode string, conclusion events.Conclusion) (today, advisory string, err error) {
	if level != events.Verified {
		return string(level), "", nil
	}
	id, err := events.ParseRecordURI(record)
	if err != nil {
		return invalid, "it names no record", nil
	}
	rec, verdict, ok, err := s.status.Record(id)
	switch {
	case err != nil:
		return "", "", fmt.Errorf("query: %w", err)
	case !ok:
		return invalid, "its record " + id + " is not in the log", nil
	case rec.Episode != episode:
		return invalid, "its record " + id + " was issued in " + rec.Episode, nil
	case rec.Record.Conclusion != conclusion:
		return invalid, fmt.Sprintf("its record %s concludes %s", id, rec.Record.Conclusion), nil
	}
	return assured(verdict), strings.Join(verdict.Reasons, "; "), nil
}

const invalid = "INVALID"

func assured(v status.Verdict) string {
	if v.State == status.Active {
		return string(events.Verified)
	}
	return strings.ToUpper(string(v.State))
}

func refuse(member, expected, found, hint string) error {
	return jcs.In(member, jcs.Fail(expected, found, hint))
}

func checkLimit(limit, standard, most int) (int, error) {
	if limit == 0 {
		return standard, nil
	}
	if limit < 1 || limit > most {
		return 0, refuse("limit", fmt.Sprintf("1 to %d", most), fmt.Sprint(limit), "ask for a page and go on with its cursor")
	}
	return limit, nil
}
