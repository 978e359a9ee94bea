package stablehlo

import (
	"fmt"
	"slices"
	"strings"

	"github.com/go-acap/acap/mlir"
	"github.com/go-acap/acap/mlir/assembly"
	"github.com/go-acap/acap/mlir/dialect/quant"
)

// defineClasses makes classes of elements and relations between types, in the terms of the specification.
func defineClasses() {
	integer := func(s mlir.Signedness) func(mlir.Type) bool {
		return func(t mlir.Type) bool {
			i, ok := t.(mlir.IntegerType)
			return ok && i.Signedness == s && slices.Contains([]int{2, 4, 8, 16, 32, 64}, i.Width)
		}
	}
	assembly.Class("pred", func(t mlir.Type) bool { return mlir.SameType(t, mlir.I1) })
	assembly.Class("signed", integer(mlir.Signless))
	assembly.Class("unsigned", integer(mlir.Unsigned))
	assembly.Class("real", func(t mlir.Type) bool {
		f, ok := t.(mlir.FloatType)
		return ok && f.Width() <= 64 && f.Name != "tf32"
	})
	assembly.Class("pairs", func(t mlir.Type) bool {
		c, ok := t.(mlir.ComplexType)
		return ok && (mlir.SameType(c.Elem, mlir.F32) || mlir.SameType(c.Elem, mlir.F64))
	})
	assembly.Class("quantized", func(t mlir.Type) bool { u, ok := stored(t); return ok && u.Axis < 0 })
	assembly.Class("peraxis", func(t mlir.Type) bool { u, ok := stored(t); return ok && u.Axis >= 0 })
	assembly.Class("token", func(t mlir.Type) bool { return mlir.SameType(t, token) })
	assembly.Class("future", func(t mlir.Type) bool {
		o, ok := t.(mlir.OpaqueType)
		return ok && o.Dialect == "stablehlo" && strings.HasPrefix(o.Text, "future<")
	})
	assembly.Class("tuple", func(t mlir.Type) bool { _, ok := t.(mlir.TupleType); return ok })

	assembly.Relation("compatible", pairwise(compatible, "types are not compatible"))
	assembly.Relation("extents", pairwise(func(a, b mlir.Type) bool { return sameShape(tensorType(a), tensorType(b)) },
		"shapes are not compatible"))
	assembly.Relation("elements", pairwise(sameElements, "elements are not compatible"))
	assembly.Relation("rank", pairwise(func(a, b mlir.Type) bool {
		s, _, ok := mlir.ShapeOf(a)
		t, _, both := mlir.ShapeOf(b)
		return !ok || !both || len(s) == len(t)
	}, "ranks differ"))
	assembly.Relation("static", every(func(t mlir.TensorType) bool { return !slices.Contains(t.Shape, mlir.Dynamic) },
		"needs a static shape"))
	assembly.Relation("bounded", every(func(t mlir.TensorType) bool {
		bounds, _ := boundsOf(t)
		open := 0
		for i, n := range t.Shape {
			if n == mlir.Dynamic {
				open++
				if i >= len(bounds) || bounds[i] == mlir.Dynamic {
					return false
				}
			}
		}
		return open <= 1
	}, "needs a static shape, or one open dimension with a bound"))
	assembly.Relation("axes", every(validAxis, "its quantized dimension does not fit the scales"))
}

// stored reads a quantized type that stores integers as the dialect does: i8 or u8.
func stored(t mlir.Type) (quant.Uniform, bool) {
	u, ok := quant.Of(t)
	return u, ok && u.Storage.Signedness != mlir.Signed
}

var token = mlir.OpaqueType{Dialect: "stablehlo", Text: "token"}

// pairwise compares all types with the first.
func pairwise(fits func(a, b mlir.Type) bool, message string) func([]mlir.Type) error {
	return func(types []mlir.Type) error {
		for _, t := range types[min(1, len(types)):] {
			if !fits(types[0], t) {
				return fmt.Errorf("%s: %s and %s", message, types[0], t)
			}
		}
		return nil
	}
}

// every checks all tensors.
func every(fits func(mlir.TensorType) bool, message string) func([]mlir.Type) error {
	return func(types []mlir.Type) error {
		for _, t := range types {
			if t, ok := t.(mlir.TensorType); ok && !fits(t) {
				return fmt.Errorf("%s: %s", message, t)
			}
		}
		return nil
	}
}

// validAxis reports whether a type that is quantized along a dimension has a scale for each place of it.
func validAxis(t mlir.TensorType) bool {
	u, ok := quant.Of(t.Elem)
	if !ok || u.Axis < 0 {
		return true
	}
	return u.Axis < len(t.Shape) && (t.Shape[u.Axis] == mlir.Dynamic || t.Shape[u.Axis] == len(u.Scales))
}

// boundsOf returns the bounds of a tensor's dimensions, [mlir.Dynamic] where there is none.
func boundsOf(t mlir.TensorType) (list []int, ok bool) {
	a, _ := t.Encoding.(mlir.OpaqueAttr)
	text, ok := strings.CutPrefix(a.Text, "#stablehlo.bounds<")
	if !ok {
		return nil, false
	}
	for _, word := range strings.Split(strings.TrimSuffix(text, ">"), ",") {
		n := mlir.Dynamic
		if word = strings.TrimSpace(word); word != "?" {
			if _, err := fmt.Sscan(word, &n); err != nil {
				return nil, false
			}
		}
		list = append(list, n)
	}
	return list, true
}

// same reports whether two extents may be equal.
func same(m, n int) bool { return m == n || m == mlir.Dynamic || n == mlir.Dynamic }

// compatible reports whether one value may have both types: an open extent fits every extent within its bound.
func compatible(a, b mlir.Type) bool {
	s, sOK := a.(mlir.TensorType)
	t, tOK := b.(mlir.TensorType)
	if !sOK || !tOK {
		_, sOpen := a.(mlir.UnrankedTensorType)
		_, tOpen := b.(mlir.UnrankedTensorType)
		if (sOK || sOpen) && (tOK || tOpen) {
			return sameElements(a, b)
		}
		return mlir.SameType(a, b)
	}
	return sameShape(s, t) && sameElements(s, t)
}

func sameShape(s, t mlir.TensorType) bool {
	if !slices.EqualFunc(s.Shape, t.Shape, same) {
		return false
	}
	within := func(s, t mlir.TensorType) bool {
		bounds, _ := boundsOf(t)
		for i, n := range bounds {
			if i < len(s.Shape) && n != mlir.Dynamic && s.Shape[i] > n {
				return false
			}
		}
		return true
	}
	return within(s, t) && within(t, s)
}

func allCompatible(a, b []mlir.Type) bool { return slices.EqualFunc(a, b, compatible) }

// sameElements reports whether the elements of two types may be the same: quantized ones may differ in scale.
func sameElements(a, b mlir.Type) bool {
	a, b = mlir.ElementOf(a), mlir.ElementOf(b)
	u, first := quant.Of(a)
	v, second := quant.Of(b)
	if first && second {
		return u.SameStorage(v)
	}
	return mlir.SameType(a, b)
}

func isReal(t mlir.Type) bool { _, ok := mlir.ElementOf(t).(mlir.FloatType); return ok }

func isQuantized(t mlir.Type) bool {
	o, ok := mlir.ElementOf(t).(mlir.OpaqueType)
	return ok && o.Dialect == "quant"
}

// promotable reports whether elements of a become elements of b without loss of range: both of a kind, and
// b not narrower, except that floating-point numbers become any others.
func promotable(a, b mlir.Type) bool {
	a, b = mlir.ElementOf(a), mlir.ElementOf(b)
	if isReal(a) && isReal(b) {
		return true
	}
	u, first := quant.Of(a)
	if v, second := quant.Of(b); first && second && !mlir.SameType(u.Expressed, v.Expressed) {
		return false
	}
	kind, width := kindOf(a)
	other, wide := kindOf(b)
	return kind != "" && kind == other && width <= wide
}

// kindOf is what sort of numbers elements are, and how many bits one takes.
func kindOf(t mlir.Type) (kind string, bits int) {
	switch t := t.(type) {
	case mlir.IntegerType:
		return "integer", t.Width
	case mlir.FloatType:
		return "real", t.Width()
	case mlir.ComplexType:
		return "complex", mlir.BitWidth(t.Elem)
	}
	if u, ok := quant.Of(t); ok {
		return "quantized", u.Storage.Width
	}
	return "", 0
}
