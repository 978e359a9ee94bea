package tosa

import (
	"github.com/go-acap/acap/mlir"
	"github.com/go-acap/acap/mlir/dialect/arith"
	"github.com/go-acap/acap/mlir/dialect/linalg"
	tensordialect "github.com/go-acap/acap/mlir/dialect/tensor"
)

func init() {
	rules["matmul"] = func(l *lowering) *mlir.Value {
		t := l.result()
		return linalg.BatchMatMul(l.Builder, l.in(0), l.in(1), l.zeros(t.Shape, t.Elem))
	}
	rules["fully_connected"] = func(l *lowering) *mlir.Value {
		return linalg.Named(l.Builder, "matmul_transpose_b", []*mlir.Value{l.in(0), l.in(1)}, l.bias(l.in(2), l.result()), nil)
	}
	rules["conv2d"] = func(l *lowering) *mlir.Value {
		return l.convolution("conv_2d_nhwc_fhwc", l.in(1), 2)
	}
	rules["conv3d"] = func(l *lowering) *mlir.Value {
		w := l.in(1)
		s := l.shape(w) // OC, D, H, W, IC becomes D, H, W, IC, OC
		moved := mlir.TensorType{Shape: []int{s[1], s[2], s[3], s[4], s[0]}, Elem: elem(w)}
		filter := linalg.Generic(l.Builder, []*mlir.Value{w}, []*mlir.Value{l.empty(moved.Shape, moved.Elem)},
			[]mlir.AffineMap{mlir.Projection(5, 4, 0, 1, 2, 3), mlir.Identity(5)}, parallel(5),
			func(_ *mlir.Builder, x []*mlir.Value) []*mlir.Value { return x[:1] })[0]
		return l.convolution("conv_3d_ndhwc_dhwcf", filter, 3)
	}
	rules["depthwise_conv2d"] = depthwise
	rules["transpose_conv2d"] = transposed
	rules["max_pool2d"] = func(l *lowering) *mlir.Value {
		t := l.result()
		least := number(l.Builder, t.Elem, lowest(t.Elem))
		v := l.padded(l.in(0), 2, least)
		return linalg.Window(l.Builder, "pooling_nhwc_max", v, l.empty(l.ints("kernel", 2), t.Elem),
			l.filled(t.Shape, least), dense(l.ints("stride", 2)))
	}
	rules["avg_pool2d"] = average
}

// bias returns a tensor whose last dimension holds the given values.
func (l *lowering) bias(v *mlir.Value, t mlir.TensorType) *mlir.Value {
	return l.elementwise(t, []*mlir.Value{v}, func(b *mlir.Builder, x []*mlir.Value) *mlir.Value {
		if isFloat(t.Elem) && mlir.BitWidth(x[0].Type) < mlir.BitWidth(t.Elem) {
			return arith.ExtF(b, x[0], t.Elem)
		}
		return x[0]
	})
}

// padded surrounds the dimensions between the first and the last.
func (l *lowering) padded(v *mlir.Value, spatial int, value *mlir.Value) *mlir.Value {
	list := l.ints("pad", 2*spatial)
	low, high := make([]int, spatial+2), make([]int, spatial+2)
	for i := range spatial {
		low[1+i], high[1+i] = list[2*i], list[2*i+1]
	}
	if len(l.shape(v)) != spatial+2 {
		l.fail("needs an input of %d dimensions", spatial+2)
	}
	return l.pad(v, low, high, value)
}

// steps are the strides and dilations of a convolution.
func (l *lowering) steps(spatial int) linalg.Steps {
	return linalg.Steps{Strides: l.ints("stride", spatial), Dilations: l.ints("dilation", spatial)}
}

// dense are the steps of a window in two dimensions without dilation.
func dense(strides []int) linalg.Steps {
	return linalg.Steps{Strides: strides, Dilations: []int{1, 1}}
}

func (l *lowering) convolution(name string, filter *mlir.Value, spatial int) *mlir.Value {
	t := l.result()
	v := l.padded(l.in(0), spatial, number(l.Builder, elem(l.in(0)), 0))
	return linalg.Window(l.Builder, name, v, filter, l.bias(l.in(2), t), l.steps(spatial))
}

func depthwise(l *lowering) *mlir.Value {
	t, f := l.result(), l.shape(l.in(1))
	v := l.padded(l.in(0), 2, number(l.Builder, elem(l.in(0)), 0))
	wide := []int{t.Shape[0], t.Shape[1], t.Shape[2], f[2], f[3]}
	out := linalg.Window(l.Builder, "depthwise_conv_2d_nhwc_hwcm", v, l.in(1), l.zeros(wide, t.Elem), l.steps(2))
	sum := l.reshape(out, t.Shape)
	return l.elementwise(t, []*mlir.Value{sum, l.in(2)}, func(b *mlir.Builder, x []*mlir.Value) *mlir.Value {
		return named("arith.addf", "arith.addi")(l, b, x)
	})
}

// transposed spreads the input by the stride, surrounds it with zeros, and convolves it
// with the filter turned round.
func transposed(l *lowering) *mlir.Value {
	v, w, t := l.in(0), l.in(1), l.result()
	in, f := l.shape(v), l.shape(w)
	pad, stride := l.ints("out_pad", 4), l.ints("stride", 2)
	spread := []int{in[0], t.Shape[1] + f[1] - 1, t.Shape[2] + f[2] - 1, in[3]}
	zero := number(l.Builder, elem(v), 0)
	x := l.each(mlir.TensorType{Shape: spread, Elem: elem(v)}, func(s scalars, at []*mlir.Value) *mlir.Value {
		b := s.Builder
		n := func(i int) *mlir.Value { return arith.Index(b, i) }
		valid := arith.Constant(b, mlir.Bool(true))
		for k := range 2 {
			// place k is input i*stride + pad + kernel - 1
			place := arith.SubI(b, at[1+k], n(f[1+k]-1+pad[2*k]))
			i := arith.Binary(b, "floordivsi", place, n(stride[k]))
			exact := arith.CmpI(b, arith.EQ, arith.MulI(b, i, n(stride[k])), place)
			inside := arith.AndI(b, arith.CmpI(b, arith.SGE, i, n(0)), arith.CmpI(b, arith.SLT, i, n(in[1+k])))
			valid = arith.AndI(b, valid, arith.AndI(b, exact, inside))
			at[1+k] = arith.MaxSI(b, arith.MinSI(b, i, n(in[1+k]-1)), n(0))
		}
		return arith.Select(b, valid, tensordialect.Extract(b, v, at...), zero)
	})
	return linalg.Window(l.Builder, "conv_2d_nhwc_fhwc", x, l.reversed(w, 1, 2), l.bias(l.in(2), t), dense([]int{1, 1}))
}

// average divides the sums by how many elements of the input a window has.
func average(l *lowering) *mlir.Value {
	t, v := l.result(), l.in(0)
	acc := mlir.Type(mlir.I32)
	if isFloat(t.Elem) {
		if acc = t.Elem; mlir.BitWidth(acc) < 32 {
			acc = mlir.F32
		}
	}
	kernel, stride, pad, in := l.ints("kernel", 2), l.ints("stride", 2), l.ints("pad", 4), l.shape(v)
	sums := linalg.Window(l.Builder, "pooling_nhwc_sum", l.padded(v, 2, number(l.Builder, elem(v), 0)), l.empty(kernel, acc),
		l.zeros(t.Shape, acc), dense(stride))
	n := len(t.Shape)
	return linalg.Generic(l.Builder, []*mlir.Value{sums}, []*mlir.Value{l.empty(t.Shape, t.Elem)},
		[]mlir.AffineMap{mlir.Identity(n), mlir.Identity(n)}, parallel(n), func(b *mlir.Builder, x []*mlir.Value) []*mlir.Value {
			s := scalars{b}
			count := arith.Index(b, 1)
			for k := range 2 {
				first := arith.SubI(b, arith.MulI(b, s.index(1+k), arith.Index(b, stride[k])), arith.Index(b, pad[2*k]))
				last := arith.MinSI(b, arith.AddI(b, first, arith.Index(b, kernel[k])), arith.Index(b, in[1+k]))
				count = arith.MulI(b, count, arith.SubI(b, last, arith.MaxSI(b, first, arith.Index(b, 0))))
			}
			whole := arith.IndexCast(b, count, mlir.I32)
			if !isFloat(acc) {
				return []*mlir.Value{narrowed(b, quotient(b, x[0], whole), t.Elem)}
			}
			y := arith.Binary(b, "divf", x[0], arith.Cast(b, "sitofp", whole, acc))
			if mlir.BitWidth(t.Elem) < mlir.BitWidth(acc) {
				y = arith.TruncF(b, y, t.Elem)
			}
			return []*mlir.Value{y}
		})[0]
}

// quotient divides by the reciprocal in fixed point that the specification prescribes:
// the sum times (2^(30+k) + 1) / n over 2^(30+k), where 2^k is the power of two from n on.
func quotient(b *mlir.Builder, sum, n *mlir.Value) *mlir.Value {
	i64 := func(x int) *mlir.Value { return integer(b, mlir.I64, x) }
	one := integer(b, mlir.I32, 1)
	zeros := b.Create("math.ctlz", []*mlir.Value{arith.SubI(b, n, one)}, []mlir.Type{mlir.I32}, nil).Result()
	k := wider(b, arith.SubI(b, integer(b, mlir.I32, 32), zeros), mlir.I64)
	numerator := arith.Binary(b, "shli", i64(1<<30+1), k)
	multiplier := arith.DivUI(b, numerator, wider(b, n, mlir.I64))
	shift := arith.AddI(b, k, i64(30))
	return arith.TruncI(b, scaled(b, sum, multiplier, shift, false), mlir.I32)
}
