// Package modular holds the exact operations on residues modulo an integer. Residues in answers are the
// least non-negative ones. Moduli need not be prime unless an operation says so.
package modular

import (
	"math/big"
	"strconv"

	"github.com/jacobian-ledger/jacobian/capabilities"
	"github.com/jacobian-ledger/jacobian/capabilities/values"
	"github.com/jacobian-ledger/jacobian/events"
)

var pack = capabilities.NewPack("modular")

// Pack returns the operations of this domain.
func Pack() *capabilities.Pack { return pack }

const (
	plainDigits = 5_000 // of numbers that are only multiplied, divided and inverted
	groupDigits = 300   // of moduli that are factored
)

func digitsLimit(member string, most int, note string) events.Limit {
	return events.Limit{Name: member + "_digits", Value: strconv.Itoa(most), Note: note}
}

// named is a number with its JSON pointer, for the checks below.
type named struct {
	path  string
	value values.Int
}

// checkDigits refuses the first number that is too long.
func checkDigits(most int, list ...named) error {
	for _, x := range list {
		if x.value.BitLen() <= 3*most { // 2^3 < 10: cannot be longer
			continue
		}
		if d := len(new(big.Int).Abs(x.value.Big()).String()); d > most {
			return capabilities.Exceeds(x.path, x.path[1:]+"_digits", strconv.Itoa(most), strconv.Itoa(d), "reduce modulo the modulus, or use a smaller modulus")
		}
	}
	return nil
}

// checkModulus refuses moduli below 1.
func checkModulus(path string, m values.Int) error {
	if m.Sign() <= 0 {
		return capabilities.Invalid(path, "a modulus of at least 1", brief(m), "use the absolute value of the modulus")
	}
	return nil
}

// brief shows a number in a message.
func brief(v values.Int) string {
	s := v.String()
	if len(s) > 40 {
		return s[:20] + "..." + s[len(s)-10:]
	}
	return s
}

var one = big.NewInt(1)

func mod(x, m *big.Int) *big.Int { return new(big.Int).Mod(x, m) }
