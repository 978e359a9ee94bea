package memref

import (
	"fmt"

	"github.com/go-acap/acap/mlir"
)

// indexed checks that there is an index for each dimension of operand at, behind which nothing but indices comes.
func indexed(at int) func(op *mlir.Operation) error {
	return func(op *mlir.Operation) error {
		t, ok := op.Operands[at].Type.(mlir.MemRefType)
		if n := len(op.Operands) - at - 1; ok && n != len(t.Shape) {
			return fmt.Errorf("has %d indices for %d dimensions", n, len(t.Shape))
		}
		return nil
	}
}

// allocated checks that there is a size for each extent that is not known.
func allocated(op *mlir.Operation) error {
	t, _ := op.Results[0].Type.(mlir.MemRefType)
	sizes, ok := mlir.IntList(op.Attrs.Get("operandSegmentSizes"))
	open := 0
	for _, n := range t.Shape {
		if n < 0 {
			open++
		}
	}
	if ok && len(sizes) > 0 && sizes[0] != open {
		return fmt.Errorf("has %d sizes for %d extents that are not known", sizes[0], open)
	}
	return nil
}

// compatible checks that a cast changes no element type and no extent that both sides know.
func compatible(op *mlir.Operation) error {
	from, ok := op.Operands[0].Type.(mlir.MemRefType)
	to, ranked := op.Results[0].Type.(mlir.MemRefType)
	if !ok || !ranked {
		return nil
	}
	fits := mlir.SameType(from.Elem, to.Elem) && len(from.Shape) == len(to.Shape)
	for i := 0; fits && i < len(from.Shape); i++ {
		fits = from.Shape[i] < 0 || to.Shape[i] < 0 || from.Shape[i] == to.Shape[i]
	}
	if !fits {
		return fmt.Errorf("cannot make %s of %s", to, from)
	}
	return nil
}

// subviewed checks that there is an offset, a size and a stride for each dimension.
func subviewed(op *mlir.Operation) error {
	t, ok := op.Operands[0].Type.(mlir.MemRefType)
	for _, name := range []string{"static_offsets", "static_sizes", "static_strides"} {
		list, known := mlir.IntList(op.Attrs.Get(name))
		if ok && known && len(list) != len(t.Shape) {
			return fmt.Errorf("%s has %d entries for %d dimensions", name, len(list), len(t.Shape))
		}
	}
	return nil
}
