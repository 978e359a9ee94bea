package network

import (
	"math"

	"github.com/go-acap/acap/base/dtype"
	"github.com/go-acap/acap/tensor"
)

// sloped are what is added to scores, [sequences, heads, tokens, seen]: the slope of the head times the distance, below
// 0, and minus infinity for what is not seen.
func (s *pass) sloped(seen *tensor.Tensor) *tensor.Tensor {
	if s.slopes == nil {
		place := s.net.numbers(s.seen).Reshape([]int{1, 1, 1, s.seen})
		distance := as(place.Sub(s.where.Tensor).Abs().Neg(), dtype.F32)
		s.slopes = distance.Mul(s.net.slope).MaskedFillScalar(seen.LogicalNot(), math.Inf(-1))
	}
	return s.slopes
}
