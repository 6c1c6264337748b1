package standard_test

import (
	"slices"
	"strings"
	"testing"

	"github.com/jacobian-ledger/jacobian/capabilities/standard"
	"github.com/jacobian-ledger/jacobian/events"
)

// TestEverythingIsDecided holds the lists together: every checker's semantics has its text, and every
// operation that promises a checker names one that ships.
func TestEverythingIsDecided(t *testing.T) {
	var ids []string
	for _, k := range standard.Checkers() {
		if slices.Contains(ids, k.ID) {
			t.Errorf("two checkers are called %s", k.ID)
		}
		ids = append(ids, k.ID)
		if k.Version < 1 || k.Class == "" || len(k.Semantics) == 0 || len(k.Predicates) == 0 || len(k.Formats) == 0 {
			t.Errorf("%s: incomplete identity %+v", k.ID, k)
		}
		for _, s := range k.Semantics {
			text, ok := standard.Semantics(s)
			if !ok {
				t.Errorf("%s: semantics %s has no text", k.ID, s)
				continue
			}
			if !strings.HasPrefix(string(text), "# "+s+"\n") {
				t.Errorf("semantics %s: the text is headed otherwise", s)
			}
			for _, p := range k.Predicates {
				if len(k.Semantics) == 1 && !strings.Contains(string(text), "`"+p+" ") {
					t.Errorf("semantics %s does not define %s", s, p)
				}
			}
		}
	}
	for _, p := range standard.Packs() {
		for _, c := range p.All() {
			d := c.Descriptor()
			if d.AssuranceCeiling != events.Verified {
				continue
			}
			if c.ID == "certificate.verify" && len(d.Certificates.CheckedBy) != len(ids) {
				t.Errorf("%s names %d of the %d checkers", c.ID, len(d.Certificates.CheckedBy), len(ids))
			}
			for _, k := range d.Certificates.CheckedBy {
				if !slices.Contains(ids, k) {
					t.Errorf("%s says that it is checked by %s, which does not ship", c.ID, k)
				}
			}
		}
	}
}

// TestOperations counts what the catalog offers, and that domains are spelled as in the ids.
func TestOperations(t *testing.T) {
	seen := map[string]bool{}
	for _, p := range standard.Packs() {
		for _, c := range p.All() {
			if seen[c.ID] {
				t.Errorf("%s is defined by two packs", c.ID)
			}
			seen[c.ID] = true
		}
	}
	t.Logf("%d operations", len(seen))
}
