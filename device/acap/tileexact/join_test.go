package tileexact_test

import (
	"math/rand/v2"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/go-acap/acap/base/dtype"
	"github.com/go-acap/acap/device/acap/machine/machinetest"
	"github.com/go-acap/acap/device/acap/mapping"
	"github.com/go-acap/acap/device/acap/timing"
)

// TestJoins walks products whose columns of cores have more results than a mem tile has channels for, so that they
// leave by several, and runs the same programs by events.
func TestJoins(t *testing.T) {
	r := rand.New(rand.NewPCG(19, 20))
	m := machinetest.Preset(t, "vek280")
	for _, c := range []struct{ cols, partsM, partsN, streams, tiles int }{
		{6, 6, 8, 12, 4}, // rows of cores split N
		{4, 8, 4, 8, 4},  // rows of cores split M
		{5, 5, 6, 5, 6},  // as many as there are channels
		{3, 3, 7, 21, 1}, // no equal parts
	} {
		v, chosen, _ := checkMapped(t, "vek280", product(200, 40, 144, dtype.F32, dtype.F32, dtype.F32), r, func(g *mapping.Mapping) {
			*g = mapping.Mapping{Kind: g.Kind, Style: g.Style, Cols: c.cols, Rows: c.partsM * c.partsN / c.cols, PartsM: c.partsM,
				PartsN: c.partsN, Cascade: 1, TM: 8, TN: 8, TK: 8, KL2: 8, StageM: 1, StageN: 1, Depth: 2, OutDepth: 2}
		})
		require.Equal(t, 200*144, v.Elements)
		streams, tiles := timing.Joined(m, &chosen.Mapping)
		require.Equal(t, c.streams, streams)
		require.Equal(t, c.tiles, tiles)
	}
}
