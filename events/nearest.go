package events

import (
	"cmp"
	"slices"
	"strings"
)

// Nearest lists the n of ids that are most like id, best first: by the share of their trigrams that they
// have in common (Dice), then alphabetically. It is for answering a mistyped id.
func Nearest(id string, ids []string, n int) []string {
	want := trigrams(id)
	score := make(map[string]float64, len(ids))
	for _, x := range ids {
		have := trigrams(x)
		common := 0
		for g := range want {
			if have[g] {
				common++
			}
		}
		score[x] = 2 * float64(common) / float64(len(want)+len(have))
	}
	sorted := slices.SortedFunc(slices.Values(ids), func(a, b string) int {
		return cmp.Or(cmp.Compare(score[b], score[a]), strings.Compare(a, b))
	})
	return sorted[:min(n, len(sorted))]
}

func trigrams(s string) map[string]bool {
	s = "  " + strings.ToLower(s) + " "
	out := map[string]bool{}
	for i := 0; i+3 <= len(s); i++ {
		out[s[i:i+3]] = true
	}
	return out
}
