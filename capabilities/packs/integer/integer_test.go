package integer_test

import (
	"fmt"
	"math/big"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"

	"github.com/jacobian-ledger/jacobian/capabilities/captest"
	"github.com/jacobian-ledger/jacobian/capabilities/packs/integer"
	"github.com/jacobian-ledger/jacobian/events"
	"github.com/jacobian-ledger/jacobian/events/jcs"
)

// output decodes the answer of an operation.
func output[Out any](t *testing.T, id string, input any) Out {
	t.Helper()
	var out Out
	raw := captest.Output(t, integer.Pack(), id, string(jcs.MustMarshal(input)))
	if err := jcs.Decode([]byte(raw), &out); err != nil {
		t.Fatal(err)
	}
	return out
}

type number struct {
	N string `json:"n"`
}

type pair struct {
	A string `json:"a"`
	B string `json:"b"`
}

func n64(n int) number { return number{fmt.Sprint(n)} }

// divisors by trying every number, the independent way for all functions of divisors.
func divisors(n int) []int {
	var out []int
	for d := 1; d <= n; d++ {
		if n%d == 0 {
			out = append(out, d)
		}
	}
	return out
}

func gcd(a, b int) int {
	for b != 0 {
		a, b = b, a%b
	}
	return max(a, -a)
}

func TestArithmeticFunctions_AgreeWithBruteForce(t *testing.T) {
	for n := 1; n <= 300; n++ {
		ds := divisors(n)
		sum, units, squarefree, powerful, radical, primes := 0, 0, true, true, 1, 0
		for _, d := range ds {
			sum += d
			if len(divisors(d)) == 2 {
				primes++
				radical *= d
				squarefree = squarefree && n%(d*d) != 0
				powerful = powerful && n%(d*d) == 0
			}
		}
		exponent := 1 // least k with a^k = 1 for all units a
		var residues []int
		for a := range n {
			if gcd(a, n) == 1 {
				units++
				residues = append(residues, a)
			}
		}
		powers := append([]int{}, residues...)
		for !all(powers, 1%n) {
			for i := range powers {
				powers[i] = powers[i] * residues[i] % n
			}
			exponent++
		}
		mobius := 0
		if squarefree {
			mobius = 1 - 2*(primes%2)
		}
		in := n64(n)
		check := func(id string, want string) {
			t.Helper()
			if got := captest.Output(t, integer.Pack(), id, string(jcs.MustMarshal(in))); got != want {
				t.Errorf("%s(%d) = %s, want %s", id, n, got, want)
			}
		}
		check("integer.compute.divisors", fmt.Sprintf(`{"divisors":[%s]}`, quoted(ds)))
		check("integer.compute.proper_divisors", fmt.Sprintf(`{"divisors":[%s]}`, quoted(ds[:len(ds)-1])))
		check("integer.compute.divisor_count", fmt.Sprintf(`{"divisor_count":"%d"}`, len(ds)))
		check("integer.compute.divisor_sum", fmt.Sprintf(`{"divisor_sum":"%d"}`, sum))
		check("integer.compute.aliquot_sum", fmt.Sprintf(`{"aliquot_sum":"%d"}`, sum-n))
		check("integer.compute.euler_totient", fmt.Sprintf(`{"totient":"%d"}`, units))
		check("integer.compute.carmichael", fmt.Sprintf(`{"carmichael":"%d"}`, exponent))
		check("integer.compute.mobius", fmt.Sprintf(`{"mobius":%d}`, mobius))
		check("integer.compute.radical", fmt.Sprintf(`{"radical":"%d"}`, radical))
		check("integer.decide.perfect", fmt.Sprintf(`{"aliquot_sum":"%d","perfect":%v}`, sum-n, sum == 2*n))
		check("integer.decide.abundant", fmt.Sprintf(`{"abundant":%v,"aliquot_sum":"%d"}`, sum > 2*n, sum-n))
		check("integer.decide.deficient", fmt.Sprintf(`{"aliquot_sum":"%d","deficient":%v}`, sum-n, sum < 2*n))
		if got := output[integer.SquarefreeOutput](t, "integer.decide.squarefree", in); got.Squarefree != squarefree {
			t.Errorf("squarefree(%d) = %+v", n, got)
		}
		if got := output[integer.PowerfulOutput](t, "integer.decide.powerful", in); got.Powerful != powerful {
			t.Errorf("powerful(%d) = %+v", n, got)
		}
	}
}

func all(list []int, x int) bool {
	for _, y := range list {
		if y != x {
			return false
		}
	}
	return true
}

func quoted(list []int) string {
	words := make([]string, 0, len(list))
	for _, x := range list {
		words = append(words, fmt.Sprintf(`"%d"`, x))
	}
	return strings.Join(words, ",")
}

func TestKnownAnswers(t *testing.T) {
	for name, c := range map[string]struct{ id, in, want string }{
		"C-50":                         {"integer.compute.power_mod", `{"base":5,"exponent":999999,"modulus":7}`, `{"residue":"6"}`},
		"C-53 of the first two":        {"integer.compute.lcm", `{"a":8,"b":12}`, `{"lcm":"24"}`},
		"C-67":                         {"integer.compute.gcd", `{"a":-4,"b":6}`, `{"gcd":"2"}`},
		"C-67 lcm":                     {"integer.compute.lcm", `{"a":-4,"b":-6}`, `{"lcm":"12"}`},
		"example 18, proper divisors":  {"integer.compute.proper_divisors", `{"n":1}`, `{"divisors":[]}`},
		"example 24, 8":                {"integer.decide.powerful", `{"n":8}`, `{"powerful":true}`},
		"example 24, 9":                {"integer.decide.powerful", `{"n":9}`, `{"powerful":true}`},
		"example 24, 16":               {"integer.decide.powerful", `{"n":16}`, `{"powerful":true}`},
		"example 24, 12":               {"integer.decide.powerful", `{"n":12}`, `{"powerful":false,"violating_prime":"3"}`},
		"primes to a milliard":         {"integer.compute.prime_count", `{"n":1000000000}`, `{"prime_count":"50847534"}`},
		"the millionth prime":          {"integer.compute.nth_prime", `{"n":1000000}`, `{"prime":"15485863"}`},
		"modulus 1":                    {"integer.compute.power_mod", `{"base":0,"exponent":0,"modulus":1}`, `{"residue":"0"}`},
		"zero to the zero":             {"integer.compute.power_mod", `{"base":0,"exponent":0,"modulus":4}`, `{"residue":"1"}`},
		"huge exponent":                {"integer.compute.power_mod", `{"base":2,"exponent":"1000000000000000000000000000000","modulus":"1000003"}`, ""},
		"valuation of a large power":   {"integer.compute.valuation", `{"base":"10","n":"1` + strings.Repeat("0", 999) + `"}`, `{"cofactor":"1","valuation":999}`},
		"valuation by a composite":     {"integer.compute.valuation", `{"base":"12","n":"20736"}`, `{"cofactor":"1","valuation":4}`},
		"root of degree above the log": {"integer.compute.nth_root", `{"k":1000000000,"n":"5"}`, `{"exact":false,"remainder":"4","root":"1"}`},
	} {
		t.Run(name, func(t *testing.T) {
			got := captest.Output(t, integer.Pack(), c.id, c.in)
			if c.want == "" {
				c.want = fmt.Sprintf(`{"residue":"%s"}`, powerByReducedExponent())
			}
			if got != c.want {
				t.Errorf("%s, want %s", got, c.want)
			}
		})
	}
}

// powerByReducedExponent is 2^(10^30) modulo the prime 1000003 by Fermat's theorem.
func powerByReducedExponent() string {
	p := big.NewInt(1000003)
	e := new(big.Int).Exp(big.NewInt(10), big.NewInt(30), big.NewInt(1000002))
	x := big.NewInt(1)
	for range int(e.Int64()) {
		x.Lsh(x, 1)
		if x.Cmp(p) >= 0 {
			x.Sub(x, p)
		}
	}
	return x.String()
}

func TestPrimorial_C51(t *testing.T) {
	for n, digits := range map[int]int{113: 256, 114: 259, 1000: 3393} {
		out := output[integer.PrimorialOutput](t, "integer.compute.primorial", map[string]int{"n": n})
		if got := len(out.Primorial.String()); got != digits {
			t.Errorf("C-51: %d primes: %d digits, want %d", n, got, digits)
		}
	}
}

func TestLCM_C53(t *testing.T) {
	l := "1"
	for _, x := range []int{8, 12, 14, 18, 20, 30, 72, 84} {
		l = output[integer.LCMOutput](t, "integer.compute.lcm", pair{l, fmt.Sprint(x)}).LCM.String()
	}
	if l != "2520" {
		t.Errorf("C-53: %s", l)
	}
}

func TestIntegersUnchanged_C55(t *testing.T) {
	for _, s := range []string{"9007199254740993", "1915883588174806058", "7960607143101464576", "2512292042121000001", "-7108510333361982070"} {
		got := output[integer.GCDOutput](t, "integer.compute.gcd", pair{s, "0"}).GCD.String()
		if got != strings.TrimPrefix(s, "-") {
			t.Errorf("C-55: %s became %s", s, got)
		}
	}
}

func TestRefusals(t *testing.T) {
	for name, c := range map[string]struct {
		id, in, path string
		code         events.Code
	}{
		"example 18, previous prime below 2":  {"integer.compute.previous_prime", `{"n":2}`, "/n", events.CodeNotApplicable},
		"example 18, divisors of 0":           {"integer.compute.divisors", `{"n":0}`, "/n", events.CodeNotApplicable},
		"totient of 0":                        {"integer.compute.euler_totient", `{"n":0}`, "/n", events.CodeNotApplicable},
		"mobius of a negative":                {"integer.compute.mobius", `{"n":-3}`, "/n", events.CodeNotApplicable},
		"square root of a negative":           {"integer.compute.floor_square_root", `{"n":-1}`, "/n", events.CodeNotApplicable},
		"even root of a negative":             {"integer.compute.nth_root", `{"k":2,"n":-1}`, "/n", events.CodeNotApplicable},
		"root of degree 0":                    {"integer.compute.nth_root", `{"k":0,"n":1}`, "/k", events.CodeInvalidRequest},
		"base 1":                              {"integer.transform.base_digits", `{"base":1,"n":1}`, "/base", events.CodeInvalidRequest},
		"base too large":                      {"integer.transform.base_digits", `{"base":1000001,"n":1}`, "/base", events.CodeLimitExceeded},
		"valuation of 0":                      {"integer.compute.valuation", `{"base":2,"n":0}`, "/n", events.CodeNotApplicable},
		"valuation at 1":                      {"integer.compute.valuation", `{"base":1,"n":5}`, "/base", events.CodeInvalidRequest},
		"modulus 0":                           {"integer.compute.power_mod", `{"base":2,"exponent":1,"modulus":0}`, "/modulus", events.CodeInvalidRequest},
		"no inverse":                          {"integer.compute.power_mod", `{"base":2,"exponent":-1,"modulus":4}`, "/base", events.CodeNotApplicable},
		"prime count beyond the limit":        {"integer.compute.prime_count", `{"n":"1000000000001"}`, "/n", events.CodeLimitExceeded},
		"zeroth prime":                        {"integer.compute.nth_prime", `{"n":0}`, "/n", events.CodeNotApplicable},
		"primorial of a negative":             {"integer.compute.primorial", `{"n":-1}`, "/n", events.CodeInvalidRequest},
		"primorial beyond the limit":          {"integer.compute.primorial", `{"n":7001}`, "/n", events.CodeLimitExceeded},
		"long number to a prime test":         {"integer.decide.prime", `{"n":"` + strings.Repeat("7", 2001) + `"}`, "/n", events.CodeLimitExceeded},
		"long number to a root":               {"integer.compute.floor_square_root", `{"n":"` + strings.Repeat("7", 10001) + `"}`, "/n", events.CodeLimitExceeded},
		"too many divisors":                   {"integer.compute.divisors", `{"n":"65214507758400"}`, "/n", events.CodeLimitExceeded},
		"a fraction":                          {"integer.compute.sign", `{"n":"1/2"}`, "/n", events.CodeInvalidRequest},
		"an exponent":                         {"integer.compute.sign", `{"n":"1e3"}`, "/n", events.CodeInvalidRequest},
		"minus zero":                          {"integer.compute.sign", `{"n":"-0"}`, "/n", events.CodeInvalidRequest},
		"beyond every digit limit of a value": {"integer.compute.sign", `{"n":"` + strings.Repeat("1", 40000) + `"}`, "/n", events.CodeInvalidRequest},
	} {
		t.Run(name, func(t *testing.T) {
			e := captest.Refusal(t, integer.Pack(), c.id, c.in)
			if e.Code != c.code || e.Path != c.path || e.Expected == "" || e.Actual == "" {
				t.Errorf("%+v", e)
			}
		})
	}
}

func TestRootsAndDigits_AgreeWithBruteForce(t *testing.T) {
	for n := -200; n <= 200; n++ {
		square := output[integer.SquareOutput](t, "integer.decide.square", n64(n))
		want := false
		for r := 0; r <= 15; r++ {
			want = want || r*r == n
		}
		if square.Square != want {
			t.Errorf("square(%d) = %+v", n, square)
		}
		for k := 1; k <= 5; k++ {
			if n < 0 && k%2 == 0 {
				continue
			}
			r := 0
			if n < 0 {
				r = -300
			}
			for pow(r+1, k) <= n {
				r++
			}
			got := output[integer.RootOutput](t, "integer.compute.nth_root", map[string]any{"n": fmt.Sprint(n), "k": k})
			if got.Root.String() != fmt.Sprint(r) || got.Remainder.String() != fmt.Sprint(n-pow(r, k)) || got.Exact != (pow(r, k) == n) {
				t.Errorf("root %d of %d: %+v, want %d", k, n, got, r)
			}
		}
		sum, count := 0, 0
		for m := max(n, -n); m > 0 || count == 0; m /= 10 {
			sum, count = sum+m%10, count+1
		}
		if got := output[integer.DigitSumOutput](t, "integer.compute.decimal_digit_sum", n64(n)); got.DigitSum.String() != fmt.Sprint(sum) {
			t.Errorf("digit sum of %d: %+v", n, got)
		}
		if got := output[integer.DigitCountOutput](t, "integer.compute.decimal_digit_count", n64(n)); got.DigitCount != count {
			t.Errorf("digit count of %d: %+v", n, got)
		}
	}
}

func pow(x, k int) int {
	p := 1
	for range k {
		p *= x
	}
	return p
}

func TestBaseDigits_EvaluateBack(t *testing.T) {
	rapid.Check(t, func(rt *rapid.T) {
		n := rapid.Int64().Draw(rt, "n")
		base := rapid.IntRange(2, 1_000_000).Draw(rt, "base")
		out := output[integer.BaseDigitsOutput](t, "integer.transform.base_digits", map[string]any{"n": fmt.Sprint(n), "base": base})
		x := new(big.Int)
		for i, d := range out.Digits {
			if d < 0 || d >= base || (i == 0 && d == 0 && n != 0) {
				rt.Fatalf("digit %d of %v", i, out)
			}
			x.Mul(x, big.NewInt(int64(base)))
			x.Add(x, big.NewInt(int64(d)))
		}
		if x.Mul(x, big.NewInt(int64(out.Sign))).Cmp(big.NewInt(n)) != 0 {
			rt.Fatalf("%d in base %d: %v", n, base, out)
		}
	})
}

func TestExtendedGCD_Identity(t *testing.T) {
	for a := -30; a <= 30; a++ {
		for b := -30; b <= 30; b++ {
			out := output[integer.ExtendedGCDOutput](t, "integer.compute.extended_gcd", pair{fmt.Sprint(a), fmt.Sprint(b)})
			g, _ := out.GCD.Int64()
			x, _ := out.X.Int64()
			y, _ := out.Y.Int64()
			if int(g) != gcd(a, b) || int64(a)*x+int64(b)*y != g {
				t.Fatalf("%d, %d: %+v", a, b, out)
			}
			if b != 0 && (x < 0 || x >= int64(max(b, -b))/g) {
				t.Errorf("%d, %d: x = %d is not the least", a, b, x)
			}
			lcm := 0
			if a != 0 && b != 0 {
				for lcm = max(a, -a); lcm%b != 0; lcm += max(a, -a) {
				}
			}
			if got := output[integer.LCMOutput](t, "integer.compute.lcm", pair{fmt.Sprint(a), fmt.Sprint(b)}); got.LCM.String() != fmt.Sprint(lcm) {
				t.Errorf("lcm(%d, %d) = %+v", a, b, got)
			}
			divides := a == 0 && b == 0
			for k := -30; k <= 30 && a != 0; k++ {
				divides = divides || a*k == b
			}
			if got := output[integer.DividesOutput](t, "integer.decide.divides", map[string]int{"d": a, "n": b}); got.Divides != divides {
				t.Errorf("%d | %d: %+v", a, b, got)
			}
			if got := output[integer.CoprimeOutput](t, "integer.decide.coprime", pair{fmt.Sprint(a), fmt.Sprint(b)}); got.Coprime != (gcd(a, b) == 1) {
				t.Errorf("coprime(%d, %d): %+v", a, b, got)
			}
		}
	}
}

func TestPrimes_CountIndexAndNeighboursAgree(t *testing.T) {
	const most = 600
	var primes []int
	for n := 2; n < most; n++ {
		if len(divisors(n)) == 2 {
			primes = append(primes, n)
		}
	}
	count := 0
	for n := range primes[len(primes)-1] {
		if count < len(primes) && primes[count] == n {
			count++
		}
		if got := output[integer.PrimeCountOutput](t, "integer.compute.prime_count", n64(n)); got.PrimeCount.String() != fmt.Sprint(count) {
			t.Errorf("pi(%d) = %+v, want %d", n, got, count)
		}
		if got := output[integer.NeighbourOutput](t, "integer.compute.next_prime", n64(n)); got.Prime.String() != fmt.Sprint(primes[count]) || !got.Proved {
			t.Errorf("next prime after %d: %+v", n, got)
		}
	}
	for i, p := range primes {
		if got := output[integer.PrimeValueOutput](t, "integer.compute.nth_prime", n64(i+1)); got.Prime.String() != fmt.Sprint(p) {
			t.Errorf("prime %d: %+v, want %d", i+1, got, p)
		}
		if i > 0 {
			if got := output[integer.NeighbourOutput](t, "integer.compute.previous_prime", n64(p)); got.Prime.String() != fmt.Sprint(primes[i-1]) {
				t.Errorf("previous prime before %d: %+v", p, got)
			}
		}
	}
}

// TestNthPrime_AroundTheEstimate compares with a plain sieve where the answer is below and above the
// estimate from which the search starts.
func TestNthPrime_AroundTheEstimate(t *testing.T) {
	const most = 200_000
	composite := make([]bool, most)
	var primes []int
	for n := 2; n < most; n++ {
		if !composite[n] {
			primes = append(primes, n)
			for m := 2 * n; m < most; m += n {
				composite[m] = true
			}
		}
	}
	for i := 0; i < len(primes); i += 211 {
		if got := output[integer.PrimeValueOutput](t, "integer.compute.nth_prime", n64(i+1)); got.Prime.String() != fmt.Sprint(primes[i]) {
			t.Errorf("prime %d: %+v, want %d", i+1, got, primes[i])
		}
	}
}

func TestSignAndParity(t *testing.T) {
	for n := -5; n <= 5; n++ {
		sign := 0
		switch {
		case n > 0:
			sign = 1
		case n < 0:
			sign = -1
		}
		odd := n == -5 || n == -3 || n == -1 || n == 1 || n == 3 || n == 5
		got := []any{
			output[integer.SignOutput](t, "integer.compute.sign", n64(n)).Sign,
			output[integer.AbsoluteValueOutput](t, "integer.compute.absolute_value", n64(n)).AbsoluteValue.String(),
			output[integer.EvenOutput](t, "integer.decide.even", n64(n)).Even,
			output[integer.OddOutput](t, "integer.decide.odd", n64(n)).Odd,
		}
		if diff := cmp.Diff([]any{sign, fmt.Sprint(n * sign), !odd, odd}, got); diff != "" {
			t.Errorf("%d: %s", n, diff)
		}
	}
}
