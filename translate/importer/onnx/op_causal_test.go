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

// TestCausalConvolutionOfOneCall: a kernel with gaps reads further back; channels may come last; and the state of each
// of the last tokens is kept. The values are of PyTorch 2.14 (conv1d of what stands before and x).
func TestCausalConvolutionOfOneCall(t *testing.T) {
	const all = "x = f32 1x2x4: -2 0.5 3 0 2.5 -0.5 2 -1\nw = f32 2x1x3: -2 0 2 -1 1 -2\nb = f32 2: 0.5 -1\np = f32 1x2x4: -3 0 3 -1 2 -2 1 -3\n" +
		"l = f32 1x4x1x2: -2 2.5 0.5 -0.5 3 2 0 -1\nk = f32 1x4x1x2: -3 2 0 -2 3 1 -1 -3\n"
	const y = "2.5 1.5 0.5 2.5 -7 -1 -3.5 3.5"
	checkEach(t, all,
		"y, s = com.microsoft.CausalConvWithState(x, w, b, p) dilation=2\nwant y = f32 1x2x4: "+y+"\nwant s = f32 1x2x4: -2 0.5 3 0 2.5 -0.5 2 -1",
		"y, s = com.microsoft.CausalConvWithState(x, w, b, p) dilation=2 activation=\"silu\"\n"+
			"want y = f32 1x2x4: 2.310354 1.226362 0.3112297 2.310354 -0.006377358 -0.2689414 -0.1025928 3.397407",
		"y, s = com.microsoft.CausalConvWithState(l, w, b, k) dilation=2 channels_last=1\n"+
			"want y = f32 1x4x1x2: 2.5 -7 1.5 -1 0.5 -3.5 2.5 3.5\nwant s = f32 1x4x1x2: -2 2.5 0.5 -0.5 3 2 0 -1",
		// Of a window of two states the last one is read, and the last two are kept.
		"q = f32 2x1x2x4: 9 9 9 9 9 9 9 9 -3 0 3 -1 2 -2 1 -3\ny, s = com.microsoft.CausalConvWithState(x, w, b, q) dilation=2 state_window=2\n"+
			"want y = f32 1x2x4: "+y+"\nwant s = f32 2x1x2x4: -1 -2 0.5 3 -3 2.5 -0.5 2 -2 0.5 3 0 2.5 -0.5 2 -1",
		"o = f32 1x2x1: -2 2.5\nh = f32 2x1x2: 1 1 1 1\ny, s = com.microsoft.CausalConvWithState(o, h) state_window=3\nwant s = f32 3x1x2x1: 0 0 0 0 -2 2.5",
	)
	refuseEach(t, all, map[string]string{
		"y, s = com.microsoft.CausalConvWithState(x, w) ndim=2":                "ndim 2 is not supported",
		"y, s = com.microsoft.CausalConvWithState(x, w) dilation=0":            "dilation 0",
		"y, s = com.microsoft.CausalConvWithState(x, w) state_window=9":        "state_window 9 is not between 0 and 8",
		"y, s = com.microsoft.CausalConvWithState(x, w, b, p) dilations=2":     `has no attribute "dilations"`,
		"y, s = com.microsoft.CausalConvWithState(x, w, b, p)":                 "a state of [1 2 4] where [1 2 2] is needed",
		"y, s = com.microsoft.CausalConvWithState(l, w, b, p) channels_last=1": "a state of [1 2 4] where [1 2 1 2] is needed",
	})
}

// TestLinearAttentionOfFewerHeads: two heads of values share one of queries and keys, as in Qwen3.5. The values are
// those of its recurrence in transformers 5.12.
func TestLinearAttentionOfFewerHeads(t *testing.T) {
	const all = "q = f32 1x3x2: -0.5 0.75 0.25 -0.25 1 0.5\nk = f32 1x3x2: -0.75 0.625 0.375 0.125 -0.125 -0.375\nv = f32 1x3x4: 0 1.5 0.5 2 1 0 1.5 0.5 2 1 0 1.5\n" +
		"g = f32 1x3x2: -0.125 -0.25 -0.375 -0.5 -0.625 -0.75\nb = f32 1x3x2: 0.125 0.75 0.5 0.25 0.875 0.625\np = f32 1x2x2x2: -0.5 -0.25 0 0.25 0.5 0.75 1 1.25\n"
	const y = "want y = f32 1x3x4: 0.1313244 0.2842488 0.4119589 1.128467 -0.02221709 -0.07729971 -0.06025547 -0.2389479 -0.4060794 -0.2399054 0.1710522 -0.1206252\n"
	const second = "-0.07420146 -0.2177131 0.05147738 0.2195601 0.2614539 -0.2265988 0.6023104 1.125095"
	const third = "-0.2590543 -0.2291355 -0.6304575 -0.220284 0.1139607 -0.23875 0.2558872 0.1363203"
	checkEach(t, all,
		"y, s = com.microsoft.LinearAttention(q, k, v, p, g, b) q_num_heads=1 kv_num_heads=2\n"+y+"want s = f32 1x2x2x2: "+third,
		"o = f32 2x1x2x2x2: 9 9 9 9 9 9 9 9 -0.5 -0.25 0 0.25 0.5 0.75 1 1.25\n"+
			"y, s = com.microsoft.LinearAttention(q, k, v, o, g, b) q_num_heads=1 kv_num_heads=2 state_window=2\n"+y+"want s = f32 2x1x2x2x2: "+second+" "+third,
		"Q = f32 1x1x2: -0.5 0.75\nK = f32 1x1x2: -0.75 0.625\nV = f32 1x1x4: 0 1.5 0.5 2\nG = f32 1x1x2: -0.125 -0.25\nB = f32 1x1x2: 0.125 0.75\no = f32 2x1x2x2x2: 9 9 9 9 9 9 9 9 -0.5 -0.25 0 0.25 0.5 0.75 1 1.25\n"+
			"y, s = com.microsoft.LinearAttention(Q, K, V, o, G, B) q_num_heads=1 kv_num_heads=2 state_window=2\n"+
			"want s = f32 2x1x2x2x2: 0 0 0 0 0 0 0 0 -0.4102232 -0.3328094 -0.0258544 0.3141119 0.2176692 -0.4450704 0.92191 1.831143",
		"a = f32 1x2x2: 1 -2 25 0.5\nd = f32 2: 0.5 -1\nc = f32 2: -0.5 -2\ny, s = com.microsoft.LinearAttentionGate(a, d, c, a)\n"+
			"want y = f32 1x2x2: -0.8507066 -0.0971747 -12.75 -0.948154\nwant s = f32 1x2x2: 0.7310586 0.1192029 1 0.6224594",
	)
	refuseEach(t, all, map[string]string{
		"y, s = com.microsoft.LinearAttention(q, k, v, p, g, b) q_num_heads=2 kv_num_heads=3": "2 heads of queries and 3 of keys",
		"y, s = com.microsoft.LinearAttention(q, v, v, p, g, b) q_num_heads=1 kv_num_heads=1": "queries of 2 numbers for keys of 4",
		"y = com.microsoft.LinearAttentionGate(q, b, b)":                                      "a bias of [1 3 2] and a scale of [1 3 2] for [1 3 2]",
	})
	refuseEach(t, "version 27\n"+all, map[string]string{
		"y, s = LinearAttention(q, k, v, p, g, b) q_num_heads=1 kv_num_heads=2": "1 heads of queries and 2 of keys",
	})
}
