package native

import (
	"fmt"
	"math"
	"math/rand/v2"
	"testing"
	"time"
	"unsafe"

	"github.com/go-acap/acap/base/cputime"
	"github.com/go-acap/acap/base/dtype"
	"github.com/go-acap/acap/kernel"
	"github.com/go-acap/acap/kernel/kerneltest"
	"github.com/go-acap/acap/kernel/x86/peak"
)

// BenchmarkRows multiplies rows by a matrix that is larger than caches, as layers of a language model do. The least
// processor time counts: GB are the matrix's, x-one is the time in times of one row, and of-peak the share of the
// multiply-adds of f32 that a core has.
func BenchmarkRows(b *testing.B) {
	const width, columns = 2048, 16384
	r := rand.New(rand.NewPCG(1, 1))
	type stored struct {
		dtype.DType
		dtype.Format
	}
	matrices := []stored{{dtype.F32, dtype.Plain}, {dtype.F16, dtype.Plain}, {dtype.BF16, dtype.Plain}}
	for _, f := range []dtype.Format{dtype.Q8_0, dtype.Q4_0, dtype.Q4_1, dtype.Q5_0, dtype.Q5_1, dtype.Q2_K, dtype.Q3_K, dtype.Q4_K, dtype.Q5_K, dtype.Q6_K,
		dtype.IQ4_NL, dtype.IQ4_XS, dtype.MXFP4} {
		matrices = append(matrices, stored{dtype.U8, f})
	}
	loop, unmeasured := peak.MultiplyAdd()
	if unmeasured == nil {
		defer loop.Close()
	}
	for _, s := range matrices {
		column := width
		if s.Format != dtype.Plain {
			column, _ = s.Format.RowBytes(width)
		}
		matrix := kerneltest.NewBuffer(s.DType, columns*column)
		if s.Format != dtype.Plain {
			fillBlocks(matrix, r, s.Format)
		} else {
			for i := range width * 61 {
				matrix.Set(i, kerneltest.Value{F: float64(i%61)/61 - 0.5})
			}
			bytes := unsafe.Slice((*byte)(matrix.Pointer()), matrix.Len()*s.Size())
			for n := width * 61 * s.Size(); n < len(bytes); n *= 2 {
				copy(bytes[n:], bytes[:n])
			}
		}
		weights := aligned(matrix)
		one := 0.0
		for _, rows := range []int{1, 2, 4, 8, 16, 32, 64, 128, 512} {
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
			args := &kernel.Args{Ptr: []unsafe.Pointer{aligned(x), weights, aligned(y)}, Scratch: kerneltest.Aligned(code.Scratch())}
			b.Run(fmt.Sprintf("%v-%v/%d", s.DType, s.Format, rows), func(b *testing.B) {
				if n := code.Shared(); n > 0 {
					args.Ptr = append(args.Ptr[:3:3], kerneltest.Aligned(n))
				}
				best, arithmetic := math.Inf(1), math.Inf(1)
				for b.Loop() {
					if begin := time.Now(); unmeasured == nil {
						loop.Run()
						arithmetic = min(arithmetic, time.Since(begin).Seconds())
					}
					start := cputime.Used()
					kernel.RunAll(code, args)
					best = min(best, (cputime.Used() - start).Seconds())
				}
				b.ReportMetric(1e3*best, "best-ms")
				b.ReportMetric(float64(columns*column*s.Size())/best/1e9, "GB/s")
				work := 2 * float64(rows*columns*width)
				b.ReportMetric(work/best/1e9, "GFLOP/s")
				if unmeasured == nil {
					b.ReportMetric(work/best/(loop.Work/arithmetic), "of-peak")
				}
				if rows == 1 {
					one = best
				} else if one > 0 {
					b.ReportMetric(best/one, "x-one")
				}
			})
			code.Close()
		}
	}
}

// aligned is a copy of a buffer at the beginning of a line, where engines and files have their tensors.
func aligned(b kerneltest.Buffer) unsafe.Pointer {
	n := b.Len() * b.DType.Size()
	to := kerneltest.Aligned(n)
	copy(unsafe.Slice((*byte)(to), n), unsafe.Slice((*byte)(b.Pointer()), n))
	return to
}
