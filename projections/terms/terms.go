// Package terms splits text about mathematics into the terms by which it is searched. The search index
// of episodes and the ranking of operations use it, for what is stored and for what is asked, so that
// both mean the same by a word.
//
// A term is lower case, without accents, and light of its English ending: "Colourings" and "colorable"
// both give "color". Ids and mathematical tokens are kept whole beside their parts: dotted ids
// (graph.k_coloring.decide), OEIS numbers (A000045), graph6 strings, camelCase, and plain numbers,
// which are never cut. Evidence is stored as it came; only this copy is normalised.
package terms

import (
	"strings"
	"unicode"
	"unicode/utf8"

	"golang.org/x/text/unicode/norm"
)

// maxTerm is the longest term, in bytes; a longer number or graph6 string is found by its beginning.
const maxTerm = 64

// Split returns at most limit terms of a text, in order, with repetitions. Words that say nothing, such
// as "the", are left out.
func Split(text string, limit int) []string {
	var out []string
	add := func(t string) {
		if t != "" && len(out) < limit {
			out = append(out, t)
		}
	}
	for field := range strings.FieldsSeq(text) {
		if len(out) >= limit {
			break
		}
		field = strings.Trim(field, `"'“”‘’()[]{}<>,;:!?.`)
		words := split(field)
		if len(words) > 1 && isWhole(field) {
			add(clip(fold(field)))
		}
		for _, w := range words {
			w = fold(w)
			if !stop[w] {
				add(clip(Stem(w)))
			}
		}
	}
	return out
}

// isWhole reports whether a field of several words is also one token: an id, a formula, a graph6 string.
func isWhole(field string) bool {
	if strings.ContainsAny(field, "._^+*=@`~?\\|_/") {
		return true
	}
	lower, upper := false, false
	for i, r := range field {
		lower = lower || unicode.IsLower(r)
		upper = upper || i > 0 && unicode.IsUpper(r)
	}
	return lower && upper
}

// split cuts a field where letters, digits and other characters meet, and before a capital inside a
// word. A letter followed by digits stays one word: A000045, K5, x2.
func split(field string) []string {
	var out []string
	start := -1
	var prev rune
	for i, r := range field {
		word := unicode.IsLetter(r) || unicode.IsDigit(r) || unicode.Is(unicode.Mn, r)
		if start >= 0 && (!word || boundary(prev, r, field[start:i])) {
			out = append(out, field[start:i])
			start = -1
		}
		if word && start < 0 {
			start = i
		}
		prev = r
	}
	if start >= 0 {
		out = append(out, field[start:])
	}
	return out
}

func boundary(a, b rune, word string) bool {
	switch {
	case unicode.IsLower(a) && unicode.IsUpper(b):
		return true
	case unicode.IsLetter(a) && unicode.IsDigit(b):
		return utf8.RuneCountInString(word) > 3
	case unicode.IsDigit(a) && unicode.IsLetter(b):
		return true
	}
	return false
}

func clip(t string) string {
	if len(t) <= maxTerm {
		return t
	}
	t = t[:maxTerm]
	for !utf8.ValidString(t) {
		t = t[:len(t)-1]
	}
	return t
}

// fold lowers the case and takes accents off.
func fold(s string) string {
	ascii := true
	for i := 0; i < len(s); i++ {
		if s[i] >= utf8.RuneSelf {
			ascii = false
			break
		}
	}
	if ascii {
		return strings.ToLower(s)
	}
	var b strings.Builder
	for _, r := range norm.NFKD.String(s) {
		if !unicode.Is(unicode.Mn, r) && !unicode.IsSpace(r) { // some characters decompose into a space and a mark
			b.WriteRune(unicode.ToLower(r))
		}
	}
	return b.String()
}

var stop = set("a an and any are as at be been by can cannot could do does every find for from give given has have how i if in is it its me my no not of on or our please show some such tell that the their there this to was we up use using many much out subject to what when where whether which who will with would you your compute calculate determine want need")

func set(words string) map[string]bool {
	m := map[string]bool{}
	for w := range strings.FieldsSeq(words) {
		m[w] = true
	}
	return m
}

// endings are taken off the end of a word, the first that fits and leaves at least three letters. The
// longer come first.
var endings = []string{
	"izations", "isations", "iations", "iation", "ization", "isation", "abilities", "ability", "ications", "ication", "ically", "alities", "ality", "ations", "ation",
	"ables", "able", "ibles", "ible", "izing", "ising", "izes", "ises", "ized", "ised", "ize", "ise", "ings", "ing", "ities", "ity", "ives", "ive", "ions", "ion",
	"ical", "ally", "ers", "ies", "ied", "al", "er", "ed", "es", "ic", "ly", "y", "e", "s",
}

// Stem takes the English ending off a word in lower case, and gives British and American spellings one
// form. Words with digits are left as they are.
func Stem(w string) string {
	if len(w) < 4 || strings.ContainsAny(w, "0123456789") {
		return w
	}
	w = strings.ReplaceAll(w, "colour", "color")
	w = strings.ReplaceAll(w, "neighbour", "neighbor")
	w = strings.ReplaceAll(w, "centre", "center")
	w = strings.ReplaceAll(w, "factoris", "factoriz")
	if strings.HasSuffix(w, "ss") || strings.HasSuffix(w, "us") || strings.HasSuffix(w, "is") {
		return w
	}
	if root, ok := strings.CutSuffix(w, "ply"); ok { // multiply, apply: not an adverb
		return root + "pl"
	}
	for _, e := range endings {
		if root, ok := strings.CutSuffix(w, e); ok && len(root) >= 3 {
			if n := len(root); n > 3 && root[n-1] == root[n-2] && strings.HasSuffix(e, "g") {
				root = root[:n-1] // planning, mapping
			}
			if n := len(root); n > 3 && (root[n-1] == 'i' || root[n-1] == 'y') {
				root = root[:n-1] // satisfi-able, satisfy-ing
			}
			return root
		}
	}
	return w
}
