package lrat

// scanner reads decimal integers separated by white space.
type scanner struct {
	text []byte
	at   int
}

// more skips white space and reports whether anything is left.
func (s *scanner) more() bool {
	for s.at < len(s.text) {
		switch s.text[s.at] {
		case ' ', '\t', '\r', '\n':
			s.at++
		default:
			return true
		}
	}
	return false
}

// number reads -?[1-9][0-9]* or 0 of at most 18 digits, followed by white space or the end.
func (s *scanner) number() (int64, bool) {
	if !s.more() {
		return 0, false
	}
	i, negative := s.at, false
	if s.text[i] == '-' {
		i, negative = i+1, true
	}
	first, n := i, int64(0)
	for i < len(s.text) && s.text[i]-'0' <= 9 {
		n = 10*n + int64(s.text[i]-'0')
		if i++; i-first > 18 {
			return 0, false
		}
	}
	if i == first || s.text[first] == '0' && (i-first > 1 || negative) {
		return 0, false
	}
	if i < len(s.text) && s.text[i] != ' ' && s.text[i] != '\n' && s.text[i] != '\t' && s.text[i] != '\r' {
		return 0, false
	}
	s.at = i
	if negative {
		n = -n
	}
	return n, true
}

// letter takes the word that is just b, if it is next.
func (s *scanner) letter(b byte) bool {
	if !s.more() || s.text[s.at] != b {
		return false
	}
	if s.at+1 < len(s.text) {
		switch s.text[s.at+1] {
		case ' ', '\t', '\r', '\n':
		default:
			return false
		}
	}
	s.at++
	return true
}
