package torchscript

import (
	"slices"
	"strings"

	"github.com/go-acap/acap/base/script"
)

// averages are the pooling operators that compute means, with the number of dimensions of their windows. Means are
// computed on the integers, so that ties are exact. A tie goes to the even integer before the zero point is added, as
// PyTorch rounds where channels lie last. Convolutions leave channels last.
var averages = map[string]int{"avg_pool1d": 1, "avg_pool2d": 2, "avg_pool3d": 3, "adaptive_avg_pool1d": 1,
	"adaptive_avg_pool2d": 2, "adaptive_avg_pool3d": 3}

// averaged calls one of averages, with windows in d dimensions.
func (ev *evaluator) averaged(at script.Position, name string, d int, args arguments, x *quantized) value {
	args.positional = slices.Clone(args.positional)
	args.positional[0] = ev.dequantized(at, &quantized{data: x.data, quantum: quantum{scale: 1, zero: x.zero}})
	mean, ok := ev.averagedByQNNPACK(at, name, d, args, x)
	if !ok {
		mean = ev.tensorResult(at, name, ev.callOperator(at, name, args))
	}
	y := ev.quantize(at, mean, quantum{code: x.code, scale: 1, zero: x.zero})
	y.quantum = x.quantum
	return y
}

// averagedByQNNPACK gives means as QNNPACK does, if it does: of whole windows of one size, as the product of a sum with
// a number of f32.
func (ev *evaluator) averagedByQNNPACK(at script.Position, name string, d int, args arguments, x *quantized) (*tensor, bool) {
	dims := x.data.(*tensor).typeOf().Shape
	if !ev.model.qnnpack() || x.code != quint8 || d != 2 || len(dims) != 4 || len(args.named) > 0 || len(args.positional) < 2 {
		return nil, false
	}
	window := ev.perDimension(at, args.positional[1], d)
	stride, padding := window, []int{0, 0}
	if strings.HasPrefix(name, "adaptive") {
		for k, n := range window {
			if n < 1 || dims[2+k]%n != 0 {
				return nil, false
			}
			window[k] = dims[2+k] / n
		}
	} else {
		if len(itemsOf(args.at(2))) > 0 {
			stride = ev.perDimension(at, args.at(2), d)
		}
		if len(args.positional) > 3 {
			padding = ev.perDimension(at, args.at(3), d)
		}
		if args.at(4) == value(true) || args.at(5) == value(false) || args.at(6) != nil {
			return nil, false
		}
	}
	sum := ev.emit(at, "avg_pool2d", args.positional[0], ints(window), ints(stride), ints(padding), false, true, 1)
	scale := float32(x.scale)
	return ev.emit(at, "mul", sum, float64(scale/(scale*float32(window[0]*window[1])))), true
}
