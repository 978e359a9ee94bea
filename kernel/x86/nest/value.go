package nest

import (
	"slices"

	"github.com/go-acap/acap/base/dtype"
	"github.com/go-acap/acap/kernel/x86/asm"
)

// kind is the form of a value in a vector register: all values of a kernel have
// the same number of lanes, so registers of 4-byte kinds may be shorter than
// those of 8-byte kinds.
type kind uint8

const (
	f32 kind = iota // also f16 and bf16, rounded after every instruction
	f64
	i32 // also narrower integers, extended; bool is 0 or -1
	i64
	mask // a mask register on AVX-512, a vector of i32 on AVX2
)

func (k kind) size() int {
	if k == f64 || k == i64 {
		return 8
	}
	return 4
}

func kindOf(d dtype.DType) kind {
	switch d {
	case dtype.F16, dtype.BF16, dtype.F32:
		return f32
	case dtype.F64:
		return f64
	case dtype.I64:
		return i64
	}
	return i32
}

// value numbers the results of a sequence.
type value int32

// operand is a value or a constant that is the same in all lanes.
type operand struct {
	v      value // noValue for a constant
	kind   kind
	number uint16 // of a constant among those of the kernel, once its sequence is settled; 0 before
	bits   uint64
}

const noValue value = -1

// pinned is accumulator n of the running stage, in a register of its own.
func pinned(k kind, n int) operand { return operand{v: value(-2 - n), kind: k} }

func (o operand) constant() bool { return o.v == noValue }

// isValue reports whether o is the result of an instruction.
func (o operand) isValue() bool { return o.v >= 0 }

// instr is one machine instruction, or a short run of them, in a sequence in
// static single assignment form. Registers are assigned as it is emitted.
type instr struct {
	dst    value // noValue: none
	src    []operand
	temps  int  // vector registers that it needs besides
	masks  int  // mask registers that it needs besides
	early  bool // dst is written before the sources are read
	effect bool // must stay though nothing uses dst
	before bool // does not depend on the inner loops
	moves  bool // depends on them though its sources do not
	emit   func(e *emitter, r *registers)

	dies   uint16 // the sources that are not read again, a bit for each
	unread bool   // nothing reads dst
}

// registers are what an instruction was given.
type registers struct {
	d asm.Reg
	s []asm.Operand // a register, or the memory of a constant if that is the last source
	t []asm.Reg
	k []asm.Reg
}

func (r *registers) reg(i int) asm.Reg { return r.s[i].(asm.Reg) }

// sequence is straight-line vector code under construction.
type sequence struct {
	isa
	instrs []instr
	kinds  []kind // of each value
	before []bool // of each value: it does not depend on the inner loops
	guards []guard
	twins  bool // two copies of the loop part in turn are worth it
	// inLoop are the masks that are made anew in the loop, by hoisted mask.
	inLoop map[value]operand
	code   code

	parts  [2][]*instr // once it is settled
	usedAt [2]uses     // of each part, if that is known

	// memory
	room []operand // for sources
	read []bool
	list []*instr
}

// sources keeps operands for an instruction.
func (s *sequence) sources(list ...operand) []operand {
	if len(s.room)+len(list) > cap(s.room) {
		s.room = make([]operand, 0, max(64, 2*cap(s.room)))
	}
	n := len(s.room)
	s.room = append(s.room, list...)
	return s.room[n:len(s.room):len(s.room)]
}

// isa is what the generated code may use.
type isa struct {
	avx512 bool
	exact  bool // quotients are rounded correctly, as division is
	lanes  int
}

// bytes is the length of the registers of a kind.
func (s *isa) bytes(k kind) int {
	if k == mask {
		k = i32
	}
	return max(s.lanes*k.size(), 16)
}

// add appends an instruction that gives a value of kind k. It is hoisted if all
// of its sources are; leaves say so themselves.
func (s *sequence) add(k kind, i instr) operand {
	if len(i.src) > 0 {
		i.before = !i.moves
		for _, o := range i.src {
			i.before = i.before && s.invariant(o)
		}
	}
	return s.define(k, i)
}

// define appends an instruction that says itself whether it is hoisted.
func (s *sequence) define(k kind, i instr) operand {
	if !i.before {
		s.masksInLoop(i.src)
	}
	i.dst = value(len(s.kinds))
	s.kinds = append(s.kinds, k)
	s.before = append(s.before, i.before)
	s.instrs = append(s.instrs, i)
	return operand{v: i.dst, kind: k}
}

// do appends an instruction that is there for its effect.
func (s *sequence) do(i instr) {
	i.dst, i.effect = noValue, true
	s.masksInLoop(i.src)
	s.instrs = append(s.instrs, i)
}

// masksInLoop replaces hoisted masks among the sources of an instruction in the loop by
// masks that are made there: the registers of masks are too few to keep any.
func (s *sequence) masksInLoop(src []operand) {
	for k, o := range src {
		if !isMask(&s.isa, o.kind) || !o.isValue() || !s.before[o.v] {
			continue
		}
		again, ok := s.inLoop[o.v]
		if !ok {
			i := s.instrs[slices.IndexFunc(s.instrs, func(i instr) bool { return i.dst == o.v })]
			i.src, i.before = s.sources(i.src...), false
			again = s.define(mask, i)
			if s.inLoop == nil {
				s.inLoop = map[value]operand{}
			}
			s.inLoop[o.v] = again
		}
		src[k] = again
	}
}

// prune drops instructions whose results nobody reads.
func (s *sequence) prune(keep []operand) {
	used := make([]bool, len(s.kinds))
	for _, o := range keep {
		if o.isValue() {
			used[o.v] = true
		}
	}
	kept := make([]bool, len(s.instrs))
	for n := len(s.instrs) - 1; n >= 0; n-- {
		i := &s.instrs[n]
		if !i.effect && (i.dst == noValue || !used[i.dst]) {
			continue
		}
		kept[n] = true
		for _, o := range i.src {
			if o.isValue() {
				used[o.v] = true
			}
		}
	}
	out := s.instrs[:0]
	for n := range kept {
		if kept[n] {
			out = append(out, s.instrs[n])
		}
	}
	s.instrs = out
	s.guards = slices.DeleteFunc(s.guards, func(d guard) bool { return !used[d.of.v] })
}

// invariant reports whether o does not depend on the inner loops.
func (s *sequence) invariant(o operand) bool {
	return o.constant() || o.isValue() && s.before[o.v]
}
