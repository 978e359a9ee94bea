package ops

import (
	"github.com/go-acap/acap/base/shape"
	"github.com/go-acap/acap/mlir"
)

// layer_norm: (x - mean)/√(variance + eps) over the last dimensions, times weight,
// plus bias. The native form also returns the mean and 1/√(variance + eps).
func init() {
	register(&Op{
		Schema: "native_layer_norm(Tensor input, int[] normalized_shape, Tensor? weight, Tensor? bias, " +
			"float eps) -> (Tensor, Tensor, Tensor)",
		Infer: floating(inferLayerNorm),
		Lower: func(l *Lowering, c *Call) []*mlir.Value {
			return l.normalize(c, normalization{x: l.In(c, 0), dims: lastDims(c), eps: c.Float(4),
				weight: l.affine(c, 2, c.Ints(1)), bias: l.affine(c, 3, c.Ints(1)), elements: true})
		},
		Grad: func(g *Gradient) {
			g.normalization(normalizationGradient{x: g.Tensor(0), dy: g.Grad(0), mean: g.Results[1],
				rstd: g.Results[2], dims: lastDims(g.call), weight: 2, bias: 3, affine: g.Ints(1)})
		},
		Samples: samplesOf(Sample{S(2, 3, 4), []int{4}, S(4), S(4), 1e-5},
			Sample{S(2, 3, 4), []int{3, 4}, nil, nil, 1e-5}),
	})
	register(&Op{
		Schema: "layer_norm(Tensor input, int[] normalized_shape, Tensor? weight=None, " +
			"Tensor? bias=None, float eps=1e-05, bool cudnn_enable=True) -> Tensor",
		Infer: func(c *Call) error {
			if err := checkLayerNorm(c); err != nil {
				return err
			}
			return floating(inferSame)(c)
		},
		Expand: func(e Emit, c *Call) []Value {
			return e.Calls("native_layer_norm", c.Tensor(0), c.Ints(1), optional(c.Tensor(2)),
				optional(c.Tensor(3)), c.Float(4))[:1]
		},
		Samples: samplesOf(Sample{S(2, 3, 4), []int{4}, S(4), S(4)}),
	})
}

// lastDims lists the dimensions that normalized_shape, argument 1, covers.
func lastDims(c *Call) []int {
	rank, n := len(c.Shape(0)), len(c.Ints(1))
	return shape.UpTo(rank)[rank-n:]
}

func checkLayerNorm(c *Call) error {
	in, last := c.Shape(0), c.Ints(1)
	if len(last) == 0 || len(last) > len(in) || !shape.Equal(in[len(in)-len(last):], last) {
		return c.ShapeErrorf("input %s does not end in normalized_shape %s",
			shape.String(in), shape.String(last))
	}
	for i := 2; i <= 3; i++ {
		if c.Has(i) && !shape.Equal(c.Shape(i), last) {
			return c.ShapeErrorf("%s %s is not of normalized_shape %s", c.Op.Parsed().Params[i].Name,
				shape.String(c.Shape(i)), shape.String(last))
		}
	}
	return nil
}

func inferLayerNorm(c *Call) error {
	if err := checkLayerNorm(c); err != nil {
		return err
	}
	kept := shape.Reduce(c.Shape(0), lastDims(c), true)
	c.Result(c.DTypeOf(0), c.Shape(0))
	c.Result(c.DTypeOf(0), kept)
	return c.Result(c.DTypeOf(0), kept)
}
