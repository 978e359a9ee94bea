package ops

import (
	"fmt"
	"math"

	"github.com/go-acap/acap/tensor/buf"
	"github.com/go-acap/acap/tensor/dtype"
	"github.com/go-acap/acap/tensor/shape"
)

// The scatters write or fold src, or a number, into self at places along a
// dimension. They run on the host: places may collide.
func init() {
	for _, o := range []struct {
		schema string
		reduce func(c *Call) string
		grad   func(g *Gradient)
		sample Sample
	}{
		{"scatter.src(Tensor self, int dim, Tensor index, Tensor src) -> Tensor",
			reduceBy(""), gradScatter, Sample{S(3, 4), 0, indices(3, 2, 4), S(2, 4)}},
		{"scatter.value(Tensor self, int dim, Tensor index, Scalar value) -> Tensor",
			reduceBy(""), gradScatter, Sample{S(3, 4), 1, indices(4, 3, 2), 2}},
		{"scatter.reduce(Tensor self, int dim, Tensor index, Tensor src, *, str reduce) -> Tensor",
			reduceArgument, nil, Sample{S(3), 0, indices(3, 5), S(5), "multiply"}},
		{"scatter.value_reduce(Tensor self, int dim, Tensor index, Scalar value, *, " +
			"str reduce) -> Tensor",
			reduceArgument, nil, Sample{S(3), 0, indices(3, 5), 2, "add"}},
		{"scatter_add(Tensor self, int dim, Tensor index, Tensor src) -> Tensor",
			reduceBy("sum"), gradScatterAdd, Sample{S(3, 4), 0, indices(3, 5, 4), S(5, 4)}},
		{"scatter_reduce.two(Tensor self, int dim, Tensor index, Tensor src, str reduce, *, " +
			"bool include_self=True) -> Tensor",
			reduceArgument, gradScatterReduce, Sample{S(3, 4), 0, indices(3, 5, 4), S(5, 4), "mean"}},
	} {
		register(&Op{
			Schema:  o.schema,
			Inplace: true,
			Infer: func(c *Call) error {
				if _, err := c.indexed(0, 1, 2, 3); err != nil {
					return err
				}
				if !scatterKinds[o.reduce(c)] {
					return c.ArgErrorf("unknown reduction %q", o.reduce(c))
				}
				if c.Tensor(3) != nil && c.DTypeOf(3) != c.DTypeOf(0) {
					return c.DTypeErrorf("src %v must have the type %v of self", c.DTypeOf(3), c.DTypeOf(0))
				}
				return inferSame(c)
			},
			Host: func(h *HostCall) ([]*buf.Buffer, error) {
				include := len(h.Args) < 6 || h.Bool(5)
				if h.DTypeOf(0).IsFloat() {
					return scatterHost[float64](h, o.reduce(h.Call), include)
				}
				return scatterHost[int64](h, o.reduce(h.Call), include)
			},
			Grad:    o.grad,
			Samples: samplesOf(o.sample),
		})
	}
}

// reduceBy and reduceArgument tell how a call reduces: always in one way ("" writes
// over what was there), or as string argument 4 says.
func reduceBy(kind string) func(c *Call) string { return func(*Call) string { return kind } }

func reduceArgument(c *Call) string { return c.Args[4].Text() }

// scatterKinds are the known reductions.
var scatterKinds = map[string]bool{"": true, "add": true, "multiply": true, "sum": true,
	"prod": true, "mean": true, "amax": true, "amin": true}

func scatterHost[E number](h *HostCall, reduce string, include bool) ([]*buf.Buffer, error) {
	self, index := h.Buffer(0), h.Buffer(2)
	d, _ := h.dim(1)
	out := numbers[E](self)
	src, srcDims := []E{0}, []int(nil)
	if b := h.Buffer(3); b != nil {
		src, srcDims = numbers[E](b), b.Shape
	} else {
		src[0] = ofScalar[E](h.Scalar(3))
	}
	f := newFold(reduce, include, self.DType, out)
	dims := index.Shape
	selfStrides, srcStrides := shape.Strides(self.Shape), make([]int, len(dims))
	if len(srcDims) == len(dims) {
		srcStrides = shape.Strides(srcDims)
	}
	n, along := 1, 1
	if len(self.Shape) > 0 {
		n, along = self.Shape[d], selfStrides[d]
	}
	rows := append([]int(nil), selfStrides...)
	if len(rows) > 0 {
		rows[d] = 0
	}
	for len(rows) < len(dims) {
		rows = append(rows, 0)
	}
	places := numbers[int64](index)
	var err error
	next := 0
	each(dims, [][]int{rows[:len(dims)], srcStrides}, func(at []int) {
		i := int(places[next])
		next++
		if i < 0 || i >= n {
			if err == nil {
				err = outOfRange(i, d, self.Shape)
			}
			return
		}
		f.put(at[0]+i*along, src[at[1]])
	})
	if err != nil {
		return nil, err
	}
	f.finish()
	return []*buf.Buffer{fromNumbers(self.DType, self.Shape, out)}, nil
}

func outOfRange(i, d int, dims []int) error {
	return fmt.Errorf("index %d is out of range for dimension %d of %s", i, d, shape.String(dims))
}

// fold combines elements that fall on one place.
type fold[E number] struct {
	out     []E
	reduce  string
	d       dtype.DType
	count   []E // elements at every place, self included
	touched []bool
}

func newFold[E number](reduce string, include bool, d dtype.DType, out []E) *fold[E] {
	f := &fold[E]{out: out, reduce: reduce, d: d}
	if reduce == "mean" {
		f.count = make([]E, len(out))
		if include {
			for i := range f.count {
				f.count[i] = 1
			}
		}
	}
	if !include {
		f.touched = make([]bool, len(out))
	}
	return f
}

// put folds v into place i.
func (f *fold[E]) put(i int, v E) {
	if f.count != nil {
		f.count[i]++
	}
	if f.reduce == "" || f.touched != nil && !f.touched[i] {
		f.out[i] = v
		if f.touched != nil {
			f.touched[i] = true
		}
		return
	}
	switch f.reduce {
	case "prod", "multiply":
		f.out[i] *= v
	case "amax":
		if v > f.out[i] || v != v {
			f.out[i] = v
		}
	case "amin":
		if v < f.out[i] || v != v {
			f.out[i] = v
		}
	default:
		f.out[i] += v
	}
}

// finish divides means; those of integers are rounded down.
func (f *fold[E]) finish() {
	for i, n := range f.count {
		if n == 0 {
			continue
		}
		q := f.out[i] / n
		if !f.d.IsFloat() {
			q = E(math.Floor(float64(f.out[i]) / float64(n)))
		}
		f.out[i] = q
	}
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

// padSource brings a gradient of the shape of index to that of src.
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
	case "amax", "amin":
		d := g.Out[0].DType
		isSelf := g.To(g.Call("eq.Tensor", g.Tensor(0), g.Out0()), d)
		isSrc := g.To(g.Call("eq.Tensor", from, g.gathered(g.Out0())), d)
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
