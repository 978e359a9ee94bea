package native

import (
	"fmt"
	"math/rand/v2"
	"testing"
	"unsafe"

	"github.com/go-acap/acap/base/cputime"
	"github.com/go-acap/acap/base/dtype"
	"github.com/go-acap/acap/kernel"
	"github.com/go-acap/acap/kernel/kerneltest"
)

// BenchmarkRows multiplies a few rows by a matrix that is larger than caches, as layers of a language model do. Processor time counts: GB are
// those of the matrix.
func BenchmarkRows(b *testing.B) {
	const width, columns = 2048, 16384
	r := rand.New(rand.NewPCG(1, 1))
	type stored struct {
		dtype.DType
		dtype.Format
	}
	for _, s := range []stored{{dtype.F32, dtype.Plain}, {dtype.F16, dtype.Plain}, {dtype.BF16, dtype.Plain}, {dtype.U8, dtype.Q8_0}, {dtype.U8, dtype.Q4_0},
		{dtype.U8, dtype.Q4_K}, {dtype.U8, dtype.Q6_K}} {
		column := width
		if s.Format != dtype.Plain {
			column, _ = s.Format.RowBytes(width)
		}
		matrix := kerneltest.NewBuffer(s.DType, columns*column)
		if s.Format != dtype.Plain {
			matrix.FillBlocks(r, s.Format)
		} else {
			for i := range matrix.Len() {
				matrix.Set(i, kerneltest.Value{F: float64(i%61)/61 - 0.5})
			}
		}
		for _, rows := range []int{1, 2, 4, 8, 16, 32, 64} {
			body := kernel.NewBody()
			body.Store(2, body.Input(dtype.F32))
			port := func(d dtype.DType, n int, write bool) kernel.Port { return kernel.Port{DType: d, Len: n, Write: write} }
			k := &kernel.Contraction{Name: "rows", M: rows, N: columns, K: width, Acc: dtype.F32, Rounded: s.Format != dtype.Plain,
				A:        kernel.Matrix{Port: port(dtype.F32, rows*width, false), Row: width, Col: 1},
				B:        kernel.Matrix{Port: port(s.DType, matrix.Len(), false), Row: 1, Col: column},
				Epilogue: kernel.Epilogue{Body: body.Body(), Access: []kernel.Access{{Port: port(dtype.F32, rows*columns, true), Outer: []int{columns, 1}}}}}
			if s.Format != dtype.Plain {
				k.B.Format, k.B.Row = s.Format, s.Format.Bytes()
			}
			code, err := Compile(k)
			if err != nil {
				b.Fatal(err)
			}
			x := kerneltest.NewBuffer(dtype.F32, rows*width)
			for i := range x.Len() {
				x.Set(i, kerneltest.Value{F: float64(i%53)/53 - 0.5})
			}
			y := kerneltest.NewBuffer(dtype.F32, rows*columns)
			args := &kernel.Args{Ptr: []unsafe.Pointer{x.Pointer(), matrix.Pointer(), y.Pointer()}, Scratch: kerneltest.Aligned(code.Scratch())}
			b.Run(fmt.Sprintf("%v-%v/%d", s.DType, s.Format, rows), func(b *testing.B) {
				first, _ := code.(kernel.Prologue)
				if first != nil {
					args.Ptr = append(args.Ptr[:3:3], kerneltest.Aligned(first.Shared()))
				}
				best := 1e9
				for b.Loop() {
					start := cputime.Used()
					if first != nil {
						if before, ok := first.(kernel.Preparation); ok && before.PreparationUnits() > 0 {
							before.RunPreparation(args, 0, before.PreparationUnits())
						}
						first.RunPrologue(args, 0, first.PrologueUnits())
					}
					code.Run(args, 0, code.Units())
					best = min(best, (cputime.Used() - start).Seconds())
				}
				b.ReportMetric(1e3*best, "best-ms")
				b.ReportMetric(float64(columns*column*s.Size())/best/1e9, "GB/s")
				b.ReportMetric(2*float64(rows*columns*width)/best/1e9, "GFLOP/s")
			})
			code.Close()
		}
	}
}
