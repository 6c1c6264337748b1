// Package engine runs one subprocess under limits that bind.
//
// The process gets an absolute path, an argument vector, exactly the environment that is given, a
// process group of its own and no terminal. When its wall time, memory or output is spent, or the
// context ends, the whole group and every descendant that left the group is killed with SIGKILL, and
// the answer says why. GNU timeout and limits inside an engine are not limits: engines have been seen
// to overrun a one-second limit fifteen times over. This is the only package that starts processes.
package engine

import (
	"bufio"
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strconv"
	"strings"
	"sync"
	"syscall"
	"time"

	"github.com/jacobian-ledger/jacobian/events"
	"golang.org/x/sys/unix"
)

// Limits bind a process. A zero field is no limit, except Output, which is 64 MiB.
type Limits struct {
	Wall   time.Duration // from the start of the process
	CPU    time.Duration // whole seconds, rounded up
	Memory int64         // resident bytes of the process
	Output int64         // bytes on standard output
}

// Spec is one process to run.
type Spec struct {
	Path   string // absolute
	Args   []string
	Env    []string // the whole environment
	Dir    string
	Stdin  []byte
	Limits Limits
	// Line, if set, is called with each line of standard output as it comes, without its newline;
	// Output.Stdout then stays empty.
	Line func([]byte)
}

// End says why a process ended.
type End string

// The ends. Only EXITED is the process's own doing.
const (
	Exited         End = "EXITED"
	TimedOut       End = "TIMED_OUT"
	Cancelled      End = "CANCELLED"
	MemoryExceeded End = "MEMORY_EXCEEDED"
	OutputExceeded End = "OUTPUT_EXCEEDED"
	CPUExceeded    End = "CPU_EXCEEDED"
)

// Output is what a process left. Its exit code and its words are data to be checked, never proof.
type Output struct {
	End      End
	ExitCode int // -1 if it was killed
	Stdout   []byte
	Stderr   []byte // the last 8 KiB
	Usage    events.Usage
}

const (
	defaultOutput = 64 << 20
	stderrTail    = 8 << 10
	pollEvery     = 20 * time.Millisecond
)

// Run starts the process and waits for its end. The error is for a process that could not be started;
// a process that failed or was killed is an [Output].
func Run(ctx context.Context, spec Spec) (Output, error) {
	if !filepath.IsAbs(spec.Path) {
		return Output{}, fmt.Errorf("engine: expected an absolute path, found %q", spec.Path)
	}
	if spec.Limits.Output == 0 {
		spec.Limits.Output = defaultOutput
	}
	cmd := exec.Command(spec.Path, spec.Args...)
	cmd.Env, cmd.Dir = spec.Env, spec.Dir
	if cmd.Env == nil {
		cmd.Env = []string{}
	}
	cmd.Stdin = bytes.NewReader(spec.Stdin)
	cmd.SysProcAttr = &syscall.SysProcAttr{Setpgid: true, Pdeathsig: syscall.SIGKILL}
	stderr := &tail{max: stderrTail}
	cmd.Stderr = stderr
	stdout, err := cmd.StdoutPipe()
	if err != nil {
		return Output{}, fmt.Errorf("engine: %w", err)
	}
	p := &process{cmd: cmd, spec: spec, ended: make(chan struct{}), gone: make(chan struct{})}
	if err := p.start(); err != nil {
		return Output{}, fmt.Errorf("engine: start %s: %w", spec.Path, err)
	}
	began := time.Now()
	go p.watch(ctx)
	out := Output{Stdout: p.read(stdout)}
	waitErr := p.wait()
	out.Stderr = stderr.bytes()
	out.End, out.ExitCode = p.end(), cmd.ProcessState.ExitCode()
	out.Usage = usage(cmd.ProcessState, time.Since(began), p.bytesOut)
	var exit *exec.ExitError
	if waitErr != nil && !errors.As(waitErr, &exit) && out.End == Exited {
		return out, fmt.Errorf("engine: wait for %s: %w", spec.Path, waitErr)
	}
	return out, nil
}

type process struct {
	cmd      *exec.Cmd
	spec     Spec
	bytesOut int64
	waited   chan error
	ended    chan struct{} // closed when standard output is at its end
	gone     chan struct{} // closed when the process has been waited for

	mu     sync.Mutex
	reason End
}

// start begins the process on a locked thread that lives as long as the process: the kernel sends
// the parent-death signal when the starting thread ends, not when the whole parent does.
func (p *process) start() error {
	started := make(chan error)
	p.waited = make(chan error, 1)
	go func() {
		runtime.LockOSThread()
		defer runtime.UnlockOSThread()
		err := p.cmd.Start()
		started <- err
		if err == nil {
			<-p.ended // Wait closes the pipe, so it must come after reading
			p.waited <- p.cmd.Wait()
			close(p.gone)
		}
	}()
	if err := <-started; err != nil {
		return err
	}
	pid := p.cmd.Process.Pid
	_ = unix.Prlimit(pid, unix.RLIMIT_CORE, &unix.Rlimit{}, nil)
	if cpu := p.spec.Limits.CPU; cpu > 0 {
		s := uint64((cpu + time.Second - 1) / time.Second)
		_ = unix.Prlimit(pid, unix.RLIMIT_CPU, &unix.Rlimit{Cur: s, Max: s + 1}, nil)
	}
	return nil
}

func (p *process) read(stdout io.Reader) []byte {
	defer close(p.ended)
	var all []byte
	limited := &counting{r: stdout, n: &p.bytesOut, max: p.spec.Limits.Output, over: func() { p.kill(OutputExceeded) }}
	if p.spec.Line == nil {
		all, _ = io.ReadAll(limited)
		return all
	}
	r := bufio.NewReaderSize(limited, 64<<10)
	for {
		line, err := r.ReadBytes('\n')
		if n := len(line); n > 0 && line[n-1] == '\n' {
			p.spec.Line(line[:n-1])
		}
		if err != nil {
			return nil
		}
	}
}

func (p *process) wait() error {
	err := <-p.waited
	if ws, ok := p.cmd.ProcessState.Sys().(syscall.WaitStatus); ok && ws.Signaled() && ws.Signal() == syscall.SIGXCPU {
		p.note(CPUExceeded)
	}
	_ = syscall.Kill(-p.cmd.Process.Pid, syscall.SIGKILL) // whatever the process left behind in its group
	return err
}

// watch enforces wall time, memory and cancellation until standard output ends. A process that closes
// its output and lives on is caught by the deadline too, since the pipe is shared by its children.
func (p *process) watch(ctx context.Context) {
	var deadline <-chan time.Time
	if w := p.spec.Limits.Wall; w > 0 {
		t := time.NewTimer(w)
		defer t.Stop()
		deadline = t.C
	}
	tick := time.NewTicker(pollEvery)
	defer tick.Stop()
	for {
		select {
		case <-p.ended:
			// Output is closed; the process should be gone. If it lingers, it is killed.
			select {
			case <-p.gone:
			case <-time.After(10 * pollEvery):
				p.kill(TimedOut)
			case <-ctx.Done():
				p.kill(Cancelled)
			}
			return
		case <-ctx.Done():
			p.kill(Cancelled)
			return
		case <-deadline:
			p.kill(TimedOut)
			return
		case <-tick.C:
			if m := p.spec.Limits.Memory; m > 0 && resident(p.cmd.Process.Pid) > m {
				p.kill(MemoryExceeded)
				return
			}
		}
	}
}

func (p *process) note(why End) {
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.reason == "" {
		p.reason = why
	}
}

func (p *process) end() End {
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.reason == "" {
		return Exited
	}
	return p.reason
}

// kill ends the whole tree: first the descendants, found while their parents still live, then the group.
func (p *process) kill(why End) {
	p.note(why)
	pid := p.cmd.Process.Pid
	for _, child := range descendants(pid) {
		_ = syscall.Kill(child, syscall.SIGKILL)
	}
	_ = syscall.Kill(-pid, syscall.SIGKILL)
}

// Descendants lists the processes that this one started, at any depth, and that still exist.
func Descendants() []int { return descendants(os.Getpid()) }

// descendants lists the processes below pid from /proc, children before grandchildren.
func descendants(pid int) []int {
	entries, err := os.ReadDir("/proc")
	if err != nil {
		return nil
	}
	children := map[int][]int{}
	for _, e := range entries {
		id, err := strconv.Atoi(e.Name())
		if err != nil {
			continue
		}
		if f := statFields(id); len(f) > 1 {
			parent, _ := strconv.Atoi(f[1])
			children[parent] = append(children[parent], id)
		}
	}
	var out []int
	queue := []int{pid}
	for len(queue) > 0 {
		next := children[queue[0]]
		queue = append(queue[1:], next...)
		out = append(out, next...)
	}
	return out
}

// statFields are the fields of /proc/PID/stat after the command, from the state on.
func statFields(pid int) []string {
	b, err := os.ReadFile(fmt.Sprintf("/proc/%d/stat", pid))
	if err != nil {
		return nil
	}
	i := bytes.LastIndexByte(b, ')')
	return strings.Fields(string(b[i+1:]))
}

func resident(pid int) int64 {
	b, err := os.ReadFile(fmt.Sprintf("/proc/%d/statm", pid))
	if err != nil {
		return 0
	}
	f := strings.Fields(string(b))
	if len(f) < 2 {
		return 0
	}
	pages, _ := strconv.ParseInt(f[1], 10, 64)
	return pages * int64(os.Getpagesize())
}

func usage(ps *os.ProcessState, wall time.Duration, out int64) events.Usage {
	u := events.Usage{WallMS: wall.Milliseconds(), CPUMS: (ps.UserTime() + ps.SystemTime()).Milliseconds(), OutputBytes: out}
	if ru, ok := ps.SysUsage().(*syscall.Rusage); ok {
		u.PeakMemoryBytes = ru.Maxrss << 10
	}
	return u
}

// counting stops a reader at max bytes and says so once.
type counting struct {
	r    io.Reader
	n    *int64
	max  int64
	over func()
}

func (c *counting) Read(b []byte) (int, error) {
	n, err := c.r.Read(b)
	*c.n += int64(n)
	if *c.n > c.max {
		c.over()
		return 0, io.EOF
	}
	return n, err
}

// tail keeps the last max bytes written.
type tail struct {
	mu  sync.Mutex
	buf []byte
	max int
}

func (t *tail) Write(b []byte) (int, error) {
	t.mu.Lock()
	defer t.mu.Unlock()
	t.buf = append(t.buf, b...)
	if n := len(t.buf) - t.max; n > 0 {
		t.buf = append(t.buf[:0], t.buf[n:]...)
	}
	return len(b), nil
}

func (t *tail) bytes() []byte {
	t.mu.Lock()
	defer t.mu.Unlock()
	return bytes.Clone(t.buf)
}
