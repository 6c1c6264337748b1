package sat_test

import (
	"testing"

	"github.com/jacobian-ledger/jacobian/capabilities/captest"
	"github.com/jacobian-ledger/jacobian/capabilities/checkers/cnfmodel"
	"github.com/jacobian-ledger/jacobian/capabilities/checkers/drat"
	"github.com/jacobian-ledger/jacobian/capabilities/checkers/lrat"
	"github.com/jacobian-ledger/jacobian/capabilities/packs/sat"
)

func TestPack(t *testing.T) {
	captest.TestPack(t, sat.Pack(), cnfmodel.Checker(), lrat.Checker(), drat.Checker())
}
