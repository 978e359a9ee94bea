package gemm

import "github.com/go-acap/acap/kernel"

// Where the second-level cache does not keep the rows of A, the rows come from the third-level cache for each panel of
// B, and a narrow tile reads them faster than that cache gives them. So a unit of work takes several panels, and
// multiplies all panels by a band of rows before the next band. The panels and the band stay in the second-level cache,
// and A is read from the third-level cache once for all panels of the unit.

// bandShare returns how many bytes of the second-level cache are for a band of rows, and as many for the panels.
func (p *plan) bandShare() int { return p.features.L2 / 4 }

const (
	leastBandRead  = 2               // bytes of A per multiply-add instruction, from which on bands save time
	mostBandPanels = 8               // panels of a unit, beyond which A is read so seldom that more panels save no time
	enoughBands    = 4 * enoughUnits // units that a product in bands should have, for threads to share
)

// suitsBands reports whether a number of rows of A are better read in bands: the second-level cache does not keep the
// rows, and keeps panels of B. The cache does not keep panels in place, which are spread over the cache, nor panels
// that tiles pack, one at a time.
func (p *plan) suitsBands(rows int) bool {
	return !p.arith.tiles && !p.inPlace() && p.copiedStep() >= leastBandRead*p.shape.vecs && rows*p.steps*p.copiedStep() > p.features.L2/2
}

// keptPanels returns how many panels of a unit the second-level cache keeps, beside a band of A if there are bands.
func (p *plan) keptPanels() int {
	share := p.features.L2 / 2
	switch {
	case p.arith.tiles:
		share = p.features.L2 / 4
	case p.suitsBands(p.m):
		share = p.bandShare() + p.panel/2
	}
	return max(1, share/p.panel)
}

// bandPanels returns how many panels a unit should have for bands, 1 if there are none.
func (p *plan) bandPanels() int {
	if !p.suitsBands(p.m) {
		return 1
	}
	return max(1, min(p.keptPanels(), mostBandPanels, p.entries*p.panels/enoughBands))
}

// bandTiles returns the tiles of a band, all of a block if there are no bands.
func (p *plan) bandTiles() int {
	if !p.suitsBands(p.perBlock*p.shape.rows) || p.perUnit == 1 || p.perUnit > p.keptPanels() {
		return p.perBlock
	}
	most := max(1, p.bandShare()/(p.shape.rows*p.steps*p.copiedStep())) // tiles
	return kernel.Pieces(p.perBlock, kernel.Pieces(p.perBlock, most))
}
