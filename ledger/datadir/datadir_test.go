package datadir_test

import (
	"bufio"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/jacobian-ledger/jacobian/ledger/datadir"
)

// TestMain lets this binary be the other process: it owns the directory until its input ends, or
// until it is killed.
func TestMain(m *testing.M) {
	if dir := os.Getenv("DATADIR_OWNER"); dir != "" {
		d, err := datadir.Acquire(dir, started)
		if err != nil {
			fmt.Println(err)
			os.Exit(1)
		}
		fmt.Println("owned")
		_, _ = bufio.NewReader(os.Stdin).ReadString('\n')
		if err := d.Release(); err != nil {
			fmt.Println(err)
			os.Exit(1)
		}
		os.Exit(0)
	}
	os.Exit(m.Run())
}

var started = time.Date(2026, 1, 2, 3, 4, 5, 0, time.UTC)

// other is a second process that owns the directory; end tells it to give it up.
func other(t *testing.T, dir string) (c *exec.Cmd, end func()) {
	t.Helper()
	c = exec.Command(os.Args[0], "-the-other")
	c.Env = append(os.Environ(), "DATADIR_OWNER="+dir)
	in, err := c.StdinPipe()
	if err != nil {
		t.Fatal(err)
	}
	out, err := c.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := c.Start(); err != nil {
		t.Fatal(err)
	}
	line, err := bufio.NewReader(out).ReadString('\n')
	if err != nil || line != "owned\n" {
		t.Fatalf("the other process says %q, %v", line, err)
	}
	return c, func() { _ = in.Close() }
}

func TestAcquire_NamesALivingOwner(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "data")
	c, end := other(t, dir)
	_, err := datadir.Acquire(dir, time.Now())
	var locked *datadir.LockedError
	if !errors.As(err, &locked) || !errors.Is(err, datadir.ErrLocked) {
		t.Fatalf("expected a LockedError, found %v", err)
	}
	host, _ := os.Hostname()
	if o := locked.Owner; o.PID != c.Process.Pid || o.Host != host || !strings.HasSuffix(o.Command, "-the-other") || o.Started != "2026-01-02T03:04:05.000000Z" {
		t.Errorf("owner: %+v", o)
	}
	for _, word := range []string{dir, fmt.Sprint(c.Process.Pid), host, "-the-other", "2026-01-02"} {
		if !strings.Contains(err.Error(), word) {
			t.Errorf("the message %q does not name %q", err, word)
		}
	}
	end()
	if err := c.Wait(); err != nil {
		t.Error(err)
	}
	d, err := datadir.Acquire(dir, time.Now())
	if err != nil {
		t.Fatalf("after the owner left: %v", err)
	}
	if d.Stale != nil {
		t.Errorf("the owner left in good order, but is called stale: %+v", d.Stale)
	}
	if err := d.Release(); err != nil {
		t.Error(err)
	}
}

func TestAcquire_TakesOverFromADeadOwner(t *testing.T) {
	dir := t.TempDir()
	c, _ := other(t, dir)
	if err := c.Process.Kill(); err != nil {
		t.Fatal(err)
	}
	_ = c.Wait()
	d, err := datadir.Acquire(dir, time.Now())
	if err != nil {
		t.Fatal(err)
	}
	if d.Stale == nil || d.Stale.PID != c.Process.Pid {
		t.Errorf("stale owner: %+v", d.Stale)
	}
	if o, err := datadir.ReadOwner(dir); err != nil || o.PID != os.Getpid() {
		t.Errorf("owner now: %+v, %v", o, err)
	}
	if err := d.Release(); err != nil {
		t.Error(err)
	}
}

func TestAcquire_OverADamagedLabel(t *testing.T) {
	dir := t.TempDir()
	if err := os.WriteFile(filepath.Join(dir, "owner.json"), []byte(`{"pid":`), 0o600); err != nil {
		t.Fatal(err)
	}
	d, err := datadir.Acquire(dir, time.Now())
	if err != nil {
		t.Fatal(err)
	}
	if _, err := datadir.Acquire(dir, time.Now()); !errors.Is(err, datadir.ErrLocked) {
		t.Errorf("a second owner in the same process: %v", err)
	}
	if err := d.Release(); err != nil {
		t.Error(err)
	}
	if _, err := datadir.ReadOwner(dir); !errors.Is(err, fs.ErrNotExist) {
		t.Errorf("the label stays: %v", err)
	}
}

func TestAcquire_OneOfManyWins(t *testing.T) {
	dir := t.TempDir()
	var mu sync.Mutex
	var won []*datadir.Dir
	var wg sync.WaitGroup
	for range 16 {
		wg.Go(func() {
			d, err := datadir.Acquire(dir, time.Now())
			mu.Lock()
			defer mu.Unlock()
			if err == nil {
				won = append(won, d)
			} else if !errors.Is(err, datadir.ErrLocked) {
				t.Error(err)
			}
		})
	}
	wg.Wait()
	if len(won) != 1 {
		t.Errorf("%d owners", len(won))
	}
	for _, d := range won {
		if err := d.Release(); err != nil {
			t.Error(err)
		}
	}
}

func TestAcquire_LayoutIsPrivate(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "a", "b")
	d, err := datadir.Acquire(dir, time.Now())
	if err != nil {
		t.Fatal(err)
	}
	for path, mode := range map[string]fs.FileMode{
		dir: 0o700, d.Keys(): 0o700, d.JetStream(): 0o700, d.Projections(): 0o700,
		filepath.Join(dir, "owner.json"): 0o600, filepath.Join(dir, "lock"): 0o600,
	} {
		info, err := os.Stat(path)
		if err != nil || info.Mode().Perm() != mode {
			t.Errorf("%s: %v, %v; expected %v", path, info.Mode(), err, mode)
		}
	}
	if err := d.Release(); err != nil {
		t.Error(err)
	}
}

func TestAcquire_FailsWhereNoDirectoryCanBe(t *testing.T) {
	if _, err := datadir.Acquire("/dev/null/data", time.Now()); err == nil || errors.Is(err, datadir.ErrLocked) {
		t.Errorf("found %v", err)
	}
}
