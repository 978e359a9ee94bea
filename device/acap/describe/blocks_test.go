package describe

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/go-acap/acap/base/dtype"
	"github.com/go-acap/acap/device/acap/workload"
	"github.com/go-acap/acap/kernel"
)

// TestStoredBlocks: an array keeps weights that are stored in blocks in 4 bits if they have no more than 5, and in 8.
func TestStoredBlocks(t *testing.T) {
	for f, want := range map[dtype.Format]dtype.Format{dtype.Q4_0: dtype.Q4, dtype.Q4_K: dtype.Q4, dtype.MXFP4: dtype.Q4, dtype.IQ2_S: dtype.Q4,
		dtype.Q5_0: dtype.Q8, dtype.Q6_K: dtype.Q8, dtype.Q8_0: dtype.Q8} {
		column, _ := f.RowBytes(256)
		port := kernel.Port{DType: dtype.U8, Format: f, Len: 8 * column, Const: f == dtype.Q8_0}
		c := &kernel.Contraction{M: 1, N: 8, K: 256, Acc: dtype.F32,
			A: kernel.Matrix{Port: kernel.Port{DType: dtype.F32, Len: 256}, Col: 1}, B: kernel.Matrix{Port: port, Row: f.Bytes(), Col: column}}
		var w workload.Kernel
		contraction(&w, c)
		require.Equal(t, want, w.Contraction.B.Format, "%v", f)
		require.Equal(t, dtype.BF16, w.Contraction.B.DType)
		require.Positive(t, w.Contraction.B.Bytes(256, 8))
	}
}
