package llm

import (
	"slices"

	"github.com/go-acap/acap/base/dtype"
	"github.com/go-acap/acap/tensor"
)

// states is the span of layers that keep a state in the place of keys and values. Their pool has slots, each with the state of one sequence behind one of its
// tokens. A sequence writes the slot of the page that its last token is in, and reads the one of the token before: a new page takes another slot, and the
// state behind the page before stays as it was. So pages are shared as those of keys are, where a pass has ended with the page, until a slot is taken again.
var states = span{window: 2, state: true}

// spareStates are the slots of a pool beside two of each sequence.
const spareStates = 2

// slot is where the state behind a token is.
func (t *table) slot(position int) int64 {
	if position < 0 {
		return 0
	}
	return int64(t.pages[position/pageTokens])
}

// follow takes the slot of the page that a token is in; pages in front of the page and behind the last one have none.
func (t *table) follow(p *pages, tokens int) bool {
	if len(t.pages) >= pagesFor(tokens) {
		return true
	}
	slot, ok := p.take(0, 1)
	if ok {
		t.pages = append(append(t.pages, make([]int, pagesFor(tokens)-1-len(t.pages))...), slot)
	}
	return ok
}

// statePool is the pool of the states.
func (s *pass) statePool() *places { return &s.pools[slices.Index(s.net.seen, states)] }

// state is what sequences have in a part of a layer's state, [sequences, elements]; 0 in front of the first token.
func (s *pass) state(layer, part int) *tensor.Tensor {
	width := stateRows(&s.net.Description, layer)[part].width
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

// reals is 1 for the tokens of a sequence and 0 for those that fill up the pass, [tokens, 1]. The latter have the position 0, and are not the first.
func (s *pass) reals() *tensor.Tensor {
	where := s.where.Reshape([]int{s.tokens, 1})
	return as(where.GtScalar(0).LogicalOr(s.net.numbers(s.tokens).Reshape([]int{s.tokens, 1}).LtScalar(1)), dtype.F32)
}

// real is 0 for tokens that fill up the pass, so that the state stays what it is behind the others.
func (s *pass) real(x *tensor.Tensor) *tensor.Tensor {
	if s.tokens == 1 {
		return x
	}
	return x.Mul(s.reals())
}
