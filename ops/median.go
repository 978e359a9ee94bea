package ops

import (
	"math"

	"github.com/go-acap/acap/base/dtype"
	"github.com/go-acap/acap/base/shape"
	"github.com/go-acap/acap/mlir"
	"github.com/go-acap/acap/mlir/dialect/acap"
)

// median picks the lower of the middle elements, NaN if there is any; nanmedian
// ignores NaN; mode picks the most frequent element, the smallest of several.
func init() {
	for _, name := range []string{"median", "nanmedian"} {
		middle := (*Lowering).median
		if name == "nanmedian" {
			middle = (*Lowering).nanMedian
		}
		register(&Op{
			Schema: name + ".dim(Tensor self, int dim, bool keepdim=False) -> " +
				"(Tensor values, Tensor indices)",
			Infer:   func(c *Call) error { return inferLinePick(c, 1, 2) },
			Lower:   lowerLinePick(middle),
			Grad:    func(g *Gradient) { g.gradOfIndices(g.Int(1), g.Bool(2)) },
			Samples: samplesOf(Sample{S(3, 4), 1}),
		})
		register(&Op{
			Schema: name + "(Tensor self) -> Tensor",
			Infer:  func(c *Call) error { return c.Result(c.DTypeOf(0), nil) },
			Lower: func(l *Lowering, c *Call) []*mlir.Value {
				t := l.In(c, 0)
				if n := shape.Size(t.Shape()); n > 0 {
					value, _ := middle(l, l.Reshape(t, []int{n}), 0)
					return one(value)
				}
				none := 0.0
				if t.D.IsFloat() {
					none = math.NaN()
				}
				return one(l.Fill(t.D, nil, none))
			},
			Grad:    gradShared,
			Samples: samplesOf(Sample{S(3, 4)}),
		})
	}
	register(&Op{
		Schema:  "mode(Tensor self, int dim=-1, bool keepdim=False) -> (Tensor values, Tensor indices)",
		Infer:   func(c *Call) error { return inferLinePick(c, 1, 2) },
		Lower:   lowerLinePick((*Lowering).mode),
		Grad:    func(g *Gradient) { g.gradOfIndices(g.Int(1), g.Bool(2)) },
		Samples: samplesOf(Sample{indices(3, 2, 6)}, Sample{S(3, 4), 0}),
	})
}

// inferLinePick is for (dim, keepdim) operators that need something to pick.
func inferLinePick(c *Call, dim, keep int) error {
	d, err := c.dim(dim)
	if err != nil {
		return err
	}
	if linesOf(c.Shape(0), d).n == 0 && shape.Size(shape.Reduce(c.Shape(0), []int{d}, false)) > 0 {
		return c.ShapeErrorf("dimension %d of %s has no elements", d, shape.String(c.Shape(0)))
	}
	return c.inferPicked(d, c.Bool(keep))
}

// lowerLinePick lowers an operator with a dimension as argument 1 that picks an element
// of every line and its position; pick gives both without the dimension.
func lowerLinePick(pick func(l *Lowering, t Lowered, d int) (value, at Lowered)) func(*Lowering, *Call) []*mlir.Value {
	return func(l *Lowering, c *Call) []*mlir.Value {
		d, _ := c.dim(1)
		if shape.Size(c.Out[0].Shape) == 0 {
			return []*mlir.Value{l.Empty(c.Out[0].DType, c.Out[0].Shape).V,
				l.Empty(dtype.I64, c.Out[1].Shape).V}
		}
		value, at := pick(l, l.lined(l.In(c, 0)), d)
		return l.reshaped(c, value, at)
	}
}

// median picks the lower middle element of every line, or the first NaN.
func (l *Lowering) median(t Lowered, d int) (value, at Lowered) {
	in := t.Shape()
	value, at = l.Sort(t, d, false, (in[d]-1)/2, 1)
	value, at = l.Reshape(value, without(in, d)), l.Reshape(at, without(in, d))
	if !t.D.IsFloat() {
		return value, at
	}
	iterators, m := reduceLoops(len(in), []int{d})
	none := l.Fill(dtype.I64, value.Shape(), float64(in[d]))
	nan := l.Generic(iterators, []Operand{{t, mlir.Identity(len(in))}}, []Operand{{none, m}},
		func(s *Scalars, x []Elem) []Elem {
			return []Elem{s.Min(x[1], s.Select(s.IsNaN(x[0]), s.Index(d), s.ConstInt(dtype.I64, int64(in[d]))))}
		})[0]
	either := func(out dtype.DType, ins []Lowered, otherwise func(s *Scalars, first Elem) Elem) Lowered {
		return l.pointwiseRaw(TensorType{out, value.Shape()}, ins, func(s *Scalars, x []Elem) Elem {
			some := s.Cmp("lt", x[0], s.ConstInt(dtype.I64, int64(in[d])))
			return s.Select(some, otherwise(s, x[0]), x[1])
		})
	}
	return either(t.D, []Lowered{nan, value}, func(s *Scalars, _ Elem) Elem { return s.Const(t.D, math.NaN()) }),
		either(dtype.I64, []Lowered{nan, at}, func(_ *Scalars, first Elem) Elem { return first })
}

// nanMedian picks the lower middle one of the elements of every line that are not NaN:
// those come first when it is sorted.
func (l *Lowering) nanMedian(t Lowered, d int) (value, at Lowered) {
	if !t.D.IsFloat() {
		return l.median(t, d)
	}
	isNumber := func(s *Scalars, x Elem) Elem {
		return s.Select(s.IsNaN(x), s.ConstInt(dtype.I64, 0), s.ConstInt(dtype.I64, 1))
	}
	numbers := l.Fold(t, []int{d}, false, dtype.I64, Folding{always(0), isNumber, (*Scalars).Add})
	rank := l.Pointwise(numbers.Type(), []Lowered{numbers}, func(s *Scalars, x []Elem) Elem {
		below := s.Sub(x[0], s.ConstInt(dtype.I64, 1))
		return s.Max(s.ConstInt(dtype.I64, 0), s.Shr(below, s.ConstInt(dtype.I64, 1)))
	})
	sorted, from := l.Sort(t, d, false, 0, t.Shape()[d])
	return l.pickAlong(sorted, rank, d), l.pickAlong(from, rank, d)
}

// mode picks the end of the first longest run of equal elements in every sorted line:
// PyTorch names the last of equal elements.
func (l *Lowering) mode(t Lowered, d int) (value, at Lowered) {
	sorted, from := l.Sort(t, d, false, 0, t.Shape()[d])
	dims := t.Shape()
	index := TensorType{dtype.I64, dims}
	starts := l.FromIndex(index, func(s *Scalars, at []Elem) Elem {
		zero, before := s.ConstInt(dtype.I64, 0), append([]Elem(nil), at...)
		before[d] = s.Max(zero, s.Sub(at[d], s.ConstInt(dtype.I64, 1)))
		return s.Select(s.Cmp("ne", s.At(sorted, at...), s.At(sorted, before...)), at[d], zero)
	})
	runs := l.Pointwise(index, []Lowered{l.Scan(acap.Max, starts, d)}, func(s *Scalars, x []Elem) Elem {
		return s.Sub(s.Index(d), x[0])
	})
	_, end := l.extremeOf(runs, []int{d}, maxOf)
	return l.pickAlong(sorted, end, d), l.pickAlong(from, end, d)
}

// gradShared shares the gradient of a single picked value equally between the
// elements that are equal to it.
func gradShared(g *Gradient) {
	x, v := g.Tensor(0), g.Again()
	isNaN := func(v Value) Value { return g.Call("ne.Tensor", v, v) }
	mask := g.Call("logical_or", g.Call("eq.Tensor", x, v),
		g.Call("logical_and", isNaN(x), isNaN(v)))
	d := g.DTypeOf(0)
	g.Set(0, g.Keep(mask, g.Div(g.Grad(0), g.To(g.Sum(mask, nil, false), d))))
}
