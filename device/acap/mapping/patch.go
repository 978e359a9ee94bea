package mapping

import "github.com/go-acap/acap/device/acap/workload"

// Patch is how the tile of a convolution is cut out of its input: a strip of
// input rows lies in a mem tile, channels innermost, and is sent to the cores
// window by window. A window is a span of TK elements along a filter row, taken
// at every output position of the tile and for every row of the filter; so the
// contracted dimension is ordered window, filter row, element. Where TK does not
// divide the span, the rest meets zero weights.
type Patch struct {
	Channels       int // of a group, padded to whole words
	InRows, InCols int // of the strip
	Windows        int
	chunks         int // windows along a contiguous span
	K              int // contracted dimension, padding included
	// Output positions in whole tiles and blocks.
	OutRows, OutCols int
	BlocksH, BlocksW int // blocks along the height and width of one image
}

// PatchOf returns the patch of a mapped convolution, of which OutRows and
// OutCols are set.
func PatchOf(c *workload.Convolution, g *Mapping) Patch {
	const word = 4
	size := c.In.Size()
	up := func(a, b int) int { return (a + b - 1) / b }
	var p Patch
	p.Channels = max(1, up(c.C/c.Groups*size, word)*word/size)
	span, spans := c.S*p.Channels, 1
	if c.DilationW > 1 {
		span, spans = p.Channels, c.S
	}
	p.chunks = up(span, g.TK)
	p.Windows = spans * p.chunks
	p.K = p.Windows * c.R * g.TK
	p.InRows = (g.OutRows-1)*c.StrideH + (c.R-1)*c.DilationH + 1
	p.InCols = (g.OutCols-1)*c.StrideW + (c.S-1)*c.DilationW + 1 +
		up(p.chunks*g.TK-span, p.Channels)
	p.BlocksH, p.BlocksW = up(c.OutH(), g.PartsM*g.OutRows), up(c.OutW(), g.OutCols)
	p.OutRows, p.OutCols = p.BlocksH*g.PartsM*g.OutRows, p.BlocksW*g.OutCols
	return p
}

// Offset returns where window i starts in the strip, in elements.
func (p *Patch) Offset(c *workload.Convolution, g *Mapping, i int) int {
	return i/p.chunks*c.DilationW*p.Channels + i%p.chunks*g.TK
}

// Strip returns the elements of the strip.
func (p *Patch) Strip() int { return p.InRows * p.InCols * p.Channels }
