package onnx

import (
	"fmt"
	"math"
	"testing"
)

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
