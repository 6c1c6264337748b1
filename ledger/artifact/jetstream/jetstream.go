// Package jetstream keeps artifacts in a JetStream stream of their own, JACART_<tenant>, in chunks.
//
// # Format
//
// An artifact with the digest sha256:<hex> and n bytes is the messages
//
//	jacobian-artifact.<tenant>.<hex>.<size>.<index>
//
// with index 0 to ⌈n/chunk⌉−1 (one message when n is 0), chunk being 512 KiB and size n in decimal.
// Their payloads in the order of the index are the bytes. The messages of an artifact are one message
// or in one atomic batch, each with the expectation that its subject is new, so an artifact is there
// whole or not at all, and once.
//
// The JetStream object store has the same chunks, but writes each with its own sync, and two more for
// its index; docs/decisions/0002-artifacts.md has the measurement.
package jetstream

import (
	"context"
	"errors"
	"fmt"
	"strconv"
	"strings"
	"time"

	"github.com/jacobian-ledger/jacobian/events/digest"
	"github.com/jacobian-ledger/jacobian/ledger"
	"github.com/jacobian-ledger/jacobian/ledger/artifact"
	ledgerstream "github.com/jacobian-ledger/jacobian/ledger/jetstream"
	"github.com/nats-io/nats.go"
	"github.com/nats-io/nats.go/jetstream"
	"github.com/synadia-io/orbit.go/jetstreamext"
)

const (
	root  = "jacobian-artifact"
	chunk = 512 << 10
	alone = 8 // so many small blobs are sooner stored one by one than as a batch
)

// Backend keeps the artifacts of one tenant.
type Backend struct {
	js     jetstream.JetStream
	stream jetstream.Stream
	tenant string
}

var _ artifact.Backend = (*Backend)(nil)

// Open opens the tenant's artifacts, and makes their stream if it is absent: without artifacts there
// is nothing that could be missed. The error wraps ledger.ErrReadOnly if the stream's configuration
// was changed. Replicas and AckTimeout of the configuration may be zero, as for a log.
func Open(ctx context.Context, c ledgerstream.Config) (*Backend, error) {
	replicas, timeout := max(c.Replicas, 1), c.AckTimeout
	if timeout == 0 {
		timeout = 10 * time.Second
	}
	js, err := jetstream.New(c.Conn, jetstream.WithDefaultTimeout(timeout), jetstream.WithPublishAsyncTimeout(timeout))
	if err != nil {
		return nil, fmt.Errorf("artifact/jetstream: open: %w", err)
	}
	want := ledgerstream.AppendOnly("JACART_"+c.Tenant, root+"."+c.Tenant+".>", replicas)
	stream, err := js.Stream(ctx, want.Name)
	if errors.Is(err, jetstream.ErrStreamNotFound) {
		stream, err = js.CreateStream(ctx, want)
	}
	if err == nil {
		err = ledgerstream.Drift(stream.CachedInfo().Config, want)
	}
	if err != nil {
		return nil, fmt.Errorf("artifact/jetstream: open: %w", err)
	}
	return &Backend{js: js, stream: stream, tenant: c.Tenant}, nil
}

func (b *Backend) subject(d digest.Digest, size, index int) string {
	return fmt.Sprintf("%s.%s.%s.%d.%d", root, b.tenant, d.Hex(), size, index)
}

// Put stores the blobs that are not there: a few small ones as single messages, which is sooner done
// than a batch of them, anything else as one atomic batch.
func (b *Backend) Put(ctx context.Context, blobs []artifact.Blob) error {
	small := len(blobs) <= alone
	for _, x := range blobs {
		small = small && len(x.Data) <= chunk
	}
	if small {
		return b.putAlone(ctx, blobs)
	}
	return b.putTogether(ctx, blobs)
}

// putAlone sends all, then waits for all.
func (b *Backend) putAlone(ctx context.Context, blobs []artifact.Blob) error {
	acks := make([]jetstream.PubAckFuture, len(blobs))
	for i, x := range blobs {
		var err error
		if acks[i], err = b.js.PublishMsgAsync(b.message(x, 0)); err != nil {
			return err
		}
	}
	for i, ack := range acks {
		select {
		case <-ack.Ok():
		case err := <-ack.Err():
			if conflict(err) {
				continue // it is there
			}
			// Refused, or the acknowledgement is lost: what is there tells.
			if _, missing := b.Size(ctx, blobs[i].Digest); missing != nil {
				return errors.Join(err, missing)
			}
		case <-ctx.Done():
			return ctx.Err()
		}
	}
	return nil
}

func (b *Backend) putTogether(ctx context.Context, blobs []artifact.Blob) error {
	err := b.publish(ctx, blobs)
	if err == nil || !conflict(err) && !unknown(err) {
		return err
	}
	// Some are there: from before, or from this very attempt if its acknowledgement was lost.
	var missing []artifact.Blob
	for _, x := range blobs {
		if _, err := b.Size(ctx, x.Digest); errors.Is(err, artifact.ErrNotFound) {
			missing = append(missing, x)
		} else if err != nil {
			return err
		}
	}
	if len(missing) == 0 {
		return nil
	}
	if err := b.publish(ctx, missing); err != nil && !conflict(err) {
		return err
	}
	for _, x := range missing { // a conflict here is another writer's same blob
		if _, err := b.Size(ctx, x.Digest); err != nil {
			return err
		}
	}
	return nil
}

// message is one chunk of a blob.
func (b *Backend) message(x artifact.Blob, index int) *nats.Msg {
	size := len(x.Data)
	m := nats.NewMsg(b.subject(x.Digest, size, index))
	m.Data = x.Data[index*chunk : min((index+1)*chunk, size)]
	m.Header.Set(jetstream.ExpectedLastSubjSeqHeader, "0")
	return m
}

func (b *Backend) publish(ctx context.Context, blobs []artifact.Blob) error {
	var messages []*nats.Msg
	for _, x := range blobs {
		for i := 0; i == 0 || i*chunk < len(x.Data); i++ {
			messages = append(messages, b.message(x, i))
		}
	}
	// If we crash before the acknowledgement the batch is stored or not; putting it again is safe.
	if len(messages) == 1 { // the rest was there
		_, err := b.js.PublishMsg(ctx, messages[0])
		return err
	}
	_, err := jetstreamext.PublishMsgBatch(ctx, b.js, messages, jetstreamext.BatchFlowControl{})
	return err
}

// conflict reports whether an expectation failed; the codes are from errors.json of nats-server.
func conflict(err error) bool {
	var api *jetstream.APIError
	return errors.As(err, &api) && (api.ErrorCode == 10071 || api.ErrorCode == 10164)
}

// unknown reports whether there was no answer.
func unknown(err error) bool {
	return errors.Is(err, nats.ErrTimeout) || errors.Is(err, context.DeadlineExceeded)
}

// Size reads the length from the subjects: no message is loaded.
func (b *Backend) Size(ctx context.Context, d digest.Digest) (int64, error) {
	prefix := fmt.Sprintf("%s.%s.%s.", root, b.tenant, d.Hex())
	info, err := b.stream.Info(ctx, jetstream.WithSubjectFilter(prefix+"*.0"))
	if err != nil {
		return 0, err
	}
	for subject := range info.State.Subjects {
		size, err := strconv.ParseInt(strings.TrimSuffix(strings.TrimPrefix(subject, prefix), ".0"), 10, 64)
		if err == nil && size >= 0 {
			return size, nil
		}
		return 0, &artifact.CorruptError{Want: d, Detail: fmt.Sprintf("found a message on %q", subject)}
	}
	return 0, fmt.Errorf("%w: %s", artifact.ErrNotFound, d)
}

// Get reads the chunks.
func (b *Backend) Get(ctx context.Context, d digest.Digest) ([]byte, error) {
	size, err := b.Size(ctx, d)
	if err != nil {
		return nil, err
	}
	var out []byte
	for i := 0; i == 0 || i*chunk < int(size); i++ {
		m, err := b.stream.GetLastMsgForSubject(ctx, b.subject(d, int(size), i))
		if err != nil {
			return nil, damaged(d, fmt.Sprintf("chunk %d", i), err)
		}
		out = append(out, m.Data...)
	}
	if int64(len(out)) != size {
		return nil, &artifact.CorruptError{Want: d, Detail: fmt.Sprintf("expected %d bytes, found %d", size, len(out))}
	}
	return out, nil
}

// damaged tells a chunk that cannot be read from a server that cannot be asked.
func damaged(d digest.Digest, what string, err error) error {
	if errors.Is(err, jetstream.ErrMsgNotFound) {
		return &artifact.CorruptError{Want: d, Detail: what + " cannot be read"}
	}
	return fmt.Errorf("read %s: %w", what, err)
}

// Used is the size of the stream.
func (b *Backend) Used(ctx context.Context) (int64, error) {
	info, err := b.stream.Info(ctx)
	if err != nil {
		return 0, err
	}
	if info.State.FirstSeq > 1 || info.State.NumDeleted > 0 {
		return 0, fmt.Errorf("%w: stream %s lacks messages; restore it from an archive", ledger.ErrCorrupt, info.Config.Name)
	}
	return int64(info.State.Bytes), nil
}
