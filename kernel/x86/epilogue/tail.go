package epilogue

import (
	"github.com/go-acap/acap/kernel"
	"github.com/go-acap/acap/kernel/cpu"
	"github.com/go-acap/acap/kernel/x86/asm"
)

// loadsTail reports whether the body loads vectors for whose tail it needs a vector mask.
func (e *Epilogue) loadsTail() bool {
	if e.features.Level >= cpu.AVX512 {
		return false
	}
	for _, in := range e.body {
		if in.Op == kernel.Load && e.Ports[in.Port].Lane != 0 {
			return true
		}
	}
	return false
}

// storeTail stores the first elements of a vector without masks: halves, then what is left of one.
func (em *emitter) storeTail(m asm.Mem, r asm.Reg) {
	const half = 16
	left := em.t.Tail * em.acc.Size()
	low := r.As(half)
	if left >= half {
		em.a.Emit(asm.VMOVUPS, m, low)
		m, left = m.Plus(half), left-half
		if left == 0 {
			return
		}
		low = em.take().As(half)
		defer em.release(low.As(r.Bytes()))
		em.a.Emit(asm.VEXTRACTF128, low, r, asm.Imm(1))
	}
	if left >= 8 {
		em.a.Emit(asm.VMOVSD, m, low)
	}
	switch left {
	case 4:
		em.a.Emit(asm.VMOVSS, m, low)
	case 12:
		em.a.Emit(asm.VEXTRACTPS, m.Plus(8), low, asm.Imm(2))
	}
}
