package ops

import (
	"github.com/go-acap/acap/base/dtype"
	"github.com/go-acap/acap/base/shape"
)

// The Fourier transforms as torch.fft has them: over one, two or any dimensions, cut or
// filled with zeros to n points, scaled as norm says.
func init() {
	for name, f := range map[string]transform{
		"fft": {forward: true}, "ifft": {}, "rfft": {forward: true, realIn: true}, "irfft": {realOut: true},
		"hfft": {forward: true, realOut: true}, "ihfft": {realIn: true},
	} {
		composite("fft_"+name+"(Tensor self, int? n=None, int dim=-1, str? norm=None) -> Tensor",
			func(e Emit, c *Call) []Value {
				var sizes []int
				if c.Has(1) {
					sizes = []int{c.Int(1)}
					if sizes[0] < 1 {
						panic(c.ArgErrorf("a transform of %d points", sizes[0]))
					}
				}
				return []Value{e.fourier(c, f, sizes, []int{c.Int(2)})}
			}, f.sample(nil, -1)...)
		composite("fft_"+name+"2(Tensor self, int[1]? s=None, int[1] dim=[-2,-1], str? norm=None) -> Tensor",
			func(e Emit, c *Call) []Value { return []Value{e.fourier(c, f, c.Ints(1), c.Ints(2))} },
			f.sample(nil, []int{-2, -1})...)
		composite("fft_"+name+"n(Tensor self, int[1]? s=None, int[1]? dim=None, str? norm=None) -> Tensor",
			func(e Emit, c *Call) []Value {
				dims := c.Ints(2)
				if !c.Has(2) {
					dims = shape.UpTo(len(c.Shape(0)))
					if n := len(c.Ints(1)); c.Has(1) && n < len(dims) {
						dims = dims[len(dims)-n:]
					}
				}
				return []Value{e.fourier(c, f, c.Ints(1), dims)}
			}, f.sample([]int{3, 4}, nil)...)
	}
	for i, name := range []string{"fft_fftshift", "fft_ifftshift"} {
		composite(name+"(Tensor self, int[1]? dim=None) -> Tensor", func(e Emit, c *Call) []Value {
			dims := c.Ints(1)
			if !c.Has(1) {
				dims = shape.UpTo(len(c.Shape(0)))
			}
			shifts := make([]int, len(dims))
			for k, d := range dims {
				shifts[k] = (c.Shape(0)[c.mustDim(0, d)] + i) / 2
			}
			return e.Calls("roll", c.Tensor(0), shifts, dims)
		}, Sample{S(3, 4)})
	}
}

// transform is one of the six: its direction, and which side is real.
type transform struct{ forward, realIn, realOut bool }

func (f transform) sample(sizes, dims any) []Sample {
	x := S(3, 5)
	if !f.realIn {
		x.DType = dtype.C64
	}
	return []Sample{{x, sizes, dims}}
}

// fourier transforms argument 0, with the norm in argument 3. Only the last dimension of a
// transform from or to real numbers has half a spectrum.
func (e Emit) fourier(c *Call, f transform, sizes, list []int) Value {
	if len(list) == 0 || len(sizes) > 0 && len(sizes) != len(list) {
		panic(c.ArgErrorf("sizes %v and dimensions %v do not fit", sizes, list))
	}
	v, d := c.Tensor(0), c.DTypeOf(0)
	if d.Category() < dtype.CategoryFloat {
		d = dtype.F32
		v = e.To(v, d)
	}
	if f.realIn && d.IsComplex() {
		panic(c.DTypeErrorf("needs real numbers, got %v", d))
	}
	dims := make([]int, len(list))
	points, last := 1, 0
	for i, k := range list {
		dims[i] = c.mustDim(0, k)
		n := c.Shape(0)[dims[i]]
		half := f.realOut && i == len(list)-1
		if half {
			n = 2 * (n - 1)
		}
		if len(sizes) > 0 && sizes[i] != -1 { // which keeps the extent
			n = sizes[i]
		}
		if n < 1 {
			panic(c.ArgErrorf("a transform of %d points", n))
		}
		points, last = points*n, n
		if half {
			n = n/2 + 1
		}
		v = e.resized(v, dims[i], n)
	}
	norm := normalizationOf(c, f.forward)
	switch {
	case f.realIn && f.forward:
		return e.Call("_fft_r2c", v, dims, norm, true)
	case f.realIn:
		return e.Conj(e.Call("_fft_r2c", v, dims, norm, true))
	}
	if !d.IsComplex() {
		v = e.To(v, complexOf(d))
	}
	if !f.realOut {
		return e.Call("_fft_c2c", v, dims, norm, f.forward)
	}
	if f.forward {
		v = e.Conj(v)
	}
	return e.Call("_fft_c2r", v, dims, norm, last)
}

// normalizationOf reads norm: "backward" scales the inverse by 1/n, "forward" the transform.
func normalizationOf(c *Call, forward bool) int {
	norm := "backward"
	if c.Has(3) {
		norm = c.Args[3].Text()
	}
	switch norm {
	case "ortho":
		return 1
	case "backward", "forward":
		if (norm == "forward") == forward {
			return 2
		}
		return 0
	}
	panic(c.ArgErrorf("there is no norm %q", norm))
}

// resized cuts dimension d to n elements, or fills it with zeros.
func (e Emit) resized(v Value, d, n int) Value {
	dims := v.Type().Shape
	if dims[d] >= n {
		if dims[d] == n {
			return v
		}
		return e.Call("narrow", v, d, 0, n)
	}
	pad := make([]int, 2*(len(dims)-d))
	pad[len(pad)-1] = n - dims[d]
	return e.Call("constant_pad_nd", v, pad, 0)
}
