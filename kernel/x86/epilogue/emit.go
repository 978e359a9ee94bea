package epilogue

import (
	"encoding/binary"

	"github.com/go-acap/acap/base/dtype"
	"github.com/go-acap/acap/kernel"
	"github.com/go-acap/acap/kernel/cpu"
	"github.com/go-acap/acap/kernel/x86/asm"
)

// Tile is a block of accumulators in registers.
type Tile struct {
	Rows, Vecs int
	Tail       int                        // elements in the last vector of a row; 0 means all
	Acc        func(row, vec int) asm.Reg // may be overwritten
	Temps      []asm.Reg                  // free vector registers, as many as New was told
	Pointers   []asm.Reg                  // general registers: the address of each port at the tile's origin
	Mask       asm.Reg                    // AVX-512 with a Tail: the mask register of its elements
}

// emitter emits the body for one vector after the other.
type emitter struct {
	*Epilogue
	a      *asm.Assembler
	t      *Tile
	row    int
	vec    int
	value  []asm.Reg // of each instruction
	free   []asm.Reg
	least  int     // the fewest registers that were ever free
	mask   asm.Reg // AVX2: vector mask of the tail
	masked bool
	isa    *instructions
}

// instructions are the mnemonics for one accumulator type.
type instructions struct {
	add, sub, mul, div, min, max, sqrt, fma asm.Op
	load, store, broadcast                  asm.Op
	maskLoad                                asm.Op // AVX2; the store is slow on processors of AMD
	unordered, blend                        asm.Op
}

var isas = map[dtype.DType]*instructions{
	dtype.F32: {
		asm.VADDPS, asm.VSUBPS, asm.VMULPS, asm.VDIVPS, asm.VMINPS, asm.VMAXPS, asm.VSQRTPS,
		asm.VFMADD213PS, asm.VMOVUPS, asm.VMOVUPS, asm.VBROADCASTSS, asm.VMASKMOVPS, asm.VCMPPS,
		asm.VBLENDVPS,
	},
	dtype.F64: {
		asm.VADDPD, asm.VSUBPD, asm.VMULPD, asm.VDIVPD, asm.VMINPD, asm.VMAXPD, asm.VSQRTPD,
		asm.VFMADD213PD, asm.VMOVUPD, asm.VMOVUPD, asm.VBROADCASTSD, asm.VMASKMOVPD, asm.VCMPPD,
		asm.VBLENDVPD,
	},
	dtype.I32: {add: asm.VPADDD, sub: asm.VPSUBD, mul: asm.VPMULLD, min: asm.VPMINSD,
		max: asm.VPMAXSD, load: asm.VMOVUPS, store: asm.VMOVUPS, broadcast: asm.VPBROADCASTD,
		maskLoad: asm.VPMASKMOVD},
	dtype.I64: {add: asm.VPADDQ, sub: asm.VPSUBQ, load: asm.VMOVUPD, store: asm.VMOVUPD,
		broadcast: asm.VPBROADCASTQ, maskLoad: asm.VPMASKMOVQ},
}

var isaRound = map[dtype.DType]asm.Op{dtype.F32: asm.VRNDSCALEPS, dtype.F64: asm.VRNDSCALEPD}

// Emit emits the epilogue for all vectors of t.
func (e *Epilogue) Emit(a *asm.Assembler, t *Tile) {
	e.emit(a, t)
}

// emit returns how many of t.Temps were used at once.
func (e *Epilogue) emit(a *asm.Assembler, t *Tile) int {
	temps := t.Temps
	em := &emitter{
		Epilogue: e, a: a, t: t, value: make([]asm.Reg, len(e.body)), isa: isas[e.acc],
		least: len(temps),
	}
	if t.Tail > 0 && e.loadsTail() {
		em.mask = temps[len(temps)-1]
		temps = temps[:len(temps)-1]
		em.least--
		a.Emit(asm.VMOVUPS, em.mask, a.Const(vectorMask(em.mask.Bytes(), e.acc.Size(), t.Tail)))
	}
	for em.row = range t.Rows {
		for em.vec = range t.Vecs {
			em.masked = t.Tail > 0 && em.vec == t.Vecs-1
			em.vector(temps)
		}
	}
	return len(t.Temps) - em.least
}

// vectorMask returns a mask for VMASKMOV: elements of all ones, then zeros.
func vectorMask(bytes, size, elements int) []byte {
	mask := make([]byte, bytes)
	for i := range elements * size {
		mask[i] = 0xFF
	}
	return mask
}

// vector emits the body for one vector.
func (em *emitter) vector(temps []asm.Reg) {
	em.free = append(em.free[:0], temps...)
	for i, in := range em.body {
		switch in.Op {
		case kernel.Input:
			em.value[i] = em.t.Acc(em.row, em.vec)
			if em.sums {
				em.a.Emit(asm.VCVTDQ2PS, em.value[i], em.value[i])
			}
			continue
		case kernel.Const: // loaded at each use
			continue
		case kernel.Store:
			em.store(in)
		default:
			em.instruction(i, in)
		}
		for _, o := range operands(in) {
			if em.dies(o, i) && em.value[o] != em.value[i] {
				em.release(em.value[o])
			}
		}
	}
}

// dies reports whether instruction i is the last that reads the register of value v.
func (em *emitter) dies(v, i int) bool {
	return em.lastUse[v] == i && em.body[v].Op != kernel.Const
}

func (em *emitter) take() asm.Reg {
	if len(em.free) == 0 {
		panic("BUG: epilogue: out of registers")
	}
	r := em.free[len(em.free)-1]
	em.free = em.free[:len(em.free)-1]
	em.least = min(em.least, len(em.free))
	return r
}

func (em *emitter) release(r asm.Reg) {
	for _, x := range em.free {
		if x == r {
			return
		}
	}
	em.free = append(em.free, r)
}

// operand returns the register of value v. A constant is loaded into one that the caller releases
// when scratch is true.
func (em *emitter) operand(v int) (r asm.Reg, scratch bool) {
	if em.body[v].Op != kernel.Const {
		return em.value[v], false
	}
	r = em.take()
	em.constant(r, em.body[v].Imm)
	return r, true
}

func (em *emitter) constant(r asm.Reg, bits uint64) {
	if bits == 0 {
		em.a.Emit(asm.VXORPS, r, r, r)
		return
	}
	data := binary.LittleEndian.AppendUint64(nil, bits)[:em.acc.Size()]
	em.a.Emit(em.isa.broadcast, r, em.a.Const(data))
}

// result picks the register of instruction i: that of an operand which dies here, or a new one.
func (em *emitter) result(i int, candidates ...int) asm.Reg {
	for _, c := range candidates {
		if em.dies(c, i) {
			return em.value[c]
		}
	}
	return em.take()
}

// instruction emits body instruction i.
func (em *emitter) instruction(i int, in kernel.Instr) {
	switch in.Op {
	case kernel.Load:
		em.value[i] = em.take()
		if isByte(in.Type) {
			em.loadByte(em.value[i], em.at(in.Port), i)
			return
		}
		em.load(em.value[i], in)
	case kernel.Add:
		em.binary(i, em.isa.add)
	case kernel.Sub:
		em.binary(i, em.isa.sub)
	case kernel.Mul:
		em.binary(i, em.isa.mul)
	case kernel.Div:
		em.binary(i, em.isa.div)
	case kernel.Min:
		em.extreme(i, em.isa.min)
	case kernel.Max:
		em.extreme(i, em.isa.max)
	case kernel.FMA:
		em.multiplyAdd(i)
	case kernel.Sqrt:
		em.unary(i, func(d, x asm.Reg) { em.a.Emit(em.isa.sqrt, d, x) })
	case kernel.RoundEven:
		em.unary(i, func(d, x asm.Reg) {
			em.a.Emit(isaRound[em.acc], d, x, asm.Imm(8)) // to the nearest even, without exceptions
		})
	case kernel.Neg:
		em.sign(i, asm.VXORPS, 1<<(8*em.acc.Size()-1))
	case kernel.Abs:
		em.sign(i, asm.VANDPS, 1<<(8*em.acc.Size()-1)-1)
	case kernel.Cast, kernel.Bitcast: // the value stays in f32; a store rounds or converts it
		em.unary(i, func(d, x asm.Reg) {
			if d != x {
				em.a.Emit(asm.VMOVAPS, d, x)
			}
		})
	}
}

func (em *emitter) unary(i int, emit func(d, x asm.Reg)) {
	x, scratch := em.operand(em.body[i].A)
	em.value[i] = em.result(i, em.body[i].A)
	emit(em.value[i], x)
	if scratch {
		em.release(x)
	}
}

func (em *emitter) binary(i int, op asm.Op) {
	in := em.body[i]
	x, xs := em.operand(in.A)
	y, ys := em.operand(in.B)
	em.value[i] = em.result(i, in.A, in.B)
	em.a.Emit(op, em.value[i], x, y)
	if xs {
		em.release(x)
	}
	if ys {
		em.release(y)
	}
}

func (em *emitter) multiplyAdd(i int) {
	in := em.body[i]
	x, xs := em.operand(in.A)
	y, ys := em.operand(in.B)
	z, zs := em.operand(in.C)
	d := em.take()
	em.value[i] = d
	em.a.Emit(asm.VMOVAPS, d, x)
	em.a.Emit(em.isa.fma, d, y, z)
	if xs {
		em.release(x)
	}
	if ys {
		em.release(y)
	}
	if zs {
		em.release(z)
	}
}

// extreme emits a minimum or maximum. VMINPS and VMAXPS return the second source if one of the two
// is NaN: a NaN of the second comes through, and one of the first needs a blend, unless the first
// is a constant. They do so as well if both are zero, of which -0 is the lesser.
func (em *emitter) extreme(i int, op asm.Op) {
	in := em.body[i]
	first, second := in.A, in.B
	if em.body[second].Op == kernel.Const {
		first, second = second, first
	}
	x, xs := em.operand(first)
	y, ys := em.operand(second)
	constant, largest := em.body[first].Op == kernel.Const, in.Op == kernel.Max
	zero := uint64(0) // that another zero gives way to
	if !largest {
		zero = 1 << (8*em.acc.Size() - 1)
	}
	bits := em.body[first].Imm
	floats, wide := em.acc.IsFloat(), em.features.Level >= cpu.AVX512
	zeros := floats && !(constant && (largest || bits != zero))
	var equal asm.Reg
	switch {
	case zeros && wide:
		em.a.Emit(em.isa.unordered, asm.K(7), x, y, asm.Imm(0))
	case zeros:
		equal = em.take()
		if largest {
			em.a.Emit(em.isa.unordered, equal, x, y, asm.Imm(4)) // not equal, or NaN
			em.a.Emit(asm.VORPS, equal, equal, x)
		} else {
			em.a.Emit(em.isa.unordered, equal, x, y, asm.Imm(0))
			em.a.Emit(asm.VANDPS, equal, equal, x)
		}
	}
	d := em.result(i, second) // not first: it is read again
	em.value[i] = d
	em.a.Emit(op, d, x, y)
	join := map[bool][3]asm.Op{false: {asm.VPORD, asm.VPORQ, asm.VORPS}, true: {asm.VPANDD, asm.VPANDQ, asm.VANDPS}}[largest]
	switch {
	case zeros && wide && em.acc == dtype.F64:
		em.a.Emit(join[1], d.Mask(asm.K(7)), d, x)
	case zeros && wide:
		em.a.Emit(join[0], d.Mask(asm.K(7)), d, x)
	case zeros:
		em.a.Emit(join[2], d, d, equal)
		em.release(equal)
	case floats && largest && bits == zero: // adding +0 changes -0 alone
		em.a.Emit(em.isa.add, d, d, x)
	}
	switch {
	case constant || !floats:
	case wide:
		em.a.Emit(em.isa.unordered, asm.K(7), x, x, asm.Imm(3))
		em.a.Emit(em.isa.load, d.Mask(asm.K(7)), x)
	default:
		nan := em.take()
		em.a.Emit(em.isa.unordered, nan, x, x, asm.Imm(3))
		em.a.Emit(em.isa.blend, d, d, x, nan)
		em.release(nan)
	}
	if xs {
		em.release(x)
	}
	if ys {
		em.release(y)
	}
}

// sign combines the value with a pattern of bits.
func (em *emitter) sign(i int, op asm.Op, bits uint64) {
	em.unary(i, func(d, x asm.Reg) {
		pattern := em.take()
		em.constant(pattern, bits)
		em.a.Emit(op, d, x, pattern)
		em.release(pattern)
	})
}

// at returns the memory of a port at the current vector.
func (em *emitter) at(port int) asm.Mem {
	p := em.Ports[port]
	lanes := em.t.Acc(0, 0).Bytes() / em.acc.Size()
	return asm.Ptr(em.t.Pointers[port], (em.row*p.Row+em.vec*lanes*p.Lane)*p.DType.Size())
}

func (em *emitter) load(d asm.Reg, in kernel.Instr) {
	p, m := em.Ports[in.Port], em.at(in.Port)
	avx512 := em.features.Level >= cpu.AVX512
	half := d.As(max(d.Bytes()/2, 16))
	switch {
	case narrow(p.DType) && p.Lane == 0:
		em.a.Emit(asm.VPBROADCASTW, half, m)
		em.widen(d, half, p.DType)
	case narrow(p.DType):
		r := half
		if em.masked {
			r = half.ZeroMask(em.t.Mask)
		}
		em.a.Emit(asm.VMOVDQU16, r, m)
		em.widen(d, half, p.DType)
	case p.Lane == 0:
		em.a.Emit(em.isa.broadcast, d, m)
	case em.masked && avx512:
		em.a.Emit(em.isa.load, d.ZeroMask(em.t.Mask), m)
	case em.masked:
		em.a.Emit(em.isa.maskLoad, d, em.mask, m)
	default:
		em.a.Emit(em.isa.load, d, m)
	}
}

// widen converts the 2-byte floats in half to f32 in d.
func (em *emitter) widen(d, half asm.Reg, t dtype.DType) {
	if t == dtype.F16 {
		em.a.Emit(asm.VCVTPH2PS, d, half)
		return
	}
	em.a.Emit(asm.VPMOVZXWD, d, half)
	em.a.Emit(asm.VPSLLD, d, d, asm.Imm(16))
}

func (em *emitter) store(in kernel.Instr) {
	m := em.at(in.Port)
	r, scratch := em.operand(in.A)
	avx512 := em.features.Level >= cpu.AVX512
	if em.masked && avx512 {
		m = m.Mask(em.t.Mask)
	}
	switch t := em.Ports[in.Port].DType; {
	case isByte(t):
		em.storeByte(m, r)
	case t == dtype.F16:
		em.a.Emit(asm.VCVTPS2PH, m, r, asm.Imm(0))
	case t == dtype.BF16:
		whole := em.take()
		half := whole.As(max(r.Bytes()/2, 16))
		em.a.Emit(asm.VCVTNEPS2BF16, half, r)
		em.a.Emit(asm.VMOVDQU16, m, half)
		em.release(whole)
	case em.masked && !avx512:
		em.storeTail(m, r)
	default:
		em.a.Emit(em.isa.store, m, r)
	}
	if scratch {
		em.release(r)
	}
}
