package onnx

import "testing"

// TestIntegers: the arithmetic with which models compute shapes, on numbers of both signs.
func TestIntegers(t *testing.T) {
	const head = "a = i64 2x2: 7 -7 5 0\nb = i64 2: 3 -2\nc = bool 3: 1 1 0\nd = bool 3: 1 0 0\nv = i32 3: 4 -6 5\n"
	for node, want := range map[string]string{
		"Add(a, b)":                          "i64 2x2: 10 -9 8 -2",
		"Sub(a, b)":                          "i64 2x2: 4 -5 2 2",
		"Mul(a, b)":                          "i64 2x2: 21 14 15 0",
		"Div(a, b)":                          "i64 2x2: 2 3 1 0",
		"Div(v, w)":                          "i32 3: -1 -3 1",
		"Mod(a, b)":                          "i64 2x2: 1 -1 2 0",
		"Mod(a, b) fmod=1":                   "i64 2x2: 1 -1 2 0",
		"Mod(v, w)":                          "i32 3: -2 0 2",
		"Mod(v, w) fmod=1":                   "i32 3: 1 0 2",
		"Min(a, b)":                          "i64 2x2: 3 -7 3 -2",
		"Max(a, b)":                          "i64 2x2: 7 -2 5 0",
		"Max(a, b, a)":                       "i64 2x2: 7 -2 5 0",
		"And(c, d)":                          "bool 3: 1 0 0",
		"Or(c, d)":                           "bool 3: 1 1 0",
		"Xor(c, d)":                          "bool 3: 0 1 0",
		"Not(c)":                             "bool 3: 0 0 1",
		"Neg(a)":                             "i64 2x2: -7 7 -5 0",
		"Abs(a)":                             "i64 2x2: 7 7 5 0",
		"Sign(a)":                            "i64 2x2: 1 -1 1 0",
		"Equal(a, a)":                        "bool 2x2: 1 1 1 1",
		"Equal(v, w)":                        "bool 3: 0 0 0",
		"Less(b, b)":                         "bool 2: 0 0",
		"Less(a, b)":                         "bool 2x2: 0 1 0 0",
		"LessOrEqual(b, b)":                  "bool 2: 1 1",
		"LessOrEqual(a, b)":                  "bool 2x2: 0 1 0 0",
		"Greater(b, b)":                      "bool 2: 0 0",
		"Greater(a, b)":                      "bool 2x2: 1 0 1 1",
		"GreaterOrEqual(b, b)":               "bool 2: 1 1",
		"GreaterOrEqual(a, b)":               "bool 2x2: 1 0 1 1",
		"Where(c, v, w)":                     "i32 3: 4 -6 3",
		"Cast(v) to=1":                       "f32 3: 4 -6 5",
		"Cast(a) to=9":                       "bool 2x2: 1 1 1 0",
		"ReduceSum(b)":                       "i64 1: 1",
		"ReduceSum(b) keepdims=0":            "i64: 1",
		"ReduceProd(b) keepdims=0":           "i64: -6",
		"ReduceMax(b) keepdims=0":            "i64: 3",
		"ReduceMin(b)":                       "i64 1: -2",
		"ReduceMax(a) keepdims=0":            "i64: 7",
		"ReduceSum(a, one) keepdims=0":       "i64 2: 0 5",
		"Transpose(a)":                       "i64 2x2: 7 5 -7 0",
		"Transpose(m) perm=[1,0]":            "i64 3x2: 1 4 2 5 3 6",
		"Transpose(n) perm=[2,0,1]":          "i64 3x2x1: 1 4 2 5 3 6",
		"Reshape(m, shape)":                  "i64 3x2: 1 2 3 4 5 6",
		"Reshape(m, same)":                   "i64 2x3x1: 1 2 3 4 5 6",
		"Squeeze(n)":                         "i64 2x3: 1 2 3 4 5 6",
		"Unsqueeze(b, one)":                  "i64 2x1: 3 -2",
		"Flatten(n) axis=2":                  "i64 2x3: 1 2 3 4 5 6",
		"Flatten(m) axis=0":                  "i64 1x6: 1 2 3 4 5 6",
		"Concat(m, a) axis=1":                "i64 2x5: 1 2 3 7 -7 4 5 6 5 0",
		"Concat(b, b, one) axis=0":           "i64 5: 3 -2 3 -2 1",
		"Gather(m, one) axis=1":              "i64 2x1: 2 5",
		"Gather(m, last)":                    "i64 3: 4 5 6",
		"Slice(m, one, neg, one)":            "i64 2x1: 2 5",
		"Slice(m, neg, far, one, neg)":       "i64 2x3: 3 2 1 6 5 4",
		"Range(zero, five, two)":             "i64 3: 0 2 4",
		"Shape(m)":                           "i64 2: 2 3",
		"Shape(n) start=1":                   "i64 2: 1 3",
		"Shape(n) start=-1":                  "i64 1: 3",
		"Shape(n) start=0 end=-1":            "i64 2: 2 1",
		"Size(m)":                            "i64: 6",
		"Expand(b, shape)":                   "i64 3x2: 3 -2 3 -2 3 -2",
		"Tile(b, last2)":                     "i64 6: 3 -2 3 -2 3 -2",
		"ConstantOfShape(shape)":             "f32 3x2: 0 0 0 0 0 0",
		"CumSum(b, zero)":                    "i64 2: 3 1",
		"CumSum(m, scalar) exclusive=1":      "i64 2x3: 0 1 3 0 4 9",
		"CumSum(m, scalar) reverse=1":        "i64 2x3: 6 5 3 15 11 6",
		"Trilu(a, zero) upper=0":             "i64 2x2: 7 0 5 0",
		"Trilu(a, scalar)":                   "i64 2x2: 0 -7 0 0",
		"Identity(m)":                        "i64 2x3: 1 2 3 4 5 6",
		"BitShift(u, s) direction=\"LEFT\"":  "u8 2: 12 64",
		"BitShift(u, s) direction=\"RIGHT\"": "u8 2: 0 4",
		"BitwiseAnd(a, b)":                   "i64 2x2: 3 -8 1 0",
		"BitwiseOr(a, b)":                    "i64 2x2: 7 -1 7 -2",
		"BitwiseXor(a, b)":                   "i64 2x2: 4 7 6 -2",
		"BitwiseNot(b)":                      "i64 2: -4 1",
		"OneHot(b, five, pair)":              "i64 2x5: 8 8 8 9 8 8 8 8 9 8",
		"OneHot(b, five, pair) axis=0":       "i64 5x2: 8 8 8 8 8 8 9 9 8 8",
	} {
		check(t, head+"w = i32 3: -3 2 3\nm = i64 2x3: 1 2 3 4 5 6\nn = i64 2x1x3: 1 2 3 4 5 6\none = i64 1: 1\nlast = i64: -1\nlast2 = i64 1: 3\n"+
			"zero = i64: 0\nfive = i64: 5\nneg = i64 1: -1\nscalar = i64: 1\ntwo = i64: 2\nfar = i64 1: -9\nshape = i64 2: 3 2\nsame = i64 3: 0 -1 1\npair = i64 2: 8 9\nu = u8 2: 3 16\ns = u8 2: 2 2\n"+
			"y = "+node+"\nwant y = "+want)
	}
}

// TestShaping: parts of tensors, put together, padded and reordered.
func TestShaping(t *testing.T) {
	const head = "x = f32 2x3: 1 2 3 4 5 6\nfour = f32 1x4x1x1: 1 2 3 4\nimage = f32 1x1x2x4: 1 2 3 4 5 6 7 8\n"
	for _, text := range []string{
		"p, q = Split(x) axis=1\nwant p = f32 2x2: 1 2 4 5\nwant q = f32 2x1: 3 6",
		"p, q = Split(x) axis=-1 num_outputs=2\nwant p = f32 2x2: 1 2 4 5\nwant q = f32 2x1: 3 6",
		"s = i64 2: 1 2\np, q = Split(x, s) axis=1\nwant p = f32 2x1: 1 4\nwant q = f32 2x2: 2 3 5 6",
		"p, q = Split(x)\nwant p = f32 1x3: 1 2 3\nwant q = f32 1x3: 4 5 6",
		"k = i64 2x3: 1 2 3 4 5 6\np, q = Split(k) axis=1\nwant p = i64 2x2: 1 2 4 5\nwant q = i64 2x1: 3 6",
		"k = i64 3: 1 2 3\np, q, r = Split(k)\nwant p = i64 1: 1\nwant q = i64 1: 2\nwant r = i64 1: 3",
		"w = i64 4: 1 0 0 2\ny = Pad(x, w)\nwant y = f32 3x5: 0 0 0 0 0 1 2 3 0 0 4 5 6 0 0",
		"w = i64 4: 0 -1 0 1\nv = f32: 9\ny = Pad(x, w, v)\nwant y = f32 2x3: 2 3 9 5 6 9",
		"w = i64 2: 1 0\nv = f32: 9\na = i64 1: 0\ny = Pad(x, w, v, a)\nwant y = f32 3x3: 9 9 9 1 2 3 4 5 6",
		"k = i32 2: 1 2\nw = i64 2: 0 1\nv = i32: 7\ny = Pad(k, w, v)\nwant y = i32 3: 1 2 7",
		"w = i64 4: 0 2 0 3\ny = Pad(x, w) mode=\"reflect\"\nwant y = f32 2x8: 3 2 1 2 3 2 1 2 6 5 4 5 6 5 4 5",
		"w = i64 4: 0 2 0 1\ny = Pad(x, w) mode=\"edge\"\nwant y = f32 2x6: 1 1 1 2 3 3 4 4 4 5 6 6",
		"w = i64 4: 0 2 0 1\ny = Pad(x, w) mode=\"wrap\"\nwant y = f32 2x6: 2 3 1 2 3 1 5 6 4 5 6 4",
		"version 2\ny = Pad(x) pads=[0,1,0,0] value=2.5\nwant y = f32 2x4: 2.5 1 2 3 2.5 4 5 6",
		"version 1\ny = Pad(x) paddings=[0,1,0,0] value=2.5\nwant y = f32 2x4: 2.5 1 2 3 2.5 4 5 6",
		"s = i64 2: 4 2\ny = CenterCropPad(x, s)\nwant y = f32 4x2: 0 0 1 2 4 5 0 0",
		"s = i64 1: 6\ny = CenterCropPad(x, s) axes=[1]\nwant y = f32 2x6: 0 1 2 3 0 0 0 4 5 6 0 0",
		"s = i64 1: 1\ny = CenterCropPad(x, s) axes=[-1]\nwant y = f32 2x1: 2 5",
		"y = DepthToSpace(four) blocksize=2\nwant y = f32 1x1x2x2: 1 2 3 4",
		"y = SpaceToDepth(image) blocksize=2\nwant y = f32 1x4x1x2: 1 3 2 4 5 7 6 8",
		"version 5\nn = i64: 3\nd = i64: 1\ny = Tile(x, n, d)\nwant y = f32 2x9: 1 2 3 1 2 3 1 2 3 4 5 6 4 5 6 4 5 6",
		"a = f32: 2.5\nb = f32: 0.5\nc = f32: -1\ny = Range(a, b, c)\nwant y = f32 2: 2.5 1.5",
		"i = i64 2x2: 1 0 0 2\ny = GatherND(x, i)\nwant y = f32 2: 4 3",
		"i = i64 2x2: 2 0 0 -1\ny = GatherElements(x, i) axis=1\nwant y = f32 2x2: 3 1 4 6",
		"i = i64 1x2: 1 1\nu = f32 1x2: 10 20\ny = ScatterElements(x, i, u) reduction=\"add\"\nwant y = f32 2x3: 1 2 3 14 25 6",
		"i = i64 1x2: 1 0\nu = f32 1x2: 10 20\ny = ScatterElements(x, i, u)\nwant y = f32 2x3: 1 20 3 10 5 6",
		"i = i64 2x1: 2 -3\nu = f32 2x1: 10 20\ny = ScatterElements(x, i, u) axis=1\nwant y = f32 2x3: 1 2 10 20 5 6",
		"i = i64 1x2: 1 2\nu = f32 1: 10\ny = ScatterND(x, i, u) reduction=\"max\"\nwant y = f32 2x3: 1 2 3 4 5 10",
		"c = bool 3: 1 0 1\ny = Compress(x, c) axis=1\nwant y = f32 2x2: 1 3 4 6",
		"c = bool 5: 0 1 0 0 1\ny = Compress(x, c)\nwant y = f32 2: 2 5",
		"k = i64 1: 2\nv, i = TopK(x, k) largest=0\nwant v = f32 2x2: 1 2 4 5\nwant i = i64 2x2: 0 1 0 1",
		"k = i64 1: 1\nv, i = TopK(x, k) axis=0\nwant v = f32 1x3: 4 5 6\nwant i = i64 1x3: 1 1 1",
		"y = ArgMax(x) axis=1 keepdims=0\nwant y = i64 2: 2 2",
		"e = f32 2x3: 1 3 3 4 4 2\ny = ArgMax(e) axis=1 select_last_index=1\nwant y = i64 2x1: 2 1",
		"e = f32 2x3: 1 3 1 4 2 2\ny = ArgMin(e) axis=1 select_last_index=1 keepdims=0\nwant y = i64 2: 2 2",
		"e = f32 2x3: 1 3 1 4 2 2\ny = ArgMin(e)\nwant y = i64 1x3: 0 1 0",
		"f = f32 1: 1\ny = EyeLike(x) k=1\nwant y = f32 2x3: 0 1 0 0 0 1",
		"y = Hardmax(x)\nwant y = f32 2x3: 0 0 1 0 0 1",
		"y = LpNormalization(x) p=1\nwant y = f32 2x3: 0.16666667 0.33333333 0.5 0.26666667 0.33333333 0.4",
		"y = MeanVarianceNormalization(x) axes=[1]\nwant y = f32 2x3: -1.2247449 0 1.2247449 -1.2247449 0 1.2247449",
		"y = GlobalAveragePool(image)\nwant y = f32 1x1x1x1: 4.5",
		"y = GlobalMaxPool(image)\nwant y = f32 1x1x1x1: 8",
		"y = AveragePool(image) kernel_shape=[2,3] pads=[0,1,0,0]\nwant y = f32 1x1x1x3: 3.5 4 5",
		"y = AveragePool(image) kernel_shape=[2,3] pads=[0,1,0,0] count_include_pad=1\nwant y = f32 1x1x1x3: 2.3333333 4 5",
		"y = MaxPool(image) kernel_shape=[1,2] strides=[1,2]\nwant y = f32 1x1x2x2: 2 4 6 8",
		"y, i = MaxPool(image) kernel_shape=[2,2] strides=[2,2]\nwant y = f32 1x1x1x2: 6 8\nwant i = i64 1x1x1x2: 5 7",
		"y, i = MaxPool(image) kernel_shape=[2,2] strides=[2,2] storage_order=1\nwant y = f32 1x1x1x2: 6 8\nwant i = i64 1x1x1x2: 3 7",
		"y = LpPool(image) kernel_shape=[1,2] strides=[1,2] p=1\nwant y = f32 1x1x2x2: 3 7 11 15",
	} {
		check(t, head+text)
	}
}

// TestSequences: lists of tensors, taken apart and put together.
func TestSequences(t *testing.T) {
	const head = "x = f32 2x3: 1 2 3 4 5 6\na = f32 2: 1 2\nb = f32 2: 3 4\none = i64: 1\nneg = i64: -2\n"
	for _, text := range []string{
		"s = SequenceConstruct(a, b)\ny = ConcatFromSequence(s) axis=0\nwant y = f32 4: 1 2 3 4",
		"s = SequenceConstruct(a, b)\ny = ConcatFromSequence(s) axis=1 new_axis=1\nwant y = f32 2x2: 1 3 2 4",
		"s = SequenceConstruct(a, b)\ny = ConcatFromSequence(s) axis=-1 new_axis=1\nwant y = f32 2x2: 1 3 2 4",
		"s = SequenceConstruct(a, b)\nr = SequenceErase(s)\ny = ConcatFromSequence(r) axis=0\nwant y = f32 2: 1 2",
		"s = SequenceConstruct(a, b)\nr = SequenceErase(s, neg)\ny = ConcatFromSequence(r) axis=0\nwant y = f32 2: 3 4",
		"s = SequenceConstruct(a, b)\nr = SequenceInsert(s, b, one)\ny = ConcatFromSequence(r) axis=0\nwant y = f32 6: 1 2 3 4 3 4",
		"s = SequenceConstruct(b, a)\nr = SequenceInsert(s, b)\ny = ConcatFromSequence(r) axis=0\nwant y = f32 6: 3 4 1 2 3 4",
		"s = SequenceEmpty()\nr = SequenceInsert(s, b)\ny = SequenceLength(r)\nwant y = i64: 1",
		"s = SequenceConstruct(a, b)\ny = SequenceAt(s, neg)\nwant y = f32 2: 1 2",
		"s = SequenceConstruct(a, b)\ny = SequenceAt(s, one)\nwant y = f32 2: 3 4",
		"s = SplitToSequence(x) axis=1\ny = SequenceAt(s, one)\nwant y = f32 2x1: 2 5",
		"s = SplitToSequence(x) axis=1 keepdims=0\ny = SequenceAt(s, one)\nwant y = f32 2: 2 5",
		"two = i64: 2\ns = SplitToSequence(x, two) axis=1 keepdims=0\ny = SequenceAt(s, one)\nn = SequenceLength(s)\nwant y = f32 2x1: 3 6\nwant n = i64: 2",
		"z = i64 2: 1 2\ns = SplitToSequence(x, z) axis=-1\ny = SequenceAt(s, one)\nwant y = f32 2x2: 2 3 5 6",
	} {
		check(t, head+text)
	}
}

// TestQuantized: round((x / scale) + zero) within the type, and back.
func TestQuantized(t *testing.T) {
	const head = "x = f32 2x3: -1 0.5 1.5 300 2.5 -300\ns = f32: 0.5\nu = u8: 3\ni = i8: -3\nw = i16: 7\nq = u8 2x3: 0 1 2 3 4 255\nr = f32 2: 0.5 2\nc = f32 3: 1 0.5 4\nzc = u8 3: 1 2 3\n"
	for _, text := range []string{
		"y = QuantizeLinear(x, s)\nwant y = u8 2x3: 0 1 3 255 5 0",
		"y = QuantizeLinear(x, s, u)\nwant y = u8 2x3: 1 4 6 255 8 0",
		"y = QuantizeLinear(x, s, i)\nwant y = i8 2x3: -5 -2 0 127 2 -128",
		"y = QuantizeLinear(x, s, w)\nwant y = i16 2x3: 5 8 10 607 12 -593",
		"y = QuantizeLinear(x, s) output_dtype=3\nwant y = i8 2x3: -2 1 3 127 5 -128",
		"k = f32: 40000\nt = f32: 1\nz = i16: 0\ny = QuantizeLinear(k, t, z)\nwant y = i16: 32767",
		"k = f32: -40000\nt = f32: 1\nz = i16: 0\ny = QuantizeLinear(k, t, z)\nwant y = i16: -32768",
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
		"k = u8 1x1x1x3: 1 2 3\nsk = f32: 0.5\nzk = u8: 1\nf = u8 2x1x1x2: 1 2 3 4\nsf = f32 2: 1 2\nzf = u8 2: 0 1\nsy = f32: 0.5\nzy = u8: 1\nb = i32 2: 4 -2\n" +
			"y = QLinearConv(k, sk, zk, f, sf, zf, sy, zy, b)\nwant y = u8 1x2x1x2: 7 10 3 13",
		"k = u8 1x1x1x3: 1 2 3\nsk = f32: 0.5\nzk = u8: 1\nf = u8 2x1x1x2: 1 2 3 4\nsf = f32: 1\nzf = u8: 1\nsy = f32: 0.5\nzy = u8: 1\nb = i32 2: 4 -2\n" +
			"y = QLinearConv(k, sk, zk, f, sf, zf, sy, zy, b)\nwant y = u8 1x2x1x2: 6 7 2 7",
		"k = f32 3: -1 0 4.1\ny, e, z = DynamicQuantizeLinear(k)\nwant y = u8 3: 0 50 255\nwant e = f32: 0.02\nwant z = u8: 50",
		"k = f32 2: 2.55 5.1\ny, e, z = DynamicQuantizeLinear(k)\nwant y = u8 2: 128 255\nwant e = f32: 0.02\nwant z = u8: 0",
		"k = f32 2: -2.5 -5.1\ny, e, z = DynamicQuantizeLinear(k)\nwant y = u8 2: 130 0\nwant e = f32: 0.02\nwant z = u8: 255",
	} {
		check(t, head+text)
	}
}
