// Package ops is the ATen operator set: the single source of truth about what
// each operator is called, takes, gives, computes and what its gradient is.
//
// # One operator, one file
//
// An operator (or a small family that differs in one scalar function) is one
// file, which registers it in init:
//
//	func init() {
//		register(&Op{
//			Schema:  "mul.Tensor(Tensor self, Tensor other) -> Tensor",
//			Inplace: true,
//			Infer:   inferPromote,
//			Lower:   pointwise(func(s *Scalar, x []*mlir.Value) *mlir.Value { return s.Mul(x[0], x[1]) }),
//			Grad: func(g *Gradient) {
//				x, y := g.Tensor(0), g.Tensor(1)
//				g.Set(0, g.Mul(g.Grad(0), y))
//				g.Set(1, g.Mul(g.Grad(0), x))
//			},
//			Samples: binarySamples,
//		})
//	}
//
// `go generate ./tensor` then writes the methods. Nothing else is touched.
//
// # How an operator computes
//
// In exactly one of three ways: Expand writes it in terms of other operators;
// Lower writes it as linalg on tensors; Host is a Go function on buffers, for
// what no accelerator would do. Host operators cut a program into groups and are
// counted as fallbacks.
//
// # Values and builders
//
// Expand and Grad are written against [Emit], which adds calls to any [Builder]:
// a trace that records, or a rewriter of MLIR. [Call] is one operator with its
// arguments; [Op.NewCall] checks them against the schema and infers the results.
package ops
