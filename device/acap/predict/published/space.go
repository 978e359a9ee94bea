package published

import (
	"fmt"

	"github.com/go-acap/acap/device/acap/machine"
	"github.com/go-acap/acap/device/acap/mapping"
	"github.com/go-acap/acap/device/acap/workload"
)

// least returns the bytes of a core's memory that a mapping takes at least, however its kernel is written: one
// buffer of every operand's tile and of the tile of results, which may lie where sums or other operands were.
func least(w *workload.Kernel, g *mapping.Mapping) int {
	switch w.Kind {
	case workload.KindContraction:
		c := &w.Contraction
		if c.N == 1 && g.TK >= c.K { // a matrix by a vector; kernels take whole rows
			return c.A.Bytes(g.TK, 1) + c.B.Bytes(g.TK, 1)
		}
		return c.A.Bytes(g.TK, g.TM) + c.B.Bytes(g.TK, g.TN) + g.TM*g.TN*min(c.Out.Size(), c.Acc.Size())
	case workload.KindPointwise:
		bytes := 0
		for _, s := range w.Pointwise.In {
			bytes += g.Tile * s.DType.Size()
		}
		return bytes
	case workload.KindNormalize:
		n := &w.Normalize
		bytes := 0
		for _, s := range n.In {
			rows := g.Tile
			if s.Elements <= int64(n.Cols) { // parameters
				rows = 1
			}
			bytes += rows * n.Cols * s.DType.Size()
		}
		return bytes
	case workload.KindAttention: // queries, keys or values, and results
		a := &w.Attention
		return (g.Tile*(a.D+a.DV) + g.TK*min(a.D, a.DV)) * a.DType.Size()
	}
	return 0
}

// Fits refuses a mapping whose tiles no core or no mem tile has space for.
func Fits(m *machine.Machine, w *workload.Kernel, g *mapping.Mapping) error {
	if need, space := least(w, g), m.Core.Memory.Int(); need > space {
		return fmt.Errorf("tiles of %v take %d bytes of a core at least, which has %d", *g, need, space)
	}
	c := &w.Contraction
	if need, space := c.A.Bytes(g.TK, g.TM), m.Mem.Memory.Int(); m.Grid.MemRows > 0 && need > space {
		return fmt.Errorf("tiles of %v take %d bytes of a mem tile at least, which has %d", *g, need, space)
	}
	if g.TK > 0 && g.KL2%g.TK != 0 {
		return fmt.Errorf("a slice of %d of K is no whole number of tiles of %d", g.KL2, g.TK)
	}
	return nil
}
