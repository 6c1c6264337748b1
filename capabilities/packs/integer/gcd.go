package integer

import (
	"context"
	"math/big"

	"github.com/jacobian-ledger/jacobian/capabilities"
	"github.com/jacobian-ledger/jacobian/capabilities/values"
)

// GCDInput asks for the greatest common divisor of two integers.
type GCDInput struct {
	A values.Int `json:"a" doc:"first integer"`
	B values.Int `json:"b" doc:"second integer"`
}

// GCDOutput is never negative; gcd(0, 0) is 0.
type GCDOutput struct {
	GCD values.Int `json:"gcd" doc:"greatest common divisor"`
}

var _ = capabilities.Define(pack, capabilities.Definition[GCDInput, GCDOutput]{
	ID:          "integer.compute.gcd",
	Title:       "greatest common divisor of two integers",
	Description: "The non-negative generator of the ideal (a, b) of the integers; gcd(0, 0) = 0. Euclid's algorithm, quadratic in the digits.",
	Source:      "Euclid, Elements VII.2; OEIS A003989",
	Tags:        []string{"divisibility", "gcd"},
	Needs:       []string{"greatest common divisor of two integers", "highest common factor", "largest integer dividing both numbers", "are two numbers coprime"},
	Aliases:     []string{"gcd", "hcf"},
	InputKinds:  []string{"integer"},
	Claimed:     capabilities.Computed,
	Examples: []capabilities.Example{
		{Name: "small", Input: `{"a":"12","b":"18"}`, Output: `{"gcd":"6"}`},
		{Name: "negative", Input: `{"a":"-4","b":"6"}`, Output: `{"gcd":"2"}`},
		{Name: "zero", Input: `{"a":"0","b":"0"}`, Output: `{"gcd":"0"}`},
	},
	Run: capabilities.Func(func(_ context.Context, in GCDInput) (GCDOutput, error) {
		a, b := in.A.Big(), in.B.Big()
		return GCDOutput{values.NewInt(new(big.Int).GCD(nil, nil, a.Abs(a), b.Abs(b)))}, nil
	}),
})
