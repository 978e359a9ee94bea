package network

import (
	"slices"

	"github.com/go-acap/acap/base/dtype"
	"github.com/go-acap/acap/llm/cache"
	"github.com/go-acap/acap/tensor"
)

// statePool is the pool of the states.
func (s *pass) statePool() *places { return &s.pools[slices.Index(s.net.Spans, cache.States)] }

// state is a part of a layer's state of each sequence, [sequences, elements]; 0 in front of the first token.
func (s *pass) state(layer, part int) *tensor.Tensor {
	width := cache.StateRowsOf(&s.net.Description, layer)[part].Width
	if s.cache == nil {
		return tensor.Zeros(s.sequences, width).To(s.net.device)
	}
	x := s.cache[s.net.first[layer]+part].IndexSelect(2, s.statePool().table.Reshape([]int{s.sequences})).Reshape([]int{s.sequences, width})
	begun := s.where.Narrow(2, 0, 1).Reshape([]int{s.sequences, 1}).GtScalar(0)
	return begun.Where(x, x.ZerosLike())
}

// keep writes a part of the state of sequences.
func (s *pass) keep(layer, part int, x *tensor.Tensor) {
	if s.cache == nil {
		return
	}
	to := &s.cache[s.net.first[layer]+part]
	*to = (*to).IndexCopy(2, s.statePool().places.Tensor, x.Reshape([]int{1, 1, s.sequences, (*to).Size(3)}))
}

// reals is 1 for the tokens of a sequence and 0 for those that fill up the pass, [tokens, 1]. The latter have the
// position 0, and are not the first.
func (s *pass) reals() *tensor.Tensor {
	where := s.where.Reshape([]int{s.tokens, 1})
	return as(where.GtScalar(0).LogicalOr(s.net.numbers(s.tokens).Reshape([]int{s.tokens, 1}).LtScalar(1)), dtype.F32)
}

// real is 0 for tokens that fill up the pass, which must not change the state, and 1 for the others.
func (s *pass) real(x *tensor.Tensor) *tensor.Tensor {
	if s.tokens == 1 {
		return x
	}
	return x.Mul(s.reals())
}
