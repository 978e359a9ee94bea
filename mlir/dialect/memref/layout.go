package memref

import (
	"fmt"
	"slices"

	"github.com/go-acap/acap/mlir"
)

// compatible checks that no element type changes, and no extent that both sides know.
func compatible(op *mlir.Operation) error {
	from, ok := op.Operands[0].Type.(mlir.MemRefType)
	to, both := op.Results[0].Type.(mlir.MemRefType)
	a, b := mlir.ElementOf(op.Operands[0].Type), mlir.ElementOf(op.Results[0].Type)
	fits := mlir.SameType(a, b)
	if ok && both {
		fits = fits && slices.EqualFunc(from.Shape, to.Shape, agree)
	}
	if !fits {
		return fmt.Errorf("cannot make %s of %s", op.Results[0].Type, op.Operands[0].Type)
	}
	return nil
}

// agree reports whether two numbers are the same, as far as they are known.
func agree(a, b int) bool { return a == b || a < 0 || b < 0 }

// castable checks in addition that the memory is the same, and the layout as far as it is known.
func castable(op *mlir.Operation) error {
	if err := compatible(op); err != nil {
		return err
	}
	from, ok := op.Operands[0].Type.(mlir.MemRefType)
	to, both := op.Results[0].Type.(mlir.MemRefType)
	fits := mlir.SameAttr(mlir.SpaceOf(op.Operands[0].Type), mlir.SpaceOf(op.Results[0].Type)) && (ok || both)
	if ok && both && !mlir.SameAttr(from.Layout, to.Layout) {
		a, s, strided := from.Strides()
		b, t, all := to.Strides()
		fits = fits && strided && all && known(a, b)
		for i := 0; fits && i < len(s); i++ {
			fits = from.Shape[i] == 1 || known(s[i], t[i])
		}
	}
	if !fits {
		return fmt.Errorf("cannot make %s of %s", op.Results[0].Type, op.Operands[0].Type)
	}
	return nil
}

// known is agree for strides, which have one dynamic value.
func known(a, b int) bool { return a == b || a == mlir.DynamicStride || b == mlir.DynamicStride }

// part is a box of memory: offsets, sizes and strides. Operands give the dynamic ones.
func part(op *mlir.Operation) (offsets, sizes, strides []int) {
	offsets, _ = mlir.IntList(op.Attrs.Get("static_offsets"))
	sizes, _ = mlir.IntList(op.Attrs.Get("static_sizes"))
	strides, _ = mlir.IntList(op.Attrs.Get("static_strides"))
	return offsets, sizes, strides
}

// subviewed checks that each dimension has an offset, a size and a stride, and that the result has the layout of the
// selection. Dimensions of one element may be left out.
func subviewed(op *mlir.Operation) error {
	from, to := ranked(op.Operands[0]), ranked(op.Results[0])
	offsets, sizes, steps := part(op)
	if n := len(from.Shape); len(offsets) != n || len(sizes) != n || len(steps) != n {
		return fmt.Errorf("needs offsets, sizes and strides for %d dimensions", n)
	}
	offset, strides, ok := from.Strides()
	if !ok {
		return fmt.Errorf("works on memory with strides, not on %s", from)
	}
	want := mlir.StridedAttr{Offset: offset}
	shape := slices.Clone(sizes)
	for i, stride := range strides {
		if negative(offsets[i]) || negative(sizes[i]) {
			return fmt.Errorf("offset %d and size %d of dimension %d must not be negative", offsets[i], sizes[i], i)
		}
		if !inside(from.Shape[i], offsets[i], sizes[i], steps[i]) {
			return fmt.Errorf("%d elements from %d by %d do not lie in the extent %d of dimension %d", sizes[i], offsets[i], steps[i], from.Shape[i], i)
		}
		if shape[i] == mlir.DynamicStride {
			shape[i] = mlir.Dynamic
		}
		want.Offset = sum(want.Offset, product(offsets[i], stride))
		want.Strides = append(want.Strides, product(stride, steps[i]))
	}
	got, left, ok := to.Strides()
	if !ok || got != want.Offset || !selects(shape, want.Strides, to.Shape, left) {
		return fmt.Errorf("selects %s, which %s is not", mlir.MemRefType{Shape: shape, Elem: from.Elem, Layout: want, Space: from.Space}, to)
	}
	return nil
}

// inside reports whether elements of a dimension lie in its extent. Numbers that are not known are taken to fit.
func inside(extent, offset, size, step int) bool {
	const unknown = mlir.DynamicStride
	if extent == mlir.Dynamic || offset == unknown || size == unknown || step == unknown || size == 0 {
		return true
	}
	room := extent - 1 - offset
	if step < 0 {
		room, step = offset, -step
	}
	return offset < extent && (step == 0 || (size-1) <= room/step) // without a product, which may overflow
}

// negative reports a number that is known and below zero.
func negative(n int) bool { return n < 0 && n != mlir.DynamicStride }

func product(a, b int) int {
	switch {
	case a == 0 || b == 0:
		return 0
	case a == mlir.DynamicStride || b == mlir.DynamicStride:
		return mlir.DynamicStride
	}
	return a * b
}

func sum(a, b int) int {
	if a == mlir.DynamicStride || b == mlir.DynamicStride {
		return mlir.DynamicStride
	}
	return a + b
}

// selects reports whether some dimensions of one element can be left out so that the result's shape and strides are
// left. Each place is tried with and without its dimension, in the order of both lists.
func selects(shape, strides, result, left []int) bool {
	reach := make([]bool, len(result)+1) // how many dimensions of the result are met
	reach[0] = true
	for i, n := range shape {
		next := make([]bool, len(result)+1)
		for k, ok := range reach {
			if !ok {
				continue
			}
			next[k] = next[k] || n == 1
			if k < len(result) && result[k] == n && (left[k] == strides[i] || n == 1 && len(shape) == len(result)) {
				next[k+1] = true
			}
		}
		reach = next
	}
	return reach[len(result)]
}

// reinterpreted checks that a type says nothing else than the numbers do.
func reinterpreted(op *mlir.Operation) error {
	to := ranked(op.Results[0])
	offsets, sizes, steps := part(op)
	if len(offsets) != 1 || len(sizes) != len(to.Shape) || len(steps) != len(to.Shape) {
		return fmt.Errorf("needs one offset, and sizes and strides for %d dimensions", len(to.Shape))
	}
	offset, strides, ok := to.Strides()
	if !ok {
		return fmt.Errorf("makes memory with strides, not %s", to)
	}
	fits := known(offset, offsets[0])
	for i, n := range to.Shape {
		fits = fits && agree(n, sizes[i]) && known(strides[i], steps[i])
	}
	if list, _ := mlir.IntList(op.Attrs.Get("static_sizes")); slices.ContainsFunc(list, func(n int) bool { return n < 0 && n != mlir.DynamicStride }) {
		return fmt.Errorf("has a negative size among %v", list)
	}
	if !fits {
		return fmt.Errorf("the offset, sizes and strides do not agree with %s", to)
	}
	return nil
}
