// Package episodes is the search index of everything that was tried: one document for each run,
// failures included, and one for each note. It is the only user of the bleve library.
//
// A document is searched by the terms (package terms) of its claim, its capability and the rest of its
// story: input, failure, diagnostics, scope. It is filtered by capability, domain, status, conclusion,
// level, investigation, actor and time. What a hit shows is stored beside it. The position in the log is
// an internal value of the index and is written in the same batch as the documents.
//
// Opening takes longer than a look-up should: [New] does nothing, and the index is opened by the first
// fold or search. An index that cannot be opened is removed and filled again from the log.
package episodes

import (
	"context"
	"crypto/sha256"
	"encoding/binary"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"sync/atomic"
	"time"

	"github.com/blevesearch/bleve/v2"
	"github.com/blevesearch/bleve/v2/analysis/analyzer/custom"
	"github.com/blevesearch/bleve/v2/analysis/analyzer/keyword"
	"github.com/blevesearch/bleve/v2/analysis/tokenizer/whitespace"
	"github.com/blevesearch/bleve/v2/index/scorch"
	"github.com/blevesearch/bleve/v2/mapping"

	"github.com/jacobian-ledger/jacobian/events"
	"github.com/jacobian-ledger/jacobian/projections"
)

// schemaVersion changes whenever the same log would give other documents or other terms.
const schemaVersion = 1

var (
	positionKey = []byte("position")
	poisonKey   = []byte("poison")
)

// Index is the search index in a directory.
type Index struct {
	dir string

	mu    sync.RWMutex // open, close
	index bleve.Index
	ready atomic.Bool
	done  bool

	written chan struct{} // closed when the last batch is on disk; guarded by mu
}

var (
	_ projections.Sink    = (*Index)(nil)
	_ projections.Patient = (*Index)(nil)
)

// New returns the index in a directory. It does no input or output.
func New(dir string) *Index { return &Index{dir: dir} }

// Name is "episodes".
func (x *Index) Name() string { return "episodes" }

// Reads is the tenant log.
func (x *Index) Reads() []projections.Log { return []projections.Log{projections.Tenant} }

// Patience is half a second: a batch is a segment on disk.
func (x *Index) Patience() time.Duration { return 500 * time.Millisecond }

// Ready reports whether the index is open, so that a search costs no opening.
func (x *Index) Ready() bool { return x.ready.Load() }

// ErrClosed says that the index was closed.
var ErrClosed = errors.New("episodes: closed")

// open returns the index, opening it first if need be.
func (x *Index) open() (bleve.Index, error) {
	x.mu.RLock()
	idx, done := x.index, x.done
	x.mu.RUnlock()
	if done {
		return nil, ErrClosed
	}
	if idx != nil {
		return idx, nil
	}
	x.mu.Lock()
	defer x.mu.Unlock()
	if x.index != nil || x.done {
		if x.done {
			return nil, ErrClosed
		}
		return x.index, nil
	}
	idx, err := openOrCreate(filepath.Join(x.dir, fmt.Sprintf("episodes.v%d", schemaVersion)))
	if err != nil {
		return nil, fmt.Errorf("episodes: open: %w", err)
	}
	x.index = idx
	x.ready.Store(true)
	return idx, nil
}

func openOrCreate(path string) (bleve.Index, error) {
	// A batch need not be durable when it returns: after a crash the index is an earlier one with an
	// earlier position, and goes on from there.
	config := map[string]interface{}{"unsafe_batch": true}
	if _, err := os.Stat(path); err == nil {
		if idx, err := bleve.OpenUsing(path, config); err == nil {
			return idx, nil
		}
		if err := os.RemoveAll(path); err != nil {
			return nil, err
		}
	}
	if err := os.MkdirAll(filepath.Dir(path), 0o700); err != nil {
		return nil, err
	}
	return bleve.NewUsing(path, newMapping(), scorch.Name, scorch.Name, config)
}

// persistWithin bounds how long Close waits for the last batch to reach the disk. What does not reach
// it is folded again at the next start.
const persistWithin = 5 * time.Second

// Close closes the index, after the last batch is on disk. Searches and folds after it fail with
// [ErrClosed]. No fold may be under way.
func (x *Index) Close() error {
	x.mu.RLock()
	written := x.written
	x.mu.RUnlock()
	if written != nil {
		select {
		case <-written:
		case <-time.After(persistWithin):
		}
	}
	x.mu.Lock()
	defer x.mu.Unlock()
	x.done = true
	x.ready.Store(false)
	if x.index == nil {
		return nil
	}
	err := x.index.Close()
	x.index = nil
	return err
}

// newMapping says how a document's fields are kept. Terms come ready, separated by spaces, so the
// analyser only cuts at them.
func newMapping() mapping.IndexMapping {
	m := bleve.NewIndexMapping()
	if err := m.AddCustomAnalyzer("terms", map[string]interface{}{"type": custom.Name, "tokenizer": whitespace.Name}); err != nil {
		panic("episodes: " + err.Error()) // a constant
	}
	doc := bleve.NewDocumentStaticMapping()
	text := func(analyzer string, index, store, docValues bool) *mapping.FieldMapping {
		f := bleve.NewTextFieldMapping()
		f.Analyzer, f.Index, f.Store, f.DocValues = analyzer, index, store, docValues
		f.IncludeInAll, f.IncludeTermVectors = false, false
		return f
	}
	for _, name := range []string{"claim", "id", "rest"} {
		doc.AddFieldMappingsAt(name, text("terms", true, false, false))
	}
	for _, name := range []string{"kind", "capability", "domain", "status", "conclusion", "level", "investigation", "actor"} {
		doc.AddFieldMappingsAt(name, text(keyword.Name, true, false, false))
	}
	doc.AddFieldMappingsAt("time", text(keyword.Name, true, false, true))
	doc.AddFieldMappingsAt("hit", text(keyword.Name, false, true, false))
	m.DefaultMapping = doc
	m.DefaultAnalyzer = keyword.Name
	m.StoreDynamic, m.IndexDynamic, m.DocValuesDynamic = false, false, false
	return m
}

// Position is the sequence up to which the log is indexed.
func (x *Index) Position(projections.Log) (uint64, error) { return x.internal(positionKey) }

// Poison is the number of events that could not be indexed.
func (x *Index) Poison() (int, error) {
	n, err := x.internal(poisonKey)
	return int(n), err
}

func (x *Index) internal(key []byte) (uint64, error) {
	idx, err := x.open()
	if err != nil {
		return 0, err
	}
	b, err := idx.GetInternal(key)
	if err != nil || len(b) != 8 {
		return 0, err
	}
	return binary.BigEndian.Uint64(b), nil
}

// Fold indexes a batch and moves the position with it.
func (x *Index) Fold(_ projections.Log, batch []events.Stored, upTo uint64) error {
	idx, err := x.open()
	if err != nil {
		return err
	}
	at, err := x.internal(positionKey)
	if err != nil {
		return err
	}
	poison, err := x.internal(poisonKey)
	if err != nil {
		return err
	}
	if upTo <= at {
		return nil
	}
	if err := projections.CheckGap(at, batch); err != nil {
		return err
	}
	f := folding{index: idx, batch: idx.NewBatch(), asked: map[string][]byte{}}
	for i := range batch {
		if e := &batch[i]; e.Seq > at {
			if err := f.event(e); err != nil {
				poison++
			}
		}
	}
	written := make(chan struct{})
	f.batch.SetPersistedCallback(func(error) { close(written) })
	x.mu.Lock()
	x.written = written
	x.mu.Unlock()
	f.batch.SetInternal(positionKey, binary.BigEndian.AppendUint64(nil, upTo))
	f.batch.SetInternal(poisonKey, binary.BigEndian.AppendUint64(nil, poison))
	if err := idx.Batch(f.batch); err != nil {
		return fmt.Errorf("episodes: index: %w", err)
	}
	return nil
}

// battery is a fixed set of questions whose answers are part of the digest.
var battery = []string{"graph", "prime factor", "timeout", "3", "integer", "invalid_request", "color graph", "a000045"}

// Digests is the digest of all documents by id with what they show, and of the answers to a fixed
// battery of questions.
func (x *Index) Digests(ctx context.Context) (map[string]string, error) {
	h := sha256.New()
	part := func(s string) {
		h.Write(binary.BigEndian.AppendUint64(nil, uint64(len(s))))
		h.Write([]byte(s))
	}
	part(fmt.Sprintf("episodes/%d", schemaVersion))
	err := x.each(ctx, bleve.NewMatchAllQuery(), func(id, hit string) { part(id); part(hit) })
	if err != nil {
		return nil, err
	}
	for _, q := range battery {
		part(q)
		if err := x.each(ctx, question(Query{Text: q, All: true}), func(id, _ string) { part(id) }); err != nil {
			return nil, err
		}
	}
	return map[string]string{"episodes": "sha256:" + hex.EncodeToString(h.Sum(nil))}, nil
}

// Hit is what a document shows. Claim, Detail and Message are as they were stored: untrusted.
type Hit struct {
	ID            string            `json:"id"`   // episode id, or "note_" and the sequence
	Kind          string            `json:"kind"` // episode, note
	Seq           uint64            `json:"seq"`
	Time          string            `json:"time"`
	Capability    string            `json:"capability"`
	Status        events.Status     `json:"status"`
	Conclusion    events.Conclusion `json:"conclusion"`
	Level         events.Level      `json:"level"`
	Record        string            `json:"record"`
	Investigation string            `json:"investigation"`
	Actor         string            `json:"actor"`
	Claim         string            `json:"claim"` // or the note's text
	Detail        string            `json:"detail"`
	Scope         string            `json:"scope"`
	Code          events.Code       `json:"code"` // of the failure
}

func decodeHit(s string) (Hit, error) {
	var h Hit
	err := json.NewDecoder(strings.NewReader(s)).Decode(&h)
	return h, err
}
