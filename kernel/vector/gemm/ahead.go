package gemm

import (
	"math"

	"github.com/go-acap/acap/kernel"
)

// ahead says which part of the next panel or unit of B each tile fetches into the second-level cache. Weights of large
// models come from memory, and the first tile of a panel, or the packing of a unit, would wait for them. The tiles
// share the work. A tile fetches the first line of each of its pieces, then the second lines, and so on: a core then
// waits for few lines at once, and the current panel arrives in the same way.
type ahead struct {
	rounds int // of the inner loop that fetch, for each line of the pieces
	pieces int // in each of them
	lines  int // of the cache in a piece
	stride int // bytes from a piece to the next
}

// mostPieces bounds the pieces of a round: with few tiles there is no time for more.
const mostPieces = 8

// ahead returns what a tile of depth steps fetches.
func (p *plan) ahead(depth int) ahead {
	f, count := p.nextB(depth)
	if count == 0 || depth/unroll < f.lines || !p.fits(count, f.stride) {
		return ahead{}
	}
	tiles := divideUp(p.m, p.shape.rows)
	if p.b.mode == unitPacked {
		tiles *= p.perUnit * divideUp(p.steps, p.chunk)
	}
	perTile := divideUp(count, tiles)
	rounds := depth / unroll / f.lines
	f.pieces = divideUp(perTile, rounds)
	f.rounds = divideUp(perTile, f.pieces)
	if f.pieces > mostPieces || f.run() > math.MaxInt32 {
		return ahead{}
	}
	return f
}

// run returns the bytes from the first piece of a tile to that of the next.
func (f ahead) run() int { return f.rounds * f.pieces * f.stride }

// nextB returns how the B of the next panel, as deep as this one, or of the next unit lies in
// memory: the lines of a piece, the distance of pieces, and their number.
func (p *plan) nextB(depth int) (f ahead, count int) {
	row := p.width() * p.b.DType.Size()
	switch {
	case p.b.mode == packedOnce && p.m > fewRows:
		return ahead{lines: 1, stride: 64}, (depth*p.bStep() + 63) / 64
	case p.b.mode == tilePacked:
		return ahead{lines: (row + 63) / 64, stride: p.bRow()}, depth
	case p.b.Stored():
		return ahead{lines: 1, stride: 64}, (p.perUnit*p.width()*p.b.Col + 63) / 64
	case p.b.mode == unitPacked && p.b.Col == 1 && p.b.Row > 0:
		return ahead{lines: (row*p.perUnit + 63) / 64, stride: p.bRow()}, p.k
	case p.b.mode == unitPacked && p.b.Row == 1 && p.b.Col > 0 && p.b.Col < 2*p.k:
		bytes := p.perUnit * row * p.b.Col
		return ahead{lines: 1, stride: 64}, (bytes + 63) / 64
	}
	return ahead{}, 0
}

// fits reports whether count lines that far apart take at most half of the sets of the second-level
// cache on which they fall. Otherwise they would evict each other before they are used.
func (p *plan) fits(count, stride int) bool {
	return count <= p.features.L2/64/spacing(stride)/2
}

// fetchesByPanel reports whether fetching begins anew with each panel, not with each unit.
func (p *plan) fetchesByPanel() bool { return p.b.mode == packedOnce || p.b.mode == tilePacked }

// nextUnitB returns the address of the B that the unit of a column packs, of the first one after the
// last.
func (g *code) nextUnitB(args *kernel.Args, entry, column int) uintptr {
	if column == g.unitColumns() {
		column = 0
	}
	at := column * g.perUnit * g.width() * g.b.Col * g.b.DType.Size()
	return uintptr(g.sourceB(args, entry)) + uintptr(at)
}
