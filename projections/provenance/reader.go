package provenance

import (
	"fmt"
	"strings"

	"github.com/jacobian-ledger/jacobian/events"
	"github.com/jacobian-ledger/jacobian/projections"
)

// Reader walks the graph.
type Reader struct{ store *projections.Store }

// NewReader reads from a store that has the projection.
func NewReader(s *projections.Store) *Reader { return &Reader{s} }

// Edge is one step, from a node to what it came from.
type Edge struct {
	From     string
	Relation Relation
	To       string
}

// Graph is a part of the whole: nodes in the order in which a breadth-first walk met them, so nearest
// first, and the edges between them.
type Graph struct {
	Nodes []Node
	Edges []Edge
	More  bool // there are further nodes beyond the limit
}

// Node returns what is known of an address; ok is false if the log never named it.
func (r *Reader) Node(uri string) (n Node, ok bool, err error) {
	uri, known := Canonical(uri)
	if !known {
		return n, false, nil
	}
	err = r.store.View(name, func(v projections.View) error {
		n, ok = node(v, uri)
		return nil
	})
	return n, ok, err
}

// node reads a node, or makes one of an address that is only named by others.
func node(v projections.View, uri string) (Node, bool) {
	if n, ok := load(v.Get("node", uri)); ok {
		return n, true
	}
	for range v.Scan("in", uri+"\x00", "") {
		return Node{URI: uri}, true
	}
	return Node{URI: uri}, false
}

// Ancestors is what a node rests on, itself first, at most limit nodes.
func (r *Reader) Ancestors(uri string, limit int) (Graph, error) { return r.walk(uri, "out", limit) }

// Descendants is what rests on a node, itself first, at most limit nodes.
func (r *Reader) Descendants(uri string, limit int) (Graph, error) { return r.walk(uri, "in", limit) }

func (r *Reader) walk(start, table string, limit int) (g Graph, err error) {
	start, ok := Canonical(start)
	if !ok {
		return g, fmt.Errorf("provenance: expected an artifact, episode or record address, found %.100q", start)
	}
	err = r.store.View(name, func(v projections.View) error {
		first, ok := node(v, start)
		if !ok {
			return nil
		}
		seen := map[string]bool{start: true}
		g.Nodes = append(g.Nodes, first)
		for i := 0; i < len(g.Nodes); i++ {
			from := g.Nodes[i].URI
			for k := range v.Scan(table, from+"\x00", "") {
				relation, to, _ := strings.Cut(k[len(from)+1:], "\x00")
				if !seen[to] {
					if len(g.Nodes) >= limit {
						g.More = true
						continue
					}
					seen[to] = true
					n, _ := node(v, to)
					g.Nodes = append(g.Nodes, n)
				}
				e := Edge{from, Relation(relation), to}
				if table == "in" {
					e.From, e.To = to, from
				}
				g.Edges = append(g.Edges, e)
			}
		}
		return nil
	})
	return g, err
}

// Taint lists the episodes that are HEURISTIC and that a node rests on through inputs, nearest first;
// more is true if the walk ended at its limit, so that there may be others.
func (r *Reader) Taint(uri string, limit int) (episodes []string, more bool, err error) {
	g, err := r.Ancestors(uri, limit)
	if err != nil {
		return nil, false, err
	}
	start, _ := Canonical(uri)
	for _, n := range g.Nodes {
		if n.Kind == "episode" && n.Level == events.Heuristic && n.URI != start {
			episodes = append(episodes, n.Episode)
		}
	}
	return episodes, g.More, nil
}
