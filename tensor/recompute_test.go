package tensor_test

import (
	"context"
	"math"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/go-acap/acap/device"
	"github.com/go-acap/acap/device/acap"
	"github.com/go-acap/acap/device/host"
	"github.com/go-acap/acap/lazy"
	"github.com/go-acap/acap/tensor"
	"github.com/go-acap/acap/tensor/nn"
	"github.com/go-acap/acap/tensor/optim"
	"github.com/go-acap/acap/trace"
)

type part = func(f func() *tensor.Tensor) *tensor.Tensor

// deep is a network of a number of products and activations that share a width, and draw numbers.
func deep(dev device.Device, layers, width int, part part) (loss *tensor.Tensor, params []*tensor.Tensor) {
	tensor.Seed(1)
	x := tensor.Randn(256, width).To(dev)
	for range layers {
		w := tensor.Randn(width, width).MulScalar(0.1).To(dev).RequiresGrad()
		b := tensor.Randn(width).To(dev).RequiresGrad()
		params = append(params, w, b)
		x = part(func() *tensor.Tensor {
			h := x.Tanh().MatMul(w).Add(b).GELU()
			h = h.Mul(h.Sigmoid()).Dropout(0.1, true)
			return h.Softmax(1).Mul(h).Add(x)
		})
	}
	return x.Mul(x).Mean(), params
}

func plainly(f func() *tensor.Tensor) *tensor.Tensor { return f() }

// floats are the elements of a list of tensors, computed at once.
func floats(t *testing.T, list []*tensor.Tensor) [][]float32 {
	require.NoError(t, tensor.Sync(context.Background(), list...))
	out := make([][]float32, len(list))
	for i, v := range list {
		if v != nil {
			out[i] = v.Float32s()
		}
	}
	return out
}

// TestRecompute: gradients are those without, here to the last bit, and the program takes a fraction of the memory.
func TestRecompute(t *testing.T) {
	for _, dev := range []device.Device{acap.Device(), host.Device()} {
		var results [][][]float32
		var peaks []int64
		for _, part := range []part{plainly, tensor.Recompute} {
			loss, params := deep(dev, 16, 64, part)
			all := append([]*tensor.Tensor{loss}, tensor.Grad([]*tensor.Tensor{loss}, params, nil)...)
			values := make([]lazy.Value, len(all))
			for i, v := range all {
				values[i] = v
			}
			if dev != host.Device() {
				e, err := lazy.Explain(values...)
				require.NoError(t, err)
				peaks = append(peaks, e.Peak)
			}
			results = append(results, floats(t, all))
		}
		require.Equal(t, results[0], results[1])
		if dev != host.Device() {
			require.Less(t, 4*peaks[1], peaks[0])
		}
	}
}

// TestRecomputeParts: parts within parts, of several results, with views, operators in place, gradients of one's own
// and gradients of gradients are parts, too; what they do beside their results is done once.
func TestRecomputeParts(t *testing.T) {
	calls := 0
	cases := map[string]func(x, w *tensor.Tensor, part part) *tensor.Tensor{
		"one in another": func(x, w *tensor.Tensor, part part) *tensor.Tensor {
			return part(func() *tensor.Tensor {
				h := x.MatMul(w).Tanh()
				h = part(func() *tensor.Tensor { return h.Sin().MatMul(w).Sigmoid().Mul(h) })
				return h.Exp().Mul(x)
			})
		},
		"one after another": func(x, w *tensor.Tensor, part part) *tensor.Tensor {
			for range 3 {
				x = part(func() *tensor.Tensor { return x.MatMul(w).Tanh() })
			}
			return x
		},
		"several results": func(x, w *tensor.Tensor, part part) *tensor.Tensor {
			var other *tensor.Tensor
			y := part(func() *tensor.Tensor {
				h := x.MatMul(w)
				other = h.Cos()
				return h.Sin()
			})
			return y.Mul(other)
		},
		"views and writes": func(x, w *tensor.Tensor, part part) *tensor.Tensor {
			return part(func() *tensor.Tensor {
				h := x.MatMul(w)
				h.At(tensor.All, tensor.Range(0, 2)).MulInPlace(h.At(tensor.All, tensor.Range(2, 4)).Exp())
				return h.Transpose(0, 1).Softmax(0).Mul(h.Transpose(0, 1))
			})
		},
		"complex numbers": func(x, w *tensor.Tensor, part part) *tensor.Tensor {
			return part(func() *tensor.Tensor {
				z := x.MatMul(w).MulScalar(0.1).FftFft().Exp()
				return z.Mul(z).Abs()
			})
		},
		"parameters alone": func(x, w *tensor.Tensor, part part) *tensor.Tensor {
			return x.MatMul(part(func() *tensor.Tensor { return w.Tanh().Exp() }))
		},
		"a result that is an operand": func(x, w *tensor.Tensor, part part) *tensor.Tensor {
			return part(func() *tensor.Tensor { return w }).Mul(w)
		},
		"a gradient of one's own": func(x, w *tensor.Tensor, part part) *tensor.Tensor {
			return part(func() *tensor.Tensor {
				h := x.MatMul(w).Tanh()
				return tensor.WithGradient([]*tensor.Tensor{h}, func(in []*tensor.Tensor) []*tensor.Tensor {
					calls++
					return []*tensor.Tensor{in[0].Sign()}
				}, func(grads []*tensor.Tensor) []*tensor.Tensor { return []*tensor.Tensor{grads[0].MulScalar(2)} })[0].Mul(h)
			})
		},
		"what is read": func(x, w *tensor.Tensor, part part) *tensor.Tensor {
			return part(func() *tensor.Tensor {
				h := x.MatMul(w)
				return h.MulScalar(h.Sum().Item()).Mul(h)
			})
		},
		"no gradient": func(x, w *tensor.Tensor, part part) *tensor.Tensor {
			return part(func() *tensor.Tensor {
				var h *tensor.Tensor
				tensor.NoGrad(func() { h = x.MatMul(w).Exp() })
				return h.Mul(w)
			})
		},
		"a compiled function": func(x, w *tensor.Tensor, part part) *tensor.Tensor {
			f := lazy.Compile(func(args ...*tensor.Tensor) []*tensor.Tensor {
				y := part(func() *tensor.Tensor { return args[0].MatMul(w).Tanh() })
				return tensor.Grad([]*tensor.Tensor{y.Mul(y).Sum()}, []*tensor.Tensor{w}, nil)
			})
			v, err := f.Call(context.Background(), x)
			require.NoError(t, err)
			return v[0].Mul(w)
		},
	}
	for name, f := range cases {
		for _, dev := range []device.Device{acap.Device(), host.Device()} {
			t.Run(name+" on "+dev.Name(), func(t *testing.T) {
				var results [][][]float32
				for _, part := range []part{plainly, tensor.Recompute} {
					tensor.Seed(1)
					x, w := tensor.Randn(4, 4).To(dev), tensor.Randn(4, 4).To(dev).RequiresGrad()
					calls = 0
					y := f(x, w, part)
					first := tensor.Grad([]*tensor.Tensor{y.Sin().Sum()}, []*tensor.Tensor{w}, nil, tensor.CreateGraph)
					all := []*tensor.Tensor{y, first[0]}
					if first[0].NeedsGrad() {
						all = append(all, tensor.Grad([]*tensor.Tensor{first[0].Mul(first[0]).Sum()}, []*tensor.Tensor{w}, nil)...)
					}
					require.LessOrEqual(t, calls, 1)
					results = append(results, floats(t, all))
				}
				for i := range results[0] {
					largest := 0.0
					for _, v := range results[0][i] {
						largest = max(largest, math.Abs(float64(v)))
					}
					require.InDeltaSlice(t, results[0][i], results[1][i], max(2e-5, 1e-6*largest), i) // sums of f32 in another order
				}
			})
		}
	}
}

// TestRecomputeStatistics: running statistics of a norm move once a step, and training is that without.
func TestRecomputeStatistics(t *testing.T) {
	for _, dev := range []device.Device{acap.Device(), host.Device()} {
		var states []map[string]*tensor.Tensor
		for _, part := range []part{plainly, tensor.Recompute} {
			tensor.Seed(1)
			x := tensor.Randn(8, 3, 6, 6).To(dev)
			net := struct {
				Conv *nn.Conv
				Norm *nn.BatchNorm
			}{nn.NewConv2d(3, 4, 3), nn.NewBatchNorm2d(4)}
			nn.To(&net, dev)
			opt := &optim.SGD{LR: 0.1} // Adam makes a step of the noise that is the gradient of a bias before a norm
			for range 3 {
				y := part(func() *tensor.Tensor { return net.Norm.Forward(net.Conv.Forward(x)).ReLU() })
				require.NoError(t, optim.Minimize(context.Background(), opt, nn.Parameters(&net), y.Mul(y).Mean()))
			}
			states = append(states, nn.StateDict(&net))
		}
		for name, want := range states[0] {
			require.InDeltaSlice(t, want.Float32s(), states[1][name].Float32s(), 1e-5, name)
		}
	}
}

// TestRecomputeMisuse: a function that is nil or returns nothing is refused, and a panic in one leaves no part behind.
func TestRecomputeMisuse(t *testing.T) {
	for want, f := range map[string]func() *tensor.Tensor{
		"recompute: the function is nil":             nil,
		"recompute: the function returns no tensor":  func() *tensor.Tensor { return nil },
		"matmul: [2] and [3] cannot be multiplied: ": func() *tensor.Tensor { return tensor.Ones(2).MatMul(tensor.Ones(3)) },
	} {
		err := tensor.Try(func() { tensor.Recompute(f) })
		require.ErrorContains(t, err, "recompute_test.go")
		require.ErrorContains(t, err, want)
	}
	require.False(t, trace.Recomputing())
}
