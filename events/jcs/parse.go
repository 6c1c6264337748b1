package jcs

import (
	"fmt"
	"strconv"
	"unicode/utf16"
	"unicode/utf8"
)

// Parse reads one JSON value of the profile. Trailing white space is allowed, anything else is not.
// The error is an [*Error]. Time is linear in the input; a message that nests too deep is refused at
// the first bracket beyond [MaxDepth], before anything below it is read.
func Parse(data []byte) (Value, error) {
	if len(data) > MaxBytes {
		return Value{}, Fail(fmt.Sprintf("at most %d bytes", MaxBytes), fmt.Sprintf("%d bytes", len(data)), "store it with artifact.put and pass a $ref")
	}
	p := parser{data: data}
	v, err := p.value(0)
	if err != nil {
		return Value{}, err
	}
	p.space()
	if p.pos < len(data) {
		return Value{}, Fail("one JSON value", "more after it "+p.here(), "send one value")
	}
	return v, nil
}

type parser struct {
	data []byte
	pos  int
}

func (p *parser) here() string {
	if p.pos >= len(p.data) {
		return "(end of input)"
	}
	return fmt.Sprintf("(%q at byte %d)", p.data[p.pos], p.pos)
}

func (p *parser) space() {
	for p.pos < len(p.data) {
		switch p.data[p.pos] {
		case ' ', '\t', '\n', '\r':
			p.pos++
		default:
			return
		}
	}
}

func (p *parser) value(depth int) (Value, error) {
	p.space()
	if p.pos >= len(p.data) {
		return Value{}, Fail("a JSON value", "the end of the input", "the message is cut short")
	}
	switch c := p.data[p.pos]; {
	case c == '{' || c == '[':
		if depth >= MaxDepth {
			return Value{}, Fail(fmt.Sprintf("nesting of at most %d", MaxDepth), "deeper nesting "+p.here(), "flatten the value")
		}
		if c == '{' {
			return p.object(depth + 1)
		}
		return p.array(depth + 1)
	case c == '"':
		s, err := p.string()
		return Value{kind: String, text: s}, err
	case c == '-' || c >= '0' && c <= '9':
		return p.number()
	}
	for _, lit := range []struct {
		word string
		v    Value
	}{{"true", Value{kind: Bool, boolean: true}}, {"false", Value{kind: Bool}}, {"null", Value{}}} {
		if len(p.data)-p.pos >= len(lit.word) && string(p.data[p.pos:p.pos+len(lit.word)]) == lit.word {
			p.pos += len(lit.word)
			return lit.v, nil
		}
	}
	return Value{}, Fail("a JSON value", "something else "+p.here(), "check the JSON syntax")
}

func (p *parser) array(depth int) (Value, error) {
	p.pos++
	v := Value{kind: Array, items: []Value{}}
	p.space()
	if p.pos < len(p.data) && p.data[p.pos] == ']' {
		p.pos++
		return v, nil
	}
	for {
		it, err := p.value(depth)
		if err != nil {
			return Value{}, At(len(v.items), err)
		}
		v.items = append(v.items, it)
		p.space()
		if p.pos >= len(p.data) || p.data[p.pos] != ',' && p.data[p.pos] != ']' {
			return Value{}, Fail(`"," or "]"`, "something else "+p.here(), "check the JSON syntax")
		}
		p.pos++
		if p.data[p.pos-1] == ']' {
			return v, nil
		}
	}
}

func (p *parser) object(depth int) (Value, error) {
	p.pos++
	v := Value{kind: Object, members: []Member{}}
	p.space()
	if p.pos < len(p.data) && p.data[p.pos] == '}' {
		p.pos++
		return v, nil
	}
	for {
		p.space()
		if p.pos >= len(p.data) || p.data[p.pos] != '"' {
			return Value{}, Fail("a member name in double quotes", "something else "+p.here(), "check the JSON syntax")
		}
		name, err := p.string()
		if err != nil {
			return Value{}, err
		}
		p.space()
		if p.pos >= len(p.data) || p.data[p.pos] != ':' {
			return Value{}, In(name, Fail(`":"`, "something else "+p.here(), "check the JSON syntax"))
		}
		p.pos++
		val, err := p.value(depth)
		if err != nil {
			return Value{}, In(name, err)
		}
		v.members = append(v.members, Member{name, val})
		p.space()
		if p.pos >= len(p.data) || p.data[p.pos] != ',' && p.data[p.pos] != '}' {
			return Value{}, Fail(`"," or "}"`, "something else "+p.here(), "check the JSON syntax")
		}
		p.pos++
		if p.data[p.pos-1] == '}' {
			break
		}
	}
	sortMembers(v.members)
	for i := 1; i < len(v.members); i++ {
		if v.members[i].Name == v.members[i-1].Name {
			return Value{}, In(v.members[i].Name, Fail("each member once", "the name twice", "remove one of the two"))
		}
	}
	return v, nil
}

func (p *parser) number() (Value, error) {
	start := p.pos
	for p.pos < len(p.data) {
		c := p.data[p.pos]
		if (c < '0' || c > '9') && c != '-' && c != '+' && c != '.' && c != 'e' && c != 'E' {
			break
		}
		p.pos++
	}
	word := string(p.data[start:p.pos])
	shown := word
	if len(shown) > 40 {
		shown = shown[:40] + "…"
	}
	digits := word
	if digits[0] == '-' {
		digits = digits[1:]
	}
	if digits == "" || len(digits) > 1 && digits[0] == '0' || word == "-0" || !allDigits(digits) {
		return Value{}, Fail("an integer such as 12 or -7", shown, `write exact numbers as decimal strings, "12" or {"num":"1","den":"2"}`)
	}
	n, err := strconv.ParseInt(word, 10, 64)
	if err != nil || n > MaxInteger || n < -MaxInteger {
		return Value{}, Fail("a JSON integer within ±(2^53−1)", shown, `write larger integers as a decimal string: "`+shown+`"`)
	}
	return Value{kind: Integer, integer: n}, nil
}

func allDigits(s string) bool {
	for i := range len(s) {
		if s[i] < '0' || s[i] > '9' {
			return false
		}
	}
	return true
}

// string reads a string literal; p.pos is at its opening quote.
func (p *parser) string() (string, error) {
	p.pos++
	start := p.pos
	for p.pos < len(p.data) { // the usual case: no escape
		c := p.data[p.pos]
		if c == '"' {
			s := string(p.data[start:p.pos])
			p.pos++
			if !utf8.ValidString(s) {
				return "", Fail("UTF-8 text", "bytes that are not UTF-8", "send UTF-8")
			}
			return s, nil
		}
		if c == '\\' || c < 0x20 {
			break
		}
		p.pos++
	}
	out := append([]byte(nil), p.data[start:p.pos]...)
	for p.pos < len(p.data) {
		c := p.data[p.pos]
		switch {
		case c == '"':
			p.pos++
			if !utf8.Valid(out) {
				return "", Fail("UTF-8 text", "bytes that are not UTF-8", "send UTF-8")
			}
			return string(out), nil
		case c < 0x20:
			return "", Fail("an escaped control character", fmt.Sprintf("the raw byte 0x%02x", c), `write \u00XX`)
		case c != '\\':
			out = append(out, c)
			p.pos++
		default:
			r, err := p.escape()
			if err != nil {
				return "", err
			}
			out = utf8.AppendRune(out, r)
		}
	}
	return "", Fail("a closing quote", "the end of the input", "the message is cut short")
}

func (p *parser) escape() (rune, error) {
	bad := func() (rune, error) {
		return 0, Fail("a JSON escape", "another one "+p.here(), "check the string's escapes; surrogates must come in pairs")
	}
	if p.pos+1 >= len(p.data) {
		return bad()
	}
	c := p.data[p.pos+1]
	p.pos += 2
	switch c {
	case '"', '\\', '/':
		return rune(c), nil
	case 'b':
		return '\b', nil
	case 'f':
		return '\f', nil
	case 'n':
		return '\n', nil
	case 'r':
		return '\r', nil
	case 't':
		return '\t', nil
	case 'u':
		r, ok := p.hex4()
		if !ok {
			return bad()
		}
		if !utf16.IsSurrogate(r) {
			return r, nil
		}
		if p.pos+1 < len(p.data) && p.data[p.pos] == '\\' && p.data[p.pos+1] == 'u' {
			p.pos += 2
			if low, ok := p.hex4(); ok {
				if full := utf16.DecodeRune(r, low); full != utf8.RuneError {
					return full, nil
				}
			}
		}
	}
	return bad()
}

func (p *parser) hex4() (rune, bool) {
	if p.pos+4 > len(p.data) {
		return 0, false
	}
	var r rune
	for _, c := range p.data[p.pos : p.pos+4] {
		r <<= 4
		switch {
		case c >= '0' && c <= '9':
			r |= rune(c - '0')
		case c >= 'a' && c <= 'f':
			r |= rune(c-'a') + 10
		case c >= 'A' && c <= 'F':
			r |= rune(c-'A') + 10
		default:
			return 0, false
		}
	}
	p.pos += 4
	return r, true
}
