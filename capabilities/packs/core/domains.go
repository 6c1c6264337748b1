package core

import (
	"context"
	"encoding/json"
	"fmt"
	"math/big"

	"github.com/jacobian-ledger/jacobian/capabilities"
	"github.com/jacobian-ledger/jacobian/capabilities/values"
	"github.com/jacobian-ledger/jacobian/events/jcs"
)

// domain is a reference domain: small questions of one shape, "is there a witness for this instance", with
// which an investigation can be tried from end to end.
type domain struct {
	predicate string
	// open reads an instance strictly and returns it normalised, with how to look at candidates and how to
	// list them all.
	open func(raw []byte) (instance, error)
}

// instance is one question.
type instance struct {
	canonical []byte
	// holds says whether a candidate is a witness; the error is for one of the wrong shape.
	holds func(candidate []byte) (bool, error)
	// each calls yield with every candidate in a fixed order until it returns false, or ctx ends. complete
	// says whether these are all there are.
	each     func(ctx context.Context, yield func(candidate any) bool)
	complete bool
}

var domains = map[string]domain{
	"propositional":    {"propositional.satisfied", openPropositional},
	"integer-matrices": {"integer_matrices.determinant", openMatrices},
	"erdos-straus":     {"erdos_straus.decomposition", openErdosStraus},
	"graph-paths":      {"graph_paths.path", openPaths},
}

// decode reads a value strictly and gives its normal form.
func decode(raw []byte, into any) ([]byte, error) {
	if err := jcs.Decode(raw, into); err != nil {
		return nil, err
	}
	return jcs.Marshal(into)
}

func limitBetween(name string, value, least, most int) error {
	if value < least || value > most {
		return capabilities.Invalid("/"+name, fmt.Sprintf("%d to %d", least, most), fmt.Sprint(value), "choose a value in range")
	}
	return nil
}

func openPropositional(raw []byte) (instance, error) {
	var f values.CNF
	canonical, err := decode(raw, &f)
	if err == nil {
		err = limitBetween("variables", f.Variables, 0, 62)
	}
	if err != nil {
		return instance{}, err
	}
	return instance{
		canonical: canonical,
		holds: func(raw []byte) (bool, error) {
			var model []bool
			if err := jcs.Decode(raw, &model); err != nil {
				return false, err
			}
			if len(model) != f.Variables {
				return false, jcs.Fail(fmt.Sprintf("%d truth values", f.Variables), fmt.Sprintf("%d", len(model)), "give one for each variable")
			}
			ok, _ := f.Satisfied(model)
			return ok, nil
		},
		each: func(_ context.Context, yield func(any) bool) {
			for bits := range uint64(1) << f.Variables {
				model := make([]bool, f.Variables)
				for v := range model {
					model[v] = bits>>v&1 == 1
				}
				if !yield(model) {
					return
				}
			}
		},
		complete: true,
	}, nil
}

// MatrixInstance asks for a square matrix over given entries with a determinant of given absolute value.
type MatrixInstance struct {
	Order       int          `json:"order"`
	Entries     []values.Int `json:"entries"`
	Determinant values.Int   `json:"determinant"`
}

func openMatrices(raw []byte) (instance, error) {
	var in MatrixInstance
	canonical, err := decode(raw, &in)
	if err == nil {
		err = limitBetween("order", in.Order, 0, 6)
	}
	if err == nil {
		err = limitBetween("entries", len(in.Entries), 1, 16)
	}
	if err != nil {
		return instance{}, err
	}
	return instance{
		canonical: canonical,
		holds: func(raw []byte) (bool, error) {
			var m [][]values.Int
			if err := jcs.Decode(raw, &m); err != nil {
				return false, err
			}
			return in.holds(m)
		},
		each:     func(_ context.Context, yield func(any) bool) { in.each(yield) },
		complete: true,
	}, nil
}

func (in *MatrixInstance) holds(m [][]values.Int) (bool, error) {
	if len(m) != in.Order {
		return false, jcs.Fail(fmt.Sprintf("%d rows", in.Order), fmt.Sprintf("%d", len(m)), "")
	}
	rows := make([][]*big.Int, in.Order)
	for i, row := range m {
		if len(row) != in.Order {
			return false, jcs.At(i, jcs.Fail(fmt.Sprintf("%d entries", in.Order), fmt.Sprintf("%d", len(row)), ""))
		}
		for j, x := range row {
			allowed := false
			for _, e := range in.Entries {
				allowed = allowed || e.Cmp(x) == 0
			}
			if !allowed {
				return false, jcs.At(i, jcs.At(j, jcs.Fail("an allowed entry", x.String(), "see entries of the instance")))
			}
			rows[i] = append(rows[i], x.Big())
		}
	}
	return bareiss(rows).CmpAbs(in.Determinant.Big()) == 0, nil
}

// bareiss is the determinant by fraction-free elimination; it changes its argument.
func bareiss(m [][]*big.Int) *big.Int {
	n, sign, previous := len(m), int64(1), big.NewInt(1)
	if n == 0 {
		return big.NewInt(1)
	}
	for k := 0; k < n-1; k++ {
		p := k
		for p < n && m[p][k].Sign() == 0 {
			p++
		}
		if p == n {
			return new(big.Int)
		}
		if p != k {
			m[p], m[k] = m[k], m[p]
			sign = -sign
		}
		for i := k + 1; i < n; i++ {
			for j := k + 1; j < n; j++ {
				a := new(big.Int).Mul(m[i][j], m[k][k])
				a.Sub(a, new(big.Int).Mul(m[i][k], m[k][j]))
				m[i][j] = a.Quo(a, previous)
			}
		}
		previous = m[k][k]
	}
	return new(big.Int).Mul(m[n-1][n-1], big.NewInt(sign))
}

func (in *MatrixInstance) each(yield func(any) bool) {
	at := make([]int, in.Order*in.Order) // a counter with one digit for each place
	for {
		m := make([][]values.Int, in.Order)
		for i := range m {
			m[i] = make([]values.Int, in.Order)
			for j := range m[i] {
				m[i][j] = in.Entries[at[i*in.Order+j]]
			}
		}
		if !yield(m) {
			return
		}
		i := len(at) - 1
		for ; i >= 0; i-- {
			if at[i]++; at[i] < len(in.Entries) {
				break
			}
			at[i] = 0
		}
		if i < 0 {
			return
		}
	}
}

// Decomposition is a sum of three unit fractions.
type Decomposition struct {
	X values.Int `json:"x"`
	Y values.Int `json:"y"`
	Z values.Int `json:"z"`
}

func openErdosStraus(raw []byte) (instance, error) {
	var in struct {
		N values.Int `json:"n"`
	}
	canonical, err := decode(raw, &in)
	if err != nil {
		return instance{}, err
	}
	n, small := in.N.Int64()
	if !small || n < 2 || n > 1_000_000 {
		return instance{}, capabilities.Invalid("/n", "2 to 1000000", in.N.String(), "choose n in range")
	}
	return instance{
		canonical: canonical,
		holds: func(raw []byte) (bool, error) {
			var d Decomposition
			if err := jcs.Decode(raw, &d); err != nil {
				return false, err
			}
			if d.X.Sign() <= 0 || d.Y.Sign() <= 0 || d.Z.Sign() <= 0 {
				return false, jcs.Fail("positive x, y and z", fmt.Sprintf("%s, %s, %s", d.X, d.Y, d.Z), "")
			}
			sum := new(big.Rat)
			for _, x := range []values.Int{d.X, d.Y, d.Z} {
				sum.Add(sum, new(big.Rat).SetFrac(big.NewInt(1), x.Big()))
			}
			return sum.Cmp(big.NewRat(4, n)) == 0, nil
		},
		each: func(_ context.Context, yield func(any) bool) { decompositions(n, yield) },
		// With x ≤ y ≤ z: n/4 < x ≤ 3n/4, and y is bounded by what is left: these are all.
		complete: true,
	}, nil
}

// decompositions lists every x ≤ y with the z that is left where it is an integer, and z = y where not.
func decompositions(n int64, yield func(any) bool) {
	for x := n/4 + 1; x <= 3*n/4+1; x++ {
		rest := new(big.Rat).Sub(big.NewRat(4, n), big.NewRat(1, x))
		if rest.Sign() <= 0 {
			continue
		}
		// 1/y < rest ≤ 2/y
		low := new(big.Int).Add(new(big.Int).Quo(rest.Denom(), rest.Num()), big.NewInt(1))
		high := new(big.Int).Quo(new(big.Int).Lsh(rest.Denom(), 1), rest.Num())
		if first := big.NewInt(x); low.Cmp(first) < 0 {
			low = first
		}
		for y := low; y.Cmp(high) <= 0; y = new(big.Int).Add(y, big.NewInt(1)) {
			left := new(big.Rat).Sub(rest, new(big.Rat).SetFrac(big.NewInt(1), y))
			z := y
			if left.Sign() > 0 && left.Num().IsInt64() && left.Num().Int64() == 1 {
				z = left.Denom()
			}
			if !yield(Decomposition{values.IntOf(x), values.NewInt(y), values.NewInt(z)}) {
				return
			}
		}
	}
}

// PathInstance asks for a simple path of given length between two vertices.
type PathInstance struct {
	Graph  values.Graph `json:"graph"`
	From   int          `json:"from"`
	To     int          `json:"to"`
	Length int          `json:"length"`
}

func openPaths(raw []byte) (instance, error) {
	var in PathInstance
	canonical, err := decode(raw, &in)
	for _, l := range []struct {
		name              string
		value, least, top int
	}{{"graph/order", in.Graph.Order, 1, 200}, {"from", in.From, 0, in.Graph.Order - 1}, {"to", in.To, 0, in.Graph.Order - 1}, {"length", in.Length, 0, 199}} {
		if err == nil {
			err = limitBetween(l.name, l.value, l.least, l.top)
		}
	}
	if err != nil {
		return instance{}, err
	}
	return instance{
		canonical: canonical,
		holds: func(raw []byte) (bool, error) {
			var path []int
			if err := jcs.Decode(raw, &path); err != nil {
				return false, err
			}
			return in.holds(path), nil
		},
		each: func(ctx context.Context, yield func(any) bool) {
			w := &pathWalker{ctx: ctx, in: &in, near: in.Graph.Neighbours(), on: make([]bool, in.Graph.Order), yield: yield}
			w.walk(in.From)
		},
		complete: true,
	}, nil
}

func (in *PathInstance) holds(path []int) bool {
	if len(path) != in.Length+1 || path[0] != in.From || path[len(path)-1] != in.To {
		return false
	}
	seen := map[int]bool{}
	for i, v := range path {
		if v < 0 || v >= in.Graph.Order || seen[v] || i > 0 && !in.Graph.Adjacent(path[i-1], v) {
			return false
		}
		seen[v] = true
	}
	return true
}

// pathWalker lists the simple walks of the wanted length from one vertex.
type pathWalker struct {
	ctx   context.Context
	steps int
	in    *PathInstance
	near  [][]int
	on    []bool
	path  []int
	yield func(any) bool
}

func (w *pathWalker) walk(v int) bool {
	if w.steps++; cancelled(w.ctx, w.steps) != nil {
		return false // most walks end before they are candidates: the context is asked on the way
	}
	w.on[v] = true
	w.path = append(w.path, v)
	defer func() { w.on[v] = false; w.path = w.path[:len(w.path)-1] }()
	if len(w.path) == w.in.Length+1 {
		return w.yield(append([]int(nil), w.path...))
	}
	for _, u := range w.near[v] {
		if !w.on[u] && !w.walk(u) {
			return false
		}
	}
	return true
}

// DomainInput is a question of a reference domain.
type DomainInput struct {
	Domain   string `json:"domain" enum:"propositional,integer-matrices,erdos-straus,graph-paths" doc:"reference domain"`
	Instance Object `json:"instance" doc:"propositional {variables, clauses}; integer-matrices {order, entries, determinant}; erdos-straus {n}; graph-paths {graph, from, to, length}"`
}

// Validate refuses an unknown domain and an instance that it does not have; the instance becomes its
// normal form, so that one question has one digest.
func (in *DomainInput) Validate() error {
	q, err := in.open()
	if err == nil {
		in.Instance = q.canonical
	}
	return err
}

func (in *DomainInput) open() (instance, error) {
	d, ok := domains[in.Domain]
	if !ok {
		return instance{}, capabilities.Invalid("/domain", "propositional, integer-matrices, erdos-straus or graph-paths", fmt.Sprintf("%.40q", in.Domain), "choose one of these")
	}
	q, err := d.open(in.Instance)
	if err != nil {
		return q, jcs.In("instance", err)
	}
	return q, nil
}

// cancelled is the error of an ended context, asked now and then.
func cancelled(ctx context.Context, step int) error {
	if step%1024 == 0 {
		return ctx.Err()
	}
	return nil
}

func raw(v any) json.RawMessage { return jcs.MustMarshal(v) }
