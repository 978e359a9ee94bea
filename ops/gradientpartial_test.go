package ops_test

import (
	"math"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/go-acap/acap/tensor"
)

// differentiable are functions of one matrix, or list, through an operator of partial whose
// gradient is their derivative: of symmetric matrices, of triangles, without signs.
var differentiable = map[string]func(x *tensor.Tensor) []*tensor.Tensor{
	"_linalg_eigh":    symmetricSpectrum("_linalg_eigh", "L"),
	"linalg_eigh":     symmetricSpectrum("linalg_eigh", "U"),
	"symeig":          symmetricSpectrum("symeig", true),
	"linalg_eigvalsh": func(x *tensor.Tensor) []*tensor.Tensor { return call("linalg_eigvalsh", symmetrical(x)) },
	"embedding_renorm": func(x *tensor.Tensor) []*tensor.Tensor {
		return call("embedding_renorm", x.View([]int{6, 4}), tensor.Of([]int64{1, 4}), 1e3, 2.0)
	},
	"_constant_in": func(x *tensor.Tensor) []*tensor.Tensor {
		return []*tensor.Tensor{x.Mul(x).Add(call("_constant_in", tensor.Ones(24), []*tensor.Tensor{x})[0])}
	},
	"_rewritten":      func(x *tensor.Tensor) []*tensor.Tensor { return call("_rewritten", x.Detach(), x) },
	"cholesky":        func(x *tensor.Tensor) []*tensor.Tensor { return call("cholesky", definite(x), true) },
	"linalg_cholesky": func(x *tensor.Tensor) []*tensor.Tensor { return call("linalg_cholesky", definite(x)) },
	"linalg_cholesky_ex": func(x *tensor.Tensor) []*tensor.Tensor {
		return call("linalg_cholesky_ex", definite(x), true)[:1]
	},
	"linalg_eig": func(x *tensor.Tensor) []*tensor.Tensor {
		real := call("linalg_eig", x.Narrow(0, 0, 16).View([]int{4, 4}))
		complex := call("linalg_eig", call("view_as_complex", x.Narrow(0, 2, 18).View([]int{3, 3, 2}))[0])
		var out []*tensor.Tensor
		for _, r := range [][]*tensor.Tensor{real, complex} {
			out = append(out, call("view_as_real", r[0])[0], call("abs", r[1])[0])
		}
		return out
	},
	"_linalg_svd": singular("_linalg_svd"),
	"linalg_svd":  singular("linalg_svd", false),
	"svd":         singular("svd"),
	"_ctc_loss": func(x *tensor.Tensor) []*tensor.Tensor {
		return call("_ctc_loss", scores(x), targets(), []int{4, 3}, []int{2, 1})[:1]
	},
	"_ctc_loss.Tensor": func(x *tensor.Tensor) []*tensor.Tensor {
		return call("_ctc_loss.Tensor", scores(x), targets(), tensor.Of([]int64{4, 4}), tensor.Of([]int64{1, 2}))[:1]
	},
	"cholesky_solve": func(x *tensor.Tensor) []*tensor.Tensor {
		factor := call("tril", x.View([]int{6, 4}).Narrow(0, 0, 4))[0]
		return call("cholesky_solve", x.View([]int{4, 6}), factor)
	},
	"cholesky_inverse": func(x *tensor.Tensor) []*tensor.Tensor {
		return call("cholesky_inverse", call("triu", x.View([]int{6, 4}).Narrow(0, 0, 4))[0], true)
	},
	"scatter.src": func(x *tensor.Tensor) []*tensor.Tensor {
		places := tensor.Of([]int64{2, 0, 1}).View([]int{3, 1}).Expand([]int{3, 8})
		return call("scatter.src", x.View([]int{4, 6}).Narrow(1, 0, 3).Transpose(0, 1).Repeat([]int{1, 2}), 0, places,
			x.View([]int{3, 8}))
	},
}

func call(name string, args ...any) []*tensor.Tensor { return tensor.Call(name, args...) }

func symmetrical(x *tensor.Tensor) *tensor.Tensor {
	m := x.View([]int{6, 4}).Narrow(0, 0, 4)
	return m.Add(m.Transpose(0, 1))
}

func definite(x *tensor.Tensor) *tensor.Tensor {
	m := x.View([]int{4, 6})
	return m.MatMul(m.Transpose(0, 1))
}

// symmetricSpectrum is eigenvalues and squares of eigenvectors.
func symmetricSpectrum(name string, arg any) func(x *tensor.Tensor) []*tensor.Tensor {
	return func(x *tensor.Tensor) []*tensor.Tensor {
		f := call(name, symmetrical(x), arg)
		return []*tensor.Tensor{f[0], f[1].Square()}
	}
}

// singular is singular values and squares of singular vectors.
func singular(name string, more ...any) func(x *tensor.Tensor) []*tensor.Tensor {
	return func(x *tensor.Tensor) []*tensor.Tensor {
		f := call(name, append([]any{x.View([]int{4, 6})}, more...)...)
		return []*tensor.Tensor{f[0].Square(), f[1], f[2].Square()}
	}
}

func scores(x *tensor.Tensor) *tensor.Tensor {
	return call("log_softmax.int", x.View([]int{4, 2, 3}), 2)[0]
}

func targets() *tensor.Tensor { return tensor.Of([]int64{1, 2, 2, 1}).View([]int{2, 2}) }

// TestPartialGradients compares with central differences where the gradient is the
// derivative.
func TestPartialGradients(t *testing.T) {
	for name := range partial {
		t.Run(name, func(t *testing.T) {
			f := differentiable[name]
			require.NotNil(t, f, "no function to check it with")
			values, direction := make([]float64, 24), make([]float64, 24)
			for i := range values {
				values[i], direction[i] = math.Sin(float64(3*i*i+1)), math.Cos(float64(5*i+2))
			}
			x, d := tensor.Of(values), tensor.Of(direction)
			x.RequiresGrad()
			outs := f(x)
			var cots []*tensor.Tensor
			for i, y := range outs {
				cots = append(cots, weights(y, i))
			}
			got := dot(tensor.Grad(outs, []*tensor.Tensor{x}, cots)[0], d)
			const step = 1e-6
			value := func(at *tensor.Tensor) (sum float64) {
				for i, y := range f(at) {
					sum += dot(y, cots[i])
				}
				return sum
			}
			want := (value(x.Add(d.MulScalar(step))) - value(x.Add(d.MulScalar(-step)))) / (2 * step)
			require.InDelta(t, want, got, 1e-5*(1+math.Abs(want)))
			require.NotZero(t, want)
		})
	}
}
