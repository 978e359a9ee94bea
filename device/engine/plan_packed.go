package engine

import "fmt"

// packedEach returns the bytes of operands that every run brings into another form before the kernel begins, and why
// that is not done once.
func (p *Program) packedEach(s *step) (bytes int64, why string) {
	if s.fixed || s.code == nil || s.kernel == nil {
		return 0, ""
	}
	bytes = int64(s.sharedBytes())
	if d, ok := s.code.(interface{ SharedSums() int }); ok {
		bytes -= int64(d.SharedSums()) // which are no operands
	}
	if bytes == 0 {
		return 0, ""
	}
	const weights = 1 // the port that has them, if any has
	if ports := s.kernel.Ports(); len(ports) <= weights || ports[weights].Const {
		return bytes, "operand 0 varies, and lies in memory in another form than the kernel reads"
	}
	slot := &p.slots[s.slots[weights]]
	if slot.kind == slotArgument {
		return bytes, fmt.Sprintf("operand %d is input %d, which is not constant", weights, slot.index)
	}
	return bytes, fmt.Sprintf("operand %d is computed in every run", weights)
}

// packedOnce returns the bytes of operands that are packed once for each set of constant inputs.
func (s *step) packedOnce() (bytes int64) {
	for _, k := range s.packed {
		bytes += int64(k.bytes)
	}
	return bytes
}
