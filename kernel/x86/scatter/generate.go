package scatter

import (
	"github.com/go-acap/acap/base/dtype"
	"github.com/go-acap/acap/kernel"
	"github.com/go-acap/acap/kernel/cpu"
	"github.com/go-acap/acap/kernel/portable"
	"github.com/go-acap/acap/kernel/x86/asm"
)

// generator emits the functions.
type generator struct {
	a         *asm.Assembler
	f         cpu.Features
	run       portable.ScatterRun
	size      int
	assigns   bool
	add, adds asm.Op // on an element and on vectors of them, unless it assigns
	float     bool   // add is an instruction on vector registers
}

// pick chooses the instructions. It reports false if there are none.
func (g *generator) pick(k *kernel.Scatter) bool {
	switch {
	case g.size < 4:
		return false
	case k.Fold == kernel.FoldAssign:
		g.assigns = true
		return true
	case k.Fold != kernel.FoldAdd:
		return false
	}
	switch k.Into.DType {
	case dtype.F32:
		g.add, g.adds, g.float = asm.VADDSS, asm.VADDPS, true
	case dtype.F64:
		g.add, g.adds, g.float = asm.VADDSD, asm.VADDPD, true
	case dtype.I32:
		g.add, g.adds = asm.ADD, asm.VPADDD
	case dtype.I64:
		g.add, g.adds = asm.ADD, asm.VPADDQ
	default:
		return false
	}
	return true
}

// The registers of both functions. RAX, R10 and R11 are free.
const (
	target = asm.RDX
	update = asm.RSI
	index  = asm.R8
	count  = asm.RCX
	// argument is the call.
	argument = asm.RDI
)

// enter begins a function.
func (g *generator) enter() int {
	g.a.Align(64)
	entry := g.a.Len()
	for i, r := range []asm.Reg{target, update, index, count} {
		g.a.Emit(asm.MOV, r, asm.Ptr(argument, 8*i))
	}
	return entry
}

// repeat emits body for step elements, as often as they fit into count, and then lets it
// move the pointers.
func (g *generator) repeat(step int, body func()) {
	again, done := g.a.Label(), g.a.Label()
	g.a.Emit(asm.SUB, count, asm.Imm(int64(step)))
	g.a.Emit(asm.JB, done)
	g.a.Bind(again)
	body()
	g.a.Emit(asm.SUB, count, asm.Imm(int64(step)))
	g.a.Emit(asm.JAE, again)
	g.a.Bind(done)
	g.a.Emit(asm.ADD, count, asm.Imm(int64(step)))
}

// advance moves a pointer.
func (g *generator) advance(r asm.Reg, bytes int) {
	if bytes != 0 {
		g.a.Emit(asm.ADD, r, asm.Imm(int64(bytes)))
	}
}

// fold folds the element at src into that at dst.
func (g *generator) fold(dst, src asm.Mem) {
	x := asm.Vec(16, 0)
	load := asm.VMOVSS
	if g.size == 8 {
		load = asm.VMOVSD
	}
	switch {
	case g.float:
		g.a.Emit(load, x, dst)
		g.a.Emit(g.add, x, x, src)
		g.a.Emit(load, dst, x)
	case g.assigns:
		g.a.Emit(asm.MOV, g.word(asm.R11), src)
		g.a.Emit(asm.MOV, dst, g.word(asm.R11))
	default:
		g.a.Emit(asm.MOV, g.word(asm.R11), src)
		g.a.Emit(g.add, dst, g.word(asm.R11))
	}
}

// word is the part of a register that an element fills.
func (g *generator) word(r asm.Reg) asm.Reg {
	if g.size == 4 {
		return r.Dword()
	}
	return r
}

// rowFunction emits the folding of updates side by side into elements side by side.
func (g *generator) rowFunction() int {
	const vectors = 4
	entry := g.enter()
	bytes := g.f.Level.VectorBytes()
	for _, n := range []int{vectors, 1} {
		g.repeat(n*bytes/g.size, func() {
			for i := range n {
				x := asm.Vec(bytes, i)
				g.a.Emit(asm.VMOVUPS, x, asm.Ptr(update, i*bytes))
				if !g.assigns {
					g.a.Emit(g.adds, x, x, asm.Ptr(target, i*bytes))
				}
			}
			for i := range n {
				g.a.Emit(asm.VMOVUPS, asm.Ptr(target, i*bytes), asm.Vec(bytes, i))
			}
			g.advance(target, n*bytes)
			g.advance(update, n*bytes)
		})
	}
	g.repeat(1, func() {
		g.fold(asm.Ptr(target, 0), asm.Ptr(update, 0))
		g.advance(target, g.size)
		g.advance(update, g.size)
	})
	g.a.Emit(asm.VZEROUPPER)
	g.a.Emit(asm.RET)
	return entry
}

// eachFunction emits the folding of updates with an index each. It ends at an index
// outside the axis.
func (g *generator) eachFunction() int {
	const unrolled = 4
	entry := g.enter()
	outside := g.a.Label()
	g.a.Emit(asm.MOV, asm.R10, asm.Imm(int64(g.run.Extent)))
	for _, n := range []int{unrolled, 1} {
		g.repeat(n, func() {
			for i := range n {
				g.a.Emit(asm.MOV, asm.RAX, asm.Ptr(index, 8*i*g.run.Index))
				g.a.Emit(asm.CMP, asm.RAX, asm.R10)
				g.a.Emit(asm.JAE, outside)
				if g.run.Axis != 1 {
					g.a.Emit(asm.IMUL, asm.RAX, asm.RAX, asm.Imm(int64(g.run.Axis)))
				}
				g.fold(asm.At(target, asm.RAX, g.size, i*g.run.Target*g.size),
					asm.Ptr(update, i*g.run.Update*g.size))
			}
			g.advance(index, 8*n*g.run.Index)
			g.advance(update, n*g.run.Update*g.size)
			g.advance(target, n*g.run.Target*g.size)
		})
	}
	g.a.Emit(asm.RET)
	g.a.Bind(outside)
	g.a.Emit(asm.MOV, asm.RAX, asm.Imm(1))
	g.a.Emit(asm.MOV, asm.Ptr(argument, 4*8), asm.RAX)
	g.a.Emit(asm.RET)
	return entry
}
