package gemm

import (
	"math"

	"github.com/go-acap/acap/kernel"
	"github.com/go-acap/acap/kernel/vector/tiles"
)

// mostPieces bounds the pieces of a round: with few tiles there is no time for more.
const mostPieces = 8

// ahead returns which part of the next panel or unit of B a tile of depth steps fetches into the second-level cache.
// Weights of large models come from memory, and the first tile of a panel, or the packing of a unit, would wait for
// them. The tiles share the work. A core waits for few lines at once, and the current panel arrives in the same way.
func (p *plan) ahead(depth int) tiles.Fetch {
	if p.b.mode == tilePacked && p.nearB() {
		return tiles.Fetch{}
	}
	f, count := p.nextB(depth)
	if count == 0 || depth/tiles.Unroll < f.Lines || !p.fits(count, f.Stride) {
		return tiles.Fetch{}
	}
	sharers := kernel.Pieces(p.m, p.shape.rows)
	switch p.b.mode {
	case unitPacked:
		sharers *= p.perUnit * kernel.Pieces(p.steps, p.chunk)
	case packedOnce:
		sharers = min(sharers, p.bandTiles())
	}
	perTile := kernel.Pieces(count, sharers)
	rounds := depth / tiles.Unroll / f.Lines
	f.Pieces = kernel.Pieces(perTile, rounds)
	f.Rounds = kernel.Pieces(perTile, f.Pieces)
	if f.Pieces > mostPieces || f.Bytes() > math.MaxInt32 {
		return tiles.Fetch{}
	}
	f.Panels = p.fetchesByPanel()
	return f
}

// nextB returns how the B of the next panel, as deep as this one, or of the next unit lies in
// memory: the lines of a piece, the distance of pieces, and their number.
func (p *plan) nextB(depth int) (f tiles.Fetch, count int) {
	row := p.width() * p.b.DType.Size()
	switch {
	case p.b.mode == packedOnce && p.m > fewRows:
		return tiles.Fetch{Lines: 1, Stride: 64}, (depth*p.bStep() + 63) / 64
	case p.b.mode == tilePacked:
		return tiles.Fetch{Lines: (row + 63) / 64, Stride: p.bRow()}, depth
	case p.b.Stored():
		return tiles.Fetch{Lines: 1, Stride: 64}, (p.perUnit*p.width()*p.b.Col + 63) / 64
	case p.b.mode == unitPacked && p.b.Col == 1 && p.b.Row > 0:
		return tiles.Fetch{Lines: (row*p.perUnit + 63) / 64, Stride: p.bRow()}, p.k
	case p.b.mode == unitPacked && p.b.Row == 1 && p.b.Col > 0 && p.b.Col < 2*p.k:
		bytes := p.perUnit * row * p.b.Col
		return tiles.Fetch{Lines: 1, Stride: 64}, (bytes + 63) / 64
	}
	return tiles.Fetch{}, 0
}

// nearB reports whether caches have all of a B that tiles pack before tiles ask for it. Fetching would take the ports of
// the loads.
func (p *plan) nearB() bool { return p.smallB() && p.b.copies == 1 }

// fits reports whether count lines that far apart take at most half of the sets of the second-level
// cache on which they fall. Otherwise they would evict each other before they are used.
func (p *plan) fits(count, stride int) bool {
	return count <= p.features.L2/64/spacing(stride)/2
}

// fetchesByPanel reports whether fetching begins anew with each panel, not with each unit.
func (p *plan) fetchesByPanel() bool { return p.b.mode == packedOnce || p.b.mode == tilePacked }

// nextUnitB returns the address of the B that the unit of a column packs, of the first one after the last.
func (g *code) nextUnitB(args *kernel.Args, entry, column int) uintptr {
	if column == g.columns {
		column = 0
	}
	at := column * g.perUnit * g.width() * g.b.Col * g.b.DType.Size()
	return uintptr(g.sourceB(args, entry)) + uintptr(at)
}
