// Package artifact keeps immutable bytes by their content: the address of an artifact is
// artifact://sha256/ and the SHA-256 of its bytes, so that sha256sum agrees.
//
// # Invariants
//
// Writing the same bytes twice is one artifact. What [Store.Get] returns has been hashed since it was
// read, every time, and has the digest that was asked for; anything else is a [*CorruptError]. An
// artifact that [Store.Put] has acknowledged is durable, so an event that names it is appended
// afterwards: a crash between the two leaves bytes that nothing refers to, never a reference to
// bytes that are not there.
//
// What an artifact means (media type, schema, parents) is not kept here: it is in the event
// artifact.stored that announces it, and may differ between events for the same bytes.
package artifact

import (
	"context"
	"errors"
	"fmt"
	"sync"

	"github.com/jacobian-ledger/jacobian/events/digest"
)

// Errors of the store and its backends; match them with errors.Is.
var (
	ErrNotFound = errors.New("artifact: not found")
	ErrCorrupt  = errors.New("artifact: corrupt")
	ErrLimit    = errors.New("artifact: limit exceeded")
)

// The default limits.
const (
	DefaultMaxBytes  = 10 << 20 // of one artifact
	DefaultMaxTenant = 1 << 30  // of a tenant's artifacts together
)

// MaxPut is the most artifacts that one Put takes.
const MaxPut = 32

// LimitError says which limit a Put would break. It matches [ErrLimit].
type LimitError struct {
	Limit string // "artifact", "tenant" or "count"
	Max   int64
	Found int64 // what it would be
}

func (e *LimitError) Error() string {
	switch e.Limit {
	case "artifact":
		return fmt.Sprintf("artifact: expected at most %d bytes, found %d: split it, or store a shorter form", e.Max, e.Found)
	case "tenant":
		return fmt.Sprintf("artifact: expected at most %d bytes of artifacts for this tenant, would be %d: raise the tenant's limit", e.Max, e.Found)
	}
	return fmt.Sprintf("artifact: expected at most %d artifacts at once, found %d", e.Max, e.Found)
}

// Is makes errors.Is(err, ErrLimit) hold.
func (e *LimitError) Is(target error) bool { return target == ErrLimit }

// CorruptError says that the bytes under a digest are not those. It matches [ErrCorrupt].
type CorruptError struct {
	Want   digest.Digest
	Found  digest.Digest // of the bytes that are there; zero if they cannot be read
	Detail string
}

func (e *CorruptError) Error() string {
	if e.Found.IsZero() {
		return fmt.Sprintf("artifact: %s is damaged: %s; restore it from an archive", e.Want, e.Detail)
	}
	return fmt.Sprintf("artifact: the bytes stored as %s hash to %s; restore it from an archive", e.Want, e.Found)
}

// Is makes errors.Is(err, ErrCorrupt) hold.
func (e *CorruptError) Is(target error) bool { return target == ErrCorrupt }

// Blob is bytes and their digest.
type Blob struct {
	Digest digest.Digest
	Data   []byte
}

// Backend keeps blobs; it hashes nothing.
type Backend interface {
	// Put MUST store those of the blobs that are not there, each whole or not at all, and return nil
	// only when all are durable. The digests are distinct.
	Put(ctx context.Context, blobs []Blob) error
	// Get returns what is stored under the digest, or an error wrapping ErrNotFound, or ErrCorrupt
	// if something is there that cannot be read.
	Get(ctx context.Context, d digest.Digest) ([]byte, error)
	// Size returns the length of what is stored under the digest, or an error wrapping ErrNotFound.
	Size(ctx context.Context, d digest.Digest) (int64, error)
	// Used is how many bytes are in use, with what the storage adds.
	Used(ctx context.Context) (int64, error)
}

// Config is what a store stands on.
type Config struct {
	Backend   Backend // required
	MaxBytes  int64   // of one artifact; zero means DefaultMaxBytes
	MaxTenant int64   // of all; zero means DefaultMaxTenant
}

// Store is one tenant's artifacts. Its methods may be called concurrently.
type Store struct {
	backend             Backend
	maxBytes, maxTenant int64
	putting             sync.Mutex // so that two Puts do not both fit into the last free bytes
}

// New returns the store over a backend. It does no input or output.
func New(c Config) (*Store, error) {
	if c.Backend == nil || c.MaxBytes < 0 || c.MaxTenant < 0 {
		return nil, errors.New("artifact: new: expected a backend and limits that are not negative")
	}
	s := &Store{backend: c.Backend, maxBytes: c.MaxBytes, maxTenant: c.MaxTenant}
	if s.maxBytes == 0 {
		s.maxBytes = DefaultMaxBytes
	}
	if s.maxTenant == 0 {
		s.maxTenant = DefaultMaxTenant
	}
	return s, nil
}

// Put stores the contents and returns their digests in order when all are durable. Contents that are
// there already, or twice in the call, are stored once. The error is a [*LimitError] when one is too
// large, or all together; then nothing is stored. After any other error some may be stored, each
// whole; putting them again is safe.
func (s *Store) Put(ctx context.Context, contents ...[]byte) ([]digest.Digest, error) {
	if len(contents) > MaxPut {
		return nil, &LimitError{Limit: "count", Max: MaxPut, Found: int64(len(contents))}
	}
	digests := make([]digest.Digest, len(contents))
	var blobs []Blob
	var size int64
	seen := map[digest.Digest]bool{}
	for i, c := range contents {
		if int64(len(c)) > s.maxBytes {
			return nil, &LimitError{Limit: "artifact", Max: s.maxBytes, Found: int64(len(c))}
		}
		digests[i] = digest.Of(c)
		if !seen[digests[i]] {
			seen[digests[i]] = true
			blobs = append(blobs, Blob{digests[i], c})
			size += int64(len(c))
		}
	}
	if len(blobs) == 0 {
		return digests, nil
	}
	s.putting.Lock()
	defer s.putting.Unlock()
	if err := s.room(ctx, blobs, size); err != nil {
		return nil, err
	}
	if err := s.backend.Put(ctx, blobs); err != nil {
		return nil, fmt.Errorf("artifact: put: %w", err)
	}
	return digests, nil
}

// room checks the tenant's limit. Only when the blobs might not fit does it ask which are there.
func (s *Store) room(ctx context.Context, blobs []Blob, size int64) error {
	used, err := s.backend.Used(ctx)
	if err != nil {
		return fmt.Errorf("artifact: put: %w", err)
	}
	if used+size <= s.maxTenant {
		return nil
	}
	for _, b := range blobs {
		if _, err := s.backend.Size(ctx, b.Digest); err == nil {
			size -= int64(len(b.Data))
		} else if !errors.Is(err, ErrNotFound) {
			return fmt.Errorf("artifact: put: %w", err)
		}
	}
	if size > 0 && used+size > s.maxTenant {
		return &LimitError{Limit: "tenant", Max: s.maxTenant, Found: used + size}
	}
	return nil
}

// Get returns the bytes with that digest, hashed after they were read. The error matches
// [ErrNotFound] or is a [*CorruptError].
func (s *Store) Get(ctx context.Context, d digest.Digest) ([]byte, error) {
	b, err := s.backend.Get(ctx, d)
	if err != nil {
		return nil, fmt.Errorf("artifact: get %s: %w", d, err)
	}
	if found := digest.Of(b); found != d {
		return nil, &CorruptError{Want: d, Found: found}
	}
	return b, nil
}

// Size is the length of the artifact, from the store's index: the bytes are not read, and so not
// checked. The error matches [ErrNotFound] if there is none.
func (s *Store) Size(ctx context.Context, d digest.Digest) (int64, error) {
	n, err := s.backend.Size(ctx, d)
	if err != nil {
		return 0, fmt.Errorf("artifact: size of %s: %w", d, err)
	}
	return n, nil
}

// Has reports whether there is an artifact with that digest; its bytes are not checked.
func (s *Store) Has(ctx context.Context, d digest.Digest) (bool, error) {
	_, err := s.Size(ctx, d)
	if errors.Is(err, ErrNotFound) {
		return false, nil
	}
	return err == nil, err
}
