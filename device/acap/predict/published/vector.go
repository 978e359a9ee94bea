package published

import (
	"github.com/go-acap/acap/device/acap/machine"
	"github.com/go-acap/acap/device/acap/mapping"
	"github.com/go-acap/acap/device/acap/workload"
)

// Vector maps a product of a bf16 matrix by a vector as the builders of whole models do: one core a column has tiles of
// whole rows. A core that has no space for a row and the vector has our best mapping. An error is one of [Ours].
func Vector(m *machine.Machine, k *workload.Kernel) (mapping.Mapping, error) {
	c := &k.Contraction
	g := VectorTiles(m.Grid.Cols, rowTiles(m, c.M, c.K), c.K)
	if _, known := m.Compute.Styles[g.Style]; !known || Fits(m, k, &g) != nil {
		return Ours(m, k, 0)
	}
	return g, nil
}

// VectorTiles is the mapping of a product by a vector of k elements to the given number of columns of one core each,
// whose tiles have whole rows of the matrix.
func VectorTiles(cols, rows, k int) mapping.Mapping {
	return mapping.Mapping{Kind: workload.KindContraction, Cascade: 1, StageM: 1, StageN: 1,
		Cols: cols, Rows: 1, PartsM: cols, PartsN: 1, TM: rows, TN: 1, TK: k,
		Depth: 2, OutDepth: 2, Style: "gemv"}
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
