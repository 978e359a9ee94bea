package ops

import (
	"math"

	"gonum.org/v1/gonum/dsp/fourier"

	"github.com/go-acap/acap/base/buf"
	"github.com/go-acap/acap/base/dtype"
	"github.com/go-acap/acap/base/shape"
)

// Discrete Fourier transforms over some dimensions: of complex numbers (c2c), of
// real ones (r2c), and to real ones from half of a symmetric spectrum (c2r).
// normalization is 0 for none, 1 for 1/√n and 2 for 1/n, where n is the number of
// points. They run on the host, in double precision.
func init() {
	spectrum := Sample{T{DType: dtype.C64, Shape: []int{2, 4}}, []int{1}, 2}
	register(&Op{
		Schema:  "_fft_c2c(Tensor self, SymInt[] dim, int normalization, bool forward) -> Tensor",
		Infer:   inferTransform(complexTensor, inferSame),
		Host:    func(h *HostCall) ([]*buf.Buffer, error) { return h.transform(h.Bool(3)), nil },
		Complex: true,
		Grad: func(g *Gradient) {
			g.Set(0, g.Call("_fft_c2c", g.Grad(0), g.Ints(1), g.Int(2), !g.Bool(3)))
		},
		Samples: samplesOf(append(spectrum[:3:3], true)),
	})
	register(&Op{
		Schema: "_fft_r2c(Tensor self, int[] dim, int normalization, bool onesided) -> Tensor",
		Infer: inferTransform(realTensor, func(c *Call) error {
			dims, last := c.Shape(0), c.lastOf(1)
			if c.Bool(3) {
				dims = withDim(dims, last, dims[last]/2+1)
			}
			return c.Result(complexOf(c.DTypeOf(0)), dims)
		}),
		Host:    func(h *HostCall) ([]*buf.Buffer, error) { return h.transform(true), nil },
		Grad:    gradRealTransform,
		Samples: samplesOf(Sample{S(2, 5), []int{1}, 0, true}, Sample{S(4, 3), []int{0, 1}, 1, false}),
	})
	register(&Op{
		Schema: "_fft_c2r(Tensor self, int[] dim, int normalization, SymInt last_dim_size) -> Tensor",
		Infer: inferTransform(complexTensor, func(c *Call) error {
			n, last := c.Int(3), c.lastOf(1)
			if n < 1 || n > shape.MaxElements || c.Shape(0)[last] < n/2+1 {
				return c.ShapeErrorf("dimension %d of %s is no half of a spectrum of %d points", last,
					shape.String(c.Shape(0)), n)
			}
			dims := withDim(c.Shape(0), last, n)
			if err := shape.Check(dims); err != nil {
				return err
			}
			return c.Result(realOf(c.DTypeOf(0)), dims)
		}),
		Host:    func(h *HostCall) ([]*buf.Buffer, error) { return h.transform(false), nil },
		Complex: true,
		Grad:    gradToReal,
		Samples: samplesOf(append(spectrum[:3:3], 6)),
	})
}

func complexTensor(d dtype.DType) bool { return d.IsComplex() }

func realTensor(d dtype.DType) bool { return d == dtype.F32 || d == dtype.F64 }

// inferTransform checks the type of self and the dimensions.
func inferTransform(takes func(dtype.DType) bool, infer func(c *Call) error) func(c *Call) error {
	return func(c *Call) error {
		if !takes(c.DTypeOf(0)) {
			return c.DTypeErrorf("does not transform %v", c.DTypeOf(0))
		}
		if len(c.Ints(1)) == 0 {
			return c.ArgErrorf("dim is empty")
		}
		seen := map[int]bool{}
		for _, d := range c.Ints(1) {
			d, err := shape.Dim(d, len(c.Shape(0)))
			if err != nil {
				return err
			}
			if len(c.Shape(0)) == 0 || c.Shape(0)[d] < 1 || seen[d] {
				return c.ShapeErrorf("dimension %d of %s cannot be transformed", d,
					shape.String(c.Shape(0)))
			}
			seen[d] = true
		}
		if n := c.Int(2); n < 0 || n > 2 {
			return c.ArgErrorf("there is no normalization %d", n)
		}
		return infer(c)
	}
}

// lastOf returns the last dimension of int list argument i.
func (c *Call) lastOf(i int) int {
	list := c.Ints(i)
	d, _ := shape.Dim(list[len(list)-1], len(c.Shape(0)))
	return d
}

// transform computes the call. A result that has fewer points than self in the last
// dimension keeps the first ones; one of real numbers takes the missing points of the
// spectrum from symmetry.
func (h *HostCall) transform(forward bool) []*buf.Buffer {
	self, out := h.Buffer(0), buf.New(h.Out[0].DType, h.Out[0].Shape)
	if out.Len() == 0 { // there are no lines, of whatever length
		return []*buf.Buffer{out}
	}
	x := make([]complex128, self.Len())
	for i := range x {
		x[i] = self.Complex(i)
	}
	dims, last := self.Shape, h.lastOf(1)
	points := 1
	for i, d := range h.Ints(1) {
		d, _ = shape.Dim(d, len(dims))
		n := dims[d]
		if i == len(h.Ints(1))-1 && !out.DType.IsComplex() {
			n = out.Shape[last]
			x = resizeLines(x, linesOf(dims, d), n/2+1)
			x = symmetricLines(x, linesOf(withDim(dims, d, n/2+1), d), n)
			dims = withDim(dims, d, n)
		}
		transformLines(x, linesOf(dims, d), forward)
		points *= n
	}
	x = resizeLines(x, linesOf(dims, last), out.Shape[last])
	scale := [...]float64{1, 1 / math.Sqrt(float64(points)), 1 / float64(points)}[h.Int(2)]
	for i, v := range x {
		out.SetComplex(i, v*complex(scale, 0))
	}
	return []*buf.Buffer{out}
}

// transformLines transforms every line in place.
func transformLines(x []complex128, l lines, forward bool) {
	fft, line := fourier.NewCmplxFFT(l.n), make([]complex128, l.n)
	l.each(func(start int) {
		for i := range line {
			line[i] = x[start+i*l.inner]
		}
		if forward {
			fft.Coefficients(line, line)
		} else {
			fft.Sequence(line, line)
		}
		for i, v := range line {
			x[start+i*l.inner] = v
		}
	})
}

// resizeLines keeps the first n elements of every line.
func resizeLines(x []complex128, l lines, n int) []complex128 {
	if n == l.n {
		return x
	}
	out := make([]complex128, 0, l.outer*n*l.inner)
	for o := range l.outer {
		out = append(out, x[o*l.n*l.inner:(o*l.n+n)*l.inner]...)
	}
	return out
}

// symmetricLines completes lines of n/2+1 points of the spectrum of n real numbers:
// point n-k is the conjugate of point k. Points 0 and n/2 are real.
func symmetricLines(x []complex128, l lines, n int) []complex128 {
	out := make([]complex128, l.outer*n*l.inner)
	for o := range l.outer {
		for k := range n {
			for i := range l.inner {
				from, flip := k, 1.0
				if k >= l.n {
					from, flip = n-k, -1
				}
				v := x[(o*l.n+from)*l.inner+i]
				if k == 0 || 2*k == n {
					flip = 0
				}
				out[(o*n+k)*l.inner+i] = complex(real(v), flip*imag(v))
			}
		}
	}
	return out
}

// gradRealTransform is the real part of the transform back, of the points that the
// result has.
func gradRealTransform(g *Gradient) {
	dy, dims, last := g.Grad(0), g.Shape(0), g.lastOf(1)
	if missing := dims[last] - dy.Type().Shape[last]; missing > 0 {
		pad := make([]int, 2*(len(dims)-last))
		pad[len(pad)-1] = missing
		dy = g.Call("constant_pad_nd", dy, pad)
	}
	g.Set(0, g.Call("real", g.Call("_fft_c2c", dy, g.Ints(1), g.Int(2), false)))
}

// gradToReal transforms back; the points that stand for two count twice.
func gradToReal(g *Gradient) {
	last, n := g.lastOf(1), g.Int(3)
	dx := g.Call("_fft_r2c", g.Grad(0), g.Ints(1), g.Int(2), true)
	half := n/2 + 1
	dims := make([]int, len(g.Shape(0)))
	for i := range dims {
		dims[i] = 1
	}
	weight := func(count int, v float64) Value {
		return g.Full(withDim(dims, last, count), v, g.Grad(0).Type().DType)
	}
	twice := n - half
	scale := g.Call("cat", []Value{weight(1, 1), weight(twice, 2), weight(half-1-twice, 1)}, last)
	dx = g.Mul(dx, scale)
	if extra := g.Shape(0)[last] - half; extra > 0 {
		pad := make([]int, 2*(len(dims)-last))
		pad[len(pad)-1] = extra
		dx = g.Call("constant_pad_nd", dx, pad)
	}
	g.Set(0, dx)
}
