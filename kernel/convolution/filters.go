package convolution

import (
	"runtime"
	"unsafe"

	"github.com/go-acap/acap/kernel"
)

// Filters are filters that a code packs, which embeds them: once if they are constant, else in its first phase, to the
// beginning of the memory that units share.
type Filters struct {
	Once   bool
	Packed int                                       // bytes
	Pieces int                                       // of the work, which can be done apart
	Piece  func(dst, src unsafe.Pointer, number int) // packs one of them
}

// PackedBytes implements [kernel.Code]: filters that are constant.
func (f *Filters) PackedBytes(port int) int {
	if port != 1 || !f.Once {
		return 0
	}
	return f.Packed
}

// Pack implements [kernel.Code].
func (f *Filters) Pack(_ int, dst, src unsafe.Pointer) {
	for i := range f.Pieces {
		f.Piece(dst, src, i)
	}
}

// At returns where the packed filters are.
func (f *Filters) At(args *kernel.Args) uintptr {
	if f.Once {
		return uintptr(args.Packed[1])
	}
	return uintptr(args.Ptr[len(args.Ptr)-1])
}

// Shared implements [kernel.Code]: filters that are not constant, in whole lines.
func (f *Filters) Shared() int {
	if f.Once {
		return 0
	}
	return kernel.Aligned(f.Packed)
}

// PrologueUnits implements [kernel.Code].
func (f *Filters) PrologueUnits() int {
	if f.Once {
		return 0
	}
	return f.Pieces
}

// RunPrologue implements [kernel.Code]: a unit is a piece.
func (f *Filters) RunPrologue(args *kernel.Args, lo, hi int) {
	for u := lo; u < hi; u++ {
		f.Piece(args.Ptr[len(args.Ptr)-1], args.Ptr[1], u)
	}
	runtime.KeepAlive(args)
}
