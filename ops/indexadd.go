package ops

import (
	"github.com/go-acap/acap/tensor/buf"
	"github.com/go-acap/acap/tensor/shape"
)

// index_add, index_copy, index_reduce and index_fill change whole slices of a
// dimension, at places that index names.
func init() {
	for _, o := range []struct {
		schema string
		reduce func(c *Call) string
		grad   func(g *Gradient)
		sample Sample
	}{
		{"index_add(Tensor self, int dim, Tensor index, Tensor source, *, Scalar alpha=1) -> Tensor",
			reduceBy("sum"), gradIndexAdd, Sample{S(3, 4), 0, indices(3, 5), S(5, 4), 2}},
		{"index_copy(Tensor self, int dim, Tensor index, Tensor source) -> Tensor",
			reduceBy(""), gradIndexCopy, Sample{S(3, 4), 1, indices(4, 2), S(3, 2)}},
		{"index_reduce(Tensor self, int dim, Tensor index, Tensor source, str reduce, *, " +
			"bool include_self=True) -> Tensor",
			reduceArgument, gradIndexReduce, Sample{S(3, 4), 0, indices(3, 5), S(5, 4), "amax"}},
		{"index_fill.int_Scalar(Tensor self, int dim, Tensor index, Scalar value) -> Tensor",
			reduceBy(""), gradIndexFill, Sample{S(3, 4), 1, indices(4, 2), 7}},
		{"index_fill.int_Tensor(Tensor self, int dim, Tensor index, Tensor value) -> Tensor",
			reduceBy(""), gradIndexFill, Sample{S(3, 4), 1, indices(4, 2), S()}},
	} {
		fill := o.schema[6] == 'f'
		register(&Op{
			Schema:  o.schema,
			Inplace: true,
			Infer: func(c *Call) error {
				return inferIndexAdd(c, fill, o.reduce(c))
			},
			Host: func(h *HostCall) ([]*buf.Buffer, error) {
				include := h.Op.schema.Name != "index_reduce" || h.Bool(5)
				if h.DTypeOf(0).IsFloat() {
					return indexAddHost[float64](h, o.reduce(h.Call), include)
				}
				return indexAddHost[int64](h, o.reduce(h.Call), include)
			},
			Grad:    o.grad,
			Samples: samplesOf(o.sample),
		})
	}
}

func inferIndexAdd(c *Call, fill bool, reduce string) error {
	d, n, err := c.indexVector(1, 2)
	if err != nil {
		return err
	}
	if !scatterKinds[reduce] {
		return c.ArgErrorf("unknown reduction %q", reduce)
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

func indexAddHost[E number](h *HostCall, reduce string, include bool) ([]*buf.Buffer, error) {
	self := h.Buffer(0)
	d, _ := h.dim(1)
	out, places := numbers[E](self), numbers[int64](h.Buffer(2))
	f := newFold(reduce, include, self.DType, out)
	value := func(i int) E { return ofScalar[E](h.Scalar(3)) }
	if b := h.Buffer(3); b != nil {
		source := numbers[E](b)
		value = func(i int) E { return source[i] }
		if len(source) == 1 {
			value = func(int) E { return source[0] }
		}
	}
	alpha := E(1)
	if h.Op.schema.Name == "index_add" {
		alpha = ofScalar[E](h.Scalar(4))
	}
	l := linesOf(self.Shape, d)
	for k, p := range places {
		at := int(p)
		if at < 0 && h.Op.schema.Name == "index_fill" {
			at += l.n
		}
		if at < 0 || at >= l.n {
			return nil, outOfRange(int(p), d, self.Shape)
		}
		for o := range l.outer {
			for i := range l.inner {
				f.put((o*l.n+at)*l.inner+i, alpha*value((o*len(places)+k)*l.inner+i))
			}
		}
	}
	f.finish()
	return []*buf.Buffer{fromNumbers(self.DType, self.Shape, out)}, nil
}

// selectedSlices reads v at the places of the call.
func (g *Gradient) selectedSlices(v Value) Value {
	return g.Call("index_select", v, g.Int(1), g.Tensor(2))
}

func gradIndexAdd(g *Gradient) {
	g.Set(0, g.Grad(0))
	if g.Needs(3) {
		v := g.Reshape(g.selectedSlices(g.Grad(0)), g.Shape(3))
		g.Set(3, g.Mul(v, g.Scalar(4)))
	}
}

func gradIndexFill(g *Gradient) {
	if g.Needs(0) {
		g.Set(0, g.Call("index_fill.int_Scalar", g.Grad(0), g.Int(1), g.Tensor(2), 0))
	}
	if g.Needs(3) {
		g.Set(3, g.Sum(g.selectedSlices(g.Grad(0)), nil, false))
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
		isSelf := g.To(g.Call("eq.Tensor", g.Tensor(0), g.Out0()), d)
		isSource := g.To(g.Call("eq.Tensor", from, pick(g.Out0())), d)
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
