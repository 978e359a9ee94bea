package scatter

import (
	"github.com/go-acap/acap/base/dtype"
	"github.com/go-acap/acap/kernel"
	"github.com/go-acap/acap/kernel/portable"
	"github.com/go-acap/acap/kernel/vector"
	"github.com/go-acap/acap/kernel/vector/fold"
)

// Words of the call blocks of both programs.
const (
	wordTarget = iota
	wordUpdate
	wordCount // of updates with an index each, or of elements in groups of vectors
	wordIndex // where the indices are
	wordFound // where the number of indices inside the axis goes
	wordSingles
	wordOnes
	wordFault
	words
)

// folding is what both programs do with elements.
type folding struct {
	fold  fold.Fold
	dtype dtype.DType
	kind  vector.Kind
	mem   vector.Mem
	lanes int
}

// combine writes what becomes of the elements at one place, and those of another folded into them.
func (f *folding) combine(b *vector.Builder, target, update vector.Val, a vector.Access) {
	a.Mem = f.mem
	x := b.Load(f.kind, update, a)
	if !f.assigns() {
		x = fold.Rounded(b, f.dtype, f.fold.Append(b, b.Load(f.kind, target, a), x))
	}
	b.Store(x, target, a)
}

// assigns reports whether updates take the place of elements, bit by bit.
func (f *folding) assigns() bool { return f.fold == fold.Of(kernel.FoldAssign, f.dtype, false) }

// vectors of a turn.
const vectors = 4

// row writes the folding of updates side by side into elements side by side.
func (f *folding) row() *vector.Program {
	b := vector.NewBuilder("row", f.lanes)
	size := f.dtype.Size()
	each := func(first, n vector.Val, vecs, count int) {
		step := vecs * f.lanes
		if count > 0 {
			step = count
		}
		b.Loop(n, step, nil, func(i vector.Val, _ []vector.Val) []vector.Val {
			at := b.Op(vector.WordAdd, first, i)
			target, update := b.Along(b.Arg(wordTarget), at, size), b.Along(b.Arg(wordUpdate), at, size)
			for v := range vecs {
				f.combine(b, target, update, vector.Access{Offset: v * f.lanes * size, Count: count})
			}
			return nil
		})
	}
	groups, singles := b.Arg(wordCount), b.Arg(wordSingles)
	each(b.Word(0), groups, vectors, 0)
	each(groups, singles, 1, 0)
	each(b.Op(vector.WordAdd, groups, singles), b.Arg(wordOnes), 1, 1)
	p := b.Program()
	p.Optimise()
	return p
}

// each writes the folding of updates with an index each. An index outside the axis counts as 0, and is not counted as
// found.
func (f *folding) each(run portable.ScatterRun) *vector.Program {
	b := vector.NewBuilder("each", f.lanes)
	size := f.dtype.Size()
	index, found := b.Arg(wordIndex), b.Word(0)
	extent := b.Word(run.Extent)
	found = b.Loop(b.Arg(wordCount), 1, []vector.Val{found}, func(i vector.Val, c []vector.Val) []vector.Val {
		at := b.LoadWord(b.Along(index, i, 8*run.Index), 0)
		inside := b.Op(vector.WordBelow, at, extent)
		target := b.Along(b.Arg(wordTarget), b.Op(vector.WordMul, at, inside), run.Axis*size)
		target = b.Along(target, i, run.Target*size)
		f.combine(b, target, b.Along(b.Arg(wordUpdate), i, run.Update*size), vector.Access{Count: 1})
		return []vector.Val{b.Op(vector.WordAdd, c[0], inside)}
	})[0]
	b.Store(b.Into(vector.Dup, vector.I64, 0, found), b.Arg(wordFound), vector.Access{Count: 1})
	p := b.Program()
	p.Optimise()
	return p
}
