package nn_test

import (
	"bytes"
	"math"
	"path"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/go-acap/acap/base/dtype"
	"github.com/go-acap/acap/device"
	"github.com/go-acap/acap/lazy"
	"github.com/go-acap/acap/tensor"
	"github.com/go-acap/acap/tensor/nn"
	"github.com/go-acap/acap/tensor/npy"
)

// TestQuantizedWeights: models with weights of few bits give what ONNX Runtime gives, and the weights stay in blocks,
// which are made once for all programs of a model; where there is no format for them, Explain says why.
func TestQuantizedWeights(t *testing.T) {
	names, files := modelFiles(t, "onnx/quantized.tar.gz")
	require.Len(t, names, 14)
	checkWeights(t, names, files, func(data []byte, dev device.Device) (caller, error) { return nn.ReadONNX(data, "model.onnx", dev) })
}

// TestQuantizedPrograms: so do exported programs, which give what PyTorch gives.
func TestQuantizedPrograms(t *testing.T) {
	names, files := modelFiles(t, "torch/weights.tar.gz")
	require.Len(t, names, 14)
	checkWeights(t, names, files, func(data []byte, dev device.Device) (caller, error) {
		return nn.ReadTorchScript(bytes.NewReader(data), int64(len(data)), "model.pt2", dev)
	})
}

func checkWeights(t *testing.T, names []string, files map[string]map[string][]byte, read func([]byte, device.Device) (caller, error)) {
	dev := freshDevice(t)
	packed := func() int64 { return lazy.For(dev).Metrics().Counters["PackedOperands"] }
	for _, name := range names {
		t.Run(name, func(t *testing.T) {
			data := files[name]["model.onnx"]
			if data == nil {
				data = files[name]["model.pt2"]
			}
			m, err := read(data, dev)
			require.NoError(t, err)
			x, err := npy.Read(bytes.NewReader(files[name]["x.npy"]))
			require.NoError(t, err)
			want, err := npy.Read(bytes.NewReader(files[name]["y.npy"]))
			require.NoError(t, err)
			format, before, bytesBefore := path.Dir(name), packed(), lazy.For(dev).Metrics().Counters["PackedBytes"]
			out, err := m.Forward(tensor.FromBuffer(x).To(dev))
			require.NoError(t, err)
			e, err := lazy.Explain(out[0])
			require.NoError(t, err)
			says, made := "reads weights in blocks of "+format+", which have", int64(1)
			if format == "plain" {
				says, format, made = "", "", 0
			}
			if format == "" && path.Base(name) != "channel_f64" {
				says = "gives floats: a scale is shared by 16 values, and blocks have multiples of 32"
			}
			require.Contains(t, e.String(), says)
			stored := ""
			for _, k := range e.Kernels {
				stored += k.Stored
			}
			require.Equal(t, format, stored)
			require.Equal(t, made, packed()-before)
			if f, ok := dtype.FormatNamed(format); ok { // of 5 or 6 columns
				row, _ := f.RowBytes(f.Block())
				bytes := lazy.For(dev).Metrics().Counters["PackedBytes"] - bytesBefore
				require.Zero(t, bytes%int64(row))
				require.LessOrEqual(t, bytes, int64(6*256/f.Block()*row), "nothing but the blocks is kept")
			}
			got, err := out[0].Buffer(t.Context())
			require.NoError(t, err)
			require.Equal(t, want.DType, got.DType)
			require.Equal(t, want.Shape, got.Shape)
			most, step := 0.0, 2e-6
			for i := range want.Len() {
				most = max(most, math.Abs(want.Float64(i)))
			}
			if want.DType.Size() == 2 {
				step = 1e-3
			}
			for i := range want.Len() {
				require.InDelta(t, want.Float64(i), got.Float64(i), step*most, "element %d", i)
			}
			if format == "" {
				return
			}
			before = packed()
			again, err := m.Forward(tensor.FromBuffer(x).To(dev))
			require.NoError(t, err)
			_, err = again[0].ReLU().Buffer(t.Context()) // another program
			require.NoError(t, err)
			require.Equal(t, before, packed(), "the weights are in blocks already")
		})
	}
}

// TestReadOfWeights: what a model reads of its weights is computed beside the trace. The first call has the programs of
// later ones, and nothing is a barrier of whoever calls the model, so that lazy.Compile takes it.
func TestReadOfWeights(t *testing.T) {
	var g graph
	g.weight("w", func(i int) float64 { return []float64{1, 1, 2, 3}[i] }, 4)
	g.node("Relu", []string{"w"}, []string{"scales"}, nil) // as DequantizeLinear of bytes
	g.node("Resize", []string{"x", "", "scales"}, []string{"r"}, map[string]any{"mode": "nearest"})
	g.node("ReduceSum", []string{"scales"}, []string{"sum"}, map[string]any{"keepdims": 0})
	g.node("Add", []string{"r", "sum"}, []string{"y"}, nil)
	g.input("x", elemF32, 1, 1, 1, 2)
	g.output("y", elemF32, 1, 1, 2, 6)
	dev := freshDevice(t)
	m, err := nn.ReadONNX(g.bytes(), "model.onnx", dev)
	require.NoError(t, err)
	forward := func(x ...*tensor.Tensor) []*tensor.Tensor {
		y, err := m.Forward(x...)
		require.NoError(t, err)
		return y
	}
	x, want := tensor.FromSlice([]float32{1, 2}, 1, 1, 1, 2).To(dev), []float32{8, 8, 8, 9, 9, 9, 8, 8, 8, 9, 9, 9}
	programs := func() int { return lazy.For(dev).Metrics().CompiledPrograms }
	require.NoError(t, lazy.NoSync(func() { require.NoError(t, lazy.Sync(t.Context(), forward(x)[0])) }))
	first := programs()
	for range 3 {
		require.Equal(t, want, tensor.Data[float32](forward(x)[0]))
		require.Equal(t, first, programs())
	}
	y, err := lazy.Compile(forward).Call(t.Context(), x)
	require.NoError(t, err)
	require.Equal(t, want, tensor.Data[float32](y[0]))
	require.Equal(t, int64(3), lazy.For(dev).Metrics().Counters["HiddenBarriers"], "the three reads above")
}

// TestBlocksAreNoBarrier: blocks of weights are made in the first call, also where barriers are errors.
func TestBlocksAreNoBarrier(t *testing.T) {
	names, files := modelFiles(t, "onnx/quantized.tar.gz")
	for _, name := range names {
		dev := freshDevice(t)
		m, err := nn.ReadONNX(files[name]["model.onnx"], "model.onnx", dev)
		require.NoError(t, err)
		x, err := npy.Read(bytes.NewReader(files[name]["x.npy"]))
		require.NoError(t, err)
		forward := func(x ...*tensor.Tensor) []*tensor.Tensor {
			y, err := m.Forward(x...)
			require.NoError(t, err)
			return y
		}
		_, err = lazy.Compile(forward).Call(t.Context(), tensor.FromBuffer(x).To(dev))
		require.NoError(t, err, name)
	}
}
