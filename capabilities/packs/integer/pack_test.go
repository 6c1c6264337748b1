package integer_test

import (
	"testing"

	"github.com/jacobian-ledger/jacobian/capabilities/captest"
	"github.com/jacobian-ledger/jacobian/capabilities/packs/integer"
)

func TestPack(t *testing.T) { captest.TestPack(t, integer.Pack()) }
