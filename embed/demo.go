package embed

import (
	"context"
	"encoding/json"
	"fmt"
	"io"
	"strings"
	"time"

	"github.com/jacobian-ledger/jacobian/capabilities"
	"github.com/jacobian-ledger/jacobian/capabilities/engine"
	"github.com/jacobian-ledger/jacobian/events"
	"github.com/jacobian-ledger/jacobian/events/jcs"
	"github.com/jacobian-ledger/jacobian/query"
)

// DemoOptions say where the demonstration keeps its ledger and where it tells its story.
type DemoOptions struct {
	Options
	Out     io.Writer
	Program string // the jacobian program, for the second process of the story
}

// rsa100 is the first number of the RSA Factoring Challenge, a product of two 50-digit primes.
const rsa100 = "1522605027922533360535618378132637429718068114961380688657908494580122963258952897654000350692006139"

const demoInvestigation = "inv_demo"

// Demo runs a first investigation on a real ledger and tells it as it happens. Every value that it
// prints was just computed, and it returns an error as soon as one is not what mathematics says.
func Demo(ctx context.Context, o DemoOptions) error {
	n, err := Open(ctx, o.Options)
	if err != nil {
		return err
	}
	d := &demo{n: n, o: o, ctx: ctx, w: o.Out, began: time.Now()}
	defer func() { _ = d.n.Close() }()
	for _, act := range []func() error{d.discover, d.colour, d.refute, d.misuse, d.numbers, d.secondProcess, d.remember, d.replay} {
		if err := act(); err != nil {
			return fmt.Errorf("demo: step %d: %w", d.step, err)
		}
	}
	fmt.Fprintf(d.w, "\nDone in %.1f s. The ledger is in %s; look around with: jacobian log tail --dir %s\n", time.Since(d.began).Seconds(), o.Dir, o.Dir)
	return nil
}

type demo struct {
	n     *Node
	o     DemoOptions
	ctx   context.Context
	w     io.Writer
	began time.Time
	step  int

	groetzsch json.RawMessage // the graph, as its constructing episode gave it
	source    string          // address of that episode's output
	refuted   events.Result   // not 3-colourable
	factored  events.Result   // the time-out
}

func (d *demo) title(format string, args ...any) {
	d.step++
	fmt.Fprintf(d.w, "\n%d. %s\n", d.step, fmt.Sprintf(format, args...))
}

func (d *demo) say(format string, args ...any) { fmt.Fprintf(d.w, "   "+format+"\n", args...) }

// run asks for one operation and tells what happens. want is how it must end.
func (d *demo) run(req events.Request, want events.Status) (events.Result, error) {
	req.Investigation = demoInvestigation
	fmt.Fprintf(d.w, "   > math.run %s %s%s\n", req.CapabilityID, strings.ToLower(string(req.Mode)), brief(req.Input, 72))
	res := d.n.Run(d.ctx, req, RunOptions{Actor: "demo", Progress: func(episode string, p capabilities.Progress) {
		if p.Stage == "requested" {
			p.Message = episode
		}
		d.say("● %-10s %s", p.Stage, p.Message)
	}})
	if res.Execution.Status != want {
		return res, fmt.Errorf("%s ended %s, expected %s: %s", req.CapabilityID, res.Execution.Status, want, failureText(&res))
	}
	return res, nil
}

func failureText(res *events.Result) string {
	if f := res.Failure(); f != nil {
		return f.Message
	}
	return res.Execution.Detail
}

func brief(b []byte, most int) string {
	if len(b) == 0 {
		return ""
	}
	s := " " + string(b)
	if len(s) > most {
		s = s[:most] + "…"
	}
	return s
}

func (d *demo) verified(res *events.Result, want events.Conclusion) error {
	if res.Assurance.Level != events.Verified || res.Conclusion != want {
		return fmt.Errorf("expected VERIFIED %s, found %s %s: %s", want, res.Assurance.Level, res.Conclusion, failureText(res))
	}
	d.say("✓ %s, VERIFIED by %s   %s", res.Conclusion, res.Assurance.Checker, res.Assurance.RecordURI)
	return nil
}

func (d *demo) discover() error {
	const asked = "show that this graph cannot be coloured with 3 colours"
	d.title("An agent says what it needs")
	d.say("> math.find %q", asked)
	found, err := d.n.Find(d.ctx, query.FindRequest{Query: asked})
	if err != nil {
		return err
	}
	var colouring, sat bool
	for _, m := range found.Matches {
		d.say("  %-34s %s", m.CapabilityID, m.Title)
		colouring = colouring || m.CapabilityID == "graph.k_coloring.decide"
		sat = sat || strings.HasPrefix(m.CapabilityID, "sat.")
	}
	if !colouring || !sat {
		return fmt.Errorf("expected graph.k_coloring.decide and a SAT operation among the matches")
	}
	return nil
}

func (d *demo) colour() error {
	d.title("It constructs the Grötzsch graph and colours it with 4 colours")
	res, err := d.run(events.Request{CapabilityID: "graph.construct.family", Input: json.RawMessage(`{"family":"groetzsch"}`)}, events.StatusCompleted)
	if err != nil {
		return err
	}
	var built struct {
		Graph json.RawMessage `json:"graph"`
	}
	if err := json.Unmarshal(res.Output, &built); err != nil {
		return err
	}
	d.groetzsch, d.source = built.Graph, events.EpisodeURI(res.Episode)+"#/output/graph"
	if res, err = d.run(events.Request{CapabilityID: "graph.compute.properties", Input: ref("graph", d.source)}, events.StatusCompleted); err != nil {
		return err
	}
	d.say("properties %s", brief(res.Output, 400))
	res, err = d.run(events.Request{
		CapabilityID: "graph.k_coloring.decide", Mode: events.Verify, Input: ref("graph", d.source, "k", "4"),
		Claim: &events.ClaimText{Text: "The Grötzsch graph is 4-colourable"},
	}, events.StatusCompleted)
	if err != nil {
		return err
	}
	d.say("colouring%s", brief(res.Output, 200))
	return d.verified(&res, events.True)
}

// ref builds {"name":{"$ref":uri}, more...}; further values are written as JSON numbers.
func ref(name, uri string, more ...string) json.RawMessage {
	members := []jcs.Member{{Name: name, Value: jcs.NewObject(jcs.Member{Name: "$ref", Value: jcs.NewString(uri)})}}
	for i := 0; i+1 < len(more); i += 2 {
		v, err := jcs.Parse([]byte(more[i+1]))
		if err != nil {
			panic(err)
		}
		members = append(members, jcs.Member{Name: more[i], Value: v})
	}
	return jcs.NewObject(members...).Append(nil)
}

func (d *demo) refute() error {
	d.title("3 colours are not enough: a proof, and a checker that accepts it")
	cnf, err := d.run(events.Request{CapabilityID: "graph.coloring.encode_k_cnf", Input: ref("graph", d.source, "k", "3")}, events.StatusCompleted)
	if err != nil {
		return err
	}
	res, err := d.run(events.Request{
		CapabilityID: "sat.unsat_proof.find", Mode: events.Verify, Input: ref("cnf", events.EpisodeURI(cnf.Episode)+"#/output/cnf"),
		Claim: &events.ClaimText{Text: "The 3-colouring formula of the Grötzsch graph is unsatisfiable"},
	}, events.StatusCompleted)
	if err != nil {
		return err
	}
	if err := d.verified(&res, events.False); err != nil {
		return err
	}
	if d.refuted, err = d.run(d.notThreeColourable(), events.StatusCompleted); err != nil {
		return err
	}
	d.say("certificate %s   %s", d.refuted.Certificate.Format, d.refuted.Certificate.ArtifactURI)
	return d.verified(&d.refuted, events.False)
}

func (d *demo) notThreeColourable() events.Request {
	return events.Request{
		CapabilityID: "graph.k_coloring.decide", Mode: events.Verify, Input: ref("graph", d.source, "k", "3"),
		Claim: &events.ClaimText{Text: "The Grötzsch graph is not 3-colourable"},
	}
}

func (d *demo) misuse() error {
	d.title("It offers that record for another graph, and is refused")
	petersen, err := d.run(events.Request{CapabilityID: "graph.construct.family", Input: json.RawMessage(`{"family":"petersen"}`)}, events.StatusCompleted)
	if err != nil {
		return err
	}
	res, err := d.run(events.Request{
		CapabilityID: "graph.k_coloring.decide", Mode: events.Verify, Input: ref("graph", events.EpisodeURI(petersen.Episode)+"#/output/graph", "k", "3"),
		Record: d.refuted.Assurance.RecordURI,
	}, events.StatusError)
	if err != nil {
		return err
	}
	f := res.Failure()
	if f == nil || f.Code != events.CodeRecordMismatch {
		return fmt.Errorf("expected RECORD_MISMATCH, found %s", failureText(&res))
	}
	d.say("✗ %s: %s", f.Code, f.Message)
	d.say("  %s", f.Hint)
	return nil
}

func (d *demo) numbers() error {
	d.title("Is 2^89-1 prime? And what divides RSA-100, within 2 seconds?")
	const m89 = "618970019642690137449562111" // 2^89-1
	res, err := d.run(events.Request{
		CapabilityID: "integer.decide.prime", Mode: events.Verify, Input: json.RawMessage(`{"n":"` + m89 + `"}`),
		Claim: &events.ClaimText{Text: "2^89-1 is prime"},
	}, events.StatusCompleted)
	if err != nil {
		return err
	}
	d.say("certificate %s", res.Certificate.Format)
	if err := d.verified(&res, events.True); err != nil {
		return err
	}
	d.factored, err = d.run(events.Request{
		CapabilityID: "integer.compute.prime_factorization", Input: json.RawMessage(`{"n":"` + rsa100 + `"}`),
		Budget: &events.Budget{WallMS: 2000}, Claim: &events.ClaimText{Text: "factors of RSA-100, a semiprime of 100 digits"},
	}, events.StatusTimeout)
	if err != nil {
		return err
	}
	d.say("… TIMEOUT, %s after %d ms: %s", d.factored.Conclusion, d.factored.Execution.Usage.WallMS, d.factored.Execution.Detail)
	if d.factored.Conclusion != events.Unknown || d.factored.Scope == nil {
		return fmt.Errorf("expected UNKNOWN with what was covered")
	}
	for _, p := range d.factored.Scope.Parameters {
		d.say("  covered    %-22s %s", p.Name, p.Value)
	}
	if left := engine.Descendants(); len(left) != 0 {
		return fmt.Errorf("expected no process of ours left, found %v", left)
	}
	d.say("  the worker and every process below it are gone")
	return nil
}

// secondProcess gives the ledger up, has another process ask the same question, and takes it back.
func (d *demo) secondProcess() error {
	d.title("A second process asks the same question: answered from the log")
	if err := d.n.Close(); err != nil {
		return err
	}
	req := d.notThreeColourable()
	args := []string{"run", req.CapabilityID, "--dir", d.o.Dir, "--mode", "verify", "--claim", req.Claim.Text, "--json", "--input", string(req.Input)}
	d.say("$ jacobian %s", strings.Join(args[:2], " ")+" --mode verify …")
	out, err := engine.Run(d.ctx, engine.Spec{Path: d.o.Program, Args: args, Limits: engine.Limits{Wall: time.Minute}})
	if err != nil {
		return err
	}
	var res events.Result
	if err := jcs.Decode(out.Stdout, &res); err != nil {
		return fmt.Errorf("the second process answered %q %q: %w", out.Stdout, out.Stderr, err)
	}
	if res.Memo == nil || res.Memo.Origin != d.refuted.Episode {
		return fmt.Errorf("expected a memo of %s, found %+v", d.refuted.Episode, res.Memo)
	}
	d.say("memo of %s, %.1f s old, answered by the second process in %d ms all told", res.Memo.Origin, float64(res.Memo.AgeMS)/1000, out.Usage.WallMS)
	if d.n, err = Open(d.ctx, d.o.Options); err != nil {
		return err
	}
	return d.verified(&res, events.False)
}

func (d *demo) remember() error {
	d.title("Has this been tried? What does it rest on?")
	for _, q := range []struct{ text, episode string }{{"colouring Grötzsch graph", d.refuted.Episode}, {"RSA-100 semiprime factors timeout", d.factored.Episode}} {
		d.say("> memory.search %q", q.text)
		found, err := d.n.MemorySearch(d.ctx, query.MemoryRequest{Query: q.text, Limit: 3})
		if err != nil {
			return err
		}
		hit := false
		for _, e := range found.Episodes {
			d.say("  %s  %s  %s %s  %s", e.Episode, e.CapabilityID, e.Status, e.Conclusion, e.UntrustedText)
			hit = hit || e.Episode == q.episode
		}
		if !hit {
			return fmt.Errorf("expected %s among the episodes", q.episode)
		}
	}
	why, err := d.n.Explain(d.ctx, d.refuted.Assurance.RecordURI)
	if err != nil {
		return err
	}
	d.say("> provenance.explain %s", d.refuted.Assurance.RecordURI)
	for _, line := range strings.Split(strings.TrimRight(why.Text(), "\n"), "\n") {
		d.say("  %s", line)
	}
	return nil
}

func (d *demo) replay() error {
	d.title("The log is replayed from its first event, and every checker is run again")
	rep, err := d.n.Replay(d.ctx)
	if err != nil {
		return err
	}
	rep.Write(indented{d.w})
	if !rep.Clean() {
		return fmt.Errorf("the replay found differences")
	}
	return nil
}

// indented puts the story's margin before each write of a line.
type indented struct{ w io.Writer }

func (i indented) Write(b []byte) (int, error) {
	_, err := fmt.Fprintf(i.w, "   %s", b)
	return len(b), err
}
