package vector

import (
	"fmt"
	"slices"
	"strings"

	"github.com/go-acap/acap/mlir"
)

// reshaped checks that both sides have as many elements of one type.
func reshaped(op *mlir.Operation) error {
	from, ok := op.Operands[0].Type.(mlir.VectorType)
	to, both := op.Results[0].Type.(mlir.VectorType)
	if !ok || !both {
		return nil
	}
	n, _ := mlir.NumElements(from.Shape)
	m, _ := mlir.NumElements(to.Shape)
	if n != m || !mlir.SameType(from.Elem, to.Elem) {
		return fmt.Errorf("cannot make %s of %s", to, from)
	}
	return nil
}

// broadcasts checks that the element type stays.
func broadcasts(op *mlir.Operation) error {
	to, _ := op.Results[0].Type.(mlir.VectorType)
	from := op.Operands[0].Type
	if v, ok := from.(mlir.VectorType); ok {
		from = v.Elem
	}
	if to.Elem != nil && !mlir.SameType(from, to.Elem) {
		return fmt.Errorf("cannot make %s of %s", to, op.Operands[0].Type)
	}
	return nil
}

// positioned checks that the positions that are known lie in operand at.
func positioned(at int) func(op *mlir.Operation) error {
	return func(op *mlir.Operation) error {
		t, ok := op.Operands[at].Type.(mlir.VectorType)
		list, known := mlir.IntList(op.Attrs.Get("static_position"))
		if !ok || !known {
			return nil
		}
		if len(list) > len(t.Shape) {
			return fmt.Errorf("has %d positions for %d dimensions", len(list), len(t.Shape))
		}
		for i, n := range list {
			if n >= t.Shape[i] && (i >= len(t.Scalable) || !t.Scalable[i]) {
				return fmt.Errorf("position %d in dimension %d of %s", n, i, t)
			}
		}
		return nil
	}
}

// kinds are the ways in which elements combine.
var kinds = []string{"add", "mul", "minui", "minsi", "minnumf", "maxui", "maxsi", "maxnumf", "and", "or", "xor",
	"minimumf", "maximumf"}

// knownKind checks the kind of a reduction.
func knownKind(op *mlir.Operation) error {
	text := op.Attrs.Get("kind").String()
	word := strings.TrimSuffix(strings.TrimPrefix(text, "#vector.kind<"), ">")
	if !slices.Contains(kinds, word) {
		return fmt.Errorf("has the unknown kind %s, expected one of %s", text, strings.Join(kinds, ", "))
	}
	return nil
}
