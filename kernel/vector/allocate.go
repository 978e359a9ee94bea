package vector

import (
	"errors"
	"math"
	"math/bits"
	"slices"
	"sync"
)

// ErrPressure is the panic of [Allocate] where a loop carries more values than there are registers.
var ErrPressure = errors.New("vector: too few registers")

// Allocation is a program with registers.
type Allocation struct {
	Steps []Step
	Slots int // of a vector each, for values in memory
	by    *allocator
}

// Release gives the memory of an allocation, which nothing reads any more, to the next ones.
func (a *Allocation) Release() {
	by := a.by
	clear(by.constants)
	clear(by.repeats)
	by.out, by.t, by.p = Allocation{Steps: a.Steps[:0]}, nil, nil
	allocators.Put(by)
}

// Carried returns the register of value n that a loop carries, whose step is given.
func (a *Allocation) Carried(s *Step, n int) int { return int(a.by.carried[int(s.carried)+n]) }

// allocators have memory of allocations that are done with.
var allocators = sync.Pool{New: func() any { return &allocator{} }}

// Allocate gives every value of a program a register, in one pass over the code. Where no register is free, the value
// that is needed last goes to memory, or is made again if it is constant. A value is written to memory where it is
// defined, so that a loop may begin and end with the value in memory or in a register. At the end of a loop's body all
// values that the next turn expects in registers are in these registers again.
func Allocate(p *Program, t Target) *Allocation {
	a := allocators.Get().(*allocator)
	a.p, a.t, a.at, a.folded = p, t, 0, -1
	a.values = longer(a.values, len(p.kinds))
	fresh := valueState{reg: -1, slot: -1, turns: -1, next: -1}
	for n := range a.values {
		v := &a.values[n]
		*v = fresh
		v.file = t.File(Value(n))
	}
	for _, v := range p.variables {
		a.values[v].variable, a.values[v].busy = true, 1
	}
	a.uses, a.constants, a.carried = longer(a.uses, 2*len(p.kinds))[:0], a.constants[:0], a.carried[:0]
	for f := range a.files {
		a.files[f] = newFile(t.Registers(File(f)))
	}
	a.reads, a.ranges, a.open = a.reads[:0], a.ranges[:0], a.open[:0]
	a.repeats, a.kept, a.spills = a.repeats[:0], a.kept[:0], a.spills[:0]
	a.number(p.Body)
	a.out.Steps = longer(a.out.Steps, int(a.at))[:0] // there are about as many as instructions
	a.at, a.loops = 0, 0
	a.block(p.Body)
	a.out.by = a
	a.spillAll()
	return &a.out
}

// longer returns a list of n elements that begins with the elements of list.
func longer[T any](list []T, n int) []T {
	if n <= cap(list) {
		return list[:n]
	}
	return append(list[:cap(list)], make([]T, n-cap(list))...)
}

// never is the number of an instruction behind all others.
const never = math.MaxInt32

type allocator struct {
	p      *Program
	t      Target
	out    Allocation
	files  [files]file
	values []valueState
	uses   []use // of all values
	at     int32 // the number of the running instruction

	constants []*Instr // that values are, which can be made again
	carried   []int8   // the registers of what loops carry

	// The values that loops read from outside: a part of a list for each loop, in the order in which they begin.
	reads  []Value
	ranges [][2]int
	open   []openLoop
	loops  int // that have begun

	folded Value // what the last instruction loads, if that is folded, else -1

	live  []liveValue // when a turn begins, of the loops that are open
	moves []transfer

	repeats []repeated
	kept    []liveValue // of them

	spills []int32 // the steps that define values which memory must have, once for each value
	spill  []Step  // behind one of them
	moved  movedSteps
}

// liveValue is a value in a register.
type liveValue struct {
	of    Value
	reg   int
	stays bool // at the end of the turn
	read  bool // by the loop, from outside
}

// valueState is the allocator's state of a value.
type valueState struct {
	made     int32 // 1 + the number of the constant that it is, 0 if it is none
	next     int32 // its first use at or behind the running instruction, or an earlier use; -1 if it has none
	end      int32 // its last use, if it has one
	last     int32 // the number of the instruction of the last use, 0 if it has none
	busy     int32 // the number of its uses
	from     int32 // the number of the instruction that defines it
	again    int32 // the number of the last instruction that reads it more than once
	place    int32 // among the parameters of its loop
	noted    int32 // the last loop that has noted that it reads the value, 0 if none has
	by       int64 // how far a turn of a repeated body moves it, 0 if it is no address that moves
	turns    Value // the parameter of the next turn that it becomes, -1 if none
	step     int32 // that defines it, once there is one
	slot     int32 // in memory, -1 if it has none
	reg      int8  // -1 if it is in memory or nowhere
	file     File
	variable bool // which stays in its register from where it is set first to where it is read last
}

func (a *allocator) file(v Value) *file { return &a.files[a.values[v].file] }

// constant returns the instruction that makes a value if that can be done again, nil for another one.
func (a *allocator) constant(v Value) *Instr {
	if made := a.values[v].made; made > 0 {
		return a.constants[made-1]
	}
	return nil
}

// from is the source of a step that has one.
func from(r int) [4]int8 { return [4]int8{int8(r)} }

// emit appends a step.
func (a *allocator) emit(s *Step) { *a.step() = *s }

// step appends a step, to be written before the next one.
func (a *allocator) step() *Step {
	n := len(a.out.Steps)
	a.out.Steps = longer(a.out.Steps, n+1)
	return &a.out.Steps[n]
}

// defines notes that the last step defines a value.
func (a *allocator) defines(v Value) { a.values[v].step = int32(len(a.out.Steps) - 1) }

// free drops a value's register.
func (a *allocator) free(v Value) {
	if r := a.values[v].reg; r >= 0 {
		a.file(v).drop(int(r))
		a.values[v].reg = -1
	}
}

func (a *allocator) own(v Value, r int) {
	s := &a.values[v]
	s.reg = int8(r)
	f := &a.files[s.file]
	if f.own(r, v); s.variable {
		f.pinned |= 1 << r
	}
}

// take returns a register of a file that nothing is in, after moving something to memory if need be.
func (a *allocator) take(f *file) int {
	if ready := f.ready(); ready != 0 {
		r := bits.TrailingZeros32(ready)
		f.taken |= 1 << r
		return r
	}
	victim, farthest := -1, int32(-1)
	for _, r := range f.all {
		v := f.owner[r]
		if v < 0 || f.isLocked(r) {
			continue
		}
		n := a.next(v, a.at+1)
		if a.values[v].made > 0 && n < never {
			n += n - a.at // making it again costs little
		}
		if n > farthest {
			victim, farthest = r, n
		}
	}
	if victim < 0 {
		panic(ErrPressure)
	}
	v := f.owner[victim]
	if farthest < never {
		a.remember(v)
	}
	a.free(v)
	f.taken |= 1 << victim
	return victim
}

// remember has a value in memory.
func (a *allocator) remember(v Value) {
	if s := &a.values[v]; s.slot < 0 && s.made == 0 {
		s.slot = int32(a.out.Slots)
		a.out.Slots++
		a.spills = append(a.spills, s.step)
	}
}

// fetch returns the register of a value, and locks it.
func (a *allocator) fetch(v Value) int {
	f := a.file(v)
	r := int(a.values[v].reg)
	if r < 0 {
		r = a.take(f)
		a.reload(v, r)
		a.own(v, r)
	}
	f.lock(r)
	return r
}

// stays reports whether an operand is better read from memory: it is there, and no register is free.
func (a *allocator) stays(v Value) bool {
	s := &a.values[v]
	return s.reg < 0 && a.files[s.file].ready() == 0 && (s.made == 0 || a.constant(v).Op == Const)
}

// reload writes the step that has a value in a register again.
func (a *allocator) reload(v Value, r int) {
	s := &a.values[v]
	if s.made == 0 && s.slot < 0 {
		panic("BUG: vector: a value is nowhere")
	}
	a.emit(&Step{Kind: Reload, Of: v, Instr: a.constant(v), Result: r, Slot: int(s.slot)})
}

func (a *allocator) unlock() {
	for n := range a.files {
		a.files[n].locked = 0
	}
}

func (a *allocator) block(b *Block) {
	for n, i := range b.Instrs {
		a.at++
		switch {
		case i.Op != Loop:
		case i.Again != nil:
			a.again(i)
			continue
		default:
			a.loop(i)
			continue
		}
		if i.Def >= 0 && a.values[i.Def].busy == 0 && ops[i.Op].pure { // nothing reads it
			a.release(i)
			continue
		}
		if i.Def >= 0 && a.values[i.Def].made > 0 && a.next(i.Def, a.at+1) > a.at+8 {
			continue // it is made where it is needed
		}
		var next *Instr
		if n+1 < len(b.Instrs) {
			next = b.Instrs[n+1]
		}
		a.instr(i, a.t.Shape(i, next))
	}
}

func (a *allocator) instr(i *Instr, s *Shape) {
	source, all := a.sources(i)
	slot, made := -1, (*Instr)(nil)
	if !all {
		slot, made = a.bringSources(i, &source, s)
	}
	step := a.step()
	*step = Step{} // whose bytes are not copied from elsewhere
	step.Instr, step.Of, step.Result, step.source, step.Slot, step.Made = i, i.Def, -1, source, slot, made
	a.folded = -1
	if s.Folded { // what the address needs stays where it is until the next instruction has read it
		a.folded = i.Def
		a.release(i)
		return
	}
	a.loan(Vectors, step.vector[:s.Vectors])
	a.loan(Words, step.word[:s.Words])
	if i.Def >= 0 {
		step.Result = a.result(i, s)
		a.defines(i.Def)
	}
	a.release(i)
	a.unlock()
	if i.Def >= 0 && !a.ends(i.Def) {
		a.own(i.Def, step.Result)
	}
}

// result returns the register of an instruction's result, which may be the register of an operand that ends.
func (a *allocator) result(i *Instr, s *Shape) int {
	f := a.file(i.Def)
	r := -1
	if d := &a.values[i.Def]; d.variable && d.reg >= 0 {
		if slices.Contains(i.Args, i.Def) && (s.Early || s.Tied >= 0 && i.Args[s.Tied] != i.Def) {
			panic("BUG: vector: a variable is written before it is read")
		}
		return int(d.reg)
	}
	if s.Tied >= 0 && a.ends(i.Args[s.Tied]) && a.file(i.Args[s.Tied]) == f {
		// The same operand may be read elsewhere by the instruction: then it must not be overwritten first.
		if t := i.Args[s.Tied]; a.once(t) {
			r = int(a.values[t].reg)
			a.free(t)
		}
	}
	if r < 0 && !s.Early && s.Tied < 0 {
		if v := a.values[i.Def].turns; slices.Contains(i.Args, v) { // whose register is best
			r = a.inherit(v, f)
		}
		for n := 0; n < len(i.Args) && r < 0; n++ {
			r = a.inherit(i.Args[n], f)
		}
	}
	if r < 0 {
		r = a.take(f)
	}
	return r
}

// sources notes the registers of the operands that are in some, which stay there, and reports whether all are.
func (a *allocator) sources(i *Instr) (source [4]int8, all bool) {
	all = true
	for n, v := range i.Args {
		s := &a.values[v]
		source[n] = s.reg
		if s.reg < 0 {
			all = false
			continue
		}
		a.files[s.file].lock(int(s.reg))
	}
	return source, all
}

// bringSources gives the other operands registers, but for what the instruction reads from memory, whose place it returns.
func (a *allocator) bringSources(i *Instr, source *[4]int8, s *Shape) (slot int, made *Instr) {
	for n, v := range i.Args {
		switch {
		case source[n] >= 0 || v == a.folded:
		case n+1 == int(s.Memory) && a.once(v) && a.stays(v):
			slot, made = int(a.values[v].slot), a.constant(v)
		default:
			source[n] = int8(a.fetch(v))
		}
	}
	return slot, made
}

// inherit returns the register of a value that ends, -1 if there is none or if the register is of another file.
func (a *allocator) inherit(v Value, f *file) int {
	r := int(a.values[v].reg)
	if r < 0 || !a.ends(v) || a.file(v) != f {
		return -1
	}
	a.free(v)
	return r
}

// loan takes registers of a file for the running instruction.
func (a *allocator) loan(f File, list []int8) {
	for k := range list {
		r := a.take(&a.files[f])
		a.files[f].lock(r)
		list[k] = int8(r)
	}
}

// once reports whether the running instruction reads a value, which is one of its operands, no more than once.
func (a *allocator) once(v Value) bool { return a.values[v].again != a.at }

// release frees the operands that are not used again.
func (a *allocator) release(i *Instr) {
	for _, v := range i.Args {
		if a.ends(v) {
			a.free(v)
		}
	}
}

// spillAll writes the values that memory must have to it, where they are defined: each of them once.
func (a *allocator) spillAll() {
	slices.Sort(a.spills)
	n, more := len(a.out.Steps), a.out.Slots
	steps := longer(a.out.Steps, n+more)
	a.out.Steps = steps
	for _, step := range slices.Backward(slices.Compact(a.spills)) { // from the end, where there is room
		at := int(step) + 1
		copy(steps[at+more:], steps[at:n])
		n = at
		a.spill = a.spill[:0]
		a.defined(&steps[step], func(v Value, r int) {
			a.spill = append(a.spill, Step{Kind: Spill, Of: v, source: from(r), Slot: int(a.values[v].slot)})
		})
		more -= copy(steps[at+more-len(a.spill):], a.spill)
	}
}

// defined calls f for each value that a step defines and memory must have, with the value's register.
func (a *allocator) defined(s *Step, f func(v Value, r int)) {
	each := func(v Value, r int) {
		if v >= 0 && a.values[v].slot >= 0 {
			f(v, r)
		}
	}
	switch s.Kind {
	case Do:
		each(s.Of, s.Result)
	case Enter, Begin:
		each(s.Instr.Counter, s.Result)
		for n, v := range s.Instr.Params {
			each(v, a.out.Carried(s, n))
		}
	case Repeat, End, Again:
		for n, v := range s.Instr.Results {
			each(v, a.out.Carried(s, n))
		}
	}
}
