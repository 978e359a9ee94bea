package tensor_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/go-acap/acap/device/acap"
	"github.com/go-acap/acap/tensor"
)

// TestOverlappingWrites: a write that reads what an earlier write left of its rows reads the row that a write between them
// changed, whether the base is in memory or not.
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
