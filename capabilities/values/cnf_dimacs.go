package values

import (
	"bytes"
	"fmt"
	"strconv"
)

// DIMACSError says in which line (from 1) a DIMACS text breaks the format.
type DIMACSError struct {
	Line     int
	Expected string
	Found    string
}

func (e *DIMACSError) Error() string {
	return fmt.Sprintf("line %d: expected %s, found %s", e.Line, e.Expected, e.Found)
}

// ParseDIMACS reads a formula in the DIMACS CNF format ("Satisfiability: Suggested Format", 1993) and
// returns what a reader of the file should know, such as repeated literals. The choices where files in
// the wild differ, see docs/formats/dimacs.md:
//
//   - A line whose first non-blank byte is 'c' is a comment and is skipped unread, wherever it stands.
//   - "p cnf VARIABLES CLAUSES" comes once, before the clauses; both counts bind exactly.
//   - Every clause ends with 0, may span lines, may be empty ("0" alone), and the last one too must end.
//   - After the last declared clause a line "%" ends the text (the SATLIB archives have it); only "0"
//     and white space may follow it. Anywhere else '%' is an error.
//   - Numbers have no '+', no leading zeros, and 0 has no sign.
//
// Repeated literals and clauses with v and -v are notes, not errors. Time and memory are linear.
func ParseDIMACS(text []byte) (CNF, []string, error) {
	p := dimacs{text: text, line: 1}
	if err := p.header(); err != nil {
		return CNF{}, nil, err
	}
	if err := p.clauses(); err != nil {
		return CNF{}, nil, err
	}
	return p.f, p.notes(), nil
}

type dimacs struct {
	text     []byte
	at, line int
	f        CNF
	declared int

	seen                   map[int]struct{} // literals of a long clause, reused
	repeated, tautologies  int
	firstRepeat, firstTaut int // lines
	trailer                bool
}

func (p *dimacs) fail(expected, found string) error {
	return &DIMACSError{p.line, expected, found}
}

func blank(b byte) bool { return b == ' ' || b == '\t' || b == '\r' || b == '\n' }

// next returns the next token, or nil at the end. first reports whether it starts its line.
func (p *dimacs) next() (token []byte, first bool) {
	first = p.at == 0
	for p.at < len(p.text) {
		b := p.text[p.at]
		switch {
		case b == '\n':
			p.at, p.line, first = p.at+1, p.line+1, true
		case blank(b):
			p.at++
		case b == 'c' && first:
			end := bytes.IndexByte(p.text[p.at:], '\n')
			if end < 0 {
				end = len(p.text) - p.at
			}
			p.at += end
		default:
			start := p.at
			for p.at < len(p.text) && !blank(p.text[p.at]) {
				p.at++
			}
			return p.text[start:p.at], first
		}
	}
	return nil, false
}

func brief(token []byte) string {
	if token == nil {
		return "the end of the text"
	}
	return fmt.Sprintf("%.40q", token)
}

func (p *dimacs) header() error {
	const want = `the header "p cnf VARIABLES CLAUSES"`
	token, first := p.next()
	if string(token) != "p" || !first {
		return p.fail(want, brief(token))
	}
	start := p.line
	if token, _ = p.next(); string(token) != "cnf" || p.line != start {
		return p.fail(want, `"p" and then `+brief(token))
	}
	var n [2]int
	for i, most := range []int{MaxVariables, MaxLiterals} {
		token, _ = p.next()
		v, ok := dimacsNumber(token)
		if !ok || v < 0 || p.line != start {
			return p.fail(want, brief(token))
		}
		if v > most {
			return p.fail(fmt.Sprintf("at most %d", most), brief(token))
		}
		n[i] = v
	}
	p.f.Variables, p.declared = n[0], n[1]
	// The header must end its line: a clause on the same line is a damaged file.
	for p.at < len(p.text) && p.text[p.at] != '\n' {
		if !blank(p.text[p.at]) {
			return p.fail("the end of the header line", brief(p.text[p.at:p.at+1]))
		}
		p.at++
	}
	p.f.Clauses = make([][]int, 0, min(p.declared, len(p.text)/2+1))
	return nil
}

func (p *dimacs) clauses() error {
	var clause []int
	literals := 0
	open := false
	for {
		token, first := p.next()
		switch {
		case token == nil && open:
			return p.fail("0 at the end of the last clause", brief(token))
		case token == nil && len(p.f.Clauses) != p.declared:
			return p.fail(fmt.Sprintf("%d clauses as the header declares", p.declared), strconv.Itoa(len(p.f.Clauses)))
		case token == nil:
			return nil
		case string(token) == "%" && first && !open && len(p.f.Clauses) == p.declared:
			return p.end()
		case string(token) == "p" && first:
			return p.fail("one header", "a second one")
		case len(p.f.Clauses) == p.declared:
			return p.fail(fmt.Sprintf("the end of the text after %d clauses as the header declares", p.declared), brief(token))
		}
		l, ok := dimacsNumber(token)
		if !ok || l > p.f.Variables || l < -p.f.Variables {
			return p.fail(fmt.Sprintf("a literal ±1 to ±%d or 0 (no sign +, no leading zeros)", p.f.Variables), brief(token))
		}
		if l != 0 {
			if literals++; literals > MaxLiterals {
				return p.fail(fmt.Sprintf("at most %d literals", MaxLiterals), "more")
			}
			clause, open = append(clause, l), true
			continue
		}
		p.remark(clause)
		p.f.Clauses = append(p.f.Clauses, append(make([]int, 0, len(clause)), clause...))
		clause, open = clause[:0], false
	}
}

// end reads what follows "%".
func (p *dimacs) end() error {
	p.trailer = true
	for {
		token, _ := p.next()
		if token == nil {
			return nil
		}
		if string(token) != "0" {
			return p.fail(`only "0" after "%"`, brief(token))
		}
	}
}

// dimacsNumber reads -?[1-9][0-9]* or 0, at most nine digits.
func dimacsNumber(token []byte) (int, bool) {
	digits, sign := token, 1
	if len(digits) > 0 && digits[0] == '-' {
		digits, sign = digits[1:], -1
	}
	if len(digits) == 0 || len(digits) > 9 || digits[0] == '0' && len(token) > 1 {
		return 0, false
	}
	n := 0
	for _, d := range digits {
		if d < '0' || d > '9' {
			return 0, false
		}
		n = 10*n + int(d-'0')
	}
	return sign * n, true
}

// remark counts repeated literals and tautologies. It is quadratic only in short clauses.
func (p *dimacs) remark(clause []int) {
	const short = 8
	repeated, tautology := 0, false
	if len(clause) <= short {
		for i, l := range clause {
			for _, m := range clause[:i] {
				if m == l {
					repeated++
				}
				tautology = tautology || m == -l
			}
		}
	} else {
		if p.seen == nil {
			p.seen = map[int]struct{}{}
		}
		clear(p.seen)
		for _, l := range clause {
			if _, ok := p.seen[l]; ok {
				repeated++
			}
			if _, ok := p.seen[-l]; ok {
				tautology = true
			}
			p.seen[l] = struct{}{}
		}
	}
	if repeated > 0 {
		if p.repeated == 0 {
			p.firstRepeat = p.line
		}
		p.repeated++
	}
	if tautology {
		if p.tautologies == 0 {
			p.firstTaut = p.line
		}
		p.tautologies++
	}
}

func (p *dimacs) notes() []string {
	notes := []string{}
	if p.repeated > 0 {
		notes = append(notes, fmt.Sprintf("%d clauses repeat a literal, first in line %d; a repeated literal counts once", p.repeated, p.firstRepeat))
	}
	if p.tautologies > 0 {
		notes = append(notes, fmt.Sprintf("%d clauses contain a variable and its negation, first in line %d; they are always true", p.tautologies, p.firstTaut))
	}
	if p.trailer {
		notes = append(notes, `the text ends at a line "%"`)
	}
	return notes
}

// DIMACS is the formula in the DIMACS CNF format, one clause a line, without comments. It is what
// [ParseDIMACS] reads back to the same value.
func (f CNF) DIMACS() []byte {
	b := fmt.Appendf(make([]byte, 0, 32+8*f.Literals()), "p cnf %d %d\n", f.Variables, len(f.Clauses))
	for _, c := range f.Clauses {
		for _, l := range c {
			b = strconv.AppendInt(b, int64(l), 10)
			b = append(b, ' ')
		}
		b = append(b, '0', '\n')
	}
	return b
}
