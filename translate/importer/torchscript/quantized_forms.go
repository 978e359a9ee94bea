package torchscript

import (
	"math"
	"strings"

	"github.com/go-acap/acap/base/dtype"
	"github.com/go-acap/acap/base/script"
	"github.com/go-acap/acap/ops"
)

// quantizedForm is how an operator of quantized:: is one on numbers, whose result is rounded.
type quantizedForm struct {
	operator string
	scale    int // place of the scale of the result among the arguments; the zero point follows
	operands func(a []value) []value
}

// firstOf takes the first few arguments.
func firstOf(count int) func(a []value) []value {
	return func(a []value) []value {
		if len(a) < count {
			return nil
		}
		return a[:count]
	}
}

// without leaves out the scale and the zero point behind the first argument.
func without(a []value) []value {
	if len(a) < 3 {
		return a[:1]
	}
	return append([]value{a[0]}, a[3:]...)
}

// ofBatch puts the arguments of a batch norm in the order of torch.batch_norm.
func ofBatch(a []value) []value {
	if len(a) < 6 {
		return nil
	}
	return []value{a[0], a[1], a[2], a[3], a[4], false, 0.1, a[5], false}
}

// ofInstance does so for an instance norm.
func ofInstance(a []value) []value {
	if len(a) < 4 {
		return nil
	}
	return []value{a[0], a[1], a[2], nil, nil, true, 0.1, a[3], false}
}

// quantizedForms are the operators by their names behind quantized::.
var quantizedForms = map[string]quantizedForm{
	"add": {"add", 2, firstOf(2)}, "mul": {"mul", 2, firstOf(2)}, "matmul": {"matmul", 2, firstOf(2)},
	"cat": {"cat", 2, firstOf(2)}, "softmax": {"softmax", 2, firstOf(2)}, "prelu": {"prelu", 2, firstOf(2)},
	"hardswish": {"hardswish", 1, firstOf(1)}, "sigmoid": {"sigmoid", 1, firstOf(1)},
	"relu6":      {"relu6", math.MaxInt, firstOf(1)}, // the result has the quantum of x
	"leaky_relu": {"leaky_relu", 3, firstOf(2)},      // in place, which is no number, comes before the scale
	"elu":        {"elu", 1, without}, "celu": {"celu", 1, without},
	"layer_norm": {"layer_norm", 5, firstOf(5)}, "group_norm": {"group_norm", 5, firstOf(5)},
	"instance_norm": {"instance_norm", 4, ofInstance},
	"batch_norm":    {"batch_norm", 6, ofBatch}, "batch_norm1d": {"batch_norm", 6, ofBatch},
	"batch_norm2d": {"batch_norm", 6, ofBatch}, "batch_norm3d": {"batch_norm", 6, ofBatch},
}

// requantizing calls quantized::name: an operator on the numbers, with the scale and the zero point of the result.
func (ev *evaluator) requantizing(at script.Position, name string, args arguments) value {
	form, ok := quantizedForms[name]
	relu := false
	if !ok {
		var base string
		base, relu = strings.CutSuffix(name, "_relu")
		if form, ok = quantizedForms[strings.TrimSuffix(base, "_scalar")]; !ok || !relu && base == strings.TrimSuffix(base, "_scalar") {
			ev.fail(at, &ops.UnknownError{Name: "quantized::" + name})
		}
	}
	first := ev.firstQuantized(at, args.positional)
	var operands []value
	if first != nil {
		operands = form.operands(args.positional)
	}
	if len(operands) == 0 {
		failAt(at, "quantized::%s with such arguments is not supported", name)
	}
	if len(operands) == 2 && first.scales == nil && (form.operator == "add" || form.operator == "mul") {
		if n, ok := number(operands[1]); ok {
			out := ev.moved(first, form.operator, float(n), at)
			if relu {
				y := ev.emit(at, "relu", ev.dequantized(at, out))
				return ev.quantize(at, y, out.quantum)
			}
			return out
		}
	}
	out := first.quantum
	for _, key := range []string{"scale", "output_scale"} {
		if v, given := args.get(form.scale, key); given && v != nil {
			zero := strings.Replace(key, "scale", "zero_point", 1)
			out = quantum{code: first.code, scale: ev.floatAt(at, args, form.scale, key), zero: ev.intAt(at, args, form.scale+1, zero)}
			break
		}
	}
	y, _ := ev.callOperator(at, form.operator, ev.plain(at, arguments{positional: operands}, false)).(*tensor)
	if y == nil {
		failAt(at, "quantized::%s gives no tensor", name)
	}
	if relu {
		y = ev.emit(at, "relu", y)
	}
	return ev.quantize(at, y, out)
}

// moved adds a number to a quantized tensor, or multiplies it: the result has the same integers, where that can be,
// and stands for other numbers.
func (ev *evaluator) moved(x *quantized, operator string, by float64, at script.Position) *quantized {
	low, high := -128, 127
	if x.code == quint8 {
		low, high = 0, 255
	}
	out := &quantized{data: x.data, quantum: x.quantum}
	if operator == "add" {
		zero := x.zero - int(math.RoundToEven(by/x.scale))
		switch {
		case zero < low: // the range has to grow
			out.scale, out.zero = (float64(high)-float64(zero))/float64(high-low)*x.scale, low
		case zero > high:
			out.scale, out.zero = (float64(zero)-float64(low))/float64(high-low)*x.scale, high
		default:
			out.zero = zero
			return out
		}
		return ev.quantize(at, ev.emit(at, "add", ev.dequantized(at, x), by), out.quantum)
	}
	data := ev.to(at, x.data.(*tensor), dtype.I32)
	d := quantizedTypes[x.code]
	switch {
	case by > 0:
		out.scale *= by
	case by == 0:
		out.scale, out.zero = 1, 0
		out.data = ev.to(at, ev.emit(at, "mul", data, 0), d)
	default: // the order of the integers turns
		out.scale *= -by
		out.zero = high - (x.zero - low)
		out.data = ev.to(at, ev.emit(at, "rsub", data, high+low), d)
	}
	return out
}
