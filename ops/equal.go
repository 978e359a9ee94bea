package ops

import (
	"github.com/go-acap/acap/base/dtype"
	"github.com/go-acap/acap/base/shape"
	"github.com/go-acap/acap/mlir"
)

// The operators that return a number: here, a tensor without dimensions.
func init() {
	register(&Op{
		Schema: "equal(Tensor self, Tensor other) -> bool",
		Infer: func(c *Call) error {
			if c.DTypeOf(0) != c.DTypeOf(1) {
				return c.DTypeErrorf("self is %v and other %v", c.DTypeOf(0), c.DTypeOf(1))
			}
			return c.Result(dtype.Bool, nil)
		},
		Expand: func(e Emit, c *Call) []Value {
			if !shape.Equal(c.Shape(0), c.Shape(1)) {
				return []Value{e.Full(nil, false, dtype.Bool)}
			}
			return []Value{e.Call("all", e.Call("eq.Tensor", c.Tensor(0), c.Tensor(1)))}
		},
		Samples: samplesOf(Sample{S(2, 3), S(2, 3)}, Sample{S(2), S(3)}),
	})
	for _, schema := range []string{
		"_local_scalar_dense(Tensor self) -> Scalar", "item(Tensor self) -> Scalar",
	} {
		register(&Op{
			Schema: schema,
			Infer: func(c *Call) error {
				if shape.Size(c.Shape(0)) != 1 {
					return c.ShapeErrorf("needs a tensor of one element, got %s", shape.String(c.Shape(0)))
				}
				return c.Result(c.DTypeOf(0), nil)
			},
			Lower: func(l *Lowering, c *Call) []*mlir.Value {
				return one(l.Reshape(l.In(c, 0), nil))
			},
			Samples: samplesOf(Sample{S(1, 1)}),
		})
	}
}
