package events

// Kind is the persisted name of an event type. It is never derived from a Go name.
type Kind string

// The kinds of this version.
const (
	KindLogOpened            Kind = "log.opened"
	KindInvestigationOpened  Kind = "investigation.opened"
	KindNoteWritten          Kind = "note.written"
	KindRunRequested         Kind = "run.requested"
	KindRunFinished          Kind = "run.finished"
	KindRunReused            Kind = "run.reused"
	KindRunCancelRequested   Kind = "run.cancel_requested"
	KindArtifactStored       Kind = "artifact.stored"
	KindVerificationRecorded Kind = "verification.recorded"
	KindCapabilityRegistered Kind = "capability.registered"
	KindCapabilityRetired    Kind = "capability.retired"

	// Operator log only.
	KindTenantCreated     Kind = "tenant.created"
	KindKeyAdded          Kind = "operator.key_added"
	KindCheckerRegistered Kind = "checker.registered"
	KindCheckerAuthorised Kind = "checker.authorised"
	KindCheckerSuspended  Kind = "checker.suspended"
	KindCheckerRevoked    Kind = "checker.revoked"
)

type row struct {
	version int
	fresh   func() Event // a new zero event to decode into
}

// kinds is the decode table: one row a kind, the newest version of its data.
var kinds = map[Kind]row{
	KindLogOpened:            {1, func() Event { return new(LogOpened) }},
	KindInvestigationOpened:  {1, func() Event { return new(InvestigationOpened) }},
	KindNoteWritten:          {1, func() Event { return new(NoteWritten) }},
	KindRunRequested:         {1, func() Event { return new(RunRequested) }},
	KindRunFinished:          {1, func() Event { return new(RunFinished) }},
	KindRunReused:            {1, func() Event { return new(RunReused) }},
	KindRunCancelRequested:   {1, func() Event { return new(RunCancelRequested) }},
	KindArtifactStored:       {1, func() Event { return new(ArtifactStored) }},
	KindVerificationRecorded: {1, func() Event { return new(VerificationRecorded) }},
	KindCapabilityRegistered: {1, func() Event { return new(CapabilityRegistered) }},
	KindCapabilityRetired:    {1, func() Event { return new(CapabilityRetired) }},
	KindTenantCreated:        {1, func() Event { return new(TenantCreated) }},
	KindKeyAdded:             {1, func() Event { return new(KeyAdded) }},
	KindCheckerRegistered:    {1, func() Event { return new(CheckerRegistered) }},
	KindCheckerAuthorised:    {1, func() Event { return new(CheckerAuthorised) }},
	KindCheckerSuspended:     {1, func() Event { return new(CheckerSuspended) }},
	KindCheckerRevoked:       {1, func() Event { return new(CheckerRevoked) }},
}

// Kinds lists every kind that this program can read, for documentation and tests.
func Kinds() []Kind {
	var out []Kind
	for k := range kinds {
		out = append(out, k)
	}
	return out
}
