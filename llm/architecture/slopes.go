package architecture

import (
	"math"
	"math/bits"
)

// Slopes are those by which scores of each head lessen with the distance of tokens, https://arxiv.org/abs/2108.12409
// (ALiBi): powers of 2^(-bound/n) for n heads that are a power of two. More heads have every other power of the next n.
func (d *Description) Slopes() []float32 {
	n := 1 << (bits.Len(uint(d.Heads)) - 1)
	list := make([]float32, d.Heads)
	for i := range list {
		power := float64(i+1) / float64(n)
		if i >= n {
			power = float64(2*(i-n)+1) / float64(2*n)
		}
		list[i] = float32(math.Exp2(-d.SlopeBound * power))
	}
	return list
}
