package conv

import "github.com/go-acap/acap/kernel/x86/asm"

// inputRun is the code for some rows of tiles, or pairs of rows, that meet the border alike.
type inputRun struct{ entry, count int }

// paired reports whether two rows of tiles fit a vector, and the columns of one fit another. Vectors
// without masks hold one row.
func (g *winograd) paired() bool { return !g.narrow() && 2*g.tileCols+2 <= g.lanes }

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
	if !t.narrow() {
		for i, pattern := range t.patterns(height) {
			a.Emit(asm.VMOVUPS, asm.Z(patternReg+i), a.ConstU32(pattern...))
		}
	}
	// The last strip first: without masks it overwrites the first tiles of the next row.
	for tile := (t.tileCols - 1) / t.lanes * t.lanes; tile >= 0; tile -= t.lanes {
		t.inputStrip(tile, rows, height)
	}
	a.Emit(asm.VZEROUPPER)
	a.Emit(asm.RET)
	return entry
}

// inputStrip emits the tiles of one vector's columns.
func (t *transformer) inputStrip(tile int, rows uint, height int) {
	a := t.a
	if !t.narrow() {
		t.stripMasks(tile, height)
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
	if t.narrow() {
		t.narrowTile(tile, rows)
	} else {
		t.inputTile(tile, rows, height)
	}
	a.Emit(asm.ADD, asm.R9, asm.Imm(2*height*t.X.Strides[2]*f32))
	a.Emit(asm.ADD, asm.R10, asm.Imm(height*t.tileCols*f32))
	a.Emit(asm.DEC, asm.RCX)
	a.Emit(asm.JNE, row)
	a.Emit(asm.ADD, asm.RSI, asm.Imm(t.X.Strides[1]*f32))
	a.Emit(asm.ADD, asm.RDX, asm.Imm(t.inputRow()*f32))
	a.Emit(asm.DEC, asm.R8)
	a.Emit(asm.JNE, channel)
}
