package embed

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"

	"github.com/jacobian-ledger/jacobian/capabilities"
	"github.com/jacobian-ledger/jacobian/embed/mcpd"
	"github.com/jacobian-ledger/jacobian/events"
	"github.com/jacobian-ledger/jacobian/events/digest"
	"github.com/jacobian-ledger/jacobian/ledger/artifact"
	"github.com/jacobian-ledger/jacobian/query"
)

// StdioOptions say how the tools are listed.
type StdioOptions struct {
	Underscore bool // math_find and math_run instead of math.find and math.run; both are accepted
}

// ServeStdio serves one agent over the Model Context Protocol until input ends or ctx does.
func (n *Node) ServeStdio(ctx context.Context, in io.Reader, out io.Writer, o StdioOptions) error {
	return mcpd.New(agentView{n}, mcpd.Options{Version: Version(), Underscore: o.Underscore}).ServeStdio(ctx, in, out)
}

// agentView is the node as an agent's server asks it.
type agentView struct{ *Node }

var _ mcpd.Node = agentView{}

// Run takes a request through its life.
func (v agentView) Run(ctx context.Context, req events.Request, report func(episode, stage, message string)) events.Result {
	return v.Node.Run(ctx, req, RunOptions{Actor: "mcp", Progress: func(episode string, p capabilities.Progress) { report(episode, p.Stage, p.Message) }})
}

// Artifact reads bytes by address.
func (v agentView) Artifact(ctx context.Context, d digest.Digest) ([]byte, error) {
	b, err := v.Node.Artifact(ctx, d)
	if errors.Is(err, artifact.ErrNotFound) {
		err = fmt.Errorf("%w: %w", query.ErrNotFound, err)
	}
	return b, err
}

// Record is a record and what it is worth today, as JSON.
func (v agentView) Record(ctx context.Context, id string) (json.RawMessage, error) {
	return marshal(v.Node.Record(ctx, id))
}

// Episode is one run's story, as JSON.
func (v agentView) Episode(ctx context.Context, id string) (json.RawMessage, error) {
	return marshal(v.Node.Episode(ctx, id))
}

// Investigation lists the episodes that belong together, as JSON.
func (v agentView) Investigation(ctx context.Context, id string) (json.RawMessage, error) {
	return marshal(v.Node.Investigation(ctx, id))
}

func marshal[T any](answer T, err error) (json.RawMessage, error) {
	if err != nil {
		return nil, err
	}
	return json.Marshal(answer)
}
