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
	// promoted are the constants that have a register of their own.
	promoted map[operand]asm.Reg
	uses     map[operand]int // of constants in memory, inside loops
	lowest   int             // the fewest free registers at any time
	consts   map[operand]asm.Operand

	reg     []int8  // register of each value, -1 if it has none
	slot    []int32 // spill slot of each value, -1 if it has none
	owner   [32]value
	usedAt  []int32 // positions in the list that is emitted, value by value
	usesOf  []int32 // where those of a value begin in usedAt; one more at the end
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
	list  []*instr
	saved []int8
	given registers
}

func newEmitter(s isa, a *asm.Assembler) *emitter {
	e := &emitter{isa: s, a: a, free: 1<<32 - 1, ks: 0x7c, uses: map[operand]int{}, consts: map[operand]asm.Operand{}}
	if !s.avx512 {
		e.free = 1<<16 - 1
	}
	e.lowest = 32
	for i := range e.owner {
		e.owner[i] = noValue
	}
	return e
}

// begin starts on another sequence. Values live from here to end.
func (e *emitter) begin(s *sequence) {
	e.seq = s
	e.reg, e.slot = e.reg[:0], e.slot[:0]
	for range s.kinds {
		e.reg, e.slot = append(e.reg, -1), append(e.slot, -1)
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

// run emits the instructions of the sequence that are (or are not) hoisted.
// Hoisted values stay afterwards; the others are gone.
func (e *emitter) run(before bool) {
	e.list = e.list[:0]
	for n := range e.seq.instrs {
		if i := &e.seq.instrs[n]; i.before == before {
			e.list = append(e.list, i)
		}
	}
	if !before {
		e.runLoop(func(int) {})
		return
	}
	e.plan(before)
	for n, i := range e.list {
		e.instr(i, int32(n))
	}
}

// runLoop emits the list, which is of the loop part of the sequence. Values of the loop are gone
// afterwards. each is called before every instruction.
func (e *emitter) runLoop(each func(n int)) {
	e.plan(false)
	saved := e.free
	e.saved = append(e.saved[:0], e.reg...)
	for n, i := range e.list {
		each(n)
		e.instr(i, int32(n))
	}
	e.free, e.ks = saved, 0x7c
	copy(e.reg, e.saved)
	for i := range e.owner {
		e.owner[i] = noValue
	}
	for v := range e.slot {
		if !e.hoisted(value(v)) {
			e.slot[v] = -1
		}
		if r := e.reg[v]; r >= 0 && !isMask(&e.isa, e.seq.kinds[v]) {
			e.owner[r] = value(v)
		}
	}
}

// hoisted reports whether a value was made before the loop.
func (e *emitter) hoisted(v value) bool { return e.seq.before[v] }

// plan finds the uses of every value in the list.
func (e *emitter) plan(before bool) {
	e.usesOf = append(e.usesOf[:0], make([]int32, len(e.seq.kinds)+1)...)
	e.eachUse(before, func(v value, _ int) { e.usesOf[v]++ })
	total := int32(0)
	for v, n := range e.usesOf {
		total += n
		e.usesOf[v] = total // where they end; filling them from behind, it becomes where they begin
	}
	e.usedAt = slices.Grow(e.usedAt[:0], int(total))[:total]
	e.eachUse(before, func(v value, n int) {
		e.usesOf[v]--
		e.usedAt[e.usesOf[v]] = int32(n)
	})
}

// eachUse calls f with the values that the list reads, from its end. Hoisted values that the loop reads live
// to the end.
func (e *emitter) eachUse(before bool, f func(v value, n int)) {
	visit := func(i *instr, n int) {
		for _, o := range i.src {
			if o.isValue() {
				f(o.v, n)
			}
		}
	}
	if before {
		for n := range e.seq.instrs {
			if i := &e.seq.instrs[n]; !i.before {
				visit(i, len(e.list))
			}
		}
	}
	for n, i := range slices.Backward(e.list) {
		visit(i, n)
	}
}

// after returns the next use of v after position n, or -1.
func (e *emitter) after(v value, n int32) int32 {
	for _, u := range e.usedAt[e.usesOf[v]:e.usesOf[v+1]] {
		if u > n {
			return u
		}
	}
	return -1
}

func (e *emitter) instr(i *instr, n int32) {
	e.locked, e.dying = 0, e.dying[:0]
	r := &e.given
	*r = registers{s: r.s[:0], t: r.t[:0], k: r.k[:0]}
	var loaned uint32 // registers that hold constants for this instruction only
	for k, o := range i.src {
		var given asm.Operand
		switch {
		case o == dummy:
		case !o.constant():
			given = e.fetch(o, n).Operand()
		case k == len(i.src)-1 || e.promoted[o] != 0:
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
		e.dropDead(i, n)
		e.free |= loaned
	}
	if i.dst != noValue {
		r.d = e.define(i, n)
	}
	i.emit(e, r)
	if i.early {
		e.dropDead(i, n)
		e.free |= loaned
	}
	for _, k := range r.k {
		e.ks |= 1 << k.Num()
	}
	if i.dst != noValue && e.after(i.dst, n) < 0 {
		e.drop(i.dst)
	}
}

func (e *emitter) widest() int {
	if e.avx512 {
		return 64
	}
	return 32
}

// dropDead frees the registers of sources that are not read again.
func (e *emitter) dropDead(i *instr, n int32) {
	for _, o := range i.src {
		if o.isValue() && e.after(o.v, n) < 0 && (i.before || !e.hoisted(o.v)) {
			if r := e.reg[o.v]; r >= 0 && !isMask(&e.isa, e.seq.kinds[o.v]) {
				e.dying = append(e.dying, r)
			}
			e.drop(o.v)
		}
	}
}

func (e *emitter) drop(v value) {
	r := e.reg[v]
	if r < 0 {
		return
	}
	if isMask(&e.isa, e.seq.kinds[v]) {
		e.ks |= 1 << r
	} else {
		e.free |= 1 << r
		e.owner[r] = noValue
	}
	e.reg[v] = -1
}

func (e *emitter) define(i *instr, n int32) asm.Reg {
	k := e.seq.kinds[i.dst]
	if isMask(&e.isa, k) {
		m := e.takeMask()
		e.reg[i.dst] = int8(m.Num())
		return m
	}
	if len(e.dying) > 0 && !i.early {
		// In place of the first source: multiply-adds overwrite one.
		r := asm.Vec(e.bytes(k), int(e.dying[0]))
		e.free &^= 1 << r.Num()
		e.own(i.dst, r)
		return r
	}
	r := e.take(k, n)
	e.own(i.dst, r)
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

// evict stores the value that is needed last.
func (e *emitter) evict(n int32) {
	victim, farthest := -1, int32(-1)
	for r, v := range e.owner {
		if v == noValue || e.locked&(1<<r) != 0 || e.reg[v] != int8(r) {
			continue
		}
		if e.counted && e.seq.before[v] && e.slot[v] < 0 {
			continue // its register must be the same in every pass of the loop
		}
		next := e.after(v, n-1)
		if next < 0 {
			next = 1 << 30
		}
		if next > farthest {
			victim, farthest = r, next
		}
	}
	if victim < 0 {
		panic(errPressure)
	}
	v := e.owner[victim]
	if e.slot[v] < 0 {
		e.slot[v] = int32(e.slots)
		e.slots++
		e.a.Emit(asm.VMOVUPS, e.spillAt(int(e.slot[v])), asm.Vec(e.bytes(e.seq.kinds[v]), victim))
	}
	e.drop(v)
}

// fetch returns the register of a value, reloading it if it was spilled.
func (e *emitter) fetch(o operand, n int32) asm.Reg {
	if !o.isValue() {
		return e.accs[-2-int(o.v)][e.unroll].As(e.bytes(o.kind))
	}
	k := e.seq.kinds[o.v]
	if isMask(&e.isa, k) {
		return asm.K(int(e.reg[o.v]))
	}
	if e.reg[o.v] < 0 {
		if e.slot[o.v] < 0 {
			panic("BUG: nest: value has no place")
		}
		r := e.take(k, n)
		e.a.Emit(asm.VMOVUPS, r, e.spillAt(int(e.slot[o.v])))
		e.own(o.v, r)
	}
	e.locked |= 1 << e.reg[o.v]
	return asm.Vec(e.bytes(o.kind), int(e.reg[o.v]))
}

// reserve makes sure that at least n registers are free, by spilling hoisted
// values; called between the hoisted part and the loop.
func (e *emitter) reserve(n int) {
	e.locked = 0
	for bits.OnesCount32(e.free) < n-len(e.promoted) && e.owns() {
		e.evict(-1)
	}
}

func (e *emitter) owns() bool {
	for r, v := range e.owner {
		if v != noValue && e.reg[v] == int8(r) {
			return true
		}
	}
	return false
}

// end gives back the registers of the running sequence.
func (e *emitter) end() {
	for v := range e.reg {
		e.drop(value(v))
	}
	e.seq = nil
}
