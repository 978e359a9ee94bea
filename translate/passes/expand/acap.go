package expand

import (
	"errors"
	stdmath "math"
	"slices"

	"github.com/go-acap/acap/base/dtype"
	"github.com/go-acap/acap/mlir"
	"github.com/go-acap/acap/mlir/dialect/acap"
	"github.com/go-acap/acap/mlir/dialect/arith"
	"github.com/go-acap/acap/mlir/dialect/math"
	"github.com/go-acap/acap/mlir/dialect/scf"
	"github.com/go-acap/acap/mlir/dialect/tensor"
)

// ErrNoForm is wrapped by the error of [ACAP] for an operation that mlir-opt has no form for.
var ErrNoForm = errors.New("no form that mlir-opt knows")

// ACAP replaces the operations of the acap dialect by loops over elements that
// mlir-opt knows. It is what they mean, written out, and not how they are run: a sort
// compares all pairs. A scatter does not check its index. An unpack is an error that wraps [ErrNoForm].
func ACAP(module *mlir.Operation) error {
	return mlir.Rewrite(module, func(r *mlir.Rewriter, op *mlir.Operation) error {
		if expand := expansions[op.Name]; expand != nil {
			r.Replace(expand(&expansion{Builder: r.Builder, op: op})...)
		} else if op.Name == "acap.unpack" {
			return op.Errorf("blocks of packed formats have %w; unpack the weights before", ErrNoForm)
		}
		return nil
	})
}

var expansions = map[string]func(*expansion) []*mlir.Value{"acap.scan": (*expansion).scan,
	"acap.sort": (*expansion).sort, "acap.scatter": (*expansion).scatter, "acap.rng": (*expansion).random,
	"acap.after": func(e *expansion) []*mlir.Value { return e.op.Operands[:1] }}

// expansion writes the loops of one operation.
type expansion struct {
	mlir.Builder
	op *mlir.Operation
}

func typeOf(v *mlir.Value) mlir.TensorType { return v.Type.(mlir.TensorType) }

// loops appends a nest of loops that carries values. The body gets the indices.
func loops(b *mlir.Builder, extents []int, carried []*mlir.Value,
	body func(b *mlir.Builder, at, carried []*mlir.Value) []*mlir.Value) []*mlir.Value {
	var nest func(b *mlir.Builder, at, carried []*mlir.Value) []*mlir.Value
	nest = func(b *mlir.Builder, at, carried []*mlir.Value) []*mlir.Value {
		if len(at) == len(extents) {
			return body(b, at, carried)
		}
		return scf.For(b, arith.Index(b, 0), arith.Index(b, extents[len(at)]), arith.Index(b, 1), carried,
			func(b *mlir.Builder, i *mlir.Value, carried []*mlir.Value) []*mlir.Value {
				return nest(b, append(at[:len(at):len(at)], i), carried)
			})
	}
	return nest(b, nil, carried)
}

// with returns a list, of indices or extents, with another entry along an axis.
func with[T any](list []T, axis int, v T) []T {
	out := slices.Clone(list)
	out[axis] = v
	return out
}

func (e *expansion) scan() []*mlir.Value {
	x := e.op.Operands[0]
	t, axis := typeOf(x), acap.Axis(e.op)
	n := t.Shape[axis]
	switch {
	case n == 0 && acap.Positions(e.op):
		return []*mlir.Value{tensor.Empty(&e.Builder, typeOf(e.op.Results[0]))}
	case n == 0:
		return []*mlir.Value{x}
	case acap.Positions(e.op):
		return e.positions(x, with(t.Shape, axis, 1), n)
	}
	wide := t.Elem
	if mlir.DTypeOf(t.Elem).IsFloat() {
		wide = mlir.F64
	}
	return loops(&e.Builder, with(t.Shape, axis, 1), []*mlir.Value{x},
		func(b *mlir.Builder, at, out []*mlir.Value) []*mlir.Value {
			first := resized(b, tensor.Extract(b, x, at...), wide)
			line := scf.For(b, arith.Index(b, 1), arith.Index(b, n), arith.Index(b, 1),
				[]*mlir.Value{out[0], first},
				func(b *mlir.Builder, i *mlir.Value, carried []*mlir.Value) []*mlir.Value {
					place := with(at, axis, i)
					next := resized(b, tensor.Extract(b, x, place...), wide)
					acc := e.fold(b, carried[1], next)
					return []*mlir.Value{tensor.Insert(b, resized(b, acc, t.Elem), carried[0], place...), acc}
				})
			return line[:1]
		})
}

// positions carries the extreme of a line and where it was last.
func (e *expansion) positions(x *mlir.Value, lines []int, n int) []*mlir.Value {
	axis := acap.Axis(e.op)
	return loops(&e.Builder, lines, []*mlir.Value{tensor.Empty(&e.Builder, typeOf(e.op.Results[0]))},
		func(b *mlir.Builder, at, out []*mlir.Value) []*mlir.Value {
			line := scf.For(b, arith.Index(b, 0), arith.Index(b, n), arith.Index(b, 1),
				[]*mlir.Value{out[0], tensor.Extract(b, x, at...), arith.Index(b, 0)},
				func(b *mlir.Builder, i *mlir.Value, carried []*mlir.Value) []*mlir.Value {
					place := with(at, axis, i)
					v := tensor.Extract(b, x, place...)
					extreme := e.fold(b, carried[1], v)
					last := arith.Select(b, e.same(b, extreme, v), i, carried[2])
					return []*mlir.Value{tensor.Insert(b, arith.IndexCast(b, last, mlir.I64), carried[0], place...),
						extreme, last}
				})
			return line[:1]
		})
}

// same reports whether v is the extreme; an extreme that is NaN is v only if v is.
func (e *expansion) same(b *mlir.Builder, extreme, v *mlir.Value) *mlir.Value {
	if !mlir.DTypeOf(v.Type).IsFloat() {
		return arith.CmpI(b, arith.EQ, extreme, v)
	}
	return arith.OrI(b, arith.CmpF(b, arith.OEQ, extreme, v), arith.CmpF(b, arith.UNO, v, v))
}

// resized converts a float to another width; other numbers stay.
func resized(b *mlir.Builder, x *mlir.Value, to mlir.Type) *mlir.Value {
	switch have, want := mlir.BitWidth(x.Type), mlir.BitWidth(to); {
	case have < want:
		return arith.ExtF(b, x, to)
	case have > want:
		return arith.TruncF(b, x, to)
	}
	return x
}

// fold combines an accumulator with the next element.
func (e *expansion) fold(b *mlir.Builder, acc, x *mlir.Value) *mlir.Value {
	d := mlir.DTypeOf(x.Type)
	unsigned := acap.Unsigned(e.op) || d == dtype.Bool
	choose := func(float, signed, without func(*mlir.Builder, *mlir.Value, *mlir.Value) *mlir.Value) *mlir.Value {
		switch {
		case d.IsFloat():
			return float(b, acc, x)
		case unsigned:
			return without(b, acc, x)
		}
		return signed(b, acc, x)
	}
	switch kind := acap.Kind(e.op); {
	case kind == acap.Max:
		return choose(arith.MaximumF, arith.MaxSI, arith.MaxUI)
	case kind == acap.Min:
		return choose(arith.MinimumF, arith.MinSI, arith.MinUI)
	case kind == acap.Add && d == dtype.Bool:
		return arith.OrI(b, acc, x)
	case kind == acap.Add:
		return choose(arith.AddF, arith.AddI, arith.AddI)
	case kind == acap.Mul:
		return choose(arith.MulF, arith.MulI, arith.MulI)
	case kind == acap.LogAddExp:
		return logAddExp(b, acc, x)
	}
	return x
}

// logAddExp is max + log1p(exp(min - max)), and max where that is infinite.
func logAddExp(b *mlir.Builder, x, y *mlir.Value) *mlir.Value {
	high, low := arith.MaximumF(b, x, y), arith.MinimumF(b, x, y)
	sum := arith.AddF(b, high, math.Log1p(b, math.Exp(b, arith.SubF(b, low, high))))
	infinite := arith.CmpF(b, arith.OEQ, math.AbsF(b, high), arith.Constant(b, mlir.Float(stdmath.Inf(1), high.Type)))
	return arith.Select(b, infinite, high, sum)
}

// sort gives every element its rank, the number of elements that come before it. An element whose rank is a place of
// the result is written there.
func (e *expansion) sort() []*mlir.Value {
	x := e.op.Operands[0]
	t, axis, first := typeOf(x), acap.Axis(e.op), acap.First(e.op)
	values := tensor.Empty(&e.Builder, typeOf(e.op.Results[0]))
	positions := tensor.Empty(&e.Builder, typeOf(e.op.Results[1]))
	count := typeOf(e.op.Results[0]).Shape[axis]
	return loops(&e.Builder, t.Shape, []*mlir.Value{values, positions},
		func(b *mlir.Builder, at, out []*mlir.Value) []*mlir.Value {
			v := tensor.Extract(b, x, at...)
			rank := scf.For(b, arith.Index(b, 0), arith.Index(b, t.Shape[axis]), arith.Index(b, 1),
				[]*mlir.Value{arith.Index(b, 0)},
				func(b *mlir.Builder, i *mlir.Value, carried []*mlir.Value) []*mlir.Value {
					w := tensor.Extract(b, x, with(at, axis, i)...)
					earlier := arith.CmpI(b, arith.ULT, i, at[axis])
					tie := arith.AndI(b, earlier, arith.XorI(b, e.before(b, v, w), yes(b)))
					before := arith.OrI(b, e.before(b, w, v), tie)
					one := arith.Select(b, before, arith.Index(b, 1), arith.Index(b, 0))
					return []*mlir.Value{arith.AddI(b, carried[0], one)}
				})[0]
			place := arith.SubI(b, rank, arith.Index(b, first))
			inside := arith.CmpI(b, arith.ULT, place, arith.Index(b, count)) // below first is huge
			return scf.If(b, inside, mlir.TypesOf(out), func(b *mlir.Builder) []*mlir.Value {
				to := with(at, axis, place)
				return []*mlir.Value{tensor.Insert(b, v, out[0], to...),
					tensor.Insert(b, arith.IndexCast(b, at[axis], mlir.I64), out[1], to...)}
			}, func(*mlir.Builder) []*mlir.Value { return out })
		})
}

func yes(b *mlir.Builder) *mlir.Value { return arith.Constant(b, mlir.Bool(true)) }

// before reports whether x comes before y in the order of the sort.
func (e *expansion) before(b *mlir.Builder, x, y *mlir.Value) *mlir.Value {
	if acap.Descending(e.op) {
		x, y = y, x
	}
	d := mlir.DTypeOf(x.Type)
	switch {
	case d.IsFloat(): // NaN is the largest
		number := arith.CmpF(b, arith.ORD, x, x)
		return arith.OrI(b, arith.CmpF(b, arith.OLT, x, y),
			arith.AndI(b, number, arith.CmpF(b, arith.UNO, y, y)))
	case acap.Unsigned(e.op) || d == dtype.Bool:
		return arith.CmpI(b, arith.ULT, x, y)
	}
	return arith.CmpI(b, arith.SLT, x, y)
}

func (e *expansion) scatter() []*mlir.Value {
	updates, index, into := e.op.Operands[0], e.op.Operands[1], e.op.Operands[2]
	axis := acap.Axis(e.op)
	return loops(&e.Builder, typeOf(updates).Shape, []*mlir.Value{into},
		func(b *mlir.Builder, at, out []*mlir.Value) []*mlir.Value {
			where := slices.Clone(at)
			for d, n := range typeOf(index).Shape {
				if n == 1 {
					where[d] = arith.Index(b, 0)
				}
			}
			place := arith.IndexCast(b, tensor.Extract(b, index, where...), mlir.Index)
			to := with(at, axis, place)
			v := e.fold(b, tensor.Extract(b, out[0], to...), tensor.Extract(b, updates, at...))
			return []*mlir.Value{tensor.Insert(b, v, out[0], to...)}
		})
}
