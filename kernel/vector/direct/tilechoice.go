package direct

import (
	"github.com/go-acap/acap/base/dtype"
	"github.com/go-acap/acap/kernel"
	"github.com/go-acap/acap/kernel/convolution"
)

// shape is the shape of a register tile: rows by columns of pixels, vectors of channels.
type shape struct{ rows, cols, vecs int }

// widestTile bounds the pixels of a row of a tile, and with them the code.
const widestTile = 16

// mostVecs bounds the vectors of channels of a tile.
const mostVecs = 4

// spares are the registers beside accumulators and a row of filters.
const spares = 2

// candidates lists the largest tile of each number of vectors. An image with a border is copied for tiles of several rows,
// which there are only where the sums of one row would wait for their products.
func (p *plan) candidates() (list []shape) {
	core, border := p.features.Level.Core(), convolution.HasBorder(p.Convolution)
	for vecs := 1; vecs <= mostVecs; vecs++ {
		if vecs > 1 && (vecs-1)*p.lanes >= p.perGroup {
			break
		}
		pixels := (p.registers - vecs - spares) / vecs
		cols := kernel.EvenPiece(p.Q, min(pixels, widestTile))
		if p.transposed && cols > p.lanes { // of whole squares, but for the last tile of a row
			cols -= cols % p.lanes
		}
		rows := 1
		if pixels/cols > 1 && p.Q <= cols && (!border || float64(cols*vecs) < core.Products*core.Latency) {
			rows = kernel.EvenPiece(p.P, pixels/cols)
		}
		list = append(list, shape{rows, cols, vecs})
	}
	return list
}

// chooseTile picks the tile that takes the fewest cycles for the whole image, or another one that the features' chooser
// takes. Of tiles that are close the tile of two vectors is taken: with one vector the image is read more often, with
// more than two filters are larger.
func (p *plan) chooseTile() shape {
	const close = 0.98
	shapes, best := p.candidates(), 0
	costs := make([]float64, len(shapes))
	for i, s := range shapes {
		costs[i] = p.cycles(s)
		if costs[i] < costs[best]*close || i == 1 && costs[1]*close <= costs[0] {
			best = i
		}
	}
	return shapes[p.features.Choose(best, costs)]
}

// needsCopy reports whether tiles read a copy of the image: with its border, where tiles have several rows, or a loop over
// filter columns, or cells would lie across the border; as f32, or with a few bytes more behind the image.
func (p *plan) needsCopy() bool {
	border := convolution.HasBorder(p.Convolution)
	switch {
	case border && (p.tileP > 1 || p.S > unrolledColumns):
		return true
	case p.cells == nil:
		return p.X.DType != dtype.F32
	case border && p.cells.order != channelsInCells:
		return true
	}
	end := p.X.Offset + 1
	for i, extent := range [...]int{p.N, p.C, p.H, p.W} {
		end += (extent - 1) * p.X.Strides[i]
	}
	return end+p.cells.beyond() > p.X.Len
}

// cycles returns the cycles that the sums of an image take with tiles of a shape, divided by the
// products of a sum: the end of a tile counts by its share.
func (p *plan) cycles(s shape) float64 {
	steps := float64(p.depth * p.R * p.taps)
	tile := func(rows, cols int) float64 {
		return p.stepCycles(rows, cols, s.vecs) + p.endCycles(rows, cols, s.vecs)/steps
	}
	strip := func(rows int) float64 {
		c := float64(p.Q/s.cols) * tile(rows, s.cols)
		if tail := p.Q % s.cols; tail > 0 {
			c += tile(rows, tail)
		}
		return c
	}
	c := float64(p.P/s.rows) * strip(s.rows)
	if tail := p.P % s.rows; tail > 0 {
		c += strip(tail)
	}
	return c * float64(kernel.Pieces(p.perGroup, s.vecs*p.lanes))
}

// heldColumns is how many filter columns have registers beside the sums of a number of pixels.
func (p *plan) heldColumns(pixels, vecs int) int {
	return min(p.taps, max(1, (p.registers-pixels*vecs-spares)/vecs))
}

// stepCycles returns the cycles of one step of a tile, whose every sum gets a product: what the busiest part of a core
// takes, or as long as a sum waits for its last product. Elements of a row that pixels share are read once for all
// columns held.
func (p *plan) stepCycles(rows, cols, vecs int) float64 {
	core, held := p.features.Level.Core(), p.heldColumns(rows*cols, vecs)
	reads := min(cols*held, (cols-1)*p.Stride[1]+(held-1)*p.Dilation[1]+1)
	products, loads := float64(rows*cols*vecs), float64(rows*reads)/float64(held)+float64(vecs)
	filters, row := 0.0, vecs*p.lanes*f32
	switch panel := p.depth * p.R * p.taps * row; {
	case panel > p.features.L2*3/4: // beside a part of the image
		filters = float64(row) / core.L3Bytes
	case panel > p.features.L1D:
		filters = float64(row) / core.L2Bytes
	}
	return max(products/core.Products, loads/core.Loads, (products+loads)/core.Issue, core.Latency, filters)
}

// endCycles returns the cycles of beginning and ending a tile. Sums are cleared and stored. With pixels in the lanes,
// squares of sums are turned whole, however few pixels a square has, and a square with fewer is stored by a mask.
func (p *plan) endCycles(rows, cols, vecs int) float64 {
	const stored, turned, masked = 1.5, 3, 2 // cycles of a vector
	end := stored * float64(rows*cols*vecs)
	if p.transposed {
		end += float64(turned+masked*min(1, cols%p.lanes)) * float64(rows*kernel.Pieces(cols, p.lanes)*p.lanes*vecs)
	}
	return end
}
