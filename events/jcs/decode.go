package jcs

import (
	"bytes"
	"encoding"
	"encoding/json"
	"errors"
	"fmt"
	"reflect"
	"slices"
	"strconv"
	"strings"
	"sync"
	"unicode/utf8"
)

// Unmarshaler is a type that reads itself from a [Value], such as an exact number. Its errors should
// be made with [Fail], [In] and [At], with paths relative to the value.
type Unmarshaler interface{ UnmarshalJCS(Value) error }

// Validator is a type with rules beyond its shape. It is asked after its fields have been read.
type Validator interface{ Validate() error }

var (
	unmarshalerType = reflect.TypeFor[Unmarshaler]()
	validatorType   = reflect.TypeFor[Validator]()
	textType        = reflect.TypeFor[encoding.TextUnmarshaler]()
	rawType         = reflect.TypeFor[json.RawMessage]()
)

// Decode parses data and fills into, a non-nil pointer. Member names are compared exactly; unknown
// members, and missing members whose field has no omitempty or omitzero, are errors.
func Decode(data []byte, into any) error {
	v, err := Parse(data)
	if err != nil {
		return err
	}
	return v.Decode(into)
}

// Decode fills into, a non-nil pointer, from v by the rules of [Decode].
func (v Value) Decode(into any) error {
	return v.decode(reflect.ValueOf(into).Elem())
}

// Marshal returns the canonical form of x, encoded by encoding/json and then checked against the
// profile: a float or an integer beyond 2^53−1 in x is an error.
func Marshal(x any) ([]byte, error) {
	v, err := ValueOf(x)
	if err != nil {
		return nil, err
	}
	return v.Append(nil), nil
}

// ValueOf is the value that [Marshal] writes.
func ValueOf(x any) (Value, error) {
	var buf bytes.Buffer
	enc := json.NewEncoder(&buf)
	enc.SetEscapeHTML(false)
	if err := enc.Encode(x); err != nil {
		return Value{}, err
	}
	return Parse(buf.Bytes())
}

// MustMarshal is [Marshal] for values of types that always encode.
func MustMarshal(x any) []byte {
	b, err := Marshal(x)
	if err != nil {
		panic("jcs: " + err.Error())
	}
	return b
}

func (v Value) decode(dst reflect.Value) error {
	t := dst.Type()
	if dst.CanAddr() && reflect.PointerTo(t).Implements(unmarshalerType) {
		if err := dst.Addr().Interface().(Unmarshaler).UnmarshalJCS(v); err != nil {
			return asError(err)
		}
		return validate(dst)
	}
	if dst.CanAddr() && reflect.PointerTo(t).Implements(textType) {
		if v.kind != String {
			return v.want("a string")
		}
		if err := dst.Addr().Interface().(encoding.TextUnmarshaler).UnmarshalText([]byte(v.text)); err != nil {
			return asError(err)
		}
		return validate(dst)
	}
	if t == rawType {
		dst.SetBytes(v.Append(nil))
		return nil
	}
	var err error
	switch t.Kind() {
	case reflect.Pointer:
		if v.kind == Null {
			dst.SetZero()
			return nil
		}
		p := reflect.New(t.Elem())
		if err := v.decode(p.Elem()); err != nil {
			return err
		}
		dst.Set(p)
		return nil
	case reflect.String:
		if v.kind != String {
			return v.want("a string")
		}
		dst.SetString(v.text)
	case reflect.Bool:
		if v.kind != Bool {
			return v.want("true or false")
		}
		dst.SetBool(v.boolean)
	case reflect.Int, reflect.Int64, reflect.Int32:
		if v.kind != Integer || dst.OverflowInt(v.integer) {
			return v.want("an integer")
		}
		dst.SetInt(v.integer)
	case reflect.Uint64, reflect.Uint, reflect.Uint32, reflect.Uint8:
		if v.kind != Integer || v.integer < 0 || dst.OverflowUint(uint64(v.integer)) {
			return v.want("a non-negative integer")
		}
		dst.SetUint(uint64(v.integer))
	case reflect.Slice:
		if v.kind != Array {
			return v.want("an array")
		}
		s := reflect.MakeSlice(t, len(v.items), len(v.items))
		for i, it := range v.items {
			if err := it.decode(s.Index(i)); err != nil {
				return At(i, err)
			}
		}
		dst.Set(s)
	case reflect.Map:
		if v.kind != Object {
			return v.want("an object")
		}
		m := reflect.MakeMapWithSize(t, len(v.members))
		for _, mem := range v.members {
			e := reflect.New(t.Elem()).Elem()
			if err := mem.Value.decode(e); err != nil {
				return In(mem.Name, err)
			}
			m.SetMapIndex(reflect.ValueOf(mem.Name).Convert(t.Key()), e)
		}
		dst.Set(m)
	case reflect.Struct:
		err = v.decodeStruct(dst)
	default:
		return fmt.Errorf("jcs: cannot decode into %s", t)
	}
	if err != nil {
		return err
	}
	return validate(dst)
}

// asError turns any error into an [*Error] without moving its path.
func asError(err error) error {
	var e *Error
	if errors.As(err, &e) {
		return e
	}
	return &Error{Expected: "a valid value", Found: err.Error()}
}

func validate(dst reflect.Value) error {
	if dst.CanAddr() && dst.Addr().Type().Implements(validatorType) {
		if err := dst.Addr().Interface().(Validator).Validate(); err != nil {
			return asError(err)
		}
	}
	return nil
}

type field struct {
	name     string
	index    []int
	optional bool
}

// known keeps the fields of struct types: tags are read once for each type.
var known sync.Map // reflect.Type → []field

func fieldsOf(t reflect.Type) []field {
	if f, ok := known.Load(t); ok {
		return f.([]field)
	}
	f := readFields(t)
	known.Store(t, f)
	return f
}

func readFields(t reflect.Type) []field {
	var out []field
	for i := range t.NumField() {
		f := t.Field(i)
		tag := f.Tag.Get("json")
		if f.Anonymous && tag == "" && f.Type.Kind() == reflect.Struct {
			for _, g := range readFields(f.Type) {
				g.index = append([]int{i}, g.index...)
				out = append(out, g)
			}
			continue
		}
		name, opts, _ := strings.Cut(tag, ",")
		if !f.IsExported() || name == "-" {
			continue
		}
		if name == "" {
			name = f.Name
		}
		out = append(out, field{name, []int{i}, strings.Contains(opts, "omitempty") || strings.Contains(opts, "omitzero")})
	}
	return out
}

func (v Value) decodeStruct(dst reflect.Value) error {
	if v.kind != Object {
		return v.want("an object")
	}
	fields := fieldsOf(dst.Type())
	seen := make([]bool, len(fields))
	for _, m := range v.members {
		i := slices.IndexFunc(fields, func(f field) bool { return f.name == m.Name })
		if i < 0 {
			return In(m.Name, Fail("one of "+names(fields), "the unknown member "+strconv.QuoteToASCII(m.Name), closest(m.Name, fields)))
		}
		seen[i] = true
		if err := m.Value.decode(dst.FieldByIndex(fields[i].index)); err != nil {
			return In(m.Name, err)
		}
	}
	for i, f := range fields {
		if !seen[i] && !f.optional {
			return In(f.name, Fail("the member "+strconv.Quote(f.name), "nothing", "add it"))
		}
	}
	return nil
}

func names(fields []field) string {
	var s []string
	for _, f := range fields {
		s = append(s, f.name)
	}
	if len(s) == 0 {
		return "no members"
	}
	return strings.Join(s, ", ")
}

func closest(name string, fields []field) string {
	for _, f := range fields {
		if strings.EqualFold(f.name, name) || strings.HasPrefix(f.name, name) || strings.HasPrefix(name, f.name) {
			return fmt.Sprintf("did you mean %q?", f.name)
		}
	}
	return "remove it"
}

// want is the error for a value of another kind than a field takes.
func (v Value) want(expected string) error { return Fail(expected, v.Brief(), "") }

// Brief describes v in a few words, for error messages.
func (v Value) Brief() string {
	const most = 60
	switch v.kind {
	case String, Integer, Bool:
		s := string(v.Append(nil))
		if len(s) > most {
			cut := most
			for !utf8.RuneStart(s[cut]) {
				cut--
			}
			s = s[:cut] + "…"
		}
		return v.kind.String() + " " + s
	case Array:
		return fmt.Sprintf("an array of %d", len(v.items))
	}
	return v.kind.String()
}
