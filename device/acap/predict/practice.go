package predict

import (
	"math"

	"github.com/go-acap/acap/device/acap/machine"
	"github.com/go-acap/acap/device/acap/mapping"
	"github.com/go-acap/acap/device/acap/timing"
	"github.com/go-acap/acap/device/acap/workload"
)

// The mappings that programs of whole models are made with by the people who publish their
// times: those of the kernels that they publish alone.

// convertedApart is the multiply-accumulates from which on a product's sums are converted by
// a launch of their own rather than in the cores.
const convertedApart = 4e9

// wholeArray returns the row's product as the builders of those programs make it: 8 × 4
// cores, the fastest of the tiles that divide the matrices, sums converted by their rule.
func (r *Row) wholeArray(m *machine.Machine) (*subject, error) {
	s, err := r.contraction()
	if err != nil {
		return nil, err
	}
	c := &s.kernel.Contraction
	style, tm := "drain", 32
	if float64(c.M)*float64(c.N)*float64(c.K) >= convertedApart {
		style, tm = "fused-cast", 64
	}
	// Where no tiles divide the matrices, these are padded to some.
	for _, padded := range [...]bool{false, true} {
		if r.tiled(m, s, style, tm, padded); s.mapped {
			return s, nil
		}
	}
	if s.mapping, err = r.ours(m, s); err != nil { // a machine without such kernels
		return nil, err
	}
	s.mapped = true
	return s, nil
}

// tiled maps a product in the fastest of the tiles that divide the matrices, or of all if these are padded.
func (r *Row) tiled(m *machine.Machine, s *subject, style string, most int, padded bool) {
	c, best := &s.kernel.Contraction, math.Inf(1)
	for tm := most; tm >= 8; tm /= 2 {
		for _, tn := range [...]int{128, 96, 64, 32, 16} {
			for _, slice := range [...]int{256, 128, 64, 32} {
				g := mapping.Mapping{Kind: workload.KindContraction, Cols: m.Grid.Cols, Rows: m.Grid.CoreRows,
					PartsM: m.Grid.Cols, PartsN: m.Grid.CoreRows, Cascade: 1, StageM: 1, StageN: 1, Depth: 2,
					OutDepth: 1, TM: tm, TN: tn, TK: 32, KL2: slice, Style: style}
				if !padded && (c.M%(g.PartsM*g.TM) != 0 || c.N%(g.PartsN*g.TN) != 0 || c.K%slice != 0) {
					continue
				}
				t, err := timing.Estimate(m, &s.kernel, g)
				if err == nil && t.Seconds < best {
					best, s.mapping, s.mapped = t.Seconds, g, true
				}
			}
		}
	}
}

// rowTiles returns the matrix rows of a core's tile in a product with a vector: the largest power of two up to 16 that
// divides the rows among the columns and whose tiles fit into a mem tile.
func rowTiles(m *machine.Machine, rows, k int) int {
	tile := 16
	for tile > 1 && (m.Grid.Cols*tile*(2*k+2) > m.Mem.Memory.Int() || rows%(m.Grid.Cols*tile) != 0) {
		tile /= 2
	}
	return tile
}
