package ops_test

import (
	"math"
	"slices"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/go-acap/acap/ops"
	"github.com/go-acap/acap/tensor"
	"github.com/go-acap/acap/tensor/dtype"
)

// results are the results that carry gradients, where not all do: the others are
// intermediate values for a backward operator.
var results = map[string][]int{
	"_linalg_det": {0}, "_linalg_slogdet": {1}, "_linalg_solve_ex": {0}, "log_sigmoid_forward": {0},
	"native_batch_norm": {0}, "native_group_norm": {0}, "native_layer_norm": {0},
}

// partial are the operators whose gradient is not the whole derivative.
var partial = map[string]string{
	"_linalg_eigh":       "reads one triangle, the gradient is that of a symmetric matrix",
	"symeig":             "reads one triangle, the gradient is that of a symmetric matrix",
	"cholesky":           "reads one triangle, the gradient is that of a symmetric matrix",
	"linalg_cholesky_ex": "reads one triangle, the gradient is that of a symmetric matrix",
	"_linalg_svd":        "the sign of singular vectors is free, as are vectors outside the range",
	"_ctc_loss":          "the gradient is that of scores before log_softmax, as in PyTorch",
	"_ctc_loss.Tensor":   "the gradient is that of scores before log_softmax, as in PyTorch",
	"cholesky_solve":     "the gradient of the factor is not cut to its triangle, as in PyTorch",
	"cholesky_inverse":   "the gradient of the factor is not cut to its triangle, as in PyTorch",
	"scatter.src":        "places collide: which source is kept is not specified",
}

// fixed are the arguments that have no gradient, as in PyTorch: orders of special
// functions, weights of losses, running statistics.
var fixed = map[string][]int{
	"igamma": {0}, "igammac": {0}, "special_zeta": {0}, "special_zeta.other_scalar": {0},
	"binary_cross_entropy": {2}, "nll_loss_forward": {2}, "nll_loss2d_forward": {2},
	"native_batch_norm": {3, 4},
}

// TestGradients compares the gradient of every differentiable operator with
// central differences, in float64, along a random direction.
func TestGradients(t *testing.T) {
	checked := 0
	for _, op := range ops.All() {
		if op.Grad == nil || op.Samples == nil || op.IsInplace() || partial[op.Name()] != "" {
			continue
		}
		for i, s := range op.Samples() {
			t.Run(op.Name(), func(t *testing.T) { checkGradient(t, op, s, uint64(i)) })
			checked++
		}
	}
	require.Greater(t, checked, 100)
}

func checkGradient(t *testing.T, op *ops.Op, s ops.Sample, seed uint64) {
	args, tensors := sampleTensors(s, seed+3, true)
	var inputs []*tensor.Tensor
	skip := map[any]bool{}
	for _, i := range fixed[op.Name()] {
		if i < len(args) {
			skip[args[i]] = true
		}
	}
	for _, x := range tensors {
		if x.DType() == dtype.F64 && !skip[x] {
			x.RequiresGrad()
			inputs = append(inputs, x)
		}
	}
	var outs, cots []*tensor.Tensor
	var which []int
	for i, y := range tensor.Call(op.Name(), args...) {
		carries := results[op.Name()] == nil || slices.Contains(results[op.Name()], i)
		if y.NeedsGrad() && y.DType() == dtype.F64 && carries {
			which = append(which, i)
			outs = append(outs, y)
			cots = append(cots, weights(y, i))
		}
	}
	if len(outs) == 0 {
		t.Skip("no differentiable result")
	}
	grads := tensor.Grad(outs, inputs, cots)
	// The derivative of Σ cotangent·result along a direction, in two ways.
	got, step := 0.0, 1e-6
	var ahead, behind []*tensor.Tensor
	for i, x := range inputs {
		d := weights(x, i+11)
		ahead = append(ahead, x.Add(d.MulScalar(step)))
		behind = append(behind, x.Add(d.MulScalar(-step)))
		if grads[i] != nil {
			got += dot(grads[i], d)
		}
	}
	value := func(at []*tensor.Tensor) float64 {
		sum := 0.0
		all := tensor.Call(op.Name(), replaced(args, inputs, at)...)
		for k, i := range which {
			sum += dot(all[i], cots[k])
		}
		return sum
	}
	want := (value(ahead) - value(behind)) / (2 * step)
	require.InDelta(t, want, got, 1e-5*(1+math.Abs(want)))
}

// weights are fixed numbers of the shape of x.
func weights(x *tensor.Tensor, seed int) *tensor.Tensor {
	w := make([]float64, x.NumElements())
	for i := range w {
		w[i] = math.Sin(float64(i*7+seed*3) + 0.5)
	}
	return tensor.FromSlice(w, len(w)).View(x.Shape())
}

func dot(x, y *tensor.Tensor) float64 {
	a, b, sum := x.Float64s(), y.Float64s(), 0.0
	for i := range a {
		sum += a[i] * b[i]
	}
	return sum
}

// replaced exchanges the tensors of a call.
func replaced(args []any, from, to []*tensor.Tensor) []any {
	swap := func(x *tensor.Tensor) *tensor.Tensor {
		for i := range from {
			if x == from[i] {
				return to[i]
			}
		}
		return x
	}
	out := make([]any, len(args))
	for i, a := range args {
		switch a := a.(type) {
		case *tensor.Tensor:
			out[i] = swap(a)
		case []*tensor.Tensor:
			var list []*tensor.Tensor
			for _, x := range a {
				list = append(list, swap(x))
			}
			out[i] = list
		default:
			out[i] = a
		}
	}
	return out
}
