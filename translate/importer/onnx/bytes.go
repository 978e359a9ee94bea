package onnx

import (
	"math"
	"slices"

	"github.com/go-acap/acap/base/dtype"
	"github.com/go-acap/acap/ops"
	"github.com/go-acap/acap/translate/importer"
	"github.com/go-acap/acap/translate/importer/onnx/proto"
)

// Quantized models multiply what bytes stand for: operators have scales and zero points among their inputs, or
// DequantizeLinear stands before a product. Products of two quantized operands are products of bytes here, with exact
// sums of integers. Where bytes follow, a sum is scaled to their steps and rounded once, as ONNX Runtime does.

// quantized is what a value is known to be made of besides its numbers.
type quantized struct {
	bytes *importer.Bytes // what they were dequantized from, or nil
	sums  *importer.Sums  // i32 that they were dequantized from, as a bias is, or nil
	steps []float64       // the scales of bytes or sums, if they are known
	// rounded gives the numbers in steps of a scale from a zero point, clamped, without numbers of f32 between, or nil.
	rounded func(scale, zero any, d dtype.DType) ops.Value
}

// parameter is a scale (f32) or zero point (i32) of x, one for all or for each place along a dimension: a number if it
// is known, or a tensor of as many dimensions as x has. It is nil for others.
func (n *node) parameter(i int, d dtype.DType, x ops.Value, along int) any {
	if !n.has(i) {
		if d.IsFloat() {
			return nil
		}
		return 0
	}
	v := n.value(i)
	if v.known != nil && v.known.Len() > 0 && v.known.Len() <= small && v.known.DType.IsFloat() == d.IsFloat() {
		first, same := v.known.Float64(0), true
		for k := range v.known.Len() {
			same = same && v.known.Float64(k) == first
		}
		if same && d.IsFloat() {
			return first
		}
		if same {
			return int(first)
		}
	}
	t, r := n.tensor(i), rank(x)
	if elem(t) != d && (d.IsFloat() || !elem(t).IsInt()) {
		return nil
	}
	dims := slices.Repeat([]int{1}, r)
	switch count := size(extents(t)); {
	case count == 1:
	case rank(t) == 1 && r > 0 && along < r && count == extents(x)[along]:
		dims[along] = count
	default:
		return nil
	}
	return n.To(n.Reshape(t, dims), d)
}

// bytesAt is input i with the scale and zero point of two others, if these are bytes and numbers of f32 or whole ones.
func (n *node) bytesAt(i, scale, zero, along int) *importer.Bytes {
	x := n.tensor(i)
	if d := elem(x); d != dtype.I8 && d != dtype.U8 {
		return nil
	}
	if along < 0 {
		along += rank(x)
	}
	b := &importer.Bytes{Codes: x, Scale: 1., Zero: n.parameter(zero, dtype.I32, x, along)}
	if scale >= 0 {
		b.Scale = n.parameter(scale, dtype.F32, x, along)
	}
	if b.Scale == nil || b.Zero == nil {
		return nil
	}
	return b
}

// turnedBytes exchanges the last two dimensions.
func (n *node) turnedBytes(b *importer.Bytes) *importer.Bytes {
	turn := func(v any) any {
		if t, ok := v.(ops.Value); ok {
			return n.Call("transpose.int", t, -2, -1)
		}
		return v
	}
	return &importer.Bytes{Codes: turn(b.Codes).(ops.Value), Scale: turn(b.Scale), Zero: turn(b.Zero)}
}

// turnedIf is turnedBytes if an attribute says so, of bytes that may be nil.
func (n *node) turnedIf(b *importer.Bytes, attribute string) *importer.Bytes {
	if b == nil || !n.bool(attribute, false) {
		return b
	}
	return n.turnedBytes(b)
}

// productOfBytes is a·b for a [..., M, K] and b [..., K, N]; a or b may be nil.
func (n *node) productOfBytes(a, b *importer.Bytes) (s importer.Sums, ok bool) {
	if a == nil || b == nil || rank(a.Codes) == 0 || rank(b.Codes) == 0 {
		return s, false
	}
	if rank(b.Codes) == 2 {
		return importer.LinearSums(n.Emit, *a, *n.turnedBytes(b))
	}
	return importer.MatmulSums(n.Emit, *a, *b)
}

// convolutionOfBytes is the convolution of x with w by the node's attributes; x or w may be nil.
func (n *node) convolutionOfBytes(x, w *importer.Bytes) (s importer.Sums, ok bool) {
	if x == nil || w == nil || rank(x.Codes) != rank(w.Codes) || rank(x.Codes) < 3 {
		return s, false
	}
	g := n.geometry(x.Codes, extents(w.Codes)[2:])
	return importer.ConvolveSums(n.Emit, *x, *w,
		importer.Windows{Stride: g.stride, Low: g.low, High: g.high, Dilation: g.dilation, Groups: n.int("group", 1)})
}

// channels gives one number for each output channel its place beside a convolution of w.
func (n *node) channels(v, w ops.Value) ops.Value {
	dims := slices.Repeat([]int{1}, rank(w)-1)
	dims[0] = -1
	return n.view(v, dims...)
}

// inSteps is round(sums·(s.Scale / scale)) + zero in a type that is quantized to.
func (n *node) inSteps(s importer.Sums, scale, zero any, d dtype.DType) ops.Value {
	return n.nearest(n.Mul(n.To(s.Value, dtype.F32), n.quotient(s.Scale, scale)), zero, d)
}

// nearest is round(q) + zero in a type, clamped.
func (n *node) nearest(q ops.Value, zero any, d dtype.DType) ops.Value {
	low, high := quantizedBounds(d)
	q = n.Call("round", q)
	switch zero := zero.(type) {
	case ops.Value:
		q = n.Add(q, n.To(zero, dtype.F32))
	case int:
		if zero != 0 {
			q = n.Add(q, zero)
		}
	}
	return n.To(n.To(n.Call("clamp", q, low, high), dtype.I32), d)
}

// setQuantized makes the sums the first output, in steps of the scale in an input from the zero point in the next, of
// bytes like the first input if there is no zero point. It reports false for steps of another type.
func (n *node) setQuantized(s importer.Sums, scale int) bool {
	d := elem(n.tensor(0))
	if n.has(scale + 1) {
		d = elem(n.tensor(scale + 1))
	}
	step, zero := n.parameter(scale, dtype.F32, s.Value, math.MaxInt), n.parameter(scale+1, dtype.I32, s.Value, math.MaxInt)
	if step == nil || zero == nil || !d.IsInt() {
		return false
	}
	n.set(n.inSteps(s, step, zero, d))
	return true
}

// setSums makes the first output what sums stand for, plus a bias that may be nil.
func (n *node) setSums(s importer.Sums, bias ops.Value) {
	n.set(s.Floats(n.Emit, bias))
	if bias == nil {
		n.out[0].rounded = func(scale, zero any, d dtype.DType) ops.Value { return n.inSteps(s, scale, zero, d) }
	}
}

// noteRounded notes the rounded form of the first output of an operator that has one.
func (n *node) noteRounded(name string) {
	if f := elementwise[name]; f != nil {
		n.out[0].rounded = f(n)
	}
}

// inputBytes are the bytes that an input was dequantized from, or nil.
func (n *node) inputBytes(i int) *importer.Bytes {
	if !n.has(i) {
		return nil
	}
	return n.value(i).bytes
}

// dequantized notes what the first output was dequantized from.
func (n *node) dequantized() {
	x, along := n.tensor(0), n.int("axis", 1)
	if n.int("block_size", 0) != 0 || elem(n.out[0].tensor) != dtype.F32 {
		return
	}
	q := quantized{bytes: n.bytesAt(0, 1, 2, along)}
	if elem(x) == dtype.I32 && n.parameter(2, dtype.I32, x, 0) == 0 {
		if scale := n.parameter(1, dtype.F32, x, 0); scale != nil {
			q.sums = &importer.Sums{Value: x, Scale: scale}
		}
	}
	if scale := n.value(1); scale.known != nil {
		q.steps = floats(scale.known)
	}
	n.out[0].quantized = q
}

// setBiased makes the first output what the sums of a product of the first two inputs stand for, plus a bias in
// another. A bias of i32 in the unit of the sums is added to these.
func (n *node) setBiased(s importer.Sums, bias int, place func(ops.Value) ops.Value) {
	if !n.has(bias) {
		n.setSums(s, nil)
		return
	}
	b := n.value(bias)
	if b.sums != nil && inUnit(b.steps, n.value(0).steps, n.value(1).steps) {
		n.setSums(s.Plus(n.Emit, place(b.sums.Value)), nil)
		return
	}
	n.setSums(s, place(n.tensor(bias)))
}

// inUnit reports whether scales are the products of others, one for each of y.
func inUnit(scales, x, y []float64) bool {
	if len(x) != 1 || len(scales) == 0 || len(y) == 0 || len(scales) > 1 && len(y) > 1 && len(scales) != len(y) {
		return false
	}
	for i := range max(len(scales), len(y)) {
		want := float64(x[0] * y[min(i, len(y)-1)])
		if math.Abs(scales[min(i, len(scales)-1)]-want) > 1e-6*math.Abs(want) {
			return false
		}
	}
	return true
}

// quantizeExactly gives bytes that their bytes say: those that they were dequantized from, if the steps are the same,
// or sums in other steps.
func (n *node) quantizeExactly() bool {
	x, d := n.value(0), dtype.U8
	if x.bytes == nil && x.rounded == nil || n.int("precision", 0) != 0 || n.int("block_size", 0) != 0 {
		return false
	}
	if n.has(2) {
		d = elem(n.tensor(2))
		if proto.IsNarrow(n.value(2).elem) {
			return false
		}
	} else if n.int("output_dtype", 0) != 0 {
		return false
	}
	scale, zero := n.parameter(1, dtype.F32, n.tensor(0), math.MaxInt), n.parameter(2, dtype.I32, n.tensor(0), math.MaxInt)
	if scale == nil || zero == nil || d != dtype.I8 && d != dtype.U8 {
		return false
	}
	if b := x.bytes; b != nil {
		if _, known := scale.(float64); known && b.Scale == scale && b.Zero == zero && elem(b.Codes) == d {
			n.set(b.Codes)
			return true
		}
		return false
	}
	if y := x.rounded(scale, zero, d); y != nil {
		n.set(y)
		return true
	}
	return false
}
