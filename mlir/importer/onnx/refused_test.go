package onnx

import "testing"

// TestRefused: what an operator does not take is an error with the node and the numbers that are wrong.
func TestRefused(t *testing.T) {
	const head = "x = f32 2x3: 1 2 3 4 5 6\ncube = f32 1x2x3: 1 2 3 4 5 6\nimage = f32 1x1x2x2: 1 2 3 4\nv = f32 2: 1 2\nscalar = f32: 1\n" +
		"zero = i64: 0\none = i64 1: 1\ntwo = i64 2: 1 2\nneg = i64 1: -1\nnone = i64 1: 0\nthree = i64 3: 0 0 0\nfar = i64: 9\nu = i64: 1\n"
	for node, want := range map[string]string{
		"y = Slice(x, two, one)":                                           "2 starts, 1 ends, 2 axes and 2 steps",
		"y = Slice(x, one, one, two)":                                      "1 starts, 1 ends, 2 axes and 1 steps",
		"y = Slice(x, one, one, one, two)":                                 "1 starts, 1 ends, 1 axes and 2 steps",
		"y = Slice(x, one, one, one, none)":                                "a step of 0",
		"y, z = Split(x) num_outputs=3":                                    "num_outputs is 3, but there are 2 outputs",
		"y, z = Split(x, neg)":                                             "a part of -1 elements",
		"y = Split(x, two)":                                                "parts of [1 2] elements of 2 for 1 outputs",
		"y, z, w = Split(x, two) axis=1":                                   "parts of [1 2] elements of 3 for 3 outputs",
		"y = Pad(x, two)":                                                  "2 widths for 2 dimensions",
		"y = Pad(v, two) mode=\"odd\"":                                     `mode "odd" is not supported`,
		"y = CenterCropPad(x, one)":                                        "1 sizes for 2 dimensions",
		"y = ReverseSequence(cube, one) time_axis=2 batch_axis=1":          "batch_axis 1 and time_axis 2",
		"y = Squeeze(x, one)":                                              "dimension 1 of [2 3] is not 1",
		"y = Flatten(x) axis=3":                                            "axis 3 of a tensor of 2 dimensions",
		"y = Transpose(x) perm=[0]":                                        "perm [0] does not order 2 dimensions",
		"y = Transpose(x) perm=[0,0]":                                      "axes [0 0] of a tensor of 2 dimensions",
		"y = Reshape(scalar, none)":                                        "extent 0 of the shape is 0, but the input is []",
		"y = Expand(x, neg)":                                               "extent -1",
		"y = Tile(x, one)":                                                 "1 repeats for 2 dimensions",
		"y = DepthToSpace(x) blocksize=2":                                  "takes a tensor of 4 dimensions, not 2",
		"y = DepthToSpace(image) blocksize=0":                              "blocksize 0",
		"y = SpaceToDepth(image) blocksize=3":                              "an image of 2 × 2 does not divide into blocks of 3 × 3",
		"y = QuantizeLinear(x, scalar, u)":                                 "quantization to",
		"s = SequenceEmpty()\ny = ConcatFromSequence(s) axis=0":            "the sequence is empty",
		"s = SequenceEmpty()\nr = SequenceErase(s)\ny = SequenceLength(r)": "the sequence is empty",
		"s = SequenceConstruct(x, x)\ny = SequenceAt(s, far)":              "place 9 of a sequence of 2",
		"s = SequenceConstruct(x, x)\nat = i64: 2\ny = SequenceAt(s, at)":  "place 2 of a sequence of 2",
		"s = SequenceConstruct(x, x)\nat = i64: -3\ny = SequenceAt(s, at)": "place -3 of a sequence of 2",
		"s = SequenceConstruct(x, x)\nat = i64: 3\nr = SequenceInsert(s, x, at)\ny = SequenceLength(r)": "place 3 of a sequence of 2",
		"y = SequenceLength(x)":                                                                         `input "x" is no sequence`,
		"s = SequenceConstruct(x, x)\ny = Neg(s)":                                                       `input "s" is no tensor`,
		"s = SplitToSequence(x, zero)\ny = SequenceLength(s)":                                           "parts of 0 elements",
		"s = SplitToSequence(x, two)\ny = SequenceLength(s)":                                            "parts of [1 2] elements of 2",
		"y = com.microsoft.Attention(cube, x) num_heads=0":                                              "attention of 0 heads over 3 dimensions, with do_rotary: false",
		"y = com.microsoft.Attention(x, x) num_heads=1":                                                 "attention of 1 heads over 2 dimensions, with do_rotary: false",
		"w = f32 3x3: 1 2 3 4 5 6 7 8 9\ny = com.microsoft.Attention(cube, w) num_heads=2":              "2 heads of 1 numbers",
		"w = f32 3x3: 1 2 3 4 5 6 7 8 9\ny = com.microsoft.Attention(cube, w, \"\", three) num_heads=1": "a mask of [3] for 2 queries and 2 keys is not supported",
		"y = RotaryEmbedding(x, x, x)":                                                                  "takes a tensor of 3 or 4 dimensions, not 2",
		"y = RotaryEmbedding(cube, x, x) num_heads=2":                                                   "2 heads of 3 numbers",
		"y = RotaryEmbedding(cube, x, x) num_heads=1 rotary_embedding_dim=5":                            "rotary_embedding_dim 5 of 3",
		"y = RotaryEmbedding(cube, x, x) num_heads=1":                                                   "rotary_embedding_dim 3 of 3",
		"y = Attention(x, x, x)":                                                                        "takes tensors of 3 or 4 dimensions, not 2",
		"y = Attention(cube, cube, cube) q_num_heads=2":                                                 "q_num_heads is 2 for [1 2 3]",
		"y = Attention(image, image, image) qk_matmul_output_mode=4":                                    "qk_matmul_output_mode 4 is not supported",
		"y = Attention(image, image, image) qk_matmul_output_mode=-1":                                   "qk_matmul_output_mode -1 is not supported",
		"y = Resize(image, \"\", v)":                                                                    "2 scales for 4 dimensions",
		"y = Resize(image, \"\", \"\", two)":                                                            "2 sizes for 4 dimensions",
		"s = i64 4: 1 1 3 3\ny = Resize(image, \"\", \"\", s) mode=\"odd\"":                             `mode "odd" is not supported`,
		"s = i64 4: 1 1 3 3\ny = Resize(image, \"\", \"\", s) nearest_mode=\"odd\"":                     `nearest_mode "odd" is not supported`,
		"s = i64 4: 1 1 3 3\ny = Resize(image, \"\", \"\", s) coordinate_transformation_mode=\"odd\"":   `coordinate_transformation_mode "odd" is not supported`,
		"y = DFT(x) axis=0": "axis 0 of complex numbers in [2 3]",
		"w = f32 3x2: 1 2 3 4 5 6\nat = i64: 1\ny = DFT(w, \"\", at)": "axis 1 of complex numbers in [3 2]",
		"w = f32 3x0:\ny = DFT(w) axis=0":                             "axis 0 of complex numbers in [3 0]",
		"y = TfIdfVectorizer(x)":                                      "n-grams of f32 with a pool of 0 numbers",
	} {
		t.Run("", func(t *testing.T) { refuse(t, head+node, want) })
	}
}
