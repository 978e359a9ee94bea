package gemm

import (
	"encoding/binary"
	"unsafe"

	"github.com/go-acap/acap/base/dtype"
	"github.com/go-acap/acap/kernel"
	"github.com/go-acap/acap/kernel/x86/asm"
	"github.com/go-acap/acap/kernel/x86/epilogue"
)

// Processors with AMX multiply tiles of 16 rows of 64 bytes: 16 cells of A by 16 columns of B. A
// block of code computes one row of tiles of sums, which it leaves in scratch memory like an early
// chunk of a long sum; after the last chunk the epilogue reads them from there at once.
const (
	tileSide     = 16 // rows of a tile, and cells in a row
	tileBytes    = tileSide * 64
	blockColumns = 2 * tileSide // of a panel
	epilogueRows = tileSide / 2 // at once
)

// The tile registers: sums, one of A, one of B. There are eight, but a register that holds something
// is one less to rename, and a core whose other thread is busy has few of these: with all eight in
// use a product takes 60 cycles there, with four 30, and 16 on a core alone either way. So a tile is
// loaded again rather than kept.
const (
	tileA = 2
	tileB = 3
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

// multiplyTiles emits acc += x·y.
func (t *arithmetic) multiplyTiles(a *asm.Assembler, acc, x, y asm.Reg) {
	op := asm.TDPBF16PS
	switch t.a {
	case dtype.I8:
		op = asm.TDPBSSD
	case dtype.U8:
		op = asm.TDPBUSD
	}
	a.Emit(op, acc, x, y)
}

// unitRows is how many rows a unit may have.
const unitRows = 256

// servesOnce reports whether each panel of B serves a single unit, which then packs the panel for itself: threads that
// share what one of them has packed fetch it from the cache of that one.
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
	p.perBlock = rows / epilogueRows
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

// tileCode emits a stage of the sum for one panel.
type tileCode struct {
	block        // of the epilogue, which starts from sums in memory
	starts  bool // the sums start from zero
	ends    bool // the epilogue follows
	plain   bool // the epilogue stores whole tiles as they are
	sumsRow int  // bytes between rows of the sums
}

// newTileCode returns the emitter of variant v, with the epilogue if v ends the sum.
func (g *code) newTileCode(a *asm.Assembler, v variant, epi *epilogue.Epilogue) *tileCode {
	c := &tileCode{starts: !v.more, ends: epi != nil, sumsRow: g.rawRow() * g.arith.acc.Size()}
	if !c.ends {
		epi = new(epilogue.Epilogue)
	}
	c.plain = c.ends && !g.splits() && epi.Plain() && v.vecs == g.shape.vecs && v.tail == 0
	v.more = true
	c.block = block{plan: g.plan, variant: v, a: a, epi: epi, rawRow: g.rawRow()}
	return c
}

// emit emits the loop over blocks of rows, entered with the argument block in RDI.
func (c *tileCode) emit() {
	a := c.a
	c.maskTail()
	c.firstPorts()
	a.Emit(asm.MOV, asm.RSI, asm.Ptr(asm.RDI, argA))
	a.Emit(asm.MOV, asm.R8, asm.Ptr(asm.RDI, argB))
	a.Emit(asm.MOV, asm.R11, asm.Ptr(asm.RDI, argTiles))
	low, done := a.Label(), a.Label()
	a.Emit(asm.TEST, asm.R11, asm.R11)
	a.Emit(asm.JE, low)
	c.configure(tileSide)
	loop := a.Here()
	c.tiles(tileSide)
	a.Emit(asm.ADD, asm.RSI, asm.Imm(tileSide*c.aStride()))
	a.Emit(asm.DEC, asm.R11)
	a.Emit(asm.JNE, loop)
	a.Bind(low)
	if rest := c.m % tileSide; rest > 0 {
		a.Emit(asm.MOV, asm.R11, asm.Ptr(asm.RDI, argTail))
		a.Emit(asm.TEST, asm.R11, asm.R11)
		a.Emit(asm.JE, done)
		c.configure(rest)
		c.tiles(rest)
	}
	a.Bind(done)
	a.Emit(asm.TILERELEASE)
	a.Emit(asm.VZEROUPPER)
	a.Emit(asm.RET)
}

// alone reports whether the sums of each row of tiles serve the epilogue alone, which reads them at once, and lie where
// those of the row before do.
func (c *tileCode) alone() bool { return c.starts && c.ends && !c.splits() }

// tiles emits the work on one row of tiles.
func (c *tileCode) tiles(rows int) {
	a := c.a
	sums := asm.Ptr(asm.RDI, argCur+8*(ports-1))
	if c.alone() {
		a.Emit(asm.MOV, asm.RAX, asm.Ptr(asm.RDI, argBase+8*(ports-1)))
		a.Emit(asm.MOV, sums, asm.RAX)
	} else {
		a.Emit(asm.MOV, asm.RAX, sums)
	}
	made := a.Label()
	if c.splits() {
		a.Emit(asm.MOV, asm.RCX, asm.Ptr(asm.RDI, argFirst))
		a.Emit(asm.TEST, asm.RCX, asm.RCX)
		a.Emit(asm.JE, made)
	}
	c.multiply()
	a.Bind(made)
	if !c.ends {
		a.Emit(asm.ADD, asm.RAX, asm.Imm(rows*c.sumsRow))
		a.Emit(asm.MOV, sums, asm.RAX)
		return
	}
	if c.plain {
		a.Emit(asm.ADD, asm.RBP, asm.Imm(rows*c.resultRow()))
		a.Emit(asm.MOV, asm.Ptr(asm.RDI, argCur), asm.RBP)
		a.Emit(asm.ADD, asm.RAX, asm.Imm(rows*c.sumsRow))
		a.Emit(asm.MOV, sums, asm.RAX)
		return
	}
	for ; rows > 0; rows -= epilogueRows {
		c.start(min(rows, epilogueRows))
		c.finish(min(rows, epilogueRows))
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
		return tileBytes
	}
	return 64
}

// configure emits the setting of the tiles' sizes for a block of so many rows.
func (c *tileCode) configure(rows int) {
	var config [64]byte
	config[0] = 1 // palette
	for t := range tileB + 1 {
		height := rows
		if t == tileB {
			height = tileSide
		}
		binary.LittleEndian.PutUint16(config[16+2*t:], 64)
		config[48+t] = byte(height)
	}
	c.a.Emit(asm.LDTILECFG, c.a.Const(config[:]))
}

// resultRow returns the bytes between rows of the result that a plain epilogue stores.
func (c *tileCode) resultRow() int { return c.epi.Ports[0].Row * c.arith.acc.Size() }

// multiply emits the sums of one row of tiles, as many at once as share the tiles of A.
func (c *tileCode) multiply() {
	a := c.a
	a.Emit(asm.MOV, asm.R9, asm.Imm(c.tileRow(c.aStride())))
	a.Emit(asm.MOV, asm.R10, asm.Imm(c.tileRow(c.bStep())))
	a.Emit(asm.MOV, asm.R12, asm.Imm(c.sumsRow))
	a.Emit(asm.MOV, asm.R13, asm.Ptr(asm.RDI, argFetch))
	to, toRow := asm.RAX, asm.R12
	if c.plain {
		to, toRow = asm.RBP, asm.R14
		a.Emit(asm.MOV, to, asm.Ptr(asm.RDI, argCur))
		a.Emit(asm.MOV, toRow, asm.Imm(c.resultRow()))
	}
	const tiles = blockColumns / tileSide
	atOnce := tiles
	if c.splits() {
		atOnce = 1
	}
	for first := 0; first < tiles; first += atOnce {
		for t := range atOnce {
			if c.starts {
				a.Emit(asm.TILEZERO, asm.T(t))
			} else {
				a.Emit(asm.TILELOADD, asm.T(t), asm.At(asm.RAX, asm.R12, 1, (first+t)*64))
			}
		}
		a.Emit(asm.MOV, asm.RDX, asm.RSI)
		a.Emit(asm.MOV, asm.RBX, asm.R8)
		a.Emit(asm.MOV, asm.RCX.Dword(), asm.Imm(c.depth/tileSide))
		loop := a.Here()
		c.fetch(atOnce)
		c.step(first, atOnce)
		a.Emit(asm.ADD, asm.RDX, asm.Imm(tileSide*c.aStep()))
		a.Emit(asm.ADD, asm.RBX, asm.Imm(tileSide*c.bStep()))
		a.Emit(asm.DEC, asm.RCX)
		a.Emit(asm.JNE, loop)
		for t := range atOnce {
			a.Emit(asm.TILESTORED, asm.At(to, toRow, 1, (first+t)*64), asm.T(t))
		}
	}
	a.Emit(asm.MOV, asm.Ptr(asm.RDI, argFetch), asm.R13)
}

// fetch emits prefetches of the next panel, spread over the steps of this one.
func (c *tileCode) fetch(atOnce int) {
	rows := min(c.m, c.perBlock*c.shape.rows)
	steps := divideUp(rows, tileSide) * (blockColumns / tileSide / atOnce) * (c.depth / tileSide)
	lines := divideUp(c.depth*c.packedRow()/64, steps)
	for i := range lines {
		c.a.Emit(asm.PREFETCHT1, asm.Ptr(asm.R13, i*64))
	}
	c.a.Emit(asm.ADD, asm.R13, asm.Imm(lines*64))
}

// step emits the products of one step of tiles: the terms of the arithmetic, in an order in which
// each shares a tile with the one before.
func (c *tileCode) step(first, count int) {
	a := c.a
	load := asm.TILELOADD
	if c.passesBy() {
		load = asm.TILELOADDT1
	}
	var of [2]int // pieces that the registers of A and B hold, counted from 1
	for _, term := range c.arith.terms {
		for t := range count {
			if of[0] != 1+term[0] {
				of[0] = 1 + term[0]
				a.Emit(load, asm.T(tileA), asm.At(asm.RDX, asm.R9, 1, term[0]*tileBytes))
			}
			if of[1] != 1+term[1] || count > 1 {
				of[1] = 1 + term[1]
				at := term[1]*blockColumns/tileSide*tileBytes + (first+t)*c.tileColumn()
				a.Emit(asm.TILELOADD, asm.T(tileB), asm.At(asm.RBX, asm.R10, 1, at))
			}
			c.arith.multiplyTiles(a, asm.T(t), asm.T(tileA), asm.T(tileB))
		}
	}
}

// tileStage runs one stage of the sum on tiles, panel by panel. Where the sums are made, only the epilogue runs.
func (g *code) tileStage(w *worker, args *kernel.Args, s stage, entry, row0, rows, first, count int, a, b uintptr, made bool) {
	w.args.tiles, w.args.tail = rows/tileSide, min(rows%tileSide, 1)
	w.args.a = a
	w.args.first = 1
	if made {
		w.args.first = 0
	}
	for panel := range count {
		kind := 0
		if first+panel == g.n/g.width() {
			kind = 1
		}
		w.args.b = b + uintptr(panel*g.panel+g.correctionBytes())
		w.args.fetch = w.args.b + uintptr(g.panel)
		if panel == count-1 {
			w.args.fetch = b + uintptr(g.correctionBytes()+g.chunk*g.packedRow())
		}
		g.ports(w, args, s, entry, row0, 0, first*g.width(), panel*g.width())
		g.exec.CallAt(s.entry[kind], unsafe.Pointer(&w.args))
	}
}
