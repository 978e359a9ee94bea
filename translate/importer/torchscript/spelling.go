package torchscript

import (
	"slices"

	"github.com/go-acap/acap/base/dtype"
	"github.com/go-acap/acap/base/shape"
	"github.com/go-acap/acap/translate/importer/torchscript/script"
)

// substitute is an operator by means of others. It reports false for arguments that it does not take.
type substitute = func(ev *evaluator, at script.Position, args arguments) (value, bool)

// spellings are the operators whose arguments differ from those of the operators that do the work.
func spellings() map[string]substitute {
	// splitAlong splits along a dimension, which may depend on the number of them.
	splitAlong := func(dim func(rank int) int) substitute {
		return func(ev *evaluator, at script.Position, args arguments) (value, bool) {
			x, ok := args.at(0).(*tensor)
			if !ok || len(args.positional) != 2 {
				return nil, false
			}
			d := dim(len(x.typeOf().Shape))
			return ev.callOperator(at, "tensor_split", arguments{positional: append(args.positional, d)}), true
		}
	}
	return map[string]substitute{
		"hsplit": splitAlong(func(rank int) int { return min(rank-1, 1) }),
		"vsplit": splitAlong(func(int) int { return 0 }),
		"dsplit": splitAlong(func(int) int { return 2 }),
		"argwhere": func(ev *evaluator, at script.Position, args arguments) (value, bool) {
			return ev.callOperator(at, "nonzero", args), len(args.positional) == 1
		},
		"tensor_split": splitAtTensor,
		"where":        whereTrue, "take_along_dim": takeAlong, "ldexp": ldexp, "float_power": floatPower, "istft": inverseFourier,
		"fake_quantize_per_tensor_affine":  fakeQuantize,
		"fake_quantize_per_channel_affine": fakeQuantizeChannels,
	}
}

// splitAtTensor is tensor_split with the number of parts, or the places between them, in a tensor.
func splitAtTensor(ev *evaluator, at script.Position, args arguments) (value, bool) {
	given, _ := args.get(1, "tensor_indices_or_sections")
	t, ok := given.(*tensor)
	if !ok {
		return nil, false
	}
	where := value(nil)
	if t.isScalar() {
		where = ev.scalarOf(at, t, "the number of parts")
	} else {
		b := ev.read(at, t, "the places where tensor_split splits")
		list := &list{}
		for i := range b.Len() {
			list.items = append(list.items, int(b.Int64(i)))
		}
		where = list
	}
	dim, _ := args.get(2, "dim")
	if dim == nil {
		dim = 0
	}
	return ev.callOperator(at, "tensor_split", arguments{positional: []value{args.at(0), where, dim}}), true
}

// whereTrue gives for each dimension the places of what is true.
func whereTrue(ev *evaluator, at script.Position, args arguments) (value, bool) {
	x, ok := args.at(0).(*tensor)
	if !ok || len(args.positional) != 1 || len(args.named) > 0 {
		return nil, false
	}
	places := ev.callOperator(at, "nonzero", args)
	out := &list{}
	for d := range x.typeOf().Shape {
		out.items = append(out.items, ev.callOperator(at, "select", arguments{positional: []value{places, 1, d}}))
	}
	return out, true
}

// takeAlong takes the elements at indices along a dimension; the others are stretched to each other.
func takeAlong(ev *evaluator, at script.Position, args arguments) (value, bool) {
	x, ok1 := args.at(0).(*tensor)
	index, ok2 := args.at(1).(*tensor)
	if !ok1 || !ok2 {
		return nil, false
	}
	call := func(name string, list ...value) value { return ev.callOperator(at, name, arguments{positional: list}) }
	fromStart := func(n int) value { // negative indices count from the end
		return call("where", call("lt", index, 0), call("add", index, n), index)
	}
	dim, _ := args.get(2, "dim")
	if dim == nil {
		return call("gather", call("flatten", x), 0, call("flatten", fromStart(shape.Size(x.typeOf().Shape)))), true
	}
	n, ok := dim.(int)
	from, to := slices.Clone(x.typeOf().Shape), slices.Clone(index.typeOf().Shape)
	d, err := shape.Dim(n, len(from))
	if !ok || err != nil || len(from) != len(to) {
		return nil, false
	}
	extent, count := from[d], to[d]
	from[d], to[d] = 1, 1
	both, err := shape.Broadcast(from, to)
	if err != nil {
		ev.fail(at, err)
	}
	from, to = both, slices.Clone(both)
	from[d], to[d] = extent, count
	return call("gather", call("expand", x, ints(from)), d, call("expand", fromStart(extent), ints(to))), true
}

// ldexp multiplies by a power of two.
func ldexp(ev *evaluator, at script.Position, args arguments) (value, bool) {
	if len(args.positional) != 2 {
		return nil, false
	}
	power := ev.callOperator(at, "pow", arguments{positional: []value{2.0, args.at(1)}})
	return ev.callOperator(at, "mul", arguments{positional: []value{args.at(0), power}}), true
}

// floatPower is a power of numbers of 64 bits.
func floatPower(ev *evaluator, at script.Position, args arguments) (value, bool) {
	if len(args.positional) != 2 {
		return nil, false
	}
	wide := make([]value, 2)
	for i, v := range args.positional {
		wide[i] = v
		if t, ok := v.(*tensor); ok {
			if t.typeOf().DType.IsComplex() {
				return nil, false
			}
			wide[i] = ev.cast(at, t, dtype.F64)
		}
	}
	return ev.callOperator(at, "pow", arguments{positional: wide}), true
}

// fakeQuantize rounds to the steps of a scale, from the least to the greatest step of a quantized type.
func fakeQuantize(ev *evaluator, at script.Position, args arguments) (value, bool) {
	x, ok := args.at(0).(*tensor)
	if !ok || len(args.positional) != 5 {
		return nil, false
	}
	return ev.fakeSteps(at, x, args.at(1), args.at(2), args.at(3), args.at(4))
}

// fakeQuantizeChannels is fakeQuantize with a scale and a zero point for each index along a dimension.
func fakeQuantizeChannels(ev *evaluator, at script.Position, args arguments) (value, bool) {
	x, ok1 := args.at(0).(*tensor)
	n, ok2 := args.at(3).(int)
	if !ok1 || !ok2 || len(args.positional) != 6 {
		return nil, false
	}
	rank := len(x.typeOf().Shape)
	d, err := shape.Dim(n, rank)
	if err != nil {
		ev.fail(at, err)
	}
	dims := slices.Repeat([]int{1}, rank)
	dims[d] = -1
	along := func(v value) value {
		return ev.callOperator(at, "view", arguments{positional: []value{v, ints(dims)}})
	}
	return ev.fakeSteps(at, x, along(args.at(1)), along(args.at(2)), args.at(4), args.at(5))
}

// fakeSteps is (clamp(round(x / scale) + zero) - zero) · scale.
func (ev *evaluator) fakeSteps(at script.Position, x *tensor, scale, zero, low, high value) (value, bool) {
	call := func(name string, list ...value) value { return ev.callOperator(at, name, arguments{positional: list}) }
	d := x.typeOf().DType
	for _, v := range []*value{&scale, &zero} {
		if t, ok := (*v).(*tensor); ok {
			*v = ev.cast(at, t, d)
		}
	}
	q := call("round", call("mul", x, call("reciprocal", ev.tensorOf(at, scale, d))))
	q = call("clamp", call("add", q, zero), low, high)
	return call("mul", call("sub", q, zero), scale), true
}

// tensorOf returns a tensor as it is, and a number as a tensor.
func (ev *evaluator) tensorOf(at script.Position, v value, d dtype.DType) value {
	if isTensor(v) {
		return v
	}
	return ev.constantTensor(at, v, d)
}
