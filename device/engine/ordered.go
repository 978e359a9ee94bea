package engine

import (
	"github.com/go-acap/acap/device/kernel"
	"github.com/go-acap/acap/mlir"
	"github.com/go-acap/acap/mlir/dialect/acap"
	"github.com/go-acap/acap/tensor/shape"
)

func init() {
	converters["acap.scan"] = (*graph).scan
	converters["acap.sort"] = (*graph).sort
	converters["acap.scatter"] = (*graph).scatter
	converters["acap.rng"] = (*graph).random
}

// ordered makes a node of an operation of the acap dialect: a kernel of its own that
// reads and writes whole tensors in order, and that nothing is fused with.
func (g *graph) ordered(op *mlir.Operation, k kernel.Kernel) {
	n := &node{kind: nodeOrdered, op: op, ordered: k}
	for _, v := range op.Operands {
		w, ok := g.value(v)
		if !ok {
			return
		}
		w = g.inOrder(w)
		n.ins = append(n.ins, access{t: w.t, as: w.dtype})
	}
	for _, r := range op.Results {
		dims, ok := g.shapeOf(r)
		if !ok {
			return
		}
		t := g.temp(elemType(r.Type), dims)
		n.outs = append(n.outs, output{access: access{t: t}})
		g.values[r] = whole(t, dims)
	}
	g.add(n)
}

// linesOf splits the shape of an operand at the axis of the operation.
func linesOf(op *mlir.Operation, v *mlir.Value) kernel.Lines {
	dims, axis := dimsOf(v), acap.Axis(op)
	return kernel.Lines{Outer: shape.Size(dims[:axis]), N: dims[axis], Inner: shape.Size(dims[axis+1:])}
}

// port describes a whole value.
func wholePort(v *mlir.Value, write bool) kernel.Port {
	return kernel.Port{DType: elemType(v.Type), Write: write, Len: shape.Size(dimsOf(v))}
}

// valid reports whether the verifier of the operation accepts it; conversions rely on
// what it checks.
func (g *graph) valid(op *mlir.Operation) bool {
	if len(op.Operands) != op.Def().Operands || len(op.Results) != op.Def().Results {
		g.fail("%d operands and %d results", len(op.Operands), len(op.Results))
		return false
	}
	if err := op.Def().Verify(op); err != nil {
		g.fail("%v", err)
		return false
	}
	return true
}

func (g *graph) scan(op *mlir.Operation) {
	if !g.valid(op) {
		return
	}
	fold, _ := kernel.FoldNamed(acap.Kind(op))
	g.ordered(op, &kernel.Scan{Lines: linesOf(op, op.Operands[0]), Fold: fold,
		Unsigned: acap.Unsigned(op), X: wholePort(op.Operands[0], false), Out: wholePort(op.Results[0], true)})
}

func (g *graph) sort(op *mlir.Operation) {
	if !g.valid(op) {
		return
	}
	g.ordered(op, &kernel.Sort{Lines: linesOf(op, op.Operands[0]), First: acap.First(op),
		Count: dimsOf(op.Results[0])[acap.Axis(op)], Descending: acap.Descending(op),
		Unsigned: acap.Unsigned(op), X: wholePort(op.Operands[0], false),
		Values: wholePort(op.Results[0], true), Positions: wholePort(op.Results[1], true)})
}

func (g *graph) scatter(op *mlir.Operation) {
	if !g.valid(op) {
		return
	}
	fold, _ := kernel.FoldNamed(acap.Kind(op))
	updates, index, into := op.Operands[0], op.Operands[1], op.Operands[2]
	g.ordered(op, &kernel.Scatter{Fold: fold, Unsigned: acap.Unsigned(op), Axis: acap.Axis(op),
		Extents: dimsOf(updates), IndexExtents: dimsOf(index), IntoExtents: dimsOf(into),
		Updates: wholePort(updates, false), Index: wholePort(index, false),
		Into: wholePort(into, false), Result: wholePort(op.Results[0], true)})
}

func (g *graph) random(op *mlir.Operation) {
	if !g.valid(op) {
		return
	}
	g.ordered(op, &kernel.Random{Key: wholePort(op.Operands[0], false),
		Counter: wholePort(op.Operands[1], false), Out: wholePort(op.Results[0], true)})
}

// orderedKernel completes the kernel of an ordered node.
func (e *emitter) orderedKernel(name string) {
	n := e.c.head
	constant := func(i int, p kernel.Port) kernel.Port {
		p.Const = e.ports.constant(n.ins[i].t)
		return p
	}
	switch k := n.ordered.(type) {
	case *kernel.Scan:
		c := *k
		c.Name, c.X = name, constant(0, k.X)
		e.kernel = &c
	case *kernel.Sort:
		c := *k
		c.Name, c.X = name, constant(0, k.X)
		e.kernel = &c
	case *kernel.Scatter:
		c := *k
		c.Name, c.Updates, c.Index, c.Into = name, constant(0, k.Updates), constant(1, k.Index),
			constant(2, k.Into)
		e.kernel = &c
	case *kernel.Random:
		c := *k
		c.Name, c.Key, c.Counter = name, constant(0, k.Key), constant(1, k.Counter)
		e.kernel = &c
	}
	for _, a := range n.ins {
		e.tensors = append(e.tensors, a.t)
	}
	for _, o := range n.outs {
		e.tensors = append(e.tensors, o.t)
	}
}

// what names the work of an ordered node.
func (n *node) what() string {
	switch n.ordered.(type) {
	case *kernel.Scan:
		return "scan"
	case *kernel.Sort:
		return "sort"
	case *kernel.Scatter:
		return "scatter"
	}
	return "random"
}

// orderedWork counts the operations of an ordered kernel: one fold or comparison each,
// and for random bits those of the rounds.
func (k *KernelInfo) orderedWork() bool {
	switch n := k.Kernel.(type) {
	case *kernel.Scan:
		k.Kind, k.Work = Scan, int64(n.Elements())
	case *kernel.Sort:
		k.Kind, k.Work = Sort, int64(n.Elements())*int64(levels(n.N))
	case *kernel.Scatter:
		k.Kind, k.Work = Scatter, product(n.Extents)
	case *kernel.Random:
		k.Kind, k.Work = Random, int64(n.Out.Len)*kernel.PhiloxRounds*2
	default:
		return false
	}
	for _, p := range k.Kernel.Ports() {
		if bytes := int64(p.Len) * int64(p.DType.Size()); p.Write {
			k.BytesOut += bytes
		} else {
			k.BytesIn += bytes
		}
	}
	return true
}

// levels is the number of merges that sort n elements.
func levels(n int) int {
	l := 0
	for ; n > 1; n = (n + 1) / 2 {
		l++
	}
	return max(l, 1)
}
