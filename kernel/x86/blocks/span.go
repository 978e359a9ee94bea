package blocks

import (
	"math"

	"github.com/go-acap/acap/base/block"
	"github.com/go-acap/acap/kernel/x86/asm"
)

const (
	// mostStreams is how many columns are read at once. They are far from each other, and each stream goes on from a
	// column to the next: a processor fetches several streams ahead by itself, which is more bytes a second than it has
	// of one.
	mostStreams = 4
	// spanAhead is how many bytes ahead a stream is fetched by instructions as well: a Xeon with AMX reads 28 GB a
	// second of Q8_0 with these, and 13 to 17 without.
	spanAhead = 1024
)

// spanProduct emits sums of products of some rounded rows with columns. The factors of a span are the scales of its
// chunks times those of the rows.
type spanProduct struct {
	*emitter
	rows, streams int
	chunks        int  // of a column
	aRow          int  // bytes from a row to the next
	bColumn       int  // bytes from a column to the next
	sumRow        int  // bytes from the sums of a row to those of the next
	sumsAt        int  // bytes from the scales of a row to its sums of 32
	dots          bool // four bytes are multiplied and summed by one instruction (VPDPBUSD)
	ones, byte    asm.Reg
}

// sixteenfold reports whether the sums of a column's last 16 numbers of each chunk, which are the last four lanes, are 16 times as large: where
// bytes without a sign may be larger than 127.
func (p *spanProduct) sixteenfold() bool { return p.dots && p.kind.sixteenfold != nil }

// numbers is the code of numbers that products use.
func (p *spanProduct) numbers() func(e *emitter, chunk int) {
	if p.sixteenfold() {
		return p.kind.sixteenfold
	}
	return p.kind.numbers
}

// upper is a vector of ones whose last four lanes are another number.
func (p *spanProduct) upper(v float32) asm.Mem {
	one, other := math.Float32bits(1), math.Float32bits(v)
	return p.ConstU32(one, one, one, one, other, other, other, other)
}

// streams is how many columns are read at once for some rows: each needs a register for each row.
func streams(rows int) int { return max(1, min(mostStreams, mostRegisters/rows)) }

// mostRegisters is how many registers sums take.
const mostRegisters = 8

func (p *spanProduct) sum(row, stream int) asm.Reg { return asm.Vec(32, stream*p.rows+row) }

// emitAll emits the function and returns its entry. R13 is the column of the first stream, RBX the bytes from a stream to the next and R15
// three times as many, R11 counts columns of a stream, RCX spans.
func (p *spanProduct) emitAll() (entry int) {
	p.Align(64)
	entry = p.Len()
	p.emit(asm.MOV, asm.R13, asm.Ptr(asm.RDI, argB))
	p.emit(asm.MOV, asm.RDX, asm.Ptr(asm.RDI, argSums))
	p.emit(asm.MOV, asm.R11, asm.Ptr(asm.RDI, argGroups))
	p.emit(asm.MOV, asm.RBX, asm.Ptr(asm.RDI, argStream))
	p.emit(asm.LEA, asm.R15, asm.At(asm.RBX, asm.RBX, 2, 0))
	column := p.Here()
	for i := range p.streams * p.rows {
		r := asm.Vec(32, i)
		p.emit(asm.VXORPS, r, r, r)
	}
	p.emit(asm.MOV, asm.R9, asm.Ptr(asm.RDI, argScales))
	p.emit(asm.MOV, asm.R12, asm.Ptr(asm.RDI, argHalves))
	p.emit(asm.MOV, asm.RSI, asm.Ptr(asm.RDI, argA))
	p.emit(asm.LEA, asm.R8, asm.Ptr(asm.R13, bias))
	p.emit(asm.MOV, asm.R10, asm.Ptr(asm.RDI, argScratch))
	p.emit(asm.ADD, asm.R10, asm.Imm(bias))
	p.emit(asm.LEA, asm.RBP, asm.Ptr(asm.R10, p.scratch()/2))
	if whole := p.chunks / spanChunks; whole > 0 {
		p.wholeSpans(whole)
	}
	if rest := p.chunks % spanChunks; rest > 0 {
		p.factors(rest, 0)
		p.products(rest)
	}
	p.finish()
	p.emit(asm.ADD, asm.RDX, asm.Imm(4))
	p.emit(asm.ADD, asm.R13, asm.Imm(p.bColumn))
	p.emit(asm.DEC, asm.R11)
	p.emit(asm.JNE, column)
	p.emit(asm.VZEROUPPER)
	p.emit(asm.RET)
	return entry
}

// wholeSpans emits the loop over spans: R8 is the span of the first stream. The factors of the next span are computed in front of the
// products, which would wait for their own.
func (p *spanProduct) wholeSpans(count int) {
	p.factors(spanChunks, 0)
	p.emit(asm.MOV, asm.RCX.Dword(), asm.Imm(count))
	loop, last := p.Here(), p.Label()
	p.emit(asm.CMP, asm.RCX.Dword(), asm.Imm(1))
	p.emit(asm.JE, last)
	p.factors(spanChunks, 1)
	p.Bind(last)
	p.products(spanChunks)
	p.emit(asm.ADD, asm.R8, asm.Imm(p.spanBytes()))
	p.emit(asm.MOV, asm.RAX, asm.R10)
	p.emit(asm.MOV, asm.R10, asm.RBP)
	p.emit(asm.MOV, asm.RBP, asm.RAX)
	p.emit(asm.ADD, asm.RSI, asm.Imm(spanChunks*chunk))
	p.emit(asm.DEC, asm.RCX)
	p.emit(asm.JNE, loop)
}

// factorBytes is the memory of the factors of a span for a row.
func (p *spanProduct) factorBytes() int { return 4 * max(spanChunks, p.kind.parts) }

// factor is where factors of a span are, by the register that points to them: R10 for the span of the products, RBP for the next one.
func (p *spanProduct) factor(of asm.Reg, row, stream, at int) asm.Mem {
	return asm.Ptr(of, p.factorBytes()*(stream*p.rows+row)+at-bias)
}

// scratch is the memory of the factors of two spans.
func (p *spanProduct) scratch() int { return 2 * p.rows * p.streams * p.factorBytes() }

// bias is how far pointers point behind what they are for: so that more displacements fit in a byte.
const bias = 128

// in makes a chunk of a stream what [emitter.at] is memory of, and returns its number in its block.
func (p *spanProduct) in(stream, c int) int {
	first := asm.R8
	span := []asm.Mem{asm.Ptr(first, 0), asm.At(first, asm.RBX, 1, 0), asm.At(first, asm.RBX, 2, 0), asm.At(first, asm.R15, 1, 0)}[stream]
	return p.inSpan(span.Plus(-bias), c)
}

// keepConstants emits the load of constants to the registers that neither sums nor numbers need.
func (p *spanProduct) keepConstants() {
	p.ones, p.byte = p.low, p.high
	if !p.dots {
		p.emit(asm.VMOVDQU, p.ones, p.words(1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1))
	}
	free := []asm.Reg{p.least, p.spare}
	for i := p.streams * p.rows; i < mostRegisters; i++ {
		free = append(free, asm.Vec(32, i))
	}
	p.keep(free, p.numbers())
}

// products adds the products of the first n chunks of a span.
func (p *spanProduct) products(n int) {
	p.keepConstants()
	if n == spanChunks {
		for stream := range p.streams {
			p.in(stream, 0)
			p.fetch(spanAhead, p.spanBytes())
		}
	}
	for c := range n {
		if p.rows == 1 {
			p.emit(asm.VMOVDQU, p.byte, asm.Ptr(asm.RSI, chunk*c))
		}
		for stream := range p.streams {
			p.numbers()(p.emitter, p.in(stream, c))
			if p.kind.signed {
				p.emit(asm.VPABSB, p.u, p.w)
			}
			for row := range p.rows {
				p.integers(row, c)
				if p.kind.parts == 16 { // whose numbers have no sign, so that p.u is free
					p.emit(asm.VBROADCASTSS, p.d, p.factor(asm.R10, row, stream, 8*c))
					p.emit(asm.VBROADCASTSS, p.u, p.factor(asm.R10, row, stream, 8*c+4))
					p.emit(asm.VBLENDPS, p.d, p.d, p.u, asm.Imm(0xF0))
				} else {
					p.emit(asm.VBROADCASTSS, p.d, p.factor(asm.R10, row, stream, 4*c))
				}
				p.emit(asm.VFMADD231PS, p.sum(row, stream), p.t, p.d)
			}
		}
	}
	p.kept = nil
}

// integers emits the sums of the products of the numbers in p.w with the bytes of a row to p.t as f32.
func (p *spanProduct) integers(row, c int) {
	numbers, bytes := p.w, asm.Operand(p.byte)
	if p.rows > 1 {
		bytes = asm.Ptr(asm.RSI, row*p.aRow+chunk*c)
	}
	if p.kind.signed {
		if p.rows > 1 {
			p.emit(asm.VMOVDQU, p.t, bytes)
			bytes = p.t
		}
		p.emit(asm.VPSIGNB, p.t, bytes, p.w)
		numbers, bytes = p.u, p.t
	}
	if p.dots {
		sums := p.ones
		p.emit(asm.VPXOR, sums, sums, sums)
		p.emit(asm.VPDPBUSD, sums, numbers, bytes)
		p.emit(asm.VCVTDQ2PS, p.t, sums)
		return
	}
	p.emit(asm.VPMADDUBSW, p.t, numbers, bytes)
	p.emit(asm.VPMADDWD, p.t, p.t, p.ones)
	p.emit(asm.VCVTDQ2PS, p.t, p.t)
}

// factors writes the scales of n chunks times those of the rows to scratch memory, and adds to the sums what least values and zeros do. The
// span is some behind that of the products.
func (p *spanProduct) factors(n, behind int) {
	to := asm.R10
	if behind > 0 {
		to = asm.RBP
	}
	for stream := range p.streams {
		p.in(stream, 0)
		p.block = p.block.Plus(behind * p.spanBytes())
		p.spanScales(n)
		for row := range p.rows {
			p.corrections(row, stream, n)
			if p.kind.parts != 16 {
				p.emit(asm.VMULPS, p.t, p.d, p.ofRow(p.t, row*p.aRow, n))
				p.emit(asm.VMOVUPS, p.factor(to, row, stream, 0), p.t)
				continue
			}
			for i, scales := range []asm.Reg{p.d, p.high} {
				at := uint32(4 * i)
				p.emit(asm.VMOVDQU, p.t, p.ConstU32(at, at, at+1, at+1, at+2, at+2, at+3, at+3))
				p.emit(asm.VPERMPS, p.t, p.t, asm.Ptr(asm.R9, row*p.aRow))
				p.emit(asm.VMULPS, p.t, p.t, scales)
				p.emit(asm.VMOVUPS, p.factor(to, row, stream, 32*i), p.t)
			}
		}
	}
	p.emit(asm.ADD, asm.R9, asm.Imm(4*n*chunk/block.Rounded))
	p.emit(asm.ADD, asm.R12, asm.Imm(8*n*chunk/block.Rounded))
}

// ofRow is a vector of numbers for the n chunks of a span, from R9 on; a register holds no more of them than there are.
func (p *spanProduct) ofRow(r asm.Reg, at, n int) asm.Operand {
	if n == spanChunks {
		return asm.Ptr(asm.R9, at)
	}
	mask := make([]uint32, spanChunks)
	for i := range n {
		mask[i] = 1 << 31
	}
	p.emit(asm.VMOVUPS, r, p.ConstU32(mask...))
	p.emit(asm.VMASKMOVPS, r, r, asm.Ptr(asm.R9, at))
	return r
}

// corrections adds the sums of the row times least values, or times what a zero takes away.
func (p *spanProduct) corrections(row, stream, n int) {
	add, by := asm.VFMADD231PS, p.least
	switch {
	case p.kind.zero > 0:
		by = p.d
	case p.kind.least == none:
		return
	case p.kind.least == subtracted:
		add = asm.VFNMADD231PS
	}
	sum := p.sum(row, stream)
	if p.sixteenfold() {
		p.emit(asm.VMULPS, p.w, by, p.upper(16))
		by = p.w
	}
	if p.kind.parts != 16 {
		p.emit(add, sum, by, p.ofRow(p.t, row*p.aRow+p.sumsAt, n))
		return
	}
	more := p.spare
	if p.kind.zero > 0 {
		more = p.high
	}
	p.emit(add, sum, by, asm.Ptr(asm.R12, row*p.aRow))
	p.emit(add, sum, more, asm.Ptr(asm.R12, row*p.aRow+32))
}

// finish adds up the lanes of the sums and stores them. Those of a stream lie as far from the next as it has columns.
func (p *spanProduct) finish() {
	p.emit(asm.MOV, asm.R9, asm.Ptr(asm.RDI, argGroups))
	p.emit(asm.LEA, asm.R12, asm.At(asm.R9, asm.R9, 2, 0))
	to := []asm.Mem{asm.Ptr(asm.RDX, 0), asm.At(asm.RDX, asm.R9, 4, 0), asm.At(asm.RDX, asm.R9, 8, 0), asm.At(asm.RDX, asm.R12, 4, 0)}
	for row := range p.rows {
		for stream := range p.streams {
			if s := p.sum(row, stream); p.sixteenfold() {
				p.emit(asm.VMULPS, s, s, p.upper(1./16))
			}
			p.addLanes(p.sum(row, stream))
			p.emit(asm.VMOVSS, to[stream].Plus(row*p.sumRow), p.t.As(16))
		}
	}
}
