package bucket_test

import (
	"context"
	"math"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/go-acap/acap/base/dtype"
	"github.com/go-acap/acap/device"
	"github.com/go-acap/acap/device/acap"
	"github.com/go-acap/acap/device/acap/machine"
	"github.com/go-acap/acap/lazy"
	"github.com/go-acap/acap/lazy/lazytest"
	"github.com/go-acap/acap/tensor"
)

// freshDevice is a device with no programs of other tests.
func freshDevice(t *testing.T) device.Device {
	m, err := machine.Preset("npu1")
	require.NoError(t, err)
	return acap.New(m)
}

// filled returns numbers that differ, some negative, of a shape.
func filled(dims ...int) *tensor.Tensor {
	n := 1
	for _, d := range dims {
		n *= d
	}
	data := make([]float32, n)
	for i := range data {
		data[i] = float32(math.Sin(float64(7*i+3))) + 0.25
	}
	return tensor.FromSlice(data, dims...)
}

// bucketed are functions of x, [n, 6], that buckets can serve.
var bucketed = map[string]func(x *tensor.Tensor) *tensor.Tensor{
	"pointwise":       func(x *tensor.Tensor) *tensor.Tensor { return x.Exp().AddScalar(1) },
	"sum":             func(x *tensor.Tensor) *tensor.Tensor { return x.Exp().Sum() },
	"sum of columns":  func(x *tensor.Tensor) *tensor.Tensor { return x.Exp().SumDim([]int{0}) },
	"mean":            func(x *tensor.Tensor) *tensor.Tensor { return x.Exp().Mean() },
	"log of padding":  func(x *tensor.Tensor) *tensor.Tensor { return x.Abs().Log().Mean() },
	"variance":        func(x *tensor.Tensor) *tensor.Tensor { return tensor.Call("var.dim", x, []int{0})[0] },
	"largest":         func(x *tensor.Tensor) *tensor.Tensor { return x.SubScalar(9).Amax(tensor.With("dim", []int{0})) },
	"smallest":        func(x *tensor.Tensor) *tensor.Tensor { return x.AddScalar(9).Amin(tensor.With("dim", []int{0})) },
	"product":         func(x *tensor.Tensor) *tensor.Tensor { return x.Prod() },
	"softmax":         func(x *tensor.Tensor) *tensor.Tensor { return x.Softmax(0) },
	"softmax of rows": func(x *tensor.Tensor) *tensor.Tensor { return x.Softmax(1) },
	"matrix":          func(x *tensor.Tensor) *tensor.Tensor { return x.MatMul(x.T()) },
	"gram":            func(x *tensor.Tensor) *tensor.Tensor { return x.T().MatMul(x.Log1p()) },
	"logs":            func(x *tensor.Tensor) *tensor.Tensor { return x.Abs().Log().T().MatMul(x.Exp()) },
	"convolution": func(x *tensor.Tensor) *tensor.Tensor {
		return x.Reshape([]int{-1, 2, 3}).Conv1d(filled(4, 2, 2).To(x.Device())).ReLU()
	},
	"batch norm": func(x *tensor.Tensor) *tensor.Tensor {
		return tensor.Call("native_batch_norm", x, nil, nil, nil, nil, true, 0.1, 1e-5)[0]
	},
	"rows": func(x *tensor.Tensor) *tensor.Tensor {
		return x.IndexSelect(0, tensor.Of([]int64{1, 0, 1}).To(x.Device()))
	},
	"last by number":           func(x *tensor.Tensor) *tensor.Tensor { return x.Select(0, x.Size(0)-1).Exp() },
	"mean by number":           func(x *tensor.Tensor) *tensor.Tensor { return x.Sum().DivScalar(x.Size(0)) },
	"mean by factor by number": func(x *tensor.Tensor) *tensor.Tensor { return x.Sum().MulScalar(1 / float64(x.Size(0))) },
	"mean of all by number":    func(x *tensor.Tensor) *tensor.Tensor { return x.Sum().DivScalar(6 * float64(x.Size(0))) },
	"gram of heads": func(x *tensor.Tensor) *tensor.Tensor {
		heads := x.Abs().Log().Reshape([]int{-1, 2, 3}).Transpose(0, 1)
		return heads.Transpose(1, 2).MatMul(heads)
	},
	"inner": func(x *tensor.Tensor) *tensor.Tensor { return x.T().Reshape([]int{-1}).Exp() },
	"several sequences": func(x *tensor.Tensor) *tensor.Tensor { // products of matrices merge [2 n] and split them
		h := x.Reshape([]int{-1, 2, 3}).Transpose(0, 1).Exp()
		q := h.MatMul(filled(3, 4).To(x.Device())).Add(filled(4).To(x.Device()))
		y := q.MatMul(q.Transpose(1, 2)).Softmax(2).MatMul(h)
		return y.MatMul(filled(3, 5).To(x.Device())).GELU().MatMul(filled(5, 3).To(x.Device()))
	},
	"sequences in one list": func(x *tensor.Tensor) *tensor.Tensor {
		h := x.Reshape([]int{-1, 2, 3}).Transpose(0, 1).Exp().Reshape([]int{-1}).MulScalar(2)
		return h.Reshape([]int{2, -1, 3}).SumDim([]int{1})
	},
	"attention": func(x *tensor.Tensor) *tensor.Tensor {
		return x.MatMul(x.T()).Softmax(1).MatMul(x)
	},
	"positions": func(x *tensor.Tensor) *tensor.Tensor {
		return x.Add(filled(20, 6).To(x.Device()).Slice(0, 0, x.Size(0))).Softmax(0)
	},
	"heads as many as rows": func(x *tensor.Tensor) *tensor.Tensor {
		return x.MatMul(filled(6, 10).To(x.Device())).T().Reshape([]int{5, 2, x.Size(0)}).Softmax(2)
	},
	"embedded positions": func(x *tensor.Tensor) *tensor.Tensor {
		table := make([]int64, 40) // as models keep them: [1 40]
		for i := range table {
			table[i] = int64(i)
		}
		places := tensor.FromSlice(table, 1, 40).To(x.Device()).Slice(1, 0, x.Size(0))
		return x.Add(filled(40, 6).To(x.Device()).IndexSelect(0, places.Reshape([]int{-1}))).MatMul(x.T()).Softmax(1)
	},
	"biases of distances by number": func(x *tensor.Tensor) *tensor.Tensor { // as T5 has them: embeddings of [n n] distances, and a mask
		places := tensor.Kind{DType: dtype.I64, Device: x.Device()}.Arange(0, x.Size(0), 1)
		distance := places.Unsqueeze(0).Sub(places.Unsqueeze(1)).Abs().Clamp(tensor.Max(4))
		bias := tensor.Embedding(filled(5, 3).To(x.Device()), distance).Permute([]int{2, 0, 1})
		mask := x.MatMul(x.T()).GtScalar(-9).ToDtype(dtype.F32).View([]int{1, 1, x.Size(0), x.Size(0)}).Slice(3, 0, x.Size(0)).Select(0, 0)
		return x.MatMul(x.T()).Add(bias.Add(mask)).Softmax(2)
	},
	"embedded batch": func(x *tensor.Tensor) *tensor.Tensor { // indices with the padded dimension inside
		at := x.T().Mul(x.T()).ToDtype(dtype.I64)
		return tensor.Embedding(filled(5, 3).To(x.Device()), at).SumDim([]int{1})
	},
	"all by number": func(x *tensor.Tensor) *tensor.Tensor { return x.MatMul(x.T()).Narrow(1, 0, x.Size(0)).Softmax(1) },
	"norm":          func(x *tensor.Tensor) *tensor.Tensor { return x.LayerNorm([]int{6}) },
	"argmax":        func(x *tensor.Tensor) *tensor.Tensor { return x.SubScalar(9).Argmax(tensor.With("dim", 0)) },
	"running sum":   func(x *tensor.Tensor) *tensor.Tensor { return x.Cumsum(0) },
	"flat":          func(x *tensor.Tensor) *tensor.Tensor { return x.Reshape([]int{-1}).MulScalar(2) },
	"reversed":      func(x *tensor.Tensor) *tensor.Tensor { return x.Flip([]int{0}) },
	"last":          func(x *tensor.Tensor) *tensor.Tensor { return x.Exp().Select(0, -1) },
	"grown": func(x *tensor.Tensor) *tensor.Tensor {
		return tensor.Cat([]*tensor.Tensor{x.Neg(), filled(2, 6).To(x.Device())}, tensor.Dim(0))
	},
	"twice":       func(x *tensor.Tensor) *tensor.Tensor { return tensor.Cat([]*tensor.Tensor{x, x.Neg()}, tensor.Dim(0)) },
	"windows":     func(x *tensor.Tensor) *tensor.Tensor { return x.Slice(0, 0, tensor.ToEnd, tensor.Step(2)) },
	"border":      func(x *tensor.Tensor) *tensor.Tensor { return x.ConstantPadNd([]int{0, 0, 1, 2}).CumsumInPlace(0) },
	"triangle":    func(x *tensor.Tensor) *tensor.Tensor { return x.MatMul(x.T()).Tril().Sum() },
	"sorted rows": func(x *tensor.Tensor) *tensor.Tensor { v, _ := x.Sort(); return v },
	"random":      func(x *tensor.Tensor) *tensor.Tensor { return x.Dropout(0.5, true) },
	"all":         func(x *tensor.Tensor) *tensor.Tensor { return x.AddScalar(9).GtScalar(0).All() },
	"count":       func(x *tensor.Tensor) *tensor.Tensor { return x.GtScalar(0).Sum() },
}

// One program a bucket computes what a program for each extent does.
func TestDynamic(t *testing.T) {
	ctx := context.Background()
	for name, f := range bucketed {
		t.Run(name, func(t *testing.T) {
			dev := freshDevice(t)
			for _, n := range []int{5, 3, 8, 13, 7, 16, 2} {
				x := filled(n, 6)
				tensor.SetRandomState(dev, 3, 0)
				y := f(x.To(dev).Dynamic(0, 8, 16))
				require.NoError(t, lazy.Sync(ctx, y))
				plain := freshDevice(t)
				tensor.SetRandomState(plain, 3, 0)
				want := f(x.To(plain))
				require.Equal(t, want.Shape(), y.Shape())
				close(t, want, y, n)
			}
			why := lazy.For(dev).WhyRecompiled()
			for _, w := range why {
				require.Empty(t, w.Exact)
			}
			most := 2
			if strings.HasSuffix(name, "by number") { // that the number varies is found out by the second extent
				most = 3
			}
			require.LessOrEqual(t, len(why), most, "%v", why)
		})
	}
}

// TestDynamicMemory: the memory of a bucket's program is known before it runs, and what it keeps counts once.
func TestDynamicMemory(t *testing.T) {
	dev := freshDevice(t)
	w := filled(6, 300).To(dev).Freeze()
	on := func(n int) *tensor.Tensor { return filled(n, 6).To(dev).Dynamic(0, 8).MatMul(w) }
	e, err := lazy.Explain(on(8))
	require.NoError(t, err)
	require.GreaterOrEqual(t, e.Peak, int64(4*8*300))
	require.NoError(t, lazy.Sync(context.Background(), on(5)))
	held := lazy.For(dev).Metrics().Gauges["CachedBytes"]
	require.NoError(t, lazy.Sync(context.Background(), on(3)))
	require.Equal(t, held, lazy.For(dev).Metrics().Gauges["CachedBytes"])
	m := lazy.For(dev).Metrics()
	require.EqualValues(t, 2*8*6, m.Counters["BucketElements"])
	require.EqualValues(t, (8-5)*6+(8-3)*6, m.Counters["PaddingElements"])
	defer lazy.MemoryLimit(lazy.MemoryLimit(1 << 10))
	require.ErrorContains(t, lazy.Sync(context.Background(), on(4)), "the limit is 1 KiB")
}

// unbucketed are functions of x that no bucket serves, and why.
var unbucketed = map[string]struct {
	f   func(x *tensor.Tensor) *tensor.Tensor
	why string
}{
	"sorted columns": {func(x *tensor.Tensor) *tensor.Tensor { v, _ := x.Sort(tensor.Dim(0)); return v }, "sorts along a padded dimension"},
	"window": {func(x *tensor.Tensor) *tensor.Tensor {
		return x.T().Reshape([]int{1, 6, -1}).Conv1d(filled(4, 6, 2).To(x.Device()))
	}, "a window moves along a padded dimension"},
	"on the host": {func(x *tensor.Tensor) *tensor.Tensor {
		return x.T().MatMul(x).MulScalar(0).Add(tensor.Call("eye", 6)[0].To(x.Device())).Cholesky().Sum()
	}, "run on the host"},
	"loop": {func(x *tensor.Tensor) *tensor.Tensor {
		for range x.Size(0) {
			x = x.MulScalar(2)
		}
		return x
	}, ""},
	"random columns": {func(x *tensor.Tensor) *tensor.Tensor { return x.T().Dropout(0.5, true) }, "random numbers are counted along a padded dimension"},
}

// What no bucket serves has a program for each extent, the reason is told, and the results are right.
func TestNotDynamic(t *testing.T) {
	for name, c := range unbucketed {
		t.Run(name, func(t *testing.T) {
			dev := freshDevice(t)
			for _, n := range []int{5, 3, 7} {
				x := tensor.Call("eye", n)[0].MatMul(filled(n, 6))
				x.AddInPlace(filled(1, 6))
				tensor.SetRandomState(dev, 3, 0)
				y := c.f(x.To(dev).Dynamic(0, 8))
				require.NoError(t, lazy.Sync(context.Background(), y))
				if c.why != "" {
					m := lazy.For(dev).Metrics()
					require.NotZero(t, m.Counters["ExactPrograms"])
					require.Len(t, m.Warnings, 1, "each reason once")
					require.Contains(t, m.Warnings[0], c.why)
				}
				plain := freshDevice(t)
				tensor.SetRandomState(plain, 3, 0)
				close(t, c.f(x.To(plain)), y, n)
			}
			why := lazy.For(dev).WhyRecompiled()
			require.Len(t, why, 3)
			if c.why != "" {
				require.Contains(t, why[0].Exact, c.why)
			}
			require.NoError(t, lazy.Sync(context.Background(), filled(9, 6).To(dev).Dynamic(0, 8).Exp()))
			require.Contains(t, lazy.For(dev).WhyRecompiled()[3].Exact, "larger than every bucket")
		})
	}
}

// attend is a step of generation: it appends the keys and values of a token to the cache, and
// returns what the token attends to.
func attend(x, keys, values, w *tensor.Tensor) (y, k, v *tensor.Tensor) {
	q := x.MatMul(w)
	k = tensor.Cat([]*tensor.Tensor{keys, x.MatMul(w.T())}, tensor.Dim(0))
	v = tensor.Cat([]*tensor.Tensor{values, x.Tanh()}, tensor.Dim(0))
	return q.MatMul(k.T()).MulScalar(0.25).Softmax(1).MatMul(v), k, v
}

// Generating 256 tokens with a cache that grows compiles a program for each of four buckets.
func TestGenerate(t *testing.T) {
	const width = 16
	ctx := context.Background()
	dev, plain := freshDevice(t), freshDevice(t)
	w := filled(width, width).MulScalar(0.1).To(dev)
	k, v := filled(1, width).To(dev), filled(1, width).MulScalar(2).To(dev)
	x := filled(1, width).To(dev)
	lazytest.Compiles(t, dev, 4, func() {
		for n := 1; n < 256; n++ {
			k, v = k.Dynamic(0, 64, 128, 192, 256), v.Dynamic(0, 64, 128, 192, 256)
			y, k1, v1 := attend(x, k, v, w)
			require.NoError(t, lazy.Sync(ctx, y, k1, v1))
			require.Equal(t, []int{n + 1, width}, k1.Shape())
			if n%31 == 1 || n == 64 || n == 65 {
				want, k2, v2 := attend(x.Cpu().To(plain), k.Cpu().To(plain), v.Cpu().To(plain), w.Cpu().To(plain))
				close(t, want, y, n)
				close(t, k2, k1, n)
				close(t, v2, v1, n)
			}
			x, k, v = y, k1, v1
		}
	})
}

func close(t *testing.T, want, got *tensor.Tensor, n int) {
	t.Helper()
	a, b := want.Cpu().Buffer, got.Cpu().Buffer
	x, err := a(context.Background())
	require.NoError(t, err)
	y, err := b(context.Background())
	require.NoError(t, err)
	for i := range x.Len() {
		u, v := x.Float64(i), y.Float64(i)
		if math.IsNaN(u) != math.IsNaN(v) || math.Abs(u-v) > 2e-6*math.Max(1, math.Abs(u)) {
			t.Fatalf("extent %d: element %d is %v, not %v", n, i, v, u)
		}
	}
}
