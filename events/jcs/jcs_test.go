package jcs_test

import (
	"encoding/json"
	"errors"
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/jacobian-ledger/jacobian/events/jcs"
)

func TestCanonicalize(t *testing.T) {
	for name, tc := range map[string]struct{ in, want string }{
		"C-98 order of UTF-16 code units": {
			`{"\u20ac":1,"\r":2,"\ufb33":3,"1":4,"\ud83d\ude00":5,"\u0080":6,"\u00f6":7}`,
			"{\"\\r\":2,\"1\":4,\"\u0080\":6,\"ö\":7,\"€\":1,\"😀\":5,\"\ufb33\":3}",
		},
		"white space":      {" { \"b\" : [ 1 , true , null ] ,\n\t\"a\" : \"\" }\r\n", `{"a":"","b":[1,true,null]}`},
		"escapes":          {`"\u0041\/\b\f\n\r\t\"\\\u001f\u007f"`, "\"A/\\b\\f\\n\\r\\t\\\"\\\\\\u001f\u007f\""},
		"surrogate pair":   {`"\uD834\uDD1E"`, "\"𝄞\""},
		"least integer":    {`-9007199254740991`, `-9007199254740991`},
		"greatest integer": {`9007199254740991`, `9007199254740991`},
		"zero":             {`0`, `0`},
		"empty":            {`[{},[],""]`, `[{},[],""]`},
		"line separators":  {"\"\u2028\u2029\"", "\"\u2028\u2029\""},
	} {
		got, err := jcs.Canonicalize([]byte(tc.in))
		if err != nil || string(got) != tc.want {
			t.Errorf("%s: %q, %v, want %q", name, got, err, tc.want)
			continue
		}
		if err := jcs.CheckCanonical(got); err != nil {
			t.Errorf("%s: its own canonical form is refused: %v", name, err)
		}
	}
}

func TestParse_Refuses(t *testing.T) {
	for name, tc := range map[string]struct{ in, path string }{
		"duplicate":                {`{"a":1,"b":2,"a":3}`, "/a"},
		"duplicate by escape":      {`{"a":1,"\u0061":2}`, "/a"},
		"duplicate below":          {`{"x":[{"k":1,"k":1}]}`, "/x/0/k"},
		"2^53":                     {`[9007199254740992]`, "/0"},
		"2^53+1":                   {`{"n":9007199254740993}`, "/n"},
		"-2^53":                    {`-9007199254740992`, ""},
		"80 digits":                {strings.Repeat("9", 80), ""},
		"fraction":                 {`1.0`, ""},
		"exponent":                 {`1e400`, ""},
		"minus zero":               {`-0`, ""},
		"leading zero":             {`007`, ""},
		"plus":                     {`+5`, ""},
		"lone minus":               {`-`, ""},
		"two signs":                {`--1`, ""},
		"NaN":                      {`NaN`, ""},
		"lone high surrogate":      {`"\ud800"`, ""},
		"lone low surrogate":       {`"\udc00"`, ""},
		"high surrogate and text":  {`"\ud800x"`, ""},
		"two high surrogates":      {`"\ud800\ud800"`, ""},
		"unknown escape":           {`"\x41"`, ""},
		"short escape":             {`"\u00"`, ""},
		"raw control character":    {"\"\x01\"", ""},
		"raw newline":              {"\"a\nb\"", ""},
		"bytes that are not UTF-8": {"\"\xff\"", ""},
		"overlong UTF-8":           {"\"\xc0\xaf\"", ""},
		"surrogate in UTF-8":       {"\"\xed\xa0\x80\"", ""},
		"nothing":                  {``, ""},
		"two values":               {`1 2`, ""},
		"trailing comma":           {`[1,]`, "/1"},
		"no comma":                 {`[1 2]`, ""},
		"no colon":                 {`{"a" 1}`, "/a"},
		"name without quotes":      {`{a:1}`, ""},
		"single quotes":            {`{'a':1}`, ""},
		"comment":                  {`/* */ 1`, ""},
		"cut string":               {`"abc`, ""},
		"cut array":                {`[1,2`, ""},
		"cut object":               {`{"a":1`, ""},
		"byte order mark":          {"\ufeff1", ""},
		"cut literal":              {`tru`, ""},
		"slash in a name":          {`{"a/b~":1.5}`, "/a~1b~0"},
	} {
		_, err := jcs.Parse([]byte(tc.in))
		var e *jcs.Error
		if !errors.As(err, &e) || e.Path != tc.path || e.Expected == "" || e.Found == "" {
			t.Errorf("%s: %q: %v, want a refusal at %q", name, tc.in, err, tc.path)
		}
	}
}

func TestParse_Depth(t *testing.T) {
	nested := func(n int) []byte { return []byte(strings.Repeat("[", n) + strings.Repeat("]", n)) }
	if _, err := jcs.Parse(nested(jcs.MaxDepth)); err != nil {
		t.Errorf("depth %d: %v", jcs.MaxDepth, err)
	}
	for _, bad := range [][]byte{nested(jcs.MaxDepth + 1), []byte(strings.Repeat("[", 1_000_000)), []byte(strings.Repeat(`{"a":`, 1_000_000))} {
		if _, err := jcs.Parse(bad); err == nil {
			t.Errorf("%d bytes of deeper nesting were read", len(bad))
		}
	}
	// A refusal must not read what is below: its cost is that of the depth, not of the message.
	if n := testing.AllocsPerRun(10, func() { _, _ = jcs.Parse([]byte(strings.Repeat("[", 1_000_000))) }); n > 1000 {
		t.Errorf("refusing a million brackets takes %v allocations", n)
	}
	if _, err := jcs.Parse(make([]byte, jcs.MaxBytes+1)); err == nil {
		t.Error("a message beyond the limit was read")
	}
}

type inner struct {
	Word string `json:"word"`
}

type sample struct {
	inner
	Count    int             `json:"count"`
	Big      uint64          `json:"big,omitempty"`
	Flag     *bool           `json:"flag,omitempty"`
	List     []inner         `json:"list"`
	Any      json.RawMessage `json:"any,omitempty"`
	Table    map[string]int  `json:"table,omitempty"`
	Skipped  string          `json:"-"`
	internal int
}

func TestDecode(t *testing.T) {
	var s sample
	if err := jcs.Decode([]byte(`{"word":"w","count":-3,"big":7,"flag":false,"list":[{"word":"x"}],"any":{"b":1,"a":[]},"table":{"k":1}}`), &s); err != nil {
		t.Fatal(err)
	}
	if s.Word != "w" || s.Count != -3 || s.Big != 7 || s.Flag == nil || *s.Flag || len(s.List) != 1 || s.List[0].Word != "x" || string(s.Any) != `{"a":[],"b":1}` || s.Table["k"] != 1 || s.internal != 0 {
		t.Errorf("decoded %+v", s)
	}
	for in, path := range map[string]string{
		`{"word":"w","count":1,"list":[],"Skipped":"x"}`:         "/Skipped",
		`{"word":"w","count":1,"list":[],"internal":1}`:          "/internal",
		`{"word":"w","Count":1,"list":[]}`:                       "/Count",
		`{"word":"w","count":1}`:                                 "/list",
		`{"word":"w","count":"1","list":[]}`:                     "/count",
		`{"word":"w","count":1,"list":null}`:                     "/list",
		`{"word":"w","count":1,"list":[{"word":1}]}`:             "/list/0/word",
		`{"word":"w","count":1,"list":[{"word":"a"},{"w":"b"}]}`: "/list/1/w",
		`{"word":"w","count":1,"list":[],"big":-1}`:              "/big",
		`{"word":"w","count":1,"list":[],"flag":"yes"}`:          "/flag",
		`{"word":"w","count":1,"list":[],"table":{"k":"v"}}`:     "/table/k",
		`[]`: "",
	} {
		var s sample
		err := jcs.Decode([]byte(in), &s)
		var e *jcs.Error
		if !errors.As(err, &e) || e.Path != path || e.Expected == "" || e.Found == "" {
			t.Errorf("%s: %v, want a refusal at %q", in, err, path)
		}
	}
}

func TestMarshal_RefusesWhatItWouldNotRead(t *testing.T) {
	for _, x := range []any{1.5, map[string]any{"n": 1 << 60}, json.RawMessage(`{"a":1,"a":2}`)} {
		if b, err := jcs.Marshal(x); err == nil {
			t.Errorf("%v was written as %s", x, b)
		}
	}
	if b, err := jcs.Marshal(map[string]string{"<&>": "\u2028"}); err != nil || string(b) != "{\"<&>\":\"\u2028\"}" {
		t.Errorf("%s, %v", b, err)
	}
}

func TestPointer(t *testing.T) {
	v, err := jcs.Parse([]byte(`{"a":[{"b/c":{"~":"found"}}],"":1}`))
	if err != nil {
		t.Fatal(err)
	}
	if x, err := v.Pointer("/a/0/b~1c/~0"); err != nil || x.Text() != "found" {
		t.Errorf("%v, %v", x, err)
	}
	if x, err := v.Pointer("/"); err != nil || x.Int() != 1 {
		t.Errorf("the member without a name: %v, %v", x, err)
	}
	for _, bad := range []string{"a", "/b", "/a/1", "/a/-1", "/a/00", "/a/0/b~1c/~0/x"} {
		if x, err := v.Pointer(bad); err == nil {
			t.Errorf("%s: %v", bad, x)
		}
	}
}

func TestCheckNames(t *testing.T) {
	for text, ok := range map[string]bool{`{"a_1":{"b":[]}}`: true, `{"A":1}`: false, `{"a":[{"b-c":1}]}`: false, `{"":1}`: false, `{"1a":1}`: false, `{"ſ":1}`: false, `{"_a":1}`: false} {
		v, err := jcs.Parse([]byte(text))
		if err != nil {
			t.Fatal(err)
		}
		if err := jcs.CheckNames(v); (err == nil) != ok {
			t.Errorf("%s: %v", text, err)
		}
	}
}

// FuzzParse: the canonical form is a fixpoint, means the same to encoding/json, and is valid UTF-8.
func FuzzParse(f *testing.F) {
	for _, s := range []string{`{"b":[1,-2,"x\u00e9\ud83d\ude00"],"a":{}}`, `[]`, `"\u0000"`, `9007199254740991`, `{"\u20ac":1,"\ufb33":2}`, `{"a":1,"a":2}`, `1e9`, "\"\xff\""} {
		f.Add([]byte(s))
	}
	f.Fuzz(func(t *testing.T, in []byte) {
		c, err := jcs.Canonicalize(in)
		if err != nil {
			return
		}
		if again, err := jcs.Canonicalize(c); err != nil || string(again) != string(c) {
			t.Fatalf("%q: the canonical form %q becomes %q, %v", in, c, again, err)
		}
		var a, b any
		if err := json.Unmarshal(in, &a); err != nil {
			t.Fatalf("%q was accepted, encoding/json says %v", in, err)
		}
		if err := json.Unmarshal(c, &b); err != nil || !utf8.Valid(c) {
			t.Fatalf("%q: %v", c, err)
		}
		x, _ := json.Marshal(a)
		y, _ := json.Marshal(b)
		if string(x) != string(y) {
			t.Fatalf("%q means %s, its canonical form %s", in, x, y)
		}
	})
}
