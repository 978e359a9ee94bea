package expand

import (
	"slices"
	"strings"

	"github.com/go-acap/acap/base/shape"
	"github.com/go-acap/acap/mlir"
)

// complexNumber are the parts of complex elements.
type complexNumber struct{ re, im *mlir.Value }

func (z complexNumber) parts() []*mlir.Value { return []*mlir.Value{z.re, z.im} }

// numberOf are the parts of an operand; a real one has no imaginary part.
func (e emitter) numberOf(in []*mlir.Value) complexNumber {
	if len(in) == 2 {
		return complexNumber{in[0], in[1]}
	}
	return complexNumber{in[0], e.number(in[0], 0)}
}

// complexRule says an operation on complex tensors in operations on their parts.
func complexRule(e emitter, op *mlir.Operation, in [][]*mlir.Value) []*mlir.Value {
	_, name, _ := strings.Cut(op.Name, ".")
	if strings.HasPrefix(name, "broadcast_") && strings.HasPrefix(op.Name, "chlo.") {
		name = strings.TrimPrefix(name, "broadcast_")
		in = e.broadcastAll(op, in)
	}
	if moves[name] {
		return e.moved(op, in)
	}
	if f := complexOperations[name]; f != nil {
		return f(e, op, in)
	}
	if f := exactFunctions[name]; f != nil {
		return f(e, e.all(in)).parts()
	}
	f := complexFunctions[name]
	if f == nil {
		fail(op, "is not supported for complex elements")
	}
	elem := tensorOf(in[0][0]).Elem
	z := e.all(in)
	for i := range z { // one rounding at the end hides what the formulas lose
		z[i] = complexNumber{e.convert(z[i].re, mlir.F64), e.convert(z[i].im, mlir.F64)}
	}
	r := f(e, z)
	return []*mlir.Value{e.convert(r.re, elem), e.convert(r.im, elem)}
}

func (e emitter) all(in [][]*mlir.Value) []complexNumber {
	out := make([]complexNumber, len(in))
	for i, v := range in {
		out[i] = e.numberOf(v)
	}
	return out
}

// moved does with each part what the operation does with the whole.
func (e emitter) moved(op *mlir.Operation, in [][]*mlir.Value) []*mlir.Value {
	var out []*mlir.Value
	for i, t := range parts(op.Result().Type) {
		operands := make([]*mlir.Value, len(in))
		for k, v := range in {
			operands[k] = v[min(i, len(v)-1)]
		}
		out = append(out, e.again(op, op.Attrs, operands, []mlir.Type{t})...)
	}
	return out
}

// broadcastAll gives the operands of one of chlo's operations the extents of its result.
func (e emitter) broadcastAll(op *mlir.Operation, in [][]*mlir.Value) [][]*mlir.Value {
	to := op.Result().Type.(mlir.TensorType).Shape
	out := make([][]*mlir.Value, len(in))
	for i, v := range in {
		have := len(tensorOf(v[0]).Shape)
		dims := shape.UpTo(have)
		for k := range dims {
			dims[k] += len(to) - have
		}
		if list, ok := mlir.IntList(op.Attrs.Get("broadcast_dimensions")); ok && len(list) == have {
			dims = list
		}
		for _, part := range v {
			out[i] = append(out[i], e.broadcast(part, to, dims))
		}
	}
	return out
}

// complexOperations are those that are no function of complex elements to complex elements.
var complexOperations map[string]rule

func init() {
	complexOperations = map[string]rule{
		"constant": splitConstant,
		"complex":  func(_ emitter, _ *mlir.Operation, in [][]*mlir.Value) []*mlir.Value { return slices.Concat(in...) },
		"real":     func(_ emitter, _ *mlir.Operation, in [][]*mlir.Value) []*mlir.Value { return in[0][:1] },
		"imag":     func(_ emitter, _ *mlir.Operation, in [][]*mlir.Value) []*mlir.Value { return in[0][1:] },
		"abs": func(e emitter, _ *mlir.Operation, in [][]*mlir.Value) []*mlir.Value {
			x, y := in[0][0], in[0][1]
			return []*mlir.Value{e.convert(e.hypot(e.convert(x, mlir.F64), e.convert(y, mlir.F64)), tensorOf(x).Elem)}
		},
		"get_dimension_size": func(e emitter, op *mlir.Operation, in [][]*mlir.Value) []*mlir.Value {
			return e.again(op, op.Attrs, in[0][:1], mlir.TypesOf(op.Results))
		},
		"compare":         compared,
		"convert":         converted,
		"bitcast_convert": recast,
		"iota": func(e emitter, op *mlir.Operation, _ [][]*mlir.Value) []*mlir.Value {
			t := parts(op.Result().Type)
			x := e.again(op, op.Attrs, nil, t[:1])[0]
			return []*mlir.Value{x, e.number(x, 0)}
		},
		"dot": product, "dot_general": product, "convolution": product,
		"fft":              transformed,
		"triangular_solve": solved,
		"custom_call":      called,
		"clamp": func(e emitter, _ *mlir.Operation, in [][]*mlir.Value) []*mlir.Value {
			z := e.all(in)
			shape := tensorOf(z[1].re).Shape
			for _, i := range []int{0, 2} {
				z[i] = complexNumber{e.broadcast(z[i].re, shape, nil), e.broadcast(z[i].im, shape, nil)}
			}
			return e.later("LT", e.later("GT", z[1], z[0]), z[2]).parts()
		},
	}
}

func splitConstant(e emitter, op *mlir.Operation, _ [][]*mlir.Value) []*mlir.Value {
	d, ok := op.Attrs.Get("value").(mlir.DenseAttr)
	if !ok {
		fail(op, "a constant that is no dense elements")
	}
	t := parts(op.Result().Type)[0]
	size := mlir.ElementSize(d.Elem()) / 2
	var out []*mlir.Value
	for i := range 2 {
		var data []byte
		for at := i * size; at < len(d.Data); at += 2 * size {
			data = append(data, d.Data[at:at+size]...)
		}
		part, err := mlir.NewDense(t, data)
		if err != nil {
			fail(op, "%v", err)
		}
		out = append(out, e.constant(part))
	}
	return out
}

func compared(e emitter, op *mlir.Operation, in [][]*mlir.Value) []*mlir.Value {
	x, y := e.numberOf(in[0]), e.numberOf(in[1])
	t := mlir.TypesOf(op.Results)
	re := e.again(op, op.Attrs, []*mlir.Value{x.re, y.re}, t)[0]
	im := e.again(op, op.Attrs, []*mlir.Value{x.im, y.im}, t)[0]
	a, _ := op.Attrs.Get("comparison_direction").(mlir.OpaqueAttr)
	switch {
	case strings.Contains(a.Text, "EQ"):
		return []*mlir.Value{e.same("and", re, im)}
	case strings.Contains(a.Text, "NE"):
		return []*mlir.Value{e.same("or", re, im)}
	}
	fail(op, "complex numbers have no order")
	return nil
}

func converted(e emitter, op *mlir.Operation, in [][]*mlir.Value) []*mlir.Value {
	t := parts(op.Result().Type)
	elem := t[0].(mlir.TensorType).Elem
	if len(t) == 1 {
		if mlir.SameType(elem, mlir.I1) {
			return []*mlir.Value{e.compare("NE", in[0][0], e.number(in[0][0], 0))}
		}
		return []*mlir.Value{e.convert(in[0][0], elem)}
	}
	z := e.numberOf([]*mlir.Value{e.convert(in[0][0], elem)})
	if len(in[0]) == 2 {
		z.im = e.convert(in[0][1], elem)
	}
	return z.parts()
}

// recast reinterprets the bits: of a list of real elements, into which complex ones are laid out.
func recast(e emitter, op *mlir.Operation, in [][]*mlir.Value) []*mlir.Value {
	x := in[0][0]
	if len(in[0]) == 2 {
		x = e.interleaved(in[0])
	}
	t := parts(op.Result().Type)
	want := t[0].(mlir.TensorType)
	if len(t) == 2 {
		want = mlir.TensorType{Shape: append(slices.Clone(want.Shape), 2), Elem: want.Elem}
	}
	y := e.bits(x, want)
	if len(t) == 1 {
		return []*mlir.Value{y}
	}
	last := len(want.Shape) - 1
	return []*mlir.Value{e.without(e.part(y, last, 0, 1), last), e.without(e.part(y, last, 1, 1), last)}
}

// interleaved puts the parts beside each other, in a last dimension of two.
func (e emitter) interleaved(z []*mlir.Value) *mlir.Value {
	shape := append(slices.Clone(tensorOf(z[0]).Shape), 1)
	return e.concatenate(len(shape)-1, e.reshape(z[0], shape), e.reshape(z[1], shape))
}

// bits reinterprets real elements as the elements of a tensor type with the same number of bits.
func (e emitter) bits(x *mlir.Value, t mlir.Type) *mlir.Value {
	want := t.(mlir.TensorType)
	have, to := mlir.BitWidth(tensorOf(x).Elem), mlir.BitWidth(want.Elem)
	n, elem := shape.Size(tensorOf(x).Shape), want.Elem
	switch {
	case have > to:
		x = e.reshape(x, []int{n})
		x = e.op("bitcast_convert", mlir.TensorType{Shape: []int{n, have / to}, Elem: elem}, x)
	case have < to:
		x = e.reshape(x, []int{n * have / to, to / have})
		x = e.op("bitcast_convert", mlir.TensorType{Shape: []int{n * have / to}, Elem: elem}, x)
	default:
		x = e.op("bitcast_convert", of(tensorOf(x), elem), x)
	}
	return e.reshape(x, want.Shape)
}

// product is bilinear.
func product(e emitter, op *mlir.Operation, in [][]*mlir.Value) []*mlir.Value {
	t := parts(op.Result().Type)[:1]
	of := func(x, y *mlir.Value) *mlir.Value { return e.again(op, op.Attrs, []*mlir.Value{x, y}, t)[0] }
	x, y := in[0], in[1]
	switch {
	case len(x) == 1:
		return []*mlir.Value{of(x[0], y[0]), of(x[0], y[1])}
	case len(y) == 1:
		return []*mlir.Value{of(x[0], y[0]), of(x[1], y[0])}
	}
	return []*mlir.Value{e.sub(of(x[0], y[0]), of(x[1], y[1])), e.add(of(x[0], y[1]), of(x[1], y[0]))}
}

// transformed leaves an fft, which has complex operands or results.
func transformed(e emitter, op *mlir.Operation, in [][]*mlir.Value) []*mlir.Value {
	return e.entered(e.again(op, op.Attrs, e.left(mlir.TypesOf(op.Operands), in[0]), mlir.TypesOf(op.Results)))
}
