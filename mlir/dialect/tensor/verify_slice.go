package tensor

import (
	"fmt"

	"github.com/go-acap/acap/mlir"
)

// checkBounds checks that an attribute holds rank constants, and that as many
// values as it leaves open follow; it returns the operands behind them.
func checkBounds(op *mlir.Operation, name string, rank int, rest []*mlir.Value) (
	[]*mlir.Value, error) {
	a, ok := op.Attrs.Get(name).(mlir.DenseArrayAttr)
	if !ok || a.Floats != nil || len(a.Ints) != rank {
		return nil, fmt.Errorf("%s must hold %d integers", name, rank)
	}
	for _, n := range a.Ints {
		if n != mlir.DynamicStride {
			continue
		}
		if len(rest) == 0 || !mlir.SameType(rest[0].Type, mlir.Index) {
			return nil, fmt.Errorf("%s leaves more open than operands of type index follow", name)
		}
		rest = rest[1:]
	}
	return rest, nil
}

// checkSlice checks the bounds of a slice of a tensor of the given shape, which
// stand behind the first operands, and returns the extents of the part.
func checkSlice(op *mlir.Operation, first int, shape []int) ([]int, error) {
	rest := op.Operands[first:]
	var err error
	for _, name := range sliceAttrs[1:] {
		if rest, err = checkBounds(op, name, len(shape), rest); err != nil {
			return nil, err
		}
	}
	if len(rest) > 0 {
		return nil, fmt.Errorf("has %d operands too many", len(rest))
	}
	s := sliceOf(op)
	for i, extent := range shape {
		if err := checkRange(i, extent, s.Offsets[i], s.Sizes[i], s.Strides[i]); err != nil {
			return nil, err
		}
	}
	return boundShape(s.Sizes), nil
}

// checkRange checks that one dimension of a slice lies inside the tensor.
func checkRange(dim, extent int, offset, size, stride Bound) error {
	switch {
	case offset.Value == nil && offset.Static < 0:
		return fmt.Errorf("dimension %d: negative offset %d", dim, offset.Static)
	case size.Value == nil && size.Static < 0:
		return fmt.Errorf("dimension %d: negative size %d", dim, size.Static)
	case offset.Value != nil || size.Value != nil || stride.Value != nil,
		extent == mlir.Dynamic, size.Static == 0:
		return nil
	}
	// The products of values from outside must not overflow.
	steps := size.Static - 1
	if offset.Static >= extent || stride.Static <= 0 && steps > 0 ||
		steps > 0 && steps > (extent-1-offset.Static)/stride.Static {
		return fmt.Errorf("dimension %d: %d elements from %d by %d do not lie in an extent of %d",
			dim, size.Static, offset.Static, stride.Static, extent)
	}
	return nil
}

// dropsOnes reports whether small results from full by leaving out extents of 1.
func dropsOnes(small, full []int) bool {
	i := 0
	for _, n := range full {
		switch {
		case i < len(small) && small[i] == n:
			i++
		case n != 1:
			return false
		}
	}
	return i == len(small)
}

func verifyExtractSlice(op *mlir.Operation) error {
	from, to, err := fromTo(op)
	if err != nil {
		return err
	}
	sizes, err := checkSlice(op, 1, from.Shape)
	if err != nil {
		return err
	}
	if !dropsOnes(to.Shape, sizes) || !mlir.SameType(to.Elem, from.Elem) {
		return fmt.Errorf("the slice is %s, not %s",
			mlir.TensorType{Shape: sizes, Elem: from.Elem}, to)
	}
	return nil
}

func verifyInsertSlice(op *mlir.Operation) error {
	source, err := ranked(op, 0)
	if err != nil {
		return err
	}
	dest, err := ranked(op, 1)
	if err != nil {
		return err
	}
	for _, r := range op.Results { // none in a parallel loop, which gives the tensor itself
		if err := wantType("the result", r.Type, dest); err != nil {
			return err
		}
	}
	sizes, err := checkSlice(op, 2, dest.Shape)
	if err != nil {
		return err
	}
	if !dropsOnes(source.Shape, sizes) || !mlir.SameType(source.Elem, dest.Elem) {
		return fmt.Errorf("the slice is %s, not %s",
			mlir.TensorType{Shape: sizes, Elem: dest.Elem}, source)
	}
	return nil
}

// maxPadding keeps sums of widths in range.
const maxPadding = 1 << 48

func verifyPad(op *mlir.Operation) error {
	from, to, err := fromTo(op)
	if err != nil {
		return err
	}
	rest := op.Operands[1:]
	for _, name := range []string{"static_low", "static_high"} {
		if rest, err = checkBounds(op, name, len(from.Shape), rest); err != nil {
			return err
		}
	}
	if len(rest) > 0 || len(to.Shape) != len(from.Shape) || !mlir.SameType(to.Elem, from.Elem) {
		return fmt.Errorf("cannot pad %s to %s", from, to)
	}
	low, high := padOf(op)
	for i, n := range from.Shape {
		if low[i].Value != nil || high[i].Value != nil || n == mlir.Dynamic {
			continue
		}
		if low[i].Static < 0 || high[i].Static < 0 || low[i].Static > maxPadding ||
			high[i].Static > maxPadding {
			return fmt.Errorf("dimension %d: padding out of range", i)
		}
		if want := low[i].Static + n + high[i].Static; to.Shape[i] != want {
			return fmt.Errorf("dimension %d is %d after padding, not %d", i, want, to.Shape[i])
		}
	}
	return verifyBody(op, len(from.Shape), from.Elem)
}

// verifyGroups checks that groups cover the dimensions of the longer shape in order
// and that the products fit the shorter one.
func verifyGroups(op *mlir.Operation, short, long mlir.TensorType) error {
	groups, ok := reassociation(op)
	if !ok || len(groups) != len(short.Shape) || !mlir.SameType(short.Elem, long.Elem) {
		return fmt.Errorf("needs a group of dimensions for each of the %d of %s",
			len(short.Shape), short)
	}
	next := 0
	for i, g := range groups {
		for _, d := range g {
			if d != next || d >= len(long.Shape) {
				return fmt.Errorf("the groups must list the dimensions of %s in order", long)
			}
			next++
		}
		n, static := mlir.NumElements(long.Shape[next-len(g) : next])
		switch {
		case static && n != short.Shape[i]:
			return fmt.Errorf("group %d has %d elements, but dimension %d of %s has not",
				i, n, i, short)
		case !static && short.Shape[i] != mlir.Dynamic:
			return fmt.Errorf("group %d has extents that are not known, but dimension %d of %s is", i, i, short)
		}
	}
	if len(groups) > 0 && next != len(long.Shape) {
		return fmt.Errorf("the groups leave out dimensions of %s", long)
	}
	if len(groups) == 0 {
		if n, static := mlir.NumElements(long.Shape); static && n != 1 {
			return fmt.Errorf("%s does not hold one element", long)
		}
	}
	return nil
}

func verifyExpandShape(op *mlir.Operation) error {
	from, to, err := fromTo(op)
	if err != nil {
		return err
	}
	rest, err := checkBounds(op, "static_output_shape", len(to.Shape), op.Operands[1:])
	if err != nil {
		return err
	}
	if len(rest) > 0 { // upstream compares the extents with the result's only when they are operands
		return fmt.Errorf("the output shape does not fit %s", to)
	}
	return verifyGroups(op, from, to)
}

func verifyCollapseShape(op *mlir.Operation) error {
	from, to, err := fromTo(op)
	if err != nil {
		return err
	}
	return verifyGroups(op, to, from)
}
