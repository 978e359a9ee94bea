package portable

import (
	"math"
	"testing"

	"github.com/stretchr/testify/require"
	"github.com/x448/float16"
)

// TestHalfToFloat32 compares all numbers of 16 bits.
func TestHalfToFloat32(t *testing.T) {
	for h := range 1 << 16 {
		want, got := float16.Float16(h).Float32(), halfToFloat32(uint16(h))
		if want != want {
			require.True(t, got != got, "%#x", h)
			continue
		}
		require.Equal(t, math.Float32bits(want), math.Float32bits(got), "%#x", h)
	}
}
