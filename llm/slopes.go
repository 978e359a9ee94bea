package llm

import (
	"math"
	"math/bits"

	"github.com/go-acap/acap/base/dtype"
	"github.com/go-acap/acap/tensor"
)

// slopes are those by which scores of each head lessen with the distance of tokens, https://arxiv.org/abs/2108.12409 (ALiBi): powers of
// 2^(-bound/n) for n heads that are a power of two. More heads have every other power of the next n.
func (d *Description) slopes() []float32 {
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

// sloped are what is added to scores, [sequences, heads, tokens, seen]: the slope of the head times the distance, below 0, and minus
// infinity for what is not seen.
func (s *pass) sloped(seen *tensor.Tensor) *tensor.Tensor {
	if s.slopes == nil {
		place := s.net.numbers(s.seen).Reshape([]int{1, 1, 1, s.seen})
		distance := as(place.Sub(s.where.Tensor).Abs().Neg(), dtype.F32)
		s.slopes = distance.Mul(s.net.slope).MaskedFillScalar(seen.LogicalNot(), math.Inf(-1))
	}
	return s.slopes
}
