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

// minus, times and plus compute with numbers that are int, float64 or tensors.
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

// Sums are exact sums of products of codes, as i32 or as whole numbers of f32; a sum stands for Value·Scale.
type Sums struct {
	Value ops.Value
	Scale any // a float64, or an f32 tensor that broadcasts to Value
}

// Plus adds i32 in the unit of the sums.
func (s Sums) Plus(e ops.Emit, bias ops.Value) Sums {
	return Sums{e.Add(e.To(s.Value, dtype.I32), bias), s.Scale}
}

// Floats returns the numbers that the sums stand for, plus bias if it is not nil, in f32.
func (s Sums) Floats(e ops.Emit, bias ops.Value) ops.Value {
	y := e.Mul(e.To(s.Value, dtype.F32), s.Scale)
	if bias != nil {
		y = e.Add(y, bias)
	}
	return y
}

// Linear is x·wᵀ + bias for x [..., K], w [N, K] and a bias [N] or nil. It reports false as [LinearSums] does.
func Linear(e ops.Emit, x, w Bytes, bias ops.Value) (ops.Value, bool) {
	s, ok := LinearSums(e, x, w)
	if !ok {
		return nil, false
	}
	return s.Floats(e, bias), true
}

// LinearSums are the sums of x·wᵀ for x [..., K] and w [N, K]. It reports false where the scales or zero points differ
// along K, or sums are too long.
func LinearSums(e ops.Emit, x, w Bytes) (Sums, bool) {
	in, weight := x.Codes.Type().Shape, w.Codes.Type().Shape
	if len(in) == 0 || len(weight) != 2 || in[len(in)-1] != weight[1] || weight[1] > deepest || shape.Size(in) == 0 || weight[0] == 0 ||
		!x.constantAlong(1) || !w.constantAlong(1) {
		return Sums{}, false
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
	return Sums{sums, times(e, xScale, wScale)}, true
}

// MatmulSums are the sums of x·y for x [..., M, K] and y [..., K, N], which may both vary. It reports false where the
// scales or zero points differ along K, or f32 does not hold the sums exactly.
func MatmulSums(e ops.Emit, x, y Bytes) (Sums, bool) {
	left, right := x.Codes.Type().Shape, y.Codes.Type().Shape
	if len(left) < 2 || len(right) < 2 || right[len(right)-2] > exactSingles || !x.constantAlong(1) || !y.constantAlong(2) {
		return Sums{}, false
	}
	return Sums{e.Call("matmul", x.Whole(e), y.Whole(e)), times(e, x.Scale, y.Scale)}, true
}

// exactSingles is how many products of codes less their zero points f32 sums exactly: 2²⁴ / 255².
const exactSingles = 258

// Whole is the codes less the zero points in f32.
func (b Bytes) Whole(e ops.Emit) ops.Value {
	x := e.To(b.Codes, dtype.F32)
	if b.Zero == 0 {
		return x
	}
	if z, ok := b.Zero.(ops.Value); ok {
		return e.Sub(x, e.To(z, dtype.F32))
	}
	return e.Sub(x, b.Zero)
}

// Windows are the numbers of a convolution, one for each dimension of an image.
type Windows struct {
	Stride, Low, High, Dilation []int // Low and High are what is padded before and after
	Groups                      int
}

// Convolve is the convolution of x [N, C, ...] with w [K, C/Groups, ...] and a bias [K] or nil. It reports false as
// [ConvolveSums] does.
func Convolve(e ops.Emit, x, w Bytes, bias ops.Value, of Windows) (ops.Value, bool) {
	s, ok := ConvolveSums(e, x, w, of)
	if !ok {
		return nil, false
	}
	if bias != nil {
		bias = e.Reshape(bias, perChannel(w))
	}
	return s.Floats(e, bias), true
}

// perChannel is the shape of what each output channel of a convolution with w has one of.
func perChannel(w Bytes) []int {
	dims := w.Codes.Type().Shape
	return append([]int{dims[0]}, slices.Repeat([]int{1}, len(dims)-2)...)
}

// ConvolveSums are the sums of the convolution of x [N, C, ...] with w [K, C/Groups, ...]. It reports false where x has
// more than one scale or zero point, w has scales other than K's, or sums are too long. Several groups are sums of f32,
// which are exact for as few products as those have.
func ConvolveSums(e ops.Emit, x, w Bytes, of Windows) (Sums, bool) {
	image, weight := x.Codes.Type().Shape, w.Codes.Type().Shape
	_, one1 := parameter(x.Scale)
	_, one2 := parameter(x.Zero)
	if len(image) != len(weight) || len(image) < 3 || of.Groups < 1 || image[1] != weight[1]*of.Groups || shape.Size(weight[1:]) > deepest ||
		!one1 || !one2 || shape.Size(image) == 0 || shape.Size(weight) == 0 || slices.Min(of.Low) < 0 || slices.Min(of.High) < 0 {
		return Sums{}, false
	}
	for d := 1; d < len(weight); d++ {
		if !w.constantAlong(d) {
			return Sums{}, false
		}
	}
	channels := perChannel(w)
	scale := times(e, each(e, x.Scale), each(e, w.Scale, channels...))
	if of.Groups > 1 {
		if shape.Size(weight[1:]) > exactSingles {
			return Sums{}, false
		}
		image, padding := of.pad(e, x.Whole(e), 0)
		return Sums{e.Call("convolution", image, w.Whole(e), nil, of.Stride, padding, of.Dilation, false,
			make([]int, len(padding)), of.Groups), scale}, true
	}
	w = w.signed(e)
	xZero, wZero := each(e, x.Zero), each(e, w.Zero, channels...)
	codes, padding := of.pad(e, x.Codes, xZero) // outside of an image is 0, which the zero point stands for
	convolve := func(w ops.Value) ops.Value {
		return e.Call("_int_convolution", codes, w, of.Stride, padding, of.Dilation, 1)
	}
	sums := convolve(w.Codes)
	less := func(part ops.Value, factor any) {
		sums = e.Sub(sums, e.To(times(e, part, factor).(ops.Value), dtype.I32))
	}
	// Σ (x - zx)(w - zw) = Σ x·w - zx Σ w - zw (Σ x - zx Σ 1)
	if xZero != 0 {
		less(e.Reshape(e.Sum(e.To(w.Codes, dtype.I32), dimensions(1, len(weight)), false), channels), xZero)
	}
	if wZero != 0 {
		ofWindows := convolve(e.Full(append([]int{1}, weight[1:]...), 1, dtype.I8))
		less(e.Sub(ofWindows, times(e, xZero, shape.Size(weight[1:]))), wZero)
	}
	return Sums{sums, scale}, true
}

// pad returns an image with a border of a number, an int or an i32 tensor without dimensions, where the convolution
// cannot pad it itself, and what is left to pad.
func (of Windows) pad(e ops.Emit, x ops.Value, number any) (padded ops.Value, padding []int) {
	if slices.Max(slices.Concat(of.Low, of.High)) == 0 || slices.Equal(of.Low, of.High) && number == 0 {
		return x, of.Low
	}
	var border []int
	for d := range slices.Backward(of.Low) {
		border = append(border, of.Low[d], of.High[d])
	}
	padding = make([]int, len(of.Low))
	known, ok := number.(int)
	padded = e.Call("constant_pad_nd", x, border, known)
	if ok {
		return padded, padding
	}
	image := append([]int{1, 1}, x.Type().Shape[2:]...)
	outside := e.Call("constant_pad_nd", e.Full(image, 0, dtype.Bool), border, 1)
	return e.Where(outside, e.To(number.(ops.Value), x.Type().DType), padded), padding
}

func dimensions(from, to int) []int {
	var dims []int
	for d := from; d < to; d++ {
		dims = append(dims, d)
	}
	return dims
}
