package emit

import (
	"encoding/binary"

	"github.com/go-acap/acap/kernel/arm64/asm"
	"github.com/go-acap/acap/kernel/vector"
)

// special is an operation whose instructions depend on its numbers.
type special struct {
	shape vector.Shape
	emit  func(e *emitter, s *vector.Step)
}

// specials emit the code of special operations; other operations have rules.
var specials [256]special

func init() {
	free := vector.Shape{Tied: -1}
	early := vector.Shape{Tied: -1, Early: true}
	specials = [256]special{
		vector.Arg: {free, func(e *emitter, s *vector.Step) {
			e.a.Emit("ldr", asm.X(s.Result), e.address(0, 8*int(s.Instr.Imm), 8))
		}},
		vector.WordLoad: {free, func(e *emitter, s *vector.Step) {
			r, size := wordAs(s.Instr, s.Result)
			e.a.Emit("ldr", r, e.address(s.Source(0), int(s.Instr.Imm), size))
		}},
		vector.WordStore: {free, func(e *emitter, s *vector.Step) {
			r, size := wordAs(s.Instr, s.Source(1))
			e.a.Emit("str", r, e.address(s.Source(0), int(s.Instr.Imm), size))
		}},
		vector.WordGrow: {free, func(e *emitter, s *vector.Step) {
			r, size := wordAs(s.Instr, other)
			e.a.Emit("ldr", r, e.address(s.Source(0), int(s.Instr.Imm), size))
			e.a.Emit("add", asm.X(other), asm.X(other), asm.X(s.Source(1)))
			e.a.Emit("str", r, e.address(s.Source(0), int(s.Instr.Imm), size))
		}},
		vector.WordConst: {free, func(e *emitter, s *vector.Step) { e.constant(s.Result, s.Instr.Imm) }},
		vector.WordAlong: {free, func(e *emitter, s *vector.Step) {
			e.constant(scratch, s.Instr.Imm)
			e.a.Emit("madd", asm.X(s.Result), asm.X(s.Source(1)), asm.X(scratch), asm.X(s.Source(0)))
		}},
		vector.WordAddImm: {free, func(e *emitter, s *vector.Step) { e.addImm(s.Result, s.Source(0), int(s.Instr.Imm)) }},
		vector.Const: {free, func(e *emitter, s *vector.Step) {
			e.vectorConstant(s.Result, s.Instr.Kind.Size(), e.p.Bytes(s.Instr.Kind), func(int) uint64 { return uint64(s.Instr.Imm) })
		}},
		vector.Iota: {free, func(e *emitter, s *vector.Step) {
			e.vectorConstant(s.Result, s.Instr.Kind.Size(), e.p.Bytes(s.Instr.Kind), func(n int) uint64 { return uint64(n) })
		}},
		vector.WordTable: {free, func(e *emitter, s *vector.Step) {
			var data []byte
			for _, w := range e.p.Tables[s.Instr.Imm] {
				data = binary.LittleEndian.AppendUint64(data, w)
			}
			e.a.Emit("adr", asm.X(s.Result), e.a.Constant(data))
		}},
		vector.WidenLow: {free, func(e *emitter, s *vector.Step) {
			size := int(s.Instr.Imm)
			e.a.Emit("sxtl", asm.V(s.Result).As(arrangement(2*size, 16)), asm.V(s.Source(0)).As(arrangement(size, 8)))
		}},
		vector.WidenHigh: {free, func(e *emitter, s *vector.Step) {
			size := int(s.Instr.Imm)
			e.a.Emit("sxtl2", asm.V(s.Result).As(arrangement(2*size, 16)), asm.V(s.Source(0)).As(arrangement(size, 16)))
		}},
		vector.Prefetch:      {free, prefetch},
		vector.PrefetchNear:  {free, prefetch},
		vector.PrefetchWrite: {free, prefetch},
		vector.Rotate:        {free, rotate},
		vector.RotateEach:    {free, rotate},
		vector.Slide:         {free, slide},
		vector.WordCheck:     {free, check},
		vector.Load:          {early, load},
		vector.LoadSplat:     {early, splat},
		vector.LoadStrided:   {early, strided},
		vector.Lookup:        {early, lookup},
		vector.Store:         {vector.Shape{Tied: -1, Vectors: 1}, store},
		vector.StoreStrided:  {vector.Shape{Tied: -1, Vectors: 1}, storeStrided},
		vector.Quot:          {vector.Shape{Tied: -1, Early: true, Words: 2}, quotient},
		vector.Fault:         {vector.Shape{Tied: -1, Vectors: 1}, fault},
	}
}

func prefetch(e *emitter, s *vector.Step) {
	e.addImm(scratch, s.Source(0), int(s.Instr.Imm))
	e.a.Emit("prfm", asm.Imm(0), asm.At(asm.X(scratch), 0))
}

func rotate(e *emitter, s *vector.Step) {
	bytes := e.p.Bytes(s.Instr.Kind)
	v := asm.V(s.Source(0)).As(arrangement(1, bytes))
	e.a.Emit("ext", asm.V(s.Result).As(arrangement(1, bytes)), v, v, asm.Imm(int(s.Instr.Imm)*s.Instr.Kind.Size()))
}

// wordAs is a general register as an access of a word sees it, and the bytes of that.
func wordAs(i *vector.Instr, r int) (asm.Operand, int) {
	if i.From == vector.I32 {
		return asm.X(r).W(), 4
	}
	return asm.X(r), 8
}

// slide takes the top lanes of the second operand and, as far as there is room, lanes of the first.
func slide(e *emitter, s *vector.Step) {
	bytes := e.p.Bytes(s.Instr.Kind)
	as := func(r int) asm.Vec { return asm.V(r).As(arrangement(1, bytes)) }
	e.a.Emit("ext", as(s.Result), as(s.Source(1)), as(s.Source(0)), asm.Imm(bytes-int(s.Instr.Imm)*s.Instr.Kind.Size()))
}

var (
	scalars  = map[int]asm.Arrangement{1: asm.B, 2: asm.H, 4: asm.S, 8: asm.D, 16: asm.Q}
	elements = map[int]asm.Arrangement{1: asm.B, 2: asm.H, 4: asm.S, 8: asm.D}
)

func load(e *emitter, s *vector.Step) {
	i := s.Instr
	base, d := s.Source(0), asm.V(s.Result)
	vector.Pieces(e.p.Taking(i)*i.Mem.Size(i.Kind), func(at, size int) {
		if at == 0 {
			e.a.Emit("ldr", d.As(scalars[size]), e.address(base, int(i.Imm), size))
			return
		}
		e.addImm(scratch, base, int(i.Imm)+at)
		e.a.Emit("ld1", d.Element(elements[size], at/size), asm.At(asm.X(scratch), 0))
	})
	e.extend(i.Mem, d)
}

// pair emits two loads of neighbours as one instruction, and reports whether they are such loads.
func (e *emitter) pair(s, next *vector.Step) bool {
	whole := func(s *vector.Step) bool {
		return s.Kind == vector.Do && s.Instr.Op == vector.Load && s.Instr.Mem == vector.Same && s.Instr.Count == 0 &&
			e.p.Bytes(s.Instr.Kind) == 16
	}
	if !whole(s) || !whole(next) || s.Source(0) != next.Source(0) || s.Result == next.Result {
		return false
	}
	at := s.Instr.Imm
	if next.Instr.Imm != at+16 || at%16 != 0 || at < -1024 || at > 1008 {
		return false
	}
	e.a.Emit("ldp", asm.V(s.Result), asm.V(next.Result), asm.At(asm.X(s.Source(0)), int(at)))
	return true
}

// extend makes lanes of elements that are shorter in memory.
func (e *emitter) extend(m vector.Mem, d asm.Vec) {
	switch m {
	case vector.S8:
		e.a.Emit("sxtl", d.As(asm.H8), d.As(asm.B8))
		e.a.Emit("sxtl", d.As(asm.S4), d.As(asm.H4))
	case vector.U8:
		e.a.Emit("uxtl", d.As(asm.H8), d.As(asm.B8))
		e.a.Emit("uxtl", d.As(asm.S4), d.As(asm.H4))
	case vector.S16:
		e.a.Emit("sxtl", d.As(asm.S4), d.As(asm.H4))
	case vector.U16:
		e.a.Emit("uxtl", d.As(asm.S4), d.As(asm.H4))
	case vector.Half:
		e.a.Emit("fcvtl", d.As(asm.S4), d.As(asm.H4))
	case vector.Brain:
		e.a.Emit("shll", d.As(asm.S4), d.As(asm.H4), asm.Imm(16))
	}
}

// shorten returns the register with lanes as they are in memory.
func (e *emitter) shorten(m vector.Mem, v, t asm.Vec) asm.Vec {
	switch m {
	case vector.S8, vector.U8:
		e.a.Emit("xtn", t.As(asm.H4), v.As(asm.S4))
		e.a.Emit("xtn", t.As(asm.B8), t.As(asm.H8))
	case vector.S16, vector.U16:
		e.a.Emit("xtn", t.As(asm.H4), v.As(asm.S4))
	case vector.Half:
		e.a.Emit("fcvtn", t.As(asm.H4), v.As(asm.S4))
	case vector.Brain:
		e.a.Emit("uzp2", t.As(asm.H8), v.As(asm.H8), v.As(asm.H8))
	default:
		return v
	}
	return t
}

func store(e *emitter, s *vector.Step) {
	i := s.Instr
	base := s.Source(0)
	if i.Mem == vector.Long {
		e.storeLong(s)
		return
	}
	v := e.shorten(i.Mem, asm.V(s.Source(1)), asm.V(s.Vector(0)))
	vector.Pieces(e.p.Taking(i)*i.Mem.Size(i.Kind), func(at, size int) {
		if at == 0 {
			e.a.Emit("str", v.As(scalars[size]), e.address(base, int(i.Imm), size))
			return
		}
		e.addImm(scratch, base, int(i.Imm)+at)
		e.a.Emit("st1", v.Element(elements[size], at/size), asm.At(asm.X(scratch), 0))
	})
}

// storeLong writes integers of four bytes as integers of eight.
func (e *emitter) storeLong(s *vector.Step) {
	v, t := asm.V(s.Source(1)), asm.V(s.Vector(0))
	vector.Pieces(8*e.p.Taking(s.Instr), func(at, size int) {
		from, op := asm.S2, "sxtl"
		if at >= 16 {
			from, op = asm.S4, "sxtl2"
		}
		e.a.Emit(op, t.As(asm.D2), v.As(from))
		e.a.Emit("str", t.As(scalars[size]), e.address(s.Source(0), int(s.Instr.Imm)+at, size))
	})
}

func splat(e *emitter, s *vector.Step) {
	i := s.Instr
	size := i.Mem.Size(i.Kind)
	d := asm.V(s.Result)
	arr := arrangement(i.Kind.Size(), e.p.Bytes(i.Kind))
	if i.Mem == vector.Same {
		at := s.Source(0)
		if i.Imm != 0 {
			e.addImm(scratch, at, int(i.Imm))
			at = scratch
		}
		e.a.Emit("ld1r", d.As(arr), asm.At(asm.X(at), 0))
		return
	}
	e.a.Emit("ldr", d.As(scalars[size]), e.address(s.Source(0), int(i.Imm), size))
	e.extend(i.Mem, d)
	e.a.Emit("dup", d.As(arr), d.Element(elements[i.Kind.Size()], 0))
}

// each calls f for the lanes of an access that lie apart, with the address in a scratch register.
func (e *emitter) each(i *vector.Instr, base int, f func(lane int, at asm.Mem)) {
	e.addImm(scratch, base, int(i.Imm))
	if i.Imm == 0 {
		e.a.Emit("mov", asm.X(scratch), asm.X(base))
	}
	for lane := range e.p.Taking(i) {
		if lane > 0 {
			e.addImm(scratch, scratch, i.Stride)
		}
		f(lane, asm.At(asm.X(scratch), 0))
	}
}

func strided(e *emitter, s *vector.Step) {
	i := s.Instr
	size, d := i.Mem.Size(i.Kind), asm.V(s.Result)
	e.each(i, s.Source(0), func(lane int, at asm.Mem) {
		if lane == 0 {
			e.a.Emit("ldr", d.As(scalars[size]), at)
			return
		}
		e.a.Emit("ld1", d.Element(elements[size], lane), at)
	})
	e.extend(i.Mem, d)
}

func storeStrided(e *emitter, s *vector.Step) {
	i := s.Instr
	size := i.Mem.Size(i.Kind)
	v := e.shorten(i.Mem, asm.V(s.Source(1)), asm.V(s.Vector(0)))
	e.each(i, s.Source(0), func(lane int, at asm.Mem) {
		e.a.Emit("st1", v.Element(elements[size], lane), at)
	})
}

func lookup(e *emitter, s *vector.Step) {
	i := s.Instr
	size, d, index := i.Mem.Size(i.Kind), asm.V(s.Result), asm.V(s.Source(1))
	shift := map[int]int{1: 0, 2: 1, 4: 2, 8: 3}[size]
	base := s.Source(0)
	if i.Imm != 0 {
		e.addImm(scratch, base, int(i.Imm))
		base = scratch
	}
	for lane := range e.p.Taking(i) {
		if i.From == vector.I64 {
			e.a.Emit("umov", asm.X(other), index.Element(asm.D, lane))
		} else {
			e.a.Emit("smov", asm.X(other), index.Element(asm.S, lane))
		}
		if lane == 0 {
			e.a.Emit("ldr", d.As(scalars[size]), asm.Indexed(asm.X(base), asm.X(other), shift))
			continue
		}
		e.a.Emit("add", asm.X(other), asm.X(base), asm.X(other), asm.Imm(shift))
		e.a.Emit("ld1", d.Element(elements[size], lane), asm.At(asm.X(other), 0))
	}
	e.extend(i.Mem, d)
}

// quotient divides lane by lane: the processor gives 0 for a divisor of 0.
func quotient(e *emitter, s *vector.Step) {
	long := s.Instr.Kind == vector.I64
	x, y := asm.X(s.Word(0)), asm.X(s.Word(1))
	el, result := asm.D, asm.V(s.Result)
	if !long {
		x, y, el = x.W(), y.W(), asm.S
	}
	for lane := range e.p.Lanes {
		e.a.Emit("umov", x, asm.V(s.Source(0)).Element(el, lane))
		e.a.Emit("umov", y, asm.V(s.Source(1)).Element(el, lane))
		e.a.Emit("sdiv", x, x, y)
		if lane == 0 {
			e.a.Emit("fmov", result.As(el), x)
			continue
		}
		e.a.Emit("mov", result.Element(el, lane), x)
	}
}

// fault sets a word of the call block if a lane of a mask is not 0.
func fault(e *emitter, s *vector.Step) {
	t, v := asm.V(s.Vector(0)), asm.V(s.Source(0))
	done := e.a.Label()
	if e.p.Bytes(s.Instr.Kind) == 16 {
		e.a.Emit("umaxv", t.As(asm.S), v.As(asm.S4))
	} else {
		e.a.Emit("umaxp", t.As(asm.S2), v.As(asm.S2), v.As(asm.S2))
	}
	e.a.Emit("fmov", asm.X(scratch).W(), t.As(asm.S))
	e.a.Emit("cbz", asm.X(scratch).W(), done)
	e.a.Emit("str", asm.X(scratch).W(), e.faultAddress())
	e.a.Bind(done)
}

// check leaves the program if the first operand is not below the second.
func check(e *emitter, s *vector.Step) {
	inside := e.a.Label()
	e.a.Emit("cmp", asm.X(s.Source(0)), asm.X(s.Source(1)))
	e.a.Emit("b.lo", inside)
	e.constant(scratch, 1)
	e.a.Emit("str", asm.X(scratch), e.faultAddress())
	e.a.Emit("ret")
	e.a.Bind(inside)
}

func (e *emitter) faultAddress() asm.Mem { return asm.At(asm.X(0), 8*e.fault) }
