package values

import (
	"fmt"
	"math/big"
	"strings"

	"github.com/jacobian-ledger/jacobian/events/jcs"
)

// Rat is a rational number in lowest terms with a positive denominator. Its wire form is
// {"num":"1","den":"2"}; "1/2", "3" and a JSON integer are also read and normalised, so that equal
// numbers have one address. The zero value is 0. Rat is immutable.
type Rat struct{ v *big.Rat }

// NewRat copies x.
func NewRat(x *big.Rat) Rat { return Rat{new(big.Rat).Set(x)} }

// RatOf returns num/den; it panics if den is 0.
func RatOf(num, den int64) Rat { return Rat{big.NewRat(num, den)} }

// Big returns a copy that the caller may change.
func (a Rat) Big() *big.Rat {
	if a.v == nil {
		return new(big.Rat)
	}
	return new(big.Rat).Set(a.v)
}

// Sign is −1, 0 or +1.
func (a Rat) Sign() int {
	if a.v == nil {
		return 0
	}
	return a.v.Sign()
}

// Cmp compares as big.Rat does.
func (a Rat) Cmp(b Rat) int { return a.Big().Cmp(b.Big()) }

// IsInt reports whether the denominator is 1.
func (a Rat) IsInt() bool { return a.v == nil || a.v.IsInt() }

// Num is the numerator, which carries the sign.
func (a Rat) Num() Int { return NewInt(a.Big().Num()) }

// Den is the denominator, at least 1.
func (a Rat) Den() Int { return NewInt(a.Big().Denom()) }

// String is "p/q", or "p" for an integer.
func (a Rat) String() string { return a.Big().RatString() }

// MarshalJSON writes {"den":"q","num":"p"}.
func (a Rat) MarshalJSON() ([]byte, error) {
	r := a.Big()
	return fmt.Appendf(nil, `{"den":"%s","num":"%s"}`, r.Denom(), r.Num()), nil
}

// UnmarshalJCS reads the wire form and the accepted spellings.
func (a *Rat) UnmarshalJCS(v jcs.Value) error {
	var num, den Int
	switch v.Kind() {
	case jcs.Integer:
		num, den = IntOf(v.Int()), IntOf(1)
	case jcs.String:
		p, q, slash := strings.Cut(v.Text(), "/")
		if !slash {
			q = "1"
		}
		var err error
		if num, err = ParseInt(p); err == nil {
			den, err = ParseInt(q)
		}
		if err != nil {
			return jcs.Fail(`a rational such as {"num":"1","den":"2"}, "1/2" or "3"`, v.Brief(), "decimals and exponents are not exact: write a fraction")
		}
	case jcs.Object:
		var w struct {
			Num Int `json:"num"`
			Den Int `json:"den"`
		}
		if err := v.Decode(&w); err != nil {
			return err
		}
		num, den = w.Num, w.Den
	default:
		return jcs.Fail(`a rational such as {"num":"1","den":"2"}, "1/2" or "3"`, v.Brief(), "")
	}
	if den.Sign() <= 0 {
		return jcs.In("den", jcs.Fail("a positive denominator", den.String(), "put the sign on the numerator"))
	}
	*a = Rat{new(big.Rat).SetFrac(num.Big(), den.Big())}
	return nil
}

// SchemaJSON is the JSON Schema of the wire form and the accepted spellings.
func (Rat) SchemaJSON() string {
	return `{"description":"rational {num, den}; \"p/q\" and integers are also read","anyOf":[{"type":"object","properties":{"num":{"type":["string","integer"],"pattern":"^-?(0|[1-9][0-9]*)$"},"den":{"type":["string","integer"],"pattern":"^[1-9][0-9]*$"}},"required":["num","den"],"additionalProperties":false},{"type":"string","pattern":"^-?(0|[1-9][0-9]*)(/[1-9][0-9]*)?$"},{"type":"integer"}]}`
}
