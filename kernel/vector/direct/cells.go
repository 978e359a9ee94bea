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

// cellOrder is what lies side by side in an image.
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
		return cellBytes, p.Dilation[1] * p.strides[3]
	case pixelsInCells:
		return 0, cellBytes
	}
	return p.strides[1], cellBytes
}

// back returns how many bytes the last cell of a filter row moves back, so that it ends where the row
// does. What it then shares with the cell before has zeros as filters.
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

// needBorder reports whether the image must be copied: with its border, where cells would lie across it,
// or with a few bytes more.
func (c *cells) needBorder(_ *plan, outside bool) bool {
	return c.order != channelsInCells && outside || c.beyond() > 0
}

// tapOffset returns the bytes from the first tap of a filter row to tap s.
func (p *plan) tapOffset(s int) int {
	at := s * p.tap * p.elem
	if p.cells != nil && s == p.taps-1 {
		at -= p.cells.back()
	}
	return at
}

// beyond returns how many bytes the padded image has at its end that are in no row.
func (p *plan) beyond() int {
	if p.cells == nil {
		return 0
	}
	return p.cells.beyond()
}

// wholeColumns reports whether all columns of a filter row are inside the image that tiles read.
func (p *plan) wholeColumns() bool {
	return p.padded || p.cells != nil && p.cells.order != channelsInCells
}

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

// lines returns how many lines of bytes a padded image is copied by.
func (c *cells) lines(p *plan) int {
	if p.strides[1] == 1 {
		return p.paddedHeight()
	}
	return p.C * p.paddedHeight()
}

// padLine copies a line of an image of bytes with its border: a row of all channels, or one of a
// channel.
func (g *code) padLine(dst, src unsafe.Pointer, line int) {
	height, width, channels := g.paddedHeight(), g.paddedWidth(), g.C
	lines := g.cells.lines(g.plan)
	n, channel, y := line/lines, 0, line%lines
	if g.strides[1] != 1 {
		channel, y, channels = y/height, y%height, 1
	}
	at := n*g.strides[0] + channel*g.strides[1] + y*g.strides[2]
	row := unsafe.Slice((*byte)(unsafe.Add(dst, at)), width*channels)
	left, right := max(0, g.Pad[1]), min(width, g.Pad[1]+g.W)
	if y -= g.Pad[0]; y < 0 || y >= g.H || right <= left {
		clear(row)
		return
	}
	clear(row[:left*channels])
	clear(row[right*channels:])
	st := g.X.Strides
	from := unsafe.Add(src, g.X.Offset+n*st[0]+channel*st[1]+y*st[2]+(left-g.Pad[1])*st[3])
	inside := row[left*channels : right*channels]
	if st[3] == channels {
		copy(inside, unsafe.Slice((*byte)(from), len(inside)))
		return
	}
	for x := range right - left {
		copy(inside[x*channels:][:channels], unsafe.Slice((*byte)(unsafe.Add(from, x*st[3])), channels))
	}
}
