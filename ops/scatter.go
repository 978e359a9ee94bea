package ops

import (
	"slices"
	"strings"

	"github.com/go-acap/acap/base/dtype"
	"github.com/go-acap/acap/base/shape"
	"github.com/go-acap/acap/mlir"
	"github.com/go-acap/acap/mlir/dialect/acap"
)

// The scatters write or fold src, or a number, into self at places along a
// dimension.
func init() {
	for _, o := range []struct {
		schema string
		reduce folding
		grad   func(g *Gradient)
		sample Sample
	}{
		{"scatter.src(Tensor self, int dim, Tensor index, Tensor src) -> Tensor",
			by(""), gradScatter, Sample{S(3, 4), 0, indices(3, 2, 4), S(2, 4)}},
		{"scatter.value(Tensor self, int dim, Tensor index, Scalar value) -> Tensor",
			by(""), gradScatter, Sample{S(3, 4), 1, indices(4, 3, 2), 2}},
		{"scatter.reduce(Tensor self, int dim, Tensor index, Tensor src, *, str reduce) -> Tensor",
			oneOf("add", "multiply"), nil, Sample{S(3), 0, indices(3, 5), S(5), "multiply"}},
		{"scatter.value_reduce(Tensor self, int dim, Tensor index, Scalar value, *, " +
			"str reduce) -> Tensor",
			oneOf("add", "multiply"), nil, Sample{S(3), 0, indices(3, 5), 2, "add"}},
		{"scatter_add(Tensor self, int dim, Tensor index, Tensor src) -> Tensor",
			by("sum"), gradScatterAdd, Sample{S(3, 4), 0, indices(3, 5, 4), S(5, 4)}},
		{"scatter_reduce.two(Tensor self, int dim, Tensor index, Tensor src, str reduce, *, " +
			"bool include_self=True) -> Tensor",
			oneOf("sum", "prod", "mean", "amax", "amin", "max", "min"), gradScatterReduce, Sample{S(3, 4), 0, indices(3, 5, 4), S(5, 4), "mean"}},
	} {
		register(&Op{
			Schema:  o.schema,
			Inplace: true,
			Infer: func(c *Call) error {
				if _, err := c.indexed(0, 1, 2, 3); err != nil {
					return err
				}
				if err := c.wantReduction(o.reduce); err != nil {
					return err
				}
				if c.Tensor(3) != nil && c.DTypeOf(3) != c.DTypeOf(0) {
					return c.DTypeErrorf("src %v must have the type %v of self", c.DTypeOf(3), c.DTypeOf(0))
				}
				return inferSame(c)
			},
			Lower: func(l *Lowering, c *Call) []*mlir.Value {
				return one(l.scatter(c, o.reduce.of(c), len(c.Args) < 6 || c.Bool(5)))
			},
			Grad:    o.grad,
			Samples: samplesOf(o.sample),
		})
	}
}

// folding tells how a call combines the elements that are written to one place. The operator always combines in one way
// ("" overwrites), or string argument 4 chooses among names.
type folding struct {
	kind  string
	names []string
}

func by(kind string) folding { return folding{kind: kind} }

func oneOf(names ...string) folding { return folding{names: names} }

func (r folding) of(c *Call) string {
	if r.names != nil {
		return c.Args[4].Text()
	}
	return r.kind
}

// wantReduction reports a name that is none of a folding's.
func (c *Call) wantReduction(r folding) error {
	if name := r.of(c); r.names != nil && !slices.Contains(r.names, name) {
		return c.ArgErrorf("reduce is %q; expected %s", name, strings.Join(r.names, ", "))
	}
	return nil
}

// scatter lowers (self, dim, index, src or value).
func (l *Lowering) scatter(c *Call, reduce string, include bool) Lowered {
	d, _ := c.dim(1)
	self, index := l.lined(l.In(c, 0)), l.lined(l.In(c, 2))
	dims := index.Shape()
	if shape.Size(dims) == 0 {
		return l.Reshape(self, c.Out[0].Shape)
	}
	var src Lowered
	if c.Tensor(3) != nil {
		src = l.lined(l.In(c, 3))
		src = l.Slice(src, make([]int, len(dims)), dims, ones(len(dims)))
	} else {
		src = l.FillScalar(TensorType{self.D, dims}, c.Scalar(3))
	}
	return l.Reshape(l.reduceInto(self, index, src, d, reduce, include), c.Out[0].Shape)
}

// reduceInto folds src into self at index along dimension d, which the acap dialect
// requires to broadcast to src. Self's elements at the places take part if include is set. The half types fold in
// float32, and means of integers in int64.
func (l *Lowering) reduceInto(self, index, src Lowered, d int, reduce string, include bool) Lowered {
	if reduce == "" {
		return l.Scatter(acap.Assign, src, index, self, d)
	}
	acc := widened(self.D)
	if reduce == "mean" && !acc.IsFloat() {
		acc = dtype.I64
	}
	f := scatterFolds[reduce]
	into := l.Cast(self, acc)
	src = l.Cast(src, acc)
	if !include {
		into = l.Scatter(acap.Assign, l.Fill(acc, src.Shape(), f.identity(acc)), index, into, d)
	}
	out := l.Scatter(f.kind, src, index, into, d)
	if reduce == "mean" {
		own := 1.0
		if !include {
			own = 0
		}
		n := l.Scatter(acap.Add, l.Fill(acc, src.Shape(), 1), index, l.Fill(acc, into.Shape(), own), d)
		out = l.Pointwise(TensorType{acc, out.Shape()}, []Lowered{out, n}, func(s *Scalars, x []Elem) Elem {
			n := s.Max(x[1], s.Const(acc, 1))
			if acc.IsFloat() {
				return s.Div(x[0], n)
			}
			return s.FloorDiv(x[0], n) // means of integers are rounded down
		})
	}
	return l.Cast(out, self.D)
}

// scatterFolds has the fold of every reduction and what it starts from.
var scatterFolds = map[string]struct {
	kind     string
	identity func(dtype.DType) float64
}{
	"add": {acap.Add, always(0)}, "sum": {acap.Add, always(0)}, "mean": {acap.Add, always(0)},
	"multiply": {acap.Mul, always(1)}, "prod": {acap.Mul, always(1)},
	"amax": {acap.Max, Lowest}, "amin": {acap.Min, Highest}, "max": {acap.Max, Lowest}, "min": {acap.Min, Highest},
}

func gradScatter(g *Gradient) {
	if g.Needs(0) {
		g.Set(0, g.Call("scatter.value", g.Grad(0), g.Int(1), g.Tensor(2), 0))
	}
	if g.Needs(3) {
		g.Set(3, g.scatterSource(g.Grad(0)))
	}
}

func gradScatterAdd(g *Gradient) {
	g.Set(0, g.Grad(0))
	if g.Needs(3) {
		g.Set(3, g.scatterSource(g.Grad(0)))
	}
}

// gathered reads v at the places of a scatter.
func (g *Gradient) gathered(v Value) Value { return g.Call("gather", v, g.Int(1), g.Tensor(2)) }

// scatterSource is the gradient of src: v at the places of the scatter, and zeros
// where src is larger than index.
func (g *Gradient) scatterSource(v Value) Value { return g.padSource(g.gathered(v)) }

// padSource pads a gradient from the shape of index to the shape of src.
func (g *Gradient) padSource(v Value) Value {
	have, want := v.Type().Shape, g.Shape(3)
	var pad []int
	for i := len(want) - 1; i >= 0 && len(have) == len(want); i-- {
		pad = append(pad, 0, want[i]-have[i])
	}
	if allEqual(pad, 0) {
		return v
	}
	return g.Call("constant_pad_nd", v, pad, 0)
}

// source is src cut to the shape of index.
func (g *Gradient) source() Value {
	v := g.Tensor(3)
	for i, n := range g.Shape(2) {
		if i < len(g.Shape(3)) && g.Shape(3)[i] != n {
			v = g.Call("slice.Tensor", v, i, 0, n)
		}
	}
	return v
}

// gradScatterReduce follows PyTorch's formulas (scatter_reduce_backward): the
// gradient of a maximum is shared equally between equal elements.
func gradScatterReduce(g *Gradient) {
	var self, src Value
	grad, dim, index := g.Grad(0), g.Int(1), g.Tensor(2)
	add := func(into, v Value) Value { return g.Call("scatter_add", into, dim, index, v) }
	ones := func(t TensorType) Value { return g.Full(t.Shape, 1, t.DType) }
	from := g.source()
	switch g.Args[4].Text() {
	case "sum":
		self, src = grad, g.gathered(grad)
	case "mean":
		n := g.Zeros(g.Out[0])
		if g.Bool(5) {
			n = ones(g.Out[0])
		}
		n = add(n, ones(from.Type()))
		n = g.Call("masked_fill.Scalar", n, g.Call("eq.Scalar", n, 0), 1)
		self = g.Div(grad, n)
		src = g.gathered(self)
	case "amax", "amin", "max", "min":
		d := g.Out[0].DType
		y := g.Again()
		isSelf := g.To(g.Call("eq.Tensor", g.Tensor(0), y), d)
		isSrc := g.To(g.Call("eq.Tensor", from, g.gathered(y)), d)
		share := g.Div(grad, add(isSelf, isSrc))
		self, src = g.Mul(isSelf, share), g.Mul(isSrc, g.gathered(share))
	case "prod":
		self, src = g.gradScatterProd(from)
	}
	if g.Needs(0) {
		if !g.Bool(5) {
			self = g.Call("scatter.value", self, dim, index, 0)
		}
		g.Set(0, self)
	}
	if g.Needs(3) {
		g.Set(3, g.padSource(src))
	}
}

// gradScatterProd divides the product by each factor; the places of single zeros
// take the product of the others.
func (g *Gradient) gradScatterProd(from Value) (self, src Value) {
	dim, index, include := g.Int(1), g.Tensor(2), g.Bool(5)
	product := func(self, src Value) Value {
		return g.Call("scatter_reduce.two", self, dim, index, src, "prod", include)
	}
	isZero := func(v Value) Value { return g.Call("eq.Scalar", v, 0) }
	fill := func(v, mask Value) Value { return g.Call("masked_fill.Scalar", v, mask, 1) }
	masked := fill(g.Tensor(0), isZero(g.Tensor(0)))
	self = g.Div(g.Mul(g.Grad(0), product(masked, from)), masked)
	zero := isZero(from)
	zeros := g.gathered(g.Call("scatter_add", g.Zeros(g.Out[0]), dim, index,
		g.To(zero, g.Out[0].DType)))
	single := g.Call("logical_and", zero, g.Call("eq.Scalar", zeros, 1))
	others := product(g.Tensor(0), fill(from, single))
	src = g.Where(single, g.gathered(g.Mul(g.Grad(0), others)),
		g.Div(g.gathered(g.Mul(g.Grad(0), g.Out0())), fill(from, zero)))
	return self, src
}
