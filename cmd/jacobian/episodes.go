package main

import (
	"fmt"
	"strings"
	"time"

	jacobian "github.com/jacobian-ledger/jacobian/embed"
	"github.com/jacobian-ledger/jacobian/events"
	"github.com/jacobian-ledger/jacobian/query"
	"github.com/spf13/cobra"
)

func (a *app) wait() *cobra.Command {
	var patience time.Duration
	c := &cobra.Command{
		Use:   "wait EPISODE",
		Short: "Pick up the result of a run that was started anywhere",
		Args:  cobra.ExactArgs(1),
		RunE: func(cmd *cobra.Command, args []string) error {
			return a.with(cmd.Context(), func(n *jacobian.Node) error {
				res, ok, err := n.Wait(cmd.Context(), strings.TrimPrefix(args[0], "episode://"), patience)
				if err != nil {
					return err
				}
				if !ok {
					return noEpisode(args[0])
				}
				if a.json {
					if err := a.printJSON(res); err != nil {
						return err
					}
				} else {
					a.printResult(&res)
				}
				if code := exitOf(res.Execution.Status); code != exitDone {
					return &exitError{code: code}
				}
				return nil
			})
		},
	}
	c.Flags().DurationVar(&patience, "for", time.Minute, "how long to wait before the answer is RUNNING")
	return c
}

func noEpisode(id string) error {
	return &exitError{exitRefused, fmt.Errorf("expected an episode of this ledger, found %q; look for it with: jacobian memory search", id)}
}

func (a *app) cancel() *cobra.Command {
	return &cobra.Command{
		Use:   "cancel EPISODE",
		Short: "Stop a run with its whole process tree, and record its end",
		Long: `Cancel stops a run of the process that owns the ledger. While another process owns it (an agent's
"jacobian mcp", say), this command is refused with the owner's name: cancel there, or end that process,
which cancels its runs and records their ends.`,
		Args: cobra.ExactArgs(1),
		RunE: func(cmd *cobra.Command, args []string) error {
			return a.with(cmd.Context(), func(n *jacobian.Node) error {
				id := strings.TrimPrefix(args[0], "episode://")
				if n.Cancel(cmd.Context(), id, "jacobian cancel") {
					return nil
				}
				res, ok, err := n.Wait(cmd.Context(), id, 0)
				if err != nil {
					return err
				}
				if !ok {
					return noEpisode(args[0])
				}
				if a.json {
					return a.printJSON(res)
				}
				_, err = fmt.Fprintf(a.out, "%s has ended already: %s\n", id, res.Execution.Status)
				return err
			})
		},
	}
}

func (a *app) memory() *cobra.Command {
	var q query.MemoryRequest
	search := &cobra.Command{
		Use:     "search [QUERY]",
		Short:   "Find episodes by words and filters",
		Example: `  jacobian memory search "semiprime factor timeout" --status TIMEOUT`,
		Args:    cobra.ArbitraryArgs,
		RunE: func(cmd *cobra.Command, args []string) error {
			q.Query = strings.Join(args, " ")
			return a.with(cmd.Context(), func(n *jacobian.Node) error {
				ans, err := n.MemorySearch(cmd.Context(), q)
				if err != nil {
					return misuse(err)
				}
				if a.json {
					return a.printJSON(ans)
				}
				for i := range ans.Episodes {
					a.printEpisode(&ans.Episodes[i])
				}
				if ans.Hint != "" {
					fmt.Fprintln(a.out, ans.Hint)
				}
				if ans.Cursor != "" {
					fmt.Fprintf(a.out, "%d in all; go on with --cursor %s\n", ans.Total, ans.Cursor)
				}
				return nil
			})
		},
	}
	f := search.Flags()
	f.StringVar(&q.Capability, "capability", "", "only this operation")
	f.StringVar(&q.Domain, "domain", "", "only this domain")
	f.StringVar(&q.Status, "status", "", "COMPLETED, TIMEOUT, CANCELLED or ERROR")
	f.StringVar(&q.Assurance, "assurance", "", "HEURISTIC, COMPUTED or VERIFIED, as recorded")
	f.StringVar(&q.Investigation, "investigation", "", "only this investigation")
	f.StringVar(&q.Since, "since", "", "not before, such as 2026-12-01T10:00:00.000000Z")
	f.IntVar(&q.Limit, "limit", 0, "how many, 1 to 20 (default 5)")
	f.StringVar(&q.Cursor, "cursor", "", "go on where an earlier answer ended")
	episode := &cobra.Command{
		Use:   "episode EPISODE",
		Short: "One run's story: request, outcome, evidence",
		Args:  cobra.ExactArgs(1),
		RunE: func(cmd *cobra.Command, args []string) error {
			return a.with(cmd.Context(), func(n *jacobian.Node) error {
				e, err := n.Episode(cmd.Context(), args[0])
				if err != nil {
					return err
				}
				return a.printJSON(e)
			})
		},
	}
	return group("memory", "What was done before, failures included", search, episode)
}

func (a *app) printEpisode(e *query.Episode) {
	words := []string{e.Episode, e.CapabilityID, string(e.Status)}
	if e.Status == events.StatusCompleted {
		words = append(words, string(e.Conclusion), e.Assurance)
	}
	words = append(words, e.Time, e.UntrustedText)
	fmt.Fprintln(a.out, strings.Join(words, "  "))
}
