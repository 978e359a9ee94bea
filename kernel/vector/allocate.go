package vector

import (
	"errors"
	"slices"
	"sync"
)

// ErrPressure is the panic of [Allocate] where a loop carries more values than there are registers.
var ErrPressure = errors.New("vector: too few registers")

// Shape is what an instruction needs of the registers.
type Shape struct {
	Tied    int // the operand that the result replaces, -1 if none
	Vectors int // vector registers beside its operands and result
	Words   int // general registers likewise
	Early   bool
	// Early says that the result is written before all operands are read, so that it may share the register of the
	// tied one only.
	Memory int // 1 + the operand that may be in memory, 0 if none may
}

// File is registers of a sort.
type File uint8

// The files of registers.
const (
	Vectors File = iota
	Words
	Masks
	files
)

// Target is what allocation has to know of a processor.
type Target interface {
	// Shape returns what an instruction needs.
	Shape(p *Program, i *Instr) Shape
	// File returns the registers that a value may be in.
	File(v Value) File
	// Registers returns the registers of a file. room is the number of registers that a loop has for computed values
	// when the values from outside occupy the other registers.
	Registers(f File) (list []int, room int)
}

// StepKind says what a step of allocated code is.
type StepKind uint8

// The kinds of steps.
const (
	Do     StepKind = iota // the instruction
	Move                   // Source[0] to Result
	Reload                 // Result from Slot, or from the instruction that makes a constant
	Spill                  // Source[0] to Slot
	Enter                  // of a loop: Result is the counter, Source[0] its end
	Repeat                 // of the same loop
)

// Step is an instruction with its registers. Those of words and of vectors are counted apart.
type Step struct {
	Kind   StepKind
	Instr  *Instr
	Of     Value // that is moved
	Result int
	Source []int
	Vector []int // registers for the moment
	Word   []int
	Slot   int
	Made   *Instr // with a source of -1, which is an operand in memory: the constant, nil if it is in Slot
}

// Allocation is a program with registers.
type Allocation struct {
	Steps []Step
	Slots int // of a vector each, for values in memory
	by    *allocator
}

// Release gives the memory of an allocation, which nothing reads any more, to the next ones.
func (a *Allocation) Release() {
	by := a.by
	clear(a.Steps) // what they hold on to
	clear(by.spare)
	clear(by.made)
	clear(by.reads)
	by.out, by.spare, by.t, by.p = Allocation{Steps: a.Steps[:0]}, by.spare[:0], nil, nil
	allocators.Put(by)
}

// allocators have memory of allocations that are done with.
var allocators = sync.Pool{New: func() any { return &allocator{reads: map[*Instr][]Value{}} }}

// Allocate gives every value of a program a register, in one pass over the code. Where no register is free, the value
// that is needed last goes to memory, or is made again if it is constant. A value is written to memory where it is
// defined, so that a loop may begin and end with the value in memory or in a register. At the end of a loop's body all
// values that the next turn expects in registers are in these registers again.
func Allocate(p *Program, t Target) *Allocation {
	a := allocators.Get().(*allocator)
	values := len(p.kinds)
	a.p, a.t, a.at, a.used = p, t, 0, 0
	a.reg, a.slot, a.turns = longer(a.reg, values), longer(a.slot, values), longer(a.turns, values)
	a.from, a.made, a.uses = longer(a.from, values), longer(a.made, values), longer(a.uses, values)
	for v := range values {
		a.reg[v], a.slot[v], a.turns[v], a.from[v], a.made[v], a.uses[v] = -1, -1, -1, 0, nil, a.uses[v][:0]
	}
	for f := range a.files {
		a.files[f] = newFile(t.Registers(File(f)))
	}
	a.number(p.Body)
	a.at = 0
	a.block(p.Body)
	a.spill()
	a.out.by = a
	return &a.out
}

// longer returns a list of n elements that begins with those of list.
func longer[T any](list []T, n int) []T {
	if n <= cap(list) {
		return list[:n]
	}
	return append(list[:cap(list)], make([]T, n-cap(list))...)
}

// never is the number of an instruction behind all others.
const never = 1 << 60

type allocator struct {
	p     *Program
	t     Target
	out   Allocation
	spare []Step // memory for steps
	files [files]file
	reg   []int // of each value, -1 if it is in memory or nowhere
	slot  []int // in memory, -1 if it has none
	uses  [][]int
	made  []*Instr // the instruction that makes a value, if that can be done again
	from  []int    // the number of the instruction that defines a value
	turns []Value  // the parameter of the next turn that a value becomes, -1 if none
	reads map[*Instr][]Value
	at    int   // the number of the running instruction
	room  []int // memory for registers of steps
	used  int   // of it
}

func (a *allocator) file(v Value) *file { return &a.files[a.t.File(v)] }

// registers keeps a list of n registers for a step.
func (a *allocator) registers(n int) []int {
	if n == 0 {
		return nil
	}
	if a.used+n > len(a.room) {
		a.room, a.used = make([]int, 2*len(a.room)+256), 0
	}
	a.used += n
	return a.room[a.used-n : a.used : a.used]
}

// one keeps the register of a step that has one.
func (a *allocator) one(r int) []int {
	list := a.registers(1)
	list[0] = r
	return list
}

// number counts the instructions and notes where values are used. What a loop reads from outside is used at its end
// too, for the next turn.
func (a *allocator) number(b *Block) {
	for _, i := range b.Instrs {
		a.at++
		for _, v := range i.Args {
			a.use(v)
		}
		if i.Op != Loop {
			if i.Def >= 0 {
				a.from[i.Def] = a.at
				if i.Op.Constant() {
					a.made[i.Def] = i
				}
			}
			continue
		}
		for _, v := range i.Init {
			a.use(v)
		}
		first := a.at
		a.from[i.Counter] = first
		for _, v := range i.Params {
			a.from[v] = first
		}
		a.number(i.Body)
		a.at++
		for n, v := range i.Body.Yield {
			a.use(v)
			a.turns[v] = i.Params[n]
		}
		a.use(i.Counter)
		a.use(i.Args[0])
		for v, list := range a.uses {
			if n := len(list); n > 0 && list[n-1] > first && a.from[v] < first {
				if list[n-1] < a.at {
					a.uses[v] = append(list, a.at)
				}
				a.reads[i] = append(a.reads[i], Value(v))
			}
		}
		for _, v := range i.Results {
			a.from[v] = a.at
		}
	}
}

func (a *allocator) use(v Value) {
	if n := len(a.uses[v]); n == 0 || a.uses[v][n-1] != a.at {
		a.uses[v] = append(a.uses[v], a.at)
	}
}

// next returns where a value is used at or after a place, or never.
func (a *allocator) next(v Value, place int) int {
	list := a.uses[v]
	n, _ := slices.BinarySearch(list, place)
	if n == len(list) {
		return never
	}
	return list[n]
}

func (a *allocator) emit(s Step) { a.out.Steps = append(a.out.Steps, s) }

// free drops a value's register.
func (a *allocator) free(v Value) {
	if r := a.reg[v]; r >= 0 {
		a.file(v).owner[r] = -1
		a.reg[v] = -1
	}
}

func (a *allocator) own(v Value, r int) {
	a.reg[v] = r
	a.file(v).owner[r] = v
}

// take returns a register of a file that nothing is in, after moving something to memory if need be.
func (a *allocator) take(f *file) int {
	for _, r := range f.all {
		if f.isFree(r) {
			return r
		}
	}
	victim, farthest := -1, -1
	for _, r := range f.all {
		v := f.owner[r]
		if v < 0 || f.isLocked(r) {
			continue
		}
		n := a.next(v, a.at+1)
		if a.made[v] != nil && n < never {
			n = a.at + 2*(n-a.at) // making it again costs little
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
	return victim
}

// remember has a value in memory.
func (a *allocator) remember(v Value) {
	if a.slot[v] < 0 && a.made[v] == nil {
		a.slot[v] = a.out.Slots
		a.out.Slots++
	}
}

// fetch returns the register of a value, and locks it.
func (a *allocator) fetch(v Value) int {
	f := a.file(v)
	if a.reg[v] < 0 {
		r := a.take(f)
		a.emit(a.reload(v, r))
		a.own(v, r)
	}
	f.lock(a.reg[v])
	return a.reg[v]
}

// stays reports whether an operand is better read from memory: it is there, and no register is free.
func (a *allocator) stays(v Value) bool {
	f := a.file(v)
	return a.reg[v] < 0 && !slices.ContainsFunc(f.all, f.isFree) && (a.made[v] == nil || a.made[v].Op == Const)
}

func (a *allocator) reload(v Value, r int) Step {
	if a.made[v] == nil && a.slot[v] < 0 {
		panic("BUG: vector: a value is nowhere")
	}
	return Step{Kind: Reload, Of: v, Instr: a.made[v], Result: r, Slot: a.slot[v]}
}

// lock keeps values where they are.
func (a *allocator) lock(list []Value) {
	for _, v := range list {
		if a.reg[v] >= 0 {
			a.file(v).lock(a.reg[v])
		}
	}
}

func (a *allocator) unlock() {
	for n := range a.files {
		a.files[n].locked = 0
	}
}

func (a *allocator) block(b *Block) {
	for _, i := range b.Instrs {
		a.at++
		if i.Op == Loop {
			a.loop(i)
			continue
		}
		if i.Def >= 0 && a.made[i.Def] != nil && a.next(i.Def, a.at+1) > a.at+8 {
			continue // it is made where it is needed
		}
		a.instr(i)
	}
}

func (a *allocator) instr(i *Instr) {
	s := a.t.Shape(a.p, i)
	step := Step{Kind: Do, Instr: i, Of: i.Def, Result: -1}
	a.lock(i.Args)
	step.Source = a.registers(len(i.Args))
	for n, v := range i.Args {
		if n+1 == s.Memory && count(i.Args, v) == 1 && a.stays(v) {
			step.Source[n], step.Slot, step.Made = -1, a.slot[v], a.made[v]
			continue
		}
		step.Source[n] = a.fetch(v)
	}
	step.Vector, step.Word = a.loan(Vectors, s.Vectors), a.loan(Words, s.Words)
	if i.Def < 0 {
		a.emit(step)
		a.release(i)
		a.unlock()
		return
	}
	f := a.file(i.Def)
	dies := func(v Value) bool { return a.next(v, a.at+1) >= never && a.file(v) == f }
	r := -1
	if s.Tied >= 0 && dies(i.Args[s.Tied]) {
		// The same operand may be read elsewhere by the instruction: then it must not be overwritten first.
		if t := i.Args[s.Tied]; count(i.Args, t) == 1 {
			r = a.reg[t]
			a.free(t)
		}
	}
	if r < 0 && !s.Early && s.Tied < 0 {
		list := i.Args
		if v := a.turns[i.Def]; slices.Contains(list, v) { // whose register is best
			list = append([]Value{v}, list...)
		}
		for _, v := range list {
			if a.reg[v] >= 0 && dies(v) {
				r = a.reg[v]
				a.free(v)
				break
			}
		}
	}
	if r < 0 {
		r = a.take(f)
	}
	step.Result = r
	a.emit(step)
	a.release(i)
	a.unlock()
	if a.next(i.Def, a.at+1) < never {
		a.own(i.Def, r)
	}
}

// loan takes registers of a file for the running instruction.
func (a *allocator) loan(f File, n int) []int {
	list := a.registers(n)
	for k := range list {
		list[k] = a.take(&a.files[f])
		a.files[f].lock(list[k])
	}
	return list
}

func count(list []Value, v Value) (n int) {
	for _, x := range list {
		if x == v {
			n++
		}
	}
	return n
}

// release frees the operands that are not used again.
func (a *allocator) release(i *Instr) {
	for _, v := range i.Args {
		if a.next(v, a.at+1) >= never {
			a.free(v)
		}
	}
}

// spill writes the values that memory must have to it, where they are defined.
func (a *allocator) spill() {
	if a.out.Slots == 0 {
		return
	}
	all, out := a.out.Steps, a.spare[:0]
	store := func(v Value, r int) {
		if v >= 0 && a.slot[v] >= 0 {
			out = append(out, Step{Kind: Spill, Of: v, Source: a.one(r), Slot: a.slot[v]})
		}
	}
	for _, s := range all {
		out = append(out, s)
		switch s.Kind {
		case Do:
			store(s.Of, s.Result)
		case Enter:
			store(s.Instr.Counter, s.Result)
			for n, p := range s.Instr.Params {
				store(p, s.Vector[n])
			}
		case Repeat:
			for n, v := range s.Instr.Results {
				store(v, s.Vector[n])
			}
		}
	}
	a.out.Steps, a.spare = out, all
}
