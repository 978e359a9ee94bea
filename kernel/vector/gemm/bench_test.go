package gemm

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"sync"
	"testing"
	"time"
	"unsafe"

	"github.com/stretchr/testify/require"

	"github.com/go-acap/acap/base/dtype"
	"github.com/go-acap/acap/kernel"
	"github.com/go-acap/acap/kernel/cpu"
	"github.com/go-acap/acap/kernel/exec"
	"github.com/go-acap/acap/kernel/kerneltest"
	"github.com/go-acap/acap/kernel/x86/emit"
	"github.com/go-acap/acap/kernel/x86/peak"
)

// peakRate is the multiply-add rate of one core in GFLOP/s.
var peakRate = sync.OnceValue(func() float64 {
	loop, err := peak.MultiplyAdd()
	if err != nil {
		panic(err)
	}
	defer loop.Close()
	best := time.Hour
	for range 200 {
		start := time.Now()
		loop.Run()
		best = min(best, time.Since(start))
	}
	return loop.Work / best.Seconds() / 1e9
})

// A product is a contraction of dense row-major operands.
type product struct {
	name           string
	batch, m, k, n int
	constant       bool // B never changes
	transposed     bool // B is stored by columns
	columns        bool // A is stored by columns
	types          types
}

var f32 = allTypes[0]

func (p product) contraction() *kernel.Contraction {
	c := &kernel.Contraction{Name: p.name, M: p.m, N: p.n, K: p.k, Acc: p.types.acc}
	var batch [3][]int
	if p.batch > 1 {
		c.Batch = []int{p.batch}
		batch = [3][]int{{p.m * p.k}, {p.k * p.n}, {p.m * p.n}}
	}
	port := func(t dtype.DType, n int, write bool) kernel.Port {
		return kernel.Port{DType: t, Len: n * max(p.batch, 1), Write: write}
	}
	c.A = kernel.Matrix{Port: port(p.types.a, p.m*p.k, false), Batch: batch[0], Row: p.k, Col: 1}
	c.B = kernel.Matrix{Port: port(p.types.b, p.k*p.n, false), Batch: batch[1], Row: p.n, Col: 1}
	c.B.Const = p.constant
	if p.transposed {
		c.B.Row, c.B.Col = 1, p.k
	}
	if p.columns {
		c.A.Row, c.A.Col = 1, p.m
	}
	out := kernel.Access{Port: port(p.types.out, p.m*p.n, true), Outer: append(batch[2], p.n, 1)}
	body := kernel.NewBody()
	body.Store(2, body.Cast(p.types.out, body.Input(p.types.acc)))
	c.Epilogue = kernel.Epilogue{Access: []kernel.Access{out}, Body: body.Body()}
	return c
}

func benchmark(b *testing.B, p product) {
	f := cpu.Detect()
	if f.Level < cpu.AVX2 || !exec.Supported {
		b.Skip("no vector instructions")
	}
	c := p.contraction()
	code, err := Compile(c, f, emit.Processor, portableNest)
	require.NoError(b, err)
	defer code.Close()
	var ptr []unsafe.Pointer
	for _, q := range c.Ports() {
		n := q.Len * q.DType.Size()
		at := kerneltest.Aligned(n)
		ptr = append(ptr, at)
		if q.DType == dtype.F32 {
			x := unsafe.Slice((*float32)(at), q.Len)
			for i := range x {
				x[i] = float32(i%13) - 6
			}
		} else { // pages that nothing has written are all the same one
			x := unsafe.Slice((*byte)(at), n)
			for i := range x {
				x[i] = byte(i % 61)
			}
		}
	}
	args := kerneltest.Execute(rand.New(rand.NewPCG(1, 1)), code, ptr)
	best := time.Hour
	for b.Loop() {
		start := time.Now()
		runOnce(code, args)
		best = min(best, time.Since(start))
	}
	flops := 2 * float64(max(p.batch, 1)*p.m*p.k*p.n)
	b.ReportMetric(best.Seconds()*1e3, "best-ms")
	b.ReportMetric(flops/best.Seconds()/1e9, "GFLOP/s")
	b.ReportMetric(flops/best.Seconds()/1e9/peakRate(), "of-peak")
	if p.m == 1 {
		b.ReportMetric(4*float64(p.k*p.n)/best.Seconds()/1e9, "GB/s")
	}
}

// BenchmarkProduct has the cases of the project's benchmark.
func BenchmarkProduct(b *testing.B) {
	for _, n := range []int{64, 128, 256, 512, 1024, 2048} {
		benchmarkOne(b, product{name: fmt.Sprint("mm_", n), m: n, k: n, n: n, types: f32})
	}
	for _, constant := range []bool{true, false} {
		benchmarkOne(b, product{m: 32, k: 768, n: 3072, constant: constant, types: f32})
		benchmarkOne(b, product{m: 128, k: 768, n: 768, constant: constant, types: f32})
		benchmarkOne(b, product{m: 1, k: 4096, n: 4096, constant: constant, types: f32})
		benchmarkOne(b, product{m: 128, k: 768, n: 3072, constant: constant, types: f32})
		benchmarkOne(b, product{m: 128, k: 3072, n: 768, constant: constant, types: f32})
	}
	benchmarkOne(b, product{batch: 12, m: 128, k: 64, n: 128, types: f32})
	benchmarkOne(b, product{batch: 12, m: 128, k: 64, n: 128, transposed: true, types: f32})
	benchmarkOne(b, product{batch: 12, m: 128, k: 128, n: 64, types: f32})
	benchmarkOne(b, product{m: 512, k: 512, n: 512, transposed: true, types: f32})
	benchmarkOne(b, product{m: 784, k: 64, n: 512, columns: true, types: f32})
	benchmarkOne(b, product{m: 768, k: 1024, n: 768, columns: true, types: f32})
	benchmarkOne(b, product{m: 64, k: 512, n: 784, transposed: true, types: f32})
	for _, ts := range []types{allTypes[1], allTypes[2], allTypes[4], allTypes[6]} {
		benchmarkOne(b, product{m: 512, k: 512, n: 512, types: ts})
		benchmarkOne(b, product{m: 1024, k: 1024, n: 1024, types: ts})
	}
}

// runOnce runs all phases of a code on one thread.
func runOnce(code kernel.Code, args *kernel.Args) { kernel.RunAll(code, args) }

// BenchmarkPieces compares products in pieces with those on vectors, one after the other: the
// ratio of their times, its median, for the cost model of suitsSplit.
func BenchmarkPieces(b *testing.B) {
	inPieces(b)
	for _, constant := range []bool{true, false} {
		for _, n := range []int{64, 96, 128, 256, 512, 1024} {
			benchmarkPieces(b, product{m: n, k: n, n: n, constant: constant, types: f32})
		}
		benchmarkPieces(b, product{m: 32, k: 768, n: 3072, constant: constant, types: f32})
		benchmarkPieces(b, product{m: 128, k: 768, n: 768, constant: constant, types: f32})
		benchmarkPieces(b, product{m: 128, k: 3072, n: 768, constant: constant, types: f32})
		benchmarkPieces(b, product{m: 1024, k: 32, n: 196, constant: constant, types: f32})
		benchmarkPieces(b, product{m: 196, k: 196, n: 1024, constant: constant, transposed: true, types: f32})
	}
	for _, ts := range []types{allTypes[4], allTypes[5]} {
		for _, constant := range []bool{true, false} {
			benchmarkPieces(b, product{m: 128, k: 768, n: 768, constant: constant, types: ts})
			benchmarkPieces(b, product{m: 512, k: 512, n: 512, constant: constant, types: ts})
		}
	}
	r := rand.New(rand.NewPCG(1, 1))
	size := func() int { return []int{32, 48, 64, 100, 128, 196, 256, 384, 512, 768, 1024}[r.IntN(11)] }
	for range 30 {
		benchmarkPieces(b, product{batch: []int{1, 1, 1, 12}[r.IntN(4)], m: size(), k: size(), n: size(),
			constant: r.IntN(2) == 0, transposed: r.IntN(3) == 0, types: f32})
	}
	benchmarkPieces(b, product{batch: 12, m: 128, k: 64, n: 128, types: f32})
	benchmarkPieces(b, product{m: 768, k: 1024, n: 768, columns: true, types: f32})
}

func benchmarkPieces(b *testing.B, p product) {
	b.Run(p.title(), func(b *testing.B) {
		f := withTiles(b)
		executed(b, f)
		c := p.contraction()
		number := func(i int) float32 { return float32(i%13) - 6 }
		var codes [2]kernel.Code
		var args [2]*kernel.Args
		for i := range codes {
			f.Tiles = i == 1
			code, err := Compile(c, f, emit.Processor, nil)
			require.NoError(b, err)
			defer code.Close()
			ptr, _ := operands(c, number, number)
			alignOperands(c, ptr)
			codes[i], args[i] = code, kerneltest.Execute(rand.New(rand.NewPCG(1, 1)), code, ptr)
		}
		var ratios []float64
		for b.Loop() {
			var nanos [2]float64
			for i, code := range codes {
				start := time.Now()
				runOnce(code, args[i])
				nanos[i] = float64(time.Since(start))
			}
			ratios = append(ratios, nanos[0]/nanos[1])
		}
		slices.Sort(ratios)
		b.ReportMetric(ratios[len(ratios)/2], "ratio")
	})
}

// alignOperands moves operands to where the memory of tensors begins. Vectors of other memory lie on two lines of a cache each.
func alignOperands(c *kernel.Contraction, ptr []unsafe.Pointer) {
	for i, p := range c.Ports() {
		n := p.Len * p.DType.Size()
		at := kerneltest.Aligned(n)
		copy(unsafe.Slice((*byte)(at), n), unsafe.Slice((*byte)(ptr[i]), n))
		ptr[i] = at
	}
}

func benchmarkOne(b *testing.B, p product) {
	b.Run(p.title(), func(b *testing.B) { benchmark(b, p) })
}

// title returns the name of p, or one made of its sizes.
func (p product) title() string {
	name := p.name
	if name == "" {
		name = fmt.Sprintf("%dx%dx%dx%d_%v", max(p.batch, 1), p.m, p.k, p.n, p.types.a)
		if p.types.b != p.types.a {
			name += fmt.Sprint("×", p.types.b)
		}
		if p.constant {
			name += "_constant"
		}
		if p.transposed {
			name += "_transposed"
		}
		if p.columns {
			name += "_columns"
		}
	}
	return name
}
