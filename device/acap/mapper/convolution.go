package mapper

import (
	"slices"

	"github.com/go-acap/acap/device/acap/mapping"
	"github.com/go-acap/acap/device/acap/timing"
	"github.com/go-acap/acap/device/acap/workload"
)

// convolution enumerates the tilings of a convolution whose strips of input remain
// in mem tiles: output rows and columns of a tile, filters, and the width of the
// windows.
func (s *search) convolution(conv *workload.Convolution, c *workload.Contraction) {
	p := s.newProduct(c)
	p.grids(func(style string) {
		for _, shape := range s.fitting() {
			grid := mapping.Mapping{Style: style, Cols: shape[0], Rows: shape[1], Cascade: 1}
			p.orient(grid, conv.OutH(), up(c.N, p.nn), func(g mapping.Mapping) {
				p.positions(g, conv)
			})
		}
	})
}

// positions tries tiles of output positions: whole rows as many as fit, or parts
// of one row. Whole rows that are no blocks of the matrix instruction leave less of it idle, several
// together, than each by itself.
func (p *product) positions(g mapping.Mapping, conv *workload.Convolution) {
	const most = 256
	widths := multiples(min(p.mm, conv.OutW()), conv.OutW(), most, p.full)
	if w := conv.OutW(); w <= most && !slices.Contains(widths, w) {
		widths = append(widths, w)
	}
	for _, cols := range widths {
		g.OutCols = cols
		for _, rows := range multiples(1, up(conv.OutH(), g.PartsM), max(1, most/cols), p.full) {
			g.OutRows, g.TM = rows, rows*cols
			for _, tn := range multiples(p.nn, up(p.c.N, g.PartsN), most, p.full) {
				g.TN = tn
				if p.gainless(p.floor(&g)) {
					p.pruned++
					continue
				}
				for g.OutDepth = 2; g.OutDepth >= 1; g.OutDepth-- {
					p.windows(g, conv)
				}
			}
		}
	}
}

// windows tries the tiles of channels in which a strip comes, and the widths of a window.
func (p *product) windows(g mapping.Mapping, conv *workload.Convolution) {
	left := p.core - p.output(&g)
	unit := p.operands(&g, p.kk)
	if left < unit {
		g.TK = p.kk
		p.reject(&g, coreMemory, p.core-left+unit, p.core)
		return
	}
	const fewest = 16 // channels of a tile of channels
	channels := conv.C / conv.Groups
	for g.ChannelTiles = 1; g.ChannelTiles == 1 || channels/g.ChannelTiles >= fewest; g.ChannelTiles *= 2 {
		span, tried := up(channels, g.ChannelTiles), 0
		if conv.DilationW == 1 {
			span *= conv.S
		}
		for _, tk := range multiples(p.kk, span, left/unit*p.kk, p.full) {
			g.TK, g.KL2 = tk, tk
			if p.fitsStrip(&g, conv) {
				p.offer(g)
				tried++
			}
			if !p.full && tried == 2 {
				break
			}
		}
	}
}

// fitsStrip checks mem tiles and descriptors: every window of a strip is a
// descriptor for each of its buffers.
func (p *product) fitsStrip(g *mapping.Mapping, conv *workload.Convolution) bool {
	if !p.model.Parts(g) {
		p.reject(g, parts, 2, 1)
		return false
	}
	patch := mapping.PatchOf(conv, g)
	_, joined := timing.Joined(p.machine, g)
	fanOutA, fanOutB := g.FanOuts()
	if !p.stages(g, g.Depth*fanOutA*patch.Strip()*p.c.A.DType.Size(), g.Depth*p.tileB(g.TK, fanOutB*g.TN),
		2*joined*g.TM*g.TN*p.sizeOut) {
		return false
	}
	// Even and odd channels of a mem tile have half of the descriptors each; a
	// strip's channel in takes two for each part, a stream of weights two each way.
	half := p.memBDs / p.memRows / 2
	if n := g.Depth*(patch.Windows*up(fanOutA, 2)+fanOutA-1) + 4 + 2*joined; n > half {
		p.reject(g, descriptors, n, half)
		return false
	}
	if n := max(g.OutCols, conv.R, g.OutRows, p.tileA(1, g.TK)/4); n > p.wrap || g.ChannelTiles > 1 && patch.InCols > p.wrap {
		p.reject(g, descriptorSize, n, p.wrap)
		return false
	}
	return true
}
