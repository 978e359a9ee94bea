package reference

import (
	"github.com/go-acap/acap/base/dtype"
	"github.com/go-acap/acap/mlir"
)

// Element is one number: Float if the type is floating, else Int, sign-extended; a bool is
// 0 or 1.
type Element struct {
	DType dtype.DType
	Float float64
	Int   int64
}

// Scalar computes an operation of arith or math on elements. It reports false for what it
// does not know.
func Scalar(op *mlir.Operation, x []Element) ([]Element, bool) {
	in := make([]number, len(x), max(len(x), 2))
	for i, e := range x {
		in[i] = number{e.DType, e.Float, e.Int}
	}
	out, ok := scalarOp(op, in)
	if !ok {
		return nil, false
	}
	y := make([]Element, len(out))
	for i, n := range out {
		y[i] = Element{n.d, n.f, n.i}
	}
	return y, true
}

// FloatElement rounds f to a type.
func FloatElement(d dtype.DType, f float64) Element {
	n := floatOf(d, f)
	return Element{n.d, n.f, n.i}
}

// IntElement wraps i to a type.
func IntElement(d dtype.DType, i int64) Element {
	n := intOf(d, i)
	return Element{n.d, n.f, n.i}
}

// AffineValue evaluates an expression; the symbols of index follow the dims.
func AffineValue(e *mlir.AffineExpr, index []int, dims int) int { return affine(e, index, dims) }
