package serve

import (
	"testing"

	"github.com/stretchr/testify/require"
)

// TestNormed: what vectors are divided by.
func TestNormed(t *testing.T) {
	for norm, want := range map[int][]float32{-1: {3, -4}, 0: {24570, -32760}, 1: {3. / 7, -4. / 7}, 2: {0.6, -0.8}} {
		v := []float32{3, -4}
		normed(v, norm)
		require.InDeltaSlice(t, want, v, 1e-6, norm)
	}
	v := []float32{0, 0}
	normed(v, 2)
	require.Equal(t, []float32{0, 0}, v)
}
