package scan

import (
	"github.com/go-acap/acap/kernel"
	"github.com/go-acap/acap/kernel/cpu"
	"github.com/go-acap/acap/kernel/x86/asm"
)

// Positions are kept in lanes as wide as those of the elements and widened where they are
// stored.

// index holds the number of the next row in every lane, step by how much it grows.
func (g *generator) index() asm.Reg { return asm.Vec(g.bytes, most+7) }
func (g *generator) step() asm.Reg  { return asm.Vec(g.bytes, most) }

// wide reports whether lanes have eight bytes.
func (g *generator) wide() bool { return g.acc.Size() == 8 }

// startIndex sets the index to the number of the first row of a call.
func (g *generator) startIndex(step int) {
	low := g.index().As(16)
	g.a.Emit(asm.VMOVQ, low, asm.R8)
	g.a.Emit(choose(g.wide(), asm.VPBROADCASTQ, asm.VPBROADCASTD), g.index(), low)
	g.fill(g.step(), uint64(step))
}

// nextIndex lets the index grow.
func (g *generator) nextIndex() {
	g.a.Emit(choose(g.wide(), asm.VPADDQ, asm.VPADDD), g.index(), g.index(), g.step())
}

// fill puts a number into all lanes of x.
func (g *generator) fill(x asm.Reg, number uint64) {
	if g.wide() {
		g.a.Emit(asm.VPBROADCASTQ, x, g.a.ConstU64(number))
	} else {
		g.a.Emit(asm.VPBROADCASTD, x, g.a.ConstU32(uint32(number)))
	}
}

// place puts a row into an accumulator wherever it is the extreme, and its number into the
// position.
func (g *generator) place(acc, position asm.Reg, row asm.Operand) {
	a, x, nan := g.a, asm.Vec(g.bytes, most+1), asm.Vec(g.bytes, most+3)
	if r, ok := row.(asm.Reg); ok {
		x, nan = r.As(g.bytes), x
	} else {
		a.Emit(asm.VMOVUPS, x, row)
	}
	if g.f.Level >= cpu.AVX512 {
		at := g.replaces(x, acc)
		move := choose(g.wide(), asm.VMOVAPD, asm.VMOVAPS)
		a.Emit(move, acc.Mask(at), x)
		a.Emit(move, position.Mask(at), g.index())
		return
	}
	at := asm.Vec(g.bytes, most+2)
	blend := choose(g.wide(), asm.VBLENDVPD, asm.VBLENDVPS)
	if g.extreme {
		compare := choose(g.wide(), asm.VCMPPD, asm.VCMPPS)
		a.Emit(compare, at, x, acc, asm.Imm(g.orderly()))
		a.Emit(compare, nan, x, x, asm.Imm(unordered))
		a.Emit(asm.VORPS, at, at, nan)
		a.Emit(blend, acc, acc, x, at)
	} else {
		a.Emit(g.op, acc, acc, x)
		a.Emit(asm.VPCMPEQD, at, acc, x)
	}
	a.Emit(blend, position, position, g.index(), at)
}

// replaces gives the mask of the lanes in which x, that comes after acc, is the extreme.
func (g *generator) replaces(x, acc asm.Reg) asm.Reg {
	at, nan := asm.K(1), asm.K(2)
	if !g.extreme {
		g.a.Emit(g.op, acc, acc, x)
		g.a.Emit(choose(g.wide(), asm.VPCMPEQQ, asm.VPCMPEQD), at, acc, x)
		return at
	}
	compare := choose(g.wide(), asm.VCMPPD, asm.VCMPPS)
	g.a.Emit(compare, at, x, acc, asm.Imm(g.orderly()))
	g.a.Emit(compare, nan, x, x, asm.Imm(unordered))
	g.a.Emit(asm.KORW, at, at, nan)
	return at
}

// unordered is the comparison that holds if there is a NaN.
const unordered = 3

// orderly is the comparison, false of NaN, of an extreme with those before it.
func (g *generator) orderly() int64 {
	if g.k.Fold == kernel.FoldMax {
		return 29 // greater or equal
	}
	return 18 // less or equal
}

// storePositions writes positions as i64, with the help of another register.
func (g *generator) storePositions(to asm.Mem, positions, free asm.Reg) {
	a, store := g.a, asm.VMOVUPS
	if g.bytes == 16 {
		store = asm.VMOVSD // of one line
	}
	if g.wide() {
		a.Emit(store, to, positions)
		return
	}
	half := max(g.bytes/2, 16)
	a.Emit(asm.VPMOVSXDQ, free, positions.As(half))
	a.Emit(store, to, free)
	if g.bytes == 16 {
		return
	}
	a.Emit(choose(g.bytes == 64, asm.VEXTRACTI64X4, asm.VEXTRACTI128), free.As(half), positions, asm.Imm(1))
	a.Emit(asm.VPMOVSXDQ, free, free.As(half))
	a.Emit(store, to.Plus(g.bytes), free)
}
