package report

import (
	"strings"

	"github.com/go-acap/acap/mlir"
	"github.com/go-acap/acap/mlir/dialect/aten"
)

// Work estimates the arithmetic of an operation: the operations of its formula in [Operators],
// where it has one, a multiply-add counted as two; for the products of linalg two for each
// multiply-add; and else one for each element of its results. What only arranges elements has
// none.
func Work(op *mlir.Operation) int64 {
	if aten.Is(op) {
		if _, known := counts[aten.BaseName(op.Name)]; known {
			return arithmeticOf(statistics(op))
		}
	}
	if isArrangement(op) {
		return 0
	}
	var elements int64
	for _, r := range op.Results {
		elements += int64(elementsOf(r.Type))
	}
	if strings.HasPrefix(op.Name, "linalg.") {
		return elements * linalgTerms(op)
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

// linalgTerms are the operations for each element of the result of a linalg operation: of a
// generic one those of its body, for each point of the loops that are no dimension of the
// result.
func linalgTerms(op *mlir.Operation) int64 {
	in, out := int64(0), int64(1)
	for i, shape := range tensorsOf(op) {
		n := int64(max(sizeOf(shape), 1))
		if i == len(tensorsOf(op))-1 {
			out = n
		} else {
			in = max(in, n)
		}
	}
	inner := max(in/out, 1)
	shapes := tensorsOf(op)
	switch {
	case strings.Contains(op.Name, "matmul"), strings.Contains(op.Name, "matvec"), strings.HasSuffix(op.Name, ".dot"):
		if len(shapes) > 0 && len(shapes[0]) > 0 {
			return 2 * int64(shapes[0][len(shapes[0])-1])
		}
	case strings.Contains(op.Name, ".conv_"), strings.Contains(op.Name, "depthwise"):
		if len(shapes) > 1 && len(shapes[1]) > 0 {
			features := shapes[1][0]
			if strings.HasSuffix(op.Name, "cf") { // height, width, channels, features
				features = shapes[1][len(shapes[1])-1]
			}
			return 2 * int64(max(sizeOf(shapes[1])/max(features, 1), 1))
		}
	}
	body := int64(0)
	if b := op.Body(); b != nil {
		body = int64(len(b.Ops)) - 1
	}
	return max(body, 1) * inner
}
