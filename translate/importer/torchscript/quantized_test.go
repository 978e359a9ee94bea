package torchscript

import (
	"archive/zip"
	"bytes"
	"encoding/binary"
	"io"
	"math"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/go-acap/acap/base/buf"
	"github.com/go-acap/acap/base/dtype"
	"github.com/go-acap/acap/ops"
)

// TestQuantized compares quantized models with PyTorch: results are the same step or the next one, and few are the
// next one, none where engines differ in ways that are followed. Products are sums of integers.
func TestQuantized(t *testing.T) {
	paths, err := filepath.Glob("testdata/quantized/*.pt")
	require.NoError(t, err)
	require.NotEmpty(t, paths)
	for _, path := range paths {
		t.Run(strings.TrimSuffix(filepath.Base(path), ".pt"), func(t *testing.T) {
			m, err := Load(path)
			require.NoError(t, err)
			recorded := recordedArrays(t, path)
			x, y, step := recorded["x"], recorded["y"], recorded["step"].Float64(0)
			module, err := m.Specialize([]*buf.Buffer{x}, onHost)
			require.NoError(t, err)
			if name := filepath.Base(path); name == "linear.pt" || name == "conv.pt" {
				integers := 0
				for _, op := range module.Body().Ops[0].Body().Ops {
					if strings.HasPrefix(op.Name, "aten._int_") {
						integers++
					}
				}
				require.Equal(t, 1, integers)
			}
			out, err := onHost(module, []*buf.Buffer{x})
			require.NoError(t, err)
			require.Equal(t, y.Shape, out[0].Shape)
			other, most := 0, 1+y.Len()/5
			if strings.HasPrefix(filepath.Base(path), "exact_") {
				most = 0
			}
			for i := range y.Len() {
				gap := math.Abs(out[0].Float64(i) - y.Float64(i))
				require.LessOrEqual(t, gap, 1.001*step, "element %d", i)
				if gap > step/2 {
					other++
				}
			}
			t.Logf("%d of %d are the next step", other, y.Len())
			require.LessOrEqual(t, other, most)
		})
	}
}

// What a file says about packed parameters does not fit, and the message says so.
func TestQuantizedErrors(t *testing.T) {
	const head = "    q = torch.quantize_per_tensor(x, 0.1, 3, 13)\n"
	for body, want := range map[string]string{
		"    return q\n": "forward returns a quantized Tensor of u8",
		"    return ops.quantized.linear(q, x, 0.1, 0)\n":                                     "argument 1 is a Tensor instead of packed parameters",
		"    return ops.quantized.linear(x, ops.quantized.linear_prepack(x, None))\n":         "argument 0 is a Tensor instead of a quantized tensor",
		"    return ops.quantized.twist(q, 0.1, 0)\n":                                         "unknown operator quantized::twist",
		"    return torch.dequantize(torch.quantize_per_tensor(x, 0.0, 3, 13))\n":             "a scale of 0",
		"    return torch.dequantize(torch.quantize_per_tensor(x, 0.1, 3, 6))\n":              "quantization to the element type 6 is not supported",
		"    return ops.quantized.embedding_byte(x, x)\n":                                     "argument 0 is a Tensor instead of packed parameters",
		"    return ops.quantized.embedding_4bit(x, x)\n":                                     "unknown operator quantized::embedding_4bit",
		"    return ops.quantized.embedding_byte(ops.quantized.linear_prepack(q, None), x)\n": "the table of an embedding has a scale for each row",
		"    return ops.quantized.quantized_gru_cell_dynamic(x, [x, x], q, q, x, x)\n":        "2 states for a cell of gru",
		"    return ops.quantized.quantized_rnn_tanh_cell_dynamic(x, x, q, q, x, x)\n":        "argument 2 is a quantized Tensor of u8 instead of packed parameters",
		"    return torch.quantized_gru(x, x, x, [x], True, 1, 0.0, False, False)\n":          "quantized_gru of a packed sequence is not supported",
		"    return torch.quantized_gru(x, x, [x], True, 1, 0.0, True, False, False)\n":       "quantized_gru does not train",
		"    return torch.quantized_gru(x, x, [x], True, 2, 0.0, False, False, False)\n":      "1 sets of parameters for 2 layers of 1 directions",
		"    return torch.quantized_gru(x, x, [x], True, 1, 0.0, False, False, False)\n":      "quantized_gru of shape [2 3] with 1 states is not supported",
		"    p = ops.quantized.linear_prepack(torch.reshape(torch.quantize_per_tensor(x, 0.1, 0, 12), [6]), None)\n" +
			"    return torch.dequantize(ops.quantized.linear(q, p, 0.1, 0))\n": "",
	} {
		m, err := read(moduleArchive(t, head+body))
		require.NoError(t, err)
		_, err = m.Import([]ops.TensorType{{DType: dtype.F32, Shape: []int{2, 3}}})
		require.ErrorContains(t, err, want, body)
	}
}

// A tensor that PyTorch would quantize by hand: operators without a quantized form compute with the numbers and round
// to the quantum of their operand, or to the quantum of a known range.
func TestQuantizedOperators(t *testing.T) {
	x := buf.From([]float32{-0.52, 0.14, 0.26, 9}, 4)
	for body, want := range map[string][]float64{
		"torch.relu(q)":        {0, 0.1, 0.3, 6.3},
		"torch.tanh(q)":        {-59. / 128, 13. / 128, 37. / 128, 127. / 128},
		"torch.hardsigmoid(q)": {107. / 256, 132. / 256, 141. / 256, 255. / 256},
		"torch.quantize_per_tensor(torch.mul(x, 1000), 0.5, 7, 14)":            {-520, 140, 260, 9000},
		"torch.quantize_per_tensor(x, torch.tensor(0.1), torch.tensor(3), 13)": {-0.3, 0.1, 0.3, 9},
		"torch.quantize_per_tensor(x, scale=0.1, zero_point=3, dtype=13)":      {-0.3, 0.1, 0.3, 9},
		"torch.max(q, other=torch.neg(q))":                                     {0.5, 0.1, 0.3, 6.3},
		"ops.quantized.mul(q, q, 0.5, 10)":                                     {0, 0, 0, 39.5},
		"ops.quantized.add_relu(q, q, 0.5, 10)":                                {0, 0, 0.5, 12.5},
		"torch.int_repr(q)":                                                    {59, 65, 67, 127},
		"torch.dequantize(torch.sigmoid(q))":                                   {97.0 / 256, 134.0 / 256, 147.0 / 256, 255.0 / 256},
		"torch.flip(q, [0])":                                                   {6.3, 0.3, 0.1, -0.5},
		"ops.quantized.add(q, q, 0.5, 10)":                                     {-1, 0, 0.5, 12.5},
		"ops.quantized.cat([q, q], 0)":                                         {-0.5, 0.1, 0.3, 6.3, -0.5, 0.1, 0.3, 6.3},
		"torch.mul(q, torch.q_scale(q))":                                       {0, 0, 0, 0.6},
		"torch.slice(q, 0, torch.size(q, 0) - 1)":                              {6.3},
		"(torch.split(q, 3))[1]":                                               {6.3},
		"(torch.chunk(q, 2))[0]":                                               {-0.5, 0.1},
		"(torch.max(q, 0))[0]":                                                 {6.3},
		"(torch.sort(q, 0, True))[0]":                                          {6.3, 0.3, 0.1, -0.5},
		"torch.cat([q, torch.clone(q)])":                                       {-0.5, 0.1, 0.3, 6.3, -0.5, 0.1, 0.3, 6.3},
		"torch.mul(q, torch.sub(torch.q_zero_point(q), 59))":                   {-2.5, 0.5, 1.5, 6.3},
		"torch.detach(torch.contiguous(torch.cpu(q)))":                         {-0.5, 0.1, 0.3, 6.3},
	} {
		if !strings.Contains(body, "int_repr") && !strings.Contains(body, "dequantize") {
			body = "torch.dequantize(" + body + ")"
		}
		m, err := read(moduleArchive(t, "    q = torch.quantize_per_tensor(x, 0.1, 64, 12)\n"+
			"    assert ops.prim.is_quantized(q) and ops.prim.dtype(q) == 12 and torch.q_scale(q) == 0.1 and torch.q_zero_point(q) == 64\n"+
			"    return "+body+"\n"))
		require.NoError(t, err)
		module, err := m.Import([]ops.TensorType{{DType: dtype.F32, Shape: []int{4}}})
		require.NoError(t, err, body)
		out, err := onHost(module, []*buf.Buffer{x})
		require.NoError(t, err)
		require.Equal(t, len(want), out[0].Len(), body)
		for i, v := range want {
			require.InDelta(t, v, out[0].Float64(i), 1e-6, "%s: %d", body, i)
		}
	}
}

// TestChannels: a tensor with a scale and a zero point for each place of a dimension stands for the numbers that they
// say, and what is computed from it is rounded by them.
func TestChannels(t *testing.T) {
	reference := func(class, key string) string {
		return "(" + pText("storage") + pGlobal("torch", class) + pText(key) + pText("cpu") + pInt(4) + "tQ"
	}
	for axis, want := range [][]float64{{0, 0.5, 6, -10}, {0, 4, 1, -10}} {
		q := pGlobal("torch._utils", "_rebuild_qtensor") + "(" + reference("QInt8Storage", "0") + pInt(0) + pInts(2, 2) + pInts(2, 1) +
			"(" + pGlobal("torch", "per_channel_affine") + pTensor("DoubleStorage", "1", 2, 0, []int{2}, []int{1}) +
			pTensor("LongStorage", "2", 2, 0, []int{2}, []int{1}) + pInt(axis) + "t\x89" + pGlobal("collections", "OrderedDict") + ")RtR"
		var scales, zeros []byte
		for i, v := range []float64{0.5, 2} {
			scales = binary.LittleEndian.AppendUint64(scales, math.Float64bits(v))
			zeros = binary.LittleEndian.AppendUint64(zeros, uint64(1-i))
		}
		for body, f := range map[string]func(float64) float64{
			"torch.dequantize(q)":                    func(v float64) float64 { return v },
			"torch.dequantize(torch.relu(q))":        func(v float64) float64 { return math.Max(v, 0) },
			"torch.dequantize(torch.mul(q, 2))":      func(v float64) float64 { return 2 * v },
			"torch.add(torch.dequantize(q), 1)":      func(v float64) float64 { return v + 1 },
			"torch.dequantize(torch.clone(self.q))":  func(v float64) float64 { return v },
			"torch.dequantize(torch.mul(q, 0.49))":   nil,
			"torch.dequantize(torch.mul(q, 1000.))":  nil,
			"torch.dequantize(torch.mul(q, -1000.))": nil,
		} {
			m, err := read(pack(t, member{"m/data.pkl", pickled(pObject("__torch__.M", "q", q))}, member{"m/data/0", "\x01\x02\x03\xfb"},
				member{"m/data/1", string(scales)}, member{"m/data/2", string(zeros)},
				member{"m/code/__torch__.py", "class M(Module):\n  __parameters__ = []\n  __buffers__ = []\n  q : Any\n  def forward(self: __torch__.M) -> Tensor:\n" +
					"    q = self.q\n    assert q is not None and len([q]) == 1\n    return " + body + "\n"}, member{"m/constants.pkl", pickled(")")}))
			require.NoError(t, err, body)
			module, err := m.Import(nil)
			require.NoError(t, err, body)
			out, err := onHost(module, nil)
			require.NoError(t, err, body)
			for i, v := range want {
				place := i / 2
				if axis == 1 {
					place = i % 2
				}
				scale, zero := []float64{0.5, 2}[place], []float64{1, 0}[place]
				quantized := func(v float64) float64 {
					return (math.Min(math.Max(math.RoundToEven(v/scale)+zero, -128), 127) - zero) * scale
				}
				switch {
				case f != nil:
					v = f(v)
				case strings.Contains(body, "0.49"):
					v = quantized(v * 0.49)
				case strings.Contains(body, "-1000"):
					v = quantized(v * -1000)
				default:
					v = quantized(v * 1000)
				}
				require.InDelta(t, v, out[0].Float64(i), 1e-6, "%s along %d: %d", body, axis, i)
			}
		}
	}
}

// Cells of other kinds than dynamically quantized ones are refused where the file has them.
func TestCellsOfOtherKinds(t *testing.T) {
	from, err := zip.OpenReader("testdata/quantized/gru.pt")
	require.NoError(t, err)
	defer from.Close()
	var changed bytes.Buffer
	to := zip.NewWriter(&changed)
	for _, f := range from.File {
		r, err := f.Open()
		require.NoError(t, err)
		data, err := io.ReadAll(r)
		require.NoError(t, err)
		w, err := to.CreateHeader(&zip.FileHeader{Name: f.Name, Method: zip.Store})
		require.NoError(t, err)
		_, err = w.Write(bytes.ReplaceAll(data, []byte("quantized_dynamic"), []byte("quantized_twisted")))
		require.NoError(t, err)
	}
	require.NoError(t, to.Close())
	_, err = read(changed.Bytes())
	require.ErrorContains(t, err, "recurrent cells of kind quantized_twisted are not supported: they are quantized_dynamic")
}

// TestDynamicQuantization: numbers are rounded to 256 steps between the least, the largest and 0, as a product with the
// identity shows.
func TestDynamicQuantization(t *testing.T) {
	m, err := read(moduleArchive(t, "    p = ops.quantized.linear_prepack(torch.quantize_per_tensor(torch.eye(4), 1.0, 0, 12), None)\n"+
		"    return ops.quantized.linear_dynamic(x, p)\n"))
	require.NoError(t, err)
	module, err := m.Import([]ops.TensorType{{DType: dtype.F32, Shape: []int{1, 4}}})
	require.NoError(t, err)
	for _, c := range [][2][]float32{
		{{-1, 0.123, 0.497, 1.55}, {-1, 0.12, 0.5, 1.55}},
		{{0.126, 1, 2.004, 2.55}, {0.13, 1, 2, 2.55}},
		{{-2.55, -1, -0.126, -2.004}, {-2.55, -1, -0.13, -2}},
		{{0, 0, 0, 0}, {0, 0, 0, 0}},
	} {
		out, err := onHost(module, []*buf.Buffer{buf.From(c[0], 1, 4)})
		require.NoError(t, err)
		for i, want := range c[1] {
			require.InDelta(t, want, out[0].Float64(i), 1e-6, "%v", c[0])
		}
	}
}
