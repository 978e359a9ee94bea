package network

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/go-acap/acap/base/dtype"
	"github.com/go-acap/acap/llm/cache"
	"github.com/go-acap/acap/tensor"
)

// TestPackedRows: a row of q8_0 has the scale, f16, and the nearest multiples of it, halves away from 0. A row of zeros
// has the scale 0.
func TestPackedRows(t *testing.T) {
	row := make([]float32, 96)
	copy(row, []float32{127, 0.5, -0.5, 1.5, -2.5, 126.49, -126.6, 3})
	row[32], row[33] = -254, 1 // a scale of 2
	bytes := packQ80(tensor.FromSlice(row, 1, 96))
	require.Equal(t, []int{1, 102}, bytes.Shape())
	want := make([]byte, 102)
	copy(want, []byte{0x00, 0x3c, 127, 1, 0xff, 2, 0xfd, 126, 0x81, 3})
	copy(want[34:], []byte{0x00, 0x40, 0x81, 1})
	require.Equal(t, want, tensor.Data[uint8](bytes))
	k := cache.Storage{DType: dtype.U8, Format: dtype.Q8_0}
	require.EqualValues(t, 102+34, k.Bytes(96, 32))
	require.Equal(t, []float32{127, 1, -1, 2, -3, 126, -127, 3}, unpacked(k, bytes).Float32s()[:8])
}
