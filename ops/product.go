package ops

import (
	"github.com/go-acap/acap/base/shape"
	"github.com/go-acap/acap/mlir"
)

// product is a contraction of two tensors, which each have one contracted
// dimension. Sums of half types are kept in float32.
type product struct {
	ranks [2]int
	inner [2]int // the contracted dimension of each operand; -1 if there is none
	// dims gives the shape of the result.
	dims func(a, b []int) []int
	// lower computes it; the operands may be brought into the form of a matrix product.
	lower func(l *Lowering, a, b Lowered) Lowered
	// da and db are the gradients of the operands.
	da, db func(e Emit, dy, a, b Value) Value
}

var matrixProduct = product{
	ranks: [2]int{2, 2}, inner: [2]int{1, 0},
	dims:  func(a, b []int) []int { return []int{a[0], b[1]} },
	lower: (*Lowering).product,
	da:    func(e Emit, dy, a, b Value) Value { return e.Call("mm", dy, e.Call("t", b)) },
	db:    func(e Emit, dy, a, b Value) Value { return e.Call("mm", e.Call("t", a), dy) },
}

var batchProduct = product{
	ranks: [2]int{3, 3}, inner: [2]int{2, 1},
	dims:  func(a, b []int) []int { return []int{a[0], a[1], b[2]} },
	lower: (*Lowering).product,
	da:    func(e Emit, dy, a, b Value) Value { return e.Call("bmm", dy, e.mT(b)) },
	db:    func(e Emit, dy, a, b Value) Value { return e.Call("bmm", e.mT(a), dy) },
}

var matrixVector = product{
	ranks: [2]int{2, 1}, inner: [2]int{1, 0},
	dims: func(a, b []int) []int { return a[:1] },
	lower: func(l *Lowering, a, b Lowered) Lowered {
		return l.Reshape(l.product(a, l.Reshape(b, []int{b.Shape()[0], 1})), a.Shape()[:1])
	},
	da: func(e Emit, dy, a, b Value) Value { return e.Outer(dy, b) },
	db: func(e Emit, dy, a, b Value) Value { return e.Call("mv", e.Call("t", a), dy) },
}

var innerProduct = product{
	ranks: [2]int{1, 1}, inner: [2]int{0, 0},
	dims: func(a, b []int) []int { return []int{} },
	lower: func(l *Lowering, a, b Lowered) Lowered {
		n := a.Shape()[0]
		return l.Reshape(l.product(l.Reshape(a, []int{1, n}), l.Reshape(b, []int{n, 1})), []int{})
	},
	da: func(e Emit, dy, a, b Value) Value { return e.Mul(b, dy) },
	db: func(e Emit, dy, a, b Value) Value { return e.Mul(a, dy) },
}

// batchSum is the sum of a batch of matrix products.
var batchSum = product{
	ranks: [2]int{3, 3}, inner: [2]int{2, 1},
	dims: func(a, b []int) []int { return []int{a[1], b[2]} },
	lower: func(l *Lowering, a, b Lowered) Lowered {
		r := l.product(a, b)
		return l.Fold(r, []int{0}, false, r.D, sumOf)
	},
	da: func(e Emit, dy, a, b Value) Value {
		return e.Call("bmm", e.batched(dy, b), e.mT(b))
	},
	db: func(e Emit, dy, a, b Value) Value {
		return e.Call("bmm", e.mT(a), e.batched(dy, a))
	},
}

// product is [Lowering.Contract] with sums in the widened type.
func (l *Lowering) product(a, b Lowered) Lowered {
	return l.Contract(a, b, widened(a.D))
}

// Outer returns the products of the elements of two vectors, a matrix.
func (e Emit) Outer(x, y Value) Value {
	return e.Mul(e.Reshape(x, []int{x.Type().Shape[0], 1}), y)
}

// batched repeats a matrix along the batch dimension of like.
func (e Emit) batched(x, like Value) Value {
	return e.Expand(x, append([]int{like.Type().Shape[0]}, x.Type().Shape...))
}

// check reports operands, arguments first and first+1, that do not fit.
func (p *product) check(c *Call, first int) error {
	a, b := c.Type(first), c.Type(first+1)
	for i, t := range []TensorType{a, b} {
		if len(t.Shape) != p.ranks[i] {
			return c.ShapeErrorf("%s must have %d dimensions, not the shape %s",
				c.Op.Parsed().Params[first+i].Name, p.ranks[i], shape.String(t.Shape))
		}
	}
	switch {
	case p.inner[0] >= 0 && a.Shape[p.inner[0]] != b.Shape[p.inner[1]],
		p.ranks == [2]int{3, 3} && a.Shape[0] != b.Shape[0]:
		return c.ShapeErrorf("%s and %s cannot be multiplied", shape.String(a.Shape),
			shape.String(b.Shape))
	case a.DType != b.DType:
		return c.DTypeErrorf("operands have the types %v and %v", a.DType, b.DType)
	}
	return nil
}

// op returns the operator "name(Tensor self, Tensor second) -> Tensor".
func (p product) op(name, second string, samples ...Sample) *Op {
	return &Op{
		Schema: name + "(Tensor self, Tensor " + second + ") -> Tensor",
		Infer: func(c *Call) error {
			if err := p.check(c, 0); err != nil {
				return err
			}
			return c.Result(c.DTypeOf(0), p.dims(c.Shape(0), c.Shape(1)))
		},
		Lower: func(l *Lowering, c *Call) []*mlir.Value {
			return one(l.Cast(p.lower(l, l.In(c, 0), l.In(c, 1)), c.Out[0].DType))
		},
		Grad: func(g *Gradient) {
			a, b := g.Tensor(0), g.Tensor(1)
			if g.Needs(0) {
				g.Set(0, p.da(g.Emit, g.Grad(0), a, g.Conj(b)))
			}
			if g.Needs(1) {
				g.Set(1, p.db(g.Emit, g.Grad(0), g.Conj(a), b))
			}
		},
		Samples: samplesOf(samples...),
	}
}

// addOp returns the operator beta·self + alpha·product(first, second).
func (p product) addOp(name, first, second string, samples ...Sample) *Op {
	return &Op{
		Schema: name + "(Tensor self, Tensor " + first + ", Tensor " + second +
			", *, Scalar beta=1, Scalar alpha=1) -> Tensor",
		Inplace: true,
		Infer: func(c *Call) error {
			if err := p.check(c, 1); err != nil {
				return err
			}
			dims := p.dims(c.Shape(1), c.Shape(2))
			if err := shape.BroadcastTo(c.Shape(0), dims); err != nil {
				return err
			}
			return c.Result(c.DTypeOf(1), dims)
		},
		Lower: func(l *Lowering, c *Call) []*mlir.Value {
			return one(l.addScaled(c, l.In(c, 0), p.lower(l, l.In(c, 1), l.In(c, 2))))
		},
		Grad: func(g *Gradient) {
			a, b := g.Tensor(1), g.Tensor(2)
			g.Set(0, g.scaled(g.Grad(0), 3))
			dy := g.scaled(g.Grad(0), 4)
			if g.Needs(1) {
				g.Set(1, p.da(g.Emit, dy, a, b))
			}
			if g.Needs(2) {
				g.Set(2, p.db(g.Emit, dy, a, b))
			}
		},
		Samples: samplesOf(samples...),
	}
}

// addScaled returns beta·self + alpha·product, where beta and alpha are arguments
// 3 and 4. A beta of 0 ignores self, NaN too.
func (l *Lowering) addScaled(c *Call, self, product Lowered) Lowered {
	beta, alpha := c.Scalar(3), c.Scalar(4)
	if beta.Float() == 0 {
		return l.Pointwise(c.Out[0], []Lowered{product}, func(s *Scalars, x []Elem) Elem {
			return scaled(s, x[0], alpha)
		})
	}
	return l.Pointwise(c.Out[0], []Lowered{product, self}, func(s *Scalars, x []Elem) Elem {
		return s.Add(scaled(s, x[0], alpha), scaled(s, s.Cast(x[1], x[0].D), beta))
	})
}

// scaled multiplies v by number argument i, which is usually 1.
func (g *Gradient) scaled(v Value, i int) Value {
	if g.Float(i) == 1 {
		return v
	}
	return g.Mul(v, g.conjugate(i))
}
