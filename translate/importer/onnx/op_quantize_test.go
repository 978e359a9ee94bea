package onnx

import (
	"math"
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/go-acap/acap/base/buf"
)

// TestQuantized: round((x / scale) + zero) within the type, and back.
func TestQuantized(t *testing.T) {
	const head = "x = f32 2x3: -1 0.5 1.5 300 2.5 -300\ns = f32: 0.5\nu = u8: 3\ni = i8: -3\nw = i16: 7\nq = u8 2x3: 0 1 2 3 4 255\nr = f32 2: 0.5 2\nc = f32 3: 1 0.5 4\nzc = u8 3: 1 2 3\n"
	checkEach(t, head,
		"y = QuantizeLinear(x, s)\nwant y = u8 2x3: 0 1 3 255 5 0",
		"y = QuantizeLinear(x, s, u)\nwant y = u8 2x3: 1 4 6 255 8 0",
		"y = QuantizeLinear(x, s, i)\nwant y = i8 2x3: -5 -2 0 127 2 -128",
		"y = QuantizeLinear(x, s, w)\nwant y = i16 2x3: 5 8 10 607 12 -593",
		"y = QuantizeLinear(x, s) output_dtype=3\nwant y = i8 2x3: -2 1 3 127 5 -128",
		"k = f32: 40000\nt = f32: 1\nz = i16: 0\ny = QuantizeLinear(k, t, z)\nwant y = i16: 32767",
		"k = f32: -40000\nt = f32: 1\nz = i16: 0\ny = QuantizeLinear(k, t, z)\nwant y = i16: -32768",
		"k = f32 4: nan 1 nan -inf\nt = f32: 1\nz = i8: 5\ny = QuantizeLinear(k, t, z)\nwant y = i8 4: 0 6 0 -128",
		"k = f32 3: nan 1 inf\nt = f32: 1\nz = u8: 5\ny = QuantizeLinear(k, t, z)\nwant y = u8 3: 0 6 255",
		"k = f32 4: 0.5 1.5 2.5 -0.5\nt = f32: 1\nz = i8: 0\ny = QuantizeLinear(k, t, z)\nwant y = i8 4: 0 2 2 0",
		"y = QuantizeLinear(x, r) axis=0\nwant y = u8 2x3: 0 1 3 150 1 0",
		"y = QuantizeLinear(x, c, zc)\nwant y = u8 2x3: 0 3 3 255 7 0",
		"y = DequantizeLinear(q, s, u)\nwant y = f32 2x3: -1.5 -1 -0.5 0 0.5 126",
		"y = DequantizeLinear(q, s)\nwant y = f32 2x3: 0 0.5 1 1.5 2 127.5",
		"y = DequantizeLinear(q, c, zc)\nwant y = f32 2x3: -1 -0.5 -4 2 1 1008",
		"y = DequantizeLinear(q, r) axis=-2\nwant y = f32 2x3: 0 0.5 1 6 8 510",
		"b = f32 2x2: 1 2 3 4\ny = DequantizeLinear(q, b) block_size=2\nwant y = f32 2x3: 0 1 4 9 12 1020",
		"b = f32 1x3: 1 2 3\ny = DequantizeLinear(q, b) axis=0 block_size=2\nwant y = f32 2x3: 0 2 6 3 8 765",
		"a = u8 2x2: 1 2 3 4\nb = u8 2x2: 5 6 7 8\nza = u8: 1\nzb = u8: 5\ny = MatMulInteger(a, b, za, zb)\nwant y = i32 2x2: 2 3 6 11",
		"a = u8 2x2: 1 2 3 4\nb = i8 2x2: 5 6 7 8\ny = MatMulInteger(a, b)\nwant y = i32 2x2: 19 22 43 50",
		"a = u8 2x2: 1 2 3 4\nb = u8 2x2: 5 6 7 8\nza = u8 2: 1 2\nzb = u8 2: 5 6\ny = MatMulInteger(a, b, za, zb)\nwant y = i32 2x2: 2 2 4 4",
		// The product is a hundredth of [[1 2] [3 4]]·[[5 6] [7 8]], less the zero points.
		"a = u8 2x2: 1 2 3 4\nb = u8 2x2: 5 6 7 8\nsa = f32: 0.5\nsb = f32: 0.25\nz = u8: 0\nsy = f32: 0.5\nzy = u8: 10\ny = QLinearMatMul(a, sa, z, b, sb, z, sy, zy)\nwant y = u8 2x2: 15 16 21 22",
		"a = u8 2x2: 1 2 3 4\nb = u8 2x2: 5 6 7 8\nsa = f32 2: 0.5 1\nza = u8 2: 1 2\nsb = f32: 0.25\nz = u8: 5\nsy = f32: 0.25\nzy = i8: -1\ny = QLinearMatMul(a, sa, za, b, sb, z, sy, zy)\nwant y = i8 2x2: 0 1 3 6",
		"k = u8 1x1x1x3: 1 2 3\nsk = f32: 0.5\nzk = u8: 1\nf = u8 2x1x1x2: 1 2 3 4\nsf = f32 2: 1 2\nzf = u8 2: 0 1\nsy = f32: 0.5\nzy = u8: 1\nb = i32 2: 4 -2\n"+
			"y = QLinearConv(k, sk, zk, f, sf, zf, sy, zy, b)\nwant y = u8 1x2x1x2: 7 10 3 13",
		"k = u8 1x1x1x3: 1 2 3\nsk = f32: 0.5\nzk = u8: 1\nf = u8 2x1x1x2: 1 2 3 4\nsf = f32: 1\nzf = u8: 1\nsy = f32: 0.5\nzy = u8: 1\nb = i32 2: 4 -2\n"+
			"y = QLinearConv(k, sk, zk, f, sf, zf, sy, zy, b)\nwant y = u8 1x2x1x2: 6 7 2 7",
		"k = f32 3: -1 0 4.1\ny, e, z = DynamicQuantizeLinear(k)\nwant y = u8 3: 0 50 255\nwant e = f32: 0.02\nwant z = u8: 50",
		"k = f32 2x0:\ny, e, z = DynamicQuantizeLinear(k)\nwant y = u8 2x0:\nwant e = f32: 1\nwant z = u8: 0",
		"k = f32 2: 2.55 5.1\ny, e, z = DynamicQuantizeLinear(k)\nwant y = u8 2: 128 255\nwant e = f32: 0.02\nwant z = u8: 0",
		"k = f32 2: -2.5 -5.1\ny, e, z = DynamicQuantizeLinear(k)\nwant y = u8 2: 130 0\nwant e = f32: 0.02\nwant z = u8: 255",
	)
}

// TestOneScale: a scale or zero point of an image or of a result is a number by the operators' specifications; two
// numbers are neither taken for those of two channels nor of two columns.
func TestOneScale(t *testing.T) {
	refuseEach(t, "x = u8 1x2x1x2: 1 2 3 4\nw = u8 2x2x1x1: 1 1 1 1\nh = f32: 0.5\nz = u8: 1\nscales = f32 2: 1 2\nzeros = u8 2: 1 2\n", map[string]string{
		"y = QLinearConv(x, scales, z, w, h, z, h, z)":                               `input "scales" has 2 elements, not one`,
		"y = QLinearConv(x, h, zeros, w, h, z, h, z)":                                `input "zeros" has 2 elements, not one`,
		"y = QLinearConv(x, h, z, w, h, z, scales, z)":                               `input "scales" has 2 elements, not one`,
		"y = com.microsoft.QLinearConv(x, h, z, w, h, z, h, zeros)":                  `input "zeros" has 2 elements, not one`,
		"y = ConvInteger(x, w, zeros)":                                               `input "zeros" has 2 elements, not one`,
		"y = com.microsoft.QLinearAdd(x, scales, z, x, h, z, h, z)":                  `input "scales" has 2 elements, not one`,
		"y = com.microsoft.QLinearMul(x, h, z, x, h, zeros, h, z)":                   `input "zeros" has 2 elements, not one`,
		"y = com.microsoft.QLinearSigmoid(x, h, z, scales, z)":                       `input "scales" has 2 elements, not one`,
		"y = com.microsoft.QLinearAveragePool(x, h, zeros, h, z) kernel_shape=[1,1]": `input "zeros" has 2 elements, not one`,
		"y = com.microsoft.QLinearConcat(h, zeros, x, h, z)":                         `input "zeros" has 2 elements, not one`,
	})
	check(t, "x = u8 1x1x1x2: 1 2\nw = u8 1x1x1x1: 3\nh = f32 1: 0.5\nz = u8 1: 1\ny = QLinearConv(x, h, z, w, h, z, h, z)\ni = ConvInteger(x, w, z)\n"+
		"want y = u8 1x1x1x2: 1 2\nwant i = i32 1x1x1x2: 0 3") // a vector of one number is one, too
}

// TestUsesOfWeights: a dequantized weight stays in groups where all its uses sum over the same of its dimensions.
// Without one such dimension the products are the same.
func TestUsesOfWeights(t *testing.T) {
	const head = "x = f32 1x2: 1 2\nc = f32 2x1: 1 2\nw = u8 2x2: 1 2 3 4\ns = f32: 0.5\nd = DequantizeLinear(w, s)\ny = MatMul(x, d)\n"
	for nodes, grouped := range map[string]bool{
		"z = Gemm(x, d)\nwant y = f32 1x2: 3.5 5\nwant z = f32 1x2: 3.5 5":            true,
		"z = MatMul(d, c)\nwant y = f32 1x2: 3.5 5\nwant z = f32 2x1: 2.5 5.5":        false,
		"z = Gemm(x, d) transB=1\nwant y = f32 1x2: 3.5 5\nwant z = f32 1x2: 2.5 5.5": false,
	} {
		check(t, head+nodes)
		m, err := newProgram(t, head+nodes).read(true)
		require.NoError(t, err)
		bound, err := m.Bind(nil, onHost)
		require.NoError(t, err)
		require.Equal(t, grouped, strings.Contains(bound.Module.String(), "aten._dequantize_groups"), nodes)
	}
}

// TestDynamicQuantization: scale, zero point and bytes agree with the operator's definition in arithmetic of f32, bit
// by bit: halves go to the even number, before the zero point is added.
func TestDynamicQuantization(t *testing.T) {
	r := rand.New(rand.NewPCG(3, 19))
	random := func(n int, scale, shift float64) []float32 {
		out := make([]float32, n)
		for i := range out {
			out[i] = float32(r.NormFloat64()*scale + shift)
		}
		return out
	}
	halves := []float32{-128, 127} // scale 1, zero point 128
	for v := float32(-127.5); v < 127; v++ {
		halves = append(halves, v)
	}
	for _, x := range [][]float32{halves, {0, 0, 0}, {5}, {-5, -5}, {0, 255}, {-255, 0}, {1e-38, 0}, {3e38, 0}, random(1000, 1, 0), random(1000, 1e-3, 7), random(1000, 20, -3),
		random(999, 1, -50), {0.5, 127.5, 254.5, 255, 0}} {
		low, high := float32(0), float32(0)
		for _, v := range x {
			low, high = min(low, v), max(high, v)
		}
		scale := (high - low) / 255
		if high == low {
			scale = 1
		}
		even := func(v float32) float32 { return float32(math.RoundToEven(float64(v))) }
		zero := min(max(even(-low/scale), 0), 255)
		got := runModel(t, putModel(11, putGraph(putNode("", "DynamicQuantizeLinear", []string{"x"}, []string{"y", "s", "z"}),
			putValue(11, "x", 1, int64(len(x))), putValue(12, "y", 2), putValue(12, "s", 1), putValue(12, "z", 2))), buf.From(x, len(x)))
		require.Equal(t, scale, buf.Slice[float32](got[1])[0])
		require.Equal(t, uint8(zero), got[2].Bytes()[0])
		for i, v := range x {
			require.Equal(t, uint8(min(max(even(v/scale)+zero, 0), 255)), got[0].Bytes()[i], "%v of %v", v, x[:min(len(x), 4)])
		}
	}
}

// TestFullRange: sums of products of bytes are exact, whatever the bytes: no sum of two products is cut to 16 bits.
func TestFullRange(t *testing.T) {
	r := rand.New(rand.NewPCG(7, 7))
	const rows, depth, columns = 5, 67, 9
	bytes := func(n, low, high int) []float64 { // mostly the extremes
		out := make([]float64, n)
		for i := range out {
			out[i] = float64([]int{low, high, high, low + r.IntN(high-low+1)}[r.IntN(4)])
		}
		return out
	}
	for _, kind := range []struct {
		name      string
		low, high int
	}{{"i8", -128, 127}, {"u8", 0, 255}} {
		a, b := bytes(rows*depth, 0, 255), bytes(depth*columns, kind.low, kind.high)
		zero := 3.0
		want := make([]float64, rows*columns)
		for i := range want {
			for k := range depth {
				want[i] += (a[i/columns*depth+k] - zero) * b[k*columns+i%columns]
			}
		}
		check(t, line("a", "u8", []int{rows, depth}, a...)+line("b", kind.name, []int{depth, columns}, b...)+
			"z = u8: 3\ny = MatMulInteger(a, b, z)\nwant "+line("y", "i32", []int{rows, columns}, want...))

		x, w := bytes(4*6*6, 0, 255), bytes(2*4*3*3, kind.low, kind.high)
		sums := make([]float64, 2*4*4)
		for i := range sums {
			for c := range 4 {
				for tap := range 9 {
					sums[i] += (x[c*36+(i/4%4+tap/3)*6+i%4+tap%3] - zero) * w[i/16*36+c*9+tap]
				}
			}
		}
		check(t, line("x", "u8", []int{1, 4, 6, 6}, x...)+line("w", kind.name, []int{2, 4, 3, 3}, w...)+
			"z = u8: 3\ny = ConvInteger(x, w, z)\nwant "+line("y", "i32", []int{1, 2, 4, 4}, sums...))
	}
}
