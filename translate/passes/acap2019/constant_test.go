package acap2019

import (
	"math"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/go-acap/acap/base/dtype"
	"github.com/go-acap/acap/mlir"
	"github.com/go-acap/acap/ops"
)

// TestConstantsComeBack: an argument of each kind has the value of its constant of 2019, in the smallest type that
// holds it.
func TestConstantsComeBack(t *testing.T) {
	for _, c := range []struct {
		arg  ops.Arg
		name string
	}{
		{ops.Arg{}, "none"}, {ops.IntArg(0), "i32"}, {ops.IntArg(math.MaxInt32), "i32"}, {ops.IntArg(math.MinInt32), "i32"},
		{ops.IntArg(math.MaxInt32 + 1), "i64"}, {ops.IntArg(math.MinInt64), "i64"},
		{ops.FloatArg(0.5), "f32"}, {ops.FloatArg(0.1), "f64"}, {ops.FloatArg(math.Inf(-1)), "f32"}, {ops.FloatArg(1e300), "f64"},
		{ops.BoolArg(true), "bool"}, {ops.BoolArg(false), "bool"}, {ops.ComplexArg(1 - 2i), "complex"}, {ops.StringArg("a b"), "str"},
		{ops.StringArg(""), "str"}, {ops.IntsArg([]int{}), "List[i32]"}, {ops.IntsArg([]int{1, -2}), "List[i32]"},
		{ops.IntsArg([]int{1, 1 << 40, 2}), "List[i64]"}, {ops.BoolsArg([]bool{true, false, true}), "List[i1]"}, {ops.BoolsArg([]bool{false}), "List[i1]"},
		{ops.FloatsArg([]float64{0.5, 0.1}), "List[f64]"}, {ops.FloatsArg([]float64{1, 2, 3}), "List[f64]"},
		{ops.DTypeArg(dtype.F16), "dtype"}, {ops.DTypeArg(dtype.Bool), "dtype"}, {ops.DTypeArg(dtype.U8), "dtype"},
	} {
		op := constant(&c.arg)
		require.NotNil(t, op, c.name)
		require.Equal(t, mlir.StringAttr(c.name), op.Attrs.Get("type"))
		got, err := Arg(op)
		require.NoError(t, err)
		require.Equal(t, c.arg, got, c.name)
	}
	nan := ops.FloatArg(math.NaN())
	op := constant(&nan)
	require.Equal(t, mlir.StringAttr("f32"), op.Attrs.Get("type"))
	got, err := Arg(op)
	require.NoError(t, err)
	require.True(t, math.IsNaN(got.Float()))
	for _, a := range []mlir.Attribute{nil, mlir.ArrayAttr{}, mlir.TypeAttr{Type: mlir.F32}} {
		_, err := Arg(mlir.NewOp("aten.constant", nil, []mlir.Type{mlir.I32}, mlir.Attrs{{Name: "value", Value: a}}))
		require.ErrorContains(t, err, "aten.constant without a value")
	}
}
