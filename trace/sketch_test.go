package trace

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/go-acap/acap/base/buf"
	"github.com/go-acap/acap/base/dtype"
	"github.com/go-acap/acap/ops"
)

// apply records a call with any arguments.
func apply(t testing.TB, name string, args ...any) *Node {
	list := make([]ops.Arg, len(args))
	for i, a := range args {
		if v, ok := a.(ops.Value); ok {
			list[i] = ops.TensorArg(v)
		} else {
			list[i] = ops.ArgOf(a)
		}
	}
	n, err := Record(ops.MustLookup(name), list...)
	require.NoError(t, err)
	return n
}

func sketch(roots ...ops.Value) *Sketch { return Collect(roots).Sketch() }

// TestDifferences: each kind of difference is found at the call that has it, with both values, and in both directions.
func TestDifferences(t *testing.T) {
	of := func(d dtype.DType, dims ...int) *Node { return Leaf(buf.New(d, dims)) }
	x := leaf(2, 3)
	constant := leaf(2, 3)
	constant.Freeze()
	dynamic := x.Vary(x.Data(0), Dynamic{1, []int{4, 8}})
	wide := func(v ops.Value) *Node { return apply(t, "relu", v) }
	for name, c := range map[string]struct {
		now, was *Sketch
		want     *Difference
	}{
		"none":    {sketch(wide(x)), sketch(wide(leaf(2, 3))), nil},
		"dtype":   {sketch(wide(of(dtype.F64, 2, 3))), sketch(wide(x)), &Difference{Kind: "dtype", Op: "relu", WasOp: "relu", What: "input 0", Now: "f64[2 3]", Was: "f32[2 3]"}},
		"shape":   {sketch(wide(leaf(2, 4))), sketch(wide(x)), &Difference{Kind: "shape", Op: "relu", WasOp: "relu", What: "input 0", Now: "f32[2 4]", Was: "f32[2 3]"}},
		"frozen":  {sketch(wide(constant)), sketch(wide(x)), &Difference{Kind: "constant", Op: "relu", WasOp: "relu", What: "input 0", Now: "frozen", Was: "not frozen"}},
		"buckets": {sketch(wide(dynamic)), sketch(wide(x)), &Difference{Kind: "dynamic", Op: "relu", WasOp: "relu", What: "input 0", Now: "dimension 1 in buckets [4 8]", Was: "no dynamic dimension"}},
		"other":   {sketch(apply(t, "neg", x)), sketch(wide(x)), &Difference{Kind: "operator", Op: "neg", WasOp: "relu", What: "the operator", Now: "neg", Was: "relu"}},
		"both":    {sketch(apply(t, "neg", leaf(5))), sketch(wide(x)), &Difference{Kind: "operator", Op: "neg", WasOp: "relu", What: "the operator", Now: "neg", Was: "relu"}},
		"extra":   {sketch(apply(t, "neg", wide(x))), sketch(wide(x)), &Difference{Kind: "extra call", Op: "neg", What: "the number of calls", Now: "2", Was: "1"}},
		"missing": {sketch(wide(x)), sketch(apply(t, "neg", wide(x))), &Difference{Kind: "missing call", WasOp: "neg", What: "the number of calls", Now: "1", Was: "2"}},
		"ints":    {sketch(apply(t, "permute", x, []int{1, 0})), sketch(apply(t, "permute", x, []int{0, 1})), &Difference{Kind: "attribute", Op: "permute", WasOp: "permute", What: "argument dims", Now: "[1 0]", Was: "[0 1]"}},
		"int":     {sketch(apply(t, "cumsum", x, 0)), sketch(apply(t, "cumsum", x, 1)), &Difference{Kind: "scalar", Op: "cumsum", WasOp: "cumsum", What: "argument dim", Now: "0", Was: "1"}},
		"bool":    {sketch(apply(t, "argmax", x, 0, true)), sketch(apply(t, "argmax", x, 0, false)), &Difference{Kind: "attribute", Op: "argmax", WasOp: "argmax", What: "argument keepdim", Now: "true", Was: "false"}},
		"none or": {sketch(apply(t, "argmax", x, 0, true)), sketch(apply(t, "argmax", x, nil, true)), &Difference{Kind: "attribute", Op: "argmax", WasOp: "argmax", What: "argument dim", Now: "0", Was: "none"}},
		"text":    {sketch(apply(t, "gelu", x, "tanh")), sketch(apply(t, "gelu", x)), &Difference{Kind: "attribute", Op: "gelu", WasOp: "gelu", What: "argument approximate", Now: `"tanh"`, Was: `"none"`}},
		"type":    {sketch(apply(t, "_to_copy", x, dtype.F64)), sketch(apply(t, "_to_copy", x, dtype.F16)), &Difference{Kind: "attribute", Op: "_to_copy", WasOp: "_to_copy", What: "argument dtype", Now: "f64", Was: "f16"}},
	} {
		got := c.now.Differ(c.was)
		if got != nil {
			require.Contains(t, got.Where+got.WasWhere, "sketch_test.go:", name)
			got.Where, got.WasWhere = "", ""
		}
		require.Equal(t, c.want, got, name)
	}

	positive := wide(x)
	d := sketch(apply(t, "sub.Tensor", positive, x)).Differ(sketch(apply(t, "sub.Tensor", apply(t, "neg", x), x)))
	require.Equal(t, "operator", d.Kind, "the first call counts")
	d = sketch(apply(t, "sub.Tensor", positive, x)).Differ(sketch(apply(t, "sub.Tensor", positive, positive)))
	require.Equal(t, "operands", d.Kind)
	require.Equal(t, "which values the call takes", d.What)
	require.Regexp(t, `^relu sketch_test.go:\d+, input 0$`, d.Now)
	require.Regexp(t, `^relu sketch_test.go:\d+, relu sketch_test.go:\d+$`, d.Was)
	many := []ops.Value{positive, apply(t, "neg", positive)}
	d = sketch(many...).Differ(sketch(many[1]))
	require.Equal(t, "results", d.Kind)
	require.Regexp(t, `^relu sketch_test.go:\d+, neg sketch_test.go:\d+$`, d.Now)
	require.Regexp(t, `^neg sketch_test.go:\d+$`, d.Was)
}

// TestSame counts equal calls from the front, and Likeness calls of the same operators from both ends.
func TestSame(t *testing.T) {
	x := leaf(4)
	chain := func(names ...string) *Sketch {
		v := ops.Value(x)
		for _, n := range names {
			v = apply(t, n, v)
		}
		return sketch(v)
	}
	a := chain("relu", "neg", "exp", "sin")
	for _, c := range []struct {
		names       []string
		same, alike int // calls
	}{
		{[]string{"relu", "neg", "exp", "sin"}, 4, 4}, {[]string{"relu", "neg", "cos", "sin"}, 2, 3}, {[]string{"relu"}, 1, 1},
		{[]string{"neg", "exp", "sin"}, 0, 3}, {[]string{"cos", "cos", "cos", "cos"}, 0, 0}, {[]string{"relu", "neg", "exp", "sin", "relu", "neg"}, 4, 4},
	} {
		b := chain(c.names...)
		require.Equal(t, c.same, a.Same(b), c.names)
		require.Equal(t, c.same, b.Same(a), c.names)
		n := float64(max(4, len(c.names)))
		require.InDelta(t, (float64(c.alike)+float64(c.same)/(n+1))/n, a.Likeness(b), 1e-12, c.names)
		require.Equal(t, len(c.names), b.Calls())
	}
}

// TestDroppedOperands: a graph whose call another graph has run, on another goroutine, has a sketch that compares.
func TestDroppedOperands(t *testing.T) {
	x := apply(t, "mul.Tensor", leaf(2), leaf(2))
	g, before := Collect([]ops.Value{apply(t, "relu", x)}), Collect([]ops.Value{x})
	x.SetData([]*buf.Buffer{buf.New(dtype.F32, []int{2})})
	before.Done()
	now, was := g.Sketch(), sketch(apply(t, "relu", apply(t, "mul.Tensor", leaf(2), leaf(3, 2))))
	require.Equal(t, "shape", was.Differ(now).Kind)
	_, op, _, ok := now.Input(1)
	require.True(t, ok)
	require.Empty(t, op)
}
