package embed_test

import (
	"context"
	"encoding/json"
	"fmt"
	"log"
	"os"

	"github.com/jacobian-ledger/jacobian/embed"
	"github.com/jacobian-ledger/jacobian/events"
)

// Open a ledger, have a result checked, and ask again: the second answer comes from the log.
func ExampleOpen() {
	dir, err := os.MkdirTemp("", "jacobian")
	if err != nil {
		log.Fatal(err)
	}
	defer os.RemoveAll(dir)

	ctx := context.Background()
	node, err := embed.Open(ctx, embed.Options{Dir: dir}) // main has called embed.ChildMain
	if err != nil {
		log.Fatal(err)
	}
	defer node.Close()

	req := events.Request{
		CapabilityID: "integer.decide.prime",
		Mode:         events.Verify,
		Input:        json.RawMessage(`{"n":"618970019642690137449562111"}`),
		Claim:        &events.ClaimText{Text: "2^89-1 is prime"},
	}
	res := node.Run(ctx, req, embed.RunOptions{})
	fmt.Println(res.Conclusion, res.Assurance.Level, "by", res.Assurance.Checker)

	again := node.Run(ctx, req, embed.RunOptions{})
	fmt.Println("answered from the log:", again.Memo != nil && again.Memo.Origin == res.Episode)
	// Output:
	// TRUE VERIFIED by integer.pratt@1
	// answered from the log: true
}
