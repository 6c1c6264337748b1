package ledger

import (
	"slices"

	"github.com/jacobian-ledger/jacobian/events"
)

// Filter selects events. A zero field selects all; the fields that are set must all hold.
type Filter struct {
	Kinds         []events.Kind // one of these
	Domain        string        // first word of the capability id
	Capability    string        // capability id
	Investigation string
	Episode       string
}

// IsZero reports whether the filter selects every event.
func (f *Filter) IsZero() bool {
	return len(f.Kinds) == 0 && f.Domain == "" && f.Capability == "" && f.Investigation == "" && f.Episode == ""
}

// Match reports whether an event with that envelope passes.
func (f *Filter) Match(e *events.Envelope) bool {
	capability := CapabilityOf(e)
	return (len(f.Kinds) == 0 || slices.Contains(f.Kinds, e.Type)) &&
		(f.Domain == "" || capability != "" && f.Domain == events.DomainOf(capability)) &&
		(f.Capability == "" || f.Capability == capability) &&
		(f.Investigation == "" || f.Investigation == e.Investigation) &&
		(f.Episode == "" || f.Episode == e.Episode)
}

// CapabilityOf is the capability that an event is about: its subject, if that has the form of a
// capability id, else "".
func CapabilityOf(e *events.Envelope) string {
	if events.CheckCapabilityID(e.Subject) != nil {
		return ""
	}
	return e.Subject
}
