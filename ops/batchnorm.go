package ops

import (
	"math"

	"github.com/go-acap/acap/base/shape"
	"github.com/go-acap/acap/mlir"
)

// batch_norm: every channel (dimension 1) is normalized, in training by the batch's
// own mean and variance, else by the running ones.
//
// Programs are functional: a recorded native_batch_norm reads the running statistics but
// does not write them. _native_batch_norm_legit_functional returns the new statistics. A call of native_batch_norm or
// batch_norm in training becomes a call of it, whose results are written to the running statistics that were given.
func init() {
	register(&Op{
		Schema: "native_batch_norm(Tensor input, Tensor? weight, Tensor? bias, Tensor? running_mean, " +
			"Tensor? running_var, bool training, float momentum, float eps) -> (Tensor, Tensor, Tensor)",
		Infer:   floating(inferBatchNorm),
		Lower:   lowerBatchNorm,
		Grad:    batchNormGradient,
		Update:  updateBatchNorm(3),
		Written: []int{3, 4},
		Samples: samplesOf(Sample{S(2, 3, 4), S(3), S(3), S(3), SIn(0.5, 2, 3), true, 0.1, 1e-5},
			Sample{S(2, 3, 4), nil, nil, S(3), SIn(0.5, 2, 3), false, 0.1, 1e-5}),
	})
	register(&Op{
		Schema: "batch_norm(Tensor input, Tensor? weight, Tensor? bias, Tensor? running_mean, " +
			"Tensor? running_var, bool training, float momentum, float eps, bool cudnn_enabled) -> Tensor",
		Infer: floating(inferSame),
		Expand: func(e Emit, c *Call) []Value {
			return e.Emit(e.sameArgs("native_batch_norm", c, 8))[:1]
		},
		Update:  updateBatchNorm(1),
		Written: []int{3, 4},
		Samples: samplesOf(Sample{S(2, 3, 4), nil, nil, S(3), SIn(0.5, 2, 3), false, 0.1, 1e-5, false}),
	})
	register(&Op{
		Schema: "_native_batch_norm_legit_functional(Tensor input, Tensor? weight, Tensor? bias, " +
			"Tensor running_mean, Tensor running_var, bool training, float momentum, float eps) -> " +
			"(Tensor, Tensor, Tensor, Tensor running_mean_out, Tensor running_var_out)",
		Infer: func(c *Call) error {
			if err := inferBatchNorm(c); err != nil {
				return err
			}
			c.Result(c.DTypeOf(3), c.Shape(3))
			return c.Result(c.DTypeOf(4), c.Shape(4))
		},
		Lower:   lowerFunctionalBatchNorm,
		Grad:    batchNormGradient,
		Samples: samplesOf(Sample{S(2, 3, 4), S(3), S(3), S(3), SIn(0.5, 2, 3), true, 0.1, 1e-5}),
	})
}

// sameArgs makes a call of another operator with the first n arguments of c.
func (e Emit) sameArgs(name string, c *Call, n int) *Call {
	call, err := MustLookup(name).NewCall(append([]Arg(nil), c.Args[:n]...)...)
	if err != nil {
		panic(err)
	}
	return call
}

// updateBatchNorm is the Update of operators with the arguments of native_batch_norm, of
// whose results they have the first n.
func updateBatchNorm(n int) func(e Emit, c *Call) []Value {
	return func(e Emit, c *Call) []Value {
		if !c.Bool(5) || !c.Has(3) || !c.Has(4) {
			return nil
		}
		out := e.Emit(e.sameArgs("_native_batch_norm_legit_functional", c, 8))
		return append(out[:n:n], e.Call("detach", out[3]), e.Call("detach", out[4])) // statistics have no gradient
	}
}

// lowerFunctionalBatchNorm moves the running mean and variance towards the batch's, which are computed once for
// them and for the result, by the share momentum.
func lowerFunctionalBatchNorm(l *Lowering, c *Call) []*mlir.Value {
	if !c.Bool(5) {
		return append(lowerBatchNorm(l, c), l.In(c, 3).V, l.In(c, 4).V)
	}
	n := l.batchNormalization(c)
	m := l.momentsOf(n.x, n.dims)
	out := l.normalizeBy(c, n, m)
	unbiased := l.fromMoments(m, func(s *Scalars, variance Elem) Elem {
		return s.Mul(variance, s.Const(variance.D, m.count/math.Max(m.count-1, 0)))
	})
	for i, batch := range []Lowered{l.meanOf(m.centred), unbiased} {
		old := l.In(c, 3+i)
		t := l.Pointwise(old.Type(), []Lowered{old, l.Cast(l.Reshape(batch, old.Shape()), old.D)},
			func(s *Scalars, x []Elem) Elem {
				return lerp(s, c, []Elem{x[0], x[1], s.Const(x[0].D, c.Float(6))})
			})
		out = append(out, t.V)
	}
	return out
}

// batchDims lists all dimensions but the channels.
func batchDims(x []int) []int {
	dims := []int{0}
	for d := 2; d < len(x); d++ {
		dims = append(dims, d)
	}
	return dims
}

func inferBatchNorm(c *Call) error {
	in := c.Shape(0)
	if len(in) < 2 {
		return c.ShapeErrorf("input %s must have a batch and channels", shape.String(in))
	}
	for i := 1; i <= 4; i++ {
		anyShape := i <= 2 // weight and bias, as in PyTorch
		if err := c.wantChannels(i, in[1]); err != nil && !(anyShape && shape.Size(c.Shape(i)) == in[1]) {
			return err
		}
		if c.Has(i) && !c.DTypeOf(i).IsFloat() {
			return c.DTypeErrorf("%s must have a floating type, not %v", c.Op.Parsed().Params[i].Name, c.DTypeOf(i))
		}
	}
	saved := []int{0}
	if c.Bool(5) {
		saved = []int{in[1]}
	} else if !c.Has(3) || !c.Has(4) {
		return c.ArgErrorf("needs running_mean and running_var when it is not training")
	}
	d := c.DTypeOf(0)
	c.Result(d, in)
	if c.Has(1) {
		d = c.DTypeOf(1)
	}
	c.Result(d, saved)
	return c.Result(d, saved)
}

// batchNormalization is what a batch norm computes.
func (l *Lowering) batchNormalization(c *Call) normalization {
	x := l.In(c, 0)
	channels := channelShape(x.Shape())
	return normalization{x: x, dims: batchDims(x.Shape()), eps: c.Float(7),
		weight: l.affine(c, 1, channels), bias: l.affine(c, 2, channels)}
}

func lowerBatchNorm(l *Lowering, c *Call) []*mlir.Value {
	n := l.batchNormalization(c)
	if c.Bool(5) {
		return l.normalize(c, n)
	}
	channels := channelShape(n.x.Shape())
	mean, variance := l.affine(c, 3, channels), l.affine(c, 4, channels)
	wide := l.Cast(*variance, widened(variance.D))
	rstd := l.Pointwise(wide.Type(), []Lowered{wide}, func(s *Scalars, x []Elem) Elem { return inverseRoot(s, x[0], n.eps) })
	y := l.scaleShift(c.Out[0], n, *mean, nil, rstd)
	none := l.Empty(c.Out[1].DType, []int{0})
	return []*mlir.Value{y.V, none.V, none.V}
}

func batchNormGradient(g *Gradient) {
	channels := channelShape(g.Shape(0))
	n := normalizationGradient{x: g.Tensor(0), dy: g.Grad(0), dims: batchDims(g.Shape(0)),
		weight: 1, bias: 2, affine: channels, constant: !g.Bool(5)}
	if n.constant {
		n.mean = g.Reshape(g.Tensor(3), channels)
		n.rstd = g.Call("rsqrt", g.Add(g.Reshape(g.Tensor(4), channels), g.Float(7)))
	} else {
		n.mean, n.rstd = g.Reshape(g.Results[1], channels), g.Reshape(g.Results[2], channels)
	}
	g.normalization(n)
}
