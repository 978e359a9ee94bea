package tensor

import (
	"fmt"

	"github.com/go-acap/acap/mlir"
)

// ranked returns the tensor type of an operand.
func ranked(op *mlir.Operation, i int) (mlir.TensorType, error) {
	if i < len(op.Operands) {
		if t, ok := op.Operands[i].Type.(mlir.TensorType); ok {
			return t, nil
		}
	}
	return mlir.TensorType{}, fmt.Errorf("needs a ranked tensor as operand %d", i)
}

// rankedResult returns the tensor type of the result.
func rankedResult(op *mlir.Operation) (mlir.TensorType, error) {
	t, ok := op.Results[0].Type.(mlir.TensorType)
	if !ok {
		return t, fmt.Errorf("gives a ranked tensor, not %s", op.Results[0].Type)
	}
	return t, nil
}

// fromTo returns the tensor types of the first operand and of the result.
func fromTo(op *mlir.Operation) (from, to mlir.TensorType, err error) {
	if from, err = ranked(op, 0); err == nil {
		to, err = rankedResult(op)
	}
	return from, to, err
}

// indices checks that the operands from the first on are n values of type index.
func indices(op *mlir.Operation, first, n int) error {
	if got := len(op.Operands) - first; got != n {
		return fmt.Errorf("needs %d indices or extents, not %d", n, got)
	}
	for _, v := range op.Operands[first:] {
		if !mlir.SameType(v.Type, mlir.Index) {
			return fmt.Errorf("needs indices of type index, not %s", v.Type)
		}
	}
	return nil
}

func wantType(what string, got, want mlir.Type) error {
	if !mlir.SameType(got, want) {
		return fmt.Errorf("%s must be %s, not %s", what, want, got)
	}
	return nil
}

// compatible reports whether two lists of extents agree where both are static.
func compatible(a, b []int) bool {
	if len(a) != len(b) {
		return false
	}
	for i := range a {
		if a[i] != b[i] && a[i] != mlir.Dynamic && b[i] != mlir.Dynamic {
			return false
		}
	}
	return true
}

// verifyDynamic checks that an operand from the first on gives each dynamic extent.
func verifyDynamic(first int) func(*mlir.Operation) error {
	return func(op *mlir.Operation) error {
		t, err := rankedResult(op)
		if err != nil {
			return err
		}
		return indices(op, first, dynamicDims(t.Shape))
	}
}

func verifyExtract(op *mlir.Operation) error {
	t, err := ranked(op, 0)
	if err != nil {
		return err
	}
	if err := wantType("the result", op.Results[0].Type, t.Elem); err != nil {
		return err
	}
	return indices(op, 1, len(t.Shape))
}

func verifyInsert(op *mlir.Operation) error {
	t, err := ranked(op, 1)
	if err != nil {
		return err
	}
	if err := wantType("the element", op.Operands[0].Type, t.Elem); err != nil {
		return err
	}
	if err := wantType("the result", op.Results[0].Type, t); err != nil {
		return err
	}
	return indices(op, 2, len(t.Shape))
}

func isTensor(t mlir.Type) bool {
	switch t.(type) {
	case mlir.TensorType, mlir.UnrankedTensorType:
		return true
	}
	return false
}

func verifyCast(op *mlir.Operation) error {
	from, to := op.Operands[0].Type, op.Results[0].Type
	f, fromRanked := from.(mlir.TensorType)
	t, toRanked := to.(mlir.TensorType)
	if !isTensor(from) || !isTensor(to) || !mlir.SameType(elementOf(from), elementOf(to)) ||
		fromRanked && toRanked && !compatible(f.Shape, t.Shape) {
		return fmt.Errorf("cannot cast %s to %s", from, to)
	}
	return nil
}

func verifyBitcast(op *mlir.Operation) error {
	from, to := op.Operands[0].Type, op.Results[0].Type
	f, fromRanked := from.(mlir.TensorType)
	t, toRanked := to.(mlir.TensorType)
	if !isTensor(from) || !isTensor(to) || fromRanked != toRanked ||
		fromRanked && !compatible(f.Shape, t.Shape) ||
		mlir.BitWidth(elementOf(from)) != mlir.BitWidth(elementOf(to)) {
		return fmt.Errorf("cannot cast the bits of %s to %s", from, to)
	}
	return nil
}

func verifyDim(op *mlir.Operation) error {
	if !isTensor(op.Operands[0].Type) {
		return fmt.Errorf("needs a tensor, not %s", op.Operands[0].Type)
	}
	if t, ok := typeOf(op.Operands[0]); ok && len(t.Shape) == 0 {
		return fmt.Errorf("needs a tensor that has dimensions, not %s", t)
	}
	if err := wantType("the result", op.Results[0].Type, mlir.Index); err != nil {
		return err
	}
	return wantType("the dimension", op.Operands[1].Type, mlir.Index)
}

func verifyRank(op *mlir.Operation) error {
	if !isTensor(op.Operands[0].Type) {
		return fmt.Errorf("needs a tensor, not %s", op.Operands[0].Type)
	}
	return wantType("the result", op.Results[0].Type, mlir.Index)
}

func verifyFromElements(op *mlir.Operation) error {
	t, err := rankedResult(op)
	if err != nil {
		return err
	}
	if n, static := mlir.NumElements(t.Shape); !static || n != len(op.Operands) {
		return fmt.Errorf("%d elements do not make a %s", len(op.Operands), t)
	}
	for _, v := range op.Operands {
		if err := wantType("an element", v.Type, t.Elem); err != nil {
			return err
		}
	}
	return nil
}

func verifySplat(op *mlir.Operation) error {
	t, err := rankedResult(op)
	if err != nil {
		return err
	}
	if len(op.Operands) == 0 {
		return fmt.Errorf("needs an element")
	}
	if err := wantType("the element", op.Operands[0].Type, t.Elem); err != nil {
		return err
	}
	return indices(op, 1, dynamicDims(t.Shape))
}

// verifyBody checks that a region takes an index for each dimension and yields an
// element.
func verifyBody(op *mlir.Operation, rank int, elem mlir.Type) error {
	body := op.Body()
	if body == nil || len(body.Args) != rank {
		return fmt.Errorf("needs a region of %d indices", rank)
	}
	for _, a := range body.Args {
		if err := wantType("an argument of the region", a.Type, mlir.Index); err != nil {
			return err
		}
	}
	y := body.Terminator()
	if y == nil || y.Name != "tensor.yield" || len(y.Operands) != 1 {
		return fmt.Errorf("the region must end with tensor.yield of an element")
	}
	return wantType("the element", y.Operands[0].Type, elem)
}

func verifyGenerate(op *mlir.Operation) error {
	t, err := rankedResult(op)
	if err != nil {
		return err
	}
	if err := indices(op, 0, dynamicDims(t.Shape)); err != nil {
		return err
	}
	return verifyBody(op, len(t.Shape), t.Elem)
}

func verifyReshape(op *mlir.Operation) error {
	s, ok := op.Operands[1].Type.(mlir.TensorType)
	to := op.Results[0].Type
	if !ok || len(s.Shape) != 1 || !isTensor(op.Operands[0].Type) || !isTensor(to) {
		return fmt.Errorf("needs a tensor and a 1-D tensor that gives the shape")
	}
	if err := wantType("the element type", elementOf(to), elementOf(op.Operands[0].Type)); err != nil {
		return err
	}
	from, fromRanked := op.Operands[0].Type.(mlir.TensorType)
	t, toRanked := to.(mlir.TensorType)
	if toRanked && s.Shape[0] != mlir.Dynamic && s.Shape[0] != len(t.Shape) {
		return fmt.Errorf("a shape of %d extents does not fit %s", s.Shape[0], t)
	}
	if !fromRanked || !toRanked {
		return nil
	}
	n, static := mlir.NumElements(from.Shape)
	m, alsoStatic := mlir.NumElements(t.Shape)
	if static && alsoStatic && n != m {
		return fmt.Errorf("%s and %s have different numbers of elements", from, t)
	}
	return nil
}

func verifyConcat(op *mlir.Operation) error {
	t, err := rankedResult(op)
	if err != nil {
		return err
	}
	dim, ok := op.Attrs.Get("dim").(mlir.IntegerAttr)
	if !ok || dim.Value < 0 || dim.Value >= int64(len(t.Shape)) || len(op.Operands) == 0 {
		return fmt.Errorf("needs operands and a dimension below %d", len(t.Shape))
	}
	sum := 0
	for i := range op.Operands {
		part, err := ranked(op, i)
		if err != nil {
			return err
		}
		shape := append([]int(nil), part.Shape...)
		if len(shape) != len(t.Shape) || !mlir.SameType(part.Elem, t.Elem) {
			return fmt.Errorf("cannot join %s into %s", part, t)
		}
		if shape[dim.Value] == mlir.Dynamic || sum == mlir.Dynamic {
			sum = mlir.Dynamic
		} else {
			sum += shape[dim.Value]
		}
		shape[dim.Value] = t.Shape[dim.Value]
		if !compatible(shape, t.Shape) {
			return fmt.Errorf("cannot join %s into %s along dimension %d", part, t, dim.Value)
		}
	}
	if n := t.Shape[dim.Value]; n != sum && n != mlir.Dynamic && sum != mlir.Dynamic {
		return fmt.Errorf("the parts make an extent of %d along dimension %d, not %d",
			sum, dim.Value, n)
	}
	return nil
}
