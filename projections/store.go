package projections

import (
	"context"
	"crypto/sha256"
	"encoding/binary"
	"encoding/hex"
	"errors"
	"fmt"
	"iter"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"github.com/jacobian-ledger/jacobian/events"
	bolt "go.etcd.io/bbolt"
	bolterrors "go.etcd.io/bbolt/errors"
)

// The file has one top-level bucket a projection, named by it, with a bucket a table below; and these
// two, whose names no projection can have.
var (
	metaBucket   = []byte("\x00meta")   // "<projection>\x00version", "<projection>\x00<log>" (checkpoint): 8 bytes, big-endian
	poisonBucket = []byte("\x00poison") // "<projection>\x00<log>\x00<seq>": why
)

// Store keeps projections in one file. Its methods may be called concurrently; folds exclude each
// other, and views never wait.
type Store struct {
	db          *bolt.DB
	projections []Projection
	mark        marker
}

var _ Sink = (*Store)(nil)

// OpenStore opens the file of projections in dir, or makes it. A file that a power cut may have torn,
// or that cannot be read, is replaced by an empty one, and tables of another schema version are
// dropped: the runner fills both again from the log.
//
// Commits are not synced, since everything can be rebuilt. See the marker type for how a torn file is
// told from a whole one.
func OpenStore(dir string, ps ...Projection) (*Store, error) {
	if err := os.MkdirAll(dir, 0o700); err != nil {
		return nil, fmt.Errorf("projections: open: %w", err)
	}
	path := filepath.Join(dir, "projections.db")
	mark := newMarker(filepath.Join(dir, "projections.state"))
	if !mark.whole() {
		if err := os.Remove(path); err != nil && !errors.Is(err, os.ErrNotExist) {
			return nil, fmt.Errorf("projections: replace a torn file: %w", err)
		}
	}
	db, err := openBolt(path)
	if err != nil && !errors.Is(err, errInUse) {
		if rerr := os.Remove(path); rerr != nil {
			return nil, fmt.Errorf("projections: open: %w", err)
		}
		db, err = openBolt(path)
	}
	if err != nil {
		return nil, fmt.Errorf("projections: open %s: %w", path, err)
	}
	s := &Store{db: db, projections: ps, mark: mark}
	if err := s.prepare(); err != nil {
		_ = db.Close()
		return nil, err
	}
	return s, nil
}

var errInUse = errors.New("another process has it open")

func openBolt(path string) (db *bolt.DB, err error) {
	defer func() { // bbolt panics on some damage
		if r := recover(); r != nil {
			err = fmt.Errorf("damaged: %v", r)
		}
	}()
	db, err = bolt.Open(path, 0o600, &bolt.Options{
		Timeout: time.Second, NoSync: true, NoGrowSync: true, FreelistType: bolt.FreelistMapType,
	})
	if errors.Is(err, bolterrors.ErrTimeout) {
		return nil, errInUse
	}
	return db, err
}

// prepare makes the buckets, and drops the tables of projections whose schema version has changed.
func (s *Store) prepare() error {
	stale := s.stale()
	if len(stale) == 0 {
		return nil
	}
	if err := s.mark.dirty(); err != nil {
		return err
	}
	err := s.db.Update(func(tx *bolt.Tx) error {
		meta, err := tx.CreateBucketIfNotExists(metaBucket)
		if err != nil {
			return err
		}
		poison, err := tx.CreateBucketIfNotExists(poisonBucket)
		if err != nil {
			return err
		}
		for _, p := range stale {
			name := []byte(p.Name())
			if tx.Bucket(name) != nil {
				if err := tx.DeleteBucket(name); err != nil {
					return err
				}
			}
			for _, b := range []*bolt.Bucket{meta, poison} {
				if err := dropPrefix(b, p.Name()+"\x00"); err != nil {
					return err
				}
			}
			if _, err := tx.CreateBucket(name); err != nil {
				return err
			}
			if err := meta.Put([]byte(p.Name()+"\x00version"), be(uint64(p.SchemaVersion()))); err != nil {
				return err
			}
		}
		return nil
	})
	if err != nil {
		return fmt.Errorf("projections: prepare: %w", err)
	}
	return nil
}

func (s *Store) stale() []Projection {
	var out []Projection
	_ = s.db.View(func(tx *bolt.Tx) error {
		meta := tx.Bucket(metaBucket)
		for _, p := range s.projections {
			if meta == nil || tx.Bucket([]byte(p.Name())) == nil || number(meta.Get([]byte(p.Name()+"\x00version"))) != uint64(p.SchemaVersion()) {
				out = append(out, p)
			}
		}
		return nil
	})
	return out
}

func dropPrefix(b *bolt.Bucket, prefix string) error {
	var keys [][]byte
	c := b.Cursor()
	for k, _ := c.Seek([]byte(prefix)); k != nil && strings.HasPrefix(string(k), prefix); k, _ = c.Next() {
		keys = append(keys, slices.Clone(k))
	}
	for _, k := range keys {
		if err := b.Delete(k); err != nil {
			return err
		}
	}
	return nil
}

func be(n uint64) []byte { return binary.BigEndian.AppendUint64(nil, n) }

func number(b []byte) uint64 {
	if len(b) != 8 {
		return 0
	}
	return binary.BigEndian.Uint64(b)
}

// Close syncs the file, so that the next open can trust it, and closes it.
func (s *Store) Close() error {
	var err error
	if s.mark.isDirty {
		if err = s.db.Sync(); err == nil {
			err = s.mark.clean()
		}
	}
	return errors.Join(err, s.db.Close())
}

// Patience is a twentieth of a second: a commit costs more than the events in it.
func (s *Store) Patience() time.Duration { return 50 * time.Millisecond }

// Name is "store".
func (s *Store) Name() string { return "store" }

// Reads lists the logs that some projection folds.
func (s *Store) Reads() []Log {
	var out []Log
	for _, log := range []Log{Tenant, Operator} {
		if slices.ContainsFunc(s.projections, func(p Projection) bool { return len(p.Consumes()[log]) > 0 }) {
			out = append(out, log)
		}
	}
	return out
}

// Position is the lowest checkpoint of the projections that read the log.
func (s *Store) Position(log Log) (uint64, error) {
	low, any := uint64(0), false
	err := s.db.View(func(tx *bolt.Tx) error {
		meta := tx.Bucket(metaBucket)
		for _, p := range s.projections {
			if len(p.Consumes()[log]) == 0 {
				continue
			}
			at := number(meta.Get([]byte(p.Name() + "\x00" + string(log))))
			if !any || at < low {
				low, any = at, true
			}
		}
		return nil
	})
	return low, err
}

// Fold applies a batch to every projection and stores the result and the checkpoints together.
func (s *Store) Fold(log Log, batch []events.Stored, upTo uint64) error {
	if err := s.mark.dirty(); err != nil {
		return err
	}
	return s.db.Update(func(tx *bolt.Tx) error {
		meta, poison := tx.Bucket(metaBucket), tx.Bucket(poisonBucket)
		for _, p := range s.projections {
			kinds := p.Consumes()[log]
			checkpoint := []byte(p.Name() + "\x00" + string(log))
			at := number(meta.Get(checkpoint))
			if len(kinds) == 0 || at >= upTo {
				continue
			}
			if err := CheckGap(at, batch); err != nil {
				return fmt.Errorf("%s: %w", p.Name(), err)
			}
			o := &overlay{bucket: tx.Bucket([]byte(p.Name())), pending: map[cell]*[]byte{}}
			for i := range batch {
				e := &batch[i]
				if e.Seq <= at || !slices.Contains(kinds, e.Envelope.Type) {
					continue
				}
				if err := o.fold(p, log, e); err != nil {
					if err := poison.Put(append([]byte(p.Name()+"\x00"+string(log)+"\x00"), be(e.Seq)...), []byte(err.Error())); err != nil {
						return err
					}
				}
			}
			if err := o.flush(); err != nil {
				return err
			}
			if err := meta.Put(checkpoint, be(upTo)); err != nil {
				return err
			}
		}
		return nil
	})
}

// CheckGap refuses a batch that leaves events out after a position.
func CheckGap(at uint64, batch []events.Stored) error {
	if len(batch) > 0 && batch[0].Seq > at+1 {
		return fmt.Errorf("projections: expected event %d, found %d", at+1, batch[0].Seq)
	}
	return nil
}

// Set is an event that a projection could not fold.
type Set struct {
	Projection string
	Log        Log
	Seq        uint64
	Reason     string
}

// Aside lists the events that were set aside.
func (s *Store) Aside() ([]Set, error) {
	var out []Set
	err := s.db.View(func(tx *bolt.Tx) error {
		return tx.Bucket(poisonBucket).ForEach(func(k, v []byte) error {
			parts := strings.SplitN(string(k), "\x00", 3)
			if len(parts) != 3 {
				return fmt.Errorf("projections: malformed key %q", k)
			}
			out = append(out, Set{parts[0], Log(parts[1]), number([]byte(parts[2])), string(v)})
			return nil
		})
	})
	return out, err
}

// Poison is the number of events that were set aside.
func (s *Store) Poison() (int, error) {
	aside, err := s.Aside()
	return len(aside), err
}

// View shows the tables of a projection at one moment to f.
func (s *Store) View(projection string, f func(View) error) error {
	return s.db.View(func(tx *bolt.Tx) error {
		b := tx.Bucket([]byte(projection))
		if b == nil {
			return fmt.Errorf("projections: there is no projection %q", projection)
		}
		return f(view{b})
	})
}

type view struct{ bucket *bolt.Bucket }

func (v view) Get(table, key string) []byte {
	t := v.bucket.Bucket([]byte(table))
	if t == nil {
		return nil
	}
	return slices.Clone(t.Get([]byte(key)))
}

func (v view) Scan(table, prefix, from string) iter.Seq2[string, []byte] {
	return func(yield func(string, []byte) bool) {
		t := v.bucket.Bucket([]byte(table))
		if t == nil {
			return
		}
		c := t.Cursor()
		for k, val := c.Seek([]byte(max(prefix, from))); k != nil && strings.HasPrefix(string(k), prefix); k, val = c.Next() {
			if !yield(string(k), val) {
				return
			}
		}
	}
}

// Digests is the SHA-256 of each projection's sorted tables, every part preceded by its length.
func (s *Store) Digests(ctx context.Context) (map[string]string, error) {
	out := map[string]string{}
	err := s.db.View(func(tx *bolt.Tx) error {
		for _, p := range s.projections {
			if err := ctx.Err(); err != nil {
				return err
			}
			h := sha256.New()
			part := func(b []byte) { h.Write(be(uint64(len(b)))); h.Write(b) }
			part([]byte(fmt.Sprintf("%s/%d", p.Name(), p.SchemaVersion())))
			root := tx.Bucket([]byte(p.Name()))
			c := root.Cursor()
			for name, _ := c.First(); name != nil; name, _ = c.Next() {
				table := root.Bucket(name)
				if k, _ := table.Cursor().First(); k == nil {
					continue // an emptied table is no table
				}
				part(name)
				_ = table.ForEach(func(k, v []byte) error { part(k); part(v); return nil })
			}
			out[p.Name()] = "sha256:" + hex.EncodeToString(h.Sum(nil))
		}
		return nil
	})
	return out, err
}
