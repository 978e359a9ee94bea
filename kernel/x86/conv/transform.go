package conv

import (
	"github.com/go-acap/acap/kernel/x86/asm"
	"github.com/go-acap/acap/kernel/x86/epilogue"
	"github.com/go-acap/acap/kernel/x86/transpose"
)

// transformArgs is the argument block of Winograd's transformations.
type transformArgs struct {
	src, dst uintptr
	channels int // of the input
	rows     int // of tiles, or of pairs of rows
	ports    [epilogue.MaxPorts]uintptr
}

// The offsets of the fields.
const (
	transformSrc      = 0
	transformDst      = 8
	transformChannels = 16
	transformRows     = 24
	transformPorts    = 32
)

// transformer emits Winograd's transformations.
type transformer struct {
	*winograd
	a   *asm.Assembler
	epi *epilogue.Epilogue
}

// inputRun is the code for some rows of tiles, or pairs of rows, that meet the border alike.
type inputRun struct{ entry, count int }

// paired reports whether two rows of tiles fit a vector, and the columns of one fit another.
func (g *winograd) paired() bool { return 2*g.tileCols+2 <= winogradLanes }

// inside returns which rows of the image that height rows of tiles read exist, from tile row r on.
func (g *winograd) inside(r, height int) (rows uint) {
	for i := range 2*height + 2 {
		if y := 2*r - g.Pad[0] + i; y >= 0 && y < g.H {
			rows |= 1 << i
		}
	}
	return rows
}

// inputs emits the transformations Bᵀ·d·B of the input, whose lanes are tiles side by side.
func (t *transformer) inputs() {
	for height := 1; height <= 2; height++ {
		if height == 2 && !t.paired() {
			break
		}
		runs := make([]inputRun, t.tileRows)
		known := map[uint]int{}
		for r := t.tileRows - height; r >= 0; r-- {
			rows := t.inside(r, height)
			if _, ok := known[rows]; !ok {
				known[rows] = t.inputCode(rows, height)
			}
			runs[r] = inputRun{known[rows], 1}
			if next := r + height; next+height <= t.tileRows && t.inside(next, height) == rows {
				runs[r].count += runs[next].count
			}
		}
		t.input[height-1] = runs
	}
}

// inputCode emits the transformation of rows of tiles of which the given image rows exist, over
// channels: [RDI] is the first row of the image, [RDI+8] where place 0 goes.
func (t *transformer) inputCode(rows uint, height int) (entry int) {
	a := t.a
	a.Align(64)
	entry = a.Len()
	a.Notef("transform the input, %d rows of tiles, image rows %b", height, rows)
	for i, pattern := range t.patterns(height) {
		a.Emit(asm.VMOVUPS, asm.Z(patternReg+i), a.ConstU32(pattern...))
	}
	for tile := 0; tile < t.tileCols; tile += winogradLanes {
		t.inputStrip(tile, rows, height)
	}
	a.Emit(asm.VZEROUPPER)
	a.Emit(asm.RET)
	return entry
}

// The registers of the input's transformation: 16 for the tile, the patterns that pick columns, and
// others.
const (
	patternReg = 16
	loadReg    = 20
	columnReg  = 22
	storeReg   = 26
)

// patterns returns, for each column of the tiles, which elements of two loaded vectors are in it.
// These are the next 32 columns of one row of the image, from column 2 on for the last two; or, for
// pairs of rows of tiles, 16 columns of two rows.
func (t *transformer) patterns(height int) (list [4][]uint32) {
	for j := range 4 {
		for lane := range winogradLanes {
			at := 2*lane + j%2
			if height == 2 {
				at = 2*lane + j
				if lane >= t.tileCols {
					at = winogradLanes + 2*(lane-t.tileCols) + j
				}
			}
			list[j] = append(list[j], uint32(at)%(2*winogradLanes))
		}
	}
	return list
}

// inputStrip emits the tiles of one vector's columns.
func (t *transformer) inputStrip(tile int, rows uint, height int) {
	a := t.a
	if lanes := min((t.tileCols-tile)*height, winogradLanes); lanes < winogradLanes {
		t.setMask(asm.K(1), 1<<lanes-1)
	}
	for i := range 4 { // two loads of each of two runs of columns
		t.setMask(asm.K(2+i), t.columns(tile, i))
	}
	a.Emit(asm.MOV, asm.RSI, asm.Ptr(asm.RDI, transformSrc))
	a.Emit(asm.MOV, asm.RDX, asm.Ptr(asm.RDI, transformDst))
	a.Emit(asm.ADD, asm.RDX, asm.Imm(tile*f32))
	a.Emit(asm.MOV, asm.R8, asm.Ptr(asm.RDI, transformChannels))
	channel := a.Here()
	a.Emit(asm.MOV, asm.R9, asm.RSI)
	a.Emit(asm.MOV, asm.R10, asm.RDX)
	a.Emit(asm.MOV, asm.RCX, asm.Ptr(asm.RDI, transformRows))
	row := a.Here()
	t.inputTile(tile, rows, height)
	a.Emit(asm.ADD, asm.R9, asm.Imm(2*height*t.X.Strides[2]*f32))
	a.Emit(asm.ADD, asm.R10, asm.Imm(height*t.tileCols*f32))
	a.Emit(asm.DEC, asm.RCX)
	a.Emit(asm.JNE, row)
	a.Emit(asm.ADD, asm.RSI, asm.Imm(t.X.Strides[1]*f32))
	a.Emit(asm.ADD, asm.RDX, asm.Imm(t.inputRow()*f32))
	a.Emit(asm.DEC, asm.R8)
	a.Emit(asm.JNE, channel)
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

// inputTile emits one row of tiles, or two: rows of the tile first, then its columns.
func (t *transformer) inputTile(tile int, rows uint, height int) {
	a := t.a
	z := func(i, j int) asm.Reg { return asm.Z(4*i + j) }
	for i := range 4 {
		t.inputRow4(i, tile, rows, height)
	}
	store := func(place int, op asm.Op, x, y asm.Reg) {
		v := asm.Z(storeReg + place%4)
		a.Emit(op, v, x, y)
		m := asm.Ptr(asm.R10, place*t.inputPlace()*f32)
		if (t.tileCols-tile)*height < winogradLanes {
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

// inputRow4 loads row i of the tiles, of which the given rows of the image exist, and applies Bᵀ to
// its four columns.
func (t *transformer) inputRow4(i, tile int, rows uint, height int) {
	a := t.a
	x := (2*tile - t.Pad[1]) * f32
	low, high := asm.Z(loadReg), asm.Z(loadReg+1)
	load := func(to asm.Reg, row, number int) { // number of the mask among the four loads
		if rows>>row&1 == 0 {
			a.Emit(asm.VPXORD, to, to, to)
			return
		}
		at := row*t.X.Strides[2]*f32 + x + (number/2*2+number%2*winogradLanes)*f32
		a.Emit(asm.VMOVUPS, to.ZeroMask(asm.K(2+number)), asm.Ptr(asm.R9, at))
	}
	for j := range 4 {
		switch {
		case height == 2 && j == 0:
			load(low, i, 0)
			load(high, i+2, 0)
		case height == 1 && j%2 == 0:
			load(low, i, j)
			load(high, i, j+1)
		}
		d := asm.Z(columnReg + j)
		a.Emit(asm.VMOVAPS, d, asm.Z(patternReg+j))
		a.Emit(asm.VPERMI2PS, d, low, high)
	}
	d := func(j int) asm.Reg { return asm.Z(columnReg + j) }
	a.Emit(asm.VSUBPS, asm.Z(4*i), d(0), d(2))
	a.Emit(asm.VADDPS, asm.Z(4*i+1), d(1), d(2))
	a.Emit(asm.VSUBPS, asm.Z(4*i+2), d(2), d(1))
	a.Emit(asm.VSUBPS, asm.Z(4*i+3), d(1), d(3))
}

// outputTile is a block of results that one piece of code computes for each row of tiles: a vector
// of channels at most, for a vector of pixels at most in each of one or two rows.
type outputTile struct{ channels, pixels, rows int }

const stripTiles = winogradLanes / 2 // whose pixels side by side are a vector

// outputs emits the transformations Aᵀ·m·A of the sums, whose lanes are channels, and the epilogue.
func (t *transformer) outputs() {
	for _, channels := range []int{min(t.K, winogradLanes), t.K % winogradLanes} {
		for _, pixels := range []int{min(t.Q, 2*stripTiles), t.Q % (2 * stripTiles)} {
			for _, rows := range []int{min(t.P, 2), t.P % 2} {
				tile := outputTile{channels, pixels, rows}
				if _, ok := t.output[tile]; !ok && min(channels, pixels, rows) > 0 {
					t.output[tile] = t.outputCode(tile)
				}
			}
		}
	}
}

// outputCode emits the loop over rows of tiles: [RDI] is place 0 of the sums.
func (t *transformer) outputCode(tile outputTile) (entry int) {
	a := t.a
	a.Align(64)
	entry = a.Len()
	a.Notef("transform the sums, %d channels, %d×%d pixels", tile.channels, tile.rows, tile.pixels)
	a.Emit(asm.MOV, asm.RSI, asm.Ptr(asm.RDI, transformSrc))
	for i := range t.epi.Ports {
		a.Emit(asm.MOV, portRegs[i], asm.Ptr(asm.RDI, transformPorts+8*i))
	}
	if tail := tile.pixels % winogradLanes; tail > 0 {
		t.setMask(asm.K(1), 1<<tail-1)
	}
	a.Emit(asm.MOV, asm.RCX, asm.Ptr(asm.RDI, transformRows))
	loop := a.Here()
	for r := range tile.rows {
		for i := range (tile.pixels + 1) / 2 {
			t.outputPixels(r, i)
		}
		t.outputRow(tile)
		for i, p := range t.ports {
			if p[2] != 0 {
				a.Emit(asm.ADD, portRegs[i], asm.Imm(p[2]))
			}
		}
	}
	a.Emit(asm.ADD, asm.RSI, asm.Imm(t.tileCols*t.sumRow()*f32))
	a.Emit(asm.DEC, asm.RCX)
	a.Emit(asm.JNE, loop)
	a.Emit(asm.VZEROUPPER)
	a.Emit(asm.RET)
	return entry
}

// outputPixels computes the two pixels of tile i in row r, 0 or 1.
func (t *transformer) outputPixels(r, i int) {
	a := t.a
	s := func(j int) asm.Reg { return asm.Z(winogradLanes + j) }
	m := asm.Z(winogradLanes + 4)
	op := [2]asm.Op{asm.VADDPS, asm.VSUBPS}[r]
	for j := range 4 {
		at := func(row int) asm.Mem {
			return asm.Ptr(asm.RSI, (i*t.sumRow()+(4*row+j)*t.sumPlace())*f32)
		}
		a.Emit(asm.VMOVUPS, m, at(1))
		a.Emit(op, s(j), m, at(2))
		a.Emit(op, s(j), s(j), at(3*r))
	}
	left, right := asm.Z(2*i), asm.Z(2*i+1)
	a.Emit(asm.VADDPS, left, s(0), s(1))
	a.Emit(asm.VADDPS, left, left, s(2))
	a.Emit(asm.VSUBPS, right, s(1), s(2))
	a.Emit(asm.VSUBPS, right, right, s(3))
}

// outputRow turns a vector of pixels by a vector of channels and emits the epilogue.
func (t *transformer) outputRow(tile outputTile) {
	var regs, spare []asm.Reg
	for i := range winogradLanes {
		regs = append(regs, asm.Z(i))
		spare = append(spare, asm.Z(winogradLanes+i))
	}
	out := transpose.Emit(t.a, regs, spare, f32)
	used := map[asm.Reg]bool{}
	for _, r := range out {
		used[r] = true
	}
	e := &epilogue.Tile{
		Rows: tile.channels, Vecs: 1, Tail: tile.pixels % winogradLanes, Mask: asm.K(1),
		Acc:      func(i, _ int) asm.Reg { return out[i] },
		Pointers: portRegs[:len(t.epi.Ports)],
	}
	for _, r := range append(regs, spare...) {
		if !used[r] {
			e.Temps = append(e.Temps, r)
		}
	}
	t.epi.Emit(t.a, e)
}
