package memref

import (
	"fmt"
	"math/bits"
	"slices"

	"github.com/go-acap/acap/mlir"
)

// ranked returns a memory type that a class made one.
func ranked(v *mlir.Value) mlir.MemRefType {
	t, _ := v.Type.(mlir.MemRefType)
	return t
}

func open(shape []int) int {
	n := 0
	for _, d := range shape {
		if d < 0 {
			n++
		}
	}
	return n
}

// dense checks that the elements of the first operand and of the result lie without gaps.
func dense(op *mlir.Operation) error {
	for _, v := range []*mlir.Value{op.Operands[0], op.Results[0]} {
		t, ok := v.Type.(mlir.MemRefType)
		plain := t
		plain.Layout = nil
		_, want, _ := plain.Strides()
		if offset, strides, strided := t.Strides(); ok && (!strided || offset != 0 || !slices.Equal(strides, want)) {
			return fmt.Errorf("works on elements without gaps, not on %s", t)
		}
	}
	return nil
}

// allocated checks that there is a size for each extent that is not known, and a number for each
// symbol of the layout.
func allocated(op *mlir.Operation) error {
	if err := powerOfTwo(op); err != nil {
		return err
	}
	t := ranked(op.Results[0])
	sizes, ok := mlir.IntList(op.Attrs.Get("operandSegmentSizes"))
	if !ok || len(sizes) != 2 {
		return fmt.Errorf("needs the numbers of sizes and symbols")
	}
	symbols := 0
	switch a := t.Layout.(type) {
	case mlir.AffineMapAttr:
		symbols = a.Map.Symbols
	case mlir.StridedAttr:
		for _, n := range append([]int{a.Offset}, a.Strides...) {
			if n == mlir.DynamicStride {
				symbols++
			}
		}
	}
	if sizes[0] != open(t.Shape) {
		return fmt.Errorf("has %d sizes for %d extents that are not known", sizes[0], open(t.Shape))
	}
	if sizes[1] != symbols {
		return fmt.Errorf("has %d symbols for a layout of %d", sizes[1], symbols)
	}
	return nil
}

// reallocated checks that there is a size if the extent is not known.
func reallocated(op *mlir.Operation) error {
	if err := dense(op); err != nil {
		return err
	}
	if got, want := len(op.Operands)-1, open(ranked(op.Results[0]).Shape); got != want {
		return fmt.Errorf("has %d sizes for %s", got, op.Results[0].Type)
	}
	return nil
}

// viewed checks that there is a size for each extent that is not known.
func viewed(op *mlir.Operation) error {
	if err := dense(op); err != nil {
		return err
	}
	if got, want := len(op.Operands)-2, open(ranked(op.Results[0]).Shape); got != want {
		return fmt.Errorf("has %d sizes for %d extents that are not known", got, want)
	}
	return nil
}

// updated checks that an atomic update works on such elements.
func updated(op *mlir.Operation) error {
	kind, _ := op.Attrs.Get("kind").(mlir.IntegerAttr)
	_, float := op.Operands[0].Type.(mlir.FloatType)
	switch word := atomicKinds[kind.Value]; word {
	case "assign":
	case "addf", "maximumf", "minimumf", "mulf", "maxnumf", "minnumf":
		if !float {
			return fmt.Errorf("%s works on floats, not on %s", word, op.Operands[0].Type)
		}
	default:
		if float {
			return fmt.Errorf("%s works on integers, not on %s", word, op.Operands[0].Type)
		}
	}
	return nil
}

// yieldsElement checks the type of what an update gives.
func yieldsElement(op *mlir.Operation) error {
	p := op.Parent()
	if p != nil && len(p.Results) == 1 && !mlir.SameType(op.Operands[0].Type, p.Results[0].Type) {
		return fmt.Errorf("yields %s to an update of %s", op.Operands[0].Type, p.Results[0].Type)
	}
	return nil
}

// verifyAtomic checks an update by a region, which takes the element and gives the next.
func verifyAtomic(op *mlir.Operation) error {
	if err := hasMemref(0)(op); err != nil {
		return err
	}
	t := ranked(op.Operands[0])
	if n := len(op.Operands) - 1; n != len(t.Shape) {
		return fmt.Errorf("has %d indices for %d dimensions", n, len(t.Shape))
	}
	b := op.Body()
	if b == nil || len(b.Args) != 1 || !mlir.SameType(b.Args[0].Type, t.Elem) || !mlir.SameType(op.Results[0].Type, t.Elem) {
		return fmt.Errorf("the region must take one argument of type %s, and the result must be of that type", t.Elem)
	}
	if end := b.Terminator(); end == nil || end.Name != "memref.atomic_yield" {
		return fmt.Errorf("the region must end with memref.atomic_yield")
	}
	return nil
}

func verifyGlobal(op *mlir.Operation) error {
	a, _ := op.Attrs.Get("type").(mlir.TypeAttr)
	t, ok := a.Type.(mlir.MemRefType)
	if !ok || open(t.Shape) > 0 {
		return fmt.Errorf("type should be static shaped memref")
	}
	if _, ok := op.Attrs.Get("sym_name").(mlir.StringAttr); !ok {
		return fmt.Errorf("needs a name")
	}
	switch v := op.Attrs.Get("initial_value").(type) {
	case nil, mlir.UnitAttr, mlir.OpaqueAttr:
	case mlir.DenseAttr, mlir.ResourceAttr:
		if !mlir.SameType(mlir.TypeOf(v), tensorOf(t)) {
			return fmt.Errorf("the first value must be of type %s, not %s", tensorOf(t), mlir.TypeOf(v))
		}
	default:
		return fmt.Errorf("the first value must be elements, not %s", v)
	}
	switch v := op.Attrs.Get("sym_visibility"); v {
	case nil, mlir.StringAttr("public"), mlir.StringAttr("private"), mlir.StringAttr("nested"):
	default:
		return fmt.Errorf("the visibility is public, private or nested, not %s", v)
	}
	if v := op.Attrs.Get("alignment"); v != nil {
		n, ok := v.(mlir.IntegerAttr)
		if !ok || !mlir.SameType(n.Type, mlir.I64) || n.Value <= 0 || bits.OnesCount64(uint64(n.Value)) != 1 {
			return fmt.Errorf("the alignment must be a power of two of type i64, not %s", v)
		}
	}
	return nil
}

// ofGlobal checks the type of a reference to global memory.
func ofGlobal(op, global *mlir.Operation) error {
	a, _ := global.Attrs.Get("type").(mlir.TypeAttr)
	if a.Type != nil && !mlir.SameType(op.Results[0].Type, a.Type) {
		return fmt.Errorf("gives %s, and the memory is %s", op.Results[0].Type, a.Type)
	}
	return nil
}

// powerOfTwo checks an alignment, if there is one.
func powerOfTwo(op *mlir.Operation) error {
	if a, ok := op.Attrs.Get("alignment").(mlir.IntegerAttr); ok && (a.Value <= 0 || a.Value&(a.Value-1) != 0) {
		return fmt.Errorf("an alignment is a power of two, not %d", a.Value)
	}
	return nil
}
