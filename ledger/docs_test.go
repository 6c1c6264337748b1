package ledger_test

import (
	"os"
	"strings"
	"testing"

	"github.com/jacobian-ledger/jacobian/events"
	"github.com/jacobian-ledger/jacobian/events/jcs"
	"github.com/jacobian-ledger/jacobian/ledger"
)

// TestDocs_ExampleIsAnEvent decodes the event of docs/ledger.md.
func TestDocs_ExampleIsAnEvent(t *testing.T) {
	page, err := os.ReadFile("../docs/ledger.md")
	if err != nil {
		t.Fatal(err)
	}
	_, rest, _ := strings.Cut(string(page), "```json\n")
	example, _, ok := strings.Cut(rest, "```")
	if !ok {
		t.Fatal("docs/ledger.md has no example")
	}
	canonical, err := jcs.Canonicalize([]byte(example))
	if err != nil {
		t.Fatal(err)
	}
	env, _, err := events.Decode(canonical)
	if err != nil {
		t.Fatal(err)
	}
	if f := (ledger.Filter{Investigation: "inv_ramsey", Kinds: []events.Kind{events.KindNoteWritten}}); !f.Match(&env) {
		t.Errorf("the example is another event: %+v", env)
	}
}
