package main

import (
	"fmt"
	"log"

	"github.com/go-acap/acap/base/buf"
	"github.com/go-acap/acap/device/acap"
	"github.com/go-acap/acap/ops"
	"github.com/go-acap/acap/tensor"
)

// softcap bounds numbers smoothly: limit · tanh(x / limit).
var softcap = &ops.Op{
	Schema: "softcap(Tensor self, float limit=30.0) -> Tensor",
	Expand: func(e ops.Emit, c *ops.Call) []ops.Value {
		limit := c.Float(1)
		return []ops.Value{e.Mul(e.Call("tanh", e.Div(c.Tensor(0), limit)), limit)}
	},
	Inplace: true,
	Samples: func() []ops.Sample { return []ops.Sample{{ops.S(2, 3)}, {ops.S(4), 1.5}} },
}

// running is the running maximum of a list, computed by a Go function.
var running = &ops.Op{
	Schema: "running_maximum(Tensor self) -> Tensor",
	Infer: func(c *ops.Call) error {
		if len(c.Shape(0)) != 1 {
			return c.ShapeErrorf("takes a list, not %d dimensions", len(c.Shape(0)))
		}
		return c.Result(c.DTypeOf(0), c.Shape(0))
	},
	Host: func(h *ops.HostCall) ([]*buf.Buffer, error) {
		x := h.Buffer(0)
		y := buf.New(x.DType, x.Shape)
		for i := range x.Len() {
			v := x.Float64(i)
			if i > 0 {
				v = max(v, y.Float64(i-1))
			}
			y.SetFloat64(i, v)
		}
		return []*buf.Buffer{y}, nil
	},
	// The gradient goes to where the maximum was found.
	Grad: func(g *ops.Gradient) {
		where := g.Calls("cummax", g.Tensor(0), 0)[1]
		g.Set(0, g.Call("scatter_add", g.Zeros(g.Type(0)), 0, where, g.Grad(0)))
	},
	Samples: func() []ops.Sample { return []ops.Sample{{ops.S(5)}} },
}

func init() {
	log.SetFlags(0)
	for _, op := range []*ops.Op{softcap, running} {
		if err := ops.Register(op); err != nil {
			log.Fatal(err)
		}
	}
}

func main() {
	x := tensor.Of([]float32{1, 3, 2, 50}).To(acap.Device()).RequiresGrad()
	y := tensor.Call("softcap", x, 4.0)[0]
	fmt.Println(y)
	z := tensor.Call("running_maximum", x)[0]
	fmt.Println(z)
	loss := y.Add(z).Sum()
	loss.Backward()
	fmt.Println(x.Gradient())
}
