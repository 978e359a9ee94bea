package expand

import (
	"github.com/go-acap/acap/base/dtype"
	"github.com/go-acap/acap/mlir"
	"github.com/go-acap/acap/mlir/dialect/acap"
	"github.com/go-acap/acap/mlir/dialect/arith"
	"github.com/go-acap/acap/mlir/dialect/scf"
	"github.com/go-acap/acap/mlir/dialect/tensor"
)

func init() { expansions["acap.search"] = (*expansion).search }

// search counts, for every value, the elements of its line that come before the value.
func (e *expansion) search() []*mlir.Value {
	x, sequence := e.op.Operands[0], e.op.Operands[1]
	last := len(typeOf(sequence).Shape) - 1
	n := typeOf(sequence).Shape[last]
	return loops(&e.Builder, typeOf(x).Shape, []*mlir.Value{tensor.Empty(&e.Builder, typeOf(e.op.Results[0]))},
		func(b *mlir.Builder, at, out []*mlir.Value) []*mlir.Value {
			v := tensor.Extract(b, x, at...)
			count := scf.For(b, arith.Index(b, 0), arith.Index(b, n), arith.Index(b, 1), []*mlir.Value{arith.Index(b, 0)},
				func(b *mlir.Builder, i *mlir.Value, carried []*mlir.Value) []*mlir.Value {
					element := tensor.Extract(b, sequence, append(at[:last:last], i)...)
					one := arith.Select(b, e.precedes(b, element, v), arith.Index(b, 1), arith.Index(b, 0))
					return []*mlir.Value{arith.AddI(b, carried[0], one)}
				})[0]
			return []*mlir.Value{tensor.Insert(b, arith.IndexCast(b, count, mlir.I64), out[0], at...)}
		})
}

// precedes reports whether an element of a line comes before a value.
func (e *expansion) precedes(b *mlir.Builder, element, v *mlir.Value) *mlir.Value {
	right := acap.Right(e.op)
	switch d := mlir.DTypeOf(v.Type); {
	case d.IsFloat():
		less := arith.OLT
		if right {
			less = arith.OLE
		}
		return arith.OrI(b, arith.CmpF(b, less, element, v), arith.CmpF(b, arith.UNO, v, v))
	case acap.Unsigned(e.op) || d == dtype.Bool:
		if right {
			return arith.CmpI(b, arith.ULE, element, v)
		}
		return arith.CmpI(b, arith.ULT, element, v)
	case right:
		return arith.CmpI(b, arith.SLE, element, v)
	}
	return arith.CmpI(b, arith.SLT, element, v)
}
