// Package datadir is the layout of a data directory and the right to write in it.
//
//	<dir>/lock          held (flock) by the process that owns the directory
//	<dir>/owner.json    who that is: {"pid","host","command","started"}
//	<dir>/jetstream/    the server's store
//	<dir>/keys/         private keys
//	<dir>/projections/  what can be rebuilt from the log
//
// Directories are made with mode 0700 and files with 0600.
//
// # Invariant
//
// At most one process owns a directory: two servers on one JetStream store destroy it. The operating
// system drops a lock with the process that held it, so a lock never outlives its owner, and
// owner.json is only a label: what it says of a dead process is overwritten by the next owner. The
// file lock is never deleted, since a process could then lock a file that is no longer there.
//
// The lock is flock(2), which local file systems keep; on NFS it is as good as the server's.
package datadir

import (
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"time"

	"github.com/jacobian-ledger/jacobian/events"
	"github.com/jacobian-ledger/jacobian/events/jcs"
)

// Owner is the process that owns a directory.
type Owner struct {
	PID     int    `json:"pid"`
	Host    string `json:"host"`
	Command string `json:"command"`
	Started string `json:"started"` // as events.FormatTime
}

// LockedError says that another process owns the directory. It matches [ErrLocked].
type LockedError struct {
	Dir   string
	Owner Owner // zero when the owner has not said who it is yet
}

// ErrLocked is matched by every [LockedError].
var ErrLocked = errors.New("datadir: locked")

func (e *LockedError) Error() string {
	if e.Owner == (Owner{}) {
		return fmt.Sprintf("data directory %s is in use by another process", e.Dir)
	}
	return fmt.Sprintf("data directory %s is in use by process %d on %s since %s (%s); stop it, or use another directory",
		e.Dir, e.Owner.PID, e.Owner.Host, e.Owner.Started, e.Owner.Command)
}

// Is makes errors.Is(err, ErrLocked) hold.
func (e *LockedError) Is(target error) bool { return target == ErrLocked }

// Dir is an owned data directory.
type Dir struct {
	path string
	lock *os.File
	// Stale is the owner that ended without giving the directory up, if there was one: its store is
	// recovered at the next start of the server.
	Stale *Owner
}

// Acquire makes the directory if it is absent and takes ownership. It returns a [*LockedError] at
// once if a living process owns it, and takes over what a dead one left.
func Acquire(path string, now time.Time) (*Dir, error) {
	path, err := filepath.Abs(path)
	if err != nil {
		return nil, fmt.Errorf("datadir: acquire: %w", err)
	}
	for _, d := range []string{path, filepath.Join(path, "jetstream"), filepath.Join(path, "keys"), filepath.Join(path, "projections")} {
		if err := os.MkdirAll(d, 0o700); err != nil {
			return nil, fmt.Errorf("datadir: acquire: %w", err)
		}
	}
	lock, err := os.OpenFile(filepath.Join(path, "lock"), os.O_RDWR|os.O_CREATE, 0o600)
	if err != nil {
		return nil, fmt.Errorf("datadir: acquire: %w", err)
	}
	if err := flock(lock); err != nil {
		_ = lock.Close()
		if errors.Is(err, syscall.EWOULDBLOCK) {
			owner, _ := ReadOwner(path) // a label that is missing or half written names nobody
			return nil, &LockedError{Dir: path, Owner: owner}
		}
		return nil, fmt.Errorf("datadir: lock %s: %w", lock.Name(), err)
	}
	d := &Dir{path: path, lock: lock}
	if stale, err := ReadOwner(path); err == nil {
		d.Stale = &stale
	}
	if err := d.writeOwner(now); err != nil {
		_ = lock.Close()
		return nil, fmt.Errorf("datadir: acquire: %w", err)
	}
	return d, nil
}

// flock takes the lock without waiting.
func flock(f *os.File) error {
	for {
		err := syscall.Flock(int(f.Fd()), syscall.LOCK_EX|syscall.LOCK_NB)
		if !errors.Is(err, syscall.EINTR) {
			return err
		}
	}
}

// writeOwner replaces the label by renaming, so that a reader never sees half of one.
func (d *Dir) writeOwner(now time.Time) error {
	host, err := os.Hostname()
	if err != nil {
		host = "unknown"
	}
	b, err := jcs.Marshal(Owner{PID: os.Getpid(), Host: host, Command: strings.ToValidUTF8(strings.Join(os.Args, " "), "\uFFFD"), Started: events.FormatTime(now)})
	if err != nil {
		return err
	}
	next := d.ownerFile() + ".new"
	if err := os.WriteFile(next, append(b, '\n'), 0o600); err != nil {
		return err
	}
	return os.Rename(next, d.ownerFile())
}

func (d *Dir) ownerFile() string { return filepath.Join(d.path, "owner.json") }

// ReadOwner reads who owns a directory, or last did. Only [Acquire] tells whether it still does. The
// error matches fs.ErrNotExist if nobody owns it.
func ReadOwner(path string) (Owner, error) {
	var o Owner
	b, err := os.ReadFile(filepath.Join(path, "owner.json"))
	if err != nil {
		return o, fmt.Errorf("datadir: owner: %w", err)
	}
	if err := json.Unmarshal(b, &o); err != nil {
		return Owner{}, fmt.Errorf("datadir: owner of %s: %w", path, err)
	}
	return o, nil
}

// Path is the directory itself.
func (d *Dir) Path() string { return d.path }

// JetStream is where the server keeps its store.
func (d *Dir) JetStream() string { return filepath.Join(d.path, "jetstream") }

// Keys is where private keys are.
func (d *Dir) Keys() string { return filepath.Join(d.path, "keys") }

// Projections is where projections keep what they can rebuild.
func (d *Dir) Projections() string { return filepath.Join(d.path, "projections") }

// Release gives the directory up. It comes last, after everything in it is closed.
func (d *Dir) Release() error {
	// The label goes first: without the lock it could be the next owner's.
	err := os.Remove(d.ownerFile())
	if errors.Is(err, fs.ErrNotExist) {
		err = nil
	}
	return errors.Join(err, d.lock.Close())
}
