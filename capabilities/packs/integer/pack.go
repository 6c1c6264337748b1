// Package integer holds the exact operations on integers.
package integer

import "github.com/jacobian-ledger/jacobian/capabilities"

var pack = capabilities.NewPack("integer")

// Pack returns the operations of this domain.
func Pack() *capabilities.Pack { return pack }
