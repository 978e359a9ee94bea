package tosa

import (
	"fmt"
	"math"
	"slices"
	"strings"

	"github.com/go-acap/acap/mlir"
)

// Checks of what is constant in TOSA 1.0: contents, zero points, bounds and shapes that are operands.

// conformant checks what all operations ask: extents above 0, shapes that are computed of constants, and words that
// TOSA has. It goes on to check.
func conformant(op *mlir.Operation, check func(*mlir.Operation) error) error {
	for _, v := range slices.Concat(op.Operands, op.Results) {
		if slices.Contains(extents(v), 0) {
			return fmt.Errorf("%s has an extent of 0, which TOSA 1.0 has not", v.Type)
		}
	}
	for i, v := range op.Operands {
		if isShape(v.Type) && v.Def == nil {
			return fmt.Errorf("operand %d is a shape that is not known when the program is compiled; make it by tosa.const_shape", i)
		}
	}
	for _, a := range op.Attrs {
		word, written := Word(a.Value)
		if known := words[a.Name]; written && known != nil && !slices.Contains(known, word) {
			return fmt.Errorf("%s is %s, want one of %s", a.Name, word, strings.Join(known, ", "))
		}
	}
	if check == nil {
		return nil
	}
	return check(op)
}

// constant checks that the contents have the type of the result.
func constant(op *mlir.Operation) error {
	values, out := mlir.TypeOf(op.Attrs.Get("values")), op.Results[0].Type
	if _, isTensor := values.(mlir.TensorType); values != nil && !isTensor {
		return fmt.Errorf("values of type %s, want a tensor", values)
	}
	a, b := elemOf(&mlir.Value{Type: values}), elemOf(op.Results[0])
	if a != nil && b != nil && !mlir.SameType(a, b) {
		return fmt.Errorf("values of type %s for %s", values, out)
	}
	return fits(op.Results[0], extents(&mlir.Value{Type: values}))
}

// constantShape checks that there is a number of type index for each dimension.
func constantShape(op *mlir.Operation) error {
	t, _ := mlir.TypeOf(op.Attrs.Get("values")).(mlir.TensorType)
	if !mlir.SameType(t.Elem, mlir.Index) || len(t.Shape) != 1 {
		return fmt.Errorf("values of type %s, want a list of index", mlir.TypeOf(op.Attrs.Get("values")))
	}
	if want := fmt.Sprintf("!tosa.shape<%d>", t.Shape[0]); op.Results[0].Type.String() != want {
		return fmt.Errorf("values of type %s for %s, want %s", t, op.Results[0].Type, want)
	}
	return nil
}

// constantNumber is the first element of a constant.
func constantNumber(v *mlir.Value) (float64, bool) {
	if v.Def == nil || v.Def.Name != "tosa.const" {
		return 0, false
	}
	d, ok := v.Def.Attrs.Get("values").(mlir.DenseAttr)
	switch {
	case !ok || d.Len() == 0:
		return 0, false
	case isFloat(d.Elem()):
		return d.FloatAt(0), true
	}
	return float64(d.IntAt(0)), true
}

// zeroFits checks a zero point: it has the element type of the tensor, and is 0 but for bytes.
func zeroFits(point, of *mlir.Value) error {
	if err := pointsFit(point, of); err != nil {
		return err
	}
	if z, known := constantNumber(point); known && z != 0 && !isByte(elemOf(point)) {
		return fmt.Errorf("a zero point of %v for elements of type %s, want 0", z, elemOf(point))
	}
	return nil
}

func isByte(t mlir.Type) bool {
	whole, _ := t.(mlir.IntegerType)
	return whole.Width == 8
}

// numbers returns the numbers of an attribute, or in the form of TOSA 1.0 the numbers of an operand. It reports false
// if the operand is no known constant.
func numbers(op *mlir.Operation, operand int, attribute string) ([]int, bool) {
	if operand < len(op.Operands) && isShape(op.Operands[operand].Type) {
		list := shapeOf(op.Operands[operand])
		return list, list != nil
	}
	return mlir.IntList(op.Attrs.Get(attribute))
}

// ordered checks the bounds of a clamp.
func ordered(low, high mlir.Attribute) error {
	a, aKnown := numberOf(low)
	b, bKnown := numberOf(high)
	if !aKnown || !bKnown {
		return nil
	}
	if math.IsNaN(a) || math.IsNaN(b) || a > b {
		return fmt.Errorf("clamps from %v to %v", a, b)
	}
	return nil
}

// numberOf is the number of an attribute.
func numberOf(a mlir.Attribute) (float64, bool) {
	switch a := a.(type) {
	case mlir.FloatAttr:
		return a.Value, true
	case mlir.IntegerAttr:
		return float64(a.Value), true
	}
	return 0, false
}

// accumulators are the types in which windows of an element type are summed.
var accumulators = map[string][]string{
	"i8": {"i32"}, "i16": {"i48"}, "f8E4M3": {"f16"}, "f8E4M3FN": {"f16"}, "f8E5M2": {"f16"}, "f16": {"f16", "f32"}, "bf16": {"f32"}, "f32": {"f32"},
}

// accumulated checks the type of the sums of a window.
func accumulated(op *mlir.Operation) error {
	e := elemOf(op.Operands[0])
	t, ok := op.Attrs.Get("acc_type").(mlir.TypeAttr)
	if e == nil || !ok {
		return nil
	}
	want := accumulators[e.String()]
	if _, whole := e.(mlir.IntegerType); whole && op.Name == "tosa.avg_pool2d" {
		want = accumulators["i8"]
	}
	if want != nil && !slices.Contains(want, t.Type.String()) {
		return fmt.Errorf("sums of type %s for elements of type %s, want %v", t.Type, e, want)
	}
	return nil
}

// transformed checks a Fourier transform: floats of one type, powers of two, and for real numbers half of the width and
// one.
func transformed(op *mlir.Operation) error {
	all := slices.Concat(op.Operands, op.Results)
	for _, v := range all {
		e := elemOf(v)
		if e == nil {
			return nil
		}
		if !isFloat(e) || !mlir.SameType(e, elemOf(all[0])) {
			return fmt.Errorf("transforms %s to %s, want one type of floats", op.Operands[0].Type, v.Type)
		}
	}
	shape := slices.Clone(extents(op.Operands[0]))
	if shape == nil {
		return nil
	}
	for i, n := range shape[1:] {
		if n > 0 && n&(n-1) != 0 {
			return fmt.Errorf("the %s is %d, want a power of two", axisNames[2][i], n)
		}
	}
	if op.Name == "tosa.rfft2d" && shape[2] > 0 {
		shape[2] = shape[2]/2 + 1
	}
	for _, v := range slices.Concat(op.Operands[1:], op.Results) {
		if err := fits(v, shape); err != nil {
			return err
		}
	}
	return nil
}

// mixed checks that the filter of a convolution has floats if the input has.
func mixed(op *mlir.Operation) error {
	a, b := elemOf(op.Operands[0]), elemOf(op.Operands[1])
	if a != nil && b != nil && isFloat(a) != isFloat(b) {
		return fmt.Errorf("an input of type %s with a filter of type %s", a, b)
	}
	return nil
}

// isFloat reports whether numbers of a type are floats.
func isFloat(t mlir.Type) bool {
	_, is := t.(mlir.FloatType)
	return is
}

// isShape reports whether a type is !tosa.shape.
func isShape(t mlir.Type) bool {
	o, ok := t.(mlir.OpaqueType)
	return ok && strings.HasPrefix(o.String(), "!tosa.shape")
}
