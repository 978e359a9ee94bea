package describe_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/go-acap/acap/base/dtype"
	"github.com/go-acap/acap/base/shape"
	"github.com/go-acap/acap/device/acap/describe"
	"github.com/go-acap/acap/device/acap/workload"
	"github.com/go-acap/acap/kernel"
)

// TestInPlace: a slice that is put into an array moves alone where the array is there; several slices, sums, and slices
// that are no run of whole words are scattered.
func TestInPlace(t *testing.T) {
	port := func(d dtype.DType, extents []int, write bool) kernel.Port {
		return kernel.Port{DType: d, Len: shape.Size(extents), Write: write}
	}
	scatter := func(d dtype.DType, fold kernel.FoldKind, axis int, into, updates, index []int) *kernel.Scatter {
		return &kernel.Scatter{Name: "scatter", Fold: fold, Axis: axis, Extents: updates, IndexExtents: index, IntoExtents: into,
			Updates: port(d, updates, false), Index: port(dtype.I64, index, false), Into: port(d, into, false), Result: port(d, into, true)}
	}
	one := []int{1, 1, 1}
	for name, c := range map[string]struct {
		kernel *kernel.Scatter
		moves  int64 // elements, 0 for a scatter
	}{
		"y[t]":          {scatter(dtype.F32, kernel.FoldAssign, 0, []int{32, 8, 5}, []int{1, 8, 5}, one), 40},
		"y[0, t]":       {scatter(dtype.F32, kernel.FoldAssign, 1, []int{32, 8, 5}, []int{1, 1, 5}, one), 5},
		"whole words":   {scatter(dtype.BF16, kernel.FoldAssign, 0, []int{32, 8, 5}, []int{1, 8, 5}, one), 40},
		"a half word":   {scatter(dtype.BF16, kernel.FoldAssign, 0, []int{32, 5, 5}, []int{1, 5, 5}, one), 0},
		"a sum":         {scatter(dtype.F32, kernel.FoldAdd, 0, []int{32, 8, 5}, []int{1, 8, 5}, one), 0},
		"two":           {scatter(dtype.F32, kernel.FoldAssign, 0, []int{32, 8, 5}, []int{2, 8, 5}, []int{2, 1, 1}), 0},
		"of many rows":  {scatter(dtype.F32, kernel.FoldAssign, 1, []int{32, 8, 5}, []int{32, 1, 5}, one), 0},
		"part of a row": {scatter(dtype.F32, kernel.FoldAssign, 0, []int{32, 8, 5}, []int{1, 7, 5}, one), 0},
	} {
		require.NoError(t, kernel.Verify(c.kernel), name)
		w, err := describe.InPlace("k", c.kernel)
		require.NoError(t, err, name)
		require.Equal(t, c.moves > 0, w.Kind == workload.KindMove, name)
		require.Equal(t, c.moves, w.Move.Elements, name)
		if c.moves > 0 {
			require.Equal(t, c.moves*int64(c.kernel.Into.DType.Size()), w.Inputs()[0].Bytes())
		}
		copied, err := describe.Kernel("k", c.kernel)
		require.NoError(t, err, name)
		require.Equal(t, workload.KindNormalize, copied.Kind, "%s: without its memory it is copied", name)
	}
}
