package mapper_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/go-acap/acap/device/acap/mapper"
	"github.com/go-acap/acap/device/acap/workload"
	"github.com/go-acap/acap/tensor/dtype"
)

// TestReachedPeak maps a large product of whole tiles of integers to npu2: it reaches what
// others measured, 38.05 TOPS (E. Taka et al., Striking the Balance, 2025).
func TestReachedPeak(t *testing.T) {
	m, i8 := preset(t, "npu2"), workload.Operand{DType: dtype.I8}
	large := &workload.Kernel{Name: "large", Kind: workload.KindContraction, Contraction: workload.Contraction{
		Batch: 1, M: 15360, N: 16384, K: 16384, A: i8, B: i8, Acc: dtype.I8, Out: dtype.I8}}
	best, err := mapper.Map(m, large)
	require.NoError(t, err)
	require.Greater(t, best.Timing.OpsPerSecond, 38.05e12)
}
