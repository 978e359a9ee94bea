package portable

import (
	"unsafe"

	"github.com/go-acap/acap/kernel"
)

// scatterFolder is the [ScatterFolder] of this package.
type scatterFolder struct {
	ScatterRun
	elements
	fold kernel.FoldKind
}

func (s *scatterFolder) Row(_ *kernel.Args, dst, src unsafe.Pointer, n int) {
	s.row(s.fold, dst, src, n)
}

// placeBlock is how many places are found at a time.
const placeBlock = 256

func (s *scatterFolder) Each(args *kernel.Args, dst, src, index unsafe.Pointer, n int) bool {
	for first := 0; first < n; first += placeBlock {
		places := unsafe.Slice((*int)(args.Scratch), min(placeBlock, n-first))
		if !s.find(places, unsafe.Add(index, 8*first*s.Index), first*s.Target) {
			return false
		}
		s.each(s.fold, dst, src, first*s.Update, s.Update, places)
	}
	return true
}

// find finds the places of updates. The first update is at element place if its index is 0. It reports whether all
// indices are inside the axis.
func (s *scatterFolder) find(places []int, index unsafe.Pointer, place int) bool {
	r, wrong := s.ScatterRun, 0
	for i := range places {
		along := at[int](index, i*r.Index)
		places[i] = along*r.Axis + place
		place += r.Target
		wrong |= along | (r.Extent - 1 - along) // one of them is negative
	}
	return wrong >= 0
}

func (plain[T, A]) row(fold kernel.FoldKind, dst, src unsafe.Pointer, n int) {
	to, from := unsafe.Slice((*T)(dst), n), unsafe.Slice((*T)(src), n)
	if combine := binary[T](foldOps[fold]); combine != nil {
		combine(to, to, from)
	} else {
		copy(to, from)
	}
}

// foldOps are the operations of folds, none where the later element is kept.
var foldOps = [...]kernel.Op{kernel.FoldAdd: kernel.Add, kernel.FoldMul: kernel.Mul, kernel.FoldMax: kernel.Max,
	kernel.FoldMin: kernel.Min, kernel.FoldAssign: kernel.Invalid}

func (plain[T, A]) each(fold kernel.FoldKind, dst, src unsafe.Pointer, first, step int, places []int) {
	src = unsafe.Pointer(ref[T](src, first))
	switch fold {
	case kernel.FoldAdd:
		for i, p := range places {
			*ref[T](dst, p) += at[T](src, i*step)
		}
	case kernel.FoldMul:
		for i, p := range places {
			*ref[T](dst, p) *= at[T](src, i*step)
		}
	case kernel.FoldMax:
		for i, p := range places {
			*ref[T](dst, p) = max(at[T](dst, p), at[T](src, i*step))
		}
	case kernel.FoldMin:
		for i, p := range places {
			*ref[T](dst, p) = min(at[T](dst, p), at[T](src, i*step))
		}
	default:
		for i, p := range places {
			*ref[T](dst, p) = at[T](src, i*step)
		}
	}
}

// row implements [elements]: numbers fold in f32, and what is assigned keeps its bits.
func (h halves) row(fold kernel.FoldKind, dst, src unsafe.Pointer, n int) {
	if fold == kernel.FoldAssign {
		plain[uint16, uint16]{}.row(fold, dst, src, n)
		return
	}
	for i := range n {
		h.one(fold, unsafe.Add(dst, i*h.d.Size()), unsafe.Add(src, i*h.d.Size()))
	}
}

func (h halves) each(fold kernel.FoldKind, dst, src unsafe.Pointer, first, step int, places []int) {
	if fold == kernel.FoldAssign {
		plain[uint16, uint16]{}.each(fold, dst, src, first, step, places)
		return
	}
	size := h.d.Size()
	for i, p := range places {
		h.one(fold, unsafe.Add(dst, p*size), unsafe.Add(src, (first+i*step)*size))
	}
}

// one folds one element into another.
func (h halves) one(fold kernel.FoldKind, dst, src unsafe.Pointer) {
	var v, w float32
	loadLanes(h.d, unsafe.Pointer(&v), dst, 1, 1)
	loadLanes(h.d, unsafe.Pointer(&w), src, 1, 1)
	plain[float32, float32]{}.row(fold, unsafe.Pointer(&v), unsafe.Pointer(&w), 1)
	storeLanes(h.d, unsafe.Pointer(&v), dst, 1, 1)
}
