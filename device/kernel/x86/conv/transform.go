package conv

import (
	"github.com/go-acap/acap/device/kernel/x86/asm"
	"github.com/go-acap/acap/device/kernel/x86/epilogue"
)

// transformArgs is the argument block of the transformations of one channel.
type transformArgs struct {
	src, dst uintptr
	rows     int // of tiles whose two rows of the result both exist
	half     int // 1 if a row of tiles follows of which only the first does
	ports    [epilogue.MaxPorts]uintptr
}

// The offsets of the fields.
const (
	transformSrc   = 0
	transformDst   = 8
	transformRows  = 16
	transformHalf  = 24
	transformPorts = 32
)

// transformer emits Winograd's transformations. The lanes of a vector are 16 tiles side by side.
type transformer struct {
	*winograd
	a   *asm.Assembler
	epi *epilogue.Epilogue
}

// pick returns the indices, into two vectors side by side, of every second element from first on.
func pick(first uint32) []uint32 {
	index := make([]uint32, winogradLanes)
	for i := range index {
		index[i] = first + 2*uint32(i)
	}
	return index
}

// zip returns the indices that interleave two vectors, from element first of each.
func zip(first uint32) []uint32 {
	index := make([]uint32, winogradLanes)
	for i := range index {
		index[i] = first + uint32(i)/2 + uint32(i)%2*winogradLanes
	}
	return index
}

// The registers of the input's transformation: 16 for the tile, the patterns of even and odd
// columns, and five more.
const (
	evenReg = 16
	oddReg  = 17
	freeReg = 18
)

// input emits Bᵀ·d·B for all tiles of a channel: [RDI] is the plane, [RDI+8] where place 0 goes.
func (t *transformer) input() int {
	a := t.a
	a.Align(64)
	entry := a.Len()
	a.Note("transform the input")
	a.Emit(asm.VMOVUPS, asm.Z(evenReg), a.ConstU32(pick(0)...))
	a.Emit(asm.VMOVUPS, asm.Z(oddReg), a.ConstU32(pick(1)...))
	for tile := 0; tile < t.tileCols; tile += winogradLanes {
		t.inputStrip(tile)
	}
	a.Emit(asm.VZEROUPPER)
	a.Emit(asm.RET)
	return entry
}

// inputStrip emits the tiles of one vector's columns, from top to bottom.
func (t *transformer) inputStrip(tile int) {
	a := t.a
	row := t.X.Strides[2] * f32
	a.Emit(asm.MOV, asm.RSI, asm.Ptr(asm.RDI, transformSrc))
	a.Emit(asm.MOV, asm.RDX, asm.Ptr(asm.RDI, transformDst))
	a.Emit(asm.LEA, asm.RSI, asm.Ptr(asm.RSI, -t.Pad[0]*row))
	a.Emit(asm.ADD, asm.RDX, asm.Imm(tile*f32))
	tail := t.tileCols - tile
	if tail < winogradLanes {
		t.setMask(asm.K(1), 1<<tail-1)
	}
	for i := range 4 { // two loads of each of two runs of columns
		t.setMask(asm.K(2+i), t.columns(tile, i))
	}
	inside := func(r int) bool { return 2*r-t.Pad[0] >= 0 && 2*r-t.Pad[0]+3 < t.H }
	for r := 0; r < t.tileRows; {
		count := 1
		for inside(r) && r+count < t.tileRows && inside(r+count) {
			count++
		}
		loop := asm.Label(-1)
		if count > 1 {
			a.Emit(asm.MOV, asm.RCX.Dword(), asm.Imm(count))
			loop = a.Here()
		}
		t.inputTile(r, tile, tail < winogradLanes)
		a.Emit(asm.ADD, asm.RSI, asm.Imm(2*row))
		a.Emit(asm.ADD, asm.RDX, asm.Imm(t.tileCols*f32))
		if count > 1 {
			a.Emit(asm.DEC, asm.RCX)
			a.Emit(asm.JNE, loop)
		}
		r += count
	}
}

func (t *transformer) setMask(k asm.Reg, mask int64) {
	t.a.Emit(asm.MOV, asm.RAX.Dword(), asm.Imm(mask))
	t.a.Emit(asm.KMOVD, k, asm.RAX.Dword())
}

// columns returns which elements of load i of a row lie inside the image. Loads 0 and 1 give
// columns 0 and 1 of the tiles, loads 2 and 3 columns 2 and 3.
func (t *transformer) columns(tile, i int) (mask int64) {
	x := 2*tile - t.Pad[1] + i/2*2 + i%2*winogradLanes
	for l := range winogradLanes {
		if x+l >= 0 && x+l < t.W {
			mask |= 1 << l
		}
	}
	return mask
}

// inputTile emits one row of tiles: rows of the tile first, then its columns.
func (t *transformer) inputTile(r, tile int, masked bool) {
	a := t.a
	z := func(i, j int) asm.Reg { return asm.Z(4*i + j) }
	for i := range 4 {
		if y := 2*r - t.Pad[0] + i; y < 0 || y >= t.H {
			for j := range 4 {
				a.Emit(asm.VPXORD, z(i, j), z(i, j), z(i, j))
			}
			continue
		}
		t.inputRow(i, tile)
	}
	store := func(place int, op asm.Op, x, y asm.Reg) {
		v := asm.Z(freeReg + place%4)
		a.Emit(op, v, x, y)
		m := asm.Ptr(asm.RDX, place*t.inputPlace()*f32)
		if masked {
			m = m.Mask(asm.K(1))
		}
		a.Emit(asm.VMOVUPS, m, v)
	}
	for j := range 4 {
		store(j, asm.VSUBPS, z(0, j), z(2, j))
		store(4+j, asm.VADDPS, z(1, j), z(2, j))
		store(8+j, asm.VSUBPS, z(2, j), z(1, j))
		store(12+j, asm.VSUBPS, z(1, j), z(3, j))
	}
}

// inputRow loads row i of the tiles and applies Bᵀ to its columns.
func (t *transformer) inputRow(i, tile int) {
	a := t.a
	row := i * t.X.Strides[2] * f32
	x := (2*tile - t.Pad[1]) * f32
	low, high := asm.Z(freeReg), asm.Z(freeReg+1)
	d := [4]asm.Reg{asm.Z(freeReg + 2), asm.Z(freeReg + 3), asm.Z(freeReg + 4), asm.Z(freeReg + 5)}
	for half := range 2 {
		at := asm.Ptr(asm.RSI, row+x+half*2*f32)
		a.Emit(asm.VMOVUPS, low.ZeroMask(asm.K(2+2*half)), at)
		a.Emit(asm.VMOVUPS, high.ZeroMask(asm.K(3+2*half)), at.Plus(winogradLanes*f32))
		a.Emit(asm.VMOVAPS, d[2*half], asm.Z(evenReg))
		a.Emit(asm.VPERMI2PS, d[2*half], low, high)
		a.Emit(asm.VMOVAPS, d[2*half+1], asm.Z(oddReg))
		a.Emit(asm.VPERMI2PS, d[2*half+1], low, high)
	}
	a.Emit(asm.VSUBPS, asm.Z(4*i), d[0], d[2])
	a.Emit(asm.VADDPS, asm.Z(4*i+1), d[1], d[2])
	a.Emit(asm.VSUBPS, asm.Z(4*i+2), d[2], d[1])
	a.Emit(asm.VSUBPS, asm.Z(4*i+3), d[1], d[3])
}

// output emits Aᵀ·m·A and the epilogue for the tiles of one output channel of a unit: [RDI] is
// place 0 of its sums.
func (t *transformer) output() int {
	a := t.a
	a.Align(64)
	entry := a.Len()
	a.Note("transform the sums")
	for tile := 0; tile < t.tileCols; tile += winogradLanes {
		t.outputStrip(tile)
	}
	a.Emit(asm.VZEROUPPER)
	a.Emit(asm.RET)
	return entry
}

func (t *transformer) outputStrip(tile int) {
	a := t.a
	a.Emit(asm.MOV, asm.RSI, asm.Ptr(asm.RDI, transformSrc))
	a.Emit(asm.ADD, asm.RSI, asm.Imm(tile*f32))
	for i, p := range t.epi.Ports {
		a.Emit(asm.MOV, portRegs[i], asm.Ptr(asm.RDI, transformPorts+8*i))
		if p.Lane != 0 && tile > 0 {
			a.Emit(asm.ADD, portRegs[i], asm.Imm(2*tile*p.DType.Size()))
		}
	}
	if tail := (t.Q - 2*tile) % winogradLanes; t.Q-2*tile < 2*winogradLanes && tail > 0 {
		t.setMask(asm.K(1), 1<<tail-1)
	}
	half, done := a.Label(), a.Label()
	a.Emit(asm.MOV, asm.RCX, asm.Ptr(asm.RDI, transformRows))
	a.Emit(asm.TEST, asm.RCX, asm.RCX)
	a.Emit(asm.JE, half)
	loop := a.Here()
	t.outputTile(tile, 2)
	a.Emit(asm.ADD, asm.RSI, asm.Imm(t.tileCols*f32))
	for i, p := range t.epi.Ports {
		if p.Row != 0 {
			a.Emit(asm.ADD, portRegs[i], asm.Imm(2*p.Row*p.DType.Size()))
		}
	}
	a.Emit(asm.DEC, asm.RCX)
	a.Emit(asm.JNE, loop)
	a.Bind(half)
	if t.P%2 == 1 {
		a.Emit(asm.MOV, asm.RAX, asm.Ptr(asm.RDI, transformHalf))
		a.Emit(asm.TEST, asm.RAX, asm.RAX)
		a.Emit(asm.JE, done)
		t.outputTile(tile, 1)
	}
	a.Bind(done)
}

// outputTile emits one row of tiles, of which rows rows exist.
func (t *transformer) outputTile(tile, rows int) {
	a := t.a
	place := t.sumPlace() * f32
	// s(r, j) = row r of Aᵀ times column j of the sums.
	s := func(r, j int) asm.Reg { return asm.Z(8 + 4*r + j) }
	for j := range 4 {
		at := func(i int) asm.Mem { return asm.Ptr(asm.RSI, (4*i+j)*place) }
		m1, m2 := asm.Z(16), asm.Z(17)
		a.Emit(asm.VMOVUPS, m1, at(1))
		a.Emit(asm.VMOVUPS, m2, at(2))
		a.Emit(asm.VADDPS, s(0, j), m1, m2)
		a.Emit(asm.VADDPS, s(0, j), s(0, j), at(0))
		if rows == 2 {
			a.Emit(asm.VSUBPS, s(1, j), m1, m2)
			a.Emit(asm.VSUBPS, s(1, j), s(1, j), at(3))
		}
	}
	vecs := 2
	if t.Q-2*tile <= winogradLanes {
		vecs = 1
	}
	for r := range rows {
		left, right := asm.Z(16), asm.Z(17)
		a.Emit(asm.VADDPS, left, s(r, 0), s(r, 1))
		a.Emit(asm.VADDPS, left, left, s(r, 2))
		a.Emit(asm.VSUBPS, right, s(r, 1), s(r, 2))
		a.Emit(asm.VSUBPS, right, right, s(r, 3))
		for v := range vecs {
			y := asm.Z(2*r + v)
			a.Emit(asm.VMOVUPS, y, a.ConstU32(zip(uint32(8*v))...))
			a.Emit(asm.VPERMI2PS, y, left, right)
		}
	}
	e := &epilogue.Tile{
		Rows: rows, Vecs: vecs, Mask: asm.K(1),
		Acc:      func(i, j int) asm.Reg { return asm.Z(2*i + j) },
		Pointers: portRegs[:len(t.epi.Ports)],
	}
	if t.Q-2*tile < 2*winogradLanes {
		e.Tail = (t.Q - 2*tile) % winogradLanes
	}
	for i := 4; i < 32; i++ {
		e.Temps = append(e.Temps, asm.Z(i))
	}
	t.epi.Emit(a, e)
}
