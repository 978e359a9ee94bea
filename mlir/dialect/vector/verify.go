package vector

import (
	"fmt"

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

// broadcasts checks that the element type stays and that the extents fit: what repeats is one.
func broadcasts(op *mlir.Operation) error {
	to := vectorOf(op.Results[0])
	from, vector := op.Operands[0].Type.(mlir.VectorType)
	if !vector {
		from = mlir.VectorType{Elem: op.Operands[0].Type}
	}
	outer := len(to.Shape) - len(from.Shape)
	fits := mlir.SameType(from.Elem, to.Elem) && outer >= 0
	for i := 0; fits && i < len(from.Shape); i++ {
		n, scaled := from.Shape[i], padded(from)[i]
		fits = n == 1 && !scaled || n == to.Shape[outer+i] && scaled == padded(to)[outer+i]
	}
	if !fits {
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
		left := without(t, func(i int) bool { return i < len(list) })
		if part := op.Operands[0]; at == 1 && rankOf(part.Type) != rankOf(left) {
			return fmt.Errorf("cannot put %s where %s is", part.Type, left)
		} else if e := mlir.ElementOf(part.Type); at == 1 && !mlir.SameType(e, t.Elem) {
			return fmt.Errorf("cannot put %s among elements of type %s", e, t.Elem)
		}
		if at == 0 && !mlir.SameType(op.Results[0].Type, left) && !single(op.Results[0].Type, left) {
			return fmt.Errorf("gives %s, not %s", left, op.Results[0].Type)
		}
		for i, n := range list {
			if n < 0 && n != mlir.DynamicStride || n >= t.Shape[i] && (i >= len(t.Scalable) || !t.Scalable[i]) {
				return fmt.Errorf("position %d in dimension %d of %s", n, i, t)
			}
		}
		return nil
	}
}

// single reports whether two types hold the same one element.
func single(a, b mlir.Type) bool {
	element := func(t mlir.Type) mlir.Type {
		if v, ok := t.(mlir.VectorType); ok && len(v.Shape) <= 1 && (len(v.Shape) == 0 || v.Shape[0] == 1) {
			return v.Elem
		}
		return t
	}
	return mlir.SameType(element(a), element(b))
}

func rankOf(t mlir.Type) int {
	v, _ := t.(mlir.VectorType)
	return len(v.Shape)
}

// printed checks that text stands alone.
func printed(op *mlir.Operation) error {
	if op.Attrs.Get("stringLiteral") != nil && (len(op.Operands) > 0 || op.Attrs.Get("punctuation") != nil &&
		op.Attrs.Get("punctuation").String() != "#vector.punctuation<newline>") {
		return fmt.Errorf("prints a text, or a value")
	}
	return nil
}
