package gemm

import (
	"github.com/go-acap/acap/base/dtype"
	"github.com/go-acap/acap/kernel/cpu"
	"github.com/go-acap/acap/kernel/vector"
)

// Processors of arm64 multiply a vector by one lane of another vector. So a step of a tile reads its cells of A as
// vectors: A is always copied, to panels of the rows of a tile, as B is to panels of columns. Where an instruction sums
// the products of two rows and two columns, a vector has cells of eight bytes of two rows.

// laneArithmetic is elementArithmetic for these processors.
func laneArithmetic(a, b, acc dtype.DType, f cpu.Features) (arithmetic, bool) {
	t := arithmetic{acc: acc, a: acc, b: acc, group: 1, byLane: vector.LaneMul}
	bytes, same := isByte(a) && isByte(b), a == b
	several := func(op vector.Op, group int) (arithmetic, bool) {
		return arithmetic{acc: acc, a: a, b: b, group: group, byLane: op}, true
	}
	switch {
	case acc == dtype.F32 && f.BF16 && a == dtype.BF16 && same:
		return several(vector.MatBrain, 4)
	case acc.IsFloat() && acc.Size() >= 4:
		return t, true
	case acc == dtype.I64:
		t.temps = 1
		return t, true
	case acc != dtype.I32:
		return t, false
	case bytes && f.I8MM && !same:
		return several(vector.MatMixed, 8)
	case bytes && f.I8MM && a == dtype.I8:
		return several(vector.MatSigned, 8)
	case bytes && f.I8MM:
		return several(vector.MatUnsigned, 8)
	case bytes && f.DotProduct && same && a == dtype.I8:
		return several(vector.DotLane, 4)
	case bytes && f.DotProduct && same:
		return several(vector.DotLaneUnsigned, 4)
	}
	return t, true
}

func isByte(d dtype.DType) bool { return d == dtype.I8 || d == dtype.U8 }

// squares reports whether an instruction sums the products of two rows and two columns.
func (t *arithmetic) squares() bool { return t.ofTiles().Squares() }

// side is how many rows of A a vector of cells has, given the lanes of sums in a vector; 1 if elements are broadcast.
func (t *arithmetic) side(lanes int) int { return t.ofTiles().Side(lanes) }

// columns is how many vectors of cells of B there are for vectors of sums.
func (t *arithmetic) columns(vecs int) int { return t.ofTiles().ColumnVectors(vecs) }

// highest returns how many rows of vecs vectors of sums the registers have room for, beside cells of B and of A. A step
// of squares reads the vectors of A one by one.
func (t *arithmetic) highest(vecs, lanes, registers int) int {
	free := registers - t.columns(vecs) - t.temps
	if t.shiftedA {
		free--
	}
	switch side := t.side(lanes); {
	case side == 1:
		return (free - spares) / vecs
	case t.squares():
		return (free - spares) / (side * vecs) * side
	default: // a register is for the emitter
		return (free - 1) / (side*vecs + 1) * side
	}
}

// interleaved is how many rows of a copied A lie side by side, step by step.
func (p *plan) interleaved() int {
	switch {
	case p.splits():
		return tileSide
	case p.arith.byLane != vector.Invalid:
		return p.shape.rows
	}
	return 1
}
