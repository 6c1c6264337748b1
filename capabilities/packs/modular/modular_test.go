package modular_test

import (
	"fmt"
	"math/big"
	"strings"
	"testing"

	"github.com/jacobian-ledger/jacobian/capabilities/captest"
	"github.com/jacobian-ledger/jacobian/capabilities/checkers"
	checker "github.com/jacobian-ledger/jacobian/capabilities/checkers/modular"
	"github.com/jacobian-ledger/jacobian/capabilities/packs/modular"
	"github.com/jacobian-ledger/jacobian/events"
	"github.com/jacobian-ledger/jacobian/events/jcs"
)

func TestPack(t *testing.T) { captest.TestPack(t, modular.Pack(), checker.Checker()) }

// decided runs a certified operation, has its evidence checked, and decodes its answer.
func decided[Out any](t *testing.T, id, input string) (Out, checkers.Verdict) {
	t.Helper()
	call, done, err := captest.Call(t, captest.Find(t, modular.Pack(), id), input)
	if err != nil || done.Evidence == nil {
		t.Fatalf("%s %s: evidence %v, %v", id, input, done.Evidence, err)
	}
	k := checker.Checker()
	v, err := k.Check(t.Context(), checkers.Evidence{Claim: *call.Claim, Candidate: done.Output, Format: done.Evidence.Format, Certificate: done.Evidence.Data})
	if err != nil || !v.Accepted {
		t.Fatalf("%s %s: %s: %+v, %v", id, input, done.Output, v, err)
	}
	var out Out
	if err := jcs.Decode(done.Output, &out); err != nil {
		t.Fatal(err)
	}
	return out, v
}

// least finds the least exponent by going through the powers until they repeat; −1 if there is none.
func least(base, target, m int) int {
	seen := map[int]bool{}
	for i, x := 0, 1%m; !seen[x]; i, x = i+1, x*base%m {
		if x == target%m {
			return i
		}
		seen[x] = true
	}
	return -1
}

func TestDiscreteLogarithm_AgreesWithBruteForce(t *testing.T) {
	for m := 1; m <= 26; m++ {
		for base := range m {
			for target := range m {
				in := fmt.Sprintf(`{"base":%d,"modulus":%d,"target":%d}`, base, m, target)
				out, v := decided[modular.LogarithmOutput](t, "modular.compute.discrete_logarithm", in)
				want := least(base, target, m)
				if out.Exists != (want >= 0) || (want >= 0 && out.Logarithm.String() != fmt.Sprint(want)) || (v.Conclusion == events.True) != out.Exists {
					t.Fatalf("%s: %+v, want %d; %+v", in, out, want, v)
				}
			}
		}
	}
}

func TestDiscreteLogarithm_KnownAnswers(t *testing.T) {
	for name, c := range map[string]struct{ in, want string }{
		"C-47 2^x = 4 mod 6":                                   {`{"base":2,"modulus":6,"target":4}`, "2"},
		"C-47 2^x = 16 mod 10":                                 {`{"base":2,"modulus":10,"target":16}`, "4"},
		"C-47 29^x = 29 mod 1073":                              {`{"base":29,"modulus":1073,"target":29}`, "1"},
		"C-47 2^x = 0 mod 1":                                   {`{"base":2,"modulus":1,"target":0}`, "0"},
		"C-47 0^x = 1 mod 4":                                   {`{"base":0,"modulus":4,"target":1}`, "0"},
		"negative base and target":                             {`{"base":-3,"modulus":7,"target":-5}`, "2"},
		"a large smooth order":                                 {`{"base":3,"modulus":"3825123056546413051","target":"1"}`, "0"},
		"equal low words: (1 + 2^64)^x = 1 + 2^64·x mod 2^100": {`{"base":"18446744073709551617","modulus":"1267650600228229401496703205376","target":"227737579102942800187821654017"}`, "12345678901"},
	} {
		t.Run(name, func(t *testing.T) {
			out, _ := decided[modular.LogarithmOutput](t, "modular.compute.discrete_logarithm", c.in)
			if !out.Exists || out.Logarithm.String() != c.want {
				t.Errorf("%+v, want %s", out, c.want)
			}
		})
	}
}

func TestDiscreteLogarithm_LargePrimeModulus(t *testing.T) {
	p, x := big.NewInt(1000000000039), big.NewInt(987654321)
	target := new(big.Int).Exp(big.NewInt(7), x, p)
	out, _ := decided[modular.LogarithmOutput](t, "modular.compute.discrete_logarithm", fmt.Sprintf(`{"base":7,"modulus":"%s","target":"%s"}`, p, target))
	got := out.Logarithm.Big()
	if !out.Exists || got.Cmp(x) > 0 || new(big.Int).Exp(big.NewInt(7), got, p).Cmp(target) != 0 {
		t.Errorf("%+v", out)
	}
}

// TestDiscreteLogarithm_WithoutCertificate has a target outside a large subgroup of a group that is not
// cyclic, although its order divides that of the base: nothing short refutes it.
func TestDiscreteLogarithm_WithoutCertificate(t *testing.T) {
	// 5 generates the units modulo the prime 2000003; the base is 5 there and 1 modulo 2000029, the target
	// is 1 there and −1 modulo 2000029.
	join := func(r, s int64) string {
		raw := captest.Output(t, modular.Pack(), "modular.solve.chinese_remainder", fmt.Sprintf(`{"congruences":[{"modulus":2000003,"residue":%d},{"modulus":2000029,"residue":%d}]}`, r, s))
		var out modular.CongruencesOutput
		if err := jcs.Decode([]byte(raw), &out); err != nil {
			t.Fatal(err)
		}
		return out.Residue.String()
	}
	_, done, err := captest.Call(t, captest.Find(t, modular.Pack(), "modular.compute.discrete_logarithm"),
		fmt.Sprintf(`{"base":"%s","modulus":"%d","target":"%s"}`, join(5, 1), 2000003*2000029, join(1, -1)))
	if err != nil || done.Evidence != nil || done.Conclusion != events.False || len(done.Notes) == 0 {
		t.Errorf("%+v, %v", done, err)
	}
}

func TestMultiplicativeOrder_AgreesWithBruteForce(t *testing.T) {
	for m := 1; m <= 120; m++ {
		for a := -3; a < m; a++ {
			r := (a%m + m) % m
			if gcd(r, m) != 1 {
				continue
			}
			want := 1
			for x := r % m; x != 1%m; x = x * r % m {
				want++
			}
			in := fmt.Sprintf(`{"a":%d,"modulus":%d}`, a, m)
			if out, _ := decided[modular.OrderOutput](t, "modular.compute.multiplicative_order", in); out.Order.String() != fmt.Sprint(want) {
				t.Fatalf("%s: %+v, want %d", in, out, want)
			}
		}
	}
}

func TestMultiplicativeOrder_LargeModulus(t *testing.T) {
	// 2 has order 89 modulo the Mersenne prime 2^89 − 1.
	out, _ := decided[modular.OrderOutput](t, "modular.compute.multiplicative_order", `{"a":2,"modulus":"618970019642690137449562111"}`)
	if out.Order.String() != "89" {
		t.Errorf("%+v", out)
	}
	// A generator of a group with large primes in its order: the certificate has Pratt steps.
	out, _ = decided[modular.OrderOutput](t, "modular.compute.multiplicative_order", `{"a":3,"modulus":"618970019642690137449562111"}`)
	if len(out.Order.String()) < 20 {
		t.Errorf("%+v", out)
	}
}

func gcd(a, b int) int {
	for b != 0 {
		a, b = b, a%b
	}
	return a
}

func TestLinear_AgreesWithBruteForce(t *testing.T) {
	for m := 1; m <= 14; m++ {
		for a := -5; a <= 14; a++ {
			for b := -5; b <= 14; b++ {
				var all []int
				for x := range m {
					if (a*x-b)%m == 0 {
						all = append(all, x)
					}
				}
				in := fmt.Sprintf(`{"a":%d,"b":%d,"modulus":%d}`, a, b, m)
				out, v := decided[modular.LinearOutput](t, "modular.solve.linear", in)
				if out.Solvable != (len(all) > 0) || (v.Conclusion == events.True) != out.Solvable {
					t.Fatalf("%s: %+v", in, out)
				}
				if out.Solvable && (out.Residue.String() != fmt.Sprint(all[0]) || out.Modulus.String() != fmt.Sprint(m/len(all)) || out.GCD.String() != fmt.Sprint(len(all))) {
					t.Fatalf("%s: %+v, want %v", in, out, all)
				}
				if b == 1 && len(all) == 1 {
					raw := captest.Output(t, modular.Pack(), "modular.compute.inverse", fmt.Sprintf(`{"a":%d,"modulus":%d}`, a, m))
					if raw != fmt.Sprintf(`{"inverse":"%d"}`, all[0]) {
						t.Fatalf("inverse of %d modulo %d: %s", a, m, raw)
					}
				}
			}
		}
	}
}

func TestChineseRemainder_AgreesWithBruteForce(t *testing.T) {
	for m1 := 1; m1 <= 6; m1++ {
		for m2 := 1; m2 <= 6; m2++ {
			for m3 := 1; m3 <= 4; m3++ {
				for r := range m1 * m2 * m3 {
					r1, r2, r3 := r%m1, r/m1%m2, r/m1/m2
					lcm := 1
					for lcm%m1 != 0 || lcm%m2 != 0 || lcm%m3 != 0 {
						lcm++
					}
					want := -1
					for x := range lcm {
						if x%m1 == r1 && x%m2 == r2 && x%m3 == r3 {
							want = x
						}
					}
					in := fmt.Sprintf(`{"congruences":[{"modulus":%d,"residue":%d},{"modulus":%d,"residue":%d},{"modulus":%d,"residue":%d}]}`, m1, r1, m2, r2, m3, r3-m3)
					out, _ := decided[modular.CongruencesOutput](t, "modular.solve.chinese_remainder", in)
					if out.Solvable != (want >= 0) || (want >= 0 && (out.Residue.String() != fmt.Sprint(want) || out.Modulus.String() != fmt.Sprint(lcm))) {
						t.Fatalf("%s: %+v, want %d modulo %d", in, out, want, lcm)
					}
				}
			}
		}
	}
}

func TestQuadraticResidues_AgreeWithBruteForce(t *testing.T) {
	for m := 1; m <= 80; m++ {
		var words []string
		for r := range m {
			for x := range m {
				if x*x%m == r {
					words = append(words, fmt.Sprintf(`"%d"`, r))
					break
				}
			}
		}
		want := `{"residues":[` + strings.Join(words, ",") + `]}`
		if got := captest.Output(t, modular.Pack(), "modular.enumerate.quadratic_residues", fmt.Sprintf(`{"modulus":%d}`, m)); got != want {
			t.Errorf("%d: %s, want %s", m, got, want)
		}
	}
}

func TestWorkedExamples(t *testing.T) {
	for name, c := range map[string]struct{ id, in, want string }{
		"example 17": {"modular.enumerate.quadratic_residues", `{"modulus":10}`, `{"residues":["0","1","4","5","6","9"]}`},
		"example 22": {
			"modular.polynomial_residue_image.compute",
			`{"modulus":9,"variables":["a","b","c"],"domains":[["0","1","2","3","4","5","6","7","8"],["0","1","2","3","4","5","6","7","8"],["0","1","2","3","4","5","6","7","8","-1","9","18"]],` +
				`"terms":[{"coefficient":1,"exponents":[3,0,0]},{"coefficient":1,"exponents":[0,3,0]},{"coefficient":1,"exponents":[0,0,3]},{"coefficient":-3,"exponents":[1,1,1]}]}`, "",
		},
		"example 22 over every residue": {
			"modular.polynomial_residue_image.compute",
			`{"modulus":9,"variables":["a","b","c"],"terms":[{"coefficient":1,"exponents":[3,0,0]},{"coefficient":1,"exponents":[0,3,0]},{"coefficient":1,"exponents":[0,0,3]},{"coefficient":-3,"exponents":[1,1,1]}]}`, "",
		},
		"no variables": {"modular.polynomial_residue_image.compute", `{"modulus":3,"variables":[],"terms":[{"coefficient":5,"exponents":[]}]}`, `{"image":["2"],"missing":["0","1"],"points":1,"table":["2"]}`},
		"no points":    {"modular.polynomial_residue_image.compute", `{"modulus":2,"variables":["x"],"domains":[[]],"terms":[]}`, `{"image":[],"missing":["0","1"],"points":0}`},
		"no terms":     {"modular.polynomial_residue_image.compute", `{"modulus":2,"variables":["x"],"terms":[]}`, `{"image":["0"],"missing":["1"],"points":2,"table":["0","0"]}`},
	} {
		t.Run(name, func(t *testing.T) {
			got := captest.Output(t, modular.Pack(), c.id, c.in)
			if c.want == "" {
				if !strings.HasPrefix(got, `{"image":["0","1","2","4","5","7","8"],"missing":["3","6"],`) {
					t.Errorf("%.100s", got)
				}
			} else if got != c.want {
				t.Errorf("%s, want %s", got, c.want)
			}
		})
	}
}

func TestPolynomialResidueImage_TableAgreesWithDirectEvaluation(t *testing.T) {
	// 3x²y + 2xy³ − 7 over all residues modulo 11
	raw := captest.Output(t, modular.Pack(), "modular.polynomial_residue_image.compute",
		`{"modulus":11,"variables":["x","y"],"terms":[{"coefficient":3,"exponents":[2,1]},{"coefficient":2,"exponents":[1,3]},{"coefficient":-7,"exponents":[0,0]}]}`)
	var out modular.ImageOutput
	if err := jcs.Decode([]byte(raw), &out); err != nil || len(out.Table) != 121 {
		t.Fatalf("%s, %v", raw, err)
	}
	for x := range 11 {
		for y := range 11 {
			want := ((3*x*x*y+2*x*y*y*y-7)%11 + 11) % 11
			if got := out.Table[11*x+y].String(); got != fmt.Sprint(want) {
				t.Errorf("at (%d, %d): %s, want %d", x, y, got, want)
			}
		}
	}
}

func TestRefusals(t *testing.T) {
	for name, c := range map[string]struct {
		id, in, path string
		code         events.Code
	}{
		"example 18, inverse of 6 mod 9": {"modular.compute.inverse", `{"a":6,"modulus":9}`, "/a", events.CodeNotApplicable},
		"inverse modulo 0":               {"modular.compute.inverse", `{"a":6,"modulus":0}`, "/modulus", events.CodeInvalidRequest},
		"order of a non-unit":            {"modular.compute.multiplicative_order", `{"a":6,"modulus":9}`, "/a", events.CodeNotApplicable},
		"order modulo -7":                {"modular.compute.multiplicative_order", `{"a":6,"modulus":-7}`, "/modulus", events.CodeInvalidRequest},
		"long modulus":                   {"modular.compute.discrete_logarithm", `{"base":2,"modulus":"1` + strings.Repeat("0", 300) + `","target":1}`, "/modulus", events.CodeLimitExceeded},
		"large prime in the order":       {"modular.compute.discrete_logarithm", `{"base":43,"modulus":"18446744073710004191","target":5}`, "/modulus", events.CodeLimitExceeded},
		"linear modulo 0":                {"modular.solve.linear", `{"a":1,"b":1,"modulus":0}`, "/modulus", events.CodeInvalidRequest},
		"a congruence modulo 0":          {"modular.solve.chinese_remainder", `{"congruences":[{"modulus":3,"residue":1},{"modulus":0,"residue":1}]}`, "/congruences/1/modulus", events.CodeInvalidRequest},
		"long moduli together":           {"modular.solve.chinese_remainder", `{"congruences":[{"modulus":"1` + strings.Repeat("0", 5100) + `","residue":1},{"modulus":"1` + strings.Repeat("0", 5100) + `","residue":1}]}`, "/congruences/1", events.CodeLimitExceeded},
		"residues of a large modulus":    {"modular.enumerate.quadratic_residues", `{"modulus":20001}`, "/modulus", events.CodeLimitExceeded},
		"missing exponent":               {"modular.polynomial_residue_image.compute", `{"modulus":5,"variables":["x","y"],"terms":[{"coefficient":1,"exponents":[1]}]}`, "/terms/0/exponents", events.CodeInvalidRequest},
		"negative exponent":              {"modular.polynomial_residue_image.compute", `{"modulus":5,"variables":["x"],"terms":[{"coefficient":1,"exponents":[-1]}]}`, "/terms/0/exponents/0", events.CodeInvalidRequest},
		"huge exponent":                  {"modular.polynomial_residue_image.compute", `{"modulus":5,"variables":["x"],"terms":[{"coefficient":1,"exponents":[1000001]}]}`, "/terms/0/exponents/0", events.CodeLimitExceeded},
		"a variable twice":               {"modular.polynomial_residue_image.compute", `{"modulus":5,"variables":["x","x"],"terms":[]}`, "/variables/1", events.CodeInvalidRequest},
		"a domain missing":               {"modular.polynomial_residue_image.compute", `{"modulus":5,"variables":["x","y"],"domains":[["1"]],"terms":[]}`, "/domains", events.CodeInvalidRequest},
		"too many points":                {"modular.polynomial_residue_image.compute", `{"modulus":20000,"variables":["x","y"],"terms":[]}`, "/domains", events.CodeLimitExceeded},
		"too many variables":             {"modular.polynomial_residue_image.compute", `{"modulus":2,"variables":["a","b","c","d","e","f","g","h","i"],"terms":[]}`, "/variables", events.CodeLimitExceeded},
		"C-74 code as coefficient":       {"modular.polynomial_residue_image.compute", `{"modulus":2,"variables":[],"terms":[{"coefficient":"__import__('builtins').len([1,2,3])","exponents":[]}]}`, "/terms/0/coefficient", events.CodeInvalidRequest},
	} {
		t.Run(name, func(t *testing.T) {
			e := captest.Refusal(t, modular.Pack(), c.id, c.in)
			if e.Code != c.code || e.Path != c.path || e.Expected == "" || e.Actual == "" {
				t.Errorf("%+v", e)
			}
		})
	}
}
