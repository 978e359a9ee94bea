package tosa

import (
	"fmt"
	"math"

	"github.com/go-acap/acap/mlir"
)

// Checks of zero points, of shapes that are operands, and of element types in TOSA 1.0.

// elemOf is the element type of a tensor; nil for others, and for quantized elements, whose storage another dialect
// knows.
func elemOf(v *mlir.Value) mlir.Type {
	t, _ := v.Type.(mlir.TensorType)
	if open, ok := v.Type.(mlir.UnrankedTensorType); ok {
		t.Elem = open.Elem
	}
	if _, quantized := t.Elem.(mlir.OpaqueType); quantized {
		return nil
	}
	return t.Elem
}

// pointsFit checks that a zero point has the element type of the tensor.
func pointsFit(point, of *mlir.Value) error {
	a, b := elemOf(point), elemOf(of)
	if a != nil && b != nil && !mlir.SameType(a, b) {
		return fmt.Errorf("a zero point of type %s for elements of type %s", a, b)
	}
	return nil
}

// shapeOf are the numbers of a constant of the type !tosa.shape; nil for others.
func shapeOf(v *mlir.Value) []int {
	if v.Def == nil || v.Def.Name != "tosa.const_shape" {
		return nil
	}
	d, ok := v.Def.Attrs.Get("values").(mlir.DenseAttr)
	if !ok || d.Len() > 64 {
		return nil
	}
	list := make([]int, d.Len())
	for i := range list {
		list[i] = int(d.IntAt(i))
	}
	return list
}

// negated checks the zero points of both sides.
func negated(op *mlir.Operation) error {
	if err := zeroFits(op.Operands[1], op.Operands[0]); err != nil {
		return err
	}
	return zeroFits(op.Operands[2], op.Results[0])
}

// multiplied checks the extents and zero points of a product of matrices.
func multiplied(op *mlir.Operation) error {
	for i := range 2 {
		if err := zeroFits(op.Operands[2+i], op.Operands[i]); err != nil {
			return err
		}
	}
	a, b := extents(op.Operands[0]), extents(op.Operands[1])
	if a == nil || b == nil {
		return nil
	}
	if a[0] != b[0] && a[0] >= 0 && b[0] >= 0 || a[2] != b[1] && a[2] >= 0 && b[1] >= 0 {
		return fmt.Errorf("cannot multiply %s by %s", op.Operands[0].Type, op.Operands[1].Type)
	}
	return fits(op.Results[0], []int{a[0], a[1], b[2]})
}

// product checks the types of a product: integers give no narrower ones, and others their own type without a shift.
func product(op *mlir.Operation) error {
	a, b, out := elemOf(op.Operands[0]), elemOf(op.Operands[1]), elemOf(op.Results[0])
	if a != nil && b != nil && !mlir.SameType(a, b) {
		return fmt.Errorf("factors of types %s and %s", a, b)
	}
	if a == nil || out == nil {
		return nil
	}
	factor, whole := a.(mlir.IntegerType)
	if i, wholeOut := out.(mlir.IntegerType); whole && (!wholeOut || i.Width < factor.Width) {
		return fmt.Errorf("a product of type %s for factors of type %s, want an integer that is not narrower", out, a)
	}
	if n, known := constantNumber(op.Operands[2]); !whole && known && n != 0 {
		return fmt.Errorf("a shift of %v for factors of type %s, want 0", n, a)
	}
	for _, v := range op.Operands[:2] {
		if in, to := extents(v), extents(op.Results[0]); in != nil && to != nil && len(in) != len(to) {
			return fmt.Errorf("a product of %d dimensions for a factor of %d", len(to), len(in))
		}
	}
	if !whole && !mlir.SameType(a, out) {
		return fmt.Errorf("a product of type %s, want %s", out, a)
	}
	if shift := extents(op.Operands[2]); shift != nil && shift[0] >= 0 && shift[0] != 1 {
		return fmt.Errorf("shift has %d elements, want 1", shift[0])
	}
	return nil
}

// rescaled checks the types of a rescaling, and that there is a factor for each channel, or one.
func rescaled(op *mlir.Operation) error {
	for i, v := range []*mlir.Value{op.Operands[0], op.Results[0]} {
		e, z := elemOf(v), elemOf(op.Operands[3+i])
		if e == nil || z == nil {
			continue
		}
		of, whole := e.(mlir.IntegerType)
		point, wholePoint := z.(mlir.IntegerType)
		if !whole || !wholePoint || of.Width != point.Width {
			return fmt.Errorf("elements of type %s with a zero point of type %s, want integers of the same width", e, z)
		}
	}
	wide, _ := op.Attrs.Get("scale32").(mlir.IntegerAttr)
	want := mlir.Type(mlir.I16)
	if wide.Value != 0 {
		want = mlir.I32
	}
	if e := elemOf(op.Operands[1]); e != nil && !mlir.SameType(e, want) {
		return fmt.Errorf("multipliers of type %s, want %s", e, want)
	}
	for i, side := range []string{"input", "output"} {
		unsigned, _ := op.Attrs.Get(side + "_unsigned").(mlir.IntegerAttr)
		z, known := constantNumber(op.Operands[3+i])
		e := elemOf(op.Operands[3+i])
		half := mlir.SameType(e, mlir.I16) && unsigned.Value != 0 && math.Abs(z) == 1<<15
		if known && z != 0 && !half && !isByte(e) {
			return fmt.Errorf("a zero point of %v for the %s of type %s, want 0, or 32768 for unsigned i16", z, side, e)
		}
	}
	each, _ := op.Attrs.Get("per_channel").(mlir.IntegerAttr)
	if in := extents(op.Operands[0]); each.Value != 0 && in != nil && len(in) == 0 {
		return fmt.Errorf("a scalar has no channels")
	}
	n := 1
	if each.Value != 0 {
		n = last(extents(op.Operands[0]))
	}
	for _, v := range op.Operands[1:3] {
		if got := first(extents(v)); got >= 0 && n >= 0 && got != n {
			return fmt.Errorf("%d multipliers or shifts, want %d", got, n)
		}
	}
	return nil
}

// padded checks the extents, where the padding is constant.
func padded(op *mlir.Operation) error {
	in, p := extents(op.Operands[0]), shapeOf(op.Operands[1])
	if err := pointsFit(op.Operands[2], op.Operands[0]); err != nil || in == nil || p == nil {
		return err
	}
	if len(p) != 2*len(in) {
		return fmt.Errorf("the padding has %d numbers, want two for each of %d dimensions", len(p), len(in))
	}
	shape := make([]int, len(in))
	for i, n := range in {
		if p[2*i] < 0 || p[2*i+1] < 0 {
			return fmt.Errorf("the padding of dimension %d is %d and %d, want no negative number", i, p[2*i], p[2*i+1])
		}
		if shape[i] = mlir.Dynamic; n >= 0 {
			shape[i] = n + p[2*i] + p[2*i+1]
		}
	}
	return fits(op.Results[0], shape)
}

// found checks the places that argmax gives: integers, without the axis.
func found(op *mlir.Operation) error {
	axis, err := axisOf(op)
	if err != nil {
		return err
	}
	if e := elemOf(op.Results[0]); e != nil {
		if _, whole := e.(mlir.IntegerType); !whole {
			return fmt.Errorf("places of type %s, want an integer", e)
		}
	}
	in := extents(op.Operands[0])
	if in == nil {
		return nil
	}
	return fits(op.Results[0], append(append([]int{}, in[:axis]...), in[axis+1:]...))
}

// gathered checks values [N, K, C] at indices [N, W], which give [N, W, C].
func gathered(op *mlir.Operation) error {
	values, indices := extents(op.Operands[0]), extents(op.Operands[1])
	if values == nil || indices == nil {
		return nil
	}
	if values[0] != indices[0] && values[0] >= 0 && indices[0] >= 0 {
		return fmt.Errorf("indices of %s for values of %s", op.Operands[1].Type, op.Operands[0].Type)
	}
	return fits(op.Results[0], []int{values[0], indices[1], values[2]})
}

// scattered checks values [N, K, C] that get input [N, W, C] at indices [N, W].
func scattered(op *mlir.Operation) error {
	values, indices := extents(op.Operands[0]), extents(op.Operands[1])
	if values == nil || indices == nil {
		return nil
	}
	if err := fits(op.Operands[2], []int{indices[0], indices[1], values[2]}); err != nil {
		return fmt.Errorf("the input: %w", err)
	}
	if k, w := values[1], max(indices[1], last(extents(op.Operands[2])[:2])); k >= 0 && w > k {
		return fmt.Errorf("%d places in %d values, want no more", w, k)
	}
	if err := fits(op.Results[0], []int{first(extents(op.Operands[2])), mlir.Dynamic, mlir.Dynamic}); err != nil {
		return err
	}
	return fits(op.Results[0], values)
}
