// Package jacobian_test holds the rules that bind the whole module.
package jacobian_test

import (
	"encoding/json"
	"errors"
	"io"
	"os/exec"
	"slices"
	"strings"
	"testing"
)

const module = "github.com/jacobian-ledger/jacobian"

type listed struct {
	ImportPath   string
	Imports      []string
	TestImports  []string
	XTestImports []string
}

func packages(t *testing.T) []listed {
	t.Helper()
	out, err := exec.Command("go", "list", "-json=ImportPath,Imports,TestImports,XTestImports", "./...").Output()
	if err != nil {
		t.Fatalf("go list: %v", err)
	}
	var all []listed
	for dec := json.NewDecoder(strings.NewReader(string(out))); ; {
		var p listed
		if err := dec.Decode(&p); errors.Is(err, io.EOF) {
			return all
		} else if err != nil {
			t.Fatal(err)
		}
		all = append(all, p)
	}
}

// layer is the first directory below the module.
func layer(path string) string {
	rest, ok := strings.CutPrefix(path, module+"/")
	if !ok {
		return ""
	}
	first, _, _ := strings.Cut(rest, "/")
	return first
}

// below lists, for each layer, the layers that it may import, with the reason why the others are not.
var below = map[string]struct {
	may []string
	why string
}{
	"events":       {nil, "the vocabulary depends on nothing that does something with it"},
	"ledger":       {[]string{"events"}, "the log keeps facts and knows no mathematics and no reader"},
	"projections":  {[]string{"events", "ledger"}, "a read model is a pure function of the log"},
	"capabilities": {[]string{"events"}, "an adapter author compiles against data and a contract only"},
	"query":        {[]string{"events", "projections"}, "questions are answered from read models and write nothing"},
	"embed":        {[]string{"events", "ledger", "projections", "capabilities", "query"}, "the composition root sees all below it"},
	"cmd":          {[]string{"events", "query", "embed"}, "commands are flags, files and exit codes over the library"},
}

func TestLayers(t *testing.T) {
	for _, p := range packages(t) {
		from := layer(p.ImportPath)
		rule, ok := below[from]
		if from == "" {
			continue
		}
		if !ok {
			t.Errorf("%s: the module has no layer %q", p.ImportPath, from)
			continue
		}
		for _, imp := range p.Imports {
			if to := layer(imp); to != "" && to != from && !slices.Contains(rule.may, to) {
				t.Errorf("%s imports %s: %s", p.ImportPath, imp, rule.why)
			}
		}
	}
}

// owners lists the only packages (and what is below them) that may import a dependency outside tests.
var owners = map[string][]string{
	"github.com/nats-io/nats.go":            {"ledger/jetstream", "ledger/artifact", "embed/natsd"},
	"github.com/nats-io/nats-server/v2":     {"embed/natsd"},
	"github.com/synadia-io/orbit.go":        {"ledger/jetstream", "ledger/artifact"},
	"github.com/mark3labs/mcp-go":           {"embed/mcpd"},
	"github.com/blevesearch/bleve/v2":       {"projections/episodes"},
	"go.etcd.io/bbolt":                      {"projections"},
	"os/exec":                               {"capabilities/engine"},
	"net/http":                              {"embed"},
	"github.com/spf13/cobra":                {"cmd/jacobian"},
	"github.com/crillab/gophersat":          {}, // tests only
	"github.com/santhosh-tekuri/jsonschema": {"capabilities/captest"},
	"testing":                               {"capabilities/captest", "ledger/ledgertest", "projections/projectiontest", "query/querytest"},
}

func TestThirdPartyHasOwners(t *testing.T) {
	for _, p := range packages(t) {
		at, ok := strings.CutPrefix(p.ImportPath, module+"/")
		if !ok {
			continue
		}
		for _, imp := range p.Imports {
			for dep, where := range owners {
				if imp != dep && !strings.HasPrefix(imp, dep+"/") || dep == "testing" && imp != dep {
					continue
				}
				if !slices.ContainsFunc(where, func(w string) bool { return at == w || strings.HasPrefix(at, w+"/") }) {
					t.Errorf("%s imports %s, which belongs to %s", p.ImportPath, imp, strings.Join(where, ", "))
				}
			}
		}
	}
}

// TestCheckersAreIndependent keeps a checker from resting on what it checks.
func TestCheckersAreIndependent(t *testing.T) {
	allowed := []string{"events", "events/jcs", "events/digest", "capabilities/values", "capabilities/checkers"}
	for _, p := range packages(t) {
		at, _ := strings.CutPrefix(p.ImportPath, module+"/")
		if at != "capabilities/checkers" && !strings.HasPrefix(at, "capabilities/checkers/") && at != "capabilities/values" {
			continue
		}
		for _, imp := range p.Imports {
			own, ours := strings.CutPrefix(imp, module+"/")
			switch {
			case ours && (slices.Contains(allowed, own) || strings.HasPrefix(own, "capabilities/checkers/")):
			case !ours && !strings.Contains(strings.Split(imp, "/")[0], "."):
			default:
				t.Errorf("%s imports %s: a checker uses the standard library, the exact values and other checkers, nothing else", p.ImportPath, imp)
			}
		}
	}
}
