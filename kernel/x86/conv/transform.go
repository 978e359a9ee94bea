package conv

import (
	"github.com/go-acap/acap/kernel/x86/asm"
	"github.com/go-acap/acap/kernel/x86/epilogue"
	"github.com/go-acap/acap/kernel/x86/transpose"
)

// transformArgs is the argument block of Winograd's transformations.
type transformArgs struct {
	src   uintptr
	rows  int // of tiles
	ports [epilogue.MaxPorts]uintptr
}

// The offsets of the fields.
const (
	transformSrc   = 0
	transformRows  = 8
	transformPorts = 16
)

// transformer emits Winograd's transformations.
type transformer struct {
	*winograd
	a   *asm.Assembler
	epi *epilogue.Epilogue
}

// vector returns a register of as many lanes as the transformations have.
func (g *winograd) vector(i int) asm.Reg { return asm.Vec(g.lanes*f32, i) }

// outputTile is a block of results that one piece of code computes for each row of tiles: a vector
// of channels at most, for a vector of pixels at most in each of one or two rows.
type outputTile struct{ channels, pixels, rows int }

// stripTiles is how many tiles have pixels side by side that are a vector.
func (u *winogradUnits) stripTiles() int { return u.lanes / 2 }

// outputs emits the transformations Aᵀ·m·A of the sums, whose lanes are channels, and the epilogue.
func (t *transformer) outputs() {
	for _, channels := range []int{min(t.K, t.lanes), t.K % t.lanes} {
		for _, pixels := range []int{min(t.Q, 2*t.stripTiles()), t.Q % (2 * t.stripTiles())} {
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
	if tail := tile.pixels % t.lanes; tail > 0 && !t.narrow() {
		a.Emit(asm.MOV, asm.RAX.Dword(), asm.Imm(1<<tail-1))
		a.Emit(asm.KMOVD, asm.K(1), asm.RAX.Dword())
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
	s := func(j int) asm.Reg { return t.vector(t.lanes + j) }
	m := t.vector(t.lanes + 4)
	op := [2]asm.Op{asm.VADDPS, asm.VSUBPS}[r]
	for j := range 4 {
		at := func(row int) asm.Mem {
			return asm.Ptr(asm.RSI, (i*t.sumRow()+(4*row+j)*t.sumPlace())*f32)
		}
		a.Emit(asm.VMOVUPS, m, at(1))
		a.Emit(op, s(j), m, at(2))
		a.Emit(op, s(j), s(j), at(3*r))
	}
	left, right := t.vector(2*i), t.vector(2*i+1)
	a.Emit(asm.VADDPS, left, s(0), s(1))
	a.Emit(asm.VADDPS, left, left, s(2))
	a.Emit(asm.VSUBPS, right, s(1), s(2))
	a.Emit(asm.VSUBPS, right, right, s(3))
}

// outputRow turns a vector of pixels by a vector of channels and emits the epilogue.
func (t *transformer) outputRow(tile outputTile) {
	var regs, spare []asm.Reg
	for i := range t.lanes {
		regs = append(regs, t.vector(i))
		spare = append(spare, t.vector(t.lanes+i))
	}
	out := transpose.Emit(t.a, regs, spare, f32)
	used := map[asm.Reg]bool{}
	for _, r := range out {
		used[r] = true
	}
	e := &epilogue.Tile{
		Rows: tile.channels, Vecs: 1, Tail: tile.pixels % t.lanes,
		Acc:      func(i, _ int) asm.Reg { return out[i] },
		Pointers: portRegs[:len(t.epi.Ports)],
	}
	if !t.narrow() {
		e.Mask = asm.K(1)
	}
	for _, r := range append(regs, spare...) {
		if !used[r] {
			e.Temps = append(e.Temps, r)
		}
	}
	t.epi.Emit(t.a, e)
}
