package conv

import "github.com/go-acap/acap/kernel/x86/asm"

// The registers of the input's transformation without masks: two rows of the image, their
// combination, and its columns. Those of the columns are free while rows are loaded.
const (
	narrowRows    = 0 // image rows 1 and 2
	narrowMix     = 8
	narrowColumns = 12
)

// narrowTile emits one row of a vector of tiles: first the rows of the tiles, then their columns. Each row of the image
// comes as four vectors, whose halves lie so that one shuffle of two vectors picks every second column. Columns 0 and 1
// of the tiles come from the first two vectors, columns 2 and 3 from the last two.
func (t *transformer) narrowTile(tile int, rows uint) {
	a := t.a
	first, second := func(v int) asm.Reg { return t.vector(narrowRows + v) },
		func(v int) asm.Reg { return t.vector(narrowRows + 4 + v) }
	mix := func(v int) asm.Reg { return t.vector(narrowMix + v) }
	column := func(j int) asm.Reg { return t.vector(narrowColumns + j) }
	for v := range 4 {
		t.narrowLoad(first(v), tile, 1, v, rows)
		t.narrowLoad(second(v), tile, 2, v, rows)
	}
	for i := range 4 {
		for v := range 4 {
			switch i {
			case 0:
				t.narrowLoad(mix(v), tile, 0, v, rows)
				a.Emit(asm.VSUBPS, mix(v), mix(v), second(v))
			case 1:
				a.Emit(asm.VADDPS, mix(v), first(v), second(v))
			case 2:
				a.Emit(asm.VSUBPS, mix(v), second(v), first(v))
			case 3:
				t.narrowLoad(mix(v), tile, 3, v, rows)
				a.Emit(asm.VSUBPS, mix(v), first(v), mix(v))
			}
		}
		for j := range 4 {
			const even, odd = 0x88, 0xDD
			pick := [2]int{even, odd}[j%2]
			a.Emit(asm.VSHUFPS, column(j), mix(j/2*2), mix(j/2*2+1), asm.Imm(pick))
		}
		a.Emit(asm.VSUBPS, mix(0), column(0), column(2))
		a.Emit(asm.VADDPS, mix(1), column(1), column(2))
		a.Emit(asm.VSUBPS, mix(2), column(2), column(1))
		a.Emit(asm.VSUBPS, mix(3), column(1), column(3))
		for j := range 4 {
			a.Emit(asm.VMOVUPS, asm.Ptr(asm.R10, (4*i+j)*t.inputPlace()*f32), mix(j))
		}
	}
}

// narrowLoad loads vector v of a row of the image: four columns and, in the upper half, the four that
// lie eight further. What lies outside the image is 0.
func (t *transformer) narrowLoad(to asm.Reg, tile, row, v int, rows uint) {
	a := t.a
	if rows>>row&1 == 0 {
		a.Emit(asm.VXORPS, to, to, to)
		return
	}
	const half = 4
	x := 2*tile - t.Pad[1] + v/2*2 + v%2*half
	at := func(x int) asm.Mem { return asm.Ptr(asm.R9, (row*t.X.Strides[2]+x)*f32) }
	inside := func(x int) (mask []uint32, count int) {
		for i := range half {
			mask = append(mask, 0)
			if x+i >= 0 && x+i < t.W {
				mask[i] = 1<<32 - 1
				count++
			}
		}
		return mask, count
	}
	low := to.As(16)
	switch mask, count := inside(x); count {
	case 0:
		a.Emit(asm.VXORPS, low, low, low)
	case half:
		a.Emit(asm.VMOVUPS, low, at(x))
	default:
		t.narrowMasked(low, mask, at(x))
	}
	switch mask, count := inside(x + 2*half); count {
	case 0: // writing the lower half clears the upper one
	case half:
		a.Emit(asm.VINSERTF128, to, to, at(x+2*half), asm.Imm(1))
	default:
		high := t.vector(narrowColumns).As(16)
		t.narrowMasked(high, mask, at(x+2*half))
		a.Emit(asm.VINSERTF128, to, to, high, asm.Imm(1))
	}
}

// narrowMasked loads those of four columns that a mask has.
func (t *transformer) narrowMasked(to asm.Reg, mask []uint32, from asm.Mem) {
	m := t.vector(narrowColumns + 1).As(16)
	t.a.Emit(asm.VMOVUPS, m, t.a.ConstU32(mask...))
	t.a.Emit(asm.VMASKMOVPS, to, m, from)
}
