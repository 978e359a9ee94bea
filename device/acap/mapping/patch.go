package mapping

import "github.com/go-acap/acap/device/acap/workload"

// Patch is how the tile of a convolution is cut out of its input: a strip of
// input rows lies in a mem tile, channels innermost, and is sent to the cores
// window by window. A window is a span of TK elements along a filter row, taken
// at every output position of the tile and for every row of the filter; so the
// contracted dimension is ordered window, filter row, element. Where TK does not
// divide the span, the rest meets zero weights. A strip may come in slabs of its channels,
// one after the other, each with windows of its own, so that cores begin with the first.
type Patch struct {
	Channels       int // of a group, padded to whole words
	Slabs          int // of a strip
	Slab           int // channels of each
	InRows, InCols int // of the strip
	Windows        int // of a slab
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
	p.Slabs = max(1, g.Slabs)
	p.Slab = max(1, up(up(c.C/c.Groups, p.Slabs)*size, word)*word/size)
	p.Channels = p.Slabs * p.Slab
	span, spans := c.S*p.Slab, 1
	if c.DilationW > 1 {
		span, spans = p.Slab, c.S
	}
	p.chunks = up(span, g.TK)
	p.Windows = spans * p.chunks
	p.K = p.Slabs * p.Windows * c.R * g.TK
	p.InRows = (g.OutRows-1)*c.StrideH + (c.R-1)*c.DilationH + 1
	p.InCols = (g.OutCols-1)*c.StrideW + (c.S-1)*c.DilationW + 1 +
		up(p.chunks*g.TK-span, p.Slab)
	p.BlocksH, p.BlocksW = up(c.OutH(), g.PartsM*g.OutRows), up(c.OutW(), g.OutCols)
	p.OutRows, p.OutCols = p.BlocksH*g.PartsM*g.OutRows, p.BlocksW*g.OutCols
	return p
}

// Offset returns where window i starts in a slab, in elements.
func (p *Patch) Offset(c *workload.Convolution, g *Mapping, i int) int {
	return i/p.chunks*c.DilationW*p.Slab + i%p.chunks*g.TK
}

// Strip returns the elements of a slab of the strip.
func (p *Patch) Strip() int { return p.InRows * p.InCols * p.Slab }

// Run returns the elements of a slab that lie side by side in the input.
func (p *Patch) Run() int {
	if p.Slabs > 1 {
		return p.Slab
	}
	return p.InCols * p.Channels
}
