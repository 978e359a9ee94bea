package ops

import (
	"fmt"

	"github.com/go-acap/acap/base/dtype"
	"github.com/go-acap/acap/mlir"
)

// avg_pool in 2 and 3 dimensions.
func init() {
	for n := 2; n <= 3; n++ {
		name, x := fmt.Sprintf("avg_pool%dd", n), poolSample(n)
		register(&Op{
			Schema: fmt.Sprintf("%[2]s(Tensor self, int[%[1]d] kernel_size, int[%[1]d] stride=[], "+
				"int[%[1]d] padding=0, bool ceil_mode=False, bool count_include_pad=True, "+
				"int? divisor_override=None) -> Tensor", n, name),
			Infer: notBool(func(c *Call) error {
				w := c.window(n, 1, -1, 4)
				out, err := w.result(c, 0)
				if err != nil {
					return err
				}
				if c.Has(6) && c.Int(6) == 0 {
					return c.ArgErrorf("divisor_override must not be 0")
				}
				return c.Result(c.DTypeOf(0), out)
			}),
			Lower: func(l *Lowering, c *Call) []*mlir.Value {
				a := average{c.window(n, 1, -1, 4), c.Bool(5), c.Int(6)}
				t := l.In(c, 0)
				sum := a.sum(l, a.pad(l, t, c.Out[0].Shape, 0), c.Out[0].Shape, a.stride)
				return one(a.divide(l, sum, c.Out[0], t.Shape()))
			},
			Grad: func(g *Gradient) {
				w := g.window(n, 1, -1, 4)
				g.Set(0, g.Call(name+"_backward", g.Grad(0), g.Tensor(0), w.kernel, w.stride, w.padding,
					w.ceil, g.Bool(5), g.Args[6]))
			},
			Samples: samplesOf(Sample{x, 3}, Sample{x, 3, 2, 1, true, false}),
		})
		register(&Op{
			Schema: fmt.Sprintf("%[2]s_backward(Tensor grad_output, Tensor self, "+
				"int[%[1]d] kernel_size, int[%[1]d] stride, int[%[1]d] padding, bool ceil_mode, "+
				"bool count_include_pad, int? divisor_override) -> Tensor", n, name),
			Infer: notBool(func(c *Call) error {
				w := c.window(n, 2, -1, 5)
				if err := w.checkBackward(c); err != nil {
					return err
				}
				if c.Has(7) && c.Int(7) == 0 {
					return c.ArgErrorf("divisor_override must not be 0")
				}
				return c.Result(c.DTypeOf(1), c.Shape(1))
			}),
			Lower: func(l *Lowering, c *Call) []*mlir.Value {
				a := average{c.window(n, 2, -1, 5), c.Bool(6), c.Int(7)}
				dy, in := l.In(c, 0), c.Shape(1)
				dy = a.divide(l, dy, TensorType{widened(dy.D), dy.Shape()}, in)
				sum := a.sum(l, a.backward(l, dy, in, dy.Shape(), 0), in, ones(n))
				return one(l.Cast(sum, c.Out[0].DType))
			},
			Grad: func(g *Gradient) { // the operator is linear, and the pooling is its transpose
				args := []any{g.Grad(0)}
				for _, a := range g.Args[2:8] {
					args = append(args, a)
				}
				g.Set(0, g.Call(name, args...))
			},
			Samples: samplesOf(
				Sample{S([]int{1, 2, 4, 4, 3}[:n+2]...), x, 3, 2, 1, true, false, nil},
				Sample{S([]int{1, 2, 2, 2, 1}[:n+2]...), x, 3, 3, 0, false, true, nil}),
		})
	}
}

// avg_pool in one dimension is avg_pool2d of one row.
func init() {
	register(&Op{
		Schema: "avg_pool1d(Tensor self, int[1] kernel_size, int[1] stride=[], int[1] padding=0, " +
			"bool ceil_mode=False, bool count_include_pad=True) -> Tensor",
		Infer: inferExpansion(nil),
		Expand: func(e Emit, c *Call) []Value {
			w := c.window(1, 1, -1, 4)
			return e.asPlane(c, func(x Value) []Value {
				return e.Calls("avg_pool2d", x, flat(w.kernel, 1), flat(w.stride, 1), flat(w.padding, 0),
					w.ceil, c.Bool(5))
			})
		},
		Samples: samplesOf(Sample{S(2, 3, 7), 3, 2, 1}),
	})
}

// average is a window with the number by which its sum is divided.
type average struct {
	window
	includePad bool
	override   int // 0 if the elements are counted
}

// sum returns the sums of the windows of a padded tensor at every point of dims.
func (w *window) sum(l *Lowering, padded Lowered, dims, step []int) Lowered {
	acc := widened(padded.D)
	return w.fold(l, windowFold{padded: []Lowered{padded}, dims: dims, step: step, acc: acc, combine: (*Scalars).Add,
		body: func(s *Scalars, x []Elem) Elem { return s.Cast(x[0], acc) }})
}

// divide returns t, with one element for each window on an input of shape in, divided
// by the number of elements in the window.
func (a *average) divide(l *Lowering, t Lowered, out TensorType, in []int) Lowered {
	lead := len(in) - len(a.kernel)
	return l.Pointwise(out, []Lowered{t}, func(s *Scalars, x []Elem) Elem {
		if a.override != 0 {
			return s.Div(x[0], s.Const(x[0].D, float64(a.override)))
		}
		if n, ok := a.uniform(in[lead:], t.Shape()[lead:]); ok {
			return s.Div(x[0], s.Const(x[0].D, float64(n)))
		}
		n := s.ConstInt(dtype.I64, 1)
		for k := range a.kernel {
			n = s.Mul(n, a.length(s, lead+k, k, in[lead+k]))
		}
		return s.Div(x[0], s.Cast(n, x[0].D))
	})
}

// uniform returns the count of elements if it is the same for all windows.
func (a *average) uniform(in, out []int) (n int, ok bool) {
	n = 1
	for k := range in {
		first, last := -a.padding[k], (out[k]-1)*a.stride[k]-a.padding[k]+a.kernel[k]
		low, high := 0, in[k]
		if a.includePad {
			low, high = -a.padding[k], in[k]+a.padding[k]
		}
		if first < low || last > high {
			return 0, false
		}
		n *= a.kernel[k]
	}
	return n, true
}

// length is the extent of a window in dimension k, inside the input or, with
// includePad, inside the padded input.
func (a *average) length(s *Scalars, loop, k, in int) Elem {
	i64 := func(v int) Elem { return s.ConstInt(dtype.I64, int64(v)) }
	first := s.Sub(s.Mul(s.Index(loop), i64(a.stride[k])), i64(a.padding[k]))
	last := s.Min(s.Add(first, i64(a.kernel[k])), i64(in+a.padding[k]))
	if !a.includePad {
		first, last = s.Max(first, i64(0)), s.Min(last, i64(in))
	}
	return s.Sub(last, first)
}
