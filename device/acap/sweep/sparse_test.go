package sweep_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/go-acap/acap/base/dtype"
	"github.com/go-acap/acap/device/acap/report"
	"github.com/go-acap/acap/device/acap/sweep"
	"github.com/go-acap/acap/device/acap/workload"
)

// TestSparseOnEach: weights that one machine stores without zeros another stores with them.
func TestSparseOnEach(t *testing.T) {
	c := workload.Contraction{Batch: 1, M: 8, N: 256, K: 512, A: workload.Operand{DType: dtype.BF16},
		B: workload.Operand{DType: dtype.BF16, Constant: true, Format: dtype.Sparse24}, Acc: dtype.F32, Out: dtype.BF16}
	work := &workload.Kernel{Name: "k", Kind: workload.KindContraction, Contraction: c}
	grid, err := sweep.NewGrid([]string{"npu1", "npu2"}, nil)
	require.NoError(t, err)
	var last sweep.Progress
	points, err := grid.Evaluate(0, 2, []report.Kernel{{Name: "k", Work: work}, {Name: "again", Work: work}}, func(p sweep.Progress) { last = p })
	require.NoError(t, err)
	require.Equal(t, sweep.Progress{Machines: 2, Mapped: 2}, last, "a kernel that is there twice is mapped once on each machine")
	for _, p := range points {
		require.Empty(t, p.Error)
	}
	const dense, other = 512 * 256 * 2, 2 * (8*512 + 8*256)
	require.Less(t, points[0].ReadL3, int64(2*(dense*40/64+other)))
	require.GreaterOrEqual(t, points[1].ReadL3, int64(2*dense))
	require.Equal(t, dtype.Sparse24, work.Contraction.B.Format, "the kernels are those of the caller")

	one, err := sweep.Seconds("npu1", []report.Kernel{{Name: "k", Work: work}})
	require.NoError(t, err)
	require.Positive(t, one)
	require.Less(t, one, points[0].Seconds, "one of the two kernels")
	_, err = sweep.Seconds("npu0", nil)
	require.ErrorContains(t, err, "npu0")
	work.Contraction.M = 1 << 40
	_, err = sweep.Seconds("npu1", []report.Kernel{{Name: "huge", Work: work}})
	require.ErrorContains(t, err, "npu1: huge")
}
