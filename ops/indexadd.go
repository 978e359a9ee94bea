package ops

import (
	"github.com/go-acap/acap/base/dtype"
	"github.com/go-acap/acap/base/shape"
	"github.com/go-acap/acap/mlir"
)

// index_add, index_copy, index_reduce and index_fill change whole slices of a
// dimension, at places that index names.
func init() {
	for _, o := range []struct {
		schema string
		reduce folding
		grad   func(g *Gradient)
		sample Sample
	}{
		{"index_add(Tensor self, int dim, Tensor index, Tensor source, *, Scalar alpha=1) -> Tensor",
			by("sum"), gradIndexAdd, Sample{S(3, 4), 0, indices(3, 5), S(5, 4), 2}},
		{"index_copy(Tensor self, int dim, Tensor index, Tensor source) -> Tensor",
			by(""), gradIndexCopy, Sample{S(3, 4), 1, indices(4, 2), S(3, 2)}},
		{"index_reduce(Tensor self, int dim, Tensor index, Tensor source, str reduce, *, " +
			"bool include_self=True) -> Tensor",
			oneOf("prod", "mean", "amax", "amin"), gradIndexReduce, Sample{S(3, 4), 0, indices(3, 5), S(5, 4), "amax"}},
		{"index_fill.int_Scalar(Tensor self, int dim, Tensor index, Scalar value) -> Tensor",
			by(""), gradIndexFill, Sample{S(3, 4), 1, indices(4, 2), 7}},
		{"index_fill.int_Tensor(Tensor self, int dim, Tensor index, Tensor value) -> Tensor",
			by(""), gradIndexFill, Sample{S(3, 4), 1, indices(4, 2), S()}},
	} {
		fill := o.schema[6] == 'f'
		register(&Op{
			Schema:  o.schema,
			Inplace: true,
			Infer: func(c *Call) error {
				if err := c.wantReduction(o.reduce); err != nil {
					return err
				}
				return inferIndexAdd(c, fill)
			},
			Lower: func(l *Lowering, c *Call) []*mlir.Value {
				include := c.Op.Parsed().Name != "index_reduce" || c.Bool(5)
				return one(l.indexAdd(c, o.reduce.of(c), include))
			},
			Grad:    o.grad,
			Samples: samplesOf(o.sample),
		})
	}
}

func inferIndexAdd(c *Call, fill bool) error {
	d, n, err := c.indexVector(1, 2)
	if err != nil {
		return err
	}
	if c.Tensor(3) == nil {
		return inferSame(c)
	}
	if fill {
		if len(c.Shape(3)) > 0 {
			return c.ShapeErrorf("value must have no dimensions, got %s", shape.String(c.Shape(3)))
		}
		return inferSame(c)
	}
	if c.DTypeOf(3) != c.DTypeOf(0) {
		return c.DTypeErrorf("source %v must have the type %v of self", c.DTypeOf(3), c.DTypeOf(0))
	}
	want, have := withDim(c.Shape(0), d, n), c.Shape(3)
	if !shape.Equal(want, have) && (shape.Size(want) != 1 || shape.Size(have) != 1) {
		return c.ShapeErrorf("source %s must have shape %s for index %s into dimension %d of self %s",
			shape.String(have), shape.String(want), shape.String(c.Shape(2)), d, shape.String(c.Shape(0)))
	}
	return inferSame(c)
}

// indexAdd lowers (self, dim, index, source or value).
func (l *Lowering) indexAdd(c *Call, reduce string, include bool) Lowered {
	d, _ := c.dim(1)
	self := l.lined(l.In(c, 0))
	n := shape.Size(c.Shape(2))
	dims := withDim(self.Shape(), d, n)
	if shape.Size(dims) == 0 {
		return l.Reshape(self, c.Out[0].Shape)
	}
	index := l.In(c, 2)
	if c.Op.Parsed().Name == "index_fill" {
		index = l.Pointwise(TensorType{dtype.I64, index.Shape()}, []Lowered{index},
			func(s *Scalars, x []Elem) Elem { return s.wrapped(x[0], self.Shape()[d]) })
	}
	index = l.Reshape(index, withDim(ones(len(dims)), d, n))
	var source Lowered
	switch {
	case c.Tensor(3) == nil:
		source = l.FillScalar(TensorType{self.D, dims}, c.Scalar(3))
	case len(c.Shape(3)) == 0:
		source = l.Broadcast(l.Cast(l.In(c, 3), self.D), dims)
	default:
		source = l.Reshape(l.In(c, 3), dims)
	}
	if c.Op.Parsed().Name == "index_add" {
		source = l.scaled(source, c.Scalar(4))
	}
	return l.Reshape(l.reduceInto(self, index, source, d, reduce, include), c.Out[0].Shape)
}

// scaled multiplies by a number, in float32 for the half types.
func (l *Lowering) scaled(t Lowered, by Scalar) Lowered {
	if by.Is(1) {
		return t
	}
	return l.Pointwise(TensorType{widened(t.D), t.Shape()}, []Lowered{t}, func(s *Scalars, x []Elem) Elem {
		return scaled(s, x[0], by)
	})
}

// selectedSlices reads v at the places of the call.
func (g *Gradient) selectedSlices(v Value) Value {
	return g.Call("index_select", v, g.Int(1), g.Tensor(2))
}

func gradIndexAdd(g *Gradient) {
	g.Set(0, g.Grad(0))
	if g.Needs(3) {
		v := g.Reshape(g.selectedSlices(g.Grad(0)), g.Shape(3))
		g.Set(3, g.Mul(v, g.conjugate(4)))
	}
}

func gradIndexFill(g *Gradient) {
	if g.Needs(0) {
		g.Set(0, g.Call("index_fill.int_Scalar", g.Grad(0), g.Int(1), g.Tensor(2), 0))
	}
	if g.Needs(3) {
		// The filled slices, once each: an index may name a slice twice.
		rest := g.Call("index_fill.int_Scalar", g.Grad(0), g.Int(1), g.Tensor(2), 0)
		g.Set(3, g.Sum(g.Sub(g.Grad(0), rest), nil, false))
	}
}

func gradIndexCopy(g *Gradient) {
	if g.Needs(0) {
		g.Set(0, g.Call("index_fill.int_Scalar", g.Grad(0), g.Int(1), g.Tensor(2), 0))
	}
	if g.Needs(3) {
		g.Set(3, g.Reshape(g.selectedSlices(g.Grad(0)), g.Shape(3)))
	}
}

// gradIndexReduce follows the formulas of gradScatterReduce, for slices.
func gradIndexReduce(g *Gradient) {
	var self, source Value
	grad, dim, index, from := g.Grad(0), g.Int(1), g.Tensor(2), g.Tensor(3)
	add := func(into, v Value) Value { return g.Call("index_add", into, dim, index, v) }
	pick := func(v Value) Value { return g.Reshape(g.selectedSlices(v), g.Shape(3)) }
	d := g.Out[0].DType
	switch g.Args[4].Text() {
	case "mean":
		n := g.Zeros(g.Out[0])
		if g.Bool(5) {
			n = g.Full(g.Out[0].Shape, 1, d)
		}
		n = add(n, g.Full(g.Shape(3), 1, d))
		n = g.Call("masked_fill.Scalar", n, g.Call("eq.Scalar", n, 0), 1)
		self = g.Div(grad, n)
		source = pick(self)
	case "amax", "amin":
		y := g.Again()
		isSelf := g.To(g.Call("eq.Tensor", g.Tensor(0), y), d)
		isSource := g.To(g.Call("eq.Tensor", from, pick(y)), d)
		share := g.Div(grad, add(isSelf, isSource))
		self, source = g.Mul(isSelf, share), g.Mul(isSource, pick(share))
	case "prod":
		self, source = g.gradIndexProd(add, pick)
	}
	if g.Needs(0) {
		if !g.Bool(5) {
			self = g.Call("index_fill.int_Scalar", self, dim, index, 0)
		}
		g.Set(0, self)
	}
	if g.Needs(3) {
		g.Set(3, source)
	}
}

func (g *Gradient) gradIndexProd(add func(into, v Value) Value,
	pick func(Value) Value) (self, source Value) {
	product := func(self, source Value) Value {
		return g.Call("index_reduce", self, g.Int(1), g.Tensor(2), source, "prod", g.Bool(5))
	}
	isZero := func(v Value) Value { return g.Call("eq.Scalar", v, 0) }
	fill := func(v, mask Value) Value { return g.Call("masked_fill.Scalar", v, mask, 1) }
	from := g.Tensor(3)
	masked := fill(g.Tensor(0), isZero(g.Tensor(0)))
	self = g.Div(g.Mul(g.Grad(0), product(masked, from)), masked)
	zero := isZero(from)
	zeros := pick(add(g.Zeros(g.Out[0]), g.To(zero, g.Out[0].DType)))
	single := g.Call("logical_and", zero, g.Call("eq.Scalar", zeros, 1))
	others := product(g.Tensor(0), fill(from, single))
	return self, g.Where(single, pick(g.Mul(g.Grad(0), others)),
		g.Div(pick(g.Mul(g.Grad(0), g.Out0())), fill(from, zero)))
}
