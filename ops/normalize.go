package ops

import (
	"slices"

	"github.com/go-acap/acap/base/shape"
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
	elements     bool // weight and bias have a number for every element, not every channel
}

// wantChannels reports an optional argument that is no vector of a number for each channel.
func (c *Call) wantChannels(i, channels int) error {
	if c.Has(i) && !shape.Equal(c.Shape(i), []int{channels}) {
		return c.ShapeErrorf("%s %s does not have the %d channels of input %s: want a vector of %d",
			c.Op.Parsed().Params[i].Name, shape.String(c.Shape(i)), channels, shape.String(c.Shape(0)), channels)
	}
	return nil
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
	return l.normalizeBy(c, n, l.momentsOf(n.x, n.dims))
}

// normalizeBy is normalize with moments.
func (l *Lowering) normalizeBy(c *Call, n normalization, m moments) []*mlir.Value {
	rstd := l.inverseRootOf(m, n.eps)
	y := l.scaleShift(TensorType{c.Out[0].DType, n.x.Shape()}, n, m.rough, &m.rest, rstd)
	out := []*mlir.Value{l.Reshape(y, c.Out[0].Shape).V}
	for i, t := range []Lowered{l.meanOf(m.centred), rstd} {
		out = append(out, l.Cast(l.Reshape(t, c.Out[1+i].Shape), c.Out[1+i].DType).V)
	}
	return out
}

// moments are the mean of a tensor and the sums of squared deviations from the rounded mean, with the number of
// elements.
type moments struct {
	centred
	squares Lowered
	count   float64
}

// momentsOf sums the deviations and their squares on one walk through t.
func (l *Lowering) momentsOf(t Lowered, dims []int) moments {
	c := l.centre(t, dims)
	square := l.Pointwise(c.deviation.Type(), []Lowered{c.deviation},
		func(s *Scalars, x []Elem) Elem { return s.Mul(x[0], x[0]) })
	return moments{c, l.Fold(square, dims, true, c.rest.D, sumOf), float64(count(t.Shape(), dims))}
}

// fromMoments computes from the variance. The mean square of deviations from a rounded mean is the variance and the
// square of what is left of the mean.
func (l *Lowering) fromMoments(m moments, f func(s *Scalars, variance Elem) Elem) Lowered {
	return l.Pointwise(m.rest.Type(), []Lowered{m.squares, m.rest}, func(s *Scalars, x []Elem) Elem {
		square := s.Div(x[0], s.Const(x[0].D, m.count))
		return f(s, s.Max(s.Sub(square, s.Mul(x[1], x[1])), s.Const(x[0].D, 0)))
	})
}

// inverseRootOf returns 1/√(variance + eps).
func (l *Lowering) inverseRootOf(m moments, eps float64) Lowered {
	return l.fromMoments(m, func(s *Scalars, variance Elem) Elem { return inverseRoot(s, variance, eps) })
}

// inverseRoot returns 1/√(x + eps).
func inverseRoot(s *Scalars, x Elem, eps float64) Elem {
	return reciprocal(s, s.Math("sqrt", s.Add(x, s.Const(x.D, eps))))
}

// scaleShift returns (x - mean)·rstd·weight + bias as (x - mean)·scale + shift, in x's widened type: to multiply
// first would lose the digits that the mean and x have in common. Weight and bias of channels are part of scale and
// shift; weight and bias of elements follow. rest, if not nil, is the rounding error of the mean.
func (l *Lowering) scaleShift(out TensorType, n normalization, mean Lowered, rest *Lowered, rstd Lowered) Lowered {
	compute := widened(n.x.D)
	fold := n
	if n.elements {
		fold.weight, fold.bias = nil, nil
	}
	scale := rstd
	if fold.weight != nil {
		scale = l.combine(TensorType{compute, rstd.Shape()},
			func(s *Scalars, x []*Elem) Elem { return s.Mul(*x[0], *x[1]) }, &rstd, fold.weight)
	}
	shift := fold.bias
	if rest != nil {
		t := l.combine(TensorType{compute, scale.Shape()}, func(s *Scalars, x []*Elem) Elem {
			y := s.Neg(s.Mul(*x[0], *x[1]))
			if x[2] != nil {
				y = s.Add(y, *x[2])
			}
			return y
		}, &scale, rest, fold.bias)
		shift = &t
	}
	affine := n
	if !n.elements {
		affine.weight, affine.bias = nil, nil
	}
	return l.combine(out, func(s *Scalars, x []*Elem) Elem {
		y := s.Sub(s.Cast(*x[0], compute), *x[1])
		if x[3] != nil {
			y = s.Math("fma", y, *x[2], *x[3])
		} else {
			y = s.Mul(y, *x[2])
		}
		if x[4] != nil {
			y = s.Mul(y, *x[4])
		}
		if x[5] != nil {
			y = s.Add(y, *x[5])
		}
		return y
	}, &n.x, &mean, &scale, shift, affine.weight, affine.bias)
}

// combine is Pointwise with tensors that may be absent; elements come in the widened
// type of out, nil for an absent tensor.
func (l *Lowering) combine(out TensorType, body func(s *Scalars, x []*Elem) Elem,
	list ...*Lowered) Lowered {
	var ins []Lowered
	dims := out.Shape
	for _, t := range list {
		if t != nil {
			ins = append(ins, *t)
			dims, _ = shape.Broadcast(dims, t.Shape())
		}
	}
	return l.Pointwise(TensorType{out.DType, dims}, ins, func(s *Scalars, x []Elem) Elem {
		at, next := make([]*Elem, len(list)), 0
		for i, t := range list {
			if t != nil {
				e := s.Cast(x[next], widened(out.DType))
				at[i] = &e
				next++
			}
		}
		return body(s, at)
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
// Where elements that share mean and rstd share their weight as well, such as a channel's in a batch norm, the sums of
// d and d·x̂ are the weight times the gradients of bias and weight, which are then summed up once. The results mean and
// rstd, which gradients themselves use, add to the input's gradient dmean/N and -drstd·rstd²·x̂/N for N elements that
// share them. Half types are computed in float32.
func (g *Gradient) normalization(n normalizationGradient) {
	wide := widened(n.x.Type().DType)
	for _, v := range []*Value{&n.x, &n.dy, &n.mean, &n.rstd} {
		*v = g.To(*v, wide)
	}
	xhat := g.Mul(g.Sub(n.x, n.mean), n.rstd)
	full := n.x.Type().Shape
	lead := append(ones(len(full)-len(n.affine)), n.affine...)
	needsX := g.Needs(0)
	shared := needsX && !n.constant && n.sharesWeight(full, lead)
	var products, sums Value // of dy·x̂ and of dy
	if shared || g.Needs(n.weight) {
		products = g.SumTo(g.Mul(n.dy, xhat), lead)
	}
	if shared || g.Needs(n.bias) {
		sums = g.SumTo(n.dy, lead)
	}
	if g.Needs(n.weight) {
		g.Set(n.weight, g.Reshape(products, g.Shape(n.weight)))
	}
	if g.Needs(n.bias) {
		g.Set(n.bias, g.Reshape(sums, g.Shape(n.bias)))
	}
	if !needsX {
		return
	}
	size := 1
	for _, i := range n.dims {
		size *= full[i]
	}
	var weight Value
	if w := g.Tensor(n.weight); w != nil {
		weight = g.To(g.Reshape(w, lead), wide)
	}
	d, scale := n.dy, n.rstd
	switch {
	case weight != nil && shared:
		scale = g.Mul(weight, scale)
	case weight != nil:
		d = g.Mul(d, weight)
	}
	switch {
	case shared:
		d = g.Sub(g.Sub(d, g.Div(sums, size)), g.Mul(xhat, g.Div(products, size)))
	case !n.constant:
		mean := func(v Value) Value { return g.Call("mean.dim", v, n.dims, true) }
		d = g.Sub(g.Sub(d, mean(d)), g.Mul(xhat, mean(g.Mul(d, xhat))))
	}
	dx := g.Mul(d, scale)
	if !n.constant {
		share := func(result int) Value {
			return g.Div(g.To(g.Reshape(g.Grad(result), n.mean.Type().Shape), wide), size)
		}
		if g.HasGrad(1) {
			dx = g.Add(dx, share(1))
		}
		if g.HasGrad(2) {
			dx = g.Sub(dx, g.Mul(share(2), g.Mul(g.Square(n.rstd), xhat)))
		}
	}
	g.Set(0, g.Reshape(dx, g.Shape(0)))
}

// sharesWeight reports whether the elements that share a mean share a weight, for x of shape full and a weight of shape
// lead.
func (n *normalizationGradient) sharesWeight(full, lead []int) bool {
	for i := range full {
		if full[i] != 1 && slices.Contains(n.dims, i) != (lead[i] == 1) {
			return false
		}
	}
	return true
}

// channelShape is the shape in which a vector of channels broadcasts against x.
func channelShape(x []int) []int {
	dims := ones(len(x))
	if len(x) > 1 {
		dims[1] = x[1]
	}
	return dims
}
