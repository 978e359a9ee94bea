package tensor_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/go-acap/acap/device/acap"
	"github.com/go-acap/acap/tensor"
)

// TestWritesWithoutGradients: what is written within NoGrad leaves gradients where they flow, through a tensor, the
// views of it, and changes of the shape. Values and gradients are PyTorch's.
func TestWritesWithoutGradients(t *testing.T) {
	type T = *tensor.Tensor
	dev, quiet := acap.Device(), tensor.NoGrad
	weights := func(of ...float32) T { return tensor.FromSlice(of).To(dev) }
	half := func(x T) T { return x.Narrow(0, 0, 2) }
	for _, c := range []struct {
		name       string
		f          func(x T) T // of x, which is w times 3 or a parameter
		value      []float32
		grad       []float32
		ofOperator string // instead: what refuses
	}{
		{"tensor", func(x T) T { quiet(func() { x.MulScalarInPlace(2) }); return x }, []float32{6, 12, 18, 24}, []float32{3, 3, 3, 3}, ""},
		{"tensor, seen by a view", func(x T) T {
			y := half(x)
			quiet(func() { x.MulScalarInPlace(2); y.Sum().Item() })
			return y
		}, []float32{6, 12}, []float32{3, 3, 0, 0}, ""},
		{"view, seen by its base", func(x T) T {
			y := half(x)
			quiet(func() { y.MulScalarInPlace(2) })
			return x
		}, []float32{6, 12, 9, 12}, []float32{3, 3, 3, 3}, ""},
		{"view", func(x T) T {
			y := half(x)
			quiet(func() { y.MulScalarInPlace(2) })
			return y
		}, []float32{6, 12}, []float32{3, 3, 0, 0}, ""},
		{"copy", func(x T) T { quiet(func() { x.CopyInPlace(tensor.Ones(4).To(dev)) }); return x }, []float32{1, 1, 1, 1}, []float32{3, 3, 3, 3}, ""},
		{"copy of x", func(x T) T {
			y := tensor.Zeros(4).To(dev)
			quiet(func() { y.CopyInPlace(x) })
			return y.Add(x)
		}, []float32{6, 12, 18, 24}, []float32{3, 3, 3, 3}, ""},
		{"before and after", func(x T) T {
			z := x.MulScalar(2)
			quiet(func() { x.MulScalarInPlace(2) })
			return z.Add(x.Mul(x))
		}, []float32{42, 156, 342, 600}, []float32{42, 78, 114, 150}, ""},
		{"shape", func(x T) T {
			y := x.View([]int{2, 2})
			quiet(func() { y.TransposeInPlace(0, 1); y.UnsqueezeInPlace(0) })
			return y.Mul(weights(1, 2, 3, 4).View([]int{2, 2}))
		}, []float32{3, 18, 18, 48}, []float32{3, 9, 6, 12}, ""},
		{"with and without", func(x T) T {
			y := half(x)
			quiet(func() { x.MulScalarInPlace(2); x.AddScalarInPlace(1) })
			x.MulScalarInPlace(3)
			return y.Mul(weights(1, 10))
		}, []float32{21, 390}, []float32{9, 90, 0, 0}, ""},
		{"view that was made within", func(x T) T {
			quiet(func() { half(x).MulScalarInPlace(2) })
			return x
		}, []float32{6, 12, 9, 12}, []float32{3, 3, 3, 3}, ""},
		{"view that was made within, used", func(x T) (y T) {
			quiet(func() { y = half(x); y.MulScalarInPlace(2) })
			require.Equal(t, []float32{6, 12}, y.Float32s())
			return y.Neg()
		}, nil, nil, "narrow: the view was made where gradients are off"},
		{"view that was made within, written", func(x T) (y T) {
			quiet(func() { y = half(x) })
			return y.MulScalarInPlace(2)
		}, nil, nil, "mul_.Scalar: self is a view that was made where gradients are off"},
	} {
		t.Run(c.name, func(t *testing.T) {
			w := tensor.FromSlice([]float32{1, 2, 3, 4}).To(dev).RequiresGrad()
			var y T
			err := tensor.Try(func() { y = c.f(w.MulScalar(3)) })
			if c.ofOperator != "" {
				require.ErrorContains(t, err, c.ofOperator)
				return
			}
			require.NoError(t, err)
			require.Equal(t, c.value, y.Float32s())
			require.Equal(t, c.grad, tensor.Grad([]T{y.Sum()}, []T{w}, nil)[0].Float32s())
		})
	}
}

// TestZeroGradients: what was drawn does not follow its parameters, nor what an operator in place wrote over: PyTorch's
// gradients of them are zeros, and not absent.
func TestZeroGradients(t *testing.T) {
	dev := acap.Device()
	for name, f := range map[string]func(x, y *tensor.Tensor) *tensor.Tensor{
		"bernoulli":    func(x, _ *tensor.Tensor) *tensor.Tensor { return tensor.Call("bernoulli", x)[0] },
		"of a tensor":  func(x, y *tensor.Tensor) *tensor.Tensor { return tensor.Call("bernoulli.Tensor", x, y)[0] },
		"poisson":      func(x, _ *tensor.Tensor) *tensor.Tensor { return tensor.Call("poisson", x)[0] },
		"normal":       func(x, y *tensor.Tensor) *tensor.Tensor { return tensor.Call("normal.Tensor_Tensor", x, y)[0] },
		"uniform_":     func(x, _ *tensor.Tensor) *tensor.Tensor { return x.UniformInPlace() },
		"random_":      func(x, _ *tensor.Tensor) *tensor.Tensor { return x.RandomInPlace() },
		"eq_":          func(x, _ *tensor.Tensor) *tensor.Tensor { return x.EqScalarInPlace(1) },
		"copy_ a leaf": func(x, _ *tensor.Tensor) *tensor.Tensor { return x.CopyInPlace(tensor.Ones(2).To(dev)) },
	} {
		w := tensor.FromSlice([]float32{0.25, 0.5}).To(dev).RequiresGrad()
		y := f(w.MulScalar(1), w.MulScalar(1))
		require.Equal(t, []float32{0, 0}, tensor.Grad([]*tensor.Tensor{y.Sum()}, []*tensor.Tensor{w}, nil)[0].Float32s(), name)
	}
}
