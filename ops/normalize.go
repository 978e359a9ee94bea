package ops

import (
	"github.com/go-acap/acap/mlir"
)

// normalization is what layer, group and batch norms compute: x minus its mean over
// dims, divided by its standard deviation, times weight plus bias, which broadcast
// against x and may be absent.
type normalization struct {
	x            Lowered
	dims         []int
	eps          float64
	weight, bias *Lowered
}

// affine returns optional argument i in a shape that broadcasts against the input.
func (l *Lowering) affine(c *Call, i int, dims []int) *Lowered {
	if !c.Has(i) {
		return nil
	}
	t := l.Reshape(l.In(c, i), dims)
	return &t
}

// normalize returns the result, the mean and 1/√(variance + eps), of c's types.
func (l *Lowering) normalize(c *Call, n normalization) []*mlir.Value {
	variance, mean := l.variance(n.x, n.dims, 0, false)
	rstd := l.Pointwise(variance.Type(), []Lowered{variance}, func(s *Scalars, x []Elem) Elem {
		return s.Math("rsqrt", s.Add(x[0], s.Const(x[0].D, n.eps)))
	})
	y := l.scaleShift(TensorType{c.Out[0].DType, n.x.Shape()}, n, mean, rstd)
	out := []*mlir.Value{l.Reshape(y, c.Out[0].Shape).V}
	for i, t := range []Lowered{mean, rstd} {
		out = append(out, l.Cast(l.Reshape(t, c.Out[1+i].Shape), c.Out[1+i].DType).V)
	}
	return out
}

// scaleShift returns (x - mean)·rstd·weight + bias.
func (l *Lowering) scaleShift(out TensorType, n normalization, mean, rstd Lowered) Lowered {
	ins := []Lowered{n.x, mean, rstd}
	for _, t := range []*Lowered{n.weight, n.bias} {
		if t != nil {
			ins = append(ins, *t)
		}
	}
	return l.Pointwise(out, ins, func(s *Scalars, x []Elem) Elem {
		for i := range x {
			x[i] = s.Cast(x[i], widened(out.DType))
		}
		y := s.Mul(s.Sub(x[0], x[1]), x[2])
		next := 3
		if n.weight != nil {
			y = s.Mul(y, x[next])
			next++
		}
		if n.bias != nil {
			y = s.Add(y, x[next])
		}
		return y
	})
}

// normalizationGradient describes the backward direction. mean and rstd broadcast
// against x; constant says that they do not depend on x.
type normalizationGradient struct {
	x, dy, mean, rstd Value
	dims              []int
	weight, bias      int   // argument numbers
	affine            []int // the shape in which weight and bias broadcast against x
	constant          bool
}

// normalization sets the gradients of input (argument 0), weight and bias:
// with x̂ = (x - mean)·rstd and d = dy·weight,
// dx = rstd·(d - mean(d) - x̂·mean(d·x̂)).
func (g *Gradient) normalization(n normalizationGradient) {
	xhat := g.Mul(g.Sub(n.x, n.mean), n.rstd)
	full := n.x.Type().Shape
	lead := append(ones(len(full)-len(n.affine)), n.affine...)
	if g.Needs(n.weight) {
		g.Set(n.weight, g.Reshape(g.SumTo(g.Mul(n.dy, xhat), lead), g.Shape(n.weight)))
	}
	if g.Needs(n.bias) {
		g.Set(n.bias, g.Reshape(g.SumTo(n.dy, lead), g.Shape(n.bias)))
	}
	if !g.Needs(0) {
		return
	}
	d := n.dy
	if w := g.Tensor(n.weight); w != nil {
		d = g.Mul(d, g.Reshape(w, lead))
	}
	if !n.constant {
		mean := func(v Value) Value { return g.Call("mean.dim", v, n.dims, true) }
		d = g.Sub(g.Sub(d, mean(d)), g.Mul(xhat, mean(g.Mul(d, xhat))))
	}
	g.Set(0, g.Reshape(g.Mul(d, n.rstd), g.Shape(0)))
}

// channelShape is the shape in which a vector of channels broadcasts against x.
func channelShape(x []int) []int {
	dims := ones(len(x))
	if len(x) > 1 {
		dims[1] = x[1]
	}
	return dims
}
