package kerneltest

import (
	"fmt"
	"math"
	"math/rand/v2"
	"unsafe"

	"github.com/go-acap/acap/device/kernel"
	"github.com/go-acap/acap/tensor/dtype"
)

// Check compiles a nest, runs it on random buffers in units of random order, and
// compares every written element with [Eval]. Floats may differ by that many
// units in the last place, of the largest partial sum if the kernel has sums.
func Check(r *rand.Rand, n *kernel.Nest, code kernel.Code, ulps float64) error {
	want := make([]Buffer, len(n.Access))
	got := make([]Buffer, len(n.Access))
	args := kernel.Args{Scratch: scratch(code.Scratch())}
	for i, a := range n.Access {
		want[i] = NewBuffer(a.DType, a.Len)
		if !a.Write {
			want[i].Fill(r)
		}
		got[i] = want[i].Clone()
		args.Ptr = append(args.Ptr, got[i].Pointer())
	}
	fault, largest := Eval(n, want)
	for units := code.Units(); units > 0; {
		take := 1 + r.IntN(units)
		code.Run(&args, units-take, units)
		units -= take
	}
	if fault != (args.Fault != 0) {
		return fmt.Errorf("fault %d, want %t\n%s", args.Fault, fault, n)
	}
	for i := range want {
		if !got[i].Intact() {
			return fmt.Errorf("port %d: written outside\n%s", i, n)
		}
		for k := range want[i].Len() {
			if w, g := want[i].Get(k), got[i].Get(k); !Close(want[i].DType, w, g, ulps, largest) {
				return fmt.Errorf("port %d element %d: have %v, want %v\n%s", i, k, g, w, n)
			}
		}
	}
	return nil
}

func scratch(n int) unsafe.Pointer {
	s := make([]byte, n+64)
	p := unsafe.Pointer(&s[0])
	return unsafe.Add(p, -int(uintptr(p))&63)
}

// Close reports whether two values are within a number of ULPs of the wanted one
// or, if that is more, of scale.
func Close(t dtype.DType, want, have Value, ulps, scale float64) bool {
	if !t.IsFloat() {
		return want.I == have.I
	}
	w, h := want.F, have.F
	if w == h || math.IsNaN(w) && math.IsNaN(h) {
		return true
	}
	eps := map[dtype.DType]float64{dtype.F16: 0x1p-10, dtype.BF16: 0x1p-7, dtype.F32: 0x1p-23,
		dtype.F64: 0x1p-52}[t]
	return math.Abs(w-h) <= ulps*eps*max(math.Abs(w), scale, 0x1p-126)
}
