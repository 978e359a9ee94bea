package vector

import (
	"fmt"
	"slices"

	"github.com/go-acap/acap/mlir"
)

// vectorOf returns the type of an operand or result that its class made a vector.
func vectorOf(v *mlir.Value) mlir.VectorType {
	t, _ := v.Type.(mlir.VectorType)
	return t
}

// gives checks a result's type.
func gives(v *mlir.Value, want mlir.Type) error {
	if !mlir.SameType(v.Type, want) {
		return fmt.Errorf("gives %s, not %s", want, v.Type)
	}
	return nil
}

// lastDim is the number of elements in the last dimension, and whether it is scalable; one for a vector of no rank.
func lastDim(t mlir.VectorType) (int, bool) {
	n := len(t.Shape)
	if n == 0 {
		return 1, false
	}
	return t.Shape[n-1], padded(t)[n-1]
}

// bits returns the width of an element in bits; an index is as wide as a pointer.
func bits(t mlir.Type) int {
	if mlir.SameType(t, mlir.Index) {
		return 64
	}
	return mlir.BitWidth(t)
}

// withLast returns t with another extent in its last dimension.
func withLast(t mlir.VectorType, n int) mlir.VectorType {
	t.Shape = slices.Clone(t.Shape)
	t.Shape[len(t.Shape)-1] = n
	return t
}

// recast checks that the bits of the innermost rows stay as many.
func recast(op *mlir.Operation) error {
	from, to := vectorOf(op.Operands[0]), vectorOf(op.Results[0])
	n, scaled := lastDim(from)
	m, both := lastDim(to)
	outer := max(0, len(from.Shape)-1)
	if len(from.Shape) != len(to.Shape) || scaled != both || !slices.Equal(from.Shape[:outer], to.Shape[:outer]) ||
		!slices.Equal(padded(from), padded(to)) || n*bits(from.Elem) != m*bits(to.Elem) {
		return fmt.Errorf("cannot cast the bits of %s to %s", from, to)
	}
	return nil
}

// permuted checks a transposition.
func permuted(op *mlir.Operation) error {
	from := vectorOf(op.Operands[0])
	perm, _ := mlir.IntList(op.Attrs.Get("permutation"))
	seen := make([]bool, len(from.Shape))
	want := mlir.VectorType{Elem: from.Elem, Shape: []int{}}
	scaled := false
	for _, d := range perm {
		if d < 0 || d >= len(seen) || seen[d] {
			return fmt.Errorf("%v is no permutation of %d dimensions", perm, len(seen))
		}
		seen[d] = true
		want.Shape = append(want.Shape, from.Shape[d])
		want.Scalable = append(want.Scalable, padded(from)[d])
		scaled = scaled || padded(from)[d]
	}
	if len(perm) != len(seen) {
		return fmt.Errorf("%v is no permutation of %d dimensions", perm, len(seen))
	}
	if !scaled {
		want.Scalable = nil
	}
	return gives(op.Results[0], want)
}

// filled checks that there are as many elements as the vector holds.
func filled(op *mlir.Operation) error {
	n, _ := mlir.NumElements(vectorOf(op.Results[0]).Shape)
	if len(op.Operands) != n {
		return fmt.Errorf("%d elements do not make a %s", len(op.Operands), op.Results[0].Type)
	}
	return nil
}

// interleaved checks that the result is twice as long.
func interleaved(op *mlir.Operation) error {
	t := vectorOf(op.Operands[0])
	if len(t.Shape) == 0 {
		t.Shape = []int{1}
	}
	n, _ := lastDim(t)
	return gives(op.Results[0], withLast(t, 2*n))
}

// halved checks that the results are half as long.
func halved(op *mlir.Operation) error {
	t := vectorOf(op.Operands[0])
	n, _ := lastDim(t)
	if n%2 != 0 {
		return fmt.Errorf("needs an even number of elements in the last dimension of %s", t)
	}
	return gives(op.Results[0], withLast(t, n/2))
}

// located checks that a position is there if and only if the vector has a dimension.
func located(at int) func(op *mlir.Operation) error {
	return func(op *mlir.Operation) error {
		if rank, given := len(vectorOf(op.Operands[at]).Shape), len(op.Operands)-at-1; rank != given {
			return fmt.Errorf("needs %d positions in %s, not %d", rank, op.Operands[at].Type, given)
		}
		return nil
	}
}

// masked checks the sizes of a mask that are known.
func masked(op *mlir.Operation) error {
	t := vectorOf(op.Results[0])
	list, _ := op.Attrs.Get("mask_dim_sizes").(mlir.ArrayAttr)
	sizes, ok := mlir.IntList(list)
	shape := t.Shape
	if len(shape) == 0 {
		shape = []int{1}
	}
	if !ok || len(sizes) != len(shape) {
		return fmt.Errorf("needs a size for each dimension of %s", t)
	}
	none, some := false, false
	for i, n := range sizes {
		if n < 0 || n > shape[i] || i < len(t.Scalable) && t.Scalable[i] && n != 0 && n != shape[i] {
			return fmt.Errorf("size %d in dimension %d of %s", n, i, t)
		}
		none, some = none || n == 0, some || n != 0
	}
	if none && some {
		return fmt.Errorf("sizes %v are all zero if one is", sizes)
	}
	return nil
}

// sized checks that there is a size for each dimension of a mask.
func sized(op *mlir.Operation) error {
	if want := max(1, len(vectorOf(op.Results[0]).Shape)); len(op.Operands) != want {
		return fmt.Errorf("needs %d sizes for %s, not %d", want, op.Results[0].Type, len(op.Operands))
	}
	return nil
}

// listed returns numbers of an array, one for each of n dimensions at most.
func listed(op *mlir.Operation, name string) ([]int, error) {
	list, ok := mlir.IntList(op.Attrs.Get(name))
	if _, array := op.Attrs.Get(name).(mlir.ArrayAttr); !ok || !array {
		return nil, fmt.Errorf("requires attribute '%s', a list of integers", name)
	}
	return list, nil
}

// slicesOf returns the offsets, the sizes and the strides. An operation may leave sizes out; strides are all 1.
func slicesOf(op *mlir.Operation, sizes []int, rank int) (offset, size []int, err error) {
	if offset, err = listed(op, "offsets"); err != nil {
		return nil, nil, err
	}
	if size = sizes; size == nil {
		if size, err = listed(op, "sizes"); err != nil {
			return nil, nil, err
		}
	}
	strides, err := listed(op, "strides")
	if err != nil {
		return nil, nil, err
	}
	if len(offset) > rank || len(size) > rank || len(size) != len(strides) || sizes == nil && len(offset) != len(size) {
		return nil, nil, fmt.Errorf("offsets, sizes and strides do not fit each other and %d dimensions", rank)
	}
	for _, n := range strides {
		if n != 1 {
			return nil, nil, fmt.Errorf("strides must be 1, not %d", n)
		}
	}
	return offset, size, nil
}

// within checks that n elements from an offset on lie in a dimension; all of it if it is scalable.
func within(t mlir.VectorType, d, offset, n int) error {
	if offset < 0 || n <= 0 || offset >= t.Shape[d] || n > t.Shape[d]-offset ||
		padded(t)[d] && (offset != 0 || n != t.Shape[d]) {
		return fmt.Errorf("%d elements from %d in dimension %d of %s", n, offset, d, t)
	}
	return nil
}

// extracted checks a part of a vector.
func extracted(op *mlir.Operation) error {
	t := vectorOf(op.Operands[0])
	offset, size, err := slicesOf(op, nil, len(t.Shape))
	if err != nil {
		return err
	}
	want := t
	want.Shape = slices.Clone(t.Shape)
	for i, n := range size {
		if err := within(t, i, offset[i], n); err != nil {
			return err
		}
		want.Shape[i] = n
	}
	return gives(op.Results[0], want)
}

// inserted checks where a vector is put into another one.
func inserted(op *mlir.Operation) error {
	part, t := vectorOf(op.Operands[0]), vectorOf(op.Operands[1])
	offset, _, err := slicesOf(op, part.Shape, len(t.Shape))
	if err != nil {
		return err
	}
	if len(offset) != len(t.Shape) {
		return fmt.Errorf("needs an offset for each dimension of %s", t)
	}
	outer := len(t.Shape) - len(part.Shape)
	for i := range t.Shape {
		n, scaled := 1, false
		if i >= outer {
			n, scaled = part.Shape[i-outer], padded(part)[i-outer]
			if scaled != padded(t)[i] {
				return fmt.Errorf("%s and %s differ in their scalable dimensions", part, t)
			}
		}
		if i < outer && padded(t)[i] {
			continue
		}
		if err := within(t, i, offset[i], n); err != nil {
			return err
		}
	}
	return nil
}
