package nn_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/go-acap/acap/base/dtype"
	"github.com/go-acap/acap/tensor"
	"github.com/go-acap/acap/tensor/nn"
)

// TestJointNorm: statistics over all parts of a batch, where there is one part, are the batch's, in outputs, gradients
// and running means.
func TestJointNorm(t *testing.T) {
	tensor.Seed(11)
	for name, c := range map[string]struct {
		make func(int) *nn.BatchNorm
		dims []int
	}{
		"1d": {nn.NewBatchNorm1d, []int{5, 3}}, "1d of sequences": {nn.NewBatchNorm1d, []int{2, 3, 4}},
		"2d": {nn.NewBatchNorm2d, []int{2, 3, 2, 3}}, "3d": {nn.NewBatchNorm3d, []int{1, 3, 2, 2, 2}},
	} {
		x := tensor.Randn(c.dims...).MulScalar(2).AddScalar(0.5)
		run := func(sum func(*tensor.Tensor) *tensor.Tensor) [][]float64 {
			b := c.make(3)
			b.Sum, b.Momentum = sum, 0.3
			b.Weight.Assign(tensor.Of([]float32{1, -2, 0.5}))
			b.Bias.Assign(tensor.Of([]float32{0, 1, 3}))
			in := x.Clone().RequiresGrad()
			y := b.Forward(in)
			grads := tensor.Grad([]*tensor.Tensor{y.Mul(y).Mul(y).Sum()}, []*tensor.Tensor{in, b.Weight, b.Bias}, nil)
			return [][]float64{y.Float64s(), b.Mean.Float64s(), b.Var.Float64s(), grads[0].Float64s(), grads[1].Float64s(), grads[2].Float64s()}
		}
		want, got := run(nil), run(func(t *tensor.Tensor) *tensor.Tensor { return t })
		for i := range want {
			require.InDeltaSlice(t, want[i], got[i], 2e-3, "%s: %d", name, i)
		}
		// Twice the same part is twice the batch: only the unbiased variance differs.
		n := float64(x.NumElements() / 3)
		twice := run(func(t *tensor.Tensor) *tensor.Tensor { return t.MulScalar(2) })
		require.InDeltaSlice(t, want[0], twice[0], 1e-5, name)
		for i, v := range want[2] {
			biased := (v - 0.7) * (n - 1) / n
			require.InDelta(t, 0.7+biased*2*n/(2*n-1), twice[2][i], 1e-5, name)
		}
	}
	half := nn.NewBatchNorm1d(2)
	for _, d := range []dtype.DType{dtype.F16, dtype.BF16, dtype.F32, dtype.F64} {
		sums := 0
		half.Sum = func(s *tensor.Tensor) *tensor.Tensor {
			sums++
			want := dtype.F32
			if d == dtype.F64 {
				want = dtype.F64
			}
			require.Equal(t, want, s.DType(), "sums of %v", d)
			return s
		}
		half.Forward(tensor.Of([][]float64{{1, 2}, {3, 5}}).ToDtype(d))
		require.Equal(t, 2, sums)
		require.Equal(t, dtype.F32, half.Mean.DType())
	}
	nn.Eval(half)
	half.Sum = func(*tensor.Tensor) *tensor.Tensor { panic("nothing is added up outside of training") }
	half.Forward(tensor.Ones(1, 2))
}

// TestModesOfModels: what says that a model is trained are the fields of that name that are bools, on all layers of a
// model.
func TestModesOfModels(t *testing.T) {
	type inner struct {
		Drop     *nn.Dropout
		Training string
	}
	type model struct {
		Training bool
		Inner    *inner
		Norms    []*nn.BatchNorm
	}
	m := &model{true, &inner{nn.NewDropout(0.5), "by hand"}, []*nn.BatchNorm{nn.NewBatchNorm1d(1), nn.NewBatchNorm2d(1)}}
	for _, on := range []bool{false, true} {
		if on {
			nn.Train(m)
		} else {
			nn.Eval(m)
		}
		require.Equal(t, []bool{on, on, on, on}, []bool{m.Training, m.Inner.Drop.Training, m.Norms[0].Training, m.Norms[1].Training})
		require.Equal(t, "by hand", m.Inner.Training)
	}
	nn.Train(nn.Func(func(x *tensor.Tensor) *tensor.Tensor { return x }))
}

// TestNilOfModels: what is nil is named, with the line.
func TestNilOfModels(t *testing.T) {
	var none *nn.Linear
	x := tensor.Ones(1)
	for want, f := range map[string]func(){
		"watch: the function is nil": func() { nn.Watch(nn.ReLU, nil) }, "func: the function is nil": func() { nn.Func(nil).Forward(x) },
		"loss: the function is nil": func() { nn.Loss(nil).Forward(x, x) }, "nn: the model is nil": func() { nn.Parameters(none) },
	} {
		require.Regexp(t, `^rules_test.go:\d+: `+want+"$", tensor.Try(f).Error())
	}
}
