package portable

import (
	"unsafe"

	"github.com/go-acap/acap/base/dtype"
	"github.com/go-acap/acap/kernel"
)

// folds is how the elements of one type are folded by scans and by scatters.
type folds interface {
	// lines folds the lines of a block of a scan.
	lines(c *scanCode, x, out unsafe.Pointer, width int)
	// row folds n updates into n elements that lie side by side.
	row(fold kernel.FoldKind, dst, src unsafe.Pointer, n int)
	// each folds updates, step elements apart from the first on, into elements at places of
	// their own.
	each(fold kernel.FoldKind, dst, src unsafe.Pointer, first, step int, places []int)
}

type element interface {
	number | uint16 | uint32 | uint64
}

// plain folds elements that Go computes with. Scans accumulate them in A.
type plain[T, A element] struct{}

// halves folds elements of a half type.
type halves struct{ d dtype.DType }

// foldsOf picks the arithmetic: scans fold floats in float64, integers in their own
// type.
func foldsOf(d dtype.DType, unsigned bool) folds {
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
		return integers[int8, uint8](unsigned)
	case 2:
		return integers[int16, uint16](unsigned)
	case 4:
		return integers[int32, uint32](unsigned)
	}
	return integers[int64, uint64](unsigned)
}

func integers[S, U element](unsigned bool) folds {
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
