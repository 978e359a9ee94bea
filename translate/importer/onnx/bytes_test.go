package onnx

import (
	"fmt"
	"math"
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

// quantizedProduct is a product of bytes x [2 C 5 4] and w [6 C/groups 3 2], or of matrices x [5 C] and w [C 6], in the
// words of an operator. Zero points are one for x and one for each output.
type quantizedProduct struct {
	x, w    string // types
	matrix  bool
	groups  int
	depth   int // C
	zeros   bool
	padding []int // of rows and columns before, then after
	nodes   string
	by      string // the operator that multiplies
}

// bounds are the least and the greatest of a type.
func bounds(kind string) (low, high int) {
	if kind == "i8" {
		return -128, 127
	}
	return 0, 255
}

func (p quantizedProduct) run(t *testing.T) {
	const outputs, height, width = 6, 5, 4
	r := rand.New(rand.NewPCG(32, 5))
	draw := func(kind string, n int) []float64 {
		low, _ := bounds(kind)
		out := make([]float64, n)
		for i := range out {
			out[i] = float64(low + r.IntN(256))
		}
		return out
	}
	x, w := draw(p.x, 2*p.depth*height*width), draw(p.w, outputs*p.depth/p.groups*3*2)
	xDims, wDims := []int{2, p.depth, height, width}, []int{outputs, p.depth / p.groups, 3, 2}
	if p.matrix {
		x, w = x[:5*p.depth], draw(p.w, p.depth*outputs)
		xDims, wDims = []int{5, p.depth}, []int{p.depth, outputs}
	}
	const xScale, yScale = 0.02, 0.9
	xLow, _ := bounds(p.x)
	yLow, yHigh := bounds(p.x)
	wLow, _ := bounds(p.w)
	xZero, yZero := float64(xLow+131), float64(yLow+117)
	scales, zeros, bias, unit := make([]float64, outputs), make([]float64, outputs), make([]float64, outputs), make([]float64, outputs)
	for k := range outputs {
		scales[k], zeros[k] = float64(float32(0.01+0.003*float64(k))), float64(wLow+128)
		if p.zeros {
			zeros[k] = float64(wLow + 100 + 11*k)
		}
		bias[k], unit[k] = float64(1000*k-2500), float64(float32(xScale)*float32(scales[k]))
	}
	// sum is the sum of an output at a place.
	sum := func(k int, at func(c, dy, dx int) (x float64, inside bool), taps ...int) float64 {
		total, per := 0.0, p.depth/p.groups
		for c := range per {
			for dy := range taps[0] {
				for dx := range taps[1] {
					code, ok := at(k/(outputs/p.groups)*per+c, dy, dx)
					weight := w[((k*per+c)*taps[0]+dy)*taps[1]+dx]
					if p.matrix {
						weight = w[c*outputs+k]
					}
					if ok {
						total += (code - xZero) * (weight - zeros[k])
					}
				}
			}
		}
		return total
	}
	var sums []float64
	var outDims []int
	if p.matrix {
		outDims = []int{5, outputs}
		for i := range 5 * outputs {
			sums = append(sums, sum(i%outputs, func(c, _, _ int) (float64, bool) { return x[i/outputs*p.depth+c], true }, 1, 1))
		}
	} else {
		rows, columns := height+p.padding[0]+p.padding[2]-2, width+p.padding[1]+p.padding[3]-1
		outDims = []int{2, outputs, rows, columns}
		for i := range 2 * outputs * rows * columns {
			n, k, row, column := i/(outputs*rows*columns), i/(rows*columns)%outputs, i/columns%rows-p.padding[0], i%columns-p.padding[1]
			sums = append(sums, sum(k, func(c, dy, dx int) (float64, bool) {
				if row+dy < 0 || row+dy >= height || column+dx < 0 || column+dx >= width {
					return 0, false
				}
				return x[((n*p.depth+c)*height+row+dy)*width+column+dx], true
			}, 3, 2))
		}
	}
	perOutput := len(sums) / outDims[0] / outputs
	want := make([]float64, len(sums))
	for i, s := range sums {
		k := i / perOutput % outputs
		if !strings.Contains(p.nodes, "Integer") {
			q := float32(s+bias[k]) * (float32(unit[k]) / float32(yScale))
			s = min(max(math.RoundToEven(float64(q))+yZero, float64(yLow)), float64(yHigh))
		}
		want[i] = s
	}
	kind := p.x
	if strings.Contains(p.nodes, "Integer") {
		kind = "i32"
	}
	text := line("x", p.x, xDims, x...) + line("w", p.w, wDims, w...) + line("sx", "f32", nil, xScale) + line("zx", p.x, nil, xZero) +
		line("sw", "f32", []int{outputs}, scales...) + line("zw", p.w, []int{outputs}, zeros...) + line("sy", "f32", nil, yScale) +
		line("zy", p.x, nil, yZero) + line("b", "i32", []int{outputs}, bias...) + line("sb", "f32", []int{outputs}, unit...) +
		p.nodes + "\nwant " + line("y", kind, outDims, want...)
	check(t, text)
	m, err := newProgram(t, text).read(true)
	require.NoError(t, err)
	bound, err := m.Bind(nil, onHost)
	require.NoError(t, err)
	for _, name := range []string{"_int_mm", "_int_convolution", "convolution", "matmul", "mm", "addmm"} {
		require.Equal(t, name == p.by, strings.Contains(bound.Module.String(), "aten."+name+"\""), "%s: %s", name, bound.Module)
	}
	convolutions := 1 // and one of the windows' sums, where weights have zero points
	if p.zeros {
		convolutions = 2
	}
	require.LessOrEqual(t, strings.Count(bound.Module.String(), "aten._int_convolution\""), convolutions)
}

// TestProductsOfBytes: quantized products are products of bytes, whatever words a model has for them, and their exact
// sums are rounded once.
func TestProductsOfBytes(t *testing.T) {
	const qdq = "fx = DequantizeLinear(x, sx, zx)\nfb = DequantizeLinear(b, sb) axis=0\n"
	none, border, uneven := []int{0, 0, 0, 0}, []int{1, 1, 1, 1}, []int{2, 0, 1, 1}
	pads := func(p []int) string { return fmt.Sprintf(" pads=[%d,%d,%d,%d]", p[0], p[1], p[2], p[3]) }
	words := func(p []int, more string) map[string]string {
		return map[string]string{
			"QLinearConv": "y = QLinearConv(x, sx, zx, w, sw, zw, sy, zy, b)" + pads(p) + more,
			"ConvInteger": "y = ConvInteger(x, w, zx, zw)" + pads(p) + more,
			"Conv": qdq + "fw = DequantizeLinear(w, sw, zw) axis=0\nfy = Conv(fx, fw, fb)" + pads(p) + more +
				"\ny = QuantizeLinear(fy, sy, zy)",
		}
	}
	for _, types := range [][2]string{{"u8", "i8"}, {"u8", "u8"}, {"i8", "i8"}, {"i8", "u8"}} {
		for _, zeros := range []bool{false, true} {
			name := fmt.Sprintf("%s %s %v ", types[0], types[1], zeros)
			matrices := map[string]string{
				"QGemm":         "y = com.microsoft.QGemm(x, sx, zx, w, sw, zw, b, sy, zy)",
				"MatMulInteger": "y = MatMulInteger(x, w, zx, zw)",
				"Gemm":          qdq + "fw = DequantizeLinear(w, sw, zw) axis=1\nfy = Gemm(fx, fw, fb)\ny = QuantizeLinear(fy, sy, zy)",
			}
			for op, nodes := range matrices {
				p := quantizedProduct{x: types[0], w: types[1], matrix: true, groups: 1, depth: 70, zeros: zeros, nodes: nodes, by: "_int_mm"}
				t.Run(name+op, p.run)
			}
			for _, padding := range [][]int{none, border, uneven} {
				for op, nodes := range words(padding, "") {
					p := quantizedProduct{x: types[0], w: types[1], groups: 1, depth: 3, zeros: zeros, padding: padding, nodes: nodes, by: "_int_convolution"}
					t.Run(fmt.Sprint(name, op, padding), p.run)
				}
			}
			for op, nodes := range words(border, " group=3") {
				p := quantizedProduct{x: types[0], w: types[1], groups: 3, depth: 6, zeros: zeros, padding: border, nodes: nodes, by: "convolution"}
				t.Run(name+op+" in groups", p.run)
			}
		}
	}
}

// TestSumsOfBytesInSteps: a sum or product of quantized numbers is rounded after the zero point of the result is added.
// Values are by hand: halves go to the even byte.
func TestSumsOfBytesInSteps(t *testing.T) {
	const head = "a = u8 4: 4 5 6 7\nb = u8 4: 6 6 6 6\nh = f32: 0.5\no = f32: 1\nza = u8: 3\nzb = u8: 5\nz = u8: 7\n" // a + b is 1, 1.5, 2, 2.5
	checkEach(t, head,
		"y = com.microsoft.QLinearAdd(a, h, za, b, h, zb, o, z)\nwant y = u8 4: 8 8 9 10",
		"fa = DequantizeLinear(a, h, za)\nfb = DequantizeLinear(b, h, zb)\nf = Add(fa, fb)\ny = QuantizeLinear(f, o, z)\nwant y = u8 4: 8 8 9 10",
		"y = com.microsoft.QLinearMul(a, o, za, b, h, zb, o, z)\nwant y = u8 4: 8 8 8 9",
		"fa = DequantizeLinear(a, o, za)\nfb = DequantizeLinear(b, h, zb)\nf = Mul(fa, fb)\ny = QuantizeLinear(f, o, z)\nwant y = u8 4: 8 8 8 9",
		"fa = DequantizeLinear(a, h, z)\nfb = DequantizeLinear(b, h, zb)\nf = Add(fa, fb)\ng = Relu(f)\ny = QuantizeLinear(g, o, z)\nwant y = u8 4: 7 7 7 8",
		"fa = DequantizeLinear(a, h, za)\ny = QuantizeLinear(fa, h, za)\nwant y = u8 4: 4 5 6 7",
		"fa = DequantizeLinear(a, h, za)\ny = QuantizeLinear(fa, h, zb)\nwant y = u8 4: 6 7 8 9",
	)
}

// TestQuantizedSoftmax: a scale of 0.4 has two whole steps to 1; a quarter, a half and a quarter of two steps are 0.5,
// 1 and 0.5.
func TestQuantizedSoftmax(t *testing.T) {
	check(t, "x = u8 1x2: 9 9\ns = f32: 0.4\nz = u8: 1\ny = com.microsoft.QLinearSoftmax(x, s, z, s, z) opset=13\nwant y = u8 1x2: 2 2")
	check(t, "x = u8 2x2: 9 9 9 9\ns = f32: 0.3\nz = u8: 0\ny = com.microsoft.QLinearSoftmax(x, s, z, s, z) opset=12 axis=0\nwant y = u8 2x2: 1 1 1 1")
}
