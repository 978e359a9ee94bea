package ops

import (
	"github.com/go-acap/acap/base/dtype"
	"github.com/go-acap/acap/base/shape"
	"github.com/go-acap/acap/mlir"
)

// Extremes: amax and amin over several dimensions, max and min over all or, with
// positions, over one; argmax and argmin; aminmax. NaN is an extreme. Among equals
// the first position counts.
func init() {
	for _, o := range []struct {
		name string
		r    Folding
	}{{"max", maxOf}, {"min", minOf}} {
		whole, some := place{-1, -1}, place{1, 2}
		register(&Op{
			Schema:  "a" + o.name + "(Tensor self, int[1] dim=[], bool keepdim=False) -> Tensor",
			Infer:   some.inferExtreme(same),
			Lower:   some.lower(o.r, nil),
			Grad:    func(g *Gradient) { some.shareAmongEquals(g, false) },
			Samples: samplesOf(Sample{S(3, 4)}, Sample{S(3, 4), []int{1}, true}, Sample{S()}),
		})
		register(&Op{
			Schema:  o.name + "(Tensor self) -> Tensor",
			Infer:   whole.inferExtreme(same),
			Lower:   whole.lower(o.r, nil),
			Grad:    func(g *Gradient) { whole.shareAmongEquals(g, true) },
			Samples: samplesOf(Sample{S(3, 4)}),
		})
		register(&Op{
			Schema: o.name + ".dim(Tensor self, int dim, bool keepdim=False) -> (Tensor values, " +
				"Tensor indices)",
			Infer: func(c *Call) error {
				if err := some.inferExtreme(same)(c); err != nil {
					return err
				}
				return c.Result(dtype.I64, c.Out[0].Shape)
			},
			Lower: func(l *Lowering, c *Call) []*mlir.Value {
				dims, keep := some.must(c)
				value, at := l.extremeOf(l.In(c, 0), dims[0:min(1, len(dims))], o.r)
				return []*mlir.Value{l.Reshape(value, shape.Reduce(c.Shape(0), dims, keep)).V,
					l.Reshape(at, c.Out[1].Shape).V}
			},
			Grad:    some.toPosition,
			Samples: samplesOf(Sample{S(3, 4), 1}, Sample{S(3, 4), 0, true}, Sample{S(), 0}),
		})
		register(&Op{
			Schema: "arg" + o.name + "(Tensor self, int? dim=None, bool keepdim=False) -> Tensor",
			Infer:  some.inferExtreme(func(dtype.DType) dtype.DType { return dtype.I64 }),
			Lower: func(l *Lowering, c *Call) []*mlir.Value {
				t := l.In(c, 0)
				dims := []int{0}
				if c.Has(1) {
					dims, _ = some.must(c)
				} else {
					t = l.Reshape(t, []int{shape.Size(t.Shape())})
				}
				_, at := l.extremeOf(t, dims, o.r)
				return one(l.Reshape(at, c.Out[0].Shape))
			},
			Samples: samplesOf(Sample{S(3, 4)}, Sample{S(3, 4), 1, true}, Sample{S(), 0}),
		})
	}
	registerAminmax()
}

// extremeOf returns the extreme of t over one dimension (none for a tensor without
// dimensions) and its first position, both without that dimension.
func (l *Lowering) extremeOf(t Lowered, dims []int, r Folding) (value, at Lowered) {
	if len(t.Shape()) == 0 {
		t, dims = l.Reshape(t, []int{1}), []int{0}
	}
	d, in := dims[0], t.Shape()
	value = l.Fold(t, dims, false, t.D, r)
	iterators, m := reduceLoops(len(in), dims)
	none := l.Fill(dtype.I64, value.Shape(), float64(max(in[d]-1, 0)))
	at = l.Generic(iterators, []Operand{{t, mlir.Identity(len(in))}, {value, m}}, []Operand{{none, m}},
		func(s *Scalars, x []Elem) []Elem {
			i := s.Index(d)
			here := s.Cmp("eq", x[0], x[1])
			if t.D.IsFloat() {
				here = s.Or(here, s.IsNaN(x[0]))
			}
			return []Elem{s.Min(x[2], s.Select(here, i, s.ConstInt(dtype.I64, int64(in[d]-1))))}
		})[0]
	return value, at
}

// shareAmongEquals divides the gradient among all elements that are the extreme. NaN is among them where a NaN is meant
// to have the gradient; elsewhere no element equals it, and 0/0 is the gradient of them all, as in PyTorch.
func (p place) shareAmongEquals(g *Gradient, nan bool) {
	dims, _ := p.must(g.call)
	y := p.keepDims(g, g.Again())
	is := g.Compare("eq", g.Tensor(0), y)
	if nan {
		is = g.Or(is, g.Call("isnan", g.Tensor(0)))
	}
	n := g.To(g.Sum(is, dims, true), g.Out[0].DType)
	g.Set(0, g.Div(g.Keep(is, p.spread(g)), n))
}

// toPosition gives the gradient to the element whose position is result 1.
func (p place) toPosition(g *Gradient) {
	dims, _ := p.must(g.call)
	if len(g.Shape(0)) == 0 {
		g.Set(0, g.Grad(0))
		return
	}
	here := g.At(p.keepDims(g, g.Results[1]), dims[0], g.Shape(0)[dims[0]])
	g.Set(0, g.Keep(here, p.spread(g)))
}

// At tells, along dimension d of extent n, where position (of extent 1 there) is.
func (e Emit) At(position Value, d, n int) Value {
	dims := ones(len(position.Type().Shape))
	dims[d] = n
	return e.Compare("eq", position, e.Reshape(e.Call("arange", n, dtype.I64), dims))
}

func registerAminmax() {
	p := place{1, 2}
	register(&Op{
		Schema: "aminmax(Tensor self, *, int? dim=None, bool keepdim=False) -> (Tensor min, Tensor max)",
		Infer: func(c *Call) error {
			if err := p.inferExtreme(same)(c); err != nil {
				return err
			}
			return c.Result(c.Out[0].DType, c.Out[0].Shape)
		},
		Expand: func(e Emit, c *Call) []Value {
			dims, keep := p.must(c)
			low := e.Call("amin", c.Tensor(0), dims, keep)
			high := e.Call("amax", c.Tensor(0), dims, keep)
			return []Value{e.Reshape(low, c.Out[0].Shape), e.Reshape(high, c.Out[0].Shape)}
		},
		Samples: samplesOf(Sample{S(3, 4)}, Sample{S(3, 4), 1, true}, Sample{S(), 0, true}),
	})
}
