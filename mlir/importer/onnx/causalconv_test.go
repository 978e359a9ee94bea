package onnx

import (
	"math"
	"testing"
)

// TestCausalConvolution: each result is of its own channel and of elements up to its own, those of the state first.
func TestCausalConvolution(t *testing.T) {
	silu := func(x ...float64) string {
		return list(len(x), func(i int) float64 { return x[i] / (1 + math.Exp(-x[i])) })
	}
	for _, text := range []string{
		"y, s = CausalConvWithState(x, w)\nwant y = f32 1x2x3: 1 12 23 4 13 16\nwant s = f32 1x2x1: 3 6",
		"y, s = CausalConvWithState(x, w, b) activation=\"none\"\nwant y = f32 1x2x3: 1.5 12.5 23.5 3 12 15",
		"y, s = CausalConvWithState(x, w, \"\", p)\nwant y = f32 1x2x3: 71 12 23 20 13 16",
		"y, s = CausalConvWithState(x, w) activation=\"silu\"\nwant y = f32 1x2x3:" + silu(1, 12, 23, 4, 13, 16),
		"y, s = CausalConvWithState(x, w) activation=\"swish\"\nwant y = f32 1x2x3:" + silu(1, 12, 23, 4, 13, 16),
		"y, s = com.microsoft.CausalConvWithState(r, v, \"\", q)\nwant y = f32 1x2x1: 123 -8\nwant s = f32 1x2x2: 2 3 0 8",
		"y, s = CausalConvWithState(p, v)\nwant y = f32 1x2x1: 7 8\nwant s = f32 1x2x2: 0 7 0 8",
	} {
		check(t, "version 27\nx = f32 1x2x3: 1 2 3 4 5 6\nw = f32 2x1x2: 10 1 2 1\nb = f32 2: 0.5 -1\n"+
			"v = f32 2x1x3: 100 10 1 -1 5 1\nq = f32 1x2x2: 1 2 16 0\np = f32 1x2x1: 7 8\nr = f32 1x2x1: 3 8\n"+text)
	}
	for text, want := range map[string]string{
		"y, s = CausalConvWithState(x, x)":                                                 "weights of [1 2 3]",
		"y, s = CausalConvWithState(x, w, \"\", x)":                                        "a state of [1 2 3] where [1 2 1] is needed",
		"y, s = CausalConvWithState(x, w) activation=\"gelu\"":                             "activation \"gelu\" is not supported",
		"y = SwiGLU(x, w)":                                                                 "a gate of [1 2 3] for [2 1 2]",
		"y = LinearAttention(x, x, x) q_num_heads=1 kv_num_heads=1":                        "with decay: false, with beta: false",
		"y = LinearAttention(x, x, x) update_rule=\"linear\"":                              "0 heads of queries",
		"y = LinearAttention(x, x, x) update_rule=\"quadratic\"":                           "\"quadratic\" is not supported",
		"y = ai.onnx.preview.FlexAttention(x, x, x)":                                       "takes tensors of 4 dimensions",
		"y = LinearAttention(x, x, w) update_rule=\"linear\" q_num_heads=1 kv_num_heads=1": "1 heads for [2 1 2]",
	} {
		refuse(t, "version 27\nx = f32 1x2x3: 1 2 3 4 5 6\nw = f32 2x1x2: 10 1 2 1\n"+text, want)
	}
}
