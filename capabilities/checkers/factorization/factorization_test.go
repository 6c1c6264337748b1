package factorization_test

import (
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"testing"

	"github.com/jacobian-ledger/jacobian/capabilities/checkers"
	"github.com/jacobian-ledger/jacobian/capabilities/checkers/factorization"
	"github.com/jacobian-ledger/jacobian/capabilities/values"
	"github.com/jacobian-ledger/jacobian/events"
	"github.com/jacobian-ledger/jacobian/events/jcs"
)

func evidence(n, candidate, certificate string) checkers.Evidence {
	return checkers.Evidence{
		Claim:     events.Claim{Semantics: factorization.Semantics, Predicate: factorization.Predicate, Args: []byte(`{"n":"` + n + `"}`)},
		Candidate: []byte(candidate), Format: factorization.Format, Certificate: []byte(certificate),
	}
}

// candidate writes a factorization from pairs of prime and exponent.
func candidate(sign int, factors ...int64) string {
	s := ""
	for i := 0; i < len(factors); i += 2 {
		if i > 0 {
			s += ","
		}
		s += fmt.Sprintf(`{"exponent":%d,"prime":"%d"}`, factors[i+1], factors[i])
	}
	return fmt.Sprintf(`{"factors":[%s],"sign":%d}`, s, sign)
}

const (
	none = `{"steps":[]}`
	// step1000003 proves 1000003 with 1000002 = 2·3·166667.
	step1000003 = `{"steps":[{"factors":[{"exponent":1,"prime":"2"},{"exponent":1,"prime":"3"},{"exponent":1,"prime":"166667"}],"prime":"1000003","witness":"2"}]}`
)

func TestCheck(t *testing.T) {
	for name, c := range map[string]struct {
		n, candidate, certificate string
		accepted                  bool
	}{
		"91":                        {"91", candidate(1, 7, 1, 13, 1), none, true},
		"negative":                  {"-12", candidate(-1, 2, 2, 3, 1), none, true},
		"one":                       {"1", candidate(1), none, true},
		"minus one":                 {"-1", candidate(-1), none, true},
		"large prime with a step":   {"2000006", candidate(1, 2, 1, 1000003, 1), step1000003, true},
		"its square":                {"1000006000009", candidate(1, 1000003, 2), step1000003, true},
		"a step too many":           {"91", candidate(1, 7, 1, 13, 1), step1000003, true},
		"large prime without step":  {"2000006", candidate(1, 2, 1, 1000003, 1), none, false},
		"zero":                      {"0", candidate(1), none, false},
		"zero with sign zero":       {"0", candidate(0), none, false},
		"sign":                      {"91", candidate(-1, 7, 1, 13, 1), none, false},
		"sign of no number":         {"91", candidate(2, 7, 1, 13, 1), none, false},
		"composite factor":          {"91", candidate(1, 91, 1), none, false},
		"factor missing":            {"91", candidate(1, 7, 1), none, false},
		"other factor":              {"91", candidate(1, 7, 1, 11, 1), none, false},
		"not ascending":             {"91", candidate(1, 13, 1, 7, 1), none, false},
		"repeated":                  {"49", candidate(1, 7, 1, 7, 1), none, false},
		"exponent":                  {"49", candidate(1, 7, 1), none, false},
		"huge exponent":             {"49", candidate(1, 7, 1<<40), none, false},
		"exponent zero":             {"49", candidate(1, 5, 0, 7, 2), none, false},
		"negative primes":           {"91", candidate(1, -13, 1, -7, 1), none, false},
		"unit factor":               {"91", candidate(1, 1, 1, 7, 1, 13, 1), none, false},
		"empty for a number":        {"91", candidate(1), none, false},
		"bad step":                  {"2000006", candidate(1, 2, 1, 1000003, 1), `{"steps":[{"factors":[],"prime":"1000003","witness":"2"}]}`, false},
		"no certificate":            {"91", candidate(1, 7, 1, 13, 1), ``, false},
		"certificate of other form": {"91", candidate(1, 7, 1, 13, 1), `[]`, false},
		"null factors":              {"1", `{"factors":null,"sign":1}`, none, false},
		"unknown member":            {"91", `{"factors":[{"exponent":1,"prime":"7","sure":true}],"sign":1}`, none, false},
	} {
		t.Run(name, func(t *testing.T) {
			k := factorization.Checker()
			v, err := k.Check(t.Context(), evidence(c.n, c.candidate, c.certificate))
			if err != nil || v.Accepted != c.accepted || (v.Reason == "") != v.Accepted || (v.Accepted && v.Conclusion != events.True) {
				t.Errorf("%+v, %v", v, err)
			}
		})
	}
}

// TestCheck_NeverFalse changes accepted evidence at random; whatever is accepted must be the factorization
// found by trial division.
func TestCheck_NeverFalse(t *testing.T) {
	const seed = 2
	r := rand.New(rand.NewPCG(seed, seed))
	k := factorization.Checker()
	accepted := 0
	for _, ev := range []checkers.Evidence{
		evidence("91", candidate(1, 7, 1, 13, 1), none),
		evidence("-720", candidate(-1, 2, 4, 3, 2, 5, 1), none),
		evidence("2000006", candidate(1, 2, 1, 1000003, 1), step1000003),
		evidence("30030", candidate(1, 2, 1, 3, 1, 5, 1, 7, 1, 11, 1, 13, 1), none),
	} {
		if v, err := k.Check(t.Context(), ev); err != nil || !v.Accepted {
			t.Fatalf("%+v, %v", v, err)
		}
		for range 5000 {
			m := ev
			switch r.IntN(3) {
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
			if v.Accepted {
				accepted++
				compare(t, m)
			}
		}
	}
	if accepted == 0 {
		t.Error("no mutation was accepted: the mutations are too coarse to test anything")
	}
}

// compare holds an accepted answer against trial division.
func compare(t *testing.T, ev checkers.Evidence) {
	t.Helper()
	var args struct {
		N values.Int `json:"n"`
	}
	var out struct {
		Sign    int `json:"sign"`
		Factors []struct {
			Prime    values.Int `json:"prime"`
			Exponent int        `json:"exponent"`
		} `json:"factors"`
	}
	if err := errors.Join(jcs.Decode(ev.Claim.Args, &args), jcs.Decode(ev.Candidate, &out)); err != nil {
		t.Fatal(err)
	}
	n, ok := args.N.Int64()
	if !ok || n == 0 {
		t.Fatalf("accepted for %s", args.N)
	}
	want := map[string]int{}
	m := max(n, -n)
	for d := int64(2); d*d <= m; d++ {
		for ; m%d == 0; m /= d {
			want[fmt.Sprint(d)]++
		}
	}
	if m > 1 {
		want[fmt.Sprint(m)]++
	}
	if len(want) != len(out.Factors) || (out.Sign == 1) != (n > 0) {
		t.Fatalf("accepted %s for %d", ev.Candidate, n)
	}
	for _, f := range out.Factors {
		if want[f.Prime.String()] != f.Exponent {
			t.Fatalf("accepted %s for %d", ev.Candidate, n)
		}
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

func TestCheck_EndedContextDecidesNothing(t *testing.T) {
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	k := factorization.Checker()
	if v, err := k.Check(ctx, evidence("2000006", candidate(1, 2, 1, 1000003, 1), step1000003)); !errors.Is(err, context.Canceled) || v.Accepted {
		t.Errorf("%+v, %v", v, err)
	}
}

func FuzzCheck(f *testing.F) {
	f.Add([]byte(candidate(1, 7, 1, 13, 1)), []byte(none), int64(91))
	f.Add([]byte(candidate(1, 2, 1, 1000003, 1)), []byte(step1000003), int64(2000006))
	f.Fuzz(func(t *testing.T, answer, certificate []byte, n int64) {
		if n > 1<<40 || n < -1<<40 {
			return
		}
		k := factorization.Checker()
		ev := evidence(fmt.Sprint(n), string(answer), string(certificate))
		v, err := k.Check(t.Context(), ev)
		if err != nil {
			t.Fatal(err)
		}
		if v.Accepted {
			compare(t, ev)
		}
	})
}
