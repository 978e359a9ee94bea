package tosa

import (
	"slices"

	"github.com/go-acap/acap/mlir"
	"github.com/go-acap/acap/mlir/dialect/arith"
	"github.com/go-acap/acap/mlir/dialect/linalg"
	tensordialect "github.com/go-acap/acap/mlir/dialect/tensor"
)

func init() {
	rules["reshape"] = func(l *lowering) *mlir.Value { return l.reshape(l.in(0), l.result().Shape) }
	rules["transpose"] = func(l *lowering) *mlir.Value { return transpose(l, l.constants(1)) }
	rules["slice"] = func(l *lowering) *mlir.Value {
		n := len(l.shape(l.in(0)))
		return l.slice(l.in(0), l.ints("start", n), l.ints("size", n))
	}
	rules["concat"] = func(l *lowering) *mlir.Value {
		t := l.result()
		axis, start := l.axis(t.Shape), 0
		out := l.empty(t.Shape, t.Elem)
		for _, v := range l.op.Operands {
			at := make([]int, len(t.Shape))
			at[axis] = start
			out = l.insert(v, out, at)
			start += l.shape(v)[axis]
		}
		return out
	}
	rules["pad"] = func(l *lowering) *mlir.Value {
		if len(l.op.Operands) > 2 {
			return pad(l, tensordialect.Extract(l.Builder, l.in(2)))
		}
		return pad(l, number(l.Builder, elem(l.in(0)), 0))
	}
	rules["tile"] = func(l *lowering) *mlir.Value {
		v := l.in(0)
		shape := l.shape(v)
		times := l.ints("multiples", len(shape))
		var wide, from []int
		for i, n := range shape {
			from = append(from, len(wide)+1)
			wide = append(wide, times[i], n)
		}
		repeated := linalg.Generic(l.Builder, []*mlir.Value{v}, []*mlir.Value{l.empty(wide, elem(v))},
			[]mlir.AffineMap{mlir.Projection(len(wide), from...), mlir.Identity(len(wide))}, parallel(len(wide)),
			func(_ *mlir.Builder, x []*mlir.Value) []*mlir.Value { return x[:1] })[0]
		return l.reshape(repeated, l.result().Shape)
	}
	rules["reverse"] = func(l *lowering) *mlir.Value {
		return l.reversed(l.in(0), l.axis(l.shape(l.in(0))))
	}
	rules["gather"] = func(l *lowering) *mlir.Value {
		values, indices := l.in(0), l.in(1)
		return l.each(l.result(), func(s scalars, at []*mlir.Value) *mlir.Value {
			i := arith.IndexCast(s.Builder, tensordialect.Extract(s.Builder, indices, at[0], at[1]), mlir.Index)
			return tensordialect.Extract(s.Builder, values, at[0], i, at[2])
		})
	}
	rules["scatter"] = scatter
	rules["resize"] = resize
}

// transpose moves dimension perm[i] to i.
func transpose(l *lowering, perm []int) *mlir.Value {
	n := len(l.shape(l.in(0)))
	inverse := make([]int, n)
	for i := range inverse {
		inverse[i] = -1
	}
	if len(perm) != n {
		l.fail("needs %d dimensions", n)
	}
	for i, d := range perm {
		if d < 0 || d >= n || inverse[d] >= 0 {
			l.fail("%v is no permutation", perm)
		}
		inverse[d] = i
	}
	t := l.result()
	return linalg.Generic(l.Builder, []*mlir.Value{l.in(0)}, []*mlir.Value{l.empty(t.Shape, t.Elem)},
		[]mlir.AffineMap{mlir.Projection(n, inverse...), mlir.Identity(n)}, parallel(n),
		func(_ *mlir.Builder, x []*mlir.Value) []*mlir.Value { return x[:1] })[0]
}

// pad surrounds the first operand with a value, by the numbers of the second.
func pad(l *lowering, value *mlir.Value) *mlir.Value {
	list, n := l.constants(1), len(l.shape(l.in(0)))
	if len(list) != 2*n {
		l.fail("needs two numbers for each of %d dimensions", n)
	}
	low, high := make([]int, n), make([]int, n)
	for i := range n {
		low[i], high[i] = list[2*i], list[2*i+1]
	}
	return l.pad(l.in(0), low, high, value)
}

func staticSegments(counts ...int64) mlir.Named {
	return mlir.Named{Name: "operandSegmentSizes", Value: mlir.DenseArrayAttr{Elem: mlir.I32, Ints: counts}}
}

func sliceAttrs(start, size []int, counts ...int64) mlir.Attrs {
	return mlir.Attrs{staticSegments(counts...), {Name: "static_offsets", Value: mlir.Ints(start)},
		{Name: "static_sizes", Value: mlir.Ints(size)},
		{Name: "static_strides", Value: mlir.Ints(slices.Repeat([]int{1}, len(start)))}}
}

func (l *lowering) slice(v *mlir.Value, start, size []int) *mlir.Value {
	for i, n := range l.shape(v) {
		if start[i] < 0 || size[i] < 0 || start[i] > n-size[i] {
			l.fail("%d elements from %d are outside of %d", size[i], start[i], n)
		}
	}
	return l.Create("tensor.extract_slice", []*mlir.Value{v}, []mlir.Type{mlir.TensorType{Shape: size, Elem: elem(v)}},
		sliceAttrs(start, size, 1, 0, 0, 0)).Result()
}

func (l *lowering) insert(v, into *mlir.Value, start []int) *mlir.Value {
	return l.Create("tensor.insert_slice", []*mlir.Value{v, into}, []mlir.Type{into.Type},
		sliceAttrs(start, l.shape(v), 1, 1, 0, 0, 0)).Result()
}

// pad surrounds a tensor with a value.
func (l *lowering) pad(v *mlir.Value, low, high []int, value *mlir.Value) *mlir.Value {
	shape := slices.Clone(l.shape(v))
	none := true
	for i := range shape {
		if low[i] < 0 || high[i] < 0 {
			l.fail("pads by a negative number")
		}
		none = none && low[i] == 0 && high[i] == 0
		shape[i] += low[i] + high[i]
	}
	if none {
		return v
	}
	op := mlir.NewOp("tensor.pad", []*mlir.Value{v}, []mlir.Type{mlir.TensorType{Shape: shape, Elem: elem(v)}},
		mlir.Attrs{staticSegments(1, 0, 0), {Name: "static_high", Value: mlir.Ints(high)}, {Name: "static_low", Value: mlir.Ints(low)}})
	block := op.AddRegion().AddBlock(slices.Repeat([]mlir.Type{mlir.Index}, len(shape))...)
	l.In(block).Create("tensor.yield", []*mlir.Value{value}, nil, nil)
	return l.Insert(op).Result()
}

func (l *lowering) reversed(v *mlir.Value, axes ...int) *mlir.Value {
	t := v.Type.(mlir.TensorType)
	return l.each(t, func(s scalars, at []*mlir.Value) *mlir.Value {
		for _, axis := range axes {
			at[axis] = arith.SubI(s.Builder, arith.Index(s.Builder, t.Shape[axis]-1), at[axis])
		}
		return tensordialect.Extract(s.Builder, v, at...)
	})
}

// scatter: an element of the result is the update that has its index, or the old element.
func scatter(l *lowering) *mlir.Value {
	values, indices, updates := l.in(0), l.in(1), l.in(2)
	// The loops are n, k, c and w.
	kinds := append(parallel(3), linalg.Reduction)
	maps := []mlir.AffineMap{mlir.Projection(4, 0, 3), mlir.Projection(4, 0, 3, 2), mlir.Projection(4, 0, 1, 2)}
	return linalg.Generic(l.Builder, []*mlir.Value{indices, updates}, []*mlir.Value{values}, maps, kinds,
		func(b *mlir.Builder, x []*mlir.Value) []*mlir.Value {
			s := scalars{b}
			here := arith.CmpI(b, arith.EQ, arith.IndexCast(b, x[0], mlir.Index), s.index(1))
			return []*mlir.Value{arith.Select(b, here, x[1], x[2])}
		})[0]
}

// resize samples the nearest element, or between four.
func resize(l *lowering) *mlir.Value {
	v, t := l.in(0), l.result()
	in := l.shape(v)
	scale, offset := l.ints("scale", 4), l.ints("offset", 2)
	mode, _ := l.op.Attrs.Get("mode").(mlir.StringAttr)
	if len(in) != 4 || len(t.Shape) != 4 || scale[0] <= 0 || scale[2] <= 0 {
		l.fail("needs images of four dimensions and positive scales")
	}
	return l.each(t, func(s scalars, at []*mlir.Value) *mlir.Value {
		b := s.Builder
		n := func(x int) *mlir.Value { return arith.Index(b, x) }
		// along one axis: the element below, the one above, and how far between them
		along := func(axis int) (low, high, part *mlir.Value) {
			k := axis - 1
			up, down := scale[2*k], scale[2*k+1]
			place := arith.AddI(b, arith.MulI(b, at[axis], n(down)), n(offset[k]))
			low = arith.Binary(b, "floordivsi", place, n(up))
			part = arith.SubI(b, place, arith.MulI(b, low, n(up)))
			high = arith.AddI(b, low, n(1))
			bound := func(x *mlir.Value) *mlir.Value {
				return arith.MaxSI(b, arith.MinSI(b, x, n(in[axis]-1)), n(0))
			}
			if mode == "NEAREST_NEIGHBOR" {
				nearest := arith.Select(b, arith.CmpI(b, arith.SGE, arith.MulI(b, part, n(2)), n(up)), high, low)
				return bound(nearest), nil, nil
			}
			return bound(low), bound(high), part
		}
		y0, y1, dy := along(1)
		x0, x1, dx := along(2)
		pixel := func(y, x *mlir.Value) *mlir.Value { return tensordialect.Extract(b, v, at[0], y, x, at[3]) }
		if mode == "NEAREST_NEIGHBOR" {
			return pixel(y0, x0)
		}
		if isFloat(t.Elem) {
			share := func(part *mlir.Value, up int) *mlir.Value {
				whole := arith.Cast(b, "sitofp", arith.IndexCast(b, part, mlir.I32), t.Elem)
				return arith.Binary(b, "divf", whole, number(b, t.Elem, float64(up)))
			}
			between := func(p, q, d *mlir.Value) *mlir.Value {
				one := number(b, t.Elem, 1)
				return arith.AddF(b, arith.MulF(b, p, arith.SubF(b, one, d)), arith.MulF(b, q, d))
			}
			fy, fx := share(dy, scale[0]), share(dx, scale[2])
			return between(between(pixel(y0, x0), pixel(y0, x1), fx), between(pixel(y1, x0), pixel(y1, x1), fx), fy)
		}
		between := func(p, q, d *mlir.Value, up int) *mlir.Value {
			d = arith.IndexCast(b, d, t.Elem)
			p, q = wider(b, p, t.Elem), wider(b, q, t.Elem)
			return arith.AddI(b, arith.MulI(b, p, arith.SubI(b, integer(b, t.Elem, up), d)), arith.MulI(b, q, d))
		}
		return between(between(pixel(y0, x0), pixel(y0, x1), dx, scale[2]), between(pixel(y1, x0), pixel(y1, x1), dx, scale[2]), dy, scale[0])
	})
}
