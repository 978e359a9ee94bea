package network

import (
	"github.com/go-acap/acap/base/dtype"
	"github.com/go-acap/acap/llm/cache"
	"github.com/go-acap/acap/tensor"
)

// convolve is the first part of a layer of LFM2: of three products of a row, the first times the third is convolved
// along the last tokens, each element with weights of its own, and the second multiplies what comes of it. The rows
// that are convolved are kept in the pages of the layer, as keys are, so that a sequence can go back, and share its
// beginning.
func (m *Network) convolve(x *tensor.Tensor, i int, s *pass) *tensor.Tensor {
	all := m.project(x, in(i, "shortconv.in_proj"))
	part := func(n int) *tensor.Tensor { return all.Narrow(-1, n*m.Width, m.Width) }
	y := s.last(i, part(0).Mul(part(2)), m.Taps) // [rows, taps, width]
	w := m.get(in(i, "shortconv.conv.weight")).Reshape([]int{m.Width, m.Taps}).Transpose(0, 1)
	y = y.Mul(w).SumDim([]int{1})
	if bias := m.get(in(i, "shortconv.conv.bias")); bias != nil {
		y = y.Add(bias)
	}
	return m.project(part(1).Mul(y), in(i, "shortconv.out_proj"))
}

// last keeps rows of a layer and returns, for each row, the rows of the last tokens up to it, the oldest first: [rows,
// count, width]. Rows in front of the first token are 0.
func (s *pass) last(layer int, x *tensor.Tensor, count int) *tensor.Tensor {
	width := x.Size(-1)
	at := s.where.Reshape([]int{s.sequences, s.tokens, 1}).Add(s.net.numbers(count).SubScalar(count - 1)).Reshape([]int{s.sequences, s.tokens * count})
	some := as(at.GeScalar(0), dtype.F32).Reshape([]int{s.rows(), count, 1})
	at = at.ClampMin(0)
	if s.cache == nil { // one sequence, whose rows are all here
		return x.IndexSelect(0, at.Reshape([]int{-1})).Reshape([]int{s.rows(), count, width}).Mul(some)
	}
	pool := &s.pools[s.net.PoolOf(layer)]
	to := &s.cache[s.net.first[layer]]
	*to = (*to).IndexCopy(2, pool.places.Tensor, x.Reshape([]int{1, 1, s.rows(), width}))
	place := pool.table.Gather(1, at.FloorDivideScalar(cache.PageTokens)).Add(at.RemainderScalar(cache.PageTokens))
	return (*to).IndexSelect(2, place.Reshape([]int{-1})).Reshape([]int{s.rows(), count, width}).Mul(some)
}
