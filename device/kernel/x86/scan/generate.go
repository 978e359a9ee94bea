package scan

import (
	"math"

	"github.com/go-acap/acap/device/kernel"
	"github.com/go-acap/acap/device/kernel/x86/asm"
	"github.com/go-acap/acap/device/kernel/x86/cpu"
	"github.com/go-acap/acap/tensor/dtype"
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
	wide, bits := g.acc == dtype.I64, 8*g.acc.Size()
	sign := uint64(1) << (bits - 1)
	if g.k.Unsigned {
		sign = 0
	}
	switch g.k.Fold {
	case kernel.FoldAdd:
		g.op = choose(wide, asm.VPADDQ, asm.VPADDD)
		return true
	case kernel.FoldMul:
		g.op, g.identity = choose(wide, asm.VPMULLQ, asm.VPMULLD), 1
	case kernel.FoldMax:
		g.op, g.identity = choose(wide, asm.VPMAXSQ, asm.VPMAXSD), sign
		if g.k.Unsigned {
			g.op = choose(wide, asm.VPMAXUQ, asm.VPMAXUD)
		}
	case kernel.FoldMin:
		g.op, g.identity = choose(wide, asm.VPMINSQ, asm.VPMINSD), ^sign
		if g.k.Unsigned {
			g.op = choose(wide, asm.VPMINUQ, asm.VPMINUD)
		}
	default:
		return false
	}
	return !wide || g.f.Level >= cpu.AVX512
}

func choose(wide bool, yes, no asm.Op) asm.Op {
	if wide {
		return yes
	}
	return no
}

// group emits the loop over rows for n accumulators: x in RSI, out in RDX, rows in RCX,
// the accumulators' memory in RAX.
func (g *generator) group(n, stride int) {
	a := g.a
	for i, r := range []asm.Reg{asm.RSI, asm.RDX, asm.RCX, asm.RAX} {
		a.Emit(asm.MOV, r, asm.Ptr(asm.RDI, 8*i))
	}
	acc := func(i int) asm.Reg { return asm.Vec(g.bytes, i) }
	for i := range n {
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
	for i := range n {
		g.fold(acc(i), g.row(i))
		g.store(asm.Ptr(asm.RDX, i*g.between), acc(i))
	}
	a.Emit(asm.ADD, asm.RSI, asm.Imm(int64(stride)))
	a.Emit(asm.ADD, asm.RDX, asm.Imm(int64(stride)))
	a.Emit(asm.DEC, asm.RCX)
	a.Emit(asm.JNE, loop)
	for i := range n {
		a.Emit(asm.VMOVUPS, asm.Ptr(asm.RAX, i*g.bytes), acc(i))
	}
	a.Emit(asm.VZEROUPPER)
	a.Emit(asm.RET)
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
	const unordered = 3
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
