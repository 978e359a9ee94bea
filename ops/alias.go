package ops

import (
	"slices"

	"github.com/go-acap/acap/base/shape"
	"github.com/go-acap/acap/mlir"
)

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
			op.View = func(e Emit, _ *Call, base, view Value, _ int) Value {
				if !o.through {
					return e.Call("_rewritten", e.Call("detach", view), base)
				}
				return view
			}
			op.Strides, op.Copies = sameStrides, o.copies
		}
		op.Detached = !o.through
		if o.through {
			op.Grad = func(g *Gradient) { g.Set(0, g.Grad(0)) }
		}
		register(op)
	}
	// _rewritten is what a tensor holds after a write that its gradients do not see: a write through a detach, as of
	// embedding_renorm_, a write that a detach shows, or a write where gradients are off. The gradient of the result is
	// the gradient of the tensor before.
	register(&Op{
		Schema: "_rewritten(Tensor self, Tensor before) -> Tensor",
		Infer: func(c *Call) error {
			if !slices.Equal(c.Shape(0), c.Shape(1)) {
				return c.ShapeErrorf("elements %s do not fit a tensor %s", shape.String(c.Shape(0)), shape.String(c.Shape(1)))
			}
			return inferSame(c)
		},
		Lower:    func(l *Lowering, c *Call) []*mlir.Value { return one(l.In(c, 0)) },
		Grad:     func(g *Gradient) { g.Set(1, g.Grad(0)) },
		Rewrites: true,
		Samples:  samplesOf(Sample{S(2, 3), S(2, 3)}),
	})
	// _constant_in is a tensor whose elements do not follow the elements of other tensors, such as numbers that were
	// drawn with probabilities: the gradients of the other tensors are zeros.
	register(&Op{
		Schema: "_constant_in(Tensor self, Tensor[] others) -> Tensor",
		Infer:  inferSame,
		Lower:  func(l *Lowering, c *Call) []*mlir.Value { return one(l.In(c, 0)) },
		Grad: func(g *Gradient) {
			zeros := make([]Value, len(g.Tensors(1)))
			for i, v := range g.Tensors(1) {
				zeros[i] = g.Zeros(v.Type())
			}
			g.SetList(1, zeros)
		},
		Samples: samplesOf(Sample{S(2, 3), []T{S(3)}}),
	})
}

// constantIn returns v, with a gradient of zeros for each of parameters that wants a gradient.
func (e Emit) constantIn(v Value, parameters ...Value) Value {
	if slices.ContainsFunc(parameters, needsGrad) {
		return e.Call("_constant_in", v, parameters)
	}
	return v
}
