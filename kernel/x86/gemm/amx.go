package gemm

import (
	"encoding/binary"
	"unsafe"

	"github.com/go-acap/acap/base/dtype"
	"github.com/go-acap/acap/kernel/x86/asm"
	"github.com/go-acap/acap/kernel/x86/epilogue"
)

// Processors with AMX multiply tiles of 16 rows of 64 bytes: 16 cells of A by 16 columns of B. A
// block of code computes one row of tiles of sums, which it leaves in scratch memory like an early
// chunk of a long sum; the epilogue reads them from there, in a stage of its own without steps.
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
	most := max(tileSide, p.features.L1D/2/p.packedRow()&^(tileSide-1))
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

// tileCode emits a stage of the sum for one panel.
type tileCode struct {
	*plan
	a      *asm.Assembler
	depth  int // steps
	more   bool
	rawRow int // bytes between rows of the sums
}

// emit emits the loop over blocks of rows, entered with the argument block in RDI.
func (c *tileCode) emit() (entry int) {
	a := c.a
	a.Align(64)
	entry = a.Len()
	a.Notef("tiles, %d steps", c.depth)
	a.Emit(asm.MOV, asm.RSI, asm.Ptr(asm.RDI, argA))
	a.Emit(asm.MOV, asm.R8, asm.Ptr(asm.RDI, argB))
	a.Emit(asm.MOV, asm.RAX, asm.Ptr(asm.RDI, argBase+8*(ports-1)))
	a.Emit(asm.MOV, asm.R11, asm.Ptr(asm.RDI, argTiles))
	a.Emit(asm.MOV, asm.R9, asm.Imm(c.tileRow(c.aStride())))
	a.Emit(asm.MOV, asm.R10, asm.Imm(c.tileRow(c.bStep())))
	a.Emit(asm.MOV, asm.R12, asm.Imm(c.rawRow))
	a.Emit(asm.MOV, asm.R13, asm.Ptr(asm.RDI, argFetch))
	low, done := a.Label(), a.Label()
	a.Emit(asm.TEST, asm.R11, asm.R11)
	a.Emit(asm.JE, low)
	c.configure(tileSide)
	loop := a.Here()
	c.block()
	a.Emit(asm.ADD, asm.RSI, asm.Imm(tileSide*c.aStride()))
	a.Emit(asm.ADD, asm.RAX, asm.Imm(tileSide*c.rawRow))
	a.Emit(asm.DEC, asm.R11)
	a.Emit(asm.JNE, loop)
	a.Bind(low)
	if rest := c.m % tileSide; rest > 0 {
		a.Emit(asm.MOV, asm.R11, asm.Ptr(asm.RDI, argTail))
		a.Emit(asm.TEST, asm.R11, asm.R11)
		a.Emit(asm.JE, done)
		c.configure(rest)
		c.block()
	}
	a.Bind(done)
	a.Emit(asm.TILERELEASE)
	a.Emit(asm.RET)
	return entry
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

// block emits one row of tiles of sums, as many at once as share the tiles of A.
func (c *tileCode) block() {
	a := c.a
	const tiles = blockColumns / tileSide
	atOnce := tiles
	if c.splits() {
		atOnce = 1
	}
	for first := 0; first < tiles; first += atOnce {
		sums := func(t int) asm.Mem {
			return asm.At(asm.RAX, asm.R12, 1, (first+t)*64)
		}
		for t := range atOnce {
			if c.more {
				a.Emit(asm.TILELOADD, asm.T(t), sums(t))
			} else {
				a.Emit(asm.TILEZERO, asm.T(t))
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
			a.Emit(asm.TILESTORED, sums(t), asm.T(t))
		}
	}
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
	var of [2]int // pieces that the registers of A and B hold, counted from 1
	for _, term := range c.arith.terms {
		for t := range count {
			if of[0] != 1+term[0] {
				of[0] = 1 + term[0]
				a.Emit(asm.TILELOADD, asm.T(tileA), asm.At(asm.RDX, asm.R9, 1, term[0]*tileBytes))
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

// emitTiles emits the stages of a sum on tiles and, if it is not deferred, that of the epilogue.
func (g *code) emitTiles(a *asm.Assembler, epi *epilogue.Epilogue, tailRows int) {
	known := map[tileCode]int{}
	for first := 0; first < g.steps; first += g.chunk {
		c := tileCode{plan: g.plan, a: a, depth: min(g.chunk, g.steps-first), more: first > 0,
			rawRow: g.rawRow() * g.arith.acc.Size()}
		entry, ok := known[c]
		if !ok {
			entry = c.emit()
			known[c] = entry
		}
		g.stages = append(g.stages, stage{first: first, tiles: true, entry: [2]int{entry, entry}})
	}
	if g.deferred == nil {
		v := variant{vecs: g.shape.vecs, more: true}
		entry := g.emitColumns(a, v, epi, tailRows)
		g.stages = append(g.stages, stage{first: g.steps, last: true, entry: entry})
	}
}

// tileStage runs one stage of the sum on tiles, panel by panel; the sums of the unit begin at raw.
func (g *code) tileStage(w *worker, s stage, rows, count int, a, b, raw uintptr) {
	w.args.tiles, w.args.tail = rows/tileSide, min(rows%tileSide, 1)
	w.args.a = a
	for panel := range count {
		w.args.b = b + uintptr(panel*g.panel+g.correctionBytes())
		w.args.fetch = w.args.b + uintptr(g.panel)
		if panel == count-1 {
			w.args.fetch = b + uintptr(g.correctionBytes()+g.chunk*g.packedRow())
		}
		w.args.base[ports-1] = raw + uintptr(panel*g.width()*g.arith.acc.Size())
		g.exec.CallAt(s.entry[0], unsafe.Pointer(&w.args))
	}
}
