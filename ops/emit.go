package ops

import (
	"github.com/go-acap/acap/base/dtype"
	"github.com/go-acap/acap/base/shape"
)

// Builder adds calls to a program: a trace, or MLIR under rewriting.
type Builder interface {
	// Emit adds a call whose arguments have been checked and whose result types
	// are known, and returns one value per result.
	Emit(c *Call) []Value
}

// Emit writes calls into a builder. Its methods panic with the typed errors of
// this package, which the entry points turn into errors.
type Emit struct{ Builder }

// Calls adds a call by name and returns all results. Arguments are converted by
// [ArgOf].
func (e Emit) Calls(name string, args ...any) []Value {
	list := make([]Arg, len(args))
	for i, a := range args {
		list[i] = ArgOf(a)
	}
	c, err := MustLookup(name).NewCall(list...)
	if err != nil {
		panic(err)
	}
	return e.record(c)
}

// record adds a call. Operators of the table are never recorded themselves: programs hold what they stand for.
func (e Emit) record(c *Call) []Value {
	if c.Op.tabled {
		return c.Op.Expand(e, c)
	}
	return e.Emit(c)
}

// Call adds a call by name and returns its first result.
func (e Emit) Call(name string, args ...any) Value { return e.Calls(name, args...)[0] }

// binary picks the Tensor or Scalar overload by the kind of y.
func (e Emit) binary(name string, x Value, y any) Value {
	if _, ok := y.(Value); ok {
		return e.Call(name+".Tensor", x, y)
	}
	return e.Call(name+".Scalar", x, y)
}

// Add returns x + y, where y is a Value or a number.
func (e Emit) Add(x Value, y any) Value { return e.binary("add", x, y) }

// Sub returns x - y.
func (e Emit) Sub(x Value, y any) Value { return e.binary("sub", x, y) }

// Mul returns x × y.
func (e Emit) Mul(x Value, y any) Value { return e.binary("mul", x, y) }

// Div returns x / y in floating point.
func (e Emit) Div(x Value, y any) Value { return e.binary("div", x, y) }

// Neg returns -x.
func (e Emit) Neg(x Value) Value { return e.Call("neg", x) }

// Where returns cond ? x : y.
func (e Emit) Where(cond, x, y Value) Value { return e.Call("where.self", cond, x, y) }

// Sum returns the sum over dims (all if empty).
func (e Emit) Sum(x Value, dims []int, keep bool) Value {
	return e.Call("sum.dim_IntList", x, dims, keep)
}

// To converts to an element type; a value of this type is returned unchanged.
func (e Emit) To(x Value, d dtype.DType) Value {
	if x.Type().DType == d {
		return x
	}
	return e.Call("_to_copy", x, d)
}

// Reshape returns x under another shape of the same size.
func (e Emit) Reshape(x Value, dims []int) Value {
	if shape.Equal(x.Type().Shape, dims) {
		return x
	}
	return e.Call("view", x, dims)
}

// Expand broadcasts x to a shape.
func (e Emit) Expand(x Value, dims []int) Value {
	if shape.Equal(x.Type().Shape, dims) {
		return x
	}
	return e.Call("expand", x, dims)
}

// Full returns a tensor of one number.
func (e Emit) Full(dims []int, v any, d dtype.DType) Value {
	return e.Call("full", dims, v, d)
}

// Zeros returns a tensor of zeros of a type.
func (e Emit) Zeros(t TensorType) Value { return e.Full(t.Shape, 0, t.DType) }

// SumTo sums v over the dimensions that broadcasting added or stretched, so that
// it gets the given shape: the gradient of a broadcast.
func (e Emit) SumTo(v Value, dims []int) Value {
	have := v.Type().Shape
	if shape.Equal(have, dims) {
		return v
	}
	lead := len(have) - len(dims)
	var reduce []int
	for i, n := range have {
		if i < lead || dims[i-lead] == 1 && n != 1 {
			reduce = append(reduce, i)
		}
	}
	if len(reduce) > 0 {
		v = e.Sum(v, reduce, true)
	}
	return e.Reshape(v, dims)
}

// Number returns a tensor without dimensions, of the element type of like.
func (e Emit) Number(v any, like Value) Value { return e.Full([]int{}, v, like.Type().DType) }

// Keep returns v where cond holds, and 0 elsewhere.
func (e Emit) Keep(cond, v Value) Value { return e.Where(cond, v, e.Number(0, v)) }

// Compare returns the comparison of x with a Value or a number.
func (e Emit) Compare(relation string, x Value, y any) Value { return e.binary(relation, x, y) }

// And returns the logical and.
func (e Emit) And(x, y Value) Value { return e.Call("logical_and", x, y) }

// Or returns the logical or.
func (e Emit) Or(x, y Value) Value { return e.Call("logical_or", x, y) }

// Square returns x².
func (e Emit) Square(x Value) Value { return e.Mul(x, x) }

// Pow returns x to a constant power.
func (e Emit) Pow(x Value, p any) Value { return e.Call("pow.Tensor_Scalar", x, p) }

// OneMinus returns 1 - x.
func (e Emit) OneMinus(x Value) Value {
	if d := x.Type().DType; d.IsComplex() {
		return e.Sub(e.Full(x.Type().Shape, 1, d), x)
	}
	return e.Call("rsub.Scalar", x, 1)
}

// Try runs f and turns the typed panics of this package and of package shape into an error. Other panics go on.
func Try(f func()) (err error) {
	defer func() {
		switch p := recover().(type) {
		case nil:
		case *ShapeError:
			err = p
		case *DTypeError:
			err = p
		case *ArgError:
			err = p
		case *OpenError:
			err = p
		case *shape.Error:
			err = p
		case *shape.DimError:
			err = p
		default:
			panic(p)
		}
	}()
	f()
	return nil
}
