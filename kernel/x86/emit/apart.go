package emit

import (
	"math"

	"github.com/go-acap/acap/kernel/cpu"
	"github.com/go-acap/acap/kernel/vector"
	"github.com/go-acap/acap/kernel/x86/asm"
)

// Elements that lie apart. Gathers read words of four bytes or more. A shorter element is cut out of the word of four
// bytes, on its boundary, that it is in: the word ends in no other page than the element.

// gather emits a gather of the lanes that take part; the others become 0. t is a vector for the moment, as is other,
// which the places move to if they are in register 4: qemu takes that for no index, as it is for general registers.
func (e *emitter) gather(op asm.Op, i *vector.Instr, d asm.Reg, at asm.Mem, t, other asm.Reg) {
	if at.Index.Num() == 4 && e.f.Level == cpu.AVX2 {
		other = other.As(at.Index.Bytes())
		e.a.Emit(asm.VMOVUPS, other, at.Index)
		at.Index = other
	}
	if e.f.Level == cpu.AVX512 {
		k := asm.K(maskScratch)
		e.a.Emit(asm.KXNORW, k, k, k)
		if i.Count > 0 {
			e.a.Emit(asm.KSHIFTRW, k, k, asm.Imm(int64(16-i.Count)))
		}
		e.a.Emit(asm.VPXORD, d, d, d)
		e.a.Emit(op, d.Mask(k), at)
		return
	}
	e.a.Emit(asm.VPCMPEQD, t, t, t)
	if i.Count > 0 {
		e.a.Emit(asm.VMOVUPS, t, e.constant(i.Kind, func(n int) uint64 {
			if n < int(i.Count) {
				return math.MaxUint64
			}
			return 0
		}))
	}
	e.a.Emit(asm.VPXOR, d, d, d)
	e.a.Emit(op, d, at, t)
}

// and emits a conjunction with a constant.
func (e *emitter) and(k vector.Kind, d, a asm.Reg, bits uint64) {
	e.a.Emit(wide(k, asm.VANDPD, asm.VANDPS), d, a, e.everywhere(k, bits))
}

// inserts reports whether elements that lie apart are inserted one after the other: elements of 16 bytes, and short
// ones with AVX2.
func (t *target) inserts(i *vector.Instr) bool {
	short := t.f.Level == cpu.AVX2 && i.Mem != vector.Same && i.Mem != vector.Brain && t.p.Bytes(i.Kind) <= 32
	return i.Op == vector.LoadStrided && (short || i.Kind == vector.Bytes)
}

// inserted is strided for such elements.
func (e *emitter) inserted(s *vector.Step) {
	i, d := s.Instr, e.result(s)
	size, at := i.Mem.Size(i.Kind), e.address(s)
	if i.Kind == vector.Bytes {
		e.a.Emit(asm.VMOVUPS, d.As(16), at)
		for lane := 1; lane < e.p.Taking(i); lane++ {
			e.a.Emit(e.forLevel(asm.VINSERTI128, asm.VINSERTI32X4), d, d, at.Plus(lane*i.Stride), asm.Imm(int64(lane)))
		}
		return
	}
	x := d.As(16)
	e.a.Emit(asm.VPXOR, x, x, x)
	for lane := range e.p.Taking(i) {
		e.a.Emit(bySize(size, asm.VPINSRB, asm.VPINSRW, 0, 0), x, x, at.Plus(lane*i.Stride), asm.Imm(int64(lane)))
	}
	e.a.Emit(extensions[i.Mem], d, d.As(max(16, d.Bytes()*size/4)))
}

// readsEveryOther reports whether an access reads every other element of 4 bytes, of two vectors.
func (t *target) readsEveryOther(i *vector.Instr) bool {
	return i.Stride == 8 && i.Mem == vector.Same && i.Kind.Size() == 4 && t.p.Lanes >= 4 &&
		(i.Count == 0 || t.f.Level == cpu.AVX512 && t.p.Lanes >= 8)
}

// everyOther reads every other element of 4 bytes: from two vectors, where the second ends with the last element, or
// from one if it has all elements.
func (e *emitter) everyOther(s *vector.Step) {
	d, at, n, count := e.result(s), e.address(s), e.p.Lanes, e.p.Taking(s.Instr)
	last := 2*count - 1 // elements from the first to the last
	high, index := asm.Vec(d.Bytes(), s.Vector(0)), asm.Vec(d.Bytes(), s.Vector(1))
	if last < n {
		e.a.Emit(asm.VMOVUPS, high.ZeroMask(e.lowestLanes(last)), at)
		e.a.Emit(asm.VMOVUPS, d, e.constant(vector.I32, func(lane int) uint64 { return uint64(min(2*lane, n-1)) }))
		e.a.Emit(asm.VPERMPS, d, d, high)
		return
	}
	e.a.Emit(asm.VMOVUPS, d, at)
	e.a.Emit(asm.VMOVUPS, high, at.Plus(4*(last-n)))
	if count == n && d.Bytes() < 64 {
		e.a.Emit(asm.VSHUFPS, d, d, high, asm.Imm(0xd8)) // in each 16 bytes elements 0 and 2, and 1 and 3
		if d.Bytes() > 16 {
			e.a.Emit(asm.VPERMQ, d, d, asm.Imm(0xd8))
		}
		return
	}
	e.a.Emit(asm.VMOVUPS, index, e.constant(vector.I32, func(lane int) uint64 {
		if 2*lane < n {
			return uint64(2 * lane)
		}
		return uint64(n + 2*lane - (last - n))
	}))
	to := d
	if count < n {
		to = d.ZeroMask(e.lowestLanes(count))
	}
	e.a.Emit(asm.VPERMT2PS, to, index, high)
}

// offsets is a vector in memory of the distances of an access's lanes from the first one; further lanes have the
// distance of the last.
func (e *emitter) offsets(i *vector.Instr) asm.Mem {
	last := e.p.Taking(i) - 1
	if reach := last * i.Stride; int(int32(reach)) != reach {
		panic(vector.ErrNoInstruction)
	}
	return e.constant(vector.I32, func(lane int) uint64 { return uint64(min(lane, last) * i.Stride) })
}

// strided reads elements that lie apart.
func strided(e *emitter, s *vector.Step) {
	i, d := s.Instr, e.result(s)
	switch {
	case e.inserts(i):
		e.inserted(s)
		return
	case e.readsEveryOther(i):
		e.everyOther(s)
		return
	}
	offsets := e.offsets(i)
	bytes := max(16, 4*e.p.Lanes)
	index, t := asm.Vec(bytes, s.Vector(0)), asm.Vec(d.Bytes(), s.Vector(1))
	e.a.Emit(asm.LEA, scratch, e.address(s))
	if i.Mem == vector.Same {
		e.a.Emit(asm.VMOVUPS, index, offsets)
		e.gather(wide(i.Kind, asm.VPGATHERDQ, asm.VPGATHERDD), i, d, asm.At(scratch, index, 1, 0), t, asm.Vec(bytes, s.Vector(2)))
		return
	}
	word := asm.Vec(bytes, s.Vector(2))
	e.a.Emit(asm.VMOVD, word.As(16), scratch.Dword())
	e.a.Emit(asm.VPBROADCASTD, word, word.As(16))
	e.and(vector.I32, word, word, 3)
	e.a.Emit(asm.VPADDD, index, word, offsets)
	e.a.Emit(asm.AND, scratch, asm.Imm(-4))
	e.and(vector.I32, word, index, ^uint64(3))
	e.gather(asm.VPGATHERDD, i, d, asm.At(scratch, word, 1, 0), t, asm.Vec(bytes, s.Vector(3)))
	e.cutOut(i.Mem, d, index, t)
}

// lookup reads elements by their numbers.
func lookup(e *emitter, s *vector.Step) {
	i, d, numbers := s.Instr, e.result(s), e.register(s.Instr.Args[1], s.Source(1))
	size := i.Mem.Size(i.Kind)
	t := asm.Vec(d.Bytes(), s.Vector(1))
	if i.Mem == vector.Same {
		op := wide(i.Kind, asm.VPGATHERDQ, asm.VPGATHERDD)
		if i.From.Size() == 8 {
			op = wide(i.Kind, asm.VPGATHERQQ, asm.VPGATHERQD)
		}
		at := e.address(s)
		e.gather(op, i, d, asm.At(at.Base, numbers, size, at.Disp), t, asm.X(s.Vector(0)))
		return
	}
	if i.From != vector.I64 {
		panic(vector.ErrNoInstruction)
	}
	place, word := asm.Vec(numbers.Bytes(), s.Vector(0)), asm.Vec(numbers.Bytes(), s.Vector(2))
	e.a.Emit(asm.LEA, scratch, e.address(s))
	e.a.Emit(asm.VMOVQ, word.As(16), scratch)
	e.a.Emit(asm.VPBROADCASTQ, word, word.As(16))
	if size == 2 {
		e.a.Emit(asm.VPADDQ, place, numbers, numbers)
		e.a.Emit(asm.VPADDQ, place, place, word)
	} else {
		e.a.Emit(asm.VPADDQ, place, numbers, word)
	}
	e.and(vector.I64, word, place, ^uint64(3))
	e.a.Emit(asm.XOR, scratch.Dword(), scratch.Dword())
	e.gather(asm.VPGATHERQD, i, d, asm.At(scratch, word, 1, 0), t, asm.X(s.Vector(3)))
	low := t.As(d.Bytes())
	if e.f.Level == cpu.AVX512 {
		e.a.Emit(asm.VPMOVQD, low, place)
	} else if upper := word.As(16); place.Bytes() > 16 {
		e.a.Emit(asm.VEXTRACTI128, upper, place, asm.Imm(1))
		e.a.Emit(asm.VSHUFPS, low, place.As(16), upper, asm.Imm(0x88))
	} else {
		e.a.Emit(asm.VSHUFPS, low, place, place, asm.Imm(0x88))
	}
	e.cutOut(i.Mem, d, low, word.As(d.Bytes()))
}

// cutOut makes values of the shorter elements in the words of d. The lowest bits of place say where in its word an
// element is. Place and t are lost.
func (e *emitter) cutOut(m vector.Mem, d, place, t asm.Reg) {
	a := e.a
	a.Emit(asm.VPSLLD, place, place, asm.Imm(3))
	e.and(vector.I32, place, place, 8*3)
	a.Emit(asm.VPSRLVD, d, d, place)
	above, down := asm.Imm(int64(32-8*m.Size(vector.I32))), asm.VPSRLD
	switch m {
	case vector.Half:
		half := d.As(max(16, d.Bytes()/2))
		if e.f.Level == cpu.AVX512 {
			a.Emit(asm.VPMOVDW, half, d)
		} else {
			e.and(vector.I32, d, d, 0xffff)
			a.Emit(asm.VEXTRACTI128, t.As(16), d.As(32), asm.Imm(1))
			a.Emit(asm.VPACKUSDW, half, half, t.As(16))
		}
		a.Emit(asm.VCVTPH2PS, d, half)
		return
	case vector.S8, vector.S16:
		down = asm.VPSRAD
	}
	a.Emit(asm.VPSLLD, d, d, above)
	if m != vector.Brain {
		a.Emit(down, d, d, above)
	}
}

// storeStrided writes elements that lie apart: by a scatter if they are no shorter than four bytes, else one by one.
func storeStrided(e *emitter, s *vector.Step) {
	i, v := s.Instr, e.register(s.Instr.Args[1], s.Source(1))
	size, lanes, at := i.Mem.Size(i.Kind), e.p.Taking(i), e.address(s)
	if i.Mem == vector.Long {
		panic(vector.ErrNoInstruction)
	}
	if reach := i.Stride * lanes; e.f.Level == cpu.AVX512 && size >= 4 && size <= 8 && lanes > 1 && int(int32(reach)) == reach {
		e.scatter(s, v, lanes)
		return
	}
	v = e.shorten(i.Mem, v, asm.Vec(v.Bytes(), s.Vector(0)))
	part := v.As(16)
	each := 16 / size
	for lane := range lanes {
		if lane > 0 && lane%each == 0 {
			part = asm.X(s.Vector(1))
			e.quarter(part, v, lane/each)
		}
		to := at.Plus(lane * i.Stride)
		if whole, _, ok := whole(size); ok && lane%each == 0 {
			e.a.Emit(whole, to, part)
			continue
		}
		e.a.Emit(bySize(size, asm.VPEXTRB, asm.VPEXTRW, asm.VPEXTRD, asm.VPEXTRQ), to, part, asm.Imm(int64(lane%each)))
	}
}

// forLevel picks the instruction of AVX2 or of AVX-512.
func (e *emitter) forLevel(avx2, avx512 asm.Op) asm.Op {
	if e.f.Level == cpu.AVX512 {
		return avx512
	}
	return avx2
}

// quarter takes 16 bytes out of a vector.
func (e *emitter) quarter(d, v asm.Reg, n int) {
	e.a.Emit(e.forLevel(asm.VEXTRACTI128, asm.VEXTRACTI32X4), d, v, asm.Imm(int64(n)))
}

func (e *emitter) scatter(s *vector.Step, v asm.Reg, lanes int) {
	i := s.Instr
	index := asm.Vec(max(16, 4*e.p.Lanes), s.Vector(0))
	e.a.Emit(asm.VMOVUPS, index, e.offsets(i))
	e.a.Emit(asm.MOV, scratch.Dword(), asm.Imm(1<<lanes-1))
	e.a.Emit(asm.KMOVW, asm.K(maskScratch), scratch.Dword())
	at := e.address(s)
	e.a.Emit(wide(i.Kind, asm.VPSCATTERDQ, asm.VPSCATTERDD), asm.At(at.Base, index, 1, at.Disp).Mask(asm.K(maskScratch)), v)
}

// wordMax finds the largest lane by halves.
func wordMax(e *emitter, s *vector.Step) {
	v := e.register(s.Instr.Args[0], s.Source(0))
	largest, other := asm.X(s.Vector(0)), asm.X(s.Vector(1))
	for bytes := v.Bytes(); ; bytes /= 2 {
		half := max(16, bytes/2)
		switch bytes {
		case 64:
			e.a.Emit(asm.VEXTRACTI64X4, other.As(32), v, asm.Imm(1))
		case 32:
			e.quarter(other, v, 1)
		case 16:
			e.a.Emit(asm.VPSHUFD, other, v, asm.Imm(0x4e))
		}
		v = v.As(half)
		if e.f.Level == cpu.AVX512 {
			e.a.Emit(asm.VPMAXSQ, largest.As(half), v, other.As(half))
		} else {
			greater := asm.X(s.Vector(2))
			e.a.Emit(asm.VPCMPGTQ, greater, v, other)
			e.a.Emit(asm.VBLENDVPD, largest, other, v, greater)
		}
		if v = largest.As(half); bytes == 16 {
			break
		}
	}
	e.a.Emit(asm.VMOVQ, e.word(s.Result), largest)
}

// fault sets a word of the call block if a lane of a mask is not 0.
func fault(e *emitter, s *vector.Step) {
	m, none := e.register(s.Instr.Args[0], s.Source(0)), e.a.Label()
	if e.p.Lanes < e.f.Level.VectorBytes()/8 { // more bits than lanes
		panic(vector.ErrNoInstruction)
	}
	if m.IsVector() && e.f.Level == cpu.AVX512 {
		e.a.Emit(wide(s.Instr.Kind, asm.VPTESTMQ, asm.VPTESTMD), asm.K(maskScratch), m, m)
		m = asm.K(maskScratch)
	}
	switch {
	case m.IsVector():
		e.a.Emit(asm.VPTEST, m, m)
	case e.p.Lanes <= 8:
		e.a.Emit(asm.KORTESTB, m, m)
	default:
		e.a.Emit(asm.KORTESTW, m, m)
	}
	e.a.Emit(asm.JE, none)
	e.a.Emit(asm.MOV, scratch.Dword(), asm.Imm(1))
	e.a.Emit(asm.MOV, asm.Ptr(block, 8*e.fault), scratch)
	e.a.Bind(none)
}
