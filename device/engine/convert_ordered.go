package engine

import (
	"math/bits"

	"github.com/go-acap/acap/base/shape"
	"github.com/go-acap/acap/kernel"
	"github.com/go-acap/acap/mlir"
	"github.com/go-acap/acap/mlir/dialect/acap"
)

// orderedOp says which kernel an operation of the acap dialect becomes: one of its own,
// that reads and writes whole tensors in order and that nothing is fused with.
type orderedOp struct {
	kind Kind
	// kernel makes it from the ports of the operands and then of the results.
	kernel func(op *mlir.Operation, name string, p []kernel.Port) kernel.Kernel
}

var orderedOps = map[string]orderedOp{
	"acap.scan":    {Scan, scanKernel},
	"acap.sort":    {Sort, sortKernel},
	"acap.scatter": {Scatter, scatterKernel},
	"acap.rng":     {Random, randomKernel},
}

func init() {
	for name := range orderedOps {
		converters[name] = (*graph).ordered
	}
}

// ordered makes a node of an operation of the acap dialect.
func (g *graph) ordered(op *mlir.Operation) {
	if err := acap.Verify(op); err != nil {
		g.fail("%v", err)
		return
	}
	n := &node{kind: nodeOrdered, op: op}
	for _, v := range op.Operands {
		w, ok := g.value(v)
		if !ok {
			return
		}
		w = g.inOrder(w)
		n.ins = append(n.ins, access{t: w.t, as: w.dtype})
	}
	g.giveResults(n)
	g.add(n)
}

// orderedKernel writes the kernel of an ordered node.
func (e *emitter) orderedKernel(name string) {
	n := e.c.head
	var ports []kernel.Port
	for _, a := range n.ins {
		ports, e.tensors = append(ports, e.readPort(a)), append(e.tensors, a.t)
	}
	for _, o := range n.outs {
		ports, e.tensors = append(ports, writePort(o.t)), append(e.tensors, o.t)
	}
	e.kernel = orderedOps[n.op.Name].kernel(n.op, name, ports)
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

// ordered fills in the kind and the counts of an ordered kernel, or reports that it is
// none. The operations are one fold or comparison each, and for random bits those of
// the rounds.
func (k *KernelInfo) ordered() bool {
	switch n := k.Kernel.(type) {
	case *kernel.Scan:
		k.Kind, k.Work = Scan, int64(n.Elements())
	case *kernel.Sort:
		merges := bits.Len(uint(max(n.N-1, 1)))
		k.Kind, k.Work = Sort, int64(n.Elements())*int64(merges)
	case *kernel.Scatter:
		k.Kind, k.Work = Scatter, product(n.Extents)
	case *kernel.Random:
		k.Kind, k.Work = Random, int64(n.Out.Len)*kernel.PhiloxRounds*2
	default:
		return false
	}
	for _, p := range k.Kernel.Ports() {
		k.access(kernel.Access{Port: p}, []int{p.Len}, []int{1})
	}
	return true
}
