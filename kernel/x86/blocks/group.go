package blocks

import (
	"github.com/go-acap/acap/base/dtype"
	"github.com/go-acap/acap/kernel/x86/asm"
)

// group is how blocks of a group are read.
func group(g dtype.Group) format {
	f := format{signed: g.Bits == 8 || g.Offset == dtype.Least}
	switch {
	case g.Offset == dtype.ZeroPoint:
		f.least, f.before = subtracted, true
	case g.Offset == dtype.Least:
		f.least = added
	case g.Bits == 4:
		f.zero = 8
	}
	if !f.signed {
		f.most = 15
	}
	f.numbers = func(e *emitter, c int) {
		at := g.Header() + c*chunk*g.Bits/8
		if g.Bits == 8 {
			e.emit(asm.VMOVDQU, e.w, e.at(at))
			return
		}
		e.nibbles(at)
		if f.signed {
			e.emit(asm.VPSUBB, e.w, e.w, e.bytes(8))
		}
	}
	f.scales = func(e *emitter) {
		e.emit(asm.VBROADCASTSS, e.d, e.at(0))
		if f.least != none {
			e.emit(asm.VBROADCASTSS, e.least, e.at(4))
		}
	}
	f.several = func(e *emitter, n int) {
		e.severalFloats(e.d, 0, n)
		if f.least != none {
			e.severalFloats(e.least, 4, n)
		}
		if f.before {
			e.emit(asm.VMULPS, e.least, e.least, e.d)
		}
	}
	return f
}

// severalFloats emits the f32 at a place of the blocks of n chunks to r, and zeros behind them.
func (e *emitter) severalFloats(r asm.Reg, offset, n int) {
	halves := [2]asm.Reg{r.As(16), e.t.As(16)}
	for i, x := range halves {
		count, first := min(n-4*i, 4), 4*i/e.chunks()
		switch {
		case count <= 0:
			e.emit(asm.VPXOR, x, x, x)
		case e.chunks() == 4:
			e.emit(asm.VBROADCASTSS, x, e.at(first*e.format.Bytes()+offset))
		default:
			e.emit(asm.VPXOR, x, x, x)
			for lane := range count {
				e.emit(asm.VPINSRD, x, x, e.at((first+lane)*e.format.Bytes()+offset), asm.Imm(lane))
			}
		}
	}
	e.emit(asm.VINSERTI128, r, r, halves[1], asm.Imm(1))
}
