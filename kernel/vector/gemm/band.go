package gemm

// Where the rows of A do not stay in the second-level cache, each panel of B reads them from further away, and a narrow
// tile reads more bytes than come from there. So a unit takes several panels, which stay in the cache, and multiplies
// all of them by a band of rows, which stays there too, before the next rows: A comes from far away once for all panels
// of the unit.

// bandShare returns the bytes of the second-level cache that the rows of a band have, and the panels of its unit.
func (p *plan) bandShare() int { return p.features.L2 / 4 }

const (
	hungry         = 2               // bytes of A that an instruction of a tile reads on average, from which on bands save time
	mostBandPanels = 8               // which read A so seldom that more panels save no time
	enoughBands    = 4 * enoughUnits // units that a product in bands should have
)

// suitsBands reports whether some rows of A are better read in bands: they do not stay in the second-level cache, and
// panels of B do. Panels in place are spread over the cache, and those that tiles pack are gone with the next panel.
func (p *plan) suitsBands(rows int) bool {
	return !p.arith.tiles && !p.inPlace() && p.copiedStep() >= hungry*p.shape.vecs && rows*p.steps*p.copiedStep() > p.features.L2/2
}

// bandPanels returns how many panels a unit should have for bands, 1 if there are none.
func (p *plan) bandPanels() int {
	if !p.suitsBands(p.m) {
		return 1
	}
	return max(1, min(p.bandShare()/p.panel, mostBandPanels, p.entries*p.panels/enoughBands))
}

// bandRows returns the rows of a band, all of a block if there are no bands.
func (p *plan) bandRows() int {
	block := p.perBlock * p.shape.rows
	if !p.suitsBands(block) || p.perUnit == 1 || p.perUnit*p.panel > p.bandShare() {
		return block
	}
	most := max(1, p.bandShare()/(p.shape.rows*p.steps*p.copiedStep())) // tiles
	return divideUp(p.perBlock, divideUp(p.perBlock, most)) * p.shape.rows
}
