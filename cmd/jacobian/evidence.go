package main

import (
	"encoding/base64"
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"unicode/utf8"

	jacobian "github.com/jacobian-ledger/jacobian/embed"
	"github.com/jacobian-ledger/jacobian/events"
	"github.com/spf13/cobra"
)

func (a *app) explain() *cobra.Command {
	return &cobra.Command{
		Use:   "explain URI",
		Short: "What a record, an episode or an artifact rests on",
		Args:  cobra.ExactArgs(1),
		RunE: func(cmd *cobra.Command, args []string) error {
			return a.with(cmd.Context(), func(n *jacobian.Node) error {
				ex, err := n.Explain(cmd.Context(), args[0])
				if err != nil {
					return err
				}
				if a.json {
					return a.printJSON(ex)
				}
				fmt.Fprint(a.out, ex.Text())
				return nil
			})
		},
	}
}

func (a *app) record() *cobra.Command {
	return group("record", "Verification records", &cobra.Command{
		Use:   "show URI",
		Short: "One record, what it is bound to and what it is worth today",
		Args:  cobra.ExactArgs(1),
		RunE: func(cmd *cobra.Command, args []string) error {
			return a.with(cmd.Context(), func(n *jacobian.Node) error {
				r, err := n.Record(cmd.Context(), args[0])
				if err != nil {
					return err
				}
				return a.printJSON(r)
			})
		},
	})
}

func (a *app) artifact() *cobra.Command {
	var media, schema, summary string
	put := &cobra.Command{
		Use:   "put FILE",
		Short: "Store a file; prints its address",
		Args:  cobra.ExactArgs(1),
		RunE: func(cmd *cobra.Command, args []string) error {
			b, err := os.ReadFile(args[0])
			if err != nil {
				return usage("%v", err)
			}
			input := map[string]string{"media_type": media, "schema": schema, "summary": summary}
			if summary == "" {
				input["summary"] = filepath.Base(args[0])
			}
			if utf8.Valid(b) {
				input["text"] = string(b)
			} else {
				input["base64"] = base64.StdEncoding.EncodeToString(b)
			}
			for k, v := range input {
				if v == "" && k != "text" {
					delete(input, k)
				}
			}
			in, err := json.Marshal(input)
			if err != nil {
				return err
			}
			return a.with(cmd.Context(), func(n *jacobian.Node) error {
				res := n.Run(cmd.Context(), events.Request{CapabilityID: "artifact.put", Input: in}, jacobian.RunOptions{Actor: "cli"})
				switch {
				case a.json:
					err = a.printJSON(res)
				case res.Execution.Status == events.StatusCompleted && len(res.ArtifactURIs) > 0:
					_, err = fmt.Fprintln(a.out, res.ArtifactURIs[0])
				default:
					a.printResult(&res)
				}
				if code := exitOf(res.Execution.Status); err == nil && code != exitDone {
					err = &exitError{code: code}
				}
				return err
			})
		},
	}
	put.Flags().StringVar(&media, "media-type", "", "such as application/json")
	put.Flags().StringVar(&schema, "schema", "", "what the bytes are, such as sat.cnf/1")
	put.Flags().StringVar(&summary, "summary", "", "in a few words; the file's name by default")
	var to string
	get := &cobra.Command{
		Use:   "get URI",
		Short: "Read an artifact; its bytes are hashed again on the way",
		Args:  cobra.ExactArgs(1),
		RunE: func(cmd *cobra.Command, args []string) error {
			d, err := events.ParseArtifactURI(args[0])
			if err != nil {
				return usage("%v", err)
			}
			return a.with(cmd.Context(), func(n *jacobian.Node) error {
				b, err := n.Artifact(cmd.Context(), d)
				if err != nil {
					return err
				}
				if to != "" {
					return os.WriteFile(to, b, 0o644)
				}
				_, err = a.out.Write(b)
				return err
			})
		},
	}
	get.Flags().StringVarP(&to, "output", "o", "", "write to this file")
	return group("artifact", "Bytes, by their SHA-256", put, get)
}
