package embed_test

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"strings"
	"testing"
	"time"

	"github.com/jacobian-ledger/jacobian/capabilities"
	"github.com/jacobian-ledger/jacobian/embed"
	"github.com/jacobian-ledger/jacobian/events"
	"github.com/jacobian-ledger/jacobian/ledger/datadir"
)

// victimEnv makes the test binary a process that owns a ledger, starts a long run, says so, and waits
// to be killed.
const victimEnv = "JACOBIAN_TEST_VICTIM"

func victim(dir string) {
	n, err := embed.Open(context.Background(), embed.Options{Dir: dir})
	if err != nil {
		fmt.Println("failed", err)
		os.Exit(1)
	}
	n.Run(context.Background(), request("integer.compute.prime_factorization", rsa100), embed.RunOptions{Progress: func(episode string, p capabilities.Progress) {
		if p.Stage == "requested" {
			fmt.Println("running", episode)
		}
	}})
	os.Exit(0)
}

func startVictim(t *testing.T, dir string) (cmd *exec.Cmd, episode string) {
	t.Helper()
	cmd = exec.Command(os.Args[0])
	cmd.Env = append(os.Environ(), victimEnv+"="+dir)
	out, err := cmd.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	line, err := bufio.NewReader(out).ReadString('\n')
	episode, ok := strings.CutPrefix(strings.TrimSpace(line), "running ")
	if err != nil || !ok {
		t.Fatalf("the victim said %q, %v", line, err)
	}
	return cmd, episode
}

// TestOpen_AfterKill closes what a killed process left open, says why, and keeps all the rest.
func TestOpen_AfterKill(t *testing.T) {
	dir := t.TempDir()
	cmd, episode := startVictim(t, dir)
	if _, err := embed.Open(t.Context(), embed.Options{Dir: dir}); !errors.Is(err, datadir.ErrLocked) || !strings.Contains(err.Error(), fmt.Sprint(cmd.Process.Pid)) {
		t.Errorf("a second process got %v, want a refusal that names process %d", err, cmd.Process.Pid)
	}
	if err := cmd.Process.Kill(); err != nil {
		t.Fatal(err)
	}
	_ = cmd.Wait()

	n := open(t, dir)
	res, ok, err := n.Wait(t.Context(), episode, time.Second)
	if err != nil || !ok {
		t.Fatalf("the killed run is not known: %v, %v", ok, err)
	}
	if f := res.Failure(); res.Execution.Status != events.StatusError || f == nil || f.Code != events.CodeInterrupted || res.Conclusion != events.Unknown {
		t.Errorf("the killed run ended %s with %+v", res.Execution.Status, f)
	}
	rep, err := n.Replay(t.Context())
	if err != nil || !rep.Clean() {
		t.Errorf("replay: %+v, %v", rep, err)
	}
	workersGone(t)
}

// workersGone waits until no worker of a killed process is left: the kernel ends them with their parent.
func workersGone(t *testing.T) {
	t.Helper()
	left := func() (out []string) {
		entries, err := os.ReadDir("/proc")
		if err != nil {
			t.Fatal(err)
		}
		for _, e := range entries {
			cmdline, _ := os.ReadFile("/proc/" + e.Name() + "/cmdline")
			if strings.HasPrefix(string(cmdline), os.Args[0]+"\x00worker") {
				out = append(out, e.Name())
			}
		}
		return out
	}
	for end := time.Now().Add(10 * time.Second); len(left()) > 0; time.Sleep(10 * time.Millisecond) {
		if time.Now().After(end) {
			t.Fatalf("workers left: %v", left())
		}
	}
}
