package scan

import (
	"math"

	"github.com/go-acap/acap/base/dtype"
	"github.com/go-acap/acap/kernel"
	"github.com/go-acap/acap/kernel/cpu"
	"github.com/go-acap/acap/kernel/x86/asm"
)

// generator emits the loops.
type generator struct {
	a        *asm.Assembler
	f        cpu.Features
	k        *kernel.Scan
	bytes    int // of an accumulator's register
	between  int // bytes from an accumulator's elements to those of the next
	acc      dtype.DType
	op       asm.Op
	identity uint64 // bits in acc
	narrow   bool   // elements are f32, accumulators f64
	extreme  bool   // of floats: NaN stays
}

// pick chooses instruction, accumulator and identity; -0 is that of a floating sum. It
// reports false if there is no instruction.
func (g *generator) pick() bool {
	g.acc = g.k.X.DType
	switch g.acc {
	case dtype.F32, dtype.F64:
		return g.pickFloat()
	case dtype.I32, dtype.I64:
		return g.pickInteger()
	}
	return false
}

func (g *generator) pickFloat() bool {
	wide := g.acc == dtype.F64
	value := 0.0
	switch g.k.Fold {
	case kernel.FoldAdd:
		g.op, value = asm.VADDPD, math.Copysign(0, -1)
	case kernel.FoldMul:
		g.op, value = asm.VMULPD, 1
	case kernel.FoldMax:
		g.op, value, g.extreme = choose(wide, asm.VMAXPD, asm.VMAXPS), math.Inf(-1), true
	case kernel.FoldMin:
		g.op, value, g.extreme = choose(wide, asm.VMINPD, asm.VMINPS), math.Inf(1), true
	default:
		return false
	}
	if !g.extreme && !wide {
		g.acc, g.narrow = dtype.F64, true
	}
	g.identity = kernel.Bits(g.acc, value)
	return true
}

// pickInteger chooses among the instructions on integers; AVX2 has but the sum of 64 bits.
func (g *generator) pickInteger() bool {
	wide := g.acc == dtype.I64
	switch g.k.Fold {
	case kernel.FoldAdd:
		g.op = choose(wide, asm.VPADDQ, asm.VPADDD)
		return true
	case kernel.FoldMul:
		g.op, g.identity = choose(wide, asm.VPMULLQ, asm.VPMULLD), 1
	case kernel.FoldMax, kernel.FoldMin:
		g.op, g.identity = integerExtreme(g.k.Fold, wide, g.k.Unsigned)
	default:
		return false
	}
	return !wide || g.f.Level >= cpu.AVX512
}

// integerExtreme is the instruction for an extreme of integers, and its identity.
func integerExtreme(fold kernel.FoldKind, wide, unsigned bool) (asm.Op, uint64) {
	lowest := uint64(1) << 31
	if wide {
		lowest = 1 << 63
	}
	switch greatest := fold == kernel.FoldMax; {
	case greatest && unsigned:
		return choose(wide, asm.VPMAXUQ, asm.VPMAXUD), 0
	case greatest:
		return choose(wide, asm.VPMAXSQ, asm.VPMAXSD), lowest
	case unsigned:
		return choose(wide, asm.VPMINUQ, asm.VPMINUD), ^uint64(0)
	}
	return choose(wide, asm.VPMINSQ, asm.VPMINSD), ^lowest
}

func choose(wide bool, yes, no asm.Op) asm.Op {
	if wide {
		return yes
	}
	return no
}

// enter loads the arguments of a call: x in RSI, out in RDX, how often the loop goes round
// in RCX, the memory of accumulators in RAX, and the number of the first row in R8.
func (g *generator) enter() {
	for i, r := range []asm.Reg{asm.RSI, asm.RDX, asm.RCX, asm.RAX, asm.R8} {
		g.a.Emit(asm.MOV, r, asm.Ptr(asm.RDI, 8*i))
	}
}

// again ends a loop: x and out move on.
func (g *generator) again(loop asm.Label, x, out int) {
	g.a.Emit(asm.ADD, asm.RSI, asm.Imm(int64(x)))
	g.a.Emit(asm.ADD, asm.RDX, asm.Imm(int64(out)))
	g.a.Emit(asm.DEC, asm.RCX)
	g.a.Emit(asm.JNE, loop)
}

// leave returns from a call.
func (g *generator) leave() {
	g.a.Emit(asm.VZEROUPPER)
	g.a.Emit(asm.RET)
}

// group emits the loop over rows for n accumulators, those of elements and then those of
// positions.
func (g *generator) group(n int) {
	a := g.a
	g.enter()
	kept := n
	if g.k.Positions {
		kept = 2 * n
		g.startIndex(1)
	}
	acc := func(i int) asm.Reg { return asm.Vec(g.bytes, i) }
	for i := range kept {
		a.Emit(asm.VMOVUPS, acc(i), asm.Ptr(asm.RAX, i*g.bytes))
	}
	if g.single() && g.narrow {
		a.Emit(asm.VXORPS, g.element(n), g.element(n), g.element(n))
	}
	loop := a.Here()
	if g.single() { // a load waits for a store to a place with the same last 12 bits
		for i := range n {
			g.load(i, n)
		}
	}
	between := g.between / g.k.X.DType.Size() * g.k.Out.DType.Size()
	for i := range n {
		if to := asm.Ptr(asm.RDX, i*between); g.k.Positions {
			g.place(acc(i), acc(n+i), g.row(i))
			g.storePositions(to, acc(n+i), asm.Vec(g.bytes, most+1))
		} else {
			g.fold(acc(i), g.row(i))
			g.store(to, acc(i))
		}
	}
	if g.k.Positions {
		g.nextIndex()
	}
	g.again(loop, g.k.Inner*g.k.X.DType.Size(), g.k.Inner*g.k.Out.DType.Size())
	for i := range kept {
		a.Emit(asm.VMOVUPS, asm.Ptr(asm.RAX, i*g.bytes), acc(i))
	}
	g.leave()
}

// single reports whether an accumulator has one line, in the lowest lane.
func (g *generator) single() bool { return g.k.Inner == 1 }

// element is the register of the next element of accumulator i, if it has one line.
func (g *generator) element(i int) asm.Reg { return asm.Vec(16, most+3+i) }

// load reads the next element of accumulator i of n. The conversion leaves what it does
// not set as it is in a register that nothing changes.
func (g *generator) load(i, n int) {
	at := asm.Ptr(asm.RSI, i*g.between)
	if g.narrow {
		g.a.Emit(asm.VCVTSS2SD, g.element(i), g.element(n), at)
		return
	}
	g.a.Emit(g.move(), g.element(i), at)
}

// row returns what accumulator i folds next: where it is, or in a register.
func (g *generator) row(i int) asm.Operand {
	switch at := asm.Ptr(asm.RSI, i*g.between); {
	case g.single():
		return g.element(i)
	case g.narrow:
		x := asm.Vec(g.bytes, most)
		g.a.Emit(asm.VCVTPS2PD, x, at)
		return x
	default:
		return at
	}
}

// store writes an accumulator as elements.
func (g *generator) store(to asm.Mem, out asm.Reg) {
	if g.narrow {
		x := asm.Vec(max(g.bytes/2, 16), most)
		g.a.Emit(asm.VCVTPD2PS, x, out)
		out = x
	}
	if g.single() {
		g.a.Emit(g.move(), to, out)
		return
	}
	g.a.Emit(asm.VMOVUPS, to, out)
}

// move is the instruction that moves one element between memory and a register.
func (g *generator) move() asm.Op {
	return choose(g.k.X.DType.Size() == 8, asm.VMOVSD, asm.VMOVSS)
}

// fold folds a row into an accumulator.
func (g *generator) fold(acc asm.Reg, row asm.Operand) {
	a := g.a
	if !g.extreme {
		a.Emit(g.op, acc, acc, row)
		return
	}
	// With acc as its second source the instruction gives acc where either is NaN, so that
	// a NaN stays; one in the row is moved. That waits for acc only once.
	wide := g.acc == dtype.F64
	compare := choose(wide, asm.VCMPPD, asm.VCMPPS)
	x, ok := row.(asm.Reg)
	if !ok {
		x = asm.Vec(g.bytes, most+1)
		a.Emit(asm.VMOVUPS, x, row)
	}
	if g.f.Level >= cpu.AVX512 {
		a.Emit(compare, asm.K(1), x, x, asm.Imm(unordered))
		a.Emit(g.op, acc, x, acc)
		a.Emit(choose(wide, asm.VMOVAPD, asm.VMOVAPS), acc.Mask(asm.K(1)), x)
		return
	}
	nan := asm.Vec(g.bytes, most+2)
	a.Emit(compare, nan, x, x, asm.Imm(unordered))
	a.Emit(g.op, acc, x, acc)
	a.Emit(choose(wide, asm.VBLENDVPD, asm.VBLENDVPS), acc, acc, x, nan)
}
