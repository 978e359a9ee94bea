package conv

import "github.com/go-acap/acap/kernel/x86/asm"

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
		for lane := range t.lanes {
			at := 2*lane + j%2
			if height == 2 {
				at = 2*lane + j
				if lane >= t.tileCols {
					at = t.lanes + 2*(lane-t.tileCols) + j
				}
			}
			list[j] = append(list[j], uint32(at%(2*t.lanes)))
		}
	}
	return list
}

// stripMasks sets the masks of a strip: of the tiles that there are, and of the columns of loads.
func (t *transformer) stripMasks(tile, height int) {
	if lanes := min((t.tileCols-tile)*height, t.lanes); lanes < t.lanes {
		t.setMask(asm.K(1), 1<<lanes-1)
	}
	for i := range 4 { // two loads of each of two runs of columns
		t.setMask(asm.K(2+i), t.columns(tile, i))
	}
}

func (t *transformer) setMask(k asm.Reg, mask int64) {
	t.a.Emit(asm.MOV, asm.RAX.Dword(), asm.Imm(mask))
	t.a.Emit(asm.KMOVD, k, asm.RAX.Dword())
}

// columns returns which elements of load i of a row lie inside the image. Loads 0 and 1 give
// columns 0 and 1 of the tiles, loads 2 and 3 columns 2 and 3.
func (t *transformer) columns(tile, i int) (mask int64) {
	x := 2*tile - t.Pad[1] + i/2*2 + i%2*t.lanes
	for l := range t.lanes {
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
		if (t.tileCols-tile)*height < t.lanes {
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
			a.Emit(asm.VXORPS, to, to, to)
			return
		}
		at := row*t.X.Strides[2]*f32 + x + (number/2*2+number%2*t.lanes)*f32
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
