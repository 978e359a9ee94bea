package ops

import (
	"github.com/go-acap/acap/base/shape"
	"github.com/go-acap/acap/mlir"
)

// group_norm: the channels of each sample are normalized in groups. instance_norm is
// the case of one channel a group.
func init() {
	register(&Op{
		Schema: "native_group_norm(Tensor input, Tensor? weight, Tensor? bias, int N, int C, int HxW, " +
			"int group, float eps) -> (Tensor, Tensor, Tensor)",
		Infer: floating(func(c *Call) error {
			n, channels, group := c.Int(3), c.Int(4), c.Int(6)
			in := c.Shape(0)
			if group < 1 || min(n, channels, c.Int(5)) < 0 || shape.Check([]int{n, channels, c.Int(5)}) != nil ||
				channels%group != 0 || shape.Size(in) != n*channels*c.Int(5) {
				return c.ShapeErrorf("%d channels of %s cannot form %d groups",
					channels, shape.String(in), group)
			}
			for i := 1; i <= 2; i++ {
				if err := c.wantChannels(i, channels); err != nil {
					return err
				}
			}
			c.Result(c.DTypeOf(0), in)
			c.Result(c.DTypeOf(0), []int{n, group})
			return c.Result(c.DTypeOf(0), []int{n, group})
		}),
		Lower: func(l *Lowering, c *Call) []*mlir.Value {
			grouped, affine := groupShapes(c)
			return l.normalize(c, normalization{x: l.Reshape(l.In(c, 0), grouped), dims: []int{2, 3},
				eps: c.Float(7), weight: l.affine(c, 1, affine), bias: l.affine(c, 2, affine)})
		},
		Grad: func(g *Gradient) {
			grouped, affine := groupShapes(g.call)
			kept := []int{grouped[0], grouped[1], 1, 1}
			g.normalization(normalizationGradient{x: g.Reshape(g.Tensor(0), grouped),
				dy: g.Reshape(g.Grad(0), grouped), mean: g.Reshape(g.Results[1], kept),
				rstd: g.Reshape(g.Results[2], kept), dims: []int{2, 3}, weight: 1, bias: 2, affine: affine})
		},
		Samples: samplesOf(Sample{S(2, 4, 3), S(4), S(4), 2, 4, 3, 2, 1e-5}),
	})
	register(&Op{
		Schema: "group_norm(Tensor input, int num_groups, Tensor? weight=None, Tensor? bias=None, " +
			"float eps=1e-05, bool cudnn_enabled=True) -> Tensor",
		Infer: func(c *Call) error {
			in := c.Shape(0)
			if len(in) < 2 || c.Int(1) < 1 || in[1]%c.Int(1) != 0 {
				return c.ShapeErrorf("the channels of %s cannot form %d groups", shape.String(in), c.Int(1))
			}
			return floating(inferSame)(c)
		},
		Expand: func(e Emit, c *Call) []Value {
			in := c.Shape(0)
			return e.Calls("native_group_norm", c.Tensor(0), optional(c.Tensor(2)), optional(c.Tensor(3)),
				in[0], in[1], shape.Size(in[2:]), c.Int(1), c.Float(4))[:1]
		},
		Samples: samplesOf(Sample{S(2, 4, 3), 2, S(4), S(4)}),
	})
}

// groupShapes returns the input's shape [N, group, C/group, HxW] and that in which
// weight and bias broadcast against it.
func groupShapes(c *Call) (grouped, affine []int) {
	group := c.Int(6)
	per := c.Int(4) / group
	return []int{c.Int(3), group, per, c.Int(5)}, []int{1, group, per, 1}
}
