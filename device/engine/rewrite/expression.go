package rewrite

import (
	"slices"

	"github.com/go-acap/acap/device/engine/graph"
	"github.com/go-acap/acap/kernel"
)

// expression is an instruction of a node, to be matched with a formula. Operands are looked up across nodes: the load
// of a value that another pointwise node computes stands for the instruction that computes the value there.
type expression struct {
	n *graph.Node
	i int
}

func (x expression) instr() *kernel.Instr { return &x.n.Body[x.i] }

func (x expression) a() expression { return expression{x.n, x.instr().A}.follow() }
func (x expression) b() expression { return expression{x.n, x.instr().B}.follow() }
func (x expression) c() expression { return expression{x.n, x.instr().C}.follow() }

// access returns the access of a load.
func (x expression) access() graph.Access { return x.n.Ins[x.instr().Port] }

// follow goes from a load to what pointwise nodes of the same points compute, and
// skips conversions.
func (x expression) follow() expression {
	for {
		switch i := x.instr(); i.Op {
		case kernel.Cast:
			if !i.Type.IsFloat() || !x.n.Body[i.A].Type.IsFloat() {
				return x
			}
			x.i = i.A
		case kernel.Load:
			p := x.access().Tensor.Producer()
			if p == nil || p.Kind != graph.Pointwise || len(p.Outs) != 1 || !sameWalk(x.n, x.access(), p) {
				return x
			}
			x = expression{p, p.Outs[0].Value}
		default:
			return x
		}
	}
}

// sameWalk reports whether n reads, at each point, what p wrote at the same
// point, both over the same loops.
func sameWalk(n *graph.Node, a graph.Access, p *graph.Node) bool {
	return a.Offset == 0 && slices.Equal(n.Extents, p.Extents) &&
		slices.Equal(a.Strides, p.Outs[0].Strides)
}

// same reports whether two expressions are equal, as far as a search of bounded
// length finds.
func (x expression) same(y expression) bool {
	steps := 256
	return x.equal(y, &steps)
}

func (x expression) equal(y expression, steps *int) bool {
	x, y = x.follow(), y.follow()
	if x == y {
		return true
	}
	if *steps--; *steps < 0 {
		return false
	}
	i, j := x.instr(), y.instr()
	if i.Op != j.Op || i.Type != j.Type {
		return false
	}
	switch i.Op {
	case kernel.Load:
		a, b := x.access(), y.access()
		return a.Tensor == b.Tensor && a.Offset == b.Offset && slices.Equal(x.n.Extents, y.n.Extents) &&
			slices.Equal(a.Strides, b.Strides)
	case kernel.Const:
		return i.Imm == j.Imm
	case kernel.LoadAt, kernel.Index:
		return false
	}
	xs, ys := []func() expression{x.a, x.b, x.c}, []func() expression{y.a, y.b, y.c}
	for k := range i.Op.Arity() {
		if !xs[k]().equal(ys[k](), steps) {
			return false
		}
	}
	return i.Imm == j.Imm && i.Port == j.Port
}

// folded matches a load of a reduction of the given kind over the last loop of a
// row, and returns what is folded.
func (x expression) folded(kind kernel.ReduceKind) (expression, bool) {
	if x.instr().Op != kernel.Load {
		return x, false
	}
	a := x.access()
	p := a.Tensor.Producer()
	last := len(x.n.Extents) - 1
	if p == nil || p.Kind != graph.Reduce || len(p.Outs) != 1 || p.Outs[0].Reduce.Kind != kind ||
		!slices.Equal(p.Extents, x.n.Extents) || p.Par != last || a.Offset != 0 ||
		a.Strides[last] != 0 || !slices.Equal(a.Strides[:last], p.Outs[0].Strides) {
		return x, false
	}
	return expression{p, p.Outs[0].Value}.follow(), true
}
