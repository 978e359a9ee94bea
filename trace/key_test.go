package trace

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/go-acap/acap/base/buf"
	"github.com/go-acap/acap/base/dtype"
	"github.com/go-acap/acap/ops"
)

// program is a graph as data. A value is a number: of a leaf, or, from len(leaves) on, of a call.
type program struct {
	leaves []leafOf
	calls  []callOf
	roots  []int
}

type leafOf struct {
	d        dtype.DType
	constant bool
	buckets  []int // of dimension 0; nil if it is not dynamic
}

type callOf struct {
	kind     string
	operands []int
	number   int
}

// kinds of calls that take and give [2 2], with the least and the largest number of operands of each.
var kinds = []struct {
	name        string
	least, most int
}{
	{"relu", 1, 1}, {"neg", 1, 1}, {"add.Tensor", 2, 2}, {"sub.Tensor", 2, 2}, {"mean of", 1, 6}, {"clamp min", 2, 2},
	{"clamp max", 2, 2}, {"sorted", 1, 1}, {"order", 1, 1}, {"cumsum", 1, 1},
}

func randomCall(r *rand.Rand, values int) callOf {
	k := kinds[r.IntN(len(kinds))]
	c := callOf{kind: k.name, number: r.IntN(2)}
	for range k.least + r.IntN(k.most-k.least+1) {
		c.operands = append(c.operands, r.IntN(values))
	}
	return c
}

func randomProgram(r *rand.Rand) program {
	p := program{leaves: make([]leafOf, 3)}
	for i := range p.leaves {
		p.leaves[i] = randomLeaf(r)
	}
	for range 6 {
		p.calls = append(p.calls, randomCall(r, len(p.leaves)+len(p.calls)))
	}
	for range 1 + r.IntN(3) {
		p.roots = append(p.roots, r.IntN(len(p.leaves)+len(p.calls)))
	}
	return p
}

func randomLeaf(r *rand.Rand) leafOf {
	l := leafOf{d: []dtype.DType{dtype.F32, dtype.F64}[r.IntN(2)], constant: r.IntN(2) == 0}
	if r.IntN(3) == 0 {
		l.buckets = [][]int{{2}, {4}, {2, 4}}[r.IntN(3)]
	}
	return l
}

// changed is the program with another leaf, call or list of roots.
func (p program) changed(r *rand.Rand) program {
	p.leaves, p.calls, p.roots = slices.Clone(p.leaves), slices.Clone(p.calls), slices.Clone(p.roots)
	switch r.IntN(4) {
	case 0:
		p.leaves[r.IntN(len(p.leaves))] = randomLeaf(r)
	case 1:
		p.roots[r.IntN(len(p.roots))] = r.IntN(len(p.leaves) + len(p.calls))
	case 2: // one operand
		i := r.IntN(len(p.calls))
		c := &p.calls[i]
		c.operands = slices.Clone(c.operands)
		c.operands[r.IntN(len(c.operands))] = r.IntN(len(p.leaves) + i)
	default:
		i := r.IntN(len(p.calls))
		p.calls[i] = randomCall(r, len(p.leaves)+i)
	}
	return p
}

// record records the program.
func (p program) record(t *testing.T) []ops.Value {
	var values []ops.Value
	for _, l := range p.leaves {
		b := buf.New(l.d, []int{2, 2})
		n := Leaf(b)
		if l.buckets != nil {
			n = n.Vary(b, Dynamic{0, l.buckets})
		}
		if l.constant {
			n.Freeze()
		}
		values = append(values, n)
	}
	for _, c := range p.calls {
		x := values[c.operands[0]]
		var y ops.Value
		switch c.kind {
		case "mean of":
			var list []ops.Value
			for _, o := range c.operands {
				list = append(list, values[o])
			}
			all, err := Record(ops.MustLookup("stack"), ops.TensorsArg(list))
			require.NoError(t, err)
			y = apply(t, "mean.dim", all, []int{0})
		case "clamp min":
			y = apply(t, "clamp.Tensor", x, values[c.operands[1]])
		case "clamp max":
			y = apply(t, "clamp.Tensor", x, nil, values[c.operands[1]])
		case "sorted":
			y = apply(t, "sort", x, c.number)
		case "order":
			y = apply(t, "gather", x, 0, apply(t, "sort", x, c.number).Result(1))
		case "cumsum":
			y = apply(t, "cumsum", x, c.number)
		case "add.Tensor", "sub.Tensor":
			y = apply(t, c.kind, x, values[c.operands[1]], 1+c.number)
		default:
			y = apply(t, c.kind, x)
		}
		values = append(values, y)
	}
	var roots []ops.Value
	for _, i := range p.roots {
		roots = append(roots, values[i])
	}
	return roots
}

// text says what is computed: values are numbered in the order in which they are first needed.
func (p program) text() string {
	var b strings.Builder
	numbers := map[int]int{}
	var visit func(v int) int
	visit = func(v int) int {
		if n, ok := numbers[v]; ok {
			return n
		}
		if v < len(p.leaves) {
			l := p.leaves[v]
			fmt.Fprintln(&b, len(numbers), l.d, l.constant, l.buckets)
		} else {
			c := p.calls[v-len(p.leaves)]
			var operands []int
			for _, o := range c.operands {
				operands = append(operands, visit(o))
			}
			number := 0
			switch c.kind {
			case "sorted", "order", "cumsum", "add.Tensor", "sub.Tensor":
				number = c.number
			}
			fmt.Fprintln(&b, len(numbers), c.kind, operands, number)
		}
		numbers[v] = len(numbers)
		return numbers[v]
	}
	var roots []int
	for _, r := range p.roots {
		roots = append(roots, visit(r))
	}
	return fmt.Sprint(b.String(), roots)
}

// TestKeys: graphs have one key if they compute the same, and two if they differ anywhere. A sketch tells every
// difference, and which numbers they are if the graphs are of one family.
func TestKeys(t *testing.T) {
	byKey, texts := map[ops.Hash]string{}, map[string]ops.Hash{}
	same, other := 0, 0
	for seed := range uint64(200) {
		r := rand.New(rand.NewPCG(seed, 3))
		p := randomProgram(r)
		base := Collect(p.record(t)).Sketch()
		for range 12 {
			q := p.changed(r)
			g := Collect(q.record(t))
			text, equal := q.text(), q.text() == p.text()
			if was, ok := byKey[g.Key]; ok {
				require.Equal(t, was, text, "one key")
			}
			if was, ok := texts[text]; ok {
				require.Equal(t, was, g.Key, text)
				same++
			}
			byKey[g.Key], texts[text] = text, g.Key
			s := g.Sketch()
			if equal {
				require.Nil(t, s.Differ(base))
				require.Equal(t, base.Family(), s.Family())
				require.Equal(t, base.Calls(), s.Same(base))
			} else {
				other++
				require.NotNil(t, s.Differ(base), "%s\n%s", p.text(), text)
				require.NotNil(t, base.Differ(s), "%s\n%s", p.text(), text)
				if base.Family() == s.Family() {
					require.NotEmpty(t, s.Varied(base), "%s\n%s", p.text(), text)
				}
			}
			require.Equal(t, g.Key, Collect(q.record(t)).Key, "recorded again")
		}
	}
	require.Greater(t, same, 20)
	require.Greater(t, other, 200)
}
