package convert

import (
	"github.com/go-acap/acap/base/dtype"
	"github.com/go-acap/acap/base/shape"
	"github.com/go-acap/acap/device/engine/graph"
	"github.com/go-acap/acap/kernel"
	"github.com/go-acap/acap/mlir"
	"github.com/go-acap/acap/mlir/dialect/acap"
)

// orderedOp says which kernel an operation of the acap dialect becomes: one of its own,
// that reads and writes whole tensors in order and that nothing is fused with.
type orderedOp struct {
	what string // the name of the kind, for names of kernels
	// kernel makes it from the ports of the operands and then of the results.
	kernel func(op *mlir.Operation, name string, p []kernel.Port) kernel.Kernel
}

var orderedOps = map[string]orderedOp{
	"acap.scan":    {"scan", scanKernel},
	"acap.sort":    {"sort", sortKernel},
	"acap.scatter": {"scatter", scatterKernel},
	"acap.rng":     {"random", randomKernel},
	"acap.unpack":  {"move", unpackKernel},
}

func init() {
	for name := range orderedOps {
		converters[name] = (*converter).ordered
	}
}

// ordered makes a node of an operation of the acap dialect.
func (g *converter) ordered(op *mlir.Operation) {
	if err := acap.Verify(op); err != nil {
		g.fail("%v", err)
		return
	}
	o := orderedOps[op.Name]
	n := &graph.Node{Kind: graph.Ordered, Op: op, What: o.what}
	n.Ordered = func(name string, ports []kernel.Port) kernel.Kernel { return o.kernel(op, name, ports) }
	for _, v := range op.Operands {
		w, ok := g.value(v)
		if !ok {
			return
		}
		w = g.inOrder(w)
		n.Ins = append(n.Ins, graph.Access{Tensor: w.Tensor, As: w.DType})
	}
	g.giveResults(n)
	g.add(n)
}

// linesOf splits the shape of the operand at the axis of the operation.
func linesOf(op *mlir.Operation) kernel.Lines {
	dims, axis := dimsOf(op.Operands[0]), acap.Axis(op)
	return kernel.Lines{Outer: shape.Size(dims[:axis]), N: dims[axis], Inner: shape.Size(dims[axis+1:])}
}

// foldOf is how a scan or scatter folds. The dialect has the names of kernels.
func foldOf(op *mlir.Operation) kernel.FoldKind {
	fold, _ := kernel.FoldNamed(acap.Kind(op))
	return fold
}

func scanKernel(op *mlir.Operation, name string, p []kernel.Port) kernel.Kernel {
	return &kernel.Scan{Name: name, Lines: linesOf(op), Fold: foldOf(op), Unsigned: acap.Unsigned(op),
		Positions: acap.Positions(op), X: p[0], Out: p[1]}
}

func sortKernel(op *mlir.Operation, name string, p []kernel.Port) kernel.Kernel {
	return &kernel.Sort{Name: name, Lines: linesOf(op), First: acap.First(op),
		Count: dimsOf(op.Results[0])[acap.Axis(op)], Descending: acap.Descending(op),
		Unsigned: acap.Unsigned(op), X: p[0], Values: p[1], Positions: p[2]}
}

func scatterKernel(op *mlir.Operation, name string, p []kernel.Port) kernel.Kernel {
	return &kernel.Scatter{Name: name, Fold: foldOf(op), Unsigned: acap.Unsigned(op), Axis: acap.Axis(op),
		Extents: dimsOf(op.Operands[0]), IndexExtents: dimsOf(op.Operands[1]),
		IntoExtents: dimsOf(op.Operands[2]), Updates: p[0], Index: p[1], Into: p[2], Result: p[3]}
}

func randomKernel(_ *mlir.Operation, name string, p []kernel.Port) kernel.Kernel {
	return &kernel.Random{Name: name, Key: p[0], Counter: p[1], Out: p[2]}
}

func unpackKernel(op *mlir.Operation, name string, p []kernel.Port) kernel.Kernel {
	p[0].DType, p[0].Format = dtype.U8, acap.Format(op)
	return &kernel.Unpack{Name: name, X: p[0], Out: p[1]}
}
