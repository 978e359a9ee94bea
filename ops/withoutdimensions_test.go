package ops_test

import (
	"fmt"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/go-acap/acap/base/dtype"
	"github.com/go-acap/acap/ops"
	"github.com/go-acap/acap/tensor"
)

// single gives every tensor of a sample one element, and every number v. Integers among the tensors
// are places: they are 0.
func single(s ops.Sample, v int, dims ...int) ops.Sample {
	change := func(t ops.T) ops.T {
		t.Shape, t.Values = dims, nil
		if t.DType.IsInt() {
			t.Values = []float64{0}
		}
		return t
	}
	out := make(ops.Sample, len(s))
	for i, a := range s {
		switch a := a.(type) {
		case ops.T:
			out[i] = change(a)
		case []ops.T:
			list := make([]ops.T, len(a))
			for k := range a {
				list[k] = change(a[k])
			}
			out[i] = list
		case int:
			out[i] = v
		case []int:
			out[i] = []int{v}
		default:
			out[i] = a
		}
	}
	return out
}

// followsElements are the operators whose extents follow from a mask, from the type of elements or from a number, which
// stands behind the name.
var followsElements = map[string]bool{"_index_put_values_backward": true, "view.dtype": true, "topk 0": true}

// TestWithoutDimensions: where an operator takes a vector of one element and a tensor without
// dimensions, it gives the same elements and gradients for both.
func TestWithoutDimensions(t *testing.T) {
	checked := 0
	for _, op := range ops.All() {
		if op.IsInplace() || op.Draws || followsElements[op.Name()] {
			continue
		}
		for i, s := range op.Samples() {
			for _, v := range []int{0, 1} {
				if followsElements[fmt.Sprint(op.Name(), " ", v)] {
					continue
				}
				vector, scalar := single(s, v, 1), single(s, v)
				if _, err := op.NewCall(typedArgs(vector)...); err != nil {
					continue
				}
				if _, err := op.NewCall(typedArgs(scalar)...); err != nil {
					continue
				}
				if t.Run(op.Name(), func(t *testing.T) {
					var want, have [][]float64
					first := tensor.Try(func() { want = elements(op, vector, uint64(i)) })
					second := tensor.Try(func() { have = elements(op, scalar, uint64(i)) })
					require.Equal(t, first == nil, second == nil, "sample %d with %d: %v; %v", i, v, first, second)
					require.Equal(t, fmt.Sprint(want), fmt.Sprint(have), "sample %d with %d", i, v)
				}) {
					checked++
				}
			}
		}
	}
	require.Greater(t, checked, 900)
}

// elements are the elements of the results of a call in float64, and the elements of the gradients of their sum.
func elements(op *ops.Op, s ops.Sample, seed uint64) (all [][]float64) {
	args, inputs := sampleTensors(s, seed, true)
	var at []*tensor.Tensor
	if op.Grad != nil || op.Expand != nil {
		for _, x := range inputs {
			if x.DType() == dtype.F64 {
				at = append(at, x.RequiresGrad())
			}
		}
	}
	var outs []*tensor.Tensor
	for _, y := range tensor.Call(op.Name(), args...) {
		all = append(all, y.Float64s())
		if y.NeedsGrad() && y.DType() == dtype.F64 {
			outs = append(outs, y)
		}
	}
	if len(outs) == 0 {
		return all
	}
	for _, g := range tensor.Grad(outs, at, nil) {
		if g != nil {
			all = append(all, g.Float64s())
		}
	}
	return all
}
