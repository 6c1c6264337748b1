package projections

import (
	"fmt"
	"sort"

	"github.com/jacobian-ledger/jacobian/events"
	bolt "go.etcd.io/bbolt"
)

type cell struct{ table, key string }

// overlay holds the writes of a batch until it is committed, so that the writes of a poison event can
// be taken back and the others reach the tree in order.
type overlay struct {
	bucket  *bolt.Bucket
	pending map[cell]*[]byte // nil: deleted
	undo    []change         // of the event that is being folded
}

type change struct {
	at  cell
	was *[]byte
	had bool
}

var _ Tx = (*overlay)(nil)

// fold applies one event; on error or panic it leaves the overlay as it was.
func (o *overlay) fold(p Projection, log Log, e *events.Stored) (err error) {
	o.undo = o.undo[:0]
	defer func() {
		if r := recover(); r != nil { // a fold of hostile bytes must not end the process
			err = fmt.Errorf("panic: %v", r)
		}
		if err == nil {
			return
		}
		for i := len(o.undo) - 1; i >= 0; i-- {
			if c := o.undo[i]; c.had {
				o.pending[c.at] = c.was
			} else {
				delete(o.pending, c.at)
			}
		}
	}()
	return p.Apply(o, log, e)
}

func (o *overlay) Get(table, key string) []byte {
	if v, ok := o.pending[cell{table, key}]; ok {
		if v == nil {
			return nil
		}
		return *v
	}
	t := o.bucket.Bucket([]byte(table))
	if t == nil {
		return nil
	}
	return t.Get([]byte(key))
}

func (o *overlay) Put(table, key string, value []byte) { o.set(cell{table, key}, &value) }

func (o *overlay) Delete(table, key string) { o.set(cell{table, key}, nil) }

func (o *overlay) set(at cell, v *[]byte) {
	was, had := o.pending[at]
	o.undo = append(o.undo, change{at, was, had})
	o.pending[at] = v
}

func (o *overlay) flush() error {
	cells := make([]cell, 0, len(o.pending))
	for c := range o.pending {
		cells = append(cells, c)
	}
	sort.Slice(cells, func(i, j int) bool {
		a, b := cells[i], cells[j]
		return a.table < b.table || a.table == b.table && a.key < b.key
	})
	var table *bolt.Bucket
	name := ""
	for _, c := range cells {
		if table == nil || c.table != name {
			var err error
			if table, err = o.bucket.CreateBucketIfNotExists([]byte(c.table)); err != nil {
				return err
			}
			name = c.table
		}
		var err error
		if v := o.pending[c]; v == nil {
			err = table.Delete([]byte(c.key))
		} else {
			err = table.Put([]byte(c.key), *v)
		}
		if err != nil {
			return fmt.Errorf("table %s: %w", c.table, err)
		}
	}
	return nil
}
