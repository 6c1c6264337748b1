// Package rational holds the exact operations on rational numbers. Every answer is in lowest terms with a
// positive denominator, so that equal numbers are equal bytes.
package rational

import (
	"math/big"

	"github.com/jacobian-ledger/jacobian/capabilities"
	"github.com/jacobian-ledger/jacobian/capabilities/values"
)

var pack = capabilities.NewPack("rational")

// Pack returns the operations of this domain.
func Pack() *capabilities.Pack { return pack }

// PairInput is two rational numbers.
type PairInput struct {
	A values.Rat `json:"a" doc:"first rational number"`
	B values.Rat `json:"b" doc:"second rational number"`
}

// NumberInput is one rational number.
type NumberInput struct {
	X values.Rat `json:"x" doc:"the rational number"`
}

func rat(x *big.Rat) values.Rat { return values.NewRat(x) }
