package tensor_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/go-acap/acap/base/dtype"
	"github.com/go-acap/acap/device/acap"
	"github.com/go-acap/acap/tensor"
)

// TestOverlappingWrites: a write that reads what an earlier write left of its rows reads the row that a write between
// them changed, whether the base is in memory or not.
func TestOverlappingWrites(t *testing.T) {
	for _, computed := range []bool{true, false} {
		x := tensor.Zeros(6, 4).To(acap.Device())
		if computed {
			x.Float32s()
		}
		a, b := x.Narrow(0, 2, 3), x.Narrow(0, 0, 3)
		a.AddScalarInPlace(7)
		b.MulScalarInPlace(0).AddScalarInPlace(9)
		a.AddScalarInPlace(1)
		require.Equal(t, []float32{9, 9, 10, 8, 8, 0}, x.Select(1, 0).Float32s())
	}
}

// TestRefusedWrites: a write that visits an element twice, or reads what it has written, has no result that does not
// depend on the order of the work. PyTorch refuses those marked true, and gives what its loops happen to give for the
// others; what reads and writes other elements of a memory goes on.
func TestRefusedWrites(t *testing.T) {
	type T = *tensor.Tensor
	square := func() T { return tensor.Arange(9).ToDtype(dtype.F32).View([]int{3, 3}).To(acap.Device()) }
	const twice, read = "self is a view that has elements more than once", "another operand"
	for name, c := range map[string]struct {
		f     func(x T)
		cause string
	}{
		"expanded":           {func(x T) { x.Narrow(1, 0, 1).Expand([]int{3, 3}).ReLUInPlace() }, twice},                             // true
		"unfolded":           {func(x T) { x.Unfold(0, 2, 1).AddScalarInPlace(1) }, twice},                                           // false
		"part of unfolded":   {func(x T) { x.Unfold(0, 2, 1).Select(2, 0).AddScalarInPlace(1) }, ""},                                 // false
		"strided":            {func(x T) { x.AsStrided([]int{2, 3}, []int{2, 1}).NegInPlace() }, twice},                              // false
		"one number":         {func(x T) { x.Unfold(0, 2, 1).FillScalarInPlace(1) }, ""},                                             // false
		"diagonal":           {func(x T) { x.AddInPlace(x.Diagonal()) }, read},                                                       // false
		"transposed":         {func(x T) { x.MulInPlace(x.T()) }, read},                                                              // true
		"copy of transposed": {func(x T) { x.CopyInPlace(x.T()) }, read},                                                             // true
		"row":                {func(x T) { x.AddInPlace(x.Select(0, 1)) }, read},                                                     // true
		"moved":              {func(x T) { x.Narrow(0, 1, 2).CopyInPlace(x.Narrow(0, 0, 2)) }, read},                                 // true
		"moved columns":      {func(x T) { x.Narrow(1, 1, 2).AddInPlace(x.Narrow(1, 0, 2)) }, read},                                  // false
		"third operand":      {func(x T) { x.AddcmulInPlace(x, x.T()) }, read},                                                       // true
		"rows of own":        {func(x T) { x.IndexAddInPlace(0, tensor.Of([]int64{0}).To(acap.Device()), x.Narrow(0, 2, 1)) }, read}, // true
		"itself":             {func(x T) { x.AddInPlace(x) }, ""},
		"itself again":       {func(x T) { x.AddInPlace(x.View([]int{9}).View([]int{3, 3})) }, ""},
		"next row":           {func(x T) { x.Narrow(0, 0, 1).AddInPlace(x.Narrow(0, 1, 1)) }, ""},
		"next column":        {func(x T) { x.Narrow(1, 0, 1).MulInPlace(x.Narrow(1, 2, 1)) }, ""},
		"every other": {func(x T) {
			x.View([]int{9}).Slice(0, 0, 8, tensor.Step(2)).CopyInPlace(x.View([]int{9}).Slice(0, 1, 9, tensor.Step(2)))
		}, ""},
		"product with itself": {func(x T) { x.AddMMInPlace(x, x.T()) }, ""},
	} {
		err := tensor.Try(func() { c.f(square()) })
		if c.cause == "" {
			require.NoError(t, err, name)
		} else {
			require.ErrorContains(t, err, c.cause, name)
		}
	}
}
