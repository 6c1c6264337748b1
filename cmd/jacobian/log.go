package main

import (
	"context"
	"errors"
	"fmt"
	"strconv"

	jacobian "github.com/jacobian-ledger/jacobian/embed"
	"github.com/jacobian-ledger/jacobian/events"
	"github.com/spf13/cobra"
)

func (a *app) logs() *cobra.Command {
	var follow bool
	var from uint64
	tail := &cobra.Command{
		Use:   "tail",
		Short: "List events, oldest first; with --json exactly as stored, one a line",
		Args:  cobra.NoArgs,
		RunE: func(cmd *cobra.Command, _ []string) error {
			return a.with(cmd.Context(), func(n *jacobian.Node) error {
				list := n.ReadLog
				if follow {
					list = n.Follow
				}
				for e, err := range list(cmd.Context(), from) {
					if err != nil {
						if follow && errors.Is(err, context.Canceled) {
							return nil
						}
						return err
					}
					if err := a.printEvent(&e); err != nil {
						return err
					}
				}
				return nil
			})
		},
	}
	tail.Flags().BoolVarP(&follow, "follow", "f", false, "go on with each new event until interrupted")
	tail.Flags().Uint64Var(&from, "from", 1, "first sequence")
	show := &cobra.Command{
		Use:   "show SEQ",
		Short: "One event exactly as stored",
		Args:  cobra.ExactArgs(1),
		RunE: func(cmd *cobra.Command, args []string) error {
			seq, err := strconv.ParseUint(args[0], 10, 64)
			if err != nil || seq == 0 {
				return usage("expected a sequence from 1, found %q", args[0])
			}
			return a.with(cmd.Context(), func(n *jacobian.Node) error {
				e, err := n.Event(cmd.Context(), seq)
				if err != nil {
					return err
				}
				if a.json {
					return a.printEvent(&e)
				}
				_, err = fmt.Fprintf(a.out, "%s\n", e.Bytes)
				return err
			})
		},
	}
	return group("log", "The events themselves", tail, show)
}

func (a *app) printEvent(e *events.Stored) error {
	if a.json {
		_, err := fmt.Fprintf(a.out, `{"seq":%d,"event":%s}`+"\n", e.Seq, e.Bytes)
		return err
	}
	env := &e.Envelope
	_, err := fmt.Fprintf(a.out, "%6d  %s  %-22s %-40s %s\n", e.Seq, env.RecordedTime, env.Type, env.Subject, env.Episode)
	return err
}
