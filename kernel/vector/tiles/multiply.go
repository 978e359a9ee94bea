package tiles

import "github.com/go-acap/acap/kernel/vector"

// Multiply is how a step multiplies cells, of one element or of several neighbours in four bytes, and adds the
// products. Cells of A are broadcast, unless the operation multiplies by lanes: then the cells of the rows of a tile lie
// side by side, and are read as vectors.
type Multiply struct {
	Kind vector.Kind // of the sums
	Op   vector.Op   // MulAdd, or Mul and SumPairs before an addition, or a dot product; or one by lanes, or of squares

	ColumnsFirst bool // the columns of B are the first operand, which has no sign
	Crossed      bool // a step has two cells, and multiplies the sums of each of A and the other one of B
	Shifted      bool // bytes of A have signs: the first operand is 128 more
}

// Squares reports whether a vector has the sums of two rows and two columns, of cells of eight bytes.
func (m Multiply) Squares() bool { return m.Op >= vector.MatSigned && m.Op <= vector.MatBrain }

// ByLanes reports whether vectors of B are multiplied by lanes of vectors of A.
func (m Multiply) ByLanes() bool {
	switch m.Op {
	case vector.LaneMul, vector.DotLane, vector.DotLaneUnsigned, vector.DotLaneMixed, vector.DotLaneSwapped:
		return true
	}
	return false
}

// Side returns how many rows of A a vector of cells has, given the lanes of a vector of sums; 1 if cells are broadcast.
func (m Multiply) Side(lanes int) int {
	switch {
	case m.Squares():
		return lanes / 2
	case m.ByLanes():
		return lanes
	}
	return 1
}

// ColumnVectors returns how many vectors of cells of B a step has for a number of vectors of sums.
func (m Multiply) ColumnVectors(sums int) int {
	if m.Squares() || m.Crossed {
		return 2 * sums
	}
	return sums
}

// load is the kind that cells are read as.
func (m Multiply) load() vector.Kind {
	if m.Op == vector.MulAdd || m.Op == vector.Mul || m.Op == vector.LaneMul {
		return m.Kind
	}
	return vector.I32
}

// Add adds x·y to a sum, which is a variable: x are cells of A, and y cells of B.
func (m Multiply) Add(b *vector.Builder, x, y, sum vector.Val) {
	switch {
	case m.Op == vector.Mul || m.Op == vector.SumPairs:
		b.Set(sum, vector.Add, 0, sum, b.Into(m.Op, m.Kind, 0, y, x))
		return
	case m.Op == vector.MulAdd || m.ColumnsFirst:
		x, y = y, x
	}
	b.Set(sum, m.Op, 0, x, y, sum)
}
