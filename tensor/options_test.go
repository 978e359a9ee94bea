package tensor_test

import (
	"fmt"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/go-acap/acap/base/dtype"
	"github.com/go-acap/acap/device/acap"
	"github.com/go-acap/acap/tensor"
)

// Options of their own names give what With gives.
func TestTypedOptions(t *testing.T) {
	x, w := tensor.Arange(64).View([]int{1, 1, 8, 8}), tensor.Arange(9).View([]int{1, 1, 3, 3})
	same := func(a, b *tensor.Tensor) {
		t.Helper()
		require.Equal(t, fmt.Sprint(b.Shape()), fmt.Sprint(a.Shape()))
		require.Equal(t, b.DType(), a.DType())
		require.Equal(t, b.Float64s(), a.Float64s())
	}
	same(x.Conv2d(w, tensor.Stride(2), tensor.Padding(1)), x.Conv2d(w, tensor.With("stride", 2), tensor.With("padding", 1)))
	same(x.Conv2d(w, tensor.Stride(2, 1)), x.Conv2d(w, tensor.With("stride", []int{2, 1})))
	same(x.Argmax(tensor.Dim(-1), tensor.KeepDim), x.Argmax(tensor.With("dim", -1), tensor.With("keepdim", true)))
	same(x.Sum(tensor.DType(dtype.F64)), x.Sum(tensor.With("dtype", dtype.F64)))
	same(x.Add(x, tensor.Alpha(2)), x.MulScalar(3))
	same(x.MSELoss(x.AddScalar(2), tensor.ReductionSum), tensor.FullLike(256, dtype.F32))
	same(x.MSELoss(x.AddScalar(2), tensor.Reduction("sum")), tensor.FullLike(256, dtype.F32))
	same(x.Var(tensor.Unbiased(false)), x.Var(tensor.With("unbiased", false)))
	same(x.GELU(tensor.ApproximateTanh), x.GELU(tensor.With("approximate", "tanh")))
	same(x.Clamp(tensor.Min(3), tensor.Max(5)), x.ClampMin(3).ClampMax(5))
	i := tensor.Of([]int64{1, 2})
	require.Equal(t, dtype.I64, i.Add(i, tensor.Alpha(2)).DType(), "whole numbers stay whole")
}

func TestAt(t *testing.T) {
	x := tensor.Arange(24).View([]int{2, 3, 4})
	for _, c := range []struct {
		got   *tensor.Tensor
		shape []int
		first float64
	}{
		{x.At(), []int{2, 3, 4}, 0},
		{x.At(1), []int{3, 4}, 12},
		{x.At(-1, -1, -1), []int{}, 23},
		{x.At(tensor.All, tensor.Range(1, 3), tensor.NewAxis, 2), []int{2, 2, 1}, 6},
		{x.At(tensor.Rest, 1), []int{2, 3}, 1},
		{x.At(1, tensor.Rest, tensor.NewAxis), []int{3, 4, 1}, 12},
		{x.At(0, tensor.Rest, 3), []int{3}, 3},
		{x.At(tensor.All, tensor.RangeBy(0, tensor.ToEnd, 2), tensor.Range(-2, tensor.ToEnd)), []int{2, 2, 2}, 2},
		{x.At(tensor.All, []int{2, 0}), []int{2, 2, 4}, 8},
		{x.At([]int{1, 0}, tensor.All, []int{3, 1}), []int{2, 3}, 15},
		{x.At(tensor.NewAxis, 1, []int{2, 2}), []int{1, 2, 4}, 20},
		{x.At(x.GtScalar(20)), []int{3}, 21},
		{x.At(1, x.At(1).GtScalar(20)), []int{3}, 21},
		{x.At(tensor.All, tensor.Of([]bool{false, true, false}), 1), []int{2, 1}, 5},
	} {
		require.Equal(t, c.shape, c.got.Shape())
		require.Equal(t, c.first, c.got.Float64s()[0])
	}
	y := x.Clone()
	y.At(0, tensor.Range(0, 2)).FillInPlace(tensor.Scalar(7.0))
	require.Equal(t, 8*7+8+9+10+11.0, y.At(0).Sum().Item(), "a view writes its base")
	require.Equal(t, []float32{4, 6}, x.At(0, 1).Slice(0, 0, tensor.ToEnd, tensor.Step(2)).Float32s())

	for _, f := range []func(){
		func() { x.At(0, 0, 0, 0) }, func() { x.At("a") }, func() { x.At(2) }, func() { x.At(tensor.RangeBy(0, 1, 0)) },
		func() { x.At(tensor.Zeros(2, 3, 4, 5).GtScalar(0)) }, func() { x.At((*tensor.Tensor)(nil)) },
	} {
		require.Error(t, tensor.Try(f))
	}
}

func TestKind(t *testing.T) {
	half := tensor.Kind{DType: dtype.F16, Device: acap.Device()}
	for _, x := range []*tensor.Tensor{half.Zeros(2, 3), half.Ones(2, 3), half.Full(2, 2, 3), half.Eye(3), half.Arange(0, 6, 2),
		half.Linspace(0, 1, 4), half.Rand(2), half.Randn(2)} {
		require.Equal(t, dtype.F16, x.DType())
		require.Equal(t, acap.Device(), x.Device())
	}
	require.Equal(t, []float32{0, 0.5, 1}, tensor.Linspace(0, 1, 3).Float32s())
	require.Equal(t, []float32{1, 0, 0, 1}, tensor.Eye(2).Float32s())
	require.Equal(t, []int32{5, 3, 1}, tensor.Data[int32](tensor.ArangeOf[int32](5, 0, -2)))
	require.Equal(t, []int64{7, 7}, tensor.Data[int64](tensor.Full(int64(7), 2)))
	require.Equal(t, dtype.I64, tensor.Kind{}.Arange(0, 3, 1).DType())
	require.Equal(t, []int{}, tensor.Kind{}.Ones().Shape())
	require.Error(t, tensor.Try(func() { tensor.Full(1.0, -1) }))
}

// A name that is almost right is named in the error.
func TestNearestNames(t *testing.T) {
	x := tensor.Ones(1, 1, 3, 3)
	for want, f := range map[string]func(){
		"stride":  func() { x.Conv2d(x, tensor.With("strid", 2)) },
		"softmax": func() { tensor.Call("sofmax", x, 1) },
		"mean":    func() { x.MSELoss(x, tensor.Reduction("men")) },
	} {
		require.ErrorContains(t, tensor.Try(f), want)
	}
}

func ExampleTensor_At() {
	x := tensor.Arange(12).View([]int{3, 4})
	fmt.Println(x.At(tensor.All, 1).Float32s(), x.At(-1, tensor.Range(1, 3)).Float32s())
	fmt.Println(x.At(tensor.NewAxis, []int{2, 0}).Shape())
	// Output:
	// [1 5 9] [9 10]
	// [1 2 4]
}
