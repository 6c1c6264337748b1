package lratlog_test

import (
	"errors"
	"slices"
	"testing"

	"github.com/jacobian-ledger/jacobian/capabilities/packs/sat/internal/lratlog"
)

func TestText_TrimsRenumbersAndDeletes(t *testing.T) {
	g := lratlog.New(5, 100)
	for _, s := range []struct{ lits, hints []int32 }{
		{[]int32{2}, []int32{1, 2}}, // 6
		{[]int32{9}, []int32{5}},    // 7, unused
		{[]int32{1}, []int32{6, 3}}, // 8
		{nil, []int32{6, 8, 4}},     // 9
		{[]int32{7}, []int32{9}},    // after the end
	} {
		if _, err := g.Add(s.lits, s.hints); err != nil {
			t.Fatal(err)
		}
	}
	want := "6 2 0 1 2 0\n6 d 1 2 0\n7 1 0 6 3 0\n7 d 3 0\n8 0 6 7 4 0\n"
	if got := string(g.Text()); got != want {
		t.Errorf("got\n%swant\n%s", got, want)
	}
	if got := g.Core(); !slices.Equal(got, []int{0, 1, 2, 3}) {
		t.Errorf("core %v", got)
	}
}

func TestText_NilWithoutEmptyClause(t *testing.T) {
	g := lratlog.New(1, 100)
	if _, err := g.Add([]int32{1}, []int32{1}); err != nil || g.Text() != nil {
		t.Errorf("%v, %q", err, g.Text())
	}
}

func TestAdd_Limit(t *testing.T) {
	g := lratlog.New(1, 3)
	if _, err := g.Add([]int32{1, 2}, []int32{1, 1}); !errors.Is(err, lratlog.ErrTooLarge) {
		t.Errorf("error %v", err)
	}
}
