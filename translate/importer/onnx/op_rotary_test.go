package onnx

import (
	"testing"

	"github.com/go-acap/acap/base/buf"
)

// TestRotaryEmbedding turns four of six numbers, interleaved and in halves.
func TestRotaryEmbedding(t *testing.T) {
	const heads, length, depth, turned = 2, 3, 6, 4
	x := random(1, 1, heads, length, depth)
	cos, sin := random(2, 5, turned/2), random(3, 5, turned/2)
	positions := buf.From([]int64{4, 0, 2}, 1, 3)
	for _, interleaved := range []int64{0, 1} {
		y := operate(t, "RotaryEmbedding", 1, []*buf.Buffer{x, cos, sin, positions},
			intAttribute("interleaved", interleaved), intAttribute("rotary_embedding_dim", turned))[0]
		same(t, y, x.Shape, func(i int) float64 {
			k, row := i%depth, i-i%depth
			if k >= turned {
				return x.Float64(i)
			}
			pair, partner, second := k%2, k+2, k >= 2
			if interleaved == 1 {
				pair, partner, second = k/2, k+1, k%2 == 1
			}
			at := int(positions.Int64(i/depth%length))*turned/2 + pair
			if second {
				partner = 2*k - partner
				return x.Float64(row+partner)*sin.Float64(at) + x.Float64(i)*cos.Float64(at)
			}
			return x.Float64(i)*cos.Float64(at) - x.Float64(row+partner)*sin.Float64(at)
		})
	}
}

// TestRotaryEmbeddingOfStreams: angles come from places in time, height and width, in sections as in Qwen2-VL or by
// turns as in Qwen3-VL. The values are those of these models in transformers 5.12.
func TestRotaryEmbeddingOfStreams(t *testing.T) {
	const all = "x = f32 1x2x12: -1 0.25 1.5 0 1.25 -0.25 1 -0.5 0.75 -0.75 0.5 -1 0.25 1.5 0 1.25 -0.25 1 -0.5 0.75 -0.75 0.5 -1 0.25\n" +
		"X = f32 1x1x2x12: -1 0.25 1.5 0 1.25 -0.25 1 -0.5 0.75 -0.75 0.5 -1 0.25 1.5 0 1.25 -0.25 1 -0.5 0.75 -0.75 0.5 -1 0.25\n" +
		"p = i64 3x1x2: 1 2 3 5 0 4\n" +
		"c = f32 6x6: 1 1 1 1 1 1 0.5403023 0.9768817 0.998923 0.9999501 0.9999977 0.9999999 -0.4161468 0.9085957 0.9956942 0.9998 0.9999908 0.9999995 -0.9899925 0.7982993 0.9903207 0.99955 0.9999791 0.999999 -0.6536436 0.6510921 0.982814 0.9992001 0.9999629 0.9999983 0.2836622 0.4737807 0.9731903 0.9987503 0.999942 0.9999974\n" +
		"s = f32 6x6: 0 0 0 0 0 0 0.841471 0.2137807 0.04639922 0.009999833 0.002154433 0.0004641589 0.9092974 0.4176768 0.09269849 0.01999867 0.004308855 0.0009283178 0.14112 0.602261 0.1387981 0.0299955 0.006463258 0.001392476 -0.7568025 0.7589987 0.1845987 0.03998933 0.00861763 0.001856635 -0.9589242 0.8806428 0.2300017 0.04997917 0.01077196 0.002320793\n"
	const turns = "-1.381773 0.5007053 1.5 0.007499875 1.246742 -0.25 -0.3011687 -0.2485844 0.75 -0.7499626 0.5080686 -1 0.350612 0.05018896 0.138449 1.239751 -0.2392135 0.9995341 0.4353978 1.6763 -0.7371105 0.5248983 -1.002635 0.2518562"
	checkEach(t, all,
		"y = com.microsoft.MRotaryEmbedding(x, p, c, s) mrope_section=[3,2,1]\n"+
			"want y = f32 1x2x12: -1.381773 0.3511108 1.463585 0.02249662 1.246742 -0.25 -0.3011687 -0.4349957 0.8187911 -0.7496625 0.5080686 -1 0.350612 1.049636 0.06952387 1.223448 -0.2392135 0.9995341 0.4353978 1.307962 -0.7467707 0.5618491 -1.002635 0.2518562",
		"y = com.microsoft.MRotaryEmbedding(x, p, c, s) mrope_section=[2,2,2] mrope_layout=1\nwant y = f32 1x2x12: "+turns,
		"y = com.microsoft.MRotaryEmbedding(X, p, c, s) mrope_section=[2,2,2] mrope_layout=1\nwant y = f32 1x1x2x12: "+turns,
		"y = com.microsoft.MRotaryEmbedding(x, p, c, s) mrope_section=[4,1,1] mrope_layout=1\n"+
			"want y = f32 1x2x12: -1.381773 0.5007053 1.5 0.007499875 1.24892 -0.2495358 -0.3011687 -0.2485844 0.75 -0.7499626 0.5026919 -1.000116 0.350612 0.05018896 0.138449 1.239751 -0.2456888 0.9997674 0.4353978 1.6763 -0.7371105 0.5248983 -1.001068 0.2509282",
	)
	refuseEach(t, all, map[string]string{
		"y = com.microsoft.MRotaryEmbedding(x, p, c, s) mrope_section=[3,3]":                  "mrope_section [3 3] for positions of [3 1 2]",
		"y = com.microsoft.MRotaryEmbedding(x, p, c, s) mrope_section=[3,4,-1]":               "mrope_section [3 4 -1]",
		"y = com.microsoft.MRotaryEmbedding(x, p, c, s) mrope_section=[3,2,1] mrope_layout=2": "mrope_layout 2 is not supported",
		"y = com.microsoft.MRotaryEmbedding(x, c, c, s) mrope_section=[3,2,1]":                "for positions of [6 6]",
	})
}
