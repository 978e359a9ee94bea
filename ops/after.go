package ops

import (
	"github.com/go-acap/acap/mlir"
	"github.com/go-acap/acap/mlir/dialect/acap"
)

// _after is a tensor, taken when another one has been computed: gradients compute values again of it, see package
// trace.
func init() {
	register(&Op{
		Schema: "_after(Tensor self, Tensor other) -> Tensor",
		Infer:  inferSame,
		Lower: func(l *Lowering, c *Call) []*mlir.Value {
			x := l.In(c, 0)
			return one(Lowered{acap.After(l.builder(), x.V, l.In(c, 1).V), x.D})
		},
		Grad:    func(g *Gradient) { g.Set(0, g.Grad(0)) },
		Samples: samplesOf(Sample{S(2, 3), S(4)}),
	})
}
