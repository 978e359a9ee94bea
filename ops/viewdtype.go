package ops

import (
	"slices"

	"github.com/go-acap/acap/base/dtype"
	"github.com/go-acap/acap/mlir"
)

// view.dtype shows the bytes of a tensor as elements of another type. Elements of another size share the last
// dimension: four u8 are one f32, the first in its lowest bits, as in the memory of little-endian machines.
func init() {
	register(&Op{
		Schema: "view.dtype(Tensor(a) self, ScalarType dtype) -> Tensor(a)",
		Infer: func(c *Call) error {
			dims, err := c.rebitten(c.DType(1, dtype.Invalid))
			if err != nil {
				return err
			}
			return c.Result(c.DType(1, dtype.Invalid), dims)
		},
		Lower: func(l *Lowering, c *Call) []*mlir.Value {
			return one(l.rebit(l.In(c, 0), c.Out[0]))
		},
		Detached: true,
		View: func(e Emit, c *Call, base, view Value, _ int) Value {
			return e.Call("view.dtype", view, base.Type().DType)
		},
		Samples: samplesOf(Sample{S(2, 4), dtype.I32}, Sample{S(2, 4), dtype.F64}, Sample{S(2, 4), dtype.I16},
			Sample{S(), dtype.U32}),
	})
}

// rebitten returns the extents of argument 0 with its bytes as elements of type d.
func (c *Call) rebitten(d dtype.DType) ([]int, error) {
	dims, from, to := slices.Clone(c.Shape(0)), c.DTypeOf(0).Size(), d.Size()
	last := len(dims) - 1
	switch {
	case from == to:
		return dims, nil
	case last < 0:
		return nil, c.ShapeErrorf("a tensor without dimensions of %v has no view of %v, whose elements have another size",
			c.DTypeOf(0), d)
	case dims[last]*from%to != 0:
		return nil, c.ShapeErrorf("%d elements of %v along the last dimension are no whole number of %v", dims[last],
			c.DTypeOf(0), d)
	}
	dims[last] = dims[last] * from / to
	return dims, nil
}

// rebit gives the bits of t the type and extents of out.
func (l *Lowering) rebit(t Lowered, out TensorType) Lowered {
	from, to := t.D.Size(), out.DType.Size()
	if from == to {
		return l.pointwiseRaw(out, []Lowered{t}, func(s *Scalars, x []Elem) Elem { return s.fromBits(s.asBits(x[0]), out.DType) })
	}
	last := len(out.Shape) - 1
	return l.FromIndex(out, func(s *Scalars, at []Elem) Elem {
		number := func(n int) Elem { return s.ConstInt(dtype.I64, int64(n)) }
		from, to := bitsOfSize[from], bitsOfSize[to]
		index := slices.Clone(at)
		if from.Size() > to.Size() {
			parts := number(from.Size() / to.Size())
			index[last] = s.Div(at[last], parts)
			place := s.Cast(s.Mul(s.Rem(at[last], parts), number(to.Bits())), from)
			return s.fromBits(s.Cast(s.Shr(s.asBits(s.At(t, index...)), place), to), out.DType)
		}
		parts := to.Size() / from.Size()
		sum := s.ConstInt(to, 0)
		for k := range parts {
			index[last] = s.Add(s.Mul(at[last], number(parts)), number(k))
			part := s.Cast(s.asBits(s.At(t, index...)), to)
			sum = s.Or(sum, s.Shl(part, s.ConstInt(to, int64(k*from.Bits()))))
		}
		return s.fromBits(sum, out.DType)
	})
}

// bitsOfSize are the types of bits by their number of bytes.
var bitsOfSize = map[int]dtype.DType{1: dtype.U8, 2: dtype.U16, 4: dtype.U32, 8: dtype.U64}

// asBits returns the bits of an element as an unsigned integer of its size.
func (s *Scalars) asBits(x Elem) Elem {
	d := bitsOfSize[x.D.Size()]
	switch {
	case x.D == dtype.Bool:
		return s.Cast(x, d)
	case x.D.IsFloat8():
		return Elem{x.V, d}
	case x.D.IsFloat():
		return Elem{s.Bits(x).V, d}
	}
	return Elem{x.V, d}
}

// fromBits is the inverse of asBits. A bool is true if any bit is.
func (s *Scalars) fromBits(x Elem, d dtype.DType) Elem {
	switch {
	case d == dtype.Bool:
		return s.Cast(x, d)
	case d.IsFloat() && !d.IsFloat8():
		return s.Bitcast(Elem{x.V, bitsType(d)}, d)
	}
	return Elem{x.V, d}
}

// expandRebit is view.dtype from or to complex numbers, whose parts lie one behind the other.
func expandRebit(e Emit, c *Call) []Value {
	v, from, to := c.Tensor(0), c.DTypeOf(0), c.Out[0].DType
	if from == to {
		return []Value{v}
	}
	if from.IsComplex() {
		v = e.Call("view_as_real", v)
		if dims := v.Type().Shape; len(dims) > 1 {
			v = e.Call("flatten.using_ints", v, -2, -1)
		}
	}
	if part := realOf(to); v.Type().DType != part {
		v = e.Call("view.dtype", v, part)
	}
	dims := c.Out[0].Shape
	if to.IsComplex() {
		return []Value{e.Call("view_as_complex", e.Reshape(v, append(slices.Clone(dims), 2)))}
	}
	return []Value{e.Reshape(v, dims)}
}
