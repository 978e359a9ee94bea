package torchscript

import (
	"slices"

	"github.com/go-acap/acap/base/dtype"
	"github.com/go-acap/acap/base/script"
)

// typesByName holds the methods that convert a tensor to an element type.
var typesByName = map[string]dtype.DType{"float": dtype.F32, "double": dtype.F64, "half": dtype.F16, "bfloat16": dtype.BF16,
	"int": dtype.I32, "long": dtype.I64, "short": dtype.I16, "char": dtype.I8, "byte": dtype.U8, "bool": dtype.Bool}

// convertNumber copies or converts a number in a tensor, so that it is known afterwards, too. It reports false for
// other operators and other tensors.
func (ev *evaluator) convertNumber(at script.Position, name string, args arguments) (value, bool) {
	t, ok := args.at(0).(*tensor)
	if !ok {
		return nil, false
	}
	n, ok := t.knownScalar()
	if !ok {
		return nil, false
	}
	d, converts := typesByName[name]
	switch name {
	case "detach", "contiguous", "alias", "cpu", "lift_fresh":
		return t, true
	case "clone":
		return rounded(n, t.typeOf().DType), true
	case "to", "type_as":
		d, converts = ev.typeWanted(at, args), true
	}
	if d == dtype.Invalid || d == t.typeOf().DType {
		return t, converts
	}
	return rounded(n, d), true
}

// typeWanted returns the element type among the arguments of to, which may be another tensor's; Invalid if there is
// none.
func (ev *evaluator) typeWanted(at script.Position, args arguments) dtype.DType {
	wanted := slices.Clip(args.positional[1:])
	for _, name := range []string{"dtype", "other"} {
		if v, ok := args.get(-1, name); ok {
			wanted = append(wanted, v)
		}
	}
	for _, v := range wanted {
		switch v := v.(type) {
		case int:
			d := ev.dtypeArg(at, v)
			return d.DType()
		case *tensor:
			return v.typeOf().DType
		}
	}
	return dtype.Invalid
}

// cast converts a tensor to an element type.
func (ev *evaluator) cast(at script.Position, t *tensor, d dtype.DType) value {
	if t.typeOf().DType == d {
		return t
	}
	return ev.aten(at, "_to_copy", arguments{positional: []value{t}, named: []namedValue{{"dtype", d.TorchCode()}}})
}
