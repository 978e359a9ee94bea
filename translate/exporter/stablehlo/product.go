package stablehlo

import (
	"slices"
	"strconv"
	"strings"

	"github.com/go-acap/acap/mlir"
)

func list(values []int) string {
	words := make([]string, len(values))
	for i, n := range values {
		words[i] = strconv.Itoa(n)
	}
	return "[" + strings.Join(words, ", ") + "]"
}

// dotDimensions are the pairs of dimensions of two operands x and y that a product keeps once, and those that it sums
// over.
type dotDimensions struct{ xBatch, yBatch, xSum, ySum []int }

// dot multiplies, summing over pairs of dimensions; the result has the batch dimensions, then the left operand's
// dimensions, then the right operand's.
func (w *writer) dot(x, y *mlir.Value, pairs dotDimensions, elem mlir.Type) *mlir.Value {
	dims := []int{}
	for _, d := range pairs.xBatch {
		dims = append(dims, shapeOf(x.Type)[d])
	}
	for d, n := range shapeOf(x.Type) {
		if !slices.Contains(pairs.xBatch, d) && !slices.Contains(pairs.xSum, d) {
			dims = append(dims, n)
		}
	}
	for d, n := range shapeOf(y.Type) {
		if !slices.Contains(pairs.yBatch, d) && !slices.Contains(pairs.ySum, d) {
			dims = append(dims, n)
		}
	}
	var fields []string
	for _, f := range []struct {
		name string
		dims []int
	}{{"lhs_batching_dimensions", pairs.xBatch}, {"rhs_batching_dimensions", pairs.yBatch},
		{"lhs_contracting_dimensions", pairs.xSum}, {"rhs_contracting_dimensions", pairs.ySum}} {
		if len(f.dims) > 0 {
			fields = append(fields, f.name+" = "+list(f.dims))
		}
	}
	return w.create("dot_general", tensor(elem, dims), mlir.Attrs{{Name: "dot_dimension_numbers",
		Value: mlir.OpaqueAttr{Text: "#stablehlo.dot<" + strings.Join(fields, ", ") + ">"}}}, x, y)
}

// plus adds a product to the init operand of a linalg operation, which is zero in most programs.
func (w *writer) plus(out *mlir.Value, product *mlir.Value) *mlir.Value {
	if filled(out, 0.0) {
		return product
	}
	return w.create("add", product.Type, nil, w.value(out), product)
}

// filled reports whether a tensor is a fill of a number, which is a float64, or an int64 where a float64 is too narrow.
func filled(v *mlir.Value, with any) bool {
	if v.Def == nil || v.Def.Name != "linalg.fill" {
		return false
	}
	switch a := mlir.ConstantValue(v.Def.Operands[0]).(type) {
	case mlir.FloatAttr:
		return a.Value == with
	case mlir.IntegerAttr:
		return a.Value == with || float64(a.Value) == with
	}
	return false
}

func (w *writer) matmul(op *mlir.Operation) {
	x, y := w.value(op.Operands[0]), w.value(op.Operands[1])
	elem := elemOf(op.Result().Type)
	if op.Name == "linalg.matmul" {
		w.set(op, w.plus(op.Operands[2], w.dot(x, y, dotDimensions{xSum: []int{1}, ySum: []int{0}}, elem)))
		return
	}
	w.set(op, w.plus(op.Operands[2], w.dot(x, y, dotDimensions{[]int{0}, []int{0}, []int{2}, []int{1}}, elem)))
}

func (w *writer) convolution(op *mlir.Operation) {
	spatial := len(shapeOf(op.Result().Type)) - 2
	spread := func(name string) []int {
		values, _ := mlir.IntList(op.Attrs.Get(name))
		if len(values) == 0 {
			values = []int{1}
		}
		if len(values) == 1 {
			values = slices.Repeat(values, spatial)
		}
		return values
	}
	w.set(op, w.plus(op.Operands[2], w.convolve(w.value(op.Operands[0]), w.value(op.Operands[1]), shapeOf(op.Result().Type),
		spread("strides"), spread("dilations"), 1)))
}
