package gemm

import (
	"encoding/binary"
	"unsafe"

	"github.com/go-acap/acap/device/kernel/x86/asm"
	"github.com/go-acap/acap/device/kernel/x86/epilogue"
	"github.com/go-acap/acap/tensor/dtype"
)

// Processors with AMX multiply tiles of 16 rows of 64 bytes: 16 cells of A by 16 columns of B. A
// block of code holds 2 × 2 tiles of sums, which it leaves in scratch memory like an early chunk of
// a long sum; the epilogue reads them from there, in a stage of its own without steps.
const (
	tileSide     = 16 // rows of a tile, and cells in a row
	blockRows    = 2 * tileSide
	blockColumns = 2 * tileSide
	tileFlops    = 8 * callFlops // that one native call may have at most
)

// The tile registers: sums by row and column, two of A, two of B.
const (
	tileA = 4
	tileB = 6
)

// suitsTiles reports whether the product has a type that tiles multiply, and fills them.
func (p *plan) suitsTiles() bool {
	return p.features.Tiles && p.arith.group > 1 && min(p.m, p.n, p.k/p.arith.group) >= tileSide
}

// useTiles changes the arithmetic from vectors to tiles, which take signed bytes as they are.
func (p *plan) useTiles() {
	p.arith.tiles, p.arith.shiftedA = true, false
	p.arith.a = p.a.DType
	p.steps = (p.steps + tileSide - 1) / tileSide * tileSide
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
	a.Emit(asm.MOV, asm.R9, asm.Imm(c.aStride()))
	a.Emit(asm.MOV, asm.R10, asm.Imm(c.bStep()))
	a.Emit(asm.MOV, asm.R12, asm.Imm(c.rawRow))
	low, done := a.Label(), a.Label()
	a.Emit(asm.TEST, asm.R11, asm.R11)
	a.Emit(asm.JE, low)
	c.configure(blockRows)
	loop := a.Here()
	c.block(blockRows)
	a.Emit(asm.ADD, asm.RSI, asm.Imm(blockRows*c.aStride()))
	a.Emit(asm.ADD, asm.RAX, asm.Imm(blockRows*c.rawRow))
	a.Emit(asm.DEC, asm.R11)
	a.Emit(asm.JNE, loop)
	a.Bind(low)
	if rest := c.m % blockRows; rest > 0 {
		a.Emit(asm.MOV, asm.R11, asm.Ptr(asm.RDI, argTail))
		a.Emit(asm.TEST, asm.R11, asm.R11)
		a.Emit(asm.JE, done)
		c.configure(rest)
		c.block(rest)
	}
	a.Bind(done)
	a.Emit(asm.TILERELEASE)
	a.Emit(asm.RET)
	return entry
}

// configure emits the setting of the tiles' sizes for a block of so many rows.
func (c *tileCode) configure(rows int) {
	var config [64]byte
	config[0] = 1 // palette
	for t := range 8 {
		height := tileSide
		if t < tileB {
			height = min(rows-t%tileA/2*tileSide, tileSide) // sums
			if t >= tileA {
				height = min(rows-(t-tileA)*tileSide, tileSide)
			}
		}
		if height > 0 {
			binary.LittleEndian.PutUint16(config[16+2*t:], 64)
			config[48+t] = byte(height)
		}
	}
	c.a.Emit(asm.LDTILECFG, c.a.Const(config[:]))
}

// block emits one block of sums.
func (c *tileCode) block(rows int) {
	a := c.a
	high := (rows + tileSide - 1) / tileSide
	sums := func(i, j int) asm.Mem {
		return asm.At(asm.RAX, asm.R12, 1, i*tileSide*c.rawRow+j*64)
	}
	for i := range high {
		for j := range 2 {
			if c.more {
				a.Emit(asm.TILELOADD, asm.T(2*i+j), sums(i, j))
			} else {
				a.Emit(asm.TILEZERO, asm.T(2*i+j))
			}
		}
	}
	a.Emit(asm.MOV, asm.RDX, asm.RSI)
	a.Emit(asm.MOV, asm.RBX, asm.R8)
	a.Emit(asm.MOV, asm.RCX.Dword(), asm.Imm(c.depth/tileSide))
	loop := a.Here()
	for i := range high {
		a.Emit(asm.TILELOADD, asm.T(tileA+i), asm.At(asm.RDX, asm.R9, 1, i*tileSide*c.aStride()))
		for j := range 2 {
			if i == 0 {
				a.Emit(asm.TILELOADD, asm.T(tileB+j), asm.At(asm.RBX, asm.R10, 1, j*64))
			}
			c.arith.multiplyTiles(a, asm.T(2*i+j), asm.T(tileA+i), asm.T(tileB+j))
		}
	}
	a.Emit(asm.ADD, asm.RDX, asm.Imm(64))
	a.Emit(asm.ADD, asm.RBX, asm.Imm(tileSide*c.bStep()))
	a.Emit(asm.DEC, asm.RCX)
	a.Emit(asm.JNE, loop)
	for i := range high {
		for j := range 2 {
			a.Emit(asm.TILESTORED, sums(i, j), asm.T(2*i+j))
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

// tileStage runs one stage of the sum on tiles, for all panels of the unit on rows of A that stay in
// the second-level cache; the sums of the unit begin at raw.
func (g *code) tileStage(w *worker, s stage, rows, count int, a, b, raw uintptr) {
	depth := min(g.chunk, g.steps-s.first) * g.arith.group
	flops := 2 * float64(blockRows*g.width()) * float64(depth)
	atOnce := max(1, min(int(tileFlops/flops), g.features.L2/4/(blockRows*g.aStride()))) * blockRows
	for row := 0; row < rows; row += atOnce {
		height := min(rows-row, atOnce)
		for panel := range count {
			w.args.tiles, w.args.tail = height/blockRows, min(height%blockRows, 1)
			w.args.a = a + uintptr(row*g.aStride())
			w.args.b = b + uintptr(panel*g.panel)
			w.args.base[ports-1] = raw + uintptr((row*g.rawRow()+panel*g.width())*g.arith.acc.Size())
			g.exec.CallAt(s.entry[0], unsafe.Pointer(&w.args))
		}
	}
}
