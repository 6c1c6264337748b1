// Package schema derives closed JSON Schemas (draft 2020-12) from Go types.
//
// A struct becomes a closed object whose members are required unless their field has omitempty or
// omitzero, exactly as events/jcs decodes it. Field tags: doc:"description" and enum:"A,B". A type
// with a method SchemaJSON() string describes itself, as the exact numbers do. A pointer field may
// also be null only in outputs, so it is described as its element.
//
// The schema is for readers: the typed decoder is what accepts or refuses an input, and the tests
// compare the two on accepted and on mutated inputs.
package schema

import (
	"encoding/json"
	"fmt"
	"reflect"
	"strings"

	"github.com/jacobian-ledger/jacobian/events/jcs"
)

// Dialect is the JSON Schema dialect of every schema made here.
const Dialect = "https://json-schema.org/draft/2020-12/schema"

// Describer is a type that gives its own schema.
type Describer interface{ SchemaJSON() string }

var describer = reflect.TypeFor[Describer]()

// For is the canonical schema of T.
func For[T any]() json.RawMessage {
	v := of(reflect.TypeFor[T]())
	return v.Append(nil)
}

func of(t reflect.Type) jcs.Value {
	if t.Kind() == reflect.Pointer {
		return of(t.Elem())
	}
	if t.Implements(describer) {
		v, err := jcs.Parse([]byte(reflect.Zero(t).Interface().(Describer).SchemaJSON()))
		if err != nil {
			panic(fmt.Sprintf("schema: %s describes itself with bad JSON: %v", t, err))
		}
		return v
	}
	switch t.Kind() {
	case reflect.String:
		return kind("string")
	case reflect.Bool:
		return kind("boolean")
	case reflect.Int, reflect.Int64, reflect.Int32:
		return kind("integer")
	case reflect.Uint, reflect.Uint64, reflect.Uint32, reflect.Uint8:
		return kind("integer", jcs.Member{Name: "minimum", Value: jcs.NewInteger(0)})
	case reflect.Slice:
		if t == reflect.TypeFor[json.RawMessage]() {
			return jcs.NewObject() // any value
		}
		return kind("array", jcs.Member{Name: "items", Value: of(t.Elem())})
	case reflect.Map:
		return kind("object", jcs.Member{Name: "additionalProperties", Value: of(t.Elem())})
	case reflect.Struct:
		return object(t)
	}
	panic(fmt.Sprintf("schema: no JSON form for %s", t))
}

func kind(name string, more ...jcs.Member) jcs.Value {
	return jcs.NewObject(append(more, jcs.Member{Name: "type", Value: jcs.NewString(name)})...)
}

func object(t reflect.Type) jcs.Value {
	var props []jcs.Member
	var required []jcs.Value
	for i := range t.NumField() {
		f := t.Field(i)
		tag := f.Tag.Get("json")
		if f.Anonymous && tag == "" {
			inner := object(f.Type)
			p, _ := inner.Get("properties")
			props = append(props, p.Members()...)
			r, _ := inner.Get("required")
			required = append(required, r.Items()...)
			continue
		}
		name, opts, _ := strings.Cut(tag, ",")
		if !f.IsExported() || name == "-" {
			continue
		}
		if name == "" {
			panic(fmt.Sprintf("schema: field %s.%s has no json name", t, f.Name))
		}
		props = append(props, jcs.Member{Name: name, Value: annotate(of(f.Type), f)})
		if !strings.Contains(opts, "omitempty") && !strings.Contains(opts, "omitzero") {
			required = append(required, jcs.NewString(name))
		}
	}
	closed, _ := jcs.Parse([]byte("false"))
	members := []jcs.Member{
		{Name: "additionalProperties", Value: closed},
		{Name: "properties", Value: jcs.NewObject(props...)},
	}
	if len(required) > 0 {
		members = append(members, jcs.Member{Name: "required", Value: jcs.NewArray(required...)})
	}
	return kind("object", members...)
}

// annotate adds the field's own description and enumeration to its type's schema.
func annotate(v jcs.Value, f reflect.StructField) jcs.Value {
	var members []jcs.Member
	for _, m := range v.Members() {
		if m.Name != "description" || f.Tag.Get("doc") == "" {
			members = append(members, m)
		}
	}
	if doc := f.Tag.Get("doc"); doc != "" {
		members = append(members, jcs.Member{Name: "description", Value: jcs.NewString(doc)})
	}
	if enum := f.Tag.Get("enum"); enum != "" {
		var words []jcs.Value
		for _, w := range strings.Split(enum, ",") {
			words = append(words, jcs.NewString(w))
		}
		members = append(members, jcs.Member{Name: "enum", Value: jcs.NewArray(words...)})
	}
	return jcs.NewObject(members...)
}
