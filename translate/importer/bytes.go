package importer

import (
	"slices"

	"github.com/go-acap/acap/base/dtype"
	"github.com/go-acap/acap/base/shape"
	"github.com/go-acap/acap/ops"
)

// Bytes is a tensor of i8 or u8 and what its elements stand for: (Codes - Zero)·Scale, in f32. A product of two of them
// is the sum of products of codes, in i32 and exact, less what the zero points add, and scaled once.
type Bytes struct {
	Codes ops.Value
	Scale any // a float64, or an f32 tensor that broadcasts to Codes and has its dimensions
	Zero  any // an int, or an i32 tensor as Scale's
}

// deepest is how many products a sum of i32 holds. A code less its zero point is at most 255: 2³¹ / 255².
const deepest = 33025

// parameter is a scale or zero point as a tensor without dimensions or as it is; only reports whether it is one number.
func parameter(v any) (dims []int, only bool) {
	t, ok := v.(ops.Value)
	if !ok {
		return nil, true
	}
	dims = t.Type().Shape
	return dims, shape.Size(dims) == 1
}

// constantAlong reports whether scale and zero point are the same along a dimension, counted from the end.
func (b Bytes) constantAlong(fromEnd int) bool {
	for _, v := range []any{b.Scale, b.Zero} {
		if dims, only := parameter(v); !only && dims[len(dims)-fromEnd] != 1 {
			return false
		}
	}
	return true
}

// each returns a scale or zero point in the shape that its tensor has beside a result: without dimensions if it is one
// number, else as dims.
func each(e ops.Emit, v any, dims ...int) any {
	t, ok := v.(ops.Value)
	if !ok {
		return v
	}
	if _, only := parameter(v); only {
		dims = []int{}
	}
	return e.Reshape(t, dims)
}

// signed is b with codes of i8.
func (b Bytes) signed(e ops.Emit) Bytes {
	if b.Codes.Type().DType == dtype.I8 {
		return b
	}
	const half = 128
	b.Codes = e.Call("view.dtype", e.Call("bitwise_xor.Scalar", b.Codes, half), dtype.I8)
	b.Zero = minus(e, b.Zero, half)
	return b
}

// minus, times and plus compute with numbers of which each is an int or a float64, or a tensor.
func minus(e ops.Emit, a, b any) any {
	if x, ok := a.(ops.Value); ok {
		return e.Sub(x, b)
	}
	if y, ok := b.(ops.Value); ok {
		return e.Add(e.Neg(y), a)
	}
	return a.(int) - b.(int)
}

func times(e ops.Emit, a, b any) any {
	if x, ok := a.(ops.Value); ok {
		return e.Mul(x, b)
	}
	if y, ok := b.(ops.Value); ok {
		return e.Mul(y, a)
	}
	if x, ok := a.(float64); ok {
		return float64(float32(x) * float32(b.(float64)))
	}
	return a.(int) * b.(int)
}

// Linear is x·wᵀ + bias for x [..., K], w [N, K] and a bias [N] or nil. It reports false where the scales or zero
// points differ along K, or sums are too long.
func Linear(e ops.Emit, x, w Bytes, bias ops.Value) (ops.Value, bool) {
	in, weight := x.Codes.Type().Shape, w.Codes.Type().Shape
	if len(in) == 0 || len(weight) != 2 || in[len(in)-1] != weight[1] || weight[1] > deepest || shape.Size(in) == 0 || weight[0] == 0 ||
		!x.constantAlong(1) || !w.constantAlong(1) {
		return nil, false
	}
	n, depth := weight[0], weight[1]
	w = w.signed(e)
	rows := append(slices.Clone(in[:len(in)-1]), 1)
	xScale, xZero := each(e, x.Scale, rows...), each(e, x.Zero, rows...)
	wScale, wZero := each(e, w.Scale, n), each(e, w.Zero, n)
	sums := e.Call("_int_mm", e.Reshape(x.Codes, []int{-1, depth}), e.Call("t", w.Codes))
	sums = e.Reshape(sums, append(slices.Clone(in[:len(in)-1]), n))
	// Σ (x - zx)(w - zw) = Σ x·w - zx Σ w - zw (Σ x - K·zx)
	if xZero != 0 {
		ofWeights := e.Sum(e.To(w.Codes, dtype.I32), []int{1}, false)
		sums = e.Sub(sums, e.To(times(e, ofWeights, xZero).(ops.Value), dtype.I32))
	}
	if wZero != 0 {
		ofRows := e.Sub(e.Sum(e.To(x.Codes, dtype.I32), []int{-1}, true), times(e, xZero, depth))
		sums = e.Sub(sums, e.To(times(e, ofRows, wZero).(ops.Value), dtype.I32))
	}
	return scaled(e, sums, times(e, xScale, wScale), bias), true
}

// Windows are the numbers of a convolution, one for each dimension of an image.
type Windows struct{ Stride, Padding, Dilation []int }

// Convolve is the convolution of x [N, C, ...] with w [K, C, ...], of one group, and a bias [K] or nil. It reports
// false where x has more than one scale or zero point, w has others than those of K or a zero point, or sums are too
// long.
func Convolve(e ops.Emit, x, w Bytes, bias ops.Value, of Windows) (ops.Value, bool) {
	image, weight := x.Codes.Type().Shape, w.Codes.Type().Shape
	_, one1 := parameter(x.Scale)
	_, one2 := parameter(x.Zero)
	w = w.signed(e)
	if len(image) != len(weight) || len(image) < 3 || image[1] != weight[1] || shape.Size(weight[1:]) > deepest || !one1 || !one2 ||
		shape.Size(image) == 0 || shape.Size(weight) == 0 || w.Zero != 0 || slices.Min(of.Padding) < 0 {
		return nil, false
	}
	for d := 1; d < len(weight); d++ {
		if !w.constantAlong(d) {
			return nil, false
		}
	}
	channels := append([]int{weight[0]}, slices.Repeat([]int{1}, len(weight)-2)...)
	xZero := each(e, x.Zero)
	convolve := func(codes ops.Value, padding []int) ops.Value {
		return e.Call("_int_convolution", codes, w.Codes, of.Stride, padding, of.Dilation, 1)
	}
	codes, padding, padded := x.Codes, of.Padding, slices.Max(of.Padding) > 0
	zero, known := xZero.(int)
	if padded && known && zero != 0 { // outside of an image is 0, which the zero point stands for
		var border []int
		for _, p := range slices.Backward(padding) {
			border = append(border, p, p)
		}
		codes, padding = e.Call("constant_pad_nd", codes, border, zero), make([]int, len(padding))
	}
	sums := convolve(codes, padding)
	switch {
	case zero != 0 || !known && !padded:
		ofWeights := e.Sum(e.To(w.Codes, dtype.I32), dimensions(1, len(weight)), false)
		sums = e.Sub(sums, e.Reshape(e.To(times(e, ofWeights, xZero).(ops.Value), dtype.I32), channels))
	case !known: // near the border fewer weights are summed
		ones := e.Full(append([]int{1}, image[1:]...), 1, x.Codes.Type().DType)
		sums = e.Sub(sums, e.To(times(e, convolve(ones, padding), xZero).(ops.Value), dtype.I32))
	}
	if bias != nil {
		bias = e.Reshape(bias, channels)
	}
	return scaled(e, sums, times(e, each(e, x.Scale), each(e, w.Scale, channels...)), bias), true
}

func dimensions(from, to int) []int {
	var dims []int
	for d := from; d < to; d++ {
		dims = append(dims, d)
	}
	return dims
}

// scaled is sums·scale + bias in f32.
func scaled(e ops.Emit, sums ops.Value, scale any, bias ops.Value) ops.Value {
	y := e.Mul(e.To(sums, dtype.F32), scale)
	if bias != nil {
		y = e.Add(y, bias)
	}
	return y
}
