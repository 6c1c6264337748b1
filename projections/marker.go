package projections

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"sync"
)

// marker is a file beside a file that is written without syncing. It says whether that one can be
// trusted: "clean" after it was synced and closed, else "boot" and the id of the boot of the machine
// during which it was written.
//
// A process that dies leaves its writes in the page cache, in order, so the file is whole for the next
// process of the same boot. After a power cut or a reset of the machine the boot id differs, any of the
// writes may be missing, and the file is thrown away. Where the system has no boot id, every unclean
// end counts as a power cut. The marker itself is synced before the first write.
type marker struct {
	path    string
	mu      *sync.Mutex
	isDirty bool
}

func newMarker(path string) marker { return marker{path: path, mu: new(sync.Mutex)} }

// whole reports whether the file beside the marker can be trusted.
func (m *marker) whole() bool {
	b, err := os.ReadFile(m.path)
	if err != nil {
		return false // never closed, and never marked: nothing that we wrote
	}
	boot := bootID()
	m.isDirty = boot != "" && string(b) == "boot "+boot+"\n" // whole, but not synced yet
	return m.isDirty || string(b) == "clean\n"
}

// dirty marks the file as written and not synced.
func (m *marker) dirty() error {
	m.mu.Lock()
	defer m.mu.Unlock()
	if m.isDirty {
		return nil
	}
	if err := m.write("boot " + bootID() + "\n"); err != nil {
		return err
	}
	m.isDirty = true
	return nil
}

// clean marks the file as synced.
func (m *marker) clean() error {
	m.mu.Lock()
	defer m.mu.Unlock()
	m.isDirty = false
	return m.write("clean\n")
}

func (m *marker) write(text string) error {
	tmp := m.path + ".new"
	err := func() error {
		f, err := os.OpenFile(tmp, os.O_CREATE|os.O_TRUNC|os.O_WRONLY, 0o600)
		if err != nil {
			return err
		}
		_, err = f.WriteString(text)
		if err == nil {
			err = f.Sync()
		}
		if cerr := f.Close(); err == nil {
			err = cerr
		}
		if err != nil {
			return err
		}
		if err := os.Rename(tmp, m.path); err != nil {
			return err
		}
		d, err := os.Open(filepath.Dir(m.path))
		if err != nil {
			return err
		}
		defer func() { _ = d.Close() }()
		return d.Sync()
	}()
	if err != nil {
		return fmt.Errorf("projections: mark: %w", err)
	}
	return nil
}

// bootID identifies this boot of the machine, or is "".
func bootID() string {
	b, err := os.ReadFile("/proc/sys/kernel/random/boot_id")
	if err != nil {
		return ""
	}
	return strings.TrimSpace(string(b))
}
