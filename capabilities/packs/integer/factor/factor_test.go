package factor_test

import (
	"context"
	"errors"
	"math/big"
	"testing"

	"github.com/jacobian-ledger/jacobian/capabilities/packs/integer/factor"
	"github.com/jacobian-ledger/jacobian/events"
)

func number(s string) *big.Int {
	n, ok := new(big.Int).SetString(s, 10)
	if !ok {
		panic(s)
	}
	return n
}

// naive is trial division, the independent way.
func naive(n uint64) map[uint64]int {
	out := map[uint64]int{}
	for d := uint64(2); d*d <= n; d++ {
		for n%d == 0 {
			out[d]++
			n /= d
		}
	}
	if n > 1 {
		out[n]++
	}
	return out
}

func TestInteger_AgreesWithTrialDivision(t *testing.T) {
	for n := uint64(1); n < 3000; n++ {
		want := naive(n)
		got := factor.Small(n)
		if len(got) != len(want) {
			t.Fatalf("%d: %v, want %v", n, got, want)
		}
		for _, p := range got {
			if want[p.Prime.Uint64()] != p.Exponent {
				t.Fatalf("%d: %v, want %v", n, got, want)
			}
		}
	}
}

func TestInteger_Stages(t *testing.T) {
	for name, c := range map[string]struct {
		n    string
		want []string
	}{
		"primes above the trial bound": {"1000036000099", []string{"1000003", "1000033"}},
		"perfect square":               {"1000006000009", []string{"1000003", "1000003"}},
		"cube":                         {"1000009000027000027", []string{"1000003", "1000003", "1000003"}},
		"C-40 first":                   {"2007193456621", []string{"1001797", "2003593"}},
		"C-40 second":                  {"2744715551581", []string{"1171477", "2342953"}},
		"C-41":                         {"62119104158988074251", []string{"1113451", "5567251", "10021051"}},
		"64 bits, two 32-bit primes":   {"18446743979220271189", []string{"4294967279", "4294967291"}},
		"rho above 64 bits":            {"1000000018000001120000014847", nil},
		"curves: two 15-digit primes":  {"1000000000000091000000000001813", nil},
		"sixth Fermat number":          {"18446744073709551617", []string{"274177", "67280421310721"}},
	} {
		t.Run(name, func(t *testing.T) {
			n := number(c.n)
			got, err := factor.Integer(t.Context(), n, &factor.Effort{})
			if err != nil {
				t.Fatal(err)
			}
			var flat []string
			product := big.NewInt(1)
			for _, p := range got {
				for range p.Exponent {
					flat = append(flat, p.Prime.String())
					product.Mul(product, p.Prime)
				}
				if !p.Prime.ProbablyPrime(10) {
					t.Errorf("%s is not prime", p.Prime)
				}
			}
			if product.Cmp(n) != 0 {
				t.Errorf("the factors %v multiply to %s", flat, product)
			}
			if c.want != nil && len(flat) != len(c.want) {
				t.Fatalf("%v, want %v", flat, c.want)
			}
			for i := range c.want {
				if flat[i] != c.want[i] {
					t.Errorf("%v, want %v", flat, c.want)
				}
			}
		})
	}
}

// nextPrime is used to make semiprimes of a stated size.
func nextPrime(n *big.Int) *big.Int {
	p := new(big.Int).Set(n)
	for p.Add(p, big.NewInt(1)); !p.ProbablyPrime(10); p.Add(p, big.NewInt(1)) {
	}
	return p
}

func TestInteger_CurvesFindMediumFactors(t *testing.T) {
	p := nextPrime(number("100000007000003"))
	q := nextPrime(number("98765432109876543210987654321"))
	e := &factor.Effort{}
	got, err := factor.Integer(t.Context(), new(big.Int).Mul(p, q), e)
	if err != nil || len(got) != 2 || got[0].Prime.Cmp(p) != 0 || got[1].Prime.Cmp(q) != 0 {
		t.Fatalf("%v, %v", got, err)
	}
	if e.Scope().Parameters[2].Value == "0" {
		t.Error("no curve was needed: the test does not reach the curves")
	}
}

// rsa100 has two 50-digit primes; it is out of reach of the search in a test.
const rsa100 = "1522605027922533360535618378132637429718068114961380688657908494580122963258952897654000350692006139"

func TestInteger_EndedEarlySaysWhatWasCovered(t *testing.T) {
	ctx, cancel := context.WithCancel(t.Context())
	calls := 0
	e := &factor.Effort{Report: func(s events.Scope) {
		if calls++; s.Parameters[2].Value == "2" {
			cancel()
		}
	}}
	_, err := factor.Integer(ctx, number(rsa100), e)
	if !errors.Is(err, context.Canceled) {
		t.Fatal(err)
	}
	s := e.Scope()
	want := []events.Param{{Name: "trial_division_bound", Value: "1000000"}, {Name: "rho_steps", Value: s.Parameters[1].Value}, {Name: "ecm_curves", Value: "2"}, {Name: "ecm_b1", Value: "2000"}}
	for i := range want {
		if s.Parameters[i] != want[i] {
			t.Errorf("parameter %v, want %v", s.Parameters[i], want[i])
		}
	}
	if s.Parameters[1].Value == "0" || calls < 4 {
		t.Errorf("%v after %d reports", s, calls)
	}
}

func TestInteger_BoundedEffort(t *testing.T) {
	_, err := factor.Integer(t.Context(), number(rsa100), &factor.Effort{Curves: 1})
	if !errors.Is(err, factor.ErrEffort) {
		t.Fatal(err)
	}
}

func TestProve_EveryPrimeToAThousand(t *testing.T) {
	for _, p := range factor.Primes(1000) {
		var f factor.Proof
		if err := f.Prove(t.Context(), big.NewInt(int64(p)), &factor.Effort{}); err != nil || len(f.Steps) != 1 {
			t.Fatalf("%d: %v, %v", p, f, err)
		}
		s := f.Steps[0]
		a, x, order := s.Witness.Uint64(), s.Witness.Uint64()%uint64(p), 1
		for ; x != 1; order++ {
			x = x * a % uint64(p)
		}
		if order != int(p)-1 {
			t.Errorf("%d: the witness %d has order %d", p, a, order)
		}
	}
}

func TestProve_Mersenne89(t *testing.T) {
	p := new(big.Int).Lsh(big.NewInt(1), 89)
	p.Sub(p, big.NewInt(1))
	var f factor.Proof
	if err := f.Prove(t.Context(), p, &factor.Effort{}); err != nil {
		t.Fatal(err)
	}
}

func TestRoot(t *testing.T) {
	for n := int64(0); n < 2000; n++ {
		for k := 1; k < 13; k++ {
			r, exact := factor.Root(big.NewInt(n), k)
			pow := func(x int64) *big.Int { return new(big.Int).Exp(big.NewInt(x), big.NewInt(int64(k)), nil) }
			if pow(r.Int64()).Cmp(big.NewInt(n)) > 0 || pow(r.Int64()+1).Cmp(big.NewInt(n)) <= 0 || exact != (pow(r.Int64()).Cmp(big.NewInt(n)) == 0) {
				t.Fatalf("root %d of %d: %s %v", k, n, r, exact)
			}
		}
	}
}

func BenchmarkECM_RSA100Curve(b *testing.B) {
	for b.Loop() {
		_, _ = factor.Integer(b.Context(), number(rsa100), &factor.Effort{Curves: 1})
	}
}
