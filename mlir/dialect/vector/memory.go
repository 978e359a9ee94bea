package vector

import (
	"fmt"
	"slices"

	"github.com/go-acap/acap/mlir"
)

// moves checks the elements that pass between memory and a vector; memory of vectors passes them whole.
func moves(memory, vector mlir.Type) error {
	v, _ := vector.(mlir.VectorType)
	_, elem, _ := mlir.ShapeOf(memory)
	if of, ok := elem.(mlir.VectorType); ok {
		if !mlir.SameType(of, v) {
			return fmt.Errorf("%s holds no %s", memory, v)
		}
		return nil
	}
	if !mlir.SameType(elem, v.Elem) {
		return fmt.Errorf("%s holds no elements of %s", memory, v)
	}
	return nil
}

// loaded and stored check a vector that is read or written.
func loaded(op *mlir.Operation) error { return moves(op.Operands[0].Type, op.Results[0].Type) }

func stored(op *mlir.Operation) error { return moves(op.Operands[1].Type, op.Operands[0].Type) }

// storedUnder checks a store of the last operand under a mask.
func storedUnder(op *mlir.Operation) error {
	return moves(op.Operands[0].Type, op.Operands[len(op.Operands)-1].Type)
}

// projection checks that each result of a map is a dimension of its own, or zero.
func projection(m mlir.AffineMap, what string) error {
	seen := make([]bool, m.Dims)
	for _, e := range m.Results {
		switch {
		case e.Kind == mlir.AffineConstant && e.Value == 0:
		case e.Kind == mlir.AffineDim && !seen[e.Value]:
			seen[e.Value] = true
		default:
			return fmt.Errorf("%s must have results that are different dimensions or zero", what)
		}
	}
	if m.Symbols > 0 {
		return fmt.Errorf("%s must have no symbols", what)
	}
	return nil
}

// transfer are the parts of a read or write.
type transfer struct {
	memory, vector *mlir.Value
	indices        []*mlir.Value
	padding, mask  *mlir.Value // nil if absent
	write          bool
}

func transferOf(op *mlir.Operation) (transfer, error) {
	t := transfer{write: op.Name == "vector.transfer_write"}
	sizes, ok := mlir.IntList(op.Attrs.Get(segments))
	want := []int{1, len(op.Operands) - 2, 1, 0}
	if t.write {
		want = []int{1, 1, len(op.Operands) - 2, 0}
	}
	at := slices.Index(want, len(op.Operands)-2)
	if ok && len(sizes) == 4 && sizes[3] == 1 {
		want[3] = 1
		want[at]--
	}
	if !ok || len(op.Operands) < 2 || !slices.Equal(sizes, want) || want[at] < 0 {
		return t, fmt.Errorf("%s does not fit the operands", segments)
	}
	if t.write {
		t.vector, t.memory = op.Operands[0], op.Operands[1]
		t.indices = op.Operands[2 : 2+sizes[2]]
	} else {
		t.memory, t.vector = op.Operands[0], op.Results[0]
		t.indices, t.padding = op.Operands[1:1+sizes[1]], op.Operands[1+sizes[1]]
	}
	if sizes[3] == 1 {
		t.mask = op.Operands[len(op.Operands)-1]
	}
	return t, nil
}

// verifyTransfer checks a read or write of a vector at any place of memory.
func verifyTransfer(op *mlir.Operation) error {
	t, err := transferOf(op)
	if err != nil {
		return err
	}
	shape, elem, shaped := mlir.ShapeOf(t.memory.Type)
	v, isVector := t.vector.Type.(mlir.VectorType)
	if _, in := t.memory.Type.(mlir.VectorType); !shaped || in || !isVector {
		return fmt.Errorf("moves a vector from or to memory, not between %s and %s", t.memory.Type, t.vector.Type)
	}
	if t.write {
		_, tensor := t.memory.Type.(mlir.TensorType)
		if tensor != (len(op.Results) == 1) || tensor && !mlir.SameType(op.Results[0].Type, t.memory.Type) {
			return fmt.Errorf("gives the tensor that it writes to, and nothing for memory")
		}
	}
	if len(t.indices) != len(shape) {
		return fmt.Errorf("has %d indices for %d dimensions", len(t.indices), len(shape))
	}
	a, ok := op.Attrs.Get("permutation_map").(mlir.AffineMapAttr)
	if !ok {
		return fmt.Errorf("needs a permutation map")
	}
	m := a.Map
	if err := projection(m, "the permutation map"); err != nil {
		return err
	}
	if m.Dims != len(shape) {
		return fmt.Errorf("the permutation map has %d dimensions, and %s %d", m.Dims, t.memory.Type, len(shape))
	}
	rank := len(v.Shape)
	if of, nested := elem.(mlir.VectorType); nested {
		rank -= len(of.Shape)
		if rank < 0 || rowBits(v)%max(1, rowBits(of)) != 0 || t.mask != nil {
			return fmt.Errorf("%s holds no parts of %s", t.memory.Type, v)
		}
	} else if rowBits(v)%max(1, bits(elem)) != 0 {
		return fmt.Errorf("%s holds no elements of %s", t.memory.Type, v)
	}
	if t.padding != nil && !mlir.SameType(t.padding.Type, elem) {
		return fmt.Errorf("the padding must be %s, not %s", elem, t.padding.Type)
	}
	if len(m.Results) != rank && (rank != 0 || len(m.Results) > 1) {
		return fmt.Errorf("the permutation map has %d results for %s", len(m.Results), v)
	}
	if err := verifyBounds(op, m, t.write); err != nil {
		return err
	}
	if t.mask != nil {
		if want := maskType(a, v); !mlir.SameType(t.mask.Type, want) {
			return fmt.Errorf("the mask must be %s, not %s", want, t.mask.Type)
		}
	}
	return nil
}

// verifyBounds checks in_bounds, and the dimensions of a transfer that repeat one element.
func verifyBounds(op *mlir.Operation, m mlir.AffineMap, write bool) error {
	bounds, ok := op.Attrs.Get("in_bounds").(mlir.ArrayAttr)
	if ok && len(bounds) != len(m.Results) {
		return fmt.Errorf("in_bounds has %d entries for %d dimensions", len(bounds), len(m.Results))
	}
	for i, e := range m.Results {
		if e.Kind != mlir.AffineConstant {
			continue
		}
		if write {
			return fmt.Errorf("cannot write one element to several places")
		}
		if in, _ := bool1(bounds, i); ok && !in {
			return fmt.Errorf("in_bounds must be true for dimension %d, which repeats", i)
		}
	}
	return nil
}

// rowBits is the width of an innermost row.
func rowBits(t mlir.VectorType) int {
	n, _ := lastDim(t)
	return n * bits(t.Elem)
}

// bool1 returns an entry of a list of booleans.
func bool1(list mlir.ArrayAttr, i int) (value, ok bool) {
	if i >= len(list) {
		return false, false
	}
	n, ok := list[i].(mlir.IntegerAttr)
	return n.Value != 0, ok
}
