package digest_test

import (
	"encoding/json"
	"strings"
	"testing"

	"github.com/jacobian-ledger/jacobian/events/digest"
)

func TestOf_AgreesWithSha256sum(t *testing.T) {
	const empty = "sha256:e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855" // FIPS 180-4
	if got := digest.Of(nil).String(); got != empty {
		t.Errorf("%s, want %s", got, empty)
	}
}

// TestObject_SeparatesMeanings: equal bytes under another meaning, and words cut elsewhere, differ.
func TestObject_SeparatesMeanings(t *testing.T) {
	all := map[digest.Digest]string{}
	for name, d := range map[string]digest.Digest{
		"plain":      digest.Of([]byte("x")),
		"no domain":  digest.Object([]byte("x")),
		"claim":      digest.Object([]byte("x"), "claim"),
		"candidate":  digest.Object([]byte("x"), "candidate"),
		"ab c":       digest.Object([]byte("x"), "ab", "c"),
		"a bc":       digest.Object([]byte("x"), "a", "bc"),
		"abc":        digest.Object([]byte("x"), "abc"),
		"in content": digest.Object([]byte("c\nx"), "ab"),
	} {
		if other, ok := all[d]; ok {
			t.Errorf("%s and %s have one digest", name, other)
		}
		all[d] = name
	}
}

func TestParse(t *testing.T) {
	d := digest.Of([]byte("x"))
	if back, err := digest.Parse(d.String()); err != nil || back != d {
		t.Errorf("%v, %v", back, err)
	}
	b, err := json.Marshal(d)
	var back digest.Digest
	if err != nil || json.Unmarshal(b, &back) != nil || back != d {
		t.Errorf("%s, %v", b, err)
	}
	for _, bad := range []string{"", d.Hex(), strings.ToUpper(d.String()), "sha256:" + strings.ToUpper(d.Hex()), d.String() + "0", d.String()[:70], "sha512:" + d.Hex(), "sha256:" + strings.Repeat("g", 64), " " + d.String()} {
		if _, err := digest.Parse(bad); err == nil {
			t.Errorf("%q was read", bad)
		}
	}
}
