package ops

import (
	"github.com/go-acap/acap/base/dtype"
	"github.com/go-acap/acap/base/shape"
	"github.com/go-acap/acap/mlir"
)

// lowerIndexPut brings the indexed dimensions of self to the front and makes them one,
// and the index tensors the place in it, so that whole slices are scattered.
func lowerIndexPut(l *Lowering, c *Call) []*mlir.Value {
	x, _ := c.advanced()
	if shape.Size(x.result()) == 0 {
		return one(l.In(c, 0))
	}
	kept := x.kept()
	perm := make([]int, 0, len(x.dims))
	for d, e := range x.entry {
		if e >= 0 {
			perm = append(perm, d)
		}
	}
	indexed := len(perm)
	perm = append(perm, kept...)
	self := l.Permute(l.In(c, 0), perm)
	front := self.Shape()
	places, n := shape.Size(front[:indexed]), shape.Size(x.index)
	flat := l.Reshape(self, append([]int{places}, front[indexed:]...))
	index := l.Reshape(l.placeOf(c, x), append([]int{n}, ones(len(kept))...))
	reduce := ""
	if c.Bool(3) {
		reduce = "sum"
	}
	flat = l.reduceInto(flat, index, l.putValues(c, x, n), 0, reduce, true)
	return one(l.Permute(l.Reshape(flat, front), inverse(perm)))
}

// placeOf gives every point of the broadcast indices the place among the indexed
// dimensions, or -1 if an index lies outside its dimension.
func (l *Lowering) placeOf(c *Call, x *advanced) Lowered {
	index := make([]Lowered, len(x.types))
	for i, v := range x.types {
		if v != nil {
			index[i] = Lowered{l.values(v), v.Type().DType}
		}
	}
	return l.FromIndex(TensorType{dtype.I64, x.index}, func(s *Scalars, at []Elem) Elem {
		zero := s.ConstInt(dtype.I64, 0)
		place, outside := zero, s.ConstInt(dtype.Bool, 0)
		for d, e := range x.entry {
			if e < 0 {
				continue
			}
			extent := s.ConstInt(dtype.I64, int64(x.dims[d]))
			i := s.wrapped(s.atBroadcast(index[e], at), x.dims[d])
			outside = s.Or(outside, s.Or(s.Cmp("lt", i, zero), s.Cmp("ge", i, extent)))
			place = s.Add(s.Mul(place, extent), i)
		}
		return s.Select(outside, s.ConstInt(dtype.I64, -1), place)
	})
}

// putValues are the values, broadcast to what the index selects, with the n points of
// the indices first.
func (l *Lowering) putValues(c *Call, x *advanced, n int) Lowered {
	values := l.Broadcast(l.In(c, 2), x.result())
	perm := make([]int, 0, len(x.result()))
	for i := range x.index {
		perm = append(perm, x.first+i)
	}
	for _, d := range x.kept() {
		perm = append(perm, x.resultDim(d))
	}
	values = l.Permute(values, perm)
	return l.Reshape(values, append([]int{n}, values.Shape()[len(x.index):]...))
}
