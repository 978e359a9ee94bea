package gemm

import (
	"math"

	"github.com/go-acap/acap/kernel/cpu"
	"github.com/go-acap/acap/kernel/x86/asm"
	"github.com/go-acap/acap/kernel/x86/emit"
	"github.com/go-acap/acap/kernel/x86/epilogue"
)

// callArgs is the argument block of a block of code. Addresses are plain numbers: the code moves
// them past the ends of the operands, where a pointer must not point.
type callArgs struct {
	a, b   uintptr
	panels int
	tiles  int            // full tiles in a column
	tail   int            // 1 if a lower tile follows
	packed uintptr        // memory for the panel that the first tile packs
	fetch  uintptr        // where the next prefetch of packed B goes
	first  int            // 1 if the first tile packs its panel, or matrix tiles multiply, 0 if an earlier call has done so
	base   [ports]uintptr // of each port at the first tile of a panel
	cur    [ports]uintptr // at the current tile
}

// ports are those of the epilogue and, last, the waiting sums of earlier chunks.
const ports = epilogue.MaxPorts + 1

// The offsets of the fields.
const (
	argA      = 0
	argB      = 8
	argPanels = 16
	argTiles  = 24
	argTail   = 32
	argPacked = 40
	argFetch  = 48
	argFirst  = 56
	argBase   = 64
	argCur    = argBase + 8*ports
)

// fetchReg is where the next prefetch of B goes, and lineReg counts lines of pieces. The epilogue
// uses them as well, afterwards.
const (
	fetchReg = asm.RBX
	lineReg  = asm.RBP
)

// unroll is the number of steps in one round of the inner loop.
const unroll = 4

// With few rows the product is as fast as packed B comes from memory, which is faster with prefetches far ahead.
// Where the second-level cache has all of B, prefetches take the ports of the loads and fetch what lies behind B.
const (
	fewRows       = 12
	prefetchAhead = 8192
)

// rowsAhead is how far ahead a tile that packs fetches rows of B: they lie on other pages, where
// the processor does not look.
const rowsAhead = 10

// A variant is one block of code.
type variant struct {
	vecs  int  // vectors in a row of the panel
	tail  int  // elements in the last of them; 0 means all
	depth int  // steps of the sum
	more  bool // start from the waiting sums rather than from zero
}

// portRegs hold the addresses of the epilogue's ports at a tile.
var portRegs = [epilogue.MaxPorts]asm.Reg{
	asm.RBX, asm.RBP, asm.R9, asm.R12, asm.R13, asm.R14, asm.R15,
}

// block emits variants of a plan.
type block struct {
	*plan
	variant
	a      *asm.Assembler
	epi    *epilogue.Epilogue
	rawRow int  // stride of the waiting sums, in elements
	packs  bool // the tile being emitted packs its panel
}

func (b *block) vector(i int) asm.Reg { return asm.Vec(b.features.Level.VectorBytes(), i) }
func (b *block) acc(i, j int) asm.Reg { return b.vector(i*b.vecs + j) }

// emit emits the loop over panels and tiles, entered with the argument block in RDI.
func (b *block) emit(tailRows int) {
	a := b.a
	b.maskTail()
	a.Emit(asm.MOV, asm.R8, asm.Ptr(asm.RDI, argB))
	a.Emit(asm.MOV, asm.R11, asm.Ptr(asm.RDI, argPanels))
	panel, low, next := a.Label(), a.Label(), a.Label()
	a.Bind(panel)
	b.firstPorts()
	a.Emit(asm.MOV, asm.RSI, asm.Ptr(asm.RDI, argA))
	a.Emit(asm.MOV, asm.R10, asm.Ptr(asm.RDI, argTiles))
	if b.b.mode == tilePacked {
		b.firstTile(tailRows, next)
	}
	a.Emit(asm.TEST, asm.R10, asm.R10)
	a.Emit(asm.JE, low)
	tile := a.Here()
	b.tile(b.shape.rows)
	a.Emit(asm.DEC, asm.R10)
	a.Emit(asm.JNE, tile)
	a.Bind(low)
	if tailRows > 0 {
		a.Emit(asm.MOV, asm.R10, asm.Ptr(asm.RDI, argTail))
		a.Emit(asm.TEST, asm.R10, asm.R10)
		a.Emit(asm.JE, next)
		b.tile(tailRows)
	}
	a.Bind(next)
	a.Emit(asm.ADD, asm.R8, asm.Imm(b.panelBytes()))
	if b.fetchesByPanel() {
		a.Emit(asm.LEA, asm.RAX, asm.Ptr(asm.R8, b.panelBytes()))
		a.Emit(asm.MOV, asm.Ptr(asm.RDI, argFetch), asm.RAX)
	}
	b.eachPort(func(i int, _, lane int) {
		a.Emit(asm.MOV, asm.RAX, asm.Ptr(asm.RDI, argBase+8*i))
		a.Emit(asm.ADD, asm.RAX, asm.Imm(lane*b.width()))
		a.Emit(asm.MOV, asm.Ptr(asm.RDI, argBase+8*i), asm.RAX)
	})
	a.Emit(asm.DEC, asm.R11)
	a.Emit(asm.JNE, panel)
	a.Emit(asm.VZEROUPPER)
	a.Emit(asm.RET)
}

// maskTail emits the mask of the elements in the last vector of a row, with AVX-512.
func (b *block) maskTail() {
	if b.tail > 0 && b.features.Level >= cpu.AVX512 {
		b.a.Emit(asm.MOV, asm.RAX.Dword(), asm.Imm(1<<b.tail-1))
		b.a.Emit(asm.KMOVD, emit.Tail, asm.RAX.Dword())
	}
}

// firstPorts emits the move of the ports to the first tile of a panel.
func (b *block) firstPorts() {
	b.eachPort(func(i int, _, _ int) {
		b.a.Emit(asm.MOV, asm.RAX, asm.Ptr(asm.RDI, argBase+8*i))
		b.a.Emit(asm.MOV, asm.Ptr(asm.RDI, argCur+8*i), asm.RAX)
	})
}

// firstTile emits the tile that packs its panel: a full one, or the lower one if there is no other.
func (b *block) firstTile(tailRows int, next asm.Label) {
	a := b.a
	packed, full := a.Label(), a.Label()
	a.Emit(asm.MOV, asm.RAX, asm.Ptr(asm.RDI, argFirst))
	a.Emit(asm.TEST, asm.RAX, asm.RAX)
	a.Emit(asm.JE, packed)
	b.packs = true
	a.Emit(asm.TEST, asm.R10, asm.R10)
	a.Emit(asm.JNE, full)
	if tailRows > 0 {
		b.tile(tailRows)
	}
	a.Emit(asm.JMP, next)
	a.Bind(full)
	b.tile(b.shape.rows)
	b.packs = false
	a.Emit(asm.DEC, asm.R10)
	a.Bind(packed)
}

// eachPort calls f with the slot of every port in use and its row and lane strides in bytes.
func (b *block) eachPort(f func(slot, row, lane int)) {
	for i, p := range b.epi.Ports {
		f(i, p.Row*p.DType.Size(), p.Lane*p.DType.Size())
	}
	if b.more {
		f(ports-1, b.rawRow*b.arith.acc.Size(), b.arith.acc.Size())
	}
}

// tile emits one tile: start of the sums, the loop over the depth, the epilogue.
func (b *block) tile(rows int) {
	a := b.a
	b.start(rows)
	switch {
	case b.packs:
		a.Emit(asm.MOV, asm.RDX, asm.R8)
		a.Emit(asm.MOV, asm.RAX, asm.Ptr(asm.RDI, argPacked))
	case b.b.mode == tilePacked:
		a.Emit(asm.MOV, asm.RDX, asm.Ptr(asm.RDI, argPacked))
	default:
		a.Emit(asm.LEA, asm.RDX, asm.Ptr(asm.R8, b.correction()))
	}
	rounds, rest := b.depth/unroll, b.depth%unroll
	fetch := b.ahead(b.depth)
	if fetch.rounds > 0 {
		a.Emit(asm.MOV, fetchReg, asm.Ptr(asm.RDI, argFetch))
		b.fetching(rows, fetch)
		a.Emit(asm.MOV, asm.Ptr(asm.RDI, argFetch), fetchReg)
	}
	b.rounds(rows, rounds-fetch.rounds*fetch.lines, ahead{})
	for u := range rest {
		b.step(rows, u)
	}
	b.finish(rows)
	// From the end of the last row of steps to the first step of the next tile.
	move := rows*b.aStride() - rounds*unroll*b.aStep()
	a.Emit(asm.ADD, asm.RSI, asm.Imm(move))
}

// fetching emits the rounds that fetch: as many for each line of the pieces.
func (b *block) fetching(rows int, f ahead) {
	a := b.a
	if f.lines == 1 {
		b.rounds(rows, f.rounds, f)
		return
	}
	a.Emit(asm.MOV, lineReg.Dword(), asm.Imm(f.lines))
	line := a.Here()
	b.rounds(rows, f.rounds, f)
	a.Emit(asm.ADD, fetchReg, asm.Imm(64-f.run()))
	a.Emit(asm.DEC, lineReg)
	a.Emit(asm.JNE, line)
	a.Emit(asm.ADD, fetchReg, asm.Imm(f.run()-64*f.lines))
}

// rounds emits count rounds of the inner loop, each of which fetches some of the next B.
func (b *block) rounds(rows, count int, fetch ahead) {
	a := b.a
	if count == 0 {
		return
	}
	if count > 1 {
		a.Emit(asm.MOV, asm.RCX.Dword(), asm.Imm(count))
		a.Align(64)
	}
	loop := a.Here()
	for u := range unroll {
		if b.farA() {
			b.fetchNext(rows, u)
		}
		b.step(rows, u)
	}
	for i := range fetch.pieces {
		a.Emit(asm.PREFETCHT1, asm.Ptr(fetchReg, i*fetch.stride))
	}
	if fetch.pieces > 0 {
		a.Emit(asm.ADD, fetchReg, asm.Imm(fetch.pieces*fetch.stride))
	}
	b.advance(unroll)
	if count > 1 {
		a.Emit(asm.DEC, asm.RCX)
		a.Emit(asm.JNE, loop)
	}
}

// farA reports whether A comes from so far that the next tile's rows are fetched early.
func (p *plan) farA() bool { return p.m*p.aStride() > p.features.L3/4 }

// fetchNext emits prefetches of some of the next tile's rows into the second-level cache.
func (b *block) fetchNext(rows, u int) {
	for i := u; i < rows; i += unroll {
		b.a.Emit(asm.PREFETCHT1, asm.Ptr(asm.RSI, (rows+i)*b.aStride()))
	}
}

// correction returns the offset of the cells in a panel.
func (b *block) correction() int {
	if b.b.mode == direct {
		return 0
	}
	return b.correctionBytes()
}

func (b *block) advance(steps int) {
	b.a.Emit(asm.ADD, asm.RSI, asm.Imm(steps*b.aStep()))
	if b.packs {
		b.a.Emit(asm.ADD, asm.RDX, asm.Imm(steps*b.bRow()))
		b.a.Emit(asm.ADD, asm.RAX, asm.Imm(steps*b.bStep()))
		return
	}
	b.a.Emit(asm.ADD, asm.RDX, asm.Imm(steps*b.bStep()))
}

// start sets the accumulators to zero, to the correction, or to the waiting sums.
func (b *block) start(rows int) {
	a := b.a
	if b.more {
		a.Emit(asm.MOV, asm.RAX, asm.Ptr(asm.RDI, argCur+8*(ports-1)))
	}
	size := b.features.Level.VectorBytes()
	for i := range rows {
		for j := range b.vecs {
			switch r := b.acc(i, j); {
			case b.more:
				a.Emit(asm.VMOVUPS, r, asm.Ptr(asm.RAX, i*b.rawRow*b.arith.acc.Size()+j*size))
			case b.arith.shiftedA:
				a.Emit(asm.VMOVUPS, r, asm.Ptr(asm.R8, j*size))
			case r.Num() < 16:
				a.Emit(asm.VPXOR, r.As(16), r.As(16), r.As(16))
			default:
				a.Emit(asm.VPXORD, r, r, r)
			}
		}
	}
	if b.more {
		a.Emit(asm.ADD, asm.RAX, asm.Imm(rows*b.rawRow*b.arith.acc.Size()))
		a.Emit(asm.MOV, asm.Ptr(asm.RDI, argCur+8*(ports-1)), asm.RAX)
	}
}

// step emits step u of a round.
func (b *block) step(rows, u int) {
	a := b.a
	first := b.shape.rows * b.vecs
	vec := func(j int) asm.Reg { return b.vector(first + j) }
	temp := asm.None
	if b.arith.temps > 0 {
		temp = b.vector(first + b.vecs + spares)
	}
	size := b.features.Level.VectorBytes()
	stride := b.bStep()
	if b.packs {
		stride = b.bRow()
	}
	for j := range b.vecs {
		r := vec(j)
		if (b.b.mode == direct || b.packs) && b.tail > 0 && j == b.vecs-1 {
			r = r.ZeroMask(emit.Tail)
		}
		load := asm.VMOVUPS
		if b.arith.acc.Size() == 8 {
			load = asm.VMOVUPD
		}
		m := asm.Ptr(asm.RDX, u*stride+j*size)
		switch {
		case b.b.mode == packedOnce && b.m <= fewRows && b.b.packed*b.b.copies > b.features.L2:
			a.Emit(asm.PREFETCHT0, m.Plus(prefetchAhead))
		case b.packs || b.b.mode == direct && !b.smallB() && b.reachesAhead():
			a.Emit(asm.PREFETCHT0, m.Plus(rowsAhead*stride))
		}
		a.Emit(load, r, m)
		if b.packs {
			a.Emit(asm.VMOVUPS, asm.Ptr(asm.RAX, u*b.bStep()+j*size), vec(j))
		}
	}
	for i := range rows {
		m := asm.Ptr(asm.RSI, i*b.aStride()+u*b.aStep())
		if b.embeds(i) {
			for j := range b.vecs {
				b.arith.multiply(a, b.acc(i, j), m.Bcast(), vec(j), temp)
			}
			continue
		}
		x := b.vector(first + b.vecs + i%spares)
		b.arith.broadcast(a, x, m)
		for j := range b.vecs {
			b.arith.multiply(a, b.acc(i, j), x, vec(j), temp)
		}
	}
}

// embeds reports whether the multiplications of row i broadcast the row's element themselves. An embedded broadcast
// saves an instruction, which counts where two threads share a core, and costs a load for each multiplication. A core
// can load as often as it multiplies, so every second row of a narrow tile embeds its broadcast.
func (b *block) embeds(i int) bool {
	if b.features.Level < cpu.AVX512 || !b.arith.embeds() {
		return false
	}
	return b.vecs == 1 || b.vecs <= 3 && i%2 == 1
}

// finish emits the epilogue and moves the ports to the next tile.
func (b *block) finish(rows int) {
	a := b.a
	t := &epilogue.Tile{
		Rows: rows, Vecs: b.vecs, Tail: b.tail, Acc: b.acc,
		Pointers: portRegs[:len(b.epi.Ports)],
	}
	for i := b.shape.rows * b.vecs; i < b.features.Level.VectorRegisters(); i++ {
		t.Temps = append(t.Temps, b.vector(i))
	}
	for i := range b.epi.Ports {
		a.Emit(asm.MOV, portRegs[i], asm.Ptr(asm.RDI, argCur+8*i))
	}
	b.epi.Emit(a, t)
	for i, p := range b.epi.Ports {
		step := rows * p.Row * p.DType.Size()
		if step == 0 {
			continue
		}
		if step > math.MaxInt32 {
			panic("BUG: gemm: a row stride that package epilogue refuses")
		}
		a.Emit(asm.ADD, portRegs[i], asm.Imm(step))
		a.Emit(asm.MOV, asm.Ptr(asm.RDI, argCur+8*i), portRegs[i])
	}
}

// temps returns the registers that the epilogue may use.
func (p *plan) temps() int {
	if p.b.mode == streamed {
		return p.features.Level.VectorRegisters() - streamVecs - streamRows
	}
	return p.features.Level.VectorRegisters() - p.shape.rows*p.shape.vecs
}
