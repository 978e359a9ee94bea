package ops

import "github.com/go-acap/acap/mlir"

// The identities: they differ in aliasing and in what gradients do.
func init() {
	unordered := func(c *Call, strides []int) bool { return !inOrder(c.Shape(0), strides) }
	for _, o := range []struct {
		schema        string
		view, through bool // the result aliases self; gradients pass
		copies        func(c *Call, strides []int) bool
	}{
		{"alias(Tensor(a) self) -> Tensor(a)", true, true, nil},
		{"detach(Tensor(a) self) -> Tensor(a)", true, false, nil},
		{"lift_fresh(Tensor(a) self) -> Tensor(a)", true, true, nil},
		{"contiguous(Tensor(a) self, *, MemoryFormat memory_format=contiguous_format) -> Tensor(a)",
			true, true, unordered},
		{"clone(Tensor self, *, MemoryFormat? memory_format=None) -> Tensor", false, true, nil},
	} {
		op := &Op{
			Schema:  o.schema,
			Infer:   inferSame,
			Lower:   func(l *Lowering, c *Call) []*mlir.Value { return one(l.In(c, 0)) },
			Samples: samplesOf(Sample{S(2, 3)}),
		}
		if o.view {
			op.View = func(_ Emit, _ *Call, _, view Value, _ int) Value { return view }
			op.Strides, op.Copies = sameStrides, o.copies
		}
		op.Detached = !o.through
		if o.through {
			op.Grad = func(g *Gradient) { g.Set(0, g.Grad(0)) }
		}
		register(op)
	}
}
