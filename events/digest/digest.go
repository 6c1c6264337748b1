// Package digest is the content address used everywhere in Jacobian: SHA-256, as a comparable value.
//
// [Of] is the plain hash of bytes, so that sha256sum agrees with an artifact's address. [Object] adds
// a domain before the bytes, so that equal bytes under another meaning have another address.
package digest

import (
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"strings"
)

// Digest is a SHA-256 value. Its text form is "sha256:" and 64 lower-case hexadecimal digits.
type Digest [32]byte

const prefix = "sha256:"

// Of is the plain SHA-256 of b.
func Of(b []byte) Digest { return sha256.Sum256(b) }

// Object hashes content under a meaning: the length-prefixed domain words, then the content. The
// length prefixes keep ("ab","c") apart from ("a","bc").
func Object(content []byte, domain ...string) Digest {
	h := sha256.New()
	fmt.Fprintf(h, "jacobian-object/%d\n", len(domain))
	for _, d := range domain {
		fmt.Fprintf(h, "%d:%s\n", len(d), d)
	}
	h.Write(content)
	return Digest(h.Sum(nil))
}

// Parse reads the text form strictly: upper-case digits and other lengths are errors.
func Parse(s string) (Digest, error) {
	var d Digest
	x, ok := strings.CutPrefix(s, prefix)
	if !ok || len(x) != 64 || strings.ToLower(x) != x {
		return d, fmt.Errorf("digest: expected sha256: and 64 lower-case hexadecimal digits, found %.80q", s)
	}
	if _, err := hex.Decode(d[:], []byte(x)); err != nil {
		return d, fmt.Errorf("digest: expected sha256: and 64 lower-case hexadecimal digits, found %.80q", s)
	}
	return d, nil
}

// Hex is the 64 hexadecimal digits alone.
func (d Digest) Hex() string { return hex.EncodeToString(d[:]) }

// IsZero reports whether d was never set.
func (d Digest) IsZero() bool { return d == Digest{} }

func (d Digest) String() string { return prefix + d.Hex() }

// MarshalText writes the text form.
func (d Digest) MarshalText() ([]byte, error) { return []byte(d.String()), nil }

// UnmarshalText reads the text form by the rules of [Parse].
func (d *Digest) UnmarshalText(b []byte) error {
	p, err := Parse(string(b))
	*d = p
	return err
}
