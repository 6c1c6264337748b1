// Package catalog is the read model of the operations that exist: the descriptor of each, from
// capability.registered until capability.retired.
//
// Tables: capability (id → canonical descriptor), retired (id → reason), meta ("changed" → sequence of
// the last change, 8 bytes big-endian).
package catalog

import (
	"crypto/sha256"
	"encoding/binary"
	"fmt"
	"sync"

	"github.com/jacobian-ledger/jacobian/events"
	"github.com/jacobian-ledger/jacobian/events/digest"
	"github.com/jacobian-ledger/jacobian/events/jcs"
	"github.com/jacobian-ledger/jacobian/projections"
)

const name = "catalog"

// Projection folds capabilities.
type Projection struct{}

var _ projections.Projection = Projection{}

// Name is "catalog".
func (Projection) Name() string { return name }

// SchemaVersion is 1.
func (Projection) SchemaVersion() int { return 1 }

// Consumes lists the capability events of the tenant log.
func (Projection) Consumes() map[projections.Log][]events.Kind {
	return map[projections.Log][]events.Kind{projections.Tenant: {events.KindCapabilityRegistered, events.KindCapabilityRetired}}
}

// Apply adds, replaces or removes a descriptor.
func (Projection) Apply(tx projections.Tx, _ projections.Log, e *events.Stored) error {
	switch ev := e.Event.(type) {
	case *events.CapabilityRegistered:
		if _, err := ev.Decoded(); err != nil {
			return fmt.Errorf("descriptor of %s: %w", ev.CapabilityID, err)
		}
		tx.Put("capability", ev.CapabilityID, []byte(ev.Descriptor))
		tx.Delete("retired", ev.CapabilityID)
	case *events.CapabilityRetired:
		tx.Delete("capability", ev.CapabilityID)
		tx.Put("retired", ev.CapabilityID, []byte(ev.Reason))
	}
	tx.Put("meta", "changed", binary.BigEndian.AppendUint64(nil, e.Seq))
	return nil
}

// Catalog is every descriptor at one moment, by id. It MUST NOT be changed.
type Catalog struct {
	Digest      digest.Digest // of the sorted descriptors
	Descriptors []events.Descriptor
	Retired     map[string]string // id → reason
}

// Reader reads the catalog from a store, and keeps the last one that it read.
type Reader struct {
	store *projections.Store

	mu      sync.Mutex // guards what is below
	changed string
	last    *Catalog
}

// NewReader reads from a store that has the projection.
func NewReader(s *projections.Store) *Reader { return &Reader{store: s} }

// Catalog returns today's catalog. While nothing has changed it is the same pointer, at the cost of one
// look-up.
func (r *Reader) Catalog() (*Catalog, error) {
	r.mu.Lock()
	defer r.mu.Unlock()
	err := r.store.View(name, func(v projections.View) error {
		changed := string(v.Get("meta", "changed"))
		if r.last != nil && changed == r.changed {
			return nil
		}
		c, err := read(v)
		if err != nil {
			return err
		}
		r.last, r.changed = c, changed
		return nil
	})
	if err != nil {
		return nil, fmt.Errorf("catalog: %w", err)
	}
	return r.last, nil
}

func read(v projections.View) (*Catalog, error) {
	c := &Catalog{Retired: map[string]string{}}
	h := sha256.New()
	for id, b := range v.Scan("capability", "", "") {
		var d events.Descriptor
		if err := jcs.Decode(b, &d); err != nil {
			return nil, fmt.Errorf("descriptor of %s: %w", id, err)
		}
		c.Descriptors = append(c.Descriptors, d)
		h.Write(binary.BigEndian.AppendUint64(nil, uint64(len(b))))
		h.Write(b)
	}
	for id, reason := range v.Scan("retired", "", "") {
		c.Retired[id] = string(reason)
	}
	h.Sum(c.Digest[:0])
	return c, nil
}
