package network

import (
	"math"

	"github.com/go-acap/acap/base/dtype"
	"github.com/go-acap/acap/llm/architecture"
	"github.com/go-acap/acap/tensor"
)

// attention is the first part of a layer: a row of a pass sees the rows of its sequence.
func (m *Network) attention(x *tensor.Tensor, i int, s *pass) *tensor.Tensor {
	if m.IsConvolved(i) {
		return m.convolve(x, i, s)
	}
	if m.Recurs(i) {
		return m.recur(x, i, s)
	}
	q, k, v, gate := m.queries(x, i, s)
	if m.Turned(i) && m.Latent == nil {
		r := m.RotaryAt(i)
		cos, sin := s.angles(r)
		if q = rotate(q, cos, sin, r); k != nil {
			k = rotate(k, cos, sin, r)
		}
	}
	if m.HeadNormTurned {
		q, k = m.norm(q, in(i, "attn_q_norm")), m.norm(k, in(i, "attn_k_norm"))
	}
	if m.UnitHeadNorm && m.Turned(i) {
		q, k = m.unit(q, m.Epsilon), m.unit(k, m.Epsilon)
	}
	if m.Temperature != 0 && (m.TemperatureAll || !m.Turned(i)) {
		q = q.Mul(s.heat.Tensor)
	}
	k, v = s.remember(i, k, v)
	y := m.attend(q, k, v, i, s)
	y = y.Transpose(1, 2).Reshape([]int{s.rows(), m.Heads * m.ValueWidthAt(i)})
	if gate != nil {
		y = gated(y, gate.Sigmoid())
	}
	return m.project(m.norm(y, in(i, "attn_sub_norm")), in(i, "attn_output"))
}

// gated multiplies rows by as many numbers, or the part of each head by one.
func gated(y, gate *tensor.Tensor) *tensor.Tensor {
	if gate.Size(1) == y.Size(1) {
		return y.Mul(gate)
	}
	parts := []int{gate.Size(0), gate.Size(1), y.Size(1) / gate.Size(1)}
	return y.Reshape(parts).Mul(gate.Unsqueeze(-1)).Reshape(y.Shape())
}

// queries projects rows to queries, keys and values, [sequences, heads, tokens, head width], and to what gates
// attention, [rows, heads * head width] or [rows, heads], if there is a gate.
func (m *Network) queries(x *tensor.Tensor, i int, s *pass) (q, k, v, gate *tensor.Tensor) {
	if m.Latent != nil {
		q, k, v = m.latent(x, i, s)
		return q, k, v, nil
	}
	width := m.HeadWidthAt(i)
	if m.KVSource(i) != i { // which has the keys of another layer
		q = m.norm(s.heads(m.project(x, in(i, "attn_q")), width), in(i, "attn_q_norm"))
		return q.Transpose(1, 2), nil, nil, nil
	}
	qw, kw, vw := m.Heads*width, m.KVHeadsAt(i)*width, m.KVHeadsAt(i)*m.ValueWidthAt(i)
	if name := in(i, "attn_qkv"); m.has(name + ".weight") {
		all := m.project(x, name)
		q, k, v = all.Narrow(-1, 0, qw), all.Narrow(-1, qw, kw), all.Narrow(-1, qw+kw, vw)
	} else {
		q, k = m.project(x, in(i, "attn_q")), m.project(x, in(i, "attn_k"))
		if v = k; !m.ValuesAreKeys(i) {
			v = m.project(x, in(i, "attn_v"))
		}
	}
	if m.Gate { // behind the queries of each head
		both := q.Reshape([]int{s.rows(), m.Heads, 2, m.HeadWidth})
		q, gate = both.Select(2, 0).Reshape([]int{s.rows(), qw}), both.Select(2, 1).Reshape([]int{s.rows(), qw})
	}
	if name := in(i, "attn_gate"); m.has(name + ".weight") {
		gate = m.project(x, name)
	}
	if m.HeadNormWhole {
		q, k = m.norm(q, in(i, "attn_q_norm")), m.norm(k, in(i, "attn_k_norm"))
	}
	if m.Clip != 0 {
		bound := func(x *tensor.Tensor) *tensor.Tensor {
			return x.Clamp(tensor.With("min", -m.Clip), tensor.With("max", m.Clip))
		}
		q, k, v = bound(q), bound(k), bound(v)
	}
	q, k, v = s.heads(q, width), s.heads(k, width), s.heads(v, m.ValueWidthAt(i))
	if m.UnitValues {
		v = m.unit(v, m.Epsilon)
	}
	if !m.HeadNormWhole && !m.HeadNormTurned {
		q, k = m.norm(q, in(i, "attn_q_norm")), m.norm(k, in(i, "attn_k_norm"))
	}
	return q.Transpose(1, 2), k.Transpose(1, 2), v.Transpose(1, 2), gate
}

// latent makes queries, keys and values of narrow rows, and turns the part of them that has positions.
func (m *Network) latent(x *tensor.Tensor, i int, s *pass) (q, k, v *tensor.Tensor) {
	l, r := m.Latent, &m.Rotary
	if m.has(in(i, "attn_q_a.weight")) {
		q = m.project(m.norm(m.project(x, in(i, "attn_q_a")), in(i, "attn_q_a_norm")), in(i, "attn_q_b"))
	} else {
		q = m.project(x, in(i, "attn_q"))
	}
	cos, sin := s.angles(r)
	q = s.heads(q, m.HeadWidth).Transpose(1, 2)
	q = tensor.Cat([]*tensor.Tensor{q.Narrow(-1, 0, l.Plain), rotate(q.Narrow(-1, l.Plain, l.Turned), cos, sin, r)}, tensor.Dim(-1))

	row := m.project(x, in(i, "attn_kv_a_mqa"))
	turned := rotate(s.heads(row.Narrow(-1, l.Rank, l.Turned), l.Turned).Transpose(1, 2), cos, sin, r)
	turned = turned.Expand([]int{s.sequences, m.Heads, s.tokens, l.Turned})
	row = m.norm(row.Narrow(-1, 0, l.Rank), in(i, "attn_kv_a_norm"))
	var plain *tensor.Tensor
	if m.has(in(i, "attn_kv_b.weight")) {
		both := s.heads(m.project(row, in(i, "attn_kv_b")), l.Plain+l.Values).Transpose(1, 2)
		plain, v = both.Narrow(-1, 0, l.Plain), both.Narrow(-1, l.Plain, l.Values)
	} else {
		row = row.Reshape([]int{s.sequences, 1, s.tokens, l.Rank})
		plain = row.MatMul(m.get(in(i, "attn_k_b.weight")))
		v = row.MatMul(m.get(in(i, "attn_v_b.weight")).Transpose(1, 2))
	}
	return q, tensor.Cat([]*tensor.Tensor{plain, turned}, tensor.Dim(-1)), v
}

// rotate turns pairs of a head's elements by the angles of their positions.
func rotate(x, cos, sin *tensor.Tensor, r *architecture.Rotary) *tensor.Tensor {
	rest, width := x.Size(-1)-r.Width, r.Width
	y := x
	if rest > 0 {
		y = x.Narrow(-1, 0, width)
	}
	if r.Pairs {
		dims := append(y.Shape()[:3:3], width/2, 2)
		pair := y.Reshape(dims)
		a, b := pair.Select(-1, 0), pair.Select(-1, 1)
		y = tensor.Stack([]*tensor.Tensor{a.Mul(cos).Sub(b.Mul(sin)), b.Mul(cos).Add(a.Mul(sin))}, tensor.Dim(-1)).Reshape(y.Shape())
	} else {
		a, b := y.Narrow(-1, 0, width/2), y.Narrow(-1, width/2, width/2)
		y = tensor.Cat([]*tensor.Tensor{a.Mul(cos).Sub(b.Mul(sin)), b.Mul(cos).Add(a.Mul(sin))}, tensor.Dim(-1))
	}
	if rest > 0 {
		y = tensor.Cat([]*tensor.Tensor{y, x.Narrow(-1, width, rest)}, tensor.Dim(-1))
	}
	return y
}

// attend is attention over keys and values, [sequences, heads, places, width], behind a mask of what is seen.
func (m *Network) attend(q, k, v *tensor.Tensor, i int, s *pass) *tensor.Tensor {
	seen := s.mask(m.Windowed(i), m.Window, m.Chunked)
	if m.Positions == "slopes" {
		seen = s.sloped(seen)
	}
	keys := m.KVHeadsAt(i)
	shared := m.Heads / keys
	sinks := m.get(in(i, "attn_sinks.weight"))
	if sinks != nil {
		sinks = as(sinks, dtype.F32).Reshape([]int{1, keys, shared, 1})
	}
	if s.tokens == 1 || shared == 1 {
		return m.attendTo(q, k, v, seen, sinks)
	}
	// Each of the heads that share keys goes alone: all of them and their tokens are no matrix that the mask is one of
	// as well.
	q = q.Reshape([]int{s.sequences, keys, shared, s.tokens, m.HeadWidthAt(i)})
	parts := make([]*tensor.Tensor, shared)
	for g := range parts {
		part := sinks
		if sinks != nil {
			part = sinks.Narrow(2, g, 1)
		}
		parts[g] = m.attendTo(q.Select(2, g), k, v, seen, part)
	}
	return tensor.Stack(parts, tensor.Dim(2)).Reshape([]int{s.sequences, m.Heads, s.tokens, m.ValueWidthAt(i)})
}

// attendTo is attention whose scores are scaled, and capped by the tangent where the model says so. A sink of each
// head, if there are sinks, is a place that is seen and has no value. Heads that share keys are rows of one matrix.
func (m *Network) attendTo(q, k, v, seen, sinks *tensor.Tensor) *tensor.Tensor {
	if m.ScoreCap == 0 && sinks == nil {
		return q.ScaledDotProductAttention(k, v, tensor.AttnMask(seen), tensor.With("scale", m.ScoreScale()), tensor.With("enable_gqa", q.Size(1) != k.Size(1)))
	}
	dims := q.Shape()
	q = q.Reshape([]int{dims[0], k.Size(1), dims[1] / k.Size(1) * dims[2], dims[3]})
	scores := q.MatMul(k.Transpose(2, 3)).MulScalar(m.ScoreScale())
	if m.ScoreCap != 0 {
		scores = scores.MulScalar(1 / m.ScoreCap).Tanh().MulScalar(m.ScoreCap)
	}
	scores = scores.MaskedFillScalar(seen.LogicalNot(), math.Inf(-1))
	if sinks != nil {
		scores = tensor.Call("_sink_softmax", scores, sinks, -1)[0]
	} else {
		scores = scores.Softmax(-1)
	}
	return scores.MatMul(v).Reshape([]int{dims[0], dims[1], dims[2], v.Size(3)})
}
