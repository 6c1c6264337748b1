// Package ledgertest is the conformance suite of ledger stores, and what tests of logs need: drafts
// of real events, and a store that fails where it is told to.
package ledgertest

import (
	"encoding/json"
	"fmt"
	"testing"
	"time"

	"github.com/jacobian-ledger/jacobian/events"
	"github.com/jacobian-ledger/jacobian/ledger"
)

// Tenant is the tenant of every log that the suite opens.
const Tenant = "conformance"

// Clock returns a clock that begins at a fixed time and moves on by a millisecond at each reading. It
// is not for concurrent use.
func Clock() func() time.Time {
	now := time.Date(2026, 1, 2, 3, 4, 5, 0, time.UTC)
	return func() time.Time {
		now = now.Add(time.Millisecond)
		return now
	}
}

// Fixed is a clock that stands.
func Fixed() time.Time { return time.Date(2026, 1, 2, 3, 4, 5, 0, time.UTC) }

// Log returns the log of [Tenant] in a store, with a standing clock.
func Log(t testing.TB, s ledger.Store) *ledger.Log {
	t.Helper()
	l, err := ledger.New(ledger.Config{Store: s, Tenant: Tenant, Source: "ledgertest", Producer: "ledgertest/1", Clock: Fixed})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(l.Close)
	return l
}

// Note is a small event.
func Note(text string) ledger.Draft {
	return ledger.Draft{Event: &events.NoteWritten{Stage: "PLAN", Text: text}, Actor: "tester"}
}

// Finished is the terminal event of an episode.
func Finished(episode string) ledger.Draft {
	const capability = "integer.gcd.compute"
	return ledger.Draft{Subject: capability, Episode: episode, Actor: "tester", Event: &events.RunFinished{Result: events.Result{
		ResultVersion: events.ResultVersion, CapabilityID: capability, CapabilityVersion: 1, Mode: events.Explore,
		Episode: episode, Execution: events.Execution{Status: events.StatusCompleted},
		Output: json.RawMessage(`{"gcd":"6"}`), Completeness: events.Completeness{Status: events.CompletenessNotApplicable},
		Relationships: []events.Relationship{}, Obligations: []events.Obligation{}, Diagnostics: []events.Diagnostic{},
		Assurance: events.Assurance{Level: events.Computed, TaintedBy: []string{}}, Conclusion: events.NotApplicable,
		ArtifactURIs: []string{},
	}}}
}

// Episode is the n-th of a fixed sequence of episode ids.
func Episode(n int) string { return fmt.Sprintf("ep_01JZZZZZZZZZZZZZZZ%08d", n) }
