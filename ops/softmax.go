package ops

import (
	"math"
	"slices"

	"github.com/go-acap/acap/base/dtype"
	"github.com/go-acap/acap/base/shape"
	"github.com/go-acap/acap/mlir"
)

// _sink_softmax is softmax of the elements and of one more, the sink, whose share is not returned. Sinks have the shape
// of self with 1 for the dimension, or a shape that is broadcast to it.
func init() {
	register(&Op{
		Schema: "_sink_softmax(Tensor self, Tensor sinks, int dim) -> Tensor",
		Infer: func(c *Call) error {
			dims := slices.Clone(c.Shape(0))
			dim, err := shape.Dim(c.Int(2), len(dims))
			switch {
			case err != nil:
				return err
			case len(dims) == 0:
				return c.ShapeErrorf("a tensor without dimensions has no dimension to sum over")
			case !c.DTypeOf(0).IsFloat() || c.DTypeOf(1) != c.DTypeOf(0):
				return c.DTypeErrorf("takes floating tensors of one type, not %v and %v", c.DTypeOf(0), c.DTypeOf(1))
			}
			dims[dim] = 1
			if err := shape.BroadcastTo(c.Shape(1), dims); err != nil {
				return err
			}
			return c.Result(c.DTypeOf(0), c.Shape(0))
		},
		Lower: func(l *Lowering, c *Call) []*mlir.Value {
			return one(quotient(l, c.Out[0], l.exponentials(l.In(c, 0), c.Int(2), anyExponentials, l.In(c, 1))))
		},
		Samples: samplesOf(Sample{S(3, 4), S(3, 1), -1}, Sample{S(3, 4), S(4), 0}, Sample{S(2, 3, 4), S(3, 1), 2},
			Sample{given(dtype.F32, []int{2, 2}, math.Inf(-1), math.Inf(-1), 1, math.Inf(-1)), S(1), 1}),
		Detached: true,
	})
}

// _safe_softmax gives 0 for elements that are all -Inf: in attention a query that sees no key takes nothing.
func init() {
	register(&Op{
		Schema: "_safe_softmax(Tensor self, int dim, ScalarType? dtype=None) -> Tensor",
		Infer:  inferSoftmaxTo,
		Lower: func(l *Lowering, c *Call) []*mlir.Value {
			return one(l.softmaxOf(c, l.Cast(l.In(c, 0), c.Out[0].DType), safeExponentials, quotient))
		},
		Grad: gradient1(func(g *Gradient, dy, x, y Value) Value {
			return softmaxGradient(g, dy, y, g.Int(1))
		}),
		Samples: samplesOf(Sample{S(3, 4), -1}, Sample{S(3, 4), 0}, Sample{S(), 0},
			Sample{given(dtype.F32, []int{2, 3}, math.Inf(-1), math.Inf(-1), math.Inf(-1), 1, math.Inf(-1), 0.5), 1}),
	})
}

// softmax and log_softmax over one dimension. The greatest element is subtracted first, so that nothing overflows; half
// types are computed in float32. Softmax of elements that are all -Inf is NaN.
func init() {
	for _, o := range []struct {
		name   string
		lower  softmaxResult
		finish func(g *Gradient, dy, y Value, dim int) Value
	}{
		{"softmax", quotient, softmaxGradient},
		{"log_softmax", func(l *Lowering, out TensorType, e exponentials) Lowered {
			return l.Pointwise(out, []Lowered{e.shifted, e.sum},
				func(s *Scalars, x []Elem) Elem { return s.Sub(x[0], s.Log(x[1])) })
		}, logSoftmaxGradient},
	} {
		register(&Op{
			Schema: "_" + o.name + "(Tensor self, int dim, bool half_to_float) -> Tensor",
			Infer:  inferSoftmax,
			Lower: func(l *Lowering, c *Call) []*mlir.Value {
				return one(l.softmaxOf(c, l.In(c, 0), anyExponentials, o.lower))
			},
			Grad: gradient1(func(g *Gradient, dy, x, y Value) Value {
				return o.finish(g, dy, y, g.Int(1))
			}),
			Samples: samplesOf(Sample{S(3, 4), -1, false}, Sample{S(3, 4), 0, false}, Sample{S(), 0, false}),
		})
		for _, name := range []string{o.name, "special_" + o.name} {
			overload := ".int"
			if name != o.name {
				overload = ""
			}
			register(&Op{
				Schema: name + overload + "(Tensor self, int dim, ScalarType? dtype=None) -> Tensor",
				Infer:  inferSoftmaxTo,
				Expand: func(e Emit, c *Call) []Value {
					return e.Calls("_"+o.name, e.To(c.Tensor(0), c.Out[0].DType), c.Int(1), false)
				},
				Samples: samplesOf(Sample{S(3, 4), -1}),
			})
		}
	}
}

func inferSoftmax(c *Call) error {
	if _, err := shape.Dim(c.Int(1), len(c.Shape(0))); err != nil {
		return err
	}
	d := c.DTypeOf(0)
	switch {
	case !d.IsFloat():
		return c.DTypeErrorf("takes floating tensors, not %v", d)
	case c.Bool(2) && d == dtype.F16:
		d = dtype.F32
	}
	return c.Result(d, c.Shape(0))
}

// inferSoftmaxTo is for softmax with an optional type of the result, argument 2.
func inferSoftmaxTo(c *Call) error {
	if _, err := shape.Dim(c.Int(1), len(c.Shape(0))); err != nil {
		return err
	}
	return c.Result(c.DType(2, dtype.Floating(c.DTypeOf(0))), c.Shape(0))
}

// softmaxResult makes the result of softmax or its logarithm from the exponentials.
type softmaxResult func(l *Lowering, out TensorType, e exponentials) Lowered

// softmaxOf is softmax of t over dimension argument 1. A tensor without dimensions is one of one element.
func (l *Lowering) softmaxOf(c *Call, t Lowered, k exponentialsKind, result softmaxResult) Lowered {
	out := c.Out[0]
	if len(t.Shape()) == 0 {
		t, out.Shape = l.Reshape(t, []int{1}), []int{1}
	}
	return l.Reshape(result(l, out, l.exponentials(t, c.Int(1), k, Lowered{})), c.Shape(0))
}

// quotient is exp(x - max) over the sum of these, to which the sink, if there is one, adds exp(sink - max).
func quotient(l *Lowering, out TensorType, e exponentials) Lowered {
	if e.sink.V != nil {
		return l.Pointwise(out, []Lowered{e.exp, e.sum, e.most, e.sink}, func(s *Scalars, x []Elem) Elem {
			return s.Div(x[0], s.Add(x[1], s.Exp(s.Sub(x[3], s.Max(x[2], x[3])))))
		})
	}
	return l.Pointwise(out, []Lowered{e.exp, e.sum}, func(s *Scalars, x []Elem) Elem {
		if e.kind == safeExponentials {
			x[1] = s.Max(x[1], s.Const(x[1].D, 1)) // 1 is what the greatest element adds; without one the sum is 0
		}
		return s.Div(x[0], x[1])
	})
}

// exponentials are exp(x - max), its sum over a dimension (kept) and x - max, widened.
type exponentials struct {
	exp, sum, shifted Lowered
	kind              exponentialsKind
	most, sink        Lowered // the maximum without the sink; no value if there is no sink
}

type exponentialsKind int

const (
	anyExponentials  exponentialsKind = iota
	safeExponentials                  // shares of elements that are all -Inf are 0, not NaN
)

func (l *Lowering) exponentials(t Lowered, dim int, kind exponentialsKind, sink Lowered) exponentials {
	dim, _ = shape.Dim(dim, len(t.Shape()))
	d, dims := widened(t.D), []int{dim}
	wide := TensorType{d, t.Shape()}
	most := l.Fold(t, dims, true, d, maxOf)
	e := exponentials{kind: kind, most: most, sink: sink}
	read := []Lowered{t, most}
	if sink.V != nil {
		read = append(read, sink)
	}
	e.shifted = l.Pointwise(wide, read, func(s *Scalars, x []Elem) Elem {
		if sink.V != nil {
			x[1] = s.Max(x[1], x[2])
		}
		if kind == safeExponentials {
			x[1] = s.Max(x[1], s.Const(d, -largest(d)))
		}
		return s.Sub(x[0], x[1])
	})
	e.exp = l.Pointwise(wide, []Lowered{e.shifted},
		func(s *Scalars, x []Elem) Elem { return s.Exp(x[0]) })
	e.sum = l.Fold(e.exp, dims, true, d, sumOf)
	return e
}

// softmaxGradient is y·(dy - Σ y·dy).
func softmaxGradient(g *Gradient, dy, y Value, dim int) Value {
	weighted := g.Mul(dy, y)
	return g.Sub(weighted, g.Mul(y, g.Sum(weighted, []int{dim}, true)))
}

// logSoftmaxGradient is dy - exp(y)·Σ dy.
func logSoftmaxGradient(g *Gradient, dy, y Value, dim int) Value {
	return g.Sub(dy, g.Mul(g.Call("exp", y), g.Sum(dy, []int{dim}, true)))
}
