package integer_test

import (
	"testing"

	"github.com/jacobian-ledger/jacobian/capabilities/captest"
	"github.com/jacobian-ledger/jacobian/capabilities/checkers/factorization"
	"github.com/jacobian-ledger/jacobian/capabilities/checkers/pratt"
	"github.com/jacobian-ledger/jacobian/capabilities/packs/integer"
)

func TestPack(t *testing.T) {
	captest.TestPack(t, integer.Pack(), factorization.Checker(), pratt.Checker())
}
