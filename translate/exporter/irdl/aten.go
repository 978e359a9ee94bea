package irdl

import (
	"strings"

	"github.com/go-acap/acap/ops"
)

const tensor = `irdl.base "!builtin.tensor"`

// ATen returns the definitions of the aten dialect: tensors are operands, the rest attributes.
func ATen() string {
	var b strings.Builder
	b.WriteString("irdl.dialect @aten {\n")
	for _, op := range ops.All() {
		s := op.Parsed()
		define(&b, s.FullName(), atenSlots(s), resultSlots(s, tensor))
	}
	b.WriteString("}\n")
	return b.String()
}

// atenSlots are the tensors of a call, and behind them the numbers that the program is given
// when it runs.
func atenSlots(s *ops.Schema) []slot {
	var tensors, numbers []slot
	for i := range s.Params {
		switch q := &s.Params[i]; {
		case q.MayBeOpen():
			numbers = append(numbers, slot{"optional", []string{"irdl.is tensor<i64>", "irdl.is tensor<f64>"}})
		case q.Type != ops.TypeTensor:
		case q.List:
			tensors = append(tensors, listSlots(tensor)...)
		case q.Optional:
			tensors = append(tensors, slot{"optional", []string{tensor}})
		default:
			tensors = append(tensors, slot{"", []string{tensor}})
		}
	}
	return append(tensors, numbers...)
}
