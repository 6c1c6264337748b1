// Package values is the exact mathematical vocabulary that operations, checkers and the wire share:
// one type a file, each with its strict wire form. It imports only the standard library and the
// canonical JSON of events/jcs, so that a checker that uses it rests on nothing else.
package values

import (
	"fmt"
	"math/big"
	"strconv"

	"github.com/jacobian-ledger/jacobian/events/jcs"
)

// MaxDigits is the longest integer read, unless an operation states its own limit.
const MaxDigits = 32768

// Int is an integer of any size. Its wire form is a decimal string -?(0|[1-9][0-9]*), "-0" excluded;
// a JSON integer within ±(2^53−1) is also read, and becomes the string before anything is hashed.
// The zero value is 0. Int is immutable.
type Int struct{ v *big.Int }

// NewInt copies x.
func NewInt(x *big.Int) Int { return Int{new(big.Int).Set(x)} }

// IntOf returns n as an Int.
func IntOf(n int64) Int { return Int{big.NewInt(n)} }

// ParseInt reads the wire string.
func ParseInt(s string) (Int, error) {
	const form = "an integer as a decimal string such as \"12\" or \"-7\""
	digits := s
	if digits != "" && digits[0] == '-' {
		digits = digits[1:]
	}
	ok := digits != "" && (digits[0] != '0' || s == "0")
	for i := 0; i < len(digits) && ok; i++ {
		ok = digits[i] >= '0' && digits[i] <= '9'
	}
	if !ok {
		return Int{}, jcs.Fail(form, fmt.Sprintf("%.60q", s), "no sign +, no leading zeros, no -0, no exponent, no spaces")
	}
	if len(digits) > MaxDigits {
		return Int{}, jcs.Fail(fmt.Sprintf("at most %d digits", MaxDigits), fmt.Sprintf("%d digits", len(digits)), "use a smaller integer")
	}
	v, _ := new(big.Int).SetString(s, 10)
	return Int{v}, nil
}

// Big returns a copy that the caller may change.
func (a Int) Big() *big.Int {
	if a.v == nil {
		return new(big.Int)
	}
	return new(big.Int).Set(a.v)
}

// Int64 returns the value if it fits.
func (a Int) Int64() (int64, bool) {
	if a.v == nil {
		return 0, true
	}
	return a.v.Int64(), a.v.IsInt64()
}

// Sign is −1, 0 or +1.
func (a Int) Sign() int {
	if a.v == nil {
		return 0
	}
	return a.v.Sign()
}

// Cmp compares as big.Int does.
func (a Int) Cmp(b Int) int { return a.Big().Cmp(b.Big()) }

// BitLen is the length of the absolute value in bits.
func (a Int) BitLen() int {
	if a.v == nil {
		return 0
	}
	return a.v.BitLen()
}

func (a Int) String() string {
	if a.v == nil {
		return "0"
	}
	return a.v.String()
}

// MarshalJSON writes the decimal string.
func (a Int) MarshalJSON() ([]byte, error) { return strconv.AppendQuote(nil, a.String()), nil }

// UnmarshalJCS reads the wire form.
func (a *Int) UnmarshalJCS(v jcs.Value) error {
	switch v.Kind() {
	case jcs.Integer:
		*a = IntOf(v.Int())
		return nil
	case jcs.String:
		p, err := ParseInt(v.Text())
		*a = p
		return err
	}
	return jcs.Fail("an integer as a decimal string", v.Brief(), `write "12"`)
}

// SchemaJSON is the JSON Schema of the wire form.
func (Int) SchemaJSON() string {
	return `{"type":["string","integer"],"pattern":"^-?(0|[1-9][0-9]*)$","description":"integer as a decimal string"}`
}
