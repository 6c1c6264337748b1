package embed_test

import (
	"context"
	"encoding/json"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/jacobian-ledger/jacobian/capabilities"
	"github.com/jacobian-ledger/jacobian/embed"
	"github.com/jacobian-ledger/jacobian/events"
)

const (
	mersenne89 = `{"n":"618970019642690137449562111"}`
	rsa100     = `{"n":"1522605027922533360535618378132637429718068114961380688657908494580122963258952897654000350692006139"}`
	pigeons    = `{"cnf":{"variables":6,"clauses":[[1,2],[3,4],[5,6],[-1,-3],[-1,-5],[-3,-5],[-2,-4],[-2,-6],[-4,-6]]}}` // 3 into 2 holes
)

func TestRun_Computed(t *testing.T) {
	n := open(t, t.TempDir())
	from := head(t, n) + 1
	res := run(t, n, request("integer.compute.gcd", `{"b":18,"a":"12"}`), events.StatusCompleted)
	if string(res.Output) != `{"gcd":"6"}` || res.Assurance.Level != events.Computed || res.Conclusion != events.NotApplicable {
		t.Errorf("result %+v", res)
	}
	if got := kinds(t, n, from); !slices.Equal(got, []events.Kind{events.KindRunRequested, events.KindRunFinished}) {
		t.Errorf("events %v", got)
	}
	if res.Log.Seq != int64(from)+1 {
		t.Errorf("position %d, want %d", res.Log.Seq, from+1)
	}
}

func TestRun_Verified(t *testing.T) {
	n := open(t, t.TempDir())
	from := head(t, n) + 1
	res := run(t, n, verify("integer.decide.prime", mersenne89, "2^89-1 is prime"), events.StatusCompleted)
	if res.Assurance.Level != events.Verified || res.Conclusion != events.True || res.Assurance.Checker != "integer.pratt@1" {
		t.Fatalf("assurance %+v, conclusion %s", res.Assurance, res.Conclusion)
	}
	got := kinds(t, n, from)
	if got[0] != events.KindRunRequested || got[len(got)-1] != events.KindRunFinished || got[len(got)-2] != events.KindVerificationRecorded {
		t.Errorf("events %v", got)
	}
	for e, err := range n.ReadLog(t.Context(), from) {
		if err != nil {
			t.Fatal(err)
		}
		v, ok := e.Event.(*events.VerificationRecorded)
		if !ok {
			continue
		}
		r := v.Record
		if r.ClaimText != "2^89-1 is prime" || r.Claim != *res.Claim || !slices.Contains(res.ArtifactURIs, r.SemanticsURI) || !slices.Contains(res.ArtifactURIs, r.CertificateURI) {
			t.Errorf("record %+v", r)
		}
	}
}

// TestRun_Explore never makes a record, whatever the operation finds.
func TestRun_Explore(t *testing.T) {
	n := open(t, t.TempDir())
	res := run(t, n, request("integer.decide.prime", mersenne89), events.StatusCompleted)
	if res.Assurance.Level == events.Verified || res.Assurance.RecordURI != "" || res.Conclusion != events.True || res.Certificate == nil {
		t.Errorf("assurance %+v, conclusion %s, certificate %v", res.Assurance, res.Conclusion, res.Certificate)
	}
}

func TestRun_Memo(t *testing.T) {
	dir := t.TempDir()
	n := open(t, dir)
	first := run(t, n, request("integer.compute.gcd", `{"a":"12","b":"18"}`), events.StatusCompleted)
	if first.Memo != nil {
		t.Fatal("the first answer is a memo")
	}
	from := head(t, n) + 1
	again := run(t, n, request("integer.compute.gcd", ` { "b" : 18, "a" : 12 } `), events.StatusCompleted)
	if again.Memo == nil || again.Memo.Origin != first.Episode || again.Episode != first.Episode || string(again.Output) != string(first.Output) {
		t.Errorf("the same question in another spelling: memo %+v", again.Memo)
	}
	if got := kinds(t, n, from); !slices.Equal(got, []events.Kind{events.KindRunReused}) {
		t.Errorf("events %v", got)
	}
	for name, req := range map[string]events.Request{
		"another input": request("integer.compute.gcd", `{"a":"12","b":"19"}`),
		"no memo":       {CapabilityID: "integer.compute.gcd", Input: json.RawMessage(`{"a":"12","b":"18"}`), UseMemo: new(bool)},
	} {
		if res := run(t, n, req, events.StatusCompleted); res.Memo != nil {
			t.Errorf("%s: answered from %s", name, res.Memo.Origin)
		}
	}
	if err := n.Close(); err != nil {
		t.Fatal(err)
	}
	n = open(t, dir)
	if res := run(t, n, request("integer.compute.gcd", `{"a":"12","b":"18"}`), events.StatusCompleted); res.Memo == nil {
		t.Error("the memo did not survive a restart")
	}
}

func TestRun_Idempotency(t *testing.T) {
	n := open(t, t.TempDir())
	req := request("integer.compute.gcd", `{"a":"100","b":"75"}`)
	req.IdempotencyKey, req.UseMemo = "key-1", new(bool)
	first := run(t, n, req, events.StatusCompleted)
	if again := run(t, n, req, events.StatusCompleted); again.Episode != first.Episode {
		t.Errorf("the same key ran %s and %s", first.Episode, again.Episode)
	}
	req.Input = json.RawMessage(`{"a":"100","b":"76"}`)
	res := run(t, n, req, events.StatusError)
	if f := res.Failure(); f.Code != events.CodeInvalidRequest || f.Path != "/idempotency_key" || !strings.Contains(f.Expected, first.Episode) {
		t.Errorf("refusal %+v", f)
	}
}

// TestRun_SameQuestionAtOnce runs one computation for sixteen callers who ask together.
func TestRun_SameQuestionAtOnce(t *testing.T) {
	n := open(t, t.TempDir())
	from := head(t, n) + 1
	var wg sync.WaitGroup
	episodes := make([]string, 16)
	for i := range episodes {
		wg.Go(func() {
			episodes[i] = n.Run(t.Context(), request("integer.decide.prime", mersenne89), embed.RunOptions{}).Episode
		})
	}
	wg.Wait()
	requested := 0
	for _, k := range kinds(t, n, from) {
		if k == events.KindRunRequested {
			requested++
		}
	}
	if slices.Sort(episodes); requested != 1 || episodes[0] != episodes[15] {
		t.Errorf("%d runs, episodes %v", requested, episodes)
	}
}

func TestRun_TimeoutIsUnknownAndKills(t *testing.T) {
	n := open(t, t.TempDir())
	req := request("integer.compute.prime_factorization", rsa100)
	req.Budget = &events.Budget{WallMS: 1500}
	res := run(t, n, req, events.StatusTimeout)
	if res.Conclusion != events.Unknown || res.Scope == nil || len(res.Scope.Parameters) == 0 || string(res.Output) != "null" {
		t.Errorf("conclusion %s, scope %+v, output %s", res.Conclusion, res.Scope, res.Output)
	}
	if f := res.Failure(); f.Code != events.CodeBudgetExceeded || f.Path != "/budget/wall_ms" || f.Hint == "" {
		t.Errorf("diagnostic %+v", f)
	}
	again := n.Run(t.Context(), req, embed.RunOptions{})
	if again.Memo != nil {
		t.Error("a time-out was given as an answer")
	}
}

func TestRun_WaitThenPickUp(t *testing.T) {
	n := open(t, t.TempDir())
	req := request("integer.compute.prime_factorization", rsa100)
	req.Budget = &events.Budget{WallMS: 1500}
	soon := int64(50)
	req.WaitMS = &soon
	running := run(t, n, req, events.StatusRunning)
	if running.Conclusion != events.Unknown || running.Episode == "" {
		t.Fatalf("running result %+v", running)
	}
	res, ok, err := n.Wait(t.Context(), running.Episode, time.Minute)
	if err != nil || !ok || res.Episode != running.Episode || res.Execution.Status != events.StatusTimeout {
		t.Fatalf("picked up %+v, %v, %v", res.Execution, ok, err)
	}
	if res, ok, err = n.Wait(t.Context(), running.Episode, 0); err != nil || !ok || res.Log.Seq == 0 {
		t.Errorf("from the log: %+v, %v, %v", res.Log, ok, err)
	}
	if _, ok, _ := n.Wait(t.Context(), events.NewEpisode(time.Now()), 0); ok {
		t.Error("an episode that never was is known")
	}
}

func TestRun_Cancel(t *testing.T) {
	n := open(t, t.TempDir())
	for name, cancel := range map[string]func(stop context.CancelFunc, episode string){
		"by the caller's context": func(stop context.CancelFunc, _ string) { stop() },
		"by episode": func(_ context.CancelFunc, episode string) {
			if !n.Cancel(t.Context(), episode, "no longer needed") {
				t.Error("no such run")
			}
		},
	} {
		t.Run(name, func(t *testing.T) {
			from := head(t, n) + 1
			ctx, stop := context.WithCancel(t.Context())
			defer stop()
			req := request("integer.compute.prime_factorization", rsa100)
			var once sync.Once
			var wg sync.WaitGroup
			res := n.Run(ctx, req, embed.RunOptions{Progress: func(episode string, _ capabilities.Progress) {
				once.Do(func() { wg.Go(func() { cancel(stop, episode) }) })
			}})
			wg.Wait()
			if res.Execution.Status != events.StatusCancelled || res.Conclusion != events.Unknown {
				t.Fatalf("ended %s %s", res.Execution.Status, res.Conclusion)
			}
			ends := 0
			for _, k := range kinds(t, n, from) {
				if k == events.KindRunFinished {
					ends++
				}
			}
			if ends != 1 {
				t.Errorf("%d terminal events", ends)
			}
		})
	}
}

// TestRun_References passes a value from one episode to another and carries the taint with it.
func TestRun_References(t *testing.T) {
	n := open(t, t.TempDir())
	model := run(t, n, request("sat.model.find", `{"cnf":{"variables":2,"clauses":[[1,2],[-1]]}}`), events.StatusCompleted)
	lcm := run(t, n, request("integer.compute.gcd", `{"a":"36","b":"24"}`), events.StatusCompleted)
	res := run(t, n, request("integer.compute.gcd", `{"a":{"$ref":"episode://`+lcm.Episode+`#/output/gcd"},"b":"18"}`), events.StatusCompleted)
	if string(res.Output) != `{"gcd":"6"}` || len(res.Assurance.TaintedBy) != 0 {
		t.Errorf("output %s, tainted by %v", res.Output, res.Assurance.TaintedBy)
	}
	if model.Assurance.Level != events.Heuristic {
		t.Fatalf("an unchecked model is %s", model.Assurance.Level)
	}
	res = run(t, n, request("sat.model.verify", `{"cnf":{"variables":2,"clauses":[[1,2],[-1]]},"model":{"$ref":"episode://`+model.Episode+`#/output/model"}}`), events.StatusCompleted)
	if !slices.Equal(res.Assurance.TaintedBy, []string{model.Episode}) {
		t.Errorf("tainted by %v, want %s", res.Assurance.TaintedBy, model.Episode)
	}
}

func TestRun_OfferedRecord(t *testing.T) {
	n := open(t, t.TempDir())
	first := run(t, n, verify("integer.decide.prime", `{"n":"97"}`, "97 is prime"), events.StatusCompleted)
	req := verify("integer.decide.prime", `{"n":"97"}`, "ninety-seven is prime")
	req.Record = first.Assurance.RecordURI
	if res := run(t, n, req, events.StatusCompleted); res.Assurance.RecordURI != first.Assurance.RecordURI || res.Memo == nil {
		t.Errorf("its own record: %+v", res.Assurance)
	}
	for name, tc := range map[string]struct {
		req  events.Request
		path string
	}{
		"another number": {verify("integer.decide.prime", `{"n":"101"}`, "101 is prime"), "/input"},
		"another claim":  {verify("integer.compute.prime_factorization", `{"n":"97"}`, "97 factors"), "/input"},
		"not in VERIFY":  {request("integer.decide.prime", `{"n":"97"}`), "/record"},
		"no claim":       {request("integer.compute.gcd", `{"a":"97","b":"1"}`), "/record"},
	} {
		tc.req.Record = first.Assurance.RecordURI
		from := head(t, n) + 1
		res := run(t, n, tc.req, events.StatusError)
		f := res.Failure()
		if f.Code != events.CodeRecordMismatch || f.Path != tc.path || f.Expected == "" || f.Actual == "" || f.Hint == "" {
			t.Errorf("%s: %+v", name, f)
		}
		if got := kinds(t, n, from); len(got) != 0 {
			t.Errorf("%s: a refusal wrote %v", name, got)
		}
	}
}

// TestRun_RejectedEvidence completes, concludes nothing and makes no record (C-97).
func TestRun_RejectedEvidence(t *testing.T) {
	n := open(t, t.TempDir())
	from := head(t, n) + 1
	res := run(t, n, request("sat.lrat.verify", strings.TrimSuffix(pigeons, "}")+`,"proof":"10 0 1 2 3 0\n"}`), events.StatusCompleted)
	if res.Conclusion != events.Unknown || res.Assurance.Level == events.Verified || !strings.Contains(string(res.Output), `"accepted":false`) {
		t.Errorf("conclusion %s, assurance %+v, output %s", res.Conclusion, res.Assurance, res.Output)
	}
	if got := kinds(t, n, from); slices.Contains(got, events.KindVerificationRecorded) {
		t.Errorf("events %v", got)
	}
}

// TestRun_RecordOfAnotherTenant: what one tenant's log holds does not exist for another.
func TestRun_RecordOfAnotherTenant(t *testing.T) {
	dir := t.TempDir()
	a := open(t, dir)
	first := run(t, a, verify("integer.decide.prime", `{"n":"97"}`, "97 is prime"), events.StatusCompleted)
	if err := a.Close(); err != nil {
		t.Fatal(err)
	}
	b, err := embed.Open(t.Context(), embed.Options{Dir: dir, Tenant: "other"})
	if err != nil {
		t.Fatal(err)
	}
	defer b.Close()
	req := verify("integer.decide.prime", `{"n":"97"}`, "97 is prime")
	req.Record = first.Assurance.RecordURI
	res := b.Run(t.Context(), req, embed.RunOptions{})
	if f := res.Failure(); f == nil || f.Code != events.CodeInvalidRequest || f.Path != "/record" || f.Expected == "" || f.Hint == "" {
		t.Errorf("another tenant's record: %+v", f)
	}
	for _, input := range []string{`{"a":{"$ref":"episode://` + first.Episode + `#/output"},"b":"1"}`, `{"a":{"$ref":"` + first.ArtifactURIs[0] + `"},"b":"1"}`} {
		res := b.Run(t.Context(), request("integer.compute.gcd", input), embed.RunOptions{})
		if f := res.Failure(); f == nil || f.Path != "/input/a/$ref" {
			t.Errorf("%s: %+v", input, f)
		}
	}
	if _, err := b.Episode(t.Context(), first.Episode); err == nil {
		t.Error("another tenant's episode can be read")
	}
	req.Record = ""
	if res := b.Run(t.Context(), req, embed.RunOptions{}); res.Memo != nil || res.Assurance.RecordURI == first.Assurance.RecordURI {
		t.Errorf("another tenant's answer was given: %+v", res.Memo)
	}
}

// TestRun_EvidenceForAnotherClaim offers a good certificate for other claims, cut, and in another format:
// each completes, concludes nothing and makes no record.
func TestRun_EvidenceForAnotherClaim(t *testing.T) {
	n := open(t, t.TempDir())
	found := run(t, n, request("integer.decide.prime", mersenne89), events.StatusCompleted)
	certificate, _ := json.Marshal(found.Certificate.Inline)
	if len(found.Certificate.Inline) == 0 {
		t.Fatal("the certificate is not inline")
	}
	ask := func(args, candidate, format, cert string) events.Result {
		return n.Run(t.Context(), request("certificate.verify", `{"semantics":"integer.primality/1","predicate":"integer.prime","args":`+args+`,"candidate":`+candidate+`,"format":"`+format+`","certificate":`+cert+`}`), embed.RunOptions{})
	}
	if res := ask(mersenne89, `{"status":"PRIME"}`, "pratt", string(certificate)); res.Assurance.Level != events.Verified || res.Conclusion != events.True {
		t.Fatalf("the right one: %+v", res.Diagnostics)
	}
	cut, _ := json.Marshal(found.Certificate.Inline[:len(found.Certificate.Inline)/2])
	for name, res := range map[string]events.Result{
		"another number":    ask(`{"n":"618970019642690137449562113"}`, `{"status":"PRIME"}`, "pratt", string(certificate)),
		"another candidate": ask(mersenne89, `{"status":"COMPOSITE"}`, "pratt", string(certificate)),
		"cut":               ask(mersenne89, `{"status":"PRIME"}`, "pratt", string(cut)),
		"nothing":           ask(mersenne89, `{"status":"PRIME"}`, "pratt", `""`),
		"another format":    ask(mersenne89, `{"status":"PRIME"}`, "compositeness", string(certificate)),
		"a word":            ask(mersenne89, `{"status":"PRIME"}`, "pratt", `"s VERIFIED"`),
	} {
		if res.Execution.Status != events.StatusCompleted || res.Conclusion != events.Unknown || res.Assurance.Level == events.Verified || res.Assurance.RecordURI != "" {
			t.Errorf("%s: %s %s %+v", name, res.Execution.Status, res.Conclusion, res.Assurance)
		}
	}
	if res := ask(mersenne89, `{"status":"PRIME"}`, "ecpp", `"x"`); res.Failure() == nil || res.Failure().Code != events.CodeCheckerUnavailable {
		t.Errorf("a format that nobody reads: %+v", res.Diagnostics)
	}
}
