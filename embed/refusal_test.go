package embed_test

import (
	"encoding/json"
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/jacobian-ledger/jacobian/events"
)

// TestRun_Refusals: each bad request is an ERROR result that names the code, the path, what was
// expected, what was found and what to do; and nothing is written.
func TestRun_Refusals(t *testing.T) {
	n := open(t, t.TempDir())
	gcd := func(input string) events.Request { return request("integer.compute.gcd", input) }
	with := func(change func(*events.Request)) events.Request {
		req := gcd(`{"a":"1","b":"2"}`)
		change(&req)
		return req
	}
	deep := strings.Repeat("[", 1_000_000)
	for name, tc := range map[string]struct {
		req   events.Request
		code  events.Code
		path  string
		found string // part of actual
	}{
		"unknown id":               {request("integer.compute.gdc", `{}`), events.CodeUnknownCapability, "/capability_id", "integer.compute.gdc"},
		"malformed id":             {request("GCD", `{}`), events.CodeInvalidRequest, "/capability_id", "GCD"},
		"look-alike id":            {request("integer.compute.gсd", `{}`), events.CodeInvalidRequest, "/capability_id", "gсd"}, // Cyrillic с
		"other version":            {with(func(r *events.Request) { r.CapabilityVersion = 9 }), events.CodeInvalidRequest, "/capability_version", "9"},
		"other request version":    {with(func(r *events.Request) { r.RequestVersion = 9 }), events.CodeInvalidRequest, "/request_version", "9"},
		"unknown mode":             {with(func(r *events.Request) { r.Mode = "PROVE" }), events.CodeInvalidRequest, "/mode", "PROVE"},
		"mode without checker":     {with(func(r *events.Request) { r.Mode = events.Verify }), events.CodeUnsupportedMode, "/mode", "VERIFY"},
		"no input":                 {with(func(r *events.Request) { r.Input = nil }), events.CodeInvalidRequest, "/input", "nothing"},
		"input of another type":    {gcd(`[]`), events.CodeInvalidRequest, "/input", "array"},
		"wrong type":               {gcd(`{"a":{"x":1},"b":"2"}`), events.CodeInvalidRequest, "/input/a", "object"},
		"missing member":           {gcd(`{"a":"1"}`), events.CodeInvalidRequest, "/input/b", "nothing"},
		"extra member":             {gcd(`{"a":"1","b":"2","c":"3"}`), events.CodeInvalidRequest, "/input/c", "c"},
		"member in another case":   {gcd(`{"A":"1","b":"2"}`), events.CodeInvalidRequest, "/input/A", "A"},
		"duplicate member":         {gcd(`{"a":"1","b":"2","a":"3"}`), events.CodeInvalidRequest, "/input/a", "twice"},
		"duplicate by escape":      {gcd(`{"a":"1","b":"2","\u0061":"3"}`), events.CodeInvalidRequest, "/input/a", "twice"},
		"2^53 as a number":         {gcd(`{"a":9007199254740992,"b":"2"}`), events.CodeInvalidRequest, "/input/a", "9007199254740992"},
		"2^53+1 as a number":       {gcd(`{"a":9007199254740993,"b":"2"}`), events.CodeInvalidRequest, "/input/a", "9007199254740993"},
		"80 digits as a number":    {gcd(`{"a":` + strings.Repeat("9", 80) + `,"b":"2"}`), events.CodeInvalidRequest, "/input/a", "999"},
		"leading zeros":            {gcd(`{"a":"007","b":"2"}`), events.CodeInvalidRequest, "/input/a", "007"},
		"leading zeros, bare":      {gcd(`{"a":007,"b":"2"}`), events.CodeInvalidRequest, "/input/a", "007"},
		"plus sign":                {gcd(`{"a":"+5","b":"2"}`), events.CodeInvalidRequest, "/input/a", "+5"},
		"minus zero":               {gcd(`{"a":"-0","b":"2"}`), events.CodeInvalidRequest, "/input/a", "-0"},
		"minus zero, bare":         {gcd(`{"a":-0,"b":"2"}`), events.CodeInvalidRequest, "/input/a", "-0"},
		"fraction":                 {gcd(`{"a":1.0,"b":"2"}`), events.CodeInvalidRequest, "/input/a", "1.0"},
		"exponent":                 {gcd(`{"a":1e400,"b":"2"}`), events.CodeInvalidRequest, "/input/a", "1e400"},
		"exponent as text":         {gcd(`{"a":"1e3","b":"2"}`), events.CodeInvalidRequest, "/input/a", "1e3"},
		"code as a number":         {gcd(`{"a":"__import__('builtins').len([1,2,3])","b":"2"}`), events.CodeInvalidRequest, "/input/a", "__import__"},
		"too many digits":          {gcd(`{"a":"1` + strings.Repeat("0", 40_000) + `","b":"2"}`), events.CodeInvalidRequest, "/input/a", "40001 digits"},
		"deep JSON":                {gcd(deep), events.CodeInvalidRequest, "/input", "deeper"},
		"oversize":                 {gcd(`{"a":"` + strings.Repeat("1", 11<<20) + `","b":"2"}`), events.CodeInvalidRequest, "/input", "bytes"},
		"not JSON":                 {gcd(`{"a":`), events.CodeInvalidRequest, "/input", "end of the input"},
		"lone surrogate":           {gcd(`{"a":"\ud800","b":"2"}`), events.CodeInvalidRequest, "/input/a", "another one"},
		"overlong claim":           {with(func(r *events.Request) { r.Claim = &events.ClaimText{Text: strings.Repeat("x", 2001)} }), events.CodeInvalidRequest, "/claim/text", "2001"},
		"negative budget":          {with(func(r *events.Request) { r.Budget = &events.Budget{WallMS: -1} }), events.CodeInvalidRequest, "/budget/wall_ms", "-1"},
		"wait too long":            {with(func(r *events.Request) { w := int64(1e9); r.WaitMS = &w }), events.CodeInvalidRequest, "/wait_ms", "1000000000"},
		"malformed investigation":  {with(func(r *events.Request) { r.Investigation = "inv_../../x" }), events.CodeInvalidRequest, "/investigation", ".."},
		"malformed record":         {with(func(r *events.Request) { r.Record = "rec_1" }), events.CodeInvalidRequest, "/record", "rec_1"},
		"record that is not there": {with(func(r *events.Request) { r.Record = events.NewRecord(time.Now()) }), events.CodeInvalidRequest, "/record", "rec_"},
		"formal claim of another": {func() events.Request {
			r := verify("integer.decide.prime", `{"n":"97"}`, "prime")
			r.Claim.Formal = &events.Claim{Semantics: "integer.primality/1", Predicate: "integer.prime", Args: json.RawMessage(`{"n":"101"}`)}
			return r
		}(), events.CodeInvalidRequest, "/claim/formal", "101"},
		"reference to nothing":      {gcd(`{"a":{"$ref":"artifact://sha256/` + strings.Repeat("0", 64) + `"},"b":"2"}`), events.CodeInvalidRequest, "/input/a/$ref", "not found"},
		"reference of another kind": {gcd(`{"a":{"$ref":"file:///etc/passwd"},"b":"2"}`), events.CodeInvalidRequest, "/input/a/$ref", "file:///etc/passwd"},
		"reference to no episode":   {gcd(`{"a":{"$ref":"` + events.EpisodeURI(events.NewEpisode(time.Now())) + `#/output"},"b":"2"}`), events.CodeInvalidRequest, "/input/a/$ref", "ep_"},
		"limit":                     {request("integer.compute.nth_prime", `{"n":"1000000000000"}`), events.CodeLimitExceeded, "/input/n", "1000000000000"},
	} {
		t.Run(name, func(t *testing.T) {
			from := head(t, n)
			res := run(t, n, tc.req, events.StatusError)
			f := res.Failure()
			if f == nil || f.Code != tc.code || !strings.HasPrefix(f.Path, tc.path) || !strings.Contains(f.Actual, tc.found) || f.Expected == "" || f.Hint == "" || f.Stage == "" {
				t.Errorf("diagnostic %+v, want %s at %s, found %q", f, tc.code, tc.path, tc.found)
			}
			if res.Conclusion != events.Unknown || res.Episode != "" {
				t.Errorf("a refusal concludes %s in episode %q", res.Conclusion, res.Episode)
			}
			if now := head(t, n); now != from {
				t.Errorf("a refusal wrote %d events", now-from)
			}
		})
	}
}

// TestRun_IntegersThroughEveryBoundary is C-55: the integers come back as they went in.
func TestRun_IntegersThroughEveryBoundary(t *testing.T) {
	n := open(t, t.TempDir())
	for _, s := range []string{"9007199254740993", "1915883588174806058", "7960607143101464576", "2512292042121000001", "-7108510333361982070"} {
		res := run(t, n, request("integer.compute.gcd", fmt.Sprintf(`{"a":%q,"b":"0"}`, s)), events.StatusCompleted)
		if want := fmt.Sprintf(`{"gcd":%q}`, strings.TrimPrefix(s, "-")); string(res.Output) != want {
			t.Errorf("%s came back as %s", s, res.Output)
		}
		again := run(t, n, request("integer.compute.gcd", fmt.Sprintf(`{"a":{"$ref":"episode://%s#/output/gcd"},"b":"0"}`, res.Episode)), events.StatusCompleted)
		if string(again.Output) != string(res.Output) {
			t.Errorf("%s came back through a reference as %s", s, again.Output)
		}
	}
}
