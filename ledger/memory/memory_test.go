package memory_test

import (
	"testing"

	"github.com/jacobian-ledger/jacobian/ledger"
	"github.com/jacobian-ledger/jacobian/ledger/ledgertest"
	"github.com/jacobian-ledger/jacobian/ledger/memory"
)

func TestStore_Conforms(t *testing.T) {
	ledgertest.TestStore(t, func(*testing.T) ledger.Store { return memory.New() })
}
