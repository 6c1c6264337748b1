// Package graph holds the operations on finite simple undirected graphs.
package graph

import (
	"fmt"

	"github.com/jacobian-ledger/jacobian/capabilities"
	"github.com/jacobian-ledger/jacobian/capabilities/values"
	"github.com/jacobian-ledger/jacobian/events"
)

var pack = capabilities.NewPack("graph")

// Pack returns the operations of this domain.
func Pack() *capabilities.Pack { return pack }

// Input asks about one graph.
type Input struct {
	Graph values.Graph `json:"graph" doc:"the graph: order and edges, or graph6"`
}

// atMost is the preflight limit on the order of a graph.
func atMost(limit int) func(Input) error {
	return func(in Input) error { return checkOrder(in.Graph, limit) }
}

func checkOrder(g values.Graph, limit int) error {
	if g.Order > limit {
		return capabilities.Exceeds("/graph/order", "order", fmt.Sprint(limit), fmt.Sprint(g.Order), "use a smaller graph")
	}
	return nil
}

func orderLimit(limit int) []events.Limit {
	return []events.Limit{{Name: "order", Value: fmt.Sprint(limit), Note: "vertices; larger graphs are refused"}}
}
