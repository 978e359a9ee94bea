package mapper

import (
	"github.com/go-acap/acap/device/acap/mapping"
	"github.com/go-acap/acap/device/acap/timing"
	"github.com/go-acap/acap/device/acap/workload"
)

// grids tries all grids of cores of every style: first the grids whose streams need one channel each, then larger grids
// whose channels carry several streams.
func (p *product) grids(try func(style string)) {
	for _, p.fanOut = range []bool{false, true} {
		for _, style := range p.styles() {
			try(style)
		}
	}
}

// streams sets on how many streams A and B come, and reports whether there are channels for them.
func (p *product) streams(g *mapping.Mapping) bool {
	g.FanOutA, g.FanOutB = 0, 0
	switch r, need, limit := p.channels(g); {
	case need <= limit:
		p.most = max(p.most, g.Cores())
		return !p.fanOut
	case !p.fanOut:
		p.reject(g, r, need, limit)
		return false
	}
	return p.memRows > 0 && g.Cores() > p.most && p.join(g)
}

// join lets as few parts share a stream as there are channels for, of operands from outside, and if possible not of
// that which brings arrays for the epilogue, too.
func (p *product) join(g *mapping.Mapping) bool {
	mostA, mostB := p.memOut/p.memRows, p.memOut/p.memRows
	if g.In.Row > 0 {
		mostA = 1
	}
	if g.Resident > 0 {
		mostB = 1
	}
	if p.addsToA {
		a, b := 1, mostB
		if p.kernel.Kind == workload.KindConvolution || g.In.Row > 0 {
			a, b = mostA, 1
		}
		if p.joinUpTo(g, a, b) {
			return true
		}
	}
	return p.joinUpTo(g, mostA, mostB)
}

// joinUpTo does so with at most mostA parts of A and mostB of B.
func (p *product) joinUpTo(g *mapping.Mapping, mostA, mostB int) bool {
	for most := 2; most <= max(mostA, mostB); most++ {
		for least := 1; least <= most; least++ {
			for _, fanOut := range [2][2]int{{least, most}, {most, least}} {
				if fanOut[0] > mostA || fanOut[1] > mostB || g.PartsM%fanOut[0] > 0 || g.PartsN%fanOut[1] > 0 {
					continue
				}
				g.FanOutA, g.FanOutB = fanOut[0], fanOut[1]
				if _, need, limit := p.channels(g); need <= limit {
					return true
				}
			}
		}
	}
	return false
}

// sent is the streams of A and of B from outside: every tile row of A and column of B, for each core of a cascade,
// has one, unless some come as one.
func (p *product) sent(g *mapping.Mapping) (a, b int) {
	fanOutA, fanOutB := g.FanOuts()
	a, b = g.PartsM/fanOutA*g.Cascade, g.PartsN/fanOutB*g.Cascade
	if g.Resident > 0 {
		b = 0
	}
	return a, b
}

// channels checks the DMA channels. Outputs of a column of cores join.
func (p *product) channels(g *mapping.Mapping) (reason, int, int) {
	interfaces := p.interfaces(g)
	near := 0 // streams of B from resident weights
	if g.Resident > 0 {
		near = up(g.PartsN*g.Cascade, g.Cols)
		if near > p.memOut/p.memRows {
			return memTileChannels, near, p.memOut / p.memRows
		}
	}
	a, b := p.sent(g)
	perColumn := up(a+b, interfaces)
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
	if each := p.memIn / p.memRows; g.Out.Row > 0 && g.PartsN > each { // the results of a column remain in one mem tile
		return memTileChannels, g.PartsN, each
	}
	fanOutA, fanOutB := g.FanOuts()
	if p.spread(g) {
		return memTileChannels, max(fanOutA, fanOutB) + near, p.memOut / p.memRows
	}
	if in := perColumn + outputs*joined; in > p.memIn {
		return memTileChannels, in, p.memIn
	}
	// Streams are dealt to the interfaces in turn, the streams of A first.
	mostA, mostB, parts := up(a, interfaces), up(b, interfaces), 0
	for ofA := range mostA + 1 {
		if ofB := min(mostB, perColumn-ofA); ofB >= 0 {
			parts = max(parts, ofA*fanOutA+ofB*fanOutB)
		}
	}
	return memTileChannels, parts + outputs + near, p.memOut
}

// spread reports whether every stream between interface tiles and mem tiles can have one of these to itself, as
// there are more columns of them than interface tiles.
func (p *product) spread(g *mapping.Mapping) bool {
	a, b := p.sent(g)
	out, _ := timing.Joined(p.machine, g)
	return p.shimCols < p.machine.Grid.Cols && a+b+out <= p.machine.Grid.Cols*p.memRows
}

// stages checks the memory of mem tiles for what of A, of B and of results each stream stages, or for resident weights.
func (p *product) stages(g *mapping.Mapping, a, b, out int) bool {
	if p.spread(g) && g.Resident == 0 {
		if bytes := max(a, b, out); bytes > p.mem/p.memRows {
			p.reject(g, memTileMemory, bytes, p.mem/p.memRows)
			return false
		}
		return true
	}
	interfaces := p.interfaces(g)
	streamsA, streamsB := p.sent(g)
	streams, _ := timing.Joined(p.machine, g)
	bytes := up(streamsA, interfaces)*a + up(streamsB, interfaces)*b + up(streams, interfaces)*out
	if g.Resident > 0 {
		resident := p.residentBytes(g)
		switch words := up(resident, 4); {
		case resident > p.budget:
			p.reject(g, residentMemory, resident, p.budget)
			return false
		case words > p.memLength:
			p.reject(g, descriptorLength, words, p.memLength)
			return false
		}
		bytes += resident
	}
	if bytes > p.mem {
		p.reject(g, memTileMemory, bytes, p.mem)
		return false
	}
	return true
}

// interfaces is the number of interface tiles within reach: one for each column of the mapping if every column of the
// array has one, else all.
func (p *product) interfaces(g *mapping.Mapping) int {
	if p.shimCols == p.machine.Grid.Cols {
		return min(p.shimCols, g.Cols)
	}
	return p.shimCols
}
