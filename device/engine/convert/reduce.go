package convert

import (
	"github.com/go-acap/acap/base/dtype"
	"github.com/go-acap/acap/device/engine/graph"
	"github.com/go-acap/acap/kernel"
	"github.com/go-acap/acap/mlir"
)

// fold is how one output of a reduction combines.
type fold struct {
	kind     kernel.ReduceKind
	unsigned bool // an unsigned extreme
}

var folds = map[string]fold{
	"arith.addf": {kind: kernel.ReduceSum}, "arith.addi": {kind: kernel.ReduceSum},
	"arith.mulf": {kind: kernel.ReduceProd}, "arith.muli": {kind: kernel.ReduceProd},
	"arith.maximumf": {kind: kernel.ReduceMax}, "arith.maxsi": {kind: kernel.ReduceMax},
	"arith.minimumf": {kind: kernel.ReduceMin}, "arith.minsi": {kind: kernel.ReduceMin},
	"arith.maxnumf": {kind: kernel.ReduceMaxNum}, "arith.minnumf": {kind: kernel.ReduceMinNum},
	"arith.maxui": {kernel.ReduceMax, true}, "arith.minui": {kernel.ReduceMin, true},
	"arith.andi": {kind: kernel.ReduceAnd}, "arith.ori": {kind: kernel.ReduceOr},
	"arith.xori": {kind: kernel.ReduceXor},
}

// on returns the fold for elements of type d: on bool, sums are exclusive ors,
// products are ands, and extremes are ors and ands.
func (f fold) on(d dtype.DType) fold {
	if d != dtype.Bool {
		return f
	}
	least, most := kernel.ReduceAnd, kernel.ReduceOr
	if !f.unsigned { // a signed i1 of one is -1
		least, most = most, least
	}
	switch f.kind {
	case kernel.ReduceSum:
		return fold{kind: kernel.ReduceXor}
	case kernel.ReduceProd:
		return fold{kind: kernel.ReduceAnd}
	case kernel.ReduceMin:
		return fold{kind: least}
	case kernel.ReduceMax:
		return fold{kind: most}
	}
	return f
}

// folding is an output of a reduction while its node is built.
type folding struct {
	fold
	init    graph.View
	fresh   bool // the initial value is a constant, which the fold starts from
	flipped bool // the values have their sign bits inverted, to order as unsigned
}

// buildReduce completes the node of a reduction. An initial value that is not a
// constant is combined afterwards, by a pointwise node of its own.
func (s *structured) buildReduce(values []int) {
	b := s.scalars.b
	list := make([]folding, len(s.outs))
	views := make([]graph.View, len(s.outs))
	for i, o := range s.outs {
		out, v, ok := s.result(i)
		if !ok {
			return
		}
		d := o.DType
		f := &list[i]
		f.fold, f.init = s.reduce[i].on(d), o.View
		value, init := values[i], f.kind.Identity(d)
		if f.fresh = o.Tensor.Kind == graph.Uniform || o.Tensor.Kind == graph.Empty; f.fresh {
			init = o.Tensor.Bits
		}
		if f.unsigned {
			value = ordered(b, value)
			if f.flipped = d != dtype.I8; f.flipped {
				init ^= 1 << (d.Bits() - 1)
			}
			d = b.Type(value)
			out.Tensor.DType = d
		}
		if f.unsigned && !f.fresh {
			init = f.kind.Identity(d)
		}
		out.Value = value
		out.Reduce = &kernel.Reduction{Kind: f.kind, Value: value, Type: d, Init: init}
		s.Node.Outs = append(s.Node.Outs, out)
		views[i] = v
	}
	s.Node.Kind = graph.Reduce
	s.Node.Body = b.Body()
	if s.Node.Par == len(s.Node.Extents) {
		s.foldOnce()
	} else if !s.asConvolution(list) && !s.asContraction(list) {
		s.g.add(s.Node)
	}
	if s.rebuilt {
		return
	}
	for i, r := range s.results {
		s.g.values[r] = s.g.finish(views[i], &list[i])
	}
}

// foldOnce makes a reduction over a single point pointwise.
func (s *structured) foldOnce() {
	b := s.scalars.b
	for i := range s.Node.Outs {
		o := &s.Node.Outs[i]
		start := b.ConstBits(o.Reduce.Type, o.Reduce.Init)
		o.Value = b.Binary(o.Reduce.Kind.Op(), start, o.Value)
		o.Reduce = nil
	}
	s.Node.Kind = graph.Pointwise
	s.Node.Body = b.Body()
	s.g.add(s.Node)
}

// finish undoes the inversion of sign bits and combines an initial value.
func (g *converter) finish(v graph.View, f *folding) graph.View {
	if f.fresh && !f.flipped {
		return v
	}
	ins := []graph.View{v}
	if !f.fresh {
		ins = append(ins, f.init)
	}
	return g.pointwise(v.DType, v.Shape(), ins, func(b *kernel.Builder, x []int) int {
		r := x[0]
		if f.flipped {
			r = ordered(b, r)
		}
		if f.fresh {
			return r
		}
		if !f.unsigned {
			return b.Binary(f.kind.Op(), x[1], r)
		}
		op := kernel.Lt
		if f.kind == kernel.ReduceMax {
			op = kernel.Gt
		}
		return b.Select(b.Binary(op, ordered(b, x[1]), ordered(b, r)), x[1], r)
	})
}

// pointwise appends an operation of our own on views of one shape.
func (g *converter) pointwise(d dtype.DType, dims []int, ins []graph.View,
	f func(b *kernel.Builder, x []int) int) graph.View {
	result := &mlir.Value{}
	s := &structured{g: g, reduction: make([]bool, len(dims)), results: []*mlir.Value{result}}
	for _, v := range ins {
		s.ins = append(s.ins, operand{v, mlir.Identity(len(dims))})
	}
	s.outs = []operand{{graph.Splat(d, 0, dims), mlir.Identity(len(dims))}}
	s.body = func(s *scalars, arg func(int) (int, bool)) ([]int, bool) {
		x := make([]int, len(ins))
		for i := range x {
			x[i], _ = arg(i)
		}
		return []int{f(s.b, x)}, true
	}
	s.build()
	v := g.values[result]
	delete(g.values, result)
	return v
}
