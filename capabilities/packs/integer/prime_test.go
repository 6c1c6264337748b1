package integer_test

import (
	"context"
	"encoding/json"
	"math/big"
	"strings"
	"testing"

	"github.com/jacobian-ledger/jacobian/capabilities/captest"
	"github.com/jacobian-ledger/jacobian/capabilities/checkers"
	"github.com/jacobian-ledger/jacobian/capabilities/checkers/factorization"
	"github.com/jacobian-ledger/jacobian/capabilities/checkers/pratt"
	"github.com/jacobian-ledger/jacobian/capabilities/packs/integer"
	"github.com/jacobian-ledger/jacobian/events"
	"github.com/jacobian-ledger/jacobian/events/jcs"
)

// decided runs a certified operation and has its evidence checked.
func decided(t *testing.T, k checkers.Checker, id, input string) (string, checkers.Verdict) {
	t.Helper()
	call, done, err := captest.Call(t, captest.Find(t, integer.Pack(), id), input)
	if err != nil {
		t.Fatalf("%s %s: %v", id, input, err)
	}
	if done.Evidence == nil {
		t.Fatalf("%s %s: no evidence", id, input)
	}
	v, err := k.Check(t.Context(), checkers.Evidence{Claim: *call.Claim, Candidate: done.Output, Format: done.Evidence.Format, Certificate: done.Evidence.Data})
	if err != nil || !v.Accepted {
		t.Fatalf("%s %s: %+v, %v", id, input, v, err)
	}
	return string(done.Output), v
}

func TestPrime_KnownAnswers(t *testing.T) {
	for name, c := range map[string]struct {
		n    string
		want events.Conclusion
	}{
		"C-40 first":             {"2007193456621", events.False},
		"C-40 second":            {"2744715551581", events.False},
		"C-41":                   {"62119104158988074251", events.False},
		"C-43":                   {"18446744073710004191", events.True},
		"C-44 341":               {"341", events.False},
		"C-44 2047":              {"2047", events.False},
		"C-46 two":               {"2", events.True},
		"C-46 zero":              {"0", events.False},
		"C-46 one":               {"1", events.False},
		"C-46 negative":          {"-7", events.False},
		"Mersenne 2^89-1":        {"618970019642690137449562111", events.True},
		"Mersenne 2^127-1":       {"170141183460469231731687303715884105727", events.True},
		"2^67-1 of Cole":         {"147573952589676412927", events.False},
		"RSA-100":                {"1522605027922533360535618378132637429718068114961380688657908494580122963258952897654000350692006139", events.False},
		"Arnault's 397 digits":   {arnault(), events.False},
		"three, the least odd":   {"3", events.True},
		"square of a prime":      {"1000006000009", events.False},
		"Carmichael 561":         {"561", events.False},
		"strong to 2, 3, 5, 7":   {"3215031751", events.False},
		"strong to primes to 37": {"318665857834031151167461", events.False},
	} {
		t.Run(name, func(t *testing.T) {
			_, v := decided(t, pratt.Checker(), "integer.decide.prime", `{"n":"`+c.n+`"}`)
			if v.Conclusion != c.want {
				t.Errorf("%s, want %s", v.Conclusion, c.want)
			}
		})
	}
}

// arnault is p(313(p−1)+1)(353(p−1)+1), a strong pseudoprime to every prime base below 307
// (F. Arnault, Journal of Symbolic Computation 20 (1995)).
func arnault() string {
	p, _ := new(big.Int).SetString("29674495668685510550154174642905332730771991799853043350995075531276838753171770199594238596428121188033664754218345562493168782883", 10)
	n, less := new(big.Int).Set(p), new(big.Int).Sub(p, big.NewInt(1))
	for _, k := range []int64{313, 353} {
		q := new(big.Int).Mul(less, big.NewInt(k))
		n.Mul(n, q.Add(q, big.NewInt(1)))
	}
	return n.String()
}

func TestPrime_AgreesWithSieve(t *testing.T) {
	const most = 2000
	composite := make([]bool, most)
	for d := 2; d < most; d++ {
		for m := 2 * d; m < most; m += d {
			composite[m] = true
		}
	}
	for n := range most {
		_, v := decided(t, pratt.Checker(), "integer.decide.prime", string(jcs.MustMarshal(map[string]int{"n": n})))
		if want := n >= 2 && !composite[n]; (v.Conclusion == events.True) != want {
			t.Errorf("%d: %s", n, v.Conclusion)
		}
	}
}

func TestPrime_WithoutProofIsUnknown(t *testing.T) {
	// 2·k·p·q + 1 for the least k that makes it a probable prime, with p and q of 31 digits: n − 1 has no
	// factor within reach of the allowed curves.
	hard, _ := new(big.Int).SetString("1000000000000000000000000000057", 10)
	other, _ := new(big.Int).SetString("3000000000000000000000000000067", 10)
	for ; !other.ProbablyPrime(0); other.Add(other, big.NewInt(2)) {
	}
	if !hard.ProbablyPrime(0) {
		t.Fatal("the first factor is not prime")
	}
	hard.Mul(hard, other).Lsh(hard, 1)
	n := new(big.Int)
	for k := int64(1); ; k++ {
		n.Mul(hard, big.NewInt(k))
		if n.Add(n, big.NewInt(1)).ProbablyPrime(0) {
			break
		}
	}
	_, done, err := captest.Call(t, captest.Find(t, integer.Pack(), "integer.decide.prime"), `{"n":"`+n.String()+`"}`)
	if err != nil || done.Evidence != nil || done.Conclusion != events.Unknown || done.Level != events.Heuristic || string(done.Output) != `{"status":"PROBABLE_PRIME"}` {
		t.Errorf("%+v, %v", done, err)
	}
	if len(done.Notes) == 0 || done.Scope == nil {
		t.Error("no note or scope")
	}
}

func TestPrimeFactorization_KnownAnswers(t *testing.T) {
	for name, c := range map[string]struct{ n, want string }{
		"C-40 first":       {"2007193456621", "1001797 2003593"},
		"C-40 second":      {"2744715551581", "1171477 2342953"},
		"C-41":             {"62119104158988074251", "1113451 5567251 10021051"},
		"C-52":             {"65214507758400", "2^6 3^3 5^2 7^2 11 13 17 19 23 29"},
		"example 18, one":  {"1", ""},
		"example 18, -1":   {"-1", ""},
		"example 2":        {"91", "7 13"},
		"2^67-1":           {"147573952589676412927", "193707721 761838257287"},
		"2^128+1 has none": {"18446744073709551617", "274177 67280421310721"},
	} {
		t.Run(name, func(t *testing.T) {
			raw, _ := decided(t, factorization.Checker(), "integer.compute.prime_factorization", `{"n":"`+c.n+`"}`)
			var out struct {
				Factors []struct {
					Prime    string
					Exponent int
				}
			}
			if err := json.Unmarshal([]byte(raw), &out); err != nil {
				t.Fatal(err)
			}
			var words []string
			for _, f := range out.Factors {
				w := f.Prime
				if f.Exponent > 1 {
					w += "^" + string(rune('0'+f.Exponent))
				}
				words = append(words, w)
			}
			if got := strings.Join(words, " "); got != c.want {
				t.Errorf("%s, want %s", got, c.want)
			}
		})
	}
}

func TestPrimeFactorization_Refusals(t *testing.T) {
	const id = "integer.compute.prime_factorization"
	for name, c := range map[string]struct {
		n    string
		code events.Code
	}{
		"example 18, zero": {"0", events.CodeNotApplicable},
		"too long":         {strings.Repeat("9", 1001), events.CodeLimitExceeded},
		"leading zero":     {"007", events.CodeInvalidRequest},
		"code":             {"__import__('os')", events.CodeInvalidRequest},
	} {
		t.Run(name, func(t *testing.T) {
			e := captest.Refusal(t, integer.Pack(), id, `{"n":"`+c.n+`"}`)
			if e.Code != c.code || e.Path != "/n" || e.Expected == "" || e.Actual == "" {
				t.Errorf("%+v", e)
			}
		})
	}
}

func TestPrimeFactorization_EndedByItsBudget(t *testing.T) {
	c := captest.Find(t, integer.Pack(), "integer.compute.prime_factorization")
	v, err := jcs.Parse([]byte(`{"n":"1522605027922533360535618378132637429718068114961380688657908494580122963258952897654000350692006139"}`))
	if err != nil {
		t.Fatal(err)
	}
	call, err := c.Admit(v)
	if err != nil {
		t.Fatal(err)
	}
	ctx, cancel := context.WithCancel(t.Context())
	env, seen := captest.Env(), 0
	env.Covered = func(s events.Scope) {
		if seen++; s.Parameters[2].Value == "1" {
			cancel()
		}
	}
	done, err := call.Run(ctx, env)
	if err != context.Canceled || done.Scope == nil || seen < 3 {
		t.Fatalf("%+v, %v", done, err)
	}
	for i, name := range []string{"trial_division_bound", "rho_steps", "ecm_curves", "ecm_b1"} {
		if p := done.Scope.Parameters[i]; p.Name != name || p.Value == "0" {
			t.Errorf("%+v", p)
		}
	}
}
