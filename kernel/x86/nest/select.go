package nest

import "github.com/go-acap/acap/kernel/x86/asm"

// when appends a ? b is true : yes, else no, for floats.
func (s *sequence) when(p predicate, a, b, no, yes operand) operand {
	if s.avx512 || a.kind != f64 || no.kind.size() != 8 {
		return s.blend(s.compare(p, a, b), no, yes)
	}
	m := s.add(f64, instr{src: s.sources(a, b), emit: func(e *emitter, r *registers) {
		e.a.Emit(asm.VCMPPD, r.d, r.s[0], r.s[1], asm.Imm(p))
	}})
	return s.bySign(m, no, yes)
}

// bySign appends yes in the lanes where the sign bit of x is set, else no.
func (s *sequence) bySign(x, no, yes operand) operand {
	wide := x.kind.size() == 8
	if s.avx512 {
		op := asm.VPMOVD2M
		if wide {
			op = asm.VPMOVQ2M
		}
		return s.blend(s.rm(op, mask, x), no, yes)
	}
	op := asm.VBLENDVPS
	if wide {
		op = asm.VBLENDVPD
	}
	return s.add(no.kind, instr{src: s.sources(x, no, yes), emit: func(e *emitter, r *registers) {
		e.a.Emit(op, r.d, r.s[1], r.s[2], r.s[0])
	}})
}

// orSign gives y, which is not negative, the sign of x.
func (s *sequence) orSign(y, x operand) operand {
	sign := cBits(x.kind, 1<<(8*x.kind.size()-1))
	if !s.avx512 {
		return s.or(y, s.and(x, sign))
	}
	op := asm.VPTERNLOGD
	if x.kind == f64 {
		op = asm.VPTERNLOGQ
	}
	return s.add(x.kind, instr{src: s.sources(y, x, sign), early: true, emit: func(e *emitter, r *registers) {
		e.a.Emit(asm.VMOVAPS, r.d, r.s[0])
		e.a.Emit(op, r.d, r.s[1], r.s[2], asm.Imm(0xf8)) // a | b&c
	}})
}

// lookup appends the elements of a table of f64 at the indices in the i64 lanes.
func (s *sequence) lookup(table []float64, index operand) operand {
	i := instr{src: s.sources(index, dummy), early: true}
	if s.avx512 {
		i.masks = 1
		i.emit = func(e *emitter, r *registers) {
			e.a.Emit(asm.LEA, asm.RAX, e.a.Table(table))
			e.a.Emit(asm.KXNORW, r.k[0], r.k[0], r.k[0])
			e.zero(r.d)
			e.a.Emit(asm.VGATHERQPD, r.d.Mask(r.k[0]), asm.At(asm.RAX, r.reg(0), 8, 0))
		}
		return s.add(f64, i)
	}
	i.temps = 1
	i.emit = func(e *emitter, r *registers) {
		e.a.Emit(asm.LEA, asm.RAX, e.a.Table(table))
		e.a.Emit(asm.VPCMPEQD, r.t[0], r.t[0], r.t[0])
		e.zero(r.d)
		e.a.Emit(asm.VGATHERQPD, r.d, asm.At(asm.RAX, r.reg(0), 8, 0), r.t[0])
	}
	return s.add(f64, i)
}
