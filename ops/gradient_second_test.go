package ops_test

import (
	"errors"
	"math"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/go-acap/acap/base/dtype"
	"github.com/go-acap/acap/ops"
	"github.com/go-acap/acap/tensor"
)

// once are the operators whose gradients cannot be differentiated, with the reason: a second derivative is refused.
var once = map[string]string{"segment_reduce": "PyTorch has no derivative of _segment_reduce_backward either"}

// TestSecondGradients compares the gradient of the gradient of every differentiable operator with central differences
// of the gradient, in float64, along a random direction. With -v it prints how many operators and samples agree.
func TestSecondGradients(t *testing.T) {
	samples, refused := 0, map[string]bool{}
	checked := map[string]int{}
	for _, op := range ops.All() {
		if op.Grad == nil && op.Expand == nil || op.IsInplace() || op.Draws || partial[op.Name()] != "" {
			continue
		}
		for i, s := range op.Samples() {
			t.Run(op.Name(), func(t *testing.T) {
				switch agrees, err := checkSecondGradient(t, op, s, uint64(i)); {
				case err != nil && once[op.Name()] == "":
					t.Error(err)
				case err != nil:
					refused[op.Name()] = true
				case agrees:
					checked[op.Name()]++
					samples++
				}
			})
		}
	}
	t.Logf("second derivatives of %d operators agree with differences, in %d samples; %d operators refuse", len(checked), samples, len(refused))
	require.Greater(t, len(checked), 300)
}

// checkSecondGradient reports whether there was a second derivative to check. The error says why there is none.
func checkSecondGradient(t *testing.T, op *ops.Op, s ops.Sample, seed uint64) (checked bool, err error) {
	args, tensors := sampleTensors(s, seed+3, true)
	given, inputs := differentiated(t, op, args, tensors)
	// first is the gradients at some place; the gradient of an input that no result depends on is nil.
	first := func(at []*tensor.Tensor, options ...tensor.GradOption) []*tensor.Tensor {
		var outs, cots []*tensor.Tensor
		for i, y := range tensor.Call(op.Name(), replaced(args, given, at)...) {
			if y.DType() == dtype.C128 {
				y = tensor.Call("view_as_real", y)[0]
			}
			carries := carrying[op.Name()] == nil || slices.Contains(carrying[op.Name()], i)
			if y.NeedsGrad() && y.DType() == dtype.F64 && carries {
				outs, cots = append(outs, y), append(cots, weights(y, i))
			}
		}
		if len(outs) == 0 {
			return nil
		}
		return tensor.Grad(outs, at, cots, options...)
	}
	var second []*tensor.Tensor
	var sum *tensor.Tensor
	leaves := make([]*tensor.Tensor, len(inputs))
	for i, x := range inputs {
		leaves[i] = tensor.FromBuffer(buffer(t, x)).RequiresGrad()
	}
	err = tensor.Try(func() {
		for i, g := range first(leaves, tensor.CreateGraph) {
			if g == nil || !g.NeedsGrad() {
				continue
			}
			part := g.Mul(weights(g, i+23)).Sum()
			if sum == nil {
				sum = part
			} else {
				sum = sum.Add(part)
			}
		}
		if sum != nil {
			second = tensor.Grad([]*tensor.Tensor{sum}, leaves, nil)
		}
	})
	// A gradient that depends on no input has the second derivative 0, which the differences must show.
	var independent *ops.ArgError
	if errors.As(err, &independent) && strings.Contains(independent.Detail, "no output depends on any of the inputs") {
		err = nil
	}
	if err != nil {
		return false, err
	}
	if first(leaves) == nil {
		return false, nil
	}
	got, step := 0.0, 1e-5
	at := func(step float64) float64 {
		moved := make([]*tensor.Tensor, len(inputs))
		for i, x := range inputs {
			moved[i] = x.Add(weights(x, i+11).MulScalar(step)).RequiresGrad()
		}
		sum := 0.0
		for i, g := range first(moved) {
			if g != nil {
				sum += dot(g, weights(g, i+23))
			}
		}
		return sum
	}
	for i, g := range second {
		if g != nil {
			got += dot(g, weights(inputs[i], i+11))
		}
	}
	want := (at(step) - at(-step)) / (2 * step)
	require.InDelta(t, want, got, 1e-5*(1+math.Abs(want)))
	return true, nil
}
