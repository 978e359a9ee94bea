package nest_test

import (
	"math"
	"testing"
	"time"
	"unsafe"

	"github.com/go-acap/acap/base/dtype"
	"github.com/go-acap/acap/kernel"
	"github.com/go-acap/acap/kernel/cpu"
	"github.com/go-acap/acap/kernel/kerneltest"
)

// pointwise makes a nest of one loop with the given number of inputs.
func pointwise(n, inputs int, f func(b *kernel.Builder, x []int) int) *kernel.Nest {
	b := kernel.NewBody()
	var x []int
	nest := &kernel.Nest{Name: "bench", Outer: []int{n}}
	for i := range inputs {
		x = append(x, b.Load(i, dtype.F32))
	}
	b.Store(inputs, f(b, x))
	for i := range inputs + 1 {
		nest.Access = append(nest.Access, kernel.Access{Outer: []int{1},
			Port: kernel.Port{DType: dtype.F32, Len: n, Write: i == inputs}})
	}
	nest.Stages = []kernel.Stage{{Body: b.Body()}}
	return nest
}

func addNest(n int) *kernel.Nest {
	return pointwise(n, 2, func(b *kernel.Builder, x []int) int { return b.Binary(kernel.Add, x[0], x[1]) })
}

// geluNest is gelu(a·b + c) with the error function.
func geluNest(n int) *kernel.Nest {
	return pointwise(n, 3, func(b *kernel.Builder, x []int) int {
		v := b.Binary(kernel.Add, b.Binary(kernel.Mul, x[0], x[1]), x[2])
		e := b.Unary(kernel.Erf, b.Binary(kernel.Mul, v, b.Const(dtype.F32, math.Sqrt2/2)))
		half := b.Binary(kernel.Mul, v, b.Const(dtype.F32, 0.5))
		return b.Binary(kernel.Mul, half, b.Binary(kernel.Add, e, b.Const(dtype.F32, 1)))
	})
}

// sigNest is sigmoid(x)·tanh(x) + exp(-x²).
func sigNest(n int) *kernel.Nest {
	return pointwise(n, 1, func(b *kernel.Builder, x []int) int {
		p := b.Binary(kernel.Mul, b.Unary(kernel.Sigmoid, x[0]), b.Unary(kernel.Tanh, x[0]))
		return b.Binary(kernel.Add, p, b.Unary(kernel.Exp, b.Unary(kernel.Neg, b.Binary(kernel.Mul, x[0], x[0]))))
	})
}

func rowNest(rows, cols int, out []int, stages []kernel.Stage) *kernel.Nest {
	o := kernel.Access{Port: kernel.Port{DType: dtype.F32, Write: true, Len: rows * out[0]},
		Outer: []int{out[0]}, Inner: []int{out[1]}}
	return &kernel.Nest{Name: "row", Outer: []int{rows}, Inner: []int{cols}, Stages: stages,
		Access: []kernel.Access{{Port: kernel.Port{DType: dtype.F32, Len: rows * cols},
			Outer: []int{cols}, Inner: []int{1}}, o}}
}

func sumNest(rows, cols int) *kernel.Nest {
	b, c := kernel.NewBody(), kernel.NewBody()
	b.Load(0, dtype.F32)
	c.Store(1, c.Acc(0, 0, dtype.F32))
	return rowNest(rows, cols, []int{1, 0}, []kernel.Stage{
		{Body: b.Body(), Reduce: []kernel.Reduction{{Type: dtype.F32}}}, {Once: true, Body: c.Body()}})
}

func softmaxNest(rows, cols int) *kernel.Nest {
	x, y, z := kernel.NewBody(), kernel.NewBody(), kernel.NewBody()
	x.Load(0, dtype.F32)
	e := y.Unary(kernel.Exp, y.Binary(kernel.Sub, y.Load(0, dtype.F32), y.Acc(0, 0, dtype.F32)))
	z.Store(1, z.Binary(kernel.Div, z.Kept(1, 0, dtype.F32), z.Acc(1, 0, dtype.F32)))
	return rowNest(rows, cols, []int{cols, 1}, []kernel.Stage{
		{Body: x.Body(), Reduce: []kernel.Reduction{{Kind: kernel.ReduceMax, Type: dtype.F32,
			Init: kernel.Bits(dtype.F32, math.Inf(-1))}}},
		{Body: y.Body(), Keep: []int{e}, Reduce: []kernel.Reduction{{Value: e, Type: dtype.F32}}},
		{Body: z.Body()},
	})
}

// layerNormNest is (x - mean)/sqrt(variance + 1e-5).
func layerNormNest(rows, cols int) *kernel.Nest {
	x, y, z := kernel.NewBody(), kernel.NewBody(), kernel.NewBody()
	x.Load(0, dtype.F32)
	n := 1 / float64(cols)
	d := y.Binary(kernel.Sub, y.Load(0, dtype.F32),
		y.Binary(kernel.Mul, y.Acc(0, 0, dtype.F32), y.Const(dtype.F32, n)))
	sq := y.Binary(kernel.Mul, d, d)
	v := z.Binary(kernel.Mul, z.Acc(1, 0, dtype.F32), z.Const(dtype.F32, n))
	r := z.Unary(kernel.RSqrt, z.Binary(kernel.Add, v, z.Const(dtype.F32, 1e-5)))
	z.Store(1, z.Binary(kernel.Mul, z.Kept(1, 0, dtype.F32), r))
	return rowNest(rows, cols, []int{cols, 1}, []kernel.Stage{
		{Body: x.Body(), Reduce: []kernel.Reduction{{Type: dtype.F32}}},
		{Body: y.Body(), Keep: []int{d}, Reduce: []kernel.Reduction{{Value: sq, Type: dtype.F32}}},
		{Body: z.Body()},
	})
}

func BenchmarkNest(b *testing.B) {
	for _, c := range []struct {
		name string
		nest *kernel.Nest
	}{
		{"add_1e3", addNest(1e3)}, {"add_1e6", addNest(1e6)}, {"add_1e7", addNest(1e7)},
		{"gelu_1e3", geluNest(1e3)}, {"gelu_1e6", geluNest(1e6)}, {"gelu_1e7", geluNest(1e7)},
		{"sig_1e3", sigNest(1e3)}, {"sig_1e6", sigNest(1e6)}, {"sig_1e7", sigNest(1e7)},
		{"sum_4096x768", sumNest(4096, 768)}, {"softmax_1024", softmaxNest(1024, 1024)}, {"softmax_16x1024", softmaxNest(16, 1024)},
		{"layernorm_4096x768", layerNormNest(4096, 768)},
	} {
		b.Run(c.name, func(b *testing.B) {
			code, err := compile(c.nest, cpu.Detect())
			if err != nil {
				b.Fatal(err)
			}
			args := kernel.Args{Scratch: kerneltest.Aligned(code.Scratch())}
			bytes := 0
			for _, a := range c.nest.Access {
				p := kerneltest.Aligned(a.Len * 4)
				for i, v := range unsafe.Slice((*float32)(p), a.Len) {
					unsafe.Slice((*float32)(p), a.Len)[i] = v + float32(i%100)*0.05 - 2.5
				}
				args.Ptr = append(args.Ptr, p)
				bytes += a.Len * 4
			}
			b.SetBytes(int64(bytes))
			best := time.Hour // other programs disturb the least time least
			for b.Loop() {
				start := time.Now()
				code.Run(&args, 0, code.Units())
				best = min(best, time.Since(start))
			}
			b.ReportMetric(float64(best.Nanoseconds()), "best-ns")
			b.ReportMetric(float64(code.Units()), "units")
			b.ReportMetric(code.UnitNanos()*float64(code.Units()), "estimate")
		})
	}
}
