package matrix_test

import (
	"encoding/json"
	"fmt"
	"math/big"
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/jacobian-ledger/jacobian/capabilities"
	"github.com/jacobian-ledger/jacobian/capabilities/captest"
	"github.com/jacobian-ledger/jacobian/capabilities/checkers"
	checker "github.com/jacobian-ledger/jacobian/capabilities/checkers/matrix"
	"github.com/jacobian-ledger/jacobian/capabilities/packs/matrix"
	"github.com/jacobian-ledger/jacobian/capabilities/values"
	"github.com/jacobian-ledger/jacobian/events"
	"github.com/jacobian-ledger/jacobian/events/jcs"
)

func TestPack(t *testing.T) { captest.TestPack(t, matrix.Pack(), checker.Checker()) }

// randomMatrix has small entries, often dependent rows.
func randomMatrix(r *rand.Rand, rows, cols int, integers bool) string {
	var out []string
	for range rows {
		var row []string
		for range cols {
			x := fmt.Sprint(r.IntN(7) - 3)
			if !integers && r.IntN(4) == 0 {
				x += fmt.Sprintf("/%d", 1+r.IntN(3))
			}
			row = append(row, `"`+x+`"`)
		}
		out = append(out, "["+strings.Join(row, ",")+"]")
	}
	if rows > 1 && r.IntN(3) == 0 {
		out[1] = out[0]
	}
	return fmt.Sprintf(`{"rows":%d,"cols":%d,"entries":[%s]}`, rows, cols, strings.Join(out, ","))
}

// accepted has the evidence of an answer decided, and mutates claim, candidate and certificate: what is then
// still accepted must be the same answer, since each of these operations has only one.
func accepted(t *testing.T, r *rand.Rand, id, input string) capabilities.Done {
	t.Helper()
	call, done, err := captest.Call(t, captest.Find(t, matrix.Pack(), id), input)
	if err != nil {
		t.Fatalf("%s %s: %v", id, input, err)
	}
	ev := checkers.Evidence{Claim: *call.Claim, Candidate: done.Output, Format: done.Evidence.Format, Certificate: done.Evidence.Data}
	want := done.Conclusion
	if want == events.NotApplicable {
		want = events.True
	}
	v, err := checker.Checker().Check(t.Context(), ev)
	if err != nil || !v.Accepted || v.Conclusion != want {
		t.Fatalf("%s %s with %s: %+v, %v", id, input, done.Output, v, err)
	}
	unique := id != "matrix.normal_form.hermite.compute" && id != "matrix.normal_form.smith.compute" && id != "matrix.nullspace.compute" && id != "matrix.rational_linear_system.solve.compute"
	for range 40 {
		bad := ev
		bad.Candidate = append([]byte(nil), ev.Candidate...)
		bad.Candidate[r.IntN(len(bad.Candidate))] = "0123456789-[]\""[r.IntN(14)]
		if v, err := checker.Checker().Check(t.Context(), bad); err == nil && v.Accepted && (v.Conclusion != want || unique && !same(bad.Candidate, ev.Candidate)) {
			t.Fatalf("%s %s: accepted %s", id, input, bad.Candidate)
		}
	}
	return done
}

func same(a, b []byte) bool {
	x, err := jcs.Canonicalize(a)
	return err == nil && string(x) == string(b)
}

// leibniz is the determinant as a sum over all permutations.
func leibniz(m [][]*big.Rat) *big.Rat {
	n := len(m)
	sum := new(big.Rat)
	p := make([]int, n)
	used := make([]bool, n)
	var walk func(i, sign int, product *big.Rat)
	walk = func(i, sign int, product *big.Rat) {
		if i == n {
			sum.Add(sum, new(big.Rat).Mul(product, big.NewRat(int64(sign), 1)))
			return
		}
		for j := range n {
			if used[j] {
				continue
			}
			s := sign
			for k := j + 1; k < n; k++ {
				if used[k] {
					s = -s
				}
			}
			p[i], used[j] = j, true
			walk(i+1, s, new(big.Rat).Mul(product, m[i][j]))
			used[j] = false
		}
	}
	walk(0, 1, big.NewRat(1, 1))
	return sum
}

func TestSquare_AgainstLeibniz(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 2))
	for range 60 {
		n := r.IntN(5)
		text := randomMatrix(r, n, n, false)
		in := `{"matrix":` + text + `}`
		var m values.Matrix
		if err := jcs.Decode([]byte(text), &m); err != nil {
			t.Fatal(err)
		}
		want := leibniz(m.Big())
		var det matrix.DeterminantOutput
		if err := jcs.Decode(accepted(t, r, "matrix.determinant.compute", in).Output, &det); err != nil || det.Determinant.Big().Cmp(want) != 0 {
			t.Fatalf("%s: determinant %s, want %s (%v)", text, det.Determinant, want.RatString(), err)
		}
		var char matrix.CharacteristicOutput
		if err := jcs.Decode(accepted(t, r, "matrix.characteristic_polynomial.compute", in).Output, &char); err != nil {
			t.Fatal(err)
		}
		constant := char.Coefficients[n].Big() // det(−A)
		if n%2 == 1 {
			constant.Neg(constant)
		}
		if constant.Cmp(want) != 0 {
			t.Fatalf("%s: constant term of %v", text, char.Coefficients)
		}
		if want.Sign() == 0 {
			if e := captest.Refusal(t, matrix.Pack(), "matrix.inverse.compute", in); e.Code != events.CodeNotApplicable {
				t.Fatalf("a singular matrix: %+v", e)
			}
			continue
		}
		accepted(t, r, "matrix.inverse.compute", in)
	}
}

func TestForms_AreAccepted(t *testing.T) {
	r := rand.New(rand.NewPCG(3, 4))
	for range 80 {
		rows, cols := r.IntN(5), r.IntN(5)
		in := `{"matrix":` + randomMatrix(r, rows, cols, false) + `}`
		var rank matrix.RankOutput
		var null matrix.NullspaceOutput
		var form matrix.RREFOutput
		for id, into := range map[string]any{"matrix.rank.compute": &rank, "matrix.nullspace.compute": &null, "matrix.normal_form.rref.compute": &form} {
			if err := jcs.Decode(accepted(t, r, id, in).Output, into); err != nil {
				t.Fatal(err)
			}
		}
		if rank.Rank+null.Nullity != cols || len(form.Pivots) != rank.Rank {
			t.Fatalf("%s: rank %d, nullity %d, pivots %v", in, rank.Rank, null.Nullity, form.Pivots)
		}
		whole := `{"matrix":` + randomMatrix(r, rows, cols, true) + `}`
		accepted(t, r, "matrix.normal_form.hermite.compute", whole)
		accepted(t, r, "matrix.normal_form.smith.compute", whole)
		var b []string
		for range rows {
			b = append(b, fmt.Sprintf(`"%d"`, r.IntN(3)))
		}
		accepted(t, r, "matrix.rational_linear_system.solve.compute", strings.TrimSuffix(in, "}")+`,"rhs":[`+strings.Join(b, ",")+`]}`)
	}
}

// TestSmith_Minors compares the products of invariant factors with the greatest common divisors of minors.
func TestSmith_Minors(t *testing.T) {
	r := rand.New(rand.NewPCG(5, 6))
	for range 40 {
		text := randomMatrix(r, 3, 3, true)
		var m values.IntMatrix
		if err := jcs.Decode([]byte(text), &m); err != nil {
			t.Fatal(err)
		}
		var out matrix.SmithOutput
		if err := jcs.Decode(accepted(t, r, "matrix.normal_form.smith.compute", `{"matrix":`+text+`}`).Output, &out); err != nil {
			t.Fatal(err)
		}
		product := big.NewInt(1)
		for k := 1; k <= 3; k++ {
			want := gcdOfMinors(m.Big(), k)
			if k > len(out.Factors) {
				if want.Sign() != 0 {
					t.Fatalf("%s: %d factors, but minors of order %d", text, len(out.Factors), k)
				}
				break
			}
			if product.Mul(product, out.Factors[k-1].Big()); product.Cmp(want) != 0 {
				t.Fatalf("%s: the first %d factors multiply to %s, want %s", text, k, product, want)
			}
		}
	}
}

func gcdOfMinors(m [][]*big.Int, k int) *big.Int {
	g := new(big.Int)
	for rows := range 8 {
		for cols := range 8 {
			var sub [][]*big.Rat
			for i := range 3 {
				if rows>>i&1 == 0 {
					continue
				}
				var row []*big.Rat
				for j := range 3 {
					if cols>>j&1 == 1 {
						row = append(row, new(big.Rat).SetInt(m[i][j]))
					}
				}
				sub = append(sub, row)
			}
			if len(sub) == k && len(sub[0]) == k {
				d := leibniz(sub).Num()
				g.GCD(nil, nil, g, new(big.Int).Abs(d))
			}
		}
	}
	return g
}

// TestKnownAnswers: C-56, C-60, C-74 and worked examples 32, 55, 58, 60.
func TestKnownAnswers(t *testing.T) {
	for _, tc := range []struct{ name, id, input, want string }{
		{"C-56 determinant", "matrix.determinant.compute", `{"matrix":{"rows":0,"cols":0,"entries":[]}}`, `{"determinant":{"den":"1","num":"1"}}`},
		{"C-56 rank", "matrix.rank.compute", `{"matrix":{"rows":0,"cols":0,"entries":[]}}`, `{"rank":0}`},
		{"C-56 polynomial", "matrix.characteristic_polynomial.compute", `{"matrix":{"rows":0,"cols":0,"entries":[]}}`, `{"coefficients":[{"den":"1","num":"1"}]}`},
		{"C-56 rank of 0 by 3", "matrix.rank.compute", `{"matrix":{"rows":0,"cols":3,"entries":[]}}`, `{"rank":0}`},
		{"55 kernel", "matrix.nullspace.compute", `{"matrix":[[2,4],[1,2]]}`, `{"basis":[[{"den":"1","num":"-2"},{"den":"1","num":"1"}]],"nullity":1}`},
		{"60 trace", "matrix.trace.compute", `{"matrix":[[1,2],[3,4]]}`, `{"trace":{"den":"1","num":"5"}}`},
	} {
		if got := captest.Output(t, matrix.Pack(), tc.id, tc.input); got != tc.want {
			t.Errorf("%s: %s, want %s", tc.name, got, tc.want)
		}
	}
	for n := 1; n <= 5; n++ { // worked example 32: non-empty subsets that meet
		size := 1<<n - 1
		m := make([][]int, size)
		for i := range m {
			m[i] = make([]int, size)
			for j := range m[i] {
				if (i+1)&(j+1) != 0 {
					m[i][j] = 1
				}
			}
		}
		b, _ := json.Marshal(map[string]any{"matrix": m})
		want := map[bool]string{true: `{"determinant":{"den":"1","num":"1"}}`, false: `{"determinant":{"den":"1","num":"-1"}}`}[n == 1]
		if got := captest.Output(t, matrix.Pack(), "matrix.determinant.compute", string(b)); got != want {
			t.Errorf("n = %d: %s, want %s", n, got, want)
		}
	}
}

// TestClaims_NameTheMatrix is C-95: evidence about C is refused for CᵀC, since the claims differ.
func TestClaims_NameTheMatrix(t *testing.T) {
	op := captest.Find(t, matrix.Pack(), "matrix.characteristic_polynomial.compute")
	c, done, err := captest.Call(t, op, `{"matrix":[[1,2],[3,4]]}`)
	if err != nil {
		t.Fatal(err)
	}
	other, _, err := captest.Call(t, op, `{"matrix":[[10,14],[14,20]]}`)
	if err != nil {
		t.Fatal(err)
	}
	if c.Claim.Digest() == other.Claim.Digest() {
		t.Error("two matrices make one claim")
	}
	v, err := checker.Checker().Check(t.Context(), checkers.Evidence{Claim: *other.Claim, Candidate: done.Output, Format: done.Evidence.Format, Certificate: done.Evidence.Data})
	if err != nil || v.Accepted {
		t.Errorf("accepted for the other matrix: %+v, %v", v, err)
	}
}

func TestRefusals(t *testing.T) {
	for _, tc := range []struct {
		id, input, path string
		code            events.Code
	}{
		{"matrix.inverse.compute", `{"matrix":[[1,2],[2,4]]}`, "/matrix", events.CodeNotApplicable},
		{"matrix.determinant.compute", `{"matrix":[[1,2]]}`, "/matrix", events.CodeInvalidRequest},
		{"matrix.rank.compute", `{"matrix":[[1,2],[3]]}`, "/matrix/1", events.CodeInvalidRequest},
		{"matrix.rank.compute", `{"matrix":{"rows":2,"cols":1,"entries":[[1]]}}`, "/matrix/entries", events.CodeInvalidRequest},
		{"matrix.rank.compute", `{"matrix":[]}`, "/matrix", events.CodeInvalidRequest},
		{"matrix.rank.compute", `{"matrix":[["__import__('builtins').len([1,2,3])"]]}`, "/matrix/0/0", events.CodeInvalidRequest},
		{"matrix.rank.compute", `{"matrix":[[1.5]]}`, "/matrix/0/0", events.CodeInvalidRequest},
		{"matrix.multiply.compute", `{"left":[[1,2]],"right":[[1,2]]}`, "/right", events.CodeInvalidRequest},
		{"matrix.rational_linear_system.solve.compute", `{"matrix":[[1]],"rhs":[]}`, "/rhs", events.CodeInvalidRequest},
		{"matrix.rank.compute", `{"matrix":{"rows":0,"cols":41,"entries":[]}}`, "/matrix", events.CodeLimitExceeded},
	} {
		if e := captest.Refusal(t, matrix.Pack(), tc.id, tc.input); !strings.HasPrefix(e.Path+"/", tc.path) || e.Code != tc.code || e.Expected == "" || e.Actual == "" {
			t.Errorf("%s %s: %+v, want %s at %s", tc.id, tc.input, e, tc.code, tc.path)
		}
	}
}
