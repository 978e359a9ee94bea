package blocks_test

import (
	"fmt"
	"math/rand/v2"
	"testing"
	"unsafe"

	"github.com/go-acap/acap/base/cputime"
	"github.com/go-acap/acap/kernel"
	"github.com/go-acap/acap/kernel/cpu"
	"github.com/go-acap/acap/kernel/kerneltest"
	"github.com/go-acap/acap/kernel/portable"
	"github.com/go-acap/acap/kernel/x86/blocks"
)

// BenchmarkVector reads a matrix that is larger than caches for one row, rounded and exact. MB/s are of the blocks.
func BenchmarkVector(b *testing.B) {
	r := rand.New(rand.NewPCG(1, 1))
	for _, format := range read {
		for _, rounded := range []bool{true, false} {
			k := kerneltest.Blocks(r, format, 1, rounded)
			k.Batch, k.N, k.K = nil, 8192, 2048
			column, _ := format.RowBytes(k.K)
			k.A.Offset, k.A.Batch, k.A.Row, k.A.Len = 0, nil, k.K, k.K
			k.B.Offset, k.B.Batch, k.B.Col, k.B.Len = 0, nil, column, k.N*column
			for i := range k.Epilogue.Access {
				a := &k.Epilogue.Access[i]
				a.Len, a.Outer = k.N, []int{0, 1}
			}
			code, err := blocks.Compile(k, cpu.Detect(), func(n *kernel.Nest) (kernel.Code, error) { return portable.Compile(n) })
			if err != nil {
				b.Fatal(err)
			}
			var ptr []unsafe.Pointer
			for i, p := range k.Ports() {
				buffer := kerneltest.NewBuffer(p.DType, p.Len)
				if i == 1 {
					buffer.FillBlocks(r, format)
				}
				ptr = append(ptr, buffer.Pointer())
			}
			b.Run(fmt.Sprintf("%v/rounded=%t", format, rounded), func(b *testing.B) {
				b.SetBytes(int64(k.B.Len))
				args := &kernel.Args{Ptr: ptr, Scratch: kerneltest.Aligned(code.Scratch())}
				if p, ok := code.(kernel.Prologue); ok {
					args.Ptr = append(ptr[:4:4], kerneltest.Aligned(p.Shared()))
					p.RunPrologue(args, 0, p.PrologueUnits())
				}
				start := cputime.Used()
				for b.Loop() {
					code.Run(args, 0, code.Units())
				}
				end := cputime.Used()
				b.ReportMetric(float64(b.N)*float64(k.B.Len)/1e9/(end-start).Seconds(), "GB/cpu-s")
			})
			code.Close()
		}
	}
}
