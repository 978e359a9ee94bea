package ops

import (
	"github.com/go-acap/acap/base/buf"
	"github.com/go-acap/acap/base/dtype"
	"github.com/go-acap/acap/base/shape"
	"github.com/go-acap/acap/mlir"
)

// window is the geometry of pooling over the last dimensions of a tensor.
type window struct {
	spatial                           int // dimensions
	kernel, stride, padding, dilation []int
	ceil                              bool // a last partial window counts
}

// poolSample is an input with n spatial dimensions.
func poolSample(n int) T { return S(append([]int{1, 2}, []int{7, 6, 5}[:n]...)...) }

// window reads the arguments kernel_size, stride, padding and, if dilation ≥ 0,
// dilation of an operator over n dimensions. An absent stride is the kernel.
func (c *Call) window(n, kernel, dilation, ceil int) window {
	w := window{spatial: n, kernel: perDim(c.Ints(kernel), n), stride: perDim(c.Ints(kernel+1), n),
		padding: perDim(c.Ints(kernel+2), n), dilation: ones(n), ceil: c.Bool(ceil)}
	if len(w.stride) == 0 {
		w.stride = w.kernel
	}
	if dilation >= 0 {
		w.dilation = perDim(c.Ints(dilation), n)
	}
	return w
}

// mostOfWindow bounds strides, dilations and paddings, which kernels count with.
const mostOfWindow = 1 << 31

// result returns the shape that pooling tensor argument i gives.
func (w *window) result(c *Call, i int) ([]int, error) {
	in, n := c.Shape(i), w.spatial
	if len(in) != n+1 && len(in) != n+2 {
		return nil, c.ShapeErrorf("input %s must have %d or %d dimensions", shape.String(in), n+1, n+2)
	}
	if len(w.kernel) != n || len(w.stride) != n || len(w.padding) != n || len(w.dilation) != n {
		return nil, c.ArgErrorf("kernel_size, stride, padding and dilation need %d entries", n)
	}
	lead := len(in) - n
	out := append([]int{}, in[:lead]...)
	for k := range n {
		s, p := w.stride[k], w.padding[k]
		if w.kernel[k] < 1 || s < 1 || w.dilation[k] < 1 || p < 0 || 2*p > w.kernel[k] {
			return nil, c.ArgErrorf("kernel %v, stride %v and dilation %v must be positive, "+
				"padding %v at most half the kernel", w.kernel, w.stride, w.dilation, w.padding)
		}
		if max(w.kernel[k], s, p, w.dilation[k]) > shape.MaxElements ||
			buf.MulBytes(int64(w.dilation[k]), int64(w.kernel[k])) < 0 {
			return nil, c.ShapeErrorf("the window %v with stride %v and dilation %v is larger than any input",
				w.kernel, w.stride, w.dilation)
		}
		room := in[lead+k] + 2*p - w.dilation[k]*(w.kernel[k]-1) - 1
		extent := floorQuotient(room, s) + 1
		if w.ceil {
			extent = floorQuotient(room+s-1, s) + 1
			if (extent-1)*s >= in[lead+k]+p {
				extent--
			}
		}
		if extent < 1 {
			return nil, c.ShapeErrorf("the window %v is larger than the padded input %s",
				w.kernel, shape.String(in))
		}
		out = append(out, extent)
	}
	return out, nil
}

// checkBackward checks the arguments grad_output, 0, and self, 1, of a gradient.
func (w *window) checkBackward(c *Call) error {
	out, err := w.result(c, 1)
	if err != nil {
		return err
	}
	if c.DTypeOf(0) != c.DTypeOf(1) {
		return c.DTypeErrorf("grad_output has the type %v and self %v", c.DTypeOf(0), c.DTypeOf(1))
	}
	return c.mustBe(0, out)
}

// mustIndex reports tensor argument i if it is not of type i64 and of shape dims.
func (c *Call) mustIndex(i int, dims []int) error {
	if d := c.DTypeOf(i); d != dtype.I64 {
		return c.DTypeErrorf("%s must be i64, not %v", c.Op.Parsed().Params[i].Name, d)
	}
	return c.mustBe(i, dims)
}

// pad surrounds t so that all windows of the result out lie inside.
func (w *window) pad(l *Lowering, t Lowered, out []int, v float64) Lowered {
	lead := len(out) - len(w.kernel)
	low, high := make([]int, len(out)), make([]int, len(out))
	for k := range w.kernel {
		reach := (out[lead+k]-1)*w.stride[k] + w.dilation[k]*(w.kernel[k]-1) + 1
		low[lead+k], high[lead+k] = w.padding[k], reach-t.Shape()[lead+k]-w.padding[k]
	}
	return l.Pad(t, low, high, v)
}

// backward arranges a gradient t, of the result's shape out, for a gradient of the shape in: for every k of the kernel,
// position h + k·dilation of the arranged tensor belongs to a window that covers position h of the input. Positions
// without a window have the value fill.
func (w *window) backward(l *Lowering, t Lowered, in, out []int, fill float64) Lowered {
	lead := len(out) - len(w.kernel)
	step := append(ones(lead), w.stride...)
	t = l.dilate(t, step, fill)
	low, high := make([]int, len(out)), make([]int, len(out))
	for k := range w.kernel {
		reach := w.dilation[k] * (w.kernel[k] - 1)
		low[lead+k] = reach - w.padding[k]
		high[lead+k] = in[lead+k] + reach - low[lead+k] - t.Shape()[lead+k]
	}
	return l.Pad(t, low, high, fill)
}

// windowFold is a reduction of windows at every point of a result.
type windowFold struct {
	padded  []Lowered // of equal shapes, in which the windows lie
	points  []Lowered // of shape dims
	dims    []int     // of the result
	step    []int     // between neighbouring windows
	acc     dtype.DType
	init    float64                                // of the accumulator
	body    func(s *Scalars, x []Elem) Elem        // of the elements of padded and points
	combine func(s *Scalars, sum, value Elem) Elem // of the accumulator and the body
}

// fold reduces windows. The loops are the dimensions of the result, then the dimensions of the window.
func (w *window) fold(l *Lowering, f windowFold) Lowered {
	rank, n := len(f.dims), len(w.kernel)
	lead := rank - n
	m := mlir.Projection(rank+n, shape.UpTo(lead)...)
	for k := range n {
		m.Results = append(m.Results,
			mlir.Dim(lead+k).Times(f.step[k]).Plus(mlir.Dim(rank+k).Times(w.dilation[k])))
	}
	point := mlir.Projection(rank+n, shape.UpTo(rank)...)
	var ins []Operand
	for _, t := range f.padded {
		ins = append(ins, Operand{t, m})
	}
	for _, t := range f.points {
		ins = append(ins, Operand{t, point})
	}
	// The extents of the window come from a tensor whose elements are not read.
	extents := l.Empty(f.acc, w.kernel)
	ins = append(ins, Operand{extents, mlir.Projection(rank+n, shape.UpTo(rank + n)[rank:]...)})
	out := []Operand{{l.Fill(f.acc, f.dims, f.init), point}}
	kinds := append(repeat(Parallel, rank), repeat(Reduction, n)...)
	return l.Generic(kinds, ins, out, func(s *Scalars, x []Elem) []Elem {
		return []Elem{f.combine(s, x[len(ins)], f.body(s, x[:len(ins)-1]))}
	})[0]
}

// flatIndex is the row-major index of a point in the spatial extents in.
func flatIndex(s *Scalars, point []Elem, in []int) Elem {
	flat := point[0]
	for k := 1; k < len(point); k++ {
		flat = s.Add(s.Mul(flat, s.ConstInt(dtype.I64, int64(in[k]))), point[k])
	}
	return flat
}

// source returns, inside a fold over windows, the input position of each spatial
// dimension, and whether it lies inside the extents in.
func (w *window) source(s *Scalars, lead int, in []int) (point []Elem, inside Elem) {
	n := len(w.kernel)
	i64 := func(v int) Elem { return s.ConstInt(dtype.I64, int64(v)) }
	inside = s.ConstInt(dtype.Bool, 1)
	for k := range n {
		at := s.Mul(s.Index(lead+k), i64(w.stride[k]))
		at = s.Add(at, s.Mul(s.Index(lead+n+k), i64(w.dilation[k])))
		at = s.Sub(at, i64(w.padding[k]))
		inside = s.And(inside, s.And(s.Cmp("ge", at, i64(0)), s.Cmp("lt", at, i64(in[k]))))
		point = append(point, at)
	}
	return point, inside
}
