package convolution

import (
	"unsafe"

	"github.com/go-acap/acap/base/buf"
	"github.com/go-acap/acap/kernel"
	"github.com/go-acap/acap/kernel/schedule"
)

// onFilters is code of a convolution that reads constant filters in another layout than theirs, or as another type: a copy,
// which is made once.
type onFilters struct {
	kernel.Code
	copies *nested
	bytes  int // of the copy
	args   kernel.ArgsPool
}

// withFilters has code read the filters of c as other filters. It closes the code if it fails.
func withFilters(c *kernel.Convolution, code kernel.Code, as *kernel.Image, nests schedule.Nests) (kernel.Code, error) {
	copies, err := copied(&c.Filter, as, [4]int{c.K, c.C / c.Groups, c.R, c.S}, nests)
	if err != nil {
		code.Close()
		return nil, err
	}
	return &onFilters{Code: code, copies: copies, bytes: as.Len * as.DType.Size()}, nil
}

// packs reports whether the code packs the copy, and does not read it as it lies.
func (f *onFilters) packs() bool { return f.Code.PackedBytes(1) > 0 }

func (f *onFilters) PackedBytes(port int) int {
	if port != 1 || f.packs() {
		return f.Code.PackedBytes(port)
	}
	return f.bytes
}

// PackedForm implements [kernel.Code]: the form of the code says nothing of the copy.
func (f *onFilters) PackedForm(int) string { return "" }

func (f *onFilters) Pack(port int, dst, src unsafe.Pointer) {
	filters := dst
	if f.packs() {
		filters = unsafe.Pointer(unsafe.SliceData(buf.Aligned(f.bytes)))
	}
	f.copies.run(&kernel.Args{Scratch: scratchOf(f.copies)}, 0, f.copies.Units(), src, filters)
	if f.packs() {
		f.Code.Pack(port, dst, filters)
	}
}

func (f *onFilters) Run(args *kernel.Args, lo, hi int) {
	own := f.args.Get()
	own.Ptr = append(own.Ptr, args.Ptr...)
	own.Ptr[1], own.Packed, own.Scratch = args.Packed[1], args.Packed, args.Scratch
	f.Code.Run(own, lo, hi)
	f.args.Put(own, args)
}

func (f *onFilters) Close() {
	f.Code.Close()
	f.copies.Close()
}
