package gemm

import (
	"github.com/go-acap/acap/base/dtype"
	"github.com/go-acap/acap/kernel"
	"github.com/go-acap/acap/kernel/vector"
	"github.com/go-acap/acap/kernel/vector/tiles"
)

// Processors with AMX multiply tiles of 16 rows of 64 bytes: 16 cells of A by 16 columns of B. A
// block of code computes one row of tiles of sums, which it leaves in scratch memory like an early
// chunk of a long sum; after the last chunk the epilogue reads them from there at once.
const (
	tileSide     = vector.TileSide
	blockColumns = 2 * tileSide // of a panel
)

// suitsTiles reports whether the product has a type that tiles multiply, and fills them.
func (p *plan) suitsTiles() bool {
	return p.features.Tiles && p.arith.group > 1 && !p.arith.pairs() && min(p.m, p.n, p.k/p.arith.group) >= tileSide
}

// useTiles changes the arithmetic from vectors to tiles, which take signed bytes as they are.
func (p *plan) useTiles() {
	p.arith.tiles, p.arith.shiftedA = true, false
	p.arith.a = p.a.DType
	p.steps = divideUp(p.steps, tileSide) * tileSide
}

// unitRows is how many rows a unit may have.
const unitRows = 256

// servesOnce reports whether each panel of B serves a single unit. The unit then packs the panel for itself: a panel
// that another thread packs would lie in the cache of the other processor.
func (p *plan) servesOnce() bool { return p.m <= unitRows && p.copies(&p.b) == p.entries }

// chooseTileUnits divides the result into units of work, and the sum into chunks: a chunk of a
// panel stays in the first-level cache, a chunk of the unit's rows in the second-level cache, and so
// do its sums.
func (p *plan) chooseTileUnits() {
	share := p.features.L1D / 2
	if p.passesBy() {
		share = p.features.L1D * 2 / 3
	}
	most := max(tileSide, share/p.packedRow()&^(tileSide-1))
	chunks := divideUp(p.steps, most)
	p.chunk = divideUp(divideUp(p.steps, chunks), tileSide) * tileSide
	blocks := divideUp(p.m, unitRows)
	rows := divideUp(divideUp(p.m, blocks), tileSide) * tileSide
	p.perBlock = rows / tileSide
	p.blocks = divideUp(p.m, rows)
	p.perUnit = p.features.L2 / 8 / (rows * p.width() * p.arith.acc.Size())
	p.perUnit = min(p.perUnit, p.panels*p.blocks*p.entries/enoughUnits)
	flops := 2 * float64(rows) * float64(p.width()) * float64(p.k)
	p.perUnit = max(p.perUnit, int(unitFlops/flops), 1)
	if p.b.mode == unitPacked {
		p.perUnit = min(p.perUnit, max(1, p.features.L2/4/p.panel))
	}
	p.perUnit = divideUp(p.panels, divideUp(p.panels, min(p.perUnit, p.panels)))
}

// passesBy reports whether A passes the first-level cache by. Pieces are read once for each term.
func (p *plan) passesBy() bool { return !p.splits() }

// narrowUnits makes units of one panel where the rows of A stay in the second-level cache from unit to unit: the sums
// of earlier chunks are then read soon after they are written. A unit that packs its panels reads longer rows of B.
func (p *plan) narrowUnits() {
	rows := p.perBlock * p.shape.rows
	if p.passesBy() && p.b.mode != unitPacked && rows*p.rowBytes() <= p.features.L2/2 {
		p.perUnit = min(p.perUnit, max(1, int(unitFlops/(2*float64(rows)*float64(p.width())*float64(p.k)))))
	}
}

// tileRow returns the bytes between rows of a tile of A or B, given those between rows; pieces lie
// tile by tile.
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

// squares returns what the code of a variant depends on, with the epilogue if the variant ends the sum.
func (p *plan) squares(v variant, epilogue *kernel.Epilogue) *tiles.Squares {
	s := &tiles.Squares{
		Dot: vector.TileDotBrain, Kind: vector.F32, Low: p.m % tileSide, Vectors: v.vecs, Tail: v.tail, Depth: v.depth / tileSide,
		ARow: p.tileRow(p.aStride()), AStep: tileSide * p.aStep(), ANext: tileSide * p.aStride(),
		BRow: p.tileRow(p.bStep()), BStep: tileSide * p.bStep(), BNext: p.tileColumn(), Far: p.passesBy(),
		Terms: p.arith.terms, PieceA: vector.TileBytes, PieceB: blockColumns / tileSide * vector.TileBytes, Together: !p.splits(),
		Waits: v.more, Sums: p.rawRow() * p.arith.acc.Size(), Ending: p.ending(epilogue),
	}
	switch p.arith.a {
	case dtype.I8:
		s.Dot, s.Kind = vector.TileDotSigned, vector.I32
	case dtype.U8:
		s.Dot, s.Kind = vector.TileDotMixed, vector.I32
	}
	steps := divideUp(min(p.m, p.perBlock*p.shape.rows), tileSide) * s.Depth
	if !s.Together {
		steps *= blockColumns / tileSide
	}
	s.Fetches = divideUp(v.depth*p.packedRow()/64, steps)
	return s
}

// tileStage runs one stage of the sum on tiles, panel by panel. Where the sums are made, only the epilogue runs.
func (g *code) tileStage(w *worker, args *kernel.Args, s stage, u *unit, made bool) {
	a, b := g.operands(s, u)
	call := &w.squares
	call.A, call.Count, call.Low, call.Multiply = a, u.rows/tileSide, u.rows%tileSide > 0, !made
	for panel := range u.count {
		kind := 0
		if u.first+panel == g.n/g.width() {
			kind = 1
		}
		call.B = b + uintptr(panel*g.panel+g.correctionBytes())
		call.Fetch = call.B + uintptr(g.panel)
		if panel == u.count-1 {
			call.Fetch = b + uintptr(g.correctionBytes()+g.chunk*g.packedRow())
		}
		call.Sums, call.Ports = g.waiting(args, 0, panel*g.width()), g.portsAt(w, args, s, u.entry, u.row, (u.first+panel)*g.width())
		s.squares[kind].Run(call, w.block)
	}
}
