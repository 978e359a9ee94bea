package beside

import (
	"testing"

	"github.com/stretchr/testify/require"
)

// TestShare: three models want 0.2, 0.7 and 0.9 of the memory. The first gets 0.2, and the others get 0.4 each, for 0.8
// is left for two.
func TestShare(t *testing.T) {
	var tenants []*tenant
	for _, use := range []float64{0.9, 0.2, 0.7} {
		known := map[float64]float64{103.0 / 256: 10 * use} // 0.4 on the grid
		tenants = append(tenants, &tenant{phases: []phase{{seconds: 1, use: use, known: known}}})
	}
	share(tenants)
	require.Equal(t, []float64{9, 1, 7}, []float64{tenants[0].slower, tenants[1].slower, tenants[2].slower})
	share(tenants[1:])
	require.Equal(t, []float64{1, 1}, []float64{tenants[1].slower, tenants[2].slower}, "0.9 of the memory is enough for both")
}
