package ops

import (
	"slices"
	"strings"

	"github.com/go-acap/acap/base/dtype"
	"github.com/go-acap/acap/base/shape"
	"github.com/go-acap/acap/mlir"
	"github.com/go-acap/acap/mlir/dialect/aten"
)

// A simplification says what stands for the result of a call, with the same bits: a value that there is, or one
// simpler call. It returns nil where it does not apply.
type simplification func(e Emit, c *Call) Value

func init() { aten.SetSimplifier(simplify) }

// simplify applies the first simplification of an operation's operator that gives a value of the same type.
func simplify(b *mlir.Builder, op *mlir.Operation) []*mlir.Value {
	rules := simplifications[strings.TrimPrefix(op.Name, "aten.")]
	if rules == nil || len(op.Results) != 1 || Spelled2019(op) {
		return nil
	}
	c := callOf(op)
	if c == nil {
		return nil
	}
	for _, rule := range rules {
		var v Value
		if Try(func() { v = rule(Emit{Builder: Appender{b}}, c) }) != nil || v == nil {
			continue
		}
		if r := ToIR(v); mlir.SameType(r.Type, op.Result().Type) {
			return []*mlir.Value{r}
		}
	}
	return nil
}

// callOf reads a call whose arguments are all known, or returns nil.
func callOf(op *mlir.Operation) *Call {
	c, err := FromOperation(op, OfIR)
	if err != nil || slices.ContainsFunc(c.Args, func(a Arg) bool { return a.Open() != nil }) {
		return nil
	}
	return c
}

// made returns the call that makes v, if its operator is one of names.
func made(v Value, names ...string) *Call {
	ir, ok := v.(IRValue)
	if !ok || ir.V.Def == nil || !slices.Contains(names, strings.TrimPrefix(ir.V.Def.Name, "aten.")) {
		return nil
	}
	return callOf(ir.V.Def)
}

// unchanged is the first argument, where cond holds; its type is checked by [simplify].
func unchanged(cond func(c *Call) bool) simplification {
	return func(_ Emit, c *Call) Value {
		if cond != nil && !cond(c) {
			return nil
		}
		return c.Tensor(0)
	}
}

// undoes says that an operator after one of names gives back what went in.
func undoes(names ...string) simplification {
	return func(_ Emit, c *Call) Value {
		if inner := made(c.Tensor(0), names...); inner != nil {
			return inner.Tensor(0)
		}
		return nil
	}
}

// keeps says that an operator does not change what one of names with the same further arguments gives.
func keeps(names ...string) simplification {
	return func(_ Emit, c *Call) Value {
		inner := made(c.Tensor(0), names...)
		if inner == nil || inner.Op == c.Op && !slices.EqualFunc(inner.Args[1:], c.Args[1:], equalNumbers) {
			return nil
		}
		return c.Tensor(0)
	}
}

func equalNumbers(a, b Arg) bool {
	return a.Kind == b.Kind && a.bits == b.bits && a.held == nil && b.held == nil
}

// ignores says that an operator gives the same for what goes into one of names.
func ignores(names ...string) simplification {
	return func(e Emit, c *Call) Value {
		if inner := made(c.Tensor(0), names...); inner != nil {
			return e.Call(c.Op.Name(), inner.Tensor(0))
		}
		return nil
	}
}

// repeated replaces a call by argument i if arguments i and i+1 are the same value.
func repeated(i int) simplification {
	return func(_ Emit, c *Call) Value {
		if c.Tensor(i) == c.Tensor(i+1) {
			return c.Tensor(i)
		}
		return nil
	}
}

// constant is the number that all elements of a tensor are.
type constant struct {
	d dtype.DType
	f float64
	i int64
}

// is reports whether the number is v to the bit.
func (k constant) is(v float64) bool {
	if k.d.IsFloat() {
		return sameBits(k.f, v)
	}
	return k.d.Valid() && !k.d.IsComplex() && float64(k.i) == v && int64(v) == k.i
}

// constantOf returns the number that argument i is everywhere: a number, or a tensor that a constant or a
// constructor makes. d is the type in which it is used.
func constantOf(c *Call, i int) (constant, bool) {
	v := c.Tensor(i)
	if v == nil {
		s := c.Scalar(i)
		if s.Kind() == KindComplex || s.Kind() == KindNone {
			return constant{}, false
		}
		return scalarConstant(s, c.Out[0].DType), true
	}
	return splatOf(v)
}

func scalarConstant(s Scalar, d dtype.DType) constant {
	if s.Kind() == KindFloat {
		return constant{d: d, f: s.Float(), i: int64(s.Float())}
	}
	return constant{d: d, f: float64(s.Int()), i: int64(s.Int())}
}

func splatOf(v Value) (constant, bool) {
	t := v.Type()
	if !t.DType.Valid() || t.DType.IsComplex() {
		return constant{}, false
	}
	if made := made(v, "full", "zeros", "ones"); made != nil {
		switch made.Op.Name() {
		case "full":
			if s := made.Scalar(1); s.Kind() != KindComplex {
				return scalarConstant(s, t.DType), true
			}
			return constant{}, false
		case "ones":
			return constant{t.DType, 1, 1}, true
		}
		return constant{d: t.DType}, true
	}
	d, ok := mlir.ConstantValue(ToIR(v)).(mlir.DenseAttr)
	switch {
	case !ok || !d.IsSplat():
		return constant{}, false
	case t.DType.IsFloat():
		f := d.FloatAt(0)
		return constant{t.DType, f, int64(f)}, true
	}
	n := d.IntAt(0)
	return constant{t.DType, float64(n), n}, true
}

// neutral says that the operator with a number for which is holds as argument 1 gives argument 0; of an operator
// that commutes the number may be the first as well.
func neutral(commutes bool, is func(k constant) bool) simplification {
	return func(_ Emit, c *Call) Value {
		if k, ok := constantOf(c, 1); ok && is(k) {
			return c.Tensor(0)
		}
		if commutes && c.Tensor(1) != nil {
			if k, ok := splatOf(c.Tensor(0)); ok && is(k) {
				return c.Tensor(1)
			}
		}
		return nil
	}
}

// filled says that the result is v everywhere, where cond holds.
func filled(v int, cond func(c *Call) bool) simplification {
	return func(e Emit, c *Call) Value {
		if !cond(c) {
			return nil
		}
		return e.fullOf(c.Out[0], v)
	}
}

func (e Emit) fullOf(t TensorType, v any) Value {
	if t.DType == dtype.Bool {
		v = v != any(0)
	}
	return e.Full(t.Shape, v, t.DType)
}

// integers reports whether a call computes with integers, which have neither NaN nor -0.
func integers(c *Call) bool {
	for _, i := range []int{0, 1} {
		if i < len(c.Args) && c.Tensor(i) != nil && !c.DTypeOf(i).IsInt() {
			return false
		}
		if i < len(c.Args) && c.Tensor(i) == nil && c.Args[i].Kind == KindFloat {
			return false
		}
	}
	return true
}

// unshaped says a chain of reshapings as one, or as none.
func unshaped(e Emit, c *Call) Value {
	want := c.Out[0].Shape
	inner := made(c.Tensor(0), reshapings...)
	switch {
	case shape.Equal(c.Shape(0), want):
		return c.Tensor(0)
	case inner == nil:
		return nil
	case shape.Equal(inner.Shape(0), want):
		return inner.Tensor(0)
	}
	return e.Call("view", inner.Tensor(0), want)
}

// unpermuted says a chain of permutations as one, or as none.
func unpermuted(e Emit, c *Call) Value {
	perm, err := permutations[c.Op.Name()](c)
	if err != nil {
		return nil
	}
	if slices.IsSorted(perm) {
		return c.Tensor(0)
	}
	ir, _ := c.Tensor(0).(IRValue)
	if ir.V.Def == nil {
		return nil
	}
	first := permutations[strings.TrimPrefix(ir.V.Def.Name, "aten.")]
	inner := callOf(ir.V.Def)
	if first == nil || inner == nil {
		return nil
	}
	before, err := first(inner)
	if err != nil {
		return nil
	}
	both := make([]int, len(perm))
	for i, d := range perm {
		both[i] = before[d]
	}
	if slices.IsSorted(both) {
		return inner.Tensor(0)
	}
	return e.Call("permute", inner.Tensor(0), both)
}

// unstretched says a chain of expansions as one.
func unstretched(e Emit, c *Call) Value {
	if shape.Equal(c.Shape(0), c.Out[0].Shape) {
		return c.Tensor(0)
	}
	if inner := made(c.Tensor(0), "expand", "expand_as", "broadcast_to"); inner != nil {
		return e.Call("expand", inner.Tensor(0), c.Out[0].Shape, false)
	}
	return nil
}

// uncast converts once what is converted twice, if the type between holds every number of the first one.
func uncast(e Emit, c *Call) Value {
	to := c.Out[0].DType
	if c.DTypeOf(0) == to {
		return c.Tensor(0)
	}
	inner := made(c.Tensor(0), casts...)
	if inner == nil || !holds(c.DTypeOf(0), inner.DTypeOf(0), to) {
		return nil
	}
	if inner.DTypeOf(0) == to {
		return inner.Tensor(0)
	}
	return e.Call("to.dtype", inner.Tensor(0), to)
}

// holds reports whether converting from one type over another to a third is converting at once. Floats outside the
// range of an integer are left as they are: what they become depends on the width of the float.
func holds(between, from, to dtype.DType) bool {
	switch {
	case between.IsComplex() || from.IsComplex() || to.IsComplex():
		return false
	case from == dtype.Bool:
		return between != dtype.Bool
	case from.IsFloat():
		wider := between == dtype.F64 || between == dtype.F32 && from.Bits() == 16
		return wider && between.IsFloat() && (to.IsFloat() || to == dtype.Bool || to == from)
	case between.IsInt():
		return between.Bits() > from.Bits()
	}
	return false
}

// uniform is a constructor's number in another shape.
func uniform(e Emit, c *Call) Value {
	inner := made(c.Tensor(0), "full", "zeros", "ones")
	if inner == nil {
		return nil
	}
	k, _ := splatOf(c.Tensor(0))
	if c.DTypeOf(0).IsFloat() {
		return e.fullOf(c.Out[0], k.f)
	}
	return e.fullOf(c.Out[0], int(k.i))
}

// likeConstant is a constructor that takes its shape and type from a tensor, which nothing else of it needs.
func likeConstant(value any) simplification {
	return func(e Emit, c *Call) Value {
		if i := slices.IndexFunc(c.Op.Parsed().Params, func(p Param) bool { return p.Name == "fill_value" }); i >= 0 {
			return e.Full(c.Out[0].Shape, c.Scalar(i), c.Out[0].DType)
		}
		return e.fullOf(c.Out[0], value)
	}
}

// chosen is the branch of a where whose condition is known or whose branches are one.
func chosen(_ Emit, c *Call) Value {
	if c.Tensor(1) == c.Tensor(2) {
		return c.Tensor(1)
	}
	if k, ok := splatOf(c.Tensor(0)); ok {
		if k.i != 0 {
			return c.Tensor(1)
		}
		return c.Tensor(2)
	}
	return nil
}
