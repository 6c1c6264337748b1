// Package runner runs operations and checkers in processes of their own: this very program, executed
// again with an empty environment.
//
// A worker computes one operation; it can be killed at the end of its budget, and what it said to
// have covered survives it. A checker decides one piece of evidence and signs its decision with a key
// that only checker processes read; the service carries the decision and cannot make one. A child
// reads one request from standard input, writes JSON lines to standard output and ends.
package runner

import (
	"bufio"
	"context"
	"crypto/ed25519"
	"crypto/rand"
	"crypto/sha256"
	"encoding/json"
	"encoding/pem"
	"errors"
	"fmt"
	"io"
	"os"
	"os/signal"
	"path/filepath"
	"runtime/debug"
	"strings"
	"syscall"
	"time"

	"github.com/jacobian-ledger/jacobian/capabilities"
	"github.com/jacobian-ledger/jacobian/capabilities/checkers"
	"github.com/jacobian-ledger/jacobian/capabilities/engine"
	"github.com/jacobian-ledger/jacobian/events"
	"github.com/jacobian-ledger/jacobian/events/authority"
	"github.com/jacobian-ledger/jacobian/events/digest"
	"github.com/jacobian-ledger/jacobian/events/jcs"
)

// childEnv marks a child process; its value is the role.
const childEnv = "JACOBIAN_CHILD"

const (
	roleWorker  = "worker"
	roleChecker = "checker"
)

// ErrChild is returned by [Self] in a process that was started as a child but did not become one.
var ErrChild = errors.New("runner: this process was started as a child of jacobian, but its main function did not call ChildMain first")

// Catalog is what a child can run.
type Catalog struct {
	Capability func(id string) *capabilities.Capability // nil if unknown
	Checkers   []checkers.Checker
}

// ChildMain turns this process into a worker or checker and exits, if it was started as one; otherwise
// it returns at once. A program that opens a ledger calls it first in main.
func ChildMain(catalog func() Catalog) {
	role := os.Getenv(childEnv)
	if role == "" {
		return
	}
	signal.Ignore(os.Interrupt) // Ctrl-C reaches the group of a terminal; the parent decides what it means
	w := &lines{w: bufio.NewWriterSize(os.Stdout, 64<<10)}
	var err error
	switch role {
	case roleWorker:
		err = work(catalog(), os.Stdin, w)
	case roleChecker:
		err = check(catalog(), os.Stdin, w)
	default:
		err = fmt.Errorf("runner: unknown child role %q", role)
	}
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
	os.Exit(0)
}

// Self is how to start this program again. It hashes nothing: the checker child does.
func Self() (string, error) {
	if os.Getenv(childEnv) != "" {
		return "", ErrChild
	}
	path, err := os.Executable()
	if err != nil {
		return "", fmt.Errorf("runner: find this program: %w", err)
	}
	return path, nil
}

// line is one thing that a child says.
type line struct {
	Progress *capabilities.Progress `json:"progress,omitempty"`
	Covered  *events.Scope          `json:"covered,omitempty"`
	Done     *capabilities.Done     `json:"done,omitempty"`
	Failure  *capabilities.Error    `json:"failure,omitempty"`
	Ended    bool                   `json:"ended,omitempty"` // the budget ended it, softly
	Decision *events.Signed         `json:"decision,omitempty"`
}

type lines struct{ w *bufio.Writer }

func (l *lines) say(x line) error {
	b, err := json.Marshal(x)
	if err != nil {
		return err
	}
	if _, err := l.w.Write(append(b, '\n')); err != nil {
		return err
	}
	return l.w.Flush()
}

type workOrder struct {
	CapabilityID string          `json:"capability_id"`
	Input        json.RawMessage `json:"input"`
	SoftMS       int64           `json:"soft_ms"` // when the context of the operation ends
	MemoryBytes  int64           `json:"memory_bytes"`
}

func work(catalog Catalog, in io.Reader, out *lines) error {
	var o workOrder
	if err := json.NewDecoder(in).Decode(&o); err != nil {
		return fmt.Errorf("runner: read the order: %w", err)
	}
	if o.MemoryBytes > 0 {
		debug.SetMemoryLimit(o.MemoryBytes * 9 / 10) // collect harder before the parent has to kill
	}
	c := catalog.Capability(o.CapabilityID)
	if c == nil {
		return fmt.Errorf("runner: this program has no operation %s", o.CapabilityID)
	}
	v, err := jcs.Parse(o.Input)
	if err != nil {
		return err
	}
	call, err := c.Admit(v)
	if err != nil {
		return out.say(line{Failure: capabilities.AsError(err)})
	}
	ctx, cancel := context.WithTimeout(context.Background(), time.Duration(o.SoftMS)*time.Millisecond)
	defer cancel()
	env := &capabilities.Env{
		Report:  func(p capabilities.Progress) { _ = out.say(line{Progress: &p}) },
		Covered: func(s events.Scope) { _ = out.say(line{Covered: &s}) },
	}
	done, err := call.Run(ctx, env)
	switch {
	case errors.Is(err, context.DeadlineExceeded), errors.Is(err, context.Canceled):
		return out.say(line{Done: &done, Ended: true})
	case err != nil:
		return out.say(line{Failure: capabilities.AsError(err), Done: &done})
	}
	return out.say(line{Done: &done})
}

// Work is the end of a worker.
type Work struct {
	Done    *capabilities.Done  // nil if it was killed or failed before it could say
	Failure *capabilities.Error // the operation's own refusal or failure
	Ended   bool                // it stopped because its time was over, and said what it covered
	Covered *events.Scope       // the last that it said to have covered
	End     engine.End
	Usage   events.Usage
}

// grace is how long a worker may take to say what it covered after its time is over.
const grace = 200 * time.Millisecond

// Run computes one operation in a worker under the budget.
func Run(ctx context.Context, self, capabilityID string, input []byte, b events.Budget, report func(capabilities.Progress)) (Work, error) {
	order, err := json.Marshal(workOrder{capabilityID, input, b.WallMS, b.MemoryBytes})
	if err != nil {
		return Work{}, err
	}
	var w Work
	var said error
	out, err := engine.Run(ctx, engine.Spec{
		Path: self, Args: []string{"worker", capabilityID}, Env: []string{childEnv + "=" + roleWorker}, Dir: "/", Stdin: order,
		Limits: engine.Limits{
			Wall: time.Duration(b.WallMS)*time.Millisecond + grace, CPU: time.Duration(b.CPUMS) * time.Millisecond,
			Memory: b.MemoryBytes, Output: 4*b.OutputBytes + 1<<20,
		},
		Line: func(raw []byte) {
			var l line
			if err := json.Unmarshal(raw, &l); err != nil {
				said = fmt.Errorf("runner: a worker said what is not JSON: %w", err)
				return
			}
			switch {
			case l.Progress != nil:
				report(*l.Progress)
			case l.Covered != nil:
				w.Covered = l.Covered
			default:
				w.Done, w.Failure, w.Ended = l.Done, l.Failure, l.Ended
			}
		},
	})
	if err != nil {
		return w, err
	}
	w.End, w.Usage = out.End, out.Usage
	if w.Done != nil && w.Done.Scope == nil {
		w.Done.Scope = w.Covered
	}
	if out.End == engine.Exited && w.Done == nil && w.Failure == nil {
		return w, errors.Join(fmt.Errorf("runner: the worker ended with exit code %d and no answer: %s", out.ExitCode, firstLines(out.Stderr)), said)
	}
	return w, nil
}

func firstLines(b []byte) string {
	s := strings.TrimSpace(string(b))
	if len(s) > 400 {
		s = s[:400] + "…"
	}
	return s
}

// CheckOrder is one piece of evidence to decide, with everything that the decision is bound to.
type CheckOrder struct {
	CheckerID       string          `json:"checker_id"`
	Tenant          string          `json:"tenant"`
	Episode         string          `json:"episode"`
	Claim           events.Claim    `json:"claim"`
	ClaimText       string          `json:"claim_text"`
	Candidate       json.RawMessage `json:"candidate"`
	Semantics       []byte          `json:"semantics"` // the semantics artifact
	Scope           string          `json:"scope"`
	Format          string          `json:"format"`
	Certificate     []byte          `json:"certificate"`
	OperatorLogSize int64           `json:"operator_log_size"`
	KeyFile         string          `json:"key_file"`
	SoftMS          int64           `json:"soft_ms"`
}

func check(catalog Catalog, in io.Reader, out *lines) error {
	var o CheckOrder
	if err := json.NewDecoder(in).Decode(&o); err != nil {
		return fmt.Errorf("runner: read the order: %w", err)
	}
	var k *checkers.Checker
	for i := range catalog.Checkers {
		if catalog.Checkers[i].ID == o.CheckerID {
			k = &catalog.Checkers[i]
		}
	}
	if k == nil {
		return fmt.Errorf("runner: this program has no checker %s", o.CheckerID)
	}
	binary := make(chan digest.Digest, 1)
	hashErr := make(chan error, 1)
	go func() {
		d, err := hashFile("/proc/self/exe")
		binary <- d
		hashErr <- err
	}()
	ctx, cancel := context.WithTimeout(context.Background(), time.Duration(o.SoftMS)*time.Millisecond)
	defer cancel()
	v := checkers.Reject("checker %s does not decide %s with format %q", k.ID, o.Claim.Predicate, o.Format)
	if k.Handles(o.Claim.Predicate, o.Format) {
		var err error
		v, err = k.Check(ctx, checkers.Evidence{Claim: o.Claim, Candidate: o.Candidate, Format: o.Format, Certificate: o.Certificate})
		if err != nil {
			return out.say(line{Failure: capabilities.AsError(err), Ended: errors.Is(err, context.DeadlineExceeded)})
		}
	}
	d := authority.Decision{
		Accepted: v.Accepted, Conclusion: v.Conclusion, Method: v.Method, Coverage: v.Coverage, Reason: clip(v.Reason, 1000),
		Tenant: o.Tenant, Episode: o.Episode,
		Claim:     events.ClaimRef{Semantics: o.Claim.Semantics, Predicate: o.Claim.Predicate, Digest: o.Claim.Digest()},
		ClaimText: o.ClaimText, Candidate: authority.CandidateDigest(o.Candidate, o.Claim.Semantics),
		SemanticsDigest: digest.Of(o.Semantics), Scope: o.Scope, CertificateFormat: o.Format, CertificateDigest: digest.Of(o.Certificate),
		Checker:         events.CheckerIdentity{CheckerID: k.ID, Version: k.Version, Binary: <-binary, IndependenceClass: k.Class},
		OperatorLogSize: o.OperatorLogSize,
	}
	if err := <-hashErr; err != nil {
		return fmt.Errorf("runner: hash this program: %w", err)
	}
	key, err := LoadKey(o.KeyFile)
	if err != nil {
		return err
	}
	signed, err := authority.Sign(d, key)
	if err != nil {
		return err
	}
	return out.say(line{Decision: &signed})
}

func clip(s string, n int) string {
	if len(s) <= n {
		return s
	}
	return strings.ToValidUTF8(s[:n], "") + "…"
}

func hashFile(path string) (digest.Digest, error) {
	f, err := os.Open(path)
	if err != nil {
		return digest.Digest{}, err
	}
	defer f.Close()
	h := sha256.New()
	if _, err := io.Copy(h, f); err != nil {
		return digest.Digest{}, err
	}
	return digest.Digest(h.Sum(nil)), nil
}

// BinaryDigest is the SHA-256 of the program file at path. The digest is kept in cacheDir under the
// file's identity (device, inode, size, times), since hashing costs as long as starting up; it only
// saves time: a checker child hashes its own file anew for each decision.
func BinaryDigest(path, cacheDir string) (digest.Digest, error) {
	info, err := os.Stat(path)
	if err != nil {
		return digest.Digest{}, fmt.Errorf("runner: %w", err)
	}
	st := info.Sys().(*syscall.Stat_t)
	id := fmt.Sprintf("%s\n%d %d %d %d.%d %d.%d\n", path, st.Dev, st.Ino, st.Size, st.Mtim.Sec, st.Mtim.Nsec, st.Ctim.Sec, st.Ctim.Nsec)
	cache := filepath.Join(cacheDir, "binary-digest")
	if b, err := os.ReadFile(cache); err == nil {
		if text, ok := strings.CutPrefix(string(b), id); ok {
			if d, err := digest.Parse(strings.TrimSpace(text)); err == nil {
				return d, nil
			}
		}
	}
	d, err := hashFile(path)
	if err != nil {
		return digest.Digest{}, fmt.Errorf("runner: %w", err)
	}
	_ = os.WriteFile(cache, []byte(id+d.String()+"\n"), 0o600) // a cache: without it the next start hashes again
	return d, nil
}

// Check has a checker child decide, and returns its signed decision as it came. The caller opens it
// with the runner's public key: a program that is not the runner cannot sign.
func Check(ctx context.Context, self string, o CheckOrder, b events.Budget) (events.Signed, engine.Output, error) {
	o.SoftMS = b.WallMS
	order, err := json.Marshal(o)
	if err != nil {
		return events.Signed{}, engine.Output{}, err
	}
	var last line
	out, err := engine.Run(ctx, engine.Spec{
		Path: self, Args: []string{"checker", o.CheckerID}, Env: []string{childEnv + "=" + roleChecker}, Dir: "/", Stdin: order,
		Limits: engine.Limits{Wall: time.Duration(b.WallMS)*time.Millisecond + grace, Memory: b.MemoryBytes, Output: 1 << 20},
		Line:   func(raw []byte) { last = line{}; _ = json.Unmarshal(raw, &last) },
	})
	switch {
	case err != nil:
		return events.Signed{}, out, err
	case last.Decision != nil && out.End == engine.Exited && out.ExitCode == 0:
		return *last.Decision, out, nil
	case out.End != engine.Exited || last.Ended:
		return events.Signed{}, out, fmt.Errorf("runner: checker %s: %w", o.CheckerID, context.DeadlineExceeded)
	case last.Failure != nil:
		return events.Signed{}, out, last.Failure
	}
	return events.Signed{}, out, fmt.Errorf("runner: checker %s ended with exit code %d and no decision: %s", o.CheckerID, out.ExitCode, firstLines(out.Stderr))
}

const pemType = "JACOBIAN RUNNER ED25519 SEED"

// CreateKey makes the runner's key in a new file of mode 0600 and returns its public half.
func CreateKey(path string) (ed25519.PublicKey, error) {
	pub, key, err := ed25519.GenerateKey(rand.Reader)
	if err != nil {
		return nil, fmt.Errorf("runner: make key: %w", err)
	}
	f, err := os.OpenFile(path, os.O_WRONLY|os.O_CREATE|os.O_EXCL, 0o600)
	if err != nil {
		return nil, fmt.Errorf("runner: make key: %w", err)
	}
	defer f.Close()
	if err := pem.Encode(f, &pem.Block{Type: pemType, Bytes: key.Seed()}); err != nil {
		return nil, fmt.Errorf("runner: make key: %w", err)
	}
	return pub, f.Sync()
}

// LoadKey reads the runner's key.
func LoadKey(path string) (ed25519.PrivateKey, error) {
	b, err := os.ReadFile(path)
	if err != nil {
		return nil, fmt.Errorf("runner: read key: %w", err)
	}
	block, _ := pem.Decode(b)
	if block == nil || block.Type != pemType || len(block.Bytes) != ed25519.SeedSize {
		return nil, fmt.Errorf("runner: %s is not a runner key", path)
	}
	return ed25519.NewKeyFromSeed(block.Bytes), nil
}
