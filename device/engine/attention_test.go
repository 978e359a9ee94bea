package engine

import (
	"math"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/go-acap/acap/base/dtype"
	_ "github.com/go-acap/acap/base/longtest" // collects garbage less often
	"github.com/go-acap/acap/kernel/portable"
	"github.com/go-acap/acap/mlir"
	"github.com/go-acap/acap/ops"
)

// attentions are what stands between two products: scores that are changed, and a softmax of them. Some of it is
// attention.
var attentions = map[string]struct {
	scores  func(n *net, s val) val
	softmax func(n *net, x val) val // nil is the usual one
	want    bool
}{
	"plain":  {scores: unchanged, want: true},
	"scaled": {scores: func(n *net, s val) val { return n.scale(s, 0.5) }, want: true},
	"scaled on the left": {scores: func(n *net, s val) val {
		return n.point(func(s *ops.Scalars, x []ops.Elem) ops.Elem { return s.Mul(s.Const(x[0].D, 0.25), x[0]) }, s)
	}, want: true},
	"scaled twice": {scores: func(n *net, s val) val { return n.scale(n.scale(s, 0.5), 3) }, want: true},
	"divided": {scores: func(n *net, s val) val {
		return n.point(func(s *ops.Scalars, x []ops.Elem) ops.Elem { return s.Div(x[0], s.Const(x[0].D, 4)) }, s)
	}, want: true},
	"divisor": {scores: func(n *net, s val) val {
		return n.point(func(s *ops.Scalars, x []ops.Elem) ops.Elem {
			return s.Div(s.Const(x[0].D, 4), s.Add(x[0], s.Const(x[0].D, 30)))
		}, s)
	}},
	"scaled by a tensor":  {scores: func(n *net, s val) val { return n.mul(s, n.input(5)) }},
	"mask":                {scores: func(n *net, s val) val { return n.add(s, n.input(5, 5)) }, want: true},
	"mask on the left":    {scores: func(n *net, s val) val { return n.add(n.input(2, 3, 5, 5), s) }, want: true},
	"mask of keys":        {scores: func(n *net, s val) val { return n.add(s, n.input(2, 1, 1, 5)) }, want: true},
	"scaled, then a mask": {scores: func(n *net, s val) val { return n.add(n.scale(s, 0.5), n.input(5, 5)) }, want: true},
	"a mask, then scaled": {scores: func(n *net, s val) val { return n.scale(n.add(s, n.input(5, 5)), 0.5) }},
	"two masks":           {scores: func(n *net, s val) val { return n.add(n.add(s, n.input(5, 5)), n.input(5)) }},
	"a number added":      {scores: func(n *net, s val) val { return n.shift(s, 1) }},
	"another function":    {scores: func(n *net, s val) val { return n.math("sin", s) }},
	"capped at 1":         {scores: func(n *net, s val) val { return n.math("tanh", s) }, want: true},
	"scaled and capped": {scores: func(n *net, s val) val {
		return hide(n, keysOf(n, "le"), n.scale(n.math("tanh", n.scale(n.scale(s, 0.5), 1/1.5)), 1.5), math.Inf(-1), false)
	}, want: true},
	"capped upside down":    {scores: func(n *net, s val) val { return n.scale(n.math("tanh", s), -2) }},
	"capped twice":          {scores: func(n *net, s val) val { return n.math("tanh", n.math("tanh", s)) }},
	"added to, then capped": {scores: func(n *net, s val) val { return n.math("tanh", n.add(s, n.input(5, 5))) }},
	"hidden by numbers": {scores: func(n *net, s val) val {
		return n.point(func(s *ops.Scalars, x []ops.Elem) ops.Elem {
			return s.Select(s.Cmp("gt", x[1], s.Const(x[1].D, -0.5)), x[0], s.Const(dtype.F32, math.Inf(-1)))
		}, s, n.input(5, 5))
	}},
	"others in place of hidden": {scores: func(n *net, s val) val {
		return n.Pointwise(ops.TensorType{DType: dtype.F32, Shape: s.Shape()}, []val{someKeys(n), s, n.input(5, 5)},
			func(s *ops.Scalars, x []ops.Elem) ops.Elem { return s.Select(x[0], x[1], x[2]) })
	}},
	"transposed mask":       {scores: func(n *net, s val) val { return n.add(s, n.Permute(n.input(5, 5), []int{1, 0})) }, want: true},
	"mask of queries":       {scores: func(n *net, s val) val { return n.add(s, n.input(5, 1)) }, want: true},
	"mask of batches":       {scores: func(n *net, s val) val { return n.add(s, n.input(2, 1, 1, 1)) }, want: true},
	"mask of other batches": {scores: func(n *net, s val) val { return n.add(s, n.Permute(n.input(3, 2, 5, 5), []int{1, 0, 2, 3})) }, want: true},
	"transposed":            {scores: func(n *net, s val) val { return n.Permute(s, []int{0, 1, 3, 2}) }},
	"scaled and transposed": {scores: func(n *net, s val) val { return n.Permute(n.scale(s, 0.5), []int{0, 1, 3, 2}) }},
	"other scores":          {scores: func(n *net, s val) val { return n.input(2, 3, 5, 5) }},
	"hidden":                {scores: func(n *net, s val) val { return hide(n, someKeys(n), s, math.Inf(-1), false) }, want: true},
	"hidden where true":     {scores: func(n *net, s val) val { return hide(n, someKeys(n), s, math.Inf(-1), true) }, want: true},
	"nearly hidden":         {scores: func(n *net, s val) val { return hide(n, someKeys(n), s, -1e31, false) }},
	"causal":                {scores: func(n *net, s val) val { return hide(n, keysOf(n, "le"), s, math.Inf(-1), false) }, want: true},
	"causal, nearly hidden": {scores: func(n *net, s val) val { return hide(n, keysOf(n, "le"), s, -1e31, false) }, want: true},
	"causal, not hidden":    {scores: func(n *net, s val) val { return hide(n, keysOf(n, "le"), s, -10, false) }},
	"all but one":           {scores: func(n *net, s val) val { return hide(n, keysOf(n, "lt"), s, -1e31, false) }},
	"known, not causal": {scores: func(n *net, s val) val {
		mask := n.FromIndex(ops.TensorType{DType: dtype.F32, Shape: []int{5, 5}}, func(s *ops.Scalars, i []ops.Elem) ops.Elem {
			return s.Select(s.Cmp("le", i[1], i[0]), s.Const(dtype.F32, 0), s.Const(dtype.F32, -4))
		})
		return n.add(s, mask)
	}, want: true},
	"known, hidden keys":  {scores: func(n *net, s val) val { return hide(n, keysOf(n, "ge"), s, math.Inf(-1), false) }, want: true},
	"hidden, then scaled": {scores: func(n *net, s val) val { return n.scale(hide(n, someKeys(n), s, math.Inf(-1), false), 2) }},
	"exponentials of others": {scores: unchanged, softmax: func(n *net, x val) val {
		return n.div(n.math("exp", n.sub(x, n.max(x, 3))), n.sum(n.math("exp", x), 3))
	}},
	"without a maximum": {scores: unchanged, softmax: func(n *net, x val) val {
		e := n.math("exp", n.shift(x, -0.5))
		return n.div(e, n.sum(e, 3))
	}},
	"maximum of others": {scores: unchanged, softmax: func(n *net, x val) val {
		e := n.math("exp", n.sub(x, n.max(n.scale(x, 0.5), 3)))
		return n.div(e, n.sum(e, 3))
	}},
	"maximum added": {scores: unchanged, softmax: func(n *net, x val) val {
		e := n.math("exp", n.add(x, n.max(x, 3)))
		return n.div(e, n.sum(e, 3))
	}},
	"not exponentials": {scores: unchanged, softmax: func(n *net, x val) val {
		e := n.math("exp2", n.sub(x, n.max(x, 3)))
		return n.div(e, n.sum(e, 3))
	}},
	"maximum of exponentials": {scores: unchanged, softmax: func(n *net, x val) val {
		e := n.math("exp", n.sub(x, n.max(x, 3)))
		return n.div(e, n.max(e, 3))
	}},
	"multiplied": {scores: unchanged, softmax: func(n *net, x val) val {
		e := n.math("exp", n.sub(x, n.max(x, 3)))
		return n.mul(e, n.sum(e, 3))
	}},
	"maximum of another row": {scores: unchanged, softmax: func(n *net, x val) val {
		e := n.math("exp", n.sub(x, n.input(2, 3, 5, 1)))
		return n.div(e, n.sum(e, 3))
	}},
	"maximum of another query": {scores: unchanged, softmax: func(n *net, x val) val {
		e := n.math("exp", n.sub(x, n.Slice(n.max(x, 3), []int{0, 0, 1, 0}, []int{2, 3, 1, 1}, []int{1, 1, 1, 1})))
		return n.div(e, n.sum(e, 3))
	}},
	"sum of others": {scores: unchanged, softmax: func(n *net, x val) val {
		return n.div(n.math("exp", n.sub(x, n.max(x, 3))), n.input(2, 3, 5, 1))
	}},
	"sum of others in the batch": {scores: unchanged, softmax: func(n *net, x val) val {
		e := n.math("exp", n.sub(x, n.max(x, 3)))
		return n.div(e, n.Permute(n.sum(e, 3), []int{0, 1, 2, 3}))
	}, want: true},
	"exponentials twice": {scores: unchanged, softmax: func(n *net, x val) val {
		m := n.max(x, 3)
		return n.div(n.math("exp", n.sub(x, m)), n.sum(n.math("exp", n.sub(x, m)), 3))
	}, want: true},
	"exponentials of shifted scores": {scores: unchanged, softmax: func(n *net, x val) val {
		m := n.max(x, 3)
		return n.div(n.math("exp", n.shift(n.sub(x, m), 1)), n.sum(n.math("exp", n.shift(n.sub(x, m), 2)), 3))
	}},
	"safe": {scores: unchanged, softmax: func(n *net, x val) val { return n.safeSoftmax(x, -math.MaxFloat32, 1) }, want: true},
	"safe, wholly hidden": {scores: func(n *net, s val) val { return hide(n, keysOf(n, "lt"), s, math.Inf(-1), false) },
		softmax: func(n *net, x val) val { return n.safeSoftmax(x, -math.MaxFloat32, 1) }, want: true},
	"not safe, wholly hidden": {scores: func(n *net, s val) val { return hide(n, keysOf(n, "lt"), s, math.Inf(-1), false) },
		want: true},
	"a sum of 1 at least": {scores: unchanged, softmax: func(n *net, x val) val {
		return n.safeSoftmax(x, math.Inf(-1), 1)
	}},
	"a sum of 2 at least": {scores: unchanged, softmax: func(n *net, x val) val {
		return n.safeSoftmax(x, -math.MaxFloat32, 2)
	}},
	"a maximum of 0 at least": {scores: unchanged, softmax: func(n *net, x val) val { return n.safeSoftmax(x, 0, 1) }},
	"with a sink":             {scores: unchanged, softmax: func(n *net, x val) val { return n.sinkSoftmax(x, n.input(3, 1, 1)) }, want: true},
	"with sinks of queries, causal": {scores: func(n *net, s val) val { return hide(n, keysOf(n, "le"), s, math.Inf(-1), false) },
		softmax: func(n *net, x val) val { return n.sinkSoftmax(x, n.input(5, 1)) }, want: true},
	"with sinks of keys": {scores: unchanged, softmax: func(n *net, x val) val { return n.sinkSoftmax(x, n.input(5)) }},
	"over queries": {scores: unchanged, softmax: func(n *net, x val) val {
		e := n.math("exp", n.sub(x, n.max(x, 2)))
		return n.div(e, n.sum(e, 2))
	}},
}

func unchanged(n *net, s val) val { return s }

// hide puts a number in place of the scores that a mask hides, or, if it is inverted, of those that it shows.
func hide(n *net, mask, s val, hidden float64, inverted bool) val {
	return n.Pointwise(ops.TensorType{DType: dtype.F32, Shape: s.Shape()}, []val{mask, s}, func(sc *ops.Scalars, x []ops.Elem) ops.Elem {
		if inverted {
			return sc.Select(x[0], sc.Const(dtype.F32, hidden), x[1])
		}
		return sc.Select(x[0], x[1], sc.Const(dtype.F32, hidden))
	})
}

// keysOf is a mask of the keys that have a relation to a query.
func keysOf(n *net, relation string) val {
	return n.FromIndex(ops.TensorType{DType: dtype.Bool, Shape: []int{5, 5}},
		func(s *ops.Scalars, i []ops.Elem) ops.Elem { return s.Cmp(relation, i[1], i[0]) })
}

func someKeys(n *net) val {
	return n.Pointwise(ops.TensorType{DType: dtype.Bool, Shape: []int{5, 5}}, []val{n.input(5, 5)},
		func(s *ops.Scalars, x []ops.Elem) ops.Elem { return s.Cmp("gt", x[0], s.Const(x[0].D, -0.5)) })
}

// attentionOf writes the function of one of the attentions.
func attentionOf(n *net, name string) *mlir.Operation {
	c := attentions[name]
	q, k, v := n.input(2, 3, 5, 4), n.input(2, 3, 5, 4), n.input(2, 3, 5, 6)
	s := c.scores(n, n.bmm(q, n.Permute(k, []int{0, 1, 3, 2})))
	if c.softmax == nil {
		c.softmax = (*net).softmax
	}
	return n.done(n.bmm(c.softmax(n, s), v))
}

// TestWhatIsAttention: a softmax of scaled and masked scores between two products becomes attention, in whatever order
// its operands are written; what is nearly that stays as it is. Both compute what is written.
func TestWhatIsAttention(t *testing.T) {
	for name, c := range attentions {
		n := newNet()
		f := attentionOf(n, name)
		p, err := Compile(f, Options{Backend: portable.Compile})
		require.NoError(t, err, name)
		require.Equal(t, c.want, strings.Contains(kinds(p), "attention"), "%s: %s", name, kinds(p))
		p.Close()
		compare(t, f, n.inputs)
	}
}
