package integer_test

import (
	"encoding/json"
	"fmt"
	"math/big"
	"math/rand/v2"
	"os/exec"
	"strings"
	"testing"

	"github.com/jacobian-ledger/jacobian/capabilities/captest"
	"github.com/jacobian-ledger/jacobian/capabilities/packs/integer"
)

// TestAgainstPari asks PARI/GP the same questions: a second opinion by a program that we did not write.
func TestAgainstPari(t *testing.T) {
	gp, err := exec.LookPath("gp")
	if err != nil {
		t.Skip("SKIP: PARI/GP is not installed (scripts/setup installs it): no second opinion on integers")
	}
	r := rand.New(rand.NewPCG(21, 22))
	var numbers []*big.Int
	for _, bits := range []uint{8, 16, 31, 40, 64, 80, 100} {
		for range 4 {
			n := new(big.Int).SetUint64(r.Uint64())
			n.Lsh(n, 64).Or(n, new(big.Int).SetUint64(r.Uint64()))
			numbers = append(numbers, n.Rsh(n, 128-bits).Add(n, big.NewInt(2)))
		}
	}
	var script strings.Builder
	for _, n := range numbers {
		fmt.Fprintf(&script, "print(isprime(%s),\" \",eulerphi(%s),\" \",numdiv(%s),\" \",nextprime(%s+1))\n", n, n, n, n)
	}
	cmd := exec.Command(gp, "-q", "-f")
	cmd.Stdin = strings.NewReader(script.String())
	out, err := cmd.Output()
	if err != nil {
		t.Fatal(err)
	}
	lines := strings.Split(strings.TrimSpace(string(out)), "\n")
	if len(lines) != len(numbers) {
		t.Fatalf("gp answered %d lines to %d questions: %s", len(lines), len(numbers), out)
	}
	for i, n := range numbers {
		theirs := strings.Fields(lines[i])
		input := fmt.Sprintf(`{"n":"%s"}`, n)
		for k, id := range []string{"integer.decide.prime", "integer.compute.euler_totient", "integer.compute.divisor_count", "integer.compute.next_prime"} {
			ours := captest.Output(t, integer.Pack(), id, input)
			if k == 0 {
				if prime := strings.Contains(ours, `"PRIME"`); prime != (theirs[0] == "1") {
					t.Errorf("%s: prime %v, PARI says %s", n, prime, theirs[0])
				}
				continue
			}
			var members map[string]json.RawMessage
			if err := json.Unmarshal([]byte(ours), &members); err != nil || !strings.Contains(ours, `"`+theirs[k]+`"`) {
				t.Errorf("%s of %s: %s, PARI says %s", id, n, ours, theirs[k])
			}
		}
	}
}
