package network

import (
	"math"

	"github.com/go-acap/acap/tensor"
)

// recur is the first part of a layer that keeps a state.
func (m *Network) recur(x *tensor.Tensor, i int, s *pass) *tensor.Tensor {
	r := m.Recurrence
	if r.Delta {
		return m.delta(x, i, s)
	}
	all := m.project(x, in(i, "ssm_in"))
	gate, row, step := all.Narrow(-1, 0, r.Inner()), all.Narrow(-1, r.Inner(), r.Channels()), all.Narrow(-1, r.Inner()+r.Channels(), r.Heads)
	row = m.mixed(row, i, s)
	keys := r.Keys * r.KeyWidth
	v := s.heads(row.Narrow(-1, 0, r.Inner()), r.Width).Transpose(1, 2)
	k, q := s.shared(row.Narrow(-1, r.Inner(), keys)), s.shared(row.Narrow(-1, r.Inner()+keys, keys))
	step = s.real(s.heads(step.Add(m.get(in(i, "ssm_dt.bias"))).Softplus(), 1).Transpose(1, 2)) // [sequences, heads, tokens, 1]
	y := s.scan(i, q, k, v.Mul(step), step.Mul(m.column(i, "ssm_a")), nil)
	y = y.Add(v.Mul(m.column(i, "ssm_d")))
	y = y.Transpose(1, 2).Reshape([]int{s.rows(), r.Inner()}).Mul(gate.SiLU())
	groups := []int{s.rows(), r.NormGroups, r.Inner() / r.NormGroups}
	y = m.unit(y.Reshape(groups), m.Epsilon).Mul(m.get(in(i, "ssm_norm.weight")).Reshape(groups[1:])).Reshape([]int{s.rows(), r.Inner()})
	return m.project(y, in(i, "ssm_out"))
}

// delta is the gated delta rule of Qwen3-Next.
func (m *Network) delta(x *tensor.Tensor, i int, s *pass) *tensor.Tensor {
	r := m.Recurrence
	keys, shared := r.Keys*r.KeyWidth, r.Heads/r.Keys
	flat := func(x *tensor.Tensor) *tensor.Tensor { return x.Reshape([]int{s.rows(), -1}) }
	var row, gate, beta, alpha *tensor.Tensor
	if name := in(i, "ssm_in"); m.has(name + ".weight") { // what belongs to a head of keys lies together
		all := m.project(x, name).Reshape([]int{s.rows(), r.Keys, -1})
		part := func(from, width int) *tensor.Tensor { return flat(all.Narrow(-1, from, width)) }
		values := shared * r.Width
		row = tensor.Cat([]*tensor.Tensor{part(0, r.KeyWidth), part(r.KeyWidth, r.KeyWidth), part(2*r.KeyWidth, values)}, tensor.Dim(-1))
		gate = part(2*r.KeyWidth+values, values)
	} else {
		row, gate = m.project(x, in(i, "attn_qkv")), m.project(x, in(i, "attn_gate"))
	}
	if name := in(i, "ssm_ba"); m.has(name + ".weight") {
		both := m.project(x, name).Reshape([]int{s.rows(), r.Keys, 2 * shared})
		beta, alpha = flat(both.Narrow(-1, 0, shared)), flat(both.Narrow(-1, shared, shared))
	} else {
		beta, alpha = m.project(x, in(i, "ssm_beta")), m.project(x, in(i, "ssm_alpha"))
	}
	row = m.mixed(row, i, s)
	q, k := s.shared(row.Narrow(-1, 0, keys)), s.shared(row.Narrow(-1, keys, keys))
	long := func(x *tensor.Tensor) *tensor.Tensor {
		return x.Mul(x.Mul(x).SumDim([]int{-1}, tensor.KeepDim).AddScalar(1e-6).Rsqrt())
	}
	v := s.heads(row.Narrow(-1, 2*keys, r.Inner()), r.Width).Transpose(1, 2)
	decay := s.heads(alpha.Add(m.get(in(i, "ssm_dt.bias"))).Softplus().Mul(m.get(in(i, "ssm_a.weight"))), 1).Transpose(1, 2)
	beta = s.real(s.heads(beta.Sigmoid(), 1).Transpose(1, 2))
	y := s.scan(i, long(q).MulScalar(1/math.Sqrt(float64(r.KeyWidth))), long(k), v, s.real(decay), beta)
	y = m.norm(y.Transpose(1, 2), in(i, "ssm_norm")).Reshape([]int{s.rows(), r.Inner()})
	return m.project(y.Mul(gate.SiLU()), in(i, "ssm_out"))
}

// column is the number of each head, [heads, 1, 1].
func (m *Network) column(i int, name string) *tensor.Tensor {
	return m.get(in(i, name+".weight")).Reshape([]int{m.Recurrence.Heads, 1, 1})
}

// shared cuts rows into heads of keys and gives each head of values its own: [sequences, heads, tokens, width].
func (s *pass) shared(x *tensor.Tensor) *tensor.Tensor {
	r := s.net.Recurrence
	x = s.heads(x, r.KeyWidth).Transpose(1, 2)
	each, at := []int{s.sequences, r.Keys, r.Heads / r.Keys, s.tokens, r.KeyWidth}, 2
	if r.Turns {
		each[1], each[2], at = each[2], each[1], 1
	}
	return x.Unsqueeze(at).Expand(each).Reshape([]int{s.sequences, r.Heads, s.tokens, r.KeyWidth})
}

// mixed convolves each channel of rows along the last tokens, and activates what comes of it.
func (m *Network) mixed(x *tensor.Tensor, i int, s *pass) *tensor.Tensor {
	r := m.Recurrence
	before, width := r.Taps-1, r.Channels()
	x = x.Reshape([]int{s.sequences, s.tokens, width})
	all := tensor.Cat([]*tensor.Tensor{s.state(i, 0).Reshape([]int{s.sequences, before, width}), x}, tensor.Dim(1))
	if s.tokens == 1 {
		s.keep(i, 0, all.Narrow(1, 1, before))
	} else { // one sequence, whose last rows may be those that fill up the pass
		count := s.reals().SumDim([]int{-2}).Reshape([]int{1})
		s.keep(i, 0, all.IndexSelect(1, as(count, s.where.DType()).Add(m.numbers(before))))
	}
	w := m.get(in(i, "ssm_conv1d.weight")).Reshape([]int{width, r.Taps}).Transpose(0, 1)
	var y *tensor.Tensor
	for t := range r.Taps {
		part := all.Narrow(1, t, s.tokens).Mul(w.Select(0, t))
		if y == nil {
			y = part
		} else {
			y = y.Add(part)
		}
	}
	if bias := m.get(in(i, "ssm_conv1d.bias")); bias != nil {
		y = y.Add(bias)
	}
	return y.SiLU().Reshape([]int{s.rows(), width})
}

// mostChunk is how many tokens of a piece are computed as matrices at once. The state goes from chunk to chunk.
const mostChunk = 64

// scan runs the recurrence over the tokens of the pass, and keeps the state. q, k and v are [sequences, heads, tokens,
// width], the logarithms of decays and beta [sequences, heads, tokens, 1]; beta is nil without the delta rule. Within a
// chunk all u follow from each other: (I + A) u = beta (v - a k S), where A is the products of keys with keys before
// them.
func (s *pass) scan(i int, q, k, v, decay, beta *tensor.Tensor) *tensor.Tensor {
	r, chunk := s.net.Recurrence, min(s.tokens, mostChunk)
	for s.tokens%chunk != 0 {
		chunk /= 2
	}
	heads, chunks := s.sequences*r.Heads, s.tokens/chunk
	cut := func(x *tensor.Tensor) *tensor.Tensor {
		if x == nil {
			return nil
		}
		return x.Reshape([]int{heads, chunks, chunk, x.Size(-1)})
	}
	q, k, v, decay, beta = cut(q), cut(k), cut(v), cut(decay), cut(beta)
	both := q
	if beta != nil {
		both = tensor.Cat([]*tensor.Tensor{q, k}, tensor.Dim(2))
	}
	alike := both.MatMul(k.Transpose(2, 3))
	within := alike.Narrow(2, 0, chunk) // what a query reads of what tokens of its chunk have changed
	var solve *tensor.Tensor
	if chunk > 1 {
		decay = decay.Cumsum(2)
		row, column := s.net.numbers(chunk).Reshape([]int{chunk, 1}), s.net.numbers(chunk)
		since := decay.Sub(decay.Transpose(2, 3)).MaskedFillScalar(row.Lt(column), math.Inf(-1)).Exp()
		within = within.Mul(since)
		if beta != nil {
			solve = s.net.inverse(alike.Narrow(2, chunk, chunk).Mul(since).Mul(beta))
		}
	}
	state := s.state(i, 1).Reshape([]int{heads, r.KeyWidth, r.Width})
	var list []*tensor.Tensor
	for n := range chunks {
		at := func(x *tensor.Tensor) *tensor.Tensor { return x.Select(1, n) }
		grown := at(decay)
		read := at(both).BMM(state)
		u := at(v)
		if beta != nil {
			u = u.Sub(read.Narrow(1, chunk, chunk).Mul(grown.Exp())).Mul(at(beta))
		}
		if solve != nil {
			u = at(solve).BMM(u)
		}
		read = read.Narrow(1, 0, chunk).Mul(grown.Exp())
		last := grown.Narrow(1, chunk-1, 1)
		if chunk == 1 {
			list = append(list, read.Add(at(within).Mul(u)))
			state = state.Mul(last.Exp()).Add(at(k).Transpose(1, 2).Mul(u))
		} else {
			list = append(list, read.Add(at(within).BMM(u)))
			state = state.Mul(last.Exp()).Add(at(k).Transpose(1, 2).BMM(u.Mul(last.Sub(grown).Exp())))
		}
	}
	s.keep(i, 1, state)
	y := list[0]
	if chunks > 1 {
		y = tensor.Stack(list, tensor.Dim(1))
	}
	return y.Reshape([]int{s.sequences, r.Heads, s.tokens, r.Width})
}

// inverse is the inverse of I + A, where A has the elements below the diagonal of the given matrices. Blocks on the
// diagonal are inverted, and double in size: the inverse of [P 0; L Q] has P' and Q', and below them -Q' L P'.
func (m *Network) inverse(a *tensor.Tensor) *tensor.Tensor {
	size := a.Size(-1)
	row, column := m.numbers(size).Reshape([]int{size, 1}), m.numbers(size)
	x := as(row.Eq(column), a.DType()) // of blocks of one element
	for block := 1; block < size; block *= 2 {
		r, c := row.FloorDivideScalar(block), column.FloorDivideScalar(block)
		below := a.Mul(as(r.Sub(c).EqScalar(1).LogicalAnd(r.RemainderScalar(2).EqScalar(1)), a.DType()))
		if block > 1 {
			below = x.MatMul(below).MatMul(x)
		}
		x = x.Sub(below)
	}
	return x
}
