// Package standard lists the projections that ship in the store.
package standard

import (
	"github.com/jacobian-ledger/jacobian/projections"
	"github.com/jacobian-ledger/jacobian/projections/catalog"
	"github.com/jacobian-ledger/jacobian/projections/memo"
	"github.com/jacobian-ledger/jacobian/projections/provenance"
	"github.com/jacobian-ledger/jacobian/projections/status"
)

// All returns every projection that is kept in a [projections.Store].
func All() []projections.Projection {
	return []projections.Projection{catalog.Projection{}, memo.Projection{}, provenance.Projection{}, status.Projection{}}
}
