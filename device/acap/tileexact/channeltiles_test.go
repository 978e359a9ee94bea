package tileexact_test

import (
	"math/rand/v2"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/go-acap/acap/base/dtype"
	"github.com/go-acap/acap/device/acap/mapping"
)

// TestChannelTiles walks convolutions whose strips come in tiles of channels, that divide them or not, of whole words
// or not, with filters apart and steps between windows, and runs the same programs by events.
func TestChannelTiles(t *testing.T) {
	r := rand.New(rand.NewPCG(9, 10))
	for _, c := range []struct {
		machine                           string
		channels, high, window, step, gap int
		channelTiles, tk                  int
		in, acc                           dtype.DType
	}{
		{"npu1", 32, 9, 3, 1, 1, 2, 16, dtype.F32, dtype.F32},
		{"npu1", 40, 8, 3, 2, 1, 4, 8, dtype.I8, dtype.I32},
		{"npu2", 21, 8, 3, 1, 1, 3, 24, dtype.F32, dtype.F32},
		{"npu2", 33, 11, 3, 1, 2, 4, 8, dtype.F32, dtype.F32},
		{"vek280", 37, 10, 2, 1, 1, 3, 40, dtype.BF16, dtype.F32},
		{"vek280", 64, 7, 1, 1, 1, 4, 16, dtype.F32, dtype.F32},
	} {
		k := convolution(c.channels, c.high, 24, c.window, c.step, c.in, c.acc)
		if c.gap > 1 {
			k.Dilation, k.Pad = [2]int{c.gap, c.gap}, [2]int{c.gap * (c.window / 2), c.gap * (c.window / 2)}
		}
		v, _, _ := checkMapped(t, c.machine, k, r, func(g *mapping.Mapping) { g.ChannelTiles, g.TK, g.KL2 = c.channelTiles, c.tk, c.tk })
		require.Equal(t, 2*24*k.P*k.Q, v.Elements)
	}
}
