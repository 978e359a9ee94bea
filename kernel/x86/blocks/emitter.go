package blocks

import (
	"encoding/binary"
	"slices"

	"github.com/go-acap/acap/base/dtype"
	"github.com/go-acap/acap/kernel/x86/asm"
)

// emitter emits code that reads blocks of one format. Its general registers: R8 a block, R10 scratch memory.
type emitter struct {
	*asm.Assembler
	kind                         format
	format                       dtype.Format
	block                        asm.Mem
	w, t, u, d, low, high, spare asm.Reg
	least                        asm.Reg
	kept                         []constant // in registers
	asked                        []string   // constants that were not
}

func newEmitter(a *asm.Assembler, f dtype.Format) *emitter {
	y := func(i int) asm.Reg { return asm.Vec(32, i) }
	return &emitter{Assembler: a, block: asm.Ptr(asm.R8, 0), kind: formats[f], format: f, w: y(8), t: y(9), u: y(10), d: y(11), low: y(12), high: y(13),
		least: y(14), spare: y(15)}
}

// Places in scratch memory, which R10 points to.
const (
	numbersAt    = 0   // 32 bytes
	scalesAt     = 64  // of parts, 16 f32
	leastAt      = 128 // of parts, 16 f32
	scratchBytes = 192
)

func (e *emitter) emit(op asm.Op, operands ...asm.Operand) { e.Emit(op, operands...) }

// at is memory of the block.
func (e *emitter) at(offset int) asm.Mem { return e.block.Plus(offset) }

// fetch fetches bytes that are so far ahead of the block, in another column or farther along: columns are runs too
// short for the processor to fetch the next ones ahead by itself.
func (e *emitter) fetch(ahead, bytes int) {
	for at := 0; at < bytes; at += 64 {
		e.emit(asm.PREFETCHT0, e.at(ahead+at))
	}
}

// chunks is how many chunks a block has.
func (e *emitter) chunks() int { return e.format.Block() / chunk }

// bytes is a vector of one byte.
func (e *emitter) bytes(b byte) asm.Operand { return e.vector(slices.Repeat([]byte{b}, 32)) }

// constant is a vector that a register holds.
type constant struct {
	data string
	reg  asm.Reg
}

// vector is a constant, in a register or in memory.
func (e *emitter) vector(data []byte) asm.Operand {
	for _, c := range e.kept {
		if c.data == string(data) {
			return c.reg
		}
	}
	e.asked = append(e.asked, string(data))
	return e.Const(data)
}

// keep emits the load of the constants that code of numbers asks for to registers, as far as these suffice.
func (e *emitter) keep(registers []asm.Reg, numbers func(e *emitter, chunk int)) {
	trial := newEmitter(asm.Unlisted(), e.format)
	for c := range e.chunks() {
		numbers(trial, c)
	}
	for _, data := range slices.Compact(slices.Sorted(slices.Values(trial.asked))) {
		if len(e.kept) < len(registers) {
			c := constant{data, registers[len(e.kept)]}
			e.emit(asm.VMOVDQU, c.reg, e.Const([]byte(data)))
			e.kept = append(e.kept, c)
		}
	}
}

// words is a vector of numbers of 16 bits.
func (e *emitter) words(list ...uint16) asm.Mem {
	var data []byte
	for _, w := range list {
		data = binary.LittleEndian.AppendUint16(data, w)
	}
	return e.Const(data)
}

// half emits the load of an f16 to all lanes of r as f32.
func (e *emitter) half(r asm.Reg, offset int) {
	e.emit(asm.VPBROADCASTW, r.As(16), e.at(offset))
	e.emit(asm.VCVTPH2PS, r, r.As(16))
}

// shifted emits a shift of words of x to r by n bits to the left, or to the right if n is negative.
func (e *emitter) shifted(r, x asm.Reg, n int) {
	switch {
	case n > 0:
		e.emit(asm.VPSLLW, r, x, asm.Imm(n))
	case n < 0:
		e.emit(asm.VPSRLW, r, x, asm.Imm(-n))
	case r != x:
		e.emit(asm.VMOVDQA, r, x)
	}
}

// nibbles emits the load of 16 bytes whose low halves are the first 16 numbers.
func (e *emitter) nibbles(offset int) {
	e.emit(asm.VBROADCASTI128, e.w, e.at(offset))
	e.emit(asm.VPSRLVD, e.w, e.w, e.vector(slices.Concat(make([]byte, 16), slices.Repeat([]byte{4, 0, 0, 0}, 4))))
	e.emit(asm.VPAND, e.w, e.w, e.bytes(15))
}

// higherNibbles emits the same, but for the last 16 numbers, which stay where they are: 16 times as large.
func (e *emitter) higherNibbles(offset int) {
	e.emit(asm.VBROADCASTI128, e.w, e.at(offset))
	e.emit(asm.VPAND, e.w, e.w, e.vector(slices.Concat(slices.Repeat([]byte{0x0F}, 16), slices.Repeat([]byte{0xF0}, 16))))
}

// lookup replaces the numbers by those of a table.
func (e *emitter) lookup(table [16]int8) {
	var data []byte
	for _, v := range slices.Concat(table[:], table[:]) {
		data = append(data, byte(v))
	}
	values, ok := e.vector(data).(asm.Reg)
	if !ok {
		values = e.t
		e.emit(asm.VMOVDQU, values, e.Const(data))
	}
	e.emit(asm.VPSHUFB, e.w, values, e.w)
}

// numbersAsFloats emits the load of a chunk as f32: f gets each of the four vectors of eight, with the roundings that package block
// has, in e.t.
func (e *emitter) numbersAsFloats(c int, f func(vector int)) {
	e.kind.numbers(e, c)
	if e.kind.zero > 0 {
		e.emit(asm.VPSUBB, e.w, e.w, e.bytes(e.kind.zero))
	}
	e.emit(asm.VMOVDQU, asm.Ptr(asm.R10, numbersAt), e.w)
	load, of := asm.VPMOVZXBD, asm.VSUBPS
	if e.kind.signed || e.kind.zero > 0 {
		load = asm.VPMOVSXBD
	}
	if e.kind.least == added {
		of = asm.VADDPS
	}
	d, least := e.d, e.least
	for v := range 4 {
		if part, first := e.part(c, v); part >= 0 {
			d, least = e.low, e.high
			if first {
				e.emit(asm.VBROADCASTSS, d, asm.Ptr(asm.R10, scalesAt+4*part))
				if e.kind.least != none {
					e.emit(asm.VBROADCASTSS, least, asm.Ptr(asm.R10, leastAt+4*part))
				}
			}
		}
		e.emit(load, e.t, asm.Ptr(asm.R10, numbersAt+8*v))
		e.emit(asm.VCVTDQ2PS, e.t, e.t)
		if e.kind.before {
			e.emit(of, e.t, e.t, least)
		}
		e.emit(asm.VMULPS, e.t, e.t, d)
		if e.kind.least != none && !e.kind.before {
			e.emit(of, e.t, e.t, least)
		}
		f(v)
	}
}

// part is the part of a block that eight numbers of a chunk belong to, and whether they are its first in the chunk; -1 if
// blocks have none.
func (e *emitter) part(c, vector int) (part int, first bool) {
	switch e.kind.parts {
	case 8:
		return c, vector == 0
	case 16:
		return 2*c + vector/2, vector%2 == 0
	}
	return -1, false
}

// spread emits the scales of a block and, for a format with parts, writes them as f32 to scratch memory.
func (e *emitter) spread() {
	e.kind.scales(e)
	if e.kind.parts == 0 {
		return
	}
	for i, r := range []asm.Reg{e.low, e.high}[:e.kind.parts/8] {
		e.emit(asm.VPMOVSXWD, e.t, r.As(16))
		e.emit(asm.VCVTDQ2PS, e.t, e.t)
		e.emit(asm.VMULPS, e.t, e.t, e.d)
		e.emit(asm.VMOVUPS, asm.Ptr(asm.R10, scalesAt+32*i), e.t)
	}
	if e.kind.least != none {
		for i, r := range []asm.Reg{e.least, e.spare}[:e.kind.parts/8] {
			e.emit(asm.VMOVUPS, asm.Ptr(asm.R10, leastAt+32*i), r)
		}
	}
}

// addLanes emits the sum of the lanes of s to the first one of e.t.
func (e *emitter) addLanes(s asm.Reg) {
	x := e.t.As(16)
	e.emit(asm.VEXTRACTI128, x, s, asm.Imm(1))
	e.emit(asm.VADDPS, x, x, s.As(16))
	e.emit(asm.VHADDPS, x, x, x)
	e.emit(asm.VHADDPS, x, x, x)
}
