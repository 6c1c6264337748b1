package embed

import (
	"context"
	"fmt"

	"github.com/jacobian-ledger/jacobian/capabilities"
	"github.com/jacobian-ledger/jacobian/events/digest"
	"github.com/jacobian-ledger/jacobian/ledger/artifact"
	blobstream "github.com/jacobian-ledger/jacobian/ledger/artifact/jetstream"
	"github.com/jacobian-ledger/jacobian/ledger/jetstream"
)

// openArtifacts opens the tenant's artifacts, or makes the place for them at the first start.
func (n *Node) openArtifacts(ctx context.Context) (*artifact.Store, error) {
	backend, err := blobstream.Open(ctx, jetstream.Config{Conn: n.conn, Tenant: n.tenant})
	if err != nil {
		return nil, err
	}
	return artifact.New(artifact.Config{Backend: backend})
}

// blobs is the artifact store as the command handler sees it.
type blobs struct{ store *artifact.Store }

// Put stores what an operation staged, and refuses bytes under another digest than their own: a
// worker process said what the digest is.
func (b blobs) Put(ctx context.Context, staged ...capabilities.Staged) error {
	for len(staged) > 0 {
		k := min(artifact.MaxPut, len(staged))
		contents := make([][]byte, k)
		for i, s := range staged[:k] {
			contents[i] = s.Data
		}
		digests, err := b.store.Put(ctx, contents...)
		if err != nil {
			return err
		}
		for i, d := range digests {
			if d != staged[i].Ref.Digest || int64(len(staged[i].Data)) != staged[i].Ref.Size {
				return fmt.Errorf("artifact %s was announced as %s with %d bytes", d, staged[i].Ref.Digest, staged[i].Ref.Size)
			}
		}
		staged = staged[k:]
	}
	return nil
}

// Get reads and hashes again.
func (b blobs) Get(ctx context.Context, d digest.Digest) ([]byte, error) { return b.store.Get(ctx, d) }
