package query

import "slices"

// fuzzy finds the words of the catalog that an unknown word may be a slip of: the same first letter, and
// one edit apart, or two from eight letters on. Words under five letters are taken as they are, and
// so is anything longer than 32.
func (r *ranker) fuzzy(w string) []match {
	if len(w) < 5 || len(w) > 32 {
		return nil
	}
	most := 1
	if len(w) >= 8 {
		most = 2
	}
	var out []match
	for n := len(w) - most; n <= len(w)+most; n++ {
		for _, id := range r.buckets[bucket(w, n)] {
			if d := distance(w, r.spelling[id], most); d <= most {
				out = append(out, match{id, fuzzyWeight / float64(d)})
			}
		}
	}
	slices.SortStableFunc(out, func(a, b match) int {
		switch {
		case a.share > b.share:
			return -1
		case a.share < b.share:
			return 1
		}
		return int(a.word) - int(b.word)
	})
	return out[:min(len(out), 4)]
}

// distance is the optimal string alignment distance of two short words, or most+1 when it is larger.
func distance(a, b string, most int) int {
	if abs(len(a)-len(b)) > most {
		return most + 1
	}
	var rows [3][40]int
	prev2, prev, cur := &rows[0], &rows[1], &rows[2]
	if len(b) >= len(cur) {
		return most + 1
	}
	for j := range len(b) + 1 {
		prev[j] = j
	}
	for i := 1; i <= len(a); i++ {
		cur[0] = i
		low := i
		for j := 1; j <= len(b); j++ {
			cost := 1
			if a[i-1] == b[j-1] {
				cost = 0
			}
			cur[j] = min(prev[j]+1, cur[j-1]+1, prev[j-1]+cost)
			if i > 1 && j > 1 && a[i-1] == b[j-2] && a[i-2] == b[j-1] {
				cur[j] = min(cur[j], prev2[j-2]+1)
			}
			low = min(low, cur[j])
		}
		if low > most {
			return most + 1
		}
		prev2, prev, cur = prev, cur, prev2
	}
	return prev[len(b)]
}

func abs(n int) int { return max(n, -n) }
