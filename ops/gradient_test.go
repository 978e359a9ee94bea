package ops_test

import (
	"context"
	"math"
	"slices"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/go-acap/acap/base/buf"
	"github.com/go-acap/acap/base/dtype"
	"github.com/go-acap/acap/ops"
	"github.com/go-acap/acap/tensor"
)

// carrying are the results that carry gradients, where not all do: the others are
// intermediate values for a backward operator.
var carrying = map[string][]int{
	"_linalg_det": {0}, "_linalg_slogdet": {1}, "_linalg_solve_ex": {0}, "log_sigmoid_forward": {0},
	"native_batch_norm":                   {0},
	"_native_batch_norm_legit_functional": {0},
}

// partial are the operators whose gradient is not the whole derivative of their samples.
// Each is checked on values for which it is, in TestPartialGradients.
var partial = map[string]string{
	"_linalg_eigh":       "reads one triangle, the gradient is that of a symmetric matrix",
	"linalg_eigh":        "reads one triangle, the gradient is that of a symmetric matrix",
	"linalg_eigvalsh":    "reads one triangle, the gradient is that of a symmetric matrix",
	"symeig":             "reads one triangle, the gradient is that of a symmetric matrix",
	"cholesky":           "reads one triangle, the gradient is that of a symmetric matrix",
	"linalg_cholesky":    "reads one triangle, the gradient is that of a symmetric matrix",
	"linalg_cholesky_ex": "reads one triangle, the gradient is that of a symmetric matrix",
	"linalg_eig":         "the direction of eigenvectors is free",
	"_linalg_svd":        "the sign of singular vectors is free, as are vectors outside the range",
	"linalg_svd":         "the sign of singular vectors is free, as are vectors outside the range",
	"svd":                "the sign of singular vectors is free, as are vectors outside the range",
	"_ctc_loss":          "the gradient is that of scores before log_softmax, as in PyTorch",
	"_ctc_loss.Tensor":   "the gradient is that of scores before log_softmax, as in PyTorch",
	"cholesky_solve":     "the gradient of the factor is not cut to its triangle, as in PyTorch",
	"cholesky_inverse":   "the gradient of the factor is not cut to its triangle, as in PyTorch",
	"embedding_renorm":   "the gradient is that of the tensor before, whatever was written",
	"_constant_in":       "the gradient of self does not pass",
	"_rewritten":         "the gradient is that of the tensor before, whatever was written",
	"scatter.src":        "places collide: which source is kept is not specified",
}

// fixed are the arguments that have no gradient, as in PyTorch: orders of special
// functions, weights and targets of losses, running statistics.
var fixed = map[string][]int{
	"igamma": {0}, "igammac": {0}, "special_zeta": {0}, "special_zeta.other_scalar": {0},
	"binary_cross_entropy": {2}, "binary_cross_entropy_backward": {3}, "nll_loss_forward": {2}, "nll_loss2d_forward": {2}, "nll_loss": {2},
	"nll_loss2d": {2}, "nll_loss_nd": {2}, "cross_entropy_loss": {2}, "cosine_embedding_loss": {2},
	"hinge_embedding_loss": {1}, "native_batch_norm": {3, 4}, "batch_norm": {3, 4}, "instance_norm": {3, 4},
	"_native_batch_norm_legit_functional": {3, 4},
}

// unchecked are operators with a gradient that differences do not show.
var unchecked = map[string]string{
	"_cast_Byte": "integers", "_cast_Char": "integers", "_cast_Int": "integers", "_cast_Long": "integers",
	"_cast_Short": "integers", "to.dtype_layout": "integers",
	"_cast_Float": "rounds", "_cast_Half": "rounds", "to.device": "rounds", "to.dtype": "rounds",
	"special_zeta.other_scalar": "its tensor is fixed", "where.Scalar": "takes no floating tensor",
}

// TestGradients compares the gradient of every differentiable operator with
// central differences, in float64, along a random direction. An operator that says how to
// differentiate it has a sample with which that is done.
func TestGradients(t *testing.T) {
	checked := map[string]int{}
	for _, op := range ops.All() {
		if op.Grad == nil && op.Expand == nil || op.IsInplace() || op.Draws || partial[op.Name()] != "" {
			continue
		}
		for i, s := range op.Samples() {
			t.Run(op.Name(), func(t *testing.T) {
				if checkGradient(t, op, s, uint64(i)) {
					checked[op.Name()]++
				}
			})
		}
		if op.Grad != nil && checked[op.Name()] == 0 && unchecked[op.Name()] == "" {
			t.Errorf("%s has a gradient and no sample that checks it", op.Name())
		}
	}
	require.Greater(t, len(checked), 400)
}

// differentiated returns the tensors of a sample that are differentiated, and the inputs of derivatives: of a complex
// tensor its parts.
func differentiated(t *testing.T, op *ops.Op, args []any, tensors []*tensor.Tensor) (given, inputs []*tensor.Tensor) {
	skip := map[any]bool{}
	for _, i := range fixed[op.Name()] {
		if i < len(args) {
			skip[args[i]] = true
		}
	}
	for _, x := range tensors {
		if skip[x] || x.DType() != dtype.F64 && x.DType() != dtype.C128 {
			continue
		}
		given = append(given, x)
		if x.DType() == dtype.C128 {
			x = tensor.FromBuffer(buffer(t, tensor.Call("view_as_real", x)[0]))
		}
		inputs = append(inputs, x)
	}
	return given, inputs
}

// checkGradient reports whether there was a gradient to check.
func checkGradient(t *testing.T, op *ops.Op, s ops.Sample, seed uint64) bool {
	args, tensors := sampleTensors(s, seed+3, true)
	given, inputs := differentiated(t, op, args, tensors)
	for _, x := range inputs {
		x.RequiresGrad()
	}
	results := func(at []*tensor.Tensor) []*tensor.Tensor {
		all := tensor.Call(op.Name(), replaced(args, given, at)...)
		for i, y := range all {
			if y.DType() == dtype.C128 {
				all[i] = tensor.Call("view_as_real", y)[0]
			}
		}
		return all
	}
	var outs, cots []*tensor.Tensor
	var which []int
	for i, y := range results(inputs) {
		carries := carrying[op.Name()] == nil || slices.Contains(carrying[op.Name()], i)
		if y.NeedsGrad() && y.DType() == dtype.F64 && carries {
			which = append(which, i)
			outs = append(outs, y)
			cots = append(cots, weights(y, i))
		}
	}
	if len(outs) == 0 {
		return false
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
		all := results(at)
		for k, i := range which {
			sum += dot(all[i], cots[k])
		}
		return sum
	}
	want := (value(ahead) - value(behind)) / (2 * step)
	require.InDelta(t, want, got, 1e-5*(1+math.Abs(want)))
	return true
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
			if x == from[i] && x.DType().IsComplex() {
				return tensor.Call("view_as_complex", to[i])[0]
			} else if x == from[i] {
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

// buffer returns the elements of a tensor.
func buffer(t *testing.T, x *tensor.Tensor) *buf.Buffer {
	b, err := x.Buffer(context.Background())
	require.NoError(t, err)
	return b.Clone()
}
