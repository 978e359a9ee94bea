package ops

import (
	"github.com/go-acap/acap/base/shape"
	"github.com/go-acap/acap/mlir"
)

// expand, broadcast_to, expand_as: dimensions of extent 1 are repeated, leading
// ones are added; -1 keeps an extent.
func init() {
	for _, schema := range []string{
		"expand(Tensor(a) self, SymInt[] size, *, bool implicit=False) -> Tensor(a)",
		"broadcast_to(Tensor(a) self, SymInt[] size) -> Tensor(a)",
		"expand_as(Tensor(a) self, Tensor other) -> Tensor(a)",
	} {
		sample := Sample{S(3, 1), []int{2, -1, 4}}
		if schema[6] == '_' {
			sample = Sample{S(3, 1), S(2, 3, 4)}
		}
		register(&Op{
			Schema: schema,
			Infer: func(c *Call) error {
				dims, err := expanded(c)
				if err != nil {
					return err
				}
				return c.Result(c.DTypeOf(0), dims)
			},
			Lower: func(l *Lowering, c *Call) []*mlir.Value {
				return one(l.Broadcast(l.In(c, 0), c.Out[0].Shape))
			},
			Grad: func(g *Gradient) { g.Set(0, g.Grad(0)) },
			View: viewExpand,
			Strides: func(c *Call, strides []int, _ int) []int {
				out := make([]int, len(c.Out[0].Shape)) // 0 along what is repeated, and of a single element
				lead := len(out) - len(strides)
				if len(strides) == 0 {
					return out
				}
				for d, n := range c.Shape(0) {
					if n == c.Out[0].Shape[lead+d] {
						out[lead+d] = strides[d]
					}
				}
				// A new dimension of extent 1 steps over all that follows, as one that is not repeated.
				for d := lead - 1; d >= 0; d-- {
					if size := c.Out[0].Shape; size[d] == 1 {
						out[d] = size[d+1] * out[d+1]
					}
				}
				return out
			},
			Repeats: true,
			Samples: samplesOf(sample),
		})
	}
}

func expanded(c *Call) ([]int, error) {
	have, want := c.Shape(0), c.Ints(1)
	if c.Tensor(1) != nil {
		want = c.Shape(1)
	}
	lead := len(want) - len(have)
	if lead < 0 {
		return nil, c.ShapeErrorf("shape %s has fewer dimensions than the input's %s",
			shape.String(want), shape.String(have))
	}
	out := append([]int(nil), want...)
	for i, n := range out {
		switch {
		case n == -1 && i >= lead:
			out[i] = have[i-lead]
		case n < 0:
			return nil, c.ShapeErrorf("extent %d of %s is not allowed in dimension %d of the input's %s",
				n, shape.String(want), i, shape.String(have))
		}
	}
	return out, shape.BroadcastTo(have, out)
}

// viewExpand keeps the first of each repeated element: PyTorch forbids writing
// to elements that share memory, so they are equal.
func viewExpand(e Emit, _ *Call, base, view Value, _ int) Value {
	have, dims := view.Type().Shape, base.Type().Shape
	lead := len(have) - len(dims)
	for i, n := range have {
		if n != 1 && (i < lead || dims[i-lead] == 1) {
			view = e.Call("slice.Tensor", view, i, 0, 1)
		}
	}
	return e.Reshape(view, dims)
}
