package values

import (
	"fmt"

	"github.com/jacobian-ledger/jacobian/events/jcs"
)

// ParseGraph6 reads a graph in graph6: the order, then the upper triangle of the adjacency matrix by
// columns, six bits a byte from 63 up, padded with zeros. The text must be exactly as long as the order
// asks, its padding zero, and the order written in its shortest form. Source: McKay, "Description of
// graph6, sparse6 and digraph6 encodings", nauty.
func ParseGraph6(s string) (Graph, error) {
	for i := range len(s) {
		if s[i] < 63 || s[i] > 126 {
			return Graph{}, jcs.Fail("graph6: bytes 63 to 126", fmt.Sprintf("byte %d at position %d", s[i], i), "remove headers, spaces and line ends")
		}
	}
	n, rest, err := graph6Order(s)
	if err != nil {
		return Graph{}, err
	}
	bits := n * (n - 1) / 2
	if want := (bits + 5) / 6; len(rest) != want {
		return Graph{}, jcs.Fail(fmt.Sprintf("graph6: %d bytes after the order %d", want, n), fmt.Sprintf("%d bytes", len(rest)), "the text is cut or has something after it")
	}
	bit := func(i int) bool { return (rest[i/6]-63)>>(5-i%6)&1 == 1 }
	var edges [][2]int
	at := 0
	for v := 1; v < n; v++ {
		for u := range v {
			if bit(at) {
				edges = append(edges, [2]int{u, v})
			}
			at++
		}
	}
	for ; at < 6*len(rest); at++ {
		if bit(at) {
			return Graph{}, jcs.Fail("graph6: zero padding", "a padding bit that is 1", "the text is damaged")
		}
	}
	return NewGraph(n, edges)
}

func graph6Order(s string) (n int, rest string, err error) {
	number := func(digits string) int {
		x := 0
		for i := range len(digits) {
			x = x<<6 | int(digits[i]-63)
		}
		return x
	}
	least := 0
	switch {
	case s == "":
		return 0, "", jcs.Fail("graph6 text", "nothing", "the empty graph is ?")
	case s[0] != '~':
		n, rest = number(s[:1]), s[1:]
	case len(s) >= 4 && s[1] != '~':
		n, rest, least = number(s[1:4]), s[4:], 63
	case len(s) >= 8 && s[1] == '~':
		n, rest, least = number(s[2:8]), s[8:], 258048
	default:
		return 0, "", jcs.Fail("graph6: an order", "a cut one", "the text is cut")
	}
	if n < least {
		return 0, "", jcs.Fail("graph6: the order in its shortest form", fmt.Sprintf("a longer form of %d", n), "")
	}
	if n > MaxGraphOrder {
		return 0, "", jcs.Fail(fmt.Sprintf("at most %d vertices", MaxGraphOrder), fmt.Sprint(n), "")
	}
	return n, rest, nil
}

// Graph6 writes the graph in graph6.
func (g Graph) Graph6() string {
	var out []byte
	switch {
	case g.Order <= 62:
		out = append(out, byte(63+g.Order))
	default:
		out = append(out, '~', byte(63+g.Order>>12), byte(63+g.Order>>6&63), byte(63+g.Order&63))
	}
	start := len(out)
	bits := g.Order * (g.Order - 1) / 2
	for range (bits + 5) / 6 {
		out = append(out, 63)
	}
	for _, e := range g.Edges {
		i := e[1]*(e[1]-1)/2 + e[0]
		out[start+i/6] += 1 << (5 - i%6)
	}
	return string(out)
}
