package scatter

import (
	"cmp"

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
	wordSingles
	wordOnes
	wordFault
	words
)

// folding is the work of both programs on elements.
type folding struct {
	fold  fold.Fold
	dtype dtype.DType
	kind  vector.Kind
	mem   vector.Mem
	lanes int
}

// combine folds count elements of the update, from a byte on, into the elements of the target, at a byte.
func (f *folding) combine(b *vector.Builder, target vector.Val, at int, update vector.Val, from, count int) {
	if adds := f.fold == fold.Of(kernel.FoldAdd, f.dtype, false); count == 1 && f.mem == vector.Same && !f.kind.IsFloat() &&
		(adds || f.assigns()) { // of words, which takes less than moving one lane
		o := vector.WordStore
		if adds {
			o = vector.WordGrow
		}
		b.StoreElement(o, f.kind, b.LoadElement(f.kind, update, from), target, at)
		return
	}
	to := vector.Access{Mem: f.mem, Count: count, Offset: at}
	read := func() vector.Val {
		return b.Load(f.kind, update, vector.Access{Mem: f.mem, Count: count, Offset: from})
	}
	if f.assigns() {
		b.Store(read(), target, to)
		return
	}
	old := b.Load(f.kind, target, to)
	b.Store(fold.Rounded(b, f.dtype, f.fold.Append(b, old, read())), target, to)
}

// assigns reports whether updates take the place of elements, bit by bit.
func (f *folding) assigns() bool { return f.fold == fold.Of(kernel.FoldAssign, f.dtype, false) }

// vectors of a turn, and updates with an index each.
const vectors, unrolled = 4, 4

// row writes the folding of updates side by side into elements side by side.
func (f *folding) row() *vector.Program {
	b := vector.NewBuilder("row", f.lanes)
	size := f.dtype.Size()
	at := []vector.Val{b.Arg(wordTarget), b.Arg(wordUpdate)}
	each := func(word, vecs, count int) {
		step := cmp.Or(count, vecs*f.lanes)
		at = b.Loop(b.Arg(word), step, at, func(_ vector.Val, c []vector.Val) []vector.Val {
			for v := range vecs {
				f.combine(b, c[0], v*f.lanes*size, c[1], v*f.lanes*size, count)
			}
			return []vector.Val{b.Offset(c[0], step*size), b.Offset(c[1], step*size)}
		})
	}
	each(wordCount, vectors, 0)
	each(wordSingles, 1, 0)
	each(wordOnes, 1, 1)
	return b.Optimised()
}

// each writes the folding of updates with an index each. It ends at an index outside the axis.
func (f *folding) each(run portable.ScatterRun) *vector.Program {
	b := vector.NewBuilder("each", 16/f.kind.Size())
	size := f.dtype.Size()
	extent := b.Word(run.Extent)
	at := []vector.Val{b.Arg(wordIndex), b.Arg(wordTarget), b.Arg(wordUpdate)}
	for _, part := range []struct{ word, n int }{{wordCount, unrolled}, {wordOnes, 1}} {
		at = b.Loop(b.Arg(part.word), part.n, at, func(_ vector.Val, c []vector.Val) []vector.Val {
			for n := range part.n {
				along := b.LoadWord(c[0], 8*n*run.Index)
				b.Check(along, extent)
				f.combine(b, b.Along(c[1], along, run.Axis*size), n*run.Target*size, c[2], n*run.Update*size, 1)
			}
			return []vector.Val{b.Offset(c[0], 8*part.n*run.Index), b.Offset(c[1], part.n*run.Target*size),
				b.Offset(c[2], part.n*run.Update*size)}
		})
	}
	return b.Optimised()
}
