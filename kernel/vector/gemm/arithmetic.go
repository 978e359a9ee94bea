package gemm

import (
	"github.com/go-acap/acap/base/dtype"
	"github.com/go-acap/acap/kernel"
	"github.com/go-acap/acap/kernel/cpu"
	"github.com/go-acap/acap/kernel/vector"
)

// arithmetic is how one step of a sum is computed. A step multiplies group neighbouring elements
// of the depth at once; group elements are called a cell, which has 4 or 8 bytes.
type arithmetic struct {
	acc      dtype.DType
	a, b     dtype.DType // element types that the code reads
	group    int
	shiftedA bool      // the code reads a and multiplies a + 128, and columns carry a correction
	crossed  bool      // sums of A and B are multiplied; rows and columns carry a correction
	temps    int       // registers that multiply needs
	byLane   vector.Op // multiplies by lanes of vectors of A, or sums squares; Invalid where elements of A are broadcast
	tiles    bool      // AMX multiplies
	pieces   [2]int    // that an element of A and one of B are the sum of
	terms    [][2]int  // pairs of pieces that are multiplied
}

// cell returns the bytes of group elements.
func (t *arithmetic) cell() int { return t.group * t.b.Size() }

// lane returns how many neighbours of the depth lie together in a lane of a packed row.
func (t *arithmetic) lane() int {
	if t.crossed {
		return t.group / 2
	}
	return t.group
}

// chooseArithmetic returns the way to sum products of a and b in acc.
func chooseArithmetic(a, b, acc dtype.DType, f cpu.Features) (arithmetic, bool) {
	t, ok := elementArithmetic(a, b, acc, f)
	t.pieces, t.terms = [2]int{1, 1}, allTerms[len(allTerms)-1:]
	return t, ok
}

// elementArithmetic returns it for elements that are left whole.
func elementArithmetic(a, b, acc dtype.DType, f cpu.Features) (arithmetic, bool) {
	if f.Level == cpu.NEON {
		return laneArithmetic(a, b, acc, f)
	}
	switch acc {
	case dtype.F32, dtype.F64:
		if acc == dtype.F32 && a == dtype.BF16 && b == dtype.BF16 && f.BF16 {
			return arithmetic{acc: acc, a: a, b: b, group: 2}, true
		}
		return arithmetic{acc: acc, a: acc, b: acc, group: 1}, true
	case dtype.I32:
		switch {
		case isByte(a) && b == dtype.I8 && f.VNNI:
			return arithmetic{acc: acc, a: a, b: b, group: 4, shiftedA: a == dtype.I8}, true
		case a == dtype.I8 && b == dtype.U8 && f.VNNI:
			return arithmetic{acc: acc, a: a, b: b, group: 4}, true
		case isByte(a) && isByte(b) && f.Level == cpu.AVX2:
			return arithmetic{acc: acc, a: dtype.I16, b: dtype.I16, group: 4, crossed: true, temps: 2}, true
		case short(a) && short(b):
			return arithmetic{acc: acc, a: dtype.I16, b: dtype.I16, group: 2, temps: 1}, true
		}
		return arithmetic{acc: acc, a: acc, b: acc, group: 1, temps: 1}, true
	case dtype.I64:
		return arithmetic{acc: acc, a: acc, b: acc, group: 1, temps: 1}, f.Level == cpu.AVX512
	}
	return arithmetic{}, false
}

// short reports whether all integers of a type are among the integers of 16 bits with a sign.
func short(d dtype.DType) bool { return d == dtype.I8 || d == dtype.U8 || d == dtype.I16 }

// pairs reports whether pairs of integers of 16 bits are multiplied and added.
func (t *arithmetic) pairs() bool { return t.b == dtype.I16 }

// cost returns the cycles that one step of a tile takes, for comparing tiles: its instructions, its loads, and at least
// the latency of an addition, which the next step of the same sum waits for.
func (t *arithmetic) cost(rows, vecs, lanes int, core cpu.Core) float64 {
	loads := rows + vecs
	if side := t.side(lanes); side > 1 {
		loads = kernel.Pieces(rows, side) + t.columns(vecs)
	}
	if t.squares() {
		rows = kernel.Pieces(rows, 2) * 2
	}
	issue := float64(rows * vecs * (1 + 2*t.temps))
	return max(issue/core.Products, float64(loads)/core.Loads, core.Latency)
}
