package ops

import (
	"github.com/go-acap/acap/base/dtype"
	"github.com/go-acap/acap/base/shape"
	"github.com/go-acap/acap/mlir"
)

// Products of bytes with exact sums in i32, which quantized models consist of. _int_mm is PyTorch's;
// here the first operand may be u8 as well. _int_convolution is the convolution of the same kind,
// without a bias. Sums wrap round beyond 32 bits, which 65536 products of bytes never reach.
func init() {
	u8 := T{DType: dtype.U8, Shape: []int{3, 5}, High: 200}
	i8 := func(dims ...int) T { return T{DType: dtype.I8, Shape: dims, Low: -100, High: 100} }
	register(&Op{
		Schema: "_int_mm(Tensor self, Tensor mat2) -> Tensor",
		Infer: func(c *Call) error {
			a, b := c.Shape(0), c.Shape(1)
			if len(a) != 2 || len(b) != 2 || a[1] != b[0] {
				return c.ShapeErrorf("%s and %s cannot be multiplied", shape.String(a), shape.String(b))
			}
			return c.byteProduct([]int{a[0], b[1]})
		},
		Lower: func(l *Lowering, c *Call) []*mlir.Value {
			out := l.Fill(dtype.I32, c.Out[0].Shape, 0)
			return one(l.Generic([]string{Parallel, Parallel, Reduction},
				[]Operand{{l.In(c, 0), mlir.Projection(3, 0, 2)}, {l.In(c, 1), mlir.Projection(3, 2, 1)}},
				[]Operand{{out, mlir.Projection(3, 0, 1)}}, multiplyAdd)[0])
		},
		Detached: true,
		Samples:  samplesOf(Sample{u8, i8(5, 4)}, Sample{i8(2, 3), i8(3, 2)}),
	})
	image := T{DType: dtype.U8, Shape: []int{2, 4, 5, 5}, High: 200}
	register(&Op{
		Schema: "_int_convolution(Tensor input, Tensor weight, int[] stride, int[] padding, int[] dilation, " +
			"int groups) -> Tensor",
		Infer: func(c *Call) error {
			v := &Call{Op: c.Op, Args: asConvolution(c)}
			if err := inferConvolution(v); err != nil {
				return err
			}
			return c.byteProduct(v.Out[0].Shape)
		},
		Lower: func(l *Lowering, c *Call) []*mlir.Value {
			n := len(c.Shape(0)) - 2
			v := convolution{stride: perDim(c.Ints(2), n), padding: perDim(c.Ints(3), n), dilation: perDim(c.Ints(4), n), groups: c.Int(5)}
			return one(l.convolve(l.In(c, 0), l.In(c, 1), v, c.Out[0].Shape, dtype.I32))
		},
		Detached: true,
		Samples: samplesOf(Sample{image, i8(6, 4, 3, 3), []int{1, 2}, []int{1, 0}, []int{1, 1}, 1},
			Sample{i8(1, 4, 6), i8(4, 2, 3), []int{1}, []int{1}, []int{2}, 2}),
	})
}

// asConvolution returns the arguments of "convolution" for a call of _int_convolution, with operands of one type, which
// [Call.byteProduct] checks.
func asConvolution(c *Call) []Arg {
	weight := TensorArg(&typeValue{t: TensorType{c.DTypeOf(0), c.Shape(1)}})
	return []Arg{c.Args[0], weight, {}, c.Args[2], c.Args[3], c.Args[4], BoolArg(false),
		IntsArg(make([]int, max(len(c.Shape(0))-2, 0))), c.Args[5]}
}

// byteProduct infers sums of products of u8 or i8 with i8.
func (c *Call) byteProduct(dims []int) error {
	if a, b := c.DTypeOf(0), c.DTypeOf(1); a != dtype.I8 && a != dtype.U8 || b != dtype.I8 {
		return c.DTypeErrorf("operands have the types %v and %v instead of i8 or u8 and i8", a, b)
	}
	return c.Result(dtype.I32, dims)
}

// multiplyAdd is the body of a product: sum + a·b in the type of the sum.
func multiplyAdd(s *Scalars, x []Elem) []Elem {
	acc := x[2].D
	return []Elem{s.Add(x[2], s.Mul(s.Cast(x[0], acc), s.Cast(x[1], acc)))}
}
