package terms_test

import (
	"slices"
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/jacobian-ledger/jacobian/projections/terms"
)

func TestSplit(t *testing.T) {
	for _, tc := range []struct {
		name, text string
		want       []string
	}{
		{"dotted id whole and in parts", "graph.k_coloring.decide", []string{"graph.k_coloring.decide", "graph", "k", "color", "decid"}},
		{"OEIS number", "A000045", []string{"a000045"}},
		{"formula whole and in parts", "x^2+1", []string{"x^2+1", "x", "2", "1"}},
		{"graph6", "J?AKagjXfo?", []string{"j?akagjxfo", "j", "akagj", "xfo"}},
		{"camelCase", "minimumDegree", []string{"minimumdegree", "minimum", "degre"}},
		{"big number uncut", "618970019642690137449562111", []string{"618970019642690137449562111"}},
		{"digits before letters", "3-colourable", []string{"3", "color"}},
		{"accents", "Grötzsch", []string{"grotzsch"}},
		{"stop words", "is the number even", []string{"numb", "even"}},
		{"punctuation only", "?! ...", nil},
		{"empty", "", nil},
	} {
		t.Run(tc.name, func(t *testing.T) {
			if got := terms.Split(tc.text, 100); !slices.Equal(got, tc.want) {
				t.Errorf("expected %q, found %q", tc.want, got)
			}
		})
	}
}

func TestStem_OneFormForOneWord(t *testing.T) {
	for _, family := range []string{
		"colour colours colouring colourings colourable colorable coloring", "factor factors factoring factorization factorise factorize", "multiply multiplies multiplication",
		"prime primes primality", "divisor divisors", "matrices", "exponentiation exponent", "verify verifies verified verifying", "satisfiable satisfying satisfy",
	} {
		words := strings.Fields(family)
		for _, w := range words {
			if got, want := terms.Stem(w), terms.Stem(words[0]); got != want {
				t.Errorf("%s: expected the stem of %s, %s, found %s", w, words[0], want, got)
			}
		}
	}
}

func FuzzSplit(f *testing.F) {
	for _, s := range []string{"graph.k_coloring.decide", "\xff\xfe", "ö̈̈", "İ", strings.Repeat("9", 100), "a1b2C3"} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, s string) {
		for _, w := range terms.Split(s, 50) {
			if w == "" || len(w) > 64 || strings.ContainsAny(w, " \t\n") || utf8.ValidString(s) && !utf8.ValidString(w) {
				t.Errorf("%q gave the term %q", s, w)
			}
		}
		if n := len(terms.Split(s, 3)); n > 3 {
			t.Errorf("expected at most 3 terms, found %d", n)
		}
	})
}
