package tiles

import "github.com/go-acap/acap/kernel/vector"

// Multiply is how a step multiplies cells, of one element or of several neighbours in four bytes, and adds the
// products.
type Multiply struct {
	Kind vector.Kind // of the sums
	Op   vector.Op   // MulAdd, or Mul and SumPairs before an addition, or a dot product
}

// load is the kind that cells are read as.
func (m Multiply) load() vector.Kind {
	if m.Op == vector.MulAdd || m.Op == vector.Mul {
		return m.Kind
	}
	return vector.I32
}

// Add writes sum + x·y: x are cells of A, and y cells of B.
func (m Multiply) Add(b *vector.Builder, x, y, sum vector.Val) vector.Val {
	switch m.Op {
	case vector.MulAdd:
		return b.Op(vector.MulAdd, y, x, sum)
	case vector.Mul, vector.SumPairs:
		return b.Op(vector.Add, sum, b.Into(m.Op, m.Kind, 0, y, x))
	}
	return b.Into(m.Op, m.Kind, 0, x, y, sum)
}
