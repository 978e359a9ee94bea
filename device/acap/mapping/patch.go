package mapping

import "github.com/go-acap/acap/device/acap/workload"

// Patch is how the tile of a convolution is cut out of its input: a strip of
// input rows lies in a mem tile, channels innermost, and is sent to the cores
// window by window. A window is a span of TK elements along a filter row, taken
// at every output position of the tile and for every row of the filter; so the
// contracted dimension is ordered window, filter row, element. Where TK does not
// divide the span, the rest meets zero weights. A strip may come in tiles of channels of its channels,
// one after the other, each with windows of its own, so that cores begin with the first.
type Patch struct {
	Channels       int // of a group, padded to whole words
	ChannelTiles   int // of a strip
	TileChannels   int // channels of each
	InRows, InCols int // of the strip
	Windows        int // of a tile of channels
	chunks         int // windows along a contiguous span
	K              int // contracted dimension, padding included
	// Output positions in whole tiles and blocks.
	OutRows, OutCols int
	BlocksH, BlocksW int // blocks along the height and width of one image
}

// PatchOf returns the patch of a mapped convolution, whose OutRows and OutCols are set.
func PatchOf(c *workload.Convolution, g *Mapping) Patch {
	const word = 4
	size := c.In.Size()
	up := func(a, b int) int { return (a + b - 1) / b }
	var p Patch
	p.ChannelTiles = max(1, g.ChannelTiles)
	p.TileChannels = max(1, up(up(c.C/c.Groups, p.ChannelTiles)*size, word)*word/size)
	p.Channels = p.ChannelTiles * p.TileChannels
	span, spans := c.S*p.TileChannels, 1
	if c.DilationW > 1 {
		span, spans = p.TileChannels, c.S
	}
	p.chunks = up(span, g.TK)
	p.Windows = spans * p.chunks
	p.K = p.ChannelTiles * p.Windows * c.R * g.TK
	p.InRows = (g.OutRows-1)*c.StrideH + (c.R-1)*c.DilationH + 1
	p.InCols = (g.OutCols-1)*c.StrideW + (c.S-1)*c.DilationW + 1 +
		up(p.chunks*g.TK-span, p.TileChannels)
	p.BlocksH, p.BlocksW = up(c.OutH(), g.PartsM*g.OutRows), up(c.OutW(), g.OutCols)
	p.OutRows, p.OutCols = p.BlocksH*g.PartsM*g.OutRows, p.BlocksW*g.OutCols
	return p
}

// Offset returns where window i starts in a tile of channels, in elements.
func (p *Patch) Offset(c *workload.Convolution, g *Mapping, i int) int {
	return i/p.chunks*c.DilationW*p.TileChannels + i%p.chunks*g.TK
}

// Strip returns the elements of a tile of channels of the strip.
func (p *Patch) Strip() int { return p.InRows * p.InCols * p.TileChannels }

// Run returns the elements of a tile of channels that lie side by side in the input.
func (p *Patch) Run() int {
	if p.ChannelTiles > 1 {
		return p.TileChannels
	}
	return p.InCols * p.Channels
}
