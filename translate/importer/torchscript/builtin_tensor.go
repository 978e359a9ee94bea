package torchscript

import (
	"strings"

	"github.com/go-acap/acap/base/buf"
	"github.com/go-acap/acap/base/dtype"
	"github.com/go-acap/acap/base/script"
	"github.com/go-acap/acap/base/shape"
	"github.com/go-acap/acap/ops"
)

// builtin is a function that is computed here. It reports false for arguments that are not its
// own: then the name belongs to an operator on tensors.
type builtin func(ev *evaluator, at script.Position, args arguments) (value, bool)

// tensorBuiltins ask for what is static about a tensor, or make one out of numbers.
var tensorBuiltins map[string]builtin

func init() { // they refer to the table through the evaluator
	static := func(of func(ev *evaluator, at script.Position, t *tensor) value) builtin {
		return func(ev *evaluator, at script.Position, args arguments) (value, bool) {
			if t, ok := args.at(0).(*tensor); ok {
				return of(ev, at, t), true
			}
			return nil, false
		}
	}
	always := func(v value) builtin {
		return static(func(*evaluator, script.Position, *tensor) value { return v })
	}
	tensorBuiltins = map[string]builtin{
		"size":                        sizeOf,
		"_weight_int4pack_mm_for_cpu": int4Product,
		"shape": static(func(_ *evaluator, _ script.Position, t *tensor) value {
			return ints(t.typeOf().Shape)
		}),
		"dim": static(rankOf), "ndim": static(rankOf), "ndimension": static(rankOf),
		"numel": static(func(_ *evaluator, _ script.Position, t *tensor) value {
			return shape.Size(t.typeOf().Shape)
		}),
		"stride": strideOf,
		"dtype": static(func(_ *evaluator, _ script.Position, t *tensor) value {
			return t.typeOf().DType.TorchCode()
		}),
		"is_floating_point": static(func(_ *evaluator, _ script.Position, t *tensor) value {
			return t.typeOf().DType.IsFloat()
		}),
		"is_complex": static(func(_ *evaluator, _ script.Position, t *tensor) value {
			return t.typeOf().DType.IsComplex()
		}),
		"is_signed": static(func(_ *evaluator, _ script.Position, t *tensor) value {
			return t.typeOf().DType.IsSigned()
		}),
		"element_size": static(func(_ *evaluator, _ script.Position, t *tensor) value {
			return t.typeOf().DType.Size()
		}),
		"device": deviceOf, "type": deviceType, "one_hot": oneHotOfData,
		"layout": always(0), "storage_offset": static(func(ev *evaluator, at script.Position, t *tensor) value {
			return ev.knownMemory(at, "storage_offset", t).Offset
		}), "get_device": always(-1),
		"is_cuda": always(false), "is_cpu": always(true), "is_sparse": always(false),
		"is_quantized": always(false), "is_nested": always(false), "is_mkldnn": always(false), "is_contiguous": isContiguous,
		"requires_grad": static(func(_ *evaluator, _ script.Position, t *tensor) value {
			return t.parameter != nil && !t.parameter.IsBuffer && !t.typeOf().DType.IsInt() && t.typeOf().DType != dtype.Bool
		}), "is_leaf": always(true), "grad": always(nil),
		"requires_grad_": static(func(_ *evaluator, _ script.Position, t *tensor) value { return t }),
		"data":           static(func(_ *evaluator, _ script.Position, t *tensor) value { return t }),
		"item":           static(itemOf),
		"Int":            convertTensor("Int"), "IntImplicit": convertTensor("Int"),
		"Float": convertTensor("Float"), "FloatImplicit": convertTensor("Float"),
		"Bool": convertTensor("Bool"), "ScalarImplicit": static(itemOf), "str": convertTensor("str"),
		"_local_scalar_dense": static(itemOf),
		"NumToTensor":         numToTensor,
		"tensor":              newTensorBuiltin, "as_tensor": newTensorBuiltin,
		"scalar_tensor": func(ev *evaluator, at script.Position, args arguments) (value, bool) {
			if _, isTensor := args.at(0).(*tensor); !isTensor {
				return nil, false // an operator, whose result is f32 unless its dtype says otherwise
			}
			return newTensorBuiltin(ev, at, args)
		},
		"_shape_as_tensor": static(func(ev *evaluator, at script.Position, t *tensor) value {
			return ev.constantTensor(at, ints(t.typeOf().Shape), dtype.I64)
		}),
		"tolist": static(toList),
	}
}

// at returns a positional argument, or nil.
func (a arguments) at(i int) value {
	if i < len(a.positional) {
		return a.positional[i]
	}
	return nil
}

// get returns an argument by position or name; ok is false if it is not given.
func (a arguments) get(i int, name string) (value, bool) {
	if i >= 0 && i < len(a.positional) {
		return a.positional[i], true
	}
	for _, n := range a.named {
		if n.name == name {
			return n.value, true
		}
	}
	return nil, false
}

func ints(of []int) *list {
	l := &list{items: make([]value, len(of))}
	for i, n := range of {
		l.items[i] = n
	}
	return l
}

func rankOf(_ *evaluator, _ script.Position, t *tensor) value { return len(t.typeOf().Shape) }

func sizeOf(ev *evaluator, at script.Position, args arguments) (value, bool) {
	t, ok := args.at(0).(*tensor)
	if !ok {
		return nil, false
	}
	return ev.extent(at, t.typeOf().Shape, args), true
}

func strideOf(ev *evaluator, at script.Position, args arguments) (value, bool) {
	t, ok := args.at(0).(*tensor)
	if !ok {
		return nil, false
	}
	return ev.extent(at, ev.knownMemory(at, "stride", t).Strides, args), true
}

// isContiguous asks whether elements lie in order; where that is not known they do, as all values here.
func isContiguous(ev *evaluator, at script.Position, args arguments) (value, bool) {
	t, ok := args.at(0).(*tensor)
	if !ok {
		return nil, false
	}
	dims := t.typeOf().Shape
	m, unknown := ev.memoryOf(t)
	format, _ := args.get(1, "memory_format")
	if n, isInt := format.(int); isInt && n > ops.PreserveFormat {
		want := ops.ChannelsLast(dims)
		return unknown == "" && len(dims) > 3 && (ops.Memory{Strides: m.Strides}).SameAs(want, dims), true
	}
	return unknown == "" && (ops.Memory{Strides: m.Strides}).IsInOrder(dims), true
}

// extent returns all of a list of extents, or the one that the second argument asks for.
func (ev *evaluator) extent(at script.Position, of []int, args arguments) value {
	d, ok := args.get(1, "dim")
	if !ok || d == nil {
		return ints(of)
	}
	i := ev.intOf(at, d)
	if i < -len(of) || i >= len(of) {
		failAt(at, "dimension %d of a tensor with %d", i, len(of))
	}
	return of[(i+len(of))%len(of)]
}

func itemOf(ev *evaluator, at script.Position, t *tensor) value {
	return ev.scalarOf(at, t, "item() of a tensor")
}

func convertTensor(to string) builtin {
	return func(ev *evaluator, at script.Position, args arguments) (value, bool) {
		return ev.convert(at, to, args.positional), true
	}
}

func numToTensor(ev *evaluator, at script.Position, args arguments) (value, bool) {
	switch v := args.at(0).(type) {
	case bool, int, float64:
		return numberTensor(v), true
	case *tensor:
		return v, true
	}
	return nil, false
}

// newTensorBuiltin is torch.tensor(data, dtype, device, requires_grad).
func newTensorBuiltin(ev *evaluator, at script.Position, args arguments) (value, bool) {
	d := dtype.Invalid
	if v, ok := args.get(1, "dtype"); ok && v != nil {
		code, isInt := v.(int)
		if !isInt || dtype.FromTorchCode(code) == dtype.Invalid {
			failAt(at, "%s is no element type", text(v))
		}
		d = dtype.FromTorchCode(code)
	}
	switch v := args.at(0).(type) {
	case *tensor:
		if d == dtype.Invalid || d == v.typeOf().DType {
			return v, true
		}
		return ev.callOperator(at, "_to_copy",
			arguments{positional: []value{v}, named: []namedValue{{"dtype", d.TorchCode()}}}), true
	case bool, int, float64, *list, *tuple:
		return ev.constantTensor(at, v, d), true
	}
	return nil, false
}

// toList returns the elements of a tensor as nested lists.
func toList(ev *evaluator, at script.Position, t *tensor) value {
	if v, ok := t.knownScalar(); ok {
		return v
	}
	var data *buf.Buffer
	if !t.written && t.parameter != nil && t.parameter.isConstant() {
		data = t.parameter.Data
	} else {
		data = ev.read(at, t, "tolist() of a tensor")
	}
	ev.checkLength(at, data.Len())
	items, _ := elements(data, 0, data.Shape)
	return items
}

func elements(b *buf.Buffer, from int, dims []int) (value, int) {
	if len(dims) == 0 {
		switch d := b.DType; {
		case d == dtype.Bool:
			return b.Int64(from) != 0, from + 1
		case d.IsInt():
			return int(b.Int64(from)), from + 1
		case d.IsComplex():
			return b.Complex(from), from + 1
		}
		return b.Float64(from), from + 1
	}
	l := &list{}
	for range dims[0] {
		var item value
		item, from = elements(b, from, dims[1:])
		l.items = append(l.items, item)
	}
	return l, from
}

// deviceType is the name of a device without its number.
func deviceType(_ *evaluator, _ script.Position, args arguments) (value, bool) {
	d, ok := args.at(0).(device)
	name, _, _ := strings.Cut(string(d), ":")
	return name, ok
}

// deviceOf is x.device, or torch.device("cpu"). There is one device as far as a model is concerned.
func deviceOf(_ *evaluator, _ script.Position, args arguments) (value, bool) {
	switch v := args.at(0).(type) {
	case *tensor:
		return device("cpu"), true
	case string:
		return device(v), true
	case device:
		return v, true
	}
	return nil, false
}
