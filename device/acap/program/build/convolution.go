package build

import (
	"github.com/go-acap/acap/device/acap/mapping"
	"github.com/go-acap/acap/device/acap/program"
	"github.com/go-acap/acap/device/acap/workload"
)

// strips is the left operand of a convolution: a strip of the input for every
// tile of output positions, kept in a mem tile and sent window by window
// ([mapping.Patch]). The input is an array of groups, images, rows, columns and
// channels, padded by the host; weights are ordered as the windows are, and the
// output by groups, images, rows, columns and filters.
type strips struct {
	c     *workload.Convolution
	g     *mapping.Mapping
	patch mapping.Patch
}

func (b *builder) convolution(c *workload.Convolution) {
	if b.mapping.OutRows == 0 || b.machine.Grid.MemRows == 0 {
		// The implicit matrix is formed outside the array.
		b.contraction(c.AsContraction())
		return
	}
	s := &strips{c: c, g: &b.mapping, patch: mapping.PatchOf(c, &b.mapping)}
	b.product(c.AsContraction(), s)
}

// resize sets the extents of the product in whole tiles.
func (s *strips) resize(p *product) {
	p.blocksM = s.c.N * s.patch.BlocksH * s.patch.BlocksW
	p.padM = s.c.N * s.patch.OutRows * s.patch.OutCols
	p.rangeK, p.padK, p.b.slice = s.patch.K, s.patch.K, s.g.TK
}

// extent returns the rows and columns of the padded input of one image.
func (s *strips) extent() (rows, cols int) {
	c, p := s.c, &s.patch
	rows = (p.OutRows-1)*c.StrideH + (c.R-1)*c.DilationH + 1
	// The last strip of a row starts at the last block of columns.
	cols = (p.OutCols-s.g.OutCols)*c.StrideW + p.InCols
	return rows, cols
}

func (s *strips) inputShape() []int {
	rows, cols := s.extent()
	return []int{s.c.Groups, s.c.N, rows, cols, s.patch.Channels}
}

// block splits the number of a block into image, and row and column of blocks.
func (s *strips) block(m int) (image, row, col int) {
	p := &s.patch
	return m / (p.BlocksH * p.BlocksW), m / p.BlocksW % p.BlocksH, m % p.BlocksW
}

// strip returns where the strips of parts of block m lie in the input, from part i on, and their
// rows.
func (s *strips) strip(group, m, i, fanOut int) (offset int, dims []program.Dim) {
	c, g, p := s.c, s.g, &s.patch
	rows, cols := s.extent()
	image, bh, bw := s.block(m)
	row := (bh*g.PartsM + i) * g.OutRows * c.StrideH
	col := bw * g.OutCols * c.StrideW
	offset = (((group*c.N+image)*rows+row)*cols + col) * p.Channels
	next := dim(fanOut, g.OutRows*c.StrideH*cols*p.Channels)
	if p.ChannelTiles > 1 {
		return offset, []program.Dim{dim(p.ChannelTiles, p.TileChannels), next, dim(p.InRows, cols*p.Channels), dim(p.InCols, p.Channels), dim(p.TileChannels, 1)}
	}
	return offset, []program.Dim{next, dim(p.InRows, cols*p.Channels), dim(p.Run(), 1)}
}

// position returns the number of the first output position of part i of block
// m, and the positions of a row.
func (s *strips) position(group, m, i int) (first, row int) {
	g, p := s.g, &s.patch
	image, bh, bw := s.block(m)
	y := (bh*g.PartsM + i) * g.OutRows
	return ((group*s.c.N+image)*p.OutRows+y)*p.OutCols + bw*g.OutCols, p.OutCols
}

// channelTile is the shape of a tile of channels of a strip in a mem tile.
func (s *strips) channelTile() []int {
	return []int{s.patch.InRows, s.patch.InCols, s.patch.TileChannels}
}

// windows is the windows of a tile of channels that are sent.
func (s *strips) windows() (list []program.Window) {
	c, g, patch := s.c, s.g, &s.patch
	line := patch.InCols * patch.TileChannels
	for i := range patch.Windows {
		list = append(list, program.Window{Offset: patch.Offset(c, g, i), Dims: []program.Dim{
			dim(c.R, c.DilationH*line), dim(g.OutRows, c.StrideH*line),
			dim(g.OutCols, c.StrideW*patch.TileChannels), dim(g.TK, 1)}})
	}
	return list
}
