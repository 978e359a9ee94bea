package onnx

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

// TestMicrosoftQuantized: quantized operators of ONNX Runtime, worked out by hand.
func TestMicrosoftQuantized(t *testing.T) {
	const (
		pair  = "a = u8 2: 10 20\nb = u8 2: 4 8\nh = f32: 0.5\no = f32: 1\nz = u8: 10\nw = u8: 4\nq = u8: 1\n" // a is 0 and 5, b is 0 and 4
		fine  = "f = f32: 0.00390625\nzero = u8: 0\n"
		gemm  = "a = u8 1x2: 10 20\nb = u8 2x2: 4 8 5 6\nh = f32: 0.5\no = f32: 1\nz = u8: 10\nw = u8: 4\nq = u8: 1\nc = i32 2: 2 4\n"
		bits4 = "x = f32 1x4: 1 2 0 1\nb = u8 2x1x2: 33 67 143 144\ns = f32 2: 0.5 2\n"
	)
	checkEach(t, "",
		pair+"y = com.microsoft.QLinearAdd(a, h, z, b, o, w, h, q)\nwant y = u8 2: 1 19",
		pair+"y = com.microsoft.QLinearMul(a, h, z, b, o, w, h, q)\nwant y = u8 2: 1 41",
		pair+"y = com.microsoft.QLinearAdd(a, h, \"\", b, o, \"\", o, \"\")\nwant y = u8 2: 9 18",
		pair+fine+"y = com.microsoft.QLinearSigmoid(a, h, z, f, zero)\nwant y = u8 2: 128 254",
		fine+"x = u8 1x2: 7 7\no = f32: 1\ny = com.microsoft.QLinearSoftmax(x, o, zero, f, zero)\nwant y = u8 1x2: 128 128",
		"x = i8 2: -10 10\nh = f32: 0.5\nz = i8: 0\ny = com.microsoft.QLinearLeakyRelu(x, h, z, h, z) alpha=0.2\nwant y = i8 2: -2 10",
		"x = i8 2: -10 10\nh = f32: 0.5\ny = com.microsoft.QLinearLeakyRelu(x, h, \"\", h) alpha=0.2\nwant y = i8 2: -2 10",
		pair+"x = u8 1x1x1x2: 10 20\ny = com.microsoft.QLinearGlobalAveragePool(x, h, z, h, q)\nwant y = u8 1x1x1x1: 6",
		pair+"x = u8 1x1x2x2: 10 20 12 24\ny = com.microsoft.QLinearGlobalAveragePool(x, h, z, h, q) channels_last=1\nwant y = u8 1x1x1x2: 2 13",
		"x = u8 1x2x2x2: 1 80 20 7 13 60 40 5\nw = i8 3x2x1x2: 1 2 3 4 -1 2 -3 4 5 0 0 5\nb = i32 3: 2 -4 8\nh = f32: 0.5\nz = u8: 10\no = f32: 1\nv = i8: 1\nt = f32: 2\nq = u8: 100\n"+
			"y = com.microsoft.QLinearConv(x, h, z, w, o, v, t, q, b) channels_last=1\nwant y = u8 1x2x1x3: 136 34 70 129 51 80",
		pair+"x = u8 1x1x3: 10 20 12\ny = com.microsoft.QLinearAveragePool(x, h, z, h, q) kernel_shape=[2]\nwant y = u8 1x1x2: 6 7",
		pair+"y = com.microsoft.QLinearConcat(h, q, a, h, z, b, o, w) axis=0\nwant y = u8 4: 1 11 1 9",
		gemm+"y = com.microsoft.QGemm(a, h, z, b, o, w, c, o, q)\nwant y = u8 1x2: 7 13",
		gemm+"y = com.microsoft.QGemm(a, h, z, b, o, w, c)\nwant y = f32 1x2: 6 12",
		gemm+"y = com.microsoft.QGemm(a, h, z, b, o, w, c) alpha=2.0\nwant y = f32 1x2: 12 24",
		gemm+"y = com.microsoft.QGemm(a, h, z, b, o, w) transB=1\nwant y = f32 1x2: 20 10",
		gemm+"y = com.microsoft.QGemm(a, h, z, a, h, z) transA=1\nwant y = f32 2x2: 0 0 0 25",
		pair+"y = com.microsoft.QuantizeLinear(h, h, q)\nwant y = u8: 2",
		pair+"y = com.microsoft.DequantizeLinear(a, h, z)\nwant y = f32 2: 0 5",
		bits4+"y = com.microsoft.MatMulNBits(x, b, s) K=4 N=2 bits=4 block_size=4\nwant y = f32 1x2: -11.5 16",
		bits4+"z = u8 2x1: 1 15\ny = com.microsoft.MatMulNBits(x, b, s, z) K=4 N=2 block_size=4\nwant y = f32 1x2: 2.5 -40",
		bits4+"z = f32 2: 1 15\nc = f32 2: 1 2\ny = com.microsoft.MatMulNBits(x, b, s, z, \"\", c) K=4 N=2 block_size=4\nwant y = f32 1x2: 3.5 -38",
		"x = f32 1x1: 3\nb = u8 1x1x1: 9\ns = f32 1: 2\ny = com.microsoft.MatMulNBits(x, b, s) K=1 N=1 block_size=1\nwant y = f32 1x1: 6",
		"x = f32 1x3: 1 1 1\nb = u8 1x2x1: 33 3\ns = f32 2: 1 10\ny = com.microsoft.MatMulNBits(x, b, s) K=3 N=1 block_size=2\nwant y = f32 1x1: -63",
		"x = f32 1x2: 3 1\nb = u8 1x1x2: 130 126\ns = f32 1: 0.5\ny = com.microsoft.MatMulNBits(x, b, s) K=2 N=1 bits=8 block_size=2\nwant y = f32 1x1: 2",
	)
	refuseEach(t, pair, map[string]string{
		"y = com.microsoft.QLinearConcat(h, q, a, h) axis=0":                             "4 inputs are no scale, zero point and tensors",
		"y = com.microsoft.QLinearConcat(h, q) axis=0":                                   "2 inputs are no scale, zero point and tensors",
		"y = com.microsoft.MatMulNBits(h, a, h) K=4 N=2 bits=3":                          "3 bits in blocks of 0",
		"y = com.microsoft.MatMulNBits(h, a, h) K=4 N=2 block_size=4":                    "",
		"y = com.microsoft.MatMulNBits(h, a, h) K=4 N=2 block_size=4 weight_prepacked=1": "weight_prepacked 1 is not supported: the weights lie as a kernel of one GPU",
		"y = com.microsoft.MatMulNBits(h, a, h) K=4 N=2 block_size=4 bit=8":              `has no attribute "bit" in version 1 of com.microsoft`,
		"y = com.microsoft.QuickGelu(h, h)":                                              "takes up to 1 inputs in version 1 of com.microsoft, not 2",
		"h3 = f32 1x1x2: 1 2\nh4 = f32 1x1x1x2: 1 2\nl = i32 1: 1\n" +
			"y = com.microsoft.MultiHeadAttention(h3, h3, h3, \"\", \"\", \"\", h4, h4, l) num_heads=1": "past_sequence_length and cache_indirection are not supported: export the model with a past that grows",
		"y = com.microsoft.QLinearGlobalAveragePool(a, h, z, h, q)": "takes a tensor of at least 3 dimensions, not 1",
	})
}

// TestMicrosoftBnb4: weights of bitsandbytes, with what ONNX Runtime 1.23 gives. A block has numbers of two rows.
func TestMicrosoftBnb4(t *testing.T) {
	checkEach(t, "",
		"x = f32 2x8: 0 -3 2 4 4 1 3 -1 -3 0 -1 1 4 -2 3 -3\nb = u8 12: 34 32 204 127 151 153 182 7 124 37 102 237\ns = f32 2: 1.25 0.25\n"+
			"y = com.microsoft.MatMulBnb4(x, b, s) K=8 N=3 block_size=16 quant_type=0\nwant y = f32 2x3: -1.6666667 -6.080729 1.2916666 -2.2916665 -6.3346353 0.10416666",
		"x = f32 1x8: -2 0 3 0 4 -1 4 1\nb = u8 12: 89 201 63 171 117 131 240 209 214 140 251 251\ns = f32 2: 0.5 0.5\n"+
			"y = com.microsoft.MatMulBnb4(x, b, s) K=8 N=3 block_size=16 quant_type=1\nwant y = f32 1x3: 0.21718541 3.3965082 3.5567534",
		"x = f32 1x16: 0 -1 4 1 2 2 -1 4 -4 -2 -3 -4 4 -4 0 3\nb = u8 16: 110 61 37 219 172 19 51 144 230 254 55 156 8 44 51 113\ns = f32 2: 0.75 1.5\n"+
			"y = com.microsoft.MatMulBnb4(x, b, s) K=16 N=2 block_size=16 quant_type=0\nwant y = f32 1x2: 1.36328125 -1.21875",
	)
	refuseEach(t, "x = f32 1x2: 1 2\nb = u8 1: 7\ns = f32 1: 1\n", map[string]string{
		"y = com.microsoft.MatMulBnb4(x, b, s) K=2 N=1 block_size=16 quant_type=2":          "quant_type 2 is not supported: 0 is FP4 and 1 is NF4",
		"y = com.microsoft.MatMulBnb4(x, b, s) K=2 N=1 block_size=16 quant_type=0 transB=0": "transB 0, for gradients, is not supported",
		"y = com.microsoft.MatMulBnb4(x, b, s) K=4 N=1 block_size=16 quant_type=0":          "u8 of [1] and scales of [1] for 4 numbers in blocks of 16",
		"y = com.microsoft.MatMulBnb4(x, b, s) K=2 N=1 quant_type=0":                        "2 rows of 1 columns in blocks of 0",
	})
}

// TestMicrosoftTransformer: what ONNX Runtime's optimizer makes of the layers of transformers.
func TestMicrosoftTransformer(t *testing.T) {
	// A query of zeros sees all keys alike, so attention is a mean of the values that are not hidden, by heads.
	const heads = "q = f32 1x1x2: 0 0\nk = f32 1x2x2: 5 6 7 8\nv = f32 1x2x2: 1 2 3 4\n"
	checkEach(t, "",
		"x = f32 1x2: 1 2\ns = f32 1x2: 2 2\ng = f32 2: 2 1\ny, a, b, c = com.microsoft.SkipSimplifiedLayerNormalization(x, s, g) epsilon=0.0\nwant y = f32 1x2: 1.6970563 1.1313708\nwant c = f32 1x2: 3 4",
		"x = f32 1x2: 1 2\ns = f32 1x2: 2 2\ng = f32 2: 2 1\nb = f32 2: 1 -1\ny, m, f, c = com.microsoft.SkipSimplifiedLayerNormalization(x, s, g, b) epsilon=0.0\nwant c = f32 1x2: 4 3",
		heads+"y, pk, pv = com.microsoft.MultiHeadAttention(q, k, v) num_heads=2\nwant y = f32 1x1x2: 2 3\nwant pk = f32 1x2x2x1: 5 7 6 8\nwant pv = f32 1x2x2x1: 1 3 2 4",
		heads+"b = f32 6: 0 0 0 0 1 2\ny = com.microsoft.MultiHeadAttention(q, k, v, b) num_heads=2\nwant y = f32 1x1x2: 3 5",
		heads+"m = i32 1x2: 1 0\ny = com.microsoft.MultiHeadAttention(q, k, v, \"\", m) num_heads=2\nwant y = f32 1x1x2: 1 2",
		heads+"m = i32 1x1x2: 0 1\ny = com.microsoft.MultiHeadAttention(q, k, v, \"\", m) num_heads=2\nwant y = f32 1x1x2: 3 4",
		heads+"a = f32 1x1x1x2: 0 -100\ny = com.microsoft.MultiHeadAttention(q, k, v, \"\", \"\", a) num_heads=2\nwant y = f32 1x1x2: 1 2",
		heads+"pk = f32 1x2x1x1: 1 1\npv = f32 1x2x1x1: 10 20\ny = com.microsoft.MultiHeadAttention(q, k, v, \"\", \"\", \"\", pk, pv) num_heads=2\nwant y = f32 1x1x2: 4.6666667 8.6666667",
		heads+"pk = f32 1x2x1x1: 1 1\npv = f32 1x2x1x1: 10 20\ny = com.microsoft.MultiHeadAttention(q, k, v, \"\", \"\", \"\", pk, pv) num_heads=2 unidirectional=1\nwant y = f32 1x1x2: 4.6666667 8.6666667",
		heads+"y = com.microsoft.MultiHeadAttention(q, k, v) num_heads=2 unidirectional=1\nwant y = f32 1x1x2: 2 3",
		heads+"m = i32 5: 1 0 1 0 1\ny = com.microsoft.MultiHeadAttention(q, k, v, \"\", m) num_heads=2\nwant y = f32 1x1x2: 1 2",
		"q = f32 1x1x1: 1\nk = f32 1x1x2x1: 2 0\nv = f32 1x1x2x1: 1 0\ny = com.microsoft.MultiHeadAttention(q, k, v) num_heads=1\nwant y = f32 1x1x1: 0.8807971",
		"q = f32 1x1x1: 1\nk = f32 1x1x2x1: 2 0\nv = f32 1x1x2x1: 1 0\ny = com.microsoft.MultiHeadAttention(q, k, v) num_heads=1 scale=0.5\nwant y = f32 1x1x1: 0.7310586",
		"x = f32 1x2x2: 1 0 1 0\np = i64 1: 0\nc = f32 2x1: 1 0\ns = f32 2x1: 0 1\ny = com.microsoft.RotaryEmbedding(x, p, c, s)\nwant y = f32 1x2x2: 1 0 0 1",
		"x = f32 1x1x2x2: 1 0 1 0\np = i64 1x2: 1 0\nc = f32 2x1: 1 0\ns = f32 2x1: 0 1\ny = com.microsoft.RotaryEmbedding(x, p, c, s)\nwant y = f32 1x1x2x2: 0 1 1 0",
	)
	refuseEach(t, heads, map[string]string{
		"y = com.microsoft.MultiHeadAttention(k, q, q) num_heads=2 unidirectional=1":             "unidirectional with 2 queries and 1 keys",
		"y = com.microsoft.MultiHeadAttention(q) num_heads=2":                                    "key: false, values: false",
		"y = com.microsoft.MultiHeadAttention(q, k, v) num_heads=3":                              "3 heads for [1 1 2]",
		"m = i32 1x3: 1 0 1\ny = com.microsoft.MultiHeadAttention(q, k, v, \"\", m) num_heads=2": "a mask of [1 3] for 1 queries and 2 keys is not supported",
	})
}

// TestOrderOfBlocks: each row of weights has the scale of the block that g_idx names. The weights are 1, 2, 3 and 4
// above 8, times 1 or 10; scales that lie as the rows do are read as they are.
func TestOrderOfBlocks(t *testing.T) {
	const head = "x = f32 1x4: 1 2 3 4\nb = u8 1x2x1: 169 203\ns = f32 2: 1 10\n"
	for nodes, inOrder := range map[string]bool{
		"g = i32 4: 0 0 1 1\ny = com.microsoft.MatMulNBits(x, b, s, \"\", g) K=4 N=1 block_size=2\nwant y = f32 1x1: 255": true,
		"g = i32 4: 0 1 0 1\ny = com.microsoft.MatMulNBits(x, b, s, \"\", g) K=4 N=1 block_size=2\nwant y = f32 1x1: 210": false,
		"g = i32 4: 0 0 0 1\ny = com.microsoft.MatMulNBits(x, b, s, \"\", g) K=4 N=1 block_size=2\nwant y = f32 1x1: 174": false,
	} {
		check(t, head+nodes)
		m, err := newProgram(t, head+nodes).read(true)
		require.NoError(t, err)
		bound, err := m.Bind(nil, onHost)
		require.NoError(t, err)
		require.Equal(t, inOrder, !strings.Contains(bound.Module.String(), "aten.index_select"), nodes)
	}
}
