package conv

import (
	"fmt"
	"math/rand/v2"
	"testing"
	"time"
	"unsafe"

	"github.com/stretchr/testify/require"

	"github.com/go-acap/acap/base/dtype"
	"github.com/go-acap/acap/kernel"
	"github.com/go-acap/acap/kernel/cpu"
	"github.com/go-acap/acap/kernel/exec"
	"github.com/go-acap/acap/kernel/kerneltest"
)

// layer makes a convolution of dense NCHW operands with a bias and a square image.
func layer(c, k, size, filter, stride, pad, groups int) *kernel.Convolution {
	out := (size+2*pad-filter)/stride + 1
	port := func(n int, write bool) kernel.Port {
		return kernel.Port{DType: dtype.F32, Len: n, Write: write}
	}
	l := &kernel.Convolution{
		N: 1, C: c, H: size, W: size, K: k, P: out, Q: out, R: filter, S: filter,
		Stride: [2]int{stride, stride}, Dilation: [2]int{1, 1}, Pad: [2]int{pad, pad},
		Groups: groups, Acc: dtype.F32,
	}
	l.X = kernel.Image{Port: port(c*size*size, false), Strides: dense(true, c, size, size)}
	l.Filter = kernel.Image{Port: port(k*c/groups*filter*filter, false),
		Strides: dense(true, c/groups, filter, filter)}
	l.Filter.Const = true
	y := dense(true, k, out, out)
	l.Epilogue.Access = []kernel.Access{
		{Port: port(k, false), Outer: []int{0, 1, 0, 0}},
		{Port: port(k*out*out, true), Outer: y[:]},
	}
	body := kernel.NewBody()
	body.Store(3, body.Binary(kernel.Add, body.Input(dtype.F32), body.Load(2, dtype.F32)))
	l.Epilogue.Body = body.Body()
	return l
}

// BenchmarkTiles measures every tile that the model has a choice of, and says what the model expects: best-ms is to
// fall as model-ms does.
func BenchmarkTiles(b *testing.B) {
	for _, l := range [][6]int{{64, 64, 56, 3, 1, 1}, {16, 64, 56, 3, 1, 1}, {64, 128, 56, 3, 2, 1}, {128, 128, 28, 3, 1, 1},
		{256, 256, 14, 3, 1, 1}, {512, 512, 7, 3, 1, 1}, {3, 64, 224, 7, 2, 3}, {64, 128, 56, 1, 2, 0}, {3, 32, 224, 3, 2, 1},
		{24, 24, 28, 5, 1, 2}} {
		c := layer(l[0], l[1], l[2], l[3], l[4], l[5], 1)
		f := cpu.Detect()
		if f.Level < cpu.AVX2 || !exec.Supported {
			b.Skip("no vector instructions")
		}
		p, err := newPlan(c, f)
		require.NoError(b, err)
		chosen := p.chooseTile()
		for _, s := range p.shapes() {
			name := fmt.Sprintf("%d_%d_%d_%dx%ds%d/%dx%dx%d", l[0], l[1], l[2], l[3], l[3], l[4], s.rows, s.cols, s.vecs*p.lanes)
			if s == chosen {
				name += "/chosen"
			}
			b.Run(name, func(b *testing.B) {
				p, err := newPlan(c, f)
				require.NoError(b, err)
				cycles := p.cycles(s) * float64(p.depth*p.R*p.taps)
				p.takeShape(s)
				code, err := compileDirect(p, portableNest)
				require.NoError(b, err)
				defer code.Close()
				repeat(b, c, code)
				const gigahertz = 3.4
				b.ReportMetric(cycles/gigahertz/1e6, "model-ms")
			})
		}
	}
}

// BenchmarkLayer has the cases of the project's benchmark and the layers of ResNet-18.
func BenchmarkLayer(b *testing.B) {
	for _, l := range []struct {
		name string
		c    *kernel.Convolution
	}{
		{"conv_3x3", layer(64, 64, 56, 3, 1, 1, 1)},
		{"conv_7x7s2", layer(3, 64, 224, 7, 2, 3, 1)},
		{"conv_dw", layer(96, 96, 56, 3, 1, 1, 96)},
		{"128_3x3s2", layer(64, 128, 56, 3, 2, 1, 1)},
		{"128_1x1s2", layer(64, 128, 56, 1, 2, 0, 1)},
		{"128_3x3", layer(128, 128, 28, 3, 1, 1, 1)},
		{"256_3x3", layer(256, 256, 14, 3, 1, 1, 1)},
		{"512_3x3", layer(512, 512, 7, 3, 1, 1, 1)},
		{"1x1", layer(256, 64, 56, 1, 1, 0, 1)},
		{"lenet1", layer(1, 6, 28, 5, 1, 2, 1)},
		{"lenet2", layer(6, 16, 14, 5, 1, 0, 1)},
	} {
		b.Run(l.name, func(b *testing.B) { benchmark(b, l.c) })
	}
	for _, t := range [][2]dtype.DType{{dtype.F64, dtype.F64}, {dtype.I8, dtype.I32}} {
		for name, c := range map[string]*kernel.Convolution{
			"conv_3x3": layer(64, 64, 56, 3, 1, 1, 1), "conv_dw": layer(96, 96, 56, 3, 1, 1, 96),
		} {
			c.X.DType, c.Filter.DType, c.Acc = t[0], t[0], t[1]
			c.Epilogue.Access[0].DType, c.Epilogue.Access[1].DType = t[1], t[1]
			body := kernel.NewBody()
			body.Store(3, body.Binary(kernel.Add, body.Input(t[1]), body.Load(2, t[1])))
			c.Epilogue.Body = body.Body()
			b.Run(name+"/"+t[0].String(), func(b *testing.B) { benchmark(b, c) })
		}
	}
}

func benchmark(b *testing.B, c *kernel.Convolution) {
	f := cpu.Detect()
	if f.Level < cpu.AVX2 || !exec.Supported {
		b.Skip("no vector instructions")
	}
	code, err := Compile(c, f, portableNest)
	require.NoError(b, err)
	defer code.Close()
	repeat(b, c, code)
}

// repeat measures code by the least of its times, which other programs disturb least.
func repeat(b *testing.B, c *kernel.Convolution, code kernel.Code) {
	var ptr []unsafe.Pointer
	for _, p := range c.Ports() {
		ptr = append(ptr, kerneltest.Aligned(p.Len*p.DType.Size()))
	}
	args := kerneltest.Execute(rand.New(rand.NewPCG(1, 1)), code, ptr)
	prologue, _ := code.(kernel.Prologue)
	best := time.Hour
	for b.Loop() {
		start := time.Now()
		if prologue != nil {
			prologue.RunPrologue(args, 0, prologue.PrologueUnits())
		}
		code.Run(args, 0, code.Units())
		best = min(best, time.Since(start))
	}
	flops := 2 * float64(c.N*c.K*c.P*c.Q*c.C/c.Groups*c.R*c.S)
	b.ReportMetric(best.Seconds()*1e3, "best-ms")
	b.ReportMetric(flops/best.Seconds()/1e9, "GFLOP/s")
}
