// Package jcs reads and writes the restricted JSON that Jacobian hashes and stores.
//
// The profile is RFC 8785 (JSON Canonicalization Scheme) with the numbers taken out: the only JSON
// numbers are integers within ±(2^53−1), written without sign "+", fraction, exponent or "-0". Every
// mathematical number is a decimal string. Names are unique after unescaping, text is valid UTF-8
// without lone surrogates, nesting is at most [MaxDepth] deep and a message at most [MaxBytes] long.
// Object members are ordered by the UTF-16 code units of their names, as RFC 8785 section 3.2.3 asks.
//
// [Parse] gives a [Value]; [Value.Append] writes the one canonical form; [Decode] fills a Go value
// strictly: unknown, missing and case-folded members are errors that carry a JSON pointer, what was
// expected and what was found. encoding/json alone is not enough here: it keeps the last of two
// duplicates, folds case and rounds large integers.
package jcs

import (
	"cmp"
	"errors"
	"fmt"
	"slices"
	"strconv"
	"strings"
)

const (
	// MaxDepth is the deepest nesting of arrays and objects that is read.
	MaxDepth = 64
	// MaxBytes is the longest message that is read.
	MaxBytes = 10 << 20
	// MaxInteger is the largest magnitude of a JSON integer, 2^53−1: beyond it many readers round.
	MaxInteger = 1<<53 - 1
)

// Kind is the JSON type of a [Value].
type Kind uint8

// The kinds. There is no kind for fractions: the profile has none.
const (
	Null Kind = iota
	Bool
	Integer
	String
	Array
	Object
)

func (k Kind) String() string {
	return [...]string{"null", "a boolean", "an integer", "a string", "an array", "an object"}[k]
}

// Value is one parsed JSON value. It is immutable; its zero value is null.
type Value struct {
	kind    Kind
	boolean bool
	integer int64
	text    string
	items   []Value
	members []Member
}

// Member is one name and value of an object.
type Member struct {
	Name  string
	Value Value
}

// Error says where a message breaks the profile or its type, and what to do about it.
type Error struct {
	Path     string // JSON pointer (RFC 6901) of the offending value, "" for the whole message
	Expected string // what is allowed there
	Found    string // what was there
	Hint     string // what to do next; may be empty
}

func (e *Error) Error() string {
	at := e.Path
	if at == "" {
		at = "/"
	}
	s := fmt.Sprintf("at %s: expected %s, found %s", at, e.Expected, e.Found)
	if e.Hint != "" {
		s += "; " + e.Hint
	}
	return s
}

// Fail returns an [Error] without a path; callers that know where they are add it with [In].
func Fail(expected, found, hint string) error {
	return &Error{Expected: expected, Found: found, Hint: hint}
}

// In puts a path segment in front of the path of err. Errors of other types become an [Error].
func In(segment string, err error) error {
	if err == nil {
		return nil
	}
	segment = "/" + escapePointer(segment)
	var e *Error
	if errors.As(err, &e) {
		c := *e
		c.Path = segment + c.Path
		return &c
	}
	return &Error{Path: segment, Expected: "a valid value", Found: err.Error()}
}

// At is [In] for an array index.
func At(index int, err error) error { return In(strconv.Itoa(index), err) }

func escapePointer(s string) string {
	out := make([]byte, 0, len(s))
	for i := range len(s) {
		switch s[i] {
		case '~':
			out = append(out, "~0"...)
		case '/':
			out = append(out, "~1"...)
		default:
			out = append(out, s[i])
		}
	}
	return string(out)
}

// Kind reports the JSON type of v.
func (v Value) Kind() Kind { return v.kind }

// Text is the content of a string, and "" for every other kind.
func (v Value) Text() string { return v.text }

// Int is the content of an integer, and 0 for every other kind.
func (v Value) Int() int64 { return v.integer }

// True reports whether v is the boolean true.
func (v Value) True() bool { return v.boolean }

// Items are the elements of an array. The caller must not change them.
func (v Value) Items() []Value { return v.items }

// Members are the members of an object in canonical order. The caller must not change them.
func (v Value) Members() []Member { return v.members }

// Get returns the member with that name.
func (v Value) Get(name string) (Value, bool) {
	for _, m := range v.members {
		if m.Name == name {
			return m.Value, true
		}
	}
	return Value{}, false
}

// NewString, NewInteger, NewArray and NewObject build values; NewObject sorts its members.
func NewString(s string) Value { return Value{kind: String, text: s} }

// NewInteger returns a JSON integer; it panics outside ±(2^53−1), where a string is due.
func NewInteger(n int64) Value {
	if n > MaxInteger || n < -MaxInteger {
		panic("jcs: integer beyond 2^53-1 must be a string")
	}
	return Value{kind: Integer, integer: n}
}

// NewArray returns a JSON array.
func NewArray(items ...Value) Value { return Value{kind: Array, items: items} }

// NewObject returns a JSON object with its members in canonical order.
func NewObject(members ...Member) Value {
	sortMembers(members)
	return Value{kind: Object, members: members}
}

// With returns a copy of the object v in which the member with that name has another value.
func (v Value) With(name string, value Value) Value {
	members := make([]Member, len(v.members))
	for i, m := range v.members {
		if m.Name == name {
			m.Value = value
		}
		members[i] = m
	}
	v.members = members
	return v
}

func sortMembers(m []Member) {
	if !slices.IsSortedFunc(m, compareNames) { // canonical input is sorted already
		slices.SortStableFunc(m, compareNames)
	}
}

// compareNames orders names by UTF-16 code units. That is the order of their UTF-8 bytes, except that a
// character beyond U+FFFF (first byte F0 or more) comes before U+E000 to U+FFFF (first byte EE or EF),
// since it is written with surrogates.
func compareNames(a, b Member) int {
	x, y := a.Name, b.Name
	for i := 0; i < len(x) && i < len(y); i++ {
		if x[i] == y[i] {
			continue
		}
		if (x[i] >= 0xF0) != (y[i] >= 0xF0) && x[i] >= 0xEE && y[i] >= 0xEE {
			return cmp.Compare(y[i], x[i])
		}
		return cmp.Compare(x[i], y[i])
	}
	return cmp.Compare(len(x), len(y))
}

// Append appends the canonical form of v to b.
func (v Value) Append(b []byte) []byte {
	switch v.kind {
	case Bool:
		return strconv.AppendBool(b, v.boolean)
	case Integer:
		return strconv.AppendInt(b, v.integer, 10)
	case String:
		return appendString(b, v.text)
	case Array:
		b = append(b, '[')
		for i, it := range v.items {
			if i > 0 {
				b = append(b, ',')
			}
			b = it.Append(b)
		}
		return append(b, ']')
	case Object:
		b = append(b, '{')
		for i, m := range v.members {
			if i > 0 {
				b = append(b, ',')
			}
			b = append(appendString(b, m.Name), ':')
			b = m.Value.Append(b)
		}
		return append(b, '}')
	}
	return append(b, "null"...)
}

// appendString writes the escapes of RFC 8785 section 3.2.2.2 and nothing else.
func appendString(b []byte, s string) []byte {
	const hex = "0123456789abcdef"
	b = append(b, '"')
	start := 0
	for i := range len(s) {
		c := s[i]
		if c >= 0x20 && c != '"' && c != '\\' {
			continue
		}
		b = append(b, s[start:i]...)
		start = i + 1
		switch c {
		case '"', '\\':
			b = append(b, '\\', c)
		case '\b':
			b = append(b, `\b`...)
		case '\t':
			b = append(b, `\t`...)
		case '\n':
			b = append(b, `\n`...)
		case '\f':
			b = append(b, `\f`...)
		case '\r':
			b = append(b, `\r`...)
		default:
			b = append(b, '\\', 'u', '0', '0', hex[c>>4], hex[c&15])
		}
	}
	return append(append(b, s[start:]...), '"')
}

// Canonicalize parses data and returns its canonical form.
func Canonicalize(data []byte) ([]byte, error) {
	v, err := Parse(data)
	if err != nil {
		return nil, err
	}
	return v.Append(nil), nil
}

// CheckCanonical returns an error unless data is its own canonical form.
func CheckCanonical(data []byte) error {
	c, err := Canonicalize(data)
	if err != nil {
		return err
	}
	if string(c) != string(data) {
		return Fail("canonical JSON (RFC 8785)", "another spelling of the same value", "re-encode before storing")
	}
	return nil
}

// CheckNames returns an error unless every member name in v matches [a-z][a-z0-9_]*, the rule for
// everything that is stored as an event: such names cannot collide by case or by look-alikes.
func CheckNames(v Value) error {
	for i, it := range v.items {
		if err := CheckNames(it); err != nil {
			return At(i, err)
		}
	}
	for _, m := range v.members {
		if !plainName(m.Name) {
			return In(m.Name, Fail("a member name of the form [a-z][a-z0-9_]*", strconv.QuoteToASCII(m.Name), "rename the member"))
		}
		if err := CheckNames(m.Value); err != nil {
			return In(m.Name, err)
		}
	}
	return nil
}

func plainName(s string) bool {
	if s == "" || s[0] < 'a' || s[0] > 'z' {
		return false
	}
	for i := range len(s) {
		c := s[i]
		if (c < 'a' || c > 'z') && (c < '0' || c > '9') && c != '_' {
			return false
		}
	}
	return true
}

// Pointer follows a JSON pointer (RFC 6901) from v; "" is v itself.
func (v Value) Pointer(pointer string) (Value, error) {
	if pointer == "" {
		return v, nil
	}
	if pointer[0] != '/' {
		return Value{}, Fail("a JSON pointer such as /output/graph", strconv.Quote(pointer), "begin it with /")
	}
	at := v
	for _, part := range strings.Split(pointer[1:], "/") {
		name := strings.ReplaceAll(strings.ReplaceAll(part, "~1", "/"), "~0", "~")
		next, ok := Value{}, false
		switch at.kind {
		case Object:
			next, ok = at.Get(name)
		case Array:
			if i, err := strconv.Atoi(name); err == nil && i >= 0 && i < len(at.items) && strconv.Itoa(i) == name {
				next, ok = at.items[i], true
			}
		}
		if !ok {
			return Value{}, Fail("a member "+strconv.Quote(name)+" of "+pointer, at.Brief(), "read the value that the pointer is into")
		}
		at = next
	}
	return at, nil
}
