package native

import (
	"fmt"
	"testing"
	"time"
	"unsafe"

	"github.com/stretchr/testify/require"

	"github.com/go-acap/acap/base/buf"
	"github.com/go-acap/acap/base/dtype"
	"github.com/go-acap/acap/kernel"
)

// benchmarkKind measures the code of a kernel on one thread, with ports of zeros but for indices.
func benchmarkKind(b *testing.B, name string, k kernel.Kernel, index int, limit int64) {
	b.Run(name, func(b *testing.B) {
		code, err := Compile(k)
		require.NoError(b, err)
		defer code.Close()
		args := kernel.Args{Scratch: unsafe.Pointer(&buf.Aligned(code.Scratch() + 64)[0])}
		elements := 0
		for n, p := range k.Ports() {
			x := buf.New(p.DType, []int{p.Len})
			if n == index {
				for i := range p.Len {
					x.SetInt64(i, int64(i)*7919%limit)
				}
			}
			elements = max(elements, p.Len)
			args.Ptr = append(args.Ptr, x.Pointer())
		}
		least := time.Hour
		for b.Loop() {
			t := time.Now()
			code.Run(&args, 0, code.Units())
			least = min(least, time.Since(t))
		}
		b.ReportMetric(float64(least.Nanoseconds()), "min-ns")
		b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(b.N)/float64(elements), "ns/element")
	})
}

// BenchmarkFolds measures scans, scatters and random bits.
func BenchmarkFolds(b *testing.B) {
	for _, l := range []kernel.Lines{{Outer: 1, N: 64, Inner: 512}, {Outer: 1, N: 500, Inner: 60}, {Outer: 1, N: 300, Inner: 133},
		{Outer: 64, N: 500, Inner: 1}, {Outer: 1, N: 30000, Inner: 1}} {
		for _, d := range []dtype.DType{dtype.F32, dtype.F64, dtype.I32, dtype.I64} {
			for _, fold := range []kernel.FoldKind{kernel.FoldAdd, kernel.FoldMax} {
				for _, positions := range []bool{false, true} {
					k := &kernel.Scan{Name: "k", Lines: l, Fold: fold, Positions: positions, X: kernel.Port{DType: d, Len: l.Elements()},
						Out: kernel.Port{DType: d, Len: l.Elements(), Write: true}}
					if positions {
						k.Out.DType = dtype.I64
					}
					if kernel.Verify(k) == nil {
						benchmarkKind(b, fmt.Sprintf("scan/%dx%dx%d/%v/%v/%v", l.Outer, l.N, l.Inner, d, fold, positions), k, -1, 0)
					}
				}
			}
		}
	}
	for _, d := range []dtype.DType{dtype.F32, dtype.F64, dtype.I32, dtype.I64} {
		for _, fold := range []kernel.FoldKind{kernel.FoldAdd, kernel.FoldAssign} {
			port := func(d dtype.DType, n int) kernel.Port { return kernel.Port{DType: d, Len: n} }
			each := &kernel.Scatter{Name: "k", Fold: fold, Extents: []int{8192}, IndexExtents: []int{8192}, IntoExtents: []int{1000},
				Updates: port(d, 8192), Index: port(dtype.I64, 8192), Into: port(d, 1000), Result: port(d, 1000)}
			row := &kernel.Scatter{Name: "k", Fold: fold, Extents: []int{64, 200}, IndexExtents: []int{64, 1}, IntoExtents: []int{20, 200},
				Updates: port(d, 64*200), Index: port(dtype.I64, 64), Into: port(d, 20*200), Result: port(d, 20*200)}
			each.Result.Write, row.Result.Write = true, true
			benchmarkKind(b, fmt.Sprintf("scatter/each/%v/%v", d, fold), each, 1, 1000)
			benchmarkKind(b, fmt.Sprintf("scatter/row/%v/%v", d, fold), row, 1, 20)
		}
	}
	k := &kernel.Random{Name: "k", Key: kernel.Port{DType: dtype.I64, Len: 1}, Counter: kernel.Port{DType: dtype.I64, Len: 1},
		Out: kernel.Port{DType: dtype.I32, Len: 1 << 16, Write: true}}
	benchmarkKind(b, "random", k, -1, 0)
}
