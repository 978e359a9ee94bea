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
