package emit

import (
	"encoding/binary"
	"math"
	"slices"
	"sync"

	"github.com/go-acap/acap/kernel/cpu"
	"github.com/go-acap/acap/kernel/vector"
	"github.com/go-acap/acap/kernel/vector/rule"
	"github.com/go-acap/acap/kernel/x86/asm"
)

// Scratch registers, which no value is in.
const (
	block       = asm.RDI // the call block
	scratch     = asm.RAX
	maskScratch = 1
)

// target tells allocation about a processor and a program.
type target struct {
	p          *vector.Program
	f          cpu.Features
	rules      *rule.Table
	there      rule.Needs // what rules may need, of all instructions
	values     []value
	masks      []bool // which values are in mask registers
	spare      bool   // whether a vector register is left for accesses that need one
	guards     []int  // how many of the lowest lanes each of the last mask registers has, which no value is in
	mostGuards int    // of them
	vectors    []int  // registers of values
	temporary  int    // the vector register that no value is in
}

// value has the facts of a value.
type value struct {
	found    *rule.Rule // of the instruction that makes it, once that is found
	first    asm.Reg    // of the file that it is in, as long as the value
	uses     int32      // how often it is used
	constant constant   // what it is if it is constant
}

// begin notes what allocation and rules have to know of a program.
func (t *target) begin(p *vector.Program, f cpu.Features) {
	t.p, t.f, t.rules, t.there, t.spare, t.guards = p, f, rules(), needsOf(f), false, t.guards[:0]
	t.values, t.masks = cleared(t.values, p.Values()), cleared(t.masks, p.Values())
	if f.Level == cpu.AVX512 {
		markMasks(p, t.masks)
		t.mostGuards = guardsOf(t.masks)
	}
	var first [vector.Kinds]asm.Reg
	for k := vector.F32; k < vector.Word; k++ {
		switch n := max(16, p.Bytes(k)); n {
		case 16, 32, 64: // no value is longer than a register
			first[k] = asm.Vec(n, 0)
		}
	}
	first[vector.Word] = asm.RAX
	for n := range t.values {
		v := &t.values[n]
		if v.first = first[p.Kind(vector.Value(n))]; t.masks[n] {
			v.first = asm.K(0)
		}
	}
	t.vectors = vectorRegisters[:f.Level.VectorRegisters()]
	t.note(p.Body)
	if t.spare {
		last := len(t.vectors) - 1
		t.vectors, t.temporary = t.vectors[:last], t.vectors[last]
	}
}

// note notes what the instructions of a block need and use.
func (t *target) note(b *vector.Block) {
	for _, i := range b.Instrs {
		t.count(i.Args)
		switch i.Op {
		case vector.Const:
			v := &t.values[i.Def]
			if t.p.Variable(i.Def) {
				continue
			}
			v.constant = constantOf(i)
			v.uses++ // it is needed again, as it costs nothing to make
		case vector.WordConst:
			if i.Imm > 0 {
				t.values[i.Def].constant = nonzero
			}
		case vector.Loop:
			t.count(i.Init)
			t.note(i.Body)
		case vector.Load, vector.Store, vector.LoadStrided, vector.StoreStrided:
			t.spare = t.spare || t.usesScratch(i)
			t.guard(i)
		}
	}
	t.count(b.Yield)
}

// constant says what a constant is.
type constant uint8

const (
	other   constant = iota
	zero             // +0
	nonzero          // neither a zero nor a NaN; of words, more than 0
)

func constantOf(i *vector.Instr) constant {
	x := math.Float64frombits(uint64(i.Imm))
	if i.Kind.Size() == 4 {
		x = float64(math.Float32frombits(uint32(i.Imm)))
	}
	switch {
	case i.Imm == 0:
		return zero
	case x < 0 || x > 0:
		return nonzero
	}
	return other
}

func (t *target) count(list []vector.Value) {
	for _, v := range list {
		t.values[v].uses++
	}
}

// cleared returns a list of n elements, which are 0, in the memory of a list if that suffices.
func cleared[T any](list []T, n int) []T {
	if n > cap(list) {
		return make([]T, n)
	}
	list = list[:n]
	clear(list)
	return list
}

// usesScratch reports whether an access moves elements that no single instruction moves.
func (t *target) usesScratch(i *vector.Instr) bool {
	if i.Op != vector.Load && i.Op != vector.Store && i.Op != vector.StoreStrided || t.f.Level == cpu.AVX512 {
		return false
	}
	_, _, ok := whole(t.p.Taking(i) * i.Mem.Size(i.Kind))
	return !ok || i.Op != vector.Load && i.Mem != vector.Same && i.Mem != vector.Half
}

func (t *target) File(v vector.Value) vector.File {
	switch {
	case t.p.Kind(v) == vector.Word:
		return vector.Words
	case t.masks[v]:
		return vector.Masks
	}
	return vector.Vectors
}

func (t *target) Registers(f vector.File) (list []int, room int) {
	switch {
	case f == vector.Vectors:
		return t.vectors, 4
	case f == vector.Masks:
		return maskRegisters[:len(maskRegisters)-len(t.guards)], 4
	}
	return words, 4
}

// The registers that values may be in, of vectors on the processor that has most.
var (
	words = slices.DeleteFunc(numbersBetween(0, 16), func(r int) bool {
		g := asm.RAX + asm.Reg(r)
		return g == scratch || g == block || g == asm.RSP || g == asm.RBP
	})
	maskRegisters   = numbersBetween(maskScratch+1, 8)
	vectorRegisters = numbersBetween(0, 32)
)

func numbersBetween(from, end int) (list []int) {
	for n := from; n < end; n++ {
		list = append(list, n)
	}
	return list
}

func (t *target) Shape(i, next *vector.Instr) *vector.Shape {
	if next != nil && (i.Op == vector.Load || i.Op == vector.LoadSplat) && t.folds(i, next) {
		return &foldedShape
	}
	if t.inserts(i) {
		return &insertedShape
	}
	if special := &specials[i.Op]; special.emit != nil {
		return &special.shape
	}
	if r := t.find(i); r != nil {
		return &r.Shape
	}
	panic(vector.ErrNoInstruction)
}

// The shapes of a load that the next instruction does, and of one of elements that are inserted.
var (
	foldedShape   = vector.Shape{Tied: -1, Folded: true}
	insertedShape = vector.Shape{Tied: -1, Early: true}
)

// emitter emits a program.
type emitter struct {
	target
	a      *asm.Assembler
	bytes  int // of the call block, behind which values lie in memory
	fault  int // the word of the call block that a check sets
	failed asm.Label
	checks bool
	aside  asm.Mem // where a vector waits while others change places
	loops  []loop
	load   *vector.Step // whose memory is an operand of the next instruction
	first  firstTurn    // of the steps that were emitted last in several turns

	registers []asm.Reg   // memory for the registers of an instruction
	mem       asm.Mem     // the operand that is in memory
	made      vector.Step // memory for what makes a constant again
}

type loop struct{ top, exit asm.Label }

// compile emits a program for a processor. The call block of the program has words words; the word numbered fault tells
// of faults. compile returns the bytes of the block and of the memory behind the block that the program uses.
func compile(p *vector.Program, f cpu.Features, a *asm.Assembler, words, fault int) (bytes int) {
	e := emitters.Get().(*emitter)
	code := e.allocate(p, f)
	e.a, e.bytes, e.fault, e.failed = a, (8*words+63)&^63, fault, a.Label()
	e.setGuards()
	e.aside = e.place(code.Slots)
	code.Each(e.steps)
	e.leave()
	if e.checks {
		a.Bind(e.failed)
		a.Emit(asm.MOV, scratch.Dword(), asm.Imm(1))
		a.Emit(asm.MOV, asm.Ptr(block, 8*fault), scratch)
		e.leave()
	}
	bytes = e.bytes + f.Level.VectorBytes()*(code.Slots+1)
	code.Release()
	e.release()
	return bytes
}

// allocate begins a program, and gives its values registers.
func (e *emitter) allocate(p *vector.Program, f cpu.Features) *vector.Allocation {
	e.begin(p, f)
	e.checks, e.loops, e.load = false, e.loops[:0], nil
	return vector.Allocate(p, e)
}

// release gives the emitter to the next program.
func (e *emitter) release() {
	e.p, e.a, e.made, e.first.of = nil, nil, vector.Step{}, nil
	emitters.Put(e)
}

// emitters are done with.
var emitters = sync.Pool{New: func() any { return &emitter{} }}

func (e *emitter) leave() {
	e.a.Emit(asm.VZEROUPPER)
	e.a.Emit(asm.RET)
}

// folds reports whether an instruction loads a vector that only the next one needs, which can read it from memory.
func (t *target) folds(i, next *vector.Instr) bool {
	if i.Op != vector.Load && !t.broadcasts(i, next) || t.values[i.Def].uses != 1 || specials[next.Op].emit != nil || next.Op == vector.Loop {
		return false
	}
	if i.Mem != vector.Same || t.p.Bytes(i.Kind) < 16 || !slices.Contains(next.Args, i.Def) {
		return false
	}
	if next.Def >= 0 && t.values[next.Def].uses == 0 { // it has no step
		return false
	}
	r := t.find(next)
	if r == nil || i.Count != 0 && (int(i.Count)*i.Kind.Size() != 16 || !readsLowest(r)) {
		return false
	}
	n := int(r.Shape.Memory) - 1
	return n >= 0 && next.Args[n] == i.Def
}

// broadcasts reports whether an operation can read one element into all lanes, as that before it does.
func (t *target) broadcasts(splat, next *vector.Instr) bool {
	if t.f.Level != cpu.AVX512 && !t.f.Broadcasts || splat.Op != vector.LoadSplat || !splat.Kind.IsFloat() {
		return false
	}
	switch next.Op {
	case vector.Add, vector.Sub, vector.Mul, vector.Div, vector.MulAdd, vector.MulSub, vector.NegMul:
		return true
	}
	return false
}

func (e *emitter) step(s *vector.Step) {
	switch s.Kind {
	case vector.Move:
		e.move(s.Of, s.Result, s.Source(0))
	case vector.Spill:
		e.a.Emit(e.mover(s.Of), e.place(s.Slot), e.register(s.Of, s.Source(0)))
	case vector.Reload:
		if s.Instr != nil {
			e.made = vector.Step{Instr: s.Instr, Of: s.Of, Result: s.Result}
			e.do(&e.made)
			return
		}
		e.a.Emit(e.mover(s.Of), e.register(s.Of, s.Result), e.place(s.Slot))
	case vector.Begin, vector.End, vector.Again:
	case vector.Enter:
		e.enter(s)
	case vector.Repeat:
		e.repeat(s)
	default:
		e.do(s)
	}
}

// enter begins a loop. A counter that nothing reads counts down. An end that is known is not tested.
func (e *emitter) enter(s *vector.Step) {
	l := loop{e.a.Label(), e.a.Label()}
	e.loops = append(e.loops, l)
	end := e.word(s.Source(0))
	if s.Instr.Rare {
		e.a.Emit(asm.TEST, end, end)
		e.a.Emit(asm.JE, l.exit)
		return
	}
	counter, runs := e.word(s.Result), e.values[s.Instr.Args[0]].constant == nonzero
	if e.values[s.Instr.Counter].uses == 0 {
		e.a.Emit(asm.MOV, counter, end)
	} else {
		e.a.Emit(asm.XOR, counter.Dword(), counter.Dword())
	}
	if !runs {
		e.a.Emit(asm.TEST, end, end)
		e.a.Emit(asm.JLE, l.exit)
	}
	e.a.Align(32)
	e.a.Bind(l.top)
}

func (e *emitter) repeat(s *vector.Step) {
	l := e.loops[len(e.loops)-1]
	e.loops = e.loops[:len(e.loops)-1]
	counter, step := e.word(s.Result), asm.Imm(s.Instr.Imm)
	switch {
	case s.Instr.Rare:
	case e.values[s.Instr.Counter].uses == 0:
		e.a.Emit(asm.SUB, counter, step)
		e.a.Emit(asm.JG, l.top)
	default:
		e.a.Emit(asm.ADD, counter, step)
		e.a.Emit(asm.CMP, counter, e.word(s.Source(0)))
		e.a.Emit(asm.JL, l.top)
	}
	e.a.Bind(l.exit)
}

// do emits an instruction.
func (e *emitter) do(s *vector.Step) {
	if special := &specials[s.Instr.Op]; special.emit != nil {
		special.emit(e, s)
		return
	}
	e.apply(e.find(s.Instr), s)
}

func (e *emitter) word(r int) asm.Reg { return asm.RAX + asm.Reg(r) }

func (e *emitter) vec(bytes, r int) asm.Reg { return asm.Vec(max(16, bytes), r) }

// register returns a value's register, the scratch one of its file for -1.
func (e *emitter) register(v vector.Value, r int) asm.Reg {
	if r < 0 {
		r = [...]int{vector.Words: scratch.Num(), vector.Masks: maskScratch}[e.File(v)]
	}
	return e.values[v].first + asm.Reg(r)
}

// access emits an instruction that moves an operand to another. None stands for the memory.
func (e *emitter) access(op asm.Op, to, from asm.Reg, at asm.Mem) {
	e.mem, e.registers = at, append(e.registers[:0], to, from)
	e.a.EmitVector(op, e.registers, &e.mem)
}

// mover is the instruction that moves a value between registers and memory.
func (e *emitter) mover(v vector.Value) asm.Op {
	return [...]asm.Op{vector.Vectors: asm.VMOVUPS, vector.Words: asm.MOV, vector.Masks: asm.KMOVW}[e.File(v)]
}

// move moves a value from a register to another. The scratch register of its file is -1, which for vectors is memory.
func (e *emitter) move(v vector.Value, to, from int) {
	switch vectors := e.File(v) == vector.Vectors; {
	case vectors && to < 0:
		e.a.Emit(asm.VMOVUPS, e.aside, e.register(v, from))
	case vectors && from < 0:
		e.a.Emit(asm.VMOVUPS, e.register(v, to), e.aside)
	default:
		e.registers = append(e.registers[:0], e.register(v, to), e.register(v, from))
		e.a.EmitVector(e.mover(v), e.registers, nil)
	}
}

// place is where a value lies behind the call block.
func (e *emitter) place(slot int) asm.Mem {
	return asm.Ptr(block, e.bytes+e.f.Level.VectorBytes()*slot)
}

// memory is the operand of a step that is in memory.
func (e *emitter) memory(s *vector.Step) asm.Mem {
	switch {
	case e.load != nil && e.load.Instr.Op == vector.LoadSplat:
		return e.address(e.load).Bcast()
	case e.load != nil:
		return e.address(e.load)
	case s.Made != nil:
		return e.constant(s.Made.Kind, func(int) uint64 { return uint64(s.Made.Imm) })
	}
	return e.place(s.Slot)
}

// everywhere is a vector in memory whose elements are all the same, which AVX-512 broadcasts.
func (e *emitter) everywhere(k vector.Kind, bits uint64) asm.Mem {
	if e.f.Level == cpu.AVX512 {
		if k.Size() == 8 {
			return e.a.ConstU64(bits).Bcast()
		}
		return e.a.ConstU32(uint32(bits)).Bcast()
	}
	return e.constant(k, func(int) uint64 { return bits })
}

// constant is a vector in memory.
func (e *emitter) constant(k vector.Kind, lane func(n int) uint64) asm.Mem {
	var room [64]byte
	data := room[:0]
	for n := range max(16, e.p.Bytes(k)) / k.Size() {
		data = binary.LittleEndian.AppendUint64(data, lane(n))[:(n+1)*k.Size()]
	}
	return e.a.Const(data)
}
