package events

import (
	"crypto/rand"
	"encoding/hex"
	"fmt"
	"strings"
	"time"

	"github.com/jacobian-ledger/jacobian/events/digest"
	"github.com/oklog/ulid/v2"
)

// The identifiers of things that exist once in a ledger. Each is a prefix and a ULID, so that a
// reader sees what it is and ids sort by the time at which they were made.
const (
	episodePrefix       = "ep_"
	recordPrefix        = "rec_"
	investigationPrefix = "inv_"
)

// NewID returns a fresh event id, a ULID for the time t.
func NewID(t time.Time) string { return ulid.MustNew(ulid.Timestamp(t), rand.Reader).String() }

// NewEpisode returns a fresh episode id: one run's story has one.
func NewEpisode(t time.Time) string { return episodePrefix + NewID(t) }

// NewRecord returns a fresh verification record id.
func NewRecord(t time.Time) string { return recordPrefix + NewID(t) }

// NewInvestigation returns a fresh investigation id.
func NewInvestigation(t time.Time) string { return investigationPrefix + NewID(t) }

// NewNonce returns 128 random bits in hexadecimal.
func NewNonce() string {
	var b [16]byte
	_, _ = rand.Read(b[:]) // never fails: crypto/rand aborts the program instead
	return hex.EncodeToString(b[:])
}

// FormatTime writes t in the fixed-width UTC form of every stored time.
func FormatTime(t time.Time) string { return t.UTC().Format(timeLayout) }

const timeLayout = "2006-01-02T15:04:05.000000Z"

// ParseTime reads the form that [FormatTime] writes, and no other.
func ParseTime(s string) (time.Time, error) {
	if len(s) == len(timeLayout) {
		ok := true
		num := func(from, to int) (n int) {
			for _, c := range []byte(s[from:to]) {
				ok = ok && c >= '0' && c <= '9'
				n = 10*n + int(c-'0')
			}
			return n
		}
		t := time.Date(num(0, 4), time.Month(num(5, 7)), num(8, 10), num(11, 13), num(14, 16), num(17, 19), 1000*num(20, 26), time.UTC)
		ok = ok && s[4] == '-' && s[7] == '-' && s[10] == 'T' && s[13] == ':' && s[16] == ':' && s[19] == '.' && s[26] == 'Z'
		if ok && t.Day() == num(8, 10) && t.Hour() == num(11, 13) && t.Minute() == num(14, 16) && t.Second() == num(17, 19) && int(t.Month()) == num(5, 7) {
			return t, nil // nothing was out of range and carried over
		}
	}
	return time.Time{}, fmt.Errorf("events: expected a time such as 2026-12-01T10:00:00.000000Z, found %.40q", s)
}

// CheckEpisode, CheckRecord and CheckInvestigation refuse malformed ids.
func CheckEpisode(s string) error { return checkID(s, episodePrefix, "an episode id") }

// CheckRecord refuses what is not a record id.
func CheckRecord(s string) error { return checkID(s, recordPrefix, "a record id") }

// CheckInvestigation refuses what is not an investigation id: "inv_" and 1 to 64 characters
// of [A-Za-z0-9_-], so that a caller may name an investigation itself.
func CheckInvestigation(s string) error {
	name, ok := strings.CutPrefix(s, investigationPrefix)
	if !ok || name == "" || len(name) > 64 || !isToken(name) {
		return fmt.Errorf(`expected an investigation id, "inv_" and 1 to 64 characters of [A-Za-z0-9_-], found %.80q`, s)
	}
	return nil
}

func checkID(s, prefix, what string) error {
	id, ok := strings.CutPrefix(s, prefix)
	if _, err := ulid.ParseStrict(id); !ok || err != nil || strings.ToUpper(id) != id {
		return fmt.Errorf("expected %s, %q and a ULID, found %.80q", what, prefix, s)
	}
	return nil
}

// CheckTenant refuses what is not a tenant name: [a-z][a-z0-9-]{0,62}.
func CheckTenant(s string) error {
	ok := s != "" && len(s) <= 63 && s[0] >= 'a' && s[0] <= 'z'
	for i := 0; i < len(s) && ok; i++ {
		c := s[i]
		ok = c >= 'a' && c <= 'z' || c >= '0' && c <= '9' || c == '-'
	}
	if !ok {
		return fmt.Errorf("expected a tenant name [a-z][a-z0-9-]{0,62}, found %.80q", s)
	}
	return nil
}

// isToken reports whether s can be one token of a NATS subject and of a URI path.
func isToken(s string) bool {
	for i := range len(s) {
		c := s[i]
		if (c < 'a' || c > 'z') && (c < 'A' || c > 'Z') && (c < '0' || c > '9') && c != '_' && c != '-' {
			return false
		}
	}
	return s != ""
}

// The URI forms by which events refer to things.
const (
	artifactScheme = "artifact://sha256/"
	recordScheme   = "record://"
	episodeScheme  = "episode://"
)

// ArtifactURI is the address of the bytes with that digest.
func ArtifactURI(d digest.Digest) string { return artifactScheme + d.Hex() }

// ParseArtifactURI reads an artifact address.
func ParseArtifactURI(s string) (digest.Digest, error) {
	hex, ok := strings.CutPrefix(s, artifactScheme)
	if !ok {
		return digest.Digest{}, fmt.Errorf("expected artifact://sha256/ and 64 hexadecimal digits, found %.100q", s)
	}
	return digest.Parse("sha256:" + hex)
}

// RecordURI is the address of a verification record.
func RecordURI(id string) string { return recordScheme + id }

// ParseRecordURI reads a record address, or a bare record id.
func ParseRecordURI(s string) (string, error) {
	id := strings.TrimPrefix(s, recordScheme)
	return id, CheckRecord(id)
}

// EpisodeURI is the address of an episode.
func EpisodeURI(id string) string { return episodeScheme + id }

// TimeOf is the time at which an id was made, to the millisecond.
func TimeOf(id string) (time.Time, error) {
	u, err := ulid.ParseStrict(id[strings.LastIndexByte(id, '_')+1:])
	if err != nil {
		return time.Time{}, fmt.Errorf("events: expected an id with a ULID, found %.80q", id)
	}
	return ulid.Time(u.Time()), nil
}
