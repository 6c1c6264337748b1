package embed

import (
	"context"
	"errors"
	"fmt"
	"io"

	"github.com/jacobian-ledger/jacobian/events"
)

// ReplayReport says what a replay of the whole log found.
type ReplayReport struct {
	Events      int64              `json:"events"`
	MS          int64              `json:"ms"`
	Projections []ProjectionReport `json:"projections"`
	Records     []RecordReport     `json:"records"`
}

// ProjectionReport compares a read model with the same one rebuilt from the first event.
type ProjectionReport struct {
	Name    string `json:"name"`
	Live    string `json:"live"`
	Rebuilt string `json:"rebuilt"`
	Poison  int64  `json:"poison"` // events that could not be folded
}

// RecordReport says whether a record's checker, run again on the stored evidence, still decides the same.
type RecordReport struct {
	Record  string `json:"record"`
	Checker string `json:"checker"`
	Problem string `json:"problem"` // "" if it agrees
}

// Equal reports whether the rebuilt read model is the live one.
func (p *ProjectionReport) Equal() bool { return p.Live == p.Rebuilt && p.Poison == 0 }

// Clean reports whether everything agrees.
func (r *ReplayReport) Clean() bool {
	for i := range r.Projections {
		if !r.Projections[i].Equal() {
			return false
		}
	}
	for _, x := range r.Records {
		if x.Problem != "" {
			return false
		}
	}
	return true
}

// Write tells the report to a person.
func (r *ReplayReport) Write(w io.Writer) {
	fmt.Fprintf(w, "replayed %d events in %d ms\n", r.Events, r.MS)
	for i := range r.Projections {
		p := &r.Projections[i]
		if p.Equal() {
			fmt.Fprintf(w, "✓ %-12s %.18s…  equal\n", p.Name, p.Live)
		} else {
			fmt.Fprintf(w, "✗ %-12s live %s, rebuilt %s, %d poison events\n", p.Name, p.Live, p.Rebuilt, p.Poison)
		}
	}
	for _, x := range r.Records {
		if x.Problem == "" {
			fmt.Fprintf(w, "✓ %s  %s agrees again\n", x.Record, x.Checker)
		} else {
			fmt.Fprintf(w, "✗ %s  %s: %s\n", x.Record, x.Checker, x.Problem)
		}
	}
}

// Replay reads the log from its first event, rebuilds every read model beside the live ones, compares
// their digests, and runs the checker of every record again on its stored evidence.
func (n *Node) Replay(ctx context.Context) (ReplayReport, error) {
	began := n.clock()
	var rep ReplayReport
	var records []*events.Record
	for e, err := range n.log.Read(ctx, 1) {
		if err != nil {
			return rep, fmt.Errorf("replay: %w", err)
		}
		rep.Events++
		if v, ok := e.Event.(*events.VerificationRecorded); ok {
			records = append(records, &v.Record)
		}
	}
	var err error
	if rep.Projections, err = n.compareProjections(ctx); err != nil {
		return rep, fmt.Errorf("replay: %w", err)
	}
	rep.MS = n.clock().Sub(began).Milliseconds()
	for _, rec := range records {
		x := RecordReport{Record: rec.URI(), Checker: fmt.Sprintf("%s@%d", rec.Checker.CheckerID, rec.Checker.Version)}
		if err := n.handler.Recheck(ctx, rec.RecordID); err != nil {
			if errors.Is(err, context.Canceled) {
				return rep, err
			}
			x.Problem = err.Error()
		}
		rep.Records = append(rep.Records, x)
	}
	return rep, nil
}
