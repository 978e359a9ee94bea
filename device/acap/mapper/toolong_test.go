package mapper_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/go-acap/acap/base/dtype"
	"github.com/go-acap/acap/device/acap/machine"
	"github.com/go-acap/acap/device/acap/mapper"
	"github.com/go-acap/acap/device/acap/program/build"
	"github.com/go-acap/acap/device/acap/workload"
)

// TestTooLong: a kernel whose cores see a large table again and again has a time, and a program that says that it is
// too long; one with a smaller table has its program.
func TestTooLong(t *testing.T) {
	m, err := machine.Preset("npu1")
	require.NoError(t, err)
	gather := func(elements int64, table int) *workload.Kernel {
		index := workload.Stream{DType: dtype.I32, Elements: elements}
		return &workload.Kernel{Name: "gather", Kind: workload.KindPointwise, Pointwise: workload.Pointwise{Elements: elements,
			DType: dtype.F32, In: []workload.Stream{index, {DType: dtype.F32, Elements: 1, Table: table, Reads: 1, Rounds: 1}},
			Out: []workload.Stream{{DType: dtype.F32, Elements: elements}}, Ops: workload.Mix{Simple: 1}}}
	}
	for table, long := range map[int]bool{1 << 24: true, 1 << 15: false} {
		c, err := mapper.Map(m, gather(1<<26, table))
		require.NoError(t, err)
		require.Positive(t, c.Timing.Seconds)
		require.NoError(t, c.Verify())
		_, err = c.Program()
		if long {
			require.ErrorIs(t, err, build.ErrTooLong)
			require.ErrorContains(t, err, "pieces of tables pass by each core")
			continue
		}
		require.NoError(t, err)
	}
}
