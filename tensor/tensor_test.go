package tensor_test

import (
	"context"
	"fmt"
	"math"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/go-acap/acap/base/dtype"
	"github.com/go-acap/acap/device"
	"github.com/go-acap/acap/device/acap"
	"github.com/go-acap/acap/device/host"
	"github.com/go-acap/acap/lazy"
	"github.com/go-acap/acap/tensor"
)

var devices = []device.Device{host.Device(), acap.Device()}

func TestOf(t *testing.T) {
	x := tensor.Of([][]float32{{1, 2, 3}, {4, 5, 6}})
	require.Equal(t, []int{2, 3}, x.Shape())
	require.Equal(t, dtype.F32, x.DType())
	require.Equal(t, []int{3, 2}, tensor.Of([]int{1, 2, 3, 4, 5, 6}, 3, 2).Shape())
	require.Equal(t, dtype.I64, tensor.Of(7).DType())
	require.Equal(t, []bool{true, false}, tensor.Of([]bool{true, false}).Bools())
	require.Error(t, tensor.Try(func() { tensor.Of([][]int{{1}, {2, 3}}) }), "ragged")
	require.Error(t, tensor.Try(func() { tensor.Of("text") }))
}

func TestAddOnEveryDevice(t *testing.T) {
	for _, dev := range devices {
		x := tensor.Of([]float32{1, 2, 3}).To(dev)
		y := x.Add(x, tensor.With("alpha", 2)).Mul(x)
		require.Equal(t, []float32{3, 12, 27}, y.Float32s(), dev.Name())
		require.Equal(t, dev, y.Device())
	}
}

func TestRecordingRunsNothing(t *testing.T) {
	dev := acap.Device()
	x := tensor.Ones(2).To(dev)
	before := lazy.For(dev).Metrics()
	y := x.Add(x)
	require.True(t, y.Pending())
	text := string(lazy.GetMLIR(y))
	require.Contains(t, text, `"aten.add.Tensor"(%arg0, %arg0)`)
	require.Contains(t, fmt.Sprintf("%#v", y), "pending")
	after := lazy.For(dev).Metrics()
	require.Equal(t, before.CompiledPrograms+before.CachedPrograms, after.CompiledPrograms+after.CachedPrograms)

	z := y.Mul(y) // the trace goes on growing
	require.Contains(t, string(lazy.GetMLIR(z)), "aten.mul.Tensor")
	require.Equal(t, []float32{4, 4}, z.Float32s())
}

func TestCache(t *testing.T) {
	dev := acap.Device()
	run := func() { tensor.Randn(5, 7).To(dev).Add(tensor.Randn(5, 7).To(dev)).Float32s() }
	run()
	before := lazy.For(dev).Metrics()
	run()
	after := lazy.For(dev).Metrics()
	require.Equal(t, before.CompiledPrograms, after.CompiledPrograms)
	require.Equal(t, before.CachedPrograms+1, after.CachedPrograms)
}

func TestErrorsNameTheLine(t *testing.T) {
	for _, c := range []struct {
		f    func()
		want string
	}{
		{func() { tensor.Ones(2, 3).Add(tensor.Ones(4)) }, "add.Tensor: shapes do not broadcast: [2 3] and [4]"},
		{func() { tensor.Ones(2).To(acap.Device()).Add(tensor.Ones(2)) }, "operands are on acap:npu1 and on host"},
		{func() { tensor.Call("nonsense") }, "nonsense: unknown operator"},
		{func() { tensor.Ones(2).Item() }, "item: a tensor of 2 elements is no scalar"},
	} {
		err := tensor.Try(c.f)
		require.ErrorContains(t, err, c.want)
		require.True(t, strings.HasPrefix(err.Error(), "tensor_test.go:"), err.Error())
	}
	var shape *tensor.ShapeError
	require.ErrorAs(t, tensor.Try(func() { tensor.Ones(2).Add(tensor.Ones(3)) }), &shape)
	require.Panics(t, func() { _ = tensor.Try(func() { panic("other") }) })
}

func TestHostScalarsGoAnywhere(t *testing.T) {
	x := tensor.Ones(3).To(acap.Device())
	require.Equal(t, []float32{2, 2, 2}, x.Mul(tensor.Scalar(2.0)).Float32s())
}

func TestAliasing(t *testing.T) {
	for _, dev := range devices {
		x := tensor.Of([][]float32{{1, 2}, {3, 4}}).To(dev)
		row := x.Select(0, 1)
		row.AddInPlace(tensor.Of([]float32{10, 20}).To(dev))
		require.Equal(t, []float32{1, 2, 13, 24}, x.Float32s(), "the base sees a write through its view")
		x.MulInPlace(x)
		require.Equal(t, []float32{169, 576}, row.Float32s(), "the view sees a write to its base")
	}
}

func TestGradient(t *testing.T) {
	for _, dev := range devices {
		x := tensor.Of([]float32{1, 2, 3}).To(dev).RequiresGrad()
		y := x.Mul(x).Sum()
		y.Backward(x)
		require.Equal(t, []float32{2, 4, 6}, x.Gradient().Float32s())
		x.ZeroGrad()
		require.Nil(t, x.Gradient())
	}
}

func TestGradientThroughView(t *testing.T) {
	x := tensor.Of([]float32{1, 2, 3}).RequiresGrad()
	y := x.MulScalar(1.0)
	y.Slice(0, 0, 2).MulInPlace(tensor.Of([]float32{5, 5}))
	g := tensor.Grad([]*tensor.Tensor{y.Sum()}, []*tensor.Tensor{x}, nil)
	require.Equal(t, []float32{5, 5, 1}, g[0].Float32s())
}

func TestDeepChain(t *testing.T) {
	const depth = 2000
	x := tensor.Zeros(4).To(acap.Device())
	one := tensor.Ones(4).To(acap.Device())
	for range depth {
		x = x.Add(one)
	}
	require.Equal(t, float32(depth), x.Float32s()[0])
}

// A value that an earlier barrier computed without keeping is computed again once.
func TestKeptOnce(t *testing.T) {
	dev := acap.Device()
	h := tensor.Ones(2).To(dev)
	step := func(h *tensor.Tensor) *tensor.Tensor { return h.Add(h) }
	h = step(h)
	require.Equal(t, []float32{3, 3}, h.AddScalar(1).Float32s())
	h2 := step(h)
	require.Equal(t, []float32{5, 5}, h2.AddScalar(1).Float32s())
	require.False(t, h.Pending(), "h was computed twice, so it is kept")
}

func TestSyncCancelled(t *testing.T) {
	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	x := tensor.Ones(3, 3, 3).To(acap.Device())
	require.ErrorIs(t, tensor.Sync(ctx, x.Sub(x).Mul(x)), context.Canceled)
}

func TestPrint(t *testing.T) {
	// The expected texts are PyTorch's.
	inf := float32(math.Inf(1))
	long := make([]float32, 2000)
	for i := range long {
		long[i] = float32(i)
	}
	for _, c := range []struct {
		x    *tensor.Tensor
		want string
	}{
		{tensor.Of(float32(1.5)), "tensor(1.5000)"},
		{tensor.Of([]float32{1, 2, 3}), "tensor([1., 2., 3.])"},
		{tensor.Of([]float32{1, 2.5, -3}), "tensor([ 1.0000,  2.5000, -3.0000])"},
		{tensor.Of([]float32{1e-5, 1}), "tensor([1.0000e-05, 1.0000e+00])"},
		{tensor.Of([]float32{1, inf}), "tensor([1., inf])"},
		{tensor.Of([]int{1, -20}), "tensor([  1, -20])"},
		{tensor.Of([]bool{true, false}), "tensor([ True, False])"},
		{tensor.Of([]float64{0.5}), "tensor([0.5000], dtype=torch.float64)"},
		{tensor.Zeros(0), "tensor([])"},
		{tensor.Zeros(0, 3), "tensor([], size=(0, 3))"},
		{tensor.Of([][]float32{{1, 2}, {3, 4}}), "tensor([[1., 2.],\n        [3., 4.]])"},
		{tensor.Zeros(2, 1, 2), "tensor([[[0., 0.]],\n\n        [[0., 0.]]])"},
		{tensor.Of(long), "tensor([0.0000e+00, 1.0000e+00, 2.0000e+00,  ..., 1.9970e+03, 1.9980e+03,\n        1.9990e+03])"},
	} {
		require.Equal(t, c.want, c.x.String())
	}
}

func TestRender(t *testing.T) {
	r := tensor.Of([]float32{1, 2}).SimpleRender()
	require.Equal(t, "tensor([1., 2.])", r["text/plain"])
	require.Contains(t, r["text/html"], "<td>2</td>")
}

func ExampleTensor() {
	x := tensor.Of([][]float32{{1, 2}, {3, 4}}).To(acap.Device())
	y := x.Add(x)
	fmt.Print(lazy.GetMLIR(y))
	fmt.Println(y)
	// Output:
	// module {
	//   func.func @main(%arg0: tensor<2x2xf32>) -> tensor<2x2xf32> {
	//     %0 = "aten.add.Tensor"(%arg0, %arg0) : (tensor<2x2xf32>, tensor<2x2xf32>) -> tensor<2x2xf32>
	//     return %0 : tensor<2x2xf32>
	//   }
	// }
	// tensor([[2., 4.],
	//         [6., 8.]], device='acap:npu1')
}

func ExampleTry() {
	err := tensor.Try(func() { tensor.Ones(2, 3).MatMul(tensor.Ones(2, 3)) })
	fmt.Println(err != nil)
	// Output: true
}

// Printing a value that cannot be computed panics, with the user's line once.
func TestPrintOfFailure(t *testing.T) {
	index := tensor.Of([]int64{7}).To(acap.Device())
	x := tensor.Ones(3).To(acap.Device()).IndexSelect(0, index)
	for _, print := range []func(){
		func() { _ = fmt.Sprint(x) },
		func() { _ = fmt.Sprintf("%v and %v", 1, []any{x}) },
		func() { _ = x.String() },
	} {
		err := tensor.Try(print)
		var failed *tensor.DeviceError
		require.ErrorAs(t, err, &failed)
		require.Regexp(t, `^tensor_test.go:\d+: `, err.Error())
		require.Equal(t, 1, strings.Count(err.Error(), failed.Where), err)
	}
}
