package nest

import (
	"errors"
	"math/bits"
	"slices"

	"github.com/go-acap/acap/kernel/x86/asm"
)

// errPressure is thrown when registers do not suffice even with spilling.
var errPressure = errors.New("too few registers")

// emitter assigns registers to a sequence and emits it. Within a sequence it
// spills the value whose next use is farthest.
type emitter struct {
	isa
	a    *asm.Assembler
	seq  *sequence
	free uint32 // vector registers
	ks   uint8  // mask registers: 1 is the tail, 7 is free for memory instructions

	numbers  *numbers
	promoted []operand     // the constants that have a register of their own
	ownReg   []asm.Reg     // of each constant; None if it has none of its own
	memory   []asm.Operand // of each constant, where it lies; nil if that is not known yet
	uses     []int         // of each constant in memory, inside loops
	lowest   int           // the fewest free registers at any time

	// rehearsal has of copies of code, which differ in displacements only, one emitted for all: weight is how many
	// it stands for.
	rehearsal bool
	weight    int

	running part    // of the sequence
	turns   bool    // two copies of the loop part in turn
	second  bool    // the instruction is of the second of them
	reg     []int8  // register of each value, -1 if it has none
	slot    []int32 // spill slot of each value, -1 if it has none
	owner   [32]value
	locked  uint32
	dying   []int8 // registers of sources that the running instruction frees
	slots   int    // spill slots in use by the kernel
	spillAt func(slot int) asm.Mem

	// Where the code being emitted stands; the memory instructions need it.
	unroll  int         // copy of the body
	tail    int         // lanes in use, 0 if all
	single  bool        // one lane: loads broadcast, stores write one element
	rowCopy int         // which of two rows
	counted bool        // constants count as used in a loop
	stream  bool        // stores go past the caches
	careful bool        // the loop takes nothing for granted, see guard
	accs    [][]asm.Reg // accumulators of the stage, for each copy of the body

	// memory of the sequence before, for the next
	saved []int8
	given registers
}

// restart makes an emitter as new, for code of a kernel whose constants have numbers.
func (e *emitter) restart(s isa, a *asm.Assembler, c *numbers) {
	*e = emitter{isa: s, a: a, free: 1<<32 - 1, ks: 0x7c, lowest: 32, weight: 1, numbers: c,
		ownReg: zeroed(e.ownReg, len(c.list)), memory: zeroed(e.memory, len(c.list)), uses: zeroed(e.uses, len(c.list)),
		reg: e.reg, slot: e.slot, saved: e.saved, dying: e.dying, given: e.given}
	if !s.avx512 {
		e.free = 1<<16 - 1
	}
	for i := range e.owner {
		e.owner[i] = noValue
	}
}

// times calls f for each of n copies of code that differ in displacements only.
func (e *emitter) times(n int, f func(c int)) {
	if e.rehearsal {
		e.weight *= n
		f(0)
		e.weight /= n
		return
	}
	for c := range n {
		f(c)
	}
}

// begin starts on another sequence. Values live from here to end.
func (e *emitter) begin(s *sequence) {
	e.seq = s
	values := len(s.kinds)
	if s.twins {
		values *= 2
	}
	e.reg, e.slot = slices.Grow(e.reg[:0], values)[:values], slices.Grow(e.slot[:0], values)[:values]
	for v := range values {
		e.reg[v], e.slot[v] = -1, -1
	}
}

// pin takes a register that stays until release.
func (e *emitter) pin(k kind) asm.Reg {
	if e.free == 0 {
		panic(errPressure)
	}
	n := bits.TrailingZeros32(e.free)
	e.free &^= 1 << n
	e.note()
	return asm.Vec(e.bytes(k), n)
}

func (e *emitter) release(r asm.Reg) { e.free |= 1 << r.Num() }

func (e *emitter) note() { e.lowest = min(e.lowest, bits.OnesCount32(e.free)) }

func isMask(e *isa, k kind) bool { return k == mask && e.avx512 }

// run emits the instructions of a part of the sequence. Hoisted values stay afterwards; the others are gone.
func (e *emitter) run(p part) {
	e.running = p
	if p == hoisted {
		for n, i := range e.seq.parts[p] {
			e.instr(i, int32(n))
		}
		return
	}
	saved := e.enterLoop()
	for n, i := range e.seq.parts[p] {
		e.instr(i, int32(n))
	}
	e.leaveLoop(saved)
}

// enterLoop notes where hoisted values are and returns the free registers.
func (e *emitter) enterLoop() (free uint32) {
	e.saved = append(e.saved[:0], e.reg[:len(e.seq.kinds)]...)
	return e.free
}

// leaveLoop forgets the values of the loop.
func (e *emitter) leaveLoop(free uint32) {
	e.free, e.ks = free, 0x7c
	for i := range e.owner {
		e.owner[i] = noValue
	}
	values := len(e.saved)
	copy(e.reg, e.saved)
	for v, r := range e.saved {
		if r >= 0 && !isMask(&e.isa, e.seq.kinds[v]) {
			e.owner[r] = value(v)
		}
		if !e.seq.before[v] {
			e.slot[v] = -1
		}
	}
	for v := values; v < len(e.reg); v++ {
		e.reg[v], e.slot[v] = -1, -1
	}
}

// copied is the value in the copy that the running instruction is of.
func (e *emitter) copied(v value) value {
	if e.second && !e.seq.before[v] {
		v += value(len(e.seq.kinds))
	}
	return v
}

// original is the value of which v is a copy, or v.
func (e *emitter) original(v value) value {
	if n := value(len(e.seq.kinds)); v >= n {
		return v - n
	}
	return v
}

func (e *emitter) kindOf(v value) kind { return e.seq.kinds[e.original(v)] }

// hoisted reports whether a value was made before the loop.
func (e *emitter) hoisted(v value) bool { return e.seq.before[e.original(v)] }

// instr emits the instruction at place n of the running part.
func (e *emitter) instr(i *instr, n int32) {
	e.locked, e.dying = 0, e.dying[:0]
	r := &e.given
	r.d, r.s, r.t, r.k = asm.None, r.s[:0], r.t[:0], r.k[:0]
	var loaned uint32 // registers that hold constants for this instruction only
	for k, o := range i.src {
		var given asm.Operand
		switch {
		case o == dummy:
		case !o.constant():
			given = e.fetch(o, n).Operand()
		case k == len(i.src)-1 || e.ownReg[o.number] != asm.None:
			given = e.constOperand(o)
		default:
			d := e.take(o.kind, n)
			e.loadConst(d, o)
			given = d.Operand()
			e.locked |= 1 << d.Num()
			loaned |= 1 << d.Num()
		}
		r.s = append(r.s, given)
	}
	for range i.temps {
		t := e.take(i64, n)
		e.locked |= 1 << t.Num()
		loaned |= 1 << t.Num()
		r.t = append(r.t, asm.Vec(e.widest(), t.Num()))
	}
	for range i.masks {
		r.k = append(r.k, e.takeMask())
	}
	if !i.early {
		e.dropDead(i)
		e.free |= loaned
	}
	if i.dst != noValue {
		r.d = e.define(i, n)
	}
	i.emit(e, r)
	if i.early {
		e.dropDead(i)
		e.free |= loaned
	}
	for _, k := range r.k {
		e.ks |= 1 << k.Num()
	}
	if i.unread {
		e.drop(e.copied(i.dst))
	}
}

func (e *emitter) widest() int {
	if e.avx512 {
		return 64
	}
	return 32
}

// dropDead frees the registers of sources that are not read again.
func (e *emitter) dropDead(i *instr) {
	for dies, k := i.dies, 0; dies != 0; dies, k = dies>>1, k+1 {
		if dies&1 == 0 {
			continue
		}
		v := e.copied(i.src[k].v)
		if r := e.reg[v]; r >= 0 && !isMask(&e.isa, e.kindOf(v)) {
			e.dying = append(e.dying, r)
		}
		e.drop(v)
	}
}

func (e *emitter) drop(v value) {
	r := e.reg[v]
	if r < 0 {
		return
	}
	if isMask(&e.isa, e.kindOf(v)) {
		e.ks |= 1 << r
	} else {
		e.free |= 1 << r
		e.owner[r] = noValue
	}
	e.reg[v] = -1
}

func (e *emitter) define(i *instr, n int32) asm.Reg {
	k, v := e.seq.kinds[i.dst], e.copied(i.dst)
	if isMask(&e.isa, k) {
		m := e.takeMask()
		e.reg[v] = int8(m.Num())
		return m
	}
	if len(e.dying) > 0 && !i.early {
		// In place of the first source: multiply-adds overwrite one.
		r := asm.Vec(e.bytes(k), int(e.dying[0]))
		e.free &^= 1 << r.Num()
		e.own(v, r)
		return r
	}
	r := e.take(k, n)
	e.own(v, r)
	return r
}

func (e *emitter) own(v value, r asm.Reg) {
	e.reg[v] = int8(r.Num())
	e.owner[r.Num()] = v
}

func (e *emitter) takeMask() asm.Reg {
	if e.ks == 0 {
		panic(errPressure)
	}
	n := bits.TrailingZeros8(e.ks)
	e.ks &^= 1 << n
	return asm.K(n)
}

// take returns a free register, spilling if there is none.
func (e *emitter) take(k kind, n int32) asm.Reg {
	if e.free == 0 {
		e.evict(n)
	}
	r := bits.TrailingZeros32(e.free)
	e.free &^= 1 << r
	e.note()
	return asm.Vec(min(e.bytes(k), e.widest()), r)
}

// fetch returns the register of a value, reloading it if it was spilled.
func (e *emitter) fetch(o operand, n int32) asm.Reg {
	if !o.isValue() {
		return e.accs[-2-int(o.v)][e.unroll].As(e.bytes(o.kind))
	}
	k, v := e.seq.kinds[o.v], e.copied(o.v)
	if isMask(&e.isa, k) {
		return asm.K(int(e.reg[v]))
	}
	if e.reg[v] < 0 {
		if e.slot[v] < 0 {
			panic("BUG: nest: value has no place")
		}
		r := e.take(k, n)
		e.a.Emit(asm.VMOVUPS, r, e.spillAt(int(e.slot[v])))
		e.own(v, r)
	}
	e.locked |= 1 << e.reg[v]
	return asm.Vec(e.bytes(o.kind), int(e.reg[v]))
}

// end gives back the registers of the running sequence.
func (e *emitter) end() {
	for v := range e.reg {
		e.drop(value(v))
	}
	e.seq = nil
}
