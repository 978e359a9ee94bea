package engine

import (
	"fmt"

	"github.com/go-acap/acap/device/engine/plan"
)

// packedEach returns the bytes of operands that every run brings into another form before the kernel begins, and why
// that is not done once.
func (p *Program) packedEach(s *plan.Step) (bytes int64, why string) {
	if s.Fixed || s.Code == nil || s.Kernel == nil {
		return 0, ""
	}
	bytes = int64(s.SharedBytes())
	if d, ok := s.Code.(interface{ SharedSums() int }); ok {
		bytes -= int64(d.SharedSums()) // which are no operands
	}
	if bytes == 0 {
		return 0, ""
	}
	const weights = 1 // the port that has them, if any has
	if ports := s.Kernel.Ports(); len(ports) <= weights || ports[weights].Const {
		return bytes, "operand 0 varies, and lies in memory in another form than the kernel reads"
	}
	slot := &p.Slots[s.Slots[weights]]
	if slot.Kind == plan.Argument {
		return bytes, fmt.Sprintf("operand %d is input %d, which is not constant", weights, slot.Index)
	}
	return bytes, fmt.Sprintf("operand %d is computed in every run", weights)
}
