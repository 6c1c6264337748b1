package drat

import "bytes"

type stepKind int

const (
	end stepKind = iota
	addition
	deletion
)

// reader reads the steps of a proof.
type reader struct {
	text   []byte
	at     int
	binary bool
}

func space(b byte) bool { return b == ' ' || b == '\t' || b == '\r' || b == '\n' }

func (r *reader) skip() bool {
	for r.at < len(r.text) && space(r.text[r.at]) {
		r.at++
	}
	return r.at < len(r.text)
}

// step reads what a step starts with; (end, _) is the end of the proof.
func (r *reader) step() (stepKind, bool) {
	if r.binary {
		if r.at == len(r.text) {
			return end, true
		}
		r.at++
		switch r.text[r.at-1] {
		case 'a':
			return addition, true
		case 'd':
			return deletion, true
		}
		r.at--
		return addition, false
	}
	for r.skip() {
		switch b := r.text[r.at]; {
		case b == 'c' && (r.at == 0 || r.text[r.at-1] == '\n'):
			n := bytes.IndexByte(r.text[r.at:], '\n')
			if n < 0 {
				n = len(r.text) - r.at
			}
			r.at += n
		case b == 'd' && r.at+1 < len(r.text) && space(r.text[r.at+1]):
			r.at++
			return deletion, true
		case b == '-' || b-'0' <= 9:
			return addition, true
		default:
			return addition, false
		}
	}
	return end, true
}

// literal reads one, or the 0 at the end of a clause.
func (r *reader) literal() (int, bool) {
	if r.binary {
		return r.varint()
	}
	if !r.skip() {
		return 0, false
	}
	i, sign := r.at, 1
	if r.text[i] == '-' {
		i, sign = i+1, -1
	}
	first, n := i, 0
	for i < len(r.text) && r.text[i]-'0' <= 9 && i-first < 10 {
		n = 10*n + int(r.text[i]-'0')
		i++
	}
	switch {
	case i == first, r.text[first] == '0' && (i-first > 1 || sign < 0), i < len(r.text) && !space(r.text[i]):
		return 0, false
	}
	r.at = i
	return sign * n, true
}

// varint reads a binary literal in its shortest form.
func (r *reader) varint() (int, bool) {
	n := 0
	for k := 0; k < 5 && r.at+k < len(r.text); k++ {
		b := r.text[r.at+k]
		n |= int(b&0x7f) << (7 * k)
		if b&0x80 != 0 {
			continue
		}
		if k > 0 && b == 0 || n == 1 { // longer than needed; minus zero
			return 0, false
		}
		r.at += k + 1
		if n&1 == 1 {
			return -(n >> 1), true
		}
		return n >> 1, true
	}
	return 0, false
}
