package conv

import "github.com/go-acap/acap/kernel/x86/asm"

// Planes of one input channel each are short, and their rows are read and written strip by strip: the
// processor has no time to see that planes follow each other. So each tile fetches its part of the
// next plane, of the input and of the result, into the first-level cache. The last planes of a run of units are
// followed by planes of another thread, whose cache must not lose them.

// linesAhead returns how many lines of the next planes a tile fetches, 0 for none.
func (e *planeEmitter) linesAhead() int {
	bytes := ((e.H-1)*e.X.Strides[2] + e.W) * f32
	if e.depth > 1 || bytes > e.features.L1D/2 {
		return 0
	}
	tiles := pieces(e.P, e.rows) * pieces(e.Q, e.lanes)
	return pieces(pieces(bytes, 64), tiles)
}

// result returns the number of the first port that is written.
func (p *plan) result() int {
	for i, a := range p.Epilogue.Access {
		if a.Write {
			return i
		}
	}
	panic("BUG: conv: an epilogue that stores nothing")
}

// aimFetch points R12 and R10 to the next planes.
func (e *planeEmitter) aimFetch() {
	if e.linesAhead() == 0 {
		return
	}
	e.a.Emit(asm.MOV, asm.R12, asm.Ptr(asm.RDI, planeNext))
	e.a.Emit(asm.MOV, asm.R10, asm.Ptr(asm.RDI, planeNext+8))
}

// fetchNext emits the prefetches of a tile.
func (e *planeEmitter) fetchNext() {
	n := e.linesAhead()
	for i := range n {
		e.a.Emit(asm.PREFETCHT0, asm.Ptr(asm.R12, i*64))
		e.a.Emit(asm.PREFETCHW, asm.Ptr(asm.R10, i*64))
	}
	if n > 0 {
		e.a.Emit(asm.ADD, asm.R12, asm.Imm(n*64))
		e.a.Emit(asm.ADD, asm.R10, asm.Imm(n*64))
	}
}
