package memref

import (
	"fmt"

	"github.com/go-acap/acap/mlir"
)

// reshaped checks that the shape fits the result, and that elements lie densely.
func reshaped(op *mlir.Operation) error {
	if err := dense(op); err != nil {
		return err
	}
	to, ok := op.Results[0].Type.(mlir.MemRefType)
	n := ranked(op.Operands[1]).Shape[0]
	if ok && n != len(to.Shape) {
		return fmt.Errorf("a shape of %d extents does not fit %s", n, to)
	}
	return nil
}

func expanded(op *mlir.Operation) error {
	small, large := ranked(op.Operands[0]), ranked(op.Results[0])
	if err := regrouped(op, small, large); err != nil {
		return err
	}
	shape, ok := mlir.IntList(op.Attrs.Get("static_output_shape"))
	if !ok || len(shape) != len(large.Shape) {
		return fmt.Errorf("the output shape has %d extents, and %s %d", len(shape), large, len(large.Shape))
	}
	for i, n := range shape {
		if n != large.Shape[i] && n != mlir.DynamicStride && large.Shape[i] >= 0 {
			return fmt.Errorf("the output shape has the extent %d in dimension %d of %s", n, i, large)
		}
	}
	return nil
}

func collapsed(op *mlir.Operation) error {
	large, small := ranked(op.Operands[0]), ranked(op.Results[0])
	if err := regrouped(op, small, large); err != nil {
		return err
	}
	return contiguous(op, large)
}

func groupsOf(op *mlir.Operation) [][]int {
	list, _ := op.Attrs.Get("reassociation").(mlir.ArrayAttr)
	groups := make([][]int, len(list))
	for i, g := range list {
		groups[i], _ = mlir.IntList(g)
	}
	return groups
}

// regrouped checks that each dimension of the smaller type is a group of the larger type's, in order.
func regrouped(op *mlir.Operation, small, large mlir.MemRefType) error {
	groups := groupsOf(op)
	if len(small.Shape) > len(large.Shape) {
		return fmt.Errorf("%s has more dimensions than %s", small, large)
	}
	if len(groups) != len(small.Shape) {
		return fmt.Errorf("has %d groups for %d dimensions", len(groups), len(small.Shape))
	}
	next := 0
	for i, g := range groups {
		n, dynamic := 1, false
		for _, d := range g {
			if d != next || d >= len(large.Shape) {
				return fmt.Errorf("the groups list the dimensions of %s in order", large)
			}
			next++
			if large.Shape[d] < 0 {
				dynamic = true
				continue
			}
			n *= large.Shape[d]
		}
		if dynamic != (small.Shape[i] < 0) || !dynamic && n != small.Shape[i] {
			return fmt.Errorf("dimension %d of %s is not group %v of %s", i, small, g, large)
		}
	}
	for ; len(groups) == 0 && next < len(large.Shape); next++ {
		if large.Shape[next] != 1 {
			return fmt.Errorf("%s does not hold one element", large)
		}
	}
	if next != len(large.Shape) {
		return fmt.Errorf("the groups leave out dimensions of %s", large)
	}
	return nil
}

// contiguous checks that what is known of the strides lets the dimensions of a group be one.
func contiguous(op *mlir.Operation, large mlir.MemRefType) error {
	_, strides, ok := large.Strides()
	if !ok {
		return fmt.Errorf("works on memory with strides, not on %s", large)
	}
	for _, g := range groupsOf(op) {
		want := 0 // the stride that comes next, from the last dimension on; 0 is not known yet
		for k := len(g) - 1; k >= 0; k-- {
			d := g[k]
			if large.Shape[d] == 1 {
				continue
			}
			if want != 0 && want != mlir.DynamicStride && strides[d] != mlir.DynamicStride && strides[d] != want {
				return fmt.Errorf("dimension %d of %s does not follow the next without a gap", d, large)
			}
			want = mlir.DynamicStride
			if large.Shape[d] > 0 {
				want = product(strides[d], large.Shape[d])
			}
		}
	}
	return nil
}
