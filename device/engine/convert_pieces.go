package engine

import (
	"slices"
	"strings"

	"github.com/go-acap/acap/base/parallel"
	"github.com/go-acap/acap/mlir"
)

// A large function is converted in pieces, at once. What a piece takes from an earlier one it takes as a
// whole tensor in memory, whose place the real one takes when all pieces are converted. Pieces end where
// everything that crosses is likely to be that; should it not be, the function is converted once more, as
// one. So the nodes are those of the function, however it is divided.

// pieceOps is about how many operations a piece has.
var pieceOps = 96

// piece is a piece of a function.
type piece struct {
	whole *graph // with the arguments and the constants in memory
	block *mlir.Block
	taken []passed
}

// passed is a value of an earlier piece and the tensor that stands for it.
type passed struct {
	v *mlir.Value
	t *tensor
}

// take gives a piece the view of a value from outside.
func (p *piece) take(g *graph, v *mlir.Value) (view, bool) {
	if w, ok := p.whole.values[v]; ok {
		if w.t.kind == kindSplat { // what is stored of one belongs to a piece
			t := *w.t
			w.t = &t
			g.values[v] = w
		}
		return w, true
	}
	if v.Def == nil || v.Def.Block != p.block {
		return view{}, false
	}
	if v.Def.Name == "arith.constant" { // a number costs less to convert again than to share
		g.convert(v.Def)
		w, ok := g.values[v]
		return w, ok
	}
	dims, ok := g.shapeOf(v)
	if !ok {
		return view{}, false
	}
	t := g.temp(elemType(v.Type), dims)
	p.taken = append(p.taken, passed{v, t})
	g.values[v] = whole(t, dims)
	return g.values[v], true
}

// cuts returns the operations of a block at which pieces begin, but for the first.
func cuts(block *mlir.Block) []int {
	n := len(block.Ops)
	if n < 2*pieceOps {
		return nil
	}
	cross := crossing(block)
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
func crossing(block *mlir.Block) []int {
	last := lastUses(block)
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

// lastUses returns, for each operation of a block, the last one that uses what it makes; 0 if none does.
func lastUses(block *mlir.Block) []int {
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
func (g *graph) convertPieces(f *mlir.Operation, cuts []int) bool {
	ops := f.Body().Ops
	for _, op := range ops {
		if hasMemory(op) {
			if g.convert(op); g.err != nil {
				return true
			}
		}
	}
	pieces := make([]*graph, len(cuts)+1)
	parallel.For(len(pieces), func(i int) {
		pieces[i] = emptyGraph(f, g.uses, pieceOps)
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
		count += len(p.nodes)
		if p.err != nil || !p.resolve(pieces[:i]) {
			clear(g.values)
			g.err = nil
			g.arguments(f.Body().Args)
			return false
		}
	}
	g.nodes = make([]*node, 0, count)
	for _, p := range pieces {
		for _, n := range p.nodes {
			for i := range n.ins {
				if t := n.ins[i].t.real; t != nil {
					n.ins[i].t = t
				}
			}
			n.id = len(g.nodes)
			g.nodes = append(g.nodes, n)
		}
	}
	g.results = pieces[len(pieces)-1].results
	for i := range g.results {
		if t := g.results[i].t.real; t != nil {
			g.results[i].t = t
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
func (g *graph) resolve(earlier []*graph) bool {
	for _, taken := range g.piece.taken {
		var w view
		for i := len(earlier) - 1; i >= 0 && w.t == nil; i-- {
			w = earlier[i].values[taken.v]
		}
		if w.t == nil || w.t.kind != kindTemp || w.dtype != w.t.dtype || w.size() != w.t.size ||
			!w.same(whole(w.t, w.shape())) {
			return false
		}
		g.values[taken.v] = w
		taken.t.real = w.t
	}
	return true
}
