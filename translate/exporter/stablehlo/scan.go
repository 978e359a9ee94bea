package stablehlo

import (
	"slices"

	"github.com/go-acap/acap/mlir"
	"github.com/go-acap/acap/mlir/dialect/acap"
)

// scan writes an acap.scan as steps over whole tensors: after the step that looks back by 2^k every
// element is the fold of the 2^(k+1) elements up to it. Positions of extremes go with them.
func (w *writer) scan(op *mlir.Operation) {
	x := w.value(op.Operands[0])
	f := w.foldingOf(op, elemOf(x.Type))
	x = w.as(x, f.elem)
	dims, axis := shapeOf(x.Type), acap.Axis(op)
	neutral := w.neutral(f.neutral, f.elem)
	var positions *mlir.Value
	if acap.Positions(op) {
		positions = w.iota(axis, dims)
	}
	for back := 1; back < dims[axis]; back *= 2 {
		next := f.combine(w, w.shifted(x, neutral, axis, back), x)
		if positions != nil {
			before := w.shifted(positions, w.number(0, mlir.I64), axis, back)
			positions = w.create("select", positions.Type, nil, w.isLast(next, x), positions, before)
		}
		x = next
	}
	if positions != nil {
		w.set(op, positions)
		return
	}
	w.set(op, w.as(x, elemOf(op.Result().Type)))
}

// isLast tells where x is the extreme itself: where it equals it, or is NaN.
func (w *writer) isLast(extreme, x *mlir.Value) *mlir.Value {
	flags := tensor(mlir.I1, shapeOf(x.Type))
	kind := comparison(elemOf(x.Type))
	same := w.relation("EQ", kind, flags, extreme, x)
	if kind != "FLOAT" {
		return same
	}
	return w.create("or", flags, nil, same, w.relation("NE", kind, flags, x, x))
}

// comparison is the kind of comparison of elements of a type.
func comparison(elem mlir.Type) string {
	i, ok := elem.(mlir.IntegerType)
	switch {
	case !ok:
		return "FLOAT"
	case i.Signedness == mlir.Unsigned || i.Width == 1:
		return "UNSIGNED"
	}
	return "SIGNED"
}

// shifted moves x along an axis; what has no element before it gets the neutral one.
func (w *writer) shifted(x, neutral *mlir.Value, axis, by int) *mlir.Value {
	dims := shapeOf(x.Type)
	limit, low := slices.Clone(dims), make([]int, len(dims))
	limit[axis] -= by
	low[axis] = by
	none := make([]int, len(dims))
	return w.padded(w.slice(x, none, limit, slices.Repeat([]int{1}, len(dims))), neutral, low, none, none)
}
