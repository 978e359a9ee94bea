package tensor_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/go-acap/acap/base/dtype"
	"github.com/go-acap/acap/device/acap"
	"github.com/go-acap/acap/tensor"
)

// TestOrderInMemory: results of pointwise operators lie in memory as PyTorch's do, which decides whether a reshape
// shares memory. order is the dimensions by the strides that PyTorch 2.14 gives, the largest first.
func TestOrderInMemory(t *testing.T) {
	type T = *tensor.Tensor
	dev := acap.Device()
	ones := func(dims ...int) T { return tensor.Ones(dims...).To(dev) }
	shares := func(y, z T) bool {
		before := y.ToDtype(dtype.F32).MulScalar(1).Float32s()
		z.FillScalarInPlace(1)
		z.ZeroInPlace()
		after := y.ToDtype(dtype.F32).MulScalar(1).Float32s()
		for i := range before {
			if after[i] != 0 {
				require.Equal(t, before, after)
				return false
			}
		}
		return true
	}
	last := func(x T) T { return x.Contiguous(tensor.With("memory_format", 2)) } // channels
	pictures := func(x T) T { return x.View([]int{2, 3, 2, 2}) }
	index := func(x T, at ...T) T { return tensor.Call("index.Tensor", x, at)[0] }
	two := tensor.FromSlice([]int64{1, 0}).To(dev)
	matrix := tensor.FromSlice([]int64{0, 1, 0, 1, 0, 1}, 2, 3).To(dev).T()
	truths := tensor.FromSlice([]bool{true, true, false}).To(dev)
	for name, c := range map[string]struct {
		f     func(x T) T
		order []int
	}{
		"index":               {func(x T) T { return index(x.Transpose(0, 2), two) }, []int{0, 2, 1}},
		"index in the middle": {func(x T) T { return index(x.Transpose(0, 2), nil, two) }, []int{2, 1, 0}},
		"indices apart":       {func(x T) T { return index(x.Permute([]int{2, 1, 0}), two, nil, two) }, []int{0, 1}},
		"transposed index":    {func(x T) T { return index(x.Transpose(0, 2), nil, matrix) }, []int{3, 2, 1, 0}},
		"two indices": {func(x T) T {
			return index(x.Permute([]int{1, 2, 0}), matrix, two.View([]int{2, 1}).Expand([]int{2, 3}).T())
		}, []int{1, 0, 2}},
		"mask":                      {func(x T) T { return index(x.Transpose(0, 2), nil, truths) }, []int{2, 1, 0}},
		"index_put":                 {func(x T) T { return tensor.Call("index_put", x.Transpose(0, 2), []T{nil, two}, ones())[0] }, []int{2, 1, 0}},
		"neg permuted":              {func(x T) T { return x.Permute([]int{2, 0, 1}).Neg() }, []int{1, 2, 0}},
		"add transposed, in order":  {func(x T) T { return x.Transpose(0, 1).Add(ones(3, 2, 4)) }, []int{1, 0, 2}},
		"add in order, transposed":  {func(x T) T { return ones(3, 2, 4).Add(x.Transpose(0, 1)) }, []int{0, 1, 2}},
		"add row":                   {func(x T) T { return x.Transpose(0, 2).Add(ones(2)) }, []int{2, 1, 0}},
		"outer":                     {func(T) T { return ones(3, 1).Mul(ones(1, 4)) }, []int{0, 1}},
		"outer of columns":          {func(T) T { return ones(4, 3).T().Narrow(1, 0, 1).Mul(ones(4)) }, []int{0, 1}},
		"clone of slices":           {func(x T) T { return x.Transpose(1, 2).Narrow(1, 1, 2).Clone() }, []int{0, 2, 1}},
		"expanded":                  {func(T) T { return ones(4, 1, 3).Permute([]int{2, 0, 1}).Expand([]int{3, 4, 5}).Exp() }, []int{1, 0, 2}},
		"where":                     {func(x T) T { y := x.Transpose(0, 1); return tensor.Call("where.self", y.GtScalar(0), y, ones())[0] }, []int{1, 0, 2}},
		"softmax":                   {func(x T) T { return x.Transpose(0, 1).Softmax(2) }, []int{0, 1, 2}},
		"of a result":               {func(x T) T { return x.Permute([]int{2, 0, 1}).Neg().Transpose(0, 1).MulScalar(2) }, []int{0, 2, 1}},
		"steps":                     {func(x T) T { return x.Slice(2, 0, 4, tensor.Step(2)).Permute([]int{1, 2, 0}).Abs() }, []int{2, 0, 1}},
		"two orders":                {func(x T) T { return x.Permute([]int{2, 1, 0}).Add(ones(3, 4, 2).Transpose(0, 1)) }, []int{2, 1, 0}},
		"clone in order":            {func(x T) T { return x.Permute([]int{1, 2, 0}).Clone(tensor.With("memory_format", 0)) }, []int{0, 1, 2}},
		"contiguous of a result":    {func(x T) T { return x.Permute([]int{1, 2, 0}).Neg().Contiguous() }, []int{0, 1, 2}},
		"channels last":             {func(x T) T { return last(pictures(x)) }, []int{0, 2, 3, 1}},
		"clone with channels last":  {func(x T) T { return pictures(x).Clone(tensor.With("memory_format", 2)).Neg() }, []int{0, 2, 3, 1}},
		"channels last again":       {func(x T) T { return last(last(pictures(x))).Contiguous() }, []int{0, 1, 2, 3}},
		"convolution":               {func(x T) T { return last(pictures(x)).Conv2d(ones(2, 3, 1, 1)) }, []int{0, 2, 3, 1}},
		"convolution's weight":      {func(x T) T { return pictures(x).Conv2d(last(ones(2, 3, 1, 2))) }, []int{0, 2, 3, 1}},
		"convolution of rows first": {func(x T) T { return pictures(x).Transpose(2, 3).Conv2d(ones(2, 3, 1, 1)) }, []int{0, 1, 2, 3}},
		"pool":                      {func(x T) T { return last(pictures(x)).MaxPool2d([]int{1, 1}) }, []int{0, 2, 3, 1}},
		"pictures joined":           {func(x T) T { return tensor.Cat([]T{last(pictures(x)), last(pictures(x))}, tensor.Dim(1)) }, []int{0, 2, 3, 1}},
		"one of two joined":         {func(x T) T { return tensor.Cat([]T{last(pictures(x)), pictures(x)}, tensor.Dim(1)) }, []int{0, 1, 2, 3}},
		"softmax of channels last":  {func(x T) T { return last(pictures(x)).Softmax(1) }, []int{0, 1, 2, 3}},
		"flip":                      {func(x T) T { return x.Permute([]int{1, 2, 0}).Flip([]int{0}) }, []int{2, 0, 1}},
		"compare":                   {func(x T) T { return x.Permute([]int{1, 2, 0}).GtScalar(-1) }, []int{2, 0, 1}},
		"random":                    {func(x T) T { return tensor.Call("rand_like", x.Permute([]int{1, 2, 0}))[0].AddScalar(1) }, []int{2, 0, 1}},
		"in place":                  {func(x T) T { return x.Permute([]int{1, 2, 0}).Neg().AddScalarInPlace(100) }, []int{2, 0, 1}},
		"written in place of order": {func(x T) T { return ones(3, 4, 2).AddInPlace(x.Permute([]int{1, 2, 0})) }, []int{0, 1, 2}},
	} {
		x := func() T { return tensor.Arange(24).ToDtype(dtype.F32).AddScalar(1).View([]int{2, 3, 4}).To(dev) }
		y := c.f(x())
		inOrder := true
		for d, k := range c.order {
			inOrder = inOrder && d == k
		}
		require.Equal(t, inOrder, shares(y, y.Reshape([]int{-1})), "%s: a reshape", name)
		y = c.f(x())
		require.True(t, shares(y, y.Permute(c.order).Reshape([]int{-1})), "%s: a reshape in order of memory", name)
	}
	y := tensor.Arange(6).View([]int{2, 3}).To(dev).T().Neg()
	require.ErrorContains(t, tensor.Try(func() { y.AsStrided([]int{2}, []int{1}) }), "self has memory with strides of [1 3]")
}

// TestGradientsOfMemory: as_strided of a view gives the gradients of PyTorch where it stays within the view, and is
// refused where it leaves the view, as PyTorch drops gradients there.
func TestGradientsOfMemory(t *testing.T) {
	dev := acap.Device()
	for name, c := range map[string]struct {
		f    func(x *tensor.Tensor) *tensor.Tensor
		want []float32 // nil if it is refused
	}{
		"within": {func(x *tensor.Tensor) *tensor.Tensor { return x.Narrow(0, 2, 3).AsStrided([]int{3}, []int{1}) }, []float32{0, 0, 1, 2, 3, 0}},
		"transposed": {func(x *tensor.Tensor) *tensor.Tensor {
			return x.View([]int{2, 3}).T().AsStrided([]int{2, 2}, []int{1, 2}, tensor.StorageOffset(1))
		}, []float32{0, 1, 3, 2, 4, 0}},
		"before": {func(x *tensor.Tensor) *tensor.Tensor {
			return x.Narrow(0, 2, 3).AsStrided([]int{2}, []int{1}, tensor.StorageOffset(1))
		}, nil},
		"between": {func(x *tensor.Tensor) *tensor.Tensor {
			return x.Slice(0, 0, 6, tensor.Step(2)).AsStrided([]int{4}, []int{1})
		}, nil},
	} {
		w := tensor.Of([]float32{1, 2, 3, 4, 5, 6}).To(dev).RequiresGrad()
		var y *tensor.Tensor
		err := tensor.Try(func() { y = c.f(w.MulScalar(1)) })
		if c.want == nil {
			require.ErrorContains(t, err, "no gradient flows there through self", name)
			require.NoError(t, tensor.Try(func() { c.f(w.Detach()) }), name)
			continue
		}
		require.NoError(t, err, name)
		cot := tensor.Arange(y.NumElements()).ToDtype(dtype.F32).AddScalar(1).View(y.Shape()).To(dev)
		require.Equal(t, c.want, tensor.Grad([]*tensor.Tensor{y}, []*tensor.Tensor{w}, []*tensor.Tensor{cot})[0].Float32s(), name)
	}
}
