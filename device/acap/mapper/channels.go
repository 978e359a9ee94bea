package mapper

import (
	"github.com/go-acap/acap/device/acap/mapping"
	"github.com/go-acap/acap/device/acap/timing"
)

// channels checks the DMA channels. Every tile row of A and column of B, for
// each core of a cascade, is a stream of its own from outside; outputs
// of a column of cores join.
func (p *product) channels(g *mapping.Mapping) (reason, int, int) {
	interfaces := p.interfaces(g)
	brought, near := g.PartsN*g.Cascade, 0 // streams of B from outside, and from a mem tile's stock
	if g.Stock > 0 {
		brought, near = 0, up(g.PartsN*g.Cascade, g.Cols)
		if near > p.memOut/p.memRows {
			return memTileChannels, near, p.memOut / p.memRows
		}
	}
	perColumn := up(g.PartsM*g.Cascade+brought, interfaces)
	if perColumn > p.shimOut {
		return shimChannels, perColumn, p.shimOut
	}
	if p.memRows == 0 {
		return shimChannels, up(g.PartsM*g.PartsN, interfaces), p.shimIn
	}
	streams, joined := timing.Joined(p.machine, g)
	outputs := up(streams, interfaces)
	if outputs > p.shimIn {
		return shimChannels, outputs, p.shimIn
	}
	if each := p.memIn / p.memRows; g.Out.Row > 0 && g.PartsN > each { // those of a column stay in one mem tile
		return memTileChannels, g.PartsN, each
	}
	if in := perColumn + outputs*joined; in > p.memIn {
		return memTileChannels, in, p.memIn
	}
	return memTileChannels, perColumn + outputs + near, p.memOut
}

// interfaces is the number of interface tiles within reach: those of the
// mapping's columns where every column has one, else all.
func (p *product) interfaces(g *mapping.Mapping) int {
	if p.shimCols == p.machine.Grid.Cols {
		return min(p.shimCols, g.Cols)
	}
	return p.shimCols
}
