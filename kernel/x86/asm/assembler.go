package asm

import (
	"encoding/binary"
	"errors"
	"fmt"
	"slices"
	"sync"
)

// An Assembler collects instructions and turns them into machine code.
//
// A combination of operands that no form of the instruction takes is a mistake of the program
// that generates the code, so it panics.
type Assembler struct {
	table  *table
	code   []byte
	labels []int // offset of each label, -1 while unbound
	fixups []fixup
	pool   pool
	listed bool // there is to be a listing of the code
	record []emitted
	given  operands    // of the instruction that is being emitted
	next   instruction // that is being emitted
	access access      // the last one
	memory *scratch    // of code, fixups and the pool, to be used again; or nil
}

// A fixup is a 4-byte field that holds the distance from the end of its instruction to a target.
type fixup struct {
	at, end int
	label   Label // or -1, then pool
	pool    int
}

// emitted has the facts of an instruction that the listing needs.
type emitted struct {
	offset   int
	form     *form
	operands operands
	label    Label // a label bound here, if form is nil
}

// New returns an empty assembler.
func New() *Assembler { return &Assembler{table: known(), listed: true} }

// Unlisted returns an assembler that keeps no listing, which takes many times the memory of the code.
func Unlisted() *Assembler {
	m := spare.Get().(*scratch)
	return &Assembler{table: known(), memory: m, code: m.code[:0], labels: m.labels[:0], fixups: m.fixups[:0],
		pool: pool{data: m.data[:0], known: m.known}}
}

// scratch is memory of an assembler.
type scratch struct {
	code, data []byte
	labels     []int
	fixups     []fixup
	known      map[string]int // is empty
}

// mostKept is how many constants the map has at most that another assembler gets: a larger one would take long to
// clear.
const mostKept = 64

// spare has memory of assemblers that are done, for the next ones.
var spare = sync.Pool{New: func() any { return &scratch{} }}

// Emit appends instruction op. Operands are in Intel's order: destination first.
func (a *Assembler) Emit(op Op, list ...Operand) {
	a.given.set(list)
	a.emit(op)
}

// EmitVector is [Assembler.Emit] of registers, with an immediate behind them if there is one. Memory may stand in the
// place of one register. None stands for the memory. No operand takes memory of its own.
func (a *Assembler) EmitVector(op Op, registers []Reg, at *Mem, imm ...Imm) {
	o := &a.given
	o.registers, o.numbers, o.label = 0, uint8(len(imm)), -1
	for _, r := range registers {
		if r == None {
			o.at = *at
		}
		o.add(r)
	}
	for _, n := range imm {
		o.number = n
	}
	a.emit(op)
}

// emit appends an instruction of the operands that are given.
func (a *Assembler) emit(op Op) {
	o, in, forms := &a.given, &a.next, a.table.forms(op)
	for i := range forms {
		f := &forms[i]
		if !f.match(o, in) {
			continue
		}
		if a.listed {
			a.record = append(a.record, emitted{len(a.code), f, *o, -1})
		}
		a.append(in)
		return
	}
	if o.numbers > 0 && o.number != Imm(int32(o.number)) {
		panic(ErrReach)
	}
	panic(fmt.Sprintf("BUG: asm: no form of %s", o.text(a.table.mnemonics[op].text(), Mem.String)))
}

// ErrReach is the panic of an assembler when a displacement or a constant does not fit the 32 bits that an instruction
// has for it. Generators that address far memory recover it.
var ErrReach = errors.New("asm: a displacement or constant is longer than 32 bits")

func (a *Assembler) append(in *instruction) {
	var at int
	a.code, at = in.encode(a.code, &a.access)
	if at < 0 {
		return
	}
	f := fixup{at, len(a.code), in.rel, -1}
	if in.isMem {
		f.pool = int(in.mem.pool) - 1
	}
	if f.label >= 0 || f.pool >= 0 {
		a.fixups = append(a.fixups, f)
	}
}

// Label returns a new label, to be placed by Bind.
func (a *Assembler) Label() Label {
	a.labels = append(a.labels, -1)
	return Label(len(a.labels) - 1)
}

// Bind places label at the next instruction.
func (a *Assembler) Bind(label Label) {
	if a.labels[label] >= 0 {
		panic("BUG: asm: label bound twice")
	}
	a.labels[label] = len(a.code)
	if a.listed {
		a.record = append(a.record, emitted{offset: len(a.code), label: label})
	}
}

// Here returns a new label placed at the next instruction.
func (a *Assembler) Here() Label {
	l := a.Label()
	a.Bind(l)
	return l
}

// Len returns the number of bytes emitted so far.
func (a *Assembler) Len() int { return len(a.code) }

// nops are the recommended multi-byte no-operations of Intel's manual, volume 2, NOP.
var nops = [...][]byte{
	1: {0x90}, 2: {0x66, 0x90}, 3: {0x0F, 0x1F, 0}, 4: {0x0F, 0x1F, 0x40, 0},
	5: {0x0F, 0x1F, 0x44, 0, 0}, 6: {0x66, 0x0F, 0x1F, 0x44, 0, 0},
	7: {0x0F, 0x1F, 0x80, 0, 0, 0, 0}, 8: {0x0F, 0x1F, 0x84, 0, 0, 0, 0, 0},
	9: {0x66, 0x0F, 0x1F, 0x84, 0, 0, 0, 0, 0},
}

// Align pads with no-operations up to a multiple of n bytes, a power of two up to 64.
func (a *Assembler) Align(n int) {
	for gap := -len(a.code) & (n - 1); gap > 0; gap = -len(a.code) & (n - 1) {
		a.code = append(a.code, nops[min(gap, len(nops)-1)]...)
	}
}

// Code is position-independent machine code followed by its constants. Its listing is empty if the assembler
// keeps none.
type Code struct {
	Bytes  []byte
	record []emitted
	memory *scratch // that Release gives back, or nil
}

// Release gives the memory of code, which nothing reads any more, and of its assembler to the next assemblers.
func (c *Code) Release() {
	if c.memory != nil {
		spare.Put(c.memory)
	}
	c.Bytes, c.memory = nil, nil
}

// Assemble resolves the labels and appends the constant pool. The bytes must be placed at an
// address that is a multiple of 64.
func (a *Assembler) Assemble() *Code {
	size := len(a.code)
	all, start := a.pool.appendTo(a.code)
	m, code := a.memory, all
	if m == nil {
		code = slices.Clone(all)
	}
	for _, f := range a.fixups {
		target := 0
		if f.label >= 0 {
			if target = a.labels[f.label]; target < 0 {
				panic("BUG: asm: label never bound")
			}
		} else {
			target = start + f.pool
		}
		disp := int32(binary.LittleEndian.Uint32(code[f.at:]))
		binary.LittleEndian.PutUint32(code[f.at:], uint32(disp+int32(target-f.end)))
	}
	if m != nil {
		if len(a.pool.known) > mostKept {
			a.pool.known = nil
		}
		clear(a.pool.known)
		*m = scratch{all, a.pool.data, a.labels, a.fixups, a.pool.known}
		*a = Assembler{table: a.table, code: slices.Clip(code[:size])}
	}
	return &Code{code, a.record, m}
}
