package torchscript

import (
	"math"
	"slices"
	"strings"

	"github.com/go-acap/acap/base/buf"
	"github.com/go-acap/acap/base/dtype"
	"github.com/go-acap/acap/base/script"
)

// Products of quantized tensors are sums of integers, exactly; everything else computes on the numbers that the
// integers stand for and rounds the result to the next quantum, ties to even.

// quantizedCall calls an operator with a quantized argument or result. It reports false for others.
func (ev *evaluator) quantizedCall(at script.Position, name string, args arguments) (value, bool) {
	if f := quantizers[name]; f != nil {
		return f(ev, at, args), true
	}
	if base, ok := strings.CutPrefix(name, "quantized::"); ok {
		return ev.requantizing(at, base, args), true
	}
	first := ev.firstQuantized(at, args.positional)
	if first == nil {
		return nil, false
	}
	switch name {
	case "dequantize":
		return ev.dequantized(at, first), true
	case "int_repr":
		return first.data, true
	case "q_scale":
		return first.scale, true
	case "q_zero_point":
		return first.zero, true
	case "is_quantized":
		return true, true
	case "dtype":
		return first.code, true
	case "detach", "contiguous", "cpu", "clone", "alias":
		return first, true
	case "__is__", "__isnot__", "unchecked_cast", "_unwrap_optional", "unchecked_unwrap_optional", "len", "append":
		return nil, false
	}
	if d := averages[name]; d > 0 && first.scales == nil {
		return ev.averaged(at, name, d, args, first), true
	}
	plain := ev.plain(at, args, false)
	if tensorBuiltins[name] != nil {
		return ev.callOperator(at, name, ev.plain(at, args, true)), true
	}
	out := first.quantum
	if fixed, ok := fixedQuanta[name]; ok {
		out.scale, out.zero = fixed.scale, fixed.zero
		if first.code == qint8 {
			out.zero -= 128
		}
	}
	return ev.requantized(at, ev.callOperator(at, name, plain), out), true
}

// fixedQuanta are the quanta of results whose range is known, for bytes without a sign.
var fixedQuanta = map[string]quantum{"sigmoid": {scale: 1.0 / 256}, "hardsigmoid": {scale: 1.0 / 256},
	"tanh": {scale: 2.0 / 256, zero: 128}}

// firstQuantized is the first quantized tensor among values and in their lists of tensors.
func (ev *evaluator) firstQuantized(at script.Position, values []value) *quantized {
	for _, v := range values {
		switch v := v.(type) {
		case *quantized:
			return v
		case *list, *tuple:
			items := itemsOf(v)
			for i, item := range items {
				if q, ok := item.(*quantized); ok {
					return q
				}
				if _, tensors := item.(*tensor); !tensors && item != nil {
					items = items[:i+1]
					break
				}
			}
			ev.charge(at, len(items)/itemsPerStep)
		}
	}
	return nil
}

// plain gives arguments with the numbers of quantized tensors, or with their integers.
func (ev *evaluator) plain(at script.Position, args arguments, integers bool) arguments {
	var one func(v value) value
	one = func(v value) value {
		switch v := v.(type) {
		case *quantized:
			if integers {
				return v.data
			}
			return ev.dequantized(at, v)
		case *list, *tuple:
			if ev.firstQuantized(at, []value{v}) == nil {
				return v
			}
			l := &list{}
			for _, item := range itemsOf(v) {
				l.items = append(l.items, one(item))
			}
			return l
		}
		return v
	}
	out := arguments{named: slices.Clone(args.named)}
	for _, v := range args.positional {
		out.positional = append(out.positional, one(v))
	}
	for i := range out.named {
		out.named[i].value = one(out.named[i].value)
	}
	return out
}

// requantized quantizes the floating tensors of a result.
func (ev *evaluator) requantized(at script.Position, v value, q quantum) value {
	switch v := v.(type) {
	case *tensor:
		if v.typeOf().DType.IsFloat() {
			return ev.quantize(at, v, q)
		}
	case *list:
		out := &list{}
		for _, item := range v.items {
			out.items = append(out.items, ev.requantized(at, item, q))
		}
		return out
	case *tuple:
		out := &tuple{class: v.class}
		for _, item := range v.items {
			out.items = append(out.items, ev.requantized(at, item, q))
		}
		return out
	}
	return v
}

// emit calls an operator on tensors.
func (ev *evaluator) emit(at script.Position, name string, args ...value) *tensor {
	return ev.tensorResult(at, name, ev.callOperator(at, name, arguments{positional: args}))
}

// tensorResult is the result of an operator that gives a tensor.
func (ev *evaluator) tensorResult(at script.Position, name string, v value) *tensor {
	t, ok := v.(*tensor)
	if !ok {
		failAt(at, "%s gives no tensor", name)
	}
	return t
}

func (ev *evaluator) to(at script.Position, t *tensor, d dtype.DType) *tensor {
	return ev.cast(at, t, d).(*tensor)
}

// perChannel is a constant of numbers of a channel each, along an axis of tensors of some rank.
func perChannel(b *buf.Buffer, d dtype.DType, axis, rank int) *tensor {
	dims := slices.Repeat([]int{1}, rank)
	dims[axis] = b.Len()
	return &tensor{parameter: &Parameter{Data: b.Cast(d).Reshape(dims)}}
}

// dequantized gives the numbers that the integers of q stand for, in f32.
func (ev *evaluator) dequantized(at script.Position, q *quantized) *tensor {
	data := q.data.(*tensor)
	t := ev.to(at, data, dtype.F32)
	if q.scales == nil {
		if q.zero != 0 {
			t = ev.emit(at, "sub", t, q.zero)
		}
		return ev.emit(at, "mul", t, q.scale)
	}
	rank := len(data.typeOf().Shape)
	t = ev.emit(at, "sub", t, perChannel(q.zeros, dtype.F32, q.axis, rank))
	return ev.emit(at, "mul", t, perChannel(q.scales, dtype.F32, q.axis, rank))
}

// quantize rounds numbers to integers of a quantum.
func (ev *evaluator) quantize(at script.Position, t *tensor, q quantum) *quantized {
	d, ok := quantizedTypes[q.code]
	if !ok {
		failAt(at, "quantization to the element type %d is not supported", q.code)
	}
	t = ev.to(at, t, dtype.F32)
	if q.scales == nil {
		if !(q.scale > 0) || math.IsInf(q.scale, 0) {
			failAt(at, "a scale of %v", q.scale)
		}
		t = ev.emit(at, "add", ev.emit(at, "round", ev.emit(at, "mul", t, float64(1/float32(q.scale)))), q.zero)
	} else {
		rank := len(t.typeOf().Shape)
		if q.axis >= rank || q.scales.Len() != t.typeOf().Shape[q.axis] {
			failAt(at, "%d scales do not fit dimension %d of a tensor", q.scales.Len(), q.axis)
		}
		t = ev.emit(at, "round", ev.emit(at, "div", t, perChannel(q.scales, dtype.F32, q.axis, rank)))
		t = ev.emit(at, "add", t, perChannel(q.zeros, dtype.F32, q.axis, rank))
	}
	low, high := -128, 127
	switch d {
	case dtype.U8:
		low, high = 0, 255
	case dtype.I32:
		low, high = math.MinInt32, math.MaxInt32-127 // the largest f32 below 2³¹
	}
	t = ev.emit(at, "clamp", t, low, high)
	return &quantized{data: ev.to(at, ev.to(at, t, dtype.I32), d), quantum: q}
}

// quantizers make quantized tensors and packed parameters.
var quantizers map[string]func(ev *evaluator, at script.Position, args arguments) value

func init() { // they refer to the table through the evaluator
	quantizers = map[string]func(ev *evaluator, at script.Position, args arguments) value{
		"quantize_per_tensor": func(ev *evaluator, at script.Position, args arguments) value {
			q := quantum{scale: ev.floatAt(at, args, 1, "scale"), zero: ev.intAt(at, args, 2, "zero_point"),
				code: ev.intAt(at, args, 3, "dtype")}
			return ev.quantize(at, ev.tensorAt(at, args, 0), q)
		},
		"quantized::linear_prepack": func(ev *evaluator, at script.Position, args arguments) value {
			return &packed{weight: quantizedAt(at, args, 0), bias: args.at(1)}
		},
		"quantized::linear_unpack": unpacked, "quantized::conv2d_unpack": unpacked, "quantized::conv3d_unpack": unpacked,
		"quantized::linear": product(false, false), "quantized::linear_relu": product(true, false),
		"quantized::linear_dynamic": product(false, true), "quantized::linear_relu_dynamic": product(true, true),
	}
	for _, name := range []string{"conv1d", "conv2d", "conv3d"} {
		n := int(name[4] - '0')
		quantizers["quantized::"+name+"_prepack"] = func(ev *evaluator, at script.Position, args arguments) value {
			list := func(i int) []int { return ev.perDimension(at, args.at(i), n) }
			return &packed{weight: quantizedAt(at, args, 0), bias: args.at(1), stride: list(2), padding: list(3),
				dilation: list(4), groups: ev.intOf(at, args.at(5))}
		}
		quantizers["quantized::"+name] = product(false, false)
		quantizers["quantized::"+name+"_relu"] = product(true, false)
		quantizers["quantized::"+name+"_dynamic"] = product(false, true)
		transposed := "quantized::conv_transpose" + name[4:]
		quantizers[transposed+"_prepack"] = func(ev *evaluator, at script.Position, args arguments) value {
			list := func(i int) []int { return ev.perDimension(at, args.at(i), n) }
			return &packed{weight: quantizedAt(at, args, 0), bias: args.at(1), stride: list(2), padding: list(3),
				outputPadding: list(4), dilation: list(5), groups: ev.intOf(at, args.at(6)), transposed: true}
		}
		quantizers[transposed] = product(false, false)
		quantizers[transposed+"_dynamic"] = product(false, true)
		quantizers[transposed+"_unpack"] = unpacked
	}
}

func unpacked(_ *evaluator, at script.Position, args arguments) value {
	p := packedAt(at, args, 0)
	return &tuple{items: []value{p.weight, p.bias}}
}

func quantizedAt(at script.Position, args arguments, i int) *quantized {
	q, ok := args.at(i).(*quantized)
	if !ok {
		failAt(at, "argument %d is a %s instead of a quantized tensor", i, kindOf(args.at(i)))
	}
	return q
}

func packedAt(at script.Position, args arguments, i int) *packed {
	p, ok := args.at(i).(*packed)
	if !ok {
		failAt(at, "argument %d is a %s instead of packed parameters", i, kindOf(args.at(i)))
	}
	return p
}

func (ev *evaluator) tensorAt(at script.Position, args arguments, i int) *tensor {
	t, ok := args.at(i).(*tensor)
	if !ok {
		failAt(at, "argument %d is a %s instead of a tensor", i, kindOf(args.at(i)))
	}
	return t
}

func (ev *evaluator) intAt(at script.Position, args arguments, i int, name string) int {
	v, _ := args.get(i, name)
	return ev.intOf(at, v)
}

func (ev *evaluator) floatAt(at script.Position, args arguments, i int, name string) float64 {
	v, _ := args.get(i, name)
	if t, ok := v.(*tensor); ok {
		v = ev.scalarOf(at, t, name)
	}
	n, ok := number(v)
	if !ok {
		failAt(at, "%s is a %s", name, kindOf(v))
	}
	return float(n)
}

// perDimension reads a list of n numbers, or of one for all.
func (ev *evaluator) perDimension(at script.Position, v value, n int) []int {
	var out []int
	for _, item := range itemsOf(v) {
		out = append(out, ev.intOf(at, item))
	}
	if len(out) == 1 {
		out = slices.Repeat(out, n)
	}
	if len(out) != n {
		failAt(at, "%d numbers for %d dimensions", len(out), n)
	}
	return out
}

// product is a linear layer or a convolution: of a quantized tensor, with the scale and the zero point of the
// result, or of a floating one, which is quantized by its range.
func product(relu, dynamic bool) func(ev *evaluator, at script.Position, args arguments) value {
	return func(ev *evaluator, at script.Position, args arguments) value {
		p := packedAt(at, args, 1)
		var y *tensor
		if dynamic {
			y = ev.multiply(at, ev.coarse(at, ev.tensorAt(at, args, 0)), p)
		} else {
			y = ev.multiplyIntegers(at, quantizedAt(at, args, 0), p)
		}
		if relu {
			y = ev.emit(at, "relu", y)
		}
		if dynamic {
			return y
		}
		return ev.quantize(at, y, quantum{code: quantizedAt(at, args, 0).code, scale: ev.floatAt(at, args, 2, "output_scale"),
			zero: ev.intAt(at, args, 3, "output_zero_point")})
	}
}

// multiply computes with the numbers that the weight stands for.
func (ev *evaluator) multiply(at script.Position, x *tensor, p *packed) *tensor {
	w := ev.dequantized(at, p.weight)
	if p.stride == nil {
		return ev.emit(at, "linear", x, w, p.bias)
	}
	return ev.convolve(at, x, w, p.bias, p)
}

// convolve is the convolution that p says, of any numbers and weights.
func (ev *evaluator) convolve(at script.Position, x, w *tensor, bias value, p *packed) *tensor {
	output := p.outputPadding
	if output == nil {
		output = make([]int, len(p.stride))
	}
	return ev.emit(at, "convolution", x, w, bias, ints(p.stride), ints(p.padding), ints(p.dilation), p.transposed, ints(output), p.groups)
}

// multiplyTransposed is a transposed convolution of integers with integers, as f32, which hold their sums as far as
// these are below 2²⁴.
func (ev *evaluator) multiplyTransposed(at script.Position, x *quantized, p *packed) *tensor {
	integers := func(q *quantized) *tensor {
		return ev.emit(at, "sub", ev.to(at, q.data.(*tensor), dtype.F32), q.zero)
	}
	y := ev.convolve(at, integers(x), integers(p.weight), nil, p)
	return ev.withBias(at, y, float64(float32(x.scale)*float32(p.weight.scale)), x, p, len(p.stride)+1)
}

// withBias turns sums of integers into numbers, by the scale for all or for each channel, and adds the bias. QNNPACK
// rounds it to the step of the sums first, the engines of x86 do not.
func (ev *evaluator) withBias(at script.Position, sums *tensor, scale value, x *quantized, p *packed, rank int) *tensor {
	given, ok := p.bias.(*tensor)
	if !ok {
		return ev.emit(at, "mul", sums, scale)
	}
	bias := ev.emit(at, "reshape", ev.to(at, given, dtype.F32), ints(append([]int{-1}, slices.Repeat([]int{1}, rank-1)...)))
	if p.weight.scales == nil && ev.model.qnnpack() {
		step := float32(x.scale * p.weight.scale)
		return ev.emit(at, "mul", ev.emit(at, "add", sums, ev.emit(at, "round", ev.emit(at, "mul", bias, float64(1/step)))), scale)
	}
	return ev.emit(at, "add", ev.emit(at, "mul", sums, scale), bias)
}

// coarse rounds numbers to 256 steps between the least and the largest of them and 0, as dynamic quantization does.
func (ev *evaluator) coarse(at script.Position, x *tensor) *tensor {
	x = ev.to(at, x, dtype.F32)
	low := ev.emit(at, "clamp", ev.emit(at, "amin", x, &list{}, false), nil, 0.0)
	high := ev.emit(at, "clamp", ev.emit(at, "amax", x, &list{}, false), 0.0)
	scale := ev.emit(at, "div", ev.emit(at, "sub", high, low), 255.0)
	scale = ev.emit(at, "where", ev.emit(at, "eq", scale, 0.0), 0.1, scale) // only zeros
	zero := ev.emit(at, "clamp", ev.emit(at, "round", ev.emit(at, "neg", ev.emit(at, "div", low, scale))), 0.0, 255.0)
	q := ev.emit(at, "add", ev.emit(at, "round", ev.emit(at, "div", x, scale)), zero)
	q = ev.emit(at, "clamp", q, 0.0, 255.0)
	return ev.emit(at, "mul", ev.emit(at, "sub", q, zero), scale)
}

// multiplyIntegers computes with the integers themselves: Σ (x - zx) w = Σ x w - zx Σ w, exactly, where the
// weight is known and has no zero points.
func (ev *evaluator) multiplyIntegers(at script.Position, x *quantized, p *packed) *tensor {
	if p.transposed && x.scales == nil && p.weight.scales == nil {
		return ev.multiplyTransposed(at, x, p)
	}
	w := p.weight.data.(*tensor)
	rank := len(x.data.(*tensor).typeOf().Shape)
	if p.transposed || x.code == qint32 || x.scales != nil || !p.symmetric() || w.parameter == nil || w.written ||
		len(w.parameter.Data.Shape) != 2+len(p.stride) || w.parameter.Data.Len() == 0 || rank == 0 ||
		p.stride != nil && slices.Min(p.padding) < 0 { // what does not fit is reported there
		return ev.multiply(at, ev.dequantized(at, x), p)
	}
	data, weights := x.data.(*tensor), w.parameter.Data
	channels := weights.Shape[0]
	sums, scales := buf.New(dtype.I32, []int{channels}), buf.New(dtype.F32, []int{channels})
	for c := range channels {
		sum, size, scale := int64(0), weights.Len()/channels, p.weight.scale
		for i := c * size; i < (c+1)*size; i++ {
			sum += weights.Int64(i)
		}
		if p.weight.scales != nil {
			scale = p.weight.scales.Float64(c)
		}
		sums.SetInt64(c, sum*int64(x.zero))
		scales.SetFloat64(c, float64(float32(x.scale)*float32(scale)))
	}
	var y *tensor
	rank = 1 // of what has a number for each channel
	if p.stride == nil {
		dims := data.typeOf().Shape
		flat := ev.emit(at, "reshape", data, ints([]int{-1, weights.Shape[1]}))
		y = ev.emit(at, "_int_mm", flat, ev.emit(at, "t", w))
		y = ev.emit(at, "reshape", y, ints(append(slices.Clone(dims[:len(dims)-1]), channels)))
	} else {
		rank = len(p.stride) + 1
		// Outside of a picture is 0, which the zero point stands for.
		var pads []int
		for i := len(p.padding) - 1; i >= 0; i-- {
			pads = append(pads, p.padding[i], p.padding[i])
		}
		outside := ev.emit(at, "constant_pad_nd", data, ints(pads), x.zero)
		y = ev.emit(at, "_int_convolution", outside, w, ints(p.stride), ints(make([]int, len(p.stride))), ints(p.dilation), p.groups)
	}
	y = ev.to(at, ev.emit(at, "sub", y, perChannel(sums, dtype.I32, 0, rank)), dtype.F32)
	return ev.withBias(at, y, perChannel(scales, dtype.F32, 0, rank), x, p, rank)
}

// symmetric reports whether the weight is of i8, with a zero point of 0 and scales of its results.
func (p *packed) symmetric() bool {
	w := p.weight
	if w.code != qint8 || w.scales == nil {
		return w.code == qint8 && w.zero == 0
	}
	for i := range w.zeros.Len() {
		if w.zeros.Int64(i) != 0 {
			return false
		}
	}
	return w.axis == 0
}
