package tosa

import (
	"fmt"
	"slices"

	"github.com/go-acap/acap/mlir"
)

// extents returns the extents of a tensor; nil if it has no rank.
func extents(v *mlir.Value) []int {
	t, _ := v.Type.(mlir.TensorType)
	return t.Shape
}

// axisOf returns the axis, which is one of the first operand's.
func axisOf(op *mlir.Operation) (int, error) {
	n, _ := op.Attrs.Get("axis").(mlir.IntegerAttr)
	if shape := extents(op.Operands[0]); shape != nil && (n.Value < 0 || int(n.Value) >= len(shape)) {
		return 0, fmt.Errorf("axis %d of %s", n.Value, op.Operands[0].Type)
	}
	return int(n.Value), nil
}

// hasAxis checks the axis alone.
func hasAxis(op *mlir.Operation) error {
	_, err := axisOf(op)
	return err
}

// reversed checks that the rank stays.
func reversed(op *mlir.Operation) error {
	in, out := extents(op.Operands[0]), extents(op.Results[0])
	if in != nil && out != nil && len(in) != len(out) {
		return fmt.Errorf("cannot make %s of %s", op.Results[0].Type, op.Operands[0].Type)
	}
	if len(in) == 0 {
		return nil // a scalar has no other order
	}
	return hasAxis(op)
}

// reduced checks that one element is left along the axis.
func reduced(op *mlir.Operation) error {
	shape := slices.Clone(extents(op.Operands[0]))
	if len(shape) == 0 {
		return fits(op.Results[0], shape)
	}
	axis, err := axisOf(op)
	if err != nil {
		return err
	}
	shape[axis] = 1
	return fits(op.Results[0], shape)
}

// fits checks the extents of a result where both sides are known; nil is no rank.
func fits(v *mlir.Value, shape []int) error {
	got := extents(v)
	if got == nil || shape == nil {
		return nil
	}
	same := func(m, n int) bool { return m == n || m < 0 || n < 0 }
	if !slices.EqualFunc(got, shape, same) {
		return fmt.Errorf("gives the extents %v, not the type %s", shape, v.Type)
	}
	return nil
}

// joined checks the operands of a concatenation.
func joined(op *mlir.Operation) error {
	n, _ := op.Attrs.Get("axis").(mlir.IntegerAttr)
	if len(op.Operands) == 0 {
		return fmt.Errorf("needs an operand")
	}
	var shape []int
	total := 0
	for _, v := range op.Operands {
		part := slices.Clone(extents(v))
		if part == nil {
			return nil
		}
		if n.Value < 0 || int(n.Value) >= len(part) {
			return fmt.Errorf("axis %d of %s", n.Value, v.Type)
		}
		if total >= 0 && part[n.Value] >= 0 {
			total += part[n.Value]
		} else {
			total = mlir.Dynamic
		}
		part[n.Value] = mlir.Dynamic
		if shape == nil {
			shape = part
		}
		if len(part) != len(shape) {
			return fmt.Errorf("%d dimensions beside %d", len(part), len(shape))
		}
		for i, m := range part {
			switch {
			case shape[i] < 0:
				shape[i] = m
			case m >= 0 && m != shape[i]:
				return fmt.Errorf("the extents %d and %d of dimension %d do not fit each other", shape[i], m, i)
			}
		}
	}
	shape[n.Value] = total
	return fits(op.Results[0], shape)
}

func reshaped(op *mlir.Operation) error {
	shape, known := numbers(op, 1, "new_shape")
	out := extents(op.Results[0])
	if !known || out == nil {
		return nil
	}
	if len(shape) != len(out) {
		return fmt.Errorf("new_shape has %d extents, and %s %d", len(shape), op.Results[0].Type, len(out))
	}
	open := 0
	for i, n := range shape {
		if n < 0 {
			open++
		} else if out[i] >= 0 && out[i] != n {
			return fmt.Errorf("new_shape %v is not the shape of %s", shape, op.Results[0].Type)
		}
		if n < -1 {
			return fmt.Errorf("new_shape has the extent %d", n)
		}
	}
	if open > 1 {
		return fmt.Errorf("new_shape leaves %d extents open, not one", open)
	}
	from, counted := mlir.NumElements(extents(op.Operands[0]))
	if extents(op.Operands[0]) == nil || !counted {
		return nil
	}
	to, small := mlir.NumElements(slices.DeleteFunc(slices.Clone(shape), func(n int) bool { return n < 0 }))
	if !small || open == 0 && from != to || open == 1 && (to == 0 || from%to != 0) {
		return fmt.Errorf("cannot make %s of %s", op.Results[0].Type, op.Operands[0].Type)
	}
	if to, known := mlir.NumElements(out); known && to != from {
		return fmt.Errorf("cannot make %s of %s", op.Results[0].Type, op.Operands[0].Type)
	}
	return nil
}

func sliced(op *mlir.Operation) error {
	rank := len(extents(op.Operands[0]))
	if len(extents(op.Results[0])) != rank {
		return fmt.Errorf("cannot make %s of %s", op.Results[0].Type, op.Operands[0].Type)
	}
	for i, name := range []string{"start", "size"} {
		if list, known := numbers(op, 1+i, name); known && len(list) != rank {
			return fmt.Errorf("%s has %d numbers for %d dimensions", name, len(list), rank)
		}
	}
	return nil
}

func tiled(op *mlir.Operation) error {
	in, out := extents(op.Operands[0]), extents(op.Results[0])
	if in != nil && out != nil && len(in) != len(out) {
		return fmt.Errorf("cannot make %s of %s", op.Results[0].Type, op.Operands[0].Type)
	}
	times, known := numbers(op, 1, "multiples")
	if !known {
		return nil
	}
	if in != nil && len(times) != len(in) || out != nil && len(times) != len(out) {
		return fmt.Errorf("multiples has %d numbers for %s", len(times), op.Operands[0].Type)
	}
	for _, n := range times {
		if n < 1 && n != -1 {
			return fmt.Errorf("repeats %d times", n)
		}
	}
	return nil
}

func transposed(op *mlir.Operation) error {
	in, perm, out := extents(op.Operands[0]), extents(op.Operands[1]), extents(op.Results[0])
	if perm != nil && len(perm) != 1 {
		return fmt.Errorf("the permutation must have one dimension, not the type %s", op.Operands[1].Type)
	}
	if in != nil && perm != nil && perm[0] >= 0 && perm[0] != len(in) || in != nil && out != nil && len(in) != len(out) {
		return fmt.Errorf("the permutation %s does not fit %s and %s", op.Operands[1].Type, op.Operands[0].Type, op.Results[0].Type)
	}
	return nil
}
