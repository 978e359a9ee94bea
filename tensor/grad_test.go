package tensor_test

import (
	"math"
	"math/rand/v2"
	"slices"
	"strings"
	"sync"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/go-acap/acap/base/dtype"
	"github.com/go-acap/acap/device"
	"github.com/go-acap/acap/device/acap"
	"github.com/go-acap/acap/device/acap/machine"
	"github.com/go-acap/acap/device/host"
	"github.com/go-acap/acap/lazy"
	"github.com/go-acap/acap/tensor"
	"github.com/go-acap/acap/trace"
)

// array is another array than the default one.
func array(t *testing.T) device.Device {
	m, err := machine.Preset("npu1")
	require.NoError(t, err)
	return acap.New(m)
}

func list(t ...*tensor.Tensor) []*tensor.Tensor { return t }

// Gradients flow back through copies to other devices, however often they change.
func TestGradThroughDevices(t *testing.T) {
	other := array(t)
	p := tensor.Of([]float32{1, -2, 3}).RequiresGrad()
	x := p.To(acap.Device())
	y := x.Mul(x).To(other).MulScalar(3)
	loss := y.Add(p.To(other)).Cpu().Sum()
	require.True(t, loss.NeedsGrad())
	g := tensor.Grad(list(loss), list(p, x), nil)
	require.Equal(t, []float32{7, -11, 19}, g[0].Float32s())
	require.Equal(t, device.Device(host.Device()), g[0].Device())
	require.Equal(t, []float32{6, -12, 18}, g[1].Float32s())
	require.Equal(t, device.Device(acap.Device()), g[1].Device())
	tensor.NoGrad(func() { require.False(t, p.To(other).NeedsGrad()) })
	second := tensor.Grad(list(tensor.Grad(list(loss), list(p), nil, tensor.CreateGraph)[0].Sum()), list(p), nil)
	require.Equal(t, []float32{6, 6, 6}, second[0].Float32s())
}

// TestGradientsAreWhereTheirCallsAre: the gradients of calls on a device are computed there, all of them: at once on
// the host, and later on a lazy device.
func TestGradientsAreWhereTheirCallsAre(t *testing.T) {
	three := func(x *tensor.Tensor) *tensor.Tensor { return x.Mul(x).Exp().MulScalar(2) }
	onHost, onArray := tensor.Of([]float32{1, -2}).RequiresGrad(), tensor.Of([]float32{1, -2}).To(acap.Device()).RequiresGrad()
	g := tensor.Grad(list(three(onHost).To(acap.Device()).Sum()), list(onHost), nil)[0]
	require.Equal(t, device.Device(host.Device()), g.Device())
	require.False(t, g.Pending())
	h := tensor.Grad(list(three(onArray).Cpu().Sum()), list(onArray), nil)[0]
	require.Equal(t, device.Device(acap.Device()), h.Device())
	require.True(t, h.Pending())
	for _, text := range []string{"aten.exp", "aten.mul.Scalar", "aten.mul.Tensor"} {
		require.Contains(t, string(lazy.GetMLIR(h)), text)
	}
	require.InDeltaSlice(t, g.Float32s(), h.Float32s(), 1e-3)
}

func TestSecondOrder(t *testing.T) {
	for _, dev := range []device.Device{host.Device(), acap.Device()} {
		x := tensor.Of([]float64{1, 2, -1}).To(dev).RequiresGrad()
		y := x.Mul(x).Mul(x).Sum().Add(x.Tanh().Sum())
		first := tensor.Grad(list(y), list(x), nil, tensor.CreateGraph)[0]
		require.True(t, first.NeedsGrad())
		second := tensor.Grad(list(first.Sum()), list(x), nil, tensor.CreateGraph)[0]
		third := tensor.Grad(list(second.Sum()), list(x), nil)[0]
		require.False(t, third.NeedsGrad())
		for i, v := range x.Detach().Float64s() {
			th := tensor.Scalar(v).Tanh().Item()
			s := 1 - th*th
			require.InDelta(t, 3*v*v+s, first.Float64s()[i], 1e-6)
			require.InDelta(t, 6*v-2*th*s, second.Float64s()[i], 1e-6)
			require.InDelta(t, 6+s*(6*th*th-2), third.Float64s()[i], 1e-6)
		}
	}
}

// An operator without a gradient is named, with its line, when a gradient must flow
// through it, and not before.
func TestNoGradientOfOperator(t *testing.T) {
	x := tensor.Of([]float32{1, 2}).To(acap.Device()).RequiresGrad()
	w := tensor.Of([]float32{1, 2}).To(acap.Device()).RequiresGrad()
	y := tensor.Call("special_airy_ai", x)[0]
	loss := y.Mul(w).Sum()
	require.Equal(t, y.Float32s(), tensor.Grad(list(loss), list(w), nil)[0].Float32s())
	err := tensor.Try(func() { tensor.Grad(list(loss), list(x), nil) })
	var wrong *tensor.ArgError
	require.ErrorAs(t, err, &wrong)
	require.Equal(t, "special_airy_ai", wrong.Op)
	require.Regexp(t, `^grad_test.go:\d+: special_airy_ai: .* through the call at grad_test.go:\d+$`, err.Error())
	require.Error(t, tensor.Try(func() { loss.Backward() }))
	divided := tensor.Call("floor_divide", x, w)[0].Add(w).Sum() // PyTorch has no gradient of it either
	require.ErrorContains(t, tensor.Try(func() { tensor.Grad(list(divided), list(x, w), nil) }), "floor_divide: has no gradient")
	for _, flat := range list(x.Detach(), x.Argmax(), tensor.Call("zeros_like", x)[0], x.GtScalar(1), tensor.Call("histc", x, 2, 0, 3)[0]) {
		require.False(t, flat.NeedsGrad())
	}
}

// Misuse that would train nothing is an error.
func TestGradMisuse(t *testing.T) {
	dev := acap.Device()
	var arg *tensor.ArgError
	x := tensor.Ones(3).To(dev)
	y := x.Mul(x).Sum()
	require.ErrorAs(t, tensor.Try(func() { tensor.Grad(list(y), list(x), nil) }), &arg)
	require.ErrorContains(t, arg, "RequiresGrad")
	require.ErrorAs(t, tensor.Try(func() { y.Backward() }), &arg)
	require.ErrorAs(t, tensor.Try(func() { y.Backward(x) }), &arg)
	x.RequiresGrad() // after its use
	require.ErrorAs(t, tensor.Try(func() { tensor.Grad(list(y), list(x), nil) }), &arg)
	require.ErrorContains(t, arg, "depends on")
	z := x.Mul(x)
	require.ErrorAs(t, tensor.Try(func() { tensor.Grad(list(z), list(x), list(x, x)) }), &arg)
	require.ErrorAs(t, tensor.Try(func() { tensor.Grad(list(z.Sum(), nil), list(x), nil) }), &arg)
	require.ErrorAs(t, tensor.Try(func() { tensor.Grad(list(z.Sum()), list(nil), nil) }), &arg)
	require.ErrorAs(t, tensor.Try(func() { tensor.Grad(nil, list(x), nil) }), &arg)
	var shape *tensor.ShapeError
	require.ErrorAs(t, tensor.Try(func() { tensor.Grad(list(z), list(x), list(tensor.Ones(2).To(dev))) }), &shape)
	require.ErrorAs(t, tensor.Try(func() { z.Backward() }), &shape)
	var device *tensor.DeviceError
	require.ErrorAs(t, tensor.Try(func() { tensor.Grad(list(z.Sum(), z.Sum().Cpu()), list(x), nil) }), &device)
	var types *tensor.DTypeError
	require.ErrorAs(t, tensor.Try(func() { tensor.Of([]int64{1}).RequiresGrad() }), &types)
}

// A parameter keeps its mark through changes in place, by itself and by views, and
// through moves.
func TestParametersStay(t *testing.T) {
	for _, dev := range []device.Device{host.Device(), acap.Device()} {
		p := tensor.Of([]float32{1, 2, 3, 4}).To(dev).RequiresGrad()
		view := p.View([]int{2, 2})
		var wrong *tensor.ArgError
		for i, change := range []func(){
			func() { p.Assign(tensor.Ones(4).To(dev)) },
			func() { p.MulScalarInPlace(2) },
			func() { view.Select(0, 1).MulScalarInPlace(2) },
			func() { p.CopyInPlace(tensor.Of([]float32{4, 3, 2, 1}).To(dev)) },
			func() { p.DropoutInPlace(0.5, false) },
			func() { p.UnsqueezeInPlace(0) },
			func() { p.SqueezeInPlace() },
			func() { p.FillScalarInPlace(1) },
		} {
			if err := tensor.Try(change); i == 0 {
				require.NoError(t, err, "all but Assign record")
			} else {
				require.ErrorAs(t, err, &wrong, "%d", i)
				require.ErrorContains(t, err, "NoGrad")
			}
			require.True(t, p.IsParameter())
			tensor.NoGrad(change)
			require.True(t, p.IsParameter())
			x := p.Mul(p).Sum()
			x.Backward()
			require.Equal(t, p.MulScalar(2).Float32s(), p.Gradient().Float32s())
			p.ZeroGrad()
		}
		require.Equal(t, []float32{1, 1, 1, 1}, p.Float32s())
		x := tensor.Ones(4).To(dev)
		tensor.NoGrad(func() { p.CopyInPlace(x) })
		require.True(t, p.IsParameter() && !x.IsParameter(), "what was written is none")
		loss := p.MulScalar(3).Sum()
		loss.Backward()
		require.Same(t, p, p.MoveTo(host.Device()))
		require.True(t, p.IsParameter())
		require.Equal(t, []float32{3, 3, 3, 3}, p.Gradient().Float32s())
		require.Equal(t, device.Device(host.Device()), p.Device())
		require.Equal(t, device.Device(host.Device()), p.Gradient().Device())
	}
}

// Backward without arguments reaches all parameters, also in values that they had before,
// and adds up.
func TestBackwardReachesAll(t *testing.T) {
	dev := acap.Device()
	a := tensor.Of([]float32{2}).RequiresGrad() // on the host
	b := tensor.Of([]float32{3}).To(dev).RequiresGrad()
	loss := a.To(dev).Mul(b).Sum()
	tensor.NoGrad(func() { b.MulScalarInPlace(10) })
	loss.Backward()
	loss.Backward()
	require.Equal(t, []float32{6}, a.Gradient().Float32s())
	require.Equal(t, []float32{4}, b.Gradient().Float32s())
}

// A move leaves views of what the tensor was behind.
func TestMoveToAndViews(t *testing.T) {
	p := tensor.Of([]float32{1, 2})
	v := p.View([]int{2, 1})
	p.MoveTo(acap.Device())
	p.MulScalarInPlace(5)
	require.Equal(t, []float32{5, 10}, p.Float32s())
	require.Equal(t, []float32{1, 2}, v.Float32s())
	require.Error(t, tensor.Try(func() { v.CopyInPlace(p.View([]int{2, 1})) }), "another device")
}

func TestWithGradient(t *testing.T) {
	dev := acap.Device()
	x := tensor.Of([]float32{0.5, -2}).To(dev).RequiresGrad()
	y := tensor.Of([]float32{3, 4}).To(dev).RequiresGrad()
	forward := func(in []*tensor.Tensor) []*tensor.Tensor {
		return list(in[0].Sign(), in[0].Mul(in[1]))
	}
	var got []*tensor.Tensor
	out := tensor.WithGradient(list(x, y), forward, func(grads []*tensor.Tensor) []*tensor.Tensor {
		got = grads
		return list(grads[0].MulScalar(7).Add(grads[1]), nil)
	})
	require.Equal(t, []float32{1, -1}, out[0].Float32s())
	g := tensor.Grad(list(out[0].Sum()), list(x, y), nil)
	require.Equal(t, []float32{7, 7}, g[0].Float32s())
	require.Nil(t, g[1])
	require.Equal(t, []float32{0, 0}, got[1].Float32s())
	both := tensor.Grad(list(out[0].Sum().Add(out[1].MulScalar(2).Sum())), list(x), nil)
	require.Equal(t, []float32{9, 9}, both[0].Float32s())
	for _, wrong := range [][]*tensor.Tensor{nil, list(tensor.Ones(3).To(dev), nil), list(tensor.Ones(2), nil)} {
		out := tensor.WithGradient(list(x, y), forward,
			func([]*tensor.Tensor) []*tensor.Tensor { return wrong })
		require.Error(t, tensor.Try(func() { out[0].Sum().Backward() }))
	}
}

// Several goroutines may read a tensor and its views, however stale, and freeze them.
func TestReadersOfViews(t *testing.T) {
	for _, dev := range []device.Device{host.Device(), acap.Device()} {
		x := tensor.Arange(64).To(dev)
		view := x.View([]int{8, 8}).Transpose(0, 1)
		row := view.Select(0, 3)
		x.AddScalarInPlace(1)
		var wg sync.WaitGroup
		for range 8 {
			wg.Go(func() {
				require.Equal(t, []int{8}, row.Shape())
				require.EqualValues(t, 4, row.Float32s()[0])
				require.EqualValues(t, 9, view.Float32s()[1])
				require.EqualValues(t, 1+64*63/2+64-1, view.Freeze().Sum().Item())
				x.Freeze()
				lazy.Scope("s", func() { tensor.NoGrad(func() { row.View([]int{2, 4}).Float32s() }) })
			})
		}
		wg.Wait()
	}
}

// Kernels of gradients are credited to the line of the forward call.
func TestLineOfGradients(t *testing.T) {
	x := tensor.Of([]float32{1, 2}).To(acap.Device()).RequiresGrad()
	var y *tensor.Tensor
	lazy.Scope("layer", func() { y = x.Exp() })
	loss := y.Sum()
	g := tensor.Grad(list(loss), list(x), nil)[0]
	_, v := g.Trace()
	n, _ := trace.Of(v)
	file, line := n.Caller()
	require.Contains(t, file, "grad_test.go")
	_, v = y.Trace()
	forward, _ := trace.Of(v)
	_, want := forward.Caller()
	require.Equal(t, want, line)
}

// The backward forms of operators have gradients themselves.
func TestSecondOrderOfBackwardForms(t *testing.T) {
	plane := []int{1, 2, 5, 4}
	for name, c := range map[string]struct {
		dims []int
		f    func(x *tensor.Tensor) *tensor.Tensor
	}{
		"avg_pool2d": {plane, func(x *tensor.Tensor) *tensor.Tensor {
			return tensor.Call("avg_pool2d", x, 3, 2, 1, true, false)[0]
		}},
		"avg_pool3d":          {[]int{1, 1, 3, 4, 3}, func(x *tensor.Tensor) *tensor.Tensor { return tensor.Call("avg_pool3d", x, 2)[0] }},
		"max_pool2d":          {plane, func(x *tensor.Tensor) *tensor.Tensor { return tensor.Call("max_pool2d", x, 2, 1)[0] }},
		"max_pool3d":          {[]int{1, 1, 3, 4, 3}, func(x *tensor.Tensor) *tensor.Tensor { return tensor.Call("max_pool3d", x, 2)[0] }},
		"adaptive_avg_pool2d": {plane, func(x *tensor.Tensor) *tensor.Tensor { return tensor.Call("adaptive_avg_pool2d", x, []int{3, 2})[0] }},
		"adaptive_max_pool2d": {plane, func(x *tensor.Tensor) *tensor.Tensor { return tensor.Call("adaptive_max_pool2d", x, []int{3, 2})[0] }},
		"upsample_nearest2d":  {plane, func(x *tensor.Tensor) *tensor.Tensor { return tensor.Call("upsample_nearest2d", x, []int{7, 6})[0] }},
		"upsample_bilinear2d": {plane, func(x *tensor.Tensor) *tensor.Tensor {
			return tensor.Call("upsample_bilinear2d", x, []int{7, 6}, true)[0]
		}},
		"convolution": {plane, func(x *tensor.Tensor) *tensor.Tensor { return x.Conv2d(x.Narrow(2, 0, 2)) }},
		"matmul":      {[]int{3, 3}, func(x *tensor.Tensor) *tensor.Tensor { return x.MatMul(x) }},
		"index_put of a mask": {[]int{4, 2}, func(x *tensor.Tensor) *tensor.Tensor {
			mask := tensor.Of([]bool{true, false, true, true})
			return tensor.Call("index_put", x.Mul(x), []*tensor.Tensor{mask}, x.Narrow(0, 1, 1).Exp())[0]
		}},
		"layer_norm":  {[]int{2, 5}, func(x *tensor.Tensor) *tensor.Tensor { return x.LayerNorm([]int{5}) }},
		"log_softmax": {[]int{2, 5}, func(x *tensor.Tensor) *tensor.Tensor { return x.LogSoftmax(1) }},
		"gelu":        {[]int{5}, func(x *tensor.Tensor) *tensor.Tensor { return x.GELU() }},
		"native_batch_norm": {[]int{4, 3}, func(x *tensor.Tensor) *tensor.Tensor {
			return tensor.Call("native_batch_norm", x, nil, nil, nil, nil, true, 0.1, 1e-5)[0]
		}},
		"scaled_dot_attention": {[]int{1, 4, 3}, func(x *tensor.Tensor) *tensor.Tensor { return x.ScaledDotProductAttention(x, x) }},
	} {
		t.Run(name, func(t *testing.T) { secondOrder(t, c.dims, c.f) })
	}
}

// TestSecondOrderAtZeros: second derivatives where an element, a residual or a distance is 0. They are worked out by
// hand from the products, squares and lengths, and agree with PyTorch 2.14.
func TestSecondOrderAtZeros(t *testing.T) {
	call := func(name string, args ...any) func(x *tensor.Tensor) *tensor.Tensor {
		return func(x *tensor.Tensor) *tensor.Tensor { return tensor.Call(name, append([]any{x}, args...)...)[0] }
	}
	for name, c := range map[string]struct {
		at, along, want []float64
		f               func(x *tensor.Tensor) *tensor.Tensor
	}{
		"prod":            {[]float64{0, 2, 3}, []float64{1, 1, 1}, []float64{5, 3, 2}, call("prod")},
		"prod.dim_int":    {[]float64{0, 0, 3}, []float64{1, 1, 1}, []float64{3, 3, 0}, call("prod.dim_int", 0)},
		"cumprod":         {[]float64{0, 2, 3}, []float64{1, 1, 1}, []float64{6, 4, 2}, call("cumprod", 0)},
		"huber_loss":      {[]float64{0, 0.5, 2}, []float64{1, 1, 1}, []float64{1, 1, 0}, call("huber_loss", tensor.Of([]float64{0, 0, 0}), 2)},
		"smooth_l1_loss":  {[]float64{0, 0.5, 2}, []float64{1, 1, 1}, []float64{1, 1, 0}, call("smooth_l1_loss", tensor.Of([]float64{0, 0, 0}), 2)},
		"norm of order 3": {[]float64{0, 0, 0}, []float64{1, 2, 3}, []float64{0, 0, 0}, call("linalg_vector_norm", 3)},
		"cdist": {[]float64{0, 0, 3, 4}, []float64{1, 0, 0, 0}, []float64{0.256, -0.192, -0.256, 0.192}, func(x *tensor.Tensor) *tensor.Tensor {
			x = x.Reshape([]int{2, 2})
			return tensor.Call("cdist", x, x)[0]
		}},
	} {
		x := tensor.Of(c.at).RequiresGrad()
		first := tensor.Grad(list(c.f(x).Sum()), list(x), nil, tensor.CreateGraph)[0]
		second := tensor.Grad(list(first.Mul(tensor.Of(c.along)).Sum()), list(x), nil)[0]
		require.InDeltaSlice(t, c.want, second.Float64s(), 1e-12, name)
	}
}

// Gradients that are constant in what they were computed from have the derivative 0 (PyTorch 2.14), also in one of two
// values. What no value leads to has none.
func TestZeroSecondOrder(t *testing.T) {
	dims := []int{1, 1, 1, 4}
	for name, f := range map[string]func(x *tensor.Tensor) *tensor.Tensor{
		"relu":      (*tensor.Tensor).ReLU,
		"leakyrelu": func(x *tensor.Tensor) *tensor.Tensor { return x.LeakyReLU(tensor.NegativeSlope(0.1)) },
		"clamp":     func(x *tensor.Tensor) *tensor.Tensor { return x.Hardtanh() },
		"abs":       (*tensor.Tensor).Abs,
		"maximum":   func(x *tensor.Tensor) *tensor.Tensor { return x.Maximum(x.Neg()) },
		"reflect": func(x *tensor.Tensor) *tensor.Tensor {
			return tensor.Call("reflection_pad1d", x.View([]int{1, 4}), []int{2, 1})[0]
		},
		"replicate": func(x *tensor.Tensor) *tensor.Tensor {
			return tensor.Call("replication_pad3d", x.View([]int{1, 1, 1, 4}), []int{2, 1, 0, 1, 1, 0})[0]
		},
		"maxpool": func(x *tensor.Tensor) *tensor.Tensor { return x.MaxPool2d([]int{1, 2}) },
	} {
		x := tensor.Of([]float32{-2, 3, 0.5, -0.25}).View(dims).RequiresGrad()
		g := tensor.Grad(list(f(x).Sum()), list(x), nil, tensor.CreateGraph)[0]
		require.True(t, g.NeedsGrad(), name)
		require.Equal(t, []float32{0, 0, 0, 0}, tensor.Grad(list(g.Mul(g).Sum()), list(x), nil)[0].Float32s(), name)
		g.Mul(g).Sum().Backward()
		require.Equal(t, []float32{0, 0, 0, 0}, x.Gradient().Float32s(), name)
	}
	x, y := tensor.Of([]float32{-2, 3}).RequiresGrad(), tensor.Of([]float32{5, 7}).RequiresGrad()
	g := tensor.Grad(list(x.ReLU().Mul(y).Sum()), list(x), nil, tensor.CreateGraph)[0]
	second := tensor.Grad(list(g.Sum()), list(x, y), nil)
	require.Equal(t, []float32{0, 0}, second[0].Float32s())
	require.Equal(t, []float32{0, 1}, second[1].Float32s())
	linear := tensor.Grad(list(x.MulScalar(2).Sum()), list(x), nil, tensor.CreateGraph)[0]
	require.Panics(t, func() { tensor.Grad(list(linear.Sum()), list(x), nil) })
	masked := tensor.Grad(list(x.GtScalar(0).Where(y, y.Neg()).Sum()), list(x, y), nil)
	require.Nil(t, masked[0], "a comparison has no derivative")
}

// secondOrder compares the gradient of a squared gradient with differences.
func secondOrder(t *testing.T, dims []int, f func(x *tensor.Tensor) *tensor.Tensor) {
	at := make([]float64, tensor.Zeros(dims...).NumElements())
	for i := range at {
		at[i] = math.Sin(float64(i*i) + 1)
	}
	penalty := func(at []float64) (x, p *tensor.Tensor) {
		x = tensor.FromSlice(at).View(dims).RequiresGrad()
		y := f(x)
		g := tensor.Grad(list(y.Mul(y).Mul(y).Sum()), list(x), nil, tensor.CreateGraph)[0]
		return x, g.Mul(g).Sum()
	}
	x, p := penalty(at)
	got := tensor.Grad(list(p), list(x), nil)[0].Float64s()
	for i := range at {
		const h = 1e-5
		value := func(d float64) float64 {
			moved := append([]float64(nil), at...)
			moved[i] += d
			_, p := penalty(moved)
			return p.Item()
		}
		want := (value(h) - value(-h)) / (2 * h)
		require.InDelta(t, want, got[i], 1e-5*(1+math.Abs(want)), "element %d", i)
	}
}

// The gradients of a batch norm in training sum over the batch twice: the gradient of the input uses the sums of weight
// and bias.
func TestBatchNormSums(t *testing.T) {
	dev := acap.Device()
	x := tensor.Randn(4, 3, 5, 5).To(dev).RequiresGrad()
	w, b := tensor.Ones(3).To(dev).RequiresGrad(), tensor.Zeros(3).To(dev).RequiresGrad()
	up := tensor.Randn(4, 3, 5, 5).To(dev)
	y := x.BatchNorm(w, b, nil, nil, true, 0.1, 1e-5, false)
	g := tensor.Grad(list(y), list(x, w, b), list(up))
	text := string(lazy.GetMLIR(g[0], g[1], g[2]))
	require.Equal(t, 2, strings.Count(text, `"aten.sum`)+strings.Count(text, `"aten.mean`), text)
}

// A batch norm in training computes the statistics of the batch once, for its result and for the running ones: the
// mean, what rounding takes from the mean, and the variance.
func TestBatchNormStatistics(t *testing.T) {
	dev := acap.Device()
	x := tensor.Randn(4, 3, 5, 5).To(dev)
	mean, variance := tensor.Zeros(3).To(dev), tensor.Ones(3).To(dev)
	y := x.BatchNorm(nil, nil, mean, variance, true, 0.1, 1e-5, false)
	text, err := lazy.MLIRAt("linalg", y, mean, variance)
	require.NoError(t, err)
	require.Equal(t, 3, strings.Count(string(text), `"reduction", "parallel", "reduction", "reduction"`), "%s", text)
}

// The gradient of a convolution's weight takes as many products as the convolution, where the stride leaves a
// rest of the input, too.
func TestStridedWeightGradient(t *testing.T) {
	dev := acap.Device()
	macs := func(v *tensor.Tensor) (sum int64) {
		e, err := lazy.Explain(v)
		require.NoError(t, err)
		for _, k := range e.Kernels {
			sum += k.MACs
		}
		return sum
	}
	for _, padding := range []int{0, 1} {
		x, w := tensor.Randn(4, 8, 12, 12).To(dev), tensor.Randn(8, 8, 3, 3).To(dev).RequiresGrad()
		forward := func() *tensor.Tensor {
			return x.Conv2d(w, tensor.With("stride", 2), tensor.With("padding", padding))
		}
		y := forward()
		dy := tensor.Ones(y.Shape()...).To(dev)
		g := tensor.Grad([]*tensor.Tensor{y}, []*tensor.Tensor{w}, []*tensor.Tensor{dy})
		require.Equal(t, macs(forward()), macs(g[0]), "padding %d", padding)
	}
}

// TestGradientOfExtremeThatWasRead: an extreme of sums that is read before its gradient, so that the sums are computed
// twice, has the gradient of the row whose sum it is: 2x - 0.3 of that row. The row follows from sums in float64. Sums
// of few products round in another way where they are computed together with the extreme.
func TestGradientOfExtremeThatWasRead(t *testing.T) {
	const rows = 9
	random := rand.New(rand.NewPCG(1, 2))
	for _, columns := range []int{3, 3, 3, 3, 5, 5, 5, 17, 257} {
		list, sums := make([]float32, rows*columns), make([]float64, rows)
		for i := range list {
			list[i] = float32(random.NormFloat64())
			sums[i/columns] += (float64(list[i]) - 0.3) * float64(list[i])
		}
		order := slices.Clone(sums)
		slices.Sort(order)
		for name, o := range map[string]struct {
			of   func(x *tensor.Tensor) *tensor.Tensor
			want float64
		}{
			"amax":   {func(x *tensor.Tensor) *tensor.Tensor { return x.Amax() }, order[rows-1]},
			"amin":   {func(x *tensor.Tensor) *tensor.Tensor { return x.Amin() }, order[0]},
			"max":    {func(x *tensor.Tensor) *tensor.Tensor { return x.Max() }, order[rows-1]},
			"median": {func(x *tensor.Tensor) *tensor.Tensor { return x.Median() }, order[rows/2]},
			"norm":   {func(x *tensor.Tensor) *tensor.Tensor { return x.LinalgVectorNorm(tensor.Ord(math.Inf(1))) }, order[rows-1]},
			"scatter": {func(x *tensor.Tensor) *tensor.Tensor {
				index := tensor.Call("zeros_like", x, tensor.DType(dtype.I64))[0]
				return tensor.Call("scatter_reduce.two", x.Narrow(0, 0, 1), 0, index, x, "amax")[0].Sum()
			}, order[rows-1]},
		} {
			x := tensor.Of(list, rows, columns).To(acap.Device()).RequiresGrad()
			y := o.of(x.SubScalar(0.3).Mul(x).SumDim([]int{1}))
			require.InDelta(t, o.want, y.Item(), 1e-4, name)
			got := tensor.Grad([]*tensor.Tensor{y}, []*tensor.Tensor{x}, nil)[0].Float32s()
			row := slices.Index(sums, o.want)
			for i, g := range got {
				want := 0.0
				if i/columns == row {
					want = 2*float64(list[i]) - 0.3
				}
				require.InDelta(t, want, g, 1e-6, "%s at %d of %d columns", name, i, columns)
			}
		}
	}
}
