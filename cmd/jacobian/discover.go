package main

import (
	"fmt"
	"strings"

	jacobian "github.com/jacobian-ledger/jacobian/embed"
	"github.com/jacobian-ledger/jacobian/query"
	"github.com/spf13/cobra"
)

func (a *app) find() *cobra.Command {
	var q query.FindRequest
	var view string
	c := &cobra.Command{
		Use:   "find [QUERY]",
		Short: "Find an operation by what you need; inspect one; browse all",
		Example: `  jacobian find "is this graph 3-colourable"
  jacobian find --id graph.k_coloring.decide --view contract
  jacobian find --domain matrix`,
		Args: cobra.ArbitraryArgs,
		RunE: func(cmd *cobra.Command, args []string) error {
			q.Query, q.View = strings.Join(args, " "), query.View(strings.ToUpper(view))
			return a.with(cmd.Context(), func(n *jacobian.Node) error {
				ans, err := n.Find(cmd.Context(), q)
				if err != nil {
					return misuse(err)
				}
				if a.json {
					return a.printJSON(ans)
				}
				return a.printFound(&ans)
			})
		},
	}
	f := c.Flags()
	f.StringVar(&q.Domain, "domain", "", "only this domain")
	f.StringVar(&q.CapabilityID, "id", "", "inspect this operation")
	f.StringVar(&view, "view", "", "summary, contract or full, with --id")
	f.IntVar(&q.Limit, "limit", 0, "how many, 1 to 20 (default 5)")
	f.StringVar(&q.Cursor, "cursor", "", "go on where an earlier answer ended")
	return c
}

func (a *app) printFound(ans *query.FindAnswer) error {
	for i := range ans.Matches {
		m := &ans.Matches[i]
		fmt.Fprintf(a.out, "%-44s %s", m.CapabilityID, m.Title)
		fmt.Fprintf(a.out, "   %s", a.paint(a.out, faint, "ceiling "+string(m.Ceiling)))
		if len(m.CheckedBy) > 0 {
			fmt.Fprintf(a.out, "   checked by %s", strings.Join(m.CheckedBy, ", "))
		}
		if m.Unavailable != "" {
			fmt.Fprintf(a.out, "   UNAVAILABLE: %s", m.Unavailable)
		}
		fmt.Fprintln(a.out)
	}
	if ans.Operation != nil {
		if err := a.printJSON(ans.Operation); err != nil {
			return err
		}
	}
	for _, e := range ans.Episodes {
		fmt.Fprintf(a.out, "earlier: %s  %s  %s %s %s  %s\n", e.Episode, e.CapabilityID, e.Status, e.Conclusion, e.Assurance, e.UntrustedText)
	}
	if len(ans.Nearest) > 0 {
		fmt.Fprintf(a.out, "nearest: %s\n", strings.Join(ans.Nearest, ", "))
	}
	if len(ans.Domains) > 0 {
		fmt.Fprintf(a.out, "domains: %s\n", strings.Join(ans.Domains, ", "))
	}
	if ans.More > 0 {
		fmt.Fprintf(a.out, "%d more; go on with --cursor %s\n", ans.More, ans.Cursor)
	}
	if ans.Hint != "" {
		fmt.Fprintln(a.out, ans.Hint)
	}
	if len(ans.Matches) == 0 && ans.Operation == nil {
		return &exitError{code: exitFindings}
	}
	return nil
}

func (a *app) catalog() *cobra.Command {
	return &cobra.Command{
		Use:   "catalog",
		Short: "List every operation; with --json, every descriptor in one array",
		Args:  cobra.NoArgs,
		RunE: func(cmd *cobra.Command, _ []string) error {
			return a.with(cmd.Context(), func(n *jacobian.Node) error {
				all, err := n.Catalog(cmd.Context())
				if err != nil {
					return err
				}
				if a.json {
					return a.printJSON(all)
				}
				for i := range all {
					fmt.Fprintf(a.out, "%-48s %-9s %s\n", all[i].CapabilityID, all[i].AssuranceCeiling, all[i].Title)
				}
				return nil
			})
		},
	}
}
