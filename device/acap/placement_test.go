package acap_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/go-acap/acap/device/acap/machine"
	"github.com/go-acap/acap/device/acap/report"
)

// TestPlaceWithoutMemTiles places kernels of a model beside each other, each with its code in its own cores, also on
// arrays that have no mem tiles: no core is loaded in a run, which is shorter than with all of them in one place, and
// every program is one that the array can hold where it is placed.
func TestPlaceWithoutMemTiles(t *testing.T) {
	for _, name := range []string{"vck190", "vck5000", "vek280"} {
		m, err := machine.Preset(name)
		require.NoError(t, err)
		r := reportOf(t, m, blocks(2, 16, 2, 32))
		require.Positive(t, r.Placed, name)
		places := make(map[machine.Coord]bool)
		for i := range r.Kernels {
			k := &r.Kernels[i]
			places[machine.Coord{Col: k.Mapping.Col, Row: k.Mapping.Row}] = true
			require.NoError(t, k.Choice.Verify(), "%s: %s", name, k.Layout)
		}
		require.Greater(t, len(places), 1, name)
		for _, p := range report.Programs(r.Kernels) {
			for i, cores := range p.Loads(m) {
				require.Zero(t, cores, "%s: before launch %d", name, i)
			}
		}
		together := r.Total().Seconds
		for i := range r.Kernels {
			r.Kernels[i].Mapping.Col, r.Kernels[i].Mapping.Row = 0, 0
		}
		require.Greater(t, r.Total().Seconds, together, name)
	}
}
