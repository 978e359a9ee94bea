package expand

import (
	"slices"

	"github.com/go-acap/acap/mlir"
	"github.com/go-acap/acap/mlir/dialect/arith"
	"github.com/go-acap/acap/mlir/dialect/aten"
	"github.com/go-acap/acap/mlir/dialect/math"
	"github.com/go-acap/acap/mlir/dialect/tensor"
	"github.com/go-acap/acap/ops"
)

// Host replaces operators that run on the host by loops over elements that mlir-opt
// knows, in double precision: a transform is its sum, a factorization its elimination. It is
// what they mean, written out, and not how they are run. Operands that an operator refuses when it runs, such as a
// singular matrix, are not checked. Complex tensors become real ones with a last dimension of the two parts. Operators
// that it does not know stay.
func Host(module *mlir.Operation) error {
	calls, err := hostCalls(module)
	if err != nil {
		return err
	}
	if !splitComplex(module, calls) {
		return nil
	}
	return mlir.Rewrite(module, func(r *mlir.Rewriter, op *mlir.Operation) error {
		if c := calls[op]; c != nil {
			c.reals = reals{&r.Builder}
			r.Replace(c.expand(c)...)
		}
		return nil
	})
}

// hostCall is a call that is written out. Shapes and types are those before complex tensors
// were split.
type hostCall struct {
	reals
	op      *mlir.Operation
	call    *ops.Call
	expand  func(*hostCall) []*mlir.Value
	in, out []mlir.TensorType
}

// hosted are the operators that are written out, by their names without the overload.
var hosted = map[string]func(*hostCall) []*mlir.Value{}

// hostCalls finds the calls that can be written out.
func hostCalls(module *mlir.Operation) (calls map[*mlir.Operation]*hostCall, err error) {
	calls = map[*mlir.Operation]*hostCall{}
	module.Walk(func(op *mlir.Operation) {
		expand := hosted[aten.BaseName(op.Name)]
		if !aten.Is(op) || expand == nil || err != nil {
			return
		}
		var c *ops.Call
		if c, err = ops.FromOperation(op, ops.OfIR); err != nil {
			err = op.Errorf("%w", err)
			return
		}
		h := &hostCall{op: op, call: c, expand: expand}
		static := !slices.ContainsFunc(c.Args, func(a ops.Arg) bool { return a.Open() != nil })
		for _, list := range []struct {
			values []*mlir.Value
			types  *[]mlir.TensorType
		}{{op.Operands, &h.in}, {op.Results, &h.out}} {
			for _, v := range list.values {
				t, ok := v.Type.(mlir.TensorType)
				_, known := mlir.NumElements(t.Shape)
				static = static && ok && known
				*list.types = append(*list.types, t)
			}
		}
		if static {
			calls[op] = h
		}
	})
	return calls, err
}

// number is the value of an argument at a place of the result: an element of a tensor, whose
// shape is broadcast, or a number.
func (c *hostCall) number(b reals, i int, at []*mlir.Value) *mlir.Value {
	if c.call.Tensor(i) == nil {
		return b.of(c.call.Float(i))
	}
	k := 0 // tensors are the operands in the order of the arguments
	for _, a := range c.call.Args[:i] {
		if a.Tensor() != nil {
			k++
		}
	}
	return b.get(c.op.Operands[k], b.repeated(c.in[k].Shape, at)...)
}

// reals writes arithmetic on f64.
type reals struct{ *mlir.Builder }

func (r reals) of(x float64) *mlir.Value { return arith.Constant(r.Builder, mlir.Float(x, mlir.F64)) }

func (r reals) add(x, y *mlir.Value) *mlir.Value { return arith.AddF(r.Builder, x, y) }
func (r reals) sub(x, y *mlir.Value) *mlir.Value { return arith.SubF(r.Builder, x, y) }
func (r reals) mul(x, y *mlir.Value) *mlir.Value { return arith.MulF(r.Builder, x, y) }
func (r reals) div(x, y *mlir.Value) *mlir.Value { return arith.Binary(r.Builder, "divf", x, y) }
func (r reals) neg(x *mlir.Value) *mlir.Value    { return r.sub(r.of(0), x) }

// do calls a function of the math dialect.
func (r reals) do(name string, x *mlir.Value) *mlir.Value { return math.Unary(r.Builder, name, x) }

func (r reals) less(x, y *mlir.Value) *mlir.Value { return arith.CmpF(r.Builder, arith.OLT, x, y) }
func (r reals) same(x, y *mlir.Value) *mlir.Value { return arith.CmpF(r.Builder, arith.OEQ, x, y) }

func (r reals) choose(c, x, y *mlir.Value) *mlir.Value { return arith.Select(r.Builder, c, x, y) }

// get is an element as a real number.
func (r reals) get(t *mlir.Value, at ...*mlir.Value) *mlir.Value {
	x := tensor.Extract(r.Builder, t, at...)
	if _, float := x.Type.(mlir.FloatType); float {
		return resized(r.Builder, x, mlir.F64)
	}
	return arith.Cast(r.Builder, "sitofp", x, mlir.F64)
}

// put returns a tensor with another element.
func (r reals) put(x, t *mlir.Value, at ...*mlir.Value) *mlir.Value {
	return tensor.Insert(r.Builder, resized(r.Builder, x, typeOf(t).Elem), t, at...)
}

// index is a number that an index is.
func (r reals) index(i *mlir.Value) *mlir.Value {
	return arith.Cast(r.Builder, "sitofp", arith.IndexCast(r.Builder, i, mlir.I64), mlir.F64)
}

// repeated returns the place in a shape whose extents of 1 are repeated.
func (r reals) repeated(shape []int, at []*mlir.Value) []*mlir.Value {
	at = slices.Clone(at[len(at)-len(shape):])
	for d, n := range shape {
		if n == 1 {
			at[d] = arith.Index(r.Builder, 0)
		}
	}
	return at
}

// whole is the integer below the size of a number, which has to be one.
func (r reals) whole(x *mlir.Value) *mlir.Value { return arith.Cast(r.Builder, "fptosi", x, mlir.I64) }
