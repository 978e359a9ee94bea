package ops

import (
	"fmt"

	"github.com/go-acap/acap/base/dtype"
	"github.com/go-acap/acap/base/shape"
)

// Weights of few bits; a group along the last dimension shares a scale.
//
//	_dequantize_groups  (codes - zero_points) · scales + least, f32. codes are integers [rows, columns] from low to low + 2^bits - 1. The others
//	                    are [rows, groups]. If groups have whole multiples of 32 values, the codes become blocks (_pack_groups), which a
//	                    product reads in place. With rounds, products may round their other operand to 8 bits.
//	_pack_groups        blocks of a format, u8 [rows, bytes]. codes are numbered as in the format, from 0 for 4 bits and from -128 for 8.
//	                    scales, and the zero points or least values that the format has, are [rows, blocks of a row].
//
// A program computes results that depend on weights alone once.
func init() {
	codes := T{DType: dtype.I8, Shape: []int{3, 64}, Low: -8, High: 7}
	numbers := T{DType: dtype.F32, Shape: []int{3, 2}, Low: 0.1, High: 1}
	register(&Op{
		Schema: "_dequantize_groups(Tensor codes, Tensor scales, Tensor? zero_points, Tensor? least, int bits, int low, bool rounds) -> Tensor",
		Infer: func(c *Call) error {
			in := c.Shape(0)
			switch {
			case !c.DTypeOf(0).IsInt() || !c.DTypeOf(1).IsFloat():
				return c.DTypeErrorf("codes are integers and scales floats, not %v and %v", c.DTypeOf(0), c.DTypeOf(1))
			case len(in) != 2 || len(c.Shape(1)) != 2 || c.Shape(1)[0] != in[0]:
				return c.ShapeErrorf("scales of %s for codes of %s: both are matrices with the same rows", shape.String(c.Shape(1)), shape.String(in))
			case c.Shape(1)[1] == 0 && in[1] > 0 || in[1] > 0 && in[1]%c.Shape(1)[1] != 0:
				return c.ShapeErrorf("%d groups in rows of %d", c.Shape(1)[1], in[1])
			case c.Int(4) < 1 || c.Int(4) > 8:
				return c.ArgErrorf("codes have 1 to 8 bits, not %d", c.Int(4))
			}
			for i := 2; i <= 3; i++ {
				if c.Has(i) && !shape.Equal(c.Shape(i), c.Shape(1)) {
					return c.ShapeErrorf("%s beside scales of %s", shape.String(c.Shape(i)), shape.String(c.Shape(1)))
				}
			}
			return c.Result(dtype.F32, in)
		},
		Expand: func(e Emit, c *Call) []Value { return []Value{e.dequantizeGroups(c)} },
		Samples: samplesOf(Sample{codes, numbers, nil, nil, 8, -128, false}, Sample{codes, numbers, numbers, nil, 4, -8, false},
			Sample{codes, numbers, nil, numbers, 4, -8, false},
			Sample{codes, T{DType: dtype.F16, Shape: []int{3, 4}, Low: 0.1, High: 1}, nil, nil, 8, -128, true}),
	})
	register(&Op{
		Schema: "_pack_groups(Tensor codes, Tensor scales, Tensor? offsets, str format) -> Tensor",
		Infer: func(c *Call) error {
			f := c.format(3)
			g, ok := f.Group()
			in := c.Shape(0)
			switch {
			case !ok:
				return c.ArgErrorf("%q is no format of groups, such as q4_g32", c.Args[3].Text())
			case !c.DTypeOf(0).IsInt() || c.DTypeOf(0).Size() != 1:
				return c.DTypeErrorf("codes are bytes, not %v", c.DTypeOf(0))
			case len(in) != 2 || in[1]%g.Size != 0 || !shape.Equal(c.Shape(1), []int{in[0], in[1] / g.Size}):
				return c.ShapeErrorf("scales of %s for codes of %s in groups of %d", shape.String(c.Shape(1)), shape.String(in), g.Size)
			case c.Has(2) != (g.Offset != dtype.Centred) || c.Has(2) && !shape.Equal(c.Shape(2), c.Shape(1)):
				return c.ArgErrorf("%v has scales, and zero points or least values of the same shape if its name says so", f)
			}
			bytes, _ := f.RowBytes(in[1])
			return c.Result(dtype.U8, []int{in[0], bytes})
		},
		Expand: func(e Emit, c *Call) []Value { return []Value{e.packGroups(c)} },
		Samples: samplesOf(Sample{T{DType: dtype.U8, Shape: []int{3, 64}, High: 15}, numbers, nil, "q4_g32"},
			Sample{T{DType: dtype.I8, Shape: []int{3, 64}, Low: -100, High: 100}, numbers, numbers, "q8_g32_zero"}),
	})
}

// packGroups lays out headers and codes.
func (e Emit) packGroups(c *Call) Value {
	f := c.format(3)
	g, _ := f.Group()
	rows, blocks := c.Shape(1)[0], c.Shape(1)[1]
	bytes := func(v Value) Value {
		return e.Call("view.dtype", e.Reshape(e.To(v, dtype.F32), []int{rows, blocks, 1}), dtype.U8)
	}
	parts := []Value{bytes(c.Tensor(1))}
	if c.Has(2) {
		parts = append(parts, bytes(c.Tensor(2)))
	}
	codes := c.Tensor(0)
	if codes.Type().DType != dtype.U8 {
		codes = e.Call("view.dtype", codes, dtype.U8)
	}
	if g.Bits == 4 {
		const pair = 16 // codes that are that far apart share a byte
		codes = e.Reshape(codes, []int{rows, blocks, g.Size / (2 * pair), 2, pair})
		low, high := e.Call("select.int", codes, 3, 0), e.Call("select.int", codes, 3, 1)
		codes = e.Call("bitwise_or.Tensor", low, e.Call("bitwise_left_shift.Tensor_Scalar", high, 4))
	}
	parts = append(parts, e.Reshape(codes, []int{rows, blocks, g.Size * g.Bits / 8}))
	return e.Reshape(e.Call("cat", parts, 2), c.Out[0].Shape)
}

// dequantizeGroups are the values of blocks or, if there is no format for the groups, arithmetic.
func (e Emit) dequantizeGroups(c *Call) Value {
	codes, scales := c.Tensor(0), e.To(c.Tensor(1), dtype.F32)
	rows, columns := c.Shape(0)[0], c.Shape(0)[1]
	var offsets [2]Value // zero points and least values
	for i := range offsets {
		if c.Has(2 + i) {
			offsets[i] = e.To(c.Tensor(2+i), dtype.F32)
		}
	}
	zeros, least := offsets[0], offsets[1]
	g, first, why := groupOf(c)
	if why != "" {
		groups := max(c.Shape(1)[1], 1)
		each := func(v Value) Value { return e.Reshape(v, []int{rows, groups, 1}) }
		v := e.Reshape(e.To(codes, dtype.F32), []int{rows, groups, columns / groups})
		if zeros != nil {
			v = e.Sub(v, each(zeros))
		}
		v = e.Mul(v, each(scales))
		if least != nil {
			v = e.Add(v, each(least))
		}
		return e.Reshape(v, c.Shape(0))
	}
	stored := dtype.U8
	if g.Bits == 8 {
		stored = dtype.I8
	}
	if first != 0 {
		codes = e.Sub(e.To(codes, dtype.I32), first)
	}
	codes = e.To(codes, stored)
	var offset any
	switch g.Offset {
	case dtype.ZeroPoint:
		offset = e.Full(c.Shape(1), -first, dtype.F32)
		if zeros != nil {
			offset = e.Sub(zeros, first)
		}
		offset = e.repeatGroups(offset.(Value), columns/g.Size)
	case dtype.Least:
		offset = e.repeatGroups(least, columns/g.Size)
	}
	packed := e.Call("_pack_groups", codes, e.repeatGroups(scales, columns/g.Size), offset, g.String())
	return e.Call("_unpack_blocks", packed, g.String(), c.Bool(6))
}

// WhyNoBlocks says why the values of a _dequantize_groups do not stay in blocks. It is empty if they do, and for other
// calls.
func WhyNoBlocks(c *Call) string {
	if c.Op.Name() != "_dequantize_groups" {
		return ""
	}
	_, _, why := groupOf(c)
	return why
}

// groupOf is the format for the groups of a _dequantize_groups, or why there is none. A block has codes less first.
func groupOf(c *Call) (g dtype.Group, first int, why string) {
	if c.Shape(0)[0] == 0 || c.Shape(0)[1] == 0 {
		return g, 0, "there are no values"
	}
	size, low := c.Shape(0)[1]/c.Shape(1)[1], c.Int(5)
	high := low + 1<<c.Int(4) - 1
	g = dtype.Group{Bits: 8, Size: 32}
	middle, least := 0, -128 // the code whose value is 0 or the least value, and the first one, as they are stored
	if c.Int(4) <= 4 {
		g.Bits, middle, least = 4, 8, 0
	}
	if size%128 == 0 {
		g.Size = 128
	}
	centred := low+middle >= least && high+middle < least+1<<g.Bits
	if first = -middle; !centred {
		first = low - least
	}
	switch {
	case size%32 != 0:
		return g, 0, fmt.Sprintf("a scale is shared by %d values, and blocks have multiples of 32", size)
	case c.Has(3) && (c.Has(2) || !centred):
		return g, 0, "there are least values beside zero points, and blocks have either"
	case c.Has(3):
		g.Offset = dtype.Least
	case c.Has(2) || !centred:
		g.Offset = dtype.ZeroPoint
	}
	return g, first, ""
}

// repeatGroups gives each of the blocks of a row what its group has, [rows, groups].
func (e Emit) repeatGroups(v Value, blocks int) Value {
	dims := v.Type().Shape
	if dims[1] == blocks {
		return v
	}
	v = e.Expand(e.Reshape(v, []int{dims[0], dims[1], 1}), []int{dims[0], dims[1], blocks / dims[1]})
	return e.Reshape(v, []int{dims[0], blocks})
}
