package ops

import (
	"math"
	"strings"

	"github.com/go-acap/acap/base/dtype"
)

// storing are the operators, besides views, that move elements and do not compute with them. They
// alone take floats of 8 bits.
var storing = setOf(
	"_after", "_reshape_alias", "_rewritten", "_to_copy", "_unsafe_view", "alias", "as_strided_scatter", "block_diag", "broadcast_tensors",
	"broadcast_to", "cat", "chunk", "clone", "column_stack", "constant_pad_nd", "contiguous", "copy", "detach", "diag_embed",
	"diagonal_scatter", "empty", "empty_like", "expand", "expand_as", "fill.Scalar", "fill.Tensor", "fill_diagonal",
	"flatten.using_ints", "flip", "full", "full_like", "gather", "index.Tensor", "index_copy", "index_fill.int_Scalar", "index_fill.int_Tensor",
	"index_select", "lift_fresh", "masked_fill.Scalar", "masked_fill.Tensor", "meshgrid", "meshgrid.indexing",
	"movedim.int", "movedim.intlist", "narrow", "narrow_copy", "new_empty", "new_full", "new_ones", "new_zeros", "ones",
	"ones_like", "pad", "permute", "repeat", "repeat_interleave.self_int", "reshape", "reshape_as", "resize", "roll", "rot90",
	"scatter.src", "scatter.value", "select_scatter", "slice_scatter", "split.Tensor", "split.sizes", "split_with_sizes",
	"stack", "take", "tensor_split.indices", "tensor_split.sections", "tile", "to.device", "to.dtype", "to.dtype_layout",
	"to.other", "to.prim_device", "to.prim_dtype", "type_as", "unflatten.int", "where.self", "zero", "zeros", "zeros_like")

// refuseTypes reports element types of operands and results that the operator does not compute with.
func (c *Call) refuseTypes() error {
	if c.Op.tabled {
		return nil // what it stands for refuses what cannot be
	}
	for _, t := range c.Out {
		if !t.DType.Valid() || t.DType.IsFloat8() {
			return c.refuseType(t.DType)
		}
	}
	for i := range c.Args {
		if v := c.Tensor(i); v != nil {
			if d := v.Type().DType; d.IsFloat8() {
				if err := c.refuseType(d); err != nil {
					return err
				}
			}
		}
		for _, v := range c.Args[i].Tensors() {
			if v != nil && v.Type().DType.IsFloat8() {
				if err := c.refuseType(v.Type().DType); err != nil {
					return err
				}
			}
		}
	}
	return nil
}

// writing are the operators that write numbers as elements, or compare elements with them, in the type of the result.
// Sums, differences and products of integers take numbers modulo the width, as in PyTorch.
var writing = setOf(
	"clamp", "clamp_max", "clamp_min", "constant_pad_nd", "div.Scalar_mode", "fill.Scalar", "fill_diagonal", "floor_divide.Scalar", "fmod.Scalar",
	"full", "full_like", "hardtanh", "index_fill.int_Scalar", "linspace", "masked_fill.Scalar", "new_full", "pow.Tensor_Scalar", "remainder.Scalar",
	"scatter.value", "threshold", "where.Scalar", "where.ScalarOther", "where.ScalarSelf")

// refuseNumbers reports numbers that the integers of the result do not have: 300 would be 44 in u8.
func (c *Call) refuseNumbers() error {
	if len(c.Out) == 0 {
		return nil // they depend on data
	}
	if d := c.Out[0].DType; d.IsInt() && writing[c.Op.Functional().Name()] {
		for i := range c.Args {
			a, p := &c.Args[i], &c.Op.Parsed().Params[i]
			isNumber := p.Type == TypeScalar && (a.Kind == KindInt || a.Kind == KindFloat) && a.Open() == nil
			if isNumber && !withinIntegers(d, a) {
				return c.ArgErrorf("%s is %v, which %v does not hold: convert the tensor first", p.Name, a.Float(), d)
			}
		}
	}
	return nil
}

// withinIntegers reports whether integers of type d have the integer part of a number. As in PyTorch, a negative number
// counts from the end of an unsigned type.
func withinIntegers(d dtype.DType, a *Arg) bool {
	if a.Kind == KindInt && d.Bits() == 64 {
		return true
	}
	most := math.Ldexp(1, d.Bits())
	if d.IsSigned() {
		most = math.Ldexp(1, d.Bits()-1)
	}
	v := math.Trunc(a.Float())
	return v < most && v > -most || v == -most && d.IsSigned()
}

func (c *Call) refuseType(d dtype.DType) error {
	op := c.Op.Functional()
	switch {
	case !d.Valid():
		return c.DTypeErrorf("%v is no element type", d)
	case d.IsFloat8() && op.View == nil && !storing[op.Name()]:
		return c.DTypeErrorf("does not compute with %v, which is for storage: convert to f32, f16 or bf16", d)
	}
	return nil
}

// filling are the operators that write a number, or a tensor that is called value, into a tensor of any type.
var filling = setOf("fill", "fill_diagonal", "index_fill", "index_put", "masked_fill", "scatter")

// refuseComplexValue reports complex values that a real tensor would hold without their imaginary parts.
func (c *Call) refuseComplexValue() error {
	if !filling[c.Op.Functional().base] || c.Tensor(0) == nil || c.DTypeOf(0).IsComplex() {
		return nil
	}
	for i := range c.Args {
		v, name := c.Tensor(i), c.Op.Parsed().Params[i].Name
		complex := c.Args[i].Kind == KindComplex || v != nil && v.Type().DType.IsComplex()
		if complex && strings.HasSuffix(name, "value") {
			return c.DTypeErrorf("%s is complex, and self is %v: convert self, or take the real part of %s", name, c.DTypeOf(0), name)
		}
	}
	return nil
}
