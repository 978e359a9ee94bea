package ops

import (
	"math"

	"github.com/go-acap/acap/base/dtype"
)

// The dropouts: outside training they are the identity. In training each element, or
// each channel of the forms with "feature_", vanishes with probability p, and the
// others grow so that the mean stays. alpha_dropout keeps mean and variance of what
// SELU gives. native_dropout tells what stayed, too.
func init() {
	for name, drop := range map[string]func(e Emit, c *Call, keep Value) Value{
		"dropout": Emit.scaleKept, "feature_dropout": Emit.scaleKept,
		"alpha_dropout": Emit.alphaKept, "feature_alpha_dropout": Emit.alphaKept,
	} {
		drawing(&Op{
			Schema:  name + "(Tensor input, float p, bool train) -> Tensor",
			Inplace: true,
			Infer: func(c *Call) error {
				if err := c.wantDropout(); err != nil {
					return err
				}
				if name[0] == 'f' && c.Bool(2) && c.Float(1) > 0 && len(c.Shape(0)) < 2 {
					return c.ShapeErrorf("needs two dimensions, the second of channels, got %v", c.Shape(0))
				}
				return inferSame(c)
			},
			Expand: func(e Emit, c *Call) []Value {
				dims := c.Shape(0)
				if name[0] == 'f' {
					dims = channels(dims)
				}
				return []Value{e.dropout(c, dims, drop)}
			},
			Samples: samplesOf(Sample{S(3, 4, 5), 0.25, true}, Sample{S(3), 0.25, false}),
		})
	}
	drawing(&Op{
		Schema: "native_dropout(Tensor input, float p, bool? train) -> (Tensor, Tensor)",
		Infer: func(c *Call) error {
			if err := c.wantDropout(); err != nil {
				return err
			}
			inferSame(c)
			return c.Result(dtype.Bool, c.Shape(0))
		},
		Expand: func(e Emit, c *Call) []Value {
			if c.Has(2) && !c.Bool(2) {
				return []Value{c.Tensor(0), e.Full(c.Shape(0), true, dtype.Bool)}
			}
			keep := e.below(c, c.Shape(0), 1-c.Float(1))
			return []Value{e.scaleKept(c, keep), keep}
		},
		Samples: samplesOf(Sample{S(3, 4, 5), 0.25, true}, Sample{S(3), 0.25, false}),
	})
}

func (c *Call) wantDropout() error {
	if p := c.Float(1); !(p >= 0 && p <= 1) {
		return c.ArgErrorf("p is %v, not a probability", p)
	}
	if c.Bool(2) && !c.DTypeOf(0).IsFloat() {
		return c.DTypeErrorf("needs a floating type in training, got %v", c.DTypeOf(0))
	}
	return nil
}

// channels keeps the first two extents: what a channel is.
func channels(dims []int) []int {
	out := ones(len(dims))
	copy(out, dims[:min(2, len(dims))])
	return out
}

func (e Emit) dropout(c *Call, dims []int, drop func(e Emit, c *Call, keep Value) Value) Value {
	p := c.Float(1)
	if !c.Bool(2) || p == 0 {
		return c.Tensor(0)
	}
	return drop(e, c, e.below(c, dims, 1-p))
}

// scaleKept is input/(1-p) where keep holds, and 0 elsewhere.
func (e Emit) scaleKept(c *Call, keep Value) Value {
	scale := 0.0
	if p := c.Float(1); p < 1 {
		scale = 1 / (1 - p)
	}
	return e.Mul(c.Tensor(0), e.Mul(e.To(keep, c.DTypeOf(0)), scale))
}

// alphaKept puts what SELU gives for -∞, -α, in the place of what vanishes, and scales
// and shifts the whole back to mean 0 and variance 1 (Klambauer et al.: "Self-Normalizing
// Neural Networks", 2017).
func (e Emit) alphaKept(c *Call, keep Value) Value {
	const alpha = 1.7580993408473766
	p, mask := c.Float(1), e.To(keep, c.DTypeOf(0))
	if p == 1 {
		return e.Mul(c.Tensor(0), e.Mul(mask, 0.0))
	}
	a := 1 / math.Sqrt((alpha*alpha*p+1)*(1-p))
	shift := e.Add(e.Mul(e.Sub(mask, 1.0), alpha*a), alpha*a*p)
	return e.Add(e.Mul(c.Tensor(0), e.Mul(mask, a)), shift)
}
