package torchscript

import "github.com/go-acap/acap/base/script"

// oneHotOfData is one_hot without a number of classes, or with -1: the largest class decides, which is read and
// guarded.
func oneHotOfData(ev *evaluator, at script.Position, args arguments) (value, bool) {
	classes, ok := args.at(0).(*tensor)
	given, _ := args.get(1, "num_classes")
	if !ok || given != nil && given != -1 {
		return nil, false
	}
	largest, ok := ev.callOperator(at, "amax", arguments{positional: []value{classes}}).(*tensor)
	if !ok {
		return nil, false
	}
	n, ok := ev.scalarOf(at, largest, "the largest class").(int)
	if !ok || n < 0 {
		return nil, false
	}
	return ev.callOperator(at, "one_hot", arguments{positional: []value{classes, n + 1}}), true
}
