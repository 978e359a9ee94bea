package gemm

import (
	"github.com/go-acap/acap/base/dtype"
	"github.com/go-acap/acap/kernel"
	"github.com/go-acap/acap/kernel/vector"
	"github.com/go-acap/acap/kernel/vector/tiles"
)

// Processors with AMX multiply tiles of 16 rows of 64 bytes: 16 cells of A by 16 columns of B. A
// block of code computes one or two rows of tiles of sums, which it leaves in scratch memory like an early
// chunk of a long sum; after the last chunk the epilogue reads them from there at once.
const (
	tileSide     = vector.TileSide
	blockColumns = 2 * tileSide // of a panel
)

// suitsTiles reports whether the product has a type that tiles multiply, and fills them.
func (p *plan) suitsTiles() bool {
	group := p.tileGroup()
	return p.features.Tiles && group > 1 && min(p.m, p.n, p.k/group) >= tileSide
}

// tileGroup returns how many elements of A and of B a cell of a tile has, 0 if tiles do not multiply them.
func (p *plan) tileGroup() int {
	switch a, b := p.a.DType, p.b.DType; {
	case isByte(a) && isByte(b) && p.arith.acc == dtype.I32:
		return 4
	case p.arith.a == dtype.BF16:
		return 2
	}
	return 0
}

// useTiles changes the arithmetic from vectors to tiles, which take bytes with and without sign as they are.
func (p *plan) useTiles() {
	p.arith = arithmetic{acc: p.arith.acc, a: p.a.DType, b: p.b.DType, group: p.tileGroup(), tiles: true,
		pieces: p.arith.pieces, terms: p.arith.terms}
	p.steps = kernel.Pieces(kernel.Pieces(p.k, p.arith.group), tileSide) * tileSide
}

// squaresHigh returns how many squares below each other are multiplied at once: two if the first-level cache keeps their
// rows of A. Then four products take four loads, two of them from far, and results are written along rows. Otherwise a
// panel of B stays near, and A comes from far: then a loaded square of A is used by both columns, and two rows of
// squares save little. Pieces are shared by terms.
func (p *plan) squaresHigh() int {
	if p.splits() || p.m <= tileSide || 2*tileSide*p.steps*p.copiedStep() > p.nearBytes() {
		return 1
	}
	return 2
}

// byRows reports whether squares of all panels are multiplied by rows of A that stay near, rather than the squares of
// all rows by a panel.
func (p *plan) byRows() bool { return p.shape.rows > tileSide }

// nearBytes is how much of one operand the first-level cache keeps while the other passes by.
func (p *plan) nearBytes() int { return p.features.L1D * 2 / 3 }

// unitRows is how many rows a unit may have whose sums wait for all of them.
const unitRows = 256

// mostRows is how many rows a unit may have: more where its panels of B stay in the second-level cache for all rows, if
// there are enough panels for enough such units.
func (p *plan) mostRows() int {
	if p.arith.tiles && p.squaresHigh() == 2 && kernel.Pieces(p.n, blockColumns)*p.entries >= enoughUnits {
		return 4 * unitRows
	}
	return unitRows
}

// servesOnce reports whether each panel of B serves a single unit. The unit then packs the panel for itself: a panel
// that another thread packs would lie in the cache of the other processor.
func (p *plan) servesOnce() bool { return p.m <= p.mostRows() && p.b.Entries(p.batch) == p.entries }

// chooseTileUnits divides the result into units of work, and the sum into chunks: a chunk of a panel stays in the
// first-level cache, a chunk of the unit's rows in the second-level cache, and so do its sums.
func (p *plan) chooseTileUnits() {
	share := p.features.L1D / 2
	if p.passesBy() {
		share = p.nearBytes()
	}
	most := max(tileSide, share/p.packedRow()&^(tileSide-1))
	p.chunk = kernel.Pieces(kernel.Pieces(p.steps, kernel.Pieces(p.steps, most)), tileSide) * tileSide
	blocks := kernel.Pieces(p.m, p.mostRows())
	p.perBlock = kernel.Pieces(kernel.Pieces(p.m, blocks), p.shape.rows)
	rows := p.perBlock * p.shape.rows
	p.blocks = kernel.Pieces(p.m, rows)
	p.perUnit = p.features.L2 / 8 / (rows * p.width() * p.arith.acc.Size())
	p.perUnit = min(p.perUnit, p.panels*p.blocks*p.entries/enoughUnits)
	flops := 2 * float64(rows) * float64(p.width()) * float64(p.k)
	p.perUnit = max(p.perUnit, int(p.unitFlops()/flops), 1)
	if p.b.mode == unitPacked {
		p.perUnit = min(p.perUnit, p.keptPanels())
	}
	p.perUnit = kernel.Pieces(p.panels, kernel.Pieces(p.panels, min(p.perUnit, p.panels)))
}

// passesBy reports whether A passes the first-level cache by. Pieces are read once for each term.
func (p *plan) passesBy() bool { return !p.splits() }

// fitUnits makes units as wide as threads can share where rows of A meet all panels, as sums wait for nothing. Where the
// rows of A stay in the second-level cache from unit to unit, it makes units of one panel: the sums of earlier chunks are
// then read soon after they are written. A unit that packs its panels reads longer rows of B.
func (p *plan) fitUnits() {
	rows := p.perBlock * p.shape.rows
	least := max(1, int(p.unitFlops()/(2*float64(rows)*float64(p.width())*float64(p.k))))
	switch {
	case p.byRows():
		p.perUnit = min(p.panels, max(p.panels*p.blocks*p.entries/enoughUnits, least), p.keptPanels())
		p.perUnit = kernel.Pieces(p.panels, kernel.Pieces(p.panels, p.perUnit))
	case p.b.mode == unitPacked || !p.passesBy():
	case rows*p.rowBytes() <= p.features.L2/2:
		p.perUnit = min(p.perUnit, least)
	}
}

// tileRow returns the bytes between rows of a tile of A or B, given those between rows; pieces lie tile by tile.
func (p *plan) tileRow(row int) int {
	if p.splits() {
		return 64
	}
	return row
}

// tileColumn returns the bytes between tiles of B side by side.
func (p *plan) tileColumn() int {
	if p.splits() {
		return vector.TileBytes
	}
	return 64
}

// tileDots are the products of bytes by whether bytes of A and of B have a sign.
var tileDots = map[[2]bool]vector.Op{{true, true}: vector.TileDotSigned, {false, true}: vector.TileDotMixed,
	{true, false}: vector.TileDotSwapped, {false, false}: vector.TileDotUnsigned}

// squares returns what the code of a variant depends on, with the epilogue if the variant ends the sum.
func (p *plan) squares(v variant, epilogue *kernel.Epilogue) *tiles.Squares {
	s := &tiles.Squares{
		Dot: vector.TileDotBrain, Kind: vector.F32, High: p.shape.rows / tileSide, Low: p.m % p.shape.rows, Vectors: v.vecs, Tail: v.tail, Depth: v.depth / tileSide,
		ARow: p.tileRow(p.aStride()), AStep: tileSide * p.aStep(), ANext: tileSide * p.aStride(),
		BRow: p.tileRow(p.bStep()), BStep: tileSide * p.bStep(), BNext: p.tileColumn(), Panel: p.panel,
		FarA: p.passesBy() && !p.byRows(), FarB: p.byRows(),
		Terms: p.arith.terms, PieceA: vector.TileBytes, PieceB: blockColumns / tileSide * vector.TileBytes, Together: !p.splits(),
		Waits: v.more, Sums: p.rawRow() * p.arith.acc.Size(), Ending: p.ending(epilogue),
	}
	if p.arith.acc == dtype.I32 {
		signs := [2]bool{p.arith.a == dtype.I8, p.arith.b == dtype.I8}
		s.Dot, s.Kind = tileDots[signs], vector.I32
	}
	steps := kernel.Pieces(min(p.m, p.perBlock*p.shape.rows), p.shape.rows) * s.Depth
	if !s.Together {
		steps *= blockColumns / tileSide
	}
	if !p.byRows() {
		s.Fetches = kernel.Pieces(v.depth*p.packedRow()/64, steps)
	}
	return s
}

// tileStage runs one stage of the sum on tiles, panel by panel, or all panels row by row. Where the sums are made, only
// the epilogue runs.
func (g *code) tileStage(w *worker, args *kernel.Args, s stage, u *unit, made bool) {
	a, b := g.operands(&s, u)
	call := &w.squares
	call.A, call.Count, call.Low, call.Multiply = a, u.rows/g.shape.rows, u.rows%g.shape.rows > 0, !made
	full := min(u.count, max(0, g.full-u.first))
	for panel := 0; panel < u.count; panel += call.Panels {
		kind := 0
		call.Panels = 1
		switch {
		case panel == full:
			kind = 1
		case g.byRows():
			call.Panels = full
		}
		call.B = b + uintptr(panel*g.panel+g.correctionBytes())
		call.Fetch = call.B + uintptr(g.panel)
		if panel == u.count-1 {
			call.Fetch = b + uintptr(g.correctionBytes()+g.chunk*g.packedRow())
		}
		call.Sums, call.Ports = g.waiting(args, 0, panel*g.width()), g.portsAt(w, args, s.last, u.entry, u.row, (u.first+panel)*g.width())
		s.squares[kind].Run(call, w.block)
	}
}
