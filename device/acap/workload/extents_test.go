package workload_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/go-acap/acap/base/dtype"
	"github.com/go-acap/acap/device/acap/workload"
)

func TestExtents(t *testing.T) {
	for want, k := range map[string]workload.Kernel{
		"4x8x16 f32":   {Kind: workload.KindContraction, Contraction: workload.Contraction{Batch: 1, M: 4, N: 8, K: 16, Acc: dtype.F32}},
		"2x4x8x16 f32": {Kind: workload.KindContraction, Contraction: workload.Contraction{Batch: 2, M: 4, N: 8, K: 16, Acc: dtype.F32}},
		"100 bf16":     {Kind: workload.KindPointwise, Pointwise: workload.Pointwise{Elements: 100, DType: dtype.BF16}},
		"3x5 f32":      {Kind: workload.KindNormalize, Normalize: workload.Normalize{Rows: 3, Cols: 5, DType: dtype.F32}},
		"7 i32":        {Kind: workload.KindMove, Move: workload.Move{Elements: 7, DType: dtype.I32}},
	} {
		require.Equal(t, want, k.Extents())
	}
}
