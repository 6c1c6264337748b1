package main

import (
	"fmt"
	"os"
	"os/signal"
	"syscall"

	jacobian "github.com/jacobian-ledger/jacobian/embed"
	"github.com/spf13/cobra"
)

func (a *app) demo() *cobra.Command {
	return &cobra.Command{
		Use:   "demo",
		Short: "The first investigation, told as it happens, on a real ledger",
		Args:  cobra.NoArgs,
		RunE: func(cmd *cobra.Command, _ []string) error {
			self, err := os.Executable()
			if err != nil {
				return err
			}
			return jacobian.Demo(cmd.Context(), jacobian.DemoOptions{Options: a.options(), Out: a.out, Program: self})
		},
	}
}

func (a *app) mcp() *cobra.Command {
	var names string
	c := &cobra.Command{
		Use:   "mcp",
		Short: "Serve agents: the Model Context Protocol on standard input and output",
		Long: `Mcp serves the tools math.find and math.run, the resources capability://catalog, artifact://, record://
and episode://, and two prompts. It ends when standard input does, after answering what is ready.

Claude Code:  claude mcp add jacobian -- jacobian mcp
Codex:        [mcp_servers.jacobian] command = "jacobian", args = ["mcp"]`,
		Args: cobra.NoArgs,
		RunE: func(cmd *cobra.Command, _ []string) error {
			if names != "dotted" && names != "underscore" {
				return usage("--tool-names: expected dotted or underscore, found %q", names)
			}
			return a.with(cmd.Context(), func(n *jacobian.Node) error {
				// A host that goes away must not end this process before its runs are cancelled and recorded:
				// a write to a broken pipe becomes an error instead of a signal.
				broken := make(chan os.Signal, 1)
				signal.Notify(broken, syscall.SIGPIPE)
				defer signal.Stop(broken)
				return n.ServeStdio(cmd.Context(), a.in, a.out, jacobian.StdioOptions{Underscore: names == "underscore"})
			})
		},
	}
	c.Flags().StringVar(&names, "tool-names", "dotted", "how tools are listed: dotted (math.find) or underscore (math_find); both are accepted")
	return c
}

func (a *app) replay() *cobra.Command {
	return &cobra.Command{
		Use:   "replay",
		Short: "Rebuild every read model from the first event, compare, and run every checker again",
		Args:  cobra.NoArgs,
		RunE: func(cmd *cobra.Command, _ []string) error {
			return a.with(cmd.Context(), func(n *jacobian.Node) error {
				rep, err := n.Replay(cmd.Context())
				if err != nil {
					return err
				}
				if a.json {
					err = a.printJSON(rep)
				} else {
					rep.Write(a.out)
				}
				if err == nil && !rep.Clean() {
					err = &exitError{code: exitFindings}
				}
				return err
			})
		},
	}
}

func (a *app) doctor() *cobra.Command {
	return &cobra.Command{
		Use:   "doctor",
		Short: "What is healthy on this machine and in this ledger",
		Args:  cobra.NoArgs,
		RunE: func(cmd *cobra.Command, _ []string) error {
			rep := jacobian.Doctor(cmd.Context(), a.options())
			if a.json {
				if err := a.printJSON(rep); err != nil {
					return err
				}
			} else {
				for _, c := range rep.Checks {
					mark := a.paint(a.out, green, "✓")
					if !c.OK {
						mark = a.paint(a.out, red, "✗")
					}
					fmt.Fprintf(a.out, "%s %-12s %s\n", mark, c.Name, c.Detail)
					if c.Hint != "" {
						fmt.Fprintf(a.out, "  %-12s %s\n", "next", c.Hint)
					}
				}
			}
			if !rep.Healthy() {
				return &exitError{code: exitFindings}
			}
			return nil
		},
	}
}

func (a *app) version() *cobra.Command {
	return &cobra.Command{
		Use:   "version",
		Short: "Version of this program",
		Args:  cobra.NoArgs,
		RunE: func(*cobra.Command, []string) error {
			if a.json {
				return a.printJSON(map[string]string{"version": jacobian.Version()})
			}
			_, err := fmt.Fprintln(a.out, "jacobian", jacobian.Version())
			return err
		},
	}
}
