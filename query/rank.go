package query

import (
	"math"
	"slices"
	"strings"

	"github.com/jacobian-ledger/jacobian/events"
	"github.com/jacobian-ledger/jacobian/projections/catalog"
	"github.com/jacobian-ledger/jacobian/projections/terms"
)

// The ranking is BM25F (Robertson, Zaragoza, Taylor, "Simple BM25 extension to multiple weighted
// fields", CIKM 2004) over the words of an id, title, phrases of need, aliases, tags and description,
// raised by how well one phrase or the title agrees with the question as a whole.
const (
	k1          = 1.2
	phraseBoost = 1.4 // how much a phrase that is the question itself adds
	strongFit   = 0.70
	weakFit     = 0.42
	bodyWeight  = 0.6 // how much of a word counts that only the description has
	fuzzyWeight = 0.7 // how much of a misspelt word counts
	numberShare = 0.15
	maxWords    = 32
)

type weights struct {
	id, title, needs, aliases, tags, body float64 // weight of one occurrence
}

var fieldWeight = weights{id: 2.2, title: 3, needs: 2.6, aliases: 3, tags: 1.2, body: 0.8}

// lengthNorm is b of BM25, for the description, the only field whose length varies much by style.
const lengthNorm = 0.5

type posting struct {
	doc    int32
	weight float32 // weighted frequency
	body   bool    // only in the description
}

type ranker struct {
	catalog  *catalog.Catalog
	domains  []string
	postings [][]posting // by word
	idf      []float64
	words    map[string]int32
	spelling []string            // of each word
	buckets  map[[2]byte][]int32 // words by first letter and length, for fuzzy matching
	phrases  [][][]int32         // of each doc: sorted words of title, needs and aliases
	byID     map[string]int
	cards    []Card
}

// newRanker builds the table for a catalog: time and memory linear in its text.
func newRanker(c *catalog.Catalog) *ranker {
	r := &ranker{catalog: c, words: map[string]int32{}, buckets: map[[2]byte][]int32{}, byID: map[string]int{}, phrases: make([][][]int32, len(c.Descriptors))}
	average := 1.0
	for i := range c.Descriptors {
		average += float64(len(terms.Split(c.Descriptors[i].Description, 512))) / float64(len(c.Descriptors))
	}
	for i := range c.Descriptors {
		r.add(i, &c.Descriptors[i], average)
		r.cards = append(r.cards, newCard(&c.Descriptors[i]))
	}
	r.idf = make([]float64, len(r.postings))
	n := float64(len(c.Descriptors))
	for w, p := range r.postings {
		df := float64(len(p))
		r.idf[w] = math.Log(1 + (n-df+0.5)/(df+0.5))
	}
	slices.Sort(r.domains)
	return r
}

func (r *ranker) add(doc int, d *events.Descriptor, average float64) {
	r.byID[d.CapabilityID] = doc
	if !d.DiscoveryVisible {
		return
	}
	if dom := d.Domain(); !slices.Contains(r.domains, dom) {
		r.domains = append(r.domains, dom)
	}
	seen := map[int32]*posting{}
	count := func(text string, weight float64, body bool) []int32 {
		var ids []int32
		for _, w := range terms.Split(text, 512) {
			id := r.word(w)
			ids = append(ids, id)
			p := seen[id]
			if p == nil {
				p = &posting{doc: int32(doc), body: true}
				seen[id] = p
			}
			p.weight += float32(weight)
			p.body = p.body && body
		}
		slices.Sort(ids)
		return slices.Compact(ids)
	}
	f := fieldWeight
	count(strings.NewReplacer(".", " ", "_", " ").Replace(d.CapabilityID), f.id, false)
	phrases := [][]int32{count(d.Title, f.title, false)}
	for _, p := range d.Needs {
		phrases = append(phrases, count(p, f.needs/math.Sqrt(float64(len(d.Needs))), false))
	}
	for _, p := range d.Aliases {
		phrases = append(phrases, count(p, f.aliases/math.Sqrt(float64(len(d.Aliases))), false))
	}
	for _, p := range d.Tags {
		count(p, f.tags, false)
	}
	length := float64(len(terms.Split(d.Description, 512)))
	count(d.Description, f.body/(1-lengthNorm+lengthNorm*length/average), true)
	r.phrases[doc] = phrases
	for id, p := range seen {
		r.postings[id] = append(r.postings[id], *p)
	}
}

func (r *ranker) word(w string) int32 {
	id, ok := r.words[w]
	if !ok {
		id = int32(len(r.postings))
		r.words[w] = id
		r.postings = append(r.postings, nil)
		b := bucket(w, len(w))
		r.buckets[b] = append(r.buckets[b], id)
		r.spelling = append(r.spelling, w)
	}
	return id
}

func bucket(w string, n int) [2]byte { return [2]byte{w[0], byte(min(n, 255))} }

// asked is one word of a question.
type asked struct {
	matches []match // words of the catalog that it may mean
	weight  float64 // what it counts in the question
}

type match struct {
	word  int32
	share float64
}

type scored struct {
	doc      int
	score    float64
	coverage float64
}

// rank scores every operation that shares a word with the question, best first; equal ones by id.
func (r *ranker) rank(question string, allowed func(*events.Descriptor) bool) []scored {
	words := terms.Split(question, maxWords)
	total := 0.0
	var qs []asked
	var known []int32
	for i, w := range words {
		if slices.Contains(words[:i], w) {
			continue
		}
		q := r.ask(w)
		total += q.weight
		qs = append(qs, q)
		if len(q.matches) > 0 {
			known = append(known, q.matches[0].word)
		}
	}
	if total == 0 {
		return nil
	}
	slices.Sort(known)
	score, covered := make([]float64, len(r.catalog.Descriptors)), make([]float64, len(r.catalog.Descriptors))
	for _, q := range qs {
		r.accumulate(q, score, covered)
	}
	var out []scored
	for doc := range score {
		if score[doc] == 0 || !allowed(&r.catalog.Descriptors[doc]) {
			continue
		}
		agreement := r.agreement(doc, known, total)
		out = append(out, scored{doc, score[doc] * (1 + phraseBoost*agreement), max(covered[doc]/total, agreement)})
	}
	slices.SortStableFunc(out, func(a, b scored) int {
		switch {
		case a.score > b.score:
			return -1
		case a.score < b.score:
			return 1
		}
		return 0
	})
	return out
}

func (r *ranker) ask(w string) asked {
	rare := math.Log(1 + float64(len(r.catalog.Descriptors))/1.5)
	if id, ok := r.words[w]; ok {
		q := asked{[]match{{id, 1}}, r.idf[id]}
		if isNumber(w) {
			q.weight *= numberShare
		}
		return q
	}
	if len(w) == 1 || strings.ContainsAny(w, "0123456789^+*=/_<>|") { // a value or a formula, not a need
		return asked{weight: rare * numberShare}
	}
	return asked{r.fuzzy(w), rare * 0.8}
}

func isNumber(w string) bool {
	for i := range len(w) {
		if w[i] < '0' || w[i] > '9' {
			return false
		}
	}
	return w != ""
}

// accumulate adds what one word of the question gives each operation: the best of its meanings.
func (r *ranker) accumulate(q asked, score, covered []float64) {
	best := map[int32]bool{}
	for _, m := range q.matches {
		for _, p := range r.postings[m.word] {
			if best[p.doc] {
				continue
			}
			best[p.doc] = true
			tf := float64(p.weight)
			score[p.doc] += m.share * r.idf[m.word] * tf * (k1 + 1) / (tf + k1)
			share := m.share
			if p.body {
				share *= bodyWeight
			}
			covered[p.doc] += q.weight * share
		}
	}
}

// agreement is the best weighted Jaccard index between the question and a phrase of the operation.
func (r *ranker) agreement(doc int, known []int32, total float64) float64 {
	best := 0.0
	for _, phrase := range r.phrases[doc] {
		both, all := 0.0, total
		for _, w := range phrase {
			if _, ok := slices.BinarySearch(known, w); ok {
				both += r.idf[w]
			} else {
				all += r.idf[w]
			}
		}
		if all > 0 {
			best = max(best, both/all)
		}
	}
	return min(best, 1)
}
