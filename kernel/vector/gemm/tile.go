package gemm

import (
	"github.com/go-acap/acap/kernel"
	"github.com/go-acap/acap/kernel/cpu"
	"github.com/go-acap/acap/kernel/vector"
)

// shape is the size of a register tile: rows of vecs vectors.
type shape struct{ rows, vecs int }

// spares are the registers beside accumulators and a row of B: broadcasts of A in flight.
const spares = 2

// chooseShape returns the tile for a product of m rows and n columns that takes the fewest cycles, tails included, or
// another one that the features' chooser takes. prefer is the number of vectors a row that the layout of B likes best.
func chooseShape(m, n, lanes, prefer int, t *arithmetic, f cpu.Features) shape {
	best, registers := 0, f.Level.VectorRegisters()
	most := 4 + registers/8 // vectors a row
	shapes, costs := make([]shape, 0, most), make([]float64, 0, most)
	for vecs := 1; vecs <= most; vecs++ {
		highest := t.highest(vecs, lanes, registers)
		if highest < 1 || vecs > 1 && (vecs-1)*lanes >= n {
			continue
		}
		if prefer > 1 && vecs == prefer && f.Level == cpu.AVX512 {
			highest = min(highest, []int{24, 24, 12, 8, 6, 5, 4}[vecs])
		}
		tiles := kernel.Pieces(m, highest)
		side := t.side(lanes)
		s := shape{kernel.Pieces(kernel.Pieces(m, tiles), side) * side, vecs}
		cost := s.cost(m, n, lanes, t, f.Level.Core())
		if vecs != prefer {
			cost *= 1.03
		}
		shapes, costs = append(shapes, s), append(costs, cost)
		if cost < costs[best] {
			best = len(costs) - 1
		}
	}
	return shapes[f.Choose(best, costs)]
}

// divide returns how many tiles of some rows have all rows of a tile, and the rows of each other one: one fewer if the
// tiles are to be even, so that none has few rows and waits for its sums, or else what is left.
func (s shape) divide(rows int, even bool) (all, low int) {
	tiles := kernel.Pieces(rows, s.rows)
	if even && tiles*s.rows > rows {
		return rows - tiles*(s.rows-1), s.rows - 1
	}
	return rows / s.rows, rows % s.rows
}

// cost adds up the cycles of all tiles for one step of the sum.
func (s shape) cost(m, n, lanes int, t *arithmetic, core cpu.Core) float64 {
	all, low := s.divide(m, t.byLane == vector.Invalid)
	column := func(vecs int) float64 {
		c := float64(all) * t.cost(s.rows, vecs, lanes, core)
		if low > 0 {
			c += float64(kernel.Pieces(m, s.rows)-all) * t.cost(low, vecs, lanes, core)
		}
		return c
	}
	width := s.vecs * lanes
	c := float64(n/width) * column(s.vecs)
	if tail := n % width; tail > 0 {
		c += column(kernel.Pieces(tail, lanes))
	}
	return c
}
