package report

import (
	"strings"

	"github.com/go-acap/acap/mlir"
	"github.com/go-acap/acap/mlir/dialect/aten"
	"github.com/go-acap/acap/mlir/dialect/linalg"
)

// Work estimates the arithmetic operations of an operation; a multiply-add counts as two. If the operation has a
// formula in [Operators], the formula counts. A structured operation of linalg counts the operations of its region at
// each point of its loops. Any other operation counts one for each element of its results. Operators that only arrange
// elements have none.
func Work(op *mlir.Operation) int64 {
	if aten.Is(op) {
		if _, known := counts[aten.BaseName(op.Name)]; known {
			return arithmeticOf(statistics(op))
		}
	}
	if isArrangement(op) {
		return 0
	}
	if linalg.IsStructured(op) && linalg.Verify(op) == nil {
		return points(op) * regionWork(op)
	}
	var elements int64
	for _, r := range op.Results {
		elements += int64(elementsOf(r.Type))
	}
	return elements
}

// arithmeticOf adds up the operations of a formula.
func arithmeticOf(terms []term) int64 {
	var sum int64
	for _, t := range terms {
		switch {
		case t.name == "ops:MAC":
			sum += 2 * int64(t.n)
		case strings.HasPrefix(t.name, "ops:"):
			sum += int64(t.n)
		}
	}
	return sum
}

// isArrangement reports whether an operation moves or makes elements without arithmetic.
func isArrangement(op *mlir.Operation) bool {
	switch op.Name {
	case "arith.constant", "func.return", "linalg.fill", "linalg.transpose", "linalg.broadcast", "linalg.copy":
		return true
	}
	dialect, _, _ := strings.Cut(op.Name, ".")
	return dialect == "tensor"
}

// points is the number of points of the loops of a structured operation.
func points(op *mlir.Operation) int64 {
	n := int64(1)
	for _, extent := range linalg.LoopExtents(op) {
		n *= int64(max(extent, 1)) // an open extent counts once
	}
	return n
}

// regionWork is the arithmetic of a region: its operations but for those that yield, count places or convert.
func regionWork(op *mlir.Operation) int64 {
	n := int64(0)
	for _, inner := range op.Body().Ops {
		switch dialect, name, _ := strings.Cut(inner.Name, "."); {
		case dialect == "linalg", dialect == "tensor", name == "constant", name == "bitcast":
		case strings.HasPrefix(name, "ext"), strings.HasPrefix(name, "trunc"), strings.HasPrefix(name, "index_cast"):
		default:
			n++
		}
	}
	return n
}
