package engine

import (
	"math"

	"github.com/go-acap/acap/base/buf"
	"github.com/go-acap/acap/base/dtype"
	"github.com/go-acap/acap/base/shape"
	"github.com/go-acap/acap/mlir/dialect/acap"
	"github.com/go-acap/acap/ops"
)

// moved draws an operation that puts elements elsewhere, or a chain that has a kernel of its own.
func (p *program) moved(q quantity) quantity {
	dims := q.Shape()
	rank := len(dims)
	switch kind := p.r.IntN(9); {
	case kind == 0:
		return p.inserted(q)
	case kind == 1:
		return p.inserted(p.inserted(q))
	case kind == 2 && rank > 0:
		return p.joined(q, p.r.IntN(rank))
	case kind == 3 && rank > 0:
		return p.gathered(q, p.r.IntN(rank))
	case kind == 4 && rank > 0:
		return p.scattered(q, p.r.IntN(rank))
	case kind == 5 && rank > 1:
		return p.masked(q)
	case kind == 6 && rank > 0:
		return p.softmax(q)
	case kind == 7:
		return p.attended(q)
	}
	axis := p.r.IntN(rank + 1)
	to := append(append(append([]int(nil), dims[:axis]...), 1), dims[axis:]...)
	wide := append([]int(nil), to...)
	wide[axis] = 1 + p.r.IntN(4)
	q.val = p.Broadcast(p.Reshape(q.val, to), wide)
	return q
}

// sized returns a value of the type of q and of a shape.
func (p *program) sized(q quantity, dims []int) quantity {
	for range 4 {
		if o := p.pick(); o.D == q.D && shape.Equal(o.Shape(), dims) {
			return o
		}
	}
	return p.newInput(q.D, dims)
}

// either has elements of both quantities.
func either(val val, a, b quantity) quantity {
	return quantity{val: val, most: max(a.most, b.most), step: min(a.step, b.step), err: max(a.err, b.err), special: a.special || b.special}
}

// inserted puts a slice, of the value itself or of another, in the place of one.
func (p *program) inserted(q quantity) quantity {
	dims := q.Shape()
	from, to, sizes, steps := make([]int, len(dims)), make([]int, len(dims)), make([]int, len(dims)), make([]int, len(dims))
	ones := make([]int, len(dims))
	axis := p.r.IntN(len(dims) + 1)
	for d, n := range dims {
		steps[d], sizes[d], ones[d] = 1, n, 1
		if d == axis && p.r.IntN(2) == 0 {
			sizes[d] = 1
		} else if d == axis || p.r.IntN(8) == 0 {
			steps[d] += p.r.IntN(2)
			sizes[d] = 1 + p.r.IntN((n-1)/steps[d]+1)
		}
		from[d], to[d] = p.r.IntN(n-sizes[d]+1), p.r.IntN(n-(sizes[d]-1)*steps[d])
	}
	o := q
	if p.r.IntN(2) == 0 {
		o = p.sized(q, dims)
	}
	part := p.Slice(o.val, from, sizes, ones)
	if p.r.IntN(2) == 0 {
		part = p.pointOf(q.D, func(s *ops.Scalars, x []ops.Elem) ops.Elem { return s.Abs(x[0]) }, part)
	}
	return either(p.InsertSlice(part, q.val, to, steps), q, o)
}

// joined puts values one behind the other.
func (p *program) joined(q quantity, axis int) quantity {
	dims := append([]int(nil), q.Shape()...)
	out, list := q, []val{q.val}
	for range 1 + p.r.IntN(3) {
		o := p.sized(q, q.Shape())
		out, list = either(q.val, out, o), append(list, o.val)
	}
	dims[axis] *= len(list)
	out.val = p.Concat(list, axis, ops.TensorType{DType: q.D, Shape: dims})
	return out
}

// positions is an input of positions below n.
func (p *program) positions(n int, dims []int) val {
	b := buf.New(dtype.I64, dims)
	for i := range b.Len() {
		b.SetInt64(i, int64(p.r.IntN(n)))
	}
	v := p.inputOf(b)
	p.consts[len(p.consts)-1] = p.r.IntN(4) == 0
	return v
}

// gathered reads places of an axis, in any order and again.
func (p *program) gathered(q quantity, axis int) quantity {
	dims := append([]int(nil), q.Shape()...)
	at := p.positions(dims[axis], []int{1 + p.r.IntN(9)})
	dims[axis] = at.Shape()[0]
	from := q.val
	q.val = p.FromIndex(ops.TensorType{DType: q.D, Shape: dims}, func(s *ops.Scalars, index []ops.Elem) ops.Elem {
		place := append([]ops.Elem(nil), index...)
		place[axis] = s.At(at, index[axis])
		return s.At(from, place...)
	})
	return q
}

// scattered folds a value into another of the same shape, along an axis.
func (p *program) scattered(q quantity, axis int) quantity {
	o := p.sized(q, q.Shape())
	kind := []string{acap.Assign, acap.Add, acap.Max}[p.r.IntN(3)]
	if kind == acap.Add && q.D.Size() < 4 || kind == acap.Max && (q.special || o.special) {
		kind = acap.Assign
	}
	out := either(p.Scatter(kind, o.val, p.positions(q.Shape()[axis], q.Shape()), q.val, axis), q, o)
	if kind == acap.Add {
		n := float64(q.Shape()[axis])
		out.most, out.err = q.most+n*o.most, q.err+n*o.err
		if out.err > 0 || out.special {
			out.err += n * unit(q.D) * out.most
		}
		return p.rounded(out)
	}
	return out
}

// masked hides what lies above a diagonal.
func (p *program) masked(q quantity) quantity {
	dims := q.Shape()
	rank, shift := len(dims), float64(p.r.IntN(3)-1)
	hidden := []float64{0, -2, math.Inf(-1)}[p.r.IntN(3)]
	if !q.D.IsFloat() {
		hidden = max(hidden, -2)
	}
	x := q.val
	q.val = p.FromIndex(ops.TensorType{DType: q.D, Shape: dims}, func(s *ops.Scalars, index []ops.Elem) ops.Elem {
		above := s.Cmp("gt", index[rank-1], s.Add(index[rank-2], s.Const(dtype.I64, shift)))
		return s.Select(above, s.Const(q.D, hidden), s.At(x, index...))
	})
	q.most = max(q.most, 2)
	q.special = q.special || math.IsInf(hidden, 0)
	return q
}

// softmax is along the last dimension.
func (p *program) softmax(q quantity) quantity {
	if q.special || q.D != dtype.F32 && q.D != dtype.F64 || q.err > 1e-2 {
		return q
	}
	q.val = p.net.softmax(q.val)
	q.most, q.step, q.err = 1, 0, 4*q.err
	return p.rounded(q)
}

// attended is an attention of new queries to the rows of a value: softmax(scale·Q·Kᵀ + mask)·V, in one of the ways to
// write it.
func (p *program) attended(q quantity) quantity {
	dims := q.Shape()
	if q.D != dtype.F32 || q.special || q.err > 1e-3 || len(dims) == 0 || shape.Size(dims) < 4 {
		return q
	}
	d := dims[len(dims)-1]
	keys := p.Reshape(q.val, []int{1, shape.Size(dims) / d, d})
	n := keys.Shape()[1]
	queries := p.newInput(dtype.F32, []int{1, 1 + p.r.IntN(12), d})
	values := keys
	if p.r.IntN(2) == 0 {
		o := p.newInput(dtype.F32, []int{1, n, 1 + p.r.IntN(9)})
		if o.special {
			return q
		}
		values, q.most = o.val, max(q.most, o.most)
	}
	if queries.special {
		return q
	}
	x := queries.val
	before := p.r.IntN(2) == 0
	if before {
		x = p.scale(x, 0.25)
	}
	scores := p.Contract(x, p.Permute(keys, []int{0, 2, 1}), dtype.F32)
	if !before {
		scores = p.scale(scores, 0.25)
	}
	hidden := []float64{math.Inf(-1), -1e9}[p.r.IntN(2)]
	at := scores
	switch p.r.IntN(4) {
	case 0: // of positions
		scores = p.FromIndex(ops.TensorType{DType: dtype.F32, Shape: at.Shape()}, func(s *ops.Scalars, index []ops.Elem) ops.Elem {
			return s.Select(s.Cmp("gt", index[2], index[1]), s.Const(dtype.F32, hidden), s.At(at, index...))
		})
	case 1: // that is added
		mask := p.newInput(dtype.F32, []int{at.Shape()[1], n})
		if mask.special {
			return q
		}
		scores = p.add(scores, mask.val)
	case 2: // by numbers, which never hides all
		mask := p.positions(2, []int{1, 1, n})
		scores = p.FromIndex(ops.TensorType{DType: dtype.F32, Shape: at.Shape()}, func(s *ops.Scalars, index []ops.Elem) ops.Elem {
			shown := s.Or(s.Cmp("gt", s.At(mask, s.ConstInt(dtype.I64, 0), s.ConstInt(dtype.I64, 0), index[2]), s.ConstInt(dtype.I64, 0)),
				s.Cmp("eq", index[2], s.ConstInt(dtype.I64, 0)))
			return s.Select(shown, s.At(at, index...), s.Const(dtype.F32, hidden))
		})
	}
	size := float64(d) * q.most // of a score, beside the scale of a quarter and queries of at most 4
	out := quantity{val: p.Contract(p.net.softmax(scores), values, dtype.F32), most: q.most}
	out.err = q.err + 4*q.most*(float64(d)*q.err+8*unit(dtype.F32)*size*float64(d))
	return p.rounded(out)
}
