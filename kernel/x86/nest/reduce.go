package nest

import (
	"math"

	"github.com/go-acap/acap/base/dtype"
	"github.com/go-acap/acap/kernel"
	"github.com/go-acap/acap/kernel/x86/asm"
)

// longSum is the number of values that one accumulator sums before the partial
// sum is put aside, so that rounding errors do not grow with the length.
const longSum = 256

// reduction appends the folding of a reduction to the body of a stage.
func (g *generator) reduction(l *lowering, s *stage, number, index int) *reduction {
	r := &reduction{Reduction: g.Nest.Stages[number].Reduce[index], first: len(s.accs)}
	from := l.body[r.Value].Type
	if g.InnerPoints() == 0 {
		unsupported()
	}
	r.result = g.newSlots(max(g.Unroll, 2))
	g.results[[2]int{number, index}] = slotValue{r.result, r.Result()}
	if r.Kind.IsArg() {
		g.argReduction(l, s, r, from)
		return r
	}
	t := r.Type
	if t == dtype.F16 || t == dtype.BF16 {
		t = dtype.F32
	}
	v := l.cast(t, from, r.Value)
	if v.kind == mask {
		v = l.toVector(v)
	}
	r.kind = kindOf(r.Type)
	acc := accumulator{kind: r.kind, start: identity(&r.Reduction, r.Type), partial: -1}
	if r.Type.IsFloat() && r.Kind == kernel.ReduceSum && g.perAccumulator() > 2*longSum {
		acc.partial = g.newSlots(g.Unroll)
		s.flushes = true
	}
	s.accs = append(s.accs, acc)
	if op, ok := directFold(r); ok {
		l.foldDirect(op, r.first, v)
		return r
	}
	r.plain = g.Exponent(number, index) && g.Absorbed(number, index)
	if op, ok := plainFold(r); ok && !g.isa.avx512 {
		l.foldDirect(op, r.first, v)
		return r
	}
	if g.guards(r) {
		if r.noted = !g.Absorbed(number, index); r.noted {
			// The largest bits as signed and as unsigned integers tell of a NaN.
			bits := accumulator{kind: i32, start: cBits(i32, 0), partial: -1}
			s.accs = append(s.accs, bits, bits)
		}
		l.foldExtreme(r, v)
		return r
	}
	l.setAccumulator(r.first, l.combine(r, pinned(r.kind, r.first), v))
	return r
}

// guards reports whether a reduction is a minimum or maximum whose NaNs are found
// at the end, if it matters.
func (g *generator) guards(r *reduction) bool {
	return g.isa.avx512 && r.Type == dtype.F32 &&
		(r.Kind == kernel.ReduceMin || r.Kind == kernel.ReduceMax)
}

// foldExtreme folds a minimum or maximum that passes NaNs by, and keeps the bits
// that give them away if NaNs are noted.
func (s *sequence) foldExtreme(r *reduction, v operand) {
	op, _ := plainFold(r)
	if !r.plain {
		op = asm.VRANGEPS
	}
	ops := []asm.Op{op}
	if r.noted {
		ops = append(ops, asm.VPMAXSD, asm.VPMAXUD)
	}
	s.do(instr{src: s.sources(v, dummy), emit: func(e *emitter, q *registers) {
		v := q.reg(0)
		for n, op := range ops {
			a := e.accs[r.first+n][e.unroll]
			d := a
			if e.tail > 0 {
				d = a.Mask(tailMask)
			}
			if op == asm.VRANGEPS {
				e.a.Emit(op, d, v, a, rangeOf(r.Kind == kernel.ReduceMax))
			} else {
				e.a.Emit(op, d, v, a)
			}
		}
	}})
}

// rangeOf has VRANGEPS take the least or the greatest number, of which -0 is less than +0.
func rangeOf(largest bool) asm.Imm {
	if largest {
		return 5
	}
	return 4
}

// plainFold is the instruction that folds an extreme if neither NaN nor the sign of a zero matters.
func plainFold(r *reduction) (asm.Op, bool) {
	switch {
	case !r.plain && r.Type != dtype.F32:
		return 0, false
	case r.Kind == kernel.ReduceMin:
		return pick(r.kind, asm.VMINPS, asm.VMINPD), r.plain
	case r.Kind == kernel.ReduceMax:
		return pick(r.kind, asm.VMAXPS, asm.VMAXPD), r.plain
	}
	return 0, false
}

// perAccumulator is how many values one accumulator folds.
func (g *generator) perAccumulator() int {
	n := g.InnerPoints()
	if !g.LaneOuter {
		n /= g.Lanes * g.Unroll
	}
	return n
}

// directFold is the one instruction that folds, where there is one.
func directFold(r *reduction) (asm.Op, bool) {
	if r.Kind == kernel.ReduceSum && r.Type != dtype.Bool {
		return pick(r.kind, asm.VADDPS, asm.VADDPD, asm.VPADDD, asm.VPADDQ), true
	}
	return 0, false
}

func (s *sequence) foldDirect(op asm.Op, acc int, v operand) {
	s.do(instr{src: s.sources(v, dummy), temps: 1, emit: func(e *emitter, r *registers) {
		a := e.accs[acc][e.unroll]
		switch {
		case e.tail == 0:
			e.a.Emit(op, a, a, r.s[0])
		case e.avx512:
			e.a.Emit(op, a.Mask(tailMask), a, r.s[0])
		default:
			t := r.t[0].As(a.Bytes())
			e.a.Emit(op, t, a, r.s[0])
			e.guardedMove(a, t)
		}
	}})
}

// setAccumulator appends the move of v to an accumulator, in the lanes in use.
func (s *sequence) setAccumulator(acc int, v operand) {
	s.do(instr{src: s.sources(v, dummy), emit: func(e *emitter, r *registers) {
		e.guardedMove(e.accs[acc][e.unroll], r.reg(0))
	}})
}

func (e *emitter) guardedMove(a, v asm.Reg) {
	wide := e.bytesPerLane(a) == 8
	switch {
	case e.tail == 0:
		e.a.Emit(asm.VMOVAPS, a, v)
	case e.avx512 && wide:
		e.a.Emit(asm.VMOVAPD, a.Mask(tailMask), v)
	case e.avx512:
		e.a.Emit(asm.VMOVAPS, a.Mask(tailMask), v)
	case wide:
		e.a.Emit(asm.VBLENDPD, a, a, v, asm.Imm(1<<e.tail-1))
	default:
		e.a.Emit(asm.VBLENDPS, a, a, v, asm.Imm(1<<e.tail-1))
	}
}

func (e *emitter) bytesPerLane(r asm.Reg) int { return r.Bytes() / e.lanes }

// combine appends one step of a reduction.
func (s *sequence) combine(r *reduction, a, b operand) operand {
	if r.Type == dtype.Bool {
		switch r.Kind {
		case kernel.ReduceProd, kernel.ReduceMin, kernel.ReduceMinNum, kernel.ReduceAnd:
			return s.and(a, b)
		case kernel.ReduceXor:
			return s.xor(a, b)
		}
		return s.or(a, b)
	}
	switch r.Kind {
	case kernel.ReduceSum:
		return s.plus(a, b)
	case kernel.ReduceProd:
		return s.product(a, b)
	case kernel.ReduceMin, kernel.ReduceMax:
		if r.plain {
			return s.joinNumbers(r, partial{value: a}, partial{value: b}).value
		}
		// The running value goes second: once it is NaN it stays.
		return s.extreme(r.Kind == kernel.ReduceMax, b, a)
	case kernel.ReduceMinNum, kernel.ReduceMaxNum:
		return s.extremeNumber(r.Kind == kernel.ReduceMaxNum, a, b)
	case kernel.ReduceAnd:
		return s.and(a, b)
	case kernel.ReduceOr:
		return s.or(a, b)
	}
	return s.xor(a, b)
}

func (g *generator) argReduction(l *lowering, s *stage, r *reduction, from dtype.DType) {
	if from == dtype.Bool {
		unsupported()
	}
	r.kind = kindOf(from)
	s.accs = append(s.accs,
		accumulator{kind: r.kind, start: identity(&r.Reduction, from), partial: -1},
		accumulator{kind: i64, start: cBits(i64, math.MaxInt64), partial: -1})
	v, p := l.operand(r.Value), l.operand(r.Arg)
	a, b := pinned(r.kind, r.first), pinned(i64, r.first+1)
	m := l.beats(r, v, p, a, b)
	// Both blends read the accumulators before either is set.
	newValue, newPlace := l.blend(m, a, v), l.blend(m, b, p)
	l.setAccumulator(r.first, newValue)
	l.setAccumulator(r.first+1, newPlace)
}

// beats is the mask of the lanes where v at place p takes over from a at b.
func (s *sequence) beats(r *reduction, v, p, a, b operand) operand {
	better := greaterThan
	if r.Kind == kernel.ReduceArgMin {
		better = less
	}
	win := s.compare(better, v, a)
	tie := s.compare(equal, v, a)
	if r.kind == f32 || r.kind == f64 {
		nv, na := s.compare(unordered, v, v), s.compare(unordered, a, a)
		tie = s.either(tie, s.both(nv, na))
		number := s.compare(equal, a, a)
		win = s.either(win, s.both(nv, number))
	}
	return s.either(win, s.both(tie, s.compare(less, p, b)))
}

// finishSequence makes the results of a stage's reductions: the accumulators of
// all copies are combined (of one copy if the lanes are outer points), then the
// lanes, then the start value.
func (g *generator) finishSequence(s *stage) *sequence {
	q := g.newSequence(g.isa)
	for _, r := range s.reduce {
		parts := q.partsOf(g, s, r)
		join := q.join
		if g.guards(r) {
			join = q.joinNumbers
		}
		for len(parts) > 1 {
			half := len(parts) / 2
			for c := range half {
				parts[c] = join(r, parts[c], parts[c+half])
			}
			parts = parts[:half]
		}
		p := parts[0]
		if !g.LaneOuter {
			for half := g.Lanes / 2; half >= 1; half /= 2 {
				x := partial{value: q.upper(p.value, half)}
				if r.Kind.IsArg() {
					x.place = q.upper(p.place, half)
				}
				p = join(r, p, x)
			}
		}
		if r.noted {
			p.value = q.guardNaN(p.value, r, g)
		}
		g.toSlot(q, q.result(g, r, p), r.result)
	}
	return q
}

// partial is a partial result of a reduction.
type partial struct{ value, place operand }

// partsOf reads the accumulators of a reduction.
func (s *sequence) partsOf(g *generator, st *stage, r *reduction) []partial {
	copies := g.Unroll
	if g.LaneOuter {
		copies = 1
	}
	var parts []partial
	for c := range copies {
		p := partial{value: s.accumulatorOf(st.accs[r.first], r.first, c, g.LaneOuter)}
		if r.Kind.IsArg() {
			p.place = s.accumulatorOf(st.accs[r.first+1], r.first+1, c, g.LaneOuter)
		}
		parts = append(parts, p)
	}
	return parts
}

// result turns the last partial result into what later stages read.
func (s *sequence) result(g *generator, r *reduction, p partial) operand {
	v := p.place
	if !r.Kind.IsArg() {
		v = s.combine(r, s.splat(kindConst(r.Type, r.Init)), p.value)
		v = s.roundHalf(r.Type, s.wrap(r.Type, v))
	}
	if g.LaneOuter {
		return v
	}
	return s.broadcastLane0(v)
}

// join combines two partial results.
func (s *sequence) join(r *reduction, p, x partial) partial {
	if !r.Kind.IsArg() {
		return partial{value: s.combine(r, p.value, x.value)}
	}
	m := s.beats(r, x.value, x.place, p.value, p.place)
	return partial{value: s.blend(m, p.value, x.value), place: s.blend(m, p.place, x.place)}
}

// joinNumbers combines minima or maxima of which none is NaN.
func (s *sequence) joinNumbers(r *reduction, p, x partial) partial {
	if !r.plain {
		return partial{value: s.add(f32, instr{src: s.sources(p.value, x.value), emit: func(e *emitter, q *registers) {
			e.a.Emit(asm.VRANGEPS, q.d, q.s[0], q.s[1], rangeOf(r.Kind == kernel.ReduceMax))
		}})}
	}
	if r.Kind == kernel.ReduceMax {
		return partial{value: s.greater(p.value, x.value)}
	}
	return partial{value: s.lesser(p.value, x.value)}
}

// guardNaN gives v, or NaN if the lane (any lane of any copy of r, if the lanes
// are inner points) has seen one.
func (s *sequence) guardNaN(v operand, r *reduction, g *generator) operand {
	return s.add(f32, instr{src: s.sources(v, dummy), temps: 2, masks: 2, early: true,
		emit: func(e *emitter, q *registers) {
			e.a.Emit(asm.VMOVAPS, q.d, q.s[0])
			for n, op := range []asm.Op{asm.VPMAXSD, asm.VPMAXUD} {
				t, copies := q.t[n].As(q.d.Bytes()), e.accs[r.first+1+n]
				if g.LaneOuter {
					copies = copies[e.unroll : e.unroll+1]
				}
				e.a.Emit(asm.VMOVAPS, t, copies[0])
				for _, c := range copies[1:] {
					e.a.Emit(op, t, t, c)
				}
				limit := e.a.ConstU32(0x7f800000 + uint32(n)<<31).Bcast()
				e.a.Emit([]asm.Op{asm.VPCMPD, asm.VPCMPUD}[n], q.k[n], t, limit, asm.Imm(6))
			}
			nan := e.a.ConstU32(0x7fc00000)
			if g.LaneOuter {
				e.a.Emit(asm.KORW, q.k[0], q.k[0], q.k[1])
				e.a.Emit(asm.VBROADCASTSS, q.d.Mask(q.k[0]), nan)
				return
			}
			number := e.a.Label() // a NaN is rare
			e.a.Emit(asm.KORTESTW, q.k[0], q.k[1])
			e.a.Emit(asm.JE, number)
			e.a.Emit(asm.VBROADCASTSS, q.d, nan)
			e.a.Bind(number)
		}})
}

// accumulatorOf reads an accumulator of one copy, with the partial sums.
func (s *sequence) accumulatorOf(acc accumulator, n, copy int, current bool) operand {
	return s.add(acc.kind, instr{emit: func(e *emitter, r *registers) {
		c := copy
		if current {
			c = e.unroll
		}
		a := e.accs[n][c]
		if acc.partial < 0 {
			e.a.Emit(asm.VMOVAPS, r.d, a)
			return
		}
		e.a.Emit(pick(acc.kind, asm.VADDPS, asm.VADDPD), r.d, a, e.spillAt(acc.partial+c))
	}})
}

// upper moves the lanes from n on to the bottom; the others do not matter.
func (s *sequence) upper(v operand, n int) operand {
	bytes := n * v.kind.size()
	return s.add(v.kind, instr{src: s.sources(v, dummy), emit: func(e *emitter, r *registers) {
		switch bytes {
		case 32:
			e.a.Emit(asm.VEXTRACTF64X4, r.d.As(32), r.reg(0), asm.Imm(1))
		case 16:
			op := asm.VEXTRACTF128
			if e.avx512 {
				op = asm.VEXTRACTF32X4
			}
			e.a.Emit(op, r.d.As(16), r.reg(0).As(32), asm.Imm(1))
		case 8:
			e.a.Emit(asm.VPSHUFD, r.d.As(16), r.reg(0).As(16), asm.Imm(0x4e))
		default:
			e.a.Emit(asm.VPSHUFD, r.d.As(16), r.reg(0).As(16), asm.Imm(0xb1))
		}
	}})
}

func (s *sequence) broadcastLane0(v operand) operand {
	return s.add(v.kind, instr{src: s.sources(v, dummy), emit: func(e *emitter, r *registers) {
		if v.kind.size() == 8 {
			if r.d.Bytes() == 16 {
				e.a.Emit(asm.VMOVDDUP, r.d, r.reg(0))
				return
			}
			e.a.Emit(asm.VBROADCASTSD, r.d, r.reg(0).As(16))
			return
		}
		e.a.Emit(asm.VBROADCASTSS, r.d, r.reg(0).As(16))
	}})
}
