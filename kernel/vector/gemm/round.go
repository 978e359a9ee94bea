package gemm

import (
	"sync"
	"unsafe"

	"github.com/go-acap/acap/kernel"
	"github.com/go-acap/acap/kernel/vector"
	"github.com/go-acap/acap/kernel/vector/blocks"
)

// rowRounder copies rows of A that are to be rounded.
type rowRounder struct {
	*plan
	*blocks.Rounder
	scratch sync.Pool // of call blocks
}

func newRowRounder(p *plan, t vector.Backend) (*rowRounder, error) {
	r, err := blocks.NewRounder(p.a.DType, p.a.Col*p.a.DType.Size(), p.k, p.aStep(), t)
	if err != nil {
		return nil, err
	}
	return &rowRounder{p, r, sync.Pool{New: func() any { block := make([]uintptr, kernel.Pieces(r.Scratch(), 8)); return &block }}}, nil
}

// copy implements rowCopier.
func (r *rowRounder) copy(src, dst unsafe.Pointer, first, count int) {
	block := r.scratch.Get().(*[]uintptr)
	for row := first; row < first+count; row++ {
		beside := row % r.interleaved()
		to := unsafe.Add(dst, (row-beside)*r.rowBytes()+beside*r.copiedStep())
		r.Round(unsafe.Pointer(unsafe.SliceData(*block)), unsafe.Add(src, row*r.a.Row*r.a.DType.Size()), to)
	}
	r.scratch.Put(block)
}
