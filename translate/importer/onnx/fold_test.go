package onnx

import (
	"maps"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

// TestFolds: what models compute shapes, axes and masks with is known before they run, and what it is.
func TestFolds(t *testing.T) {
	const (
		integers = "a = i64 2x2: 7 -3 0 5\nb = i64 2: 2 -3\n"
		truths   = "p = bool 4: 0 0 1 1\nq = bool 4: 0 1 0 1\n"
		line     = "v = i64 4: 3 -1 4 2\n"
	)
	left := map[string]bool{}
	for name := range folds {
		left[name] = true
	}
	for _, c := range []struct{ tensors, node, want string }{
		{integers, "Add(a, b)", "i64 2x2: 9 -6 2 2"},
		{integers, "Sub(a, b)", "i64 2x2: 5 0 -2 8"},
		{integers, "Mul(a, b)", "i64 2x2: 14 9 0 -15"},
		{integers, "Div(a, b)", "i64 2x2: 3 1 0 -1"},
		{integers, "Mod(a, b)", "i64 2x2: 1 0 0 -1"},
		{integers, "Min(a, b)", "i64 2x2: 2 -3 0 -3"},
		{integers, "Max(a, b)", "i64 2x2: 7 -3 2 5"},
		{integers, "Equal(a, b)", "bool 2x2: 0 1 0 0"},
		{integers, "Less(a, b)", "bool 2x2: 0 0 1 0"},
		{integers, "LessOrEqual(a, b)", "bool 2x2: 0 1 1 0"},
		{integers, "Greater(a, b)", "bool 2x2: 1 0 0 1"},
		{integers, "GreaterOrEqual(a, b)", "bool 2x2: 1 1 0 1"},
		{"a = i32 3: 1 2 3\nb = i32: 2\n", "Less(a, b)", "bool 3: 1 0 0"},
		{truths, "And(p, q)", "bool 4: 0 0 0 1"},
		{truths, "Or(p, q)", "bool 4: 0 1 1 1"},
		{truths, "Xor(p, q)", "bool 4: 0 1 1 0"},
		{truths, "Not(p)", "bool 4: 1 1 0 0"},
		{integers, "Neg(a)", "i64 2x2: -7 3 0 -5"},
		{integers, "Abs(a)", "i64 2x2: 7 3 0 5"},
		{integers, "Identity(a)", "i64 2x2: 7 -3 0 5"},
		{integers + "c = bool 2x1: 1 0\n", "Where(c, a, b)", "i64 2x2: 7 -3 2 -3"},
		{integers, "Cast(a) to=9", "bool 2x2: 1 1 0 1"},
		{"a = f32 3: 1.5 -1.5 0\n", "Cast(a) to=7", "i64 3: 1 -1 0"},
		{line, "ReduceSum(v)", "i64 1: 8"},
		{line, "ReduceSum(v) keepdims=0", "i64: 8"},
		{line, "ReduceProd(v)", "i64 1: -24"},
		{line, "ReduceMax(v) keepdims=0", "i64: 4"},
		{line, "ReduceMin(v)", "i64 1: -1"},
		{line, "ReduceMax(v)", "i64 1: 4"},
		{"e = i64 0:\n", "ReduceSum(e)", "i64 1: 0"},
		{"e = i64 0:\n", "ReduceProd(e)", "i64 1: 1"},
		{"s = i64: 3\n", "ReduceMin(s)", "i64: 3"},
		{"a = i64: 3\nb = i64: -2\n", "Mul(a, b)", "i64: -6"},
		{integers + "c = bool: 0\n", "Where(c, a, b)", "i64 2x2: 2 -3 2 -3"},
		{integers + "i = i64 2x1: -1 0\n", "Gather(a, i) axis=-1", "i64 2x2x1: -3 7 5 0"},
		{"v = i64 2x3x2: 1 2 3 4 5 6 7 8 9 10 11 12\ni = i64 1x2: 2 0\n", "Gather(v, i) axis=1", "i64 2x1x2x2: 5 6 1 2 11 12 7 8"},
		{"v = i64 2x3x2: 1 2 3 4 5 6 7 8 9 10 11 12\n", "Transpose(v) perm=[1,2,0]", "i64 3x2x2: 1 7 2 8 3 9 4 10 5 11 6 12"},
		{"v = i64 2x1x2: 1 2 3 4\nw = i64 2x2x2: 5 6 7 8 9 10 11 12\n", "Concat(v, w) axis=1", "i64 2x3x2: 1 2 5 6 7 8 3 4 9 10 11 12"},
		{"f = f32: 2.5\n", "Identity(f)", "f32: 2.5"},
		{"i = i32 2: 300 -1\n", "Cast(i) to=2", "u8 2: 44 255"},
		{line + "i = i64 3: 3 0 -2\n", "Gather(v, i)", "i64 3: 2 3 4"},
		{integers + "i = i64: -1\n", "Gather(a, i) axis=1", "i64 2: -3 5"},
		{line + "s = i64 1: 1\ne = i64 1: 9\n", "Slice(v, s, e)", "i64 3: -1 4 2"},
		{line + "s = i64 1: -1\ne = i64 1: -9\nx = i64 1: 0\nd = i64 1: -2\n", "Slice(v, s, e, x, d)", "i64 2: 2 -1"},
		{integers + line, "Concat(b, v) axis=0", "i64 6: 2 -3 3 -1 4 2"},
		{integers, "Transpose(a)", "i64 2x2: 7 0 -3 5"},
		{line + "s = i64 2: 2 -1\n", "Reshape(v, s)", "i64 2x2: 3 -1 4 2"},
		{integers + "s = i64 3: 2 1 2\n", "Expand(b, s)", "i64 2x1x2: 2 -3 2 -3"},
		{integers + "x = i64 2: 0 2\n", "Unsqueeze(b, x)", "i64 1x2x1: 2 -3"},
		{"a = i64 1x2x1: 4 5\nx = i64 1: 0\n", "Squeeze(a, x)", "i64 2x1: 4 5"},
		{"a = i64 1x2x1: 4 5\n", "Squeeze(a)", "i64 2: 4 5"},
		{integers, "NonZero(a)", "i64 2x3: 0 0 1 0 1 1"},
		{integers, "Shape(a)", "i64 2: 2 2"},
		{integers, "Shape(a) start=1", "i64 1: 2"},
		{line, "Size(v)", "i64: 4"},
	} {
		text := c.tensors + "y = " + c.node + "\nwant y = " + c.want
		check(t, text)
		p := newProgram(t, text)
		m, err := p.read(true)
		require.NoError(t, err, text)
		bound, err := m.Bind(nil, onHost)
		require.NoError(t, err, text)
		require.NotContains(t, bound.Module.String(), "aten.", text)
		op, _, _ := strings.Cut(c.node, "(")
		delete(left, op)
	}
	require.Empty(t, slices.Sorted(maps.Keys(left)), "no test")
	for _, op := range []string{"Div", "Mod"} { // what has no quotient is left to the operator
		p := newProgram(t, "a = i64 2: 4 5\nb = i64 2: 2 0\ny = "+op+"(a, b)")
		p.wanted = []string{"y"}
		m, err := p.read(true)
		require.NoError(t, err)
		module, err := m.Import(nil)
		require.NoError(t, err)
		require.Contains(t, module.String(), "aten.", op)
	}
}
