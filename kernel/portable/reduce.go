package portable

import (
	"math"

	"github.com/go-acap/acap/base/dtype"
	"github.com/go-acap/acap/kernel"
)

// reduction is one compiled reduction of a stage.
type reduction struct {
	kernel.Reduction
	acc    int  // register of the running values
	arg    int  // register of the running positions, of the arg kinds
	result int  // one of these, or a register of its own
	begin  step // sets the lanes in use to what changes nothing
	fold   step // folds the value of the body in
	halve  func(f *frame, n, half int)
	finish step // makes the result of the lanes in use
	lanes  int  // of the running values that are used at most
	spread bool // a stage that runs at each inner point reads the result in all lanes
}

// widened is the type in which values of a type are computed.
func widened(d dtype.DType) dtype.DType {
	if isHalf(d) {
		return dtype.F32
	}
	return d
}

// folded is what a reduction folds.
type folded struct {
	value, arg int         // registers of values, and of their positions
	from       dtype.DType // of the values
	factors    []int       // registers of f32 whose product the values are, if there are some
	few        bool        // lanes may take turns among few sums
}

// compileReduction folds values by r. The body compiler owns the registers.
func compileReduction(regs *registers, r kernel.Reduction, in folded) reduction {
	value, from := in.value, widened(in.from)
	if r.Kind.IsArg() {
		return arithmeticOf[from].arg(regs, r, value, in.arg, from)
	}
	acc := widened(r.Type) // sums and products of floats are kept in f64
	if acc.IsFloat() && (r.Kind == kernel.ReduceSum || r.Kind == kernel.ReduceProd) {
		acc = dtype.F64
	}
	var casts []step
	narrow := value // before the last conversion
	for _, to := range [...]dtype.DType{widened(r.Type), acc} {
		if from != to {
			d := regs.add(to)
			casts = append(casts, castStep(d, value, to, from))
			narrow, value, from = value, d, to
		}
	}
	start := r.Init
	if acc != r.Type {
		start = kernel.Bits(acc, kernel.Value(r.Type, start))
	}
	l := reduced{acc: regs.add(acc), value: value, start: regs.constant(acc, start), identity: regs.constant(acc, identity(r.Kind, acc))}
	out := reduction{Reduction: r, acc: l.acc, result: l.acc, lanes: Lanes}
	if acc == dtype.Bool {
		reduceBy(&out, l, boolBinary(r.Kind.Op()))
	} else {
		arithmeticOf[acc].reduce(&out, l)
	}
	if last := len(casts) - 1; r.Kind == kernel.ReduceSum && acc == dtype.F64 && widened(r.Type) == dtype.F32 {
		casts = casts[:last]
		of := in.factors
		if of == nil {
			of = []int{narrow}
		}
		if out.fold = sumFold(l.acc, in.few, of...); in.few {
			out.lanes = fewSums
			out.begin = func(f *frame) {
				*(*[fewSums]float64)(f.reg[l.acc]) = *(*[fewSums]float64)(f.reg[l.identity])
			}
		}
	}
	if fold := out.fold; len(casts) > 0 {
		out.fold = func(f *frame) {
			run(casts, f)
			fold(f)
		}
	}
	if finish := out.finish; acc != r.Type {
		out.result = regs.add(r.Type)
		cast := castStep(out.result, out.acc, r.Type, acc)
		out.finish = func(f *frame) {
			finish(f)
			cast(f)
		}
	}
	return out
}

// identity returns the bits of what changes no value that it is folded with, not even -0.
func identity(k kernel.ReduceKind, d dtype.DType) uint64 {
	if k == kernel.ReduceSum && d.IsFloat() {
		return kernel.Bits(d, math.Copysign(0, -1))
	}
	return k.Identity(d)
}

// reduced are the registers of a reduction of values.
type reduced struct{ acc, value, start, identity int }

func (integers[T]) reduce(out *reduction, r reduced) {
	reduceBy(out, r, integerBinary[T](out.Kind.Op()))
}

func (floats[T]) reduce(out *reduction, r reduced) { reduceBy(out, r, floatBinary[T](out.Kind.Op())) }

// reduceBy builds a reduction by a loop that combines lanes.
func reduceBy[T number](out *reduction, r reduced, combine func(d, a, b []T)) {
	out.begin = func(f *frame) { copy(lanesOf[T](f, r.acc), lanesOf[T](f, r.identity)) }
	out.fold = func(f *frame) {
		acc := lanesOf[T](f, r.acc)
		combine(acc, acc, lanesOf[T](f, r.value))
	}
	out.halve = func(f *frame, n, half int) {
		acc := lanesOf[T](f, r.acc)
		combine(acc[:n-half], acc[:n-half], acc[half:n])
	}
	out.finish = func(f *frame) {
		acc := lanesOf[T](f, r.acc)
		combine(acc, lanesOf[T](f, r.start), acc)
	}
}

// nowhere is the position of no element. Elements at real ones come before an equal one there.
const nowhere = math.MaxInt64

func (numbers[T]) arg(regs *registers, r kernel.Reduction, value, arg int, d dtype.DType) reduction {
	out := reduction{Reduction: r, acc: regs.add(d), arg: regs.add(dtype.I64), lanes: Lanes}
	out.result = out.arg
	largest, worst := r.Kind == kernel.ReduceArgMax, regs.constant(d, r.Kind.Identity(d))
	out.begin = func(f *frame) {
		copy(lanesOf[T](f, out.acc), lanesOf[T](f, worst))
		for i := range f.n {
			*ref[int64](f.reg[out.arg], i) = nowhere
		}
	}
	take := func(f *frame, i int, x T, position int64) {
		acc, best := ref[T](f.reg[out.acc], i), ref[int64](f.reg[out.arg], i)
		if beats(x, *acc, position < *best, largest) {
			*acc, *best = x, position
		}
	}
	out.fold = func(f *frame) {
		v, p := lanesOf[T](f, value), lanesOf[int64](f, arg)
		for i, x := range v {
			take(f, i, x, p[i])
		}
	}
	out.halve = func(f *frame, n, half int) {
		for i := half; i < n; i++ {
			take(f, i-half, at[T](f.reg[out.acc], i), at[int64](f.reg[out.arg], i))
		}
	}
	out.finish = func(f *frame) {
		for i, p := range lanesOf[int64](f, out.arg) {
			if p == nowhere {
				*ref[int64](f.reg[out.arg], i) = 0
			}
		}
	}
	return out
}

// beats reports whether x takes the place of y; first breaks ties.
func beats[T number](x, y T, first, largest bool) bool {
	switch {
	case x != x || y != y:
		return x != x && (y == y || first)
	case x == y:
		return first
	}
	return (x > y) == largest
}

// across combines the lanes 0 to n-1 of a reduction, those that it uses, pairwise, into lane 0.
func (r *reduction) across(f *frame, n int) {
	n = min(n, r.lanes)
	f.n = n
	for n > 1 {
		half := (n + 1) / 2
		r.halve(f, n, half)
		n = half
	}
}
