package blocks

import "github.com/go-acap/acap/kernel/x86/asm"

// spanChunks is how many chunks a span has, which is a block of eight chunks, or several blocks of fewer: those whose
// scales fill a vector.
const spanChunks = 8

// spanBytes is the memory of a span.
func (e *emitter) spanBytes() int { return spanChunks * chunk / e.format.Block() * e.format.Bytes() }

// inSpan makes a chunk of a span what [emitter.at] is memory of, and returns its number in its block.
func (e *emitter) inSpan(span asm.Mem, c int) int {
	each := e.chunks()
	e.block = span.Plus(c / each * e.format.Bytes())
	return c % each
}

// spanScales emits the scales of n chunks as f32 to e.d or, of sixteen parts, to e.d and e.high; least values go to
// e.least and e.spare.
func (e *emitter) spanScales(n int) {
	if e.kind.parts == 0 {
		e.kind.several(e, n)
		return
	}
	e.kind.scales(e)
	if e.kind.parts == 16 {
		e.emit(asm.VPMOVSXWD, e.high, e.high.As(16))
		e.emit(asm.VCVTDQ2PS, e.high, e.high)
		e.emit(asm.VMULPS, e.high, e.high, e.d)
	}
	e.emit(asm.VPMOVSXWD, e.low, e.low.As(16))
	e.emit(asm.VCVTDQ2PS, e.low, e.low)
	e.emit(asm.VMULPS, e.d, e.low, e.d)
}
