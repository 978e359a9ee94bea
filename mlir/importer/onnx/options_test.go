package onnx

import (
	"encoding/binary"
	"math"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/go-acap/acap/tensor/dtype"
)

// TestOptions: attributes, optional inputs and old versions of operators, with results that were worked out by hand.
func TestOptions(t *testing.T) {
	const (
		// One query of zeros sees all keys alike, so attention is a mean of the values that are not hidden.
		attention = "q = f32 1x1x1x1: 0\nk = f32 1x1x4x1: 1 2 3 4\nv = f32 1x1x4x1: 1 2 3 5\n"
		cell      = "x = f32 1x1x1: 1\nw = f32 1x3x1: 0 2 1\nr = f32 1x3x1: 0 0 3\nb = f32 1x6: 0 0 0 0 0 1\nh = f32 1x1x1: 2\n"
		batch     = "x = f32 2x1x1: 1 2\nw = f32 1x4x1: 2 1 5 3\nr = f32 1x4x1: 0 0 0 0\nh0 = f32 2x1x1: 0 0\nc0 = f32 2x1x1: 4 5\n"
		sequence  = "x = f32 2x2x1: 1 2 3 4\nw = f32 1x1x1: 1\nr = f32 1x1x1: 2\nh0 = f32 2x1x1: 10 20\n"
		image     = "x = f32 2x2: 1 2 3 4\n"
		line      = "x = f32 2: 1 2\nd = f32 1: 2.0\n"
		signal    = "x = f32 1x2x1: 1 2\n"
		quantized = "k = u8 1x1x1x3: 1 2 3\nsk = f32: 0.5\nzk = u8: 1\nf = u8 1x1x1x2: 1 2\nsf = f32: 1\nzf = u8: 1\nsy = f32: 0.5\nzy = u8: 1\n"
	)
	for _, text := range []string{
		"version 6\nx = f32 1x2x1x2: -1 2 -3 4\ns = f32 2: 0.5 0.25\ny = PRelu(x, s)\nwant y = f32 1x2x1x2: -0.5 2 -0.75 4",
		"x = f32 1x2x2: -1 2 -3 4\ns = f32 2: 0.5 0.25\ny = PRelu(x, s)\nwant y = f32 1x2x2: -0.5 2 -1.5 4",
		"version 6\na = f32 2x3: 1 2 3 4 5 6\nb = f32 2: 10 20\ny = Add(a, b) broadcast=1 axis=0\nwant y = f32 2x3: 11 12 13 24 25 26",
		"version 6\na = i64 2x2: 1 2 3 4\nb = i64 2: 10 20\ny = Add(a, b) broadcast=1 axis=0\nwant y = i64 2x2: 11 12 23 24",
		"a = i64 2x2: 1 2 3 4\nb = i64 2: 10 20\ny = Add(a, b)\nwant y = i64 2x2: 11 22 13 24",
		"version 6\na = f32 2x3: 1 2 3 4 5 6\nb = f32 3: 10 20 30\ny = Add(a, b) broadcast=1\nwant y = f32 2x3: 11 22 33 14 25 36",
		"version 6\na = f32 3: 1 3 9\ny = Clip(a) min=2.0 max=5.0\nwant y = f32 3: 2 3 5",
		"version 6\na = f32 3: 1 3 9\ny = Clip(a) max=5.0\nwant y = f32 3: 1 3 5",
		"a = i32 3: 1 3 9\nl = i32: 2\nh = i32: 5\ny = Clip(a, l, h)\nwant y = i32 3: 2 3 5",
		"a = f32 3: 1 3 9\nh = f32: 5\ny = Clip(a, \"\", h)\nwant y = f32 3: 1 3 5",
		"a = f32 3: 1 3 9\nl = f32: 2\ny = Clip(a, l)\nwant y = f32 3: 2 3 9",
		"a = f64 3: 1 3 9\nl = f64: 2\nh = f64: 5\ny = Clip(a, l, h)\nwant y = f64 3: 2 3 5",
		"a = f32 3: -inf 0 inf\ny = IsInf(a)\nwant y = bool 3: 1 0 1",
		"a = f32 3: -inf 0 inf\ny = IsInf(a) detect_negative=0\nwant y = bool 3: 0 0 1",
		"a = f32 3: -inf 0 inf\ny = IsInf(a) detect_positive=0\nwant y = bool 3: 1 0 0",
		"a = f32 3: -inf 0 inf\ny = IsInf(a) detect_positive=0 detect_negative=0\nwant y = bool 3: 0 0 0",
		"x = f32 4: 1 2 3 4\np = f32: 0\non = bool: 1\ny, m = Dropout(x, p, on)\nwant y = f32 4: 1 2 3 4\nwant m = bool 4: 1 1 1 1",
		"x = f32 4: 1 2 3 4\np = f32: 0.5\non = bool: 0\ny, m = Dropout(x, p, on)\nwant y = f32 4: 1 2 3 4\nwant m = bool 4: 1 1 1 1",

		attention + "y = Attention(q, k, v)\nwant y = f32 1x1x1x1: 2.75",
		attention + "m = bool 1x1x1x3: 1 1 0\ny = Attention(q, k, v, m)\nwant y = f32 1x1x1x1: 1.5",
		attention + "m = f32 1x1x1x3: 0 0 0\ny = Attention(q, k, v, m)\nwant y = f32 1x1x1x1: 2",
		attention + "m = bool 1x1x1x1: 1\ny = Attention(q, k, v, m)\nwant y = f32 1x1x1x1: 2.75",
		attention + "n = i64 1: 3\ny = Attention(q, k, v, \"\", \"\", \"\", n)\nwant y = f32 1x1x1x1: 2",
		attention + "y = Attention(q, k, v) is_causal=1\nwant y = f32 1x1x1x1: 1",
		attention + "y, pk, pv = Attention(q, k, v, \"\", k, v) is_causal=1\nwant y = f32 1x1x1x1: 2.4\nwant pv = f32 1x1x8x1: 1 2 3 5 1 2 3 5",
		attention + "y = Attention(q, k, v) softmax_precision=11\nwant y = f32 1x1x1x1: 2.75",
		"q = f16 1x1x1x1: 0\nk = f16 1x1x4x1: 1 2 3 4\nv = f16 1x1x4x1: 1 2 3 5\ny = Attention(q, k, v)\nwant y = f16 1x1x1x1: 2.75",
		"q = f32 1x4x1x1: 0 0 0 0\nk = f32 1x2x2x1: 1 2 3 4\nv = f32 1x2x2x1: 1 2 3 5\ny = Attention(q, k, v)\nwant y = f32 1x4x1x1: 1.5 1.5 4 4",

		attention + "m = bool 1x1x1x4: 0 0 0 0\ny, pk, pv, w = Attention(q, k, v, m) qk_matmul_output_mode=3\nwant y = f32 1x1x1x1: 0\nwant w = f32 1x1x1x4: 0 0 0 0",
		attention + "n = i64 1: 3\ny = Attention(q, k, v, \"\", \"\", \"\", n) is_causal=1\nwant y = f32 1x1x1x1: 2",
		"q = f32 1x1x2x1: 0 0\nk = f32 1x1x4x1: 1 2 3 4\nv = f32 1x1x4x1: 1 2 3 5\nn = i64 1: 1\ny = Attention(q, k, v, \"\", \"\", \"\", n) is_causal=1\nwant y = f32 1x1x2x1: 0 1",
		"q = f32 1x1x1x1: 2\nk = f32 1x1x2x1: 1 2\nm = f32 1x2: 1 -1\ny, pk, pv, w = Attention(q, k, k, m) softcap=1.0 qk_matmul_output_mode=1\nwant w = f32 1x1x1x2: 0.9640276 0.9993293",
		"q = f32 1x1x1x1: 2\nk = f32 1x1x2x1: 1 2\nm = f32 1x2: 1 -1\ny, pk, pv, w = Attention(q, k, k, m) softcap=1.0 qk_matmul_output_mode=2\nwant w = f32 1x1x1x2: 1.9640276 -0.0006707",

		"x = f32 2x2: 3 4 0 0\ny = LpNormalization(x)\nwant y = f32 2x2: 0.6 0.8 0 0",
		"x = f32 2x2: 3 -5 0 0\ny = LpNormalization(x) p=1 axis=0\nwant y = f32 2x2: 1 -1 0 0",
		"version 17\nx = f32 1x2: 3 4\ny = LpNormalization(x)\nwant y = f32 1x2: 0.6 0.8",
		"x = f32 1x3x2: 10 0 -2 2 -2 0\ny = DFT(x) inverse=1 onesided=1\nwant y = f32 1x4x1: 1 2 3 4",
		"x = f32 1x2x2: 6 0 -1.5 0.8660254\nl = i64: 3\ny = DFT(x, l) inverse=1 onesided=1\nwant y = f32 1x3x1: 1 2 3",
		"x = f32 2x0: \na = i64 1: 1\ny = ReduceMax(x, a)\nwant y = f32 2x1: -inf -inf",
		"x = i32 2x0: \na = i64 1: 1\ny = ReduceMin(x, a) keepdims=0\nwant y = i32 2: 2147483647 2147483647",
		"x = bool 2x0: \na = i64 1: 1\ny = ReduceMin(x, a) keepdims=0\nwant y = bool 2: 1 1",
		"x = i8 2x0: \na = i64 1: 1\ny = ReduceMax(x, a) keepdims=0\nwant y = i8 2: -128 -128",
		"x = f32 1x1x5: 1 2 3 4 5\ny = AveragePool(x) kernel_shape=[2] dilations=[2]\nwant y = f32 1x1x3: 2 3 4",
		"x = f32 1x1x5: 1 2 3 4 5\ny = AveragePool(x) kernel_shape=[2] dilations=[2] pads=[1,1] strides=[2]\nwant y = f32 1x1x3: 2 3 4",
		"x = f32 1x1x4: 1 2 3 4\ny = AveragePool(x) kernel_shape=[2] dilations=[2] pads=[1,0] strides=[3] ceil_mode=1 count_include_pad=1\nwant y = f32 1x1x2: 1 3",
		"x = f32 1x1x4: 1 2 3 4\ny = AveragePool(x) kernel_shape=[2] dilations=[2] pads=[1,0] count_include_pad=1\nwant y = f32 1x1x3: 1 2 3",
		"x = f32 1x1x5: 3 4 5 12 8\ny = LpPool(x) kernel_shape=[2] strides=[2]\nwant y = f32 1x1x2: 5 13",
		"x = f32 1x1x5: 3 4 5 12 8\ny = LpPool(x) kernel_shape=[2] strides=[2] ceil_mode=1\nwant y = f32 1x1x3: 5 13 8",
		"x = f32 1x1x4: 3 5 4 12\ny = LpPool(x) kernel_shape=[2] dilations=[2]\nwant y = f32 1x1x2: 5 13",
		"t = f32 1x2x3: 2 0 1 0 1 -1\ns = i64 4: 1 1 2 2\ny = AffineGrid(t, s)\nwant y = f32 1x2x2x2: 0 -1.5 2 -1.5 0 -0.5 2 -0.5",
		"t = f32 1x2x3: 0 1 0 1 0 0\ns = i64 4: 1 1 2 3\ny = AffineGrid(t, s) align_corners=1\nwant y = f32 1x2x3x2: -1 -1 -1 0 -1 1 1 -1 1 0 1 1",
		"t = f32 1x3x4: 1 0 0 0 0 1 0 0 0 0 1 2\ns = i64 5: 1 1 2 1 1\ny = AffineGrid(t, s)\nwant y = f32 1x2x1x1x3: 0 0 1.5 0 0 2.5",

		"x = f32 2x2: 1 2 3 4\na = i64: 1\ny = CumProd(x, a)\nwant y = f32 2x2: 1 2 3 12",
		"x = f32 3: 2 3 4\na = i64: 0\ny = CumProd(x, a) exclusive=1\nwant y = f32 3: 1 2 6",
		"x = i64 3: 2 3 4\na = i64: 0\ny = CumProd(x, a) exclusive=1 reverse=1\nwant y = i64 3: 12 4 1",
		"x = f32 2: 1 -2\ny = BitCast(x) to=6\nwant y = i32 2: 1065353216 -1073741824",
		"x = u8 2: 128 1\ny = BitCast(x) to=3\nwant y = i8 2: -128 1",

		"y = Constant() value_float=1.5\nwant y = f32: 1.5",
		"y = Constant() value_floats=[1.5,2.0]\nwant y = f32 2: 1.5 2",
		"y = Constant() value_int=3\nwant y = i64: 3",
		"y = Constant() value_ints=[3,4]\nwant y = i64 2: 3 4",
		"a = f32: 1\nb = f32: 2.6\nc = f32: 0.5\ny = Range(a, b, c)\nwant y = f32 4: 1 1.5 2 2.5",
		"a = i64: 7\nb = i64: 1\nc = i64: -3\ny = Range(a, b, c)\nwant y = i64 2: 7 4",
		"i = i64 2: 1 -1\nd = i64: 3\nv = f32 2: 5 7\ny = OneHot(i, d, v)\nwant y = f32 2x3: 5 7 5 5 5 7",
		"i = f32 2: 1 -1\nd = i64: 3\nv = f32 2: 5 7\ny = OneHot(i, d, v) axis=0\nwant y = f32 3x2: 5 5 7 5 5 7",
		"x = i32 2x3: 0 0 0 0 0 0\ny = EyeLike(x) k=1\nwant y = i32 2x3: 0 1 0 0 0 1",
		"x = i32 2x3: 0 0 0 0 0 0\ny = EyeLike(x) dtype=1 k=-1\nwant y = f32 2x3: 0 0 0 1 0 0",
		"x = i64 2x2: 1 0 0 2\ny = NonZero(x)\nwant y = i64 2x2: 0 1 0 1",

		"x = f16 1x2x1x2: 1 2 3 4\ns = f32 2: 1 2\nb = f32 2: 0 1\nm = f32 2: 1 3\nv = f32 2: 0.25 1\ny = BatchNormalization(x, s, b, m, v) epsilon=0.0\nwant y = f16 1x2x1x2: 0 2 1 3",
		"version 18\nx = f32 1x4x1x1: -1 1 2 6\ns = f32 2: 2 3\nb = f32 2: 0 1\ny = GroupNormalization(x, s, b) num_groups=2 epsilon=0.0\nwant y = f32 1x4x1x1: -2 2 -2 4",
		"x = f32 1x4x1x1: -1 1 2 6\ns = f32 4: 1 2 3 4\nb = f32 4: 0 0 0 1\ny = GroupNormalization(x, s, b) num_groups=2 epsilon=0.0\nwant y = f32 1x4x1x1: -1 2 -3 5",
		"x = f16 1x2: 1 3\ns = f16 2: 1 2\nb = f16 2: 0 1\ny, m, r = LayerNormalization(x, s, b) epsilon=0.0\nwant y = f16 1x2: -1 3\nwant m = f32 1x1: 2\nwant r = f32 1x1: 1",
		"x = f32 1x2: 3 4\ny = LpNormalization(x)\nwant y = f32 1x2: 0.6 0.8",
		"x = f32 1x2: 3 1\ny = LpNormalization(x) p=1\nwant y = f32 1x2: 0.75 0.25",
		"x = f32 1x1x2: 3 -4\ny = GlobalLpPool(x)\nwant y = f32 1x1x1: 5",
		"x = f32 1x1x2: 3 -4\ny = GlobalLpPool(x) p=1\nwant y = f32 1x1x1: 7",
		"x = i8 1x1x3: -5 -3 -7\ny = MaxPool(x) kernel_shape=[2] pads=[0,1]\nwant y = i8 1x1x3: -3 -3 -7",
		"x = f32 1x2x3: 1 3 2 6 5 4\ny, z = MaxPool(x) kernel_shape=[2] pads=[1,0]\nwant y = f32 1x2x3: 1 3 3 6 6 5\nwant z = i64 1x2x3: 0 1 1 3 3 4",
		"x = f32 1x1x3: 1 2 3\nw = f32 1x1x2: 1 1\ny = Conv(x, w) auto_pad=\"VALID\"\nwant y = f32 1x1x2: 3 5",
		"x = f32 1x1x3: 1 2 3\nw = f32 1x1x2: 1 1\ny = Conv(x, w) auto_pad=\"SAME_UPPER\"\nwant y = f32 1x1x3: 3 5 3",
		"x = f32 1x1x3: 1 2 3\nw = f32 1x1x2: 1 1\ny = Conv(x, w) auto_pad=\"SAME_LOWER\"\nwant y = f32 1x1x3: 1 3 5",
		"x = f32 1x1x2: 1 2\nw = f32 1x1x2: 1 1\ny = ConvTranspose(x, w) auto_pad=\"VALID\"\nwant y = f32 1x1x3: 1 3 2",
		"x = f32 1x1x2: 1 2\nw = f32 1x1x2: 1 1\nb = f32 1: 10\ny = ConvTranspose(x, w, b) output_padding=[1]\nwant y = f32 1x1x4: 11 13 12 10",
		"x = f32 1x1x2: 1 2\nw = f32 1x1x2: 1 1\ny = ConvTranspose(x, w) output_shape=[1,1,2] auto_pad=\"SAME_UPPER\"\nwant y = f32 1x1x2: 1 3",
		"x = f32 1x1x2: 1 2\nw = f32 1x1x2: 1 1\ny = ConvTranspose(x, w) output_shape=[2]\nwant y = f32 1x1x2: 3 2",
		"x = f32 1x1x2: 1 2\nw = f32 1x1x4: 1 10 100 1000\ny = ConvTranspose(x, w) output_shape=[2] auto_pad=\"SAME_UPPER\"\nwant y = f32 1x1x2: 12 120",
		"x = f32 1x1x2: 1 2\nw = f32 1x1x4: 1 10 100 1000\ny = ConvTranspose(x, w) output_shape=[2] auto_pad=\"SAME_LOWER\"\nwant y = f32 1x1x2: 120 1200",
		"x = f32 1x1x2: 1 2\nw = f32 1x1x4: 1 10 100 1000\ny = ConvTranspose(x, w) output_shape=[2]\nwant y = f32 1x1x2: 120 1200",
		"x = f32 1x1x2: 1 2\nw = f32 1x1x4: 1 10 100 1000\ny = ConvTranspose(x, w) output_shape=[1] auto_pad=\"SAME_UPPER\"\nwant y = f32 1x1x1: 120",
		"x = f32 1x1x2: 1 2\nw = f32 1x1x4: 1 10 100 1000\ny = ConvTranspose(x, w) output_shape=[1]\nwant y = f32 1x1x1: 120",
		"x = f32 1x1x2: 1 2\nw = f32 1x1x4: 1 10 100 1000\ny = ConvTranspose(x, w) output_shape=[7]\nwant y = f32 1x1x7: 1 12 120 1200 2000 0 0",
		"x = f32 1x1x2: 1 2\nw = f32 1x1x4: 1 10 100 1000\ny = ConvTranspose(x, w) auto_pad=\"SAME_UPPER\"\nwant y = f32 1x1x2: 12 120",
		"x = f32 1x1x2: 1 2\nw = f32 1x1x4: 1 10 100 1000\ny = ConvTranspose(x, w) output_padding=[1] output_shape=[2]\nwant y = f32 1x1x2: 120 1200",

		sequence + "y, h = RNN(x, w, r, \"\", \"\", h0) layout=1 activations=[\"Relu\"]\nwant y = f32 2x2x1x1: 21 44 43 90\nwant h = f32 2x1x1: 44 90",
		sequence + "y, h = RNN(x, w, r, \"\", \"\", h0) layout=1 activations=[\"Relu\"] clip=50.0\nwant y = f32 2x2x1x1: 21 44 43 50\nwant h = f32 2x1x1: 44 50",
		sequence + "n = i32 2: 2 2\ny, h = RNN(x, w, r, \"\", n, h0) layout=1 activations=[\"Relu\"]\nwant y = f32 2x2x1x1: 21 44 43 90\nwant h = f32 2x1x1: 44 90",
		sequence + "n = i32 2: 1 2\ny, h = RNN(x, w, r, \"\", n, h0) layout=1 activations=[\"Relu\"]\nwant y = f32 2x2x1x1: 21 0 43 90\nwant h = f32 2x1x1: 21 90",
		cell + "y, e = GRU(x, w, r, b, \"\", h) linear_before_reset=1 activations=[\"Relu\",\"Relu\"]\nwant y = f32 1x1x1x1: 15\nwant e = f32 1x1x1: 15",
		cell + "y, e = GRU(x, w, r, b, \"\", h) activations=[\"Relu\",\"Relu\"]\nwant y = f32 1x1x1x1: 14\nwant e = f32 1x1x1: 14",
		cell + "y, e = GRU(x, w, r, b, \"\", h) activations=[\"Relu\",\"Affine\"] activation_alpha=[2.0] activation_beta=[0.5]\nwant y = f32 1x1x1x1: 28.5\nwant e = f32 1x1x1: 28.5",
		cell + "y, e = GRU(x, w, r, b, \"\", h) activations=[\"Affine\",\"Relu\"] activation_alpha=[2.0] activation_beta=[0.5]\nwant y = f32 1x1x1x1: 15.5\nwant e = f32 1x1x1: 15.5",
		batch + "y, h, c = LSTM(x, w, r, \"\", \"\", h0, c0) layout=1 input_forget=1 activations=[\"Relu\",\"Relu\",\"Relu\"]\nwant y = f32 2x1x1x1: 2 18\nwant h = f32 2x1x1: 2 18\nwant c = f32 2x1x1: 2 9",
		batch + "y, h, c = LSTM(x, w, r, \"\", \"\", h0, c0) layout=1 activations=[\"Relu\",\"Relu\",\"Relu\"]\nwant h = f32 2x1x1: 26 148\nwant c = f32 2x1x1: 26 74",

		"x = i32 2x2: 1 2 -3 -4\ny = ReduceMean(x) keepdims=0\nwant y = i32: -1",
		"x = i32 2x2: 1 2 -3 -4\nd = i64 1: 1\ny = ReduceMean(x, d)\nwant y = i32 2x1: 1 -3",
		"x = f32: 5\ny = ReduceSum(x)\nwant y = f32: 5",
		"x = f32: 5\ny = ReduceMax(x) keepdims=0\nwant y = f32: 5",

		"version 9\nx = f32 1x2: 1 2\ns = f32 2: 1 2\ny = Upsample(x, s)\nwant y = f32 1x4: 1 1 2 2",
		"version 7\nx = f32 1x2: 1 2\ny = Upsample(x) scales=[1.0,2.0]\nwant y = f32 1x4: 1 1 2 2",
		"version 10\nx = f32 2: 1 2\ns = f32 1: 2\ny = Resize(x, s)\nwant y = f32 4: 1 1 2 2",
		"version 10\nx = f32 2: 1 2\ns = f32 1: 2\ny = Resize(x, s) mode=\"linear\"\nwant y = f32 4: 1 1.5 2 2",
		image + "s = i64 1: 4\ny = Resize(x, \"\", \"\", s) axes=[1]\nwant y = f32 2x4: 1 1 2 2 3 3 4 4",
		image + "s = i64 2: 4 3\ny = Resize(x, \"\", \"\", s) keep_aspect_ratio_policy=\"not_larger\"\nwant y = f32 3x3: 1 1 2 1 1 2 3 3 4",
		image + "s = i64 2: 4 3\ny = Resize(x, \"\", \"\", s) keep_aspect_ratio_policy=\"not_smaller\"\nwant y = f32 4x4: 1 1 2 2 1 1 2 2 3 3 4 4 3 3 4 4",
		image + "s = i64 2: 2 3\ny = Resize(x, \"\", \"\", s)\nwant y = f32 2x3: 1 1 2 3 3 4",
		"x = f32 3: 1 2 4\ns = f32 1: 0.5\ny = Resize(x, \"\", s) mode=\"linear\" coordinate_transformation_mode=\"half_pixel_symmetric\"\nwant y = f32 1: 2",
		"x = f32 3: 1 2 4\ns = f32 1: 0.5\ny = Resize(x, \"\", s) mode=\"linear\"\nwant y = f32 1: 1.5",
		line + "y = Resize(x, \"\", d) nearest_mode=\"floor\" coordinate_transformation_mode=\"tf_half_pixel_for_nn\"\nwant y = f32 4: 1 1 2 2",
		line + "y = Resize(x, \"\", d) coordinate_transformation_mode=\"tf_half_pixel_for_nn\"\nwant y = f32 4: 1 2 2 2",
		line + "y = Resize(x, \"\", d) mode=\"linear\" coordinate_transformation_mode=\"align_corners\"\nwant y = f32 4: 1 1.3333333 1.6666667 2",
		line + "s = i64 1: 1\ny = Resize(x, \"\", \"\", s) mode=\"linear\" coordinate_transformation_mode=\"align_corners\"\nwant y = f32 1: 1",
		line + "s = i64 1: 1\ny = Resize(x, \"\", \"\", s) mode=\"linear\" coordinate_transformation_mode=\"pytorch_half_pixel\"\nwant y = f32 1: 1",

		signal + "n = i64: 4\na = i64: 1\ny = DFT(x, n, a)\nwant y = f32 1x4x2: 3 0 1 -2 -1 0 1 2",
		signal + "n = i64: 1\na = i64: 1\ny = DFT(x, n, a)\nwant y = f32 1x1x2: 1 0",
		signal + "y = DFT(x)\nwant y = f32 1x2x2: 3 0 -1 0",
		signal + "y = DFT(x) onesided=1 inverse=1\nwant y = f32 1x2x2: 1.5 0 -0.5 0",
		"version 17\n" + signal + "y = DFT(x) axis=1\nwant y = f32 1x2x2: 3 0 -1 0",
		"c = f32 1x3x1: 1 2 3\nu = f32 1x1x1: 9\ni = i64 1: 1\ny = TensorScatter(c, u, i)\nwant y = f32 1x3x1: 1 9 3",
		"c = f32 1x3x1: 1 2 3\nu = f32 1x1x1: 9\ny = TensorScatter(c, u)\nwant y = f32 1x3x1: 9 2 3",
		"c = f32 1x3x1: 1 2 3\nu = f32 1x2x1: 8 9\ni = i64 1: 2\ny = TensorScatter(c, u, i) mode=\"circular\"\nwant y = f32 1x3x1: 9 2 8",
		"x = f32 2x2: 1 2 3 4\ni = i64 1x0:\ny = GatherND(x, i)\nwant y = f32 1x2x2: 1 2 3 4",
		"x = f32 1x2x2: 1 2 3 4\ns = i64 1: 3\nb = i64 1: 2\ny = Col2Im(x, s, b)\nwant y = f32 1x1x3: 1 5 4",
		"x = f32 1x1x2x2: 1 2 3 4\nw = f32 1x1x1x1: 1\no = f32 1x2x2x2: 0 0 0 0 0 0 0 0\nm = f32 1x1x2x2: 1 0 2 1\ny = DeformConv(x, w, o, \"\", m)\nwant y = f32 1x1x2x2: 1 0 6 4",
		"x = i64 2: 1 2\ny = Concat(x) axis=0\nwant y = i64 2: 1 2",
		"r = f32: 0.25\nt = i64: 3\nx = f32 1: 1\ng = f32 1: 2\nh = f32 1: 0\ny, z = ai.onnx.preview.training.Adagrad(r, t, x, g, h)\nwant y = f32 1: 0.75\nwant z = f32 1: 4",
		"r = f32: 0.25\nt = i64: 0\nx = f32 1: 1\ng = f32 1: 2\nv = f32 1: 0\nh = f32 1: 0\ny, w, z = ai.onnx.preview.training.Adam(r, t, x, g, v, h)\nwant y = f32 1: 0.20944308\nwant w = f32 1: 0.2\nwant z = f32 1: 0.004",

		quantized + "b = i32 1: 4\ny = QLinearConv(k, sk, zk, f, sf, zf, sy, zy, b)\nwant y = u8 1x1x1x2: 6 7",
		quantized + "y = QLinearConv(k, sk, zk, f, sf, zf, sy, zy)\nwant y = u8 1x1x1x2: 2 3",
		// Old models choose the axis, also of powers and quotients.
		"version 6\na = f32 2x2: 2 3 4 5\nb = f32 2: 2 1\ny = Pow(a, b) broadcast=1 axis=0\nwant y = f32 2x2: 4 9 4 5",
		"version 6\na = f32 2x2: 2 3 4 5\nb = f32 2: 2 1\ny = Div(a, b) broadcast=1 axis=0\nwant y = f32 2x2: 1 1.5 4 5",
		"version 7\na = f32 2x2: 2 3 4 5\nb = f32 2: 2 1\ny = Div(a, b) broadcast=1 axis=0\nwant y = f32 2x2: 1 3 2 5",
		"a = f32 2: 4 9\nb = f32 1x1: 0.5\ny = Pow(a, b)\nwant y = f32 1x2: 2 3",
		"a = i32 2: 4 9\nb = f32: 0.5\ny = Pow(a, b)\nwant y = i32 2: 2 3",
		"a = f32 2: 4 9\nb = i32 2: 2 -1\ny = Pow(a, b)\nwant y = f32 2: 16 0.11111111",
		"a = f32 2: 4 9\nb = f32 2: 1 2\nc = f32: 3\ny = Mean(a, b, c)\nwant y = f32 2: 2.6666667 4.6666667",
		"a = i64 2: 5 -7\nb = i64 2: 0 2\nc = i64: 2\nz = Mul(b, c)\no = Add(z, c)\ny = Div(a, o)\nwant y = i64 2: 2 -1",
		// The positions' rows of the caches turn both numbers of a pair; what is not turned stays.
		"x = f32 1x2x3: 1 2 3 4 5 6\nc = f32 1x2x1: 0 1\ns = f32 1x2x1: 1 0\ny = RotaryEmbedding(x, c, s) num_heads=1 rotary_embedding_dim=2\nwant y = f32 1x2x3: -2 1 3 4 5 6",
		"x = f32 1x2x4: 1 2 3 4 5 6 7 8\nc = f32 1x2x1: 0 1\ns = f32 1x2x1: 1 0\ny = RotaryEmbedding(x, c, s) num_heads=2\nwant y = f32 1x2x4: -2 1 -4 3 5 6 7 8",
		"x = f32 1x1x2x2: 1 2 3 4\nc = f32 2x1: 0 1\ns = f32 2x1: 1 0\np = i64 1x2: 1 -2\ny = RotaryEmbedding(x, c, s, p)\nwant y = f32 1x1x2x2: 1 2 -4 3",
		// Windows that shrink are averages of all that they cover.
		"x = f32 4: 1 2 4 8\ns = f32 1: 0.5\ny = Resize(x, \"\", s) mode=\"linear\" antialias=1\nwant y = f32 2: 1.75 5.75",
		"x = f32 4: 1 2 4 8\ns = f32 1: 0.5\ny = Resize(x, \"\", s) mode=\"linear\" antialias=1 exclude_outside=1\nwant y = f32 2: 1.8571429 5.4285714",
		"x = f32 6: 1 2 3 4 5 6\ns = f32 1: 1.6666666\ny = Resize(x, \"\", s)\nwant y = f32 10: 1 1 2 3 3 4 4 5 6 6",
		"x = f32 2: 1 2\ns = f32 1: 1.5\ny = Resize(x, \"\", s) mode=\"linear\" antialias=1\nwant y = f32 3: 1 1.5 2",
		"x = f32 2: 1 2\ns = f32 1: 2\ny = Resize(x, \"\", s) mode=\"cubic\" coordinate_transformation_mode=\"asymmetric\"\nwant y = f32 4: 1 1.5 2 2.09375",
		"x = f32 2: 1 2\ns = f32 1: 2\ny = Resize(x, \"\", s) mode=\"cubic\" exclude_outside=1 cubic_coeff_a=-0.5 coordinate_transformation_mode=\"asymmetric\"\nwant y = f32 4: 1 1.5 2 2.125",
		"x = f32 1x1x2x2: 1 2 3 4\ng = f32 1x1x2x2: -1 -1 0.1 -0.2\ny = GridSample(x, g) mode=\"nearest\" align_corners=1\nwant y = f32 1x1x1x2: 1 2",
		"x = f32 1x1x2x2: 1 2 3 4\ng = f32 1x1x2x2: -1 -1 0 0\ny = GridSample(x, g) mode=\"linear\" align_corners=1\nwant y = f32 1x1x1x2: 1 2.5",
		"x = f32 1x1x2x2: 1 2 3 4\ng = f32 1x1x2x2: -1 -1 0 0\ny = GridSample(x, g) mode=\"bilinear\" align_corners=1\nwant y = f32 1x1x1x2: 1 2.5",
		"x = f32 1x1x2x2: 1 2 3 4\ng = f32 1x1x1x2: -3 0\ny = GridSample(x, g)\nwant y = f32 1x1x1x1: 0",
		"x = f32 1x1x2x2: 1 2 3 4\ng = f32 1x1x1x2: -3 0\ny = GridSample(x, g) padding_mode=\"border\"\nwant y = f32 1x1x1x1: 2",
		"x = f32 1x1x2x2: 1 2 3 4\ng = f32 1x1x1x2: -2.5 -0.5\ny = GridSample(x, g) padding_mode=\"reflection\"\nwant y = f32 1x1x1x1: 2",
		// Two boxes of 2 by 4 by their middles, one beside or above the other: a third of what both cover is common.
		"b = f32 1x2x4: 5 5 2 4 6 5 2 4\nc = f32 1x1x2: 0.9 0.8\nm = i64: 2\no = f32: 0.34\ny = NonMaxSuppression(b, c, m, o) center_point_box=1\nwant y = i64 2x3: 0 0 0 0 0 1",
		"b = f32 1x2x4: 5 5 2 4 6 5 2 4\nc = f32 1x1x2: 0.9 0.8\nm = i64: 2\no = f32: 0.33\ny = NonMaxSuppression(b, c, m, o) center_point_box=1\nwant y = i64 1x3: 0 0 0",
		"b = f32 1x2x4: 5 5 2 4 5 7 2 4\nc = f32 1x1x2: 0.9 0.8\nm = i64: 2\no = f32: 0.34\ny = NonMaxSuppression(b, c, m, o) center_point_box=1\nwant y = i64 2x3: 0 0 0 0 0 1",
		"b = f32 1x2x4: 5 5 2 4 5 7 2 4\nc = f32 1x1x2: 0.9 0.8\nm = i64: 2\no = f32: 0.33\ny = NonMaxSuppression(b, c, m, o) center_point_box=1\nwant y = i64 1x3: 0 0 0",
		// Boxes of one score keep their order; as many as are wanted are left.
		"b = f32 1x3x4: 0 0 1 1 0 0 1 1.1 5 5 6 6\nc = f32 1x1x3: 0.5 0.5 0.7\nm = i64: 3\no = f32: 0.5\ny = NonMaxSuppression(b, c, m, o)\nwant y = i64 2x3: 0 0 2 0 0 0",
		"b = f32 1x3x4: 0 0 1 1 0 0 1 1.1 5 5 6 6\nc = f32 1x1x3: 0.5 0.6 0.7\nm = i64: 3\no = f32: 0.95\ny = NonMaxSuppression(b, c, m, o)\nwant y = i64 3x3: 0 0 2 0 0 1 0 0 0",
		"b = f32 1x3x4: 0 0 1 1 0 0 1 1.1 5 5 6 6\nc = f32 1x1x3: 0.5 0.6 0.7\nm = i64: 1\no = f32: 0.95\ny = NonMaxSuppression(b, c, m, o)\nwant y = i64 1x3: 0 0 2",
		"b = f32 1x3x4: 0 0 1 1 0 0 1 1.1 5 5 6 6\nc = f32 1x1x3: 0.5 0.6 0.7\nm = i64: 3\no = f32: 0.95\nl = f32: 0.6\ny = NonMaxSuppression(b, c, m, o, l)\nwant y = i64 1x3: 0 0 2",
		"b = f32 1x3x4: 0 0 1 1 0 0 1 1.1 5 5 6 6\nc = f32 1x1x3: 0.5 0.6 0.7\ny = NonMaxSuppression(b, c)\nwant y = i64 0x3:",
		// Offsets of whole places move windows that are dilated, padded and apart.
		"x = f32 1x1x1x5: 1 2 3 4 5\nw = f32 1x1x1x2: 1 10\no = f32 1x4x1x2: 0 0 0 1 0 0 0 0\ny = DeformConv(x, w, o) strides=[1,2] dilations=[1,2] pads=[0,0,0,0]\nwant y = f32 1x1x1x2: 31 54",
		"x = f32 1x1x1x3: 1 2 3\nw = f32 1x1x1x2: 1 10\no = f32 1x4x1x4: 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0\ny = DeformConv(x, w, o) pads=[0,1,0,1]\nwant y = f32 1x1x1x4: 10 21 32 3",
		"x = i16 1x1x3: -5 -3 -7\ny = MaxPool(x) kernel_shape=[2] pads=[0,1]\nwant y = i16 1x1x3: -3 -3 -7",
		"x = i32 1x1x3: -5 -3 -7\ny = MaxPool(x) kernel_shape=[2] pads=[0,1]\nwant y = i32 1x1x3: -3 -3 -7",
		"x = i64 1x1x3: -5 -3 -7\ny = MaxPool(x) kernel_shape=[2] pads=[0,1]\nwant y = i64 1x1x3: -3 -3 -7",
		"x = u8 1x1x3: 5 3 7\ny = MaxPool(x) kernel_shape=[2] pads=[0,1]\nwant y = u8 1x1x3: 5 7 7",
		"x = f16 1x2: 3 4\ns = f16 2: 1 2\ny = RMSNormalization(x, s) epsilon=0.0\nwant y = f16 1x2: 0.84852814 2.2627417",
		"x = f32 1x2: 1 3\ns = f32 2: 1 2\ny = LayerNormalization(x, s) epsilon=0.0\nwant y = f32 1x2: -1 2",
		"version 17\nx = f32 2x2: 1 2 3 4\nw = i64 2: 0 1\nv = f32 1: 9\nn = Concat(w, w) axis=0\ny = Pad(x, n, v)\nwant y = f32 2x4: 9 1 2 9 9 3 4 9",
		"x = f32 1x2: 3 4\nw = i64 4: 0 2 0 1\ny = Pad(x, w) mode=\"reflect\"\nwant y = f32 1x5: 3 4 3 4 3",
		"x = f32 2x1: 3 4\nw = i64 4: 0 2 0 1\ny = Pad(x, w) mode=\"reflect\"\nwant y = f32 2x4: 3 3 3 3 4 4 4 4",
		"x = f32 2: 3 4\nw = i64 2: 0 0\ny = Pad(x, w)\nwant y = f32 2: 3 4",
		"x = f32 3: 3 4 5\nw = i64 2: -1 0\ny = Pad(x, w)\nwant y = f32 2: 4 5",
		"x = f32 3: 3 4 5\nw = i64 2: 0 -1\ny = Pad(x, w)\nwant y = f32 2: 3 4",
		"x = f32 3: 3 4 5\nw = i64 2: -2 -1\ny = Pad(x, w)\nwant y = f32 0:",
		"x = f32 3: 3 4 5\nw = i64 2: -1 -1\ny = Pad(x, w) mode=\"edge\"\nwant y = f32 1: 4",
		// Floats of 8 bits hold their largest number where the value is too large, unless they may not.
		"x = f32 3: 1 1000 -1000\nz = Cast(x) to=17\ny = Cast(z) to=1\nwant y = f32 3: 1 448 -448",
		"x = f32 2: 1 -1000000\nz = Cast(x) to=19 saturate=0\nw = Cast(z) to=1\ny = IsInf(w)\nwant y = bool 2: 0 1",
		"x = f32 4: 0.25 0 -0.5 2\ny = Cast(x) to=9\nwant y = bool 4: 1 0 1 1",
		"x = f32 4: 0.75 -0.75 2.5 -2.5\ny = Cast(x) to=6\nwant y = i32 4: 0 0 2 -2",
		"x = f32 2: 1.0009765625 2049\ny = Cast(x) to=10\nwant y = f16 2: 1.0009765625 2048",
		"x = f32 3: 2 1000 -1000\ns = f32: 2\nq = QuantizeLinear(x, s) output_dtype=17\ny = DequantizeLinear(q, s)\nwant y = f32 3: 2 896 -896",
		"a = f32 2: 1 -2\nz = Neg(a)\nb = Abs(z)\ny = Add(b, z)\nwant y = f32 2: 0 4",
		"a = f32 2: 1 -2\nb = f32 2: 1 2\nz = Equal(a, b)\ny = Cast(z) to=7\nwant y = i64 2: 1 0",
		"a = f32 2x2: 1 2 3 4\nb = f32 2x1: 1 2\ny = Gemm(a, b) alpha=0.5 transA=1\nwant y = f32 2x1: 3.5 5",
		"a = i32 2x2: 1 2 3 4\nb = i32 2x1: 1 2\ny = Gemm(a, b) alpha=3.0\nwant y = i32 2x1: 15 33",
		"x = f32 2: 1 2\ni = i64: -1\ny = Gather(x, i)\nwant y = f32: 2",
		"x = f32 1x3: -1000 0 -1000\ny = Multinomial(x) sample_size=4 dtype=7\nwant y = i64 1x4: 1 1 1 1",
		"n = i64 2: 200 100\nz = ConstantOfShape(n)\ny = ReduceSum(z) keepdims=0\nwant y = f32: 0",
		"n = i64 2: 200 100\na = i64 1: 3\nz = Expand(a, n)\ny = ReduceSum(z) keepdims=0\nwant y = i64: 60000",
		"x = i64 1: 7\nn = i64 1: 20000\ni = ConstantOfShape(n)\nk = Cast(i) to=7\nz = Gather(x, k)\ny = ReduceSum(z) keepdims=0\nwant y = i64: 140000",
		"n = i64 1: 10000\na = i64 1: 3\nz = Expand(a, n)\nw = Concat(z, z) axis=0\ny = ReduceSum(w) keepdims=0\nwant y = i64: 60000",
		"n = i64 1: 10000\na = i64 1: 3\nb = i64 2x1: 1 2\nz = Expand(a, n)\nw = Mul(z, b)\ny = ReduceSum(w) keepdims=0\nwant y = i64: 90000",
		"x = f32 1x1x2: 1 2\nw = f32 1x2x2: 1 10 2 20\nb = f32 2: 100 200\ny = ConvTranspose(x, w, b) pads=[1,0]\nwant y = f32 1x2x2: 112 120 224 240",
		"x = f32 5: 1 2 3 4 5\nr = f32 2: 0.5 1\ns = i64 1: 1\ny = Resize(x, r, \"\", s) mode=\"linear\" coordinate_transformation_mode=\"tf_crop_and_resize\"\nwant y = f32 1: 4",
		"x = f32 5: 1 2 3 4 5\nr = f32 2: 0.25 1\ns = i64 1: 4\ny = Resize(x, r, \"\", s) mode=\"linear\" coordinate_transformation_mode=\"tf_crop_and_resize\"\nwant y = f32 4: 2 3 4 5",
		"x = f32 5: 1 2 3 4 5\nr = f32 2: -0.25 0.5\ns = i64 1: 4\ny = Resize(x, r, \"\", s) mode=\"linear\" extrapolation_value=9.5 coordinate_transformation_mode=\"tf_crop_and_resize\"\nwant y = f32 4: 9.5 1 2 3",
		"x = f32 5: 1 2 3 4 5\ns = i64 1: 1\na = i64 1: 0\nd = i64 1: 2\ny = Slice(x, s, s, a, d)\nwant y = f32 0:",
		"x = i64 5: 1 2 3 4 5\ns = i64 1: 1\na = i64 1: 0\nd = i64 1: 2\ny = Slice(x, s, s, a, d)\nwant y = i64 0:",
		"x = i64 5: 1 2 3 4 5\ns = i64 1: 1\na = i64 1: 0\nd = i64 1: -2\ny = Slice(x, s, s, a, d)\nwant y = i64 0:",
		"x = f32 5: 1 2 3 4 5\ns = i64 1: 3\ne = i64 1: -6\na = i64 1: 0\nd = i64 1: -2\ny = Slice(x, s, e, a, d)\nwant y = f32 2: 4 2",
		"x = f32 2: 3 4\nw = i64 2: 1 0\nv = f32: 2.5\ny = Pad(x, w, v)\nwant y = f32 3: 2.5 3 4",
		"x = f64 2: 3 4\nw = i64 2: 1 0\nv = f64 1: 2.5\ny = Pad(x, w, v)\nwant y = f64 3: 2.5 3 4",
		"version 11\nx = f32 2: 1 2\nr = f32 0:\ns = f32 1: 2\ny = Resize(x, r, s)\nwant y = f32 4: 1 1 2 2",
		"version 11\nx = f32 2: 1 2\nr = f32 0:\ns = f32 1: 2\ny = Resize(x, r, s) mode=\"linear\"\nwant y = f32 4: 1 1.25 1.75 2",
		"version 10\nx = f32 2: 1 2\ns = f32 1: 1.5\ny = Resize(x, s) mode=\"linear\"\nwant y = f32 3: 1 1.6666667 2",
		"version 6\na = f32 2x2: 2 3 4 5\nb = f32 2: 2 1\ny = Sub(a, b) broadcast=1 axis=-2\nwant y = f32 2x2: 0 1 3 4",
		// Attributes that are left out have the specification's values.
		"x = f32 2: -2 3\ny = LeakyRelu(x)\nwant y = f32 2: -0.02 3",
		"x = f32 2: -1 3\ny = Elu(x)\nwant y = f32 2: -0.63212056 3",
		"x = f32 2: -1 3\ny = Celu(x)\nwant y = f32 2: -0.63212056 3",
		"x = f32 2: -1 2\ny = Selu(x)\nwant y = f32 2: -1.1113307 2.101402",
		"x = f32 3: 1 -2.25 2.25\ny = HardSigmoid(x)\nwant y = f32 3: 0.7 0.05 0.95",
		"x = f32 3: 0.9 1 1.1\ny = ThresholdedRelu(x)\nwant y = f32 3: 0 0 1.1",
		"x = f32 4: 0.45 0.55 -0.55 -0.45\ny = Shrink(x)\nwant y = f32 4: 0 0.55 -0.55 0",
		"x = f32 1x1x1: 10\ny = LRN(x) size=1\nwant y = f32 1x1x1: 9.9256503",
		"x = f32 1x1x2: 0 0.01\ns = f32 1: 1\nb = f32 1: 0\ny = InstanceNormalization(x, s, b)\nwant y = f32 1x1x2: -0.84515425 0.84515425",
		"x = f32 1x1x2: 0 0.01\ns = f32 1: 1\nb = f32 1: 0\ny = GroupNormalization(x, s, b) num_groups=1\nwant y = f32 1x1x2: -0.84515425 0.84515425",
		"x = f32 1x2: 0 0.01\ns = f32 2: 1 1\ny = LayerNormalization(x, s)\nwant y = f32 1x2: -0.84515425 0.84515425",
		"x = f32 1x2: 0.003 0.004\ns = f32 2: 1 1\ny = RMSNormalization(x, s)\nwant y = f32 1x2: 0.63245553 0.84327404",
		"x = f32 1x1: 0.001\ns = f32 1: 1\nb = f32 1: 0\nm = f32 1: 0\nv = f32 1: 0.00001\ny = BatchNormalization(x, s, b, m, v)\nwant y = f32 1x1: 0.2236068",
		"x = f32 2x1: 1 3\ns = f32 1: 1\nb = f32 1: 0\nm = f32 1: 10\nv = f32 1: 20\ny, p, q = BatchNormalization(x, s, b, m, v) training_mode=1\n" +
			"want y = f32 2x1: -0.999995 0.999995\nwant p = f32 1: 9.2\nwant q = f32 1: 18.1",
		"x = f32 2: 1 2\ns = f32 1: 2\ny = Resize(x, \"\", s) mode=\"cubic\"\nwant y = f32 4: 0.89453125 1.2265625 1.7734375 2.10546875",
		"x = f32 4: 1 2 3 4\ns = f32 1: 0.5\ny = Resize(x, \"\", s)\nwant y = f32 2: 1 3",
		"x = f32 1x2x1x1x2: 1 2 3 4\nw = f32 2x1x1x1x2: 1 10 2 20\nb = f32 2: 100 200\ny = ConvTranspose(x, w, b) group=2\nwant y = f32 1x2x1x1x3: 101 112 120 206 268 280",
		"x = f32 1x2x1x1x2: 1 2 3 4\nw = f32 2x1x1x1x2: 1 10 2 20\nb = f32 2: 100 200\ny = Conv(x, w, b) group=2\nwant y = f32 1x2x1x1x1: 121 286",
		"q = u8 2x4: 1 2 3 4 5 6 7 8\ns = f32 2x2: 1 2 3 4\nz = u8 2x2: 1 0 1 0\ny = DequantizeLinear(q, s, z) block_size=2\nwant y = f32 2x4: 0 1 6 8 12 15 28 32",
		"q = u8 2x2: 1 2 3 4\ns = f32 2x2: 1 2 3 4\ny = DequantizeLinear(q, s) block_size=1\nwant y = f32 2x2: 1 4 9 16",
		"e = i64 0:\ny = ReduceSum(e)\nwant y = i64 1: 0",
		"e = i64 0:\ny = ReduceProd(e) keepdims=0\nwant y = i64: 1",
		"x = i64 0x2:\ni = i64 0:\ny = Gather(x, i)\nwant y = i64 0x2:",
		"e = i64 0:\nz = i64 2: 1 2\ny = Unsqueeze(z, e)\nwant y = i64 2: 1 2",
		"x = f32 2: 3 70000\ns = f32: 0.5\ny = QuantizeLinear(x, s) output_dtype=4\nwant y = u16 2: 6 65535",
	} {
		check(t, text)
	}
}

// TestRefusedOptions: what attributes and extents cannot be is an error that says them.
func TestRefusedOptions(t *testing.T) {
	const head = "v = f32 2: 1 2\nx = f32 2x3: 1 2 3 4 5 6\ncube = f32 1x2x3: 1 2 3 4 5 6\nimage = f32 1x1x2x2: 1 2 3 4\nw = f32 1x1x2: 1 1\nscalar = f32: 1\n" +
		"zero = i64: 0\nu = i64: 1\nneg = i64: -1\none = i64 1: 1\ntwo = i64 2: 1 2\nthree = i64 3: 0 0 0\nfar = i64 1: 9\n"
	// Four columns of a block of two by two in an image of three by three.
	const columns = "c = f32 1x4x4: 1 2 3 4 5 6 7 8 9 10 11 12 13 14 15 16\nsize = i64 2: 3 3\nblock = i64 2: 2 2\n"
	for node, want := range map[string]string{
		columns + "y = Col2Im(x, size, block)":                                      "columns of [2 3]",
		columns + "e = i64 0:\ny = Col2Im(c, e, e)":                                 "for an image [] with blocks []",
		columns + "y = Col2Im(c, size, one)":                                        "with blocks [1]",
		columns + "z = i64 2: 3 0\ny = Col2Im(c, z, block)":                         "for an image [3 0]",
		columns + "z = i64 2: 0 2\ny = Col2Im(c, size, z)":                          "with blocks [0 2]",
		columns + "y = Col2Im(c, size, block) pads=[0,0]":                           "attribute pads is [0 0]",
		columns + "y = Col2Im(c, size, block) pads=[0,0,0,-1]":                      "attribute pads is [0 0 0 -1]",
		columns + "y = Col2Im(c, size, block) strides=[1,0]":                        "attribute strides is [1 0]",
		columns + "y = Col2Im(c, size, block) strides=[1]":                          "attribute strides is [1]",
		columns + "y = Col2Im(c, size, block) dilations=[0,1]":                      "attribute dilations is [0 1]",
		columns + "y = Col2Im(c, size, block) pads=[1099511627777,0,0,0]":           "with pads [1099511627777 0 0 0]",
		columns + "y = Col2Im(c, size, block) pads=[0,0,0,1099511627777]":           "with pads [0 0 0 1099511627777]",
		columns + "y = Col2Im(c, size, block) dilations=[1,1099511627777]":          "dilations [1 1099511627777]",
		columns + "z = i64 2: 1099511627777 3\ny = Col2Im(c, z, block)":             "an image [1099511627777 3]",
		columns + "z = i64 2: 1048577 2\ny = Col2Im(c, size, z)":                    "blocks [1048577 2]",
		columns + "z = i64 2: 2 4\ny = Col2Im(c, size, z)":                          "no block of [2 4] fits in an image of [3 3]",
		columns + "y = Col2Im(c, size, block) dilations=[3,1]":                      "no block of [2 2] fits",
		columns + "z = i64 2: 1 3\ny = Col2Im(c, size, z)":                          "for 3 places of blocks of 3",
		columns + "z = i64 2: 4 3\ny = Col2Im(c, z, block)":                         "for 6 places of blocks of 4",
		columns + "z = i64 2: 1099511627776 1099511627776\ny = Col2Im(c, z, block)": "m: node ",

		"y = Attention(image, image, image, \"\", cube, cube)":                 "keys of the past have 3 dimensions, not 4",
		"q = f32 1x3x1x1: 1 2 3\nk = f32 1x2x1x1: 1 2\ny = Attention(q, k, k)": "3 heads of queries, 2 of keys and 2 of values",
		"q = f32 1x2x1x1: 1 2\nk = f32 1x1x1x1: 1\ny = Attention(q, k, q)":     "2 heads of queries, 1 of keys and 2 of values",
		"y = Attention(image, image, image) softmax_precision=99":              "99",
		"y = Conv(v, v)":                                                                 "weights of [2] for an input of [2]",
		"y = Conv(cube, v)":                                                              "weights of [2] for an input of [1 2 3]",
		"y = Conv(cube, w) auto_pad=\"odd\"":                                             `auto_pad "odd" is not supported`,
		"y = Conv(cube, w) kernel_shape=[3]":                                             "kernel_shape is [3], the weights have [2]",
		"y = Conv(cube, w) pads=[1]":                                                     "attribute pads is [1]",
		"y = Conv(cube, w) strides=[0]":                                                  "attribute strides is [0]",
		"y = Conv(cube, w) dilations=[1,1]":                                              "attribute dilations is [1 1]",
		"y = ConvTranspose(cube, v)":                                                     "weights of [2] for an input of [1 2 3]",
		"y = ConvTranspose(v, v)":                                                        "weights of [2] for an input of [2]",
		"y = ConvTranspose(cube, cube) output_padding=[1,1]":                             "output_padding [1 1] for 1 spatial dimensions",
		"y = ConvTranspose(cube, cube) output_shape=[1,1]":                               "output_shape [1 1] and output_padding [0] for 1 spatial dimensions",
		"y = MaxPool(v) kernel_shape=[1]":                                                "takes a batch of channels with dimensions, not [2]",
		"y = MaxPool(cube) kernel_shape=[1,1]":                                           "a kernel of [1 1] for 1 spatial dimensions",
		"y = MaxPool(cube) kernel_shape=[0]":                                             "a kernel of [0]",
		"z = f32 1x1x1x1x1x1: 1\ny = MaxPool(z) kernel_shape=[1,1,1,1]":                  "pooling over 4 dimensions is not supported",
		"z = f32 1x1x1x1x1x1: 1\ny = AveragePool(z) kernel_shape=[1,1,1,1]":              "pooling over 4 dimensions is not supported",
		"y = GlobalMaxPool(x)":                                                           "takes a tensor of at least 3 dimensions, not 2",
		"i = i64 1x2x3: 0 1 2 3 4 5\ny = MaxUnpool(cube, i) kernel_shape=[1] pads=[2,1]": "a result of 0 elements",
		"i = i64 1x2x3: 0 1 2 3 4 5\ny = MaxUnpool(cube, i, two) kernel_shape=[1]":       "an output shape of 2 dimensions for 3",
		"z = i64 2: 2 -1\ny = ConstantOfShape(z)":                                        "extent -1",
		"z = f32: 0\ny = Range(scalar, scalar, z)":                                       "from 1 to 1 by 0",
		"y = EyeLike(v)":                                                                 "takes a matrix, not a tensor of 1 dimensions",
		"y = EyeLike(x) dtype=99":                                                        "99",
		"y = OneHot(two, u, v) axis=2":                                                   "axis 2, depth 1, [2] values",
		"y = OneHot(two, u, v) axis=-3":                                                  "axis -3, depth 1, [2] values",
		"y = OneHot(two, neg, v)":                                                        "axis -1, depth -1, [2] values",
		"y = OneHot(two, u, scalar)":                                                     "axis -1, depth 1, [] values",
		"y = HannWindow(neg)":                                                            "a window of -1 elements",
		"z = i64: 16777217\ny = HannWindow(z)":                                           "a window of 16777217 elements",
		"y = HannWindow(u) output_datatype=99":                                           "99",
		"y = DeformConv(image, image, x)":                                                "takes images, not ",
		"y = DeformConv(x, image, image)":                                                "takes images, not ",
		"y = DeformConv(image, x, image)":                                                "takes images, not ",
		"y = DeformConv(image, image, image)":                                            "offsets for 2 × 2 places; dimension 0 has 1",
		"y = STFT(x, zero)":                                                              "frames 0 apart of a signal of",
		"y = STFT(image, u)":                                                             "frames 1 apart of a signal of 4 dimensions",
		"y = STFT(x, u, \"\", far)":                                                      "frames of 9 elements of 3",
		"y = Gather(x, far)":                                                             "index 9 outside of an extent of 2",
		"y = Gather(scalar, zero)":                                                       "",
		"z = i64: 2\ny = Gather(x, z)":                                                   "index 2 outside of an extent of 2",
		"z = i64: -3\ny = Gather(x, z)":                                                  "index -3 outside of an extent of 2",
		"z = i64 1x2: 0 5\ny = Gather(x, z) axis=1":                                      "index 5 outside of an extent of 3",
		"z = i64 1: 0\ny = GatherND(x, z) batch_dims=1":                                  "batch_dims 1",
		"z = i64 1x3: 0 0 0\ny = GatherND(x, z)":                                         "an index of 3 numbers for 2 dimensions",
		"z = bool 3: 1 1 1\ny = Compress(x, z) axis=0":                                   "a condition of 3 elements for an extent of 2",
		"z = i64 1: 0\ny = ScatterElements(v, z, v) reduction=\"odd\"":                   `reduction "odd" is not supported`,
		"z = i64 1x1: 0\ny = ScatterND(x, z, v)":                                         "updates of [2] for indices of [1 1] into [2 3]",
		"z = i64 2: 1 0\ny = NegativeLogLikelihoodLoss(x, z) reduction=\"odd\"":          `reduction "odd" is not supported`,
		"y = MelWeightMatrix(neg, u, scalar, scalar, scalar)":                            "-1 mel bins of 1, from 1 to 1 Hz at 1",
		"y = MelWeightMatrix(u, neg, scalar, scalar, scalar)":                            "1 mel bins of -1",
		"z = f32: 0\ny = MelWeightMatrix(u, u, z, scalar, scalar)":                       "from 1 to 1 Hz at 0",
		"z = f32: -1\ny = MelWeightMatrix(u, u, scalar, z, scalar)":                      "from -1 to 1 Hz at 1",
		"z = f32: 2\ny = MelWeightMatrix(u, u, scalar, z, scalar)":                       "from 2 to 1 Hz at 1",
		"y = MelWeightMatrix(u, u, scalar, scalar, scalar) output_datatype=99":           "99",
		"y = InstanceNormalization(v, v, v)":                                             "takes a batch of channels, not a tensor of 1 dimensions",
		"y = BatchNormalization(v, v, v, v, v)":                                          "takes a batch of channels, not a tensor of 1 dimensions",
		"y = GroupNormalization(cube, v, v) num_groups=0":                                "0 groups of 2 channels",
		"y = GroupNormalization(cube, v, v) num_groups=3":                                "3 groups of 2 channels",
		"y = LRN(cube) size=0":                                                           "size 0",
		"y = QuantizeLinear(x, scalar) output_dtype=99":                                  "99",
		"s = f32 2x3: 1 1 1 1 1 1\nq = u8 2x3: 1 1 1 1 1 1\ny = DequantizeLinear(q, s) block_size=2": "3 blocks of 2 elements for an extent of 3",
		"y = RandomUniform()":                                                                 "the shape is missing",
		"y = RandomUniform() shape=[2] dtype=99":                                              "99",
		"y = RNN(cube, x, x)":                                                                 "weights W for 1 directions and 1 gates",
		"y = RNN(cube, cube, cube) direction=\"bidirectional\"":                               "weights W for 2 directions and 1 gates",
		"y = GRU(cube, cube, cube)":                                                           "weights W for 1 directions and 3 gates",
		"y = RNN(cube, cube, cube) activations=[\"Odd\"]":                                     "Odd",
		"version 9\ny = Upsample(x, v)\nz = Upsample(x, scalar)":                              "1 scales for 2 dimensions",
		"g = f32 1x1x1x2: 0 0\ny = GridSample(image, g) mode=\"odd\"":                         `mode "odd"`,
		"g = f32 1x1x1x2: 0 0\ny = GridSample(image, g) padding_mode=\"odd\"":                 `padding_mode "odd"`,
		"y = Resize(x, v, v) coordinate_transformation_mode=\"tf_crop_and_resize\"":           "a region of 2 numbers for 2 dimensions",
		"z = f32 2: -1 1\ny = Resize(x, \"\", z)":                                             "elements by a scale of -1",
		"z = f32 2: 0 1\ny = Resize(x, \"\", z)":                                              "elements by a scale of 0",
		"e = f32 0x2:\nz = f32 2: 2 1\ny = Resize(e, \"\", z)":                                "from 0 to 0 elements",
		"y = TensorScatter(x, v)":                                                             "an update of [2] for [2 3] along axis 0",
		"y = TensorScatter(cube, cube) mode=\"odd\"":                                          `mode "odd" is not supported`,
		"y = TensorScatter(cube, cube) axis=0":                                                "along axis 0",
		"z = i64 2: -2 -1\ny = Pad(v, z)":                                                     "widths -2 and -1 around an extent of 2",
		"z = i64 2: 0 2147483648\ny = Pad(v, z)":                                              "widths 0 and 2147483648 around an extent of 2",
		"y = Slice(scalar, one, one)":                                                         "a tensor without dimensions has no slices",
		"y = Cast(x) to=99":                                                                   "99",
		"y = RMSNormalization(scalar, scalar)":                                                "",
		"y = NonMaxSuppression(cube, image)":                                                  "boxes",
		"y = Add(one, \"\")":                                                                  "input 1 is missing",
		"z = i64 2: 1099511627776 1099511627776\ny = ConstantOfShape(z)":                      "tensor is too large",
		"z = i64 2: 1099511627776 1099511627776\ny = Expand(u, z)":                            "",
		"y = MelWeightMatrix(u, u, scalar, scalar, scalar) output_datatype=8":                 "elements of type string are not supported",
		"z = f32 1x1: 1\ny = RNN(cube, z, z)":                                                 "",
		"y = RotaryEmbedding(cube, x, x) num_heads=1 rotary_embedding_dim=-2":                 "rotary_embedding_dim -2 of 3",
		"z = f32 1x6x1x1: 1 2 3 4 5 6\ny = DepthToSpace(z) blocksize=2":                       "6 channels do not divide into blocks of 2 × 2",
		"y = DepthToSpace(image) blocksize=3":                                                 "1 channels do not divide into blocks of 3 × 3",
		"b = f32 1x2x3: 1 2 3 4 5 6\nc = f32 1x1x2: 1 2\ny = NonMaxSuppression(b, c)":         "boxes [1 2 3] with scores [1 1 2]",
		"b = f32 1x2x4: 1 2 3 4 5 6 7 8\nc = f32 1x2: 1 2\ny = NonMaxSuppression(b, c)":       "boxes [1 2 4] with scores [1 2]",
		"b = f32 1x2x4: 1 2 3 4 5 6 7 8\nc = f32 2x1x2: 1 2 3 4\ny = NonMaxSuppression(b, c)": "boxes [1 2 4] with scores [2 1 2]",
		"b = f32 1x2x4: 1 2 3 4 5 6 7 8\nc = f32 1x1x3: 1 2 3\ny = NonMaxSuppression(b, c)":   "boxes [1 2 4] with scores [1 1 3]",
		"b = f32 2x4: 1 2 3 4 5 6 7 8\nc = f32 1x1x2: 1 2\ny = NonMaxSuppression(b, c)":       "boxes [2 4] with scores [1 1 2]",
		"y = Equal(x)":                                "input 1 is missing",
		"y = Add(x)":                                  "input 1 is missing",
		"y = Add(one)":                                "input 1 is missing",
		"y = Less(one, \"\")":                         "input 1 is missing",
		"y = Where(one, one)":                         "input 2 is missing",
		"y = Not(\"\")":                               "input 0 is missing",
		"y = Gather(two)":                             "input 1 is missing",
		"y = Concat(one, \"\") axis=0":                "input 1 is missing",
		"y = Concat() axis=0":                         "has no input",
		"y = Concat(x, cube) axis=0":                  "",
		"y = Concat(two, one) axis=1":                 "axis 1 of a tensor of 1 dimensions",
		"z = i64 1x2: 1 2\ny = Concat(z, two) axis=0": "",
		"z = i64 1x2: 1 2\nw2 = i64 1x3: 1 2 3\ny = Concat(z, w2) axis=0": "",
		"y = Concat(u, u) axis=0":                     "",
		"y = Add(two, three)":                         "",
		"y = Add(x, two)":                             "",
		"y = Expand(x, two)":                          "",
		"y = Expand(two, three)":                      "",
		"y = Reshape(x, three)":                       "extent 2 of the shape is 0, but the input is [2 3]",
		"y = Reshape(x, far)":                         "",
		"y = Reshape(two, far)":                       "",
		"y = Reshape(two)":                            "the shape is missing",
		"y = Unsqueeze(two)":                          "the axes are missing",
		"y = Range(scalar, two, scalar)":              "input \"two\" has 2 elements, not one",
		"y = OneHot(two, two, v)":                     "input \"two\" has 2 elements, not one",
		"y = HannWindow(two)":                         "input \"two\" has 2 elements, not one",
		"y = HannWindow(scalar)":                      "input \"scalar\" has elements of f32, not whole numbers",
		"y = Range(scalar, z, scalar)":                "input \"z\" is the result of no node before",
		"i = i64 1x1: 9\ny = GatherElements(x, i)":    "input \"i\": index 9 outside of an extent of 2",
		"i = i64 1x1: -3\ny = GatherElements(x, i)":   "input \"i\": index -3 outside of an extent of 2",
		"y = Constant() value=1":                      "attribute value is no tensor",
		"s = SequenceConstruct(x)\ny = Shape(s)":      "a sequence, a map or an absent value stands where a tensor is needed",
		"s = SequenceConstruct(x)\ny = Reshape(x, s)": "\"s\" is no tensor",
		"s = SequenceConstruct(x)\nr = SequenceConstruct(s)\ny = ConcatFromSequence(r) axis=0":                         "a sequence stands where a tensor is needed",
		"o = Optional()\ny = OptionalGetElement(o)":                                                                    "the optional value has no element",
		"o = Optional()\ny = Neg(o)":                                                                                   "input \"o\" is no tensor",
		"o = Optional()\nr = SequenceConstruct(o)\ny = ConcatFromSequence(r) axis=0":                                   "an optional value is absent where a tensor is needed",
		"y = com.microsoft.Nothing(x)":                                                                                 "the operator is not supported",
		"y = odd.Nothing(x)":                                                                                           "the model imports no version of the domain \"odd\"",
		"y = Pad(x, z) mode=\"edge\"":                                                                                  "input \"z\" is the result of no node before",
		"e = f32 0x2:\nz = i64 4: 1 0 0 0\ny = Pad(e, z) mode=\"edge\"":                                                "widths 1 and 0 around an extent of 0",
		"z = i64 2: -2 -1\ny = Pad(v, z) mode=\"edge\"":                                                                "widths -2 and -1 around an extent of 2",
		"z = i64 2: 0 2147483648\ny = Pad(v, z) mode=\"wrap\"":                                                         "widths 0 and 2147483648 around an extent of 2",
		"z = i64 2: 2147483648 0\ny = Pad(v, z) mode=\"wrap\"":                                                         "widths 2147483648 and 0 around an extent of 2",
		"z = i64 2: 2147483648 0\ny = Pad(v, z)":                                                                       "widths 2147483648 and 0 around an extent of 2",
		"z = i64 2: 2 1\ny = Pad(v, z) mode=\"odd\"":                                                                   "mode \"odd\" is not supported",
		"z = i64: 3\ny = CenterCropPad(x, z) axes=[5]":                                                                 "axes [5] of a tensor of 2 dimensions",
		"y = MeanVarianceNormalization(x) axes=[5]":                                                                    "",
		"z = f32 2: 1 1000000000000.0\ny = Resize(x, \"\", z)":                                                         "more than 134217728 elements",
		"o = f32 1x2x2x2: 0 0 0 0 0 0 0 0\nk = f32 1x1x1x1: 1\ny = DeformConv(image, k, o) group=0":                    "groups 0 and 1",
		"o = f32 1x2x2x2: 0 0 0 0 0 0 0 0\nk = f32 1x1x1x1: 1\ny = DeformConv(image, k, o) offset_group=0":             "groups 1 and 0",
		"o = f32 1x2x2x2: 0 0 0 0 0 0 0 0\nk = f32 1x1x1x1: 1\ny = DeformConv(image, k, o) group=2":                    "groups 2 and 1",
		"o = f32 1x2x2x2: 0 0 0 0 0 0 0 0\nk = f32 1x1x1x1: 1\ny = DeformConv(image, k, o) offset_group=2":             "groups 1 and 2",
		"o = f32 1x2x2x2: 0 0 0 0 0 0 0 0\nk = f32 1x2x1x1: 1 1\ny = DeformConv(image, k, o)":                          "weights [1 2 1 1]",
		"o = f32 1x1x2x2: 0 0 0 0\nk = f32 1x1x1x1: 1\ny = DeformConv(image, k, o)":                                    "offsets [1 1 2 2] for [1 1 2 2]",
		"o = f32 2x2x2x2: 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0\nk = f32 1x1x1x1: 1\ny = DeformConv(image, k, o)":            "offsets [2 2 2 2] for [1 1 2 2]",
		"i2 = f32 1x2x1x1: 1 2\no = f32 1x2x1x1: 0 0\nk = f32 1x1x1x1: 1\ny = DeformConv(i2, k, o) group=2":            "groups 2 and 1",
		"c3 = f32 1x1x1: 1\np = i64 1x2: 0 0\ny = RotaryEmbedding(cube, c3, c3, p) num_heads=1 rotary_embedding_dim=2": "position_ids with a cache of 3 dimensions",
		"c3 = f32 1x2x2: 1 1 1 1\ny = RotaryEmbedding(cube, c3, c3) num_heads=1 rotary_embedding_dim=2":                "a cache of [1 2 2] for 2 numbers of 2 positions",
		"c2 = f32 2x1: 1 1\ny = RotaryEmbedding(cube, c2, c2) num_heads=1 rotary_embedding_dim=2":                      "a cache of [2 1] for 2 numbers of 2 positions",
		"y = BitCast(x) to=7":  "elements of f32 as int64",
		"y = BitCast(x) to=23": "elements of f32 as float4e2m1",
		"z = i64 1: -1\ns = SplitToSequence(x, z)\ny = SequenceLength(s)": "parts of [-1] elements of 2",
		"s = SplitToSequence(x, neg)\ny = SequenceLength(s)":              "parts of -1 elements",
	} {
		if want == "" {
			want = "m: node "
		}
		t.Run("", func(t *testing.T) { refuse(t, head+node, want) })
	}
}

// TestListedElements: elements that stand one by one in a tensor's fields, packed and one a field.
func TestListedElements(t *testing.T) {
	fixed := func(number, bytes int, packed bool, words ...uint64) []byte {
		var all, out []byte
		for _, w := range words {
			one := binary.LittleEndian.AppendUint64(nil, w)[:bytes]
			wire := map[int]int{4: wireFixed32, 8: wireFixed64}[bytes]
			all, out = append(all, one...), append(append(out, tag(number, wire)...), one...)
		}
		if packed {
			return putBytes(number, all)
		}
		return out
	}
	single := func(v float32) uint64 { return uint64(math.Float32bits(v)) }
	m, err := Read(putModel(24, putGraph(putBytes(11, putText(1, "x")), putBytes(12, putText(1, "x")))), "m")
	require.NoError(t, err)
	for _, packed := range []bool{true, false} {
		for _, c := range []struct {
			code   int64
			fields []byte
			dtype  dtype.DType
			want   []complex128
		}{
			{1, fixed(4, 4, packed, single(1.5), single(-2)), dtype.F32, []complex128{1.5, -2}},
			{11, fixed(10, 8, packed, math.Float64bits(1.5), math.Float64bits(-2)), dtype.F64, []complex128{1.5, -2}},
			{14, fixed(4, 4, packed, single(1.5), single(-2), single(3), single(4)), dtype.C64, []complex128{1.5 - 2i, 3 + 4i}},
			{15, fixed(10, 8, packed, math.Float64bits(1.5), math.Float64bits(-2), math.Float64bits(3), math.Float64bits(4)),
				dtype.C128, []complex128{1.5 - 2i, 3 + 4i}},
			{10, append(putInt(5, 0x3e00), putInt(5, 0xc000)...), dtype.F16, []complex128{1.5, -2}},
			{16, append(putInt(5, 0x3fc0), putInt(5, 0xc000)...), dtype.BF16, []complex128{1.5, -2}},
			{19, append(putInt(5, 0x40), putInt(5, 0xc0)...), dtype.F8E5M2, []complex128{2, -2}},
			{7, append(putInt(7, 5), putInt(7, -2)...), dtype.I64, []complex128{5, -2}},
			{3, append(putInt(5, 5), putInt(5, -2)...), dtype.I8, []complex128{5, -2}},
		} {
			data := append(append(putInt(1, 2), putInt(2, c.code)...), c.fields...)
			v, err := m.ReadInput(0, data, "x.pb")
			require.NoError(t, err, c.dtype)
			require.Equal(t, c.dtype, v.Tensor.DType)
			for i, want := range c.want {
				if c.dtype.IsComplex() {
					require.Equal(t, want, v.Tensor.Complex(i), c.dtype)
				} else {
					require.Equal(t, real(want), v.Tensor.Float64(i), c.dtype)
				}
			}
			_, err = m.ReadInput(0, append(data, putInt(1, 3)...), "x.pb")
			require.ErrorContains(t, err, " elements", "of a matrix of two by three %v", c.dtype)
		}
	}
	_, err = m.ReadInput(1, nil, "x.pb")
	require.ErrorContains(t, err, "the model has 1 inputs")
	_, err = m.ReadInput(-1, nil, "x.pb")
	require.ErrorContains(t, err, "the model has 1 inputs")
	_, err = m.ReadOutput(1, nil, "x.pb")
	require.ErrorContains(t, err, "the model has 1 outputs")
	_, err = m.ReadOutput(-1, nil, "x.pb")
	require.ErrorContains(t, err, "the model has 1 outputs")
}

// TestBatchNormalizationTrains: before version 14 outputs for the moved mean and variance ask for training.
func TestBatchNormalizationTrains(t *testing.T) {
	const given = "x = f32 2x1: 1 3\ns = f32 1: 2\nb = f32 1: 0.5\nm = f32 1: 10\nv = f32 1: 4\n"
	for _, text := range []string{
		"version 9\n" + given + "y, p, q, r, w = BatchNormalization(x, s, b, m, v) epsilon=0.0 momentum=0.5\nwant y = f32 2x1: -1.5 2.5\n" +
			"want p = f32 1: 6\nwant q = f32 1: 2.5\nwant r = f32 1: 2\nwant w = f32 1: 1",
		"version 9\n" + given + "y = BatchNormalization(x, s, b, m, v) epsilon=0.0\nwant y = f32 2x1: -8.5 -6.5",
		"version 6\n" + given + "y, p, q = BatchNormalization(x, s, b, m, v) epsilon=0.0 is_test=1\nwant y = f32 2x1: -8.5 -6.5\nwant p = f32 1: 10\nwant q = f32 1: 4",
		"version 6\n" + given + "y, p = BatchNormalization(x, s, b, m, v) epsilon=0.0\nwant y = f32 2x1: -1.5 2.5\nwant p = f32 1: 9.2",
		"x = f32 1x1x2: 1 2\ns = f32 3: 1 1 0.4\ny = Resize(x, \"\", s)\nwant y = f32 1x1x0:",
	} {
		check(t, text)
	}
	refuse(t, "x = f32: 1\ny = Concat(x, x) axis=0", "takes tensors with dimensions")
}
