package emit

import (
	"math/bits"

	"github.com/go-acap/acap/kernel/cpu"
	"github.com/go-acap/acap/kernel/vector"
	"github.com/go-acap/acap/kernel/x86/asm"
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
	add := func(e *emitter, s *vector.Step, at asm.Mem) { e.a.Emit(asm.LEA, e.word(s.Result), at) }
	specials = [256]special{
		vector.Arg: {free, func(e *emitter, s *vector.Step) {
			e.a.Emit(asm.MOV, e.word(s.Result), asm.Ptr(block, 8*int(s.Instr.Imm)))
		}},
		vector.WordLoad: {free, func(e *emitter, s *vector.Step) {
			e.a.Emit(asm.MOV, e.element(s.Instr, s.Result), e.address(s))
		}},
		vector.WordStore: {free, func(e *emitter, s *vector.Step) {
			e.a.Emit(asm.MOV, e.address(s), e.element(s.Instr, s.Source(1)))
		}},
		vector.WordGrow: {free, func(e *emitter, s *vector.Step) {
			e.a.Emit(asm.ADD, e.address(s), e.element(s.Instr, s.Source(1)))
		}},
		vector.WordTable: {free, func(e *emitter, s *vector.Step) {
			e.a.Emit(asm.LEA, e.word(s.Result), e.a.ConstU64(e.p.Tables[s.Instr.Imm]...))
		}},
		vector.WordConst: {free, func(e *emitter, s *vector.Step) { e.a.Emit(asm.MOV, e.word(s.Result), asm.Imm(s.Instr.Imm)) }},
		vector.WordAdd: {free, func(e *emitter, s *vector.Step) {
			add(e, s, asm.At(e.word(s.Source(0)), e.word(s.Source(1)), 1, 0))
		}},
		vector.WordIndex: {free, func(e *emitter, s *vector.Step) {
			add(e, s, asm.At(e.word(s.Source(0)), e.word(s.Source(1)), 1<<s.Instr.Imm, 0))
		}},
		vector.WordAddImm: {free, func(e *emitter, s *vector.Step) {
			if s.Result == s.Source(0) {
				e.a.Emit(asm.ADD, e.word(s.Result), asm.Imm(s.Instr.Imm))
				return
			}
			add(e, s, asm.Ptr(e.word(s.Source(0)), int(s.Instr.Imm)))
		}},
		vector.WordCheck: {free, func(e *emitter, s *vector.Step) {
			e.checks = true
			e.a.Emit(asm.CMP, e.word(s.Source(0)), e.word(s.Source(1)))
			e.a.Emit(asm.JAE, e.failed)
		}},
		vector.Const: {free, func(e *emitter, s *vector.Step) {
			d, bits := e.vec(e.p.Bytes(s.Instr.Kind), s.Result), uint64(s.Instr.Imm)
			switch {
			case bits == 0:
				e.a.Emit(asm.VXORPS, d.As(16), d.As(16), d.As(16))
			case s.Instr.Kind.Size() == 4:
				e.a.Emit(asm.VPBROADCASTD, d, e.a.ConstU32(uint32(bits)))
			default:
				e.a.Emit(asm.VPBROADCASTQ, d, e.a.ConstU64(bits))
			}
		}},
		vector.Iota: {free, func(e *emitter, s *vector.Step) {
			e.a.Emit(asm.VMOVUPS, e.result(s), e.constant(s.Instr.Kind, func(n int) uint64 { return uint64(n) }))
		}},
		vector.Prefetch:      {free, func(e *emitter, s *vector.Step) { e.a.Emit(asm.PREFETCHT1, e.address(s)) }},
		vector.PrefetchNear:  {free, func(e *emitter, s *vector.Step) { e.a.Emit(asm.PREFETCHT0, e.address(s)) }},
		vector.PrefetchWrite: {free, func(e *emitter, s *vector.Step) { e.a.Emit(asm.PREFETCHW, e.address(s)) }},
		vector.Slide:         {vector.Shape{Tied: -1, Vectors: 1}, slide},
		vector.Rotate:        {vector.Shape{Tied: -1, Vectors: 1}, rotate},
		vector.TileSizes: {free, func(e *emitter, s *vector.Step) {
			e.a.Emit(asm.LDTILECFG, asm.Ptr(e.word(s.Source(0)), 0))
		}},
		vector.TileZero:        {free, func(e *emitter, s *vector.Step) { e.a.Emit(asm.TILEZERO, asm.T(int(s.Instr.Imm))) }},
		vector.TileLoad:        {free, tileLoad(asm.TILELOADD)},
		vector.TileLoadFar:     {free, tileLoad(asm.TILELOADDT1)},
		vector.TileDotSigned:   {free, tileDot(asm.TDPBSSD)},
		vector.TileDotMixed:    {free, tileDot(asm.TDPBUSD)},
		vector.TileDotSwapped:  {free, tileDot(asm.TDPBSUD)},
		vector.TileDotUnsigned: {free, tileDot(asm.TDPBUUD)},
		vector.TileDotBrain:    {free, tileDot(asm.TDPBF16PS)},
		vector.TileStore: {free, func(e *emitter, s *vector.Step) {
			e.a.Emit(asm.TILESTORED, e.tile(s), asm.T(int(s.Instr.Imm)))
		}},
		vector.TileRelease: {free, func(e *emitter, _ *vector.Step) { e.a.Emit(asm.TILERELEASE) }},
		vector.Load:        {free, load},
		vector.LoadSplat:   {free, splat},
		vector.Store:       {vector.Shape{Tied: -1, Vectors: 1}, store},
		vector.StoreStream: {free, func(e *emitter, s *vector.Step) {
			e.a.Emit(asm.VMOVNTPS, e.address(s), e.register(s.Instr.Args[1], s.Source(1)))
		}},
		vector.Fence:        {free, func(e *emitter, _ *vector.Step) { e.a.Emit(asm.SFENCE) }},
		vector.LoadStrided:  {vector.Shape{Tied: -1, Vectors: 4, Early: true}, strided},
		vector.Lookup:       {vector.Shape{Tied: -1, Vectors: 4, Early: true}, lookup},
		vector.StoreStrided: {vector.Shape{Tied: -1, Vectors: 2}, storeStrided},
		vector.Choose: {vector.Shape{Tied: -1, Early: true}, func(e *emitter, s *vector.Step) {
			d, table := asm.Z(s.Result), e.word(s.Source(0))
			e.a.Emit(asm.VMOVUPS, d, asm.Ptr(table, 0))
			e.a.Emit(asm.VPERMT2PS, d, asm.Z(s.Source(1)), asm.Ptr(table, 64))
		}},
		vector.WordMax: {vector.Shape{Tied: -1, Vectors: 3}, wordMax},
		vector.Fault:   {free, fault},
	}
}

// tile emits the distance of the rows of a tile, and returns where they are.
func (e *emitter) tile(s *vector.Step) asm.Mem {
	e.a.Emit(asm.MOV, scratch, asm.Imm(s.Instr.Stride)) // the sign is extended
	return asm.At(e.word(s.Source(0)), scratch, 1, 0)
}

func tileLoad(op asm.Op) func(e *emitter, s *vector.Step) {
	return func(e *emitter, s *vector.Step) { e.a.Emit(op, asm.T(int(s.Instr.Imm)), e.tile(s)) }
}

func tileDot(op asm.Op) func(e *emitter, s *vector.Step) {
	return func(e *emitter, s *vector.Step) {
		rows, columns := vector.TileFactors(int(s.Instr.Imm))
		e.a.Emit(op, asm.T(int(s.Instr.Imm)), asm.T(rows), asm.T(columns))
	}
}

// element is a general register as an access of a word sees it.
func (e *emitter) element(i *vector.Instr, r int) asm.Reg {
	if i.From == vector.I32 {
		return e.word(r).Dword()
	}
	return e.word(r)
}

// result returns the register of a step's result.
func (e *emitter) result(s *vector.Step) asm.Reg { return e.register(s.Instr.Def, s.Result) }

// wide picks the instruction for lanes of eight bytes or of four.
func wide(k vector.Kind, eight, four asm.Op) asm.Op {
	if k.Size() == 8 {
		return eight
	}
	return four
}

// bySize picks the instruction for elements of a size.
func bySize(size int, one, two, four, eight asm.Op) asm.Op {
	return [...]asm.Op{one, two, four, eight}[bits.TrailingZeros(uint(size))]
}

// slide moves lanes up, behind the top lanes of another vector. With AVX2 these are the lanes of a whole register.
func slide(e *emitter, s *vector.Step) {
	e.slide(s, e.register(s.Instr.Args[1], s.Source(1)), int(s.Instr.Imm))
}

// rotate moves lanes down, and the lowest to the top: lanes move up behind the lanes of their own vector.
func rotate(e *emitter, s *vector.Step) {
	e.slide(s, e.register(s.Instr.Args[0], s.Source(0)), e.p.Lanes-int(s.Instr.Imm))
}

func (e *emitter) slide(s *vector.Step, b asm.Reg, by int) {
	i, d, a := s.Instr, e.result(s), e.register(s.Instr.Args[0], s.Source(0))
	bytes := by * i.Kind.Size()
	switch {
	case e.p.Bytes(i.Kind) < 16:
		panic(vector.ErrNoInstruction)
	case e.f.Level == cpu.AVX512:
		e.a.Emit(wide(i.Kind, asm.VALIGNQ, asm.VALIGND), d, a, b, asm.Imm(int64(e.p.Lanes-by)))
	case e.p.Bytes(i.Kind) == 16:
		e.a.Emit(asm.VPALIGNR, d, a, b, asm.Imm(int64(16-bytes)))
	case bytes == 16:
		e.a.Emit(asm.VPERM2I128, d, a, b, asm.Imm(0x03))
	default:
		t := asm.Y(s.Vector(0))
		e.a.Emit(asm.VPERM2I128, t, a, b, asm.Imm(0x03)) // the upper half of b, the lower of a
		if bytes > 16 {
			e.a.Emit(asm.VPALIGNR, d, t, b, asm.Imm(int64(32-bytes)))
		} else {
			e.a.Emit(asm.VPALIGNR, d, a, t, asm.Imm(int64(16-bytes)))
		}
	}
}

// address is the memory of an access.
func (e *emitter) address(s *vector.Step) asm.Mem {
	m := asm.Ptr(e.word(s.Source(0)), int(s.Instr.Imm))
	if s.Instr.Scale != 0 {
		m.Index, m.Scale = e.word(s.Source(len(s.Instr.Args)-1)), int(s.Instr.Scale)
	}
	return m
}

// whole returns the instruction that moves bytes between memory and a register, and the length of the register.
func whole(bytes int) (op asm.Op, length int, ok bool) {
	switch bytes {
	case 4:
		return asm.VMOVSS, 16, true
	case 8:
		return asm.VMOVSD, 16, true
	case 16, 32, 64:
		return asm.VMOVUPS, bytes, true
	}
	return 0, 0, false
}

// guarded returns the instruction that moves elements of a size by a mask.
func guarded(size int) asm.Op {
	return bySize(size, asm.VMOVDQU8, asm.VMOVDQU16, asm.VMOVDQU32, asm.VMOVDQU64)
}

// extensions are the instructions that make lanes of shorter elements.
var extensions = [...]asm.Op{vector.S8: asm.VPMOVSXBD, vector.U8: asm.VPMOVZXBD, vector.S16: asm.VPMOVSXWD,
	vector.U16: asm.VPMOVZXWD, vector.Half: asm.VCVTPH2PS, vector.Brain: asm.VPMOVZXWD}

// halves are the instructions that make numbers of 16 bits of bytes.
var halves = [...]asm.Op{vector.S8: asm.VPMOVSXBW, vector.U8: asm.VPMOVZXBW}

func load(e *emitter, s *vector.Step) {
	i, d, at := s.Instr, e.result(s), e.address(s)
	size := i.Mem.Size(i.Kind)
	longer := i.Mem != vector.Same
	switch whole := e.p.Bytes(i.Kind) >= 16; {
	case longer && i.Kind == vector.Bytes:
		e.a.Emit(halves[i.Mem], d, at)
	case longer && i.Count == 0 && whole:
		e.access(extensions[i.Mem], d, asm.None, at)
	case longer && whole && e.f.Level == cpu.AVX512:
		e.a.Emit(extensions[i.Mem], d.ZeroMask(e.lowestLanes(int(i.Count))), at)
	default:
		e.readLanes(d, at, e.p.Taking(i), size)
		if longer {
			e.a.Emit(extensions[i.Mem], d, d.As(max(16, d.Bytes()*size/4)))
		}
	}
	if i.Mem == vector.Brain {
		e.a.Emit(asm.VPSLLD, d, d, asm.Imm(16))
	}
}

// readLanes reads elements of a size into the bottom of a register.
func (e *emitter) readLanes(d asm.Reg, at asm.Mem, lanes, size int) {
	bytes := lanes * size
	if op, length, ok := whole(bytes); ok {
		e.access(op, d.As(length), asm.None, at)
		return
	}
	if e.f.Level == cpu.AVX512 {
		length := 16
		for length < bytes {
			length *= 2
		}
		e.access(guarded(size), d.As(length).ZeroMask(e.lowestLanes(lanes)), asm.None, at)
		return
	}
	upper := asm.X(e.temporary)
	vector.Pieces(bytes, func(n, size int) {
		x := d.As(16)
		if n >= 16 {
			x = upper
		}
		op, _, moves := whole(size)
		if n%16 == 0 {
			if moves {
				e.access(op, x, asm.None, at.Plus(n))
				return
			}
			e.a.Emit(asm.VPXOR, x, x, x)
		}
		insert := bySize(size, asm.VPINSRB, asm.VPINSRW, asm.VPINSRD, asm.VPINSRQ)
		e.a.Emit(insert, x, x, at.Plus(n), asm.Imm(int64(n%16/size)))
	})
	if bytes > 16 {
		e.a.Emit(asm.VINSERTI128, d.As(32), d.As(32), upper, asm.Imm(1))
	}
}

func splat(e *emitter, s *vector.Step) {
	i, d, at := s.Instr, e.result(s), e.address(s)
	switch {
	case i.Mem == vector.Half || i.Mem == vector.S16 || i.Mem == vector.U16:
		e.a.Emit(asm.VPBROADCASTW, d.As(max(16, d.Bytes()/2)), at)
		e.a.Emit(extensions[i.Mem], d, d.As(max(16, d.Bytes()/2)))
		return
	case i.Kind == vector.Bytes && d.Bytes() == 32:
		e.a.Emit(asm.VBROADCASTI128, d, at)
		return
	case i.Kind == vector.Bytes:
		panic(vector.ErrNoInstruction)
	case i.Mem == vector.Same:
		e.access(wide(i.Kind, asm.VPBROADCASTQ, asm.VPBROADCASTD), d, asm.None, at)
		return
	}
	e.a.Emit(shortElements[i.Mem], scratch.Dword(), at)
	if i.Mem == vector.Brain {
		e.a.Emit(asm.SHL, scratch.Dword(), asm.Imm(16))
	}
	e.a.Emit(asm.VMOVD, d.As(16), scratch.Dword())
	e.a.Emit(asm.VPBROADCASTD, d, d.As(16))
}

// shortElements are the instructions that read a shorter element into a general register.
var shortElements = [...]asm.Op{vector.S8: asm.MOVSXB, vector.U8: asm.MOVZXB, vector.Brain: asm.MOVZXW}

func store(e *emitter, s *vector.Step) {
	i, v := s.Instr, e.register(s.Instr.Args[1], s.Source(1))
	at, lanes := e.address(s), e.p.Taking(i)
	if i.Mem == vector.Half && i.Count == 0 && v.Bytes() == e.p.Bytes(i.Kind) {
		e.a.Emit(asm.VCVTPS2PH, at, v, asm.Imm(0))
		return
	}
	if i.Mem != vector.Long {
		e.writeLanes(at, e.shorten(i.Mem, v, asm.Vec(v.Bytes(), s.Vector(0))), lanes, i.Mem.Size(i.Kind))
		return
	}
	// As many lanes of eight bytes as a register has, twice if there are more.
	half := min(e.p.Lanes, e.f.Level.VectorBytes()/8)
	t := e.vec(8*half, s.Vector(0))
	e.a.Emit(asm.VPMOVSXDQ, t, v.As(max(16, 4*half)))
	e.writeLanes(at, t, min(half, lanes), 8)
	if lanes > half {
		e.a.Emit(map[int]asm.Op{32: asm.VEXTRACTI128, 64: asm.VEXTRACTI64X4}[v.Bytes()], t.As(4*half), v, asm.Imm(1))
		e.a.Emit(asm.VPMOVSXDQ, t, t.As(4*half))
		e.writeLanes(at.Plus(8*half), t, lanes-half, 8)
	}
}

// shorten returns the register with elements as they are in memory, at its bottom.
func (e *emitter) shorten(m vector.Mem, v, t asm.Reg) asm.Reg {
	const none = 0x8080_8080_8080_8080
	narrow, order := asm.VPMOVDW, [2]uint64{0x0d0c_0908_0504_0100, none} // of the bytes of each 16
	switch m {
	case vector.Same:
		return v
	case vector.Half:
		t = t.As(max(16, v.Bytes()/2))
		e.a.Emit(asm.VCVTPS2PH, t, v, asm.Imm(0))
		return t
	case vector.Flushed:
		t = t.As(max(16, v.Bytes()/2))
		e.a.Emit(asm.VCVTNEPS2BF16, t, v)
		return t
	case vector.Brain:
		e.a.Emit(asm.VPSRLD, t, v, asm.Imm(16))
		v = t
	case vector.S8, vector.U8:
		narrow, order = asm.VPMOVDB, [2]uint64{0x8080_8080_0c08_0400, none}
	}
	if e.f.Level == cpu.AVX512 {
		half := t.As(max(16, v.Bytes()/2))
		if narrow == asm.VPMOVDB {
			half = t.As(16)
		}
		e.a.Emit(narrow, half, v)
		return half
	}
	if v.Bytes() == 16 {
		e.a.Emit(asm.VPSHUFB, t, v, e.a.ConstU64(order[:]...))
		return t
	}
	e.a.Emit(asm.VPSHUFB, t, v, e.a.ConstU64(order[0], order[1], order[0], order[1]))
	upper := asm.X(e.temporary)
	e.a.Emit(asm.VEXTRACTI128, upper, t, asm.Imm(1))
	join := asm.VPUNPCKLQDQ
	if narrow == asm.VPMOVDB {
		join = asm.VPUNPCKLDQ
	}
	e.a.Emit(join, t.As(16), t.As(16), upper)
	return t.As(16)
}

// writeLanes writes elements of a size from the bottom of a register.
func (e *emitter) writeLanes(at asm.Mem, v asm.Reg, lanes, size int) {
	bytes := lanes * size
	if op, length, ok := whole(bytes); ok {
		e.access(op, asm.None, v.As(length), at)
		return
	}
	if e.f.Level == cpu.AVX512 {
		e.access(guarded(size), asm.None, v, at.Mask(e.lowestLanes(lanes)))
		return
	}
	upper := asm.X(e.temporary)
	if bytes > 16 {
		e.a.Emit(asm.VEXTRACTI128, upper, v.As(32), asm.Imm(1))
	}
	vector.Pieces(bytes, func(n, size int) {
		x := v.As(16)
		if n >= 16 {
			x = upper
		}
		if op, _, moves := whole(size); moves && n%16 == 0 {
			e.access(op, asm.None, x, at.Plus(n))
			return
		}
		extract := bySize(size, asm.VPEXTRB, asm.VPEXTRW, asm.VPEXTRD, asm.VPEXTRQ)
		e.a.Emit(extract, at.Plus(n), x, asm.Imm(int64(n%16/size)))
	})
}
