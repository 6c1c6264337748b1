package rational_test

import (
	"fmt"
	"math/big"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"github.com/jacobian-ledger/jacobian/capabilities/captest"
	"github.com/jacobian-ledger/jacobian/capabilities/packs/rational"
	"github.com/jacobian-ledger/jacobian/events"
	"github.com/jacobian-ledger/jacobian/events/jcs"
)

func TestPack(t *testing.T) { captest.TestPack(t, rational.Pack()) }

func gcd(a, b int64) int64 {
	for b != 0 {
		a, b = b, a%b
	}
	return max(a, -a)
}

// form is p/q in lowest terms by small integers, the independent way.
func form(p, q int64) string {
	if q < 0 {
		p, q = -p, -q
	}
	g := gcd(p, q)
	return fmt.Sprintf(`{"den":"%d","num":"%d"}`, q/g, p/g)
}

func TestOperations_AgreeWithSmallIntegers(t *testing.T) {
	number := rapid.Int64Range(-1000, 1000)
	positive := rapid.Int64Range(1, 1000)
	rapid.Check(t, func(rt *rapid.T) {
		p, q := number.Draw(rt, "p"), positive.Draw(rt, "q")
		r, s := number.Draw(rt, "r"), positive.Draw(rt, "s")
		pair := fmt.Sprintf(`{"a":"%d/%d","b":"%d/%d"}`, p, q, r, s)
		one := fmt.Sprintf(`{"x":"%d/%d"}`, p, q)
		check := func(id, in, want string) {
			if got := captest.Output(t, rational.Pack(), id, in); got != want {
				rt.Errorf("%s %s = %s, want %s", id, in, got, want)
			}
		}
		wrap := func(name, value string) string { return `{"` + name + `":` + value + `}` }
		check("rational.compute.sum", pair, wrap("sum", form(p*s+r*q, q*s)))
		check("rational.compute.difference", pair, wrap("difference", form(p*s-r*q, q*s)))
		check("rational.compute.product", pair, wrap("product", form(p*r, q*s)))
		if r != 0 {
			check("rational.compute.quotient", pair, wrap("quotient", form(p*s, q*r)))
		}
		if p != 0 {
			check("rational.compute.reciprocal", one, wrap("reciprocal", form(q, p)))
		}
		check("rational.compute.negation", one, wrap("negation", form(-p, q)))
		check("rational.compute.absolute_value", one, wrap("absolute_value", form(max(p, -p), q)))
		check("rational.decide.equal", pair, wrap("equal", fmt.Sprint(p*s == r*q)))
		check("rational.decide.less_than", pair, wrap("less_than", fmt.Sprint(p*s < r*q)))
		least, most := form(p, q), form(r, s)
		if p*s > r*q {
			least, most = most, least
		}
		check("rational.compute.minimum", pair, wrap("minimum", least))
		check("rational.compute.maximum", pair, wrap("maximum", most))
		g, h := gcd(p, q), gcd(r, s)
		check("rational.compute.mediant", pair, wrap("mediant", form(p/g+r/h, q/g+s/h)))
		floor := int64(-1001)
		for (floor+1)*q <= p {
			floor++
		}
		ceiling := int64(1001)
		for (ceiling-1)*q >= p {
			ceiling--
		}
		check("rational.compute.floor", one, wrap("floor", fmt.Sprintf(`"%d"`, floor)))
		check("rational.compute.ceiling", one, wrap("ceiling", fmt.Sprintf(`"%d"`, ceiling)))
	})
}

func TestContinuedFraction_EvaluatesBack(t *testing.T) {
	rapid.Check(t, func(rt *rapid.T) {
		p, q := rapid.Int64Range(-1_000_000, 1_000_000).Draw(rt, "p"), rapid.Int64Range(1, 1_000_000).Draw(rt, "q")
		var out rational.ContinuedFractionOutput
		raw := captest.Output(t, rational.Pack(), "rational.compute.continued_fraction", fmt.Sprintf(`{"x":"%d/%d"}`, p, q))
		if err := jcs.Decode([]byte(raw), &out); err != nil {
			rt.Fatal(err)
		}
		for k := range out.PartialQuotients { // each convergent from the inside out
			x := new(big.Rat).SetInt(out.PartialQuotients[k].Big())
			for i := k - 1; i >= 0; i-- {
				x.Inv(x)
				x.Add(x, new(big.Rat).SetInt(out.PartialQuotients[i].Big()))
			}
			if x.Cmp(out.Convergents[k].Big()) != 0 {
				rt.Fatalf("convergent %d of %s is %s", k, raw, x)
			}
			if k > 0 && out.PartialQuotients[k].Sign() <= 0 {
				rt.Fatalf("quotient %d of %s", k, raw)
			}
		}
		last := len(out.PartialQuotients) - 1
		if out.Convergents[last].Big().Cmp(big.NewRat(p, q)) != 0 || (last > 0 && out.PartialQuotients[last].String() == "1") {
			rt.Fatalf("%d/%d: %s", p, q, raw)
		}
	})
}

// TestSum_C53 adds the reciprocals of the row one after the other.
func TestSum_C53(t *testing.T) {
	sum := `"0"`
	for _, d := range []int{8, 12, 14, 18, 20, 30, 72, 84} {
		raw := captest.Output(t, rational.Pack(), "rational.compute.sum", fmt.Sprintf(`{"a":%s,"b":"1/%d"}`, sum, d))
		sum = strings.TrimSuffix(strings.TrimPrefix(raw, `{"sum":`), `}`)
	}
	if sum != `{"den":"9","num":"4"}` {
		t.Errorf("C-53: %s", sum)
	}
}

func TestRefusals(t *testing.T) {
	for name, c := range map[string]struct {
		id, in, path string
		code         events.Code
	}{
		"quotient by zero":    {"rational.compute.quotient", `{"a":"1/2","b":"0/5"}`, "/b", events.CodeNotApplicable},
		"reciprocal of zero":  {"rational.compute.reciprocal", `{"x":0}`, "/x", events.CodeNotApplicable},
		"zero denominator":    {"rational.compute.negation", `{"x":"1/0"}`, "/x", events.CodeInvalidRequest},
		"a decimal":           {"rational.compute.negation", `{"x":"0.5"}`, "/x", events.CodeInvalidRequest},
		"a negative divisor":  {"rational.compute.negation", `{"x":{"num":"1","den":"-2"}}`, "/x", events.CodeInvalidRequest},
		"C-74 code as number": {"rational.compute.negation", `{"x":"__import__('builtins').len([1,2,3])"}`, "/x", events.CodeInvalidRequest},
		"a long expansion":    {"rational.compute.continued_fraction", `{"x":"1/` + strings.Repeat("3", 501) + `"}`, "/x", events.CodeLimitExceeded},
	} {
		t.Run(name, func(t *testing.T) {
			e := captest.Refusal(t, rational.Pack(), c.id, c.in)
			if e.Code != c.code || !strings.HasPrefix(e.Path, c.path) || e.Expected == "" || e.Actual == "" {
				t.Errorf("%+v", e)
			}
		})
	}
}
