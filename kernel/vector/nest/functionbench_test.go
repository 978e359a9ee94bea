package nest_test

import (
	"fmt"
	"math"
	"testing"
	"unsafe"

	"github.com/go-acap/acap/base/dtype"
	"github.com/go-acap/acap/kernel"
	"github.com/go-acap/acap/kernel/cpu"
	"github.com/go-acap/acap/kernel/kerneltest"
	"github.com/go-acap/acap/kernel/portable"
	"github.com/go-acap/acap/kernel/vector/function"
)

// BenchmarkFunctions gives the time of one element.
func BenchmarkFunctions(b *testing.B) {
	const n = 4096
	backs := map[string]func(k *kernel.Nest) (kernel.Code, error){
		"portable": func(k *kernel.Nest) (kernel.Code, error) { return portable.Compile(k) }}
	for _, l := range []cpu.Level{cpu.AVX2, cpu.AVX512} {
		f := cpu.Detect()
		if f.Level >= l {
			backs[l.String()] = func(k *kernel.Nest) (kernel.Code, error) { return compile(k, f.Lower(l)) }
		}
	}
	x, y := make([]float32, n), make([]float64, n)
	for i := range x {
		y[i] = 1.5 + math.Sin(float64(i)) // inside most domains
		x[i] = float32(y[i])
	}
	for _, t := range []dtype.DType{dtype.F32, dtype.F64} {
		source := unsafe.Pointer(&y[0])
		if t == dtype.F32 {
			source = unsafe.Pointer(&x[0])
		}
		for _, op := range kernel.Ops() {
			k := binaryOf(t, op, n)
			if !function.Is(op) {
				continue
			}
			ptr := []unsafe.Pointer{source, source, kerneltest.Aligned(8 * n)}
			if op.Arity() == 1 {
				k, ptr = unaryOf(t, op, n), ptr[1:]
			}
			for name, compile := range backs {
				b.Run(fmt.Sprintf("%v/%v/%s", op, t, name), func(b *testing.B) {
					code, err := compile(k)
					if err != nil {
						b.Fatal(err)
					}
					defer code.Close()
					args := kernel.Args{Ptr: ptr, Scratch: kerneltest.Aligned(code.Scratch() + 64)}
					for b.Loop() {
						code.Run(&args, 0, code.Units())
					}
					b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(b.N)/n, "ns/element")
				})
			}
		}
	}
}
