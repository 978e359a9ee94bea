package onnx

import (
	"fmt"
	"math"
	"testing"
)

// TestCausalConvolution: each result comes from its own channel and from elements up to its own, the state's elements
// first.
func TestCausalConvolution(t *testing.T) {
	silu := func(x ...float64) string {
		return list(len(x), func(i int) float64 { return x[i] / (1 + math.Exp(-x[i])) })
	}
	checkEach(t, "version 27\nx = f32 1x2x3: 1 2 3 4 5 6\nw = f32 2x1x2: 10 1 2 1\nb = f32 2: 0.5 -1\n"+"v = f32 2x1x3: 100 10 1 -1 5 1\nq = f32 1x2x2: 1 2 16 0\np = f32 1x2x1: 7 8\nr = f32 1x2x1: 3 8\n",
		"y, s = CausalConvWithState(x, w)\nwant y = f32 1x2x3: 1 12 23 4 13 16\nwant s = f32 1x2x1: 3 6",
		"y, s = CausalConvWithState(x, w, b) activation=\"none\"\nwant y = f32 1x2x3: 1.5 12.5 23.5 3 12 15",
		"y, s = CausalConvWithState(x, w, \"\", p)\nwant y = f32 1x2x3: 71 12 23 20 13 16",
		"y, s = CausalConvWithState(x, w) activation=\"silu\"\nwant y = f32 1x2x3:"+silu(1, 12, 23, 4, 13, 16),
		"y, s = CausalConvWithState(x, w) activation=\"swish\"\nwant y = f32 1x2x3:"+silu(1, 12, 23, 4, 13, 16),
		"y, s = com.microsoft.CausalConvWithState(r, v, \"\", q)\nwant y = f32 1x2x1: 123 -8\nwant s = f32 1x2x2: 2 3 0 8",
		"y, s = CausalConvWithState(p, v)\nwant y = f32 1x2x1: 7 8\nwant s = f32 1x2x2: 0 7 0 8",
	)
	refuseEach(t, "version 27\nx = f32 1x2x3: 1 2 3 4 5 6\nw = f32 2x1x2: 10 1 2 1\n", map[string]string{
		"y, s = CausalConvWithState(x, x)":                                                          "weights of [1 2 3]",
		"y, s = CausalConvWithState(x, w, \"\", x)":                                                 "a state of [1 2 3] where [1 2 1] is needed",
		"y, s = CausalConvWithState(x, w) activation=\"gelu\"":                                      "activation \"gelu\" is not supported",
		"y = SwiGLU(x, w)":                                                                          "a gate of [1 2 3] for [2 1 2]",
		"y = LinearAttention(x, x, x) q_num_heads=1 kv_num_heads=1":                                 "with decay: false, with beta: false",
		"y = LinearAttention(x, x, x, \"\", x) update_rule=\"linear\" q_num_heads=1 kv_num_heads=1": "with decay: true, with beta: false",
		"y = LinearAttention(x, x, x) update_rule=\"linear\"":                                       "0 heads of queries",
		"y = LinearAttention(x, x, x) update_rule=\"quadratic\"":                                    "\"quadratic\" is not supported",
		"y = ai.onnx.preview.FlexAttention(x, x, x)":                                                "takes tensors of 4 dimensions",
		"y = LinearAttention(x, x, w) update_rule=\"linear\" q_num_heads=1 kv_num_heads=1":          "1 heads for [2 1 2]",
	})
}

// TestLinearAttention follows the recurrence token by token: two heads of queries share one of keys.
func TestLinearAttention(t *testing.T) {
	const length, heads, depth, width = 3, 2, 2, 3
	q := func(i int) float64 { return float64((i*5)%7)/4 - 0.5 }
	k := func(i int) float64 { return float64((i*11)%13)/8 - 0.75 }
	v := func(i int) float64 { return float64((i*3)%5) / 2 }
	past := func(i int) float64 { return float64(i)/4 - 0.5 }
	decay := func(i int) float64 { return -float64(i+1) / 8 }
	beta := func(i int) float64 { return float64(i+1) / 4 }
	for _, c := range []struct {
		rule, inputs, attributes string
		scale                    float64
		perKey                   bool // a decay for each number of the keys
	}{
		{"linear", "q, k, v", "", math.Sqrt(0.5), false},
		{"linear", "q, k, v, p", "scale=0.25", 0.25, false},
		{"gated", "q, k, v, p, g", "", math.Sqrt(0.5), false},
		{"gated", "q, k, v, p, G", "", math.Sqrt(0.5), true},
		{"delta", `q, k, v, p, "", b`, "", math.Sqrt(0.5), false},
		{"gated_delta", "q, k, v, p, G, b", "scale=2.0", 2, true},
	} {
		var state [depth][width]float64
		if c.inputs != "q, k, v" {
			for i := range depth * width {
				state[i/width][i%width] = past(i)
			}
		}
		var y []float64
		for at := range length {
			for i := range depth {
				g := 0.0
				switch {
				case c.perKey:
					g = decay(at*depth + i)
				case c.rule == "gated":
					g = decay(at)
				}
				for j := range width {
					state[i][j] *= math.Exp(g)
				}
			}
			var now [width]float64
			for j := range width {
				now[j] = v(at*width + j)
				if c.rule == "delta" || c.rule == "gated_delta" {
					for i := range depth {
						now[j] -= state[i][j] * k(at*depth+i)
					}
					now[j] *= beta(at)
				}
			}
			for i := range depth {
				for j := range width {
					state[i][j] += k(at*depth+i) * now[j]
				}
			}
			for h := range heads {
				for j := range width {
					sum := 0.0
					for i := range depth {
						sum += q((at*heads+h)*depth+i) * state[i][j]
					}
					y = append(y, c.scale*sum)
				}
			}
		}
		check(t, "version 27\nq = f32 1x3x4:"+list(12, q)+"\nk = f32 1x3x2:"+list(6, k)+"\nv = f32 1x3x3:"+list(9, v)+
			"\np = f32 1x1x2x3:"+list(6, past)+"\ng = f32 1x3x1:"+list(3, decay)+"\nG = f32 1x3x2:"+list(6, decay)+
			"\nb = f32 1x3x1:"+list(3, beta)+fmt.Sprintf("\ny, s = LinearAttention(%s) q_num_heads=2 kv_num_heads=1 update_rule=%q %s",
			c.inputs, c.rule, c.attributes)+
			"\nwant y = f32 1x3x6:"+list(len(y), func(i int) float64 { return y[i] })+
			"\nwant s = f32 1x1x2x3:"+list(6, func(i int) float64 { return state[i/width][i%width] }))
	}
}

// TestLinearAttentionOfHeads: each head of keys has a share of its own of what it lacks.
func TestLinearAttentionOfHeads(t *testing.T) {
	check(t, "version 27\nq = f32 1x1x2: 1 2\nk = f32 1x1x2: 2 3\nv = f32 1x1x2: 5 7\np = f32 1x2x1x1: 1 2\nb = f32 1x1x2: 0.5 0.25\n"+
		"y, s = LinearAttention(q, k, v, p, \"\", b) q_num_heads=2 kv_num_heads=2 update_rule=\"delta\" scale=1.0\nwant y = f32 1x1x2: 4 5.5\nwant s = f32 1x2x1x1: 4 2.75")
}
