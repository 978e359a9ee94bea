package published

import (
	"math"

	"github.com/go-acap/acap/device/acap/machine"
	"github.com/go-acap/acap/device/acap/mapping"
	"github.com/go-acap/acap/device/acap/timing"
	"github.com/go-acap/acap/device/acap/workload"
)

// convertedApart is the multiply-accumulates from which on a product's sums are converted by
// a launch of their own rather than in the cores.
const convertedApart = 4e9

// Product maps a product of two matrices as the builders of whole models do: on all cores, in the fastest of the tiles
// that divide the matrices, with sums that are converted by the builders' rule. Where no tiles divide the matrices,
// these are padded to some. A machine without such kernels has our best mapping. An error is one of [Ours].
func Product(m *machine.Machine, k *workload.Kernel) (mapping.Mapping, error) {
	c := &k.Contraction
	style, tm := "drain", 32
	if float64(c.M)*float64(c.N)*float64(c.K) >= convertedApart {
		style, tm = "fused-cast", 64
	}
	for _, padded := range [...]bool{false, true} {
		if g, ok := tiled(m, k, style, tm, padded); ok {
			return g, nil
		}
	}
	return Ours(m, k, 0)
}

// tiled maps a product in the fastest of the tiles that divide the matrices, or of all if these are padded. It returns
// false where no tile fits. most is the largest tile of rows.
func tiled(m *machine.Machine, k *workload.Kernel, style string, most int, padded bool) (best mapping.Mapping, found bool) {
	c, seconds := &k.Contraction, math.Inf(1)
	for tm := most; tm >= 8; tm /= 2 {
		for _, tn := range [...]int{128, 96, 64, 32, 16} {
			for _, slice := range [...]int{256, 128, 64, 32} {
				g := mapping.Mapping{Kind: workload.KindContraction, Cols: m.Grid.Cols, Rows: m.Grid.CoreRows,
					PartsM: m.Grid.Cols, PartsN: m.Grid.CoreRows, Cascade: 1, StageM: 1, StageN: 1, Depth: 2,
					OutDepth: 1, TM: tm, TN: tn, TK: 32, KL2: slice, Style: style}
				if !padded && (c.M%(g.PartsM*g.TM) != 0 || c.N%(g.PartsN*g.TN) != 0 || c.K%slice != 0) {
					continue
				}
				t, err := timing.Estimate(m, k, g)
				if err == nil && t.Seconds < seconds {
					best, found, seconds = g, true, t.Seconds
				}
			}
		}
	}
	return best, found
}
