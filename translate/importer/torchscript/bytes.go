package torchscript

import (
	"slices"

	"github.com/go-acap/acap/base/dtype"
	"github.com/go-acap/acap/base/script"
	"github.com/go-acap/acap/base/shape"
	"github.com/go-acap/acap/ops"
	"github.com/go-acap/acap/translate/importer"
)

// Programs that PT2E or torchao quantized multiply what bytes stand for: quantized_decomposed.dequantize_per_tensor,
// then aten.linear. Here dequantized tensors are not computed until an operator needs their numbers. Products of two of
// them take the bytes, and operators that move elements move bytes.

// deferred is a tensor that is computed when an operator needs it.
type deferred struct {
	make  func() *tensor
	dtype dtype.DType
	dims  []int
	bytes *importer.Bytes // what it is made of, or nil
	base  *tensor         // whose bytes these are, if another tensor has them too
	made  ops.Value       // the value that make gave: a tensor that was written to has another
}

// bytesOf returns the bytes of a dequantized tensor to which nothing was written, or nil.
func (ev *evaluator) bytesOf(at script.Position, v value) *importer.Bytes {
	t, ok := v.(*tensor)
	if !ok || t.deferred == nil || t.deferred.bytes == nil || t.written {
		return nil
	}
	d := t.deferred
	if t.ref != nil && ev.current(at, t) != d.made || d.base != nil && ev.bytesOf(at, d.base) == nil {
		return nil
	}
	return d.bytes
}

// onBytes calls an operator that dequantizes, or one on dequantized tensors. It reports false for others.
func (ev *evaluator) onBytes(at script.Position, name string, args arguments) (value, bool) {
	if f := dequantizers[name]; f != nil {
		bytes := f(ev, at, args)
		if bytes == nil {
			return nil, false
		}
		return ev.deferred(bytes, nil, func() *tensor { return ev.tensorResult(at, name, ev.callOn(at, name, args)) }), true
	}
	f := onBytes[name]
	if f == nil || ev.bytesOf(at, args.at(0)) == nil && ev.bytesOf(at, args.at(1)) == nil || ev.autocast != dtype.Invalid {
		return nil, false
	}
	ev.builder.SetLocation(ev.location(at))
	var result value
	ev.try(at, func() error {
		result = f(ev, at, name, args)
		return nil
	})
	return result, result != nil
}

func (ev *evaluator) deferred(b *importer.Bytes, base *tensor, f func() *tensor) *tensor {
	return &tensor{deferred: &deferred{make: f, dtype: dtype.F32, dims: b.Codes.Type().Shape, bytes: b, base: base}}
}

func (ev *evaluator) emitter() ops.Emit { return ops.Emit{Builder: ev.builder} }

// perTensor is a number of a scale or zero point: an int or a float64, or a tensor of one element and a type.
func (ev *evaluator) perTensor(at script.Position, v value, d dtype.DType, rank int) any {
	switch v := v.(type) {
	case *tensor:
		if shape.Size(v.typeOf().Shape) != 1 {
			return nil
		}
		e := ev.emitter()
		return e.To(e.Reshape(ev.current(at, v), slices.Repeat([]int{1}, rank)), d)
	case int:
		if d == dtype.F32 {
			return float64(v)
		}
		return v
	case float64:
		if d == dtype.F32 {
			return v
		}
	}
	return nil
}

// dequantizers find the bytes of what an operator gives, or nil.
var dequantizers map[string]func(ev *evaluator, at script.Position, args arguments) *importer.Bytes

// codes returns the first argument if it is bytes, and its extents.
func (ev *evaluator) codes(at script.Position, args arguments) (codes ops.Value, dims []int) {
	t, ok := args.at(0).(*tensor)
	if !ok || t.typeOf().DType != dtype.I8 && t.typeOf().DType != dtype.U8 {
		return nil, nil
	}
	return ev.current(at, t), t.typeOf().Shape
}

// givesF32 reports whether an argument, an element type, is f32 or not given.
func givesF32(args arguments, i int, name string) bool {
	v, given := args.get(i, name)
	return !given || v == nil || v == value(dtype.F32.TorchCode())
}

// along is a scale or zero point of a dimension of a tensor of some rank, an i32 or f32 tensor; nil stands for 0.
func (ev *evaluator) along(at script.Position, v value, d dtype.DType, dims []int) any {
	if v == nil {
		return 0
	}
	t, ok := v.(*tensor)
	if !ok || shape.Size(t.typeOf().Shape) != shape.Size(dims) {
		return nil
	}
	if t.zeros() {
		return 0
	}
	e := ev.emitter()
	return e.To(e.Reshape(ev.current(at, t), dims), d)
}

// zeros reports whether a tensor is known to be zeros of integers.
func (t *tensor) zeros() bool {
	if t.parameter == nil || t.written || !t.parameter.Data.DType.IsInt() {
		return false
	}
	return !slices.ContainsFunc(t.parameter.Data.Bytes(), func(b byte) bool { return b != 0 })
}

// bytesWith joins codes, a scale and a zero point, if all are there.
func bytesWith(codes ops.Value, scale, zero any) *importer.Bytes {
	if codes == nil || scale == nil || zero == nil {
		return nil
	}
	return &importer.Bytes{Codes: codes, Scale: scale, Zero: zero}
}

func init() { // they refer to the table through the evaluator
	dequantizers = map[string]func(ev *evaluator, at script.Position, args arguments) *importer.Bytes{
		"quantized_decomposed::dequantize_per_tensor": func(ev *evaluator, at script.Position, args arguments) *importer.Bytes {
			codes, dims := ev.codes(at, args)
			if codes == nil || !givesF32(args, -1, "out_dtype") {
				return nil
			}
			return bytesWith(codes, ev.perTensor(at, args.at(1), dtype.F32, len(dims)), ev.perTensor(at, args.at(2), dtype.I32, len(dims)))
		},
		"quantized_decomposed::dequantize_per_channel": func(ev *evaluator, at script.Position, args arguments) *importer.Bytes {
			codes, dims := ev.codes(at, args)
			axis, ok := args.at(3).(int)
			if codes == nil || !ok || axis < -len(dims) || axis >= len(dims) || !givesF32(args, -1, "out_dtype") {
				return nil
			}
			each := slices.Repeat([]int{1}, len(dims))
			if axis < 0 {
				axis += len(dims)
			}
			each[axis] = dims[axis]
			return bytesWith(codes, ev.along(at, args.at(1), dtype.F32, each), ev.along(at, args.at(2), dtype.I32, each))
		},
		"quantized_decomposed::dequantize_per_token": func(ev *evaluator, at script.Position, args arguments) *importer.Bytes {
			codes, dims := ev.codes(at, args)
			if codes == nil || len(dims) == 0 || !givesF32(args, 6, "output_dtype") {
				return nil
			}
			each := append(slices.Clone(dims[:len(dims)-1]), 1)
			return bytesWith(codes, ev.along(at, args.at(1), dtype.F32, each), ev.along(at, args.at(2), dtype.I32, each))
		},
		"torchao::dequantize_affine": func(ev *evaluator, at script.Position, args arguments) *importer.Bytes {
			codes, dims := ev.codes(at, args)
			block, ok := intList(args.at(1))
			if codes == nil || !ok || len(block) != len(dims) || !givesF32(args, 7, "output_dtype") {
				return nil
			}
			each := make([]int, len(dims))
			for d, n := range dims {
				switch block[d] {
				case n, -1:
					each[d] = 1
				case 1:
					each[d] = n
				default: // a group of some of a dimension
					return nil
				}
			}
			return bytesWith(codes, ev.along(at, args.at(2), dtype.F32, each), ev.along(at, args.at(3), dtype.I32, each))
		},
	}
}

func intList(v value) ([]int, bool) {
	var out []int
	for _, item := range itemsOf(v) {
		n, ok := item.(int)
		if !ok {
			return nil, false
		}
		out = append(out, n)
	}
	return out, true
}

// onBytes are operators that take bytes for what these stand for; nil is for what takes no bytes after all.
var onBytes map[string]func(ev *evaluator, at script.Position, name string, args arguments) value

func init() { // they refer to the table through the evaluator
	onBytes = map[string]func(ev *evaluator, at script.Position, name string, args arguments) value{
		"linear": linearOfBytes, "mm": productOfBytes, "matmul": productOfBytes, "addmm": addedProductOfBytes,
		"convolution": convolutionOfBytes, "conv1d": convOfBytes, "conv2d": convOfBytes,
		"t": movedBytes, "transpose": movedBytes, "permute": movedBytes,
		"view": reshapedBytes, "reshape": reshapedBytes, "_unsafe_view": reshapedBytes, "flatten": reshapedBytes, "unsqueeze": reshapedBytes,
		"max_pool2d": pooledBytes, "max_pool2d_with_indices": pooledBytes,
		"quantized_decomposed::quantize_per_tensor": quantizedBytes,
	}
}

// movedBytes changes the order of dimensions.
func movedBytes(ev *evaluator, at script.Position, name string, args arguments) value {
	b, base := ev.bytesOf(at, args.at(0)), args.at(0).(*tensor)
	if b == nil {
		return nil
	}
	move := func(v any) any {
		t, ok := v.(ops.Value)
		if !ok {
			return v
		}
		own := arguments{positional: slices.Clone(args.positional), named: args.named, overload: args.overload}
		own.positional[0] = ev.newTensor(t)
		return ev.current(at, ev.tensorResult(at, name, ev.callOn(at, name, own)))
	}
	moved := &importer.Bytes{Codes: move(b.Codes).(ops.Value), Scale: move(b.Scale), Zero: move(b.Zero)}
	return ev.deferred(moved, base, func() *tensor { return ev.tensorResult(at, name, ev.callOn(at, name, args)) })
}

// reshapedBytes gives the elements other dimensions. Scales and zero points are one for all, or the last dimension
// stays as it is and they are one for each place in the others.
func reshapedBytes(ev *evaluator, at script.Position, name string, args arguments) value {
	b, base := ev.bytesOf(at, args.at(0)), args.at(0).(*tensor)
	if b == nil {
		return nil
	}
	own := arguments{positional: slices.Clone(args.positional), named: args.named, overload: args.overload}
	own.positional[0] = ev.newTensor(b.Codes)
	codes := ev.current(at, ev.tensorResult(at, name, ev.callOn(at, name, own)))
	old, dims := b.Codes.Type().Shape, codes.Type().Shape
	e := ev.emitter()
	reshape := func(v any) any {
		t, ok := v.(ops.Value)
		switch {
		case !ok:
			return v
		case shape.Size(t.Type().Shape) == 1:
			return e.Reshape(t, slices.Repeat([]int{1}, len(dims)))
		case len(old) > 0 && len(dims) > 0 && old[len(old)-1] == dims[len(dims)-1] && shape.Equal(t.Type().Shape, append(slices.Clone(old[:len(old)-1]), 1)):
			return e.Reshape(t, append(slices.Clone(dims[:len(dims)-1]), 1))
		}
		return nil
	}
	reshaped := bytesWith(codes, reshape(b.Scale), reshape(b.Zero))
	if reshaped == nil {
		return nil
	}
	return ev.deferred(reshaped, base, func() *tensor { return ev.tensorResult(at, name, ev.callOn(at, name, args)) })
}

// pooledBytes takes the largest bytes: they grow with what they stand for.
func pooledBytes(ev *evaluator, at script.Position, name string, args arguments) value {
	b, base := ev.bytesOf(at, args.at(0)), args.at(0).(*tensor)
	if scale, ok := b.Scale.(float64); b == nil || !ok || !(scale > 0) {
		return nil
	}
	own := arguments{positional: slices.Clone(args.positional), named: args.named, overload: args.overload}
	own.positional[0] = ev.newTensor(b.Codes)
	pooled := ev.callOn(at, name, own)
	all := func() []value { return itemsOf(ev.callOn(at, name, args)) }
	if t, ok := pooled.(*tensor); ok {
		return ev.deferred(&importer.Bytes{Codes: ev.current(at, t), Scale: b.Scale, Zero: b.Zero}, base,
			func() *tensor { return ev.tensorResult(at, name, ev.callOn(at, name, args)) })
	}
	items := itemsOf(pooled)
	t, ok := items[0].(*tensor)
	if !ok {
		return nil
	}
	out := &tuple{items: slices.Clone(items)}
	out.items[0] = ev.deferred(&importer.Bytes{Codes: ev.current(at, t), Scale: b.Scale, Zero: b.Zero}, base,
		func() *tensor { return all()[0].(*tensor) })
	return out
}

// quantizedBytes are the bytes themselves where they are quantized as they were.
func quantizedBytes(ev *evaluator, at script.Position, name string, args arguments) value {
	b := ev.bytesOf(at, args.at(0))
	if b == nil || len(args.positional) < 6 {
		return nil
	}
	d := b.Codes.Type().DType
	low, high := 0, 255
	if d == dtype.I8 {
		low, high = -128, 127
	}
	scale, known := b.Scale.(float64)
	if !known || !(scale > 0) || args.at(1) != value(scale) || args.at(2) != value(b.Zero) || args.at(5) != value(d.TorchCode()) {
		return nil
	}
	least, ok1 := args.at(3).(int)
	most, ok2 := args.at(4).(int)
	if !ok1 || !ok2 || least > low || most < high {
		return nil
	}
	return ev.newTensor(b.Codes)
}

// biasOf is a bias as a value of f32, or nil for None; ok is false for what is no such bias.
func (ev *evaluator) biasOf(at script.Position, v value) (bias ops.Value, ok bool) {
	if v == nil {
		return nil, true
	}
	t, ok := v.(*tensor)
	if !ok || t.typeOf().DType != dtype.F32 || len(t.typeOf().Shape) != 1 {
		return nil, false
	}
	return ev.current(at, t), true
}

func (ev *evaluator) linearBytes(at script.Position, x, w *importer.Bytes, bias value) value {
	b, ok := ev.biasOf(at, bias)
	if x == nil || w == nil || !ok || b != nil && b.Type().Shape[0] != w.Codes.Type().Shape[0] {
		return nil
	}
	y, ok := importer.Linear(ev.emitter(), *x, *w, b)
	if !ok {
		return nil
	}
	return ev.newTensor(y)
}

func linearOfBytes(ev *evaluator, at script.Position, _ string, args arguments) value {
	bias, _ := args.get(2, "bias")
	return ev.linearBytes(at, ev.bytesOf(at, args.at(0)), ev.bytesOf(at, args.at(1)), bias)
}

// turned are bytes of a matrix with its dimensions exchanged, or nil.
func (ev *evaluator) turned(b *importer.Bytes) *importer.Bytes {
	if b == nil || len(b.Codes.Type().Shape) != 2 {
		return nil
	}
	turn := func(v any) any {
		if t, ok := v.(ops.Value); ok {
			return ev.emitter().Call("t", t)
		}
		return v
	}
	return &importer.Bytes{Codes: turn(b.Codes).(ops.Value), Scale: turn(b.Scale), Zero: turn(b.Zero)}
}

func productOfBytes(ev *evaluator, at script.Position, _ string, args arguments) value {
	return ev.linearBytes(at, ev.bytesOf(at, args.at(0)), ev.turned(ev.bytesOf(at, args.at(1))), nil)
}

func addedProductOfBytes(ev *evaluator, at script.Position, _ string, args arguments) value {
	for _, name := range []string{"beta", "alpha"} {
		if v, given := args.get(-1, name); given && v != value(1) && v != value(1.0) {
			return nil
		}
	}
	return ev.linearBytes(at, ev.bytesOf(at, args.at(1)), ev.turned(ev.bytesOf(at, args.at(2))), args.at(0))
}

func convolutionOfBytes(ev *evaluator, at script.Position, _ string, args arguments) value {
	if args.at(6) != value(false) || len(args.positional) != 9 {
		return nil
	}
	return ev.convolveBytes(at, args, args.at(3), args.at(4), args.at(5), args.at(8))
}

func convOfBytes(ev *evaluator, at script.Position, _ string, args arguments) value {
	option := func(i int, name string, otherwise value) value {
		if v, given := args.get(i, name); given {
			return v
		}
		return otherwise
	}
	return ev.convolveBytes(at, args, option(3, "stride", value(1)), option(4, "padding", value(0)), option(5, "dilation", value(1)), option(6, "groups", value(1)))
}

func (ev *evaluator) convolveBytes(at script.Position, args arguments, stride, padding, dilation, groups value) value {
	x, w := ev.bytesOf(at, args.at(0)), ev.bytesOf(at, args.at(1))
	given, _ := args.get(2, "bias")
	bias, ok := ev.biasOf(at, given)
	count, grouped := groups.(int)
	if x == nil || w == nil || !ok || !grouped || len(x.Codes.Type().Shape) != len(w.Codes.Type().Shape) ||
		bias != nil && bias.Type().Shape[0] != w.Codes.Type().Shape[0] {
		return nil
	}
	n := len(w.Codes.Type().Shape) - 2
	of := importer.Windows{Groups: count}
	for _, p := range []struct {
		to *[]int
		v  value
	}{{&of.Stride, stride}, {&of.Low, padding}, {&of.Dilation, dilation}} {
		list, ok := intList(p.v)
		if one, single := p.v.(int); single {
			list, ok = []int{one}, true
		}
		if len(list) == 1 {
			list = slices.Repeat(list, n)
		}
		if !ok || len(list) != n || n == 0 {
			return nil
		}
		*p.to = list
	}
	of.High = of.Low
	y, ok := importer.Convolve(ev.emitter(), *x, *w, bias, of)
	if !ok {
		return nil
	}
	return ev.newTensor(y)
}
