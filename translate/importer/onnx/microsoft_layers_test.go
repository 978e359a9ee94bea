package onnx

import (
	"math"
	"testing"
)

// TestMicrosoftLayers: small layers by their formulas, worked out by hand where they are short.
func TestMicrosoftLayers(t *testing.T) {
	gelu := func(x float64) float64 { return x / 2 * (1 + math.Erf(x/math.Sqrt2)) }
	tanh := func(x float64) float64 { return x / 2 * (1 + math.Tanh(math.Sqrt(2/math.Pi)*(x+0.044715*x*x*x))) }
	silu := func(x float64) float64 { return x / (1 + math.Exp(-x)) }
	const packed = "d = u8 2x8: 16 50 84 118 152 186 220 254 1 35 69 103 137 171 205 239\n" // 0 to 15, and 1 0 3 2 to 15 14
	ones := func(rows int) string { return list(rows, func(int) float64 { return 1 }) }
	checkEach(t, "x = f32 2x2: 1 2 3 4\nb = f32 2: 0.5 -1\n",
		"y = com.microsoft.BiasAdd(x, b, x)\nwant y = f32 2x2: 2.5 3 6.5 7",
		"y = com.microsoft.BiasSplitGelu(x, b)\nwant y = f32 2x1: "+list(2, func(i int) float64 { return []float64{1.5, 3.5}[i] * gelu([]float64{1, 3}[i]) }),
		"y = com.microsoft.GemmFastGelu(x, x, b)\nwant y = f32 2x2: "+list(4, func(i int) float64 { return tanh([]float64{7.5, 9, 15.5, 21}[i]) }),
		"y = com.microsoft.FusedGemm(x, x, b) activation=\"Relu\" alpha=-1.0 beta=20.0\nwant y = f32 2x2: 3 0 0 0",
		"y = com.microsoft.FusedGemm(x, x)\nwant y = f32 2x2: 7 10 15 22",
		"y = com.microsoft.FusedMatMulActivation(x, x) activation=\"LeakyRelu\" activation_alpha=0.5 alpha=-1.0\nwant y = f32 2x2: -3.5 -5 -7.5 -11",
		"y = com.microsoft.TransposeMatMul(x, x) transA=1\nwant y = f32 2x2: 10 14 14 20",
		"q = f32 2x1x3: 1 2 3 4 5 6\no = f32 1x3x1: 1 1 1\ny = com.microsoft.FusedMatMul(q, o) transBatchA=1\nwant y = f32 1x2x1: 6 15",
		"q = f32 1x1x2x2: 1 2 3 4\ng = f32 2: 2 1\ny = com.microsoft.GroupNorm(q, g, b) groups=2 epsilon=0.0 activation=0\nwant y = f32 1x1x2x2: -1.5 -2 2.5 0",
		"q = f32 1x2x1x2: 1 3 2 4\ng = f32 2: 2 1\ny = com.microsoft.GroupNorm(q, g, b) groups=2 epsilon=0.0 activation=1 channels_last=0\nwant y = f32 1x2x1x2: "+
			list(4, func(i int) float64 { return silu([]float64{-1.5, 2.5, -2, 0}[i]) }),
		"q = f32 1x1x2x2: 1 2 3 4\nk = f32 1x2: 10 20\ng = f32 2: 2 1\ny, s = com.microsoft.SkipGroupNorm(q, g, b, k, b) groups=2 epsilon=0.0 activation=0\n"+
			"want y = f32 1x1x2x2: -1.5 -2 2.5 0\nwant s = f32 1x1x2x2: 11.5 21 13.5 23",
		"g = f32 1: 2\ny = com.microsoft.GatedRMSNorm(x, g, x) epsilon=0.0\nwant y = f32 2x2: "+list(4, func(i int) float64 { return 2 * silu(float64(i+1)) }),
		"g = f32 2: 2 1\ny = com.microsoft.GatedRMSNorm(x, g, x) epsilon=0.5\nwant y = f32 2x2: "+list(4, func(i int) float64 {
			return float64(i+1) / math.Sqrt([]float64{3, 13}[i/2]) * []float64{2, 1}[i%2] * silu(float64(i+1))
		}),
		"g = f32 2x1: 2 -1\ny = com.microsoft.GatedAdd(x, x, g)\nwant y = f32 2x2: 3 6 0 0",
		"y = com.microsoft.Inverse(x)\nwant y = f32 2x2: -2 1 1.5 -0.5",
		"a = i64: -1\ny = com.microsoft.ExpandDims(x, a)\nwant y = f32 2x2x1: 1 2 3 4",
		"q = f32 1x2: 1 4\ny = com.microsoft.CDist(x, q)\nwant y = f32 2x1: 4 4",
		"q = f32 1x2: 1 4\ny = com.microsoft.CDist(x, q) metric=\"euclidean\"\nwant y = f32 2x1: 2 2",
		"y = com.microsoft.BiasSoftmax(x, b)\nwant y = f32 2x2: 0.6224593312 0.3775406688 0.6224593312 0.3775406688",
		"o = f32 2x2: -1 -2 -3 -4\ny = com.microsoft.BiasSoftmax(x, o) axis=0\nwant y = f32 2x2: 0.25 0.25 0.25 0.25",
		"o = f32 2x1: 5 7\ny = com.microsoft.BiasSoftmax(x, o) axis=0 is_inner_broadcast=1\nwant y = f32 2x2: "+list(4, func(i int) float64 {
			sums := []float64{6, 7, 10, 11}
			total := 0.0
			for _, v := range sums {
				total += math.Exp(v - sums[i])
			}
			return 1 / total
		}),
		"q = f32 1x2x2x1: 1 2 3 4\nw = f32 2x1x1x2: 1 10 1 -1\nz = f32 1x2x1x2: 0 50 0 0\ny = com.microsoft.NhwcFusedConv(q, w, b, z) activation=\"Relu\"\nwant y = f32 1x2x1x2: 21.5 48 43.5 0",
		"q = f32 1x2x2x1: 1 2 3 4\nw = f32 2x1x1x2: 1 10 1 -1\ny = com.microsoft.NhwcConv(q, w)\nwant y = f32 1x2x1x2: 21 -1 43 -1",
		"q = u8 1x2x2x2: 1 8 2 7 3 6 4 5\ny = com.microsoft.NhwcMaxPool(q) kernel_shape=[2,1]\nwant y = u8 1x1x2x2: 3 8 4 7",
		// A spectrum by its definition: the sum, the alternating sum, and the terms between, from which the signal
		// comes back.
		"q = f32 1x4: 1 2 4 8\ny = com.microsoft.Rfft(q) signal_ndim=1 onesided=1 normalized=0\nr = com.microsoft.Irfft(y) signal_ndim=1\n"+
			"want y = f32 1x3x2: 15 0 -3 6 -5 0\nwant r = f32 1x4: 1 2 4 8",
		"y = com.microsoft.Trilu(x) upper=0\nwant y = f32 2x2: 1 0 3 4",
		"i = i64 1x2: 1 0\ny = com.microsoft.GatherND(x, i)\nwant y = f32 1: 3",
		"i = i32 1x2: 1 0\ns = i32 1x2: 0 1\np = f32 3x2: 0 0 10 20 5 5\ng = f32 2: 1 2\nm = i32 1x2: 1 0\n"+
			"y, c, e = com.microsoft.EmbedLayerNormalization(i, s, x, p, x, g, b, m) epsilon=0.0\nwant e = f32 1x2x2: 4 6 14 26\nwant c = i32 1: 1\nwant y = f32 1x2x2: -0.5 1 -0.5 1",
		// Without segments all is of the first.
		"i = i32 1x2: 1 0\np = f32 3x2: 0 0 10 20 5 5\ns = f32 2x2: 100 200 7 7\ng = f32 2: 1 2\n"+
			"y, c, e = com.microsoft.EmbedLayerNormalization(i, \"\", x, p, s, g, b) epsilon=0.0\nwant e = f32 1x2x2: 103 204 111 222",
		"s = f32 2x2x2: 3 4 0 0 1 1 1 1\nw = f32 2x2: 1 1 1 2\n"+
			"y, f = SimplifiedLayerNormalization(s, w) axis=1 epsilon=0.0\nwant y = f32 2x2x2: 1.2 1.6 0 0 1 1 1 2\nwant f = f32 2x1x1: 0.4 1",
		// One place is the place of the first token of each element of the batch: (1, 2) turned by a quarter and by a
		// half.
		"q = f32 2x1x2: 1 2 3 4\no = i64 1: 1\nc = f32 2x1: 0 -1\nz = f32 2x1: 1 0\ny = com.microsoft.RotaryEmbedding(q, o, c, z)\nwant y = f32 2x1x2: -1 -2 -3 -4",
		"i = i32 1x2: 1 0\np = f32 3x2: 0 0 10 20 5 5\ng = f32 2: 1 2\nw = i32 1x2: 2 1\n"+
			"y, c, e = com.microsoft.EmbedLayerNormalization(i, \"\", x, p, \"\", g, b, \"\", w) epsilon=0.0\nwant e = f32 1x2x2: 8 9 11 22\nwant c = i32 1: 0",
		packed+"i = i64 2: 1 -2\ns = f32 2x1: 0.5 2\ny = com.microsoft.GatherBlockQuantized(d, i, s) block_size=16\nwant y = f32 2x16:"+
			list(32, func(i int) float64 { return []float64{2, 0.5}[i/16] * (float64(i%16^(1-i/16)) - 8) }),
		packed+"i = i64 1x1: 0\ns = f32 2x1: 0.5 2\nz = u8 2x1: 243 4\ny = com.microsoft.GatherBlockQuantized(d, i, s, z) block_size=16 bits=4\nwant y = f32 1x1x16:"+
			list(16, func(i int) float64 { return 0.5 * (float64(i) - 3) }),
		packed+"i = i64 1: 2\ns = f32 2x1: 0.5 2\ny = com.microsoft.GatherBlockQuantized(d, i, s) block_size=16\nwant y = f32 1x16:"+list(16, func(int) float64 { return 0 }),
		"d = u8 1x4: 228 228 228 228\ni = i64 1: 0\ns = f32 1x1: 1\ny = com.microsoft.GatherBlockQuantized(d, i, s) block_size=16 bits=2\nwant y = f32 1x16:"+
			list(16, func(i int) float64 { return float64(i%4) - 2 }),
		"d = u8 1x2: 130 126\ni = i64 1: 0\ns = f32 1x1: 0.5\ny = com.microsoft.GatherBlockQuantized(d, i, s) block_size=16 bits=8\nwant y = f32 1x2: 1 -1",
		"q = f32 1x4:"+ones(4)+"\nw = u8 1x1x1: 228\ns = f32 1: 1\ny = com.microsoft.MatMulNBits(q, w, s) K=4 N=1 bits=2 block_size=4\nwant y = f32 1x1: -2",
		"q = u8 1x2: 10 20\nw = u8 2x2: 4 8 5 6\nh = f32: 0.5\no = f32 2: 1 2\nz = u8: 10\nv = u8 2: 4 5\ny = com.microsoft.MatMulIntegerToFloat(q, w, h, o, z, v, b)\nwant y = f32 1x2: 5.5 9",
		"q = f32 1x2: 255 0\nw = u8 2x2: 4 8 5 6\no = f32: 0.5\nv = u8: 4\ny = com.microsoft.DynamicQuantizeMatMul(q, w, o, v, b)\nwant y = f32 1x2: 0.5 509",
		"q = f32 1x2: 255 0\nw = u8 2x2: 4 8 5 6\no = f32: 0.5\ny = com.microsoft.DynamicQuantizeMatMul(q, w, o)\nwant y = f32 1x2: 510 1020",
		"q = u8 1x4: 10 20 30 40\nh = f32: 0.5\nz = u8: 10\ny = com.microsoft.QLinearReduceMean(q, h, z, h, z) axes=[1] keepdims=0\nwant y = u8 1: 25",
		"q = u8 1x4: 10 20 30 40\nh = f32: 0.5\nz = u8: 10\ny = com.microsoft.QLinearReduceMean(q, h, z, h, z)\nwant y = u8 1x1: 25",
		"q = u8 2: 10 20\nw = u8 2: 4 8\nh = f32: 0.5\no = f32: 1\nz = u8: 10\nv = u8: 4\nc = bool 2: 1 0\ny = com.microsoft.QLinearWhere(c, q, h, z, w, o, v, h, z)\nwant y = u8 2: 10 18",
	)
	refuseEach(t, "x = f32 2x2: 1 2 3 4\ns = f32 1: 1\ni = i64 1: 0\nc = f32 1x2x2: 1 2 3 4\n", map[string]string{
		"y = com.microsoft.BiasSplitGelu(s, s)":                                  "two halves of 1 numbers",
		"y = com.microsoft.CDist(x, x) metric=\"cosine\"":                        `metric "cosine" is not supported`,
		"y = com.microsoft.CDist(x, s)":                                          "takes matrices",
		"y = com.microsoft.BiasSoftmax(x, c)":                                    "a bias of [1 2 2] for [2 2]",
		"y = com.microsoft.BiasSoftmax(c, x) is_inner_broadcast=1":               "a bias of [2 2] inside of [1 2 2] is not supported",
		"y = com.microsoft.Rfft(x) signal_ndim=2":                                "signal_ndim 2",
		"y = com.microsoft.Irfft(s)":                                             "normalized false of [1]",
		"y = com.microsoft.Rfft(x) onesided=0":                                   "onesided false",
		"y = com.microsoft.Rfft(x) normalized=1":                                 "normalized true",
		"y = com.microsoft.GatedRMSNorm(x, s, s)":                                "a gate of [1] for [2 2]",
		"y = com.microsoft.GatherBlockQuantized(x, i, s) bits=3":                 "3 bits of [2 2]",
		"y = com.microsoft.GatherBlockQuantized(x, i, s) block_size=16":          "scales of [1] for [2 2] in blocks of 16",
		"y = com.microsoft.EmbedLayerNormalization(i, i, x, x, x, s, s)":         "takes a matrix of words, not [1]",
		"y = com.microsoft.FusedGemm(x, x) activation=\"Odd\"":                   `activation "Odd" is not supported`,
		"y = com.microsoft.Attention(c, x) num_heads=1 qkv_hidden_sizes=[1,1,1]": "qkv_hidden_sizes [1 1 1] of 2 numbers",
		"y = com.microsoft.Attention(c, x) num_heads=1 do_rotary=1":              "with do_rotary: true",
		"y = com.microsoft.MultiHeadAttention(c, c) num_heads=1":                 "key: true, values: false",
	})
}

// TestQuantizedLayers: layers whose weights, and inputs of some, are quantized, by the numbers that these stand for.
func TestQuantizedLayers(t *testing.T) {
	// The attention of TestMicrosoftMasks: an input of 1, weights of 0, 1 and 3, a past of 5 and 6.
	const attention = "x = u8 1x1x1: 12\nw = i8 1x3: 2 3 1\nb = f32 3: 0 0 0\nh = f32: 0.5\no = f32 3: 1 0.5 3\nz = u8: 10\nv = i8 3: 2 1 0\np = f32 2x1x1x1x1: 5 6\n"
	check(t, attention+"y, s = com.microsoft.QAttention(x, w, b, h, o, \"\", z, v, p) num_heads=1\nwant y = f32 1x1x1: 4.5\nwant s = f32 2x1x1x2x1: 5 1 6 3")
	check(t, attention+"n = i32 1: 1\nc = f32 3: 0 0 7\ny = com.microsoft.QAttention(x, w, c, h, o, n, z, v) num_heads=1\nwant y = f32 1x1x1: 10")
	// The embeddings of TestMicrosoftLayers, all of them twice as many above 10, and half of that is kept.
	const tables = "i = i32 1x2: 1 0\ns = i32 1x2: 0 1\nx = u8 2x2: 12 14 16 18\np = u8 3x2: 0 0 20 40 10 10\ng = u8 2: 2 4\nb = i8 2: 1 -2\nm = i32 1x2: 1 0\n" +
		"h = f32: 0.5\none = f32: 1\nz = u8: 10\nu = u8: 0\nv = i8: 0\n"
	check(t, tables+"y, c = com.microsoft.QEmbedLayerNormalization(i, s, x, p, x, g, b, m, h, h, h, h, h, z, u, z, u, v) epsilon=0.0\nwant c = i32 1: 1\nwant y = f32 1x2x2: -0.5 1 -0.5 1")
	check(t, tables+"y, c = com.microsoft.QEmbedLayerNormalization(i, \"\", x, p, \"\", g, b, \"\", one, h, \"\", h, one, u, u, \"\", u, v) epsilon=0.0\nwant c = i32 1: 0\nwant y = f32 1x2x2: 0 0 0 0")
	// The weight of the norm has a zero point as well: it is 0.5 and 1.5 for -1 and 1, before 0.5 and -1.
	check(t, tables+"o = u8: 1\ny, c = com.microsoft.QEmbedLayerNormalization(i, s, x, p, x, g, b, m, h, h, h, h, h, z, u, z, o, v) epsilon=0.0\nwant c = i32 1: 1\nwant y = f32 1x2x2: 0 0.5 0 0.5")
	refuseEach(t, "x = f32 2x1x2: 1 2 3 4\nw = u8 1x2x4: 1 2 3 4 5 6 7 8\nm = u8 2x4: 1 2 3 4 5 6 7 8\nr = u8 1x1x4: 1 2 3 4\nh = f32 1: 0.5\nk = f32 3: 1 2 3\nz = u8 1: 1\n", map[string]string{
		"y = com.microsoft.DynamicQuantizeLSTM(x, m, r, \"\", \"\", \"\", \"\", \"\", h, z, h, z) hidden_size=1": "weights of [2 4]",
		"y = com.microsoft.DynamicQuantizeLSTM(x, w, r, \"\", \"\", \"\", \"\", \"\", k, z, h, z) hidden_size=1": "[3] of scales or zero points for weights of [1 2 4]",
	})
}

// TestQuantizedLSTM follows the equations of LSTM, gate by gate.
func TestQuantizedLSTM(t *testing.T) {
	sigmoid := func(x float64) float64 { return 1 / (1 + math.Exp(-x)) }
	const hidden, features, steps = 2, 3, 3
	const gates = 4 * hidden // of input, output, forget and cell
	for _, perColumn := range []bool{false, true} {
		scale := func(i int) float64 { return 0.125 }
		zero := func(i int) float64 { return 100 }
		count := 1
		if perColumn {
			scale, zero, count = func(i int) float64 { return float64(i+1) / 32 }, func(i int) float64 { return 95 + float64(i) }, gates
		}
		w := func(i int) float64 { return 90 + float64((i*7)%19) }
		r := func(i int) float64 { return 92 + float64((i*5)%17) }
		x := func(i int) float64 { return float64(i%5)/4 - 0.5 }
		b := func(i int) float64 { return float64(i%3)/8 - 0.125 }
		h, c := make([]float64, hidden), make([]float64, hidden)
		var y []float64
		for at := range steps {
			gate := make([]float64, gates)
			for g := range gate {
				gate[g] = b(g) + b(gates+g)
				for i := range features {
					gate[g] += (w(i*gates+g) - zero(g)) * scale(g) * x(at*features+i)
				}
				for i, v := range h {
					gate[g] += (r(i*gates+g) - zero(g)) * scale(g) * v
				}
			}
			for i := range hidden {
				c[i] = sigmoid(gate[2*hidden+i])*c[i] + sigmoid(gate[i])*math.Tanh(gate[3*hidden+i])
				h[i] = sigmoid(gate[hidden+i]) * math.Tanh(c[i])
			}
			y = append(y, h...)
		}
		form := func(n int) []int {
			if perColumn {
				return []int{1, n}
			}
			return []int{n}
		}
		numbers := func(n int, f func(int) float64) []float64 {
			out := make([]float64, n)
			for i := range out {
				out[i] = f(i)
			}
			return out
		}
		check(t, line("x", "f32", []int{steps, 1, features}, numbers(steps*features, x)...)+line("w", "u8", []int{1, features, gates}, numbers(features*gates, w)...)+
			line("r", "u8", []int{1, hidden, gates}, numbers(hidden*gates, r)...)+line("b", "f32", []int{1, 2 * gates}, numbers(2*gates, b)...)+
			line("s", "f32", form(count), numbers(count, scale)...)+line("z", "u8", form(count), numbers(count, zero)...)+
			"y, h, c = com.microsoft.DynamicQuantizeLSTM(x, w, r, b, \"\", \"\", \"\", \"\", s, z, s, z) hidden_size=2\n"+
			"want "+line("y", "f32", []int{steps, 1, 1, hidden}, y...)+"want "+line("h", "f32", []int{1, 1, hidden}, h...)+"want "+line("c", "f32", []int{1, 1, hidden}, c...))
	}
}

// TestMicrosoftMasks: a query of zeros sees all keys alike, so attention is a mean of the values that a mask lets it
// see.
func TestMicrosoftMasks(t *testing.T) {
	const head = "q = f32 2x2x1: 0 0 0 0\nk = f32 2x3x1: 1 2 3 4 5 6\n"
	for _, c := range [][2]string{
		{"m = i32 2: 2 1", "1.5 1.5 4 4"},
		{"m = i32 4: 3 2 1 0", "2.5 2.5 4.5 4.5"},
		{"m = i32 2x3: 1 0 1 0 1 1", "2 2 5.5 5.5"},
		{"m = i32 2x2x3: 1 0 0 0 1 0 0 0 1 1 1 1", "1 2 6 5"},
		{"m = i32 2x1x3x3: 1 0 0 1 1 0 1 1 1 0 0 1 0 1 1 1 1 1", "1 1.5 6 5.5"},
	} {
		check(t, head+c[0]+"\ny = com.microsoft.MultiHeadAttention(q, k, k, \"\", m) num_heads=1\nwant y = f32 2x2x1: "+c[1])
	}
	// A mask that hides everything moves all scores alike.
	check(t, "q = f32 1x1x1: 1\nk = f32 1x2x1: 0 1\nm = i32 1x2: 0 0\ny = com.microsoft.MultiHeadAttention(q, k, k, \"\", m) num_heads=1 mask_filter_value=-2.0\nwant y = f32 1x1x1: "+
		list(1, func(int) float64 { return 1 / (1 + math.Exp(-1)) }))
	// Queries, keys and values in one, and keys and values in one.
	check(t, "p = f32 1x2x1x3x1: 0 5 1 0 6 3\ny, a, b = com.microsoft.MultiHeadAttention(p) num_heads=1\nwant y = f32 1x2x1: 2 2\nwant a = f32 1x1x2x1: 5 6")
	check(t, "q = f32 1x2x1: 0 0\np = f32 1x2x1x2x1: 5 1 6 3\ny = com.microsoft.MultiHeadAttention(q, p) num_heads=1\nwant y = f32 1x2x1: 2 2")
	// Packed attention with values wider than keys, after a past.
	check(t, "x = f32 1x1x1: 1\nw = f32 1x4: 0 1 3 4\np = f32 2x1x1x1x1: 5 6\ny = com.microsoft.Attention(x, w) num_heads=1 qkv_hidden_sizes=[1,1,2]\nwant y = f32 1x1x2: 3 4")
	check(t, "x = f32 1x1x1: 1\nw = f32 1x3: 0 1 3\np = f32 2x1x1x1x1: 5 6\ny, s = com.microsoft.Attention(x, w, \"\", \"\", p) num_heads=1\nwant y = f32 1x1x1: 4.5\nwant s = f32 2x1x1x2x1: 5 1 6 3")
	check(t, "x = f32 1x1x1: 1\nw = f32 1x3: 0 1 3\np = f32 2x1x1x1x1: 5 6\na = f32 1x1x1x2: 100 0\ny, s = com.microsoft.Attention(x, w, \"\", \"\", p, a) num_heads=1\nwant y = f32 1x1x1: 6")
}
