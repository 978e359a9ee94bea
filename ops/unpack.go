package ops

import (
	"strings"

	"github.com/go-acap/acap/base/dtype"
	"github.com/go-acap/acap/base/shape"
	"github.com/go-acap/acap/mlir"
	"github.com/go-acap/acap/mlir/dialect/acap"
)

// Numbers in blocks of a packed format, which is named as in "q4_k": a tensor of bytes, u8, whose rows are whole
// blocks.
//
//	_unpack_blocks  the values, f32. With rounds, products with them may round their other operand to 8 bits.
//	_packed_linear  input · weightᵀ + bias, with a weight that stays packed. An input of 16 bits is multiplied as f32, one
//	                of f64 by the values as f64, which are then in memory.
func init() {
	blocks := T{DType: dtype.U8, Shape: []int{3, 2 * dtype.MXFP4.Bytes()}, Low: 120, High: 128}
	register(&Op{
		Schema: "_unpack_blocks(Tensor self, str format, bool rounds=False) -> Tensor",
		Infer: func(c *Call) error {
			out, err := c.unpacked(0, 1)
			if err != nil {
				return err
			}
			return c.Result(dtype.F32, out)
		},
		Lower: func(l *Lowering, c *Call) []*mlir.Value {
			return one(Lowered{acap.Unpack(l.builder(), l.In(c, 0).V, c.format(1), c.Bool(2)), dtype.F32})
		},
		Detached: true,
		Samples:  samplesOf(Sample{blocks, "mxfp4"}, Sample{blocks, "mxfp4", true}),
	})
	register(&Op{
		Schema: "_packed_linear(Tensor input, Tensor weight, str format, Tensor? bias=None, bool rounds=False) -> Tensor",
		Infer: func(c *Call) error {
			in := c.Shape(0)
			w, err := c.unpacked(1, 2)
			switch {
			case err != nil:
				return err
			case len(in) == 0 || len(w) != 2 || in[len(in)-1] != w[1]:
				return c.ShapeErrorf("input %s does not fit weight %s: the last extents must be equal", shape.String(in), shape.String(w))
			case !c.DTypeOf(0).IsFloat():
				return c.DTypeErrorf("the values of packed weights are floats; the input is %v", c.DTypeOf(0))
			}
			if c.Has(3) {
				if err := shape.BroadcastTo(c.Shape(3), w[:1]); err != nil {
					return err
				}
			}
			return c.Result(c.DTypeOf(0), append(in[:len(in)-1:len(in)-1], w[0]))
		},
		Expand: func(e Emit, c *Call) []Value {
			d := c.DTypeOf(0)
			wide := widened(d)
			args := []any{e.To(c.Tensor(0), wide), e.To(e.Call("_unpack_blocks", c.Tensor(1), c.Args[2].Text(), c.Bool(4)), wide)}
			if c.Has(3) {
				args = append(args, e.To(c.Tensor(3), wide))
			}
			return []Value{e.To(e.Call("linear", args...), d)}
		},
		Samples: samplesOf(Sample{S(2, 64), blocks, "mxfp4"}, Sample{S(1, 2, 64), blocks, "mxfp4", S(3)}),
	})
}

// format is the format of blocks that an argument names.
func (c *Call) format(i int) dtype.Format {
	f, _ := dtype.FormatNamed(c.Args[i].Text())
	return f
}

// unpacked returns the shape of the values in blocks: of tensor argument i in the format that another argument names.
func (c *Call) unpacked(i, name int) ([]int, error) {
	f, in := c.format(name), c.Shape(i)
	switch {
	case f.Bytes() == 0:
		var names []string
		for _, f := range dtype.StoredFormats() {
			names = append(names, f.String())
		}
		return nil, c.ArgErrorf("there are no blocks of the format %q; there are %s", c.Args[name].Text(), strings.Join(names, ", "))
	case c.DTypeOf(i) != dtype.U8:
		return nil, c.DTypeErrorf("blocks are bytes, u8, and not %v", c.DTypeOf(i))
	case len(in) == 0 || in[len(in)-1]%f.Bytes() != 0:
		return nil, c.ShapeErrorf("rows of %s are not whole blocks of %v, which have %d bytes", shape.String(in), f, f.Bytes())
	}
	last := len(in) - 1
	return append(in[:last:last], in[last]/f.Bytes()*f.Block()), nil
}
