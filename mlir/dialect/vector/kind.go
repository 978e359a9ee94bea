package vector

import (
	"fmt"
	"slices"
	"strings"

	"github.com/go-acap/acap/mlir"
)

// kinds are the ways in which elements combine, and what they work on.
var kinds = map[string]struct{ ints, floats bool }{
	"add": {true, true}, "mul": {true, true},
	"minui": {ints: true}, "minsi": {ints: true}, "maxui": {ints: true}, "maxsi": {ints: true},
	"and": {ints: true}, "or": {ints: true}, "xor": {ints: true},
	"minnumf": {floats: true}, "maxnumf": {floats: true}, "minimumf": {floats: true}, "maximumf": {floats: true},
}

// combines checks that the kind of a reduction is known and works on elements of t.
func combines(kind mlir.Attribute, t mlir.Type) error {
	word := strings.TrimSuffix(strings.TrimPrefix(kind.String(), "#vector.kind<"), ">")
	k, ok := kinds[word]
	if !ok {
		return fmt.Errorf("has the unknown kind %s", kind)
	}
	if v, vector := t.(mlir.VectorType); vector {
		t = v.Elem
	}
	switch t.(type) {
	case mlir.IntegerType, mlir.IndexType:
		ok = k.ints
	case mlir.FloatType:
		ok = k.floats
	default:
		ok = false
	}
	if !ok {
		return fmt.Errorf("%s does not work on %s", word, t)
	}
	return nil
}

// reduced checks a reduction of a vector of one dimension.
func reduced(op *mlir.Operation) error { return combines(op.Attrs.Get("kind"), op.Operands[0].Type) }

// without returns the type that is left of t without some of its dimensions, the element if none is.
func without(t mlir.VectorType, gone func(i int) bool) mlir.Type {
	left := mlir.VectorType{Elem: t.Elem, Shape: []int{}}
	scaled := false
	for i, n := range t.Shape {
		if !gone(i) {
			left.Shape = append(left.Shape, n)
			left.Scalable = append(left.Scalable, padded(t)[i])
			scaled = scaled || padded(t)[i]
		}
	}
	if !scaled {
		left.Scalable = nil
	}
	if len(left.Shape) == 0 {
		return t.Elem
	}
	return left
}

// reducedAlong checks a reduction along several dimensions.
func reducedAlong(op *mlir.Operation) error {
	t := vectorOf(op.Operands[0])
	dims, ok := mlir.IntList(op.Attrs.Get("reduction_dims"))
	if !ok {
		return fmt.Errorf("requires attribute 'reduction_dims'")
	}
	for _, d := range dims {
		if d < 0 || d >= len(t.Shape) {
			return fmt.Errorf("there is no dimension %d in %s", d, t)
		}
	}
	if want := without(t, func(i int) bool { return slices.Contains(dims, i) }); !mlir.SameType(op.Results[0].Type, want) {
		return fmt.Errorf("gives %s, not %s", want, op.Results[0].Type)
	}
	return combines(op.Attrs.Get("kind"), t)
}

// scanned checks a scan along a dimension.
func scanned(op *mlir.Operation) error {
	t, init := vectorOf(op.Operands[0]), vectorOf(op.Operands[1])
	dim, ok := op.Attrs.Get("reduction_dim").(mlir.IntegerAttr)
	if !ok || dim.Value < 0 || int(dim.Value) >= len(t.Shape) {
		return fmt.Errorf("there is no such dimension in %s: %s", t, op.Attrs.Get("reduction_dim"))
	}
	want := slices.Delete(slices.Clone(t.Shape), int(dim.Value), int(dim.Value)+1)
	if !slices.Equal(want, init.Shape) {
		return fmt.Errorf("the first values must have the extents %v, not the type %s", want, init)
	}
	return combines(op.Attrs.Get("kind"), t)
}
