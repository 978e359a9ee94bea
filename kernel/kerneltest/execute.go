package kerneltest

import (
	"math/rand/v2"
	"sync"
	"sync/atomic"
	"unsafe"

	"github.com/go-acap/acap/base/buf"
	"github.com/go-acap/acap/kernel"
)

// Aligned returns n bytes at a multiple of 64.
func Aligned(n int) unsafe.Pointer { return unsafe.Pointer(unsafe.SliceData(buf.Aligned(max(n, 1)))) }

// used returns Aligned(n) full of NaN, which are the largest integers of 16 bits, as memory may be that other kernels have used.
func used(n int) unsafe.Pointer {
	p := Aligned(n)
	for i := range n {
		*(*byte)(unsafe.Add(p, i)) = [...]byte{0xff, 0x7f}[i%2]
	}
	return p
}

// Execute packs what the code packs of the ports at ptr, runs its first phase, and then
// runs of units of random lengths at the same time. It returns arguments to run it again.
func Execute(r *rand.Rand, code kernel.Code, ptr []unsafe.Pointer) *kernel.Args {
	args := &kernel.Args{Ptr: ptr, Packed: make([]unsafe.Pointer, len(ptr)), Scratch: used(code.Scratch())}
	for i := range ptr {
		if n := code.PackedBytes(i); n > 0 {
			args.Packed[i] = used(n)
			code.Pack(i, args.Packed[i], ptr[i])
		}
	}
	if n := code.Shared(); n > 0 {
		args.Ptr = append(append([]unsafe.Pointer(nil), ptr...), used(n))
	}
	backwards(r, code.PreparationUnits(), func(lo, hi int) { code.RunPreparation(args, lo, hi) })
	backwards(r, code.PrologueUnits(), func(lo, hi int) { code.RunPrologue(args, lo, hi) })
	var group sync.WaitGroup
	var fault atomic.Bool
	for u := code.Units(); u > 0; {
		n := 1 + r.IntN(u)
		own := *args
		own.Scratch = used(code.Scratch())
		lo, hi := u-n, u
		group.Go(func() {
			code.Run(&own, lo, hi)
			if own.Fault != 0 {
				fault.Store(true)
			}
		})
		u -= n
	}
	group.Wait()
	if fault.Load() {
		args.Fault = 1
	}
	return args
}

// backwards calls run for runs of units of random lengths, the last first.
func backwards(r *rand.Rand, units int, run func(lo, hi int)) {
	for units > 0 {
		n := 1 + r.IntN(units)
		run(units-n, units)
		units -= n
	}
}
