package torchscript

import (
	"github.com/go-acap/acap/base/dtype"
	"github.com/go-acap/acap/translate/importer/torchscript/script"
)

// rootMeanSquare is rms_norm: x · w / √(mean x² + eps) over the last dimensions, of which a list has the extents.
func rootMeanSquare(ev *evaluator, at script.Position, args arguments) (value, bool) {
	x, ok := args.at(0).(*tensor)
	dims := itemsOf(args.at(1))
	if !ok || len(dims) == 0 || !x.typeOf().DType.IsFloat() {
		return nil, false
	}
	d := x.typeOf().DType
	weight, _ := args.get(2, "weight")
	eps, _ := args.get(3, "eps")
	switch {
	case eps != nil:
	case d == dtype.F32:
		eps = 0x1p-23
	case d == dtype.F64:
		eps = 0x1p-52
	default:
		return nil, false
	}
	call := func(name string, list ...value) value {
		return ev.callOperator(at, name, arguments{positional: list})
	}
	wide := value(x)
	if d.Size() < 4 {
		wide = ev.cast(at, x, dtype.F32)
	}
	last := &list{}
	for i := range dims {
		last.items = append(last.items, i-len(dims))
	}
	square := call("mean", call("mul", wide, wide), last, true)
	y := call("mul", wide, call("rsqrt", call("add", square, eps)))
	if weight != nil {
		y = call("mul", y, weight)
	}
	return ev.cast(at, y.(*tensor), d), true
}

// batchNormOutsideTraining is native_batch_norm by running statistics.
func batchNormOutsideTraining(ev *evaluator, at script.Position, args arguments) (value, bool) {
	if len(args.positional) != 7 {
		return nil, false
	}
	p := args.positional
	return ev.callOperator(at, "native_batch_norm", arguments{positional: []value{p[0], p[1], p[2], p[3], p[4], false, p[5], p[6]}}), true
}
