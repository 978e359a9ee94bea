package kerneltest

import (
	"fmt"
	"math"
	"math/rand/v2"
	"unsafe"

	"github.com/go-acap/acap/base/dtype"
	"github.com/go-acap/acap/kernel"
)

// Check runs a compiled kernel on random buffers as [Execute] does, and compares every written element
// with [Reference]. Floats of a nest or an attention may differ by ulps units in the last place, of the largest partial
// sum if there are sums; products by what [Errors] allows.
func Check(r *rand.Rand, n kernel.Kernel, code kernel.Code, ulps float64) error {
	return CheckWith(r, n, code, ulps, func(b Buffer) { fill(r, n, b) })
}

// CheckWith is [Check] with inputs of the caller's.
func CheckWith(r *rand.Rand, n kernel.Kernel, code kernel.Code, ulps float64, fill func(Buffer)) error {
	ports := n.Ports()
	want := make([]Buffer, len(ports))
	got := make([]Buffer, len(ports))
	ptr := make([]unsafe.Pointer, len(ports))
	for i, a := range ports {
		want[i] = NewBuffer(a.DType, a.Len)
		if !a.Write {
			fill(want[i])
		}
		got[i] = want[i].Clone()
		ptr[i] = got[i].Pointer()
	}
	fault, errors := reference(n, want)
	args := Execute(r, code, ptr)
	if fault != (args.Fault != 0) {
		return fmt.Errorf("fault %d, want %t\n%s", args.Fault, fault, n)
	}
	for i := range want {
		if got[i].Same(want[i]) { // as inputs should be, and most results are
			continue
		}
		if !got[i].Intact() {
			return fmt.Errorf("port %d: written outside\n%s", i, n)
		}
		for k := range want[i].Len() {
			if w, g := want[i].Get(k), got[i].Get(k); !errors.Allows(i, k, want[i].DType, w, g, ulps) {
				return fmt.Errorf("port %d element %d: have %v, want %v\n%s", i, k, g, w, n)
			}
		}
	}
	return nil
}

// fill sets an input: of products and softmax half of the time to plain numbers only, for there a NaN
// or an infinity reaches everything, and else with a few special values.
func fill(r *rand.Rand, k kernel.Kernel, b Buffer) {
	if _, ok := k.(*kernel.Nest); ok || !b.DType.IsFloat() {
		b.Fill(r)
		return
	}
	for i := range b.Len() {
		b.Set(i, Value{F: r.NormFloat64()})
	}
	if _, ok := k.(*kernel.Attention); !ok && r.IntN(2) == 0 {
		b.Sprinkle(r, 1+r.IntN(3))
	}
}

// Close reports whether two values are within a number of ULPs of the wanted one or, if that is more, of scale.
func Close(t dtype.DType, want, have Value, ulps, scale float64) bool {
	if !t.IsFloat() {
		return want.I == have.I
	}
	w, h := want.F, have.F
	if w == h || math.IsNaN(w) && math.IsNaN(h) {
		return true
	}
	return math.Abs(w-h) <= ulps*Unit(t)*max(math.Abs(w), scale, 0x1p-126)
}
