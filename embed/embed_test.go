package embed_test

import (
	"encoding/json"
	"os"
	"testing"

	"github.com/jacobian-ledger/jacobian/embed"
	"github.com/jacobian-ledger/jacobian/events"
)

func TestMain(m *testing.M) {
	embed.ChildMain()
	os.Exit(m.Run())
}

func open(t *testing.T, dir string) *embed.Node {
	t.Helper()
	n, err := embed.Open(t.Context(), embed.Options{Dir: dir})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := n.Close(); err != nil {
			t.Error(err)
		}
	})
	return n
}

func request(id, input string) events.Request {
	return events.Request{CapabilityID: id, Input: json.RawMessage(input)}
}

func TestRun_Once(t *testing.T) {
	n := open(t, t.TempDir())
	res := n.Run(t.Context(), request("integer.compute.gcd", `{"a":"12","b":18}`), embed.RunOptions{})
	b, _ := json.Marshal(res)
	t.Logf("%s", b)
	req := request("integer.decide.prime", `{"n":"618970019642690137449562111"}`)
	req.Mode = events.Verify
	res = n.Run(t.Context(), req, embed.RunOptions{})
	b, _ = json.Marshal(res)
	t.Logf("%s", b)
	res = n.Run(t.Context(), req, embed.RunOptions{})
	b, _ = json.Marshal(res)
	t.Logf("%s", b)
}
