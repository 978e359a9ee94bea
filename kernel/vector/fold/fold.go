package fold

import (
	"math"

	"github.com/go-acap/acap/base/dtype"
	"github.com/go-acap/acap/kernel"
	"github.com/go-acap/acap/kernel/vector"
	"github.com/go-acap/acap/kernel/vector/function"
)

// Fold is a way to fold elements of a type.
type Fold struct {
	kind     kernel.FoldKind
	unsigned bool
}

// Of returns the fold of a kind for elements of a type. A sum of bools is an or, which is their maximum, and a product
// an and.
func Of(kind kernel.FoldKind, t dtype.DType, unsigned bool) Fold {
	if t == dtype.Bool {
		switch kind {
		case kernel.FoldAdd:
			kind = kernel.FoldMax
		case kernel.FoldMul:
			kind = kernel.FoldMin
		}
	}
	return Fold{kind, unsigned}
}

// IsExtreme reports whether the fold gives one of the elements.
func (f Fold) IsExtreme() bool { return f.kind == kernel.FoldMax || f.kind == kernel.FoldMin }

// Identity returns the bits of the lane that folds with every element to the element.
func (f Fold) Identity(k vector.Kind) uint64 {
	float := func(x float64) uint64 {
		if k == vector.F64 {
			return math.Float64bits(x)
		}
		return uint64(math.Float32bits(float32(x)))
	}
	least := uint64(1) << (8*k.Size() - 1)
	switch {
	case k.IsFloat() && f.kind == kernel.FoldAdd:
		return float(math.Copysign(0, -1))
	case k.IsFloat() && f.kind == kernel.FoldMul:
		return float(1)
	case f.kind == kernel.FoldMul:
		return 1
	case k.IsFloat() && (f.kind == kernel.FoldMax || f.kind == kernel.FoldLogAddExp):
		return float(math.Inf(-1))
	case k.IsFloat():
		return float(math.Inf(1))
	case f.kind == kernel.FoldMax && !f.unsigned:
		return least
	case f.kind == kernel.FoldMin && f.unsigned:
		return 2*least - 1
	case f.kind == kernel.FoldMin:
		return least - 1
	}
	return 0
}

// Append writes the fold of an accumulator and an element that comes after it.
func (f Fold) Append(b *vector.Builder, acc, x vector.Val) vector.Val {
	switch f.kind {
	case kernel.FoldAdd:
		return b.Op(vector.Add, acc, x)
	case kernel.FoldMul:
		return b.Op(vector.Mul, acc, x)
	case kernel.FoldLogAddExp:
		return logAddExp(b, acc, x)
	case kernel.FoldAssign:
		return x
	}
	o := vector.Min
	switch greatest := f.kind == kernel.FoldMax; {
	case f.unsigned && !x.Kind.IsFloat() && greatest:
		o = vector.MaxUnsigned
	case f.unsigned && !x.Kind.IsFloat():
		o = vector.MinUnsigned
	case greatest:
		o = vector.Max
	}
	return b.Op(o, acc, x)
}

// Replace writes what [Fold.Append] does of an extreme, and the mask of the lanes in which the element, which comes after
// the extreme so far, is the extreme: as large, or as small, or NaN.
func (f Fold) Replace(b *vector.Builder, acc, x vector.Val) (next, wins vector.Val) {
	if !x.Kind.IsFloat() {
		next = f.Append(b, acc, x)
		return next, b.Compare(vector.Equal, next, x)
	}
	low, high := acc, x
	if f.kind == kernel.FoldMin {
		low, high = high, low
	}
	wins = b.Op(vector.Or, b.Compare(vector.LessEqual, low, high), b.Compare(vector.Unordered, x, x))
	return b.Into(vector.Select, x.Kind, 0, wins, x, acc), wins
}

// logAddExp is log(exp(x) + exp(y)).
func logAddExp(b *vector.Builder, x, y vector.Val) vector.Val {
	low, high := b.Op(vector.Min, x, y), b.Op(vector.Max, x, y)
	e, _ := function.Append(b, kernel.Exp, b.Op(vector.Sub, low, high), vector.Val{})
	l, _ := function.Append(b, kernel.Log1p, e, vector.Val{})
	// Infinities have no difference, and stay.
	infinite := b.Compare(vector.Equal, b.Op(vector.Abs, high), b.Float(high.Kind, math.Inf(1)))
	return b.Into(vector.Select, high.Kind, 0, infinite, high, b.Op(vector.Add, high, l))
}

// Rounded writes an element of a type, which a store cuts to its bytes.
func Rounded(b *vector.Builder, t dtype.DType, x vector.Val) vector.Val {
	switch t {
	case dtype.F16:
		return b.Op(vector.RoundHalf, x)
	case dtype.BF16:
		return b.Op(vector.RoundBrain, x)
	}
	return x
}

// Sums is the sums of the lanes of each of some vectors, at most as many as 16 bytes have lanes, in its lowest lanes: the
// halves of a vector are added, then the halves of that sum, and so on.
func Sums(b *vector.Builder, list []vector.Val) vector.Val {
	size := list[0].Kind.Size()
	rows := make([]vector.Val, 16/size)
	for i := range rows {
		if i >= len(list) {
			rows[i] = rows[i-1]
			continue
		}
		rows[i] = list[i]
		for half := b.Lanes() / 2; half >= len(rows); half /= 2 {
			rows[i] = b.Op(vector.Add, rows[i], b.OpImm(vector.Rotate, half, rows[i]))
		}
	}
	for ; len(rows) > 1; size *= 2 {
		for i := range len(rows) / 2 {
			x, y := rows[2*i], rows[2*i+1]
			rows[i] = b.Op(vector.Add, b.OpImm(vector.Zip1, size, x, y), b.OpImm(vector.Zip2, size, x, y))
		}
		rows = rows[:len(rows)/2]
	}
	return rows[0]
}
