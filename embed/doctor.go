package embed

import (
	"context"
	"errors"
	"fmt"
	"os"
	"runtime"
	"slices"

	"github.com/jacobian-ledger/jacobian/capabilities"
	"github.com/jacobian-ledger/jacobian/capabilities/runner"
	"github.com/jacobian-ledger/jacobian/events"
	"github.com/jacobian-ledger/jacobian/events/authority"
	"github.com/jacobian-ledger/jacobian/ledger/datadir"
)

// Version is the version of this program.
func Version() string { return capabilities.Version }

// DoctorReport says what is healthy.
type DoctorReport struct {
	Checks []Check `json:"checks"`
}

// Check is one thing that was looked at.
type Check struct {
	Name   string `json:"name"`
	OK     bool   `json:"ok"`
	Detail string `json:"detail"`
	Hint   string `json:"hint"`
}

// Healthy reports whether every check is well.
func (r *DoctorReport) Healthy() bool {
	return !slices.ContainsFunc(r.Checks, func(c Check) bool { return !c.OK })
}

func (r *DoctorReport) add(name string, err error, detail, hint string) {
	c := Check{Name: name, OK: err == nil, Detail: detail}
	if err != nil {
		c.Detail, c.Hint = err.Error(), hint
	}
	r.Checks = append(r.Checks, c)
}

// Doctor looks at the program, the data directory, the logs, the read models, the checkers and a worker.
func Doctor(ctx context.Context, o Options) DoctorReport {
	var r DoctorReport
	self, err := runner.Self()
	r.add("program", err, fmt.Sprintf("jacobian %s at %s, %s %s/%s", Version(), self, runtime.Version(), runtime.GOOS, runtime.GOARCH), "call ChildMain first in main")
	n, err := Open(ctx, o)
	if err != nil {
		hint := "the message says what is wrong"
		if errors.Is(err, datadir.ErrLocked) {
			hint = "this ledger is in use, which is no fault; ask there, or stop that process"
		}
		r.add("ledger", err, "", hint)
		return r
	}
	defer func() { _ = n.Close() }()
	n.examine(ctx, &r)
	return r
}

func (n *Node) examine(ctx context.Context, r *DoctorReport) {
	count := 0
	var readErr error
	for _, err := range n.log.Read(ctx, 1) {
		if err != nil {
			readErr = err
			break
		}
		count++
	}
	r.add("ledger", readErr, fmt.Sprintf("%s, tenant %s: %d events, every one decodes", n.dir.Path(), n.tenant, count), "restore the ledger from a backup")
	poison, err := n.reads.store.Poison()
	if err == nil && poison > 0 {
		err = fmt.Errorf("%d events could not be folded", poison)
	}
	r.add("read models", err, "every event folded", "they are derived: stop jacobian, remove "+n.dir.Projections()+", start again")

	var waiting []string
	for _, k := range n.checkers {
		id := events.CheckerIdentity{CheckerID: k.ID, Version: k.Version, Binary: n.binary, IndependenceClass: k.Class}
		if st := n.operator.Now(id); st != authority.Authorised {
			waiting = append(waiting, fmt.Sprintf("%s is %s", k.ID, st))
		}
	}
	err = nil
	if len(waiting) > 0 {
		err = fmt.Errorf("%v", waiting)
	}
	r.add("checkers", err, fmt.Sprintf("%d authorised, program %.18s…", len(n.checkers), n.binary), "the operator suspended or revoked them; see the operator log")

	info, err := os.Stat(n.keyFile)
	if err == nil && info.Mode().Perm()&0o077 != 0 {
		err = fmt.Errorf("%s has mode %04o", n.keyFile, info.Mode().Perm())
	}
	r.add("runner key", err, n.keyFile+", readable by its owner only", "chmod 600 "+n.keyFile)

	all := n.registry.All()
	heavy := slices.IndexFunc(all, func(c *capabilities.Capability) bool { return c.Heavy })
	if heavy < 0 {
		return
	}
	ex := all[heavy].Descriptor().Examples[0]
	b := events.Budget{WallMS: 30_000, MemoryBytes: 1 << 30, OutputBytes: 1 << 20}
	w, err := runner.Run(ctx, n.self, all[heavy].ID, ex.Input, b, func(capabilities.Progress) {})
	if err == nil && w.Failure != nil {
		err = w.Failure
	}
	r.add("worker", err, fmt.Sprintf("ran %s in a process of its own in %d ms", all[heavy].ID, w.Usage.WallMS), "the program must be able to execute itself")
}
