package ops

import (
	"fmt"

	"github.com/go-acap/acap/base/dtype"
	"github.com/go-acap/acap/base/shape"
	"github.com/go-acap/acap/mlir"
)

// OpenArg returns a number argument whose value a program is given when it runs: v has
// it, a tensor without dimensions of type f64 for KindFloat and i64 for KindInt. A
// lowering that uses the number as data ([Scalars.Of], [Scalars.Position]) works with an
// open one as it does with any. One that needs to know it panics with an [*OpenError],
// so that which arguments of a call may be open follows from how the call is computed.
func OpenArg(kind Kind, v Value) Arg { return Arg{Kind: kind, held: v} }

// Open returns the tensor whose element is the value of an open argument, or nil.
func (a *Arg) Open() Value {
	if a.Kind != KindInt && a.Kind != KindFloat {
		return nil
	}
	return a.held
}

// OpenType is the type of the tensor that has the value of an open argument.
func OpenType(kind Kind) TensorType {
	if kind == KindFloat {
		return TensorType{DType: dtype.F64}
	}
	return TensorType{DType: dtype.I64}
}

// Opens reports whether argument i is a number that an operand may stand for, if what is
// computed does not depend on it otherwise.
func (c *Call) Opens(i int) bool {
	q, kind := &c.Op.Parsed().Params[i], c.Args[i].Kind
	return (kind == KindInt || kind == KindFloat) && q.mayBe(kind) && c.Op.enumeration(q) == nil
}

// OpenError says that a call cannot be made without knowing one of its numbers.
type OpenError struct{}

func (*OpenError) Error() string {
	return "the number decides what is computed, so that it cannot be an input of the program"
}

// known panics if the argument is open.
func (a *Arg) known() {
	if a.held != nil && a.Open() != nil {
		panic(&OpenError{})
	}
}

// Is reports whether the number is known and has a value.
func (s Scalar) Is(v float64) bool { return s.open == nil && s.Float() == v }

// openNames is the attribute that lists the arguments whose values are the last operands.
const openNames = "open"

// readOpen reads the open arguments of an operation of the aten dialect, and returns the
// operands before them.
func (c *Call) readOpen(op *mlir.Operation, value func(*mlir.Value) Value) ([]*mlir.Value, error) {
	names, _ := op.Attrs.Get(openNames).(mlir.ArrayAttr)
	if len(names) > len(op.Operands) {
		return nil, c.ArgErrorf("%d numbers are operands, of %d operands", len(names), len(op.Operands))
	}
	first := len(op.Operands) - len(names)
	for i, a := range names {
		name, _ := a.(mlir.StringAttr)
		if err := c.readOpenArg(string(name), value(op.Operands[first+i])); err != nil {
			return nil, err
		}
	}
	return op.Operands[:first], nil
}

func (c *Call) readOpenArg(name string, v Value) error {
	params := c.Op.Parsed().Params
	for i := range params {
		q := &params[i]
		if q.Name != name {
			continue
		}
		for _, kind := range []Kind{KindInt, KindFloat} {
			want, t := OpenType(kind), v.Type()
			c.Args[i] = OpenArg(kind, v)
			if t.DType == want.DType && shape.Equal(t.Shape, want.Shape) && c.Opens(i) {
				return nil
			}
		}
		return c.ArgErrorf("argument %s cannot be an operand of type %v", name, mlir.Tensor(v.Type().DType, v.Type().Shape))
	}
	return c.ArgErrorf("argument %q cannot be an operand", name)
}

// mayBe reports whether an open argument of a kind is one that the parameter takes.
func (q *Param) mayBe(kind Kind) bool {
	return !q.List && (q.Type == TypeScalar || q.Type == TypeInt && kind == KindInt || q.Type == TypeFloat && kind == KindFloat)
}

// MayBeOpen reports whether an argument may be a number that a program is given when it runs.
func (q *Param) MayBeOpen() bool { return q.mayBe(KindInt) || q.mayBe(KindFloat) }

// openAttr lists names of arguments.
func openAttr(names []string) mlir.Named {
	list := make(mlir.ArrayAttr, len(names))
	for i, n := range names {
		list[i] = mlir.StringAttr(n)
	}
	return mlir.Named{Name: openNames, Value: list}
}

// opened returns an open number as an element of a type.
func (s *Scalars) opened(d dtype.DType, kind Kind, v Value) Elem {
	if s.values == nil || kind == KindFloat && !d.IsFloat() {
		panic(&OpenError{}) // a constant saturates where a conversion does not
	}
	x := s.At(Lowered{s.values(v), OpenType(kind).DType})
	if d.IsFloat() {
		x = s.Cast(x, dtype.F64) // as a constant is rounded: from f64, once
	}
	return s.Cast(x, d)
}

// Position returns an int argument that counts from the start of a dimension of n
// elements, or from its end if it is negative, as an i64.
func (s *Scalars) Position(a *Arg, n int) Elem {
	x := s.Of(dtype.I64, a.Scalar())
	return s.Select(s.Cmp("lt", x, s.ConstInt(dtype.I64, 0)), s.Add(x, s.ConstInt(dtype.I64, int64(n))), x)
}

// wantOpen panics unless the results of a call with open arguments, which are not inferred,
// are of the given type.
func (c *Call) wantOpen(i int, d dtype.DType, dims []int) {
	if t := c.Out[i]; t.DType != d || !shape.Equal(t.Shape, dims) {
		panic(c.ShapeErrorf("result %d is %s", i, fmt.Sprint(t)))
	}
}
