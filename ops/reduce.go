package ops

import (
	"github.com/go-acap/acap/base/dtype"
	"github.com/go-acap/acap/base/shape"
	"github.com/go-acap/acap/mlir"
)

// Folding says how a tensor is folded over dimensions.
type Folding struct {
	Init    func(acc dtype.DType) float64 // of an accumulator of this type
	Pre     func(s *Scalars, x Elem) Elem // what an element, widened, adds to it; nil: the element
	Combine func(s *Scalars, acc, x Elem) Elem
}

var (
	sumOf     = Folding{always(0), nil, (*Scalars).Add}
	productOf = Folding{always(1), nil, (*Scalars).Mul}
	maxOf     = Folding{Lowest, nil, (*Scalars).Max}
	minOf     = Folding{Highest, nil, (*Scalars).Min}
	anyOf     = Folding{always(0), isTrue, (*Scalars).Or}
	allOf     = Folding{always(1), isTrue, (*Scalars).And}
)

func always(v float64) func(dtype.DType) float64 { return func(dtype.DType) float64 { return v } }

func isTrue(s *Scalars, x Elem) Elem { return s.Cast(x, dtype.Bool) }

// Fold folds t over dims (normalized; all if empty) in the accumulator type acc.
// Reduced dimensions keep an extent of 1 if keep is set.
func (l *Lowering) Fold(t Lowered, dims []int, keep bool, acc dtype.DType, r Folding) Lowered {
	if len(dims) == 0 {
		dims = shape.UpTo(len(t.Shape()))
	}
	result := shape.Reduce(t.Shape(), dims, keep)
	if len(t.Shape()) == 0 {
		t, dims = l.Reshape(t, []int{1}), []int{0}
	}
	iterators, outMap := reduceLoops(len(t.Shape()), dims)
	out := l.Fill(acc, shape.Reduce(t.Shape(), dims, false), r.Init(acc))
	folded := l.Generic(iterators, []Operand{{t, mlir.Identity(len(t.Shape()))}}, []Operand{{out, outMap}},
		func(s *Scalars, x []Elem) []Elem {
			v := s.Widen(x[0])
			if r.Pre != nil {
				v = r.Pre(s, v)
			}
			return []Elem{r.Combine(s, x[1], s.Cast(v, acc))}
		})[0]
	return l.Reshape(folded, result)
}

// count returns the number of elements that are folded into one.
func count(dims, reduced []int) int {
	n := 1
	for _, d := range reduced {
		n *= dims[d]
	}
	if len(reduced) == 0 {
		return shape.Size(dims)
	}
	return n
}

// place says which arguments of a reduction hold its dimensions.
type place struct{ dim, keep int } // -1 if absent

// dimsOf returns the normalized dimensions that a call reduces and whether they are
// kept. An absent list, an empty one and an absent int stand for all.
func (p place) dimsOf(c *Call) ([]int, bool, error) {
	rank := len(c.Shape(0))
	if p.dim < 0 || !c.Has(p.dim) {
		return shape.UpTo(rank), p.keep >= 0 && c.Bool(p.keep), nil
	}
	list := c.Ints(p.dim)
	if c.Args[p.dim].Kind == KindInt {
		list = []int{c.Int(p.dim)}
	}
	dims, err := shape.Dims(list, rank)
	if err == nil && (len(dims) == 0 || rank == 0) {
		dims = shape.UpTo(rank)
	}
	return dims, p.keep >= 0 && c.Bool(p.keep), err
}

// must is dimsOf after Infer has accepted the call.
func (p place) must(c *Call) ([]int, bool) {
	dims, keep, err := p.dimsOf(c)
	if err != nil {
		panic("BUG: ops: " + err.Error())
	}
	return dims, keep
}

// infer gives the result the reduced shape and the type typ of the input's, unless
// argument dtypeArg (≥ 0) is present.
func (p place) infer(dtypeArg int, typ func(dtype.DType) dtype.DType) func(c *Call) error {
	return func(c *Call) error {
		dims, keep, err := p.dimsOf(c)
		if err != nil {
			return err
		}
		d := typ(c.DTypeOf(0))
		if dtypeArg >= 0 {
			d = c.DType(dtypeArg, d)
		}
		return c.Result(d, shape.Reduce(c.Shape(0), dims, keep))
	}
}

// inferExtreme is infer for reductions without an identity: they need elements.
func (p place) inferExtreme(typ func(dtype.DType) dtype.DType) func(c *Call) error {
	return func(c *Call) error {
		dims, _, err := p.dimsOf(c)
		if err != nil {
			return err
		}
		if count(c.Shape(0), dims) == 0 && shape.Size(shape.Reduce(c.Shape(0), dims, false)) != 0 {
			return c.ShapeErrorf("nothing to reduce in %s over dimensions %v", shape.String(c.Shape(0)),
				dims)
		}
		return p.infer(-1, typ)(c)
	}
}

// lower folds in the widened result type and converts after finish (may be nil).
func (p place) lower(r Folding,
	finish func(s *Scalars, c *Call, n int, x Elem) Elem) func(*Lowering, *Call) []*mlir.Value {
	return func(l *Lowering, c *Call) []*mlir.Value {
		dims, keep := p.must(c)
		acc := widened(c.Out[0].DType)
		t := l.Fold(l.In(c, 0), dims, keep, acc, r)
		if finish == nil {
			return one(l.Cast(t, c.Out[0].DType))
		}
		n := count(c.Shape(0), dims)
		return one(l.Pointwise(c.Out[0], []Lowered{t}, func(s *Scalars, x []Elem) Elem {
			return finish(s, c, n, x[0])
		}))
	}
}

// keepDims reshapes v, a result of the call, to the shape that keeps the reduced
// dimensions, so that it broadcasts against the input.
func (p place) keepDims(g *Gradient, v Value) Value {
	dims, _ := p.must(g.call)
	return g.Reshape(v, shape.Reduce(g.Shape(0), dims, true))
}

// spread returns the cotangent of the reduced result, broadcast to the input.
func (p place) spread(g *Gradient) Value {
	return g.Expand(p.keepDims(g, g.Grad(0)), g.Shape(0))
}
