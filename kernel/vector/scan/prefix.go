package scan

import (
	"github.com/go-acap/acap/base/dtype"
	"github.com/go-acap/acap/kernel"
	"github.com/go-acap/acap/kernel/vector"
	"github.com/go-acap/acap/kernel/vector/fold"
)

// A fold that may be done in any order goes forward along one line by a vector of it at a time: after steps that fold
// every lane with the one 1, 2, 4 and so on before it, a lane holds the fold of the lanes up to it (Hillis and Steele:
// "Data Parallel Algorithms", CACM 1986), and only what all lanes fold to waits for the vector before. Extremes of
// floats are such folds, on integers in the same order, where every NaN is last.

// prefix writes that loop.
type prefix struct {
	*plan
	b     *vector.Builder
	fold  fold.Fold
	later fold.Fold // of positions
	kind  vector.Kind
}

// prefix returns the program that goes along one line by vectors.
func (p *plan) prefix() *vector.Program {
	r := &prefix{plan: p, b: vector.NewBuilder("prefix", p.vector), fold: p.fold, kind: p.acc.Mask(),
		later: fold.Of(kernel.FoldMax, dtype.I64, false)}
	if p.acc.IsFloat() {
		r.fold = fold.Of(p.k.Fold, dtype.I64, false)
	}
	b := r.b
	state := b.Arg(wordState)
	carried := []vector.Val{r.key(b.Splat(p.acc, state, vector.Access{}))}
	var number vector.Val
	if p.k.Positions {
		carried = append(carried, b.Splat(r.kind, state, vector.Access{Offset: stateBytes}))
		number = b.Op(vector.Add, b.Into(vector.Dup, r.kind, 0, b.Arg(wordFirst)), b.LaneNumbers(r.kind))
	}
	carried = p.loop(b, p.vector, number, carried, r.turn)
	two := vector.Access{Count: 2}
	b.Store(r.unkey(carried[0]), state, two)
	if p.k.Positions {
		two.Offset = stateBytes
		b.Store(carried[1], state, two)
	}
	return b.Optimised()
}

// turn folds the next vector of the line.
func (r *prefix) turn(x, out, number vector.Val, c []vector.Val) []vector.Val {
	b := r.b
	row := r.key(r.load(b, x, 0, 0))
	inside := r.along(r.fold, row, r.fold.Identity(r.kind))
	all := r.fold.Append(b, c[0], inside)
	if !r.k.Positions { // the next turn waits for one instruction
		r.store(b, r.unkey(all), out, 0, 0)
		return []vector.Val{r.fold.Append(b, c[0], r.last(inside))}
	}
	// Each lane finds the last place up to the lane whose element equals the fold of all elements up to the lane; 0
	// where there is none.
	found := b.Into(vector.Select, r.kind, 0, b.Compare(vector.Equal, row, all), number, b.Bits(r.kind, 0))
	place := r.later.Append(b, c[1], r.along(r.later, found, 0))
	next := []vector.Val{r.last(all), r.last(place)}
	r.store(b, place, out, 0, 0)
	return next
}

// last gives all lanes the last one.
func (r *prefix) last(v vector.Val) vector.Val {
	return r.b.OpImm(vector.Spread, r.vector-1, v, r.b.Bits(r.kind, uint64(r.vector-1)))
}

// along folds every lane with those before it.
func (r *prefix) along(f fold.Fold, v vector.Val, identity uint64) vector.Val {
	for distance := 1; distance < r.vector; distance *= 2 {
		v = f.Append(r.b, v, r.b.OpImm(vector.Slide, distance, v, r.b.Bits(r.kind, identity)))
	}
	return v
}

// key makes floats integers in the same order. All NaNs become the last one of them, and, for positions, -0 becomes 0.
func (r *prefix) key(v vector.Val) vector.Val {
	b := r.b
	if !v.Kind.IsFloat() {
		return v
	}
	if r.k.Positions {
		v = b.Op(vector.Add, v, b.Bits(v.Kind, 0))
	}
	last := b.Bits(r.kind, ^r.fold.Identity(r.kind))
	return b.Into(vector.Select, r.kind, 0, b.Compare(vector.Unordered, v, v), last, r.turned(v.As(r.kind)))
}

// unkey turns keys into floats.
func (r *prefix) unkey(v vector.Val) vector.Val {
	if !r.acc.IsFloat() {
		return v
	}
	return r.turned(v).As(r.acc)
}

// turned inverts the magnitude of negative numbers, which is its own inverse.
func (r *prefix) turned(v vector.Val) vector.Val {
	sign := r.b.OpImm(vector.ShiftSigned, 8*r.kind.Size()-1, v)
	return r.b.Op(vector.Xor, v, r.b.OpImm(vector.ShiftRight, 1, sign))
}
