// Package lratlog collects the steps of a refutation and writes them as LRAT text.
//
// Only what the empty clause rests on is written: steps are kept in memory as they are made, and at the
// end the antecedents of the empty clause are marked backwards, unused steps are dropped, the rest is
// renumbered, and a deletion follows the last use of each clause. Nothing here is trusted: the checker
// of capabilities/checkers/lrat decides about the text.
package lratlog

import (
	"errors"
	"strconv"
)

// ErrTooLarge says that the refutation outgrew the log's limit.
var ErrTooLarge = errors.New("lratlog: the refutation is larger than the limit")

// Log is a growing derivation. Clause i of the formula (from 0) has id i+1, lemmas follow.
type Log struct {
	formula int
	limit   int     // of numbers kept
	lits    []int32 // signed literals of all lemmas
	hints   []int32
	ends    []span
	empty   int // id of the empty clause, 0 if not derived
	core    []int
}

type span struct{ lits, hints int } // ends, exclusive

// New returns a log for a formula of that many clauses. limit bounds the memory: literals and hints
// kept, 4 bytes each.
func New(clauses, limit int) *Log { return &Log{formula: clauses, limit: limit} }

// Add records a lemma with its hints in checking order and returns its id.
func (g *Log) Add(lits, hints []int32) (int32, error) {
	if len(g.lits)+len(g.hints)+len(lits)+len(hints) > g.limit {
		return 0, ErrTooLarge
	}
	g.lits = append(g.lits, lits...)
	g.hints = append(g.hints, hints...)
	g.ends = append(g.ends, span{len(g.lits), len(g.hints)})
	id := g.formula + len(g.ends)
	if len(lits) == 0 && g.empty == 0 {
		g.empty = id
	}
	return int32(id), nil
}

// Lemmas is the number of steps recorded.
func (g *Log) Lemmas() int { return len(g.ends) }

func (g *Log) lemma(i int) (lits, hints []int32) {
	var from span
	if i > 0 {
		from = g.ends[i-1]
	}
	return g.lits[from.lits:g.ends[i].lits], g.hints[from.hints:g.ends[i].hints]
}

// Text is the trimmed refutation, nil if the empty clause was not derived. RAT steps cannot be trimmed
// this way, so the log holds only RUP steps: hints are positive.
func (g *Log) Text() []byte {
	if g.empty == 0 {
		return nil
	}
	lastUse := make([]int32, g.formula+len(g.ends)+1) // id of the last lemma that uses it, 0 = unused
	used := make([]bool, len(g.ends))
	last := g.empty - g.formula - 1
	used[last] = true
	for i := last; i >= 0; i-- {
		if !used[i] {
			continue
		}
		_, hints := g.lemma(i)
		for _, h := range hints {
			if lastUse[h] == 0 { // lemmas are visited from the last to the first
				lastUse[h] = int32(g.formula + i + 1)
			}
			if k := int(h) - g.formula - 1; k >= 0 {
				used[k] = true
			}
		}
	}
	g.core = g.core[:0]
	for i := range g.formula {
		if lastUse[i+1] != 0 {
			g.core = append(g.core, i)
		}
	}
	return g.write(last, used, lastUse)
}

// Core lists the clauses of the formula, from 0, that the last text rests on.
func (g *Log) Core() []int { return g.core }

func (g *Log) write(last int, used []bool, lastUse []int32) []byte {
	var b []byte
	number := func(n int32, end byte) { b = append(strconv.AppendInt(b, int64(n), 10), end) }
	names := make([]int32, len(lastUse))
	for i := range g.formula {
		names[i+1] = int32(i + 1)
	}
	id := int32(g.formula)
	for i := 0; i <= last; i++ {
		if !used[i] {
			continue
		}
		id++
		own := g.formula + i + 1
		names[own] = id
		lits, hints := g.lemma(i)
		number(id, ' ')
		for _, l := range lits {
			number(l, ' ')
		}
		b = append(b, '0', ' ')
		for _, h := range hints {
			number(names[h], ' ')
		}
		b = append(b, '0', '\n')
		if i < last {
			b = g.deletions(b, hints, own, id, names, lastUse)
		}
	}
	return b
}

// deletions writes the deletion of the clauses that the lemma own is the last to use.
func (g *Log) deletions(b []byte, hints []int32, own int, id int32, names, lastUse []int32) []byte {
	open := false
	for _, h := range hints {
		if lastUse[h] != int32(own) || names[h] == 0 {
			continue
		}
		if !open {
			b = append(strconv.AppendInt(b, int64(id), 10), " d "...)
			open = true
		}
		b = append(strconv.AppendInt(b, int64(names[h]), 10), ' ')
		lastUse[h] = 0 // a hint given twice is deleted once
	}
	if open {
		b = append(b, '0', '\n')
	}
	return b
}
