package vector

import (
	"fmt"

	"github.com/go-acap/acap/mlir"
)

// verifyContract checks the maps of a contraction against the loops and the types.
func verifyContract(op *mlir.Operation) error {
	maps, ok := op.Attrs.Get("indexing_maps").(mlir.ArrayAttr)
	kinds, typed := op.Attrs.Get("iterator_types").(mlir.ArrayAttr)
	if !ok || !typed || len(maps) != 3 {
		return fmt.Errorf("needs a map for each operand and the types of the loops")
	}
	extents := make([]int, len(kinds))
	seen := make([]bool, len(kinds))
	for i, a := range maps {
		m, ok := a.(mlir.AffineMapAttr)
		t := op.Operands[i].Type
		v, vector := t.(mlir.VectorType)
		switch {
		case !ok || m.Map.Dims != len(kinds) || m.Map.Symbols > 0:
			return fmt.Errorf("map %d must have a dimension for each of %d loops", i, len(kinds))
		case !vector && i < 2:
			return fmt.Errorf("operand %d must be a vector, not %s", i, t)
		case len(m.Map.Results) != len(v.Shape):
			return fmt.Errorf("map %d has %d results for %s", i, len(m.Map.Results), t)
		}
		for k, e := range m.Map.Results {
			switch {
			case e.Kind != mlir.AffineDim:
				return fmt.Errorf("map %d must be a projection", i)
			case i == 2 && !seen[e.Value]:
				return fmt.Errorf("loop %d of the result is in no operand", e.Value)
			case i == 2 && iterator(kinds[e.Value]) != "parallel":
				return fmt.Errorf("loop %d of the result is no parallel one", e.Value)
			case !seen[e.Value]:
				seen[e.Value], extents[e.Value] = true, v.Shape[k]
			case extents[e.Value] != v.Shape[k]:
				return fmt.Errorf("operand %d has %d elements along loop %d, not %d", i, v.Shape[k], e.Value, extents[e.Value])
			}
		}
	}
	for i, used := range seen {
		if !used {
			return fmt.Errorf("loop %d is in no operand", i)
		}
	}
	if !mlir.SameType(op.Results[0].Type, op.Operands[2].Type) {
		return fmt.Errorf("gives %s, not %s", op.Operands[2].Type, op.Results[0].Type)
	}
	for _, v := range op.Operands {
		t := v.Type
		if w, ok := t.(mlir.VectorType); ok {
			t = w.Elem
		}
		if n, ok := t.(mlir.IntegerType); ok && n.Signedness != mlir.Signless {
			return fmt.Errorf("works on signless integers, not on %s", v.Type)
		}
	}
	if k := op.Attrs.Get("kind"); k != nil {
		return combines(k, op.Results[0].Type)
	}
	return nil
}

// iterator is the word of an iterator's type.
func iterator(a mlir.Attribute) string {
	for _, word := range []string{"parallel", "reduction"} {
		if a.String() == "#vector.iterator_type<"+word+">" {
			return word
		}
	}
	return ""
}

func verifyOuter(op *mlir.Operation) error {
	if n := len(op.Operands); n != 2 && n != 3 {
		return fmt.Errorf("takes two or three values, not %d", n)
	}
	left, ok := op.Operands[0].Type.(mlir.VectorType)
	if !ok || len(left.Shape) != 1 {
		return fmt.Errorf("needs a vector of one dimension first, not %s", op.Operands[0].Type)
	}
	want := mlir.VectorType{Elem: left.Elem, Shape: left.Shape, Scalable: left.Scalable}
	elem := op.Operands[1].Type
	if right, both := elem.(mlir.VectorType); both {
		elem = right.Elem
		if len(right.Shape) != 1 {
			return fmt.Errorf("needs a vector of one dimension or a scalar second, not %s", right)
		}
		if padded(left)[0] && !padded(right)[0] {
			return fmt.Errorf("the first vector is scalable only if the second one is")
		}
		want.Shape = []int{left.Shape[0], right.Shape[0]}
		if want.Scalable = append(padded(left), padded(right)...); !want.Scalable[0] && !want.Scalable[1] {
			want.Scalable = nil
		}
	}
	if !mlir.SameType(elem, left.Elem) {
		return fmt.Errorf("multiplies elements of one type, not %s and %s", left.Elem, elem)
	}
	if err := gives(op.Results[0], want); err != nil {
		return err
	}
	if len(op.Operands) == 3 && !mlir.SameType(op.Operands[2].Type, want) {
		return fmt.Errorf("adds to %s, not %s", want, op.Operands[2].Type)
	}
	if k := op.Attrs.Get("kind"); k != nil {
		return combines(k, want)
	}
	return nil
}

func verifyShuffle(op *mlir.Operation) error {
	mask, ok := mlir.IntList(op.Attrs.Get("mask"))
	if !ok || len(mask) == 0 {
		return fmt.Errorf("needs a mask")
	}
	a, left := op.Operands[0].Type.(mlir.VectorType)
	b, right := op.Operands[1].Type.(mlir.VectorType)
	if !left || !right || len(a.Shape) != len(b.Shape) || !mlir.SameType(a.Elem, b.Elem) {
		return fmt.Errorf("takes elements of two vectors, not %s and %s", op.Operands[0].Type, op.Operands[1].Type)
	}
	n, m := 1, 1
	want := mlir.VectorType{Elem: a.Elem, Shape: []int{len(mask)}}
	if len(a.Shape) > 0 {
		n, m = a.Shape[0], b.Shape[0]
		for i := 1; i < len(a.Shape); i++ {
			if a.Shape[i] != b.Shape[i] {
				return fmt.Errorf("%s and %s differ behind the first dimension", a, b)
			}
		}
		want.Shape = append(want.Shape, a.Shape[1:]...)
	}
	for i, p := range mask {
		if p < 0 || p >= n+m {
			return fmt.Errorf("mask index %d is %d, and there are %d places", i, p, n+m)
		}
	}
	return gives(op.Results[0], want)
}
