package ops_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/go-acap/acap/base/buf"
	"github.com/go-acap/acap/base/dtype"
	"github.com/go-acap/acap/tensor"
)

// TestBagsOtherResults: the results of an embedding bag besides its output agree with PyTorch 2.14 on a CPU: the bag of
// each index, the size of each bag, and the rows that maxima come from.
func TestBagsOtherResults(t *testing.T) {
	for _, c := range []struct {
		op                string
		weight            dtype.DType
		mode              int
		last              bool
		padding           int
		bags, size, extra []int64
	}{
		{"_embedding_bag", dtype.F32, 0, false, -1, []int64{}, []int64{0, 0, 0}, []int64{0, 0, 0}},
		{"_embedding_bag", dtype.F64, 0, false, -1, []int64{0, 0, 2, 2, 2}, []int64{0, 0, 0}, []int64{0, 0, 0}},
		{"_embedding_bag", dtype.F32, 0, false, 3, []int64{0, 0, 2, 2, 2}, []int64{0, 0, 0}, []int64{0, 0, 0}},
		{"_embedding_bag", dtype.F32, 0, true, -1, []int64{}, []int64{0, 0}, []int64{0, 0}},
		{"_embedding_bag_forward_only", dtype.F32, 0, true, -1, []int64{}, []int64{0, 0, 0}, []int64{0, 0, 0}},
		{"_embedding_bag", dtype.F32, 1, false, -1, []int64{0, 0, 2, 2, 2}, []int64{2, 0, 3}, []int64{2, 0, 3}},
		{"_embedding_bag", dtype.F32, 1, true, 3, []int64{0, 0, 1, 1, 1}, []int64{2, 1}, []int64{2, 1}},
		{"_embedding_bag", dtype.F32, 2, false, 3, []int64{0, 0, 2, 2, 2}, []int64{2, 0, 1}, []int64{2, 2, 0, 0, 1, 1}},
	} {
		weight := tensor.Call("to.dtype", tensor.Arange(8).View([]int{4, 2}), c.weight)[0]
		indices := tensor.FromBuffer(buf.From([]int64{0, 2, 1, 3, 3}, 5))
		offsets := tensor.FromBuffer(buf.From([]int64{0, 2, 2}, 3))
		out := tensor.Call(c.op, weight, indices, offsets, false, c.mode, false, nil, c.last, c.padding)
		require.Equal(t, c.bags, out[1].Int64s(), "%+v", c)
		require.Equal(t, c.size, out[2].Int64s(), "%+v", c)
		require.Equal(t, c.extra, out[3].Int64s(), "%+v", c)
	}
}

// TestTrilinearWithoutSums: three tensors are multiplied where no dimension is summed.
func TestTrilinearWithoutSums(t *testing.T) {
	x := tensor.FromBuffer(buf.From([]float32{1, 2, 3, 4}, 2, 2))
	none := []int{}
	require.Equal(t, []float32{1, 8, 27, 64}, tensor.Call("_trilinear", x, x, x, none, none, none, none)[0].Float32s())
}

// TestInterleaveKeepsType: the rows to take have the type of the repeats.
func TestInterleaveKeepsType(t *testing.T) {
	rows := tensor.Call("repeat_interleave.Tensor", tensor.FromBuffer(buf.From([]int32{2, 0, 1}, 3)))[0]
	require.Equal(t, dtype.I32, rows.DType())
	require.Equal(t, []int64{0, 0, 2}, rows.Int64s())
}
