package events_test

import (
	"encoding/json"
	"testing"
	"time"

	"github.com/jacobian-ledger/jacobian/events"
)

// BenchmarkDecode reads the terminal event of a small run.
func BenchmarkDecode(b *testing.B) {
	now := time.Date(2026, 12, 1, 10, 0, 0, 0, time.UTC)
	env := events.Envelope{
		ID: events.NewID(now), Nonce: events.NewNonce(), Source: "host/1", Tenant: "local", Subject: "integer.compute.gcd",
		Time: events.FormatTime(now), RecordedTime: events.FormatTime(now), Producer: "jacobian", Episode: events.NewEpisode(now), Actor: "cli",
	}
	raw, err := events.Encode(env, &events.RunFinished{Result: events.Result{
		ResultVersion: 1, CapabilityID: "integer.compute.gcd", CapabilityVersion: 1, Mode: events.Explore, Episode: env.Episode,
		Execution: events.Execution{Status: events.StatusCompleted}, Output: json.RawMessage(`{"gcd":"6"}`), Conclusion: events.NotApplicable,
		Relationships: []events.Relationship{}, Obligations: []events.Obligation{}, Diagnostics: []events.Diagnostic{}, ArtifactURIs: []string{},
		Assurance: events.Assurance{Level: events.Computed, TaintedBy: []string{}},
	}})
	if err != nil {
		b.Fatal(err)
	}
	b.SetBytes(int64(len(raw)))
	for b.Loop() {
		if _, _, err := events.Decode(raw); err != nil {
			b.Fatal(err)
		}
	}
}

// BenchmarkSeal makes the request event of a small run.
func BenchmarkSeal(b *testing.B) {
	now := time.Date(2026, 12, 1, 10, 0, 0, 0, time.UTC)
	env := events.Envelope{
		ID: events.NewID(now), Nonce: events.NewNonce(), Source: "host/1", Tenant: "local", Subject: "integer.compute.gcd",
		Time: events.FormatTime(now), RecordedTime: events.FormatTime(now), Producer: "jacobian", Episode: events.NewEpisode(now), Actor: "cli",
	}
	ev := &events.RunRequested{
		Request: events.Request{CapabilityID: "integer.compute.gcd", Input: json.RawMessage(`{"a":"12","b":"18"}`), Mode: events.Explore},
		Refs:    []string{}, Deadline: events.FormatTime(now),
	}
	for b.Loop() {
		if _, _, err := events.Seal(env, ev); err != nil {
			b.Fatal(err)
		}
	}
}
