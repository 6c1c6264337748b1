package modular_test

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/jacobian-ledger/jacobian/capabilities/checkers"
	"github.com/jacobian-ledger/jacobian/capabilities/checkers/modular"
	"github.com/jacobian-ledger/jacobian/capabilities/values"
	"github.com/jacobian-ledger/jacobian/events"
	"github.com/jacobian-ledger/jacobian/events/jcs"
)

func evidence(semantics, predicate, format, args, candidate, certificate string) checkers.Evidence {
	return checkers.Evidence{
		Claim:     events.Claim{Semantics: semantics, Predicate: predicate, Args: []byte(args)},
		Candidate: []byte(candidate), Format: format, Certificate: []byte(certificate),
	}
}

func order(args, candidate, certificate string) checkers.Evidence {
	return evidence("modular.order/1", "modular.multiplicative_order", "multiplicative_order", args, candidate, certificate)
}

func logarithm(args, candidate, certificate string) checkers.Evidence {
	return evidence("modular.logarithm/1", "modular.logarithm_exists", "discrete_logarithm", args, candidate, certificate)
}

func congruences(args, candidate string) checkers.Evidence {
	return evidence("modular.congruences/1", "modular.congruences_solvable", "congruences", args, candidate, `{}`)
}

func linear(args, candidate string) checkers.Evidence {
	return evidence("modular.congruences/1", "modular.linear_solvable", "congruences", args, candidate, `{}`)
}

// powers writes a member "factors".
func powers(list ...int) string {
	s := ""
	for i := 0; i < len(list); i += 2 {
		if i > 0 {
			s += ","
		}
		s += fmt.Sprintf(`{"exponent":%d,"prime":"%d"}`, list[i+1], list[i])
	}
	return `"factors":[` + s + `]`
}

func cert(factors string) string { return `{` + factors + `,"steps":[]}` }

func logCert(order int, factors string) string {
	return fmt.Sprintf(`{%s,"order":"%d","steps":[]}`, factors, order)
}

// good is evidence that must be accepted, with the right conclusion.
func good() map[string]struct {
	ev   checkers.Evidence
	want events.Conclusion
} {
	type c = struct {
		ev   checkers.Evidence
		want events.Conclusion
	}
	return map[string]c{
		"order of 10 mod 7":         {order(`{"a":"10","modulus":"7"}`, `{"order":"6"}`, cert(powers(2, 1, 3, 1))), events.True},
		"order of 2 mod 341":        {order(`{"a":"2","modulus":"341"}`, `{"order":"10"}`, cert(powers(2, 1, 5, 1))), events.True},
		"order of -1":               {order(`{"a":"-1","modulus":"12"}`, `{"order":"2"}`, cert(powers(2, 1))), events.True},
		"order modulo 1":            {order(`{"a":"0","modulus":"1"}`, `{"order":"1"}`, cert(powers())), events.True},
		"logarithm mod 7":           {logarithm(`{"base":"3","modulus":"7","target":"6"}`, `{"exists":true,"logarithm":"3"}`, logCert(6, powers(2, 1, 3, 1))), events.True},
		"C-47 mod 6":                {logarithm(`{"base":"2","modulus":"6","target":"4"}`, `{"exists":true,"logarithm":"2"}`, logCert(2, powers(2, 1))), events.True},
		"C-47 mod 1":                {logarithm(`{"base":"2","modulus":"1","target":"0"}`, `{"exists":true,"logarithm":"0"}`, logCert(1, powers())), events.True},
		"C-47 base 0":               {logarithm(`{"base":"0","modulus":"4","target":"1"}`, `{"exists":true,"logarithm":"0"}`, logCert(1, powers())), events.True},
		"none by order":             {logarithm(`{"base":"2","modulus":"7","target":"3"}`, `{"exists":false}`, logCert(3, powers(3, 1))), events.False},
		"none by unit":              {logarithm(`{"base":"2","modulus":"9","target":"3"}`, `{"exists":false}`, logCert(6, powers(2, 1, 3, 1))), events.False},
		"none by the other part":    {logarithm(`{"base":"2","modulus":"24","target":"5"}`, `{"exists":false}`, logCert(2, powers(2, 1))), events.False},
		"none by trying every one":  {logarithm(`{"base":"3","modulus":"8","target":"5"}`, `{"exists":false}`, logCert(2, powers(2, 1))), events.False},
		"Sunzi":                     {congruences(`{"congruences":[{"modulus":"3","residue":"2"},{"modulus":"5","residue":"3"},{"modulus":"7","residue":"2"}]}`, `{"modulus":"105","residue":"23","solvable":true}`), events.True},
		"contradiction":             {congruences(`{"congruences":[{"modulus":"4","residue":"3"},{"modulus":"6","residue":"4"}]}`, `{"conflict":[0,1],"solvable":false}`), events.False},
		"no congruences":            {congruences(`{"congruences":[]}`, `{"modulus":"1","residue":"0","solvable":true}`), events.True},
		"linear":                    {linear(`{"a":"6","b":"4","modulus":"10"}`, `{"gcd":"2","modulus":"5","residue":"4","solvable":true}`), events.True},
		"linear without a solution": {linear(`{"a":"6","b":"3","modulus":"10"}`, `{"gcd":"2","solvable":false}`), events.False},
	}
}

func TestCheck_Accepts(t *testing.T) {
	k := modular.Checker()
	for name, c := range good() {
		t.Run(name, func(t *testing.T) {
			if v, err := k.Check(t.Context(), c.ev); err != nil || !v.Accepted || v.Conclusion != c.want {
				t.Errorf("%+v, %v", v, err)
			}
		})
	}
}

func TestCheck_Rejects(t *testing.T) {
	k := modular.Checker()
	for name, ev := range map[string]checkers.Evidence{
		"multiple of the order":            order(`{"a":"2","modulus":"7"}`, `{"order":"6"}`, cert(powers(2, 1, 3, 1))),
		"divisor of the order":             order(`{"a":"3","modulus":"7"}`, `{"order":"3"}`, cert(powers(3, 1))),
		"composite factor hides a divisor": order(`{"a":"2","modulus":"7"}`, `{"order":"6"}`, cert(powers(6, 1))),
		"factors of another order":         order(`{"a":"10","modulus":"7"}`, `{"order":"6"}`, cert(powers(2, 1))),
		"order zero":                       order(`{"a":"1","modulus":"7"}`, `{"order":"0"}`, cert(powers())),
		"negative order":                   order(`{"a":"6","modulus":"7"}`, `{"order":"-2"}`, cert(powers(2, 1))),
		"order of a non-unit":              order(`{"a":"0","modulus":"7"}`, `{"order":"1"}`, cert(powers())),
		"modulus zero":                     order(`{"a":"1","modulus":"0"}`, `{"order":"1"}`, cert(powers())),
		"a later logarithm":                logarithm(`{"base":"3","modulus":"7","target":"6"}`, `{"exists":true,"logarithm":"9"}`, logCert(6, powers(2, 1, 3, 1))),
		"a later logarithm, not coprime":   logarithm(`{"base":"2","modulus":"6","target":"4"}`, `{"exists":true,"logarithm":"4"}`, logCert(2, powers(2, 1))),
		"negative logarithm":               logarithm(`{"base":"3","modulus":"7","target":"6"}`, `{"exists":true,"logarithm":"-3"}`, logCert(6, powers(2, 1, 3, 1))),
		"wrong logarithm":                  logarithm(`{"base":"3","modulus":"7","target":"6"}`, `{"exists":true,"logarithm":"2"}`, logCert(6, powers(2, 1, 3, 1))),
		"period too long":                  logarithm(`{"base":"2","modulus":"7","target":"2"}`, `{"exists":true,"logarithm":"4"}`, logCert(6, powers(2, 1, 3, 1))),
		"exists, denied":                   logarithm(`{"base":"3","modulus":"7","target":"6"}`, `{"exists":false}`, logCert(6, powers(2, 1, 3, 1))),
		"exists before the period, denied": logarithm(`{"base":"2","modulus":"8","target":"2"}`, `{"exists":false}`, logCert(1, powers())),
		"period too short, denied":         logarithm(`{"base":"3","modulus":"7","target":"6"}`, `{"exists":false}`, logCert(2, powers(2, 1))),
		"exists without a logarithm":       logarithm(`{"base":"3","modulus":"7","target":"6"}`, `{"exists":true}`, logCert(6, powers(2, 1, 3, 1))),
		"denied with a logarithm":          logarithm(`{"base":"2","modulus":"7","target":"3"}`, `{"exists":false,"logarithm":"1"}`, logCert(3, powers(3, 1))),
		"residue not least":                congruences(`{"congruences":[{"modulus":"3","residue":"2"}]}`, `{"modulus":"3","residue":"5","solvable":true}`),
		"residue negative":                 congruences(`{"congruences":[{"modulus":"3","residue":"2"}]}`, `{"modulus":"3","residue":"-1","solvable":true}`),
		"modulus no lcm":                   congruences(`{"congruences":[{"modulus":"4","residue":"3"},{"modulus":"6","residue":"5"}]}`, `{"modulus":"24","residue":"11","solvable":true}`),
		"residue wrong":                    congruences(`{"congruences":[{"modulus":"4","residue":"3"},{"modulus":"6","residue":"5"}]}`, `{"modulus":"12","residue":"7","solvable":true}`),
		"conflict that is none":            congruences(`{"congruences":[{"modulus":"4","residue":"3"},{"modulus":"6","residue":"5"}]}`, `{"conflict":[0,1],"solvable":false}`),
		"conflict with itself":             congruences(`{"congruences":[{"modulus":"4","residue":"3"}]}`, `{"conflict":[0,0],"solvable":false}`),
		"conflict out of range":            congruences(`{"congruences":[{"modulus":"4","residue":"3"}]}`, `{"conflict":[0,1],"solvable":false}`),
		"conflict of three":                congruences(`{"congruences":[{"modulus":"4","residue":"3"},{"modulus":"4","residue":"2"}]}`, `{"conflict":[0,1,1],"solvable":false}`),
		"solvable with a conflict":         congruences(`{"congruences":[]}`, `{"conflict":[],"modulus":"1","residue":"0","solvable":true}`),
		"congruence modulo 0":              congruences(`{"congruences":[{"modulus":"0","residue":"0"}]}`, `{"modulus":"0","residue":"0","solvable":true}`),
		"linear, wrong residue":            linear(`{"a":"6","b":"4","modulus":"10"}`, `{"gcd":"2","modulus":"5","residue":"3","solvable":true}`),
		"linear, class too small":          linear(`{"a":"6","b":"4","modulus":"10"}`, `{"gcd":"2","modulus":"10","residue":"4","solvable":true}`),
		"linear, wrong gcd":                linear(`{"a":"6","b":"4","modulus":"10"}`, `{"gcd":"1","modulus":"5","residue":"4","solvable":true}`),
		"linear, solvable denied":          linear(`{"a":"6","b":"4","modulus":"10"}`, `{"gcd":"2","solvable":false}`),
		"linear, denied with a residue":    linear(`{"a":"6","b":"3","modulus":"10"}`, `{"gcd":"2","residue":"1","solvable":false}`),
		"format of another claim":          evidence("modular.order/1", "modular.multiplicative_order", "congruences", `{"a":"10","modulus":"7"}`, `{"order":"6"}`, `{}`),
		"semantics of another claim":       evidence("modular.order/1", "modular.linear_solvable", "congruences", `{"a":"6","b":"3","modulus":"10"}`, `{"gcd":"2","solvable":false}`, `{}`),
	} {
		t.Run(name, func(t *testing.T) {
			if v, err := k.Check(t.Context(), ev); err != nil || v.Accepted || v.Reason == "" || v.Conclusion != events.Unknown {
				t.Errorf("%+v, %v", v, err)
			}
		})
	}
}

// TestCheck_NeverFalse changes accepted evidence at random; whatever is accepted must be right by brute force.
func TestCheck_NeverFalse(t *testing.T) {
	const seed = 3
	r := rand.New(rand.NewPCG(seed, seed))
	k := modular.Checker()
	accepted := 0
	cases := good()
	for _, name := range slices.Sorted(maps.Keys(cases)) {
		c := cases[name]
		for range 1500 {
			m := c.ev
			switch r.IntN(3) {
			case 0:
				m.Candidate = mutate(r, m.Candidate)
			case 1:
				m.Claim.Args = mutate(r, m.Claim.Args)
			default:
				m.Certificate = mutate(r, m.Certificate)
			}
			v, err := k.Check(t.Context(), m)
			if err != nil {
				t.Fatal(err)
			}
			if !v.Accepted {
				continue
			}
			b := &brute{t: t}
			right := b.truth(m, v)
			if b.large {
				continue
			}
			if accepted++; !right {
				t.Fatalf("%s, seed %d: accepted %s of %s for %s with %s", name, seed, v.Conclusion, m.Candidate, m.Claim.Args, m.Certificate)
			}
		}
	}
	if accepted < 100 {
		t.Errorf("only %d mutations were accepted: the mutations are too coarse to test anything", accepted)
	}
}

// brute decides small claims by going through all residues.
type brute struct {
	t     *testing.T
	large bool // a number was too large for that
}

func (b *brute) small(x values.Int) int64 {
	n, ok := x.Int64()
	if !ok || n > 1<<20 || n < -1<<20 {
		b.large = true
		return 1
	}
	return n
}

// truth decides by brute force whether an accepted answer is right.
func (b *brute) truth(ev checkers.Evidence, v checkers.Verdict) bool {
	b.t.Helper()
	t := b.t
	type number = values.Int
	must := func(err error) {
		if err != nil {
			t.Fatal(err)
		}
	}
	reduce := func(x, m int64) int64 { return (x%m + m) % m }
	switch ev.Claim.Predicate {
	case "modular.multiplicative_order":
		var in struct {
			A       number `json:"a"`
			Modulus number `json:"modulus"`
		}
		var out struct {
			Order number `json:"order"`
		}
		must(errors.Join(jcs.Decode(ev.Claim.Args, &in), jcs.Decode(ev.Candidate, &out)))
		m := b.small(in.Modulus)
		a, k := reduce(b.small(in.A), m), int64(1)
		for x := a % m; x != 1%m; x = x * a % m {
			if k++; k > m {
				return false
			}
		}
		return v.Conclusion == events.True && b.small(out.Order) == k
	case "modular.logarithm_exists":
		var in struct {
			Base    number `json:"base"`
			Target  number `json:"target"`
			Modulus number `json:"modulus"`
		}
		var out struct {
			Exists    bool    `json:"exists"`
			Logarithm *number `json:"logarithm,omitempty"`
		}
		must(errors.Join(jcs.Decode(ev.Claim.Args, &in), jcs.Decode(ev.Candidate, &out)))
		m := b.small(in.Modulus)
		base, target := reduce(b.small(in.Base), m), reduce(b.small(in.Target), m)
		want, x := int64(-1), 1%m
		for i := range m + 1 {
			if x == target {
				want = i
				break
			}
			x = x * base % m
		}
		if want < 0 {
			return v.Conclusion == events.False && !out.Exists
		}
		return v.Conclusion == events.True && out.Exists && b.small(*out.Logarithm) == want
	case "modular.linear_solvable":
		var in struct {
			A       number `json:"a"`
			B       number `json:"b"`
			Modulus number `json:"modulus"`
		}
		var out struct {
			Solvable bool    `json:"solvable"`
			GCD      number  `json:"gcd"`
			Residue  *number `json:"residue,omitempty"`
			Modulus  *number `json:"modulus,omitempty"`
		}
		must(errors.Join(jcs.Decode(ev.Claim.Args, &in), jcs.Decode(ev.Candidate, &out)))
		m := b.small(in.Modulus)
		x0, y0 := reduce(b.small(in.A), m), reduce(b.small(in.B), m)
		first, count := int64(-1), int64(0)
		for x := range m {
			if x0*x%m == y0 {
				if count++; first < 0 {
					first = x
				}
			}
		}
		if first < 0 {
			return v.Conclusion == events.False && !out.Solvable
		}
		return v.Conclusion == events.True && out.Solvable && b.small(*out.Residue) == first && b.small(*out.Modulus)*count == m && b.small(out.GCD) == count
	}
	return b.truthOfSystem(ev, v)
}

func (b *brute) truthOfSystem(ev checkers.Evidence, v checkers.Verdict) bool {
	b.t.Helper()
	var in struct {
		Congruences []struct {
			Residue values.Int `json:"residue"`
			Modulus values.Int `json:"modulus"`
		} `json:"congruences"`
	}
	var out struct {
		Solvable bool        `json:"solvable"`
		Residue  *values.Int `json:"residue,omitempty"`
		Modulus  *values.Int `json:"modulus,omitempty"`
		Conflict []int       `json:"conflict,omitempty"`
	}
	if err := errors.Join(jcs.Decode(ev.Claim.Args, &in), jcs.Decode(ev.Candidate, &out)); err != nil {
		b.t.Fatal(err)
	}
	product := int64(1)
	for _, c := range in.Congruences {
		product *= b.small(c.Modulus)
	}
	if product > 1<<20 {
		b.large = true
		return true
	}
	var all []int64
	for x := range product {
		ok := true
		for _, c := range in.Congruences {
			ok = ok && (x-b.small(c.Residue))%b.small(c.Modulus) == 0
		}
		if ok {
			all = append(all, x)
		}
	}
	if len(all) == 0 {
		return v.Conclusion == events.False && !out.Solvable
	}
	return v.Conclusion == events.True && out.Solvable && b.small(*out.Residue) == all[0] && b.small(*out.Modulus)*int64(len(all)) == product
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
	k := modular.Checker()
	if v, err := k.Check(ctx, order(`{"a":"10","modulus":"7"}`, `{"order":"6"}`, cert(powers(2, 1, 3, 1)))); !errors.Is(err, context.Canceled) || v.Accepted {
		t.Errorf("%+v, %v", v, err)
	}
}

func FuzzCheck(f *testing.F) {
	for _, c := range good() {
		f.Add(c.ev.Claim.Semantics, c.ev.Claim.Predicate, c.ev.Format, []byte(c.ev.Claim.Args), []byte(c.ev.Candidate), c.ev.Certificate)
	}
	f.Fuzz(func(t *testing.T, semantics, predicate, format string, args, candidate, certificate []byte) {
		k := modular.Checker()
		ev := evidence(semantics, predicate, format, string(args), string(candidate), string(certificate))
		v, err := k.Check(t.Context(), ev)
		if err != nil {
			t.Fatal(err)
		}
		if v.Accepted {
			b := &brute{t: t}
			if right := b.truth(ev, v); !right && !b.large {
				t.Fatalf("accepted %s", v.Conclusion)
			}
		}
	})
}
