package capabilities

import (
	"context"

	"github.com/jacobian-ledger/jacobian/events"
	"github.com/jacobian-ledger/jacobian/events/digest"
)

// Claimed is the most that a producer may say of its own result. It cannot express VERIFIED: that is
// made by the checker runner and by nothing else.
type Claimed uint8

// The levels that an adapter may claim. The zero value is the cautious one.
const (
	Heuristic Claimed = iota // rests on an unchecked witness, model, sample or search
	Computed                 // deterministic, exact, tested against an independent way
)

// Level is the public name.
func (c Claimed) Level() events.Level {
	if c == Computed {
		return events.Computed
	}
	return events.Heuristic
}

// Outcome is what an adapter returns. The zero value of every field but Output is right for a plain
// computation.
type Outcome[Out any] struct {
	Output     Out
	Conclusion events.Conclusion // TRUE or FALSE for a decision; "" means NOT_APPLICABLE
	Evidence   *Evidence         // certificate for the operation's checker
	// Scope says what was covered. A search that ended early returns it together with ctx.Err(),
	// and Partial if Output holds a best so far.
	Scope        *events.Scope
	Completeness string // one of the events.Completeness* constants; "" means NOT_APPLICABLE
	Basis        string // of the completeness or the assurance
	Partial      bool
	Claimed      *Claimed // overrides the definition's, downwards or up to Computed
	Obligations  []string // what is still owed, in words
	Notes        []string // what a reader should know
}

// Evidence is a certificate in a format that a checker reads.
type Evidence struct {
	Format string
	Data   []byte
}

// Progress is one thing to show to whoever waits.
type Progress struct {
	Stage   string // requested, solving, checking, ...
	Message string
}

// Env is what an adapter may use besides its input. It knows no stores, events or authority.
type Env struct {
	// Report shows progress; never nil.
	Report func(Progress)
	// Covered replaces what is known to be covered so far. It survives a kill of the adapter, so a
	// long search calls it as it goes; never nil.
	Covered func(events.Scope)
	// Open reads an artifact of the caller's tenant; nil in operations that run isolated.
	Open func(context.Context, digest.Digest) ([]byte, error)

	staged []Staged
}

// Staged is an artifact that the service stores if the run completes.
type Staged struct {
	Data []byte             `json:"data"`
	Ref  events.ArtifactRef `json:"ref"`
}

// Stage hands bytes to the service, which stores them before the run's end is recorded. It returns
// the reference to put into the output.
func (e *Env) Stage(data []byte, ref events.ArtifactRef) events.ArtifactRef {
	ref.Digest, ref.Size = digest.Of(data), int64(len(data))
	if ref.Parents == nil {
		ref.Parents = []string{}
	}
	e.staged = append(e.staged, Staged{data, ref})
	return ref
}
