package torchscript

import (
	"github.com/go-acap/acap/base/script"
	"github.com/go-acap/acap/translate/importer/torchscript/pickle"
)

// Models that were optimized for mobile devices have their layers prepared for XNNPACK: the weight, the bias, the
// numbers of a convolution, and the bounds between which results are kept. Any of these may be missing.

// prepacked reads the state of a packed layer as the layer.
func (o *objects) prepacked(call *pickle.Object, g *pickle.Global) value {
	state, _ := o.value(call.State, call.Offset).(*tuple)
	size := map[string]int{"LinearOpContext": 4, "Conv2dOpContext": 8, "TransposeConv2dOpContext": 9}[g.Name]
	if size == 0 || state == nil || len(state.items) != size {
		o.fail(call.Offset, "prepared parameters of class %s are malformed or not supported", g)
	}
	o.memo[call] = state
	return state
}

// prepackedForms are the operators on prepared layers: prepack gives what run takes.
func prepackedForms() map[string]substitute {
	pack := func(size int) substitute {
		return func(_ *evaluator, _ script.Position, args arguments) (value, bool) {
			state := &tuple{items: make([]value, size)}
			copy(state.items, args.positional)
			return state, len(args.positional) >= size-2 && len(args.positional) <= size
		}
	}
	// run calls an operator on the input, the weight, the bias and what lies behind them but for the bounds.
	run := func(operator string, size int, order func(s []value) []value) substitute {
		return func(ev *evaluator, at script.Position, args arguments) (value, bool) {
			s := itemsOf(args.at(1))
			if len(args.positional) != 2 || len(s) != size {
				return nil, false
			}
			x := ev.tensorAt(at, args, 0)
			y := ev.callOperator(at, operator, arguments{positional: append([]value{x}, order(s)...)})
			if low, high := s[size-2], s[size-1]; low != nil || high != nil {
				y = ev.callOperator(at, "clamp", arguments{positional: []value{y, low, high}})
			}
			return y, true
		}
	}
	same := func(s []value) []value { return s[:len(s)-2] }
	transposed := func(s []value) []value { return []value{s[0], s[1], s[2], s[3], s[4], s[6], s[5]} }
	return map[string]substitute{
		"prepacked::linear_clamp_prepack": pack(4), "prepacked::linear_clamp_run": run("linear", 4, same),
		"prepacked::conv2d_clamp_prepack": pack(8), "prepacked::conv2d_clamp_run": run("conv2d", 8, same),
		"prepacked::conv2d_transpose_clamp_prepack": pack(9),
		"prepacked::conv2d_transpose_clamp_run":     run("conv_transpose2d", 9, transposed),
	}
}
