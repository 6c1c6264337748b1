package modular

import (
	"context"
	"math/big"
	"strconv"

	"github.com/jacobian-ledger/jacobian/capabilities"
	"github.com/jacobian-ledger/jacobian/capabilities/values"
	"github.com/jacobian-ledger/jacobian/events"
)

const residuesMost = 20_000 // modulus whose residues are listed

// ModulusInput is a modulus.
type ModulusInput struct {
	Modulus values.Int `json:"modulus" doc:"at least 1"`
}

// ResiduesOutput lists residues.
type ResiduesOutput struct {
	Residues []values.Int `json:"residues" doc:"ascending, from 0 to modulus - 1"`
}

var _ = capabilities.Define(pack, capabilities.Definition[ModulusInput, ResiduesOutput]{
	ID:          "modular.enumerate.quadratic_residues",
	Title:       "squares modulo an integer",
	Description: "All residues r modulo m >= 1 with r = x^2 for some x, in ascending order; 0 and residues not coprime to m are included.",
	Source:      "Gauss, Disquisitiones Arithmeticae, 94-96; OEIS A096008",
	Tags:        []string{"modular arithmetic", "quadratic residues"},
	Needs:       []string{"quadratic residues modulo n", "which residues are squares modulo m", "list the squares modulo a number", "possible remainders of a perfect square"},
	Aliases:     []string{"quadratic residues", "squares mod n", "QR"},
	InputKinds:  []string{"integer"},
	Limits:      []events.Limit{{Name: "modulus", Value: strconv.Itoa(residuesMost)}},
	Claimed:     capabilities.Computed,
	Preflight:   func(in ModulusInput) error { return checkListed("/modulus", in.Modulus, residuesMost) },
	Examples: []capabilities.Example{
		{Name: "ten", Input: `{"modulus":"10"}`, Output: `{"residues":["0","1","4","5","6","9"]}`},
		{Name: "one", Input: `{"modulus":"1"}`, Output: `{"residues":["0"]}`},
	},
	Run: capabilities.Func(func(_ context.Context, in ModulusInput) (ResiduesOutput, error) {
		m, _ := in.Modulus.Int64()
		square := make([]bool, m)
		for x := range m/2 + 1 { // x and m − x have one square
			square[x*x%m] = true
		}
		return ResiduesOutput{listed(square, true)}, nil
	}),
})

func checkListed(path string, m values.Int, most int64) error {
	if err := checkModulus(path, m); err != nil {
		return err
	}
	if m.Cmp(values.IntOf(most)) > 0 {
		return capabilities.Exceeds(path, path[1:], strconv.FormatInt(most, 10), brief(m), "use a smaller modulus")
	}
	return nil
}

// listed is the positions at which the mark is as wanted.
func listed(marks []bool, want bool) []values.Int {
	out := []values.Int{}
	for r, is := range marks {
		if is == want {
			out = append(out, values.IntOf(int64(r)))
		}
	}
	return out
}

const (
	imagePoints    = 1_000_000 // evaluated in one call
	imageWork      = 2_000_000 // points times terms times variables
	imageTable     = 4_096     // values listed in one answer
	imageVariables = 8
	imageExponent  = 1_000_000
)

// Term is coefficient · Π variable^exponent.
type Term struct {
	Coefficient values.Int `json:"coefficient" doc:"any integer"`
	Exponents   []int      `json:"exponents" doc:"one exponent from 0 for each variable, in order"`
}

// ImageInput is a polynomial with the residues over which each variable runs.
type ImageInput struct {
	Modulus   values.Int     `json:"modulus" doc:"at least 1"`
	Variables []string       `json:"variables" doc:"names, in the order of exponents and domains"`
	Terms     []Term         `json:"terms" doc:"the polynomial; terms add up, no terms are 0"`
	Domains   [][]values.Int `json:"domains,omitempty" doc:"the values of each variable; every residue if left out"`
}

// ImageOutput is the set of values.
type ImageOutput struct {
	Points  int          `json:"points" doc:"number of points evaluated"`
	Image   []values.Int `json:"image" doc:"the residues that occur, ascending"`
	Missing []values.Int `json:"missing" doc:"the residues that do not occur, ascending"`
	Table   []values.Int `json:"table,omitempty" doc:"the value at each point if there are at most 4096: the last variable runs fastest"`
}

var _ = capabilities.Define(pack, capabilities.Definition[ImageInput, ImageOutput]{
	ID:          "modular.polynomial_residue_image.compute",
	Title:       "residues that a polynomial takes modulo an integer",
	Description: "The values modulo m of a polynomial with integer coefficients in up to 8 variables, over all residues or over given finite domains: the set of residues that occur and of those that do not, by evaluation at every point.",
	Source:      "Ireland and Rosen, A Classical Introduction to Modern Number Theory, chapter 10",
	Tags:        []string{"modular arithmetic", "polynomials", "obstructions"},
	Needs:       []string{"which residues does a polynomial take modulo m", "image of a polynomial modulo n", "congruence obstruction for a Diophantine equation", "table of values of a polynomial modulo a number", "local solvability of an equation modulo m"},
	Aliases:     []string{"residue image", "values mod m", "modular obstruction"},
	InputKinds:  []string{"polynomial", "integer"},
	Limits: []events.Limit{
		{Name: "modulus", Value: strconv.Itoa(residuesMost)},
		{Name: "points", Value: strconv.Itoa(imagePoints)},
		{Name: "work", Value: strconv.Itoa(imageWork), Note: "points times terms times variables"},
		{Name: "variables", Value: strconv.Itoa(imageVariables)},
		{Name: "exponents", Value: strconv.Itoa(imageExponent)},
	},
	Claimed:   capabilities.Computed,
	Preflight: checkImage,
	Examples: []capabilities.Example{
		{
			Name:   "x^2 - y modulo 5",
			Input:  `{"domains":[["0","1","2"],["0","2"]],"modulus":"5","terms":[{"coefficient":"1","exponents":[2,0]},{"coefficient":"-1","exponents":[0,1]}],"variables":["x","y"]}`,
			Output: `{"image":["0","1","2","3","4"],"missing":[],"points":6,"table":["0","3","1","4","4","2"]}`,
		},
		{
			Name:   "squares modulo 4",
			Input:  `{"modulus":"4","terms":[{"coefficient":"1","exponents":[2]}],"variables":["x"]}`,
			Output: `{"image":["0","1"],"missing":["2","3"],"points":4,"table":["0","1","0","1"]}`,
		},
	},
	Run: capabilities.Func(computeImage),
})

func checkImage(in ImageInput) error {
	if err := checkListed("/modulus", in.Modulus, residuesMost); err != nil {
		return err
	}
	vars := len(in.Variables)
	if vars > imageVariables {
		return capabilities.Exceeds("/variables", "variables", strconv.Itoa(imageVariables), strconv.Itoa(vars), "fix some variables")
	}
	seen := map[string]bool{}
	for i, v := range in.Variables {
		if v == "" || seen[v] {
			return capabilities.Invalid("/variables/"+strconv.Itoa(i), "different, non-empty names", strconv.Quote(v), "rename it")
		}
		seen[v] = true
	}
	for i, t := range in.Terms {
		path := "/terms/" + strconv.Itoa(i) + "/exponents"
		if len(t.Exponents) != vars {
			return capabilities.Invalid(path, strconv.Itoa(vars)+" exponents, one for each variable", strconv.Itoa(len(t.Exponents)), "write 0 for variables that do not occur")
		}
		for j, e := range t.Exponents {
			if e < 0 {
				return capabilities.Invalid(path+"/"+strconv.Itoa(j), "an exponent of at least 0", strconv.Itoa(e), "multiply by a power of the variable")
			}
			if e > imageExponent {
				return capabilities.Exceeds(path+"/"+strconv.Itoa(j), "exponents", strconv.Itoa(imageExponent), strconv.Itoa(e), "use a smaller exponent")
			}
		}
	}
	return checkPoints(in)
}

func checkPoints(in ImageInput) error {
	vars := len(in.Variables)
	if len(in.Domains) != 0 && len(in.Domains) != vars {
		return capabilities.Invalid("/domains", strconv.Itoa(vars)+" domains, one for each variable", strconv.Itoa(len(in.Domains)), "leave it out to run over every residue")
	}
	points := int64(1)
	for j := range vars {
		size, _ := in.Modulus.Int64()
		if len(in.Domains) != 0 {
			size = int64(len(in.Domains[j]))
		}
		if points *= size; points > imagePoints {
			return capabilities.Exceeds("/domains", "points", strconv.Itoa(imagePoints), "more", "give smaller domains or a smaller modulus")
		}
	}
	if work := points * int64(len(in.Terms)) * int64(max(1, vars)); work > imageWork {
		return capabilities.Exceeds("/terms", "work", strconv.Itoa(imageWork), strconv.FormatInt(work, 10), "give fewer terms or smaller domains")
	}
	return nil
}

// computeImage evaluates at every point. Each variable's powers are looked up in a table for its domain, so
// that a point costs one multiplication for each term and variable. Residues are below 2^15, products below
// 2^30.
func computeImage(ctx context.Context, in ImageInput) (ImageOutput, error) {
	m, _ := in.Modulus.Int64()
	coefficients, powers, sizes, points := imageTables(in, m)
	occurs := make([]bool, m)
	at := make([]int, len(sizes))
	out := ImageOutput{Points: points}
	for p := range points {
		if p%4096 == 0 && ctx.Err() != nil {
			return ImageOutput{}, ctx.Err()
		}
		sum := int64(0)
		for i, c := range coefficients {
			for j, k := range at {
				c = c * powers[i][j][k] % m
			}
			sum += c
		}
		occurs[sum%m] = true
		if points <= imageTable {
			out.Table = append(out.Table, values.IntOf(sum%m))
		}
		for j := len(at) - 1; j >= 0; j-- { // the next point
			if at[j]++; at[j] < sizes[j] {
				break
			}
			at[j] = 0
		}
	}
	out.Image, out.Missing = listed(occurs, true), listed(occurs, false)
	return out, nil
}

// imageTables gives the reduced coefficients, powers[term][variable][position in the domain], the sizes of
// the domains and the number of points.
func imageTables(in ImageInput, m int64) (coefficients []int64, powers [][][]int64, sizes []int, points int) {
	modulus := big.NewInt(m)
	domains := make([][]int64, len(in.Variables))
	points = 1
	for j := range domains {
		if len(in.Domains) != 0 {
			for _, v := range in.Domains[j] {
				domains[j] = append(domains[j], mod(v.Big(), modulus).Int64())
			}
		} else {
			for r := range m {
				domains[j] = append(domains[j], r)
			}
		}
		sizes = append(sizes, len(domains[j]))
		points *= len(domains[j])
	}
	for _, t := range in.Terms {
		coefficients = append(coefficients, mod(t.Coefficient.Big(), modulus).Int64())
		row := make([][]int64, len(domains))
		for j, d := range domains {
			for _, v := range d {
				row[j] = append(row[j], smallPower(v, t.Exponents[j], m))
			}
		}
		powers = append(powers, row)
	}
	return coefficients, powers, sizes, points
}

// smallPower is v^e modulo m for 0 ≤ v < m ≤ residuesMost, with 0^0 = 1 (reduced modulo m).
func smallPower(v int64, e int, m int64) int64 {
	p := 1 % m
	for ; e > 0; e >>= 1 {
		if e&1 == 1 {
			p = p * v % m
		}
		v = v * v % m
	}
	return p
}
