package ops

import (
	"fmt"
	"math"

	"github.com/go-acap/acap/base/dtype"
	"github.com/go-acap/acap/base/shape"
	"github.com/go-acap/acap/mlir"
	"github.com/go-acap/acap/mlir/dialect/acap"
)

// max_pool in 2 and 3 dimensions, with the positions of the maxima.
func init() {
	for n := 2; n <= 3; n++ {
		name, x := fmt.Sprintf("max_pool%dd_with_indices", n), poolSample(n)
		options := fmt.Sprintf("int[%[1]d] kernel_size, int[%[1]d] stride=[], int[%[1]d] padding=0, "+
			"int[%[1]d] dilation=1, bool ceil_mode=False", n)
		register(&Op{
			Schema: name + "(Tensor self, " + options + ") -> (Tensor, Tensor)",
			Infer: func(c *Call) error {
				w := c.window(n, 1, 4, 5)
				out, err := w.result(c, 0)
				if err != nil {
					return err
				}
				c.Result(c.DTypeOf(0), out)
				return c.Result(dtype.I64, out)
			},
			Lower: func(l *Lowering, c *Call) []*mlir.Value {
				w := c.window(n, 1, 4, 5)
				return w.lowerMax(l, l.In(c, 0), c.Out[0].Shape)
			},
			Grad: func(g *Gradient) {
				w := g.window(n, 1, 4, 5)
				g.Set(0, g.Call(name+"_backward", g.Grad(0), g.Tensor(0), w.kernel, w.stride, w.padding,
					w.dilation, w.ceil, g.Results[1]))
			},
			Samples: samplesOf(Sample{x, 3}, Sample{x, 3, 2, 1, 2, true}),
		})
		register(&Op{
			Schema: fmt.Sprintf("%[2]s_backward(Tensor grad_output, Tensor self, "+
				"int[%[1]d] kernel_size, int[%[1]d] stride, int[%[1]d] padding, "+
				"int[%[1]d] dilation, bool ceil_mode, Tensor indices) -> Tensor", n, name),
			Infer: func(c *Call) error {
				w := c.window(n, 2, 5, 6)
				if err := w.checkBackward(c); err != nil {
					return err
				}
				if err := c.mustIndex(7, c.Shape(0)); err != nil {
					return err
				}
				return c.Result(c.DTypeOf(1), c.Shape(1))
			},
			Lower: func(l *Lowering, c *Call) []*mlir.Value {
				return one(l.addAtPlaces(l.In(c, 0), l.In(c, 7), c.Out[0], n))
			},
			Grad:    func(g *Gradient) { g.Set(0, g.pooled(7, n)) },
			Samples: samplesOf(pooled(maxBackwardSample(n), 3, 3, 0, 1, false)),
		})
		register(&Op{
			Schema:  fmt.Sprintf("max_pool%dd(Tensor self, %s) -> Tensor", n, options),
			Infer:   inferExpansion(nil),
			Expand:  func(e Emit, c *Call) []Value { return e.Emit(e.sameArgs(name, c, 6))[:1] },
			Samples: samplesOf(Sample{x, 2}),
		})
	}
}

// max_pool in one dimension is max_pool2d of one row.
func init() {
	for name, returns := range map[string]string{
		"max_pool1d": "Tensor", "max_pool1d_with_indices": "(Tensor, Tensor)",
	} {
		register(&Op{
			Schema: name + "(Tensor self, int[1] kernel_size, int[1] stride=[], int[1] padding=0, " +
				"int[1] dilation=1, bool ceil_mode=False) -> " + returns,
			Infer: inferExpansion(nil),
			Expand: func(e Emit, c *Call) []Value {
				w := c.window(1, 1, 4, 5)
				out := e.asPlane(c, func(x Value) []Value {
					return e.Calls("max_pool2d_with_indices", x, flat(w.kernel, 1), flat(w.stride, 1),
						flat(w.padding, 0), flat(w.dilation, 1), w.ceil)
				})
				if name == "max_pool1d" {
					return out[:1]
				}
				return out
			},
			Samples: samplesOf(Sample{S(2, 3, 7), 3, 2}),
		})
	}
}

// pooled puts the arguments of a window between the first two tensors and the third.
func pooled(s Sample, window ...any) Sample {
	return append(append(Sample{s[0], s[1]}, window...), s[2])
}

// flat puts the entry of a dimension of extent 1 before a list.
func flat(list []int, first int) []int { return append([]int{first}, list...) }

// asPlane calls f with a dimension of extent 1 before the last of the input, and
// removes it from the results.
func (e Emit) asPlane(c *Call, f func(x Value) []Value) []Value {
	in := c.Shape(0)
	if len(in) == 0 {
		panic(c.ShapeErrorf("takes no tensor without dimensions"))
	}
	out := f(e.Call("unsqueeze", c.Tensor(0), -2))
	for i, v := range out {
		out[i] = e.Call("squeeze.dim", v, -2)
	}
	return out
}

// lowerMax returns the maxima of the windows, and where they are: the row-major index
// of the first, or of the last NaN, in the input's spatial extents.
func (w *window) lowerMax(l *Lowering, t Lowered, out []int) []*mlir.Value {
	in := t.Shape()[len(out)-len(w.kernel):]
	lead := len(out) - len(w.kernel)
	padded := []Lowered{w.pad(l, t, out, Lowest(t.D))}
	value := w.fold(l, windowFold{padded: padded, dims: out, step: w.stride, acc: t.D, init: Lowest(t.D),
		body: func(s *Scalars, x []Elem) Elem { return x[0] }, combine: (*Scalars).Max})
	none := float64(math.MaxInt32)
	at := w.fold(l, windowFold{padded: padded, points: []Lowered{value}, dims: out, step: w.stride, acc: dtype.I64, init: none,
		combine: (*Scalars).Min, body: func(s *Scalars, x []Elem) Elem {
			point, inside := w.source(s, lead, in)
			return s.Select(inside, s.keyOfMaximum(x[0], x[1], flatIndex(s, point, in), none), s.Const(dtype.I64, none))
		}})
	return []*mlir.Value{value.V, l.placeOfMaximum(at, t.D).V}
}

// keyOfMaximum numbers the elements x of a window so that its maximum has the least key: the first element that is
// most, and, as in PyTorch, the last NaN.
func (s *Scalars) keyOfMaximum(x, most, at Elem, none float64) Elem {
	key := s.Select(s.Cmp("eq", x, most), at, s.Const(dtype.I64, none))
	if x.D.IsFloat() {
		key = s.Select(s.IsNaN(x), s.Sub(s.ConstInt(dtype.I64, -1), at), key)
	}
	return key
}

// placeOfMaximum gives the elements that keys of keyOfMaximum number.
func (l *Lowering) placeOfMaximum(keys Lowered, d dtype.DType) Lowered {
	if !d.IsFloat() {
		return keys
	}
	return l.Pointwise(keys.Type(), []Lowered{keys}, func(s *Scalars, x []Elem) Elem {
		return s.Max(x[0], s.Sub(s.ConstInt(dtype.I64, -1), x[0]))
	})
}

// addAtPlaces is the gradient of a maximum over parts of the last n dimensions: each gradient is added at its place,
// which need not lie inside of the part, and one whose place is not in out, such as -1, nowhere.
func (l *Lowering) addAtPlaces(dy, at Lowered, out TensorType, n int) Lowered {
	lead := len(out.Shape) - n
	lines, size := shape.Size(out.Shape[:lead]), shape.Size(out.Shape[lead:])
	from := []int{lines, shape.Size(dy.Shape()[lead:])}
	zeros := l.Fill(widened(dy.D), []int{lines, size}, 0)
	if shape.Size(from) == 0 || size == 0 {
		return l.Reshape(l.Cast(zeros, out.DType), out.Shape)
	}
	dy, at = l.Reshape(dy, from), l.Reshape(at, from)
	inside := func(s *Scalars, at Elem) Elem {
		return s.And(s.Cmp("ge", at, s.ConstInt(dtype.I64, 0)), s.Cmp("lt", at, s.ConstInt(dtype.I64, int64(size))))
	}
	add := l.Pointwise(TensorType{zeros.D, from}, []Lowered{dy, at}, func(s *Scalars, x []Elem) Elem {
		return s.Select(inside(s, x[1]), s.Cast(x[0], zeros.D), s.Const(zeros.D, 0))
	})
	place := l.Pointwise(TensorType{dtype.I64, from}, []Lowered{at}, func(s *Scalars, x []Elem) Elem {
		return s.Select(inside(s, x[0]), x[0], s.ConstInt(dtype.I64, 0))
	})
	sum := l.Scatter(acap.Add, add, place, zeros, 1)
	return l.Reshape(l.Cast(sum, out.DType), out.Shape)
}
