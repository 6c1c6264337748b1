package pratt_test

import (
	"context"
	"errors"
	"fmt"
	"math/big"
	"math/rand/v2"
	"testing"

	"github.com/jacobian-ledger/jacobian/capabilities/checkers"
	"github.com/jacobian-ledger/jacobian/capabilities/checkers/pratt"
	"github.com/jacobian-ledger/jacobian/capabilities/values"
	"github.com/jacobian-ledger/jacobian/events"
	"github.com/jacobian-ledger/jacobian/events/jcs"
)

func evidence(n, candidate, format, certificate string) checkers.Evidence {
	return checkers.Evidence{
		Claim:     events.Claim{Semantics: pratt.Semantics, Predicate: pratt.Predicate, Args: []byte(`{"n":"` + n + `"}`)},
		Candidate: []byte(candidate), Format: format, Certificate: []byte(certificate),
	}
}

const (
	prime     = `{"status":"PRIME"}`
	composite = `{"status":"COMPOSITE"}`
)

func step(p, a string, factors ...string) string {
	s := ""
	for i := 0; i < len(factors); i += 2 {
		if i > 0 {
			s += ","
		}
		s += fmt.Sprintf(`{"exponent":%s,"prime":"%s"}`, factors[i+1], factors[i])
	}
	return fmt.Sprintf(`{"factors":[%s],"prime":"%s","witness":"%s"}`, s, p, a)
}

func steps(list ...string) string {
	s := ""
	for i, x := range list {
		if i > 0 {
			s += ","
		}
		s += x
	}
	return `{"steps":[` + s + `]}`
}

func TestCheck(t *testing.T) {
	for name, c := range map[string]struct {
		n, candidate, format, certificate string
		want                              events.Conclusion // UNKNOWN means rejected
	}{
		"97":                             {"97", prime, "pratt", steps(step("97", "5", "2", "5", "3", "1")), events.True},
		"two":                            {"2", prime, "pratt", steps(step("2", "1")), events.True},
		"witness of small order":         {"97", prime, "pratt", steps(step("97", "2", "2", "5", "3", "1")), events.Unknown},
		"factors do not multiply up":     {"97", prime, "pratt", steps(step("97", "5", "2", "4", "3", "1")), events.Unknown},
		"composite factor":               {"97", prime, "pratt", steps(step("97", "5", "2", "3", "12", "1")), events.Unknown},
		"factor out of order":            {"97", prime, "pratt", steps(step("97", "5", "3", "1", "2", "5")), events.Unknown},
		"repeated factor":                {"97", prime, "pratt", steps(step("97", "5", "2", "4", "2", "1", "3", "1")), events.Unknown},
		"factor one":                     {"97", prime, "pratt", steps(step("97", "5", "1", "1", "2", "5", "3", "1")), events.Unknown},
		"negative factors":               {"97", prime, "pratt", steps(step("97", "5", "-2", "2", "2", "3", "3", "1")), events.Unknown},
		"exponent zero":                  {"97", prime, "pratt", steps(step("97", "5", "2", "5", "3", "1", "5", "0")), events.Unknown},
		"step of another number":         {"91", prime, "pratt", steps(step("97", "5", "2", "5", "3", "1")), events.Unknown},
		"last step of another":           {"97", prime, "pratt", steps(step("97", "5", "2", "5", "3", "1"), step("2", "1")), events.Unknown},
		"no steps":                       {"97", prime, "pratt", steps(), events.Unknown},
		"C-44 341 witness 2":             {"341", prime, "pratt", steps(step("341", "2", "2", "2", "5", "1", "17", "1")), events.Unknown},
		"C-44 2047 witness 2":            {"2047", prime, "pratt", steps(step("2047", "2", "2", "1", "3", "1", "11", "1", "31", "1")), events.Unknown},
		"zero":                           {"0", prime, "pratt", steps(step("0", "0")), events.Unknown},
		"one":                            {"1", prime, "pratt", steps(step("1", "0")), events.Unknown},
		"negative":                       {"-7", prime, "pratt", steps(step("-7", "3", "2", "1", "3", "1")), events.Unknown},
		"candidate says composite":       {"97", composite, "pratt", steps(step("97", "5", "2", "5", "3", "1")), events.Unknown},
		"candidate with a factor":        {"97", `{"factor":"7","status":"PRIME"}`, "pratt", steps(step("97", "5", "2", "5", "3", "1")), events.Unknown},
		"91 by a factor":                 {"91", composite, "compositeness", `{"factor":"7"}`, events.False},
		"91 by a factor, shown":          {"91", `{"factor":"13","status":"COMPOSITE"}`, "compositeness", `{"factor":"7"}`, events.False},
		"91 with a false factor shown":   {"91", `{"factor":"9","status":"COMPOSITE"}`, "compositeness", `{"factor":"7"}`, events.Unknown},
		"97 by itself":                   {"97", composite, "compositeness", `{"factor":"97"}`, events.Unknown},
		"97 by one":                      {"97", composite, "compositeness", `{"factor":"1"}`, events.Unknown},
		"91 by a negative factor":        {"91", composite, "compositeness", `{"factor":"-7"}`, events.Unknown},
		"2047 passes at base 2":          {"2047", composite, "compositeness", `{"witness":"2"}`, events.Unknown},
		"2047 fails at base 3":           {"2047", composite, "compositeness", `{"witness":"3"}`, events.False},
		"341 fails at base 2":            {"341", composite, "compositeness", `{"witness":"2"}`, events.False},
		"97 passes":                      {"97", composite, "compositeness", `{"witness":"5"}`, events.Unknown},
		"witness n - 1":                  {"91", composite, "compositeness", `{"witness":"90"}`, events.Unknown},
		"witness 0":                      {"91", composite, "compositeness", `{"witness":"0"}`, events.Unknown},
		"witness above n of a prime":     {"97", composite, "compositeness", `{"witness":"97"}`, events.Unknown},
		"even prime":                     {"2", composite, "compositeness", `{"witness":"1"}`, events.Unknown},
		"even number needs a factor":     {"10", composite, "compositeness", `{"witness":"3"}`, events.Unknown},
		"below two":                      {"-7", `{"status":"BELOW_TWO"}`, "compositeness", `{"below_two":true}`, events.False},
		"below two of two":               {"2", `{"status":"BELOW_TWO"}`, "compositeness", `{"below_two":true}`, events.Unknown},
		"below two claimed composite":    {"0", composite, "compositeness", `{"below_two":true}`, events.Unknown},
		"zero is no composite":           {"0", composite, "compositeness", `{"factor":"2"}`, events.Unknown},
		"two proofs":                     {"91", composite, "compositeness", `{"factor":"7","witness":"2"}`, events.Unknown},
		"none":                           {"91", composite, "compositeness", `{}`, events.Unknown},
		"prime candidate, composite":     {"91", prime, "compositeness", `{"factor":"7"}`, events.Unknown},
		"probable prime is no answer":    {"97", `{"status":"PROBABLE_PRIME"}`, "pratt", steps(step("97", "5", "2", "5", "3", "1")), events.Unknown},
		"unknown member":                 {"91", composite, "compositeness", `{"factor":"7","x":1}`, events.Unknown},
		"unknown member of a step":       {"97", prime, "pratt", `{"steps":[{"factors":[],"prime":"97","witness":"5","ok":true}]}`, events.Unknown},
		"not JSON":                       {"91", composite, "compositeness", `{`, events.Unknown},
		"empty":                          {"91", composite, "compositeness", ``, events.Unknown},
		"duplicate member":               {"91", composite, "compositeness", `{"factor":"5","factor":"7"}`, events.Unknown},
		"composite factor with own step": {"341", prime, "pratt", steps(step("341", "2", "340", "1")), events.Unknown},
	} {
		t.Run(name, func(t *testing.T) {
			k := pratt.Checker()
			v, err := k.Check(t.Context(), evidence(c.n, c.candidate, c.format, c.certificate))
			if err != nil || v.Conclusion != c.want || v.Accepted != (c.want != events.Unknown) || (v.Reason == "") != v.Accepted {
				t.Errorf("%+v, %v; want %s", v, err, c.want)
			}
		})
	}
}

// TestCheck_C43 uses the witness of the row for n, with steps for the large primes below it.
func TestCheck_C43(t *testing.T) {
	const n = "18446744073710004191"
	list := []string{
		step("46159577", "3", "2", "3", "1093", "1", "5279", "1"),
		step("1110082871", "7", "2", "1", "5", "1", "13", "1", "71", "1", "127", "1", "947", "1"),
		step("307445734561833403", "2", "2", "1", "3", "1", "46159577", "1", "1110082871", "1"),
		step("1844674407371000419", "2", "2", "1", "3", "1", "307445734561833403", "1"),
		step(n, "8300848561679324618", "2", "1", "5", "1", "1844674407371000419", "1"),
	}
	k := pratt.Checker()
	v, err := k.Check(t.Context(), evidence(n, prime, "pratt", steps(list...)))
	if err != nil || !v.Accepted || v.Conclusion != events.True {
		t.Errorf("C-43: %+v, %v", v, err)
	}
	for i := range list {
		left := append(append([]string{}, list[:i]...), list[i+1:]...)
		if v, err = k.Check(t.Context(), evidence(n, prime, "pratt", steps(left...))); err != nil || v.Accepted {
			t.Errorf("C-43 without step %d: %+v, %v", i, v, err)
		}
	}
}

// sub builds Pratt steps for a prime by naive means: trial division by small numbers and a probable
// prime test on the rest, then the least witness.
func sub(t *testing.T, p string) []string {
	t.Helper()
	n, _ := new(big.Int).SetString(p, 10)
	one := big.NewInt(1)
	less := new(big.Int).Sub(n, one)
	rest := new(big.Int).Set(less)
	var list []string
	var primes []*big.Int
	var factors []string
	add := func(q *big.Int) {
		e := 0
		for new(big.Int).Mod(rest, q).Sign() == 0 {
			rest.Quo(rest, q)
			e++
		}
		if e > 0 {
			primes = append(primes, q)
			factors = append(factors, q.String(), fmt.Sprint(e))
		}
	}
	for d := int64(2); d < 2_000_000 && rest.Cmp(one) > 0 && !rest.ProbablyPrime(5); d++ {
		add(big.NewInt(d))
	}
	if rest.Cmp(one) > 0 {
		if !rest.ProbablyPrime(5) {
			t.Fatalf("%s − 1 has a hard factor %s", p, rest)
		}
		q := new(big.Int).Set(rest)
		if q.Cmp(big.NewInt(1_000_000)) >= 0 {
			list = sub(t, q.String())
		}
		add(q)
	}
	for a := int64(2); ; a++ {
		ok := true
		for _, q := range primes {
			ok = ok && new(big.Int).Exp(big.NewInt(a), new(big.Int).Quo(less, q), n).Cmp(one) != 0
		}
		if ok {
			return append(list, step(p, fmt.Sprint(a), factors...))
		}
	}
}

func isPrime(n int64) bool {
	if n < 2 {
		return false
	}
	for d := int64(2); d*d <= n; d++ {
		if n%d == 0 {
			return false
		}
	}
	return true
}

// TestCheck_NeverFalse changes accepted evidence at random: bytes of certificate and candidate, and the
// claimed number. Whatever is accepted must be true by trial division.
func TestCheck_NeverFalse(t *testing.T) {
	const seed = 1
	r := rand.New(rand.NewPCG(seed, seed))
	k := pratt.Checker()
	base := []checkers.Evidence{
		evidence("97", prime, "pratt", steps(step("97", "5", "2", "5", "3", "1"))),
		evidence("7919", prime, "pratt", steps(sub(t, "7919")...)),
		evidence("1000003", prime, "pratt", steps(sub(t, "1000003")...)),
		evidence("1000000007", prime, "pratt", steps(sub(t, "1000000007")...)),
		evidence("4000000019", prime, "pratt", steps(sub(t, "4000000019")...)),
		evidence("91", `{"factor":"7","status":"COMPOSITE"}`, "compositeness", `{"factor":"13"}`),
		evidence("2047", composite, "compositeness", `{"witness":"3"}`),
		evidence("0", `{"status":"BELOW_TWO"}`, "compositeness", `{"below_two":true}`),
	}
	accepted := 0
	for _, ev := range base {
		if v, err := k.Check(t.Context(), ev); err != nil || !v.Accepted {
			t.Fatalf("%s %s: %+v, %v", ev.Claim.Args, ev.Certificate, v, err)
		}
		for range 3000 {
			m := ev
			switch r.IntN(4) {
			case 0:
				m.Candidate = mutate(r, ev.Candidate)
			case 1:
				m.Claim.Args = mutate(r, ev.Claim.Args)
			default:
				m.Certificate = mutate(r, ev.Certificate)
			}
			v, err := k.Check(t.Context(), m)
			if err != nil {
				t.Fatal(err)
			}
			if !v.Accepted {
				continue
			}
			accepted++
			var args struct {
				N values.Int `json:"n"`
			}
			if err := jcs.Decode(m.Claim.Args, &args); err != nil {
				t.Fatalf("accepted a claim %s: %v", m.Claim.Args, err)
			}
			n, ok := args.N.Int64()
			if !ok {
				t.Fatalf("accepted a large claim %s", m.Claim.Args)
			}
			if (v.Conclusion == events.True) != isPrime(n) {
				t.Fatalf("seed %d: accepted %s for %s with %s and %s", seed, v.Conclusion, m.Claim.Args, m.Candidate, m.Certificate)
			}
		}
	}
	if accepted == 0 {
		t.Error("no mutation was accepted: the mutations are too coarse to test anything")
	}
}

// mutate changes one to three bytes: flips, digits, deletions, doublings.
func mutate(r *rand.Rand, data []byte) []byte {
	b := append([]byte{}, data...)
	for range 1 + r.IntN(3) {
		i := r.IntN(len(b))
		switch r.IntN(4) {
		case 0:
			b[i] ^= 1 << r.IntN(8)
		case 1:
			b[i] = byte('0' + r.IntN(10))
		case 2:
			if len(b) > 1 {
				b = append(b[:i], b[i+1:]...)
			}
		case 3:
			b = append(b[:i], append([]byte{b[i]}, b[i:]...)...)
		}
	}
	return b
}

// TestCheck_EveryPair offers each certificate for each small number: none may serve for another.
func TestCheck_EveryPair(t *testing.T) {
	k := pratt.Checker()
	for p := int64(3); p < 60; p++ {
		if !isPrime(p) {
			continue
		}
		cert := steps(sub(t, fmt.Sprint(p))...)
		for n := int64(-5); n < 70; n++ {
			v, err := k.Check(t.Context(), evidence(fmt.Sprint(n), prime, "pratt", cert))
			if err != nil || v.Accepted != (n == p) {
				t.Errorf("certificate of %d for %d: %+v, %v", p, n, v, err)
			}
		}
	}
}

func TestCheck_EndedContextDecidesNothing(t *testing.T) {
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	k := pratt.Checker()
	v, err := k.Check(ctx, evidence("97", prime, "pratt", steps(step("97", "5", "2", "5", "3", "1"))))
	if !errors.Is(err, context.Canceled) || v.Accepted {
		t.Errorf("%+v, %v", v, err)
	}
}

func FuzzCheck(f *testing.F) {
	f.Add([]byte(steps(step("97", "5", "2", "5", "3", "1"))), int64(97))
	f.Add([]byte(`{"witness":"3"}`), int64(2047))
	f.Fuzz(func(t *testing.T, certificate []byte, n int64) {
		if n > 1<<40 {
			return
		}
		k := pratt.Checker()
		for _, c := range []struct{ candidate, format string }{{prime, "pratt"}, {composite, "compositeness"}} {
			v, err := k.Check(t.Context(), evidence(fmt.Sprint(n), c.candidate, c.format, string(certificate)))
			if err != nil {
				t.Fatal(err)
			}
			if v.Accepted && (v.Conclusion == events.True) != isPrime(n) {
				t.Fatalf("%s for %d", v.Conclusion, n)
			}
		}
	})
}
