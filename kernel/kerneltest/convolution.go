package kerneltest

import (
	"math/rand/v2"
	"testing"
	"time"
	"unsafe"

	"github.com/go-acap/acap/base/dtype"
	"github.com/go-acap/acap/kernel"
)

// Dense returns the strides of n, c, h, w with channels first or last.
func Dense(first bool, c, h, w int) [4]int {
	if first {
		return [4]int{c * h * w, h * w, w, 1}
	}
	return [4]int{h * w * c, 1, w * c, c}
}

// RandomConvolution makes a convolution of f32, and now and then of floats of 16 bits, with an epilogue.
func RandomConvolution(r *rand.Rand) *kernel.Convolution {
	upTo := func(n int) int { return 1 + r.IntN(n) }
	c := &kernel.Convolution{
		Name: "random", N: upTo(2), H: upTo(20), W: upTo(40), R: upTo(4), S: upTo(4), Acc: dtype.F32,
		Stride: [2]int{upTo(3), upTo(3)}, Dilation: [2]int{upTo(2), upTo(2)},
		Pad: [2]int{r.IntN(4), r.IntN(4)}, Groups: 1,
	}
	in, out := upTo(9), upTo([]int{9, 70}[r.IntN(2)])
	switch r.IntN(5) {
	case 0:
		c.Groups = upTo(4)
	case 1:
		c.Groups, in, out = upTo(9), 1, upTo(2)
	}
	if r.IntN(4) == 0 { // as in most networks
		c.R, c.S, c.Stride, c.Dilation, c.Pad = 3, 3, [2]int{1, 1}, [2]int{1, 1}, [2]int{1, 1}
	}
	if r.IntN(10) == 0 { // as in gradients of filters
		c.R, c.S, c.Stride, c.Dilation = upTo(20), upTo(40), [2]int{1, 1}, [2]int{1, 1}
		c.H, c.W = c.R+upTo(8), c.S+upTo(8)
	}
	if r.IntN(6) == 0 {
		c.R, c.S, c.Stride, c.Pad = 1, 1, [2]int{upTo(2), upTo(2)}, [2]int{}
	}
	c.C, c.K = in*c.Groups, out*c.Groups
	c.P = (c.H+2*c.Pad[0]-c.Dilation[0]*(c.R-1)-1)/c.Stride[0] + 1
	c.Q = (c.W+2*c.Pad[1]-c.Dilation[1]*(c.S-1)-1)/c.Stride[1] + 1
	if c.P < 1 || c.Q < 1 || r.IntN(8) == 0 { // any size of result is allowed
		c.P, c.Q = upTo(20), upTo(20)
	}
	port := func(n int, write bool) kernel.Port { return kernel.Port{DType: dtype.F32, Len: n, Write: write} }
	offset := r.IntN(3)
	c.X = kernel.Image{Port: port(offset+c.N*c.C*c.H*c.W, false), Offset: offset,
		Strides: Dense(r.IntN(3) > 0, c.C, c.H, c.W)}
	c.Filter = kernel.Image{Port: port(c.K*in*c.R*c.S, false),
		Strides: Dense(r.IntN(4) > 0, in, c.R, c.S)}
	c.Filter.Const = r.IntN(3) > 0
	if r.IntN(5) == 0 { // turned around, as for the gradient of the input
		c.Filter.Offset = (c.R-1)*c.Filter.Strides[2] + (c.S-1)*c.Filter.Strides[3]
		c.Filter.Strides[2], c.Filter.Strides[3] = -c.Filter.Strides[2], -c.Filter.Strides[3]
	}
	c.Epilogue = RandomEpilogue(r, c)
	if r.IntN(6) == 0 {
		c.X.DType = []dtype.DType{dtype.F16, dtype.BF16}[r.IntN(2)]
		c.Filter.DType = []dtype.DType{c.X.DType, dtype.F32}[r.IntN(2)]
	}
	return c
}

// RandomEpilogue makes an epilogue in f32: a bias, other sums, a function, in either order of channels and pixels.
func RandomEpilogue(r *rand.Rand, c *kernel.Convolution) kernel.Epilogue {
	var e kernel.Epilogue
	body := kernel.NewBody()
	v := body.Input(dtype.F32)
	add := func(n int, write bool, strides ...int) int {
		e.Access = append(e.Access, kernel.Access{
			Port: kernel.Port{DType: dtype.F32, Len: n, Write: write}, Outer: strides})
		return 1 + len(e.Access)
	}
	first := r.IntN(3) > 0
	s := Dense(first, c.K, c.P, c.Q)
	all := c.N * c.K * c.P * c.Q
	if r.IntN(6) == 0 { // as for the gradient of a pooling
		s = Dense(true, c.K, 2*c.P, 2*c.Q)
		s[2], s[3] = 2*s[2], 2
		all *= 4
	}
	if r.IntN(3) > 0 {
		v = body.Binary(kernel.Add, v, body.Load(add(c.K, false, 0, 1, 0, 0), dtype.F32))
	}
	if r.IntN(3) == 0 {
		v = body.Binary(kernel.Add, v, body.Load(add(all, false, s[:]...), dtype.F32))
	}
	switch r.IntN(4) {
	case 0:
		v = body.Binary(kernel.Max, v, body.Const(dtype.F32, 0))
	case 1:
		v = body.Unary(kernel.Tanh, v)
	}
	body.Store(add(all, true, s[:]...), v)
	e.Body = body.Body()
	return e
}

// Layer makes a convolution from c to k channels, of dense NCHW operands with a bias and a square image.
func Layer(c, k, size, filter, stride, pad, groups int) *kernel.Convolution {
	out := (size+2*pad-filter)/stride + 1
	port := func(n int, write bool) kernel.Port { return kernel.Port{DType: dtype.F32, Len: n, Write: write} }
	l := &kernel.Convolution{
		N: 1, C: c, H: size, W: size, K: k, P: out, Q: out, R: filter, S: filter,
		Stride: [2]int{stride, stride}, Dilation: [2]int{1, 1}, Pad: [2]int{pad, pad},
		Groups: groups, Acc: dtype.F32,
	}
	l.X = kernel.Image{Port: port(c*size*size, false), Strides: Dense(true, c, size, size)}
	l.Filter = kernel.Image{Port: port(k*c/groups*filter*filter, false),
		Strides: Dense(true, c/groups, filter, filter)}
	l.Filter.Const = true
	y := Dense(true, k, out, out)
	l.Epilogue.Access = []kernel.Access{
		{Port: port(k, false), Outer: []int{0, 1, 0, 0}},
		{Port: port(k*out*out, true), Outer: y[:]},
	}
	body := kernel.NewBody()
	body.Store(3, body.Binary(kernel.Add, body.Input(dtype.F32), body.Load(2, dtype.F32)))
	l.Epilogue.Body = body.Body()
	return l
}

// BenchmarkConvolution measures code by the least of its times, which other programs disturb least.
func BenchmarkConvolution(b *testing.B, c *kernel.Convolution, code kernel.Code) {
	var ptr []unsafe.Pointer
	for _, p := range c.Ports() {
		ptr = append(ptr, Aligned(p.Len*p.DType.Size()))
	}
	args := Execute(rand.New(rand.NewPCG(1, 1)), code, ptr)
	best := time.Hour
	for b.Loop() {
		start := time.Now()
		kernel.RunAll(code, args)
		best = min(best, time.Since(start))
	}
	flops := 2 * float64(c.N*c.K*c.P*c.Q*c.C/c.Groups*c.R*c.S)
	b.ReportMetric(best.Seconds()*1e3, "best-ms")
	b.ReportMetric(flops/best.Seconds()/1e9, "GFLOP/s")
}
