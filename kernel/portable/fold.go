package portable

import (
	"unsafe"

	"github.com/go-acap/acap/base/dtype"
	"github.com/go-acap/acap/kernel"
)

// elements is how scans, scatters, sorts and searches compute with the elements of one type.
type elements interface {
	// lines folds the lines of a block of a scan.
	lines(c *scanCode, x, out unsafe.Pointer, width int)
	// row folds n updates into n elements that lie side by side.
	row(fold kernel.FoldKind, dst, src unsafe.Pointer, n int)
	// each folds updates, step elements apart from the first on, into elements at places of their own.
	each(fold kernel.FoldKind, dst, src unsafe.Pointer, first, step int, places []int)
	// beyond returns the first of the elements from one up to another that may come before that in place worst when
	// they are sorted, or the end. It is quick where most do not.
	beyond(descending bool, x unsafe.Pointer, stride, from, end, worst int) int
}

type element interface {
	number | uint16 | uint32 | uint64
}

// plain are elements that Go computes with. Scans accumulate them in A.
type plain[T, A element] struct{}

// halves are elements of a half type.
type halves struct{ d dtype.DType }

// elementsOf picks the arithmetic: scans fold floats in float64, integers in their own type.
func elementsOf(d dtype.DType, unsigned bool) elements {
	if unsigned && d.IsInt() {
		return unsignedElements[d.Size()]
	}
	return signedElements[d]
}

var (
	unsignedElements = [...]elements{1: plain[uint8, uint8]{}, 2: plain[uint16, uint16]{}, 4: plain[uint32, uint32]{}, 8: plain[uint64, uint64]{}}
	signedElements   = [...]elements{
		dtype.Bool: plain[uint8, uint8]{}, dtype.U8: plain[uint8, uint8]{}, dtype.I8: plain[int8, int8]{}, dtype.I16: plain[int16, int16]{},
		dtype.I32: plain[int32, int32]{}, dtype.I64: plain[int64, int64]{}, dtype.F16: halves{dtype.F16}, dtype.BF16: halves{dtype.BF16},
		dtype.F32: plain[float32, float64]{}, dtype.F64: plain[float64, float64]{},
	}
)

// foldFor is the fold of elements of a type: of bools, a sum is an or, which is their maximum, and a product an and.
func foldFor(fold kernel.FoldKind, d dtype.DType) kernel.FoldKind {
	switch {
	case d == dtype.Bool && fold == kernel.FoldAdd:
		return kernel.FoldMax
	case d == dtype.Bool && fold == kernel.FoldMul:
		return kernel.FoldMin
	}
	return fold
}
