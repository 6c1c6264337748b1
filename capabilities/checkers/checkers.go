// Package checkers is the contract of an independent checker: a small program that decides whether
// evidence establishes a claim. The checkers themselves are the packages below this one. They import
// the standard library, events (data only), the canonical form and the exact values, and never a
// producer, an engine, the ledger or the service; a test at the root of the module enforces it.
package checkers

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"slices"

	"github.com/jacobian-ledger/jacobian/events"
	"github.com/jacobian-ledger/jacobian/events/jcs"
)

// Evidence is what a checker is given. Everything in it is untrusted.
type Evidence struct {
	Claim       events.Claim    // what is asserted about: predicate and arguments, never the answer
	Candidate   json.RawMessage // the answer that is offered, canonical: the producing operation's output
	Format      string          // of the certificate
	Certificate []byte          // may be empty where the candidate is its own witness
}

// Verdict is a checker's decision.
type Verdict struct {
	Accepted   bool              `json:"accepted"`
	Conclusion events.Conclusion `json:"conclusion"` // TRUE or FALSE of the claim's predicate when accepted, otherwise UNKNOWN
	Method     string            `json:"method"`     // what was replayed
	Coverage   string            `json:"coverage"`   // how far it reaches
	Reason     string            `json:"reason"`     // why rejected; "" when accepted
}

// Accept decides that the claim's predicate is true (or that the candidate is the right answer of a
// computation) or false.
func Accept(c events.Conclusion, method, coverage string) Verdict {
	return Verdict{Accepted: true, Conclusion: c, Method: method, Coverage: coverage}
}

// Reject decides nothing about the claim: only this evidence does not establish it.
func Reject(format string, args ...any) Verdict {
	return Verdict{Conclusion: events.Unknown, Reason: fmt.Sprintf(format, args...)}
}

// Checker is one program with its identity. Version changes whenever its decisions could.
type Checker struct {
	ID         string   // such as "sat.lrat"
	Version    int      // from 1
	Class      string   // independence class: checkers of one class may share a fault
	Semantics  []string // the semantics whose claims it can decide, such as "sat/1"
	Predicates []string // such as "sat.satisfiable"
	Formats    []string // certificate formats
	// Check decides. It returns an error only when it could not decide (context ended, too large);
	// malformed evidence is a rejection. It must not retain or change the evidence.
	Check func(context.Context, Evidence) (Verdict, error)
}

// Handles reports whether the checker decides that predicate with that format.
func (c *Checker) Handles(predicate, format string) bool {
	return slices.Contains(c.Predicates, predicate) && slices.Contains(c.Formats, format)
}

// DecodeArgs reads a claim's arguments strictly.
func DecodeArgs(c events.Claim, into any) error { return decode(c.Args, into) }

// DecodeCandidate reads the offered answer strictly.
func (e *Evidence) DecodeCandidate(into any) error { return decode(e.Candidate, into) }

// decode refuses every spelling but the normal form of the type, so that one claim, and one answer, has one
// digest: 0/2 is no candidate, and a graph with its edges in another order is no argument.
func decode(raw json.RawMessage, into any) error {
	v, err := jcs.Parse(raw)
	if err != nil {
		return err
	}
	if err := v.Decode(into); err != nil {
		return err
	}
	normal, err := jcs.Marshal(into)
	if err != nil {
		return err
	}
	if !bytes.Equal(normal, v.Append(nil)) {
		return jcs.Fail("the normal form of the value", "another spelling", "take it from the operation that decides the claim")
	}
	return nil
}
