package onnx

import "testing"

// TestMicrosoftDecoders: the values are those of ONNX Runtime 1.23.
func TestMicrosoftDecoders(t *testing.T) {
	const all = "i = i64 2x5: 1 2 3 1 2 4 4 4 4 4\nc = f32 2x6: 0 1 2 3 4 5 6 7 8 9 10 11\nx = f32 2x5: 0 1 2 3 4 5 6 7 8 9\n" +
		"d = f32 3x5: 3 1 4 1 5 9 2 6 5 3 5 8 9 7 9\ne = f32 1x3x5: 3 1 4 1 5 9 2 6 5 3 5 8 9 7 9\nz = f32 2x3: 0 0 0 0 0 0\nu = f32 6: 2 1 1 3 4 3\n"
	checkEach(t, all,
		"y = com.microsoft.NGramRepeatBlock(i, c) ngram_size=3\nwant y = f32 2x6: 0 1 2 -inf 4 5 6 7 8 9 -inf 11",
		"y = com.microsoft.NGramRepeatBlock(i, c) ngram_size=1\nwant y = f32 2x6: 0 -inf -inf -inf 4 5 6 7 8 9 -inf 11",
		"y = com.microsoft.NGramRepeatBlock(i, c) ngram_size=6\nwant y = f32 2x6: 0 1 2 3 4 5 6 7 8 9 10 11",
		"y = com.microsoft.DynamicTimeWarping(d)\nwant y = i32 2x6: 0 0 0 0 1 2 0 1 2 3 4 4",
		"y = com.microsoft.DynamicTimeWarping(e)\nwant y = i32 2x6: 0 0 0 0 1 2 0 1 2 3 4 4",
		"y = com.microsoft.DynamicTimeWarping(z)\nwant y = i32 2x4: 0 1 1 1 0 0 1 2",
		"y = com.microsoft.UnfoldTensor(x) size=3 step=2\nwant y = f32 2x2x3: 0 1 2 2 3 4 5 6 7 7 8 9",
		"y = com.microsoft.UnfoldTensor(x) dim=0 size=2\nwant y = f32 1x5x2: 0 5 1 6 2 7 3 8 4 9",
		"y, p, k = com.microsoft.Unique(u)\nwant y = f32 4: 2 1 3 4\nwant p = i64 6: 0 1 1 2 3 2\nwant k = i64 4: 1 2 2 1",
	)
	refuseEach(t, all, map[string]string{
		"y = com.microsoft.NGramRepeatBlock(i, c)":              "ngram_size 0 for tokens of [2 5]",
		"y = com.microsoft.NGramRepeatBlock(u, c) ngram_size=2": "ngram_size 2 for tokens of [6]",
		"y = com.microsoft.DynamicTimeWarping(u)":               "costs of [6]",
		"y = com.microsoft.DynamicTimeWarping(i)":               "costs of [2 5] with elements of i64",
		"y = com.microsoft.UnfoldTensor(x) size=6":              "unfold",
	})
}
