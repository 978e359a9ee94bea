package stablehlo

import (
	"slices"

	"github.com/go-acap/acap/base/shape"
	"github.com/go-acap/acap/mlir"
	"github.com/go-acap/acap/mlir/dialect/arith"
	"github.com/go-acap/acap/ops"
)

func resultShape(op *mlir.Operation) []int { return op.Result().Type.(mlir.TensorType).Shape }

// broadcast puts dimensions of the given sizes before the operand's.
func (c *block) broadcast(op *mlir.Operation) {
	x, out := c.in(op)[0], resultShape(op)
	sizes, ok := mlir.IntList(op.Attrs.Get("broadcast_sizes"))
	have := shapeOf(x)
	if !ok || !shape.Equal(append(slices.Clone(sizes), have...), out) {
		c.fail("sizes before %s do not give %v", x.Type, out)
	}
	m := mlir.AffineMap{Dims: len(out)}
	for i := range have {
		m.Results = append(m.Results, mlir.Dim(len(sizes)+i))
	}
	c.set(op, c.generic(elemOf(x), out, []operand{{x, m}},
		func(_ scalars, e []*mlir.Value) *mlir.Value { return e[0] }))
}

func (c *block) broadcastInDim(op *mlir.Operation) {
	x, out := c.in(op)[0], resultShape(op)
	have := shapeOf(x)
	places := c.dims("broadcast_dimensions", c.list(op, "broadcast_dimensions", len(have), 0), len(out))
	m := mlir.AffineMap{Dims: len(out)}
	for i, n := range have {
		switch {
		case n == out[places[i]]:
			m.Results = append(m.Results, mlir.Dim(places[i]))
		case n == 1:
			m.Results = append(m.Results, mlir.Const(0))
		default:
			c.fail("dimension %d of %s does not fit %v", i, x.Type, out)
		}
	}
	c.set(op, c.generic(elemOf(x), out, []operand{{x, m}},
		func(_ scalars, e []*mlir.Value) *mlir.Value { return e[0] }))
}

func (c *block) reshape(op *mlir.Operation) {
	x := c.in(op)[0]
	if shape.Size(shapeOf(x)) != shape.Size(resultShape(op)) {
		c.fail("%s and %s differ in size", x.Type, op.Result().Type)
	}
	c.set(op, c.reshaped(x, resultShape(op)))
}

func (c *block) reshaped(x *mlir.Value, dims []int) *mlir.Value {
	return c.shapes().Reshape(lowered(x), dims).V
}

func (c *block) permuted(x *mlir.Value, perm []int) *mlir.Value {
	return c.shapes().Permute(lowered(x), perm).V
}

func (c *block) transpose(op *mlir.Operation) {
	x := c.in(op)[0]
	rank := len(shapeOf(x))
	c.set(op, c.permuted(x, c.dims("permutation", c.list(op, "permutation", rank, 0), rank)))
}

func (c *block) slice(op *mlir.Operation) {
	x := c.in(op)[0]
	dims := shapeOf(x)
	start, limit := c.list(op, "start_indices", len(dims), 0), c.list(op, "limit_indices", len(dims), 0)
	strides := c.list(op, "strides", len(dims), 1)
	sizes := make([]int, len(dims))
	for i, n := range dims {
		if start[i] < 0 || start[i] > limit[i] || limit[i] > n || strides[i] < 1 {
			c.fail("the slice %d:%d:%d of %d elements", start[i], limit[i], strides[i], n)
		}
		sizes[i] = (limit[i] - start[i] + strides[i] - 1) / strides[i]
	}
	c.set(op, c.shapes().Slice(lowered(x), start, sizes, strides).V)
}

func (c *block) reverse(op *mlir.Operation) {
	x := c.in(op)[0]
	rank := len(shapeOf(x))
	c.set(op, c.reversed(x, c.dims("dimensions", c.list(op, "dimensions", -1, 0), rank)))
}

func (c *block) reversed(x *mlir.Value, dims []int) *mlir.Value {
	if len(dims) == 0 {
		return x
	}
	return c.aten("flip", x, dims)
}

func (c *block) concatenate(op *mlir.Operation) {
	out := op.Result().Type.(mlir.TensorType)
	dim := c.dims("dimension", []int{c.integer(op, "dimension", 0)}, len(out.Shape))[0]
	var list []ops.Lowered
	total := 0
	for _, v := range c.in(op) {
		want := slices.Clone(out.Shape)
		if len(shapeOf(v)) != len(want) {
			c.fail("operands of different ranks: %s, to be joined to %s", v.Type, out)
		}
		want[dim] = shapeOf(v)[dim]
		if !slices.Equal(want, shapeOf(v)) {
			c.fail("%s does not fit %s", v.Type, out)
		}
		total += want[dim]
		list = append(list, lowered(v))
	}
	if total != out.Shape[dim] {
		c.fail("operands have %d elements in all along dimension %d, and the result %s has %d", total, dim, out, out.Shape[dim])
	}
	if len(list) == 1 {
		c.set(op, list[0].V)
		return
	}
	elem := signlessElem(out.Elem)
	c.set(op, c.shapes().Concat(list, dim, ops.TensorType{DType: mlir.DTypeOf(elem), Shape: out.Shape}).V)
}

func (c *block) pad(op *mlir.Operation) {
	in := c.in(op)
	rank := len(shapeOf(in[0]))
	c.set(op, c.padded(in[0], in[1], c.list(op, "edge_padding_low", rank, 0),
		c.list(op, "edge_padding_high", rank, 0), c.list(op, "interior_padding", rank, 0)))
}

// padded puts a value, a tensor of one element, around and between the elements of x. Negative
// amounts at the edges crop what is there then.
func (c *block) padded(x, value *mlir.Value, low, high, interior []int) *mlir.Value {
	dims := shapeOf(x)
	rank := len(dims)
	full, offsets, strides := make([]int, rank), make([]int, rank), make([]int, rank)
	crop, sizes := make([]int, rank), make([]int, rank)
	plain, cut := true, false
	for i, n := range dims {
		if interior[i] < 0 {
			c.fail("negative interior padding")
		}
		spread := n + max(0, n-1)*interior[i]
		offsets[i], strides[i] = max(0, low[i]), interior[i]+1
		full[i] = spread + max(0, low[i]) + max(0, high[i])
		crop[i] = max(0, -low[i])
		sizes[i] = spread + low[i] + high[i]
		if sizes[i] < 0 {
			c.fail("padding %d and %d crops more than the %d elements there are", low[i], high[i], spread)
		}
		plain = plain && full[i] == n
		cut = cut || sizes[i] != full[i]
	}
	l := c.shapes()
	r := lowered(x)
	if !plain {
		into := lowered(c.filled(value, full))
		r = into
		if shape.Size(dims) > 0 {
			r = l.InsertSlice(lowered(x), into, offsets, strides)
		}
	}
	if cut {
		ones := make([]int, rank)
		for i := range ones {
			ones[i] = 1
		}
		r = l.Slice(r, crop, sizes, ones)
	}
	return r.V
}

func (c *block) iota(op *mlir.Operation) {
	out := op.Result().Type.(mlir.TensorType)
	dim := c.dims("iota_dimension", []int{c.integer(op, "iota_dimension", 0)}, len(out.Shape))[0]
	elem := signlessElem(out.Elem)
	c.set(op, c.generic(elem, out.Shape, nil, func(s scalars, _ []*mlir.Value) *mlir.Value {
		return s.narrow(s.cast(s.index(dim), widened(elem)), out.Elem)
	}))
}

// starts gives, inside a body, the clamped start of a slice in each dimension, from operands
// without dimensions.
func (s scalars) starts(op *mlir.Operation, first int, values []*mlir.Value, dims, sizes []int) []*mlir.Value {
	out := make([]*mlir.Value, len(dims))
	for i := range dims {
		x := s.position(s.extract(values[first+i]), isUnsigned(operandElem(op, first+i)))
		out[i] = s.bounded(x, dims[i]-sizes[i])
	}
	return out
}

// checkStarts panics unless there is a start without dimensions for each dimension.
func (c *block) checkStarts(values []*mlir.Value, rank int) {
	if len(values) != rank {
		c.fail("%d starts for %d dimensions", len(values), rank)
	}
	for _, v := range values {
		if len(shapeOf(v)) != 0 || isFloat(elemOf(v)) {
			c.fail("a start must be an integer without dimensions, not %s", v.Type)
		}
	}
}

func (c *block) dynamicSlice(op *mlir.Operation) {
	in := c.in(op)
	dims, sizes := shapeOf(in[0]), resultShape(op)
	c.checkStarts(in[1:], len(dims))
	c.fits(sizes, dims)
	c.set(op, c.generic(elemOf(in[0]), sizes, nil, func(s scalars, _ []*mlir.Value) *mlir.Value {
		at := s.starts(op, 1, in, dims, sizes)
		for i := range at {
			at[i] = s.binary("addi", at[i], s.index(i))
		}
		return s.extract(in[0], at...)
	}))
}

// fits panics unless a slice of some sizes lies in a tensor.
func (c *block) fits(sizes, dims []int) {
	for i := range sizes {
		if len(sizes) != len(dims) || sizes[i] > dims[i] || sizes[i] < 0 {
			c.fail("a slice of %v from %v", sizes, dims)
		}
	}
}

func (c *block) dynamicUpdateSlice(op *mlir.Operation) {
	in := c.in(op)
	dims, sizes := shapeOf(in[0]), shapeOf(in[1])
	c.checkStarts(in[2:], len(dims))
	c.fits(sizes, dims)
	if shape.Size(sizes) == 0 {
		c.set(op, in[0])
		return
	}
	c.set(op, c.generic(elemOf(in[0]), dims, []operand{{in[0], mlir.Identity(len(dims))}},
		func(s scalars, x []*mlir.Value) *mlir.Value {
			at := s.starts(op, 2, in, dims, sizes)
			all := s.int(1, mlir.I1)
			for i := range at {
				at[i] = s.binary("subi", s.index(i), at[i])
				all = s.binary("andi", all, s.inside(at[i], sizes[i]))
				at[i] = s.bounded(at[i], sizes[i]-1)
			}
			return s.sel(all, s.extract(in[1], at...), x[0])
		}))
}

func (c *block) dimensionSize(op *mlir.Operation) {
	dims := shapeOf(c.in(op)[0])
	d := c.dims("dimension", []int{c.integer(op, "dimension", 0)}, len(dims))[0]
	c.set(op, arith.Constant(c.b, mlir.DenseInts(op.Result().Type, []int64{int64(dims[d])})))
}
