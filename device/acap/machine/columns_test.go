package machine_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/go-acap/acap/device/acap/machine"
)

// TestColumns parts every array in all ways that there are: the parts have all columns, interface tiles and dead
// cores once, no more of the memory than the whole, and are machines.
func TestColumns(t *testing.T) {
	for _, name := range machine.Names() {
		m, err := machine.Preset(name)
		require.NoError(t, err)
		if m.Systolic != nil {
			continue
		}
		m.Grid.Dead = []machine.Coord{{Col: m.Grid.Cols - 1, Row: m.Grid.CoreRow(0)}}
		ways := 0
		for parts := 1; parts <= len(m.Grid.ShimDMA); parts++ {
			first := m.Grid.Parted(parts)
			require.Equal(t, len(m.Grid.ShimDMA)%parts == 0, first != nil, "%s in %d", name, parts)
			if first == nil {
				continue
			}
			ways++
			require.Len(t, first, parts+1)
			require.Zero(t, first[0])
			require.Equal(t, m.Grid.Cols, first[parts])
			var shims []int
			var dead []machine.Coord
			read, write := 0.0, 0.0
			for i := range parts {
				part, err := m.Columns(first[i], first[i+1]-first[i])
				require.NoError(t, err, "%s in %d", name, parts)
				require.NoError(t, part.Check(), "%s in %d", name, parts)
				require.Len(t, part.Grid.ShimDMA, len(m.Grid.ShimDMA)/parts)
				require.Equal(t, parts > 1, part.Name != m.Name)
				for _, c := range part.Grid.ShimDMA {
					shims = append(shims, first[i]+c)
				}
				for _, c := range part.Grid.Dead {
					dead = append(dead, machine.Coord{Col: first[i] + c.Col, Row: c.Row})
				}
				read, write = read+part.DDR.Read.Value, write+part.DDR.Write.Value
				require.Equal(t, m.DDR.PerShim, part.DDR.PerShim, "an interface tile is what it is")
			}
			require.ElementsMatch(t, m.Grid.ShimDMA, shims)
			require.Equal(t, m.Grid.Dead, dead)
			require.InEpsilon(t, m.DDR.Read.Value, read, 1e-9)
			require.InEpsilon(t, m.DDR.Write.Value, write, 1e-9)
		}
		require.Positive(t, ways, name)
		for _, wrong := range [][2]int{{-1, 2}, {0, 0}, {0, m.Grid.Cols + 1}, {m.Grid.Cols, 1}} {
			_, err := m.Columns(wrong[0], wrong[1])
			require.Error(t, err, "%s %v", name, wrong)
		}
	}
	m, err := machine.Preset("vek280")
	require.NoError(t, err)
	_, err = m.Columns(4, 2)
	require.ErrorContains(t, err, "no interface tile")
}
