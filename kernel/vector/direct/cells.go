package direct

import (
	"unsafe"

	"github.com/go-acap/acap/base/dtype"
	"github.com/go-acap/acap/kernel"
	"github.com/go-acap/acap/kernel/cpu"
)

// cellBytes is how many bytes VPDPBUSD multiplies and sums into one sum of 32 bits.
const cellBytes = 4

// cells says how a convolution of u8 with i8 is summed four products at a time. A cell is four bytes
// of the image that lie side by side, and moves as one element of f32 would.
type cells struct {
	order cellOrder
	depth int // rounds over channels in a group
	taps  int // cells of a filter row in such a round
	row   int // bytes of a filter row in such a round
}

// cellOrder says which elements lie side by side in an image.
type cellOrder uint8

const (
	channelsInCells cellOrder = iota // four channels of a pixel; a tap is a column
	pixelsInCells                    // all channels of the columns of a filter row, without gaps
	columnsInCells                   // the columns of a filter row, in one channel
)

// inCells returns how c is summed by cells, if it can be.
func inCells(c *kernel.Convolution, f cpu.Features) (*cells, bool) {
	if c.X.DType != dtype.U8 || c.Filter.DType != dtype.I8 || c.Acc != dtype.I32 || !f.VNNI || c.S == 0 || c.C == 0 {
		return nil, false
	}
	in, dense := c.C/c.Groups, c.Dilation[1] == 1 || c.S == 1
	switch x := c.X.Strides; {
	case x[1] == 1 && in%cellBytes == 0:
		return &cells{channelsInCells, in / cellBytes, c.S, c.S * in}, true
	case x[1] == 1 && x[3] == c.C && c.Groups == 1 && dense:
		row := c.S * in
		return &cells{pixelsInCells, 1, kernel.Pieces(row, cellBytes), row}, true
	case x[3] == 1 && dense:
		return &cells{columnsInCells, in, kernel.Pieces(c.S, cellBytes), c.S}, true
	}
	return nil, false
}

// steps returns the bytes between rounds over channels and between cells of a filter row.
func (c *cells) steps(p *plan) (channel, tap int) {
	switch c.order {
	case channelsInCells:
		return cellBytes, p.Dilation[1] * p.X.Strides[3]
	case pixelsInCells:
		return 0, cellBytes
	}
	return p.X.Strides[1], cellBytes
}

// back returns how many bytes the last cell of a filter row moves back, so that it ends where the row
// does. The elements that it then shares with the cell before have zeros as filters.
func (c *cells) back() int {
	if c.order == channelsInCells || c.row < cellBytes || c.taps > unrolledColumns {
		return 0
	}
	return c.taps*cellBytes - c.row
}

// beyond returns how many bytes the cells of the last filter row reach beyond it.
func (c *cells) beyond() int {
	if c.order == channelsInCells {
		return 0
	}
	return c.taps*cellBytes - c.row - c.back()
}

// tapOffset returns the bytes from the first tap of a filter row to tap s.
func (p *plan) tapOffset(s int) int {
	at := s * p.tap * p.elem
	if p.cells != nil && s == p.taps-1 {
		at -= p.cells.back()
	}
	return at
}

// wholeColumns reports whether all columns of a filter row are inside the image.
func (p *plan) wholeColumns() bool { return p.cells != nil && p.cells.order != channelsInCells }

// at returns the channel of the group and the filter column of byte b of tap s in a round over
// channels; ok is false for bytes that no filter multiplies.
func (c *cells) at(round, s, b int, g *kernel.Convolution) (channel, column int, ok bool) {
	if c.order == channelsInCells {
		return round*cellBytes + b, s, true
	}
	i := s*cellBytes + b
	if s == c.taps-1 {
		if i -= c.back(); i < s*cellBytes {
			return 0, 0, false
		}
	}
	if i >= c.row {
		return 0, 0, false
	}
	if c.order == columnsInCells {
		return round, i, true
	}
	return i % g.C, i / g.C, true
}

// packCells packs a panel of filters of bytes: for each round over channels, filter row and tap, a
// vector of cells over the output channels.
func (g *code) packCells(dst, src unsafe.Pointer, index int) {
	out := unsafe.Slice((*int8)(unsafe.Add(dst, index*g.panel)), g.panel)
	clear(out)
	in := index % g.panels * g.width()
	st := g.Filter.Strides
	first := g.Filter.Offset + (index/g.panels*g.perGroup+in)*st[0]
	count := min(g.width(), g.perGroup-in)
	i := 0
	for round := range g.depth {
		for r := range g.R {
			for s := range g.taps {
				for b := range cellBytes {
					channel, column, ok := g.cells.at(round, s, b, g.Convolution)
					if !ok {
						continue
					}
					from := first + channel*st[1] + r*st[2] + column*st[3]
					for k := range count {
						out[i+k*cellBytes+b] = *(*int8)(unsafe.Add(src, from+k*st[0]))
					}
				}
				i += g.width() * cellBytes
			}
		}
	}
}
