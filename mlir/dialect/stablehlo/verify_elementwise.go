package stablehlo

import (
	"fmt"

	"github.com/go-acap/acap/mlir"
	"github.com/go-acap/acap/mlir/dialect/quant"
)

// Checks of operations that work element by element.

func verifyAbs(f facts) error {
	x := f.in(0)
	if c, ok := x.Elem.(mlir.ComplexType); ok {
		x.Elem = c.Elem
	}
	return f.gives(x)
}

// verifyPart checks real and imag.
func verifyPart(f facts) error { return verifyAbs(f) }

func verifyComplex(f facts) error {
	x := f.in(0)
	x.Elem = mlir.ComplexType{Elem: x.Elem}
	return f.gives(x)
}

func verifyIsFinite(f facts) error {
	return f.gives(mlir.TensorType{Shape: f.in(0).Shape, Elem: mlir.I1})
}

// verifyAdd checks an addition, whose quantized operands may have scales of their own.
func verifyAdd(f facts) error {
	x, y, z := f.in(0).Elem, f.in(1).Elem, f.out(0).Elem
	if !isQuantized(x) && !isQuantized(y) && !isQuantized(z) {
		if !mlir.SameType(x, y) || !mlir.SameType(x, z) {
			return fmt.Errorf("needs elements of one type, not %s, %s and %s", x, y, z)
		}
		return nil
	}
	u, a := quant.Of(x)
	v, b := quant.Of(y)
	w, c := quant.Of(z)
	switch {
	case !a || !b || !c:
		return fmt.Errorf("needs all operands quantized, or none: %s, %s and %s", x, y, z)
	case u.Storage != v.Storage || u.Storage != w.Storage:
		return fmt.Errorf("stores integers of one type, not %s, %s and %s", u.Storage, v.Storage, w.Storage)
	case !mlir.SameType(u.Expressed, v.Expressed) || !mlir.SameType(u.Expressed, w.Expressed):
		return fmt.Errorf("has numbers of one type, not %s, %s and %s", u.Expressed, v.Expressed, w.Expressed)
	case u.Axis >= 0 && u.Axis != w.Axis || v.Axis >= 0 && v.Axis != w.Axis || u.Axis < 0 && v.Axis < 0 && w.Axis >= 0:
		return fmt.Errorf("the result has scales along the dimension of the operands: %s, %s and %s", x, y, z)
	}
	return nil
}

func verifyClamp(f facts) error {
	x := f.in(1)
	for _, i := range []int{0, 2} {
		if bound := f.in(i); len(bound.Shape) > 0 && !sameShape(bound, x) {
			return fmt.Errorf("a bound is one number or one for each element: %s and %s", bound, x)
		}
	}
	return f.shape(x.Shape)
}

func verifySelectOp(f facts) error {
	pred, x, y := f.in(0), f.in(1), f.in(2)
	if !sameShape(x, y) || !sameElements(x, y) {
		return fmt.Errorf("chooses between values of one type, not %s and %s", x, y)
	}
	if len(pred.Shape) > 0 && !sameShape(pred, x) {
		return fmt.Errorf("chooses by one bool or one for each element: %s and %s", pred, x)
	}
	return first(f.gives(x), f.gives(y))
}

func verifyCompare(f facts) error {
	return f.gives(mlir.TensorType{Shape: f.in(0).Shape, Elem: mlir.I1})
}

func verifyConvert(f facts) error { return f.shape(f.in(0).Shape) }

// verifyBitcastConvert checks that operand and result have as many bits: an element, or the elements of a last
// dimension together.
func verifyBitcastConvert(f facts) error {
	x, y := f.in(0), f.out(0)
	_, xComplex := x.Elem.(mlir.ComplexType)
	if _, yComplex := y.Elem.(mlir.ComplexType); xComplex != yComplex {
		return fmt.Errorf("does not make %s of %s: one is complex", y, x)
	}
	small, large := x, y
	_, m := kindOf(x.Elem)
	_, n := kindOf(y.Elem)
	if m > n {
		small, large, m, n = y, x, n, m
	}
	if m == n {
		return f.shape(x.Shape)
	}
	rank := len(large.Shape)
	if len(small.Shape) != rank+1 {
		return fmt.Errorf("%s needs one dimension more than %s", small, large)
	}
	part := tensorType(mlir.TensorType{Shape: small.Shape[:rank], Elem: large.Elem})
	if !sameShape(part, large) {
		return fmt.Errorf("%s and %s differ in more than the last dimension", small, large)
	}
	if last := small.Shape[rank]; last != mlir.Dynamic && last*m != n {
		return fmt.Errorf("%d elements of %d bits are not one of %d bits", last, m, n)
	}
	return nil
}

func verifyUniformQuantize(f facts) error {
	u, ok := quant.Of(f.out(0).Elem)
	want := f.in(0).Elem
	if v, quantized := quant.Of(want); quantized {
		want = v.Expressed
	}
	if ok && !mlir.SameType(u.Expressed, want) {
		return fmt.Errorf("gives numbers of type %s, not %s", want, u.Expressed)
	}
	return f.shape(f.in(0).Shape)
}

func verifyUniformDequantize(f facts) error {
	x := f.in(0)
	if u, ok := quant.Of(x.Elem); ok {
		x.Elem = u.Expressed
	}
	return f.gives(x)
}

func verifyRng(f facts) error {
	if kind := Enum(f.Attrs.Get("rng_distribution")); kind == "NORMAL" && !isReal(f.in(0)) {
		return fmt.Errorf("NORMAL gives floating-point numbers, not %s", f.in(0).Elem)
	}
	return describes(f, 2, f.out(0))
}

func verifyRngBitGenerator(f facts) error {
	if !compatible(f.in(0), f.out(0)) {
		return fmt.Errorf("takes the state %s and gives %s", f.in(0), f.out(0))
	}
	return nil
}
