package embed

import (
	"context"
	"crypto/ed25519"
	"encoding/base64"
	"errors"
	"fmt"
	"io/fs"

	"github.com/jacobian-ledger/jacobian/capabilities/runner"
	"github.com/jacobian-ledger/jacobian/events"
	"github.com/jacobian-ledger/jacobian/events/authority"
	"github.com/jacobian-ledger/jacobian/events/digest"
	"github.com/jacobian-ledger/jacobian/events/jcs"
	"github.com/jacobian-ledger/jacobian/ledger"
)

// actorSystem is who acts when this program does something that nobody asked for.
const actorSystem = "jacobian"

// bootstrap folds the operator log and brings it up to this program: the tenant, the runner's key, and
// the bundled checkers with the digest of this very program file. All of it is visible in the operator
// log, and nothing is appended when nothing is new.
func (n *Node) bootstrap(ctx context.Context) error {
	tenantKnown := false
	for e, err := range n.operatorLog.Read(ctx, 1) {
		if err != nil {
			return fmt.Errorf("read the operator log: %w", err)
		}
		if t, ok := e.Event.(*events.TenantCreated); ok && t.Name == n.tenant {
			tenantKnown = true
		}
		if err := n.operator.apply(&e); err != nil {
			return err
		}
	}
	var news []events.Event
	if !tenantKnown {
		news = append(news, &events.TenantCreated{Name: n.tenant})
	}
	pub, err := loadOrCreateKey(n.keyFile)
	if err != nil {
		return err
	}
	if id := authority.KeyID(pub); !n.operator.knows(id) {
		news = append(news, &events.KeyAdded{KeyID: id, Purpose: "RUNNER", PublicKey: base64.StdEncoding.EncodeToString(pub)})
	}
	for _, k := range n.checkers {
		id := events.CheckerIdentity{CheckerID: k.ID, Version: k.Version, Binary: n.binary, IndependenceClass: k.Class}
		if n.operator.Now(id) == "" {
			news = append(news, &events.CheckerRegistered{Checker: id, Formats: k.Formats, Predicates: k.Predicates})
			if n.operator.Withdrawn(k.ID, k.Version) {
				continue // the operator withdrew this version: another build of it waits for the operator
			}
			news = append(news, &events.CheckerAuthorised{Checker: id, Reason: "bundled with this program"})
		}
	}
	return n.appendOperator(ctx, news)
}

func loadOrCreateKey(path string) (ed25519.PublicKey, error) {
	key, err := runner.LoadKey(path)
	if errors.Is(err, fs.ErrNotExist) {
		return runner.CreateKey(path)
	}
	if err != nil {
		return nil, err
	}
	return key.Public().(ed25519.PublicKey), nil
}

// appendOperator appends to the operator log in one batch and folds what was appended.
func (n *Node) appendOperator(ctx context.Context, evs []events.Event) error {
	if len(evs) == 0 {
		return nil
	}
	drafts := make([]ledger.Draft, len(evs))
	for i, ev := range evs {
		drafts[i] = ledger.Draft{Event: ev, Actor: actorSystem}
	}
	stored, err := n.operatorLog.Append(ctx, drafts...)
	if err != nil {
		return fmt.Errorf("append to the operator log: %w", err)
	}
	for i := range stored {
		if err := n.operator.apply(&stored[i]); err != nil {
			return err
		}
	}
	return nil
}

// register brings the catalog on the tenant's log up to the operations of this program. known is what
// the log's catalog holds: the provider digest of each operation.
func (n *Node) register(ctx context.Context, known map[string]digest.Digest) error {
	var drafts []ledger.Draft
	ours := map[string]bool{}
	for _, c := range n.registry.All() {
		ours[c.ID] = true
		d := c.Descriptor()
		if known[c.ID] == d.Provider.Digest {
			continue
		}
		drafts = append(drafts, ledger.Draft{
			Event:   &events.CapabilityRegistered{CapabilityID: c.ID, Version: c.Version, ProviderDigest: d.Provider.Digest, Descriptor: string(jcs.MustMarshal(d))},
			Subject: c.ID, Actor: actorSystem,
		})
	}
	for id := range known {
		if !ours[id] {
			drafts = append(drafts, ledger.Draft{Event: &events.CapabilityRetired{CapabilityID: id, Reason: "not part of this program"}, Subject: id, Actor: actorSystem})
		}
	}
	for len(drafts) > 0 {
		k := min(ledger.MaxBatch/2, len(drafts))
		if _, err := n.log.Append(ctx, drafts[:k]...); err != nil {
			return fmt.Errorf("register operations: %w", err)
		}
		drafts = drafts[k:]
	}
	return nil
}
