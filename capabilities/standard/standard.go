// Package standard lists the packs, checkers and semantics that ship with this program.
package standard

import (
	"embed"
	"strings"

	"github.com/jacobian-ledger/jacobian/capabilities"
	"github.com/jacobian-ledger/jacobian/capabilities/checkers"
	"github.com/jacobian-ledger/jacobian/capabilities/checkers/cnfmodel"
	"github.com/jacobian-ledger/jacobian/capabilities/checkers/drat"
	"github.com/jacobian-ledger/jacobian/capabilities/checkers/factorization"
	"github.com/jacobian-ledger/jacobian/capabilities/checkers/graphclique"
	"github.com/jacobian-ledger/jacobian/capabilities/checkers/graphcoloring"
	"github.com/jacobian-ledger/jacobian/capabilities/checkers/graphiso"
	"github.com/jacobian-ledger/jacobian/capabilities/checkers/graphmatching"
	"github.com/jacobian-ledger/jacobian/capabilities/checkers/graphpath"
	"github.com/jacobian-ledger/jacobian/capabilities/checkers/lrat"
	"github.com/jacobian-ledger/jacobian/capabilities/checkers/matrix"
	"github.com/jacobian-ledger/jacobian/capabilities/checkers/modular"
	"github.com/jacobian-ledger/jacobian/capabilities/checkers/partition"
	"github.com/jacobian-ledger/jacobian/capabilities/checkers/pratt"
	"github.com/jacobian-ledger/jacobian/capabilities/checkers/refdomains"
	"github.com/jacobian-ledger/jacobian/capabilities/packs/core"
	"github.com/jacobian-ledger/jacobian/capabilities/packs/graph"
	"github.com/jacobian-ledger/jacobian/capabilities/packs/integer"
	matrixpack "github.com/jacobian-ledger/jacobian/capabilities/packs/matrix"
	modularpack "github.com/jacobian-ledger/jacobian/capabilities/packs/modular"
	"github.com/jacobian-ledger/jacobian/capabilities/packs/rational"
	"github.com/jacobian-ledger/jacobian/capabilities/packs/sat"
)

// Packs are the operations that need nothing but this program.
func Packs() []*capabilities.Pack {
	return []*capabilities.Pack{
		core.Pack(),
		graph.Pack(),
		integer.Pack(),
		matrixpack.Pack(),
		modularpack.Pack(),
		rational.Pack(),
		sat.Pack(),
	}
}

// Checkers are the programs that decide.
func Checkers() []checkers.Checker {
	return []checkers.Checker{
		cnfmodel.Checker(),
		drat.Checker(),
		factorization.Checker(),
		graphclique.Checker(),
		graphcoloring.Checker(),
		graphiso.Checker(),
		graphmatching.Checker(),
		graphpath.Checker(),
		lrat.Checker(),
		matrix.Checker(),
		modular.Checker(),
		partition.Checker(),
		pratt.Checker(),
		refdomains.Checker(),
	}
}

//go:embed semantics/*.md
var semantics embed.FS

// Semantics is the text that says what the words of a claim mean. Texts never change: new meaning is
// a new version, and thus a new id.
func Semantics(id string) ([]byte, bool) {
	b, err := semantics.ReadFile("semantics/" + strings.Replace(id, "/", "-", 1) + ".md")
	return b, err == nil
}
