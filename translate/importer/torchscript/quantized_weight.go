package torchscript

import (
	"math"

	"github.com/go-acap/acap/base/buf"
	"github.com/go-acap/acap/base/dtype"
	"github.com/go-acap/acap/base/script"
)

// weightOfOneScale is what quantized_decomposed::dequantize_per_tensor gives for a matrix of weights, as
// _dequantize_groups has it, so that products read the weights packed. Values that are computed are left to the
// operator.
func (ev *evaluator) weightOfOneScale(at script.Position, args arguments) (value, bool) {
	w, ok := args.at(0).(*tensor)
	scale, ok1 := args.at(1).(float64)
	zero, ok2 := args.at(2).(int)
	if !ok || !ok1 || !ok2 || w.parameter == nil || w.written || len(args.positional) < 6 {
		return nil, false
	}
	for _, n := range args.named {
		if n.name == "out_dtype" && n.value != nil {
			return nil, false
		}
	}
	b, low := w.parameter.Data, 0
	switch {
	case len(b.Shape) != 2 || b.Len() == 0:
		return nil, false
	case b.DType == dtype.I8:
		low = math.MinInt8
	case b.DType != dtype.U8:
		return nil, false
	}
	each := func(v float64) value { // of each row
		numbers := buf.New(dtype.F32, []int{b.Shape[0], 1})
		for i := range numbers.Len() {
			numbers.SetFloat64(i, v)
		}
		return &tensor{parameter: &Parameter{Data: numbers}}
	}
	zeros := value(nil)
	if zero != 0 {
		zeros = each(float64(zero))
	}
	return ev.emit(at, "_dequantize_groups", w, each(scale), zeros, nil, 8, low, false), true
}
