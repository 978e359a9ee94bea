package emit

import (
	"math"
	"math/rand/v2"
	"slices"

	"github.com/go-acap/acap/kernel/vector"
)

// writer draws a random program.
type writer struct {
	*vector.Builder
	r      *rand.Rand
	long   bool            // vectors of 4-byte lanes are longer than an xmm, and fill registers
	values []vector.Val    // of all kinds
	masks  [2][]vector.Val // of lanes of four bytes, and of eight
}

func (w *writer) pick(k vector.Kind) vector.Val {
	var list []vector.Val
	for _, v := range w.values {
		if v.Kind == k {
			list = append(list, v)
		}
	}
	return list[w.r.IntN(len(list))]
}

// kinds returns the kinds whose vectors fit registers.
func (w *writer) kinds(vectorBytes int) []vector.Kind {
	list := []vector.Kind{vector.F32, vector.I32}
	if 8*w.Lanes() <= vectorBytes {
		list = append(list, vector.F64, vector.I64)
	}
	return list
}

// step appends an operation.
func (w *writer) step(k vector.Kind, vectorBytes int) vector.Val {
	any := func(list ...vector.Op) vector.Op { return list[w.r.IntN(len(list))] }
	x, y := w.pick(k), w.pick(k)
	wide := k.Size()/8 == 1
	switch choice := w.r.IntN(12); {
	case choice == 0:
		masks := &w.masks[k.Size()/8]
		o := any(vector.Equal, vector.Less, vector.LessEqual, vector.Below)
		if k.IsFloat() {
			o = any(vector.Equal, vector.Less, vector.LessEqual, vector.Unordered)
		}
		*masks = append(*masks, w.Compare(o, x, y))
		return x
	case choice <= 2 && len(w.masks[k.Size()/8]) > 0:
		masks := w.masks[k.Size()/8]
		m := masks[w.r.IntN(len(masks))]
		if w.r.IntN(3) == 0 {
			m = w.Op(any(vector.And, vector.AndNot, vector.Or, vector.Xor), m, masks[w.r.IntN(len(masks))])
		}
		switch w.r.IntN(6) {
		case 0:
			m = w.Op(vector.Not, m)
		case 1:
			return w.Op(any(vector.And, vector.AndNot, vector.Or), x, m.As(k))
		case 2:
			if w.Lanes() >= vectorBytes/8 {
				w.Fault(m)
			}
		}
		if w.r.IntN(4) == 0 {
			y = w.Bits(k, 0)
		}
		return w.Into(vector.Select, k, 0, m, x, y)
	case choice == 3 && wide && len(w.masks[0]) > 0:
		m := w.Convert(vector.Widen, vector.I64, w.masks[0][w.r.IntN(len(w.masks[0]))])
		w.masks[1] = append(w.masks[1], m)
		return w.Into(vector.Select, k, 0, m, x, y)
	case choice == 4 && wide:
		if w.r.IntN(3) == 0 {
			if k.IsFloat() {
				return w.Convert(vector.ToFloat, k, w.pick([]vector.Kind{vector.I32, vector.I64}[w.r.IntN(2)]))
			}
			return w.Convert(vector.ToInteger, k, w.small(vector.F64))
		}
		return w.Convert(vector.Widen, k, w.pick(map[bool]vector.Kind{true: vector.F32, false: vector.I32}[k.IsFloat()]))
	case choice == 5 && !k.IsFloat() && vectorBytes == w.Lanes()*k.Size():
		return w.OpImm(vector.Slide, 1+w.r.IntN(w.Lanes()-1), x, y)
	case choice == 6 && !k.IsFloat() && w.long && vectorBytes == w.Lanes()*k.Size():
		n := w.Lanes() - 1
		return w.OpImm(vector.Spread, n, x, w.Bits(k, uint64(n)))
	case choice == 7 && w.r.IntN(2) == 0:
		if k.IsFloat() {
			return w.Float(k, float64(w.r.IntN(9))-4)
		}
		return w.Bits(k, w.r.Uint64()>>w.r.IntN(60))
	}
	switch {
	case w.r.IntN(12) == 0 && vectorBytes == w.Lanes()*k.Size():
		return w.OpImm(vector.Rotate, 1+w.r.IntN(w.Lanes()-1), x)
	case w.r.IntN(12) == 0 && k != vector.F64 && w.Lanes()*k.Size() >= 16:
		return w.OpImm(vector.RotateEach, 1+w.r.IntN(min(2, 16/k.Size()-1)), x)
	case k.IsFloat() && w.r.IntN(4) == 0:
		return w.Op(any(vector.Abs, vector.Neg, vector.Sqrt, vector.RoundEven, vector.RoundDown, vector.RoundUp, vector.RoundZero, vector.RoundAway), x)
	case w.r.IntN(12) == 0 && w.Lanes()*k.Size() >= 16:
		return w.OpImm(vector.DupLane, 0, x)
	case k == vector.F32 && w.r.IntN(16) == 0 && vectorBytes == 64:
		return w.choose()
	case k.Size() == 4 && w.r.IntN(16) == 0 && vectorBytes == 4*w.Lanes():
		return w.joined(k, x, y)
	case w.r.IntN(16) == 0 && w.Lanes() >= 4:
		return w.apart(k, vectorBytes)
	case k == vector.F32 && w.r.IntN(8) == 0:
		return w.Convert(vector.OfHalfBits, k, w.pick(vector.I32))
	case k == vector.I32 && w.r.IntN(8) == 0:
		return w.Convert(any(vector.ToInteger, vector.HalfBits), k, w.small(vector.F32))
	case k == vector.I32 && w.r.IntN(8) == 0 && 8*w.Lanes() <= vectorBytes:
		if w.r.IntN(2) == 0 {
			return w.Convert(vector.ToInteger, k, w.small(vector.F64))
		}
		return w.Convert(vector.Narrow, k, w.pick(vector.I64))
	case k == vector.F32 && w.r.IntN(8) == 0:
		return w.Convert(vector.ToFloat, k, w.pick(vector.I32))
	case k == vector.F32 && w.r.IntN(4) == 0:
		return w.Op(any(vector.RoundHalf, vector.RoundBrain), x)
	case k == vector.F32 && w.r.IntN(4) == 0 && 8*w.Lanes() <= vectorBytes:
		return w.Convert(vector.Narrow, k, w.pick(vector.F64))
	case k.IsFloat() && w.r.IntN(3) == 0:
		if w.r.IntN(3) == 0 {
			x = w.Float(k, []float64{0, math.Copysign(0, -1), 1, math.NaN()}[w.r.IntN(4)])
		}
		if w.r.IntN(4) == 0 { // of numbers
			zero := w.Float(k, 0)
			return w.Op(any(vector.MinOrdered, vector.MaxOrdered), w.Op(vector.MinNum, x, zero), w.Op(vector.MaxNum, y, zero))
		}
		return w.Op(any(vector.Min, vector.Max, vector.MinNum, vector.MaxNum), x, y)
	case k.IsFloat() && w.r.IntN(8) == 0: // of integral numbers, so that rounding once or twice is the same
		a, b, c := w.whole(k), w.whole(k), w.whole(k)
		return w.Op(any(vector.MulAdd, vector.MulSub, vector.NegMul), a, b, c)
	case k.IsFloat():
		return w.Op(any(vector.Add, vector.Sub, vector.Mul, vector.Div), x, y)
	case w.r.IntN(4) == 0:
		return w.OpImm(any(vector.ShiftLeft, vector.ShiftRight), w.r.IntN(8*k.Size()), x)
	case w.r.IntN(8) == 0:
		return w.OpImm(vector.ShiftSigned, w.r.IntN(8*k.Size()), x)
	case w.r.IntN(8) == 0:
		y = w.Op(vector.And, y, w.Bits(k, uint64(8*k.Size()-1)))
		return w.Op(any(vector.ShiftLeftBy, vector.ShiftRightBy, vector.ShiftSignedBy), x, y)
	case w.r.IntN(8) == 0:
		return w.Op(any(vector.Neg, vector.Abs, vector.Not, vector.CountOnes), x)
	case w.r.IntN(6) == 0:
		return w.Op(any(vector.Xor3, vector.AndOr, vector.Merge), x, y, w.pick(k))
	case w.r.IntN(6) == 0:
		return w.Into(vector.Dup, k, 0, w.Arg(argNumber))
	case w.r.IntN(8) == 0:
		return w.LaneNumbers(k)
	case w.r.IntN(6) == 0 && wide:
		return w.Op(vector.MulLower, x, y)
	case w.r.IntN(6) == 0 && !wide && w.Lanes() >= 4:
		return w.Into(any(vector.Unzip1, vector.Unzip2), k, 4, x, y)
	}
	return w.Op(any(vector.Add, vector.Sub, vector.Mul, vector.Min, vector.Max, vector.MinUnsigned, vector.MaxUnsigned, vector.And, vector.Or,
		vector.Xor), x, y)
}

// choose chooses elements of a table of numbers.
func (w *writer) choose() vector.Val {
	table := make([]uint64, 16)
	for n := range table {
		table[n] = uint64(math.Float32bits(float32(n)))<<32 | uint64(math.Float32bits(float32(-n)))
	}
	return w.Into(vector.Choose, vector.F32, 0, w.Table(table), w.pick(vector.I32))
}

// joined puts lanes of two vectors together: the lower halves of short vectors, one of which may be in memory.
func (w *writer) joined(k vector.Kind, x, y vector.Val) vector.Val {
	switch {
	case w.Lanes() == 16:
		return w.Op(vector.Permute2, x, y, w.Op(vector.And, w.pick(vector.I32), w.Bits(vector.I32, 31)))
	case w.r.IntN(3) > 0:
		y = w.Load(k, w.Arg(argIn), vector.Access{Offset: 4 * w.r.IntN(32), Count: w.Lanes() / 2})
	}
	return w.OpImm(vector.Zip1, 16, x, y)
}

// small is a value that an integer of four bytes holds, but for its fraction.
func (w *writer) small(k vector.Kind) vector.Val {
	return w.Op(vector.MaxNum, w.Op(vector.MinNum, w.pick(k), w.Float(k, 1e6)), w.Float(k, -1e6))
}

// whole is an integral number of few digits.
func (w *writer) whole(k vector.Kind) vector.Val {
	if w.r.IntN(3) == 0 {
		return w.Float(k, float64(w.r.IntN(9)-4))
	}
	return w.Op(vector.RoundEven, w.Op(vector.MaxNum, w.Op(vector.MinNum, w.pick(k), w.Float(k, 100)), w.Float(k, -100)))
}

// apart reads elements that lie apart.
func (w *writer) apart(k vector.Kind, vectorBytes int) vector.Val {
	a := w.access(k, false)
	if k == vector.I64 && w.r.IntN(2) == 0 {
		largest := w.Largest(w.pick(k))
		if w.r.IntN(2) == 0 {
			largest = w.Op(vector.WordBelow, w.Lane(w.pick(k)), w.Arg(argNumber))
		}
		return w.Into(vector.Dup, k, 0, w.OpImm(vector.WordShift, w.r.IntN(9), largest))
	}
	if a.Count > 0 || w.r.IntN(2) == 0 || a.Mem != vector.Same && 8*w.Lanes() > vectorBytes {
		a.Stride = a.Mem.Size(k) * (1 + w.r.IntN(9))
		return w.Strided(k, w.Arg(argIn), a)
	}
	numbers := w.Op(vector.And, w.pick(vector.I32), w.Bits(vector.I32, 255))
	if a.Mem != vector.Same {
		numbers = w.Convert(vector.Widen, vector.I64, numbers)
	}
	return w.Lookup(k, w.Arg(argIn), numbers, a)
}

// access draws how a vector lies in memory.
func (w *writer) access(k vector.Kind, store bool) vector.Access {
	a := vector.Access{Offset: 8 * w.r.IntN(16)}
	if w.r.IntN(3) == 0 {
		a.Count = 1 + w.r.IntN(w.Lanes())
	}
	if w.r.IntN(3) == 0 {
		switch k {
		case vector.F32:
			a.Mem = []vector.Mem{vector.Half, vector.Brain}[w.r.IntN(2)]
		case vector.I32:
			a.Mem = []vector.Mem{vector.S8, vector.U8, vector.S16, vector.U16, vector.Long}[w.r.IntN(5)]
			if !store && a.Mem == vector.Long {
				a.Mem = vector.Same
			}
		}
	}
	return a
}

// repeat writes a body that is repeated, which reads and writes memory at addresses that it moves, and draws it from
// numbers of its own. Some addresses may be read otherwise, change places, or be more than there are registers.
func (w *writer) repeat(r *rand.Rand, in, row vector.Val, vectorBytes int) {
	w.r, r = r, w.r
	kinds := w.kinds(vectorBytes)
	addresses := []vector.Val{w.Offset(row, 6656), in}
	for n := range w.r.IntN(2) * w.r.IntN(12) {
		addresses = append(addresses, w.Offset(in, 8*n))
	}
	carried, words := addresses, len(addresses)
	for range w.r.IntN(4) {
		carried = append(carried, w.pick(kinds[w.r.IntN(len(kinds))]))
	}
	sums := w.Zeros(vector.F32, w.r.IntN(4))
	w.values = append(w.values, sums...)
	outside, masks := w.values, w.masks
	times := 1 + w.r.IntN(5)
	last, body := w.Repeat(times, carried, func(c []vector.Val) (next []vector.Val) {
		w.values = append(slices.Clip(outside), c[words:]...)
		w.masks[0], w.masks[1] = slices.Clip(masks[0]), slices.Clip(masks[1])
		k := kinds[w.r.IntN(len(kinds))]
		for n, at := range c[1:words] {
			w.values = append(w.values, w.Load(k, at, w.access(k, false)))
			if n == 0 {
				w.values = append(w.values, w.Splat(k, at, vector.Access{Offset: 8 * w.r.IntN(16)}))
			}
		}
		at := c[1+w.r.IntN(words-1)]
		switch w.r.IntN(6) {
		case 0:
			at = w.Along(w.Word(0), at, 1)
		case 1:
			at = w.Op(vector.WordSub, in, w.Op(vector.WordSub, in, at))
		}
		w.Store(w.Load(k, at, vector.Access{}), c[0], vector.Access{Offset: 320})
		for range w.r.IntN(12) {
			k := kinds[w.r.IntN(len(kinds))]
			w.values = append(w.values, w.step(k, vectorBytes))
		}
		for _, sum := range sums {
			w.addTo(sum)
		}
		v := w.values[len(w.values)-1]
		w.Store(v, c[0], w.access(v.Kind, true))
		for _, at := range c[:words] {
			next = append(next, w.Offset(at, 8*w.r.IntN(9)))
		}
		if w.r.IntN(4) == 0 {
			w.Store(w.Load(k, next[1], vector.Access{}), c[0], vector.Access{Offset: 448})
		}
		if n := 1 + w.r.IntN(words-1); w.r.IntN(4) == 0 {
			next[1], next[n] = next[n], next[1]
		}
		for _, v := range c[words:] {
			next = append(next, w.pick(v.Kind))
		}
		return next
	})
	w.values, w.masks = append(outside, last[words:]...), masks
	switch w.r.IntN(4) {
	case 0:
		last = w.again(body, times, last, vectorBytes)
	case 1: // in a loop, and in fewer turns
		last = w.Loop(w.Word(2), 1, last, func(_ vector.Val, c []vector.Val) []vector.Val {
			return w.again(body, min(times, 2), c, vectorBytes)
		})
	}
	for n, sum := range sums {
		w.addTo(sum)
		w.Store(sum, last[0], vector.Access{Offset: 704 + 64*n})
	}
	w.values, w.masks, w.r = append(slices.Clip(outside), last[words:]...), masks, r
	for n, at := range last[1:words] {
		w.Store(w.Load(vector.F32, at, vector.Access{Count: 1}), last[0], vector.Access{Offset: 576 + 8*n, Count: 1})
	}
}

// addTo changes a variable, which stays an integral number.
func (w *writer) addTo(sum vector.Val) {
	switch x := w.whole(sum.Kind); w.r.IntN(4) {
	case 0:
		w.SetLoad(sum, w.Arg(argOut), vector.Access{Offset: 32768}) // which are zeros
	case 1:
		w.Set(sum, vector.Add, 0, sum, x)
	case 2:
		w.Set(sum, vector.MulAdd, 0, x, x, sum)
	default:
		w.Set(sum, vector.NegMul, 0, x, w.whole(sum.Kind), sum)
	}
}

// again writes a body that was repeated, behind some operations, after which the registers may be others.
func (w *writer) again(body vector.Repeated, times int, carried []vector.Val, vectorBytes int) []vector.Val {
	values, masks := w.values, w.masks
	w.masks[0], w.masks[1] = slices.Clip(masks[0]), slices.Clip(masks[1])
	next := slices.Clone(carried)
	for n, v := range next {
		kinds := w.kinds(vectorBytes)
		w.values = append(slices.Clip(w.values), w.step(kinds[w.r.IntN(len(kinds))], vectorBytes))
		if v.Kind != vector.Word {
			next[n] = w.pick(v.Kind)
		}
	}
	w.values, w.masks = values, masks
	return w.Again(body, times, next)
}

// randomProgram draws a program. It has a body that is repeated if there are numbers to draw it from.
func randomProgram(r, repeats *rand.Rand, vectorBytes int) *vector.Program {
	lanes := []int{2, vectorBytes / 8, vectorBytes / 4}[r.IntN(3)]
	w := &writer{Builder: vector.NewBuilder("random", lanes), r: r, long: 4*lanes > 16}
	in, out := w.Arg(argIn), w.Arg(argOut)
	load := func(at vector.Val) {
		for _, k := range w.kinds(vectorBytes) {
			for range 2 {
				w.values = append(w.values, w.Load(k, at, w.access(k, false)))
			}
			one := w.access(k, false)
			one.Count = 0
			w.values = append(w.values, w.Splat(k, at, one))
		}
	}
	load(in)
	outside := w.values
	var carried []vector.Val
	for range r.IntN(6) {
		carried = append(carried, w.values[r.IntN(len(w.values))])
	}
	rowBytes := outBytes / 8
	result := w.Loop(w.Arg(argTurns), 1, carried, func(i vector.Val, c []vector.Val) (next []vector.Val) {
		w.values = append(append([]vector.Val(nil), outside...), c...)
		load(w.Along(in, i, 1<<r.IntN(5)))
		kinds := w.kinds(vectorBytes)
		for range 4 + r.IntN(40) {
			k := kinds[r.IntN(len(kinds))]
			w.values = append(w.values, w.step(k, vectorBytes))
		}
		row := w.Along(out, i, rowBytes)
		if repeats != nil {
			w.repeat(repeats, in, row, vectorBytes)
		}
		for n := range 1 + r.IntN(12) {
			v := w.values[len(w.values)-1-r.IntN(min(len(w.values), 20))]
			a := w.access(v.Kind, true)
			a.Offset += 512 * n // beyond what the one before writes
			if a.Mem != vector.Long && w.Lanes() >= 4 && r.IntN(6) == 0 {
				a.Stride = 8 + r.IntN(8)
			}
			w.Store(v, row, a)
		}
		for _, v := range c {
			next = append(next, w.pick(v.Kind))
		}
		return next
	})
	for n, v := range result {
		w.Store(v, out, vector.Access{Offset: 4*rowBytes + 128*n})
	}
	p := w.Program()
	if r.IntN(2) == 0 {
		p.Optimise()
	}
	return p
}
