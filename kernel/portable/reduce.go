package portable

import (
	"github.com/go-acap/acap/base/dtype"
	"github.com/go-acap/acap/kernel"
)

// reduction is one compiled reduction of a stage.
type reduction struct {
	kernel.Reduction
	acc    int // register of the running values
	arg    int // register of the running positions, of the arg kinds
	seen   int // register that says which lanes have a running position
	result int
	begin  step // sets the lanes in use to the start value
	fold   step // folds the value of the body in
	halve  func(f *frame, n, half int)
	finish step // makes the result of the lanes in use
}

// accKind is the kind of the running values: sums and products of floats are
// kept in f64.
func accKind(r *kernel.Reduction) kind {
	k := kindOf(r.Type)
	if k == kindF32 && (r.Kind == kernel.ReduceSum || r.Kind == kernel.ReduceProd) {
		return kindF64
	}
	return k
}

// compileReduction folds register value (of type from) by r. The body compiler
// owns the registers.
func compileReduction(regs *registers, r kernel.Reduction, value, arg int, from dtype.DType) reduction {
	if r.Kind.IsArg() {
		return arithmeticOf[kindOf(from)].arg(regs, r, value, arg, kindOf(from))
	}
	var cast step
	if from != r.Type && !(isHalf(r.Type) && from == dtype.F32) {
		to := r.Type
		if isHalf(to) {
			to = dtype.F32
		}
		d := regs.add(kindOf(to))
		cast, value = castStep(d, value, to, from), d
	}
	var out reduction
	if r.Type == dtype.Bool {
		out = reduceOf(regs, r, value, boolCombine(r.Kind), func(x uint8) uint8 { return x })
	} else {
		out = arithmeticOf[kindOf(r.Type)].reduce(regs, r, value)
	}
	if cast != nil {
		fold := out.fold
		out.fold = func(f *frame) {
			cast(f)
			fold(f)
		}
	}
	return out
}

func boolCombine(k kernel.ReduceKind) func(a, b uint8) uint8 {
	switch k {
	case kernel.ReduceProd, kernel.ReduceMin, kernel.ReduceMinNum, kernel.ReduceAnd:
		return func(a, b uint8) uint8 { return a & b }
	case kernel.ReduceXor:
		return func(a, b uint8) uint8 { return a ^ b }
	}
	return func(a, b uint8) uint8 { return a | b }
}

func (integers[T]) reduce(regs *registers, r kernel.Reduction, value int) reduction {
	return reduceOf(regs, r, value, integerCombine[T](r.Kind), func(x T) T { return x })
}

func (floats[T]) reduce(regs *registers, r kernel.Reduction, value int) reduction {
	if r.Kind == kernel.ReduceSum || r.Kind == kernel.ReduceProd {
		return reduceOf(regs, r, value, floatCombine[float64](r.Kind), func(x T) float64 { return float64(x) })
	}
	return reduceOf(regs, r, value, floatCombine[T](r.Kind), func(x T) T { return x })
}

func integerCombine[T integer](k kernel.ReduceKind) func(a, b T) T {
	switch k {
	case kernel.ReduceSum:
		return func(a, b T) T { return a + b }
	case kernel.ReduceProd:
		return func(a, b T) T { return a * b }
	case kernel.ReduceMin, kernel.ReduceMinNum:
		return func(a, b T) T { return min(a, b) }
	case kernel.ReduceMax, kernel.ReduceMaxNum:
		return func(a, b T) T { return max(a, b) }
	case kernel.ReduceAnd:
		return func(a, b T) T { return a & b }
	case kernel.ReduceOr:
		return func(a, b T) T { return a | b }
	}
	return func(a, b T) T { return a ^ b }
}

func floatCombine[T float](k kernel.ReduceKind) func(a, b T) T {
	switch k {
	case kernel.ReduceSum:
		return func(a, b T) T { return a + b }
	case kernel.ReduceProd:
		return func(a, b T) T { return a * b }
	case kernel.ReduceMin:
		return func(a, b T) T { return min(a, b) }
	case kernel.ReduceMax:
		return func(a, b T) T { return max(a, b) }
	case kernel.ReduceMinNum:
		return minNum[T]
	}
	return maxNum[T]
}

// reduceOf builds a reduction of values of type V in running values of type A.
// Every lane starts from the first value that it sees, so that no identity of
// the operation is needed; seen counts the values of the lanes.
func reduceOf[V, A number](regs *registers, r kernel.Reduction, value int,
	combine func(a, b A) A, widen func(V) A) reduction {
	out := reduction{Reduction: r, acc: regs.add(accKind(&r)), seen: regs.add(kindU8)}
	result := r.Type
	out.result = regs.add(kindOf(result))
	start := initial[A](r)
	out.begin = func(f *frame) { clear(lanesOf[uint8](f, out.seen)) }
	fold, join := foldLoop(r, combine, widen), foldLoop(r, combine, func(x A) A { return x })
	out.fold = func(f *frame) {
		acc, seen, v := lanesOf[A](f, out.acc), lanesOf[uint8](f, out.seen), lanesOf[V](f, value)
		switch { // the lanes in use only shrink
		case seen[len(seen)-1] != 0:
			fold(acc, v)
			return
		case seen[0] == 0:
			for i, x := range v {
				acc[i], seen[i] = A(x), 1
			}
			return
		}
		for i, x := range v {
			acc[i] = firstOr(seen[i], acc[i], widen(x), combine)
			seen[i] = 1
		}
	}
	out.halve = func(f *frame, n, half int) {
		acc, seen := lanesOf[A](f, out.acc), lanesOf[uint8](f, out.seen)
		if seen[n-1] != 0 {
			join(acc[:n-half], acc[half:n])
			return
		}
		for i := range n - half {
			if seen[half+i] != 0 {
				acc[i] = firstOr(seen[i], acc[i], acc[half+i], combine)
				seen[i] = 1
			}
		}
	}
	out.finish = func(f *frame) {
		acc, seen := lanesOf[A](f, out.acc), lanesOf[uint8](f, out.seen)
		for i := range acc {
			x := start
			if seen[i] != 0 {
				x = combine(start, acc[i])
			}
			*ref[V](f.reg[out.result], i) = V(x)
		}
		if isHalf(result) {
			round(result, lanesOf[float32](f, out.result))
		}
	}
	return out
}

func firstOr[A any](seen uint8, acc, x A, combine func(a, b A) A) A {
	if seen == 0 {
		return x
	}
	return combine(acc, x)
}

// foldLoop is the loop that folds when every lane has a running value.
func foldLoop[V, A number](r kernel.Reduction, combine func(a, b A) A, widen func(V) A) func([]A, []V) {
	switch r.Kind {
	case kernel.ReduceSum:
		if r.Type != dtype.Bool { // whose sum is an or
			return func(acc []A, v []V) {
				v = v[:len(acc)]
				for i := range acc {
					acc[i] += A(v[i])
				}
			}
		}
	case kernel.ReduceMax:
		return func(acc []A, v []V) {
			v = v[:len(acc)]
			for i := range acc {
				acc[i] = max(acc[i], A(v[i]))
			}
		}
	}
	return func(acc []A, v []V) {
		v = v[:len(acc)]
		for i := range acc {
			acc[i] = combine(acc[i], widen(v[i]))
		}
	}
}

// initial returns the start value in the type of the running values.
func initial[A number](r kernel.Reduction) A {
	if r.Type.IsFloat() {
		return A(kernel.Value(r.Type, r.Init))
	}
	return A(kernel.Integer(r.Type, r.Init))
}

func (numbers[T]) arg(regs *registers, r kernel.Reduction, value, arg int, k kind) reduction {
	out := reduction{Reduction: r, acc: regs.add(k), arg: regs.add(kindI64),
		seen: regs.add(kindU8), result: regs.add(kindI64)}
	largest := r.Kind == kernel.ReduceArgMax
	out.begin = func(f *frame) { clear(lanesOf[uint8](f, out.seen)) }
	take := func(f *frame, i int, x T, position int64) {
		acc, best := ref[T](f.reg[out.acc], i), ref[int64](f.reg[out.arg], i)
		if seen := ref[uint8](f.reg[out.seen], i); *seen == 0 {
			*seen, *acc, *best = 1, x, position
		} else if beats(x, *acc, position < *best, largest) {
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
			if at[uint8](f.reg[out.seen], i) != 0 {
				take(f, i-half, at[T](f.reg[out.acc], i), at[int64](f.reg[out.arg], i))
			}
		}
	}
	out.finish = func(f *frame) {
		d, p, seen := lanesOf[int64](f, out.result), lanesOf[int64](f, out.arg), lanesOf[uint8](f, out.seen)
		for i := range d {
			d[i] = 0
			if seen[i] != 0 {
				d[i] = p[i]
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

// across combines the lanes 0 to n-1 of a reduction, pairwise, into lane 0.
func (r *reduction) across(f *frame, n int) {
	f.n = n
	for n > 1 {
		half := (n + 1) / 2
		r.halve(f, n, half)
		n = half
	}
}
