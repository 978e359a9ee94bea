package portable

import (
	"unsafe"

	"github.com/go-acap/acap/kernel"
)

// matrix is the operand that a vector is multiplied by: its steps along the depth and along the result.
type matrix[T accumulator] struct {
	read        reader[T]
	depth, side int
}

// vectorProduct adds a part of a vector by a part of a matrix to sums, which lie stride elements apart in c.
// The matrix is read once, in the order in which it lies in memory, and nothing of it is packed.
func (t *tile[T]) vectorProduct(x []T, m matrix[T], p unsafe.Pointer, at, sums, stride int) {
	if m.depth == 1 {
		row := t.b[:len(x)]
		for j := range sums {
			m.read(row, p, at+j*m.side, 1)
			t.c[j*stride] += dot(x, row)
		}
		return
	}
	row := t.b[:sums]
	for k, v := range x {
		m.read(row, p, at+k*m.depth, m.side)
		for j, y := range row {
			t.c[j*stride] += v * y
		}
	}
}

// dot sums products in four sums, for processors that start an addition before the last one ends.
func dot[T accumulator](a, b []T) T {
	b = b[:len(a)]
	var s0, s1, s2, s3 T
	i := 0
	for ; i+4 <= len(a); i += 4 {
		s0 += a[i] * b[i]
		s1 += a[i+1] * b[i+1]
		s2 += a[i+2] * b[i+2]
		s3 += a[i+3] * b[i+3]
	}
	for ; i < len(a); i++ {
		s0 += a[i] * b[i]
	}
	return (s0 + s1) + (s2 + s3)
}

// vector adds a part of a product whose tile has one row or one column.
func (c *contractionCode[T]) vector(w *worker[T], args *kernel.Args, p part) {
	A, B := &c.k.A, &c.k.B
	x := w.tile.a[:p.k]
	if p.m == 1 {
		c.readA(x, args.Ptr[0], p.a, A.Col)
		depth := B.Row
		if B.Stored() {
			depth = 1 // of values in blocks that lie side by side
		}
		w.tile.vectorProduct(x, matrix[T]{c.readB, depth, B.Col}, args.Ptr[1], p.b, p.n, 1)
		return
	}
	c.readB(x, args.Ptr[1], p.b, B.Row)
	w.tile.vectorProduct(x, matrix[T]{c.readA, A.Col, A.Row}, args.Ptr[0], p.a, p.m, tileCols)
}
