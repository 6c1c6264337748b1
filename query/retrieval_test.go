package query_test

import (
	"os"
	"strings"
	"testing"

	"github.com/jacobian-ledger/jacobian/events"
	"github.com/jacobian-ledger/jacobian/projections/projectiontest"
	"github.com/jacobian-ledger/jacobian/query/querytest"
)

// rows reads a table: one row a line, cells separated by " | ".
func rows(t testing.TB, file string) (out [][]string) {
	t.Helper()
	b, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	for line := range strings.Lines(string(b)) {
		if line = strings.TrimSpace(line); line != "" && line[0] != '#' {
			out = append(out, strings.Split(line, " | "))
		}
	}
	return out
}

func list(cell string) []string {
	out := []string{}
	for _, s := range strings.Split(cell, ";") {
		out = append(out, strings.TrimSpace(s))
	}
	return out
}

func fixture(t testing.TB) (out []events.Descriptor) {
	t.Helper()
	for _, r := range rows(t, "testdata/catalog.txt") {
		d := projectiontest.Descriptor(r[0], r[1])
		d.Needs, d.Aliases, d.Tags, d.Description = list(r[2]), list(r[3]), list(r[4]), r[5]
		out = append(out, d)
	}
	return out
}

func TestFind_Recall(t *testing.T) {
	var questions []querytest.Question
	for _, r := range rows(t, "testdata/queries.txt") {
		questions = append(questions, querytest.Question{Text: r[0], Want: list(r[1])})
	}
	for _, nonsense := range []string{
		"quuxonium frobnicator", "independently verify this natural-language proof trace",
		"book a flight to Paris", "write a poem about autumn", "what is the weather tomorrow", "asdf qwer zxcv", "translate this sentence into French",
	} {
		questions = append(questions, querytest.Question{Text: nonsense})
	}
	querytest.Test(t, fixture(t), questions, 0.85, 0.94)
}
