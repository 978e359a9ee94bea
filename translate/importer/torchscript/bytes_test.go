package torchscript

import (
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/go-acap/acap/base/buf"
	"github.com/go-acap/acap/base/dtype"
)

// numbers are random integers from low to high.
func numbers(r *rand.Rand, d dtype.DType, low, high int, dims ...int) *buf.Buffer {
	b := buf.New(d, dims)
	for i := range b.Len() {
		b.SetInt64(i, int64(low+r.IntN(high-low+1)))
	}
	return b
}

func floatOf(v float64) fields { return fields{"as_float": v} }
func int64Of(v int) fields     { return fields{"as_int": v} }
func intsOf(v ...int) fields   { return fields{"as_ints": v} }

const schemaI8, schemaU8 = 2, 1

// quantizedLayer is a linear layer or a convolution of bytes, in the words of PT2E or torchao.
type quantizedLayer struct {
	name     string
	input    []int
	weight   []int
	unsigned bool // the weights are
	zeros    bool // the weights have zero points
	affine   bool // the operator is torchao's
	variable bool // scale and zero point of the input are tensors
	token    bool // there is one for each row
	padding  int
	groups   int
	by       string // the operator that multiplies, or _int_ for products of bytes
}

func (l quantizedLayer) run(t *testing.T) {
	r := rand.New(rand.NewPCG(32, 1))
	p, low := newProgram(), -128
	d, code := dtype.I8, schemaI8
	if l.unsigned {
		d, code, low = dtype.U8, schemaU8, 0
	}
	w := numbers(r, d, low, low+255, l.weight...)
	n, rows := l.weight[0], l.input[0]
	scales, zeros := buf.New(dtype.F32, []int{n}), buf.New(dtype.I64, []int{n})
	for i := range n {
		scales.SetFloat64(i, 0.01+0.003*float64(i))
		if l.zeros {
			zeros.SetInt64(i, int64(low+100+7*i))
		}
	}
	bias := buf.From([]float32{1, -2, 3, 0.5}[:n], n)
	x := numbers(r, dtype.U8, 0, 255, l.input...)
	p.tensor("buffer", "w", "w", w)
	p.tensor("buffer", "scales", "scales", scales)
	p.tensor("buffer", "zeros", "zeros", zeros)
	p.tensor("parameter", "bias", "bias", bias)
	p.input("x", dtype.U8, l.input...)
	count := 1
	if l.token {
		count = rows
	}
	xScale, xZero := buf.New(dtype.F32, []int{count, 1}), buf.New(dtype.I64, []int{count, 1})
	for i := range count {
		xScale.SetFloat64(i, 0.02+0.01*float64(i))
		xZero.SetInt64(i, int64(131+i))
	}
	inputs := []*buf.Buffer{x}
	scale, zero := any(floatOf(xScale.Float64(0))), any(int64Of(131))
	if l.variable || l.token {
		p.input("s", dtype.F32, count, 1)
		p.input("z", dtype.I64, count, 1)
		scale, zero = tensorOf("s"), tensorOf("z")
		inputs = append(inputs, xScale, xZero)
	}
	of, overload := "dequantize_per_tensor", "default"
	if l.token {
		of = "dequantize_per_token"
	} else if l.variable {
		overload = "tensor"
	}
	arguments := []any{"input", tensorOf("x"), "scale", scale, "zero_point", zero, "quant_min", int64Of(0), "quant_max", int64Of(255),
		"dtype", fields{"as_scalar_type": schemaU8}}
	if l.token {
		arguments[2], arguments[4] = "scales", "zero_points"
		arguments = append(arguments, "output_dtype", fields{"as_scalar_type": 7})
	}
	p.call("torch.ops.quantized_decomposed."+of+"."+overload, "dx", arguments...)
	if l.affine {
		block := append([]int{1}, l.weight[1:]...)
		p.call("torch.ops.torchao.dequantize_affine.default", "dw", "input", tensorOf("w"), "block_size", intsOf(block...), "scale", tensorOf("scales"),
			"zero_point", tensorOf("zeros"), "input_dtype", fields{"as_scalar_type": code})
	} else {
		p.call("torch.ops.quantized_decomposed.dequantize_per_channel.default", "dw", "input", tensorOf("w"), "scales", tensorOf("scales"),
			"zero_points", tensorOf("zeros"), "axis", int64Of(0), "quant_min", int64Of(low), "quant_max", int64Of(low+255),
			"dtype", fields{"as_scalar_type": code})
	}
	if len(l.weight) == 2 {
		p.call("torch.ops.aten.permute.default", "turned", "self", tensorOf("dw"), "dims", intsOf(1, 0))
		p.call("torch.ops.aten.addmm.default", "y", "self", tensorOf("bias"), "mat1", tensorOf("dx"), "mat2", tensorOf("turned"))
	} else {
		p.call("torch.ops.aten.conv2d.default", "y", "input", tensorOf("dx"), "weight", tensorOf("dw"), "bias", tensorOf("bias"),
			"stride", intsOf(1, 1), "padding", intsOf(l.padding, l.padding), "dilation", intsOf(1, 1), "groups", int64Of(l.groups))
	}
	p.output("user_output", "y")
	m, err := read(p.archive(t))
	require.NoError(t, err)
	module, err := m.Specialize(inputs, runHost)
	require.NoError(t, err)
	text := module.String()
	by := l.by
	if by == "" {
		by = "_int_"
	}
	for _, name := range []string{"_int_", "conv2d", "convolution", "addmm"} {
		require.Equal(t, name == by, strings.Contains(text, "aten."+name), text)
	}
	out, err := runHost(module, inputs)
	require.NoError(t, err)
	l.check(t, out[0], x, w, func(row int) (float64, float64) {
		return xScale.Float64(row % count), xZero.Float64(row % count)
	}, scales, zeros, bias)
}

// check computes sums of products of what bytes stand for, in f64.
func (l quantizedLayer) check(t *testing.T, got, x, w *buf.Buffer, of func(row int) (scale, zero float64), scales, zeros, bias *buf.Buffer) {
	h, wide, r, s := 1, 1, 1, 1
	if len(l.input) == 4 {
		h, wide, r, s = l.input[2], l.input[3], l.weight[2], l.weight[3]
	}
	c, depth, n := l.input[1], l.weight[1], l.weight[0]
	groups := max(l.groups, 1)
	height, width := h+2*l.padding-r+1, wide+2*l.padding-s+1
	require.Equal(t, l.input[0]*n*height*width, got.Len())
	for i := range got.Len() {
		b, k, y, z := i/(n*height*width), i/(height*width)%n, i/width%height, i%width
		scale, zero := of(b)
		sum := bias.Float64(k)
		for j := range depth {
			for dy := range r {
				for dx := range s {
					iy, ix := y+dy-l.padding, z+dx-l.padding
					if iy < 0 || iy >= h || ix < 0 || ix >= wide {
						continue
					}
					channel := k/(n/groups)*depth + j
					at := ((b*c+channel)*h+iy)*wide + ix
					sum += (x.Float64(at) - zero) * scale * (w.Float64(((k*depth+j)*r+dy)*s+dx) - zeros.Float64(k)) * scales.Float64(k)
				}
			}
		}
		require.InDelta(t, sum, got.Float64(i), 2e-6*400, "%s: element %d", l.name, i)
	}
}

// TestBytesAreMultiplied: products of what PT2E and torchao dequantize are products of bytes where scales and zero
// points allow it, with the values of their definition.
func TestBytesAreMultiplied(t *testing.T) {
	matrix, filters := []int{4, 70}, []int{4, 3, 3, 2}
	for _, l := range []quantizedLayer{
		{name: "per tensor", input: []int{5, 70}, weight: matrix},
		{name: "zero points of weights", input: []int{5, 70}, weight: matrix, zeros: true},
		{name: "weights without a sign", input: []int{5, 70}, weight: matrix, unsigned: true, zeros: true},
		{name: "torchao", input: []int{5, 70}, weight: matrix, affine: true},
		{name: "dynamic", input: []int{5, 70}, weight: matrix, variable: true},
		{name: "dynamic, zero points of weights", input: []int{5, 70}, weight: matrix, variable: true, zeros: true},
		{name: "per token", input: []int{5, 70}, weight: matrix, token: true, zeros: true},
		{name: "convolution", input: []int{2, 3, 6, 5}, weight: filters, groups: 1},
		{name: "convolution with a border", input: []int{2, 3, 6, 5}, weight: filters, groups: 1, padding: 1},
		{name: "dynamic convolution", input: []int{2, 3, 6, 5}, weight: filters, groups: 1, variable: true},
		{name: "dynamic convolution with a border", input: []int{2, 3, 6, 5}, weight: filters, groups: 1, padding: 1, variable: true},
		{name: "torchao's convolution", input: []int{2, 3, 6, 5}, weight: filters, groups: 1, affine: true},
		{name: "groups of channels", input: []int{2, 6, 6, 5}, weight: filters, groups: 2, by: "convolution"},
		{name: "filters with zero points", input: []int{2, 3, 6, 5}, weight: filters, groups: 1, zeros: true},
		{name: "dynamic, filters with zero points and a border", input: []int{2, 3, 6, 5}, weight: filters, groups: 1, padding: 1, variable: true, zeros: true},
	} {
		t.Run(l.name, l.run)
	}
}

// TestBytesThatAreWritten: what was written to a dequantized tensor counts, in place or through a view.
func TestBytesThatAreWritten(t *testing.T) {
	for _, view := range []bool{false, true} {
		p := newProgram()
		p.tensor("buffer", "w", "w", buf.From([]int8{1, 2, 3, 4}, 2, 2))
		p.input("x", dtype.I8, 1, 2)
		for _, name := range []string{"x", "w"} {
			p.call("torch.ops.quantized_decomposed.dequantize_per_tensor.default", "d"+name, "input", tensorOf(name), "scale", floatOf(0.5), "zero_point", int64Of(0),
				"quant_min", int64Of(-128), "quant_max", int64Of(127), "dtype", fields{"as_scalar_type": schemaI8})
		}
		target := "dx"
		p.call("torch.ops.aten.t.default", "turned", "self", tensorOf("dx"))
		if view {
			target = "turned"
		}
		p.call("torch.ops.aten.add_.Tensor", "written", "self", tensorOf(target), "other", int64Of(1))
		p.call("torch.ops.aten.linear.default", "y", "input", tensorOf("dx"), "weight", tensorOf("dw"))
		p.output("user_output", "y")
		out := runProgram(t, p.archive(t), buf.From([]int8{10, 20}, 1, 2))
		// (5 + 1, 10 + 1) times the rows (0.5, 1) and (1.5, 2)
		require.Equal(t, []float32{14, 31}, buf.Slice[float32](out[0]))
	}
}

// TestBiasOfRows: a bias that is no vector is not taken for one of channels: linear refuses it, as without bytes.
func TestBiasOfRows(t *testing.T) {
	p := newProgram()
	p.tensor("buffer", "w", "w", buf.From([]int8{1, 2, 3, 4}, 2, 2))
	p.tensor("buffer", "bias", "bias", buf.From([]float32{100, 200}, 2, 1))
	p.input("x", dtype.I8, 2, 2)
	for _, name := range []string{"x", "w"} {
		p.call("torch.ops.quantized_decomposed.dequantize_per_tensor.default", "d"+name, "input", tensorOf(name), "scale", floatOf(0.5), "zero_point", int64Of(0),
			"quant_min", int64Of(-128), "quant_max", int64Of(127), "dtype", fields{"as_scalar_type": schemaI8})
	}
	p.call("torch.ops.aten.linear.default", "y", "input", tensorOf("dx"), "weight", tensorOf("dw"), "bias", tensorOf("bias"))
	p.output("user_output", "y")
	m, err := read(p.archive(t))
	require.NoError(t, err)
	_, err = m.Specialize([]*buf.Buffer{buf.From([]int8{10, 20, 30, 40}, 2, 2)}, runHost)
	require.ErrorContains(t, err, "linear: shape does not expand to the other: [2 1] and [2]")
}

// TestShortConvolution: a convolution of bytes has the defaults of PyTorch, each stride, dilation and number of groups
// 1 and no border. The first filter picks the first channel, the second one adds two numbers.
func TestShortConvolution(t *testing.T) {
	p := newProgram()
	p.tensor("buffer", "w", "w", buf.From([]int8{1, 0, 0, 0, 0, 0, 0, 0, 0, 1, 0, 0, 0, 0, 0, 1}, 2, 2, 2, 2))
	p.input("x", dtype.I8, 1, 2, 3, 3)
	for _, name := range []string{"x", "w"} {
		p.call("torch.ops.quantized_decomposed.dequantize_per_tensor.default", "d"+name, "input", tensorOf(name), "scale", floatOf(0.5), "zero_point", int64Of(0),
			"quant_min", int64Of(-128), "quant_max", int64Of(127), "dtype", fields{"as_scalar_type": schemaI8})
	}
	p.call("torch.ops.aten.conv2d.default", "y", "input", tensorOf("dx"), "weight", tensorOf("dw"))
	p.output("user_output", "y")
	m, err := read(p.archive(t))
	require.NoError(t, err)
	inputs := []*buf.Buffer{buf.From([]int8{1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16, 17, 18}, 1, 2, 3, 3)}
	module, err := m.Specialize(inputs, runHost)
	require.NoError(t, err)
	require.Contains(t, module.String(), "aten._int_convolution")
	out, err := runHost(module, inputs)
	require.NoError(t, err)
	require.Equal(t, []int{1, 2, 2, 2}, out[0].Shape)
	// Quarters of 1, 2, 4 and 5, and of 2 + 14, 3 + 15, 5 + 17 and 6 + 18.
	require.Equal(t, []float32{0.25, 0.5, 1, 1.25, 4, 4.5, 5.5, 6}, buf.Slice[float32](out[0]))
}
