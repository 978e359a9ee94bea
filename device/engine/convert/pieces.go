package convert

import (
	"slices"
	"strings"

	"github.com/go-acap/acap/base/parallel"
	"github.com/go-acap/acap/device/engine/graph"
	"github.com/go-acap/acap/mlir"
)

// A large function is converted in pieces, at once. A piece takes a value of an earlier piece as a whole tensor in
// memory. The real tensor takes its place when all pieces are converted. Pieces end where everything that crosses is
// likely to be that; should it not be, the function is converted once more, as one. So the function has the same nodes,
// however it is divided.

// piece is a piece of a function.
type piece struct {
	whole *converter // with the arguments and the constants in memory
	block *mlir.Block
	taken []passed
}

// passed is a value of an earlier piece and the tensor that stands for it.
type passed struct {
	v *mlir.Value
	t *graph.Tensor
}

// take gives a piece the view of a value from outside.
func (p *piece) take(g *converter, v *mlir.Value) (graph.View, bool) {
	if w, ok := p.whole.values[v]; ok {
		if w.Tensor.Kind == graph.Uniform { // what is stored of one belongs to a piece
			t := *w.Tensor
			w.Tensor = &t
			g.values[v] = w
		}
		return w, true
	}
	if v.Def == nil || v.Def.Block != p.block {
		return graph.View{}, false
	}
	if v.Def.Name == "arith.constant" { // a number costs less to convert again than to share
		g.operation(v.Def)
		w, ok := g.values[v]
		return w, ok
	}
	dims, ok := g.shapeOf(v)
	if !ok {
		return graph.View{}, false
	}
	t := graph.NewTensor(elemType(v.Type), dims)
	p.taken = append(p.taken, passed{v, t})
	g.values[v] = graph.Whole(t, dims)
	return g.values[v], true
}

// cuts returns the operations of a block at which pieces of about pieceOps operations begin, but for the first.
func cuts(block *mlir.Block, pieceOps int) []int {
	n := len(block.Ops)
	if n < 2*pieceOps {
		return nil
	}
	cross := crossing(block, pieceOps)
	var list []int
	for at := 0; at+pieceOps+pieceOps/2 < n; {
		best := -1
		for i := at + max(pieceOps/2, 1); i < at+pieceOps+pieceOps/2; i++ {
			if cross[i] >= 0 && (best < 0 || cross[i] <= cross[best]) {
				best = i
			}
		}
		if best < 0 {
			return nil
		}
		list = append(list, best)
		at = best
	}
	return list
}

// crossing counts, for each operation of a block, the values from before it that it or later ones use,
// constants aside; -1 if one of them is not likely to be a whole tensor.
func crossing(block *mlir.Block, pieceOps int) []int {
	last := lastUses(block, pieceOps)
	cross := make([]int, len(block.Ops)+1)
	odd := make([]int, len(block.Ops)+1)
	for i, op := range block.Ops {
		if last[i] == 0 || op.Name == "arith.constant" {
			continue
		}
		cross[i+1]++
		cross[last[i]+1]--
		if !makesWhole(op) {
			odd[i+1]++
			odd[last[i]+1]--
		}
	}
	live, others := 0, 0
	for i := range block.Ops {
		live, others = live+cross[i], others+odd[i]
		if cross[i] = live; others > 0 {
			cross[i] = -1
		}
	}
	return cross[:len(block.Ops)]
}

// lastUses returns for each operation of a block the number of the last user of its results, 0 if there is none.
func lastUses(block *mlir.Block, pieceOps int) []int {
	block.Number()
	last := make([]int, len(block.Ops))
	type use struct{ of, by int }
	across := make([][]use, (len(block.Ops)+pieceOps-1)/pieceOps) // of what an earlier part makes, by part
	parallel.For(len(across), func(part int) {
		from := part * pieceOps
		for at := from; at < min(from+pieceOps, len(block.Ops)); at++ {
			block.Ops[at].Walk(func(op *mlir.Operation) {
				for _, v := range op.Operands {
					switch {
					case v.Def == nil || v.Def.Block != block:
					case v.Def.Place() >= from:
						last[v.Def.Place()] = at
					default:
						across[part] = append(across[part], use{v.Def.Place(), at})
					}
				}
			})
		}
	})
	for _, uses := range across {
		for _, u := range uses {
			last[u.of] = u.by
		}
	}
	return last
}

// makesWhole reports whether what an operation computes is likely to be a tensor in memory, in order.
func makesWhole(op *mlir.Operation) bool {
	switch name, ok := strings.CutPrefix(op.Name, "linalg."); {
	case !ok || name == "fill" || name == "transpose" || name == "broadcast" || name == "copy":
		return false
	case name == "generic":
		b := op.Body()
		return b != nil && len(b.Ops) > 1
	}
	return true
}

// convertPieces converts a function in pieces, or reports that it is to be converted as one.
func (g *converter) convertPieces(f *mlir.Operation, cuts []int) bool {
	ops := f.Body().Ops
	for _, op := range ops {
		if hasMemory(op) {
			if g.operation(op); g.err != nil {
				return true
			}
		}
	}
	pieces := make([]*converter, len(cuts)+1)
	parallel.For(len(pieces), func(i int) {
		pieces[i] = newConverter(f, g.uses, len(ops)/len(pieces))
		pieces[i].fixed = g.fixed
		pieces[i].piece = &piece{whole: g, block: f.Body()}
		from, to := 0, len(ops)
		if i > 0 {
			from = cuts[i-1]
		}
		if i < len(cuts) {
			to = cuts[i]
		}
		pieces[i].convertAll(slices.DeleteFunc(slices.Clone(ops[from:to]), hasMemory))
	})
	count := 0
	for i, p := range pieces {
		count += len(p.Nodes)
		if p.err != nil || !p.resolve(pieces[:i]) {
			clear(g.values)
			g.err = nil
			g.arguments(f.Body().Args)
			return false
		}
	}
	g.Nodes = make([]*graph.Node, 0, count)
	for _, p := range pieces {
		for _, n := range p.Nodes {
			for i := range n.Ins {
				if t := n.Ins[i].Tensor.Real; t != nil {
					n.Ins[i].Tensor = t
				}
			}
			for i, t := range n.After {
				if t.Real != nil {
					n.After[i] = t.Real
				}
			}
			n.ID = len(g.Nodes)
			g.Nodes = append(g.Nodes, n)
		}
	}
	g.Results = pieces[len(pieces)-1].Results
	for i := range g.Results {
		if t := g.Results[i].Tensor.Real; t != nil {
			g.Results[i].Tensor = t
		}
	}
	return true
}

// hasMemory reports whether an operation is a constant whose elements are stored.
func hasMemory(op *mlir.Operation) bool {
	if op.Name != "arith.constant" {
		return false
	}
	switch op.Attrs.Get("value").(type) {
	case mlir.DenseAttr, mlir.ResourceAttr:
		return true
	}
	return false
}

// resolve finds the tensors of earlier pieces that a piece took. It reports false if one is not a whole.
func (g *converter) resolve(earlier []*converter) bool {
	for _, taken := range g.piece.taken {
		var w graph.View
		for i := len(earlier) - 1; i >= 0 && w.Tensor == nil; i-- {
			w = earlier[i].values[taken.v]
		}
		if w.Tensor == nil || w.Tensor.Kind != graph.Temporary || w.DType != w.Tensor.DType || w.Size() != w.Tensor.Size ||
			!w.Same(graph.Whole(w.Tensor, w.Shape())) {
			return false
		}
		g.values[taken.v] = w
		taken.t.Real = w.Tensor
	}
	return true
}
