package emit

import (
	"encoding/binary"

	"github.com/go-acap/acap/kernel/arm64/asm"
	"github.com/go-acap/acap/kernel/cpu"
	"github.com/go-acap/acap/kernel/vector"
)

// Scratch registers, which no value is in.
const (
	scratchVector  = 31
	scratch, other = 16, 17 // general ones
)

// target tells allocation about a processor.
type target struct {
	p *vector.Program
	f cpu.Features
}

func (t target) File(v vector.Value) vector.File {
	if t.p.Kind(v) == vector.Word {
		return vector.Words
	}
	return vector.Vectors
}

// Registers implements [vector.Target]. X0 is the call block, X18 the system's, and from X28 on they are Go's.
func (target) Registers(f vector.File) (list []int, room int) {
	for n := range 31 {
		if f == vector.Vectors || f == vector.Words && n >= 1 && n <= 26 && n != scratch && n != other && n != 18 {
			list = append(list, n)
		}
	}
	return list, [...]int{vector.Vectors: 10, vector.Words: 6, vector.Masks: 0}[f]
}

func (t target) Shape(i, _ *vector.Instr) *vector.Shape {
	if special := &specials[i.Op]; special.emit != nil {
		return &special.shape
	}
	if r := find(i, t.f); r != nil {
		return &r.Shape
	}
	panic(vector.ErrNoInstruction)
}

// emitter emits a program.
type emitter struct {
	f     cpu.Features
	p     *vector.Program
	a     *asm.Assembler
	block int // bytes of the call block, behind which values lie in memory
	fault int // the word of the call block that Fault sets
	loops []loop
}

type loop struct{ top, exit asm.Label }

// compile emits a program for a processor: with the words of its call block, where word fault tells of faults. It
// returns the bytes that the block and what lies behind it take. The panic is [vector.ErrNoInstruction] where an
// operation has no instructions.
func compile(p *vector.Program, f cpu.Features, a *asm.Assembler, words, fault int) (bytes int) {
	e := &emitter{f: f, p: p, a: a, block: (8*words + 15) &^ 15, fault: fault}
	code := vector.Allocate(p, target{p, f})
	defer code.Release()
	code.Each(e.steps)
	a.Emit("ret")
	return e.block + 16*code.Slots
}

// steps emits steps in a turn.
func (e *emitter) steps(list []vector.Step, t vector.Turn) {
	var last *vector.Step // that is not emitted yet
	for n := range list {
		switch s := t.Step(&list[n]); {
		case s == nil:
		case last != nil && e.pair(last, s):
			last = nil
		default:
			if last != nil {
				e.step(last)
			}
			last = s
		}
	}
	if last != nil {
		e.step(last)
	}
}

func (e *emitter) step(s *vector.Step) {
	switch s.Kind {
	case vector.Move:
		from := s.Source(0)
		if e.p.Kind(s.Of) == vector.Word {
			e.a.Emit("mov", asm.X(orScratch(s.Result, scratch)), asm.X(orScratch(from, scratch)))
			return
		}
		e.move(orScratch(s.Result, scratchVector), orScratch(from, scratchVector))
	case vector.Spill:
		e.place(s.Slot, "str", s.Of, s.Source(0))
	case vector.Reload:
		if s.Instr != nil {
			e.do(&vector.Step{Instr: s.Instr, Result: s.Result})
			return
		}
		e.place(s.Slot, "ldr", s.Of, s.Result)
	case vector.Begin, vector.End, vector.Again:
	case vector.Enter:
		l := loop{e.a.Label(), e.a.Label()}
		e.loops = append(e.loops, l)
		if s.Instr.Rare {
			e.a.Emit("cbz", asm.X(s.Source(0)), l.exit)
			return
		}
		e.a.Emit("movz", asm.X(s.Result), asm.Imm(0), asm.Imm(0))
		e.a.Emit("cmp", asm.X(s.Result), asm.X(s.Source(0)))
		e.a.Emit("b.ge", l.exit)
		e.a.Bind(l.top)
	case vector.Repeat:
		l := e.loops[len(e.loops)-1]
		e.loops = e.loops[:len(e.loops)-1]
		if !s.Instr.Rare {
			e.addImm(s.Result, s.Result, int(s.Instr.Imm))
			e.a.Emit("cmp", asm.X(s.Result), asm.X(s.Source(0)))
			e.a.Emit("b.lt", l.top)
		}
		e.a.Bind(l.exit)
	default:
		e.do(s)
	}
}

func orScratch(r, scratch int) int {
	if r < 0 {
		return scratch
	}
	return r
}

// do emits an instruction.
func (e *emitter) do(s *vector.Step) {
	if special := &specials[s.Instr.Op]; special.emit != nil {
		special.emit(e, s)
		return
	}
	e.apply(find(s.Instr, e.f), s)
}

func (e *emitter) move(to, from int) {
	e.a.Emit("orr", asm.V(to).As(asm.B16), asm.V(from).As(asm.B16), asm.V(from).As(asm.B16))
}

// place moves a value to or from its place behind the call block.
func (e *emitter) place(slot int, op string, v vector.Value, r int) {
	at := e.block + 16*slot
	if e.p.Kind(v) == vector.Word {
		e.a.Emit(op, asm.X(r), e.address(0, at, 8))
		return
	}
	e.a.Emit(op, asm.V(r), e.address(0, at, 16))
}

// address is the memory at a register plus bytes, for an access of a size. It may use a scratch register.
func (e *emitter) address(base, offset, size int) asm.Mem {
	if offset >= 0 && offset%size == 0 && offset < 4096*size || offset >= -256 && offset < 256 {
		return asm.At(asm.X(base), offset)
	}
	e.addImm(scratch, base, offset)
	return asm.At(asm.X(scratch), 0)
}

// addImm emits to = from + n.
func (e *emitter) addImm(to, from, n int) {
	op, size := "add", n
	if n < 0 {
		op, size = "sub", -n
	}
	switch {
	case size < 4096:
		if size != 0 || to != from {
			e.a.Emit(op, asm.X(to), asm.X(from), asm.Imm(size))
		}
	case size < 1<<24:
		e.a.Emit(op, asm.X(to), asm.X(from), asm.Imm(size&^4095))
		if size&4095 != 0 {
			e.a.Emit(op, asm.X(to), asm.X(to), asm.Imm(size&4095))
		}
	default:
		e.constant(other, int64(size))
		e.a.Emit(op, asm.X(to), asm.X(from), asm.X(other))
	}
}

// constant emits the number n into a general register.
func (e *emitter) constant(r int, n int64) {
	if n < 0 && ^n < 1<<16 {
		e.a.Emit("movn", asm.X(r), asm.Imm(^n), asm.Imm(0))
		return
	}
	e.a.Emit("movz", asm.X(r), asm.Imm(n&0xffff), asm.Imm(0))
	for shift := 16; shift < 64; shift += 16 {
		if part := n >> shift & 0xffff; part != 0 {
			e.a.Emit("movk", asm.X(r), asm.Imm(part), asm.Imm(shift))
		}
	}
}

// vectorConstant emits a vector whose lanes are the given elements of a size.
func (e *emitter) vectorConstant(r, size, bytes int, lane func(n int) uint64) {
	zero := true
	var data []byte
	for n := range bytes / size {
		v := lane(n)
		zero = zero && v == 0
		if size == 4 {
			data = binary.LittleEndian.AppendUint32(data, uint32(v))
		} else {
			data = binary.LittleEndian.AppendUint64(data, v)
		}
	}
	switch {
	case zero:
		e.a.Emit("movi", asm.V(r).As(asm.D2), asm.Imm(0))
	case bytes == 8:
		e.a.Emit("ldr", asm.V(r).As(asm.D), e.a.Constant(data))
	default:
		e.a.Emit("ldr", asm.V(r), e.a.Constant(data))
	}
}
