package jetstream

import (
	"strings"

	"github.com/jacobian-ledger/jacobian/events"
	"github.com/jacobian-ledger/jacobian/ledger"
)

// root is the first token of every subject.
const root = "jacobian"

// none stands in a subject for what an event does not have.
const none = "-"

// Subject is the NATS subject of an event, always of eight tokens:
//
//	jacobian.<tenant>.<noun>.<verb>.<episode>.<investigation>.<domain>.<capability>
//
// Noun and verb are the two words of the kind. The capability's dots are written "/", which no id
// contains, so that it is one token. "-" stands for what the event does not have. The episode comes
// before what many episodes share: the server keeps subjects in a tree, and everything about one
// episode, its terminal event above all, is then found by prefix.
func Subject(e *events.Envelope) string {
	domain, capability := none, none
	if id := ledger.CapabilityOf(e); id != "" {
		domain, capability = events.DomainOf(id), capabilityToken(id)
	}
	return strings.Join([]string{
		root, e.Tenant, string(e.Type), or(e.Episode, none), or(e.Investigation, none), domain, capability,
	}, ".")
}

// Pattern is the NATS subject filter for the events of one kind that pass the filter, or of every
// kind if kind is "". For a subscriber outside this program.
func Pattern(tenant string, kind events.Kind, f ledger.Filter) string {
	return strings.Join([]string{
		root, tenant, or(string(kind), "*.*"), or(f.Episode, "*"), or(f.Investigation, "*"), or(f.Domain, "*"),
		or(capabilityToken(f.Capability), "*"),
	}, ".")
}

// terminal matches the terminal events of an episode, whatever else their subject says.
func terminal(tenant, episode string) string {
	return strings.Join([]string{root, tenant, string(events.KindRunFinished), episode, ">"}, ".")
}

func capabilityToken(id string) string { return strings.ReplaceAll(id, ".", "/") }

// capabilityOf reads a capability token back; "" for none.
func capabilityOf(token string) string {
	if token == none {
		return ""
	}
	return strings.ReplaceAll(token, "/", ".")
}

// passes reports whether an event under the subject may pass the filter. It only saves decoding:
// the envelope decides. A subject that is not one of ours passes, and fails where it is decoded.
func passes(f *ledger.Filter, subject string) bool {
	t := strings.Split(subject, ".")
	if len(t) != 8 {
		return true
	}
	e := events.Envelope{Type: events.Kind(t[2] + "." + t[3]), Subject: capabilityOf(t[7])}
	if t[4] != none {
		e.Episode = t[4]
	}
	if t[5] != none {
		e.Investigation = t[5]
	}
	return f.Match(&e)
}

func or(s, otherwise string) string {
	if s == "" {
		return otherwise
	}
	return s
}
