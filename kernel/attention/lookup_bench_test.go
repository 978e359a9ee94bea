package attention_test

import (
	"fmt"
	"testing"
	"unsafe"

	"github.com/stretchr/testify/require"

	"github.com/go-acap/acap/base/dtype"
	"github.com/go-acap/acap/kernel"
	"github.com/go-acap/acap/kernel/kerneltest"
	"github.com/go-acap/acap/kernel/native"
)

// BenchmarkNextToken times the attention of one token of three sequences, of two heads of keys with three heads of
// queries each.
func BenchmarkNextToken(b *testing.B) {
	for _, keys := range []int{64, 192, 512, 4096} {
		a := lookups(3, keys, 64, dtype.F32, keys+64)
		code, err := native.Compile(a)
		require.NoError(b, err)
		args := kernel.Args{Scratch: kerneltest.Aligned(code.Scratch())}
		for _, port := range a.Ports() {
			x := make([]byte, port.Len*port.DType.Size()+64)
			for i := range port.Len {
				switch port.DType {
				case dtype.I64:
					*(*int64)(unsafe.Pointer(&x[8*i])) = int64(i % keys)
				case dtype.Bool:
					x[i] = 1
				default:
					*(*float32)(unsafe.Pointer(&x[4*i])) = float32(i%61)/61 - 0.5
				}
			}
			args.Ptr = append(args.Ptr, unsafe.Pointer(&x[0]))
		}
		b.Run(fmt.Sprint(keys), func(b *testing.B) {
			for b.Loop() {
				code.Run(&args, 0, code.Units())
			}
			b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(b.N*code.Units()), "ns/unit")
		})
	}
}
