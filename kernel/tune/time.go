package tune

import (
	"math"
	"time"
	"unsafe"

	"github.com/go-acap/acap/base/buf"
	"github.com/go-acap/acap/kernel"
)

// form is a compiled form of a kernel, and the least time of its runs.
type form struct {
	code    kernel.Code
	choices Choices
	seconds float64
	args    kernel.Args
}

// size returns the bytes of a kernel's operands.
func size(k kernel.Kernel) (bytes int) {
	for _, p := range k.Ports() {
		bytes += p.DType.Size() * p.Len
	}
	return bytes
}

// race runs all forms of a kernel in turn, on one goroutine, until their time is over.
// Operands are zeros, which every kernel takes: the time of products does not depend on the numbers.
func race(k kernel.Kernel, forms []*form) {
	var operands []unsafe.Pointer
	for _, p := range k.Ports() {
		operands = append(operands, memory(p.DType.Size()*p.Len))
	}
	for _, f := range forms {
		f.prepare(operands)
		f.run()
		f.seconds = math.Inf(1)
	}
	for begin, turns := time.Now(), 0; turns < leastRuns || time.Since(begin) < mostTime; turns++ {
		for _, f := range forms {
			start := time.Now()
			f.run()
			f.seconds = min(f.seconds, time.Since(start).Seconds())
		}
	}
	for _, f := range forms {
		f.args = kernel.Args{}
	}
}

// memory returns n bytes that are 0. They are written, because a page that nobody has written is not memory yet.
func memory(n int) unsafe.Pointer {
	b := buf.Aligned(max(n, 1))
	clear(b)
	return unsafe.Pointer(&b[0])
}

// prepare gives a form its arguments. Constant operands are packed once, as in a program.
func (f *form) prepare(operands []unsafe.Pointer) {
	f.args = kernel.Args{Ptr: operands, Packed: make([]unsafe.Pointer, len(operands)), Scratch: memory(f.code.Scratch())}
	for i := range operands {
		if n := f.code.PackedBytes(i); n > 0 {
			f.args.Packed[i] = memory(n)
			f.code.Pack(i, f.args.Packed[i], operands[i])
		}
	}
	if n := f.code.Shared(); n > 0 {
		f.args.Ptr = append(append([]unsafe.Pointer(nil), operands...), memory(n))
	}
}

// run computes the kernel once.
func (f *form) run() { kernel.RunAll(f.code, &f.args) }
