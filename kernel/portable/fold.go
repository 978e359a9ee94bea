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
	// each folds updates, step elements apart from the first on, into elements at places of
	// their own.
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

// elementsOf picks the arithmetic: scans fold floats in float64, integers in their own
// type.
func elementsOf(d dtype.DType, unsigned bool) elements {
	switch d {
	case dtype.F64:
		return plain[float64, float64]{}
	case dtype.F32:
		return plain[float32, float64]{}
	case dtype.F16, dtype.BF16:
		return halves{d}
	case dtype.Bool, dtype.U8:
		return plain[uint8, uint8]{}
	}
	switch d.Size() {
	case 1:
		return wholes[int8, uint8](unsigned)
	case 2:
		return wholes[int16, uint16](unsigned)
	case 4:
		return wholes[int32, uint32](unsigned)
	}
	return wholes[int64, uint64](unsigned)
}

func wholes[S, U element](unsigned bool) elements {
	if unsigned {
		return plain[U, U]{}
	}
	return plain[S, S]{}
}

// foldFor is the fold of elements of a type: of bools, a sum is an or, which is their
// maximum, and a product an and.
func foldFor(fold kernel.FoldKind, d dtype.DType) kernel.FoldKind {
	switch {
	case d == dtype.Bool && fold == kernel.FoldAdd:
		return kernel.FoldMax
	case d == dtype.Bool && fold == kernel.FoldMul:
		return kernel.FoldMin
	}
	return fold
}
